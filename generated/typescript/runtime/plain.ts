/** The explicit conversion of objects to JSON values, for those who want it. */

import { encodeBase64 } from "./bytes.js";
import { MAX_DEPTH, canonical } from "./canonical.js";
import { ResultError, token } from "./errors.js";
import { isMap } from "./frozen.js";
import { Json } from "./json.js";
import { type Draft, byUnits, described, isPlain, mapItems, put } from "./json-types.js";

/**
 * `value` as null, booleans, numbers, bigints, texts, arrays and plain objects, all the way down.
 *
 * - A Date becomes RFC 3339 text in UTC, with no or three digits of a second, as protobuf's JSON has
 *   them; a URL its text, bytes (Uint8Array, ArrayBuffer) base64.
 * - An object with `toJSON` becomes what that gives, a value of this package its serialized form.
 * - A Map becomes an object; its keys may be texts and integers, and two keys with one text are
 *   refused. A Set becomes an array in the order of canonical texts.
 * - Members that are undefined are left out.
 *
 * NaN and lone surrogates are let through; taking the value as a result's data refuses them. Throws
 * ResultError `invalid_value` for anything else and `too_deep` for more than 100 levels, with the
 * pointer of the place.
 */
export function toPlain(value: unknown): unknown {
  return convert(value, "", MAX_DEPTH);
}

function convert(value: unknown, pointer: string, left: number): unknown {
  if (typeof value === "function" || typeof value === "symbol" || value === undefined) {
    throw unconvertible(value, pointer);
  }
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Json) return value.value;
  const text = textOf(value, pointer);
  if (text !== undefined) return text;
  if (left <= 0) {
    throw new ResultError("too_deep", pointer, `nested deeper than ${MAX_DEPTH} levels`);
  }
  if (Array.isArray(value)) return listOf(value, pointer, left);
  if (value instanceof Set) {
    const items = listOf([...(value as Set<unknown>)], pointer, left);
    return items
      .map((item) => [canonical(item), item] as const)
      .sort((first, second) => byUnits(first[0], second[0]))
      .map(([, item]) => item);
  }
  if (isMap(value)) return objectOf([...value], pointer, left);
  const own = (value as { toJSON?: unknown }).toJSON;
  if (typeof own === "function") return convert(own.call(value), pointer, left - 1);
  if (!isPlain(value)) throw unconvertible(value, pointer);
  return objectOf(Object.entries(value), pointer, left);
}

function textOf(value: object, pointer: string): string | undefined {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw unconvertible(value, pointer);
    return value.toISOString().replace(".000Z", "Z");
  }
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (value instanceof ArrayBuffer) return encodeBase64(new Uint8Array(value));
  return undefined;
}

function listOf(items: readonly unknown[], pointer: string, left: number): unknown[] {
  return mapItems(items, (item, index) => convert(item, pointer + token(index), left - 1));
}

function objectOf(
  members: readonly (readonly [unknown, unknown])[],
  pointer: string,
  left: number,
): Draft {
  const made: Draft = {};
  for (const [key, item] of members) {
    if (item === undefined) continue;
    const name = nameOf(key, pointer);
    const below = pointer + token(name);
    if (Object.hasOwn(made, name)) {
      throw new ResultError("invalid_value", below, "two keys have this text");
    }
    put(made, name, convert(item, below, left - 1));
  }
  return made;
}

function nameOf(key: unknown, pointer: string): string {
  if (typeof key === "string") return key;
  if (typeof key === "bigint" || Number.isSafeInteger(key)) return String(key);
  const kind = described(key);
  throw new ResultError("invalid_value", pointer + token(kind), `a key may not be ${kind}`);
}

function unconvertible(value: unknown, pointer: string): ResultError {
  return new ResultError(
    "invalid_value",
    pointer,
    `there is no rule for ${described(value)}; turn it into JSON values yourself`,
  );
}
