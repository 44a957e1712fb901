/**
 * Says what is wrong with a schema, so that no client fails every call of a tool over it.
 *
 * A client holds what it gets against the schema that the list shows; one that is no schema, that
 * refers to what it does not have, whose pattern no engine reads or that goes round in circles makes
 * that throw. The check is bounded, and each schema is looked at once.
 */

import { canonical, isObject, memberOf, parseJson, pointerOf } from "../core.js";
import { type Dialect, dialectOf, lookInto, type Schema } from "./schema-keywords.js";

/** Characters of canonical text; a larger schema is not looked at. */
const MOST_TEXT = 256 * 1024;
/** Schemas within a schema; one of more is not looked at. */
const MOST_SCHEMAS = 5_000;
/** Characters of a pattern that is tried; a longer one is not judged. */
const MOST_PATTERN = 10_000;
/** Schemas whose faults are remembered. */
const MOST_KNOWN = 512;
const SHOWN = 80;

const REFERENCES = ["$ref", "$dynamicRef"];
/** Keywords whose schemas get the value itself, and nothing in it. */
const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

const known = new Map<string, string | undefined>();

/**
 * What is wrong with a schema; undefined for a sound one, and for one too large to tell.
 *
 * Never throws.
 */
export function faultOf(schema: unknown): string | undefined {
  if (typeof schema === "boolean") {
    return undefined;
  }
  if (!isObject(schema)) {
    return "it is no object";
  }
  let text: string;
  try {
    text = canonical(schema);
  } catch {
    return "it is no JSON, or too deep";
  }
  if (text.length > MOST_TEXT) {
    return undefined;
  }
  if (!known.has(text)) {
    if (known.size >= MOST_KNOWN) {
      known.clear();
    }
    known.set(text, faultOfPlain(parseJson(text) as Schema));
  }
  return known.get(text);
}

function faultOfPlain(schema: Schema): string | undefined {
  const dialect = dialectOf(schema);
  return dialect === undefined ? undefined : new Check(schema, dialect).fault();
}

/** A check of one schema: first each schema within it alone, then what they refer to. */
class Check {
  readonly #schema: Schema;
  readonly #dialect: Dialect;
  /** The schemas within, each with the one whose address counts there: its resource. */
  readonly #resources = new Map<Schema, Schema>();
  /** The named schemas of each resource. */
  readonly #anchors = new Map<Schema, Map<string, Schema>>();
  /** Those that are known to come to an end. */
  readonly #sound = new Set<Schema>();

  constructor(schema: Schema, dialect: Dialect) {
    this.#schema = schema;
    this.#dialect = dialect;
  }

  fault(): string | undefined {
    const misfit = this.#walk();
    if (misfit !== undefined || this.#resources.size > MOST_SCHEMAS) {
      return misfit;
    }
    for (const [schema, resource] of this.#resources) {
      const fault = this.#faultOfOne(schema, resource);
      if (fault !== undefined) {
        return fault;
      }
    }
    return undefined;
  }

  /** Finds the schemas within; the first keyword that does not fit. */
  #walk(): string | undefined {
    type Place = readonly [schema: Schema, above: Schema, path: readonly (string | number)[]];
    const waiting: Place[] = [[this.#schema, this.#schema, []]];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      const [schema, above, path] = place;
      const resource = this.#hasAddress(schema) ? schema : above;
      this.#resources.set(schema, resource);
      if (this.#resources.size > MOST_SCHEMAS) {
        return undefined;
      }
      this.#nameIn(resource, schema);
      const found = lookInto(schema, this.#dialect);
      if ("keyword" in found) {
        const at = pointerOf([...path, found.keyword]).slice(-2 * SHOWN);
        return `${at}: expected ${found.expected}`;
      }
      for (const [inner, ...steps] of [...found].reverse()) {
        if (isObject(inner)) {
          waiting.push([inner, resource, [...path, ...steps]]);
        }
      }
    }
    return undefined;
  }

  #addressOf(schema: Schema): unknown {
    return memberOf(schema, this.#dialect === 4 ? "id" : "$id");
  }

  #hasAddress(schema: Schema): boolean {
    const address = this.#addressOf(schema);
    return typeof address === "string" && /^[^#]/.test(address);
  }

  #nameIn(resource: Schema, schema: Schema): void {
    const address = this.#addressOf(schema);
    const names = [memberOf(schema, "$anchor"), memberOf(schema, "$dynamicAnchor")];
    if (typeof address === "string" && address.startsWith("#")) {
      names.push(address.slice(1)); // as until draft-07
    }
    const anchors = this.#anchors.get(resource) ?? new Map<string, Schema>();
    this.#anchors.set(resource, anchors);
    for (const name of names) {
      if (typeof name === "string") {
        anchors.set(name, schema);
      }
    }
  }

