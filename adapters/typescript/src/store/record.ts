/** A stored result as every store holds it, and the checks that all stores share. */

import type { PurgeOptions, PutOptions, StoredPayload } from "./interface.js";
import { expiry, rfc3339, seconds } from "./times.js";

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

/** What `Store.get` returns for a record. */
export function storedPayload(record: StoredRecord): StoredPayload {
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
  if (mimeType === "") {
    throw new RangeError("mimeType: expected a non-empty string");
  }
  return {
    payload: payload.slice(), // the caller may go on to use its own
    formatVersion,
    mimeType,
    storedAt: seconds(now),
    expiresAt: expiry(now, lifetime),
  };
}

/** What `Store.purge` deletes. Throws RangeError for a negative age. */
export function cutoff({ now, olderThan }: PurgeOptions): Cutoff {
  if (olderThan === undefined) {
    return { column: "expires_at", moment: seconds(now) };
  }
  if (!(olderThan >= 0)) {
    throw new RangeError("olderThan: expected a duration that is not negative");
  }
  return { column: "stored_at", moment: seconds(now) - Math.floor(olderThan / 1000) };
}
