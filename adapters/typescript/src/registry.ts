/** Renderers and readers by target, revision and phase, with the adapters that fill their hooks. */

import { TaskReader03, TaskReader10 } from "./a2a/reader.js";
import {
  type Hooked,
  type Reader,
  READERS,
  type Renderer,
  RENDERERS,
  type Result,
} from "./core.js";
import { checkAdapter, hasHooks, MissingAdapterError } from "./hooks.js";
import { EnvelopeReader } from "./legacy.js";
import { HandshakeReader } from "./mcp/handshake.js";
import { StatelessReader } from "./mcp/stateless.js";

/** A class that fills hooks: it derives from a generated `…Reader` or `…Hooks`. */
export type Adapter = new () => object;

/** The adapters of this package. */
const OURS: readonly Adapter[] = [
  EnvelopeReader,
  HandshakeReader,
  StatelessReader,
  TaskReader03,
  TaskReader10,
];

/** The adapters of others, the last one first. */
let registered: readonly Adapter[] = [];
const renderers = new Map<string, Renderer>();
const readers = new Map<string, Reader<Result>>();

/** A target, revision or phase that is not known. The message names those that are. */
export class UnknownTargetError extends RangeError {
  override readonly name = "UnknownTargetError";
}

export { MissingAdapterError, OldAdapterError } from "./hooks.js";

/**
 * Has these classes fill the hooks that their bases declare, before any adapter known so far.
 *
 * Throws TypeError for a class that derives from no generated `…Reader` and no `…Hooks`;
 * MissingAdapterError, a TypeError, for one that leaves a hook open; OldAdapterError, another, for
 * one whose `writtenFor` is not the digest of the rule of each hook, which stands in the base.
 */
export function registerAdapters(...adapters: readonly Adapter[]): void {
  const hooked = new Set([
    ...READERS.map((entry) => entry[2]),
    ...RENDERERS.flatMap(([, , , , hooks]) => (hooks === undefined ? [] : [hooks])),
  ]);
  for (const adapter of adapters) {
    const bases = [...hooked].filter((base) => isBelow(adapter, base));
    for (const base of bases) checkAdapter(adapter, base);
    if (bases.length === 0) {
      throw new TypeError(
        `${nameOf(adapter)} is no adapter: it derives from no …Reader and no …Hooks`,
      );
    }
  }
  const others = registered.filter((one) => !adapters.includes(one));
  registered = [...[...adapters].reverse(), ...others];
  renderers.clear();
  readers.clear();
}

function isBelow(adapter: unknown, base: Hooked): boolean {
  return typeof adapter === "function" && adapter.prototype instanceof base;
}

function nameOf(adapter: unknown): string {
  return typeof adapter === "function" ? adapter.name : String(adapter);
}

/** `"mcp-handshake@2025-06-18"` as target and revision. Throws UnknownTargetError. */
export function split(name: string): readonly [target: string, revision: string] {
  const at = name.indexOf("@");
  const target = at < 0 ? name : name.slice(0, at);
  const revision = at < 0 ? "" : name.slice(at + 1);
  checkTarget(target);
  if (!revisions(target).includes(revision)) {
    const listed = revisions(target).map((one) => `${target}@${one}`);
    throw new UnknownTargetError(
      `unknown revision '${revision.slice(0, 80)}' of ${target}; known are ${listed.join(", ")}`,
    );
  }
  return [target, revision];
}

function checkTarget(target: string): void {
  const known = targets();
  if (!known.includes(target)) {
    throw new UnknownTargetError(
      `unknown target '${target.slice(0, 80)}'; known are ${known.join(", ")}`,
    );
  }
}

/** Throws UnknownTargetError for a phase that no target has. */
export function checkPhase(phase: string | null | undefined): void {
  const known = new Set(RENDERERS.flatMap(([, , one]) => (one === undefined ? [] : [one])));
  if (typeof phase === "string" && known.size > 0 && !known.has(phase)) {
    throw new UnknownTargetError(
      `unknown phase '${phase.slice(0, 80)}'; known are ${[...known].join(", ")}`,
    );
  }
}

