/** What is taken as a result: one, its serialized form, or the legacy string. */

import { decoded, isObject, parseJson, Result, ResultError, WIRE_DEPTH } from "./core.js";
import { legacyOf } from "./legacy.js";

/** A result, its serialized form (parsed or as text), or the legacy string. */
export type Given = Result | Uint8Array | string | object;

const VERSION = "format_version";

/**
 * The result that is given as one, as its serialized form, or as the legacy string.
 *
 * A text whose JSON is an object with a number as its member `format_version` is a serialized
 * result, read strictly (others have texts there: Terraform has `"1.2"`). Any other text is the
 * legacy string, of format version 0, which never fails for being no JSON: what is no envelope is
 * one text part. A text that is that object but for faults such as a repeated key is refused, not
 * passed on as text; one that is too deep to be parsed is told by its outline. Bytes must be
 * UTF-8; an object is always the serialized form.
 *
 * Throws ResultError.
 */
export function resultOf(given: Given): Result {
  if (given instanceof Result) {
    return given;
  }
  const text = given instanceof Uint8Array ? decoded(given) : given;
  if (typeof text !== "string") {
    if (isObject(text)) {
      return Result.fromValue(text);
    }
    throw new ResultError(
      "wrong_type",
      "",
      "expected a Result, its serialized form or a legacy string, " +
        `found ${Array.isArray(text) ? "an array" : typeof text}`,
    );
  }
  let value: unknown;
  try {
    value = parseJson(text, { maxDepth: WIRE_DEPTH });
  } catch (error) {
    if (!(error instanceof ResultError)) {
      throw error;
    }
    if (error.code === "out_of_range" || isFaultySerialized(text, error)) {
      throw error;
    }
    return legacyOf(text, undefined);
  }
  if (isObject(value) && Object.hasOwn(value, VERSION)) {
    const version = value[VERSION];
    if (typeof version === "number" || typeof version === "bigint") {
      return Result.fromValue(value);
    }
  }
  return legacyOf(text, value);
}

/** Whether a text that the strict parser refuses is a serialized result to a lax one. */
function isFaultySerialized(text: string, error: ResultError): boolean {
  if (error.code === "too_deep") {
    return hasOutline(text);
  }
  let value: unknown;
  try {
    value = JSON.parse(withoutWords(text));
  } catch {
    return false;
  }
  return isObject(value) && Object.hasOwn(value, VERSION);
}

const STRING_OR_WORD = /"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN/gs;

/** The text with a number where lax writers put NaN or an infinity, which `JSON.parse` refuses. */
function withoutWords(text: string): string {
  return text.replace(STRING_OR_WORD, (found) => (found.startsWith('"') ? found : " 0 "));
}

// A string as JSON spells it, and what else an outline is made of.
const STRING = /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*)*"/y;
const OBJECT = /[ \t\r\n]*\{/y;
const MARK = /"|[[{]+|[\]}]+/g;
const COLON = /[ \t\r\n]*:/y;

/** Whether quotes and brackets are those of an object with the member `format_version`. */
function hasOutline(text: string): boolean {
  OBJECT.lastIndex = 0;
  if (!OBJECT.test(text)) {
    return false;
  }
  let depth = 0;
  let found = false;
  MARK.lastIndex = 0;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    const run = mark[0];
    if (run === '"') {
      STRING.lastIndex = mark.index;
      const string = STRING.exec(text);
      if (string === null) {
        return false;
      }
      const end = STRING.lastIndex;
      COLON.lastIndex = end;
      if (depth === 1 && JSON.parse(string[0]) === VERSION && COLON.test(text)) {
        found = true;
      }
      MARK.lastIndex = end;
    } else {
      depth += run.startsWith("[") || run.startsWith("{") ? run.length : -run.length;
    }
  }
  return found && depth === 0;
}
