/**
 * `toolresult/store/sqlite`: the durable store, an SQLite file shared by any number of workers
 * of any language. Needs Node 22.13 or later (`node:sqlite`).
 *
 * docs: docs/stores.md
 */

export { loadKeys, openStore } from "./open.js";
export { type SqliteOptions, SqliteStore } from "./store.js";
