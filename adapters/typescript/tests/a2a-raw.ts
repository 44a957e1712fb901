/** Requests as a client without an SDK makes them, and what stands in the answers. */

import { randomUUID } from "node:crypto";

export type Json = Record<string, unknown>;

/** A way to an agent. */
export interface Way {
  readonly binding: "JSONRPC" | "HTTP+JSON";
  readonly revision: "1.0" | "0.3";
}

const METHODS = {
  "1.0": ["SendMessage", "SendStreamingMessage", "GetTask"],
  "0.3": ["message/send", "message/stream", "tasks/get"],
} as const;

/** Sends messages over one binding with one revision. */
export class RawClient {
  readonly #base: string;
  readonly #way: Way;

  constructor(base: string, way: Way) {
    this.#base = base;
    this.#way = way;
  }

  /** The text of the answer with the task that a message began, when it has ended. */
  async send(words: string): Promise<string> {
    const configuration =
      this.#way.revision === "1.0" ? { returnImmediately: false } : { blocking: true };
    const body = { message: this.#message(words), configuration };
    return this.#way.binding === "JSONRPC"
      ? this.#call(METHODS[this.#way.revision][0], body)
      : this.#post(`${this.#rest}/message:send`, body);
  }

  /** The texts of the events of the task that a message began. */
  async stream(words: string): Promise<string[]> {
    const body = { message: this.#message(words) };
    const text =
      this.#way.binding === "JSONRPC"
        ? await this.#call(METHODS[this.#way.revision][1], body)
        : await this.#post(`${this.#rest}/message:stream`, body);
    return text
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => line.slice("data: ".length));
  }

  /** The text of the answer with a task as it is now. */
  async get(id: string): Promise<string> {
    if (this.#way.binding === "JSONRPC") {
      return this.#call(METHODS[this.#way.revision][2], { id });
    }
    const answer = await fetch(`${this.#base}${this.#rest}/tasks/${id}`, {
      headers: this.#headers(),
    });
    return answer.text();
  }

  get #rest(): string {
    return this.#way.revision === "1.0" ? "/rest" : "/rest/v1";
  }

  #call(method: string, params: object): Promise<string> {
    return this.#post("/rpc", { jsonrpc: "2.0", id: randomUUID(), method, params });
  }

  async #post(path: string, body: object): Promise<string> {
    const answer = await fetch(this.#base + path, {
      method: "POST",
      headers: { ...this.#headers(), "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) {
      throw new Error(`${answer.status}: ${text}`);
    }
    return text;
  }

  #headers(): Record<string, string> {
    // Without the header a request counts as 0.3.
    return this.#way.revision === "1.0" ? { "A2A-Version": "1.0" } : {};
  }

  #message(text: string): Json {
    const messageId = randomUUID();
    if (this.#way.revision === "1.0") {
      return { messageId, role: "ROLE_USER", parts: [{ text }] };
    }
    return this.#way.binding === "HTTP+JSON"
      ? { messageId, role: "ROLE_USER", content: [{ text }] }
      : { messageId, role: "user", kind: "message", parts: [{ kind: "text", text }] };
  }
}

/** The task in an answer, whatever is around it. */
export function taskIn(answer: Json): Json {
  const result = (answer["result"] ?? answer) as Json;
  return (result["task"] ?? result) as Json;
}

/** The task that the events of a stream tell of. */
export function assembled(events: readonly Json[]): Json {
  let task: Json = {};
  for (const event of events.map((one) => (one["result"] ?? one) as Json)) {
    const kind = (event["kind"] as string | undefined) ?? (Object.keys(event)[0] as string);
    const body = ("kind" in event ? event : event[kind]) as Json;
    if (kind === "task") {
      task = { ...body };
    } else if (kind === "artifact-update" || kind === "artifactUpdate") {
      task["artifacts"] = [...((task["artifacts"] as Json[] | undefined) ?? []), body["artifact"]];
    } else {
      task["status"] = body["status"];
      if ("metadata" in body) {
        task["metadata"] = { ...(task["metadata"] as Json), ...(body["metadata"] as Json) };
      }
    }
  }
  return task;
}

/** What a result decides of a task: all but its ids, kind, history and the status's time. */
export function decided(task: Json): Json {
  const { id: _id, contextId: _context, kind: _kind, history: _history, ...kept } = task;
  const { timestamp: _time, ...status } = kept["status"] as Json;
  return { ...kept, status };
}
