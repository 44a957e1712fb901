/** Every vector is answered byte for byte: rendered, read, checked and refused. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { answerLine } from "#dist/adapters/typescript/src/testee.js";

interface Vector {
  readonly id: string;
  readonly output?: string;
  readonly losses?: readonly unknown[];
  readonly error?: { readonly code: string; readonly pointer: string };
}

const FOLDER = new URL("../../../../generated/vectors/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"));
const ANSWER = new Set(["output", "losses", "error"]);
const ENCODER = new TextEncoder();

function vectorsOf(name: string): readonly Vector[] {
  const lines = readFileSync(new URL(name, FOLDER), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Vector);
}

/** What a vector asks, and what has to be answered. */
function split(vector: Vector): readonly [request: object, answer: object] {
  const members = Object.entries(vector);
  const request = Object.fromEntries(members.filter(([name]) => !ANSWER.has(name)));
  const answer = Object.fromEntries(members.filter(([name]) => ANSWER.has(name)));
  return [request, { id: vector.id, ...answer }];
}

test("there are vectors of every target", () => {
  assert.ok(FILES.length > 8);
});

for (const file of FILES) {
  test(file, () => {
    const vectors = vectorsOf(file);
    assert.ok(vectors.length > 50);
    for (const vector of vectors) {
      const [request, expected] = split(vector);
      const said: unknown = JSON.parse(answerLine(ENCODER.encode(JSON.stringify(request))));
      assert.deepEqual(said, expected, vector.id);
    }
  });
}
