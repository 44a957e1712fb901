/** What attach does beside sending results: failures, schemas, stored results, what it refuses. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, ProtocolError as ClientProtocolError } from "@modelcontextprotocol/client";
import {
  InMemoryTransport,
  McpServer,
  ProtocolError,
  Server,
  type Tool,
} from "@modelcontextprotocol/server";
import { z } from "zod";

import { Mapper, type OutputSchema, Result, type Settings } from "toolresult";
import { attach, type AttachOptions, type LogEntry, type ResultTools } from "toolresult/mcp";
import { MemoryStore, StoreError, StoreErrorCode } from "toolresult/store";

import { EXACT } from "./exact.js";
import {
  connected,
  HANDSHAKES,
  overHttp,
  REVISIONS,
  type Served,
  STATELESS,
  type Wiretap,
} from "./serving.js";

type Json = Record<string, unknown>;

const INFO = { name: "tests", version: "1.0.0" };

class SoldOut extends Error {}
class SoldOutForever extends SoldOut {}
class Forbidden extends Error {}

interface Made {
  readonly served: Served;
  readonly log: LogEntry[];
}

/** A server with some tools, over HTTP. */
async function serving(
  register: (tools: ResultTools, server: McpServer) => void,
  options: AttachOptions = {},
  settings: Settings = {},
): Promise<Made> {
  const log: LogEntry[] = [];
  const served = await overHttp(() => {
    const server = new McpServer(INFO);
    const mapper = new Mapper({ phase: "final", ...settings });
    register(attach(server, mapper, { log: (entry) => log.push(entry), ...options }), server);
    return server;
  });
  return { served, log };
}

function textOf(got: { readonly content?: unknown }): string {
  return (got.content as { text: string }[]).map(({ text }) => text).join("\n");
}

async function each(
  { served }: Made,
  work: (client: Client, revision: string, wiretap: Wiretap) => Promise<void>,
): Promise<void> {
  for (const revision of REVISIONS) {
    const { client, wiretap } = await connected(served, revision);
    await work(client, revision, wiretap);
    await client.close();
  }
  await served.close();
}

const SECRET = "password=hunter2";

test("an error that nobody expected says nothing but a reference, which the log has", async () => {
  const thrown = [new Error(SECRET), new TypeError(SECRET), SECRET, undefined];
  const made = await serving((tools) => {
    thrown.forEach((what, index) =>
      tools.registerTool(`throws-${index}`, {}, () => {
        throw what;
      }),
    );
    tools.registerTool("rejects", {}, () => Promise.reject(new Error(SECRET)));
    tools.registerTool("no-result", {}, () => ({ when: () => SECRET }));
  });
  await each(made, async (client) => {
    for (const name of ["throws-0", "throws-1", "throws-2", "throws-3", "rejects", "no-result"]) {
      made.log.length = 0;
      const got = await client.callTool({ name, arguments: {} });
      assert.equal(got.isError, true);
      const reference = /Reference: ([0-9a-f]{12})/.exec(textOf(got))?.[1];
      assert.ok(!JSON.stringify(got).includes(SECRET), name);
      assert.equal((got._meta as Json)["dev.toolresult/error"] !== undefined, true);
      assert.equal(made.log[0]?.reference, reference, name);
      assert.equal(made.log[0]?.level, "error");
    }
  });
});

test("known errors get what the host says, the nearest class first", async () => {
  const errors: Record<string, Error> = {
    known: new SoldOut("There is no table left."),
    below: new SoldOutForever("There never was one."),
    neutral: new Forbidden(SECRET),
    store: new StoreError(StoreErrorCode.FULL, "The store is full."),
  };
  const made = await serving(
    (tools) => {
      for (const [name, error] of Object.entries(errors)) {
        tools.registerTool(name, {}, () => {
          throw error;
        });
      }
    },
    {
      failures: [
        [SoldOut, (error: SoldOut) => Result.failure("not_found", error.message)],
        [Forbidden, "missing_privilege"],
      ],
    },
  );
  await each(made, async (client) => {
    const call = async (name: string): Promise<string> => {
      const got = await client.callTool({ name, arguments: {} });
      assert.equal(got.isError, true);
      return textOf(got);
    };
    assert.match(await call("known"), /^There is no table left\.\n.*not_found/);
    assert.match(await call("below"), /^There never was one\.\n.*not_found/);
    assert.match(
      await call("neutral"),
      /^A privilege is missing for this\. Reference: [0-9a-f]+\n/,
    );
    assert.match(await call("store"), /^The store is full\./);
  });
});

