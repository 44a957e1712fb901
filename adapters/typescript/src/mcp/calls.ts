/** tools/call: runs the tool, and has its result sent in the form that the request speaks. */

import {
  type CallToolRequest,
  type JSONRPCMessage,
  ProtocolError,
  type Result as SdkResult,
  type Server,
  SERVER_INFO_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";

import { Result } from "../core.js";
import { type Failures, invalidArguments } from "../failures.js";
import type { Mapper } from "../mapper.js";
import { hasStructuredContent } from "../output-schema.js";
import type { Rendering } from "../rendering.js";
import type { OutputSchema, Request } from "../request.js";
import type { Border } from "./border.js";
import { encodable, InexactError, type Wire } from "./encodable.js";
import { formatOf } from "./era.js";
import { asResult, type Passed } from "./returned.js";
import type { Principal } from "./principal.js";

/** What the SDK has in hand while a result of ours is on its way: every revision takes it. */
const STAND_IN = { content: [], isError: true } as const;

const INEXACT =
  "The result holds an integer beyond 2^53, which this server's JavaScript cannot send.";

type CallHandler = (request: CallToolRequest, context: ServerContext) => unknown;
type SchemaOf = (name: string, context: ServerContext) => Promise<OutputSchema | undefined>;

/** What a tool brought, and what is to become of it. */
type Brought =
  | { readonly kind: "result"; readonly result: Result }
  | { readonly kind: "passed"; readonly passed: Passed }
  | { readonly kind: "thrown"; readonly error: ProtocolError };

/** The settings of {@link Calls}. */
export interface CallsOptions {
  readonly server: Server;
  readonly border: Border;
  readonly mapper: Mapper;
  readonly failures: Failures;
  readonly principal: Principal;
  readonly schemaOf: SchemaOf;
  /** Whether a tool is one whose arguments the SDK checks for us. */
  readonly isOurs: (name: string) => boolean;
}

/** The handler of tools/call, and the way of a tool's result to it. */
export class Calls {
  readonly #options: CallsOptions;
  // By the context of a request, which lives as long as the request does.
  readonly #brought = new WeakMap<ServerContext, Brought>();

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /**
   * Runs a tool, and keeps what it brought for the handler around it.
   *
   * What is returned is for the SDK: its own result, or a stand-in. It counts as an error, so
   * that the SDK holds it against no output schema.
   */
  async run(name: string, context: ServerContext, tool: () => unknown): Promise<Passed> {
    const brought = await this.#bring(name, tool);
    this.#brought.set(context, brought);
    return brought.kind === "passed" ? brought.passed : { ...STAND_IN, content: [] };
  }

  /** A handler of tools/call around the server's own, with results sent as they are meant. */
  sending(own: CallHandler): (request: CallToolRequest, context: ServerContext) => Promise<never> {
    return async (request, context) => {
      const { name } = request.params;
      // First, so that a request whose sender cannot be told does nothing at all.
      const who = await this.#options.principal.of(context);
      const returned = await this.#returned(own, request, context);
      const brought = this.#brought.get(context);
      if (brought?.kind === "thrown") {
        throw brought.error;
      }
      let result = brought?.kind === "result" ? brought.result : undefined;
      if (brought === undefined && this.#options.isOurs(name)) {
        // The SDK has not come to the tool: it has refused the arguments.
        result = invalidArguments(textOf(returned));
      }
      if (result === undefined) {
        return returned as never;
      }
      const wire = await this.#wire(name, result, who, context);
      this.#options.border.sendOver(context, (message) => laidOver(message, wire));
      return { ...STAND_IN, content: [] } as never;
    };
  }

  /** The same for a server whose handler returns what a tool may return. */
  sendingReturned(
    own: CallHandler,
  ): (request: CallToolRequest, context: ServerContext) => Promise<never> {
    return this.sending((request, context) =>
      this.run(request.params.name, context, () => own(request, context)),
    );
  }

  async #bring(name: string, tool: () => unknown): Promise<Brought> {
    try {
      const value = asResult(await tool());
      return value instanceof Result
        ? { kind: "result", result: value }
        : { kind: "passed", passed: value };
    } catch (error) {
      if (error instanceof ProtocolError) {
        return { kind: "thrown", error };
      }
      return { kind: "result", result: this.#options.failures.result(name, error) };
    }
  }

  async #returned(
    own: CallHandler,
    request: CallToolRequest,
    context: ServerContext,
  ): Promise<unknown> {
    try {
      return await own(request, context);
    } catch (error) {
      if (error instanceof ProtocolError) {
        throw error;
      }
      const result = this.#options.failures.result(request.params.name, error);
      this.#brought.set(context, { kind: "result", result });
      return undefined;
    }
  }

  async #wire(
    name: string,
    result: Result,
    principal: string | undefined,
    context: ServerContext,
  ): Promise<Wire> {
    const { mapper, failures, server, schemaOf } = this.#options;
    const format = formatOf(server, context);
    const schema = hasStructuredContent(format.target, format.revision)
      ? await schemaOf(name, context)
      : undefined;
    const request: Request = {
      ...format,
      ...(schema === undefined ? {} : { outputSchema: schema }),
      principal: principal ?? null,
    };
    const plain: Request = { ...request, store: null, stamp: false };
    let rendering: Rendering;
    try {
      rendering = await mapper.renderAsync(result, request);
    } catch (error) {
      // the store's, where the mapper is to fail with it
      rendering = mapper.render(failures.result(name, error), plain);
    }
    try {
      return encodable(rendering);
    } catch (error) {
      if (!(error instanceof InexactError)) {
        throw error;
      }
      return encodable(mapper.render(Result.failure("tool_error", INEXACT), plain));
    }
  }
}

/** Our output in place of the stand-in, with the stamp that the SDK put on that. */
function laidOver(message: JSONRPCMessage, wire: Wire): JSONRPCMessage {
  if (!("result" in message)) {
    return message;
  }
  const sent = message.result as SdkResult;
  const stamp = sent._meta?.[SERVER_INFO_META_KEY];
  const result =
    stamp === undefined
      ? wire
      : { ...wire, _meta: { ...(wire["_meta"] as Wire), [SERVER_INFO_META_KEY]: stamp } };
  return { ...message, result: result as SdkResult };
}

/** The SDK's words for arguments that it refuses, without what it puts before them. */
function textOf(returned: unknown): string {
  const [block] = (returned as { content?: { text?: unknown }[] } | undefined)?.content ?? [];
  const text = typeof block?.text === "string" ? block.text : "";
  return text.replace(/^.*?Invalid arguments for tool [^:]*: /s, "");
}
