/** A stored result as every store holds it, and the checks that all stores share. */

import { ANYTHING, checkOptions, NUMBER, type OptionType } from "../options.js";
import {
  type GetOptions,
  type PurgeOptions,
  type PutOptions,
  type StoredPayload,
  StoreError,
  StoreErrorCode,
} from "./interface.js";
import { expiry, rfc3339, seconds } from "./times.js";

/**
 * The media type of a row that holds no result, but says which object of an object store does:
 * Python has such stores.
 */
export const REFERENCE_TYPE = "application/vnd.toolresult.object+json";

// What each may be is checked where it is used.
const named = (...names: readonly string[]): ReadonlyMap<string, OptionType> =>
  new Map(names.map((name) => [name, ANYTHING]));
const PUT = named("principal", "now", "lifetime", "formatVersion", "mimeType");
const GET = named("principal", "now");
const PURGE = new Map([...named("now"), ["olderThan", NUMBER] as const]);
const STATS = named("now");

/** One stored result. Times are seconds since 1970. */
export interface StoredRecord {
  readonly payload: Uint8Array;
  readonly formatVersion: number;
  readonly mimeType: string;
  readonly storedAt: number;
  readonly expiresAt: number;
}

/** What a purge deletes: records of which `column` is `moment` or before. */
export interface Cutoff {
  readonly column: "expires_at" | "stored_at";
  readonly moment: number;
}

/**
 * What `Store.get` returns for a record.
 *
 * Throws `StoreError` (`store_unavailable`) for one whose bytes are in an object store: its
 * reference would be taken for the result.
 */
export function storedPayload(record: StoredRecord): StoredPayload {
  if (record.mimeType === REFERENCE_TYPE) {
    throw new StoreError(
      StoreErrorCode.UNAVAILABLE,
      "The bytes of this result are in an object store, which is not open here.",
    );
  }
  return {
    payload: record.payload,
    formatVersion: record.formatVersion,
    mimeType: record.mimeType,
    storedAt: rfc3339(record.storedAt),
    expiresAt: rfc3339(record.expiresAt),
  };
}

/** Whether a record is to be deleted. */
export function covers(cutoff: Cutoff, record: StoredRecord): boolean {
  const value = cutoff.column === "expires_at" ? record.expiresAt : record.storedAt;
  return value <= cutoff.moment;
}

/**
 * The record that `Store.put` is to store. Throws TypeError for arguments of another type, and
 * RangeError for those out of range.
 */
export function checkPut(payload: Uint8Array, options: PutOptions): StoredRecord {
  checkOptions(options, PUT, "put");
  const { principal, formatVersion, mimeType, now, lifetime } = options;
  if (!(payload instanceof Uint8Array)) {
    throw new TypeError("payload: expected bytes (a Uint8Array)");
  }
  if (typeof principal !== "string" || typeof mimeType !== "string") {
    throw new TypeError("principal, mimeType: expected strings");
  }
  if (!(now instanceof Date)) {
    throw new TypeError("now: expected a Date");
  }
  if (typeof lifetime !== "number") {
    throw new TypeError("lifetime: expected milliseconds, as a number");
  }
  if (!Number.isInteger(formatVersion) || formatVersion < 0 || formatVersion >= 2 ** 31) {
    throw new RangeError("formatVersion: expected a number from 0");
  }
  if (mimeType === "" || /[\0\p{Surrogate}]/u.test(mimeType)) {
    throw new RangeError("mimeType: expected a non-empty string without NUL");
  }
  return {
    payload: payload.slice(), // the caller may go on to use its own
    formatVersion,
    mimeType,
    storedAt: seconds(now),
    expiresAt: expiry(now, lifetime),
  };
}

/** The options of `Store.get`. Throws TypeError for those that there are not. */
export function checkGet(options: GetOptions): GetOptions {
  checkOptions(options, GET, "get");
  return options;
}

/** The moment of `Store.stats`, in seconds since 1970. Throws TypeError for unknown options. */
export function momentOf(options: { readonly now: Date }): number {
  checkOptions(options, STATS, "stats");
  return seconds(options.now);
}

/**
 * What `Store.purge` deletes. Throws TypeError for options that there are not or of another type,
 * and RangeError for a negative age.
 */
export function cutoff(options: PurgeOptions): Cutoff {
  checkOptions(options, PURGE, "purge");
  const { now, olderThan } = options;
  if (olderThan === undefined) {
    return { column: "expires_at", moment: seconds(now) };
  }
  if (!(olderThan >= 0)) {
    throw new RangeError("olderThan: expected a duration that is not negative");
  }
  return { column: "stored_at", moment: seconds(now) - Math.floor(olderThan / 1000) };
}
