/** What all value classes have in common: checked, frozen, compared and written as JSON. */

import { quote } from "./canonical.js";
import { ResultError, hasLoneSurrogate, shorten, token } from "./errors.js";
import {
  type Around,
  type Check,
  EMPTY_LIST,
  EMPTY_MAP,
  type JsonMap,
  type Naming,
  at,
  badText,
  wrongType,
} from "./fields.js";
import { FrozenMap } from "./frozen.js";
import { Json } from "./json.js";
import { type Draft, byUnits, isObject, memberOf, put } from "./json-types.js";
import { numberText } from "./numbers.js";

/** One field of a class. */
export interface Field {
  /** The name of the property. */
  readonly name: string;
  /** The name in the serialized form. */
  readonly wire: string;
  readonly check: Check;
  readonly required: boolean;
  /** What the property holds where the field is absent; undefined where there is no property. */
  readonly absent: unknown;
  /** The format version that brought the field. */
  readonly since: number;
  /** Format versions of the codes that the field may hold, where they came later than the first. */
  readonly codes?: ReadonlyMap<string, number>;
}

/** What the spec says about a class. */
export interface Shape {
  readonly fields: readonly Field[];
  /** What tells the class apart from others in a union. */
  readonly kind?: string;
  readonly since?: number;
  /** Names in the serialized form of fields of which exactly one is there. */
  readonly oneOf?: readonly string[];
}

/** A class of values, as its callers see it. */
export interface ClassOf<V extends Value> {
  readonly prototype: V;
}

/** A class of values; {@link ValueClass.make} gives one of a plain object. */
export interface ValueClass<V extends Value> extends ClassOf<V> {
  readonly shape: Shape;
  make(value: unknown, naming: Naming): V;
  [Symbol.hasInstance](value: unknown): boolean;
}

/** Codes of a closed list, each with the format version that brought it. */
export type Codes = Iterable<readonly [code: string, since: number]>;

/** A field that has to be there. */
export function required(
  name: string,
  wire: string,
  check: Check,
  since = 1,
  codes: Codes = [],
): Field {
  return { name, wire, check, required: true, absent: undefined, since, codes: new Map(codes) };
}

/** A field that may be absent; there is no property then. */
export function optional(
  name: string,
  wire: string,
  check: Check,
  since = 1,
  codes: Codes = [],
): Field {
  return { name, wire, check, required: false, absent: undefined, since, codes: new Map(codes) };
}

/** A list that may be absent, which is the same as empty. */
export function listed(name: string, wire: string, check: Check, since = 1): Field {
  return { name, wire, check, required: false, absent: EMPTY_LIST, since };
}

/** A map that may be absent, which is the same as empty. */
export function mapped(name: string, wire: string, check: Check, since = 1): Field {
  return { name, wire, check, required: false, absent: EMPTY_MAP, since };
}

/**
 * An immutable value with named fields, checked as it is made.
 *
 * Making one throws ResultError, with the pointer of the first offence. A field that is absent is
 * undefined; null is a value, for fields of any JSON.
 */
export abstract class Value {
  /** @internal */
  declare static readonly shape: Shape;

  constructor(fields: object) {
    fill(this, new.target.shape, fields, "property");
  }

  /** @internal */
  static make<V extends Value>(
    this: { prototype: V; shape: Shape },
    value: unknown,
    naming: Naming,
  ): V {
    const made = Object.create(this.prototype) as V;
    fill(made, this.shape, value, naming);
    return made;
  }

  /** The value of a parsed serialized form. Throws ResultError. */
  static fromValue<V extends Value>(this: ClassOf<V>, value: unknown): V {
    const own = this as ValueClass<V>;
    return own[Symbol.hasInstance](value) ? (value as V) : own.make(value, "wire");
  }

  /** Whether no field is there. */
  get isEmpty(): boolean {
    return shapeOf(this).fields.every((field) => isAbsent(this, field));
  }

  /** A copy with other values in some fields, checked anew; undefined removes one. */
  replace(changes: Changes<this>): this {
    return changed(this, changes);
  }

