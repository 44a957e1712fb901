// The client of the TypeScript SDK: lists all that a server has, calls it, and prints what came.
//
// Reads {url, pin, calls, samples, prompts, answer} from stdin; `pin` is a revision, or null for
// the newest one with a handshake. Prints one line of JSON.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { readFileSync } from "node:fs";

const asked = JSON.parse(readFileSync(0, "utf8"));
const client = new Client(
  { name: "judge", version: "1" },
  {
    capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    versionNegotiation: { mode: asked.pin === null ? "legacy" : { pin: asked.pin } },
  },
);
client.setRequestHandler("elicitation/create", async () => ({
  action: "accept",
  content: asked.answer,
}));
client.setRequestHandler("sampling/createMessage", async () => ({
  role: "assistant",
  content: { type: "text", text: "Paris" },
  model: "m",
}));
client.setRequestHandler("roots/list", async () => ({
  roots: [{ uri: "file:///shop", name: "shop" }],
}));

/** What a promise gives, or the error that it ends with. */
async function outcome(promise) {
  try {
    return { result: await promise };
  } catch (error) {
    return { error: `${error.code ?? error.name}: ${error.message}` };
  }
}

await client.connect(new StreamableHTTPClientTransport(new URL(asked.url)));
const said = { revision: client.getNegotiatedProtocolVersion?.(), calls: {}, samples: {} };
said.tools = (await client.listTools()).tools.map((tool) => tool.name);
for (const [name, given] of Object.entries(asked.calls)) {
  said.calls[name] = await outcome(client.callTool({ name, arguments: given }));
}
for (const name of asked.samples) {
  said.samples[name] = await outcome(
    client.callTool({ name: "sample", arguments: { name } }),
  );
}
const link = said.calls.report.result.content.find((block) => block.type === "resource_link");
said.stored = await outcome(client.readResource({ uri: link.uri }));
said.resources = (await client.listResources()).resources.map((one) => one.uri);
said.templates = (await client.listResourceTemplates()).resourceTemplates.map(
  (one) => one.uriTemplate,
);
said.prompts = {};
for (const { name } of (await client.listPrompts()).prompts) {
  said.prompts[name] = await outcome(
    client.getPrompt({ name, arguments: asked.prompts[name] ?? {} }),
  );
}
await client.close();
console.log(JSON.stringify(said));
