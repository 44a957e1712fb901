/**
 * Reads finished tasks: status, artifacts in order, parts by their markers.
 *
 * What the two revisions spell differently stands in one {@link Spelling} each.
 */

import {
  A2a03Reader,
  A2a10Reader,
  addMissing,
  canonical,
  type Draft,
  isObject,
  memberBelow,
  memberOf,
  Members,
  put,
  type Result,
  ResultError,
  WIRE_DEPTH,
} from "../core.js";
import {
  errorDraft,
  isRpcError,
  listAt,
  OWN_PREFIX,
  parsedOf,
  placeMetadata,
  resultOfDraft,
  unlessRefused,
} from "../drafts.js";

const PART = `${OWN_PREFIX}part`;
const EXACT = `${OWN_PREFIX}exactJson`;
const COMPATIBLE = "data_part_compat";
const UNTYPED = "application/octet-stream";

/** The value of a data part, which may be null. */
interface Found {
  readonly value: unknown;
}

/** How one revision spells what all revisions say. */
interface Spelling {
  readonly completed: string;
  readonly failed: readonly string[];
  /** The value of a data part; undefined for another part. */
  readonly data: (part: Draft, metadata: Draft) => Found | undefined;
  /** The part with a media type on raw bytes that have none. */
  readonly typed: (part: Draft) => Draft;
  readonly readPart: (block: Members, kind?: string) => Draft;
  readonly readStoredPart: (block: Members) => Draft;
  readonly readMetadata: (block: Members) => Draft;
}

/** Reads tasks of revision 0.3. */
export class TaskReader03 extends A2a03Reader {
  static readonly writtenFor = "85d9c615ba40f1aa";

  /** The result of a finished task. Throws ResultError for what is none. */
  override readTask(wire: unknown): Result {
    return new Reading(wire, {
      completed: "completed",
      failed: ["failed", "rejected"],
      data: data03,
      typed: typed03,
      readPart: (block, kind) => withMediaType(this.readPart(block, kind)),
      readStoredPart: this.readStoredPart,
      readMetadata: this.readMetadata,
    }).result();
  }
}

/** Reads tasks of revision 1.0. */
export class TaskReader10 extends A2a10Reader {
  static readonly writtenFor = "08a49c86db3672ad";

  /** The result of a finished task. Throws ResultError for what is none. */
  override readTask(wire: unknown): Result {
    return new Reading(wire, {
      completed: "TASK_STATE_COMPLETED",
      failed: ["TASK_STATE_FAILED", "TASK_STATE_REJECTED"],
      data: data10,
      typed: typed10,
      readPart: this.readPart,
      readStoredPart: this.readStoredPart,
      readMetadata: this.readMetadata,
    }).result();
  }
}

/** One task on its way from the wire. */
class Reading {
  readonly #spelling: Spelling;
  readonly #task: Draft;
  readonly #base: string;
  readonly #status: Draft;
  readonly #failed: boolean;
  readonly #draft: Draft = {};
  readonly #metadata: Draft = {};

