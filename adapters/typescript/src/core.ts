/** What the adapters use of the generated code: the one place that knows where it is. */

export {
  ErrorCode,
  ErrorInfo,
  Metadata,
  Result,
  StoredResult,
} from "../../../generated/typescript/index.js";
export type { Part } from "../../../generated/typescript/index.js";
export {
  A2A_EXTENSION,
  DEFAULT_ERROR_CODE,
  FORMAT_VERSIONS,
  NAMESPACE,
} from "../../../generated/typescript/constants.js";
export {
  decodeText,
  encodeBase64,
  encodeHex,
} from "../../../generated/typescript/runtime/bytes.js";
export { canonical } from "../../../generated/typescript/runtime/canonical.js";
export { checkExtensionKey } from "../../../generated/typescript/runtime/checks.js";
export { linkText } from "../../../generated/typescript/runtime/conversions.js";
export {
  hasLoneSurrogate,
  pointerOf,
  ResultError,
} from "../../../generated/typescript/runtime/errors.js";
export {
  isObject,
  type JsonValue,
  memberBelow,
  memberOf,
  put,
} from "../../../generated/typescript/runtime/json-types.js";
export { decoded, parseJson } from "../../../generated/typescript/runtime/parse.js";
export { toPlain } from "../../../generated/typescript/runtime/plain.js";
export {
  addMissing,
  type Draft,
  Members,
  type Reader,
  recordAt,
  setField,
} from "../../../generated/typescript/runtime/reading.js";
export {
  type Loss,
  type Options,
  type Renderer,
  Rendering as PlainRendering,
  WIRE_DEPTH,
} from "../../../generated/typescript/runtime/rendering.js";
export { A2a03Reader, A2a10Reader } from "../../../generated/typescript/targets/a2a-reader.js";
export { LegacyEnvelopeReader } from "../../../generated/typescript/targets/legacy-envelope-reader.js";
export { McpHandshakeReader } from "../../../generated/typescript/targets/mcp-handshake-reader.js";
export { McpStatelessReader } from "../../../generated/typescript/targets/mcp-stateless-reader.js";
export { type Hooked, READERS, RENDERERS } from "../../../generated/typescript/targets/index.js";
