/** Every sample reaches a client of every revision as the vectors say. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";

import { canonical } from "#dist/generated/typescript/runtime/canonical.js";
import { parseJson } from "#dist/generated/typescript/runtime/parse.js";

import { EXACT } from "./exact.js";
import { highlevel, lowlevel } from "./mcp-server.js";
import {
  clientOf,
  connected,
  HANDSHAKES,
  overHttp,
  REVISIONS,
  type Served,
  STATELESS,
  targetOf,
  withSessions,
} from "./serving.js";
import { type Sample, samplesIn } from "./vectors.js";

type Json = Record<string, unknown>;

const DEPTH = 210;

function samples(revision: string, phase: string): readonly Sample[] {
  const found = samplesIn(targetOf(revision), revision, phase);
  assert.ok(found.length > 100);
  return found;
}

/** Whether a sample holds what this JavaScript cannot send: then a failure says so. */
function isBeyond({ output }: Sample): boolean {
  return !EXACT && parsed(output).some((value) => typeof value === "bigint");
}

function parsed(text: string): unknown[] {
  const found: unknown[] = [];
  const walk = (value: unknown): void => {
    found.push(value);
    if (typeof value === "object" && value !== null) {
      Object.values(value).forEach(walk);
    }
  };
  walk(parseJson(text, { maxDepth: DEPTH }));
  return found;
}

/** A message's result as exact canonical JSON, without the SDK's stamp. */
function resultIn(message: string): string {
  const { result } = parseJson(message, { maxDepth: DEPTH }) as unknown as { result: Json };
  return canonical(withoutStamp(result), DEPTH);
}

function withoutStamp(result: Json): Json {
  const { _meta: meta, ...rest } = result;
  if (meta === undefined) {
    return rest;
  }
  const { [SERVER_INFO_META_KEY]: _, ...left } = meta as Json;
  return Object.keys(left).length === 0 ? rest : { ...rest, _meta: left };
}

/** What the client of the SDK makes of an output: `resultType` is not passed on. */
function asClient(output: string): Json {
  const { resultType: _, ...rest } = seen(JSON.parse(output) as Json);
  return rest;
}

/** A value without keys `__proto__`, which the client drops; that they are sent is seen above. */
function seen(value: Json): Json {
  const drop = (key: string, inner: unknown): unknown => (key === "__proto__" ? undefined : inner);
  return JSON.parse(JSON.stringify(value), drop) as Json;
}

async function compare(served: Served, revision: string, phase: string): Promise<void> {
  const { client, wiretap } = await connected(served, revision);
  for (const sample of samples(revision, phase)) {
    const { name, output } = sample;
    const got = await client.callTool({ name: "sample", arguments: { name } });
    if (isBeyond(sample)) {
      assert.equal(got.isError, true, name);
      assert.match(JSON.stringify(got.content), /an integer beyond 2\^53/, name);
      continue;
    }
    const exact = canonical(parseJson(output, { maxDepth: DEPTH }), DEPTH);
    assert.equal(resultIn(await wiretap.last()), exact, `${revision} ${name}`);
    assert.deepEqual(seen(withoutStamp(got as Json)), asClient(output), `${revision} ${name}`);
  }
  await client.close();
}

for (const phase of ["final", "transitional"]) {
  for (const [kind, make] of Object.entries({ highlevel, lowlevel })) {
    test(`${kind}, ${phase}, a server per request`, async () => {
      const served = await overHttp(() => make(phase));
      for (const revision of REVISIONS) {
        await compare(served, revision, phase);
      }
      await served.close();
    });
  }
}

test("a server per session", async () => {
  const served = await withSessions(() => highlevel("final"));
  for (const revision of HANDSHAKES) {
    await compare(served, revision, "final");
  }
  await served.close();
});

for (const revision of REVISIONS) {
  test(`over stdio, ${revision}`, async () => {
    const program = fileURLToPath(new URL("mcp-server.js", import.meta.url));
    const client = clientOf(revision);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [program, revision === STATELESS ? "lowlevel" : "highlevel", "final"],
      }),
    );
    for (const sample of samples(revision, "final")) {
      const { name, output } = sample;
      const got = await client.callTool({ name: "sample", arguments: { name } });
      if (!isBeyond(sample)) {
        assert.deepEqual(seen(withoutStamp(got as Json)), asClient(output), `${revision} ${name}`);
      }
    }
    await client.close();
  });
}
