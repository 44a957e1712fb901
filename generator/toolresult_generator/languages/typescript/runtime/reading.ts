/** What every reader shares: members of wire objects, and drafts of the serialized form. */

import { canonical } from "./canonical.js";
import { checkBase64, checkTimestamp } from "./checks.js";
import { ResultError, type ResultErrorCode, pointerOf } from "./errors.js";
import {
  type Draft,
  isObject,
  less,
  memberBelow,
  memberOf,
  orderedKeys,
  put,
} from "./json-types.js";
import { type ResultBase, type ResultClass, resultOf } from "./members.js";
import { decoded, parseJson } from "./parse.js";
import { WIRE_DEPTH } from "./rendering.js";

export type { Draft } from "./json-types.js";

/** The keys that lead to a member, or the names that lead to a field. */
export type Keys = readonly string[];

/** Reads a value, given with the pointer to it. Throws ResultError. */
export type ReadEntry = (value: unknown, pointer: string) => Draft;

/** In a pointer: what follows goes on inside of a text that holds JSON. */
const IN_TEXT = "#";

/** Whether a wire value fits a field, and why not. */
export interface Fits {
  readonly expected: string;
  readonly code: ResultErrorCode;
  readonly fits: (value: unknown) => boolean;
}

function fitting(
  expected: string,
  fits: (value: unknown) => boolean,
  code: ResultErrorCode = "wrong_type",
): Fits {
  return { expected, code, fits };
}

function passes(check: (text: string) => string): (value: unknown) => boolean {
  return (value) => {
    if (typeof value !== "string") return false;
    try {
      check(value);
      return true;
    } catch {
      return false;
    }
  };
}

export const ANY = fitting("any value", () => true);
export const STRING = fitting("a string", (value) => typeof value === "string");
export const NON_EMPTY = fitting(
  "a string that is not empty",
  (value) => typeof value === "string" && value !== "",
);
export const BOOLEAN = fitting("true or false", (value) => typeof value === "boolean");
export const COUNT = fitting("an integer that is not negative", (value) =>
  typeof value === "bigint" ? value >= 0n : Number.isSafeInteger(value) && (value as number) >= 0,
);
export const OBJECT = fitting("an object", isObject);
export const MAP = fitting(
  "an object that is not empty",
  (value) => isObject(value) && Object.keys(value).length > 0,
);
export const TIMESTAMP = fitting("an RFC 3339 timestamp", passes(checkTimestamp));
export const BASE64 = fitting("standard padded base64", passes(checkBase64), "invalid_base64");

/** A number in a range, both ends included. */
export function numberBetween(minimum: number | undefined, maximum: number | undefined): Fits {
  return fitting(
    `a number from ${minimum} to ${maximum}`,
    (value) =>
      (typeof value === "number" || typeof value === "bigint") &&
      (minimum === undefined || value >= minimum) &&
      (maximum === undefined || value <= maximum),
  );
}

/** A list of some of these names, not empty. */
export function choicesOf(...names: readonly string[]): Fits {
  return fitting(
    `a list of ${names.join(", ")}`,
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((name: unknown) => typeof name === "string" && names.includes(name)),
  );
}

/** The members of a wire object. What was not taken is foreign. */
export class Members {
  readonly value: Draft;
  readonly pointer: string;
  #left: Draft;

  /** Throws ResultError `wrong_type` if the value is no object. */
  constructor(value: unknown, pointer = "") {
    if (!isObject(value)) throw new ResultError("wrong_type", pointer, "expected an object");
    this.value = value;
    this.pointer = pointer;
    this.#left = { ...value };
  }

  /** The member under these keys, or undefined. */
  get(...keys: Keys): unknown {
    return memberBelow(this.value, ...keys);
  }

  /** Whether there is a member under these keys. */
  has(...keys: Keys): boolean {
    return this.get(...keys) !== undefined;
  }

  /** Whether the member has just this value. */
  isConstant(keys: Keys, value: unknown): boolean {
    return isSame(this.get(...keys), value);
  }

  /** Whether the member is a text that starts with one of these. */
  startsWith(keys: Keys, ...prefixes: readonly string[]): boolean {
    const value = this.get(...keys);
    return typeof value === "string" && prefixes.some((prefix) => value.startsWith(prefix));
  }

  /** Takes a member without keeping it. */
  drop(...keys: Keys): void {
    this.#left = less(this.#left, keys);
  }

  /** Takes a member without keeping it, where it has just this value. */
  dropConstant(keys: Keys, value: unknown): void {
    if (this.isConstant(keys, value)) this.drop(...keys);
  }

