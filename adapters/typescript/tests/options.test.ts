/** What no compiler has looked at: options that there are not, and arguments of other types. */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Server } from "@modelcontextprotocol/server";
import { Mapper, newest, render, Result } from "toolresult";
import { ResultExecutor } from "toolresult/a2a";
import { attach } from "toolresult/mcp";
import { MemoryStore, type PutOptions, type Store } from "toolresult/store";

const result = Result.success({ a: 1 });
const LEGACY = "legacy-envelope@1";
// Node 20 has no node:sqlite; the newer one, on which these tests run too, has it.
const hasSqlite = Number.parseInt(process.versions.node, 10) >= 22;

test("settings that there are not are refused, and those that there are named", () => {
  assert.throws(
    () => new Mapper({ fase: "final" } as object),
    /^TypeError: settings: there is no 'fase'; known are phase, limit, /,
  );
  assert.throws(
    () => render(result, LEGACY, { artifact_id: "a" } as object),
    /^TypeError: request: there is no 'artifact_id'; known are target, /,
  );
  const unknown = { target: LEGACY, __proto__: null, constructor: 1 } as never;
  assert.throws(() => new Mapper().render(result, unknown), TypeError);
  const inherited = JSON.parse('{"__proto__": {"phase": "final"}}') as object;
  assert.throws(() => new Mapper(inherited), TypeError);
  assert.throws(
    () =>
      attach(new Server({ name: "a", version: "1" }), new Mapper(), {
        princpal: () => "a",
      } as object),
    /^TypeError: attach: there is no 'princpal'/,
  );
  const tool = (): Result => result;
  assert.throws(() => new ResultExecutor(tool, { maper: new Mapper() } as object), TypeError);
  assert.throws(() => new ResultExecutor(tool, { mapper: {} as never }), TypeError);
});

test("an option of another type is refused", () => {
  const wrong: readonly [string, unknown][] = [
    ["phase", 1],
    ["limit", "1"],
    ["structuredErrors", "yes"],
    ["store", "results.db"],
    ["principal", 7],
    ["clock", 1_700_000_000],
    ["stamp", 0],
    ["lifetime", "1"],
    ["onStoreFailure", true],
    ["schemaResults", 1],
  ];
  for (const [name, value] of wrong) {
    const options = { [name]: value };
    assert.throws(() => new Mapper(options), new RegExp(`^TypeError: settings: ${name}: expected`));
    assert.throws(() => render(result, LEGACY, options), TypeError);
    assert.ok(new Mapper({ [name]: undefined }));
  }
  for (const name of ["revision", "artifactId", "messageId"]) {
    assert.throws(() => render(result, LEGACY, { [name]: 1 }), TypeError);
  }
  for (const request of [5, null, [], {}, { target: 5 }]) {
    assert.throws(() => new Mapper().render(result, request as never), TypeError);
  }
  for (const settings of [5, null, [], "final"]) {
    assert.throws(() => new Mapper(settings as never), TypeError);
  }
});

test("values that no rendering could use are refused where they are given", () => {
  const wrong: readonly [name: string, value: unknown, error: string][] = [
    ["limit", -1, "RangeError: limit: "],
    ["limit", 1.5, "RangeError: limit: "],
    ["limit", Number.NaN, "RangeError: limit: "],
    ["lifetime", 0, "RangeError: lifetime: "],
    ["lifetime", -5, "RangeError: lifetime: "],
    ["lifetime", Number.NaN, "RangeError: lifetime: "],
    ["lifetime", Number.POSITIVE_INFINITY, "RangeError: lifetime: "],
    ["onStoreFailure", "cry", "RangeError: onStoreFailure: expected 'inline' or 'fail'"],
    ["schemaResults", "none", "RangeError: schemaResults: expected 'inline' or 'link'"],
  ];
  for (const [name, value, error] of wrong) {
    assert.throws(() => new Mapper({ [name]: value }), new RegExp(`^${error}`));
    assert.throws(() => render(result, LEGACY, { [name]: value }), new RegExp(`^${error}`));
  }
  assert.throws(
    () => new Mapper({ phase: "first" }),
    /^UnknownTargetError: unknown phase 'first'; known are transitional, final/,
  );
  assert.ok(new Mapper({ phase: null, limit: null, lifetime: null }));
  assert.ok(new Mapper({ phase: "final", limit: 0, lifetime: 0.5 }));
});

test("the newest revision of an unknown target is none", () => {
  assert.throws(
    () => newest("nope", "2099-01-01"),
    /^UnknownTargetError: unknown target 'nope'; known are .*a2a/,
  );
  assert.throws(() => newest("a2a", "0.1"), /no revision of a2a is as old as '0.1'; known are 0.3/);
});

test("a clock that gives no date is told so", () => {
  for (const [given, said] of [
    [5, "number"],
    ["2026-07-28T10:00:00Z", "string"],
    [null, "null"],
    [Promise.resolve(new Date()), "a promise"],
  ] as const) {
    const clock = (() => given) as unknown as () => Date;
    assert.throws(
      () => render(result, LEGACY, { clock }),
      new RegExp(`^TypeError: clock: expected a Date, and it gives ${said}$`),
    );
  }
  const clock = (): Date => new Date(Number.NaN);
  assert.throws(() => render(result, LEGACY, { clock }), RangeError);
});

