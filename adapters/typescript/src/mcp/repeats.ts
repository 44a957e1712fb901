/**
 * Tells our own blocks from those that someone changed on the way.
 *
 * Some blocks of a result repeat for the model what stands elsewhere in it, and the reader takes it
 * from there. A block that says something else is not as we wrote it, and what it says would be lost
 * without a word; so it, and with it the layout that names its role, is not ours.
 */

import {
  canonical,
  type Draft,
  isObject,
  linkText,
  memberOf,
  type Part,
  put,
  ResultError,
  type StoredResult,
  WIRE_DEPTH,
} from "../core.js";
import { OWN_PREFIX } from "../drafts.js";

const ROLES: ReadonlySet<unknown> = new Set([
  "envelope",
  "data",
  "message",
  "error",
  "summary",
  "part",
  "stored",
  "metadata",
  "placeholder",
]);

/** The text of the only block of a result that has nothing to say. */
export const PLACEHOLDER = "Done.";

/** How the address of bytes by their content starts, which we give to bytes without one. */
const ADDRESS = "ni:///sha-256;";

/** Throws ResultError for a block that is not as we write it. */
export function fit(fits: boolean, pointer: string): void {
  if (!fits)
    throw new ResultError("wrong_type", pointer, "expected the block that the layout names");
}

/** Whether we write blocks of these roles beside each other. */
export function rolesFit(roles: readonly unknown[], failed: boolean): boolean {
  if (!roles.every((role) => ROLES.has(role))) return false;
  const once = roles.filter((role) => role !== "part" && role !== "stored");
  const found = new Set(once);
  if (found.size < once.length) return false;
  if (found.has("envelope")) return once.length === 1;
  if (failed) return found.has("message") && !found.has("data");
  return !found.has("message") && !found.has("error");
}

/** Whether two JSON values are equal. Throws ResultError for what is none. */
export function same(first: unknown, second: unknown): boolean {
  return first === second || canonical(first, WIRE_DEPTH) === canonical(second, WIRE_DEPTH);
}

/** Whether a JSON value is how we write code and details of a failure, if it has any. */
export function isError(value: unknown, error: Draft): boolean {
  return Object.keys(error).length > 0 && same(value, { error });
}

/** Whether a JSON value is the metadata that `_meta` says too. */
export function isMetadata(value: unknown, meta: Draft): boolean {
  if (!isObject(value) || Object.keys(value).length !== 1) return false;
  const said = memberOf(value, "_meta");
  return isObject(said) && repeats(said, meta, {});
}

/**
 * Whether an envelope says what the reader takes from it, or what stands elsewhere.
 *
 * `known` is what the reader has, by the names in the envelope and in its `_meta`.
 */
export function isEnvelope(envelope: Draft, known: Draft, meta: Draft): boolean {
  const beside = { ...envelope };
  const inner = memberOf(envelope, "_meta");
  if (isObject(inner)) {
    delete beside["_meta"];
    if (!repeats(inner, meta, known)) return false;
  }
  return repeats(beside, meta, known);
}

/** Whether each member stands in `_meta` too, or is known under its name. */
function repeats(members: Draft, meta: Draft, known: Draft): boolean {
  const own: Draft = {};
  for (const [key, value] of Object.entries(meta)) {
    if (key.startsWith(OWN_PREFIX)) put(own, key.slice(OWN_PREFIX.length), value);
  }
  const foreign = objectAt(own, "foreign");
  const places = [
    known,
    own,
    objectAt(own, "pagination"),
    meta,
    objectAt(foreign, "legacy_meta"),
    objectAt(foreign, "legacy"),
  ];
  return Object.entries(members).every(([key, value]) =>
    places.some((place) => Object.hasOwn(place, key) && same(value, place[key])),
  );
}

/** Whether a block that stands in for a part says what we write for it. */
export function isPart(block: unknown, part: Part): boolean {
  if (!isObject(block)) return false;
  const type = memberOf(block, "type");
  switch (part.kind) {
    case "link":
      if (type !== "text") return true;
      return (
        memberOf(block, "text") ===
        linkText(part.uri, part.name, part.mimeType, part.size, part.description)
      );
    case "image":
    case "audio":
    case "binary": {
      if (type !== "resource") return true;
      const uri = memberOf(objectAt(block, "resource"), "uri");
      return typeof uri === "string" && uri.startsWith(ADDRESS);
    }
    default:
      return true;
  }
}

/** Whether a block that stands in for a stored result says what we write for it. */
export function isStored(block: unknown, stored: StoredResult): boolean {
  if (!isObject(block)) return false;
  if (memberOf(block, "type") !== "text") return true;
  const text = linkText(stored.uri, stored.name, stored.mimeType, stored.size, undefined);
  return memberOf(block, "text") === text;
}

function objectAt(members: Draft, key: string): Draft {
  const value = memberOf(members, key);
  return isObject(value) ? value : {};
}
