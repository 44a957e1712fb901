/** The events of a task that ends with a result. */

import { type Message, type Task, TaskState, taskStateFromJSON } from "@a2a-js/sdk";
import { AgentEvent, type AgentExecutionEvent } from "@a2a-js/sdk/server";

import type { Given } from "../given.js";
import { Mapper } from "../mapper.js";
import { artifactOf, messageOf, type Wire } from "./border.js";

const PLAIN = new Mapper();

/** What {@link resultEvents} needs beside the result. */
export interface EventOptions {
  readonly taskId: string;
  readonly contextId: string;
  /** The settings of renderings. */
  readonly mapper?: Mapper;
  /** The time of the status; by default it is taken from the system. */
  readonly now?: Date;
}

/**
 * The events that end a task with a result: its artifact, if it has one, and its status.
 *
 * `result` is what `resultOf` takes. A failure gives the state failed with a message, anything else
 * the state completed. Throws what `Mapper.render` throws.
 */
export function resultEvents(result: Given, options: EventOptions): AgentExecutionEvent[] {
  const { taskId, contextId, mapper = PLAIN, now } = options;
  // No integer is beyond 2^53 in it: those go as texts, since doubles would round them.
  const wire = JSON.parse(mapper.render(result, "a2a@1.0").text) as {
    readonly status: { readonly state: string; readonly message?: Wire };
    readonly artifacts?: readonly Wire[];
    readonly metadata?: Wire;
  };
  const artifacts = (wire.artifacts ?? []).map((artifact) =>
    AgentEvent.artifactUpdate({
      taskId,
      contextId,
      artifact: artifactOf(artifact),
      append: false,
      lastChunk: true,
      metadata: undefined,
    }),
  );
  const { state, message } = wire.status;
  const status = statusOf(taskStateFromJSON(state), now, message && messageOf(message));
  const { metadata } = wire;
  return [...artifacts, AgentEvent.statusUpdate({ taskId, contextId, status, metadata })];
}

/** The task that a message began or goes on with, which is worked on. */
export function begun(
  taskId: string,
  contextId: string,
  message: Message,
  before: Task | undefined,
): AgentExecutionEvent {
  return AgentEvent.task({
    id: taskId,
    contextId,
    status: statusOf(TaskState.TASK_STATE_WORKING),
    artifacts: before?.artifacts ?? [],
    history: before === undefined ? [message] : before.history,
    metadata: before?.metadata,
  });
}

/** The event that a task is cancelled. */
export function cancelled(taskId: string, contextId: string): AgentExecutionEvent {
  const status = statusOf(TaskState.TASK_STATE_CANCELED);
  return AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined });
}

function statusOf(
  state: TaskState,
  now: Date = new Date(),
  message?: Message,
): NonNullable<Task["status"]> {
  return { state, message, timestamp: now.toISOString() };
}
