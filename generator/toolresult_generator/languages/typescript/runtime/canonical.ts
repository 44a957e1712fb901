/**
 * Canonical JSON: keys in the order of RFC 8785, its number format, integers of any size exact.
 *
 * What the engine's own encoder would write canonically is left to it, which is several times
 * faster than anything written here. A look before it finds out.
 */

import { ResultError, hasLoneSurrogate, pointerOf, shorten } from "./errors.js";
import { prepared } from "./encodable.js";
import { described, isPlain, orderedKeys } from "./json-types.js";
import { TOO_MANY_DIGITS, numberText } from "./numbers.js";

/** How deep a user value may nest. A scalar is 0, `[]` is 1. */
export const MAX_DEPTH = 100;

/** A text, and how deep the value nests. */
export interface Measured {
  readonly text: string;
  readonly depth: number;
}

/** What must be escaped in a JSON string, and surrogates, which may be lone. */
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;
/** What the engine writes for a lone surrogate, and writes for nothing else but our own text. */
const ESCAPED_SURROGATE = "\\ud";

/**
 * The canonical JSON text of `value`.
 *
 * Takes null, booleans, finite numbers, bigints, texts, and arrays and plain objects of these; a
 * member that is undefined is absent. Throws ResultError `invalid_number`, `invalid_text`,
 * `invalid_value` or `too_deep` with the pointer of the first offence in canonical order. A cycle is
 * `too_deep`.
 */
export function canonical(value: unknown, maxDepth: number = MAX_DEPTH): string {
  return measured(value, maxDepth).text;
}

/** As {@link canonical}, with the depth. */
export function measured(value: unknown, maxDepth: number = MAX_DEPTH): Measured {
  if (typeof value !== "object" || value === null) {
    return { text: new Writer(maxDepth).write(value), depth: 0 };
  }
  const encodable = prepared(value, maxDepth);
  if (encodable !== undefined) {
    const text = JSON.stringify(encodable.value);
    if (!text.includes(ESCAPED_SURROGATE)) return { text, depth: encodable.depth };
  }
  const writer = new Writer(maxDepth);
  return { text: writer.write(value), depth: writer.depth };
}

/** `text` as a JSON string with its quotes. Throws ResultError `invalid_text`. */
export function quote(text: string): string {
  return quoted(text, WHOLE);
}

/** A canonical JSON text escaped to stand inside a JSON string, without the quotes. */
export function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The canonical text of a number. Throws ResultError `invalid_number`. */
export function number(value: number | bigint): string {
  return numeral(value, WHOLE);
}

/** The error for NaN, the infinities and integers of too many digits. */
export function badNumber(value: number | bigint, pointer: string): ResultError {
  const why =
    typeof value === "bigint"
      ? TOO_MANY_DIGITS
      : `${value} is no JSON number; send null or a string instead`;
  return new ResultError("invalid_number", pointer, why);
}

/** The steps to a value. */
type Path = readonly (string | number)[];
const WHOLE: Path = [];

function quoted(text: string, path: Path): string {
  if (!SPECIAL.test(text)) return `"${text}"`;
  if (hasLoneSurrogate(text)) {
    throw new ResultError(
      "invalid_text",
      pointerOf(path),
      "a lone surrogate is no text; decode the bytes with another encoding, or replace it",
    );
  }
  return JSON.stringify(text);
}

function numeral(value: number | bigint, path: Path): string {
  const text = numberText(value);
  if (text === undefined) throw badNumber(value, pointerOf(path));
  return text;
}

/** Writes piece by piece in canonical order, and so finds the first offence. */
class Writer {
  depth = 0;
  readonly #maxDepth: number;
  readonly #path: (string | number)[] = [];

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  write(value: unknown): string {
    switch (typeof value) {
      case "string":
        return quoted(value, this.#path);
      case "number":
      case "bigint":
        return numeral(value, this.#path);
      case "boolean":
        return value ? "true" : "false";
      case "object":
        if (value === null) return "null";
        if (Array.isArray(value)) return this.#items(value);
        if (isPlain(value)) return this.#members(value as Record<string, unknown>);
        break;
      default:
    }
    throw new ResultError(
      "invalid_value",
      pointerOf(this.#path),
      `${described(value)} is no JSON value; convert it yourself or with toPlain()`,
    );
  }

  #members(value: Record<string, unknown>): string {
    this.#enter();
    this.#refuseSymbols(value);
    let text = "";
    for (const key of orderedKeys(value)) {
      const item = value[key];
      if (item === undefined) continue;
      this.#path.push(key);
      text += `${text === "" ? "{" : ","}${quoted(key, this.#path)}:${this.write(item)}`;
      this.#path.pop();
    }
    return text === "" ? "{}" : `${text}}`;
  }

  #items(value: readonly unknown[]): string {
    this.#enter();
    this.#refuseSymbols(value);
    // Indexes come first, so that what is not one is last.
    const last = Object.keys(value).at(-1);
    if (last !== undefined && !(Number(last) < value.length && String(Number(last)) === last)) {
      throw this.#lost(last, `an array has entries alone, and '${shorten(last)}' would be lost`);
    }
    let text = "";
    for (let index = 0; index < value.length; index++) {
      this.#path.push(index);
      text += `${index === 0 ? "[" : ","}${this.write(value[index])}`;
      this.#path.pop();
    }
    return text === "" ? "[]" : `${text}]`;
  }

  #refuseSymbols(value: object): void {
    const [symbol] = Object.getOwnPropertySymbols(value);
    if (symbol === undefined) return;
    const name = symbol.description ?? "";
    throw this.#lost(name, `the key Symbol(${shorten(name)}) is no text and would be lost`);
  }

  #lost(name: string, message: string): ResultError {
    return new ResultError("invalid_value", pointerOf([...this.#path, name]), message);
  }

  #enter(): void {
    if (this.#path.length >= this.#maxDepth) {
      throw new ResultError(
        "too_deep",
        pointerOf(this.#path),
        `nested deeper than ${this.#maxDepth} levels, or within itself; flatten the value`,
      );
    }
    this.depth = Math.max(this.depth, this.#path.length + 1);
  }
}
