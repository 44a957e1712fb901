/** What the reader hooks share: metadata by origin, unknown error codes, the finished result. */

import {
  checkExtensionKey,
  DEFAULT_ERROR_CODE,
  type Draft,
  ErrorCode,
  FORMAT_VERSIONS,
  isObject,
  type JsonValue,
  memberOf,
  NAMESPACE,
  parseJson,
  put,
  recordAt,
  Result,
  ResultError,
  setField,
  WIRE_DEPTH,
} from "./core.js";

/** Stands in for the message of a failure that has none: one always has a readable text. */
export const NO_MESSAGE = "The tool reported a failure without a message.";

/** Keys that are the mapping's own: control values, never foreign. */
export const OWN_PREFIX = `${NAMESPACE}/`;

const CODES: ReadonlySet<string> = new Set(Object.values(ErrorCode));

/** What `read` gives, or undefined where it refuses. Throws what is no refusal. */
export function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ResultError) return undefined;
    throw error;
  }
}

/** The value of a text that a wire value holds; undefined for one that is no JSON. */
export function parsedOf(text: string): JsonValue | undefined {
  return unlessRefused(() => parseJson(text, { maxDepth: WIRE_DEPTH }));
}

/** A member, which is then no longer there. */
export function taken(members: Draft, key: string): unknown {
  const value = memberOf(members, key);
  delete members[key];
  return value;
}

/** The list in a draft, made where it is missing. */
export function listAt(draft: Draft, key: string): Draft[] {
  return (draft[key] ??= []) as Draft[];
}

/** Whether a key may name an extension or a presentation value. */
export function isExtensionKey(key: string): boolean {
  return unlessRefused(() => checkExtensionKey(key, NAMESPACE)) !== undefined;
}

/** Whether this is the error of a JSON-RPC or REST response, which is no result of a tool. */
export function isRpcError(value: Draft): boolean {
  const error = Object.hasOwn(value, "error") ? value["error"] : value;
  if (!isObject(error) || !Object.hasOwn(error, "message")) return false;
  const code = memberOf(error, "code");
  return typeof code === "bigint" || Number.isSafeInteger(code);
}

/** The list of names under one of our own keys; empty if there is none. */
export function namesAt(members: Draft, key: string): string[] {
  const value = memberOf(members, OWN_PREFIX + key);
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

/**
 * Puts what is left of a metadata map where it belongs: named by us, or foreign.
 *
 * `members` has the lists of our own keys that name extensions and presentation values.
 */
export function placeMetadata(draft: Draft, left: Draft, origin: string, members: Draft): void {
  const metadata = recordAt(draft, ["metadata"]);
  const named = new Map<string, string>();
  for (const place of ["extensions", "presentation"]) {
    for (const key of namesAt(members, place)) named.set(key, place);
  }
  for (const [key, value] of Object.entries(left)) {
    if (key.startsWith(OWN_PREFIX)) continue;
    const place = named.get(key);
    if (place !== undefined && isExtensionKey(key)) put(recordAt(metadata, [place]), key, value);
    else addForeign(draft, origin, key, value);
  }
}

/** Notes a foreign value of the result; the first one of a key stays. */
export function addForeign(draft: Draft, origin: string, key: string, value: unknown): void {
  setField(draft, ["metadata", "foreign", origin, key], value);
}

/**
 * The error of a failure as others report it.
 *
 * A code that the spec lacks becomes the default one, and stays readable in the details (growth rule
 * of the result object: readers of wires are tolerant).
 */
export function errorDraft(code: unknown, message: unknown, details: Draft | undefined): Draft {
  const error: Draft = {
    code: DEFAULT_ERROR_CODE,
    message: typeof message === "string" && message !== "" ? message : NO_MESSAGE,
  };
  let kept = details;
  if (typeof code === "string") {
    if (CODES.has(code)) error["code"] = code;
    else {
      kept = { ...details };
      kept[Object.hasOwn(kept, "code") ? "wire_code" : "code"] = code;
    }
  }
  if (kept !== undefined) error["details"] = kept;
  return error;
}

/** The result of a draft. Throws ResultError. */
export function resultOfDraft(draft: Draft): Result {
  return Result.fromValue({ format_version: Math.max(...FORMAT_VERSIONS), ...draft });
}