  /**
   * Puts a member into a field, where it is there and fits and the field is still free.
   *
   * Throws ResultError for one that does not fit where `strict`, and `invalid_base64` for bytes that
   * are not base64: nothing could stand in for them.
   */
  take(draft: Draft, field: Keys, keys: Keys, fits: Fits, strict = false): void {
    const value = this.get(...keys);
    if (value === undefined) return;
    if (!fits.fits(value)) {
      if (strict || (fits === BASE64 && typeof value === "string")) {
        throw new ResultError(fits.code, this.#where(keys), `expected ${fits.expected}`);
      }
      return;
    }
    if (setField(draft, field, value)) this.drop(...keys);
  }

  /** Adds the entries of an object to a map field. */
  takeMap(draft: Draft, field: Keys, keys: Keys): void {
    const value = this.get(...keys);
    if (!isObject(value)) return;
    addMissing(recordAt(draft, field), value);
    this.drop(...keys);
  }

  /**
   * Puts the entries of a list into a field, where every one can be read.
   *
   * Throws ResultError of the first that cannot, where `strict`.
   */
  takeList(draft: Draft, field: Keys, keys: Keys, read: ReadEntry, strict = false): void {
    const values = this.get(...keys);
    if (values === undefined || (!strict && isEmpty(values))) return;
    const where = this.#where(keys);
    const entries = attempt(strict, () => {
      if (!Array.isArray(values)) throw new ResultError("wrong_type", where, "expected a list");
      return values.map((value, index) => read(value, `${where}/${index}`));
    });
    if (entries !== undefined && setField(draft, field, entries)) this.drop(...keys);
  }

  /**
   * Puts an object into a field, where it can be read whole.
   *
   * Throws ResultError where it cannot and `strict`.
   */
  takeRecord(draft: Draft, field: Keys, keys: Keys, read: ReadEntry, strict = false): void {
    const value = this.get(...keys);
    if (value === undefined) return;
    const record = attempt(strict, () => read(value, this.#where(keys)));
    if (record !== undefined && setField(draft, field, record)) this.drop(...keys);
  }

  /**
   * Puts into a field what the JSON text at `keys` says.
   *
   * Throws ResultError for a member that is no such text, and for a missing one that is `required`.
   */
  takeJson(draft: Draft, field: Keys, keys: Keys, fits: Fits, required = false): void {
    const value = this.#parsed(keys, required);
    if (value === undefined) return;
    if (!fits.fits(value)) {
      throw new ResultError(fits.code, this.#where(keys) + IN_TEXT, `expected ${fits.expected}`);
    }
    if (setField(draft, field, value)) this.drop(...keys);
  }

  /**
   * Adds to the draft what the JSON text at `keys` says, member by member.
   *
   * Throws ResultError as {@link takeJson} does, and what `read` throws.
   */
  takeText(draft: Draft, keys: Keys, read: ReadEntry, required = false): void {
    const value = this.#parsed(keys, required);
    if (value === undefined) return;
    merge(draft, read(value, this.#where(keys) + IN_TEXT));
    this.drop(...keys);
  }

  /** Takes a member that has just this value. Throws ResultError if it has another or none. */
  expect(keys: Keys, value: unknown): void {
    const found = this.get(...keys);
    if (!isSame(found, value)) {
      const code = found === undefined ? "missing_field" : "unknown_kind";
      throw new ResultError(code, this.#where(keys), `expected ${canonical(value)}`);
    }
    this.drop(...keys);
  }

  /** Puts a member into a field. Throws ResultError if it is missing or does not fit. */
  require(draft: Draft, field: Keys, keys: Keys, fits: Fits): void {
    const value = this.get(...keys);
    const message = `expected ${fits.expected}`;
    if (value === undefined) throw new ResultError("missing_field", this.#where(keys), message);
    if (!fits.fits(value)) {
      const code = typeof value === "string" ? fits.code : "wrong_type";
      throw new ResultError(code, this.#where(keys), message);
    }
    setField(draft, field, value);
    this.drop(...keys);
  }

  /** What was not taken; objects that were emptied by taking are left out. */
  rest(): Draft {
    return this.#left;
  }

  #where(keys: Keys): string {
    return this.pointer + pointerOf(keys);
  }

  /** The value of a JSON text; undefined if there is none and need not be. Throws ResultError. */
  #parsed(keys: Keys, required: boolean): unknown {
    const text = this.get(...keys);
    if (text === undefined && !required) return undefined;
    const where = this.#where(keys);
    if (typeof text !== "string") {
      const code = text === undefined ? "missing_field" : "wrong_type";
      throw new ResultError(code, where, "expected a text that holds JSON");
    }
    try {
      return parseJson(text, { maxDepth: WIRE_DEPTH });
    } catch (error) {
      if (!(error instanceof ResultError)) throw error;
      throw new ResultError(
        error.code,
        where + IN_TEXT + error.pointer,
        `in the text: ${error.detail}`,
      );
    }
  }
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === false || value === 0 || value === "";
}

function isSame(found: unknown, value: unknown): boolean {
  if (typeof found !== typeof value) return false;
  if (typeof value !== "object" || value === null || found === null) return found === value;
  return canonical(found, WIRE_DEPTH) === canonical(value, WIRE_DEPTH);
}

/** What `read` gives; undefined where it refuses and that is no fault. */
function attempt<T>(strict: boolean, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (strict || !(error instanceof ResultError)) throw error;
    return undefined;
  }
}

/** The record under these names, made where it is missing. */
export function recordAt(draft: Draft, field: Keys): Draft {
  let at = draft;
  for (const name of field) {
    if (!Object.hasOwn(at, name)) put(at, name, {});
    at = at[name] as Draft;
  }
  return at;
}

/** Puts a value where these names lead, unless something is there; whether it did. */
export function setField(draft: Draft, field: Keys, value: unknown): boolean {
  const owner = recordAt(draft, field.slice(0, -1));
  const name = field.at(-1) ?? "";
  if (Object.hasOwn(owner, name)) return false;
  put(owner, name, value);
  return true;
}

/** Adds the members that are not there yet. */
export function addMissing(into: Draft, more: Draft): void {
  for (const [key, value] of Object.entries(more)) {
    if (!Object.hasOwn(into, key)) put(into, key, value);
  }
}

/** Adds what `more` has and the draft has not, records member by member. */
function merge(draft: Draft, more: Draft): void {
  for (const [key, value] of Object.entries(more)) {
    const known = memberOf(draft, key);
    if (known === undefined) put(draft, key, value);
    else if (known !== value && isObject(known) && isObject(value)) merge(known, value);
  }
}

/** Reads a record without foreign members. What it gives throws ResultError if there are some. */
export function readWhole(read: (block: Members) => Draft): ReadEntry {
  return (value, pointer) => {
    const members = new Members(value, pointer);
    const draft = read(members);
    refuseRest(members);
    return draft;
  };
}

/** Reads a record that keeps its foreign members. What it gives throws what `read` throws. */
export function readOpen(read: (block: Members) => Draft): ReadEntry {
  return (value, pointer) => read(new Members(value, pointer));
}

/** Reads a part that is a bare string on the wire. What it gives throws ResultError otherwise. */
export function readText(kind: string, field: string): ReadEntry {
  return (value, pointer) => {
    if (typeof value !== "string")
      throw new ResultError("wrong_type", pointer, "expected a string");
    return { kind, [field]: value };
  };
}

/** Throws ResultError for the first member that was not taken, however deep it stands. */
function refuseRest(members: Members): void {
  const keys: string[] = [];
  let left: unknown = members.rest();
  let whole: unknown = members.value;
  while (isObject(left) && isObject(whole) && !isSame(left, whole)) {
    const key = orderedKeys(left)[0];
    if (key === undefined) break;
    keys.push(key);
    left = left[key];
    whole = memberOf(whole, key);
  }
  const first = orderedKeys(members.rest())[0];
  if (keys.length === 0 && first === undefined) return;
  throw new ResultError(
    "unknown_field",
    members.pointer + pointerOf(keys.length > 0 ? keys : [first ?? ""]),
    "is not known here, or not with this value",
  );
}

/** Notes what a block has beside the fields, under its origin. */
export function keepForeign(draft: Draft, origin: string, members: Draft): void {
  if (Object.keys(members).length === 0) return;
  addMissing(recordAt(draft, ["foreign", origin]), members);
}

/** The refusal of a block of no known shape. */
export function unknownBlock(block: Members, known: string): ResultError {
  return new ResultError(
    "unknown_kind",
    block.pointer,
    `expected a block of a known type: ${known}`,
  );
}

/** Reads the output of one target back into a result. Holds no state. */
export abstract class Reader<R extends ResultBase = ResultBase> {
  abstract readonly target: string;
  abstract readonly revisions: readonly string[];
  readonly isText: boolean = false;

  /**
   * The result that a wire text says; for a target whose wire value is a string, the string itself.
   *
   * Throws ResultError, its pointer into the wire value, if that is no result.
   */
  read(wire: string | Uint8Array): R {
    if (this.isText) return this.readWire(decoded(wire));
    return this.readWire(parseJson(wire, { maxDepth: WIRE_DEPTH }));
  }

  /** The result that a wire value says, as parsed by `parseJson`. */
  abstract readWire(wire: unknown): R;
}

/**
 * The result of a draft; what the block has beyond it is foreign; with no origin, refused.
 */
export function finish<R extends ResultBase>(
  made: ResultClass<R>,
  draft: Draft,
  block: Members,
  origin: string | undefined,
): R {
  if (origin === undefined) refuseRest(block);
  else keepForeign(recordAt(draft, ["metadata"]), origin, block.rest());
  return resultOf(made, { format_version: Math.max(...made.formatVersions), ...draft });
}
