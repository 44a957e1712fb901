"""What the class of the result has beside its fields: how one is made, read, and told apart."""

from __future__ import annotations

from collections.abc import Iterator

from toolresult_generator.languages.php.fields import PhpField
from toolresult_generator.languages.php.text import doc
from toolresult_generator.model.result import FieldKind, ResultSpec


def result_members(spec: ResultSpec, fields: list[PhpField]) -> Iterator[str]:
    """The methods, as lines of the class; each followed by an empty line."""
    by_name = {one.field.name: one for one in fields}
    if "data" in by_name:
        others = [one for one in fields if one.field.name != "error"]
        yield from _success(others)
    if "error" in by_name:
        yield from _failure(
            by_name, [one for one in fields if one.field.name not in ("data", "error")]
        )
    if "content" in by_name and by_name["content"].kind is FieldKind.PARTS:
        yield from _text()
    if {"data", "error"} <= by_name.keys():
        yield from _contradiction()
    yield from _from_json()
    yield from _digest(spec, by_name)


def _parameters(fields: list[PhpField]) -> Iterator[str]:
    for one in fields:
        yield f"        {one.parameter_type} ${one.name} = {one.default_given},"


def _named(fields: list[PhpField]) -> str:
    return ", ".join(f"{one.name}: ${one.name}" for one in fields)


def _success(fields: list[PhpField]) -> Iterator[str]:
    yield from doc(
        "A success: Result::success(['ids' => [1, 2]], '2 products'). The data is any JSON value, "
        "null too; left out, there is no data. An array is a list if its keys are 0, 1, 2, else an "
        "object; for an empty object give a JsonObject.",
        "@throws ResultError",
        indent=1,
    )
    yield "    public static function success("
    yield from _parameters(fields)
    yield "    ): self {"
    yield f"        return new self({_named(fields)});"
    yield "    }"
    yield ""


def _failure(by_name: dict[str, PhpField], fields: list[PhpField]) -> Iterator[str]:
    yield from doc(
        "A failure: Result::failure('not_found', 'There is no product 7.'). The code is a member "
        "of ErrorCode or its text, the details are any JSON object.",
        "@throws ResultError",
        indent=1,
    )
    yield "    public static function failure("
    yield "        ErrorCode|string $code,"
    yield "        string $message,"
    yield "        Json|JsonObject|\\stdClass|array|null $details = null,"
    yield from _parameters(fields)
    yield "    ): self {"
    error = by_name["error"]
    made = f"new {error.class_name}($code, $message, $details)"
    yield f"        $make = static fn (): {error.class_name} => {made};"
    yield "        $error = Runtime\\Fields::at('error', null, $make);"
    yield f"        return new self(error: $error, {_named(fields)});"
    yield "    }"
    yield ""


def _text() -> Iterator[str]:
    yield from doc("A success with one text part.", "@throws ResultError", indent=1)
    yield "    public static function text(string $text): self"
    yield "    {"
    yield "        return self::success(content: [['kind' => 'text', 'text' => $text]]);"
    yield "    }"
    yield ""


def _contradiction() -> Iterator[str]:
    yield "    private static function dataBesideError(): ResultError"
    yield "    {"
    yield "        return new ResultError("
    yield "            ResultError::CONTRADICTION,"
    yield "            '/error',"
    detail = "a failure carries no data; put what it has to say into the error's details"
    yield f'            "{detail}",'
    yield "        );"
    yield "    }"
    yield ""


def _from_json() -> Iterator[str]:
    yield from doc(
        "The result of a serialized form. A text of more than $maxBytes bytes is refused; null is "
        "no bound.",
        "@throws ResultError with the pointer of the first offence",
        indent=1,
    )
    takes = "string $text, ?int $maxBytes = Runtime\\JsonParser::MAX_BYTES"
    yield f"    public static function fromJson({takes}): self"
    yield "    {"
    yield "        return self::fromValue(Runtime\\JsonParser::parse($text, maxBytes: $maxBytes));"
    yield "    }"
    yield ""
    yield from doc(
        "The version that the serialized form is written in: the lowest that can say it.", indent=1
    )
    yield "    public function formatVersion(): int"
    yield "    {"
    yield "        return $this->sinceVersion();"
    yield "    }"
    yield ""


def _digest(spec: ResultSpec, by_name: dict[str, PhpField]) -> Iterator[str]:
    metadata = by_name.get("metadata")
    record = metadata and metadata.field.type.record
    timed = record is not None and spec.record(str(record)).field("generated_at") is not None
    yield from doc(
        "SHA-256, in hex, of the serialized form"
        + (
            " without metadata.generated_at: a result made again later has the same digest."
            if timed
            else "."
        ),
        indent=1,
    )
    yield "    public function digest(): string"
    yield "    {"
    if timed:
        yield "        if ($this->metadata?->generatedAt !== null) {"
        yield "            $rest = $this->metadata->replace(generatedAt: null);"
        yield "            return hash('sha256', $this->replace(metadata: $rest)->toJson());"
        yield "        }"
    yield "        return hash('sha256', $this->toJson());"
    yield "    }"
    yield ""