  /** The serialized form as plain values; what is absent is left out. */
  toValue(): Record<string, unknown> {
    const { kind, fields } = shapeOf(this);
    const plain: Record<string, unknown> = kind === undefined ? {} : { kind };
    for (const field of fields) {
      if (!isAbsent(this, field)) plain[field.wire] = plainOf(valueAt(this, field));
    }
    return plain;
  }

  /** The serialized form as canonical JSON. */
  toJson(): string {
    return textOf(this, computedOf(this));
  }

  /** For `JSON.stringify`, which refuses bigints; {@link toJson} gives the canonical text. */
  toJSON(): Record<string, unknown> {
    return this.toValue();
  }

  /** Whether the other is of the same class and says the same. */
  equals(other: unknown): boolean {
    return (
      other instanceof Value &&
      Object.getPrototypeOf(this) === Object.getPrototypeOf(other) &&
      this.toJson() === other.toJson()
    );
  }
}

/** A copy of a value with other values in some fields, by the names of its properties. */
export function changed<V extends Value>(value: V, changes: object): V {
  const given: Draft = {};
  for (const { name } of shapeOf(value).fields) given[name] = (value as unknown as Draft)[name];
  const made = Object.create(Object.getPrototypeOf(value) as object) as V;
  fill(made, shapeOf(value), { ...given, ...changes }, "property");
  return made;
}

type Method = (...given: never[]) => unknown;

/** New values for some of a value's fields; undefined removes one. */
export type Changes<V> = {
  readonly [K in keyof V as V[K] extends Method ? never : K]?: V[K] | undefined;
};

/** A member of the serialized form that is worked out, with its text. */
export type Computed = readonly [wire: string, text: string];

const COMPUTED = new WeakMap<object, (value: Value) => Computed>();

/** Has a class write a member that is no field. */
export function computes(prototype: object, compute: (value: Value) => Computed): void {
  COMPUTED.set(prototype, compute);
}

