/** Members of a block that a reader kept: back to their own place, or into the marker. */

import { canonical } from "./canonical.js";
import { EMPTY_MAP, type JsonMap } from "./fields.js";
import { FrozenMap } from "./frozen.js";
import { Json } from "./json.js";
import { isObject, less, memberBelow, memberOf } from "./json-types.js";
import { WIRE_DEPTH, canonicalObject, texts } from "./rendering.js";

/** The keys that lead to a member. */
export type Keys = readonly [string, ...string[]];

/** The named shapes that a member can be held against. */
export type ShapeName = "object" | "entries" | "string" | "icons";

const SHAPES: Readonly<Record<ShapeName, (value: unknown) => boolean>> = {
  object: isObject,
  // An object that says something: an empty map of metadata is the same as none.
  entries: (value) => isObject(value) && Object.keys(value).length > 0,
  string: (value) => typeof value === "string",
  icons: (value) => Array.isArray(value) && value.every(isIcon),
};

const ICON_TEXTS = ["src", "mimeType", "theme"];
const ICON_KEYS = new Set([...ICON_TEXTS, "sizes"]);

/** An icon (MCP 2025-11-25, definition Icon): src, and mimeType, sizes, theme. */
function isIcon(value: unknown): boolean {
  if (!isObject(value) || !Object.hasOwn(value, "src")) return false;
  const sizes = memberOf(value, "sizes") ?? [];
  const theme = memberOf(value, "theme");
  return (
    Object.keys(value).every((key) => ICON_KEYS.has(key)) &&
    ICON_TEXTS.every((key) => !Object.hasOwn(value, key) || typeof value[key] === "string") &&
    (theme === undefined || theme === "light" || theme === "dark") &&
    value["sizes"] !== null &&
    Array.isArray(sizes) &&
    sizes.every((size) => typeof size === "string")
  );
}

/** The member under these keys where it has the shape; undefined if not. */
function find(members: JsonMap | undefined, keys: Keys, shape: ShapeName): unknown {
  const [first, ...rest] = keys;
  const value = memberBelow(members?.get(first)?.value, ...rest);
  return value !== undefined && SHAPES[shape](value) ? value : undefined;
}

/** Whether a member under these keys has the shape. */
export function foreignFits(members: JsonMap | undefined, keys: Keys, shape: ShapeName): boolean {
  return find(members, keys, shape) !== undefined;
}

/** The member under these keys as canonical JSON; empty where it is missing or does not fit. */
export function foreignMember(members: JsonMap | undefined, keys: Keys, shape: ShapeName): string {
  const value = find(members, keys, shape);
  return value === undefined ? "" : canonical(value, WIRE_DEPTH);
}

/** The entries of the object under these keys; none where it is missing or no object. */
export function foreignEntries(members: JsonMap | undefined, ...keys: Keys): JsonMap {
  const value = find(members, keys, "object");
  if (!isObject(value)) return EMPTY_MAP;
  return new FrozenMap(Object.entries(value).map(([key, entry]) => [key, Json.of(entry)]));
}

/** The members less those that have a place of their own; empty if nothing is left. */
export function foreignRest(
  without: readonly (readonly [Keys, ShapeName])[],
  members: JsonMap | undefined,
): string {
  const rest = texts(members ?? EMPTY_MAP);
  for (const [keys, shape] of without) {
    if (find(members, keys, shape) === undefined) continue;
    const [first, ...below] = keys;
    const value = members?.get(first)?.value;
    const left = isObject(value) && below.length > 0 ? less(value, below) : {};
    if (Object.keys(left).length === 0) rest.delete(first);
    else rest.set(first, canonical(left, WIRE_DEPTH));
  }
  return rest.size === 0 ? "" : canonicalObject(rest);
}