test("an answer that fails itself, or is no failure, is an unexpected error", async () => {
  const made = await serving(
    (tools) => {
      tools.registerTool("fails", {}, () => {
        throw new SoldOut(SECRET);
      });
      tools.registerTool("succeeds", {}, () => {
        throw new Forbidden(SECRET);
      });
    },
    {
      failures: [
        [
          SoldOut,
          () => {
            throw new Error(SECRET);
          },
        ],
        [Forbidden, () => Result.success(SECRET)],
      ],
    },
  );
  await each(made, async (client) => {
    for (const name of ["fails", "succeeds"]) {
      const got = await client.callTool({ name, arguments: {} });
      assert.match(textOf(got), /^The tool failed unexpectedly\. Reference: /);
    }
  });
});

test("arguments that do not fit are a failure that says which; unknown tools are the protocol's", async () => {
  let ran = 0;
  const made = await serving((tools) => {
    tools.registerTool("update", { inputSchema: z.object({ ids: z.array(z.number()) }) }, () => {
      ran += 1;
      return "done";
    });
    tools.registerTool("refuses", {}, () => {
      throw new ProtocolError(-32050, "This is for the protocol.");
    });
  });
  await each(made, async (client) => {
    const got = await client.callTool({ name: "update", arguments: { ids: ["x"] } });
    assert.equal(got.isError, true);
    assert.match(textOf(got), /^The tool cannot use these arguments\. ids\.0: /);
    const { code } = (got._meta as Json)["dev.toolresult/error"] as Json;
    assert.equal(code, "invalid_arguments");
    assert.equal(ran, 0);
    await assert.rejects(client.callTool({ name: "nothing", arguments: {} }), { code: -32602 });
    await assert.rejects(client.callTool({ name: "refuses", arguments: {} }), /for the protocol/);
  });
});

test("what a tool may return", async () => {
  const returned: Record<string, unknown> = {
    nothing: undefined,
    null: null,
    data: { content: "words" },
    list: [1, 2],
    big: 2n ** 60n,
    date: { at: new Date(0) },
    legacy: '{"success":true,"data":{"price":999}}',
    words: "Done.",
    native: { content: [{ type: "text", text: "by the SDK" }], structuredContent: { a: 1 } },
  };
  const made = await serving((tools, server) => {
    for (const [name, value] of Object.entries(returned)) {
      tools.registerTool(name, {}, () => value as object);
    }
    server.registerTool("theirs", {}, () => ({ content: [{ type: "text", text: "theirs" }] }));
  });
  await each(made, async (client, revision) => {
    const call = async (name: string): Promise<Json> =>
      (await client.callTool({ name, arguments: {} })) as Json;
    const has = revision >= "2025-06-18";
    const wraps = (value: unknown): unknown =>
      !has ? undefined : revision === STATELESS ? value : { result: value };
    assert.deepEqual((await call("nothing"))["content"], [{ type: "text", text: "Done." }]);
    assert.deepEqual((await call("null"))["structuredContent"], wraps(null));
    assert.deepEqual((await call("list"))["structuredContent"], wraps([1, 2]));
    assert.deepEqual(
      (await call("data"))["structuredContent"],
      has ? { content: "words" } : undefined,
    );
    assert.match(textOf(await call("date")), /1970-01-01T00:00:00/);
    assert.match(textOf(await call("legacy")), /^\{"price":999\}/);
    assert.equal(textOf(await call("words")), "Done.");
    assert.equal(textOf(await call("native")), "by the SDK");
    assert.equal(textOf(await call("theirs")), "theirs");
    const big = await call("big");
    if (has && !EXACT) {
      assert.match(textOf(big), /an integer beyond 2\^53/);
    } else {
      assert.match(textOf(big), /^1152921504606846976/);
    }
  });
});

