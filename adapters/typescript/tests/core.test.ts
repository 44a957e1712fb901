/** Values, canonical JSON and the parser, where vectors cannot reach: what no text can hold. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  EmbeddedPart,
  ErrorCode,
  ImagePart,
  Json,
  Metadata,
  Pagination,
  type Part,
  Result,
  ResultError,
  TextPart,
  toPlain,
} from "#dist/generated/typescript/index.js";
import {
  byteLength,
  decodeBase64,
  encodeBase64,
} from "#dist/generated/typescript/runtime/bytes.js";
import { canonical } from "#dist/generated/typescript/runtime/canonical.js";
import { parseJson } from "#dist/generated/typescript/runtime/parse.js";
import { sha256Hex } from "#dist/generated/typescript/runtime/sha256.js";
import { HandshakeReader } from "#dist/adapters/typescript/src/mcp/handshake.js";
import {
  MissingAdapterError,
  OldAdapterError,
  reader,
  registerAdapters,
  renderer,
} from "#dist/adapters/typescript/src/registry.js";
import { LegacyEnvelopeReader } from "#dist/generated/typescript/targets/legacy-envelope-reader.js";
import { McpHandshakeReader } from "#dist/generated/typescript/targets/mcp-handshake-reader.js";
import { READERS } from "#dist/generated/typescript/targets/index.js";
import { EnvelopeReader } from "#dist/adapters/typescript/src/legacy.js";

/** Asserts that something is refused with a code, at a pointer. */
function refuses(make: () => unknown, code: string, pointer: string): void {
  assert.throws(make, (error) => {
    assert.ok(error instanceof ResultError, String(error));
    assert.deepEqual([error.code, error.pointer], [code, pointer]);
    return true;
  });
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 ? { a: value } : [value];
  return value;
}

test("undefined is absent, and null is a value", () => {
  assert.equal(Result.success().data, undefined);
  assert.equal(Result.success(undefined).toJson(), '{"format_version":1}');
  assert.equal(Result.success(null).toJson(), '{"data":null,"format_version":1}');
  assert.equal(Result.success({ a: undefined, b: null }).data?.canonical, '{"b":null}');
  refuses(() => Result.success([undefined]), "invalid_value", "/data/0");
});

test("integers beyond 2^53 are bigints, and exact", () => {
  const data = Result.fromJson('{"format_version":1,"data":[9007199254740993,1e20,1.0,-0.0]}').data;
  assert.deepEqual(data?.value, [9007199254740993n, 100000000000000000000n, 1, 0]);
  assert.ok(Object.is((data?.value as readonly unknown[])[3], 0));
  assert.equal(
    canonical([2n ** 64n, 2 ** 69, -0, 1e21]),
    "[18446744073709551616,590295810358705651712,0,1e+21]",
  );
  assert.equal(data?.exactInDouble, false);
  assert.equal(Json.of([2 ** 53, "9007199254740993"]).exactInDouble, true);
});

test("what JSON has no type for is refused, with its place in canonical order", () => {
  refuses(() => Result.success({ b: Number.NaN, a: new Date(0) }), "invalid_value", "/data/a");
  refuses(() => Result.success({ b: Number.NaN }), "invalid_number", "/data/b");
  refuses(() => Result.success([Number.POSITIVE_INFINITY]), "invalid_number", "/data/0");
  refuses(() => Result.success({ a: { "b/~": () => 1 } }), "invalid_value", "/data/a/b~1~0");
  refuses(() => Result.success(new Map([["a", 1]])), "invalid_value", "/data");
  refuses(() => Result.success({ a: "\ud800" }), "invalid_text", "/data/a");
  refuses(() => Result.success({ "\ud800": 1 }), "invalid_text", "/data/\ufffd");
  refuses(() => Result.success(10n ** 1_000_000n), "invalid_number", "/data");
});

test("a getter is asked once, so that it cannot give two answers", () => {
  const answers = (first: unknown, then: unknown): (() => unknown) => {
    let asked = 0;
    return () => (asked++ === 0 ? first : then);
  };
  const member = (get: () => unknown): object =>
    Object.defineProperty({}, "a", { get, enumerable: true });
  const entry = (get: () => unknown): unknown =>
    Object.defineProperty([0], 0, { get, enumerable: true });
  for (const then of [Number.NaN, 2n ** 60n, undefined, new Date(0), { b: 1, a: 2 }]) {
    assert.equal(Result.success(member(answers("x", then))).data?.canonical, '{"a":"x"}');
    assert.equal(Result.success(entry(answers("x", then))).data?.canonical, '["x"]');
  }
  refuses(() => Result.success(member(() => Number.NaN)), "invalid_number", "/data/a");
});

