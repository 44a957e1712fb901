/** What a tool may return: a result, a legacy string, a plain value, or the SDK's own result. */

import {
  type CallToolResult,
  type InputRequiredResult,
  isCallToolResult,
  isInputRequiredResult,
} from "@modelcontextprotocol/server";

import { memberBelow, Result, toPlain } from "../core.js";
import { resultOf } from "../given.js";

/** The SDK's own, which is passed through. */
export type Passed = CallToolResult | InputRequiredResult;

/**
 * What a tool may return. A string is the legacy envelope, the serialized result, or text;
 * `undefined` is a success without data; anything else is data.
 */
export type Returned =
  Result | Passed | string | null | undefined | object | number | boolean | bigint;

/**
 * The result that a returned value is, or the SDK's own.
 *
 * The SDK's results are plain objects: one with a list `content` of its content blocks is taken
 * for one. Throws ResultError for what no result can hold.
 */
export function asResult(value: unknown): Result | Passed {
  if (value instanceof Result) {
    return value;
  }
  if (typeof value === "string") {
    return resultOf(value);
  }
  if (value === undefined) {
    return Result.success();
  }
  if (isInputRequiredResult(value)) {
    return value as InputRequiredResult;
  }
  if (Array.isArray(memberBelow(value, "content")) && isCallToolResult(value)) {
    return value;
  }
  return Result.success(toPlain(value));
}
