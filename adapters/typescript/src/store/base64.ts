/** Base64 of keys and tokens from texts that anyone may have written. */

import { decodeBase64, encodeBase64 } from "../../../../generated/typescript/runtime/bytes.js";

/** The bytes of a standard, padded base64; undefined for any other text. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    return undefined;
  }
  return decodeBase64(text);
}

/** Bytes in the URL's alphabet of RFC 4648, section 5; a multiple of three has no padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_");
}

/** The bytes of an unpadded base64url of a multiple of four characters; undefined otherwise. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) {
    return undefined;
  }
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}
