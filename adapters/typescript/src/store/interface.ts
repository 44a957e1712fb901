/**
 * What the mapper needs of a store: put, get, purge, stats, and one error class.
 *
 * A store keeps the serialized bytes of results that are too large to send inline and hands
 * out a link for each: a signed, short-lived pointer that only the principal it was made for
 * can use. The clock always comes from the caller; a store never asks for the time itself, so
 * tests and replays decide what "now" is.
 *
 * docs: docs/stores.md
 */

/** How long a link can be read where the host does not say otherwise, in milliseconds. */
export const DEFAULT_LIFETIME = 60 * 60 * 1000;

/** The format version of the legacy string, which carries no version itself. */
export const LEGACY_FORMAT_VERSION = 0;

/** The one answer to every pointer that gives nothing, whatever the reason. */
export const NOT_FOUND_MESSAGE =
  "There is no stored result for this link, or it can no longer be read.";

/** The closed set of reasons why a store did not do what was asked. */
export const StoreErrorCode = {
  /** The pointer is tampered with, expired, another principal's, or unknown. */
  NOT_FOUND: "not_found",
  /** The store is missing, closed, cannot be opened, or its device fails. */
  UNAVAILABLE: "store_unavailable",
  /** Another process held the store for longer than the busy timeout. */
  LOCKED: "store_locked",
  /** The disk, or the bound given to the store, is used up. */
  FULL: "store_full",
  /** What was stored cannot be read back as it was written. */
  DAMAGED: "store_damaged",
  /** The store was written by a later version of this library. */
  NEWER: "store_newer",
  /** The file is a database of some other program, or no database. */
  NOT_A_STORE: "not_a_store",
  /** The payload is larger than the store takes. */
  TOO_LARGE: "too_large",
  /** The key file cannot be used. */
  INVALID_KEYS: "invalid_keys",
} as const;
export type StoreErrorCode = (typeof StoreErrorCode)[keyof typeof StoreErrorCode];

/**
 * A store did not do what was asked.
 *
 * `code` is stable. `message` is safe to send to a client: it names no path, no key, no
 * principal and no text of the database library. The cause, where there is one, is for the log.
 */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }

  /** Whether the store failed, rather than the pointer being no good. */
  get isFault(): boolean {
    return this.code !== StoreErrorCode.NOT_FOUND;
  }

  override toString(): string {
    return `${this.code}: ${this.message}`;
  }
}

/** The answer to every bad pointer; made in one place so that none differs. */
export function notFound(): StoreError {
  return new StoreError(StoreErrorCode.NOT_FOUND, NOT_FOUND_MESSAGE);
}

/** What `put` hands out once the result is safely stored. */
export interface StoredLink {
  /** `toolresult://stored/<token>`, ASCII. */
  readonly uri: string;
  /** Bytes that the link yields. */
  readonly size: number;
  /** RFC 3339 in UTC with `Z`, whole seconds: the pointer's own expiry. */
  readonly expiresAt: string;
  readonly mimeType: string;
}

/** What `get` gives back, exactly as it was put. */
export interface StoredPayload {
  readonly payload: Uint8Array;
  /** 0 for the legacy string (UTF-8), else the version inside the payload. */
  readonly formatVersion: number;
  readonly mimeType: string;
  /** RFC 3339 in UTC with `Z`, whole seconds. */
  readonly storedAt: string;
  /** RFC 3339 in UTC with `Z`, whole seconds. */
  readonly expiresAt: string;
}

/** What a store holds at one moment. */
export interface StoreStats {
  /** Stored results, expired ones included. */
  readonly count: number;
  /** Those of them that no link can reach any more. */
  readonly expired: number;
  /** Bytes of all payloads. */
  readonly payloadBytes: number;
  /** Bytes on disk, write-ahead log included; null where there is no file. */
  readonly fileBytes: number | null;
  readonly oldestStoredAt: string | null;
  readonly newestStoredAt: string | null;
  /** The layout of the database; null where there is none. */
  readonly schemaVersion: number | null;
}

/** What goes with a payload that is put. */
export interface PutOptions {
  /** Who may read it: any text that is not empty. */
  readonly principal: string;
  readonly now: Date;
  /** Milliseconds from now for which the link can be read. */
  readonly lifetime: number;
  readonly formatVersion: number;
  readonly mimeType: string;
}

export interface GetOptions {
  readonly principal: string;
  readonly now: Date;
}

export interface PurgeOptions {
  readonly now: Date;
  /** Milliseconds. */
  readonly olderThan?: number;
}

/** What a store gives at once, or later if it has to ask over a network. */
export type Awaitable<T> = T | Promise<T>;

/**
 * A place for results that are too large to send inline.
 *
 * Faults of the store throw `StoreError`; arguments that no caller should pass (an empty
 * principal, an invalid date, a lifetime that is not positive) throw `RangeError`. A store may
 * answer with promises; then results are rendered with `renderAsync`.
 */
export interface Store {
  /**
   * Store `payload` and return its link, only once it is safely stored.
   *
   * The link can be read by `principal` until `now` and `lifetime`, rounded up to a whole
   * second. Throws `StoreError`; then no link exists.
   */
  put(payload: Uint8Array, options: PutOptions): Awaitable<StoredLink>;

  /**
   * The payload behind `uri`, which is untrusted text.
   *
   * Throws `StoreError`: `not_found`, with one and the same message, for a pointer that is
   * tampered with, expired, another principal's, or unknown; another code for a fault.
   */
  get(uri: string, options: GetOptions): Awaitable<StoredPayload>;

  /**
   * Delete stored results and return how many.
   *
   * Without `olderThan` those that have expired, which no link can reach. With it those that
   * were stored at least that long ago, expired or not.
   */
  purge(options: PurgeOptions): Awaitable<number>;

  /** Counts and sizes. Throws `StoreError` on a fault. */
  stats(options: { readonly now: Date }): Awaitable<StoreStats>;

  /** Let go of files. Any later call throws `store_unavailable`; closing twice is fine. */
  close(): Awaitable<void>;
}
