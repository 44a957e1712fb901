/** The file of a store, as the file system sees it. */

import { closeSync, openSync, statSync } from "node:fs";
import { emitWarning } from "node:process";

import { StoreErrorCode } from "../interface.js";
import { fault } from "./faults.js";

/** Bytes of the header of a database. */
const HEADER = 100;

/** An empty file that the owner alone may use; its log gets the same permissions from SQLite. */
export function create(path: string): void {
  try {
    closeSync(openSync(path, "wx+", 0o600));
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") {
      throw error;
    }
  }
}

/**
 * Throws StoreError for a folder or a device, and for what is too short to be a database.
 *
 * SQLite takes a file of less than a header for a new database, and would write over it.
 */
export function refuseOtherFile(path: string, mayBeEmpty: boolean): void {
  const found = statSync(path);
  if (!found.isFile()) {
    throw fault(StoreErrorCode.UNAVAILABLE, new Error("no regular file"));
  }
  if (found.size > 0 && found.size < HEADER) {
    throw fault(StoreErrorCode.NOT_A_STORE, new Error("shorter than a header"));
  }
  if (found.size === 0 && !mayBeEmpty) {
    throw fault(StoreErrorCode.NOT_A_STORE);
  }
}

/** Says to the host's log that others than the owner may use a file that holds secrets. */
export function warnOfPermissions(path: string, code: string): void {
  if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0) {
    emitWarning(`${path}: ${code}: others than the owner can use this file; run chmod 600 on it`);
  }
}

/** Bytes of the database and of its log. */
export function fileBytes(path: string): number {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return statSync(path).size + (log?.size ?? 0);
}
