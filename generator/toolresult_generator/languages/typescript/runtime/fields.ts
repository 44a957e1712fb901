/** The types of fields: what each accepts, and what it turns it into. */

import { badNumber } from "./canonical.js";
import { checkBase64, checkExtensionKey, checkTimestamp } from "./checks.js";
import { ResultError, hasLoneSurrogate, shorten, token } from "./errors.js";
import { FrozenMap, isMap } from "./frozen.js";
import { Json } from "./json.js";
import { byUnits, described, isObject, isPlain, mapItems, memberOf } from "./json-types.js";
import { settle } from "./numbers.js";
import type { Value, ValueClass } from "./value.js";

/** A non-negative integer; bigint where a number is not safe. */
export type Count = number | bigint;

/** Names to JSON values, in canonical order. */
export type JsonMap = ReadonlyMap<string, Json>;

/** What a map of JSON values is made of. */
export type JsonMapInput = JsonMap | ReadonlyMap<string, unknown> | object;

/** How the members of given objects are named. */
export type Naming = "property" | "wire";

/** What a check may look at beside the value. */
export interface Around {
  readonly naming: Naming;
  /** The fields of the same object that were checked already, by property name. */
  readonly before: Readonly<Record<string, unknown>>;
}

/**
 * Checks a value that is there and gives what is kept of it; undefined if that is the same as
 * absent. Throws ResultError with a pointer from the value on.
 */
export type Check = (value: unknown, around: Around) => unknown;

/** A map of nothing, the same as an absent one. */
export const EMPTY_MAP: JsonMap = new FrozenMap<string, Json>();

/** A list of nothing, the same as an absent one. */
export const EMPTY_LIST: readonly never[] = Object.freeze([]);

/** `wrong_type`, with the name of what was found. */
export function wrongType(expected: string, found: unknown): ResultError {
  return new ResultError("wrong_type", "", `expected ${expected}, found ${described(found)}`);
}

/** The error for a text that is none. */
export function badText(pointer = ""): ResultError {
  return new ResultError("invalid_text", pointer, "a lone surrogate is no text; replace it");
}

/** Runs a check of something at `name`, so that an error says where. */
export function at<T>(name: string | number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof ResultError ? error.below(token(name)) : error;
  }
}

/** Any text without lone surrogates; may be empty. */
export function string(value: unknown): string {
  if (typeof value !== "string") throw wrongType("a string", value);
  if (hasLoneSurrogate(value)) throw badText();
  return value;
}

/** A text that is not empty. */
export function nonEmptyString(value: unknown): string {
  const text = string(value);
  if (text === "") throw new ResultError("out_of_range", "", "must not be empty");
  return text;
}

/** A boolean. */
export function boolean(value: unknown): boolean {
  if (typeof value !== "boolean") throw wrongType("a boolean", value);
  return value;
}

/** RFC 3339 with upper-case T and Z, kept as written. */
export function timestamp(value: unknown): string {
  return checkTimestamp(string(value));
}

/** Bytes in standard, padded, canonical base64. */
export function base64(value: unknown): string {
  return checkBase64(string(value));
}

/** A non-negative integer of any size. */
export function count(value: unknown): Count {
  const found = anyNumber(value, "a non-negative integer");
  if (typeof found === "number" && !Number.isSafeInteger(found)) {
    throw wrongType("a non-negative integer", value);
  }
  if (found < 0) {
    throw new ResultError(
      "out_of_range",
      "",
      "expected a non-negative integer, found a negative one",
    );
  }
  return found;
}

function anyNumber(value: unknown, expected: string): number | bigint {
  if (typeof value !== "number" && typeof value !== "bigint") throw wrongType(expected, value);
  if (typeof value === "number" && value - value !== 0) throw badNumber(value, "");
  return settle(value);
}

/** A finite number, between bounds that are both included. */
export function number(minimum?: number, maximum?: number): Check {
  return (value) => {
    const found = anyNumber(value, "a number");
    if (minimum !== undefined && found < minimum) {
      throw new ResultError("out_of_range", "", `expected at least ${minimum}`);
    }
    if (maximum !== undefined && found > maximum) {
      throw new ResultError("out_of_range", "", `expected at most ${maximum}`);
    }
    return found;
  };
}

/** Any JSON value, null included. */
export function json(value: unknown): Json {
  return Json.of(value);
}

/** A JSON value that is an object. */
export function jsonObject(value: unknown): Json {
  if (value === null) throw wrongType("an object", value);
  const made = Json.of(value);
  if (made.kind !== "object")
    throw wrongType("an object", value instanceof Json ? value.value : value);
  return made;
}

