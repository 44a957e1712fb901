/**
 * Where our JSON meets the SDK's types.
 *
 * They hold artifacts and messages as revision 1.0 spells them, but for two things: what they make
 * of JSON loses a data part that holds null, and what they write of themselves an empty file name.
 * So both ways go through here. An empty name is marked on its way into a task, which a store may
 * keep as JSON, and put back on the way out ({@link withNames}).
 */

import { type Artifact, type Message, type Part, roleFromJSON } from "@a2a-js/sdk";

import { NAMESPACE } from "../core.js";

/** A JSON object. */
export type Wire = Record<string, unknown>;

const EMPTY_NAME = `${NAMESPACE}/emptyName`;

/** An artifact of revision 1.0. */
export function artifactOf(wire: Wire): Artifact {
  return {
    artifactId: text(wire["artifactId"]),
    name: text(wire["name"]),
    description: text(wire["description"]),
    parts: list(wire["parts"]).map(partOf),
    metadata: wire["metadata"] as Wire | undefined,
    extensions: list(wire["extensions"]) as unknown as string[],
  };
}

/** A message of revision 1.0. */
export function messageOf(wire: Wire): Message {
  return {
    messageId: text(wire["messageId"]),
    contextId: text(wire["contextId"]),
    taskId: text(wire["taskId"]),
    role: roleFromJSON(wire["role"]),
    parts: list(wire["parts"]).map(partOf),
    metadata: wire["metadata"] as Wire | undefined,
    extensions: list(wire["extensions"]) as unknown as string[],
    referenceTaskIds: [],
  };
}

function partOf(wire: Wire): Part {
  const metadata = wire["metadata"] as Wire | undefined;
  return {
    content: contentOf(wire),
    metadata: wire["filename"] === "" ? { ...metadata, [EMPTY_NAME]: true } : metadata,
    filename: text(wire["filename"]),
    mediaType: text(wire["mediaType"]),
  };
}

function contentOf(wire: Wire): NonNullable<Part["content"]> {
  if ("text" in wire) {
    return { $case: "text", value: text(wire["text"]) };
  }
  if ("raw" in wire) {
    return { $case: "raw", value: Buffer.from(text(wire["raw"]), "base64") };
  }
  if ("url" in wire) {
    return { $case: "url", value: text(wire["url"]) };
  }
  return { $case: "data", value: wire["data"] };
}

/** An artifact as JSON of revision 1.0. */
export function artifactWire(artifact: Artifact): Wire {
  const { artifactId, name, description, parts, metadata, extensions } = artifact;
  return {
    artifactId,
    ...(name === "" ? {} : { name }),
    ...(description === "" ? {} : { description }),
    parts: parts.map(partWire),
    ...(metadata === undefined ? {} : { metadata }),
    ...(extensions.length === 0 ? {} : { extensions }),
  };
}

/** An agent's message as JSON of revision 1.0, without its task's ids. */
export function messageWire({ messageId, parts, metadata, extensions }: Message): Wire {
  return {
    messageId,
    role: "ROLE_AGENT",
    parts: parts.map(partWire),
    ...(metadata === undefined ? {} : { metadata }),
    ...(extensions.length === 0 ? {} : { extensions }),
  };
}

function partWire(part: Part): Wire {
  const { content, filename, mediaType } = part;
  const { metadata, emptyName } = unmarked(part);
  return {
    ...(content?.$case === "raw"
      ? { raw: Buffer.from(content.value).toString("base64") }
      : content === undefined
        ? {}
        : { [content.$case]: content.value as unknown }),
    ...(filename === "" && !emptyName ? {} : { filename }),
    ...(mediaType === "" ? {} : { mediaType }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** An artifact or a message as it is to be written, with the names that are marked in it. */
export function withNames<T extends { readonly parts: Part[] }>(owner: T): T {
  const parts = owner.parts.map((part) => {
    const { metadata, emptyName } = unmarked(part);
    return emptyName ? { ...part, metadata, filename: written("") } : part;
  });
  return { ...owner, parts };
}

/**
 * A name that is written even if it is empty.
 *
 * The SDK leaves out a name that is `""`, and takes this for another one; JSON's encoder writes
 * both the same. No other value of JavaScript does that.
 */
export function written(name: string): string {
  return (name === "" ? new String("") : name) as string;
}

function unmarked({ metadata }: Part): { metadata: Wire | undefined; emptyName: boolean } {
  if (metadata?.[EMPTY_NAME] !== true) {
    return { metadata, emptyName: false };
  }
  const { [EMPTY_NAME]: _, ...rest } = metadata as Wire;
  return { metadata: Object.keys(rest).length === 0 ? undefined : rest, emptyName: true };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function list(value: unknown): Wire[] {
  return Array.isArray(value) ? (value as Wire[]) : [];
}
