/**
 * Where our output passes the SDK: at the transport, after all that it does to results.
 *
 * On its way out a result of tools/call goes through the SDK's schemas, which refuse a
 * `structuredContent` that is no object on a revision with a handshake, drop what they have no
 * field for, and know one form for all of those revisions. An integer beyond 2^53 is a bigint,
 * on which the encoder of JSON throws, so that the client gets no answer at all.
 *
 * So a handler that has something of ours hands the SDK a stand-in that every revision takes,
 * and notes here, under the id of its request, what is to be sent in its place. The SDK does all
 * that it does for any request (the handshake, the check of parameters, the stamp `serverInfo`),
 * and when it gives the answer to the transport, the one is put over the other. The transports
 * are the SDK's own.
 *
 * What is noted goes with the answer, or with a request that was given up.
 */

import {
  InMemoryTransport,
  type JSONRPCMessage,
  type RequestId,
  type Server,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";

/** Makes what is sent out of what the SDK would send. */
export type Over = (message: JSONRPCMessage) => JSONRPCMessage;

/** The border of one server. */
export class Border {
  readonly #noted = new Map<RequestId, Over>();

  /** Stands between a server and the transports that it will be connected to. */
  constructor(server: Server) {
    const connect = server.connect.bind(server);
    server.connect = async (transport: Transport): Promise<void> => {
      this.#noted.clear(); // of a connection before
      this.#watch(transport);
      await connect(transport);
    };
  }

  /** Called by a handler: have this sent in place of what it returns or throws. */
  sendOver({ mcpReq }: ServerContext, over: Over): void {
    if (mcpReq.signal.aborted) {
      return; // there is no answer to a request that was given up
    }
    this.#noted.set(mcpReq.id, over);
    mcpReq.signal.addEventListener("abort", () => this.#noted.delete(mcpReq.id), {
      once: true,
    });
  }

  #watch(transport: Transport): void {
    const send = transport.send.bind(transport);
    const inMemory = transport instanceof InMemoryTransport;
    transport.send = (message, options) => {
      const over = this.#answer(message);
      if (over === undefined) {
        return send(message, options);
      }
      const changed = over(message);
      // It writes no JSON, so that the client would get the marks that we put for an encoder.
      return send(inMemory ? JSON.parse(JSON.stringify(changed)) : changed, options);
    };
  }

  /** What was noted for an answer, if this is one; it is taken out. */
  #answer(message: JSONRPCMessage): Over | undefined {
    if ("method" in message || message.id === undefined) {
      return undefined;
    }
    const over = this.#noted.get(message.id);
    this.#noted.delete(message.id);
    return over;
  }
}
