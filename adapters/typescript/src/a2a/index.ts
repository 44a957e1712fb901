/**
 * `toolresult/a2a`: servers on `@a2a-js/sdk` whose tasks end with results.
 *
 * Reading tasks needs nothing of it: that is `read` of the package itself.
 *
 * docs: docs/typescript.md
 */

export type { Log, LogEntry } from "../failures.js";
export { declareExtension } from "./card.js";
export { type EventOptions, resultEvents } from "./events.js";
export { type ExecutorOptions, ResultExecutor, type Tool } from "./executor.js";
export { withResults } from "./handler.js";
