/** Every sample reaches clients over both bindings and revisions as the vectors say. */

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { type SendMessageRequest, Task } from "@a2a-js/sdk";
import { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from "@a2a-js/sdk/client";
import type { AgentCard } from "@a2a-js/sdk";

import { canonical } from "#dist/generated/typescript/runtime/canonical.js";
import { parseJson } from "#dist/generated/typescript/runtime/parse.js";
import { read, Result } from "toolresult";

import { agent } from "./a2a-agent.js";
import { assembled, decided, type Json, RawClient, taskIn, type Way } from "./a2a-raw.js";
import { taskOfRest } from "./a2a-spelling.js";
import { type Sample, samplesIn } from "./vectors.js";

const DEPTH = 210;
const NOW = samplesIn("a2a", "1.0");
const BEFORE = samplesIn("a2a", "0.3");
const TEXTS = new Map(NOW.map(({ name, text }) => [name, text]));
const FULL_TASK = "TASK_STATE_COMPLETED";

const served = await agent((name) => Result.fromJson(TEXTS.get(name) ?? ""));
after(() => served.close());

function exact(value: unknown): string {
  return canonical(value, DEPTH);
}

function parsed(text: string): Json {
  return parseJson(text, { maxDepth: DEPTH }) as unknown as Json;
}

function samplesFor({ revision }: Way): readonly Sample[] {
  return revision === "1.0" ? NOW : BEFORE;
}

const WAYS: readonly Way[] = [
  { binding: "JSONRPC", revision: "1.0" },
  { binding: "JSONRPC", revision: "0.3" },
  { binding: "HTTP+JSON", revision: "1.0" },
  { binding: "HTTP+JSON", revision: "0.3" },
];

/** What a result decides of a task, as JSON-RPC spells it. */
function told({ binding, revision }: Way, task: Json): Json {
  return decided(binding === "HTTP+JSON" && revision === "0.3" ? taskOfRest(task) : task);
}

for (const way of WAYS) {
  const client = new RawClient(served.url.origin, way);
  const named = `${way.binding} ${way.revision}`;

  test(`${named}: in one answer, and when it is asked for again`, async () => {
    for (const { name, output } of samplesFor(way)) {
      const task = taskIn(parsed(await client.send(name)));
      assert.equal(exact(told(way, task)), exact(parsed(output)), name);
      const again = taskIn(parsed(await client.get(String(task["id"]))));
      assert.equal(exact(told(way, again)), exact(parsed(output)), name);
    }
  });

  test(`${named}: in a stream`, async () => {
    for (const { name, output } of samplesFor(way)) {
      const events = (await client.stream(name)).map(parsed);
      assert.equal(exact(told(way, assembled(events))), exact(parsed(output)), name);
    }
  });
}

test("there is a sample of every kind", () => {
  assert.ok(NOW.length > 100);
  assert.equal(BEFORE.length, NOW.length);
  assert.ok(NOW.some(({ output }) => output.includes(FULL_TASK)));
});

/** What the client of the SDK loses: an empty name, and a data part that is null. */
function spoilt({ output }: Sample): boolean {
  return output.includes('"filename":""') || output.includes('"data":null,"mediaType"');
}

for (const transport of [new JsonRpcTransportFactory(), new RestTransportFactory()]) {
  test(`the client of the SDK, ${transport.protocolName}`, async () => {
    const factory = new ClientFactory({
      transports: [transport],
      preferredTransports: [transport.protocolName],
    });
    const supportedInterfaces = served.card.supportedInterfaces.filter(
      (one) => one.protocolVersion === "1.0" && one.protocolBinding === transport.protocolName,
    );
    const card: AgentCard = { ...served.card, supportedInterfaces };
    const client = await factory.createFromAgentCard(card);
    for (const sample of NOW) {
      const { name, text, output } = sample;
      const task = await client.sendMessage(request(name));
      assert.ok("status" in task, name);
      if (spoilt(sample)) {
        continue;
      }
      const wire = Task.toJSON(task) as Json;
      assert.equal(exact(decided(wire)), exact(parsed(output)), name);
      const result = read(wire, "a2a@1.0");
      assert.equal(result.toJson(), read(output, "a2a@1.0").toJson(), name);
      assert.equal(result.error?.code, Result.fromJson(text).error?.code, name);
    }
  });
}

function request(words: string): SendMessageRequest {
  return {
    tenant: "",
    message: {
      messageId: crypto.randomUUID(),
      contextId: "",
      taskId: "",
      role: 1,
      parts: [
        {
          content: { $case: "text", value: words },
          metadata: undefined,
          filename: "",
          mediaType: "text/plain",
        },
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  };
}
