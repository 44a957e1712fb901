/**
 * A strict parser of JSON text: everything that is lost or bent elsewhere is refused or kept.
 *
 * `JSON.parse` rounds integers, takes the last of two equal keys and passes lone surrogates on, and
 * says of none of it where. This one has a stack of its own, so that depth is a number that is
 * checked and not how much stack the caller left.
 */

import { byteLength, decodeText } from "./bytes.js";
import {
  ResultError,
  type ResultErrorCode,
  hasLoneSurrogate,
  pointerOf,
  shorten,
} from "./errors.js";
import { type Draft, type JsonValue, described, put } from "./json-types.js";
import { TOO_MANY_DIGITS, integerOf, settle } from "./numbers.js";

/** How deep a text may nest: twice what a user value may, since protocols wrap values. */
export const PARSE_DEPTH = 200;

/** The longest text that is parsed, in bytes of UTF-8, unless the caller says otherwise. */
export const MAX_BYTES = 128 * 1024 * 1024;

/** Bounds of a text. */
export interface ParseLimits {
  /** How deep it may nest; 200 if left out. */
  readonly maxDepth?: number;
  /** Bytes that it may have; 128 MiB if left out, `null` for no bound. */
  readonly maxBytes?: number | null;
}

/**
 * The value of a JSON text (RFC 8259).
 *
 * Integers are exact, bigint where a number is not safe; an integral float below 1e21 is an integer,
 * `-0.0` is 0. `__proto__` is a key like any other.
 *
 * Throws ResultError with the pointer and the byte offset of the first offence: `invalid_json`
 * (syntax, not UTF-8, a byte order mark, a repeated key), `invalid_number` (NaN, Infinity, a float
 * that overflows, an integer of more than a million digits), `invalid_text` (a lone surrogate),
 * `too_deep`, `out_of_range` (more than `maxBytes` bytes).
 */
export function parseJson(text: string | Uint8Array, limits: ParseLimits = {}): JsonValue {
  const { maxDepth = PARSE_DEPTH, maxBytes = MAX_BYTES } = limits;
  if (maxBytes !== null && isText(text)) checkLength(text, maxBytes);
  return new Parser(decoded(text), maxDepth).parse();
}

/** A text, or bytes as text. Throws ResultError if they are no UTF-8, TypeError for neither. */
export function decoded(text: string | Uint8Array): string {
  if (typeof text === "string") return text;
  if (!isText(text)) {
    throw new TypeError(`expected a JSON text or its bytes, found ${described(text)}`);
  }
  const found = decodeText(text);
  if (found === undefined) {
    throw new ResultError(
      "invalid_json",
      "",
      "not UTF-8; decode the text with its own encoding first",
    );
  }
  return found;
}

function isText(text: unknown): text is string | Uint8Array {
  return typeof text === "string" || text instanceof Uint8Array;
}