  constructor(wire: unknown, spelling: Spelling) {
    this.#spelling = spelling;
    [this.#task, this.#base] = taskOf(wire);
    this.#status = objectAt(memberOf(this.#task, "status"), `${this.#base}/status`);
    const state = memberOf(this.#status, "state");
    this.#failed = typeof state === "string" && spelling.failed.includes(state);
    if (!this.#failed && state !== spelling.completed) {
      const expected = [spelling.completed, ...spelling.failed].join(", ");
      throw new ResultError(
        "unknown_kind",
        `${this.#base}/status/state`,
        `expected one of ${expected}; a task in another state has no result yet`,
      );
    }
  }

  /** The result that the task ended with. */
  result(): Result {
    this.#artifacts();
    const message = memberOf(this.#status, "message");
    if (message !== undefined && message !== null) {
      const where = `${this.#base}/status/message`;
      const members = objectAt(message, where);
      this.#collect(memberOf(members, "metadata"));
      if (this.#failed) this.#failure(members, where);
      else this.#remark(members, where);
    } else if (this.#failed) this.#draft["error"] = errorDraft(undefined, undefined, undefined);
    this.#collect(memberOf(this.#task, "metadata"));
    this.#placeMetadata();
    return resultOfDraft(this.#draft);
  }

  // -- parts ---------------------------------------------------------------

  #artifacts(): void {
    const where = `${this.#base}/artifacts`;
    for (const [index, artifact] of listOf(this.#task, "artifacts", where).entries()) {
      const members = objectAt(artifact, `${where}/${index}`);
      this.#collect(memberOf(members, "metadata"));
      for (const [part, place] of partsOf(members, `${where}/${index}`)) {
        this.#part(part, place, !this.#failed);
      }
    }
  }

  #part(part: Draft, where: string, mayBeData: boolean): void {
    const metadata = plainMetadata(memberOf(part, "metadata"));
    const marker = memberOf(metadata, PART);
    const marked = isObject(marker) ? memberOf(marker, "kind") : undefined;
    const kind = typeof marked === "string" ? marked : undefined;
    const block = Object.keys(metadata).length > 0 ? { ...part, metadata } : part;
    const found = this.#data(part, metadata);
    if (found !== undefined) {
      if (kind !== undefined && this.#marked(block, kind, where)) return;
      if (mayBeData && !Object.hasOwn(this.#draft, "data")) this.#draft["data"] = found.value;
      else this.#content({ kind: "text", text: canonical(found.value, WIRE_DEPTH) });
      return;
    }
    const text = memberOf(part, "text");
    if (kind === "summary" && typeof text === "string" && !Object.hasOwn(this.#draft, "summary")) {
      this.#draft["summary"] = text;
      return;
    }
    if (kind === "stored" && this.#stored(block, where)) return;
    if (kind !== undefined && this.#marked(block, kind, where)) return;
    const members = new Members(this.#spelling.typed(block), where);
    this.#content(withoutOwn(this.#spelling.readPart(members)));
  }

  /** Takes a part as a stored result if it can be one; whether it was one. */
  #stored(block: Draft, where: string): boolean {
    // A marker that does not fit the part is not ours.
    const stored = unlessRefused(() => this.#spelling.readStoredPart(new Members(block, where)));
    if (stored === undefined) return false;
    listAt(this.#draft, "stored").push(stored);
    return true;
  }

  /** Takes a part as content of the kind that its marker says; whether it was one. */
  #marked(block: Draft, kind: string, where: string): boolean {
    // Only an embedded part may be without a type.
    const typed = kind === "embedded" ? block : this.#spelling.typed(block);
    // A marker that does not fit the part is not ours.
    const part = unlessRefused(() => this.#spelling.readPart(new Members(typed, where), kind));
    if (part?.["kind"] !== kind || (kind === "embedded" && !Object.hasOwn(part, "uri"))) {
      return false;
    }
    this.#content(withoutOwn(part));
    return true;
  }

  /** The value of a data part, or of a text that stands in for one; undefined for other parts. */
  #data(part: Draft, metadata: Draft): Found | undefined {
    const text = memberOf(part, "text");
    if (memberOf(metadata, EXACT) !== true || typeof text !== "string") {
      return this.#spelling.data(part, metadata);
    }
    const value = parsedOf(text);
    return value === undefined ? undefined : { value };
  }

  #content(part: Draft): void {
    listAt(this.#draft, "content").push(part);
  }

  // -- message -------------------------------------------------------------

  /** What a completed task says beside its artifacts: its summary, if it is one text. */
  #remark(message: Draft, where: string): void {
    const parts = [...partsOf(message, where)];
    const text = parts.length === 1 ? memberOf(parts[0]?.[0] ?? {}, "text") : undefined;
    if (typeof text === "string" && !Object.hasOwn(this.#draft, "summary")) {
      this.#draft["summary"] = text;
      return;
    }
    for (const [part, place] of parts) this.#part(part, place, false);
  }

  #failure(message: Draft, where: string): void {
    let text: string | undefined;
    let found: Found | undefined;
    for (const [part, place] of partsOf(message, where)) {
      const value = this.#data(part, plainMetadata(memberOf(part, "metadata")));
      const said = memberOf(part, "text");
      if (value !== undefined && found === undefined) found = value;
      else if (
        value === undefined &&
        text === undefined &&
        typeof said === "string" &&
        said !== ""
      ) {
        text = said;
      } else this.#part(part, place, false);
    }
    const [code, details] = codeAndDetails(found);
    this.#draft["error"] = errorDraft(code, text, details);
  }

  // -- metadata ------------------------------------------------------------

  #collect(metadata: unknown): void {
    addMissing(this.#metadata, plainMetadata(metadata));
  }

  #placeMetadata(): void {
    const members = new Members(this.#metadata);
    for (const [field, value] of Object.entries(this.#spelling.readMetadata(members))) {
      put(this.#draft, field, value);
    }
    placeMetadata(this.#draft, members.rest(), "a2a", this.#metadata);
  }
}

/** The task, bare or as a response has it, and its pointer. Throws ResultError otherwise. */
function taskOf(wire: unknown): [Draft, string] {
  const members = objectAt(wire, "");
  const task = memberOf(members, "task");
  if (isObject(task)) return [task, "/task"];
  if (isRpcError(members)) {
    throw new ResultError(
      "unknown_kind",
      "",
      "expected a task; this is an error, no result of one",
    );
  }
  for (const key of ["message", "statusUpdate", "artifactUpdate"]) {
    if (Object.hasOwn(members, key)) {
      throw new ResultError("unknown_kind", `/${key}`, "expected a task; this is no result of one");
    }
  }
  if (Object.hasOwn(members, "kind") && members["kind"] !== "task") {
    throw new ResultError("unknown_kind", "/kind", "expected a task; this is no result of one");
  }
  if (!Object.hasOwn(members, "status")) {
    const hint = Object.hasOwn(members, "jsonrpc") ? "; pass the value of its result" : "";
    throw new ResultError("missing_field", "/status", `expected a task with its status${hint}`);
  }
  return [members, ""];
}

function objectAt(value: unknown, where: string): Draft {
  if (!isObject(value)) throw new ResultError("wrong_type", where, "expected an object");
  return value;
}

function listOf(owner: Draft, key: string, where: string): readonly unknown[] {
  const value = Object.hasOwn(owner, key) ? owner[key] : [];
  if (!Array.isArray(value)) throw new ResultError("wrong_type", where, "expected a list");
  return value;
}

function* partsOf(owner: Draft, where: string): Iterable<[Draft, string]> {
  for (const [index, part] of listOf(owner, "parts", `${where}/parts`).entries()) {
    const place = `${where}/parts/${index}`;
    yield [objectAt(part, place), place];
  }
}

/** Metadata with the values that went as exact JSON texts parsed again. */
function plainMetadata(metadata: unknown): Draft {
  if (!isObject(metadata)) return {};
  const exact = memberOf(metadata, EXACT);
  if (!Array.isArray(exact)) return metadata;
  const { [EXACT]: _, ...plain } = metadata;
  for (const key of exact as readonly unknown[]) {
    const text = typeof key === "string" ? memberOf(plain, key) : undefined;
    if (typeof key !== "string" || typeof text !== "string") continue;
    const value = parsedOf(text);
    if (value !== undefined) put(plain, key, value);
  }
  return plain;
}

/** Code and details of a failure, if its data holds nothing else; else all of it is details. */
function codeAndDetails(found: Found | undefined): [string | undefined, Draft | undefined] {
  if (found === undefined) return [undefined, undefined];
  const { value } = found;
  if (!isObject(value)) return [undefined, { data: value }];
  const code = memberOf(value, "code");
  const details = memberOf(value, "details");
  const fits = details === undefined || isObject(details);
  const keys = Object.keys(value);
  if (
    typeof code === "string" &&
    fits &&
    keys.every((key) => key === "code" || key === "details")
  ) {
    return [code, details];
  }
  return [undefined, value];
}

/** A part without keys of our own among its foreign metadata: they are never foreign. */
function withoutOwn(draft: Draft): Draft {
  const foreign = memberBelow(draft, "foreign", "a2a");
  const metadata = memberBelow(foreign, "metadata");
  if (!isObject(foreign) || !isObject(metadata)) return draft;
  const kept = Object.entries(metadata).filter(([key]) => !key.startsWith(OWN_PREFIX));
  if (kept.length > 0) foreign["metadata"] = Object.fromEntries(kept);
  else delete foreign["metadata"];
  return draft;
}

function data03(part: Draft, metadata: Draft): Found | undefined {
  if (memberOf(part, "kind") !== "data" || !Object.hasOwn(part, "data")) return undefined;
  const value = part["data"];
  if (memberOf(metadata, COMPATIBLE) === true && isObject(value)) {
    const isWrapper = Object.keys(value).length === 1 && Object.hasOwn(value, "value");
    if (isWrapper) return { value: value["value"] };
  }
  return { value };
}

function data10(part: Draft): Found | undefined {
  return Object.hasOwn(part, "data") ? { value: part["data"] } : undefined;
}

function typed03(part: Draft): Draft {
  const file = memberOf(part, "file");
  if (isObject(file) && Object.hasOwn(file, "bytes") && isFalsy(memberOf(file, "mimeType"))) {
    return { ...part, file: { ...file, mimeType: UNTYPED } };
  }
  return part;
}

function typed10(part: Draft): Draft {
  const untyped = Object.hasOwn(part, "raw") && isFalsy(memberOf(part, "mediaType"));
  return untyped ? { ...part, mediaType: UNTYPED } : part;
}

/** Whether a media type says nothing: missing, or an empty value of whatever type. */
function isFalsy(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return !value;
}

/** A text's media type, which revision 0.3 keeps in metadata, where revision 1.0 has it. */
function withMediaType(draft: Draft): Draft {
  const foreign = memberBelow(draft, "foreign", "a2a");
  const metadata = memberBelow(foreign, "metadata");
  if (draft["kind"] !== "text" || !isObject(foreign) || !isObject(metadata)) return draft;
  const mediaType = memberOf(metadata, "mimeType");
  if (typeof mediaType !== "string") return draft;
  const { mimeType: _, ...rest } = metadata;
  const { metadata: __, ...kept } = foreign;
  if (mediaType !== "text/plain" && !Object.hasOwn(kept, "mediaType")) {
    kept["mediaType"] = mediaType;
  }
  (draft["foreign"] as Draft)["a2a"] = {
    ...kept,
    ...(Object.keys(rest).length > 0 && { metadata: rest }),
  };
  return draft;
}
