/** An immutable JSON value, held as its canonical text. */

import { MAX_DEPTH, escape, measured } from "./canonical.js";
import { type JsonObject, type JsonValue } from "./json-types.js";
import { type ParseLimits, parseJson } from "./parse.js";

/** What kind of JSON value one is. */
export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

const KINDS: Readonly<Record<string, JsonKind>> = {
  "{": "object",
  "[": "array",
  '"': "string",
  t: "boolean",
  f: "boolean",
  n: "null",
};
const MAX_EXACT = 2n ** 53n;
/** An integer of as many digits as the largest exact one may stand here; in a text as well. */
const LONG_INTEGER = /(?:^|[:,[-])[0-9]{16}/;

/**
 * A JSON value that cannot change.
 *
 * Made by {@link Json.of} or {@link Json.parse}, which check it. Two are equal if their canonical
 * texts are.
 */
export class Json {
  /** The canonical JSON text (RFC 8785, with integers of any size exact). */
  readonly canonical: string;
  #depth: number | undefined;
  #escaped: string | undefined;
  #value: JsonValue | undefined;
  #exact: boolean | undefined;

  private constructor(canonical: string, depth?: number) {
    this.canonical = canonical;
    this.#depth = depth;
    Object.freeze(this);
  }

  /**
   * Checks `value` and takes its text; later changes to it have no effect.
   *
   * Throws ResultError `invalid_number`, `invalid_text`, `invalid_value` or `too_deep` (deeper than
   * 100), with the pointer of the first offence.
   */
  static of(value: unknown): Json {
    if (value instanceof Json) return value;
    const { text, depth } = measured(value);
    return new Json(text, depth);
  }

  /** The value of a JSON text. Throws ResultError as `parseJson` does. */
  static parse(text: string | Uint8Array, limits: ParseLimits = {}): Json {
    return Json.of(parseJson(text, { maxDepth: MAX_DEPTH, ...limits }));
  }

  /** A value whose text is known to be canonical and checked. Nothing is checked here. */
  static ofCanonical(text: string): Json {
    return new Json(text);
  }

  /** The canonical text escaped to stand inside a JSON string, without the quotes. */
  get escaped(): string {
    return (this.#escaped ??= escape(this.canonical));
  }

  /** The value, frozen all the way down. Parsed at first use. */
  get value(): JsonValue {
    return (this.#value ??= frozen(valueOf(this.canonical)));
  }

  /** What kind of JSON value this is. */
  get kind(): JsonKind {
    return KINDS[this.canonical.charAt(0)] ?? "number";
  }

  /** How deep it nests: 0 for a scalar, 1 for `[]`. */
  get depth(): number {
    return (this.#depth ??= depthOf(this.value));
  }

  /** Whether no integer in it has a magnitude above 2^53. */
  get exactInDouble(): boolean {
    return (this.#exact ??= !LONG_INTEGER.test(this.canonical) || allExact(this.value));
  }

  /** Whether another Json, or a plain value, has the same canonical text. */
  equals(other: unknown): boolean {
    try {
      return Json.of(other).canonical === this.canonical;
    } catch {
      return false;
    }
  }

  toString(): string {
    return this.canonical;
  }

  /** The plain value, for `JSON.stringify`, which refuses bigints. */
  toJSON(): JsonValue {
    return this.value;
  }
}

/** The value of a canonical text. */
function valueOf(text: string): JsonValue {
  // The engine's parser rounds no integer where there is none to round.
  if (!LONG_INTEGER.test(text)) return JSON.parse(text) as JsonValue;
  return parseJson(text, { maxDepth: Number.POSITIVE_INFINITY, maxBytes: null });
}

function frozen(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  for (const item of Object.values(value)) frozen(item as JsonValue);
  return Object.freeze(value);
}

function depthOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  let below = 0;
  for (const item of Object.values(value as JsonObject)) below = Math.max(below, depthOf(item));
  return below + 1;
}

function allExact(value: JsonValue): boolean {
  if (typeof value === "bigint") return value <= MAX_EXACT && value >= -MAX_EXACT;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value as JsonObject).every(allExact);
}
