/**
 * Reads results of tools/call: our own by their layout, others' by what the protocol says.
 *
 * The two eras differ in nothing that matters here but the rule they are generated from, so both
 * readers share one set of functions.
 */

import {
  canonical,
  type Draft,
  isObject,
  memberBelow,
  memberOf,
  Members,
  parseJson,
  put,
  recordAt,
  type Result,
  ResultError,
  WIRE_DEPTH,
} from "../core.js";
import {
  addForeign,
  errorDraft,
  isRpcError,
  listAt,
  OWN_PREFIX,
  parsedOf,
  placeMetadata,
  resultOfDraft,
  taken,
  unlessRefused,
} from "../drafts.js";
import { readLegacy } from "../legacy.js";
import {
  fit,
  isEnvelope,
  isError,
  isMetadata,
  isPart,
  isStored,
  PLACEHOLDER,
  rolesFit,
  same,
} from "./repeats.js";

const TRANSPORT_PREFIX = "io.modelcontextprotocol/";
const TRANSPORT_KEYS = new Set(["traceparent", "tracestate", "baggage"]);
const RELATED_TASK = "io.modelcontextprotocol/related-task";
const RESULT_KEYS = new Set(["content", "structuredContent", "isError", "_meta", "resultType"]);
/** The generated inverses of the output forms. */
export interface Forms {
  readonly readBlock: (block: Members, kind?: string) => Draft;
  readonly readStoredBlock: (block: Members) => Draft;
  readonly readMeta: (block: Members) => Draft;
}

/** The result of tools/call. Throws ResultError for what is no tool result. */
export function readToolResult(wire: unknown, forms: Forms): Result {
  return new Reading(wire, forms).result();
}

/** One result on its way from the wire. */
class Reading {
  readonly #wire: Draft;
  readonly #forms: Forms;
  readonly #meta: Draft;
  readonly #blocks: readonly unknown[];
  readonly #failed: boolean;

