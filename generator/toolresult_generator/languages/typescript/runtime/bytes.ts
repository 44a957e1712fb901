/** Text as UTF-8, bytes as base64 and hex. No Buffer: this runs in browsers and workers. */

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LETTERS = ENCODER.encode(ALPHABET);
const VALUES = new Uint8Array(128);
for (let index = 0; index < LETTERS.length; index++) VALUES[LETTERS[index] as number] = index;
const PADDING = 0x3d;

/** The UTF-8 of a text. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return ENCODER.encode(text);
}

/** The text of UTF-8, a byte order mark included; undefined if it is no UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return DECODER.decode(bytes);
  } catch {
    return undefined;
  }
}

/** How many bytes a text has in UTF-8; three for a lone surrogate. */
export function byteLength(text: string): number {
  let size = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) size += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(index + 1))) {
      size += 2; // four bytes for two units
      index++;
    } else size += 2;
  }
  return size;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Bytes as canonical base64 (RFC 4648, section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  const out = new Uint8Array(4 * Math.ceil(bytes.length / 3));
  let at = 0;
  for (let index = 0; index < bytes.length; index += 3) {
    const [first, second, third] = [bytes[index], bytes[index + 1], bytes[index + 2]];
    const bits = ((first ?? 0) << 16) | ((second ?? 0) << 8) | (third ?? 0);
    out[at++] = LETTERS[bits >> 18] as number;
    out[at++] = LETTERS[(bits >> 12) & 63] as number;
    out[at++] = second === undefined ? PADDING : (LETTERS[(bits >> 6) & 63] as number);
    out[at++] = third === undefined ? PADDING : (LETTERS[bits & 63] as number);
  }
  return DECODER.decode(out);
}

/** The bytes of canonical base64; `text` must have been checked. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const out = new Uint8Array((text.length / 4) * 3 - padding);
  for (let index = 0, at = 0; index < text.length; index += 4) {
    const bits =
      (valueAt(text, index) << 18) |
      (valueAt(text, index + 1) << 12) |
      (valueAt(text, index + 2) << 6) |
      valueAt(text, index + 3);
    // What lies beyond the end of the array is not stored.
    out[at++] = bits >> 16;
    out[at++] = bits >> 8;
    out[at++] = bits;
  }
  return out;
}

function valueAt(text: string, index: number): number {
  return VALUES[text.charCodeAt(index)] ?? 0;
}

/** Bytes as hexadecimal digits in lower case. */
export function encodeHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
