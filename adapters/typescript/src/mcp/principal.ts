/** Who asks: what the host says of a request. */

import type { ServerContext } from "@modelcontextprotocol/server";

import { hasLoneSurrogate } from "../core.js";
import type { Log } from "../failures.js";
import { internalError } from "./faults.js";

/** Who asks, from what the request proves, or undefined. See docs/stores.md, Principals. */
export type PrincipalOf = (
  context: ServerContext,
) => string | null | undefined | Promise<string | null | undefined>;

/** The host's function, and what it may return. */
export class Principal {
  readonly #of: PrincipalOf | undefined;
  readonly #log: Log;

  constructor(of: PrincipalOf | undefined, log: Log) {
    this.#of = of;
    this.#log = log;
  }

  /** Throws an internal error where the host's function throws, or gives what is no text. */
  async of(context: ServerContext): Promise<string | undefined> {
    try {
      return await this.#told(context);
    } catch (error) {
      throw internalError(error, "the principal of a request cannot be told", this.#log);
    }
  }

  async #told(context: ServerContext): Promise<string | undefined> {
    const found = await this.#of?.(context);
    if (found === undefined || found === null || found === "") {
      return undefined;
    }
    if (typeof found !== "string" || hasLoneSurrogate(found)) {
      throw new TypeError("principal: expected a text or undefined");
    }
    return found;
  }
}
