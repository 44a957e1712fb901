/** What every renderer shares: options, losses, the layout of blocks, and the writing of objects. */

import { escape, quote } from "./canonical.js";
import { byteLength, encodeText } from "./bytes.js";
import { token } from "./errors.js";
import type { JsonMap } from "./fields.js";
import { Json } from "./json.js";
import { type JsonValue, byUnits } from "./json-types.js";
import type { ResultBase } from "./members.js";
import { parseJson } from "./parse.js";

/** How deep a value may nest that a protobuf parser is to read. */
const MAX_EXACT_DEPTH = 30;

/** How deep a wire value may nest: a user value of depth 100 with everything around it. */
export const WIRE_DEPTH = 200;

/** What a rendering depends on beside the result. Nothing else does. */
export interface Options {
  /** The tool's output schema is advertised wrapped, so that objects are wrapped too. */
  readonly wrapOutput?: boolean | undefined;
  /** Structured content holds the error of a failure; for tools without an output schema. */
  readonly structuredErrors?: boolean | undefined;
  readonly artifactId?: string | undefined;
  readonly messageId?: string | undefined;
  /** The digest that ids are made of, where it is not that of the result itself. */
  readonly digest?: string | undefined;
}

/** How a part did not arrive. */
export type LossStatus = "text form" | "withheld" | "not expressible";

/** A part of the result that reading the output does not give back. */
export interface Loss {
  /** JSON pointer into the serialized result. */
  readonly path: string;
  readonly status: LossStatus;
  readonly reason: string;
}

/** Collects losses while a result is written. */
export class Losses {
  readonly found: Loss[] = [];
  /** The pointer of the part that is being written. */
  item = "";

  /** Notes one loss. */
  add(path: string, status: LossStatus, reason: string): void {
    this.found.push(Object.freeze({ path, status, reason }));
  }
}

/** The roles and markers of content blocks, in the order of writing. */
export class Layout {
  readonly roles: string[] = [];
  readonly markers = new Map<string, string>();

  /** Notes the block that was just written; an empty marker is none. */
  add(role: string, marker = ""): void {
    if (marker !== "") this.markers.set(String(this.roles.length), marker);
    this.roles.push(role);
  }

  /** Whether the blocks have exactly these roles. */
  is(...roles: string[]): boolean {
    return (
      roles.length === this.roles.length && roles.every((role, index) => role === this.roles[index])
    );
  }

  /** The roles as a JSON array. */
  rolesText(): string {
    return strings(this.roles);
  }

  /** The markers as a JSON object by block index; empty if there is none. */
  markersText(): string {
    return this.markers.size === 0 ? "" : canonicalObject(this.markers);
  }
}

/** One result in the format of one target, revision and phase. */
export class Rendering {
  /** The output as text: JSON, or for a target whose wire value is a string, that string. */
  readonly text: string;
  readonly losses: readonly Loss[];
  /** The wire value is a string, and the text is that string. */
  readonly isText: boolean;
  #bytes: Uint8Array<ArrayBuffer> | undefined;
  #size: number | undefined;

  constructor(text: string, losses: readonly Loss[], isText = false) {
    this.text = text;
    this.losses = losses;
    this.isText = isText;
  }

  /** The output in UTF-8. Encoded once: change a copy. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return (this.#bytes ??= encodeText(this.text));
  }

  /** The length of the output in bytes. */
  get size(): number {
    return (this.#size ??= this.#bytes?.length ?? byteLength(this.text));
  }

  /** The output as plain values, made anew at every access. */
  get wire(): JsonValue {
    if (this.isText) return this.text;
    return parseJson(this.text, { maxDepth: WIRE_DEPTH, maxBytes: null });
  }
}

/** Writes results in the format of one target, revision and phase. Holds no state. */
export abstract class Renderer {
  abstract readonly target: string;
  abstract readonly revision: string;
  abstract readonly phase: string | undefined;
  /** The default size limit of the format, in bytes. */
  abstract readonly limit: number | undefined;
  readonly isText: boolean = false;

  /** The rendering of a result. Never fails for a result that could be constructed. */
  render(result: ResultBase, options: Options = {}): Rendering {
    const out: string[] = [];
    const losses = new Losses();
    this.write(out, result, options, losses);
    return new Rendering(out.join(""), Object.freeze(losses.found), this.isText);
  }

