/**
 * From what a tool threw to the failure that a client gets.
 *
 * An error that nobody expected says nothing to the client but a reference, which the log has
 * with the whole error. What is known becomes the error code that the registry names.
 */

import { encodeHex, type ErrorCode, Result } from "./core.js";
import { StoreError } from "./store/interface.js";
import { random } from "./store/keys.js";

/** An error code, or what makes a failure of the error, its text included if it likes. */
export type Answer<E extends Error = Error> = string | ((error: E) => Result);

/** A class of errors, however its objects are made. */
export type ErrorClass<E extends Error = Error> = abstract new (...given: never[]) => E;

/** What goes to the log of the host. */
export interface LogEntry {
  readonly level: "error" | "info" | "warning";
  readonly message: string;
  /** What a client may quote, and the log can be searched for. */
  readonly reference?: string;
  readonly error?: unknown;
}

/** Where entries go; by default those that are errors go to the console. */
export type Log = (entry: LogEntry) => void;

/** The neutral message of a code, where the text of the error is kept back. */
const MESSAGES: ReadonlyMap<string, string> = new Map([
  ["invalid_arguments", "The tool cannot use these arguments."],
  ["missing_privilege", "A privilege is missing for this."],
  ["not_found", "What was asked for does not exist."],
]);
const FAILED = "The tool failed.";

const UNEXPECTED = "The tool failed unexpectedly.";

/** A name for one failure. */
export function newReference(): string {
  return encodeHex(random(6));
}

export const toConsole: Log = ({ level, message, reference, error }) => {
  if (level === "error") {
    const named = reference === undefined ? "" : `, reference ${reference}`;
    console.error(`toolresult: ${message}${named}`, error);
  } else if (level === "warning") {
    console.warn(`toolresult: ${message}`);
  }
};

/**
 * The registry of known errors.
 *
 * `known` adds to what is known already, or replaces it. The nearest class of an error counts,
 * as with `instanceof` and subclasses first. Throws ResultError for a code that there is not.
 */
export class Failures {
  readonly #known: ReadonlyMap<unknown, Answer<never>>;
  readonly #log: Log;

  constructor(known: Iterable<readonly [ErrorClass, Answer<never>]> = [], log: Log = toConsole) {
    this.#known = new Map<unknown, Answer<never>>([
      [StoreError, (error: StoreError) => Result.failure("tool_error", error.message)],
      ...known,
    ]);
    this.#log = log;
    for (const answer of this.#known.values()) {
      if (typeof answer === "string") {
        Result.failure(answer as ErrorCode, "-"); // a code that there is not is known now
      }
    }
  }

  /** The failure that stands for what a tool threw. Never throws. */
  result(tool: string, error: unknown): Result {
    for (let kind = classOf(error); typeof kind === "function";) {
      const answer = this.#known.get(kind);
      if (typeof answer === "string") {
        return this.#neutral(tool, error, answer);
      }
      if (answer !== undefined) {
        return this.#answered(tool, error, answer);
      }
      kind = Object.getPrototypeOf(kind) as unknown;
    }
    return this.#unexpected(tool, error);
  }

  #answered(tool: string, error: unknown, answer: (error: never) => Result): Result {
    let result: unknown;
    try {
      result = answer(error as never);
    } catch (fault) {
      return this.#unexpected(tool, fault);
    }
    if (!(result instanceof Result) || result.error === undefined) {
      const fault = new TypeError("the answer to an error is no failure");
      return this.#unexpected(tool, fault);
    }
    this.#log({ level: "info", message: `the tool ${tool} failed: ${result.error.code}` });
    return result;
  }

  #neutral(tool: string, error: unknown, code: string): Result {
    const reference = newReference();
    this.#log({ level: "info", message: `the tool ${tool} failed: ${code}`, reference, error });
    const message = MESSAGES.get(code) ?? FAILED;
    return Result.failure(code as ErrorCode, `${message} Reference: ${reference}`, {
      reference,
    });
  }

  #unexpected(tool: string, error: unknown): Result {
    const reference = newReference();
    this.#log({
      level: "error",
      message: `the tool ${tool} failed unexpectedly`,
      reference,
      error,
    });
    return Result.failure("tool_error", `${UNEXPECTED} Reference: ${reference}`, {
      reference,
    });
  }
}

/** The failure for arguments that do not fit a tool's parameters; `problem` says which and why. */
export function invalidArguments(problem: string): Result {
  const neutral = MESSAGES.get("invalid_arguments") ?? FAILED;
  try {
    return Result.failure("invalid_arguments", problem === "" ? neutral : `${neutral} ${problem}`);
  } catch {
    // the name of an argument may be any text that JSON can spell
    return Result.failure("invalid_arguments", neutral);
  }
}

function classOf(error: unknown): unknown {
  return error instanceof Error ? error.constructor : undefined;
}
