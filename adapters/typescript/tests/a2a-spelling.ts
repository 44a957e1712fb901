/**
 * How revision 0.3 over REST spells a task: as the protobuf types of 0.3 do, not as its JSON schema.
 *
 * The values are the same, and are compared after they have been respelled here: states and roles,
 * `content` for the parts of a message, files flat, data inside `data`, no `kind`.
 */

import type { Json } from "./a2a-raw.js";

/** A task as JSON-RPC spells it. */
export function taskOfRest(task: Json): Json {
  const artifacts = task["artifacts"] as Json[] | undefined;
  return {
    ...task,
    status: status(task["status"] as Json),
    ...(artifacts === undefined
      ? {}
      : { artifacts: artifacts.map((one) => ({ ...one, parts: parts(one["parts"]) })) }),
  };
}

function status(given: Json): Json {
  const state = lower(given["state"], "TASK_STATE_");
  const message = given["message"] as Json | undefined;
  if (message === undefined) {
    return { ...given, state };
  }
  const { content, role, ...rest } = message;
  const respelled = {
    ...rest,
    kind: "message",
    role: lower(role, "ROLE_"),
    parts: parts(content),
  };
  return { ...given, state, message: respelled };
}

function lower(name: unknown, prefix: string): string {
  return String(name).slice(prefix.length).toLowerCase();
}

function parts(given: unknown): Json[] {
  return (given as Json[]).map(({ text, file, data, metadata, ...foreign }) => ({
    ...foreign,
    ...(metadata === undefined ? {} : { metadata }),
    ...(file !== undefined
      ? { kind: "file", file: fileOf(file as Json) }
      : data !== undefined
        ? { kind: "data", data: (data as Json)["data"] }
        : { kind: "text", text }),
  }));
}

function fileOf({ fileWithUri, fileWithBytes, ...rest }: Json): Json {
  return fileWithUri === undefined
    ? { ...rest, bytes: fileWithBytes }
    : { ...rest, uri: fileWithUri };
}