test("what JSON has no place for is refused, not left out", () => {
  const symbol = { a: 1, [Symbol("s")]: 2 };
  refuses(() => Result.success(symbol), "invalid_value", "/data/s");
  refuses(() => Result.success([symbol]), "invalid_value", "/data/0/s");
  const named = Object.assign([1, 2], { total: 2 });
  refuses(() => Result.success(named), "invalid_value", "/data/total");
  refuses(() => Result.success({ rows: named }), "invalid_value", "/data/rows/total");
  refuses(() => Result.success(/a/.exec("a")), "invalid_value", "/data/groups");
  refuses(() => Result.success(Object.assign([1], { "01": 2 })), "invalid_value", "/data/01");
});

test("an error says where, which and what in its message, as it is logged", () => {
  const caught = (make: () => unknown): ResultError => {
    try {
      make();
    } catch (error) {
      if (error instanceof ResultError) return error;
    }
    throw new assert.AssertionError({ message: "no ResultError" });
  };
  const error = caught(() => Result.success("\ud800"));
  assert.match(error.message, /^\/data: invalid_text: a lone surrogate /);
  assert.equal(error.message, `/data: invalid_text: ${error.detail}`);
  assert.equal(String(error), error.message);
  assert.ok(error.stack?.includes(error.message));
  const whole = caught(() => Result.fromValue("{}"));
  assert.match(whole.message, /^\(result\): wrong_type: expected a serialized result, found /);
  assert.match(whole.detail, /^expected a serialized result/);
  const below = error.below("/a").below("/b");
  assert.equal(below.message, `/b/a/data: invalid_text: ${error.detail}`);
  const long = caught(() => Result.success({ ["k".repeat(500)]: Number.NaN }));
  assert.ok(long.message.length < 400 && long.pointer.length > 500);
});

test("an item that is left out of an array is no item", () => {
  const text = { kind: "text", text: "a" } as const;
  const part = (more: object): unknown => [{ ...text, ...more }];
  const holes: [fields: object, code: string, pointer: string][] = [
    [{ content: [, text] }, "wrong_type", "/content/0"],
    [{ content: [text, , text] }, "wrong_type", "/content/1"],
    [{ content: new Array(3) }, "wrong_type", "/content/0"],
    [{ content: part({ audience: [, "user"] }) }, "wrong_type", "/content/0/audience/0"],
    [{ content: part({ audience: new Array(2) }) }, "wrong_type", "/content/0/audience/0"],
    [{ stored: new Array(1) }, "wrong_type", "/stored/0"],
  ];
  for (const [fields, code, pointer] of holes) {
    refuses(() => Result.success(1, fields), code, pointer);
    refuses(() => Result.fromValue({ format_version: 1, ...fields }), code, pointer);
  }
  refuses(() => Result.success(1, { content: [undefined] as never }), "wrong_type", "/content/0");
  refuses(() => Result.success([, 1]), "invalid_value", "/data/0");
  refuses(() => Result.success(new Array(1)), "invalid_value", "/data/0");
  refuses(() => toPlain({ a: [1, , 2] }), "invalid_value", "/a/1");
});

test("what is no JSON text is told as what it is", () => {
  for (const wrong of [5, {}, null, undefined, [1], true]) {
    assert.throws(() => Result.fromJson(wrong as never), /^TypeError: expected a JSON text/);
    assert.throws(() => Json.parse(wrong as never), TypeError);
  }
});

test("depth is bounded, and a cycle is too deep", () => {
  assert.equal(Result.success(nested(100)).data?.depth, 100);
  refuses(() => Result.success(nested(101)), "too_deep", `/data${"/0/a".repeat(50)}`);
  const cycle: Record<string, unknown> = {};
  cycle["a"] = cycle;
  refuses(() => Result.success(cycle), "too_deep", `/data${"/a".repeat(100)}`);
});

