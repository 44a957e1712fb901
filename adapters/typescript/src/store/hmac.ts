/**
 * HMAC-SHA256 (RFC 2104), by the SHA-256 of the runtime.
 *
 * The Web's own (`crypto.subtle`) answers with promises alone, and a store in memory or in
 * SQLite has no reason to make its callers wait.
 */

import { sha256 } from "../../../../generated/typescript/runtime/sha256.js";

const BLOCK = 64;

/** The tag of `message` under `key`, 32 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? sha256(key) : key);
  const inner = new Uint8Array(BLOCK + message.length);
  inner.set(padded.map((byte) => byte ^ 0x36));
  inner.set(message, BLOCK);
  const outer = new Uint8Array(BLOCK + 32);
  outer.set(padded.map((byte) => byte ^ 0x5c));
  outer.set(sha256(inner), BLOCK);
  return sha256(outer);
}

/** Whether two tags are the same, in a time that does not tell where they differ. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) {
    return false;
  }
  let difference = 0;
  for (let index = 0; index < one.length; index += 1) {
    difference |= (one[index] as number) ^ (other[index] as number);
  }
  return difference === 0;
}