test("the list shows each tool's schema as the revision takes it, and no tool spoils it", async () => {
  const schemas: Record<string, unknown> = {
    object: z.object({ id: z.number() }),
    list: z.array(z.number()),
    plain: { type: "object", properties: { a: true } },
    none: z.date(),
    odd: { type: "object", required: "a" },
    yes: true,
    big: { type: "object", properties: { n: { const: 2n ** 60n } } },
  };
  const made = await serving((tools) => {
    for (const [name, outputSchema] of Object.entries(schemas)) {
      const config = { description: name, outputSchema: outputSchema as { type: "object" } };
      tools.registerTool(name, config, () =>
        name === "list" ? [1, 2] : { id: 7, name: "not in the schema" },
      );
    }
    tools.registerTool("bare", { inputSchema: z.object({ a: z.string() }) }, () => null);
    tools.registerTool("dated", { inputSchema: z.date() }, () => "never called");
    tools.registerTool("meta", { _meta: { "com.example/big": 2n ** 60n } }, () => null);
    tools.registerTool("bad-meta", { _meta: { "com.example/f": () => 1 } }, () => null);
  });
  await each(made, async (client, revision) => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...Object.keys(schemas), "bare", "dated", "meta", "bad-meta"],
    );
    const dated = tools.find(({ name }) => name === "dated");
    assert.deepEqual(dated?.inputSchema, { type: "object" });
    const refused = await client.callTool({ name: "dated", arguments: {} });
    assert.match(textOf(refused), /^The tool cannot use these arguments\./);
    assert.equal(tools.find(({ name }) => name === "bad-meta")?._meta, undefined);
    const shown = new Map(tools.map((tool: Tool) => [tool.name, tool.outputSchema as Json]));
    const has = revision >= "2025-06-18";
    assert.equal(shown.get("none"), undefined);
    assert.equal(shown.get("bare"), undefined);
    assert.equal(shown.get("object")?.["type"], has ? "object" : undefined);
    const list = shown.get("list");
    if (!has) {
      assert.equal(list, undefined);
    } else if (revision === STATELESS) {
      assert.equal(list?.["type"], "array");
      assert.deepEqual(shown.get("yes"), {});
    } else {
      assert.equal(list?.["dev.toolresult/wrapped"], true);
      assert.equal(shown.get("odd"), undefined);
      assert.deepEqual(shown.get("plain")?.["properties"], { a: {} });
      // The client has the list now, and holds what it gets against it.
      const got = await client.callTool({ name: "list", arguments: {} });
      assert.deepEqual(got.structuredContent, { result: [1, 2] });
      const wrapped = await client.callTool({ name: "yes", arguments: {} });
      assert.deepEqual(wrapped.structuredContent, {
        result: { id: 7, name: "not in the schema" },
      });
    }
  });
  assert.ok(made.log.some(({ message }) => message.includes("none")));
});

