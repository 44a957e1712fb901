/**
 * Tool results, and their form in every protocol revision.
 *
 *     import { Result, render } from "toolresult";
 *
 *     const result = Result.success({ ids: [1, 2] }, { summary: "2 products updated" });
 *     render(result, "mcp-handshake@2025-06-18", { phase: "final" }).wire;
 *
 * docs: docs/typescript.md
 */

export * from "../../../generated/typescript/index.js";
export type { Loss, LossStatus } from "../../../generated/typescript/runtime/rendering.js";
export { type Given, resultOf } from "./given.js";
export { readLegacy } from "./legacy.js";
export { Mapper, read, render } from "./mapper.js";
export { advertised } from "./output-schema.js";
export {
  type Adapter,
  MissingAdapterError,
  newestNotAfter,
  OldAdapterError,
  registerAdapters,
  UnknownTargetError,
} from "./registry.js";
export { type Oversize, Rendering } from "./rendering.js";
export {
  type Clock,
  newest,
  type OnStoreFailure,
  type OutputSchema,
  type Request,
  type SchemaResults,
  type Settings,
} from "./request.js";
