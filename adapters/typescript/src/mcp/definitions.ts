/**
 * tools/list: shows each tool as the revision takes it, so that no tool spoils the list.
 *
 * A tool's output schema is not the SDK's to show: it has one form for all revisions with a
 * handshake, shows it to clients that do not know it, and fails for the whole list where one
 * schema has no JSON form.
 */

import type {
  ListToolsRequest,
  ListToolsResult,
  Server,
  ServerContext,
  Tool,
} from "@modelcontextprotocol/server";

import { canonical, parseJson, ResultError } from "../core.js";
import type { Log } from "../failures.js";
import { advertised, HANDSHAKE } from "../output-schema.js";
import type { OutputSchema } from "../request.js";
import { InexactError, type Wire, withRawIntegers } from "./encodable.js";
import { type Format, formatOf } from "./era.js";
import { faultOf } from "./schema-check.js";

export type ListHandler = (
  request: ListToolsRequest,
  context: ServerContext,
) => ListToolsResult | Promise<ListToolsResult>;
/** The schema of a listed tool's data, before any wrapping. Never throws. */
type Declared = (tool: Tool) => OutputSchema | undefined;

/** The strictest that an input schema meets. */
const AS_OBJECT: Format = { target: HANDSHAKE, revision: "2025-06-18" };

/** A handler of tools/list around the server's own. The order is that of the server. */
export function showing(
  own: ListHandler,
  server: Server,
  declared: Declared,
  log: Log,
): ListHandler {
  const told = new Set<string>();
  return async (request, context) => {
    const page = await own(request, context);
    const format = formatOf(server, context);
    return { ...page, tools: page.tools.map((tool) => shown(tool, format)) };
  };

  function shown(tool: Tool, { target, revision }: Format): Tool {
    const { inputSchema, outputSchema: _output, _meta, ...rest } = tool;
    const made: Tool = { ...rest, inputSchema: inputOf(tool.name, inputSchema) };
    const of = declared(tool);
    const fault = of === undefined ? undefined : outputFault(of);
    if (fault !== undefined) {
      warn(`the output schema of the tool ${tool.name} is none, and not shown: ${fault}`);
    } else {
      const schema = exact(advertised(of, target, revision));
      if (schema !== undefined) {
        made.outputSchema = schema as NonNullable<Tool["outputSchema"]>;
      }
    }
    if (_meta !== undefined) {
      const meta = sendable(_meta);
      if (meta === undefined) {
        warn(`the meta of the tool ${tool.name} cannot be sent as JSON; it is not shown`);
      } else {
        made._meta = meta;
      }
    }
    return made;
  }

  /** The schema of the arguments; they are an object in every revision. */
  function inputOf(name: string, schema: Tool["inputSchema"]): Tool["inputSchema"] {
    const fault = faultOf(schema);
    if (fault === undefined && (schema as { type?: unknown }).type === "object") {
      const usable = exact(asObject(schema));
      if (usable !== undefined) {
        return usable as Tool["inputSchema"];
      }
    }
    const why = fault ?? "it is none of an object";
    warn(`the input schema of the tool ${name} is none; any arguments are shown: ${why}`);
    return { type: "object" };
  }

  /** Once: a list is asked for often. */
  function warn(message: string): void {
    if (!told.has(message)) {
      told.add(message);
      log({ level: "warning", message });
    }
  }
}

/** Why an output schema is shown to nobody, whatever the revision. */
function outputFault(schema: OutputSchema): string | undefined {
  const fault = faultOf(schema);
  if (fault !== undefined) {
    return fault;
  }
  return exact(asObject(schema)) === undefined
    ? "it is no schema of an object's properties, or not to this JavaScript"
    : undefined;
}

/** A schema as the strictest revision takes it. */
function asObject(schema: unknown): object | undefined {
  return advertised(schema, AS_OBJECT.target, AS_OBJECT.revision);
}

/** An object as it can be sent; undefined for what is no JSON, or not to this JavaScript. */
function sendable(value: object): Wire | undefined {
  try {
    return exact(parseJson(canonical(value)));
  } catch (error) {
    if (error instanceof ResultError) {
      return undefined;
    }
    throw error;
  }
}

/** A value of JSON with integers that the encoder writes; undefined where it has no way to. */
function exact(value: unknown): Wire | undefined {
  try {
    return withRawIntegers(value) as Wire | undefined;
  } catch (error) {
    if (error instanceof InexactError) {
      return undefined;
    }
    throw error;
  }
}
