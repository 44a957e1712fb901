/** Options as programs give them that no compiler has looked at: unknown ones are refused. */

import { isObject } from "./core.js";

/** Whether a value is one that an option takes, and what it takes in words. */
export type OptionType = readonly [expected: string, fits: (value: unknown) => boolean];

export const TEXT: OptionType = ["a text", (value) => typeof value === "string"];
export const FLAG: OptionType = ["true or false", (value) => typeof value === "boolean"];
export const NUMBER: OptionType = ["a number", (value) => typeof value === "number"];
export const FUNCTION: OptionType = ["a function", (value) => typeof value === "function"];
export const ITERABLE: OptionType = [
  "a list, or a map",
  (value) => typeof Object(value)[Symbol.iterator] === "function",
];
export const ANYTHING: OptionType = ["anything", () => true];

/** The same type, or null for none. */
export function orNull([expected, fits]: OptionType): OptionType {
  return [`${expected}, or null`, (value) => value === null || fits(value)];
}

/**
 * Throws TypeError for options that are no object, for an option that there is not, and for one of
 * another type. One that is undefined is absent. `what` names the options in the message.
 */
export function checkOptions(
  given: unknown,
  known: ReadonlyMap<string, OptionType>,
  what: string,
): void {
  const listed = [...known.keys()].join(", ");
  if (!isObject(given)) {
    throw new TypeError(`${what}: expected an object of ${listed}`);
  }
  for (const [name, value] of Object.entries(given)) {
    const type = known.get(name);
    if (type === undefined) {
      throw new TypeError(`${what}: there is no '${name.slice(0, 80)}'; known are ${listed}`);
    }
    const [expected, fits] = type;
    if (value !== undefined && !fits(value)) {
      throw new TypeError(`${what}: ${name}: expected ${expected}`);
    }
  }
}
