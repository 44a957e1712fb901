/**
 * The connection to one SQLite file.
 *
 * A file that is deleted or replaced while it is open would go on taking writes that nobody
 * else sees. So the file at the path is compared (device and inode) with the one that was
 * opened, before the connection is used and after: what was done on a file that has gone
 * counts as not done. A connection that failed is closed, not used again.
 */

import { type BigIntStats, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

import { StoreErrorCode } from "../interface.js";
import { fault } from "./faults.js";

interface Opened {
  readonly identity: string;
  readonly db: DatabaseSync;
}

/** The open connection to the file at `path`, which is never created here. */
export class Connection {
  readonly #path: string;
  readonly #connect: (path: string) => DatabaseSync;
  #opened: Opened | undefined;
  #closed = false;

  constructor(path: string, connect: (path: string) => DatabaseSync) {
    this.#path = path;
    this.#connect = connect;
  }

  /**
   * Does some work with the connection.
   *
   * Throws `StoreError` (`store_unavailable`) where there is none to be had, and at the end if
   * the file is no longer the one at the path.
   */
  use<T>(work: (db: DatabaseSync) => T): T {
    if (this.#closed) {
      throw fault(StoreErrorCode.UNAVAILABLE);
    }
    const { identity, db } = this.#take();
    try {
      const made = work(db);
      if (this.#identity() !== identity) {
        throw fault(StoreErrorCode.UNAVAILABLE);
      }
      return made;
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  /** Closes the connection; nothing opens it again. */
  close(): void {
    this.#closed = true;
    this.#drop();
  }

  #take(): Opened {
    const identity = this.#identity();
    if (this.#opened?.identity !== identity) {
      this.#drop(); // SQLite leaves the files of a moved database alone.
      this.#opened = { identity, db: this.#connect(this.#path) };
    }
    return this.#opened as Opened;
  }

  #identity(): string {
    const status: BigIntStats = statSync(this.#path, { bigint: true });
    if (!status.isFile()) {
      throw fault(StoreErrorCode.UNAVAILABLE);
    }
    return `${status.dev}:${status.ino}`;
  }

  #drop(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    try {
      opened?.db.close();
    } catch {
      // it is given up in any case
    }
  }
}