  /** Appends the output to `out` and what is lost to `losses`. */
  abstract write(out: string[], result: ResultBase, options: Options, losses: Losses): void;
}

/** An object with its members in the order given. */
export function orderedObject(members: ReadonlyMap<string, string>): string {
  let text = "";
  for (const [key, value] of members) text += `${text === "" ? "{" : ","}${quote(key)}:${value}`;
  return text === "" ? "{}" : `${text}}`;
}

/** An object with its members in canonical order. */
export function canonicalObject(members: ReadonlyMap<string, string>): string {
  if (members.size < 2) return orderedObject(members);
  const ordered = [...members].sort((first, second) => byUnits(first[0], second[0]));
  return orderedObject(new Map(ordered));
}

/** The members, with those that doubles would spoil as strings, and a list of their keys. */
export function exact(members: Map<string, string>, marker: string): Map<string, string> {
  const inexact = [...members].filter(([, value]) => !isExact(value)).map(([key]) => key);
  if (inexact.length === 0) return members;
  for (const key of inexact) members.set(key, jsonText(members.get(key) ?? ""));
  return members.set(marker, strings(inexact.sort(byUnits)));
}

/** Whether a JSON value survives a parser of doubles that stops at some depth. */
export function isExactValue(value: Json): boolean {
  return value.exactInDouble && value.depth <= MAX_EXACT_DEPTH;
}

function isExact(text: string): boolean {
  return isExactValue(Json.ofCanonical(text));
}

/** A JSON string that holds a canonical JSON text. */
export function jsonText(text: string): string {
  return `"${escape(text)}"`;
}

/** A JSON array of strings. */
export function strings(values: readonly string[]): string {
  return `[${values.map(quote).join(",")}]`;
}

/** A map of JSON values as an object in canonical order. */
export function jsonMap(values: JsonMap): string {
  return canonicalObject(texts(values));
}

/** The canonical texts of a map of JSON values. */
export function texts(values: JsonMap): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of values) found.set(key, value.canonical);
  return found;
}

/** The keys of a map as a JSON array in canonical order; empty if there is none. */
export function keys(values: JsonMap): string {
  return values.size === 0 ? "" : strings([...values.keys()].sort(byUnits));
}

/** A JSON array of pieces; empty if there is no entry. */
export function array(entries: readonly string[]): string {
  return entries.length === 0 ? "" : `[${entries.join(",")}]`;
}

/**
 * Adds the entries of a map. What is taken already, or reserved, is not written, but noted where
 * there are losses to note: at the pointer, with the key below it.
 *
 * `reserved` are keys, and prefixes that end in a slash.
 */
export function spread(
  members: Map<string, string>,
  values: JsonMap,
  losses: Losses | undefined,
  pointer: string,
  ...reserved: readonly string[]
): void {
  for (const key of [...values.keys()].sort(byUnits)) {
    let reason: string;
    if (members.has(key)) reason = "another value of the result has this key on the wire";
    else if (reserved.some((one) => key === one || (one.endsWith("/") && key.startsWith(one)))) {
      reason = "the key belongs to the mapping or to the protocol's transport";
    } else {
      members.set(key, values.get(key)?.canonical ?? "null");
      continue;
    }
    losses?.add(pointer + token(key), "not expressible", reason);
  }
}

/** Turns the comma before the first entry into the opening bracket. */
export function openList(out: string[], first: number): void {
  out[first] = `[${(out[first] ?? ",").slice(1)}`;
}

/** What a writing function appends, in one piece. */
export function written<G extends readonly unknown[]>(
  write: (out: string[], ...given: G) => void,
  ...given: G
): string {
  const out: string[] = [];
  write(out, ...given);
  return out.join("");
}

/** Adds a member; an empty piece is none. */
export function setUnlessEmpty(members: Map<string, string>, key: string, piece: string): void {
  if (piece !== "") members.set(key, piece);
}

/** Appends fixed text and a piece; an empty piece is none, and then nothing is appended. */
export function pushUnlessEmpty(out: string[], before: string, piece: string): void {
  if (piece !== "") out.push(before, piece);
}

/** Where nothing can be: a kind that is not known has no way here. */
export function unreachable(value: never): never {
  throw new TypeError(`there is no such kind: ${String(value)}`);
}
