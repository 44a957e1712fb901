/** Runs a tool as the agent of an A2A server, and ends its task with the tool's result. */

import type { AgentExecutor, ExecutionEventBus, RequestContext } from "@a2a-js/sdk/server";

import { Failures, type Log, toConsole } from "../failures.js";
import type { Given } from "../given.js";
import { Mapper } from "../mapper.js";
import { checkOptions, FUNCTION, type OptionType } from "../options.js";
import { begun, cancelled, resultEvents } from "./events.js";

/**
 * Gives a result, or what `resultOf` takes, for a request. `signal` is aborted when the task is
 * cancelled.
 */
export type Tool = (context: RequestContext, signal: AbortSignal) => Given | Promise<Given>;

/** The settings of a {@link ResultExecutor}. */
export interface ExecutorOptions {
  /** The settings of renderings. */
  readonly mapper?: Mapper;
  /** Where entries for the host's log go; by default errors go to the console. */
  readonly log?: Log;
}

const MAPPER: OptionType = ["a Mapper", (value) => value instanceof Mapper];
const OPTIONS: ReadonlyMap<keyof ExecutorOptions, OptionType> = new Map([
  ["mapper", MAPPER],
  ["log", FUNCTION],
]);

/** One execution. Who ends its task first is the one who ends it. */
interface Turn {
  readonly contextId: string;
  readonly stop: AbortController;
  ended: boolean;
}

/**
 * Runs one tool for every message: `new ResultExecutor(tool)`.
 *
 * The task is worked on while the tool runs and ends with its result: completed, or failed with a
 * readable message. An error is a failure `tool_error` whose message says nothing of it but a
 * reference that the log has too. A cancelled task ends as cancelled, whatever the tool makes of
 * that.
 */
export class ResultExecutor implements AgentExecutor {
  readonly #tool: Tool;
  readonly #mapper: Mapper | undefined;
  readonly #failures: Failures;
  readonly #turns = new Map<string, Turn>();

  /** Throws TypeError for options that there are not, or of another type. */
  constructor(tool: Tool, options: ExecutorOptions = {}) {
    checkOptions(options, OPTIONS, "ResultExecutor");
    const { mapper, log = toConsole } = options;
    this.#tool = tool;
    this.#mapper = mapper;
    this.#failures = new Failures([], log);
  }

  /** Runs the tool and publishes the events of its task. Throws nothing. */
  execute = async (context: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const { taskId, contextId } = context;
    const turn: Turn = { contextId, stop: new AbortController(), ended: false };
    this.#turns.set(taskId, turn);
    try {
      bus.publish(begun(taskId, contextId, context.userMessage, context.task));
      const events = await this.#events(context, turn.stop.signal);
      if (!turn.ended) {
        turn.ended = true;
        for (const event of events) {
          bus.publish(event);
        }
        bus.finished();
      }
    } finally {
      if (this.#turns.get(taskId) === turn) {
        this.#turns.delete(taskId);
      }
    }
  };

  /** Ends the task as cancelled, unless it has just ended, and tells the tool. */
  cancelTask = async (taskId: string, bus: ExecutionEventBus): Promise<void> => {
    const turn = this.#turns.get(taskId);
    if (turn === undefined || turn.ended) {
      return;
    }
    turn.ended = true;
    turn.stop.abort();
    bus.publish(cancelled(taskId, turn.contextId));
    bus.finished();
  };

  async #events(
    context: RequestContext,
    signal: AbortSignal,
  ): Promise<ReturnType<typeof resultEvents>> {
    const { taskId, contextId } = context;
    try {
      const given = await this.#tool(context, signal);
      const mapper = this.#mapper;
      return resultEvents(given, { taskId, contextId, ...(mapper && { mapper }) });
    } catch (error) {
      const name = "of this agent";
      // Without the mapper, whose settings may be what failed.
      return resultEvents(this.#failures.result(name, error), { taskId, contextId });
    }
  }
}
