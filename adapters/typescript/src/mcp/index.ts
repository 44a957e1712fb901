/**
 * `toolresult/mcp`: servers of `@modelcontextprotocol/server` that speak through a mapper.
 *
 * docs: docs/typescript.md
 */

export type { Answer, ErrorClass, Log, LogEntry } from "../failures.js";
export {
  attach,
  type AttachOptions,
  type ResultHandlers,
  type ResultTools,
  type ToolConfig,
  type ToolFunction,
} from "./attach.js";
export type { PrincipalOf } from "./principal.js";
export type { Returned } from "./returned.js";
