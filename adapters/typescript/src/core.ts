/** What the adapters use of the generated code: the one place that knows where it is. */

export { ErrorInfo, Metadata, Result, StoredResult } from "../../../generated/typescript/index.js";
export type { ErrorCode, Part } from "../../../generated/typescript/index.js";
export { A2A_EXTENSION, NAMESPACE } from "../../../generated/typescript/constants.js";
export { canonical } from "../../../generated/typescript/runtime/canonical.js";
export { ResultError } from "../../../generated/typescript/runtime/errors.js";
export {
  isObject,
  isPlain,
  type JsonValue,
  put,
} from "../../../generated/typescript/runtime/json-types.js";
export { decoded, parseJson } from "../../../generated/typescript/runtime/parse.js";
export { toPlain } from "../../../generated/typescript/runtime/plain.js";
export {
  type Loss,
  type Options,
  type Renderer,
  Rendering as PlainRendering,
  WIRE_DEPTH,
} from "../../../generated/typescript/runtime/rendering.js";
