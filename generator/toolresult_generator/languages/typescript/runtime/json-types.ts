/** The types of JSON values, and what tells objects apart. */

/** A JSON value. Integers beyond 2^53 are bigint; no number is NaN or infinite. */
export type JsonValue =
  null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON object that is being made. */
export interface Draft {
  [key: string]: unknown;
}

/** Whether a value is an object of JSON: neither null nor an array. */
export function isObject(value: unknown): value is Draft {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What `call` gives of each item. One that is left out is undefined; the array's own map skips it. */
export function mapItems<T>(
  items: readonly unknown[],
  call: (item: unknown, index: number) => T,
): T[] {
  const made: T[] = [];
  for (let index = 0; index < items.length; index++) made.push(call(items[index], index));
  return made;
}

/** The own member of that name; undefined where there is none, whatever is inherited. */
export function memberOf(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Draft)[key] : undefined;
}

/** The own member that these keys lead to, object by object; undefined where there is none. */
export function memberBelow(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) found = isObject(found) ? memberOf(found, key) : undefined;
  return found;
}

/** A copy without the member that these keys lead to, nor objects that taking it has emptied. */
export function less(members: Draft, keys: readonly string[]): Draft {
  const [first = "", ...rest] = keys;
  const left = { ...members };
  const below = memberOf(left, first);
  if (rest.length === 0) delete left[first];
  else if (isObject(below)) {
    const inner = less(below, rest);
    const kept = Object.keys(inner).length > 0 || Object.keys(below).length === 0;
    if (kept) put(left, first, inner);
    else delete left[first];
  }
  return left;
}

/** Sets an own member, `__proto__` too, which an assignment would take for the prototype. */
export function put(into: object, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(into, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else (into as Draft)[key] = value;
}

/** Compares keys in the order of RFC 8785: by UTF-16 code units, as JavaScript compares texts. */
export function byUnits(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

/** The own keys of an object in canonical order. */
export function orderedKeys(value: object): string[] {
  // Without a function to compare by, texts are compared by their units.
  return Object.keys(value).sort();
}

/** The JSON type of a value, or the type of what is no JSON, for messages. */
export function described(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  switch (typeof value) {
    case "boolean":
      return "a boolean";
    case "number":
    case "bigint":
      return "a number";
    case "string":
      return "a string";
    case "object":
      return isPlain(value) ? "an object" : className(value);
    default:
      return `a ${typeof value}`;
  }
}

/** Whether this is an object that no class made. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A prototype without one of its own: Object.prototype, that of another realm as well.
  return prototype === null || Object.getPrototypeOf(prototype as object) === null;
}

function className(value: object): string {
  const made: unknown = (value as { constructor?: unknown }).constructor;
  return typeof made === "function" && made.name !== ""
    ? `an object of class ${made.name}`
    : "an object";
}
