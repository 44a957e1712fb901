/** The output schemas of tools, as JSON Schema. */

import type { ServerContext, StandardSchemaWithJSON } from "@modelcontextprotocol/server";

import type { Log } from "../failures.js";
import type { OutputSchema } from "../request.js";
import type { ListHandler } from "./definitions.js";

/** Pages of a list of tools that are looked through: a list without end ends here. */
const MOST_PAGES = 100;

/**
 * The JSON Schema of a tool's data; undefined where it has none.
 *
 * Never throws: one tool's odd schema must not keep a server from starting.
 */
export function schemaOf(
  declared: StandardSchemaWithJSON | OutputSchema | undefined,
  tool: string,
  log: Log,
): OutputSchema | undefined {
  if (declared === undefined || typeof declared === "boolean" || !isStandard(declared)) {
    return declared as OutputSchema | undefined;
  }
  try {
    return declared["~standard"].jsonSchema.output({ target: "draft-2020-12" });
  } catch (error) {
    const message = `the output schema of the tool ${tool} has no JSON Schema, and is not shown`;
    log({ level: "warning", message, error });
    return undefined;
  }
}

/**
 * A tool's input schema as the SDK can list it; one without a JSON Schema as any object.
 *
 * The SDK fails for the whole list where one has none. What is checked stays the same.
 */
export function listable<In extends StandardSchemaWithJSON | undefined>(
  schema: In,
  tool: string,
  log: Log,
): In {
  if (schema === undefined) {
    return schema;
  }
  const standard = schema["~standard"];
  try {
    const { type = "object" } = standard.jsonSchema.input({ target: "draft-2020-12" });
    if (type === "object") {
      return schema;
    }
  } catch {
    // as below
  }
  const message = `the input schema of the tool ${tool} is none of an object; any arguments are shown`;
  log({ level: "warning", message });
  const any = (): Record<string, unknown> => ({ type: "object" });
  const shown = { ...standard, jsonSchema: { input: any, output: any } };
  return { "~standard": shown } as unknown as In;
}

/** The output schema of a tool in the server's own list. Throws what its handler throws. */
export async function listedSchema(
  list: ListHandler | undefined,
  name: string,
  context: ServerContext,
): Promise<OutputSchema | undefined> {
  let cursor: string | undefined;
  for (let page = 0; list !== undefined && page < MOST_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await list({ method: "tools/list", params }, context);
    const found = tools.find((tool) => tool.name === name);
    if (found !== undefined) {
      return found.outputSchema;
    }
    if (nextCursor === undefined) {
      break;
    }
    cursor = nextCursor;
  }
  return undefined;
}

function isStandard(schema: object): schema is StandardSchemaWithJSON {
  return "~standard" in schema;
}
