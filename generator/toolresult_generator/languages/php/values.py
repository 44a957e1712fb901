"""The value classes of PHP: a final readonly class for each record and part kind; enumerations."""

from __future__ import annotations

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.lowering.classes import ChoiceSet, choice_sets, value_classes
from toolresult_generator.languages.php.fields import choice_class
from toolresult_generator.languages.php.files import RESULT_SPEC, ROOT_NAMESPACE, source
from toolresult_generator.languages.php.layout import Prefixed, array, lines, string
from toolresult_generator.languages.php.names import LANGUAGE
from toolresult_generator.languages.php.record_class import record_class
from toolresult_generator.languages.php.text import doc, literal
from toolresult_generator.model.result import ErrorCode, ResultSpec


def emit_values(spec: ResultSpec) -> dict[str, str]:
    """The files of the value classes, by their path below the namespace."""
    files = {"Constants.php": _constants(spec), "ErrorCode.php": _error_codes(spec)}
    for choices in choice_sets(spec):
        files[f"{choice_class(choices)}.php"] = _choices(choices)
    files["Part.php"] = _part(spec)
    for one in value_classes(spec):
        use = NameUse.RECORD if one.kind is None else NameUse.KIND
        name = LANGUAGE.convert(one.owner.name, use)
        files[f"{name}.php"] = record_class(spec, name, one)
    return files


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
        RESULT_SPEC,
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
    return source(ROOT_NAMESPACE, [*head, *body, "}"], RESULT_SPEC)


def _code_text(code: ErrorCode) -> str:
    parts = (code.meaning, code.use, code.not_for and f"Not for: {code.not_for}")
    return " ".join(part for part in parts if part)


def _choices(choices: ChoiceSet) -> str:
    cases = [
        f"    case {LANGUAGE.convert(one, NameUse.CHOICE)} = {literal(one)};"
        for one in choices.choices
    ]
    name = choice_class(choices)
    head = [*doc("One of a closed set of names."), f"enum {name}: string", "{"]
    return source(ROOT_NAMESPACE, [*head, *cases, "}"], RESULT_SPEC)


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
    return source(ROOT_NAMESPACE, [*head, *body[:-1], "}"], RESULT_SPEC)
