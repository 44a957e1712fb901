/**
 * Renders what Python asks for, line by line, so that both mappers can be compared.
 *
 * A request is `{"do": …}`: "render" with what is given, the mapper's settings and the request, or
 * "advertise" with a schema. Members are named as Python names them.
 */

import { createInterface } from "node:readline";

import * as core from "toolresult";
import {
  advertised,
  type Given,
  Mapper,
  type Request,
  resultOf,
  ResultError,
  type Settings,
  toPlain,
  UnknownTargetError,
} from "toolresult";
import {
  type PutOptions,
  type Store,
  StoreError,
  type StoreErrorCode,
  type StoredLink,
} from "toolresult/store";

import { faultOf } from "#dist/adapters/typescript/src/mcp/schema-check.js";

type Json = Record<string, unknown>;

/** A store whose links are known beforehand, and that tells what it was asked to keep. */
class KnownStore implements Pick<Store, "put"> {
  readonly kept: Json[] = [];
  readonly failure: unknown;

  constructor(failure: unknown) {
    this.failure = failure;
  }

  put(payload: Uint8Array, options: PutOptions): StoredLink {
    if (typeof this.failure === "string") {
      throw new StoreError(this.failure as StoreErrorCode, "It fails.");
    }
    const { principal, now, lifetime, formatVersion, mimeType } = options;
    this.kept.push({
      payload: Buffer.from(payload).toString("base64"),
      principal,
      now: now.getTime(),
      lifetime,
      format_version: formatVersion,
      mime_type: mimeType,
    });
    return {
      uri: "toolresult://stored/known",
      size: payload.length,
      expiresAt: "2026-07-28T11:00:00Z",
      mimeType,
    };
  }
}

/** Names as TypeScript has them; what is a clock, a store or a time as such. */
function fields(given: Json, store: KnownStore | null): Json {
  const made: Json = {};
  for (const [name, value] of Object.entries(given)) {
    const own = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (name === "clock") {
      made[own] = value === null ? null : new Date(value as string);
    } else if (name === "store") {
      made[own] = value === null ? null : store;
    } else if (name === "lifetime") {
      made[own] = value === null ? null : (value as number) * 1000;
    } else {
      made[own] = value;
    }
  }
  return made;
}

function givenOf(request: Json): Given {
  if (typeof request["text"] === "string") {
    return request["text"];
  }
  if (typeof request["base64"] === "string") {
    return Buffer.from(request["base64"], "base64");
  }
  return request["value"] as Given;
}

async function render(request: Json): Promise<unknown> {
  const settings = request["settings"] as Json;
  const asked = request["request"] as Json;
  const failure = asked["store"] ?? settings["store"];
  const store = new KnownStore(failure === "works" ? undefined : failure);
  const mapper = new Mapper(fields(settings, store) as Settings);
  const wanted = fields(asked, store) as unknown as Request;
  const found = mapper.render(givenOf(request), wanted);
  const again = await mapper.renderAsync(givenOf(request), wanted);
  if (again.text !== found.text) {
    throw new Error("renderAsync gives something else");
  }
  return {
    text: found.text,
    size: found.size,
    losses: found.losses,
    oversize: found.oversize === undefined ? null : { reason: null, link: null, ...found.oversize },
    kept: store.kept[0] ?? null,
  };
}

const actions: Record<string, (request: Json) => unknown> = {
  render,
  result: (request) => resultOf(givenOf(request)).toJson(),
  value: ({ class: name, value }) => {
    const made = core[name as "Metadata"];
    return made.fromValue(value).toJson();
  },
  plain_time: ({ at }) => toPlain(new Date(String(at))),
  advertise: ({ schema, target, revision }) =>
    advertised(schema, String(target), String(revision)) ?? null,
  "schema fault": ({ schema }) => faultOf(schema) ?? null,
};

async function answer(line: string): Promise<unknown> {
  const request = JSON.parse(line) as Json;
  try {
    const action = actions[String(request["do"])];
    return action === undefined ? { bad_request: line } : { is: await action(request) };
  } catch (error) {
    if (error instanceof ResultError) {
      return { error: error.code, pointer: error.pointer };
    }
    if (error instanceof UnknownTargetError) {
      return { error: "unknown target" };
    }
    if (error instanceof StoreError) {
      return { error: `store: ${error.code}` };
    }
    if (error instanceof RangeError) {
      return { error: "value" };
    }
    return { fault: `${(error as Error).name}: ${(error as Error).message}` };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
}
