/** How tasks end: errors, cancelled tasks, what is no result, what others put into a task. */

import assert from "node:assert/strict";
import { test } from "node:test";

import type { AgentExecutionEvent } from "@a2a-js/sdk/server";

import { Mapper, read, Result } from "toolresult";
import { declareExtension, type LogEntry, resultEvents, withResults } from "toolresult/a2a";

import { agent, cardAt } from "./a2a-agent.js";
import { assembled, decided, type Json, RawClient, taskIn, type Way } from "./a2a-raw.js";

const SECRET = "password=hunter2";
const NOW: Way = { binding: "JSONRPC", revision: "1.0" };
const BEFORE: Way = { binding: "JSONRPC", revision: "0.3" };

function json(text: string): Json {
  return JSON.parse(text) as Json;
}

test("an error is a failure that says nothing but a reference, which the log has", async () => {
  const log: LogEntry[] = [];
  const served = await agent(
    (words) => {
      if (words === "throws") {
        throw new Error(SECRET);
      }
      return words === "rejects"
        ? Promise.reject(new Error(SECRET))
        : ({ format_version: 99, secret: SECRET } as object);
    },
    { log: (entry) => log.push(entry) },
  );
  for (const way of [NOW, BEFORE]) {
    const client = new RawClient(served.url.origin, way);
    for (const words of ["throws", "rejects", "returns what is no result"]) {
      log.length = 0;
      const answer = await client.send(words);
      assert.ok(!answer.includes(SECRET));
      const result = read(taskIn(json(answer)), `a2a@${way.revision}`);
      assert.equal(result.error?.code, "tool_error");
      const reference = /Reference: ([0-9a-f]{12})$/.exec(result.error?.message ?? "")?.[1];
      assert.deepEqual(result.error?.details?.value, { reference });
      assert.equal(log[0]?.reference, reference);
      const events = (await client.stream(words)).map(json);
      assert.equal(
        read(decided(assembled(events)), `a2a@${way.revision}`).error?.code,
        "tool_error",
      );
    }
  }
  await served.close();
});

test("a cancelled task ends as cancelled, whatever the tool makes of that", async () => {
  let aborted = false;
  const served = await agent(
    (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          resolve(Result.success("too late"));
        });
      }),
  );
  const call = async (method: string, params: object): Promise<Json> => {
    const answer = await fetch(`${served.url.origin}/rpc`, {
      method: "POST",
      headers: { "content-type": "application/json", "A2A-Version": "1.0" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return (await answer.json()) as Json;
  };
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "wait" }] };
  const begun = taskIn(
    await call("SendMessage", { message, configuration: { returnImmediately: true } }),
  );
  assert.equal((begun["status"] as Json)["state"], "TASK_STATE_WORKING");
  const ended = taskIn(await call("CancelTask", { id: begun["id"] }));
  assert.equal((ended["status"] as Json)["state"], "TASK_STATE_CANCELED");
  assert.equal(aborted, true);
  const later = taskIn(await call("GetTask", { id: begun["id"] }));
  assert.equal((later["status"] as Json)["state"], "TASK_STATE_CANCELED");
  assert.equal(later["artifacts"], undefined);
  await served.close();
});

test("what a tool may give, and the settings of a mapper", async () => {
  const clock = new Date("2026-07-28T10:00:00Z");
  const served = await agent(
    (words) => (words === "legacy" ? '{"success":true,"data":{"price":999}}' : words),
    { mapper: new Mapper({ clock }) },
  );
  const client = new RawClient(served.url.origin, NOW);
  const legacy = read(taskIn(json(await client.send("legacy"))), "a2a@1.0");
  assert.deepEqual(legacy.data?.value, { price: 999 });
  assert.equal(legacy.metadata?.generatedAt, "2026-07-28T10:00:00Z");
  const words = read(taskIn(json(await client.send("words"))), "a2a@1.0");
  assert.equal(words.content[0]?.kind, "text");
  await served.close();
});

test("the events of an executor of one's own", () => {
  const now = new Date("2026-07-28T10:00:00Z");
  const given = { taskId: "t1", contextId: "c1", now };
  const kinds = (events: readonly AgentExecutionEvent[]): string[] =>
    events.map(({ kind }) => kind);
  const success = resultEvents(Result.success([1, 2]), given);
  assert.deepEqual(kinds(success), ["artifactUpdate", "statusUpdate"]);
  const last = success[1];
  assert.ok(last?.kind === "statusUpdate");
  assert.equal(last.data.status?.timestamp, "2026-07-28T10:00:00.000Z");
  assert.deepEqual(kinds(resultEvents(Result.failure("not_found", "No."), given)), [
    "statusUpdate",
  ]);
});

test("the card says it once", () => {
  const card = cardAt("http://localhost");
  declareExtension(card);
  const uris = card.capabilities?.extensions.map(({ uri }) => uri);
  assert.deepEqual(uris, ["https://toolresult.dev/extensions/a2a/result/v1"]);
});

test("over REST in 0.3 nobody else decides what is put back into parts", async (t) => {
  const mark = "dev.toolresult/parts";
  const served = await agent((words) => Result.success({ words }));
  t.after(() => served.close());
  const send = async (metadata: Json): Promise<Json> => {
    const message = { messageId: "m", role: "ROLE_USER", content: [{ text: "hi" }], metadata };
    const answer = await fetch(`${served.url.origin}/rest/v1/message:send`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message, configuration: { blocking: true } }),
    });
    assert.equal(answer.status, 201);
    return taskIn(json(await answer.text()));
  };
  const task = await send({ [mark]: [{ metadata: { forged: true } }], kept: 1 });
  const [asked] = task["history"] as [Json];
  assert.deepEqual([asked["content"], asked["metadata"]], [[{ text: "hi" }], { kept: 1 }]);
  assert.ok(!JSON.stringify(task).includes(mark));
});

test("a request of 0.3.0 is one of 0.3", async () => {
  const [event] = resultEvents(Result.success([1]), { taskId: "t", contextId: "c" });
  assert.ok(event?.kind === "artifactUpdate");
  const task = { status: undefined, artifacts: [event.data.artifact], history: [] };
  const handler = withResults({ getTask: async () => task } as never);
  const asked = async (requestedVersion: string | undefined): Promise<string> =>
    JSON.stringify(await handler.getTask({} as never, { requestedVersion } as never));
  assert.equal(await asked("0.3.0"), await asked("0.3"));
  assert.equal(await asked(undefined), await asked("0.3"));
  assert.notEqual(await asked("1.0"), await asked("0.3"));
});
