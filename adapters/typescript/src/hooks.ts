/** Whether an adapter was written for the rules of the hooks that it fills. */

import { isObject, memberOf, type Hooked } from "./core.js";

/** An adapter of another rule, or of none. The message says which rule there is now. */
export class OldAdapterError extends TypeError {
  override readonly name = "OldAdapterError";
}

/** A hook that no adapter fills. The message names the class to derive one from. */
export class MissingAdapterError extends TypeError {
  override readonly name = "MissingAdapterError";
}

/** The digests of the rules of a class's own hooks, by method. */
function digestsOf(base: Hooked): ReadonlyMap<string, string> {
  const digests = memberOf(base, "ruleDigests");
  const found = isObject(digests) ? Object.entries(digests) : [];
  return new Map(found as [string, string][]);
}

/** Whether a class has hooks, so that it is of no use without an adapter. */
export function hasHooks(base: Hooked): boolean {
  return digestsOf(base).size > 0;
}

/**
 * Throws MissingAdapterError for an adapter that leaves a hook of its base open, and OldAdapterError
 * for one whose `writtenFor` is not the digest of the rule. With several hooks `writtenFor` has the
 * digest of each, by the name of the method.
 */
export function checkAdapter(adapter: Hooked, base: Hooked): void {
  const digests = digestsOf(base);
  const open = [...digests.keys()].filter((method) => !isFilled(adapter, method));
  if (open.length > 0) {
    throw new MissingAdapterError(
      `${adapter.name} leaves hooks of ${base.name} open: ${open.join(", ")}; write the methods`,
    );
  }
  const said = (adapter as unknown as { readonly writtenFor?: unknown }).writtenFor;
  for (const [method, digest] of digests) {
    const own = isObject(said) ? memberOf(said, method) : digests.size === 1 ? said : undefined;
    if (own !== digest) {
      const shown = typeof own === "string" ? own.slice(0, 60) : "no rule that it names";
      throw new OldAdapterError(
        `${adapter.name} was written for ${shown}, and ${method} is at ${digest} ` +
          `now: read the rule at ${base.name}, change what has to change, ` +
          `then set static readonly writtenFor = ${wanted(digests)}`,
      );
    }
  }
}

/** Whether an object of the adapter has the method, as its own property perhaps. */
function isFilled(adapter: Hooked, method: string): boolean {
  const made = new (adapter as new () => Readonly<Record<string, unknown>>)();
  return typeof made[method] === "function";
}

function wanted(digests: ReadonlyMap<string, string>): string {
  const [first] = digests.values();
  return JSON.stringify(digests.size === 1 ? first : Object.fromEntries(digests));
}
