/** The one error that construction and parsing raise, and JSON pointers. */

/** Every code that a {@link ResultError} may have. */
export const CODES = [
  "invalid_json",
  "invalid_number",
  "invalid_text",
  "invalid_value",
  "too_deep",
  "unknown_field",
  "unknown_kind",
  "unknown_code",
  "unknown_version",
  "missing_field",
  "wrong_type",
  "out_of_range",
  "invalid_base64",
  "invalid_timestamp",
  "invalid_key",
  "contradiction",
] as const;

/** A stable code of a refusal. */
export type ResultErrorCode = (typeof CODES)[number];

/** Characters of a pointer that are shown to people; `pointer` itself is whole. */
const SHOWN = 200;

/**
 * A value that is no result, or a text that is no JSON.
 *
 * `code` is one of {@link CODES} and stable. `pointer` is the JSON pointer (RFC 6901) of the first
 * offence, `""` for the whole. `detail` says what was expected and what to do; `message` has all
 * three. `offset` is the byte offset in the UTF-8 text where the error was found while parsing.
 */
export class ResultError extends Error {
  override readonly name = "ResultError";
  readonly code: ResultErrorCode;
  readonly pointer: string;
  readonly detail: string;
  readonly offset: number | undefined;

  constructor(code: ResultErrorCode, pointer: string, detail: string, offset?: number) {
    super(`${shorten(pointer) || "(result)"}: ${code}: ${detail}`);
    this.code = code;
    this.pointer = pointer;
    this.detail = detail;
    this.offset = offset;
  }

  override toString(): string {
    return this.message;
  }

  /** The same error, seen from a value that holds this one at `pointer`. */
  below(pointer: string): ResultError {
    return new ResultError(this.code, pointer + this.pointer, this.detail, this.offset);
  }
}

/**
 * One step of a pointer with its slash. A lone surrogate shows as U+FFFD: an error must be
 * printable whatever it is about.
 */
export function token(name: string | number): string {
  if (typeof name === "number") return `/${name}`;
  return `/${wellFormed(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The JSON pointer of a path of member names and indexes. */
export function pointerOf(steps: Iterable<string | number>): string {
  let pointer = "";
  for (const step of steps) pointer += token(step);
  return pointer;
}

/** Whether a text has a lone surrogate, and so is no text. */
export function hasLoneSurrogate(text: string): boolean {
  return SURROGATE.test(text);
}

/** The text with U+FFFD in place of lone surrogates. */
export function wellFormed(text: string): string {
  return text.replace(SURROGATES, "\ufffd");
}

// With the flag u a pair is one character, so that only lone surrogates match.
const SURROGATE = /\p{Surrogate}/u;
const SURROGATES = /\p{Surrogate}/gu;
// Control characters, bidi marks, line separators and unassigned ones must reach no terminal raw.
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** `text` for a message: one line, no control characters, at most 200 characters. */
export function shorten(text: string): string {
  const cut = text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text;
  return cut.replace(UNPRINTABLE, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}