/** One of the codes of a closed list. */
export function code(codes: Readonly<Record<string, string>>): Check {
  return choice(Object.values(codes), "unknown_code");
}

/** A list of names of a closed set. */
export function choices(names: Readonly<Record<string, string>>): Check {
  return list(choice(Object.values(names), "out_of_range"));
}

function choice(names: readonly string[], code: "unknown_code" | "out_of_range"): Check {
  return (value) => {
    const text = string(value);
    if (!names.includes(text)) {
      const known = names.slice(0, 12).join(", ");
      throw new ResultError(code, "", `'${shorten(text)}' is none of ${known}`);
    }
    return text;
  };
}

/** A list of what `check` takes. */
function list(check: Check): Check {
  return (value, around) => {
    if (!Array.isArray(value)) throw wrongType("an array", value);
    if (value.length === 0) return EMPTY_LIST;
    return Object.freeze(mapItems(value, (item, index) => at(index, () => check(item, around))));
  };
}

/** An object of a class, or what one is made of. */
export function record<V extends Value>(made: ValueClass<V>): Check {
  return (value, around) => (value instanceof made ? value : made.make(value, around.naming));
}

/** A list of objects of a class. */
export function records<V extends Value>(made: ValueClass<V>): Check {
  return list(record(made));
}

/** The error of a result: a failure carries no data. */
export function failure<V extends Value>(made: ValueClass<V>): Check {
  const check = record(made);
  return (value, around) => {
    if (around.before["data"] !== undefined) {
      throw new ResultError(
        "contradiction",
        "",
        "a failure carries no data; put what it has to say into the error's details",
      );
    }
    return check(value, around);
  };
}

/** As {@link record}; an empty object is the same as an absent one. */
export function recordUnlessEmpty<V extends Value>(made: ValueClass<V>): Check {
  const check = record(made);
  return (value, around) => {
    const found = check(value, around) as V;
    return found.isEmpty ? undefined : found;
  };
}

/** A list of objects of several classes, told apart by `kind`. */
export function parts(kinds: Readonly<Record<string, ValueClass<Value>>>): Check {
  return list(part(kinds));
}

function part(kinds: Readonly<Record<string, ValueClass<Value>>>): Check {
  const classes = Object.values(kinds);
  const known = Object.keys(kinds).slice(0, 12).join(", ");
  return (value, around) => {
    if (classes.some((made) => value instanceof made)) return value;
    if (!isObject(value)) throw wrongType("an object", value);
    const given = memberOf(value, "kind");
    if (given === undefined) {
      throw new ResultError("missing_field", "/kind", `'kind' is required; it is one of ${known}`);
    }
    const kind = at("kind", () => string(given));
    const made = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (made === undefined) {
      throw new ResultError(
        "unknown_kind",
        "/kind",
        `'${shorten(kind)}' is no kind of part; known are ${known}`,
      );
    }
    return made.make(value, around.naming);
  };
}

/** Names to JSON values. */
export function jsonMap(value: unknown): JsonMap {
  return mapOf(value, () => undefined);
}

/**
 * As {@link jsonMap}, with the keys of extensions, and none of them in one of the other maps:
 * fields of the same object that come before this one.
 */
export function extensionMap(namespace: string, ...others: readonly string[]): Check {
  return (value, around) =>
    mapOf(value, (key) => {
      if (hasLoneSurrogate(key)) throw badText();
      checkExtensionKey(key, namespace);
      for (const other of others) {
        if ((around.before[other] as JsonMap | undefined)?.has(key)) {
          throw new ResultError(
            "invalid_key",
            "",
            `the key is in '${other}' as well; a value is for one of the two`,
          );
        }
      }
    });
}

function mapOf(value: unknown, checkKey: (key: string) => void): JsonMap {
  const made: [string, Json][] = [];
  for (const [key, item] of entriesOf(value)) {
    if (item === undefined) continue;
    at(key, () => {
      checkKey(key);
      if (hasLoneSurrogate(key)) throw badText();
      made.push([key, Json.of(item)]);
    });
  }
  return made.length === 0 ? EMPTY_MAP : new FrozenMap(made);
}

/** The members in canonical order. */
function entriesOf(value: unknown): [string, unknown][] {
  if (isMap(value)) {
    const entries = [...value];
    for (const [key] of entries) {
      if (typeof key !== "string") {
        throw new ResultError("invalid_value", token(String(key)), "a key must be a string");
      }
    }
    return (entries as [string, unknown][]).sort(byKey);
  }
  if (!isObject(value) || !isPlain(value)) throw wrongType("an object", value);
  return Object.entries(value).sort(byKey);
}

function byKey(first: readonly [string, unknown], second: readonly [string, unknown]): number {
  return byUnits(first[0], second[0]);
}