  constructor(wire: unknown, forms: Forms) {
    this.#wire = checked(wire);
    this.#forms = forms;
    const meta = memberOf(this.#wire, "_meta");
    this.#meta = isObject(meta) ? meta : {};
    this.#blocks = this.#wire["content"] as readonly unknown[];
    this.#failed = memberOf(this.#wire, "isError") === true;
  }

  /** The result, as our own output if its markers hold together, else as anyone's. */
  result(): Result {
    const roles = this.#layout();
    // A layout that does not fit the blocks is not ours.
    const own = roles && unlessRefused(() => this.#own(roles));
    return own ?? this.#foreign();
  }

  #layout(): readonly string[] | undefined {
    const roles = memberOf(this.#meta, `${OWN_PREFIX}layout`);
    if (!Array.isArray(roles) || roles.length !== this.#blocks.length) return undefined;
    return rolesFit(roles, this.#failed) ? (roles as string[]) : undefined;
  }

  // -- ours ----------------------------------------------------------------

  /** The result by its layout. Throws ResultError where a block does not fit its role. */
  #own(roles: readonly string[]): Result {
    const draft = this.#metadata();
    const error = takenRecord(draft, "error");
    let message: unknown;
    for (const [index, role] of roles.entries()) {
      const where = `/content/${index}`;
      switch (role) {
        case "part":
          listAt(draft, "content").push(this.#part(index));
          break;
        case "stored":
          listAt(draft, "stored").push(this.#stored(index));
          break;
        case "data":
          draft["data"] = this.#data(index);
          break;
        case "summary":
          draft["summary"] = this.#text(index);
          break;
        case "message":
          message = this.#text(index);
          break;
        case "error":
          fit(isError(this.#json(index), error), where);
          break;
        case "metadata":
          fit(isMetadata(this.#json(index), this.#meta), where);
          break;
        case "placeholder":
          fit(this.#text(index) === PLACEHOLDER, where);
          break;
        default: // the envelope, once the rest is known
      }
    }
    const envelope = roles.indexOf("envelope");
    if (envelope >= 0) message = this.#envelope(envelope, draft, error);
    this.#structuredOfOurs(draft, error);
    if (this.#failed) {
      draft["error"] = errorDraft(error["code"], message, error["details"] as Draft | undefined);
    }
    const result = resultOfDraft(draft);
    this.#checkStandIns(roles, result);
    return result;
  }

  /** The data of a text, which is not parsed where it is that of `structuredContent`. */
  #data(index: number): unknown {
    if (Object.hasOwn(this.#wire, "structuredContent")) {
      const data = this.#structured();
      if (canonical(data, WIRE_DEPTH) === this.#text(index)) return data;
    }
    return this.#json(index);
  }

  /** Takes the data from `structuredContent`, which the text repeats where it has it. */
  #structuredOfOurs(draft: Draft, error: Draft): void {
    if (!Object.hasOwn(this.#wire, "structuredContent")) return;
    if (this.#failed) {
      fit(isError(this.#wire["structuredContent"], error), "/structuredContent");
      return;
    }
    const data = this.#structured();
    fit(!Object.hasOwn(draft, "data") || same(draft["data"], data), "/structuredContent");
    draft["data"] = data;
  }

  /** Takes from the envelope what only it says in text: data and summary; gives the message. */
  #envelope(index: number, draft: Draft, error: Draft): string | undefined {
    const where = `/content/${index}`;
    const envelope = this.#json(index);
    const inner = readLegacy(this.#text(index));
    if (!isObject(envelope)) throw new ResultError("wrong_type", where, "expected an envelope");
    fit(memberOf(envelope, "success") === !this.#failed, where);
    fit((inner.error !== undefined) === this.#failed, where);
    fit(Object.hasOwn(envelope, "data") === (inner.data !== undefined), where);
    const message = inner.error?.message;
    const [stored] = (memberOf(draft, "stored") ?? []) as readonly Draft[];
    const known: Draft = { success: !this.#failed };
    for (const [name, value] of Object.entries({
      error: message,
      errorCode: error["code"],
      errorDetails: error["details"],
      resourceUri: stored?.["uri"],
      summary: inner.summary,
    })) {
      if (value !== undefined) known[name] = value;
    }
    if (inner.summary !== undefined) draft["summary"] = inner.summary;
    if (inner.data !== undefined) known["data"] = draft["data"] = envelope["data"];
    fit(isEnvelope(envelope, known, this.#meta), where);
    return message;
  }

  /** Throws ResultError for a block that stands in for a part and is not as we write it. */
  #checkStandIns(roles: readonly string[], result: Result): void {
    const content = result.content.values();
    const stored = result.stored.values();
    for (const [index, role] of roles.entries()) {
      const block = this.#blocks[index];
      const where = `/content/${index}`;
      if (role === "part") {
        const { value } = content.next();
        fit(value !== undefined && isPart(block, value), where);
      } else if (role === "stored") {
        const { value } = stored.next();
        fit(value !== undefined && isStored(block, value), where);
      }
    }
  }

  #text(index: number): string {
    const block = this.#blocks[index];
    const text = isObject(block) ? memberOf(block, "text") : undefined;
    if (typeof text !== "string" || !isObject(block) || memberOf(block, "type") !== "text") {
      throw new ResultError("wrong_type", `/content/${index}`, "expected a text block");
    }
    return text;
  }

  #json(index: number): unknown {
    return parseJson(this.#text(index), { maxDepth: WIRE_DEPTH });
  }

  #marker(index: number): Draft {
    const markers = memberOf(this.#meta, `${OWN_PREFIX}parts`);
    const marker = isObject(markers) ? memberOf(markers, String(index)) : undefined;
    return isObject(marker) ? { ...marker } : {};
  }

  #part(index: number): Draft {
    const { kind, ...marker } = this.#marker(index);
    const named = typeof kind === "string" ? kind : undefined;
    return withMarker(this.#forms.readBlock(this.#members(index), named), marker);
  }

  #stored(index: number): Draft {
    return withMarker(this.#forms.readStoredBlock(this.#members(index)), this.#marker(index));
  }

  #members(index: number): Members {
    return new Members(this.#blocks[index], `/content/${index}`);
  }

  // -- anyone's ------------------------------------------------------------

  #foreign(): Result {
    const draft = this.#metadata();
    const error = takenRecord(draft, "error");
    let parts = this.#blocks.map((_, index) => this.#forms.readBlock(this.#members(index)));
    const hasStructured = Object.hasOwn(this.#wire, "structuredContent");
    if (this.#failed) {
      const first = parts.findIndex((part) => part["kind"] === "text" && part["text"] !== "");
      const message = first < 0 ? undefined : parts[first]?.["text"];
      parts = parts.filter((_, index) => index !== first);
      let details = error["details"] as Draft | undefined;
      const value = this.#wire["structuredContent"];
      if (hasStructured && !isError(value, error)) {
        if (details === undefined) details = isObject(value) ? value : { data: value };
        else addForeign(draft, "mcp", "structuredContent", value);
      }
      draft["error"] = errorDraft(error["code"], message, details);
    } else if (hasStructured) {
      const data = this.#structured();
      draft["data"] = data;
      const copy = canonical(data, WIRE_DEPTH);
      parts = parts.filter((part) => !isCopy(part, copy));
    }
    draft["content"] = parts;
    return resultOfDraft(draft);
  }

  #structured(): unknown {
    const value = this.#wire["structuredContent"];
    const wrapped = memberOf(this.#meta, `${OWN_PREFIX}wrapped`) === true;
    if (!wrapped || !isObject(value)) return value;
    const isWrapper = Object.keys(value).length === 1 && Object.hasOwn(value, "result");
    return isWrapper ? value["result"] : value;
  }

  // -- metadata ------------------------------------------------------------

  #metadata(): Draft {
    const members = new Members(this.#meta);
    const draft = this.#forms.readMeta(members);
    const left: Draft = {};
    for (const [key, value] of Object.entries(members.rest())) {
      if (TRANSPORT_KEYS.has(key)) continue;
      if (key.startsWith(TRANSPORT_PREFIX) && !isOddTask(key, draft)) continue;
      put(left, key, value);
    }
    placeMetadata(draft, left, "mcp", this.#meta);
    for (const [key, value] of Object.entries(this.#wire)) {
      // A known member with a value that does not fit is foreign, like an unknown one.
      const odd = key === "isError" && typeof value !== "boolean" && value !== null;
      if (odd || !RESULT_KEYS.has(key)) addForeign(draft, "mcp", key, value);
    }
    return draft;
  }
}

/** A related task that does not fit the field is kept as it is, unless we know it better. */
function isOddTask(key: string, draft: Draft): boolean {
  return key === RELATED_TASK && memberBelow(draft, "metadata", "related_task") === undefined;
}

/** A record of the draft, which is then no longer there. */
function takenRecord(draft: Draft, key: string): Draft {
  const value = taken(draft, key);
  return isObject(value) ? value : {};
}

/** The members of a tool result. Throws ResultError for anything that is none. */
function checked(wire: unknown): Draft {
  if (!isObject(wire)) throw new ResultError("wrong_type", "", "expected an object");
  if (Object.hasOwn(wire, "task")) {
    throw new ResultError(
      "unknown_kind",
      "/task",
      "this announces a task; its result comes from tasks/result",
    );
  }
  if (Object.hasOwn(wire, "resultType") && wire["resultType"] !== "complete") {
    throw new ResultError(
      "unknown_kind",
      "/resultType",
      "expected 'complete'; this asks for something else",
    );
  }
  if (!Object.hasOwn(wire, "content")) {
    let hint = "a tool result has one";
    if (isRpcError(wire)) hint = "this is a JSON-RPC error, no result of a tool";
    else if (Object.hasOwn(wire, "jsonrpc")) {
      hint = "this is a JSON-RPC message: pass the value of its result";
    }
    throw new ResultError(
      "missing_field",
      "/content",
      `expected a list of content blocks; ${hint}`,
    );
  }
  if (!Array.isArray(wire["content"])) {
    throw new ResultError("wrong_type", "/content", "expected a list of content blocks");
  }
  return wire;
}

/** A part or stored result with what its marker says; `foreign` is joined, not replaced. */
function withMarker(draft: Draft, marker: Draft): Draft {
  const { name_derived: derived, foreign, ...rest } = marker;
  if (derived === true) delete draft["name"];
  // What the block says, no marker says again.
  fit(!Object.keys(rest).some((key) => Object.hasOwn(draft, key)), "");
  for (const [origin, values] of isObject(foreign) ? Object.entries(foreign) : []) {
    if (!isObject(values)) continue;
    const known = recordAt(draft, ["foreign", origin]);
    for (const [key, value] of Object.entries(values)) {
      put(known, key, Object.hasOwn(known, key) ? joined(known[key], value) : value);
    }
  }
  return { ...draft, ...rest };
}

/** Two halves of one object: what had a place of its own on the block, and the rest. */
function joined(first: unknown, second: unknown): unknown {
  return isObject(first) && isObject(second) ? { ...second, ...first } : first;
}

/** Whether a part is the text copy of the structured content. */
function isCopy(part: Draft, copy: string): boolean {
  const text = memberOf(part, "text");
  if (part["kind"] !== "text" || typeof text !== "string" || Object.keys(part).length !== 2) {
    return false;
  }
  const value = parsedOf(text);
  return value !== undefined && canonical(value, WIRE_DEPTH) === copy;
}
