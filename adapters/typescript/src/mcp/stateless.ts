/** Reads results of the stateless revisions. */

import { McpStatelessReader, type Result } from "../core.js";
import { readToolResult } from "./reading.js";

/** Reads results of the stateless revisions. */
export class StatelessReader extends McpStatelessReader {
  static readonly writtenFor = "b50847cd3eb496e6";

  /** The result of tools/call. Throws ResultError for what is no tool result. */
  override readResult(wire: unknown): Result {
    return readToolResult(wire, this);
  }
}
