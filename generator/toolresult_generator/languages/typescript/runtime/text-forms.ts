/** Texts that stand in for parts where a format has no place for them. */

import { decodeBase64 } from "./bytes.js";
import type { Count } from "./fields.js";
import { sha256Hex } from "./sha256.js";

/** An image, audio or binary part: its kind, name, type, size and digest. An empty name is a name. */
export function bytesText(
  kind: string,
  data: string,
  mimeType: string,
  name: string | undefined,
): string {
  const shown = name === undefined ? "" : ` ${name},`;
  return `[${kind}${shown} ${mimeType}, ${sizeAndDigest(data)}]`;
}

/** A link or a stored result. A missing name is derived from the URI; the size is in bytes. */
export function linkText(
  uri: string,
  name: string | undefined,
  mimeType: string | undefined,
  size: Count | undefined,
  description: string | undefined,
): string {
  const facts: string[] = [];
  if (mimeType !== undefined) facts.push(mimeType);
  if (size !== undefined) facts.push(`${size} bytes`);
  const shown = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
  const more = description === undefined ? "" : ` — ${description}`;
  return `[link ${name ?? linkName(uri)}] ${uri}${shown}${more}`;
}

/** An embedded resource, which holds either a text or bytes in base64. */
export function embeddedText(
  uri: string,
  mimeType: string | undefined,
  text: string | undefined,
  data: string | undefined,
): string {
  if (text !== undefined) return `[embedded ${uri}]\n${text}`;
  const shown = mimeType === undefined ? "" : ` ${mimeType},`;
  return `[embedded ${uri},${shown} ${sizeAndDigest(data ?? "")}]`;
}

/** What stands after the last `/` of a URI, without query and fragment, or all of it. */
export function linkName(uri: string): string {
  const path = uri.replace(/[#?].*$/s, "");
  return path.slice(path.lastIndexOf("/") + 1) || uri;
}

function sizeAndDigest(data: string): string {
  const content = decodeBase64(data);
  return `${content.length} bytes, sha256 ${sha256Hex(content).slice(0, 16)}`;
}
