/** Servers over HTTP, and clients of every revision that keep what came over the wire. */

import { randomUUID } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import {
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import { createMcpHandler, type McpServer, type Server } from "@modelcontextprotocol/server";

export const HANDSHAKES = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;
export const STATELESS = "2026-07-28";
export const REVISIONS = [...HANDSHAKES, STATELESS] as const;

/** The target of a revision. */
export function targetOf(revision: string): string {
  return revision === STATELESS ? "mcp-stateless" : "mcp-handshake";
}

/** Something that answers at an address until it is closed. */
export interface Served {
  readonly url: URL;
  close(): Promise<void>;
}

/** A listener at a free port of this machine. */
export async function listen(listener: RequestListener): Promise<Served> {
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
}

/** A server per request, both eras: the SDK's own way. */
export function overHttp(make: () => McpServer | Server): Promise<Served> {
  const handle = toNodeHandler(createMcpHandler(make));
  return listen((request, response) => void handle(request as NodeIncomingMessageLike, response));
}

/** A server per session: revisions with a handshake alone. */
export function withSessions(make: () => McpServer | Server): Promise<Served> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  return listen((request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    if (known !== undefined) {
      void known.handleRequest(request, response);
      return;
    }
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    void make()
      .connect(transport)
      .then(() => transport.handleRequest(request, response));
  });
}

/** A client that speaks one revision. */
export function clientOf(revision: string): Client {
  const info = { name: "tests", version: "1.0.0" };
  return new Client(
    info,
    revision === STATELESS
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision], versionNegotiation: { mode: "legacy" } },
  );
}

/** What a server has sent: the JSON of its answers, whether as events or not. */
export class Wiretap {
  #last: Promise<string> = Promise.resolve("");

  readonly fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (init?.method === "POST") {
      const text = response.clone().text();
      text.catch(() => undefined); // of an answer that a test did not wait for
      this.#last = text;
    }
    return response;
  };

  /** The text of the last answer's JSON-RPC message. */
  async last(): Promise<string> {
    const body = await this.#last;
    if (body.startsWith("{")) {
      return body;
    }
    const events = body.split("\n").filter((line) => line.startsWith("data: {"));
    return (events[events.length - 1] ?? "").slice("data: ".length);
  }
}

/** A connected client, and what it gets over the wire. */
export async function connected(
  { url }: Served,
  revision: string,
): Promise<{ client: Client; wiretap: Wiretap }> {
  const wiretap = new Wiretap();
  const client = clientOf(revision);
  const transport = new StreamableHTTPClientTransport(url, { fetch: wiretap.fetch });
  await client.connect(transport as unknown as Transport);
  return { client, wiretap };
}