/** The known targets. */
export function targets(): readonly string[] {
  return [...new Set(RENDERERS.map(([target]) => target))];
}

/** The revisions of a target, the oldest first. */
export function revisions(target: string): readonly string[] {
  const found = RENDERERS.filter((entry) => entry[0] === target);
  return [...new Set(found.map(([, revision]) => revision))];
}

/** The phases of a revision; empty for a target that has none. */
export function phases(target: string, revision: string): readonly string[] {
  return RENDERERS.filter((entry) => entry[0] === target && entry[1] === revision).flatMap(
    ([, , phase]) => (phase === undefined ? [] : [phase]),
  );
}

/**
 * The newest known revision that is not after the given one.
 *
 * Revisions are compared as texts, which orders dates and `major.minor` with one digit each. Throws
 * UnknownTargetError for an unknown target, and if all known ones are newer.
 */
export function newestNotAfter(target: string, revision: string): string {
  checkTarget(target);
  const newest = revisions(target)
    .filter((one) => one <= revision)
    .sort()
    .at(-1);
  if (newest === undefined) {
    const listed = revisions(target).join(", ");
    throw new UnknownTargetError(
      `no revision of ${target} is as old as '${revision.slice(0, 80)}'; known are ${listed}`,
    );
  }
  return newest;
}

/**
 * The renderer of a revision and phase. Throws UnknownTargetError, MissingAdapterError.
 *
 * A target without phases takes any phase, so that one setting serves all targets.
 */
export function renderer(target: string, revision: string, phase?: string | null): Renderer {
  const key = JSON.stringify([target, revision, phase]);
  const known = renderers.get(key);
  if (known !== undefined) return known;
  split(`${target}@${revision}`);
  const own = phases(target, revision);
  if (own.length > 0 && !own.includes(phase ?? "")) {
    const listed = own.join(", ");
    throw new UnknownTargetError(
      `unknown phase '${String(phase).slice(0, 80)}' of ${target}; known are ${listed}`,
    );
  }
  const asked = own.length > 0 ? phase : undefined;
  const entry = RENDERERS.find(
    ([name, rev, one]) => name === target && rev === revision && one === asked,
  );
  if (entry === undefined) throw new UnknownTargetError(`there is no renderer of ${target}`);
  const [, , , made, hooks] = entry;
  const found = new made((hooks && filled(hooks, `${target}@${revision}`)) as never);
  renderers.set(key, found);
  return found;
}

/** As {@link renderer}, for names that may be anything; a target with phases needs one. */
export function rendererAsked(target: string, revision: string, phase?: string | null): Renderer {
  if (phase === undefined || phase === null) {
    split(`${target}@${revision}`);
    const own = phases(target, revision);
    if (own.length > 0) {
      throw new UnknownTargetError(`name a phase of ${target}; known are ${own.join(", ")}`);
    }
  }
  return renderer(target, revision, phase);
}

/** The reader of a revision. Throws UnknownTargetError, MissingAdapterError. */
export function reader(target: string, revision: string): Reader<Result> {
  const key = `${target}@${revision}`;
  const known = readers.get(key);
  if (known !== undefined) return known;
  split(key);
  const entry = READERS.find(([name, rev]) => name === target && rev === revision);
  if (entry === undefined) throw new UnknownTargetError(`there is no reader of ${key}`);
  const found = filled(entry[2], key) as Reader<Result>;
  readers.set(key, found);
  return found;
}

/** An object of the adapter that fills a class, or of the class itself if it has no hooks. */
function filled(generated: Hooked, what: string): object {
  const adapter = [...registered, ...OURS].find((one) => one.prototype instanceof generated);
  if (adapter !== undefined) return new adapter();
  if (hasHooks(generated)) {
    throw new MissingAdapterError(
      `${what} has hooks that no adapter fills; derive a class from ${generated.name} and ` +
        "register it (registerAdapters)",
    );
  }
  return new (generated as Adapter)();
}
