/** From the revision that a request speaks to the target and revision that we render. */

import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

import { HANDSHAKE, STATELESS } from "../output-schema.js";
import { newestNotAfter } from "../registry.js";

/** A target and a revision of it. */
export interface Format {
  readonly target: string;
  readonly revision: string;
}

/**
 * Target and revision of a request.
 *
 * A stateless request names its revision itself. Others speak what the handshake of their
 * connection settled; a server that serves each of them anew has seen no handshake, and takes
 * the header that the client sends from then on. Where the revision is newer than what we know,
 * the newest of its era before it is spoken.
 *
 * Throws UnknownTargetError for one that is older than all we know.
 */
export function formatOf(server: Server, context: ServerContext): Format {
  const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const named = envelope?.[PROTOCOL_VERSION_META_KEY];
  if (typeof named === "string") {
    return { target: STATELESS, revision: newestNotAfter(STATELESS, named) };
  }
  const spoken =
    server.getNegotiatedProtocolVersion() ??
    context.http?.req?.headers.get("mcp-protocol-version") ??
    DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
  return { target: HANDSHAKE, revision: newestNotAfter(HANDSHAKE, spoken) };
}