function checkLength(text: string | Uint8Array, most: number): void {
  const sure = typeof text === "string" ? 3 * text.length : text.length;
  if (sure <= most) return;
  const length = typeof text === "string" ? byteLength(text) : text.length;
  if (length <= most) return;
  throw new ResultError(
    "out_of_range",
    "",
    `the text has ${length} bytes and may have ${most}; send less, or store it and link it`,
  );
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const WORD = /-?[A-Za-z]+/y;
/** What may stand in a string as it is, up to its end or to an escape. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const HEX = /[0-9a-fA-F]{4}/y;
const NOT_NUMBERS = new Set(["NaN", "Infinity", "-Infinity", "-NaN"]);
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** An object or array whose members are being read. */
type Open = { readonly value: JsonValue[] | Draft; step: string | number };

/** What `#value` gives for a container of which only the start was read. */
const OPENED = Symbol("opened");

/** One pass from the start that stops at the first offence. */
class Parser {
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;
  /** The containers around, each with the member that is being read. */
  readonly #stack: Open[] = [];
  /** How many of the steps on the stack lead to where we are. */
  #steps = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  parse(): JsonValue {
    if (this.#text.startsWith("\ufeff")) {
      this.#fail("invalid_json", "a byte order mark is not allowed; remove it");
    }
    this.#skip();
    for (;;) {
      let value = this.#value();
      if (value === OPENED) continue;
      value = this.#close(value);
      if (value === OPENED) continue;
      if (this.#at !== this.#text.length)
        this.#fail("invalid_json", "nothing may follow the value");
      return value;
    }
  }

  /** A scalar or an empty container; of a container with members, only its start. */
  #value(): JsonValue | typeof OPENED {
    switch (this.#text[this.#at]) {
      case '"': {
        const start = this.#at;
        const text = this.#string("bad string");
        if (hasLoneSurrogate(text)) {
          this.#fail("invalid_text", "a lone surrogate is no text; replace it", start);
        }
        this.#skip();
        return text;
      }
      case "{":
        return this.#open({}, "}");
      case "[":
        return this.#open([], "]");
      default:
        return this.#scalar();
    }
  }

  #open(value: JsonValue[] | Draft, closing: string): JsonValue | typeof OPENED {
    if (this.#stack.length >= this.#maxDepth) {
      this.#fail("too_deep", `nested deeper than ${this.#maxDepth} levels`);
    }
    this.#at++;
    this.#skip();
    if (this.#text[this.#at] === closing) {
      this.#at++;
      this.#skip();
      return value as JsonValue;
    }
    const open: Open = { value, step: 0 };
    this.#stack.push(open);
    if (Array.isArray(value)) this.#steps = this.#stack.length;
    else this.#name(open);
    return OPENED;
  }

  #scalar(): JsonValue {
    const number = this.#match(NUMBER);
    if (number !== null) {
      const value = this.#number(number);
      this.#at += number[0].length;
      this.#skip();
      return value;
    }
    const word = this.#match(WORD)?.[0];
    if (word === "true" || word === "false" || word === "null") {
      this.#at += word.length;
      this.#skip();
      return word === "null" ? null : word === "true";
    }
    if (word !== undefined && NOT_NUMBERS.has(word)) {
      this.#fail("invalid_number", `${word} is no JSON number; use null`);
    }
    if (this.#at >= this.#text.length) {
      this.#fail("invalid_json", "the text ends where a value should be");
    }
    this.#fail("invalid_json", `expected a value, found ${this.#found()}`);
  }

  #number(match: RegExpExecArray): number | bigint {
    const [text, whole = "", fraction, exponent] = match;
    if (fraction === undefined && exponent === undefined) {
      const value = integerOf(whole);
      if (value === undefined) this.#fail("invalid_number", TOO_MANY_DIGITS);
      return value;
    }
    const value = Number(text);
    if (value - value !== 0) {
      this.#fail("invalid_number", `${shorten(text)} is beyond a double; send it as a string`);
    }
    return settle(value);
  }

  /** A string from its quote to its quote; lone surrogates are the caller's. */
  #string(what: string): string {
    const text = this.#text;
    let start = ++this.#at;
    let found = "";
    for (;;) {
      PLAIN.lastIndex = this.#at;
      PLAIN.test(text);
      this.#at = PLAIN.lastIndex;
      const stop = text[this.#at];
      if (stop === '"') {
        const rest = text.slice(start, this.#at++);
        return found === "" ? rest : found + rest;
      }
      if (stop !== "\\") {
        const why = stop === undefined ? "it does not end" : "a control character must be escaped";
        this.#fail("invalid_json", `${what}: ${why}`);
      }
      found += text.slice(start, this.#at) + this.#escape(what);
      start = this.#at;
    }
  }

  #escape(what: string): string {
    const letter = this.#text[this.#at + 1] ?? "";
    const plain = ESCAPES.get(letter);
    if (plain !== undefined) {
      this.#at += 2;
      return plain;
    }
    HEX.lastIndex = this.#at + 2;
    if (letter !== "u" || !HEX.test(this.#text)) {
      this.#fail("invalid_json", `${what}: there is no such escape`);
    }
    const unit = Number.parseInt(this.#text.slice(this.#at + 2, this.#at + 6), 16);
    this.#at += 6;
    return String.fromCharCode(unit);
  }

  /** Reads a member's name and colon. */
  #name(open: Open): void {
    this.#steps = this.#stack.length - 1;
    if (this.#text[this.#at] !== '"') {
      this.#fail("invalid_json", `expected a key in quotes, found ${this.#found()}`);
    }
    const start = this.#at;
    const name = this.#string("bad key");
    open.step = name;
    this.#steps = this.#stack.length;
    if (hasLoneSurrogate(name)) {
      this.#fail("invalid_text", "a lone surrogate is no text; replace it", start);
    }
    if (Object.hasOwn(open.value, name)) {
      this.#fail("invalid_json", `the key "${shorten(name)}" is there twice`, start);
    }
    this.#skip();
    if (this.#text[this.#at] !== ":") {
      this.#fail("invalid_json", `expected ':', found ${this.#found()}`);
    }
    this.#at++;
    this.#skip();
  }

  /** Puts a complete value where it belongs and closes what it completes. */
  #close(complete: JsonValue): JsonValue | typeof OPENED {
    let value = complete;
    for (;;) {
      const open = this.#stack.at(-1);
      if (open === undefined) return value;
      const into = open.value;
      const isArray = Array.isArray(into);
      if (isArray) into.push(value);
      else put(into, open.step as string, value);
      const stop = this.#text[this.#at];
      if (stop === ",") {
        this.#at++;
        this.#skip();
        if (isArray) open.step = into.length;
        else this.#name(open);
        return OPENED;
      }
      const closing = isArray ? "]" : "}";
      if (stop !== closing) {
        this.#fail("invalid_json", `expected ',' or '${closing}', found ${this.#found()}`);
      }
      this.#at++;
      this.#skip();
      this.#stack.pop();
      this.#steps = this.#stack.length;
      value = into as JsonValue;
    }
  }

  #skip(): void {
    const unit = this.#text.charCodeAt(this.#at);
    if (unit > 0x20) return;
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  #found(): string {
    const point = this.#text.codePointAt(this.#at);
    return point === undefined
      ? "the end of the text"
      : `'${shorten(String.fromCodePoint(point))}'`;
  }

  #fail(code: ResultErrorCode, message: string, position = this.#at): never {
    const before = this.#text.slice(0, position);
    const line = before.split("\n").length;
    const column = position - before.lastIndexOf("\n");
    throw new ResultError(
      code,
      pointerOf(this.#stack.slice(0, this.#steps).map((open) => open.step)),
      `${message} (line ${line}, column ${column})`,
      byteLength(before),
    );
  }
}
