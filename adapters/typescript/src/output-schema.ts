/**
 * How a tool's output schema is advertised, and whether its data is wrapped.
 *
 * A handshake revision of MCP demands `type: object` at the root of an output schema. A schema of
 * any other root is advertised as that of `{"result": …}`, and then the data is sent like that.
 * Nothing here throws: one tool's odd schema must not spoil the list of all tools.
 */

import { canonical, isObject, memberOf, NAMESPACE, put } from "./core.js";

/** The key that says of a schema, as of a result, that it is wrapped. */
const MARKER = `${NAMESPACE}/wrapped`;

export const HANDSHAKE = "mcp-handshake";
export const STATELESS = "mcp-stateless";
/** The first handshake revision with structured content and output schemas. */
const FIRST = "2025-06-18";

const AT_RESULT = "#/properties/result";
const HOISTED: readonly string[] = ["$defs", "definitions"];
const REFERENCES: readonly string[] = ["$ref", "$dynamicRef"];
/** Keywords whose keys are names, so that one called `$ref` is no reference. */
const MAPS: readonly string[] = [
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  ...HOISTED,
];
/** Keywords that hold values and no schemas. */
const DATA: readonly string[] = ["const", "enum", "default", "examples", "example", "required"];

type Schema = Record<string, unknown>;

/** Whether results of this revision have structured content, which a schema describes. */
export function hasStructuredContent(target: string, revision: string): boolean {
  return target === STATELESS || wraps(target, revision);
}

/** Whether this revision takes nothing but objects as structured content. */
function wraps(target: string, revision: string): boolean {
  return target === HANDSHAKE && revision >= FIRST;
}

/** Whether a schema is advertised wrapped, and the tool's data with it. */
export function isWrapped(schema: unknown, target: string, revision: string): boolean {
  return wraps(target, revision) && !isObjectRoot(schema) && usable(schema) !== undefined;
}

/**
 * The output schema that a list of tools shows; undefined where it shows none.
 *
 * None before 2025-06-18, for a target without output schemas, and for what is no JSON Schema (no
 * object and no boolean, not JSON, nested deeper than 100). Never throws.
 */
export function advertised(schema: unknown, target: string, revision: string): Schema | undefined {
  if (!hasStructuredContent(target, revision)) {
    return undefined;
  }
  const found = usable(schema);
  if (found === undefined || !wraps(target, revision)) {
    return found;
  }
  return isObjectRoot(found) ? plainObject(found) : wrapped(found);
}

function isObjectRoot(schema: unknown): boolean {
  return isObject(schema) && memberOf(schema, "type") === "object";
}

/** A copy of a schema as an object; undefined for what is no JSON Schema. */
function usable(schema: unknown): Schema | undefined {
  if (typeof schema === "boolean") {
    return asObject(schema) as Schema;
  }
  if (!isObject(schema)) {
    return undefined;
  }
  try {
    canonical(schema); // refuses what is not JSON, cycles and deep nesting
  } catch {
    return undefined;
  }
  const dialect = memberOf(schema, "$schema");
  return dialect === undefined || typeof dialect === "string"
    ? (copy(schema) as Schema)
    : undefined;
}

/**
 * A schema of objects as the revisions take it; undefined where it cannot be one.
 *
 * Their definition of a tool has no boolean among the properties, so those are spelled out.
 */
function plainObject(schema: Schema): Schema | undefined {
  const properties = memberOf(schema, "properties");
  const required = memberOf(schema, "required") ?? [];
  if (!Array.isArray(required) || !required.every((name) => typeof name === "string")) {
    return undefined;
  }
  if (properties === undefined) {
    return schema;
  }
  if (!isObject(properties)) {
    return undefined;
  }
  const spelled = mapped(properties, asObject);
  return Object.values(spelled).every(isObject) ? { ...schema, properties: spelled } : undefined;
}

/** The schema of `{"result": …}`, its references still valid. */
function wrapped(schema: Schema): Schema {
  const head: Schema = {};
  const hoisted: Schema = {};
  let inner = schema;
  // A schema with an address of its own is a resource: its references are resolved against its
  // own root wherever it stands, so that nothing in it may change.
  if (!isResource(schema)) {
    inner = rerooted(schema);
    if (Object.hasOwn(inner, "$schema")) {
      head["$schema"] = inner["$schema"]; // allowed at the root of a resource only
      delete inner["$schema"];
    }
    for (const key of HOISTED) {
      const definitions = memberOf(inner, key);
      if (isObject(definitions)) {
        hoisted[key] = definitions;
        delete inner[key];
      }
    }
  }
  return {
    ...head,
    type: "object",
    properties: { result: inner },
    required: ["result"],
    ...hoisted,
    [MARKER]: true,
  };
}

function isResource(schema: object): boolean {
  const address = memberOf(schema, "$id");
  return typeof address === "string" && address !== "" && !address.startsWith("#");
}

/**
 * A copy whose references hold once the schema stands below the new root.
 *
 * Goes no deeper than the canonical writer, which has seen the schema already.
 */
function rerooted(schema: Schema): Schema {
  const moved: Schema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (REFERENCES.includes(key) && typeof value === "string") {
      moved[key] = reference(value);
    } else if (key === "$recursiveRef" && value === "#" && !Object.hasOwn(schema, "$ref")) {
      // 2019-09 lets it name the root alone, which is now another one
      moved["$ref"] = AT_RESULT;
    } else if (DATA.includes(key)) {
      put(moved, key, value);
    } else if (MAPS.includes(key) && isObject(value)) {
      put(moved, key, mapped(value, below));
    } else {
      put(moved, key, below(value));
    }
  }
  return moved;
}

function below(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(below);
  }
  if (isObject(value)) {
    return isResource(value) ? value : rerooted(value);
  }
  return value;
}

/** A reference seen from the new root. Anchors and other documents stay as they are. */
function reference(text: string): string {
  if (text === "#") {
    return AT_RESULT;
  }
  if (!text.startsWith("#/")) {
    return text;
  }
  const path = text
    .slice(2)
    .replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  const slash = path.indexOf("/");
  const isDefinition = slash >= 0 && HOISTED.includes(path.slice(0, slash));
  return isDefinition && slash + 1 < path.length ? text : `${AT_RESULT}${text.slice(1)}`;
}

/** A boolean schema in the words of an object; any other as it is. */
function asObject(schema: unknown): unknown {
  if (typeof schema === "boolean") {
    return schema ? {} : { not: {} };
  }
  return schema;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(copy);
  }
  return isObject(value) ? mapped(value, copy) : value;
}

function mapped(members: object, change: (value: unknown) => unknown): Schema {
  const made: Schema = {};
  for (const [key, value] of Object.entries(members)) {
    if (value !== undefined) {
      put(made, key, change(value));
    }
  }
  return made;
}
