/** The one line that makes a server speak through a mapper. */

import {
  type CallToolRequest,
  type Icon,
  McpServer,
  type RegisteredTool,
  type ScopeChallengeHandler,
  Server,
  type ServerContext,
  type StandardSchemaWithJSON,
  type Tool,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";

import { Result } from "../core.js";
import { type Answer, type ErrorClass, Failures, type Log, toConsole } from "../failures.js";
import type { Mapper } from "../mapper.js";
import { checkOptions, FUNCTION, ITERABLE, type OptionType } from "../options.js";
import type { OutputSchema } from "../request.js";
import { Border } from "./border.js";
import { Calls } from "./calls.js";
import { type ListHandler, showing } from "./definitions.js";
import { Principal, type PrincipalOf } from "./principal.js";
import type { Returned } from "./returned.js";
import { listable, listedSchema, schemaOf } from "./schemas.js";
import { type ReadHandler, reading } from "./stored.js";

/** What can be said beside the mapper. */
export interface AttachOptions {
  /**
   * Who asks. With it, a mapper's store and clock, a result over the limit is stored and a link
   * sent, which resources/read gives back to the same principal. A principal of the mapper's
   * own counts for nothing here, since it would be everyone's.
   */
  readonly principal?: PrincipalOf;
  /** What becomes of errors that tools throw, by class: see {@link Failures}. */
  readonly failures?: Iterable<readonly [ErrorClass, Answer<never>]>;
  /** Where entries for the host's log go; by default errors and warnings go to the console. */
  readonly log?: Log;
  /** For a low-level server: the output schema of a tool, without asking its list of tools. */
  readonly outputSchema?: (name: string) => OutputSchema | undefined;
}

/** What a tool is registered with: as for the SDK's `registerTool`. */
export interface ToolConfig<In extends StandardSchemaWithJSON | undefined> {
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: In;
  /** The schema of the tool's data: a Standard Schema (zod, …) or a JSON Schema. */
  readonly outputSchema?: StandardSchemaWithJSON | OutputSchema;
  readonly annotations?: ToolAnnotations;
  readonly icons?: Icon[];
  readonly scopeChallenge?: ScopeChallengeHandler;
  readonly _meta?: Record<string, unknown>;
}

/** A tool: with an input schema it gets the arguments first. */
export type ToolFunction<In extends StandardSchemaWithJSON | undefined> =
  In extends StandardSchemaWithJSON
    ? (
        input: StandardSchemaWithJSON.InferOutput<In>,
        context: ServerContext,
      ) => Returned | Promise<Returned>
    : (context: ServerContext) => Returned | Promise<Returned>;

/** The tools of an `McpServer` that return results. */
export interface ResultTools {
  /** As the SDK's `registerTool`, for a tool that may return a result: see {@link Returned}. */
  registerTool<In extends StandardSchemaWithJSON | undefined = undefined>(
    name: string,
    config: ToolConfig<In>,
    tool: ToolFunction<In>,
  ): RegisteredTool;
}

/** The handlers of a low-level server that return results. */
export interface ResultHandlers {
  /** The handler of tools/call, which may return what a tool may return. */
  callTool(
    handler: (request: CallToolRequest, context: ServerContext) => Returned | Promise<Returned>,
  ): void;
}

const attached = new WeakSet<Server>();

const OPTIONS: ReadonlyMap<keyof AttachOptions, OptionType> = new Map([
  ["principal", FUNCTION],
  ["failures", ITERABLE],
  ["log", FUNCTION],
  ["outputSchema", FUNCTION],
]);

/**
 * Have the tools of a server answer through a mapper: `const tools = attach(server, mapper)`.
 *
 * Call it before the server has tools. Those that are registered with what it returns may return
 * a `Result`, a legacy string, a plain value or the SDK's own result, and each client gets what
 * its revision has. `mapper` says the phase; it must have one.
 *
 * Throws Error for a server that is attached already or has tools; RangeError for a mapper with
 * a store and no clock; TypeError for options that there are not; UnknownTargetError for a mapper without a phase; ResultError for an
 * unknown error code.
 */
export function attach(server: McpServer, mapper: Mapper, options?: AttachOptions): ResultTools;
export function attach(server: Server, mapper: Mapper, options?: AttachOptions): ResultHandlers;
export function attach(
  server: McpServer | Server,
  mapper: Mapper,
  options: AttachOptions = {},
): ResultTools | ResultHandlers {
  checkOptions(options, OPTIONS, "attach");
  // A mapper that cannot render is known now, and not when the first tool has run.
  mapper.render(Result.success(), {
    target: "mcp-handshake",
    revision: "2024-11-05",
    limit: null,
  });
  const lowlevel = server instanceof McpServer ? server.server : server;
  if (attached.has(lowlevel)) {
    throw new Error("this server is attached already");
  }
  try {
    lowlevel.assertCanSetRequestHandler("tools/call");
  } catch (cause) {
    throw new Error(
      "the server has tools already; attach it first (an McpServer that is given the " +
        "capability `tools` has them from the start: leave it out, the first tool declares it)",
      { cause },
    );
  }
  attached.add(lowlevel);
  return server instanceof McpServer
    ? new Attached(lowlevel, mapper, options).tools(server)
    : new Attached(lowlevel, mapper, options).handlers();
}

/** What stands between a server's handlers and the SDK. */
class Attached {
  readonly #server: Server;
  readonly #log: Log;
  readonly #calls: Calls;
  readonly #schemas = new Map<string, OutputSchema>();
  readonly #ours = new Set<string>();
  readonly #options: AttachOptions;
  #list: ListHandler | undefined;
  #isLowlevel = false;

  constructor(server: Server, mapper: Mapper, options: AttachOptions) {
    this.#server = server;
    this.#options = options;
    this.#log = options.log ?? toConsole;
    const border = new Border(server);
    const stores = mapper.store !== undefined && options.principal !== undefined;
    const principal = new Principal(stores ? options.principal : undefined, this.#log);
    this.#calls = new Calls({
      server,
      border,
      mapper,
      principal,
      failures: new Failures(options.failures, this.#log),
      isOurs: (name) => this.#ours.has(name),
      schemaOf: (name, context) => this.#schemaOf(name, context),
    });
    const wrap: Wraps = {
      "tools/call": (own) => (this.#isLowlevel ? own : this.#calls.sending(own as never)),
      "tools/list": (own) => {
        this.#list = own as ListHandler;
        const declared = (tool: Tool): OutputSchema | undefined => this.#declared(tool);
        return showing(this.#list, server, declared, this.#log);
      },
    };
    const { store, clock } = mapper;
    const preset: string[] = [];
    if (stores && store !== undefined && clock !== undefined) {
      const given = { server, border, store, clock, principal, log: this.#log };
      wrap["resources/read"] = (own) => reading(given, own as ReadHandler);
      server.registerCapabilities({ resources: {} });
      server.setRequestHandler("resources/read", reading(given, undefined));
      // Without a list the SDK tells no client that the server has resources at all. Stored
      // results are in no list: each has a link of its own, for one principal.
      server.setRequestHandler("resources/list", () => ({ resources: [] }));
      preset.push("resources/read", "resources/list");
    }
    intercept(server, wrap, preset);
  }

  tools(server: McpServer): ResultTools {
    return {
      registerTool: (name, config, tool) => {
        const { outputSchema, inputSchema, ...rest } = config;
        const input = listable(inputSchema, name, this.#log);
        const call = tool as (...given: unknown[]) => unknown;
        const run = (...given: unknown[]): Promise<unknown> =>
          this.#calls.run(name, given[given.length - 1] as ServerContext, () => call(...given));
        const registered = server.registerTool(
          name,
          { ...rest, inputSchema: input } as never,
          run as never,
        );
        this.#ours.add(name);
        const schema = schemaOf(outputSchema, name, this.#log);
        if (schema !== undefined) {
          this.#schemas.set(name, schema);
        }
        return registered;
      },
    };
  }

  handlers(): ResultHandlers {
    this.#isLowlevel = true;
    return {
      callTool: (handler) => {
        const sending = this.#calls.sendingReturned(handler as never);
        this.#server.setRequestHandler("tools/call", sending);
      },
    };
  }

  #declared(tool: Tool): OutputSchema | undefined {
    if (this.#options.outputSchema !== undefined) {
      return this.#told(tool.name);
    }
    return this.#schemas.get(tool.name) ?? tool.outputSchema;
  }

  async #schemaOf(name: string, context: ServerContext): Promise<OutputSchema | undefined> {
    if (this.#options.outputSchema !== undefined) {
      return this.#told(name);
    }
    if (!this.#isLowlevel) {
      return this.#schemas.get(name);
    }
    try {
      // Asked as this very client would ask, on each call, since nothing is remembered.
      return await listedSchema(this.#list, name, context);
    } catch (error) {
      // The tool has done its work: its result goes out, if without a schema.
      const message = `the list of tools fails, so that ${name} has no output schema`;
      this.#log({ level: "error", message, error });
      return undefined;
    }
  }

  #told(name: string): OutputSchema | undefined {
    try {
      return this.#options.outputSchema?.(name);
    } catch (error) {
      const message = `the output schema of the tool ${name} cannot be told`;
      this.#log({ level: "error", message, error });
      return undefined;
    }
  }
}

type Handler = (request: never, context: ServerContext) => unknown;
type Wraps = Record<string, (own: Handler) => Handler>;

/**
 * Has the handlers that the server is given from now on wrapped, by their method.
 *
 * `preset` are methods that have a handler of ours, which one of the server's may replace.
 */
function intercept(server: Server, wraps: Wraps, preset: readonly string[]): void {
  const set = server.setRequestHandler.bind(server) as (...given: unknown[]) => void;
  const check = server.assertCanSetRequestHandler.bind(server);
  const replaceable = new Set(preset);
  server.setRequestHandler = ((method: string, ...rest: unknown[]): void => {
    const own = rest[0];
    const wrap = Object.hasOwn(wraps, method) ? wraps[method] : undefined;
    replaceable.delete(method);
    if (wrap === undefined || typeof own !== "function") {
      set(method, ...rest);
    } else {
      set(method, wrap(own as Handler));
    }
  }) as Server["setRequestHandler"];
  server.assertCanSetRequestHandler = (method) => {
    if (!replaceable.has(method)) {
      check(method);
    }
  };
}