test("keys are in the order of their UTF-16 units, whatever they look like", () => {
  const value = { "10": 1, "9": 2, b: 3, a: 4, "": 5, "\u{1f600}": 6, "\ue000": 7 };
  const text = '{"":5,"10":1,"9":2,"a":4,"b":3,"\u{1f600}":6,"\ue000":7}';
  assert.equal(canonical(value), text);
  assert.equal(
    canonical([{ "": 1, "1": 2, a: { z: 1, y: 2 } }]),
    '[{"":1,"1":2,"a":{"y":2,"z":1}}]',
  );
  const rows = [
    { b: 1, a: 2 },
    { b: 3, a: 4 },
    { a: 5, b: 6 },
    { c: { e: 1, d: 2 }, a: 1 },
  ];
  assert.equal(
    canonical(rows),
    '[{"a":2,"b":1},{"a":4,"b":3},{"a":5,"b":6},{"a":1,"c":{"d":2,"e":1}}]',
  );
  assert.deepEqual(rows[0], { b: 1, a: 2 });
});

test("__proto__ is a key like any other", () => {
  const value = JSON.parse('{"b":1,"__proto__":{"x":1},"a":2}') as object;
  const data = Json.of(value);
  assert.equal(data.canonical, '{"__proto__":{"x":1},"a":2,"b":1}');
  assert.ok(Object.hasOwn(data.value as object, "__proto__"));
  assert.equal((data.value as { x?: number }).x, undefined);
  assert.ok(Object.hasOwn(parseJson('{"__proto__":1}') as object, "__proto__"));
  const read = Result.fromJson(
    '{"format_version":1,"metadata":{"foreign":{"mcp":{"__proto__":1}}}}',
  );
  assert.ok(Object.hasOwn(read.toValue()["metadata"] as object, "foreign"));
  assert.equal(read.metadata?.foreign?.mcp.get("__proto__")?.canonical, "1");
  assert.equal(Object.getPrototypeOf({}), Object.prototype);
  assert.equal(({} as { x?: number }).x, undefined);
});

test("texts that every object has as names are texts like any other", () => {
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"]) {
    assert.equal(Result.text(name).formatVersion, 1);
    assert.equal(Result.failure(ErrorCode.NotFound, name).formatVersion, 1);
    refuses(() => Result.failure(name as ErrorCode, "m"), "unknown_code", "/error/code");
    const part = { kind: name } as unknown as Part;
    refuses(() => Result.success(1, { content: [part] }), "unknown_kind", "/content/0/kind");
    assert.throws(() => reader(name, "1"), RangeError);
  }
});

test("what is patched into prototypes does not change the text", () => {
  const patched = BigInt.prototype as { toJSON?: () => string };
  patched.toJSON = () => "bent";
  try {
    assert.equal(canonical({ a: 2n ** 60n }), '{"a":1152921504606846976}');
  } finally {
    delete patched.toJSON;
  }
});

test("the parser says what is wrong, where, and at which byte", () => {
  const at = (text: string): unknown => {
    try {
      parseJson(text);
      return undefined;
    } catch (error) {
      assert.ok(error instanceof ResultError);
      return [error.code, error.pointer, error.offset];
    }
  };
  assert.deepEqual(at('{"a":[1,{"é":1,"é":2}]}'), ["invalid_json", "/a/1/é", 16]);
  assert.deepEqual(at('["\\ud83d"]'), ["invalid_text", "/0", 1]);
  assert.deepEqual(at("[1,]"), ["invalid_json", "/1", 3]);
  assert.deepEqual(at('{"a" 1}'), ["invalid_json", "/a", 5]);
  assert.deepEqual(at("[1e999]"), ["invalid_number", "/0", 1]);
  assert.deepEqual(at('"a\nb"'), ["invalid_json", "", 2]);
  assert.deepEqual(at("\ufeff1"), ["invalid_json", "", 0]);
  assert.deepEqual(at("[".repeat(100_000)), ["too_deep", "/0".repeat(200), 200]);
  refuses(() => parseJson("[1]", { maxBytes: 2 }), "out_of_range", "");
  refuses(() => parseJson('"é"', { maxBytes: 3 }), "out_of_range", "");
  refuses(() => parseJson(new Uint8Array([0x22, 0xff, 0x22])), "invalid_json", "");
  refuses(() => parseJson("1".repeat(1_000_001)), "invalid_number", "");
  assert.equal(typeof parseJson("1".repeat(1_000_000)), "bigint");
});

test("the pointer of a refused field has its name in the serialized form", () => {
  const image = { kind: "image", data: "AA==", mimeType: "" } as const;
  refuses(() => Result.success(1, { content: [image] }), "out_of_range", "/content/0/mime_type");
  refuses(() => new ImagePart({ data: "AA=", mimeType: "a/b" }), "invalid_base64", "/data");
  refuses(() => Result.failure("nope" as ErrorCode, "m"), "unknown_code", "/error/code");
  refuses(() => Result.failure(ErrorCode.NotFound, ""), "out_of_range", "/error/message");
  const metadata = { pagination: { total: -1 } };
  refuses(() => Result.success(1, { metadata }), "out_of_range", "/metadata/pagination/total");
  refuses(() => new Pagination({ totals: 1 } as object), "unknown_field", "/totals");
  const error = { code: ErrorCode.ToolError, message: "m" };
  refuses(() => new Result({ data: 1, error }), "contradiction", "/error");
});

