/**
 * Artifacts and messages of revision 0.3, as our mapping to it has them.
 *
 * The SDK keeps tasks as revision 1.0 has them and converts its answers part by part, which loses
 * the media types of texts and data, and names of texts. What is ours is read instead, rendered
 * again, and put into the SDK's types so that its conversion gives just that. Ours is what
 * rendering it to 1.0 gives back the same; the rest is the SDK's.
 */

import { type Artifact, type Message, type Part, Role } from "@a2a-js/sdk";

import { canonical, ResultError, WIRE_DEPTH } from "../core.js";
import { read, render } from "../mapper.js";
import { artifactWire, messageWire, type Wire, withNames, written } from "./border.js";

interface Ids {
  readonly artifactId?: string;
  readonly messageId?: string;
}

/** An artifact that the SDK turns into that of revision 0.3. */
export function artifact03(artifact: Artifact): Artifact {
  const task = { status: { state: "TASK_STATE_COMPLETED" }, artifacts: [artifactWire(artifact)] };
  const ours = rendered(task, { artifactId: artifact.artifactId });
  const [found] = (ours?.["artifacts"] as Wire[] | undefined) ?? [];
  return respelled(artifact, found);
}

/** A message that the SDK turns into that of revision 0.3; ours are those of failed tasks. */
export function message03(message: Message): Message {
  if (message.role !== Role.ROLE_AGENT) {
    return message;
  }
  const task = { status: { state: "TASK_STATE_FAILED", message: messageWire(message) } };
  const ours = rendered(task, { messageId: message.messageId });
  const found = (ours?.["status"] as Wire | undefined)?.["message"] as Wire | undefined;
  return respelled(message, found);
}

/** An artifact or a message with what our mapping makes of it, where it makes something. */
function respelled<T extends Artifact | Message>(owner: T, found: Wire | undefined): T {
  return found === undefined
    ? withNames(owner)
    : {
        ...owner,
        parts: (found["parts"] as Wire[]).map(part),
        metadata: found["metadata"] as Wire | undefined,
      };
}

/** A task of revision 1.0 as our mapping to 0.3 has it; undefined if it is not ours. */
function rendered(task: Wire, ids: Ids): Wire | undefined {
  try {
    const result = read(task, "a2a@1.0");
    const again = JSON.parse(render(result, "a2a@1.0", ids).text) as unknown;
    if (canonical(again, WIRE_DEPTH) !== canonical(task, WIRE_DEPTH)) {
      return undefined;
    }
    return JSON.parse(render(result, "a2a@0.3", ids).text) as Wire;
  } catch (error) {
    if (error instanceof ResultError) {
      return undefined;
    }
    throw error;
  }
}

/** A part of revision 0.3 as the one of which the SDK makes it. */
function part(wire: Wire): Part {
  const metadata = wire["metadata"] as Wire | undefined;
  const plain = { metadata, filename: "", mediaType: "" };
  if (wire["kind"] === "text") {
    return { ...plain, content: { $case: "text", value: wire["text"] as string } };
  }
  if (wire["kind"] === "data") {
    return { ...plain, content: { $case: "data", value: wire["data"] } };
  }
  const file = wire["file"] as { bytes?: string; uri?: string; mimeType?: string; name?: string };
  return {
    metadata,
    filename: file.name === undefined ? "" : written(file.name),
    mediaType: file.mimeType ?? "",
    content:
      file.bytes === undefined
        ? { $case: "url", value: file.uri ?? "" }
        : { $case: "raw", value: Buffer.from(file.bytes, "base64") },
  };
}
