/**
 * What the classes of results and parts can do beside holding their fields. The generated classes
 * inherit from these, so that they themselves are data alone.
 */

import { decodeBase64, encodeBase64, encodeText } from "./bytes.js";
import { ResultError } from "./errors.js";
import { type JsonMap, wrongType } from "./fields.js";
import type { Json } from "./json.js";
import { described, isObject, memberOf } from "./json-types.js";
import { settle } from "./numbers.js";
import { type ParseLimits, parseJson } from "./parse.js";
import { sha256Hex } from "./sha256.js";
import { type ClassOf, type Shape, Value, changed, computes, versionOf } from "./value.js";

const VERSION = "format_version";

/** A part of the content. */
export abstract class PartBase extends Value {
  declare readonly kind: string;
}

/** A part that holds bytes. */
export abstract class BytesPartBase extends PartBase {
  declare readonly data?: string;

  /** The bytes. Throws TypeError if the part holds text instead. */
  toBytes(): Uint8Array<ArrayBuffer> {
    if (this.data === undefined) throw new TypeError("this part holds no bytes");
    return decodeBase64(this.data);
  }
}

/** The text of bytes that a part is made of. Throws TypeError if they are none. */
export function bytesText(data: Uint8Array): string {
  if (!(data instanceof Uint8Array))
    throw new TypeError(`expected bytes, found ${described(data)}`);
  return encodeBase64(data);
}

/** What a class of results gives to the functions here. */
export interface ResultClass<R extends ResultBase> {
  readonly prototype: R;
  readonly shape: Shape;
  readonly formatVersions: readonly number[];
}

/** What a tool returns. */
export abstract class ResultBase extends Value {
  /** @internal */
  declare static readonly formatVersions: readonly number[];
  declare readonly data?: Json;
  declare readonly metadata?: Value & {
    readonly generatedAt?: string;
    readonly extensions?: JsonMap;
  };

  /**
   * The result of a serialized form. Throws ResultError.
   *
   * A text of more than `maxBytes` bytes (128 MiB if left out, `null` for no bound) is refused.
   */
  static fromJson<R extends ResultBase>(
    this: ResultClass<R>,
    text: string | Uint8Array,
    limits: Pick<ParseLimits, "maxBytes"> = {},
  ): R {
    return resultOf(this, parseJson(text, limits));
  }

  /** The result of a parsed serialized form. Throws ResultError. */
  static override fromValue<V extends Value>(this: ClassOf<V>, value: unknown): V {
    // TypeScript wants `this` as the base has it; here it is a class of results.
    return resultOf(this as ResultClass<V & ResultBase>, value);
  }

  /** The lowest format version that can say this result, and the one it is written in. */
  get formatVersion(): number {
    return versionOf(this);
  }

  /** The serialized form as plain values, with the format version. */
  override toValue(): Record<string, unknown> {
    return { [VERSION]: this.formatVersion, ...super.toValue() };
  }

  /**
   * SHA-256, in hex, of the serialized form without `metadata.generated_at`, so that a result made
   * again at another time has the same digest.
   */
  get digest(): string {
    const { metadata } = this;
    if (metadata?.generatedAt === undefined) return sha256Hex(encodeText(this.toJson()));
    const rest = changed(metadata, { generatedAt: undefined });
    const bare = changed(this, { metadata: rest.isEmpty ? undefined : rest });
    return sha256Hex(encodeText(bare.toJson()));
  }
}

computes(ResultBase.prototype, (value) => [VERSION, String((value as ResultBase).formatVersion)]);

/** The result of a parsed serialized form. Throws ResultError. */
export function resultOf<R extends ResultBase>(made: ResultClass<R>, value: unknown): R {
  if (!isObject(value)) {
    const hint = typeof value === "string" ? "; read the legacy envelope with its own reader" : "";
    const { code, detail } = wrongType("a serialized result", value);
    throw new ResultError(code, "", detail + hint);
  }
  const version = knownVersion(value, made.formatVersions);
  const { [VERSION]: _, ...fields } = value;
  const result = Value.make.call(made, fields, "wire") as R;
  if (result.formatVersion > version) {
    throw new ResultError(
      "unknown_version",
      `/${VERSION}`,
      `version ${version} does not have all that is here; ` +
        `that came with version ${result.formatVersion}`,
    );
  }
  return result;
}

function knownVersion(value: object, versions: readonly number[]): number {
  const pointer = `/${VERSION}`;
  // Version 0 is a string, so no object can be of it.
  const known = versions.filter((version) => version > 0);
  const given = memberOf(value, VERSION);
  if (given === undefined) {
    throw new ResultError(
      "missing_field",
      pointer,
      `'${VERSION}' is required; known are ${known.join(", ")}`,
    );
  }
  const version = typeof given === "number" ? settle(given) : given;
  if (typeof version === "number" && version - version !== 0) {
    throw new ResultError("invalid_number", pointer, `${version} is no JSON number`);
  }
  if (typeof version !== "bigint" && !Number.isSafeInteger(version)) {
    throw wrongType("an integer", version).below(pointer);
  }
  if (typeof version !== "number" || !known.includes(version)) {
    const shown = typeof version === "number" ? String(version) : "that";
    throw new ResultError(
      "unknown_version",
      pointer,
      `format version ${shown} is not known; known are ${known.join(", ")}`,
    );
  }
  return version;
}