test("a result is frozen all the way down", () => {
  const result = Result.success(
    { rows: [1] },
    { content: [{ kind: "text", text: "a" }], metadata: { extensions: { "a.b/c": 1 } } },
  );
  assert.ok(Object.isFrozen(result));
  assert.ok(Object.isFrozen(result.content));
  assert.ok(Object.isFrozen(result.content[0]));
  assert.ok(Object.isFrozen((result.data?.value as { rows: unknown }).rows));
  const map = result.metadata?.extensions as Map<string, Json>;
  assert.throws(() => map.set("a.b/d", Json.of(1)), TypeError);
  assert.throws(() => map.clear(), TypeError);
  const before = result.toJson();
  assert.throws(() => Map.prototype.set.call(map, "a.b/d", Json.of(1)), TypeError);
  assert.throws(() => Object.assign(map, { size: 7 }), TypeError);
  assert.equal(result.toJson(), before);
  assert.deepEqual([...new Map(map)].length, map.size);
  const again = Result.success(1, { metadata: { extensions: map } });
  assert.equal(again.metadata?.extensions?.get("a.b/c")?.canonical, "1");
  assert.deepEqual(toPlain(map), { "a.b/c": 1 });
});

test("data that changes later changes nothing", () => {
  const rows = [1];
  const result = Result.success(rows);
  rows.push(2);
  assert.deepEqual(result.data?.value, [1]);
});

test("an unknown kind of part does not compile", () => {
  const shown = (part: Part): string => {
    switch (part.kind) {
      case "text":
        return part.text;
      case "link":
        return part.uri;
      case "image":
      case "audio":
      case "binary":
        return part.mimeType;
      case "embedded":
        return part.text ?? part.uri;
    }
  };
  assert.equal(shown(new TextPart({ text: "a" })), "a");
});

test("copies with other values, and equality", () => {
  const result = Result.success({ a: 1 }, { summary: "s" });
  const other = result.replace({ summary: undefined });
  assert.equal(other.toJson(), '{"data":{"a":1},"format_version":1}');
  assert.ok(!result.equals(other));
  assert.ok(result.equals(Result.fromJson(result.toJson())));
  assert.ok(Json.of({ b: 1, a: 2 }).equals({ a: 2, b: 1 }));
  assert.ok(!Json.of(true).equals(1));
  assert.deepEqual(JSON.parse(JSON.stringify(result)), result.toValue());
});

test("the digest leaves out when it was made", () => {
  const made = (generatedAt: string): Result => Result.success(1, { metadata: { generatedAt } });
  const digest = Result.success(1).digest;
  assert.equal(made("2026-01-01T00:00:00Z").digest, digest);
  assert.equal(digest, sha256Hex(new TextEncoder().encode('{"data":1,"format_version":1}')));
});

test("SHA-256 and base64, at every length around a block", async () => {
  for (let length = 0; length < 140; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 37) % 256);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    assert.equal(sha256Hex(bytes), Buffer.from(digest).toString("hex"));
    assert.equal(encodeBase64(bytes), Buffer.from(bytes).toString("base64"));
    assert.deepEqual(decodeBase64(encodeBase64(bytes)), bytes);
  }
});

test("bytes of a text are counted as they are encoded", () => {
  for (const text of ["", "a", "é", "\u{1f600}", "\ud800", "a\udc00\ud800b", "€"]) {
    assert.equal(byteLength(text), new TextEncoder().encode(text).length);
  }
});

test("parts of bytes", () => {
  const part = ImagePart.fromBytes(new Uint8Array([0xfb, 0xff, 0xfe]), { mimeType: "image/png" });
  assert.equal(part.data, "+//+");
  assert.deepEqual([...part.toBytes()], [0xfb, 0xff, 0xfe]);
  const embedded = new EmbeddedPart({ uri: "a", text: "b" });
  assert.throws(() => embedded.toBytes(), TypeError);
  assert.throws(() => ImagePart.fromBytes("a" as never, { mimeType: "a/b" }), TypeError);
});

