/** The SDK's request handler, with answers that carry all that the mapping has. */

import type {
  Artifact,
  Message,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from "@a2a-js/sdk";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";

import { withNames } from "./border.js";
import { artifact03, message03 } from "./revision-03.js";

/** How what an answer holds is written for one revision. */
export interface Writing {
  artifact(artifact: Artifact): Artifact;
  message(message: Message): Message;
}

const NOW: Writing = { artifact: withNames, message: withNames };
const BEFORE: Writing = { artifact: artifact03, message: message03 };
const AS_IS: Writing = { artifact: (artifact) => artifact, message: (message) => message };

/**
 * A request handler around the SDK's: `jsonRpcHandler({ requestHandler: withResults(handler), … })`.
 *
 * Every transport takes it. A request without the header `A2A-Version` counts as 0.3.
 */
export function withResults(handler: A2ARequestHandler): A2ARequestHandler {
  return rewritten(handler, (version) => (isOld(version) ? BEFORE : NOW));
}

/** Whether a request with that header is one of revision 0.3, as the SDK has it. */
export function isOld(version: string | undefined): boolean {
  return /^\s*(?:0\.[0-9]|$)/.test(version ?? "");
}

/** A request handler around another, with answers written as the version of a request asks. */
export function rewritten(
  handler: A2ARequestHandler,
  writingOf: (version: string | undefined) => Writing | undefined,
): A2ARequestHandler {
  const writing = ({ requestedVersion }: { readonly requestedVersion?: string }): Writing =>
    writingOf(requestedVersion) ?? AS_IS;
  const answers: Partial<A2ARequestHandler> = {
    sendMessage: async (params, context) => {
      const answer = await handler.sendMessage(params, context);
      return "messageId" in answer
        ? writing(context).message(answer)
        : task(answer, writing(context));
    },
    getTask: async (params, context) =>
      task(await handler.getTask(params, context), writing(context)),
    cancelTask: async (params, context) =>
      task(await handler.cancelTask(params, context), writing(context)),
    listTasks: async (params, context) => {
      const found = await handler.listTasks(params, context);
      return { ...found, tasks: found.tasks.map((one) => task(one, writing(context))) };
    },
    sendMessageStream: (params, context) =>
      stream(handler.sendMessageStream(params, context), writing(context)),
    resubscribe: (params, context) =>
      stream(handler.resubscribe(params, context), writing(context)),
  };
  return new Proxy(handler, {
    get: (target, name) => {
      const ours = Object.hasOwn(answers, name) ? Reflect.get(answers, name) : undefined;
      if (ours !== undefined) {
        return ours as unknown;
      }
      const own: unknown = Reflect.get(target, name, target);
      return typeof own === "function" ? (own.bind(target) as unknown) : own;
    },
  });
}

function task(given: Task, write: Writing): Task {
  return {
    ...given,
    status: status(given.status, write),
    artifacts: given.artifacts.map((one) => write.artifact(one)),
    history: given.history.map((one) => write.message(one)),
  };
}

function status(given: Task["status"], write: Writing): Task["status"] {
  return given?.message === undefined ? given : { ...given, message: write.message(given.message) };
}

async function* stream(
  events: AsyncGenerator<StreamResponse, void, undefined>,
  write: Writing,
): AsyncGenerator<StreamResponse, void, undefined> {
  for await (const event of events) {
    yield { ...event, payload: payload(event.payload, write) };
  }
}

function payload(given: StreamResponse["payload"], write: Writing): StreamResponse["payload"] {
  switch (given?.$case) {
    case "task":
      return { $case: "task", value: task(given.value, write) };
    case "message":
      return { $case: "message", value: write.message(given.value) };
    case "artifactUpdate": {
      const value: TaskArtifactUpdateEvent = given.value;
      const { artifact } = value;
      return artifact === undefined
        ? given
        : { $case: "artifactUpdate", value: { ...value, artifact: write.artifact(artifact) } };
    }
    case "statusUpdate": {
      const value: TaskStatusUpdateEvent = given.value;
      return { $case: "statusUpdate", value: { ...value, status: status(value.status, write) } };
    }
    case undefined:
      return given;
  }
}
