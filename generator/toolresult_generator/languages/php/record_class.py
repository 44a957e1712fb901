"""The class of a record or a part kind: properties, constructor, the way from JSON and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolresult_generator.languages.lowering.classes import ValueClass
from toolresult_generator.languages.php.fields import PhpField, callback, field_of
from toolresult_generator.languages.php.files import RESULT_SPEC, ROOT_NAMESPACE, source
from toolresult_generator.languages.php.layout import Prefixed, array, call, lines
from toolresult_generator.languages.php.result_class import result_members
from toolresult_generator.languages.php.text import doc, literal
from toolresult_generator.model.result import FieldKind, PartKind, ResultSpec


def record_class(spec: ResultSpec, name: str, value_class: ValueClass) -> str:
    """The file of the class."""
    fields = [field_of(field, spec) for field in value_class.fields]
    body: list[str] = []
    if value_class.holds_bytes:
        body += ["    use Runtime\\HoldsBytes;", ""]
    if value_class.kind is not None:
        body += [f"    public const KIND = {literal(value_class.kind)};", ""]
    body += _properties(fields)
    body += _constructor(value_class, fields)
    if value_class.is_result:
        body += result_members(spec, fields)
    body += _from_value(value_class, fields)
    body += _to_json(value_class, fields)
    body += _is_empty(fields)
    body += _since(spec, value_class, fields)
    while body[-1] == "":
        body.pop()
    parent = "Part" if value_class.kind is not None else "Runtime\\Value"
    head = [
        *doc(value_class.owner.meaning),
        f"final readonly class {name} extends {parent}",
        "{",
    ]
    return source(ROOT_NAMESPACE, [*head, *body, "}"], RESULT_SPEC)


def _properties(fields: Iterable[PhpField]) -> Iterator[str]:
    for one in fields:
        yield from doc(one.field.meaning, f"@var {one.item}" if one.item else "", indent=1)
        yield f"    public {one.property_type} ${one.name};"
        yield ""


def _constructor(value_class: ValueClass, fields: list[PhpField]) -> Iterator[str]:
    ordered = sorted(fields, key=lambda one: not one.field.required)
    yield from doc(
        "@throws ResultError with the pointer of the first field that is wrong", indent=1
    )
    yield "    public function __construct("
    for one in ordered:
        default = "" if one.field.required else f" = {one.default_given}"
        yield f"        {one.parameter_type} ${one.name}{default},"
    yield "    ) {"
    if value_class.kind is not None:
        yield "        parent::__construct(self::KIND);"
    names = {one.field.name for one in fields}
    for one in fields:
        if value_class.is_result and one.field.name == "error" and "data" in names:
            yield "        if ($error !== null && $this->data !== Absent::Value) {"
            yield "            throw self::dataBesideError();"
            yield "        }"
        yield from _assignment(one, fields)
    if value_class.one_of:
        yield from _one_of(value_class, fields)
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


def _one_of(value_class: ValueClass, fields: list[PhpField]) -> list[str]:
    by_name = {one.field.name: one for one in fields}
    present = array(
        Prefixed(f"{literal(name)} => ", by_name[name].present(f"$this->{by_name[name].name}"))
        for name in value_class.one_of
    )
    return lines(call("Runtime\\Fields::oneOf", (present,)), 2, "", ";")


def _from_value(value_class: ValueClass, fields: list[PhpField]) -> Iterator[str]:
    title = "The result of a parsed serialized form." if value_class.is_result else ""
    tag = "@throws ResultError with the pointer of the first offence"
    yield from doc(title, tag, indent=1)
    yield "    public static function fromValue(mixed $value): self"
    yield "    {"
    yield "        if ($value instanceof self) {"
    yield "            return $value;"
    yield "        }"
    if value_class.is_result:
        yield "        $version = Runtime\\Version::of($value, Constants::FORMAT_VERSIONS);"
    yield "        $fields = new Runtime\\Fields($value);"
    if value_class.kind is not None:
        yield "        $fields->kind(self::KIND);"
    names = {one.field.name for one in fields}
    yield "        $given = [];"
    for one in fields:
        if value_class.is_result and one.field.name == "error" and "data" in names:
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
    if value_class.kind is not None:
        known.insert(0, "kind")
    if value_class.is_result:
        known.insert(0, "format_version")
    done = call("$fields->done", (array(literal(name) for name in known),))
    yield from lines(done, 2, "", ";")
    if value_class.is_result:
        yield "        $result = new self(...$given);"
        yield "        Runtime\\Version::hasAll($version, $result->sinceVersion());"
        yield "        return $result;"
    else:
        yield "        return new self(...$given);"
    yield "    }"
    yield ""


def _to_json(value_class: ValueClass, fields: list[PhpField]) -> Iterator[str]:
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
    if value_class.kind is not None:
        member = f',"kind":"{value_class.kind}"'
        pieces["kind"] = [f"        $out .= {literal(member)};"]
    if value_class.is_result:
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


def _since(spec: ResultSpec, value_class: ValueClass, fields: list[PhpField]) -> Iterator[str]:
    yield "    public function sinceVersion(): int"
    yield "    {"
    body: list[str] = []
    if max((one.number for one in spec.format_versions), default=0) > 1:
        newer_codes = any(code.since > 1 for code in spec.error_codes)
        for one in fields:
            body += one.since_lines(newer_codes)
    since = value_class.owner.since if isinstance(value_class.owner, PartKind) else 1
    if body:
        yield f"        $version = {since};"
        yield from body
        yield "        return $version;"
    else:
        yield f"        return {since};"
    yield "    }"
