/** Who asks: what the host says of a request. */

import type { ServerContext } from "@modelcontextprotocol/server";

/** Who asks, from what the request proves, or undefined. See docs/stores.md, Principals. */
export type PrincipalOf = (
  context: ServerContext,
) => string | null | undefined | Promise<string | null | undefined>;

/** The host's function, and what it may return. */
export class Principal {
  readonly #of: PrincipalOf | undefined;

  constructor(of: PrincipalOf | undefined) {
    this.#of = of;
  }

  /** Throws what the host's function throws, and TypeError for what is no text. */
  async of(context: ServerContext): Promise<string | undefined> {
    const found = await this.#of?.(context);
    if (found === undefined || found === null || found === "") {
      return undefined;
    }
    if (typeof found !== "string" || /\p{Surrogate}/u.test(found)) {
      throw new TypeError("principal: expected a text or undefined");
    }
    return found;
  }
}
