/**
 * The durable store: one SQLite file, shared by any number of processes and languages.
 *
 * Write-ahead log, so readers and the one writer do not wait for each other.
 * `synchronous=FULL`: a commit returns after the log has reached the disk. The default for a
 * write-ahead log, NORMAL, may forget the last commits when the power goes, and a link to a
 * result that is gone is worse than the few milliseconds.
 *
 * Each row holds a SHA-256 over what was put, since SQLite does not notice a byte that changed
 * inside a payload.
 *
 * docs: docs/stores.md
 */

import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

import { checkOptions, FLAG, NUMBER, type OptionType } from "../../options.js";
import {
  type GetOptions,
  notFound,
  type PurgeOptions,
  type PutOptions,
  type Store,
  StoreErrorCode,
  type StoredLink,
  type StoredPayload,
  type StoreStats,
} from "../interface.js";
import { checkRing, type KeyRing } from "../keys.js";
import { checkListName, type ListVersions } from "../lists.js";
import { newRecordId, sign, verify } from "../pointer.js";
import { checkGet, checkPut, type Cutoff, cutoff, momentOf, storedPayload } from "../record.js";
import { rfc3339 } from "../times.js";
import { Connection } from "./connection.js";
import { classify, fault, translated } from "./faults.js";
import { create, fileBytes, refuseOtherFile, warnOfPermissions } from "./files.js";
import { checkSum, recordOf, shown, whole } from "./rows.js";
import { checkNotNewer, MIGRATIONS, migrate, single, version, writing } from "./schema.js";

/** Milliseconds that a call waits for another writer. */
export const BUSY_TIMEOUT = 5_000;
export const MAX_PAYLOAD_BYTES = 256 * 1024 * 1024;

/** A purge deletes at most so much (and at least one row) under one write lock. */
const BATCH_ROWS = 100;
const BATCH_BYTES = 16 * 1024 * 1024;
/** Between two batches: SQLite has no queue, a writer that waits looks again and again. */
const BATCH_PAUSE = 5;

/** The settings of a SQLite store. */
export interface SqliteOptions {
  /** False: the file must be there. True by default. */
  readonly create?: boolean;
  /** Milliseconds that a call waits for another writer before it throws `store_locked`. */
  readonly busyTimeout?: number;
  readonly maxPayloadBytes?: number;
  /** Bounds the database; beyond it `put` throws `store_full`. By default the disk does. */
  readonly maxFileBytes?: number;
}

const OPTIONS: ReadonlyMap<string, OptionType> = new Map<keyof SqliteOptions, OptionType>([
  ["create", FLAG],
  ["busyTimeout", NUMBER],
  ["maxPayloadBytes", NUMBER],
  ["maxFileBytes", NUMBER],
]);

/**
 * Keeps results in the SQLite file at `path`, by `node:sqlite` (Node 22.13 or later).
 *
 * The file is made, readable by the owner alone, unless `create` is false; its folder must be
 * there. A store that goes while it is open is not made anew: every call throws
 * `store_unavailable` until the file is back.
 *
 * Throws `StoreError` for a file that cannot be opened, is damaged, is of another program, or
 * of a later version of this one.
 */
export class SqliteStore implements Store, ListVersions {
  readonly #path: string;
  readonly #keys: KeyRing;
  readonly #busyTimeout: number;
  readonly #maxPayloadBytes: number;
  readonly #maxFileBytes: number | undefined;
  readonly #connection: Connection;

  constructor(path: string, keys: KeyRing, options: SqliteOptions = {}) {
    checkRing(keys);
    checkOptions(options, OPTIONS, "SqliteStore");
    for (const name of ["busyTimeout", "maxPayloadBytes", "maxFileBytes"] as const) {
      if (!((options[name] ?? 0) >= 0 && options[name] !== Number.POSITIVE_INFINITY)) {
        throw new RangeError(`SqliteStore: ${name}: expected a number from 0 on`);
      }
    }
    // Absolute, so that a later change of the working folder does not matter.
    this.#path = resolve(path);
    this.#keys = keys;
    const { create: mayCreate = true } = options;
    this.#busyTimeout = options.busyTimeout ?? BUSY_TIMEOUT;
    this.#maxPayloadBytes = options.maxPayloadBytes ?? MAX_PAYLOAD_BYTES;
    this.#maxFileBytes = options.maxFileBytes;
    this.#connection = new Connection(this.#path, (file) => this.#open(file));
    translated(this.#path, () => {
      if (mayCreate) {
        create(this.#path);
      }
      refuseOtherFile(this.#path, mayCreate);
      warnOfPermissions(this.#path, "store_permissions");
      this.#connection.use(() => undefined);
    });
  }

  put(payload: Uint8Array, options: PutOptions): StoredLink {
    const record = checkPut(payload, options);
    if (record.payload.length > this.#maxPayloadBytes) {
      throw fault(StoreErrorCode.TOO_LARGE);
    }
    const recordId = newRecordId();
    const pointer = { recordId, expiresAt: record.expiresAt };
    const uri = sign(pointer, options.principal, this.#keys);
    const sum = checkSum(record);
    this.#use((db) =>
      writing(db, () =>
        db
          .prepare(
            // node:sqlite binds no bytes as NULL
            "INSERT INTO stored_result (record_id, format_version, mime_type, stored_at," +
              " expires_at, check_sum, payload)" +
              " VALUES (?, ?, ?, ?, ?, ?, coalesce(?, zeroblob(0)))",
          )
          .run(
            recordId,
            record.formatVersion,
            record.mimeType,
            record.storedAt,
            record.expiresAt,
            sum,
            record.payload,
          ),
      ),
    );
    const size = record.payload.length;
    return { uri, size, expiresAt: rfc3339(record.expiresAt), mimeType: record.mimeType };
  }

  get(uri: string, options: GetOptions): StoredPayload {
    const pointer = verify(uri, checkGet(options), this.#keys);
    const row = this.#use((db) =>
      db
        .prepare(
          "SELECT payload, format_version, mime_type, stored_at, expires_at, check_sum" +
            " FROM stored_result WHERE record_id = ?",
        )
        .get(pointer.recordId),
    );
    if (row === undefined) {
      throw notFound();
    }
    return storedPayload(recordOf(row));
  }

  /**
   * Deletes expired or old results in small batches.
   *
   * Readers never wait for it; other writers wait for one batch at most. If a batch fails,
   * those before it stay deleted. The freed pages are used for new results; the file keeps its
   * size. It blocks this thread, so run it as a job, and not in a server.
   */
  purge(options: PurgeOptions): number {
    const limit = cutoff(options);
    return this.#use((db) => {
      let count = 0;
      for (;;) {
        const deleted = deleteBatch(db, limit);
        if (deleted === 0) {
          return count;
        }
        count += deleted;
        sleep(BATCH_PAUSE);
      }
    });
  }

