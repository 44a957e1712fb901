"""The value classes of PHP: a final readonly class for each record and part kind; enumerations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.php.fields import (
    PhpField,
    callback,
    choice_classes,
    field_of,
)
from toolresult_generator.languages.php.files import ROOT_NAMESPACE, source
from toolresult_generator.languages.php.layout import Prefixed, array, call, lines, string
from toolresult_generator.languages.php.names import LANGUAGE
from toolresult_generator.languages.php.result_class import result_members
from toolresult_generator.languages.php.text import doc, literal
from toolresult_generator.languages.schema import PART, RESULT
from toolresult_generator.model.result import (
    ErrorCode,
    FieldKind,
    PartKind,
    Record,
    ResultSpec,
)

_SPEC: Final = "spec/result.yaml"


def emit_values(spec: ResultSpec) -> dict[str, str]:
    """The files of the value classes, by their path below the namespace."""
    choices = choice_classes(spec)
    files = {"Constants.php": _constants(spec), "ErrorCode.php": _error_codes(spec)}
    for name, members in choices.items():
        files[f"{name}.php"] = _choices(name, members)
    files["Part.php"] = _part(spec)
    common = spec.record(PART).fields
    for record in spec.records:
        if record.name != PART:
            fields = [field_of(one, spec, choices) for one in record.fields]
            name = LANGUAGE.convert(record.name, NameUse.RECORD)
            files[f"{name}.php"] = _class(spec, name, record, fields)
    for kind in spec.kinds:
        fields = [field_of(one, spec, choices) for one in (*kind.fields, *common)]
        name = LANGUAGE.convert(kind.name, NameUse.KIND)
        files[f"{name}.php"] = _class(spec, name, kind, fields)
    return files


def _class(spec: ResultSpec, name: str, owner: Record | PartKind, fields: list[PhpField]) -> str:
    kind = owner.name if isinstance(owner, PartKind) else None
    is_result = isinstance(owner, Record) and owner.name == RESULT
    holds_bytes = kind is not None and any(
        one.field.name == "data" and one.kind is FieldKind.BASE64 for one in fields
    )
    body: list[str] = []
    if holds_bytes:
        body += ["    use Runtime\\HoldsBytes;", ""]
    if kind is not None:
        body += [f"    public const KIND = {literal(kind)};", ""]
    body += _properties(fields)
    body += _constructor(owner, fields, kind, is_result)
    if is_result:
        body += result_members(spec, fields)
    body += _from_value(owner, fields, kind, is_result)
    body += _to_json(fields, kind, is_result)
    body += _is_empty(fields)
    body += _since(spec, owner, fields)
    while body[-1] == "":
        body.pop()
    parent = "Part" if kind is not None else "Runtime\\Value"
    head = [
        *doc(owner.meaning),
        f"final readonly class {name} extends {parent}",
        "{",
    ]
    return source(ROOT_NAMESPACE, [*head, *body, "}"], _SPEC)


def _properties(fields: Iterable[PhpField]) -> Iterator[str]:
    for one in fields:
        yield from doc(one.field.meaning, f"@var {one.item}" if one.item else "", indent=1)
        yield f"    public {one.property_type} ${one.name};"
        yield ""


def _constructor(
    owner: Record | PartKind, fields: list[PhpField], kind: str | None, is_result: bool
) -> Iterator[str]:
    ordered = sorted(fields, key=lambda one: not one.field.required)
    yield from doc(
        "@throws ResultError with the pointer of the first field that is wrong", indent=1
    )
    yield "    public function __construct("
    for one in ordered:
        default = "" if one.field.required else f" = {one.default_given}"
        yield f"        {one.parameter_type} ${one.name}{default},"
    yield "    ) {"
    if kind is not None:
        yield "        parent::__construct(self::KIND);"
    names = {one.field.name for one in fields}
    for one in fields:
        if is_result and one.field.name == "error" and "data" in names:
            yield "        if ($error !== null && $this->data !== Absent::Value) {"
            yield "            throw self::dataBesideError();"
            yield "        }"
        yield from _assignment(one, fields)
    if isinstance(owner, PartKind) and owner.one_of:
        yield from _one_of(owner, fields)
    yield "    }"
    yield ""


def _assignment(one: PhpField, fields: list[PhpField]) -> list[str]:
    variable = f"${one.name}"
    if one.kind is FieldKind.RECORD:
        if one.field.omit_empty:
            value = f"{variable} === null || {variable}->isEmpty() ? null : {variable}"
            return [f"        $this->{one.name} = {value};"]
        return [f"        $this->{one.name} = {variable};"]
    given = one.given(variable)
    checked = call(
        "Runtime\\Fields::at",
        (literal(one.field.name), given, callback(one, fields, "$this->{}")),
    )
    if one.null_is_absent:
        before = f"$this->{one.name} = {variable} === null ? null : "
        return lines(checked, 2, before, ";")
    return lines(checked, 2, f"$this->{one.name} = ", ";")


def _one_of(owner: PartKind, fields: list[PhpField]) -> list[str]:
    by_name = {one.field.name: one for one in fields}
    present = array(
        Prefixed(f"{literal(name)} => ", by_name[name].present(f"$this->{by_name[name].name}"))
        for name in owner.one_of
    )
    return lines(call("Runtime\\Fields::oneOf", (present,)), 2, "", ";")


def _from_value(
    owner: Record | PartKind, fields: list[PhpField], kind: str | None, is_result: bool
) -> Iterator[str]:
    title = "The result of a parsed serialized form." if is_result else ""
    tag = "@throws ResultError with the pointer of the first offence"
    yield from doc(title, tag, indent=1)
    yield "    public static function fromValue(mixed $value): self"
    yield "    {"
    yield "        if ($value instanceof self) {"
    yield "            return $value;"
    yield "        }"
    if is_result:
        yield "        $version = Runtime\\Version::of($value, Constants::FORMAT_VERSIONS);"
    yield "        $fields = new Runtime\\Fields($value);"
    if kind is not None:
        yield "        $fields->kind(self::KIND);"
    names = {one.field.name for one in fields}
    yield "        $given = [];"
    for one in fields:
        if is_result and one.field.name == "error" and "data" in names:
            yield "        if ($fields->has('error') && $given['data'] !== Absent::Value) {"
            yield "            throw self::dataBesideError();"
            yield "        }"
        method = "required" if one.field.required else "optional"
        absent = () if one.field.required or one.default_given == "null" else (one.default_given,)
        read = call(
            f"$fields->{method}",
            (literal(one.field.name), callback(one, fields, "$given['{}']"), *absent),
        )
        yield from lines(read, 2, f"$given[{literal(one.name)}] = ", ";")
    known = [one.field.name for one in fields]
    if kind is not None:
        known.insert(0, "kind")
    done = call("$fields->done", (array(literal(name) for name in known),))
    if is_result:
        known.insert(0, "format_version")
        done = call("$fields->done", (array(literal(name) for name in known),))
    yield from lines(done, 2, "", ";")
    if is_result:
        yield "        $result = new self(...$given);"
        yield "        Runtime\\Version::hasAll($version, $result->sinceVersion());"
        yield "        return $result;"
    else:
        yield "        return new self(...$given);"
    yield "    }"
    yield ""


def _to_json(fields: list[PhpField], kind: str | None, is_result: bool) -> Iterator[str]:
    pieces: dict[str, list[str]] = {}
    for one in fields:
        written = one.written(f"$this->{one.name}")
        line = lines(
            written, 2 if one.field.required else 3, f"$out .= ',\"{one.field.name}\":' . ", ";"
        )
        if not one.field.required:
            test = one.present(f"$this->{one.name}")
            line = [f"        if ({test}) {{", *line, "        }"]
        pieces[one.field.name] = line
    if kind is not None:
        pieces["kind"] = [
            "        " + f"$out .= {literal(f',{chr(34)}kind{chr(34)}:{chr(34)}{kind}{chr(34)}')};"
        ]
    if is_result:
        pieces["format_version"] = [
            "        $out .= ',\"format_version\":' . $this->sinceVersion();"
        ]
    yield "    public function toJson(): string"
    yield "    {"
    yield "        $out = '';"
    for name in sorted(pieces, key=lambda name: name.encode("utf-16-be")):
        yield from pieces[name]
    yield "        return Runtime\\Writing::closed($out);"
    yield "    }"
    yield ""


def _is_empty(fields: list[PhpField]) -> Iterator[str]:
    yield "    public function isEmpty(): bool"
    yield "    {"
    if any(one.field.required for one in fields):
        yield "        return false;"
    else:
        for number, one in enumerate(fields):
            start = "return " if number == 0 else "    && "
            end = ";" if number == len(fields) - 1 else ""
            yield f"        {start}{one.absent(f'$this->{one.name}')}{end}"
    yield "    }"
    yield ""


def _since(spec: ResultSpec, owner: Record | PartKind, fields: list[PhpField]) -> Iterator[str]:
    yield "    public function sinceVersion(): int"
    yield "    {"
    body: list[str] = []
    if max((one.number for one in spec.format_versions), default=0) > 1:
        newer_codes = any(code.since > 1 for code in spec.error_codes)
        for one in fields:
            body += one.since_lines(newer_codes)
    since = owner.since if isinstance(owner, PartKind) else 1
    if body:
        yield f"        $version = {since};"
        yield from body
        yield "        return $version;"
    else:
        yield f"        return {since};"
    yield "    }"


def _part(spec: ResultSpec) -> str:
    kinds = [
        Prefixed(f"{literal(kind.name)} => ", f"{LANGUAGE.convert(kind.name, NameUse.KIND)}::class")
        for kind in spec.kinds
    ]
    listed = array(kinds)
    return source(
        ROOT_NAMESPACE,
        [
            *doc("A part of the content, of any kind."),
            "abstract readonly class Part extends Runtime\\Value",
            "{",
            *doc("The classes of the kinds.", indent=1),
            "    public const KINDS = [",
            *(
                f"        {one.before}{one.inner},"
                for one in listed.items
                if isinstance(one, Prefixed)
            ),
            "    ];",
            "",
            "    protected function __construct(public string $kind)",
            "    {",
            "    }",
            "",
            *doc(
                "The part that a parsed serialized form describes.",
                "@throws ResultError with the pointer of the first offence",
                indent=1,
            ),
            "    public static function fromValue(mixed $value): self",
            "    {",
            "        return $value instanceof self",
            "            ? $value",
            "            : Runtime\\Fields::classOf($value, self::KINDS)::fromValue($value);",
            "    }",
            "}",
        ],
        _SPEC,
    )


def _error_codes(spec: ResultSpec) -> str:
    body: list[str] = []
    for code in spec.error_codes:
        body += doc(_code_text(code), indent=1)
        body += [
            f"    case {LANGUAGE.convert(code.name, NameUse.ERROR_CODE)} = {literal(code.name)};",
            "",
        ]
    body += [
        *doc("The version of the serialized form that brought the code.", indent=1),
        "    public function sinceVersion(): int",
        "    {",
    ]
    newer = [code for code in spec.error_codes if code.since > 1]
    if newer:
        body += ["        return match ($this) {"]
        body += [
            f"            self::{LANGUAGE.convert(code.name, NameUse.ERROR_CODE)} => {code.since},"
            for code in newer
        ]
        body += ["            default => 1,", "        };"]
    else:
        body += ["        return 1;"]
    body += ["    }"]
    head = [*doc("Why a tool failed, as a stable code."), "enum ErrorCode: string", "{"]
    return source(ROOT_NAMESPACE, [*head, *body, "}"], _SPEC)


def _code_text(code: ErrorCode) -> str:
    parts = (code.meaning, code.use, code.not_for and f"Not for: {code.not_for}")
    return " ".join(part for part in parts if part)


def _choices(name: str, members: tuple[str, ...]) -> str:
    cases = [
        f"    case {LANGUAGE.convert(one, NameUse.CHOICE)} = {literal(one)};" for one in members
    ]
    head = [*doc("One of a closed set of names."), f"enum {name}: string", "{"]
    return source(ROOT_NAMESPACE, [*head, *cases, "}"], _SPEC)


def _constants(spec: ResultSpec) -> str:
    versions = array(str(version.number) for version in spec.format_versions)
    constants = (
        ("The prefix of the keys that are the mapping's own.", "NAMESPACE", string(spec.namespace)),
        (
            "The URI of this mapping as an extension of A2A.",
            "A2A_EXTENSION",
            string(spec.a2a_extension),
        ),
        (
            "The versions of the serialized form that are known; 0 is the legacy envelope.",
            "FORMAT_VERSIONS",
            versions,
        ),
        (
            "The code of a failure that no other code names.",
            "DEFAULT_ERROR_CODE",
            string(spec.default_code.name),
        ),
    )
    body: list[str] = []
    for meaning, name, value in constants:
        body += [*doc(meaning, indent=1), *lines(value, 1, f"public const {name} = ", ";"), ""]
    head = [*doc("Settings of the spec."), "final class Constants", "{"]
    return source(ROOT_NAMESPACE, [*head, *body[:-1], "}"], _SPEC)
