/**
 * Signed pointers: `toolresult://stored/<token>`.
 *
 * The token is the unpadded base64url form (RFC 4648, section 5) of 57 bytes:
 *
 * | offset | bytes | meaning |
 * |---|---|---|
 * | 0 | 1 | version of the pointer, 0x01 |
 * | 1 | 8 | expiry, seconds since 1970, unsigned, big-endian |
 * | 9 | 16 | id of the stored result, random |
 * | 25 | 32 | tag |
 *
 * tag = HMAC-SHA256(key, `toolresult-stored-pointer` || 0x00 || bytes 0 to 24 || principal in
 * UTF-8). The principal is in no pointer: it is an input of the tag alone, so the tag is a
 * keyed hash that binds it without showing it, and a pointer in other hands fails just like
 * one that was tampered with.
 *
 * docs: docs/stores.md
 */

import { hasLoneSurrogate } from "../../../../generated/typescript/runtime/errors.js";
import { fromBase64Url, toBase64Url } from "./base64.js";
import { hmacSha256, sameBytes } from "./hmac.js";
import { type GetOptions, notFound } from "./interface.js";
import { type KeyRing, random } from "./keys.js";
import { seconds } from "./times.js";

export const PREFIX = "toolresult://stored/";
export const VERSION = 1;
export const ID_BYTES = 16;
const TOKEN_LENGTH = 76;

const LABEL = new TextEncoder().encode("toolresult-stored-pointer\0");
const HEAD_BYTES = 1 + 8 + ID_BYTES;
const TAG_BYTES = 32;
// What a text that is no token is verified as: the same work, and it never fits.
const NO_TOKEN = new Uint8Array(HEAD_BYTES + TAG_BYTES);

/** What a valid pointer points to. */
export interface Pointer {
  /** 16 random bytes. */
  readonly recordId: Uint8Array;
  /** Seconds since 1970; at this second the pointer is no longer valid. */
  readonly expiresAt: number;
}

/** A random id for a new record. */
export function newRecordId(): Uint8Array {
  return random(ID_BYTES);
}

/**
 * The URI of `pointer` for `principal`, signed with the first key.
 *
 * Throws RangeError for an empty principal or one that UTF-8 cannot hold.
 */
export function sign(pointer: Pointer, principal: string, keys: KeyRing): string {
  if (pointer.recordId.length !== ID_BYTES) {
    throw new RangeError(`recordId: expected ${ID_BYTES} bytes`);
  }
  const token = new Uint8Array(HEAD_BYTES + TAG_BYTES);
  token[0] = VERSION;
  new DataView(token.buffer).setBigUint64(1, BigInt(pointer.expiresAt));
  token.set(pointer.recordId, 9);
  const tag = tagOf(keys.signing, token.subarray(0, HEAD_BYTES), principalBytes(principal));
  token.set(tag, HEAD_BYTES);
  return PREFIX + toBase64Url(token);
}

/**
 * The pointer that `uri` carries, if it was made for `principal` and is still valid.
 *
 * `uri` is untrusted. The tag is compared first, with every key and in constant time; only
 * then is anything inside the token looked at. Throws `StoreError` (`not_found`) for every
 * pointer that is not good, and RangeError for a principal or time that no caller should pass.
 */
export function verify(uri: string, { principal, now }: GetOptions, keys: KeyRing): Pointer {
  const who = principalBytes(principal);
  const moment = seconds(now);
  const token = decode(uri);
  const head = token.subarray(0, HEAD_BYTES);
  const tag = token.subarray(HEAD_BYTES);
  let genuine = false;
  for (const key of keys.verifying) {
    // No early end: the time taken does not tell which key signed.
    genuine = sameBytes(tagOf(key, head, who), tag) || genuine;
  }
  const expiresAt = new DataView(head.buffer, head.byteOffset).getBigUint64(1);
  if (!genuine || head[0] !== VERSION || BigInt(moment) >= expiresAt) {
    throw notFound();
  }
  return { recordId: head.slice(9), expiresAt: Number(expiresAt) };
}

/** `principal` in UTF-8. Throws RangeError if it is empty or holds a lone surrogate. */
export function principalBytes(principal: string): Uint8Array {
  if (typeof principal !== "string" || principal === "") {
    throw new RangeError("principal: expected a non-empty string");
  }
  if (hasLoneSurrogate(principal)) {
    throw new RangeError("principal: expected text without lone surrogates");
  }
  return new TextEncoder().encode(principal);
}

/** The 57 bytes of the token, or bytes that verify for nobody. */
function decode(uri: string): Uint8Array {
  if (
    typeof uri !== "string" ||
    uri.length !== PREFIX.length + TOKEN_LENGTH ||
    !uri.startsWith(PREFIX)
  ) {
    return NO_TOKEN;
  }
  return fromBase64Url(uri.slice(PREFIX.length)) ?? NO_TOKEN;
}

function tagOf(key: Uint8Array, head: Uint8Array, principal: Uint8Array): Uint8Array {
  const message = new Uint8Array(LABEL.length + head.length + principal.length);
  message.set(LABEL);
  message.set(head, LABEL.length);
  message.set(principal, LABEL.length + head.length);
  return hmacSha256(key, message);
}
