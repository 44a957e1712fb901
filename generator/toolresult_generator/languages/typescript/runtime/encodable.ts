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
 * A copy of the value with the keys of objects in order. Every member is read once.
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
    if (Object.keys(value).length !== value.length || hasSymbols(value)) return undefined;
    // A copy, as what a getter gives may differ when the encoder asks again.
    const copy = value.slice();
    for (let index = 0; index < copy.length; index++) {
      const item = copy[index];
      if (typeof item === "object" && item !== null) {
        const found = this.container(item, depth + 1);
        if (found === undefined) return undefined;
        copy[index] = found;
      } else if (!isWrittenRight(item)) return undefined;
    }
    return copy;
  }

  #members(value: Record<string, unknown>, depth: number): object | undefined {
    if (hasSymbols(value)) return undefined;
    const keys = Object.keys(value);
    const ordered = this.#inOrder(keys);
    // Keys that look like indexes come first in every object, so that they have no other order.
    if (ordered !== keys && mayBeIndex(ordered[0])) return undefined;
    // A copy, as what a getter gives may differ when the encoder asks again.
    const inOrder = ordered === keys;
    const copy: Record<string, unknown> = inOrder ? { ...value } : {};
    const source = inOrder ? copy : value;
    for (const key of ordered) {
      if (key === "__proto__") return undefined;
      const item = source[key];
      if (typeof item === "object" && item !== null) {
        const found = this.container(item, depth + 1);
        if (found === undefined) return undefined;
        copy[key] = found;
      } else if (item !== undefined && !isWrittenRight(item)) return undefined;
      else if (!inOrder) copy[key] = item;
    }
    return copy;
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

/** Whether a value has members that no JSON text can have. */
function hasSymbols(value: object): boolean {
  return Object.getOwnPropertySymbols(value).length > 0;
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
