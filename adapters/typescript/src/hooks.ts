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

/** The digests of the rules of a class's own hooks, by method; of a reader's one hook, by "". */
function digestsOf(base: Hooked): ReadonlyMap<string, string> {
  const one = memberOf(base, "ruleDigest");
  const several = memberOf(base, "ruleDigests");
  const found = isObject(several) ? Object.entries(several) : [];
  if (one !== undefined) found.push(["", one]);
  return new Map(found as [string, string][]);
}

/** Whether a class has hooks, so that it is of no use without an adapter. */
export function hasHooks(base: Hooked): boolean {
  return digestsOf(base).size > 0;
}

/**
 * Throws OldAdapterError for an adapter whose `writtenFor` is not the digest of the rule of its
 * base, and MissingAdapterError for one that leaves a hook open. With several hooks `writtenFor`
 * has the digest of each, by the name of the method.
 */
export function checkAdapter(adapter: Hooked, base: Hooked): void {
  const digests = digestsOf(base);
  const said = (adapter as unknown as { readonly writtenFor?: unknown }).writtenFor;
  for (const [method, digest] of digests) {
    if (method !== "" && !isFilled(adapter, method)) {
      throw new MissingAdapterError(
        `${adapter.name} leaves the hook ${method} of ${base.name} open; write the method`,
      );
    }
    const own = isObject(said) ? memberOf(said, method) : digests.size === 1 ? said : undefined;
    if (own !== digest) {
      const shown = typeof own === "string" ? own.slice(0, 60) : "no rule that it names";
      throw new OldAdapterError(
        `${adapter.name} was written for ${shown}, and ${method || base.name} is at ${digest} ` +
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
