/**
 * From the errors of SQLite to those of a store.
 *
 * No text of SQLite reaches a message, since it may name files, tables or values; the original
 * error is the cause, for the log.
 */

import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";

import { StoreError, StoreErrorCode } from "../interface.js";

/** By the primary result code of SQLite (https://sqlite.org/rescode.html). */
const BY_CODE: ReadonlyMap<number, StoreErrorCode> = new Map([
  [5, StoreErrorCode.LOCKED], // SQLITE_BUSY
  [6, StoreErrorCode.LOCKED], // SQLITE_LOCKED
  [15, StoreErrorCode.LOCKED], // SQLITE_PROTOCOL
  [13, StoreErrorCode.FULL], // SQLITE_FULL
  [11, StoreErrorCode.DAMAGED], // SQLITE_CORRUPT
  [26, StoreErrorCode.NOT_A_STORE], // SQLITE_NOTADB
  [24, StoreErrorCode.DAMAGED], // SQLITE_FORMAT
  [20, StoreErrorCode.DAMAGED], // SQLITE_MISMATCH
  [19, StoreErrorCode.DAMAGED], // SQLITE_CONSTRAINT
  [18, StoreErrorCode.TOO_LARGE], // SQLITE_TOOBIG
]);

const MESSAGES = {
  [StoreErrorCode.UNAVAILABLE]: "The store cannot be used.",
  [StoreErrorCode.LOCKED]: "The store is busy. Try again.",
  [StoreErrorCode.FULL]: "The store is full.",
  [StoreErrorCode.DAMAGED]: "The store is damaged.",
  [StoreErrorCode.NEWER]: "The store was written by a later version of this program.",
  [StoreErrorCode.NOT_A_STORE]: "What is there is not a store of results.",
  [StoreErrorCode.TOO_LARGE]: "The result is larger than the store takes.",
} as const;

const READ_ONLY = " The file or its folder is read-only for this process.";

/** The error of that code, with its fixed message. */
export function fault(code: keyof typeof MESSAGES, cause?: unknown, more = ""): StoreError {
  const options = cause === undefined ? undefined : { cause };
  return new StoreError(code, MESSAGES[code] + more, options);
}

/** The code for an error that SQLite or the file system threw. */
export function classify(error: unknown): keyof typeof MESSAGES {
  if (!(error instanceof Error)) {
    return StoreErrorCode.UNAVAILABLE;
  }
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  if (typeof errcode === "number") {
    const found = BY_CODE.get(errcode & 0xff); // the primary code of an extended one
    if (found !== undefined) {
      return found as keyof typeof MESSAGES;
    }
    // SQLITE_ERROR: of our fixed statements only where the layout is not what it was
    if (/no such (table|column)/.test(error.message)) {
      return StoreErrorCode.DAMAGED;
    }
  }
  // An integer in the file that no number holds exactly; we have put none.
  return code === "ERR_OUT_OF_RANGE" ? StoreErrorCode.DAMAGED : StoreErrorCode.UNAVAILABLE;
}

/**
 * Turns what SQLite and the file system throw inside into `StoreError`, with its cause.
 *
 * Where the store at `path` cannot be used for want of permission, the message says so.
 */
export function translated<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof StoreError) {
      throw error;
    }
    const code = classify(error);
    const denied = code === StoreErrorCode.UNAVAILABLE && isReadOnly(path);
    throw fault(code, error, denied ? READ_ONLY : "");
  }
}

/** Whether this process may not write the file, or not beside it, where SQLite has its log. */
function isReadOnly(path: string): boolean {
  const folder = dirname(path);
  return (
    (may(folder, constants.F_OK) && !may(folder, constants.W_OK | constants.X_OK)) ||
    (may(path, constants.F_OK) && !may(path, constants.R_OK | constants.W_OK))
  );
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