function computedOf(value: Value): Computed | undefined {
  let prototype: object | null = value;
  while (prototype !== null) {
    const compute = COMPUTED.get(prototype);
    if (compute !== undefined) return compute(value);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return undefined;
}

/** The shape of a value's class. */
export function shapeOf(value: Value): Shape {
  return (value.constructor as unknown as { readonly shape: Shape }).shape;
}

/** The lowest format version that can say this. */
export function versionOf(value: Value): number {
  const { fields, since = 1 } = shapeOf(value);
  let version = since;
  for (const field of fields) {
    if (isAbsent(value, field)) continue;
    version = Math.max(version, field.since);
    const found = valueAt(value, field);
    for (const item of Array.isArray(found) ? (found as unknown[]) : [found]) {
      if (item instanceof Value) version = Math.max(version, versionOf(item));
      else if (typeof item === "string") version = Math.max(version, field.codes?.get(item) ?? 1);
    }
  }
  return version;
}

function valueAt(value: Value, field: Field): unknown {
  return (value as unknown as Draft)[field.name];
}

function isAbsent(value: Value, field: Field): boolean {
  const found = valueAt(value, field);
  return found === undefined || (field.absent !== undefined && found === field.absent);
}

// -- making ----------------------------------------------------------------

function fill(made: Value, shape: Shape, given: unknown, naming: Naming): void {
  if (!isObject(given)) throw wrongType("an object", given);
  checkNames(given);
  const into = made as unknown as Draft;
  if (shape.kind !== undefined) {
    checkKind(given, shape.kind);
    into["kind"] = shape.kind;
  }
  const around: Around = { naming, before: into };
  let taken = 0;
  for (const field of shape.fields) {
    const value = memberOf(given, naming === "wire" ? field.wire : field.name);
    if (value === undefined) {
      if (field.required) {
        throw new ResultError(
          "missing_field",
          token(field.wire),
          `'${field.wire}' is required and not there`,
        );
      }
      if (field.absent !== undefined) into[field.name] = field.absent;
      continue;
    }
    taken++;
    const checked = at(field.wire, () => field.check(value, around));
    if (checked !== undefined) into[field.name] = checked;
  }
  refuseUnknown(given, shape, naming, taken);
  checkOneOf(made, shape);
  Object.freeze(made);
}

function checkNames(given: Draft): void {
  for (const name of Object.keys(given)) {
    if (hasLoneSurrogate(name)) throw badText(token(name));
  }
}

function checkKind(given: Draft, kind: string): void {
  const found = memberOf(given, "kind");
  if (found === undefined) return; // the class says it
  if (typeof found !== "string") throw wrongType("a string", found).below("/kind");
  if (found !== kind) throw new ResultError("unknown_kind", "/kind", `expected '${kind}'`);
}

function refuseUnknown(given: Draft, shape: Shape, naming: Naming, taken: number): void {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  if (names.length === taken) return;
  const known = new Set(shape.fields.map((field) => (naming === "wire" ? field.wire : field.name)));
  if (shape.kind !== undefined) known.add("kind");
  const unknown = names.filter((name) => !known.has(name)).sort(byUnits)[0];
  if (unknown === undefined) return;
  const listed = [...known].slice(0, 12).join(", ");
  throw new ResultError(
    "unknown_field",
    token(unknown),
    `'${shorten(unknown)}' is no field here; known are ${listed}`,
  );
}

function checkOneOf(made: Value, shape: Shape): void {
  if (shape.oneOf === undefined) return;
  const { oneOf } = shape;
  const present = shape.fields.filter(
    (field) => oneOf.includes(field.wire) && !isAbsent(made, field),
  ).length;
  if (present !== 1) {
    throw new ResultError(
      "contradiction",
      "",
      `exactly one of ${oneOf.join(", ")} must be there, found ${present}`,
    );
  }
}

// -- writing ---------------------------------------------------------------

interface Written {
  readonly wire: string;
  readonly prefix: string;
  readonly field: Field | undefined;
}

const ORDERS = new WeakMap<Shape, readonly Written[]>();

/** The members of the serialized form in canonical order. */
function orderOf(shape: Shape, computed: Computed | undefined): readonly Written[] {
  const known = ORDERS.get(shape);
  if (known !== undefined) return known;
  const members: { wire: string; field: Field | undefined }[] = shape.fields.map((field) => ({
    wire: field.wire,
    field,
  }));
  if (shape.kind !== undefined) members.push({ wire: "kind", field: undefined });
  if (computed !== undefined) members.push({ wire: computed[0], field: undefined });
  const ordered = members
    .sort((first, second) => byUnits(first.wire, second.wire))
    .map((member) => ({ ...member, prefix: `${quote(member.wire)}:` }));
  ORDERS.set(shape, ordered);
  return ordered;
}

function textOf(value: Value, computed?: Computed): string {
  const shape = shapeOf(value);
  let text = "";
  for (const { wire, prefix, field } of orderOf(shape, computed)) {
    if (field !== undefined && isAbsent(value, field)) continue;
    const own = wire === computed?.[0] ? computed[1] : quote(shape.kind ?? "");
    text += (text === "" ? "{" : ",") + prefix;
    text += field === undefined ? own : itemText(valueAt(value, field));
  }
  return text === "" ? "{}" : `${text}}`;
}

function itemText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "boolean":
      return value ? "true" : "false";
    case "number":
    case "bigint":
      return numberText(value) ?? "null";
    default:
  }
  if (value instanceof Json) return value.canonical;
  if (value instanceof Value) return textOf(value);
  if (Array.isArray(value)) return `[${value.map(itemText).join(",")}]`;
  if (value instanceof FrozenMap) {
    const entries = [...(value as JsonMap)]; // in canonical order since construction
    return `{${entries.map(([key, item]) => `${quote(key)}:${item.canonical}`).join(",")}}`;
  }
  throw new TypeError("no field has this type");
}

function plainOf(value: unknown): unknown {
  if (value instanceof Json) return value.value;
  if (value instanceof Value) return value.toValue();
  if (Array.isArray(value)) return value.map(plainOf);
  if (value instanceof FrozenMap) {
    const plain: Draft = {};
    for (const [key, item] of value as JsonMap) put(plain, key, item.value);
    return plain;
  }
  return value;
}
