/** What is in the rows of the database, checked: nothing of a file is taken on trust. */

import { createHash } from "node:crypto";

import { StoreErrorCode } from "../interface.js";
import type { StoredRecord } from "../record.js";
import { rfc3339 } from "../times.js";
import { fault } from "./faults.js";

/** SHA-256 over all that was put. */
export function checkSum(record: StoredRecord): Uint8Array {
  const { formatVersion, storedAt, expiresAt, mimeType } = record;
  return createHash("sha256")
    .update(`${formatVersion}\n${storedAt}\n${expiresAt}\n${mimeType}\n`, "utf8")
    .update(record.payload)
    .digest();
}

/** The record in a row. Throws `store_damaged` if it is not what was put. */
export function recordOf(row: Readonly<Record<string, unknown>>): StoredRecord {
  const { payload, format_version, mime_type, stored_at, expires_at, check_sum } = row;
  if (
    !(payload instanceof Uint8Array) ||
    typeof format_version !== "number" ||
    typeof mime_type !== "string" ||
    typeof stored_at !== "number" ||
    typeof expires_at !== "number" ||
    !(check_sum instanceof Uint8Array)
  ) {
    throw fault(StoreErrorCode.DAMAGED);
  }
  const record = {
    payload,
    formatVersion: format_version,
    mimeType: mime_type,
    storedAt: stored_at,
    expiresAt: expires_at,
  };
  if (Buffer.compare(checkSum(record), check_sum) !== 0) {
    throw fault(StoreErrorCode.DAMAGED);
  }
  return record;
}

/** A time from the database for people. Throws `store_damaged` if it is none. */
export function shown(moment: unknown): string | null {
  if (moment === null) {
    return null;
  }
  try {
    return rfc3339(moment as number);
  } catch (error) {
    throw fault(StoreErrorCode.DAMAGED, error);
  }
}

/** A number from the database. Throws `store_damaged` if it is none. */
export function whole(value: unknown): number {
  if (!Number.isSafeInteger(value)) {
    throw fault(StoreErrorCode.DAMAGED);
  }
  return value as number;
}
