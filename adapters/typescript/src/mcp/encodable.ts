/**
 * Our output as a value that the encoder of JSON writes back as it was.
 *
 * `JSON.parse` rounds integers beyond 2^53, and `JSON.stringify` throws on a bigint. What it
 * writes exactly is a raw text of JSON (https://tc39.es/proposal-json-parse-with-source), which
 * browsers and Node have since 2023 to 2025; of Node we take it from version 21 on.
 */

import { parseJson, put, WIRE_DEPTH } from "../core.js";
import type { Rendering } from "../rendering.js";

interface WithRawJson {
  rawJSON?: (text: string) => unknown;
}

/** A JSON object. */
export type Wire = Record<string, unknown>;

/** Node 20 has raw texts behind a flag, and writes other memory in their place now and then. */
const FIRST_NODE = 21;

/** This many digits in a row may be an integer beyond 2^53; fewer never are. */
const LONG = /[0-9]{16}/;

/** An integer that this JavaScript cannot send as it is. */
export class InexactError extends Error {
  override readonly name = "InexactError";
}

/** The output of a renderer, as a value. Throws InexactError. */
export function encodable(rendering: Rendering): Wire {
  const text = rendering.text;
  const value: unknown = LONG.test(text)
    ? withRawIntegers(parseJson(text, { maxDepth: WIRE_DEPTH }))
    : JSON.parse(text);
  return value as Wire;
}

/** A value of JSON whose integers the encoder writes exactly. Throws InexactError. */
export function withRawIntegers(value: unknown): unknown {
  if (typeof value === "bigint") {
    return raw(value);
  }
  if (Array.isArray(value)) {
    return value.map(withRawIntegers);
  }
  if (typeof value === "object" && value !== null) {
    const made: Wire = {};
    for (const [key, inner] of Object.entries(value)) {
      put(made, key, withRawIntegers(inner));
    }
    return made;
  }
  return value;
}

function raw(integer: bigint): unknown {
  if (Number.isSafeInteger(Number(integer))) {
    return Number(integer);
  }
  const make = rawJson();
  if (make === undefined) {
    throw new InexactError("JSON.rawJSON is missing: use Node 22 or later");
  }
  return make(integer.toString());
}

/** What marks a text as raw; undefined where there is none that can be trusted. */
function rawJson(): WithRawJson["rawJSON"] {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  const node = Number.parseInt(process?.versions?.node ?? "", 10);
  return node < FIRST_NODE ? undefined : (JSON as WithRawJson).rawJSON;
}
