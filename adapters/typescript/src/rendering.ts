/** What the mapper gives back: a rendering, and what was done where it was too large. */

import { type Loss, PlainRendering } from "./core.js";
import type { StoredLink } from "./store/interface.js";

/** What was done with a result whose output was above the limit. */
export interface Oversize {
  /** Bytes of the output that was too large. */
  readonly size: number;
  /** The limit that it exceeded, in bytes. */
  readonly limit: number;
  /**
   * `stored`: sent as a link, with summary and metadata. `shortened`: sent as a link with no
   * more than an error's code and message. `inline`: sent whole.
   */
  readonly outcome: "stored" | "shortened" | "inline";
  /**
   * Why it went inline: `no_store`, `no_principal`, `output_schema`, or the code of the store's
   * error, such as `store_full`.
   */
  readonly reason?: string;
  /** The link that yields the stored result. */
  readonly link?: StoredLink;
}

/**
 * One result in the format of one target, revision and phase.
 *
 * `wire` is the output as plain values (for the legacy envelope the string), `text` and `bytes`
 * the output itself, `losses` what reading it would not give back.
 */
export class Rendering extends PlainRendering {
  /** Undefined where the output is within the limit, or there is no limit. */
  readonly oversize: Oversize | undefined;

  constructor(text: string, losses: readonly Loss[], isText: boolean, oversize?: Oversize) {
    super(text, losses, isText);
    this.oversize = oversize;
  }

  /** The link that was sent in place of a result that was too large. */
  get stored(): StoredLink | undefined {
    return this.oversize?.link;
  }
}