  stats(options: { readonly now: Date }): StoreStats {
    const moment = momentOf(options);
    return this.#use((db) => {
      const row = db
        .prepare(
          "SELECT count(*) AS count, coalesce(sum(expires_at <= ?), 0) AS expired," +
            " coalesce(sum(length(payload)), 0) AS bytes, min(stored_at) AS oldest," +
            " max(stored_at) AS newest FROM stored_result",
        )
        .get(moment) as Readonly<Record<string, unknown>>;
      return {
        count: Number(row["count"]),
        expired: Number(row["expired"]),
        payloadBytes: Number(row["bytes"]),
        fileBytes: fileBytes(this.#path),
        oldestStoredAt: shown(row["oldest"]),
        newestStoredAt: shown(row["newest"]),
        schemaVersion: version(db),
      };
    });
  }

  listVersion(name: string): number {
    const checked = checkListName(name);
    return this.#use((db) => listVersion(db, checked));
  }

  raiseListVersion(name: string): number {
    const checked = checkListName(name);
    return this.#use((db) =>
      writing(db, () => {
        db.prepare(
          "INSERT INTO list_version (name, version) VALUES (?, 1)" +
            " ON CONFLICT (name) DO UPDATE SET version = version + 1",
        ).run(checked);
        return listVersion(db, checked);
      }),
    );
  }

  close(): void {
    this.#connection.close();
  }

  #use<T>(work: (db: DatabaseSync) => T): T {
    return translated(this.#path, () => this.#connection.use(work));
  }

  /** A connection that is ready for use, with the newest layout. */
  #open(path: string): DatabaseSync {
    const address = pathToFileURL(path);
    address.searchParams.set("mode", "rw"); // Never create here.
    const db = new DatabaseSync(address);
    try {
      for (const pragma of [
        `busy_timeout = ${Math.floor(this.#busyTimeout)}`,
        "synchronous = FULL",
        "trusted_schema = OFF", // The file is data; nothing in it may call functions.
        "cell_size_check = ON", // Notice a damaged page when it is read.
        "journal_size_limit = 67108864", // Cut a log that a large result made long.
      ]) {
        db.exec(`PRAGMA ${pragma}`);
      }
      const found = version(db);
      checkNotNewer(found, MIGRATIONS.length);
      useLog(db, this.#busyTimeout);
      if (found < MIGRATIONS.length) {
        migrate(db);
      }
      if (this.#maxFileBytes !== undefined) {
        const pageSize = Number(single(db, "PRAGMA page_size"));
        const pages = Math.max(1, Math.floor(this.#maxFileBytes / pageSize));
        db.exec(`PRAGMA max_page_count = ${pages}`);
      }
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  }
}

/**
 * Switches to the write-ahead log.
 *
 * The switch needs the file for itself for a moment and does not wait for it (SQLite asks no
 * busy handler there), so it is tried again until `timeout` milliseconds have passed.
 */
function useLog(db: DatabaseSync, timeout: number): void {
  const end = performance.now() + timeout;
  for (;;) {
    try {
      if (single(db, "PRAGMA journal_mode = WAL") === "wal") {
        return;
      }
    } catch (error) {
      if (classify(error) !== StoreErrorCode.LOCKED || performance.now() >= end) {
        throw error;
      }
      sleep(10);
      continue;
    }
    // Some file systems cannot share memory between processes.
    throw fault(StoreErrorCode.UNAVAILABLE);
  }
}

/** Deletes some of what `limit` covers and returns how many; 0 when nothing is left. */
function deleteBatch(db: DatabaseSync, limit: Cutoff): number {
  return writing(db, () => {
    // The column is one of two literals of Cutoff, never text from outside.
    const rows = db
      .prepare(
        `SELECT rowid AS id, length(payload) AS size FROM stored_result` +
          ` WHERE ${limit.column} <= ? ORDER BY ${limit.column} LIMIT ?`,
      )
      .all(limit.moment, BATCH_ROWS);
    const statement = db.prepare("DELETE FROM stored_result WHERE rowid = ?");
    let count = 0;
    let size = 0;
    for (const row of rows) {
      size += Number(row["size"]);
      if (count > 0 && size > BATCH_BYTES) {
        break;
      }
      statement.run(row["id"] as number);
      count += 1;
    }
    return count;
  });
}

function listVersion(db: DatabaseSync, name: string): number {
  const row = db.prepare("SELECT version FROM list_version WHERE name = ?").get(name);
  return row === undefined ? 0 : whole(row["version"]);
}

/** Blocks this thread: the calls of SQLite do, and what waits for them must too. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
