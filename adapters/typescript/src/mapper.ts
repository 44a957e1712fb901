/** Renders results: picks the renderer, measures its output, stores what is too large. */

import {
  type JsonValue,
  type Loss,
  Metadata,
  type Options,
  parseJson,
  type PlainRendering,
  type Renderer,
  Result,
  canonical,
  WIRE_DEPTH,
} from "./core.js";
import { type Given, resultOf } from "./given.js";
import { hasStructuredContent, isWrapped } from "./output-schema.js";
import { reader, rendererAsked, split } from "./registry.js";
import { type Oversize, Rendering } from "./rendering.js";
import {
  checkRequest,
  checkSettings,
  checkValues,
  type Clock,
  formatOf,
  nowOf,
  type Request,
  type Settings,
} from "./request.js";
import {
  linked,
  lossesOfLinked,
  lossesOfShortened,
  MIME_TYPE,
  shortened,
  toStore,
} from "./size.js";
import {
  DEFAULT_LIFETIME,
  type PutOptions,
  type Store,
  StoreError,
  type StoredLink,
} from "./store/interface.js";

/** How many formats a mapper remembers that were asked for by name alone. */
const NAMES = 64;

/**
 * Renders results, with defaults for what requests leave open.
 *
 * What a mapper gives depends on nothing but these and the request.
 */
export class Mapper {
  readonly #settings: Settings;
  readonly #named = new Map<string, Job>();

  /**
   * Throws TypeError for settings that there are not, and for those of another type;
   * UnknownTargetError for a phase that no target has; RangeError for other values that no rendering
   * could use.
   */
  constructor(settings: Settings = {}) {
    checkSettings(settings);
    this.#settings = Object.freeze({ ...settings });
  }

  /** Where results go that are too large to send, by default. */
  get store(): Store | undefined {
    return this.#settings.store ?? undefined;
  }

  /** What tells the time, by default. */
  get clock(): Clock | undefined {
    return this.#settings.clock ?? undefined;
  }

  /**
   * The result in the format that is asked for, with what was lost and what was stored.
   *
   * `result` is what `resultOf` takes. A text as request is the target and revision, all else by
   * default.
   *
   * Throws ResultError for what is no result; UnknownTargetError for an unknown target or
   * revision, and for a phase that is unknown or not named; RangeError for a store without a
   * clock, and for values that settings cannot have; StoreError with `onStoreFailure: "fail"`;
   * TypeError for fields that there are not or that have another type, and for a store that
   * answers with promises, which `renderAsync` waits for.
   */
  render(result: Given, request: Request | string): Rendering {
    return this.#job(request).render(resultOf(result));
  }

  /** As {@link render}, for a store that answers with promises. */
  async renderAsync(result: Given, request: Request | string): Promise<Rendering> {
    return this.#job(request).renderAsync(resultOf(result));
  }

  #job(request: Request | string): Job {
    if (typeof request !== "string") {
      return new Job(this.#settings, request);
    }
    const known = this.#named.get(request);
    if (known !== undefined) {
      return known;
    }
    const job = new Job(this.#settings, { target: request });
    if (this.#named.size >= NAMES) {
      this.#named.clear();
    }
    this.#named.set(request, job);
    return job;
  }
}

/** What a store is asked to keep of a result that is too large. */
interface Put {
  readonly store: Store;
  readonly payload: Uint8Array;
  readonly options: PutOptions;
}

/** A result whose output is above the limit. */
interface TooLarge {
  readonly result: Result;
  readonly whole: PlainRendering;
  readonly limit: number;
}

/** One that is to be stored. */
interface ToStore extends TooLarge {
  readonly put: Put;
}

/** One rendering: the request, with the mapper's defaults in its gaps. */
class Job {
  readonly #request: Request;
  readonly #renderer: Renderer;
  readonly #limit: number | undefined;
  readonly #options: Options;

  constructor(settings: Settings, asked: Request) {
    checkRequest(asked);
    const [target, revision] = formatOf(asked);
    const request: Request = { ...settings, ...defined(asked) };
    this.#request = request;
    this.#renderer = rendererAsked(target, revision, request.phase ?? undefined);
    this.#limit = request.limit === undefined ? this.#renderer.limit : (request.limit ?? undefined);
    this.#check();
    this.#options = this.#optionsWith();
  }

