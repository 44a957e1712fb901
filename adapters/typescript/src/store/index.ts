/**
 * `toolresult/store`: stores for results that are too large to send inline.
 *
 * `MemoryStore` lives and dies with the process; the durable default, an SQLite file shared by
 * any number of workers, is in `toolresult/store/sqlite`.
 *
 * docs: docs/stores.md
 */

export {
  type Awaitable,
  DEFAULT_LIFETIME,
  type GetOptions,
  LEGACY_FORMAT_VERSION,
  type PurgeOptions,
  type PutOptions,
  type Store,
  StoreError,
  StoreErrorCode,
  type StoredLink,
  type StoredPayload,
  type StoreStats,
} from "./interface.js";
export { Key, KeyRing } from "./keys.js";
export { checkListName, type ListVersions } from "./lists.js";
export { type MemoryBounds, MemoryStore } from "./memory.js";
export { openResult } from "./open-result.js";
export { type Pointer, sign, verify } from "./pointer.js";
