"""The value classes of TypeScript, with the constants of the spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.lowering.classes import ValueClass, value_classes
from toolresult_generator.languages.typescript.imports import import_lines, named
from toolresult_generator.languages.typescript.layout import (
    LINE,
    SOFT,
    WIDTH,
    Doc,
    Group,
    IfBreak,
    Indent,
    array,
    call,
    join,
    lay_out,
    listed,
)
from toolresult_generator.languages.typescript.names import LANGUAGE
from toolresult_generator.languages.typescript.text import HEADER, comment, literal, module_text
from toolresult_generator.languages.typescript.types import ValueTypes
from toolresult_generator.model.result import (
    ErrorCode,
    Field,
    FieldKind,
    KeyRule,
    PartKind,
    ResultSpec,
)

_CHECKS: Final = {
    FieldKind.BOOLEAN: "is.boolean",
    FieldKind.COUNT: "is.count",
    FieldKind.TIMESTAMP: "is.timestamp",
    FieldKind.BASE64: "is.base64",
    FieldKind.JSON: "is.json",
    FieldKind.JSON_OBJECT: "is.jsonObject",
}
_LISTS: Final = (FieldKind.CHOICES, FieldKind.RECORDS, FieldKind.PARTS)


def emit_values(spec: ResultSpec) -> dict[str, str]:
    """The modules by their path in the output; laid out as prettier does."""
    return {
        "constants.ts": _constants(spec),
        "values.ts": module_text(_Values(spec).module()),
        "index.ts": _index(spec),
    }


class _Values:
    def __init__(self, spec: ResultSpec) -> None:
        self._spec = spec
        self._types = ValueTypes(spec)
        self._uses: dict[str, set[str]] = {}
        self._constants = {"FORMAT_VERSIONS"}

    def module(self) -> list[str]:
        """The lines of the module."""
        body: list[str] = [*self._enum("ErrorCode", self._codes(), "Why a tool failed.")]
        for name, choices in self._types.choices.items():
            entries = [(LANGUAGE.convert(one, NameUse.CHOICE), one, "") for one in choices]
            body += ["", *self._enum(name, entries, "One of a closed set of names.")]
        for one in value_classes(self._spec):
            if one.is_result:
                body += ["", *self._part_types()]
            body += ["", *self._fields_type(one), "", *self._class(one)]
        types = {"Count", "JsonMap", "JsonMapInput", "Json", "Shape"}
        modules = {f"./runtime/{module}.js": names for module, names in self._uses.items()}
        head = comment(["The value classes.", HEADER.format(source="result.yaml")])
        imports = import_lines({"./constants.js": self._constants, **modules}, types)
        checks = 'import * as is from "./runtime/fields.js";'
        return [*head, "", checks, *imports, "", *body]

    def _use(self, module: str, *names: str) -> None:
        self._uses.setdefault(module, set()).update(names)

    # ------------------------------------------------------------- enums

    def _codes(self) -> list[tuple[str, str, str]]:
        return [
            (LANGUAGE.convert(one.name, NameUse.ERROR_CODE), one.name, _code_text(one))
            for one in self._spec.error_codes
        ]

    def _enum(self, name: str, members: list[tuple[str, str, str]], meaning: str) -> list[str]:
        lines = [*comment(meaning), f"export const {name} = {{"]
        for member, value, text in members:
            lines += comment(text, 1) if text else []
            lines.append(f"  {member}: {literal(value)},")
        value_of = f"(typeof {name})[keyof typeof {name}]"
        return [*lines, "} as const;", "", *comment(meaning), f"export type {name} = {value_of};"]

    def _part_types(self) -> list[str]:
        kinds = [self._types.kind(kind.name) for kind in self._spec.kinds]
        fields = [
            f"({{ readonly kind: {literal(kind.name)} }} & {self._types.kind(kind.name)}Fields)"
            for kind in self._spec.kinds
        ]
        table = [
            f"  {_key(kind.name)}: {self._types.kind(kind.name)}," for kind in self._spec.kinds
        ]
        return [
            *comment("A content part; `kind` tells which."),
            *_union("Part", kinds),
            "",
            *comment("What a content part is made of."),
            *_union("PartInput", ["Part", *fields]),
            "",
            "const PARTS = {",
            *table,
            "} as const;",
        ]

    # ----------------------------------------------------------- classes

    def _fields_type(self, one: ValueClass) -> list[str]:
        name = self._types.owner(one)
        lines = [
            *comment(f"The fields of {name}, as they are given."),
            f"export interface {name}Fields {{",
        ]
        if one.kind is not None:
            lines.append(f"  readonly kind?: {literal(one.kind)};")
        for field in one.fields:
            given = self._types.given(field)
            if field.type.kind is FieldKind.JSON_MAP:
                self._use("fields", "JsonMapInput")
            if field.required:
                lines += _typed(f"readonly {_property(field)}:", given, 1)
            else:
                more = given if given == "unknown" else f"{given} | undefined"
                lines += _typed(f"readonly {_property(field)}?:", more, 1)
        return [*lines, "}"]

    def _class(self, one: ValueClass) -> list[str]:
        name, base = self._types.owner(one), self._base(one)
        self._use("value" if base == "Value" else "members", base)
        self._use("value", "Shape")
        lines = [*comment(one.owner.meaning), f"export class {name} extends {base} {{"]
        lines += ["  /** @internal */", "  static override readonly shape: Shape = {"]
        lines += self._shape(one)
        lines += ["  };", ""]
        if one.is_result:
            lines += ["  /** @internal */"]
            lines += ["  static override readonly formatVersions = FORMAT_VERSIONS;", ""]
        if one.kind is not None:
            lines += [f"  declare readonly kind: {literal(one.kind)};", ""]
        for field in one.fields:
            lines += comment(field.meaning, 1)
            lines += [*self._declared(field), ""]
        lines += [f"  constructor(fields: {name}Fields{self._default(one)}) {{"]
        lines += ["    super(fields);", "  }"]
        if base == "BytesPartBase":
            lines += ["", *self._from_bytes(name)]
        if one.is_result:
            lines += ["", *_RESULT_MEMBERS.format(name=name).splitlines()]
        return [*lines, "}"]

    def _default(self, one: ValueClass) -> str:
        return "" if any(field.required for field in one.fields) else " = {}"

    def _base(self, one: ValueClass) -> str:
        if one.kind is None:
            return "ResultBase" if one.is_result else "Value"
        return "BytesPartBase" if one.holds_bytes else "PartBase"

    def _from_bytes(self, name: str) -> list[str]:
        self._use("members", "bytesText")
        parameters = ["data: Uint8Array", f'fields: Omit<{name}Fields, "data">']
        return [
            *comment(
                "A part of these bytes. Throws ResultError for the fields, TypeError for no bytes.",
                1,
            ),
            *lay_out(
                ("static fromBytes", Group((listed("(", parameters, ")"), f": {name} {{"))), 1
            ),
            f"    return new {name}({{ ...fields, data: bytesText(data) }});",
            "  }",
        ]

    def _declared(self, field: Field) -> list[str]:
        held = self._types.held(field)
        for used in ("Count", "JsonMap"):
            if held == used:
                self._use("fields", used)
        if held == "Json":
            self._use("json", "Json")
        name = _property(field)
        there = field.required or field.type.kind in _LISTS or field.type.kind is FieldKind.JSON_MAP
        return _typed(f"declare readonly {name}{'' if there else '?'}:", held, 1)

    # ------------------------------------------------------------ shapes

    def _shape(self, one: ValueClass) -> list[str]:
        lines: list[str] = []
        if isinstance(one.owner, PartKind):
            lines.append(f"    kind: {literal(one.owner.name)},")
            if one.owner.since > 1:
                lines.append(f"    since: {one.owner.since},")
            if one.one_of:
                lines += lay_out(("oneOf: ", array([literal(n) for n in one.one_of]), ","), 2)
        docs = [self._field(field, one) for field in one.fields]
        lines += lay_out(("fields: ", array(docs), ","), 2)
        return lines

    def _field(self, field: Field, one: ValueClass) -> Doc:
        how = "optional"
        if field.required:
            how = "required"
        elif field.type.kind in _LISTS:
            how = "listed"
        elif field.type.kind is FieldKind.JSON_MAP:
            how = "mapped"
        self._use("value", how)
        given = [literal(_property(field)), literal(field.name), self._check(field, one)]
        newer = {code.name: code.since for code in self._spec.error_codes if code.since > 1}
        codes = newer if field.type.kind is FieldKind.ERROR_CODE else {}
        if field.since > 1 or codes:
            given.append(str(field.since))
        if codes:
            given.append(array([array([literal(code), str(at)]) for code, at in codes.items()]))
        return call(how, given)

    def _check(self, field: Field, one: ValueClass) -> Doc:
        kind, record = field.type.kind, field.type.record
        if kind is FieldKind.STRING:
            return "is.nonEmptyString" if field.type.non_empty else "is.string"
        if kind is FieldKind.NUMBER:
            bounds = (field.type.minimum, field.type.maximum)
            return call("is.number", ["undefined" if b is None else str(b) for b in bounds])
        if kind is FieldKind.ERROR_CODE:
            return "is.code(ErrorCode)"
        if kind is FieldKind.CHOICES:
            return f"is.choices({self._types.choice(field)})"
        if kind is FieldKind.JSON_MAP:
            return self._map(field, one)
        if kind is FieldKind.PARTS:
            return "is.parts(PARTS)"
        if kind is FieldKind.RECORDS and record is not None:
            return f"is.records({self._types.record(record)})"
        if kind is FieldKind.RECORD and record is not None:
            check = "recordUnlessEmpty" if field.omit_empty else "record"
            check = "failure" if one.is_result and field.name == "error" else check
            return f"is.{check}({self._types.record(record)})"
        return _CHECKS[kind]

    def _map(self, field: Field, one: ValueClass) -> Doc:
        if field.type.keys is not KeyRule.EXTENSION:
            return "is.jsonMap"
        before = one.fields[: one.fields.index(field)]
        others = [literal(_property(f)) for f in before if f.type.keys is KeyRule.EXTENSION]
        self._constants.add("NAMESPACE")
        return call("is.extensionMap", ["NAMESPACE", *others])


_RESULT_MEMBERS: Final = """\
  /**
   * A success: `{name}.success({{ ids: [1, 2] }}, {{ summary: "2 products" }})`.
   *
   * `data` is any JSON value; left out or undefined, there is no data. Throws ResultError.
   */
  static success(data?: unknown, fields: Omit<{name}Fields, "data" | "error"> = {{}}): {name} {{
    return new {name}({{ ...fields, data }});
  }}

  /**
   * A failure: `{name}.failure("not_found", "There is no product 7.")`.
   *
   * `details` is any JSON object. Throws ResultError.
   */
  static failure(
    code: ErrorCode,
    message: string,
    details?: Json | object,
    fields: Omit<{name}Fields, "data" | "error"> = {{}},
  ): {name} {{
    return new {name}({{ ...fields, error: {{ code, message, details }} }});
  }}

  /** A success with one text part. Throws ResultError. */
  static text(text: string): {name} {{
    return new {name}({{ content: [{{ kind: "text", text }}] }});
  }}"""


def _typed(left: str, kind: str, indent: int) -> list[str]:
    """``name: Type;``, a union over several lines where it does not fit."""
    parts = kind.split(" | ") if "(" not in kind else [kind]
    if len(parts) == 1:
        return [f"{'  ' * indent}{left} {kind};"]
    union: Doc = Group(Indent((SOFT, IfBreak("| "), join((LINE, "| "), parts))))
    flat = f"{'  ' * indent}{left} {kind};"
    return [flat] if len(flat) <= WIDTH else lay_out((left, union, ";"), indent)


def _union(name: str, members: list[str]) -> list[str]:
    flat = f"export type {name} = {' | '.join(members)};"
    if len(flat) <= WIDTH:
        return [flat]
    below = f"  {' | '.join(members)};"
    if len(below) <= WIDTH:
        return [f"export type {name} =", below]
    return [f"export type {name} =", *(f"  | {one}" for one in members[:-1]), f"  | {members[-1]};"]


def _property(field: Field) -> str:
    return LANGUAGE.convert(field.name, NameUse.FIELD)


def _key(name: str) -> str:
    """A key of an object literal: bare where it is an identifier, as prettier has it."""
    return name if name.isidentifier() and name.isascii() else literal(name)


def _code_text(code: ErrorCode) -> str:
    """What an error code means, when to use it and when not."""
    parts = (code.meaning, code.use, code.not_for and f"Not for: {code.not_for}")
    return " ".join(part for part in parts if part)


def _constants(spec: ResultSpec) -> str:
    versions = [str(version.number) for version in spec.format_versions]
    entries: list[tuple[str, Doc, str]] = [
        (
            "NAMESPACE",
            literal(spec.namespace),
            "The prefix of the keys that are the mapping's own.",
        ),
        (
            "A2A_EXTENSION",
            literal(spec.a2a_extension),
            "The URI of this mapping as an extension of A2A.",
        ),
        (
            "FORMAT_VERSIONS",
            (array(versions), " as const"),
            "The versions of the serialized form that are known; 0 is the legacy envelope.",
        ),
        (
            "DEFAULT_ERROR_CODE",
            literal(spec.default_code.name),
            "The code of a failure that no other code names.",
        ),
    ]
    lines = comment(["Settings of the spec.", HEADER.format(source="result.yaml")])
    for name, value, meaning in entries:
        lines += ["", *comment(meaning), *lay_out((f"export const {name} = ", value, ";"))]
    return module_text(lines)


def _index(spec: ResultSpec) -> str:
    types = ValueTypes(spec)
    classes = [types.owner(one) for one in value_classes(spec)]
    values = sorted(["ErrorCode", *types.choices, *classes])
    inputs = sorted(["type Part", "type PartInput", *(f"type {name}Fields" for name in classes)])
    exported: Mapping[str, list[str]] = {
        "./runtime/errors.js": ["ResultError", "type ResultErrorCode"],
        "./runtime/fields.js": ["type Count", "type JsonMap", "type JsonMapInput"],
        "./runtime/json.js": ["Json", "type JsonKind"],
        "./runtime/json-types.js": ["type JsonObject", "type JsonValue"],
        "./runtime/plain.js": ["toPlain"],
        "./values.js": sorted([*values, *inputs], key=lambda name: name.removeprefix("type ")),
    }
    lines = comment(
        [
            "Tool results: what a tool returns, as immutable values.",
            HEADER.format(source="result.yaml"),
        ]
    )
    lines.append("")
    for module, names in exported.items():
        lines += named("export", names, module)
    return module_text(lines)
