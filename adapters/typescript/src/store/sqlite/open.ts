/** The short way in: the durable store with its keys. */

import { readFileSync, statSync } from "node:fs";

import { KeyRing, refuseKeys } from "../keys.js";
import { warnOfPermissions } from "./files.js";
import { type SqliteOptions, SqliteStore } from "./store.js";

const MAX_FILE_BYTES = 64 * 1024;

/**
 * The ring kept in the file at `path`: one key per line, `id:base64`.
 *
 * Warns (`process.emitWarning`) if others than the owner may use the file. Throws `StoreError`
 * (`invalid_keys`).
 */
export function loadKeys(path: string): KeyRing {
  let raw: Buffer;
  try {
    if (statSync(path).size > MAX_FILE_BYTES) {
      throw refuseKeys(`The key file has more than ${MAX_FILE_BYTES} bytes.`);
    }
    raw = readFileSync(path);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "invalid_keys") {
      throw error;
    }
    throw refuseKeys(`The key file cannot be read (${String(code)}).`, error);
  }
  warnOfPermissions(path, "key_file_permissions");
  if (raw.some((byte) => byte > 0x7f)) {
    throw refuseKeys("The key file holds other characters than ASCII.");
  }
  return KeyRing.parse(raw.toString("ascii"));
}

/** The SQLite store at `path`, with the keys of a file or a ring. Throws `StoreError`. */
export function openStore(
  path: string,
  keys: string | KeyRing,
  options: SqliteOptions = {},
): SqliteStore {
  return new SqliteStore(path, typeof keys === "string" ? loadKeys(keys) : keys, options);
}