async function stores(): Promise<Store[]> {
  const found: Store[] = [new MemoryStore()];
  if (hasSqlite) {
    const { SqliteStore } = await import("toolresult/store/sqlite");
    const { KeyRing } = await import("toolresult/store");
    const folder = mkdtempSync(join(tmpdir(), "options-"));
    found.push(new SqliteStore(join(folder, "results.db"), KeyRing.generate()));
  }
  return found;
}

test("a store takes bytes, texts, dates and numbers, and nothing in their place", async () => {
  const options: PutOptions = {
    principal: "a",
    now: new Date(0),
    lifetime: 1000,
    formatVersion: 1,
    mimeType: "application/json",
  };
  for (const store of await stores()) {
    for (const payload of ["text", [1], null, undefined, {}, new ArrayBuffer(1)]) {
      assert.throws(() => store.put(payload as never, options), TypeError);
    }
    const wrong: readonly [string, unknown][] = [
      ["lifetime", "1"],
      ["lifetime", 1n],
      ["lifetime", null],
      ["now", 0],
      ["now", "1970-01-01T00:00:00Z"],
      ["principal", 7],
      ["mimeType", undefined],
    ];
    for (const [name, value] of wrong) {
      const given = { ...options, [name]: value } as PutOptions;
      assert.throws(() => store.put(new Uint8Array(1), given), TypeError);
    }
    for (const lifetime of [Number.NaN, Number.POSITIVE_INFINITY, 0, -1]) {
      assert.throws(() => store.put(new Uint8Array(1), { ...options, lifetime }), RangeError);
    }
    const bytes = new Uint8Array(1);
    const uri = "toolresult://stored/a";
    const { now } = options;
    const refused: readonly [call: () => unknown, said: RegExp][] = [
      [() => store.put(bytes, { bogus: 1 } as never), /put: there is no 'bogus'; known are princ/],
      [() => store.put(bytes, { ...options, bogus: 1 } as never), /put: there is no 'bogus'/],
      [
        () => store.put(bytes, undefined as never),
        /put: expected an object of principal, now, lif/,
      ],
      [() => store.put(bytes, {} as never), /principal, mimeType: expected strings/],
      [() => store.get(uri, undefined as never), /get: expected an object of principal, now$/],
      [() => store.get(uri, { principal: "a", at: now } as never), /get: there is no 'at'/],
      [() => store.get(uri, { principal: "a" } as never), /now: expected a Date/],
      [() => store.purge(undefined as never), /purge: expected an object of now, olderThan/],
      [() => store.purge({ now, older: 1 } as never), /purge: there is no 'older'/],
      [() => store.purge({ now, olderThan: "5" } as never), /olderThan: expected a number/],
      [() => store.stats(undefined as never), /stats: expected an object of now/],
      [() => store.stats({ now: 5 } as never), /now: expected a Date/],
    ];
    for (const [call, said] of refused) {
      assert.throws(call, (error) => error instanceof TypeError && said.test(error.message));
    }
    const stats = await store.stats({ now: options.now });
    assert.equal(stats.count, 0);
    await store.close();
  }
});

test("a store refuses settings that there are not, and keys that are none", async () => {
  const { KeyRing } = await import("toolresult/store");
  const ring = KeyRing.generate();
  for (const keys of [null, "first:AAAA", {}, [ring]]) {
    assert.throws(() => new MemoryStore(keys as never), /^TypeError: keys: expected a KeyRing/);
  }
  const wrong: readonly [object | null, RegExp][] = [
    [{ maxCounts: 1 }, /there is no 'maxCounts'; known are maxCount, maxBytes/],
    [{ maxCount: "1" }, /maxCount: expected a number/],
    [null, /expected an object/],
  ];
  for (const [bounds, said] of wrong) {
    assert.throws(() => new MemoryStore(ring, bounds as never), said);
  }
  assert.ok(new MemoryStore(ring, { maxCount: undefined } as never));
  assert.throws(() => new MemoryStore(ring, { maxCount: Number.NaN }), RangeError);
});

test("a durable store does so too", { skip: !hasSqlite && "Node 22 has node:sqlite" }, async () => {
  const { openStore, SqliteStore } = await import("toolresult/store/sqlite");
  const { KeyRing } = await import("toolresult/store");
  const folder = mkdtempSync(join(tmpdir(), "options-"));
  const path = join(folder, "results.db");
  const ring = KeyRing.generate();
  for (const options of [{ maxBytes: 1 }, { create: "no" }, { busyTimeout: "1" }, null]) {
    assert.throws(() => new SqliteStore(path, ring, options as never), TypeError);
    assert.throws(() => openStore(path, ring, options as never), TypeError);
  }
  for (const busyTimeout of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
    assert.throws(() => new SqliteStore(path, ring, { busyTimeout }), RangeError);
  }
  assert.throws(() => openStore(path, { keys: ring } as never), TypeError);
  assert.deepEqual(readdirSync(folder), []);
  const store = openStore(path, ring, { maxPayloadBytes: undefined } as never);
  const put = { principal: "a", now: new Date(0), lifetime: 1000, formatVersion: 1 };
  store.put(new Uint8Array(1), { ...put, mimeType: "text/plain" });
  store.close();
});
