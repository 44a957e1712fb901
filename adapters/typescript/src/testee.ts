/**
 * The testee of TypeScript: answers requests line by line, so that vectors can be proven.
 *
 * The protocol is described beside the vectors, in `generated/vectors/README.md`. What is here needs
 * no Node; `testee-node.ts` ties it to standard input and output.
 */

import { isObject, memberOf, type Options, Result, ResultError } from "./core.js";
import { MissingAdapterError, reader, renderer, UnknownTargetError } from "./registry.js";
import { fromBase64 } from "./store/base64.js";

/** Bytes of a request, its line break included. */
export const MAX_LINE = 64 * 1024 * 1024;

type Request = Record<string, unknown>;
type Answer = Record<string, unknown>;

const OPTIONS: ReadonlyMap<string, readonly [name: string, type: string]> = new Map([
  ["wrap_output", ["wrapOutput", "boolean"]],
  ["structured_errors", ["structuredErrors", "boolean"]],
  ["artifact_id", ["artifactId", "string"]],
  ["message_id", ["messageId", "string"]],
]);

interface Action {
  /** What such a request has beside `id`, `do` and `text` or `base64`. */
  readonly members: readonly string[];
  readonly answer: (request: Request, text: string | Uint8Array) => Answer;
}

const ACTIONS: ReadonlyMap<unknown, Action> = new Map([
  ["render", { members: ["target", "revision", "phase", "options"], answer: render }],
  ["read", { members: ["target", "revision"], answer: read }],
  ["check", { members: [], answer: check }],
]);

/** A request that is none. The message says to people what is wrong with it. */
class BadRequestError extends Error {}

/** The answer to one line, as a line without its end. Throws nothing, whatever the line holds. */
export function answerLine(line: Uint8Array): string {
  return JSON.stringify(answerTo(line));
}

/** The refusal of a line that is too long. */
export function refuseLine(): string {
  return JSON.stringify(refused(null, `a line has at most ${MAX_LINE} bytes`));
}

function answerTo(line: Uint8Array): Answer {
  let request: unknown;
  try {
    request = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
  } catch {
    return refused(null, "the line is no JSON in UTF-8");
  }
  if (!isObject(request)) return refused(null, "a request is an object");
  const given = memberOf(request, "id");
  const id = typeof given === "string" ? given : null;
  try {
    return { id, ...answer(request) };
  } catch (error) {
    if (error instanceof BadRequestError || error instanceof UnknownTargetError) {
      return refused(id, error.message);
    }
    if (error instanceof MissingAdapterError) return { id, skipped: error.message };
    if (error instanceof ResultError) {
      return { id, error: { code: error.code, pointer: error.pointer } };
    }
    // A fault of ours: said as one, so that whoever drives us sees which request it was.
    return { id, fault: String(error).slice(0, 500) };
  }
}

function refused(id: string | null, message: string): Answer {
  return { id, bad_request: message };
}

function answer(request: Request): Answer {
  if (typeof memberOf(request, "id") !== "string") throw new BadRequestError("id has to be a text");
  const action = ACTIONS.get(memberOf(request, "do"));
  if (action === undefined) {
    throw new BadRequestError(`do is one of ${[...ACTIONS.keys()].join(", ")}`);
  }
  const known = new Set(["id", "do", "text", "base64", ...action.members]);
  const unknown = Object.keys(request).find((name) => !known.has(name));
  if (unknown !== undefined) throw new BadRequestError(`unknown member '${unknown.slice(0, 80)}'`);
  return action.answer(request, textOf(request));
}

function textOf(request: Request): string | Uint8Array {
  const text = memberOf(request, "text");
  const base64 = memberOf(request, "base64");
  if ((text === undefined) === (base64 === undefined)) {
    throw new BadRequestError("a request has either text or base64");
  }
  if (typeof text === "string") return text;
  if (typeof base64 !== "string") throw new BadRequestError("text and base64 are texts");
  const bytes = fromBase64(base64);
  if (bytes === undefined) throw new BadRequestError("base64 is no base64");
  return bytes;
}

function render(request: Request, text: string | Uint8Array): Answer {
  const phase = memberOf(request, "phase");
  if (phase !== undefined && phase !== null && typeof phase !== "string") {
    throw new BadRequestError("phase is a text");
  }
  const found = renderer(...targetOf(request), phase);
  const rendering = found.render(Result.fromJson(text), optionsOf(memberOf(request, "options")));
  return { output: new TextDecoder().decode(rendering.bytes), losses: rendering.losses };
}

function read(request: Request, text: string | Uint8Array): Answer {
  return {
    output: reader(...targetOf(request))
      .read(text)
      .toJson(),
  };
}

function check(_: Request, text: string | Uint8Array): Answer {
  return { output: Result.fromJson(text).toJson() };
}

function targetOf(request: Request): [string, string] {
  const target = memberOf(request, "target");
  const revision = memberOf(request, "revision");
  if (typeof target !== "string" || typeof revision !== "string") {
    throw new BadRequestError("target and revision are texts");
  }
  return [target, revision];
}

function optionsOf(given: unknown = {}): Options {
  if (!isObject(given)) throw new BadRequestError("options is an object");
  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const known = OPTIONS.get(key);
    if (known === undefined) throw new BadRequestError(`unknown option '${key.slice(0, 80)}'`);
    const [name, type] = known;
    if (typeof value !== type) throw new BadRequestError(`the option ${key} is a ${type}`);
    options[name] = value;
  }
  return options;
}