  render(result: Result): Rendering {
    const found = this.#measured(result);
    if (found instanceof Rendering) {
      return found;
    }
    let link: StoredLink | Promise<StoredLink>;
    try {
      const { store, payload, options } = found.put;
      link = store.put(payload, options);
    } catch (error) {
      return inline(found, this.#reason(error));
    }
    if (link instanceof Promise) {
      link.catch(() => undefined); // nobody waits for it
      throw new TypeError("this store answers with promises: use renderAsync");
    }
    return this.#sent(found, link);
  }

  async renderAsync(result: Result): Promise<Rendering> {
    const found = this.#measured(result);
    if (found instanceof Rendering) {
      return found;
    }
    let link: StoredLink;
    try {
      const { store, payload, options } = found.put;
      link = await store.put(payload, options);
    } catch (error) {
      return inline(found, this.#reason(error));
    }
    return this.#sent(found, link);
  }

  #check(): void {
    const { store, clock } = this.#request;
    if (store && !clock) {
      throw new RangeError("a store needs a clock: the link it gives has an expiry");
    }
    checkValues(this.#request);
  }

  #optionsWith(digest?: string): Options {
    const { target, revision } = this.#renderer;
    const { outputSchema, structuredErrors = false, artifactId, messageId } = this.#request;
    const hasSchema = outputSchema !== undefined;
    return {
      wrapOutput: hasSchema && isWrapped(outputSchema, target, revision),
      structuredErrors: structuredErrors && !hasSchema,
      artifactId,
      messageId,
      digest,
    };
  }

  /** The rendering of a result, or what is to be stored as it is too large. */
  #measured(given: Result): Rendering | ToStore {
    const { clock, stamp = true } = this.#request;
    let result = given;
    let now: Date | undefined;
    if (clock && stamp && result.metadata?.generatedAt === undefined) {
      now = nowOf(clock);
      const metadata = result.metadata ?? new Metadata({});
      result = result.replace({ metadata: metadata.replace({ generatedAt: rfc3339(now) }) });
    }
    const whole = this.#renderer.render(result, this.#options);
    const limit = this.#limit;
    if (limit === undefined || whole.size <= limit) {
      return new Rendering(whole.text, whole.losses, whole.isText);
    }
    const large: TooLarge = { result, whole, limit };
    const put = this.#put(result, now);
    return typeof put === "string" ? inline(large, put) : { ...large, put };
  }

  /** What is to be stored of a result, or the reason why it is not. */
  #put(result: Result, now: Date | undefined): Put | string {
    const { target, revision } = this.#renderer;
    const { outputSchema, schemaResults, store, clock, principal, lifetime } = this.#request;
    const owesContent =
      outputSchema !== undefined &&
      result.error === undefined &&
      hasStructuredContent(target, revision);
    if (owesContent && schemaResults !== "link") {
      return "output_schema";
    }
    if (!store || !clock) {
      return "no_store";
    }
    if (!principal) {
      return "no_principal";
    }
    const kept = toStore(result);
    return {
      store,
      payload: new TextEncoder().encode(kept.toJson()),
      options: {
        principal,
        now: now ?? nowOf(clock),
        lifetime: lifetime ?? DEFAULT_LIFETIME,
        formatVersion: kept.formatVersion,
        mimeType: MIME_TYPE,
      },
    };
  }

  /** Why a result goes inline whose store has failed. Throws where it is not to. */
  #reason(error: unknown): string {
    if (error instanceof StoreError && this.#request.onStoreFailure !== "fail") {
      return error.code;
    }
    throw error;
  }

  #sent({ result, whole, limit }: TooLarge, link: StoredLink): Rendering {
    const options = this.#optionsWith(result.digest);
    const { size } = whole;
    const sent = this.#renderer.render(linked(result, link, size), options);
    if (sent.size <= limit) {
      const losses = lossesOfLinked(result, sent.losses);
      return withOversize(sent, losses, { size, limit, outcome: "stored", link });
    }
    const least = this.#renderer.render(shortened(result, link), options);
    const losses = lossesOfShortened(result, least.losses);
    return withOversize(least, losses, { size, limit, outcome: "shortened", link });
  }
}

function inline({ whole, limit }: TooLarge, reason: string): Rendering {
  return withOversize(whole, whole.losses, { size: whole.size, limit, outcome: "inline", reason });
}

function withOversize(
  { text, isText }: PlainRendering,
  losses: readonly Loss[],
  oversize: Oversize,
): Rendering {
  return new Rendering(text, losses, isText, oversize);
}

/** The fields that a request decides itself. */
function defined(request: Request): Request {
  const fields = Object.entries(request).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields) as unknown as Request;
}

/** In UTC and whole seconds, as the times of stored results are. */
function rfc3339(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

const PLAIN = new Mapper();

/**
 * The result in one format: `render(result, "mcp-handshake@2025-06-18", { phase: "final" })`.
 *
 * `fields` are those of a request. A target with phases needs one. Throws what
 * {@link Mapper.render} throws.
 */
export function render(result: Given, to: string, fields: Omit<Request, "target"> = {}): Rendering {
  return PLAIN.render(result, { ...fields, target: to });
}

/**
 * The result that was sent in a format: `read(wire, "mcp-handshake@2025-06-18")`.
 *
 * `wire` is its JSON as bytes or text, or the parsed value; for the legacy envelope the string
 * itself. Throws ResultError, its pointer into the wire value, if that is no result;
 * UnknownTargetError.
 */
export function read(wire: unknown, source: string): Result {
  const found = reader(...split(source));
  if (typeof wire === "string" || wire instanceof Uint8Array) {
    return found.read(wire) as Result;
  }
  // Through text and back, so that what was parsed elsewhere meets the same checks.
  const text = canonical(wire, WIRE_DEPTH);
  return found.readWire(
    parseJson(text, { maxDepth: WIRE_DEPTH, maxBytes: null }) as JsonValue,
  ) as Result;
}
