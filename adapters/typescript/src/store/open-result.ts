/** What a store gave back, as the result that it was. */

import { decodeText, Result } from "../core.js";
import { readLegacy } from "../legacy.js";
import {
  LEGACY_FORMAT_VERSION,
  StoreError,
  StoreErrorCode,
  type StoredPayload,
} from "./interface.js";

/**
 * The result that was stored, of any known format version. Version 0 is the legacy string and goes
 * through its reader.
 *
 * Throws ResultError: `unknown_version` for a version later than this library. Throws StoreError,
 * `store_damaged`, for a stored text that is no UTF-8.
 */
export function openResult(stored: StoredPayload): Result {
  if (stored.formatVersion !== LEGACY_FORMAT_VERSION) {
    return Result.fromJson(stored.payload);
  }
  const text = decodeText(stored.payload);
  if (text === undefined) {
    // The check sum held, so it was stored like this.
    throw new StoreError(StoreErrorCode.DAMAGED, "The stored text is not UTF-8.");
  }
  return readLegacy(text);
}