test("a schema that is none is not listed, so that the client can call the tool", async () => {
  const sound = { type: "object", properties: { id: { type: "integer" } } };
  const faulty: Record<string, [schema: Json, why: string]> = {
    type: [{ type: "strng" }, "/type: expected one of array, boolean, "],
    within: [{ type: "object", properties: { id: { minimum: "1" } } }, "/properties/id/minimum: "],
    itself: [{ $ref: "#" }, "it goes round in circles"],
    round: [{ type: "object", anyOf: [{ not: { $ref: "#" } }] }, "it goes round in circles"],
    lost: [{ type: "object", $ref: "#/$defs/a" }, "it has no '#/$defs/a'"],
    pattern: [{ type: "object", properties: { id: { pattern: "(" } } }, "the pattern '(' cannot"],
  };
  const log: LogEntry[] = [];
  const input = { type: "object" } as const;
  const listed: [string, Json][] = Object.entries(faulty).map(([name, [schema]]) => [name, schema]);
  const tools = [...listed, ["sound", sound] as const];
  const lowlevel = await overHttp(() => {
    const server = new Server(INFO, { capabilities: { tools: {} } });
    const handlers = attach(server, new Mapper({ phase: "final" }), {
      log: (entry) => log.push(entry),
    });
    server.setRequestHandler("tools/list", () => ({
      tools: tools.map(([name, schema]) => ({
        name,
        inputSchema: name === "sound" ? input : { ...input, ...schema, type: "object" as const },
        outputSchema: schema,
      })),
    }));
    handlers.callTool(() => ({ id: 7 }));
    return server;
  });
  const highlevel = await serving((registry) => {
    for (const [name, outputSchema] of tools) {
      registry.registerTool(name, { outputSchema: outputSchema as OutputSchema }, () => ({
        id: 7,
      }));
    }
  });
  for (const made of [highlevel, { served: lowlevel, log }]) {
    await each(made, async (client, revision) => {
      made.log.length = 0;
      const { tools: shown } = await client.listTools();
      await client.listTools();
      for (const tool of shown) {
        const isShown = tool.name === "sound" && revision >= "2025-06-18";
        assert.deepEqual(tool.outputSchema, isShown ? sound : undefined, tool.name);
        const got = await client.callTool({ name: tool.name, arguments: {} });
        assert.equal(got.isError ?? false, false, tool.name);
      }
      for (const [name, [, why]] of Object.entries(faulty)) {
        const start = `the output schema of the tool ${name} is none, and not shown: ${why}`;
        assert.ok(
          made.log.some(({ message }) => message.startsWith(start)),
          start,
        );
      }
      assert.ok(!made.log.some(({ message }) => message.includes("sound")));
    });
  }
});

const CLOCK = new Date("2026-07-28T10:00:00Z");
const ROWS = Array.from({ length: 30_000 }, (_, index) => index);

function stores(store: MemoryStore, now = CLOCK): Settings {
  return { store, clock: () => now, stamp: false, limit: 20_000 };
}

test("a result over the limit is stored, and read back by the same principal alone", async () => {
  const store = new MemoryStore();
  let who: string | undefined = "anna";
  const register = (tools: ResultTools, server: McpServer): void => {
    tools.registerTool("rows", {}, () => Result.success({ rows: ROWS }, { summary: "rows" }));
    server.registerResource("own", "test://own", {}, () => ({
      contents: [{ uri: "test://own", text: "own" }],
    }));
  };
  const options = { principal: () => who };
  const made = await serving(register, options, stores(store));
  const later = await serving(
    register,
    options,
    stores(store, new Date(CLOCK.getTime() + 3600_000)),
  );
  await each(made, async (client, revision, wiretap) => {
    who = "anna";
    const got = await client.callTool({ name: "rows", arguments: {} });
    const uri = /toolresult:\/\/stored\/[A-Za-z0-9_-]{76}/.exec(JSON.stringify(got))?.[0] ?? "";
    const read = await client.readResource({ uri });
    const { text = "", mimeType } = read.contents[0] as { text?: string; mimeType?: string };
    assert.equal(mimeType, "application/json");
    assert.deepEqual(Result.fromJson(text).data?.value, { rows: ROWS });
    if (revision === STATELESS) {
      assert.deepEqual([read["ttlMs"], read["cacheScope"]], [3600_000, "private"]);
    }
    assert.equal((await client.readResource({ uri: "test://own" })).contents.length, 1);
    const refused = (link: string): Promise<void> =>
      assert.rejects(client.readResource({ uri: link }, { cacheMode: "bypass" }), (error) => {
        assert.ok(error instanceof ClientProtocolError);
        assert.match(error.message, /Resource not found/);
        return true;
      });
    const code = revision === STATELESS ? -32602 : -32002;
    await refused(uri.slice(0, -1) + (uri.endsWith("A") ? "B" : "A"));
    // Over the wire; the client of the SDK makes one code of both.
    assert.match(await wiretap.last(), new RegExp(`"code":${code},`));
    await refused("toolresult://stored/x");
    who = "bert";
    await refused(uri);
    who = undefined;
    await refused(uri);
    const inline = await client.callTool({ name: "rows", arguments: {} });
    assert.ok(!JSON.stringify(inline).includes("toolresult://stored/"));
    who = "anna";
    const { client: late } = await connected(later.served, revision);
    await assert.rejects(late.readResource({ uri }), /Resource not found/);
    await late.close();
  });
  await later.served.close();
});

