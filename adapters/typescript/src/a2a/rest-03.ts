/**
 * Over REST in revision 0.3: what the SDK's types of that revision have no room for.
 *
 * They lack the metadata of a part and the name of a file. So both are put into the metadata of
 * the artifact or message around the part, which goes through, and from there to their places in
 * what is answered.
 */

import type { Part } from "@a2a-js/sdk";

import { isObject, NAMESPACE } from "../core.js";
import type { Wire } from "./border.js";
import type { Writing } from "./handler.js";

const MARK = `${NAMESPACE}/parts`;

/** What is lost of one part. */
interface Lost {
  readonly metadata?: Wire;
  readonly name?: string;
}

/** What is around parts: an artifact or a message. */
interface Owner {
  readonly parts: Part[];
  readonly metadata: Wire | undefined;
}

/** Artifacts and messages that say in their metadata what the SDK is going to lose. */
export const MARKED: Writing = { artifact: marked, message: marked };

function marked<T extends Owner>(owner: T): T {
  // Whoever else uses our name does not decide what stands in parts.
  const { [MARK]: foreign, ...metadata } = owner.metadata ?? {};
  const lost = owner.parts.map(lostOf);
  if (lost.some((one) => Object.keys(one).length > 0)) {
    return { ...owner, metadata: { ...metadata, [MARK]: lost } };
  }
  return foreign === undefined ? owner : { ...owner, metadata };
}

function lostOf({ metadata, filename }: Part): Lost {
  // An empty name that is to be written is an object: see `written`.
  const isNamed = typeof filename === "object" || filename !== "";
  return {
    ...(metadata === undefined ? {} : { metadata }),
    ...(isNamed ? { name: String(filename) } : {}),
  };
}

/** A JSON answer of the SDK, whose parts have got back what {@link MARKED} has kept of them. */
export function putRight(answer: unknown): unknown {
  if (!isObject(answer)) {
    return answer;
  }
  if ("status" in answer) {
    return task(answer);
  }
  return within(
    within(within(within(answer, "task", task), "message", message), "statusUpdate", statusOf),
    "artifactUpdate",
    (update) => within(update, "artifact", artifact),
  );
}

/** An event of a stream as {@link putRight} has it. */
export function eventPutRight(event: string): string {
  return event.includes(MARK)
    ? event.replace(/^data: (.*)\n\n$/s, (_, json: string) => {
        return `data: ${JSON.stringify(putRight(JSON.parse(json)))}\n\n`;
      })
    : event;
}

function task(given: Wire): Wire {
  return each(each(statusOf(given), "artifacts", artifact), "history", message);
}

function statusOf(given: Wire): Wire {
  return within(given, "status", (status) => within(status, "message", message));
}

function artifact(given: Wire): Wire {
  return restored(given, "parts");
}

function message(given: Wire): Wire {
  return restored(given, "content");
}

function restored(owner: Wire, parts: "parts" | "content"): Wire {
  if (!isObject(owner["metadata"]) || !Object.hasOwn(owner["metadata"], MARK)) {
    return owner;
  }
  const { metadata, ...rest } = owner;
  const { [MARK]: lost, ...kept } = metadata as Wire & { readonly [MARK]: readonly Lost[] };
  const whole = (owner[parts] as readonly Wire[]).map((part, index) => {
    const { metadata, name } = lost[index] ?? {};
    const named = name === undefined ? part : within(part, "file", (file) => ({ ...file, name }));
    return metadata === undefined ? named : { ...named, metadata };
  });
  return {
    ...rest,
    [parts]: whole,
    ...(Object.keys(kept).length === 0 ? {} : { metadata: kept }),
  };
}

/** An object with one member changed, if it has it. */
function within(owner: Wire, name: string, change: (value: Wire) => Wire): Wire {
  const value = owner[name];
  return isObject(value) ? { ...owner, [name]: change(value) } : owner;
}

/** An object with the items of one member changed, if it has it. */
function each(owner: Wire, name: string, change: (value: Wire) => Wire): Wire {
  const value = owner[name];
  return Array.isArray(value) ? { ...owner, [name]: (value as Wire[]).map(change) } : owner;
}
