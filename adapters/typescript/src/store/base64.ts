/** Base64 of keys and tokens, where neither Node nor a browser is taken for granted. */

/** Bytes in the standard, padded alphabet of RFC 4648, section 4. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    text += String.fromCharCode(byte);
  }
  return btoa(text);
}

/** The bytes of a standard, padded base64; undefined for any other text. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    return undefined;
  }
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Bytes in the URL's alphabet of RFC 4648, section 5; a multiple of three has no padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_");
}

/** The bytes of an unpadded base64url of a multiple of four characters; undefined otherwise. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) {
    return undefined;
  }
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}