test("a store that fails is no text for a client", async () => {
  class Failing extends MemoryStore {
    override get(): never {
      throw new StoreError(StoreErrorCode.DAMAGED, "The store is damaged.", { cause: SECRET });
    }
    override put(): never {
      throw new StoreError(StoreErrorCode.FULL, "The store is full.");
    }
  }
  const register = (tools: ResultTools): void => {
    tools.registerTool("rows", {}, () => ({ rows: ROWS }));
  };
  const options = { principal: () => "anna" };
  const settings = stores(new Failing());
  const made = await serving(register, options, settings);
  await each(made, async (client) => {
    assert.ok(JSON.stringify(await client.callTool({ name: "rows" })).length > 100_000);
    await assert.rejects(client.readResource({ uri: "toolresult://stored/x" }), (error) => {
      assert.match(String(error), /The store is damaged\. Reference: [0-9a-f]{12}/);
      return !String(error).includes(SECRET);
    });
  });
  const strict = await serving(register, options, { ...settings, onStoreFailure: "fail" });
  await each(strict, async (client) => {
    const got = await client.callTool({ name: "rows", arguments: {} });
    assert.match(textOf(got), /^The store is full\./);
  });
});

test("a store that answers with promises", async () => {
  const store = new MemoryStore();
  const slow = {
    put: async (...given: Parameters<MemoryStore["put"]>) => store.put(...given),
    get: async (...given: Parameters<MemoryStore["get"]>) => store.get(...given),
    purge: () => 0,
    stats: store.stats.bind(store),
    close: () => undefined,
  };
  const made = await serving(
    (tools) => tools.registerTool("rows", {}, () => ({ rows: ROWS })),
    { principal: async () => "anna" },
    { ...stores(store), store: slow },
  );
  await each(made, async (client) => {
    const got = await client.callTool({ name: "rows", arguments: {} });
    const uri = /toolresult:\/\/stored\/[A-Za-z0-9_-]{76}/.exec(JSON.stringify(got))?.[0] ?? "";
    assert.equal((await client.readResource({ uri })).contents.length, 1);
  });
  const mapper = new Mapper({ ...stores(store), store: slow, principal: "anna" });
  assert.throws(() => mapper.render(Result.success(ROWS), "a2a@1.0"), undefined);
});

test("a request whose sender cannot be told runs nothing", async () => {
  let ran = 0;
  const made = await serving(
    (tools) =>
      tools.registerTool("rows", {}, () => {
        ran += 1;
        return null;
      }),
    {
      principal: () => {
        throw new Error(SECRET);
      },
    },
    stores(new MemoryStore()),
  );
  await each(made, async (client) => {
    await assert.rejects(client.callTool({ name: "rows", arguments: {} }), (error) => {
      assert.match(String(error), /Internal server error\. Reference: [0-9a-f]{12}/);
      return !String(error).includes(SECRET);
    });
    assert.equal(ran, 0);
  });
});

