/**
 * Times of rendering in TypeScript, beside the MCP SDK and the floor.
 *
 * Standard input: one JSON object, `{"seconds": …, "inputs": {"1 KB": "<JSON>", …}}`. Standard
 * output: the medians in seconds of the processor, `{"1 KB": {"ours": …, "sdk": …, "floor": …}, …}`.
 */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const PACKAGE = new URL("../../adapters/typescript/", import.meta.url);
const require = createRequire(new URL("package.json", PACKAGE));
const { specTypeSchemas } = await import(
  pathToFileURL(require.resolve("@modelcontextprotocol/server"))
);
const { Mapper, Result } = await import(pathToFileURL(require.resolve("toolresult")));

/**
 * Seconds that one sample takes at least, if a call takes less: then it is several calls. Long, so
 * that each sample has its share of the collector's work, which comes every few milliseconds.
 */
const SAMPLE = 0.05;
const LEAST = 5;

const mapper = new Mapper({ phase: "final", limit: null });
const check = specTypeSchemas.CallToolResult["~standard"];

const ways = {
  ours: (data) => mapper.render(Result.success(data), "mcp-handshake@2025-11-25").text,
  sdk: (data) => {
    const { value, issues } = check.validate(built(data));
    assert.equal(issues, undefined);
    return JSON.stringify(value);
  },
  floor: (data) => JSON.stringify(built(data)),
};

/** The result as one builds it by hand: the data, and its text for those that read no more. */
function built(data) {
  return { content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: data };
}

/** Of this process, so that what else runs on the machine counts for nothing. */
function seconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function medians(data, total) {
  const calls = {};
  const samples = {};
  for (const [name, way] of Object.entries(ways)) {
    for (let warm = 0; warm < 3; warm += 1) {
      way(data);
    }
    const start = seconds();
    way(data);
    calls[name] = Math.max(1, Math.floor(SAMPLE / Math.max(seconds() - start, 1e-7)));
    samples[name] = [];
  }
  // In turn, so that what disturbs one disturbs all.
  const end = seconds() + total;
  while (seconds() < end || samples.ours.length < LEAST) {
    for (const [name, way] of Object.entries(ways)) {
      const start = seconds();
      for (let call = 0; call < calls[name]; call += 1) {
        way(data);
      }
      samples[name].push((seconds() - start) / calls[name]);
    }
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, found]) => [name, median(found)]),
  );
}

function median(found) {
  const ordered = found.sort((one, other) => one - other);
  return ordered[Math.floor(ordered.length / 2)];
}

const asked = JSON.parse(await text(process.stdin));
const answer = {};
for (const [name, json] of Object.entries(asked.inputs)) {
  const data = JSON.parse(json);
  for (const way of Object.values(ways)) {
    assert.deepEqual(JSON.parse(way(data)).structuredContent, data);
  }
  answer[name] = medians(data, asked.seconds);
}
process.stdout.write(JSON.stringify(answer));
