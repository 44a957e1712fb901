/** Faults of the server, which say nothing to a client of what went wrong. */

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

import { type Log, newReference } from "../failures.js";

/** An error of the protocol that says no more than `said` and a reference, which the log has. */
export function internalError(
  error: unknown,
  message: string,
  log: Log,
  said = "Internal server error.",
): ProtocolError {
  const reference = newReference();
  log({ level: "error", message, reference, error });
  return new ProtocolError(ProtocolErrorCode.InternalError, `${said} Reference: ${reference}`);
}
