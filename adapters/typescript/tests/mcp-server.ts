/** A server that gives every sample, for the tests of it; run as a program it speaks over stdio. */

import { argv } from "node:process";
import { pathToFileURL } from "node:url";

import { McpServer, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

import { Mapper, Result } from "toolresult";
import { attach, type AttachOptions } from "toolresult/mcp";

import { samplesIn } from "./vectors.js";

const INFO = { name: "samples", version: "1.0.0" };
const TEXTS = new Map(
  samplesIn("mcp-stateless", "2026-07-28", "final").map(({ name, text }) => [name, text]),
);

function sample(name: string): Result {
  return Result.fromJson(TEXTS.get(name) ?? "");
}

/** The server of the SDK's high level. */
export function highlevel(phase: string, options?: AttachOptions): McpServer {
  const server = new McpServer(INFO);
  const tools = attach(server, new Mapper({ phase, limit: null }), options);
  tools.registerTool(
    "sample",
    { description: "One of the samples", inputSchema: z.object({ name: z.string() }) },
    ({ name }) => sample(name),
  );
  return server;
}

/** The server of the SDK's low level. */
export function lowlevel(phase: string, options?: AttachOptions): Server {
  const server = new Server(INFO, { capabilities: { tools: {} } });
  const handlers = attach(server, new Mapper({ phase, limit: null }), options);
  server.setRequestHandler("tools/list", () => ({
    tools: [{ name: "sample", inputSchema: { type: "object" } }],
  }));
  handlers.callTool(({ params }) => sample(String(params.arguments?.["name"])));
  return server;
}

if (pathToFileURL(argv[1] ?? "").href === import.meta.url) {
  serveStdio(() => (argv[2] === "lowlevel" ? lowlevel : highlevel)(argv[3] ?? "final"));
}
