/**
 * Answers requests about stores line by line, so that Python can compare them with its own.
 *
 * A request is `{"do": …}` with what the action needs, bytes in base64, times in RFC 3339.
 */

import { createInterface } from "node:readline";

import { ResultError } from "toolresult";
import {
  Key,
  KeyRing,
  type ListVersions,
  MemoryStore,
  openResult,
  sign,
  type Store,
  StoreError,
  verify,
} from "toolresult/store";
import { openStore } from "toolresult/store/sqlite";

type Fields = Record<string, string>;

const stores = new Map<string, Store & ListVersions>();

function ring(lines: string | undefined): KeyRing {
  return KeyRing.parse(lines ?? "");
}

function time(text: string | undefined): Date {
  return new Date(text ?? "");
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function opened(request: Fields): Store & ListVersions {
  const { path = "", keys, key_file, create } = request;
  const name = `${path} ${keys ?? key_file}`;
  let store = stores.get(name);
  if (store === undefined) {
    const options = { create: create !== "no" };
    store =
      path === "" ? new MemoryStore(ring(keys)) : openStore(path, key_file ?? ring(keys), options);
    stores.set(name, store);
  }
  return store;
}

const actions: Record<string, (request: Fields) => unknown> = {
  sign: ({ record_id = "", expires_at, principal = "", keys }) =>
    sign(
      { recordId: Buffer.from(record_id, "base64"), expiresAt: Number(expires_at) },
      principal,
      ring(keys),
    ),
  verify: ({ uri = "", principal = "", now, keys }) => {
    const pointer = verify(uri, { principal, now: time(now) }, ring(keys));
    return { record_id: base64(pointer.recordId), expires_at: pointer.expiresAt };
  },
  parse: ({ keys }) => ring(keys).ids,
  new_key: ({ id = "" }) => Key.generate(id).line,
  put: (request) => {
    const link = opened(request).put(Buffer.from(request["payload"] ?? "", "base64"), {
      principal: request["principal"] ?? "",
      now: time(request["now"]),
      lifetime: Number(request["lifetime"]) * 1000,
      formatVersion: Number(request["format_version"]),
      mimeType: request["mime_type"] ?? "",
    });
    return link;
  },
  get: async (request) => {
    const { uri = "", principal = "", now } = request;
    const stored = await opened(request).get(uri, { principal, now: time(now) });
    return { ...stored, payload: base64(stored.payload) };
  },
  open_result: ({ payload = "", format_version }) =>
    openResult({
      payload: Buffer.from(payload, "base64"),
      formatVersion: Number(format_version),
      mimeType: "application/json",
      storedAt: "2026-07-28T10:00:00Z",
      expiresAt: "2026-07-28T11:00:00Z",
    }).toJson(),
  purge: (request) => {
    const { now, older_than } = request;
    const age = older_than === undefined ? {} : { olderThan: Number(older_than) * 1000 };
    return opened(request).purge({ now: time(now), ...age });
  },
  stats: (request) => opened(request).stats({ now: time(request["now"]) }),
  list_version: (request) => opened(request).listVersion(request["name"] ?? ""),
  raise_list_version: (request) => opened(request).raiseListVersion(request["name"] ?? ""),
  close: (request) => opened(request).close(),
};

async function answer(line: string): Promise<unknown> {
  const request = JSON.parse(line) as Fields;
  try {
    const action = actions[request["do"] ?? ""];
    return action === undefined ? { bad_request: line } : { is: (await action(request)) ?? null };
  } catch (error) {
    if (error instanceof StoreError) {
      return { error: error.code, message: error.message };
    }
    if (error instanceof ResultError) {
      return { error: error.code, pointer: error.pointer };
    }
    return { thrown: (error as Error).name, message: (error as Error).message };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
}
