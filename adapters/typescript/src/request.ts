/** Everything that a rendering depends on beside the result. Nothing is ambient. */

import { isObject } from "./core.js";
import {
  ANYTHING,
  checkOptions,
  FLAG,
  FUNCTION,
  NUMBER,
  type OptionType,
  orNull,
  TEXT,
} from "./options.js";
import { checkPhase, newestNotAfter } from "./registry.js";
import type { Store } from "./store/interface.js";

/** Gives the present time; a fixed one stands for itself. */
export type Clock = Date | (() => Date);
/** Where the store fails: send the whole result, or throw the store's error. */
export type OnStoreFailure = "inline" | "fail";
/** A success too large to send, of a tool with an output schema. */
export type SchemaResults = "inline" | "link";
/** A JSON Schema, as plain values. */
export type OutputSchema = boolean | Readonly<Record<string, unknown>>;

/** The present time. Throws TypeError for what is no date, and RangeError for an invalid one. */
export function nowOf(clock: Clock): Date {
  const now: unknown = clock instanceof Date ? clock : clock();
  if (!(now instanceof Date)) {
    throw new TypeError(`clock: expected a Date, and it gives ${kindOf(now)}`);
  }
  if (Number.isNaN(now.getTime())) {
    throw new RangeError("the clock gives an invalid date");
  }
  return now;
}

function kindOf(value: unknown): string {
  if (value instanceof Promise) return "a promise";
  return value === null ? "null" : typeof value;
}

/** What a mapper has defaults for. Where a field is undefined, its default counts; null is none. */
export interface Settings {
  /** `transitional` or `final`; needed where the target has phases, else ignored. */
  readonly phase?: string | null | undefined;
  /** Bytes of the complete output; null is no limit; by default the target's own. */
  readonly limit?: number | null | undefined;
  /** Sends `{"error": …}` as structured content for a tool without an output schema. */
  readonly structuredErrors?: boolean | undefined;
  /** Where a result goes that is too large to send. Needs a clock. */
  readonly store?: Store | null | undefined;
  /** Who may read what is stored. Without one nothing is stored. */
  readonly principal?: string | null | undefined;
  /** Sets `generatedAt` where the tool has not, and the expiry of links. */
  readonly clock?: Clock | null | undefined;
  /** False leaves `generatedAt` alone, so that the clock serves the store only. */
  readonly stamp?: boolean | undefined;
  /** Milliseconds for which the link to a stored result can be read; by default an hour. */
  readonly lifetime?: number | null | undefined;
  /** `inline` by default. */
  readonly onStoreFailure?: OnStoreFailure | undefined;
  /** On a revision with structured content; `inline` by default. */
  readonly schemaResults?: SchemaResults | undefined;
}

/** What is asked of a mapper, such as `{ target: "mcp-handshake@2025-06-18", phase: "final" }`. */
export interface Request extends Settings {
  /** The target's name, or target and revision with an `@` between them. */
  readonly target: string;
  /** The revision, where `target` does not name it. There is no default. */
  readonly revision?: string | undefined;
  /** The output schema that the tool declares, if it does, before any wrapping. */
  readonly outputSchema?: OutputSchema | undefined;
  /** The id of the artifact of an A2A task; by default made of the digest. */
  readonly artifactId?: string | undefined;
  /** The id of the message of a failed A2A task; by default made of the digest. */
  readonly messageId?: string | undefined;
}

const STORE: OptionType = [
  "a store",
  (value) => isObject(value) && typeof value["put"] === "function",
];
const CLOCK: OptionType = [
  "a Date or a function that gives one",
  (value) => value instanceof Date || FUNCTION[1](value),
];
const SETTINGS: ReadonlyMap<keyof Settings, OptionType> = new Map<keyof Settings, OptionType>([
  ["phase", orNull(TEXT)],
  ["limit", orNull(NUMBER)],
  ["structuredErrors", FLAG],
  ["store", orNull(STORE)],
  ["principal", orNull(TEXT)],
  ["clock", orNull(CLOCK)],
  ["stamp", FLAG],
  ["lifetime", orNull(NUMBER)],
  ["onStoreFailure", TEXT],
  ["schemaResults", TEXT],
]);
const REQUEST: ReadonlyMap<keyof Request, OptionType> = new Map<keyof Request, OptionType>([
  ["target", TEXT],
  ["revision", TEXT],
  ...SETTINGS,
  ["outputSchema", ANYTHING], // one that is none is as good as none
  ["artifactId", TEXT],
  ["messageId", TEXT],
]);

/**
 * Throws TypeError for settings that there are not, and for those of another type; UnknownTargetError
 * for a phase that no target has; RangeError for other values that no rendering could use.
 */
export function checkSettings(settings: Settings): void {
  checkOptions(settings, SETTINGS, "settings");
  checkPhase(settings.phase);
  checkValues(settings);
}

/** Throws RangeError for a limit, a lifetime and words that there are not. */
export function checkValues(settings: Settings): void {
  const { limit, lifetime, onStoreFailure = "inline", schemaResults = "inline" } = settings;
  if (typeof limit === "number" && !(Number.isSafeInteger(limit) && limit >= 0)) {
    throw new RangeError("limit: expected bytes, an integer that is not negative, or null");
  }
  if (typeof lifetime === "number" && !(lifetime > 0 && lifetime < Number.POSITIVE_INFINITY)) {
    throw new RangeError("lifetime: expected milliseconds, a number above 0, or null");
  }
  if (!["inline", "fail"].includes(onStoreFailure)) {
    throw new RangeError("onStoreFailure: expected 'inline' or 'fail'");
  }
  if (!["inline", "link"].includes(schemaResults)) {
    throw new RangeError("schemaResults: expected 'inline' or 'link'");
  }
}

/** Throws TypeError for fields of a request that there are not, and for those of another type. */
export function checkRequest(request: unknown): void {
  checkOptions(request, REQUEST, "request");
  if (typeof (request as Request).target !== "string") {
    throw new TypeError("request: target: expected a text, such as mcp-handshake@2025-06-18");
  }
}

/** The target and the revision of a request. Throws RangeError where it names two revisions. */
export function formatOf({ target, revision = "" }: Request): readonly [string, string] {
  const at = target.indexOf("@");
  if (at < 0) {
    return [target, revision];
  }
  const named = target.slice(at + 1);
  if (revision !== "" && revision !== named) {
    throw new RangeError(
      `two revisions are named: '${named.slice(0, 80)}' and '${revision.slice(0, 80)}'`,
    );
  }
  return [target.slice(0, at), named];
}

/**
 * A request for the newest known revision that is not after the given one.
 *
 * For a peer that names a revision later than this library. Throws UnknownTargetError if all
 * known ones are newer.
 */
export function newest(
  target: string,
  notAfter: string,
  fields: Omit<Request, "target" | "revision"> = {},
): Request {
  return { ...fields, target, revision: newestNotAfter(target, notAfter) };
}
