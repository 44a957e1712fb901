/**
 * The layout of the SQLite store, as a list of migrations: the same in every language.
 *
 * `PRAGMA user_version` counts those that were applied, `PRAGMA application_id` says that the
 * file is ours. Each migration runs in one transaction together with the new number, so a
 * crash leaves the layout before it or after it. Append; never change an entry that was
 * released.
 */

import type { DatabaseSync } from "node:sqlite";

import { StoreErrorCode } from "../interface.js";
import { fault } from "./faults.js";

/** `trSt` in ASCII. */
export const APPLICATION_ID = 0x74725374;

export const MIGRATIONS: readonly (readonly string[])[] = [
  // 1: results, found by the random id that is in their pointer.
  [
    `
        CREATE TABLE stored_result (
            record_id BLOB NOT NULL UNIQUE CHECK (length(record_id) = 16),
            format_version INTEGER NOT NULL CHECK (format_version >= 0),
            mime_type TEXT NOT NULL,
            stored_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            check_sum BLOB NOT NULL CHECK (length(check_sum) = 32),
            payload BLOB NOT NULL
        )
        `,
    "CREATE INDEX stored_result_by_expiry ON stored_result (expires_at)",
    "CREATE INDEX stored_result_by_age ON stored_result (stored_at)",
  ],
  // 2: how often a list, such as that of a server's tools, has changed.
  [
    `
        CREATE TABLE list_version (
            name TEXT NOT NULL PRIMARY KEY,
            version INTEGER NOT NULL CHECK (version > 0)
        ) WITHOUT ROWID
        `,
  ],
];

/** The single value of a statement's first row. */
export function single(db: DatabaseSync, statement: string): unknown {
  return Object.values(db.prepare(statement).get() ?? {})[0];
}

/** A transaction that has the write lock from the start: it fails at once or not for a lock. */
export function writing<T>(db: DatabaseSync, work: () => T): T {
  return within(db, "BEGIN IMMEDIATE", work);
}

/** A transaction around some work: committed, or rolled back if the work throws. */
function within<T>(db: DatabaseSync, begin: string, work: () => T): T {
  db.exec(begin);
  try {
    const made = work();
    db.exec("COMMIT");
    return made;
  } catch (error) {
    try {
      db.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself after some errors; the connection is closed anyway.
    }
    throw error;
  }
}

/**
 * How many migrations the database has, 0 for an empty one.
 *
 * Throws `StoreError`: `not_a_store` for a database of another program.
 */
export function version(db: DatabaseSync): number {
  // One snapshot for all that is read: another process may be making the store right now,
  // and a half of before with a half of after looks like no store.
  return within(db, "BEGIN", () => versionWithin(db));
}

function versionWithin(db: DatabaseSync): number {
  const applicationId = single(db, "PRAGMA application_id");
  const userVersion = Number(single(db, "PRAGMA user_version"));
  if (applicationId === APPLICATION_ID) {
    return userVersion;
  }
  const things = single(db, "SELECT count(*) FROM sqlite_master");
  if (applicationId !== 0 || userVersion !== 0 || things !== 0) {
    throw fault(StoreErrorCode.NOT_A_STORE);
  }
  return 0;
}

/** Refuses a layout that this version of the library does not know (`store_newer`). */
export function checkNotNewer(found: number, known: number): void {
  if (found > known) {
    const more = ` It has layout ${found}; this program knows 1 to ${known}.`;
    throw fault(StoreErrorCode.NEWER, undefined, more);
  }
}

/**
 * Brings the database to the newest layout.
 *
 * Safe to run by several processes at once: each step takes the write lock first and then
 * looks again at what is left to do.
 */
export function migrate(db: DatabaseSync): void {
  const step = (): boolean =>
    writing(db, () => {
      const found = versionWithin(db);
      checkNotNewer(found, MIGRATIONS.length);
      const statements = MIGRATIONS[found];
      if (statements === undefined) {
        return false;
      }
      for (const statement of statements) {
        db.exec(statement);
      }
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      db.exec(`PRAGMA user_version = ${found + 1}`);
      return true;
    });
  while (step()) {
    // until nothing is left to do
  }
}
