/** An agent that gives every sample, over every binding, for the tests of it. */

import type { AgentCard, Message } from "@a2a-js/sdk";
import { DefaultRequestHandler, InMemoryTaskStore, type RequestContext } from "@a2a-js/sdk/server";
import { jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";

import {
  declareExtension,
  type ExecutorOptions,
  ResultExecutor,
  type Tool,
  withResults,
} from "toolresult/a2a";
import { restHandler } from "toolresult/a2a/express";

import { listen, type Served } from "./serving.js";

/** The card of an agent at an address. */
export function cardAt(base: string): AgentCard {
  const at = (protocolBinding: string, path: string, protocolVersion: string) => ({
    url: `${base}${path}`,
    protocolBinding,
    protocolVersion,
    tenant: "",
  });
  return declareExtension({
    name: "Samples",
    description: "Gives samples.",
    version: "1.0.0",
    supportedInterfaces: [
      at("JSONRPC", "/rpc", "1.0"),
      at("JSONRPC", "/rpc", "0.3"),
      at("HTTP+JSON", "/rest", "1.0"),
      at("HTTP+JSON", "/rest", "0.3"),
    ],
    provider: undefined,
    documentationUrl: undefined,
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [],
    },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["application/json"],
    skills: [],
    signatures: [],
    iconUrl: undefined,
  });
}

/** What a message says. */
export function wordsOf({ parts }: Message): string {
  return parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");
}

/** An agent around a tool, at an address of its own. */
export async function agent(
  tool: (words: string, signal: AbortSignal) => ReturnType<Tool>,
  options?: ExecutorOptions,
): Promise<Served & { readonly card: AgentCard }> {
  const app = express();
  const served = await listen(app);
  const card = cardAt(served.url.origin);
  const run = (context: RequestContext, signal: AbortSignal): ReturnType<Tool> =>
    tool(wordsOf(context.userMessage), signal);
  const requestHandler = withResults(
    new DefaultRequestHandler(card, new InMemoryTaskStore(), new ResultExecutor(run, options)),
  );
  const given = {
    requestHandler,
    userBuilder: UserBuilder.noAuthentication,
    legacyCompat: { enabled: true },
  };
  app.use("/rpc", jsonRpcHandler(given));
  app.use("/rest", restHandler(given));
  return { ...served, card };
}
