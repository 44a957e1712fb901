/** A store in memory, for tests and for servers of one process. */

import { checkOptions, NUMBER, type OptionType } from "../options.js";
import {
  type GetOptions,
  notFound,
  type PurgeOptions,
  type PutOptions,
  type Store,
  StoreError,
  StoreErrorCode,
  type StoredLink,
  type StoredPayload,
  type StoreStats,
} from "./interface.js";
import { checkRing, KeyRing } from "./keys.js";
import { checkListName, type ListVersions } from "./lists.js";
import { newRecordId, sign, verify } from "./pointer.js";
import {
  checkGet,
  checkPut,
  covers,
  cutoff,
  momentOf,
  type StoredRecord,
  storedPayload,
} from "./record.js";
import { rfc3339, seconds } from "./times.js";

/** The bounds of a store in memory. */
export interface MemoryBounds {
  /** Stored results; 1,000 by default. */
  readonly maxCount?: number;
  /** Bytes of all payloads; 256 MB by default. */
  readonly maxBytes?: number;
}

const BOUNDS: ReadonlyMap<string, OptionType> = new Map<keyof MemoryBounds, OptionType>([
  ["maxCount", NUMBER],
  ["maxBytes", NUMBER],
]);

/**
 * Keeps payloads in this process, with the same pointers as the durable store.
 *
 * Bounded: where `maxCount` results or `maxBytes` of payload would be exceeded, expired ones go
 * first; if that does not suffice, `put` throws `store_full`. It never drops a result whose
 * link can still be read.
 *
 * Without `keys` the ring is random, and no link outlives the process.
 */
export class MemoryStore implements Store, ListVersions {
  readonly #keys: KeyRing;
  readonly #maxCount: number;
  readonly #maxBytes: number;
  readonly #records = new Map<string, StoredRecord>();
  readonly #versions = new Map<string, number>();
  #bytes = 0;
  #closed = false;

  constructor(keys: KeyRing = KeyRing.generate(), bounds: MemoryBounds = {}) {
    checkRing(keys);
    checkOptions(bounds, BOUNDS, "MemoryStore");
    const { maxCount = 1_000, maxBytes = 256 * 1024 * 1024 } = bounds;
    if (!(maxCount >= 1) || !(maxBytes >= 1)) {
      throw new RangeError("maxCount, maxBytes: expected positive numbers");
    }
    this.#keys = keys;
    this.#maxCount = maxCount;
    this.#maxBytes = maxBytes;
  }

  put(payload: Uint8Array, options: PutOptions): StoredLink {
    const record = checkPut(payload, options);
    const recordId = newRecordId();
    const pointer = { recordId, expiresAt: record.expiresAt };
    const uri = sign(pointer, options.principal, this.#keys);
    const size = record.payload.length;
    if (size > this.#maxBytes) {
      throw new StoreError(StoreErrorCode.TOO_LARGE, "The result is larger than the store takes.");
    }
    this.#checkOpen();
    if (!this.#fits(size)) {
      const moment = seconds(options.now);
      this.#drop((one) => one.expiresAt <= moment);
    }
    if (!this.#fits(size)) {
      throw new StoreError(StoreErrorCode.FULL, "The store is full.");
    }
    this.#records.set(nameOf(recordId), record);
    this.#bytes += size;
    return { uri, size, expiresAt: rfc3339(record.expiresAt), mimeType: record.mimeType };
  }

  get(uri: string, options: GetOptions): StoredPayload {
    const pointer = verify(uri, checkGet(options), this.#keys);
    this.#checkOpen();
    const record = this.#records.get(nameOf(pointer.recordId));
    if (record === undefined) {
      throw notFound();
    }
    return storedPayload({ ...record, payload: record.payload.slice() });
  }

  purge(options: PurgeOptions): number {
    const limit = cutoff(options);
    this.#checkOpen();
    return this.#drop((one) => covers(limit, one));
  }

  stats(options: { readonly now: Date }): StoreStats {
    const moment = momentOf(options);
    this.#checkOpen();
    const records = [...this.#records.values()];
    const stored = records.map((record) => record.storedAt).sort((one, other) => one - other);
    const [oldest, newest] = [stored[0], stored[stored.length - 1]];
    return {
      count: records.length,
      expired: records.filter((record) => record.expiresAt <= moment).length,
      payloadBytes: this.#bytes,
      fileBytes: null,
      oldestStoredAt: oldest === undefined ? null : rfc3339(oldest),
      newestStoredAt: newest === undefined ? null : rfc3339(newest),
      schemaVersion: null,
    };
  }

  listVersion(name: string): number {
    const checked = checkListName(name);
    this.#checkOpen();
    return this.#versions.get(checked) ?? 0;
  }

  raiseListVersion(name: string): number {
    const raised = this.listVersion(name) + 1;
    this.#versions.set(name, raised);
    return raised;
  }

  close(): void {
    this.#closed = true;
    this.#records.clear();
    this.#versions.clear();
    this.#bytes = 0;
  }

  #fits(size: number): boolean {
    return this.#records.size < this.#maxCount && this.#bytes + size <= this.#maxBytes;
  }

  #drop(isGone: (record: StoredRecord) => boolean): number {
    let count = 0;
    for (const [name, record] of this.#records) {
      if (isGone(record)) {
        this.#records.delete(name);
        this.#bytes -= record.payload.length;
        count += 1;
      }
    }
    return count;
  }

  #checkOpen(): void {
    if (this.#closed) {
      throw new StoreError(StoreErrorCode.UNAVAILABLE, "The store is closed.");
    }
  }
}

/** A record's id as a key of a map. */
function nameOf(recordId: Uint8Array): string {
  return recordId.join(",");
}
