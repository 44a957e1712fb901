/**
 * Prepares a value for the engine's own JSON encoder, which is several times faster than a writer in
 * JavaScript, and gives canonical JSON where keys come in order and nothing is odd.
 */

import { isPlain } from "./json-types.js";

/** What `JSON.stringify` writes canonically, but for lone surrogates, and how deep it nests. */
export interface Encodable {
  readonly value: object;
  readonly depth: number;
}

const UNSAFE = 2 ** 53;
const INTEGRAL_BELOW = 1e21;
const NINE = 0x39;

/**
 * The value, or one that is equal to it with the keys of objects in order.
 *
 * Undefined where the encoder would not do: something has to be refused, an integer is beyond those
 * that are safe, or keys look like indexes, which every object has first and by number.
 */
export function prepared(value: object, maxDepth: number): Encodable | undefined {
  const preparation = new Preparation(maxDepth);
  const found = preparation.container(value, 1);
  return found === undefined ? undefined : { value: found, depth: preparation.depth };
}

class Preparation {
  depth = 0;
  readonly #maxDepth: number;
  // Rows of a table have the same keys one after the other, so that they are sorted once.
  #keys: readonly string[] = [];
  #ordered: readonly string[] = [];

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /** A container, or the one to encode in its place; undefined if the encoder would not do. */
  container(value: object, depth: number): object | undefined {
    if (depth > this.depth) {
      if (depth > this.#maxDepth) return undefined;
      this.depth = depth;
    }
    if (Array.isArray(value)) return this.#items(value, depth);
    return isPlain(value) ? this.#members(value as Record<string, unknown>, depth) : undefined;
  }

  #items(value: readonly unknown[], depth: number): object | undefined {
    let copy: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const item = value[index];
      if (typeof item === "object" && item !== null) {
        const found = this.container(item, depth + 1);
        if (found === undefined) return undefined;
        if (found !== item) {
          copy ??= value.slice();
          copy[index] = found;
        }
      } else if (!isWrittenRight(item)) return undefined;
    }
    return copy ?? value;
  }

  #members(value: Record<string, unknown>, depth: number): object | undefined {
    const keys = Object.keys(value);
    const ordered = this.#inOrder(keys);
    // In another order, or with another container in it, the object has to be made anew.
    let copy: Record<string, unknown> | undefined;
    if (ordered !== keys) {
      if (mayBeIndex(ordered[0])) return undefined;
      copy = {};
    }
    for (let index = 0; index < ordered.length; index++) {
      const key = ordered[index] as string;
      const item = value[key];
      let found = item;
      if (typeof item === "object" && item !== null) {
        found = this.container(item, depth + 1);
        if (found === undefined) return undefined;
        if (found !== item && copy === undefined) {
          copy = copyUpTo(value, keys, index);
          if (copy === undefined) return undefined;
        }
      } else if (item !== undefined && !isWrittenRight(item)) return undefined;
      if (copy !== undefined) {
        if (key === "__proto__") return undefined;
        copy[key] = found;
      }
    }
    return copy ?? value;
  }

  /** The keys themselves where they are in order, else others that are. */
  #inOrder(keys: readonly string[]): readonly string[] {
    const known = this.#keys;
    if (keys.length === known.length && keys.every((key, index) => key === known[index])) {
      return this.#ordered;
    }
    for (let index = 1; index < keys.length; index++) {
      if ((keys[index] as string) < (keys[index - 1] as string)) {
        this.#keys = keys;
        this.#ordered = [...keys].sort();
        return this.#ordered;
      }
    }
    return keys;
  }
}

/** Whether the first of some keys in order, or one after it, may be an index. */
function mayBeIndex(first: string | undefined): boolean {
  return !((first ?? "").charCodeAt(0) > NINE); // NaN for the empty key, which may be followed
}

/** The first members of an object; undefined where keys may be indexes. */
function copyUpTo(
  value: Record<string, unknown>,
  keys: readonly string[],
  end: number,
): Record<string, unknown> | undefined {
  if (mayBeIndex(keys[0])) return undefined;
  const copy: Record<string, unknown> = {};
  for (let index = 0; index < end; index++) {
    const key = keys[index] as string;
    if (key === "__proto__") return undefined;
    copy[key] = value[key];
  }
  return copy;
}

/** Whether the engine writes a scalar as we do: no NaN, and none of the integers that it rounds. */
function isWrittenRight(item: unknown): boolean {
  switch (typeof item) {
    case "string":
    case "boolean":
      return true;
    case "number":
      if (item > -UNSAFE && item < UNSAFE) return true;
      return item - item === 0 && Math.abs(item) >= INTEGRAL_BELOW;
    default:
      return item === null;
  }
}