test("a low-level server: its handler's errors, and the schema in its list", async () => {
  const schema = { type: "array", items: { type: "integer" } };
  const made: Made = {
    log: [],
    served: await overHttp(() => {
      const server = new Server(INFO, { capabilities: { tools: {} } });
      const handlers = attach(server, new Mapper({ phase: "final" }), {
        log: (entry) => made.log.push(entry),
      });
      server.setRequestHandler("tools/list", ({ params }) =>
        params?.cursor === undefined
          ? { tools: [], nextCursor: "2" }
          : { tools: [{ name: "list", inputSchema: { type: "object" }, outputSchema: schema }] },
      );
      handlers.callTool(({ params }) => {
        if (params.name === "list") {
          return [1, 2];
        }
        throw new Error(SECRET);
      });
      return server;
    }),
  };
  await each(made, async (client, revision) => {
    const got = await client.callTool({ name: "list", arguments: {} });
    const isWrapped = revision === "2025-06-18" || revision === "2025-11-25";
    if (isWrapped) {
      assert.deepEqual(got.structuredContent, { result: [1, 2] });
      assert.equal((got._meta as Json)["dev.toolresult/wrapped"], true);
    } else {
      assert.deepEqual(got.structuredContent, revision === STATELESS ? [1, 2] : undefined);
    }
    const failed = await client.callTool({ name: "other", arguments: {} });
    assert.match(textOf(failed), /^The tool failed unexpectedly\. Reference: /);
    assert.ok(!JSON.stringify(failed).includes(SECRET));
  });
});

test("in memory, where nothing is written as JSON", async () => {
  for (const revision of HANDSHAKES) {
    const server = new McpServer(INFO);
    const tools = attach(server, new Mapper({ phase: "final" }));
    tools.registerTool("data", {}, () => ({ a: [1, null] }));
    tools.registerTool("big", {}, () => ({ big: 2n ** 60n }));
    const [one, other] = InMemoryTransport.createLinkedPair();
    const client = new Client(INFO, { supportedProtocolVersions: [revision] });
    await Promise.all([server.connect(one), client.connect(other)]);
    const got = await client.callTool({ name: "data", arguments: {} });
    assert.match(textOf(got), /^\{"a":\[1,null\]\}/);
    const big = await client.callTool({ name: "big", arguments: {} });
    if (big.structuredContent !== undefined) {
      assert.deepEqual(big.structuredContent, { big: 2 ** 60 });
    }
    await client.close();
  }
});

test("many at once, each gets its own", async () => {
  const made = await serving((tools) => {
    tools.registerTool("echo", { inputSchema: z.object({ n: z.number() }) }, async ({ n }) => {
      await new Promise((resolve) => setTimeout(resolve, (n * 7) % 20));
      return { n };
    });
  });
  await each(made, async (client) => {
    const asked = Array.from({ length: 40 }, (_, n) => n);
    const got = await Promise.all(
      asked.map((n) => client.callTool({ name: "echo", arguments: { n } })),
    );
    asked.forEach((n) => assert.match(textOf(got[n] as Json), new RegExp(`^\\{"n":${n}\\}`)));
  });
});

test("what attach refuses", () => {
  const mapper = new Mapper({ phase: "final" });
  const server = new McpServer(INFO);
  attach(server, mapper);
  assert.throws(() => attach(server, mapper), /attached already/);
  assert.throws(() => attach(server.server, mapper), /attached already/);
  const early = new McpServer(INFO);
  early.registerTool("tool", {}, () => ({ content: [] }));
  assert.throws(() => attach(early, mapper), /has tools already/);
  const declared = new McpServer(INFO, { capabilities: { tools: {} } });
  assert.throws(() => attach(declared, mapper), /leave it out/);
  assert.throws(() => attach(new McpServer(INFO), new Mapper()), /name a phase/);
  const bad = [[SoldOut, "sold_out"]] as const;
  assert.throws(() => attach(new McpServer(INFO), mapper, { failures: bad }), /sold_out/);
  const clockless = new Mapper({ phase: "final", store: new MemoryStore() });
  assert.throws(() => attach(new McpServer(INFO), clockless), /needs a clock/);
});
