/** The named conversions of the spec: fields to a text. */

import { decodeBase64, encodeBase64 } from "./bytes.js";
import type { ResultBase } from "./members.js";
import type { Options } from "./rendering.js";
import { sha256 } from "./sha256.js";

export { bytesText, embeddedText, linkName, linkText } from "./text-forms.js";

const ID_DIGITS = 16;

/**
 * The address of bytes by their content (RFC 6920, section 3): `ni:///sha-256;…?ct=…`.
 *
 * Percent-encoded but for unreserved characters, `/` and `+`.
 */
export function contentAddress(data: string, mimeType: string): string {
  const digest = encodeBase64(sha256(decodeBase64(data)));
  const name = digest.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `ni:///sha-256;${name}?ct=${percentEncoded(mimeType)}`;
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("%2F", "/")
    .replaceAll("%2B", "+")
    .replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** An id that is the same for equal results: a prefix and the start of the digest. */
export function digestId(result: ResultBase, options: Options, prefix: string): string {
  return prefix + (options.digest ?? result.digest).slice(0, ID_DIGITS);
}
