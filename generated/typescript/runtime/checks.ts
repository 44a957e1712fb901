/**
 * Checks of texts with a form of their own: base64, timestamps, keys of extensions.
 *
 * Each returns what it was given, or throws ResultError with an empty pointer, which the caller
 * completes.
 */

import { ResultError, shorten } from "./errors.js";

const ALPHABET_ONLY = /^[A-Za-z0-9+/]*$/;
// With one "=" the last letter carries two unused bits, with two "=" four. They are zero in
// canonical base64 (RFC 4648, 3.5), so that equal bytes have one text.
const LAST_OF_TWO = "AEIMQUYcgkosw048";
const LAST_OF_ONE = "AQgw";

const TIMESTAMP =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?Z$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const LABEL = "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const NAME = "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?";
const KEY = new RegExp(`^(${LABEL}(?:\\.${LABEL})*)/${NAME}$`);
const RESERVED = new Set(["mcp", "modelcontextprotocol"]);

/** Standard, padded, canonical base64 (RFC 4648, section 4), or `invalid_base64`. */
export function checkBase64(text: string): string {
  let end = text.length;
  let allowed: string | undefined;
  if (text.endsWith("==")) {
    end -= 2;
    allowed = LAST_OF_ONE;
  } else if (text.endsWith("=")) {
    end -= 1;
    allowed = LAST_OF_TWO;
  }
  if (text.length % 4 !== 0) {
    throw badBase64(
      "the length of base64 is a multiple of four; pad it with '=' and leave out white space",
    );
  }
  if (!ALPHABET_ONLY.test(end === text.length ? text : text.slice(0, end))) {
    throw badBase64(
      "only A-Z, a-z, 0-9, '+' and '/' may stand in base64: no line breaks, no data: URI, " +
        "not the URL alphabet",
    );
  }
  if (allowed !== undefined && (end === 0 || !allowed.includes(text.charAt(end - 1)))) {
    throw badBase64("the unused bits of the last letter are not zero; encode the bytes again");
  }
  return text;
}

function badBase64(message: string): ResultError {
  return new ResultError("invalid_base64", "", message);
}

/**
 * A timestamp of RFC 3339 with upper-case `T` and `Z`, or `invalid_timestamp`.
 *
 * The date must exist (years 0000 to 9999, Gregorian). There is no numeric offset and no leap second
 * (choices of this mapping).
 */
export function checkTimestamp(text: string): string {
  const match = TIMESTAMP.exec(text);
  if (match === null)
    throw badTime(text, "expected the form 2026-07-28T12:00:00Z (RFC 3339, in UTC)");
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map(Number);
  const days = DAYS[month - 1];
  if (days === undefined) throw badTime(text, `there is no month ${month}`);
  const leap = month === 2 && ((year % 4 === 0 && year % 100 !== 0) || year % 400 === 0);
  if (day < 1 || day > days + (leap ? 1 : 0)) {
    throw badTime(text, `there is no day ${day} in month ${month} of year ${year}`);
  }
  if (hour > 23 || minute > 59) throw badTime(text, "the time of day ends at 23:59:59");
  if (second > 59) {
    throw badTime(text, "a minute has the seconds 00 to 59; write a leap second as :59");
  }
  return text;
}

function badTime(text: string, what: string): ResultError {
  return new ResultError("invalid_timestamp", "", `'${shorten(text)}' is no timestamp: ${what}`);
}

/**
 * A key of extensions or presentation, or `invalid_key`.
 *
 * The form is MCP's: dot-separated labels, a slash, a name; here neither may be missing. Refused are
 * the prefixes that any MCP revision reserves (the second label, or any but the last, is `mcp` or
 * `modelcontextprotocol`) and `namespace`, which is the mapping's own.
 */
export function checkExtensionKey(key: string, namespace: string): string {
  const prefix = KEY.exec(key)?.[1];
  if (prefix === undefined) {
    throw badKey(
      `'${shorten(key)}' is no extension key; write labels you own, a slash and a name, ` +
        "like com.example/review",
    );
  }
  const labels = prefix.split(".");
  const last = labels.length - 1;
  if (labels.some((label, index) => RESERVED.has(label) && (index < last || index === 1))) {
    throw badKey(`the prefix '${shorten(prefix)}' is reserved by MCP; use your own`);
  }
  if (prefix === namespace) {
    throw badKey(`the prefix '${namespace}' belongs to the mapping; use your own`);
  }
  return key;
}

function badKey(message: string): ResultError {
  return new ResultError("invalid_key", "", message);
}
