/** Reads results of the handshake revisions. */

import { McpHandshakeReader, type Result } from "../core.js";
import { readToolResult } from "./reading.js";

/** Reads results of the handshake revisions. */
export class HandshakeReader extends McpHandshakeReader {
  static readonly writtenFor = "bfbb6e6f71c0dc74";

  /** The result of tools/call. Throws ResultError for what is no tool result. */
  override readResult(wire: unknown): Result {
    return readToolResult(wire, this);
  }
}