  #faultOfOne(schema: Schema, resource: Schema): string | undefined {
    for (const reference of local(schema)) {
      if (this.#resolved(reference, resource) === undefined) {
        return `it has no '${reference.slice(0, SHOWN)}'`;
      }
    }
    if (this.#goesRound(schema)) {
      return "it goes round in circles";
    }
    const pattern = patternsOf(schema).find((one) => !isReadable(one));
    return pattern && `the pattern '${pattern.slice(0, SHOWN)}' cannot be read`;
  }

  /** What a reference within the schema names; undefined where there is nothing. */
  #resolved(reference: string, resource: Schema): unknown {
    let fragment: string;
    try {
      fragment = decodeURIComponent(reference.slice(1));
    } catch {
      return undefined;
    }
    if (fragment !== "" && !fragment.startsWith("/")) {
      return this.#anchors.get(resource)?.get(fragment);
    }
    let found: unknown = resource;
    for (const step of fragment.split("/").slice(1)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      const isItem = Array.isArray(found) && /^(?:0|[1-9][0-9]*)$/.test(name);
      found = isItem || isObject(found) ? memberOf(found as object, name) : undefined;
    }
    return found;
  }

  /** Whether a schema comes to itself without going into the value. */
  #goesRound(schema: Schema): boolean {
    if (this.#sound.has(schema)) {
      return false;
    }
    const underWay = new Set([schema]);
    const path = [{ schema, next: this.#inPlace(schema) }];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const found = last.next.pop();
      if (found === undefined) {
        path.pop();
        underWay.delete(last.schema);
        this.#sound.add(last.schema);
      } else if (underWay.has(found)) {
        return true;
      } else if (!this.#sound.has(found)) {
        underWay.add(found);
        path.push({ schema: found, next: this.#inPlace(found) });
      }
    }
    return false;
  }

  /** The schemas that the same value is held against. */
  #inPlace(schema: Schema): Schema[] {
    const resource = this.#resources.get(schema) ?? this.#schema;
    const named = local(schema).map((reference) => this.#resolved(reference, resource));
    const held = IN_PLACE.map((key) => memberOf(schema, key));
    return [...named, ...held.flat()].filter(isObject);
  }
}

/** The references within the schema itself: nothing is fetched for another one. */
function local(schema: Schema): string[] {
  return REFERENCES.map((key) => memberOf(schema, key)).filter(
    (reference): reference is string => typeof reference === "string" && reference.startsWith("#"),
  );
}

function patternsOf(schema: Schema): string[] {
  const pattern = memberOf(schema, "pattern");
  const names = memberOf(schema, "patternProperties");
  const own = typeof pattern === "string" ? [pattern] : [];
  return isObject(names) ? [...own, ...Object.keys(names)] : own;
}

/** Whether the engine reads a pattern, as Unicode or as of old. It is not run. */
function isReadable(pattern: string): boolean {
  if (pattern.length > MOST_PATTERN) {
    return true;
  }
  return ["u", ""].some((flags) => {
    try {
      return new RegExp(pattern, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}
