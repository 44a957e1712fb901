/** resources/read: gives a stored result to whom its link was made for. */

import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceRequest,
  type ReadResourceResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

import { decodeText, encodeBase64 } from "../core.js";
import type { Log } from "../failures.js";
import { HANDSHAKE } from "../output-schema.js";
import { type Clock, nowOf } from "../request.js";
import { type Store, StoreError, type StoredPayload } from "../store/interface.js";
import type { Border } from "./border.js";
import { formatOf } from "./era.js";
import { internalError } from "./faults.js";
import type { Principal } from "./principal.js";

const SCHEME = "toolresult://";
/** The code of an unknown resource in the revisions with a handshake; invalid params later. */
const NOT_FOUND_BEFORE = -32002;

export type ReadHandler = (
  request: ReadResourceRequest,
  context: ServerContext,
) => ReadResourceResult | Promise<ReadResourceResult>;

/** What is needed to give stored results back. */
export interface StoredOptions {
  readonly server: Server;
  readonly border: Border;
  readonly store: Store;
  readonly clock: Clock;
  readonly principal: Principal;
  readonly log: Log;
}

/**
 * A handler of resources/read, around that of the server for all other resources.
 *
 * It throws ProtocolError: "Resource not found" for any other link of ours, whatever is wrong
 * with it; an internal error where the store fails.
 */
export function reading(options: StoredOptions, others: ReadHandler | undefined): ReadHandler {
  const { server, border, store, clock, principal, log } = options;
  return async (request, context) => {
    const { uri } = request.params;
    if (!uri.startsWith(SCHEME)) {
      if (others === undefined) {
        throw notFound(uri, context);
      }
      return others(request, context);
    }
    const who = await principal.of(context);
    if (who === undefined) {
      throw notFound(uri, context);
    }
    const now = nowOf(clock);
    try {
      const stored = await store.get(uri, { principal: who, now });
      return {
        contents: [contents(uri, stored)],
        ...(formatOf(server, context).target === HANDSHAKE
          ? {}
          : { ttlMs: left(stored, now), cacheScope: "private" as const }),
      };
    } catch (error) {
      throw failed(error, uri, context);
    }
  };

  function failed(error: unknown, uri: string, context: ServerContext): ProtocolError {
    const ofStore = error instanceof StoreError ? error : undefined;
    if (ofStore?.isFault === false) {
      return notFound(uri, context);
    }
    return internalError(error, "a stored result cannot be read", log, ofStore?.message);
  }

  function notFound(uri: string, context: ServerContext): ProtocolError {
    if (formatOf(server, context).target === HANDSHAKE) {
      // The SDK writes the newer code to clients of every revision.
      border.sendOver(context, (message) =>
        "error" in message
          ? { ...message, error: { ...message.error, code: NOT_FOUND_BEFORE } }
          : message,
      );
    }
    return new ProtocolError(ProtocolErrorCode.InvalidParams, "Resource not found", { uri });
  }
}

function contents(uri: string, stored: StoredPayload): ReadResourceResult["contents"][number] {
  const { payload, mimeType } = stored;
  const text = decodeText(payload);
  return text === undefined
    ? { uri, mimeType, blob: encodeBase64(payload) }
    : { uri, mimeType, text };
}

/** Milliseconds for which the link can still be read. */
function left(stored: StoredPayload, now: Date): number {
  return Math.max(0, new Date(stored.expiresAt).getTime() - now.getTime());
}
