/** Reads the legacy envelope: a JSON string with a boolean `success`. */

import {
  type Draft,
  isObject,
  LegacyEnvelopeReader,
  memberBelow,
  memberOf,
  Members,
  put,
  recordAt,
  Result,
  ResultError,
  setField,
} from "./core.js";
import {
  addForeign,
  errorDraft,
  isExtensionKey,
  parsedOf,
  resultOfDraft,
  taken,
  unlessRefused,
} from "./drafts.js";

const OWN = new Set(["success", "data", "error", "_meta"]);
/** Names that mean something in `_meta` and nothing beside the envelope's keys. */
const META_ONLY = new Set([
  "errorCode",
  "errorDetails",
  "summary",
  "content",
  "storedResults",
  "resourceUri",
]);

/** Reads envelopes; any other string is one text part. */
export class EnvelopeReader extends LegacyEnvelopeReader {
  static readonly writtenFor = "5f1ea2c679571da1";

  /** The result of a string. Throws ResultError for a text that no result can hold. */
  override readEnvelope(text: unknown): Result {
    if (typeof text !== "string") throw new ResultError("wrong_type", "", "expected a string");
    return this.readParsed(text, parsedOf(text));
  }

  /** The same, of a string and what its JSON says; undefined for one that is no JSON. */
  readParsed(text: string, value: unknown): Result {
    const envelope = isEnvelope(value) ? value : undefined;
    // One that construction does not accept is a text like any other.
    const read = envelope && unlessRefused(() => this.#result(envelope));
    return read ?? Result.text(text);
  }

  #result(envelope: Draft): Result {
    const draft = this.#meta(envelope);
    if (envelope["success"] === true) succeed(draft, envelope);
    else fail(draft, envelope);
    this.#beside(draft, envelope);
    return resultOfDraft(draft);
  }

  #meta(envelope: Draft): Draft {
    const meta = Object.hasOwn(envelope, "_meta") ? envelope["_meta"] : {};
    if (!isObject(meta)) {
      const draft: Draft = {};
      addForeign(draft, "legacy", "_meta", meta);
      return draft;
    }
    const members = new Members(meta);
    const draft = this.readEnvelopeMeta(members);
    keepResourceUri(draft, meta);
    for (const [key, value] of Object.entries(members.rest())) {
      place(draft, "legacy_meta", key, value);
    }
    return draft;
  }

  /** Keys beside the envelope's: fields where they are still free, else foreign. */
  #beside(draft: Draft, envelope: Draft): void {
    const metadata = recordAt(draft, ["metadata"]);
    for (const [key, value] of Object.entries(envelope)) {
      if (OWN.has(key)) continue;
      const block: Draft = {};
      put(block, key, value);
      const read = META_ONLY.has(key) ? {} : this.readEnvelopeMeta(new Members(block));
      const found = memberOf(read, "metadata");
      if (!isObject(found) || !putAt(metadata, wayTo(value, found), found)) {
        place(draft, "legacy", key, value);
      }
    }
  }
}

/** The result of a legacy string: an envelope, or else one text part, unchanged. */
export function readLegacy(text: string): Result {
  return READER.readEnvelope(text);
}

/** As {@link readLegacy}, with what the string's JSON says; undefined for one that is no JSON. */
export function legacyOf(text: string, value: unknown): Result {
  return READER.readParsed(text, value);
}

const READER = new EnvelopeReader();

function succeed(draft: Draft, envelope: Draft): void {
  if (Object.hasOwn(envelope, "data")) draft["data"] = envelope["data"];
  disownError(draft);
  const error = memberOf(envelope, "error");
  if (error !== undefined && error !== null) addForeign(draft, "legacy", "error", error);
}

function fail(draft: Draft, envelope: Draft): void {
  const reported = reportedBy(envelope);
  const named = recordAt({ error: draft["error"] ?? {} }, ["error"]);
  const code = reported.code ?? taken(named, "code");
  let details = reported.details ?? (taken(named, "details") as Draft | undefined);
  draft["error"] = named;
  disownError(draft); // what the error object says wins over _meta
  if (Object.hasOwn(envelope, "data")) {
    if (details !== undefined && Object.hasOwn(details, "data")) {
      addForeign(draft, "legacy", "data", envelope["data"]);
    } else {
      details = { ...details, data: envelope["data"] };
    }
  }
  draft["error"] = errorDraft(code, reported.message, details);
}

interface Reported {
  readonly code?: string;
  readonly message?: string;
  readonly details?: Draft;
}

/** Code, message and details of the envelope's error: a string, an object or neither. */
function reportedBy(envelope: Draft): Reported {
  if (!Object.hasOwn(envelope, "error")) return {};
  const error = envelope["error"];
  if (typeof error === "string") return { message: error };
  if (!isObject(error)) return { details: { error } };
  const rest = { ...error };
  const message =
    typeof memberOf(error, "message") === "string" ? taken(rest, "message") : undefined;
  const code = typeof memberOf(error, "code") === "string" ? taken(rest, "code") : undefined;
  return {
    ...(typeof code === "string" && { code }),
    ...(typeof message === "string" && { message }),
    ...(Object.keys(rest).length > 0 && { details: rest }),
  };
}

/** What `_meta` says of an error that is not reported there is a foreign value. */
function disownError(draft: Draft): void {
  const named = memberOf(draft, "error");
  delete draft["error"];
  if (!isObject(named)) return;
  for (const [field, key] of [
    ["code", "errorCode"],
    ["details", "errorDetails"],
  ] as const) {
    if (Object.hasOwn(named, field)) addForeign(draft, "legacy_meta", key, named[field]);
  }
}

/** `resourceUri` repeats the first stored result; alone it is a value without a field. */
function keepResourceUri(draft: Draft, meta: Draft): void {
  if (!Object.hasOwn(meta, "resourceUri")) return;
  const uri = meta["resourceUri"];
  const first = (draft["stored"] as readonly Draft[] | undefined)?.[0];
  if (first === undefined || first["uri"] !== uri) {
    addForeign(draft, "legacy_meta", "resourceUri", uri);
  }
}

function place(draft: Draft, origin: string, key: string, value: unknown): void {
  const isPlaced = isExtensionKey(key) && setField(draft, ["metadata", "extensions", key], value);
  if (!isPlaced) addForeign(draft, origin, key, value);
}

/** The names that lead to what was read from one value: to itself, or to its record. */
function wayTo(value: unknown, found: Draft): string[] {
  const names: string[] = [];
  let at: unknown = found;
  while (at !== value && isObject(at)) {
    const [name, ...more] = Object.keys(at);
    if (name === undefined || more.length > 0) break;
    names.push(name);
    at = at[name];
  }
  return at === value ? names : names.slice(0, 1);
}

/** Puts what stands at the end of the names where they lead, unless something is there. */
function putAt(into: Draft, names: readonly string[], found: Draft): boolean {
  return names.length > 0 && setField(into, names, memberBelow(found, ...names));
}

function isEnvelope(value: unknown): value is Draft {
  return typeof memberBelow(value, "success") === "boolean";
}
