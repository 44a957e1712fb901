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

import type { Log } from "../failures.js";
import { advertised } from "../output-schema.js";
import type { OutputSchema } from "../request.js";
import { type Format, formatOf, HANDSHAKE } from "./era.js";

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
  return async (request, context) => {
    const page = await own(request, context);
    const format = formatOf(server, context);
    return { ...page, tools: page.tools.map((tool) => shown(tool, format)) };
  };

  function shown(tool: Tool, { target, revision }: Format): Tool {
    const { outputSchema: _, ...rest } = tool;
    const of = declared(tool);
    const schema = advertised(of, target, revision);
    if (schema !== undefined) {
      return { ...rest, outputSchema: schema as NonNullable<Tool["outputSchema"]> };
    }
    if (of !== undefined && advertised(of, AS_OBJECT.target, AS_OBJECT.revision) === undefined) {
      const message = `the output schema of the tool ${tool.name} is none; it is not shown`;
      log({ level: "warning", message });
    }
    return rest;
  }
}
