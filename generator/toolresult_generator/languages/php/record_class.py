"""The class of a record or a part kind: properties, constructor, the way from JSON and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from toolresult_generator.languages.php.fields import (
    PhpField,
    callback,
)
from toolresult_generator.languages.php.files import ROOT_NAMESPACE, source
from toolresult_generator.languages.php.layout import Prefixed, array, call, lines
from toolresult_generator.languages.php.result_class import result_members
from toolresult_generator.languages.php.text import doc, literal
from toolresult_generator.languages.schema import RESULT
from toolresult_generator.model.result import (
    FieldKind,
    PartKind,
    Record,
    ResultSpec,
)

_SPEC: Final = "spec/result.yaml"


def record_class(
    spec: ResultSpec, name: str, owner: Record | PartKind, fields: list[PhpField]
) -> str:
    """The file of the class."""
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
    if one.item and not one.field.required:
        # Most results have few of their lists.
        return lines(checked, 2, f"$this->{one.name} = {variable} === [] ? [] : ", ";")
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
