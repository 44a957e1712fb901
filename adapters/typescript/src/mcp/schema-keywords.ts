/**
 * The keywords of JSON Schema, what each may hold, and the schemas within a schema.
 *
 * From the metaschemas of draft-04 to 2020-12 (https://json-schema.org/specification-links). They
 * are not run themselves: the engines that do so write code, which no worker and no strict content
 * policy allows.
 */

import { isObject, memberOf } from "../core.js";

export type Schema = Readonly<Record<string, unknown>>;

/** The draft's number, or the year of a later one. */
export type Dialect = 4 | 6 | 7 | 2019 | 2020;

/** A value within a schema, with the steps that lead to it. */
export type Member = readonly [value: unknown, ...steps: readonly (string | number)[]];

const DIALECTS: ReadonlyMap<string, Dialect> = new Map<string, Dialect>([
  ["json-schema.org/draft-04/schema", 4],
  ["json-schema.org/draft-06/schema", 6],
  ["json-schema.org/draft-07/schema", 7],
  ["json-schema.org/draft/2019-09/schema", 2019],
]);
const DRAFT_3 = "json-schema.org/draft-03/schema";

/** The dialect of a schema; the newest where none is named. Undefined for one that is too old. */
export function dialectOf(schema: Schema): Dialect | undefined {
  const named = String(memberOf(schema, "$schema") ?? "").replace(/^https?:\/\/|#$/g, "");
  return named === DRAFT_3 ? undefined : (DIALECTS.get(named) ?? 2020);
}

/** What a keyword holds: in words, whether a value fits, and the schemas in it. */
interface Kind {
  readonly expected: string;
  readonly fits: (value: unknown, dialect: Dialect) => boolean;
  readonly within?: (value: unknown) => readonly Member[];
}

const NAMES = ["array", "boolean", "integer", "null", "number", "object", "string"];

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number | bigint =>
  typeof value === "number" || typeof value === "bigint";
const isCount = (value: unknown): boolean =>
  isNumber(value) && value >= 0 && (typeof value === "bigint" || Number.isInteger(value));
const isFull = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0;
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isMap = (value: unknown, of: (inner: unknown) => boolean): boolean =>
  isObject(value) && Object.values(value).every(of);
const isSchema = (value: unknown, dialect: Dialect): boolean =>
  isObject(value) || (typeof value === "boolean" && dialect > 4);

const oneWithin = (value: unknown): readonly Member[] => [[value]];
const listWithin = (value: unknown): readonly Member[] =>
  (value as readonly unknown[]).map((inner, index) => [inner, index]);
const mapWithin = (value: unknown): readonly Member[] =>
  Object.entries(value as object).map(([name, inner]) => [inner, name]);

const SCHEMA: Kind = { expected: "a schema", fits: isSchema, within: oneWithin };
const SCHEMA_OR_FLAG: Kind = {
  ...SCHEMA,
  fits: (value) => isObject(value) || typeof value === "boolean",
};
const SCHEMAS: Kind = {
  expected: "a list of schemas that is not empty",
  fits: (value, dialect) => isFull(value) && value.every((inner) => isSchema(inner, dialect)),
  within: listWithin,
};
const SCHEMA_MAP: Kind = {
  expected: "an object of schemas",
  fits: (value, dialect) => isMap(value, (inner) => isSchema(inner, dialect)),
  within: mapWithin,
};
const ITEMS: Kind = {
  expected: "a schema",
  fits: (value, dialect) =>
    isSchema(value, dialect) || (dialect < 2020 && SCHEMAS.fits(value, dialect)),
  within: (value) => (Array.isArray(value) ? listWithin(value) : oneWithin(value)),
};
const DEPENDENCIES: Kind = {
  expected: "an object of schemas and lists of names",
  fits: (value, dialect) => isMap(value, (inner) => isSchema(inner, dialect) || isTexts(inner)),
  within: (value) => mapWithin(value).filter(([inner]) => !Array.isArray(inner)),
};
const TEXT: Kind = { expected: "a text", fits: isText };
const ID: Kind = {
  expected: "an address without a fragment",
  fits: (value, dialect) => isText(value) && (dialect < 2019 || /^[^#]*#?$/.test(value)),
};
const ANCHOR: Kind = {
  expected: "a name of letters, digits, '-', '.' and '_'",
  fits: (value) => isText(value) && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
};
const FLAG: Kind = { expected: "true or false", fits: (value) => typeof value === "boolean" };
const NUMBER: Kind = { expected: "a number", fits: isNumber };
const EXCLUSIVE: Kind = {
  expected: "a number",
  fits: (value, dialect) => (dialect === 4 ? typeof value === "boolean" : isNumber(value)),
};
const POSITIVE: Kind = {
  expected: "a number above 0",
  fits: (value) => isNumber(value) && value > 0,
};
const COUNT: Kind = { expected: "an integer from 0 on", fits: isCount };
const LIST: Kind = { expected: "a list", fits: Array.isArray };
const ENUM: Kind = {
  expected: "a list of values",
  fits: (value, dialect) => (dialect === 4 ? isFull(value) : Array.isArray(value)),
};
const TEXTS: Kind = {
  expected: "a list of different texts",
  fits: (value, dialect) => isTexts(value) && (dialect > 4 || isFull(value)),
};
const TEXTS_MAP: Kind = {
  expected: "an object of lists of different texts",
  fits: (value) => isMap(value, isTexts),
};
const TYPE: Kind = {
  expected: `one of ${NAMES.join(", ")}, or a list of them`,
  fits: (value) =>
    isText(value)
      ? NAMES.includes(value)
      : isFull(value) && isTexts(value) && value.every((name) => NAMES.includes(name as string)),
};

/** A keyword, what it holds, the first dialect that has it and the last. */
type Keyword = readonly [name: string, kind: Kind, since?: Dialect, until?: Dialect];

const KEYWORDS: readonly Keyword[] = [
  ["id", TEXT, 4, 4],
  ["$id", ID, 6],
  ["$schema", TEXT],
  ["$ref", TEXT, 6],
  ["$comment", TEXT, 7],
  ["$defs", SCHEMA_MAP, 2019],
  ["$anchor", ANCHOR, 2019],
  ["$recursiveRef", TEXT, 2019],
  ["$recursiveAnchor", FLAG, 2019, 2019],
  ["$recursiveAnchor", ANCHOR, 2020],
  ["$dynamicRef", TEXT, 2020],
  ["$dynamicAnchor", ANCHOR, 2020],
  ["$vocabulary", { expected: "an object of true and false", fits: isVocabulary }, 2019],
  ["definitions", SCHEMA_MAP],
  ["dependencies", DEPENDENCIES],
  ["prefixItems", SCHEMAS, 2020],
  ["items", ITEMS],
  ["additionalItems", SCHEMA_OR_FLAG, 4, 2019],
  ["contains", SCHEMA, 6],
  ["properties", SCHEMA_MAP],
  ["patternProperties", SCHEMA_MAP],
  ["additionalProperties", SCHEMA_OR_FLAG],
  ["propertyNames", SCHEMA, 6],
  ["dependentSchemas", SCHEMA_MAP, 2019],
  ["unevaluatedItems", SCHEMA, 2019],
  ["unevaluatedProperties", SCHEMA, 2019],
  ["if", SCHEMA, 7],
  ["then", SCHEMA, 7],
  ["else", SCHEMA, 7],
  ["allOf", SCHEMAS],
  ["anyOf", SCHEMAS],
  ["oneOf", SCHEMAS],
  ["not", SCHEMA],
  ["type", TYPE],
  ["enum", ENUM],
  ["multipleOf", POSITIVE],
  ["maximum", NUMBER],
  ["exclusiveMaximum", EXCLUSIVE],
  ["minimum", NUMBER],
  ["exclusiveMinimum", EXCLUSIVE],
  ["maxLength", COUNT],
  ["minLength", COUNT],
  ["pattern", TEXT],
  ["maxItems", COUNT],
  ["minItems", COUNT],
  ["uniqueItems", FLAG],
  ["maxContains", COUNT, 2019],
  ["minContains", COUNT, 2019],
  ["maxProperties", COUNT],
  ["minProperties", COUNT],
  ["required", TEXTS],
  ["dependentRequired", TEXTS_MAP, 2019],
  ["title", TEXT],
  ["description", TEXT],
  ["deprecated", FLAG, 2019],
  ["readOnly", FLAG, 7],
  ["writeOnly", FLAG, 2019],
  ["examples", LIST, 6],
  ["format", TEXT],
  ["contentEncoding", TEXT, 7],
  ["contentMediaType", TEXT, 7],
  ["contentSchema", SCHEMA, 2019],
];

function isVocabulary(value: unknown): boolean {
  return isMap(value, (inner) => typeof inner === "boolean");
}

/** What a keyword of a schema does not fit. */
export interface Misfit {
  readonly keyword: string;
  readonly expected: string;
}

/** The first keyword that holds something else than it may, or the schemas within a schema. */
export function lookInto(schema: Schema, dialect: Dialect): Misfit | readonly Member[] {
  const found: Member[] = [];
  for (const [keyword, kind, since = 4, until = 2020] of KEYWORDS) {
    const value = memberOf(schema, keyword);
    if (value === undefined || dialect < since || dialect > until) continue;
    if (!kind.fits(value, dialect)) return { keyword, expected: kind.expected };
    for (const [inner, ...steps] of kind.within?.(value) ?? []) {
      found.push([inner, keyword, ...steps]);
    }
  }
  return found;
}