test("what is converted on request", () => {
  const value = {
    when: new Date("2026-07-28T10:00:00Z"),
    bytes: new Uint8Array([1]),
    map: new Map([[1, "a"]]),
    set: new Set(["b", "a"]),
    metadata: new Metadata({ dryRun: true }),
    absent: undefined,
  };
  assert.deepEqual(toPlain(value), {
    when: "2026-07-28T10:00:00Z",
    bytes: "AQ==",
    map: { "1": "a" },
    set: ["a", "b"],
    metadata: { dry_run: true },
  });
  refuses(() => toPlain({ a: [Symbol("x")] }), "invalid_value", "/a/0");
  refuses(
    () =>
      toPlain(
        new Map<unknown, unknown>([
          [1, 1],
          ["1", 2],
        ]),
      ),
    "invalid_value",
    "/1",
  );
});

test("an adapter of one's own comes before those of the package", () => {
  class Loud extends EnvelopeReader {
    override readEnvelope(text: unknown): Result {
      return Result.text(`${String(text)}!`);
    }
  }
  assert.throws(() => registerAdapters(Result as never), TypeError);
  registerAdapters(Loud);
  assert.equal(reader("legacy-envelope", "1").read("a").content.length, 1);
  const [part] = reader("legacy-envelope", "1").read("a").content;
  assert.equal(part?.kind === "text" && part.text, "a!");
});

test("an adapter says which rule it was written for", () => {
  const digest = LegacyEnvelopeReader.ruleDigests.readEnvelope;
  abstract class Own extends LegacyEnvelopeReader {
    override readEnvelope(text: unknown): Result {
      return Result.text(String(text));
    }
  }
  class Silent extends Own {}
  class Old extends Own {
    static readonly writtenFor: string = "0000000000000000";
  }
  class Now extends Own {
    static readonly writtenFor = digest;
  }
  const before = reader("legacy-envelope", "1");
  assert.throws(() => registerAdapters(Silent), new RegExp(`^OldAdapterError: .*"${digest}"`));
  assert.throws(() => registerAdapters(Old), /^OldAdapterError: Old was written for 0{16}/);
  assert.throws(() => registerAdapters(Now, Old), OldAdapterError);
  assert.equal(reader("legacy-envelope", "1"), before);
  registerAdapters(Now);
  assert.ok(reader("legacy-envelope", "1") instanceof Now);
  class ByMethod extends Own {
    static readonly writtenFor = LegacyEnvelopeReader.ruleDigests;
  }
  registerAdapters(ByMethod);
  assert.ok(reader("legacy-envelope", "1") instanceof ByMethod);
  registerAdapters(Now);
  for (const wrong of [null, undefined, {}, "Now"]) {
    assert.throws(() => registerAdapters(wrong as never), /^TypeError: .* is no adapter/);
  }
});

test("an adapter that leaves the hook of a reader open is refused where it is registered", () => {
  const before = reader("mcp-handshake", "2025-06-18");
  // What the compiler refuses, a program may do all the same.
  const Base = McpHandshakeReader as unknown as typeof HandshakeReader;
  class Open extends Base {
    static override readonly writtenFor = "bfbb6e6f71c0dc74";
  }
  class OldAndOpen extends Base {
    static override readonly writtenFor = "0000000000000000" as never;
  }
  for (const adapter of [Open, OldAndOpen]) {
    assert.throws(
      () => registerAdapters(adapter),
      (error) =>
        error instanceof MissingAdapterError &&
        /^Open|^OldAndOpen/.test(error.message) &&
        error.message.includes("leaves hooks of McpHandshakeReader open: readResult;"),
    );
  }
  assert.equal(reader("mcp-handshake", "2025-06-18"), before);
});

test("a rendering has its text, bytes, size and wire value", () => {
  const rendering = renderer("mcp-stateless", "2026-07-28", "final").render(
    Result.success({ é: 1n }),
  );
  assert.equal(new TextDecoder().decode(rendering.bytes), rendering.text);
  assert.equal(rendering.size, rendering.bytes.length);
  assert.deepEqual((rendering.wire as { structuredContent: unknown }).structuredContent, { é: 1 });
});

test("every adapter was written for the rule as it is now", () => {
  for (const [target, revision, generated] of READERS) {
    const { ruleDigests } = generated as unknown as { readonly ruleDigests: object };
    const digests = Object.values(ruleDigests) as string[];
    const adapter = reader(target, revision).constructor as { readonly writtenFor?: string };
    assert.match(digests.join(), /^[0-9a-f]{16}$/);
    assert.deepEqual([adapter.writtenFor], digests, `${target}@${revision}`);
  }
});
