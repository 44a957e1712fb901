/** What every sample is rendered to, of the committed vectors. */

import { readFileSync } from "node:fs";

/** A sample's serialized form, and its output in one format. */
export interface Sample {
  readonly name: string;
  readonly text: string;
  readonly output: string;
}

interface Vector {
  readonly id: string;
  readonly text: string;
  readonly output: string;
  readonly options?: object;
}

const FOLDER = new URL("../../../../generated/vectors/", import.meta.url);

/** The samples in one format; `phase` where the target has phases. */
export function samplesIn(target: string, revision: string, phase?: string): readonly Sample[] {
  const file = new URL(`${target}@${revision}.jsonl`, FOLDER);
  const prefix = `render ${target}@${revision}${phase === undefined ? "" : `/${phase}`} `;
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Vector)
    .filter(({ id, options = {} }) => id.startsWith(prefix) && Object.keys(options).length === 0)
    .map(({ id, text, output }) => ({ name: id.slice(prefix.length), text, output }));
}
