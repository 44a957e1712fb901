"""Stage 2: each finding once, with the exact place."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.generator.spec_folder import RESULT, SpecFolder

from toolresult_generator.check import check_spec
from toolresult_generator.check.schemas import schema
from toolresult_generator.findings import Finding
from toolresult_generator.languages import EMITTERS, LANGUAGES, languages
from toolresult_generator.load import load_spec
from toolresult_generator.model.build import build_result
from toolresult_generator.model.result import FieldKind, KeyRule

TOOL_ERROR = "  tool_error: {since: 1, default: true, meaning: It failed., use: Always.}\n"
DRY_RUN = "      dry_run: {type: boolean, since: 1, meaning: Dry.}\n"
STORED = "{type: records, record: stored, since: 1, meaning: Links.}"


def check(spec: SpecFolder, against: str | None = None) -> list[Finding]:
    return check_spec(load_spec(spec.path), against=against)


def field(text: str) -> str:
    return f"      dry_run: {text}\n"


def test_the_small_spec_has_no_faults(spec: SpecFolder) -> None:
    assert check(spec) == []


def test_the_spec_of_this_repository_has_no_faults() -> None:
    root = Path(__file__).parents[2]
    assert check_spec(load_spec(root / "spec")) == []


# fmt: off
# (code, part of the document, what stands there instead, words of the message or advice)
FAULTS = [
    # structure
    ("unknown_key", "namespace: com", "«namespase: x\nnamespace: com", "not known here"),
    ("unknown_key", DRY_RUN, field("{type: boolean, since: 1, meaning: D., «requird: true}"), '"required"'),
    ("unknown_key", DRY_RUN, field("{type: boolean, since: 1, meaning: D., «non_empty: true}"), '"boolean"'),
    ("unknown_key", DRY_RUN, field("{type: json, since: 1, meaning: D., «keys: any}"), '"json"'),
    ("unknown_key", "type: string, since: 1, meaning: Text.", "type: string, «maximum: 1, since: 1, meaning: Text.", '"string"'),
    ("missing_key", "a2a_extension: https://example.com/a2a\n", "", '"a2a_extension"'),
    ("missing_key", DRY_RUN, field("«{type: boolean, since: 1}"), '"meaning"'),
    ("missing_key", DRY_RUN, field("«{type: record, since: 1, meaning: D.}"), '"record"'),
    ("missing_key", DRY_RUN, field("«{type: choices, since: 1, meaning: D.}"), '"choices"'),
    ("missing_key", DRY_RUN, field("«{type: json_map, since: 1, meaning: D.}"), '"keys"'),
    ("wrong_type", "since: 1\n    meaning: Text.", 'since: «"1"\n    meaning: Text.', "a whole number"),
    ("wrong_type", "since: 1\n    meaning: Text.", "since: «true\n    meaning: Text.", "a whole number"),
    ("wrong_type", "meaning: Text.\n", "meaning: «[Text.]\n", "a text, not a list"),
    ("wrong_type", "one_of: [text, data]", "one_of: «text", "a list"),
    ("bad_value", DRY_RUN, field("{type: «bolean, since: 1, meaning: D.}"), '"boolean"'),
    ("bad_value", DRY_RUN, field("{type: boolean, since: «0, meaning: D.}"), "at least 1"),
    ("bad_value", DRY_RUN, field('{type: boolean, since: 1, meaning: «""}'), "not empty"),
    ("bad_value", "keys: extension, since: 1, omit_empty: true, meaning: Seen.", "keys: «extensoin, since: 1, meaning: Seen.", '"extension"'),
    ("bad_value", "https://example.com/a2a", "«relative/path", "an absolute URI"),
    ("bad_value", "one_of: [text, data]", "one_of: «[text]", "at least 2"),
    ("bad_name", "      dry_run:", "      «dryRun:", "underscores"),
    ("bad_name", "      dry_run:", "      «\"dry'run\":", "underscores"),
    ("bad_name", "  not_found:", "  «Not-Found:", "underscores"),
    ("bad_name", "      dry_run:", f"      «{'x' * 61}:", "at most 60"),
    ("bad_name", "  1: {meaning: First.}", "  1: {meaning: First.}\n  «one: {meaning: First.}", "a whole number"),
    # settings
    ("bad_namespace", "com.example", "«example", "reverse domain name"),
    ("bad_namespace", "com.example", "«com.-example", '"-example"'),
    ("bad_namespace", "com.example", "«com..example", '""'),
    ("bad_namespace", "com.example", "«com.Example", '"Example"'),
    ("bad_namespace", "com.example", "«io.modelcontextprotocol", "reserved"),
    ("bad_namespace", "com.example", "«com.mcp.tools", "reserved"),
    ("bad_namespace", "com.example", "«com.exa/mple", '"exa/mple"'),
    ("bad_namespace", "com.example", "«com.exämple", "none that a domain name"),
    ("bad_versions", "format_versions:\n  0: {meaning: Legacy.}\n  1:", "format_versions:\n  «0: {meaning: Legacy.}\n  2: {meaning: Gap.}\n  1:", '"0, 2, 1"'),
    ("unknown_version", DRY_RUN, field("{type: boolean, since: «2, meaning: D.}"), "known: 1"),
    ("unknown_version", "not_found: {since: 1", "not_found: {since: «9", "format version 9"),
    ("default_code", "since: 1, meaning: Gone.", "since: 1, default: «true, meaning: Gone.", "line 7"),
    ("default_code", f"error_codes:\n{TOOL_ERROR}", f"«error_codes:\n{TOOL_ERROR.replace('default: true, ', '')}", "no error code"),
    # records
    ("unknown_record", "{type: record, record: error, since", "{type: record, record: «eror, since", '"error"'),
    ("unused_record", STORED, "{type: json, since: 1, meaning: Links.}", '"stored"'),
    ("recursive_record", DRY_RUN, field("{type: record, record: «metadata, since: 1, meaning: D.}"), '"metadata"'),
    ("recursive_record", "text: {type: string, required: true, since: 1, meaning: The text.}", "nested: {type: «parts, since: 1, meaning: More.}", '"part"'),
    ("core_changed", "data: {type: json, since: 1, meaning: Data.}", "data: {type: «string, since: 1, meaning: Data.}", "json"),
    ("core_changed", "      message: {type: string, required: true, non_empty: true, since: 1, meaning: Message.}\n", "", '"message"'),
    ("field_collision", "text: {type: string, required: true, since: 1, meaning: The text.}", "«priority: {type: string, since: 1, meaning: The text.}", '"priority"'),
    ("field_collision", "text: {type: string, required: true, since: 1, meaning: The text.}", "«kind: {type: string, since: 1, meaning: The text.}", '"kind"'),
    ("field_collision", "      stored: {type: records", "      «format_version: {type: count, since: 1, meaning: V.}\n      stored: {type: records", "serialized form"),
    ("bad_range", "minimum: 0, maximum: 1,", "minimum: 3, maximum: «1,", "3"),
    ("bad_choice", "[user, assistant]", "[user, assistant, «user]", '"user"'),
    ("bad_choice", "one_of: [text, data]", "one_of: [text, «dta]", '"data"'),
    ("bad_choice", "one_of: [text, data]", "one_of: [uri, data]", '"uri"'),
]
# fmt: on


@pytest.mark.parametrize(
    ("code", "old", "marked", "words"),
    [pytest.param(*case, id=f"{number}-{case[0]}") for number, case in enumerate(FAULTS)],
)
def test_faults_of_the_result_document(
    spec: SpecFolder, code: str, old: str, marked: str, words: str
) -> None:
    if "«" in marked:
        place = spec.edit(old, marked)
    else:  # the finding stands where the text was not changed
        spec.write("result.yaml", RESULT.replace(old, marked))
        place = None
    found = [f for f in check(spec) if f.code == code]
    assert len(found) == 1, check(spec)
    if place is not None:
        assert (found[0].place.file, found[0].place.line, found[0].place.column) == place
    assert words in str(found[0])


def test_all_faults_are_found_at_once(spec: SpecFolder) -> None:
    text = RESULT.replace("com.example", "example").replace("record: error,", "record: eror,")
    spec.write("result.yaml", text.replace("dry_run:", "class:").replace("since: 1\n", "sine: 1\n"))
    spec.write("samples/s.yaml", "sample: {}")
    spec.write("targets/x.yml", "")
    codes = [f.code for f in check(spec)]
    assert sorted(set(codes)) == [
        "bad_namespace",
        "missing_key",
        "reserved_name",
        "stray_file",
        "unknown_key",
        "unknown_record",
        "unused_record",
    ]
    assert codes.count("missing_key") == 3


def two_versions(text: str = RESULT) -> str:
    return text.replace("  1: {meaning: First.}", "  1: {meaning: First.}\n  2: {meaning: Second.}")


def test_since_of_a_kind_and_its_fields(spec: SpecFolder) -> None:
    new = two_versions().replace("text:\n    since: 1", "text:\n    since: 2")
    place = spec.put(
        "result.yaml",
        new.replace(
            "required: true, since: 1, meaning: The", "required: true, since: «1, meaning: The"
        ),
    )
    (found,) = check(spec)
    assert (found.code, found.place.line, found.place.column) == ("since_order", *place[1:])
    late = two_versions().replace(
        "required: true, since: 1, meaning: The", "required: true, since: «2, meaning: The"
    )
    place = spec.put("result.yaml", late)
    (found,) = check(spec)
    assert (found.code, found.place.line, found.place.column) == ("since_order", *place[1:])
    assert "optional" in found.advice


@pytest.mark.parametrize(
    "name",
    [
        *("class", "import", "match", "mro", "fields", "copy", "model_config", "model_x", "json"),
        *("schema", "validate", "construct", "dict", "str", "list", "replace", "from_bytes"),
    ],
)
def test_reserved_field_names(spec: SpecFolder, name: str) -> None:
    place = spec.edit("      dry_run:", f"      «{name}:")
    found = check(spec)  # other languages may have it taken too, and say so
    assert {(f.code, f.place.line, f.place.column) for f in found} == {
        ("reserved_name", *place[1:])
    }
    (ours,) = (f for f in found if "python" in f.message)
    assert f'"{name}"' in ours.message


@pytest.mark.parametrize("name", ["digest", "from_json", "success", "text", "format_versio"])
def test_names_that_are_taken_in_the_root_alone(spec: SpecFolder, name: str) -> None:
    spec.edit("      dry_run:", f"«      {name}:")
    assert check(spec) == []
    place = spec.edit("      stored: {", f"      «{name}: {{")
    found = check(spec)
    if name == "format_versio":
        assert found == []
    else:
        assert {(f.code, f.place.line, f.place.column) for f in found} == {
            ("reserved_name", *place[1:])
        }
        assert any("python" in f.message for f in found)


def test_ordinary_names_are_free(spec: SpecFolder) -> None:
    for name in ("type", "title", "id", "name", "value", "data", "mcp", "total", "x1"):
        spec.edit("      dry_run:", f"«      {name}:")
        assert check(spec) == [], name


def test_classes_of_records_and_kinds_share_a_scope(spec: SpecFolder) -> None:
    text = RESULT.replace("  stored:\n    meaning", "  text_part:\n    meaning")
    text = text.replace("record: stored", "record: text_part").replace(
        "kinds:\n  text:", "kinds:\n  «text:"
    )
    place = spec.put("result.yaml", text)
    found = check(spec)
    assert {(one.code, one.place.line, one.place.column) for one in found} == {
        ("name_collision", *place[1:])
    }
    assert all("TextPart" in one.message for one in found)


def test_a_record_named_like_a_class_of_the_module(spec: SpecFolder) -> None:
    text = RESULT.replace("record: stored", "record: json")
    place = spec.put("result.yaml", text.replace("  stored:\n    mea", "  «json:\n    mea"))
    found = check(spec)
    assert {(one.code, one.place.line, one.place.column) for one in found} == {
        ("reserved_name", *place[1:])
    }


def test_every_language_has_names() -> None:
    assert {language.name for language in languages()} == set(LANGUAGES)
    assert {"php", "python"} <= set(LANGUAGES) <= set(EMITTERS)


def test_the_published_schema_knows_the_types_of_the_model() -> None:
    field_schema = schema("result")["$defs"]["field"]["properties"]
    assert field_schema["type"]["enum"] == [kind.value for kind in FieldKind]
    assert field_schema["keys"]["enum"] == [rule.value for rule in KeyRule]


def test_schemas_are_valid_and_their_patterns_agree_with_ecma() -> None:
    from jsonschema import Draft202012Validator

    for name in ("result", "samples"):
        Draft202012Validator.check_schema(schema(name))
        assert "\\\\A" not in json.dumps(schema(name))


def test_the_model_holds_what_the_document_says(spec: SpecFolder) -> None:
    document = load_spec(spec.path).result
    assert document is not None
    model = build_result(document.root)
    assert model.default_code.name == "tool_error"
    assert [version.number for version in model.format_versions] == [0, 1]
    assert model.kinds[1].one_of == ("text", "data")
    priority = model.record("part").fields[1].type
    assert (priority.kind, priority.minimum, priority.maximum) == (FieldKind.NUMBER, 0, 1)
    extensions = model.record("metadata").field("extensions")
    assert extensions is not None and extensions.omit_empty
    assert extensions.type.keys is KeyRule.EXTENSION


# ------------------------------------------------------------ wire schemas


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("type: «objet\n", "JSON Schema"),
        ("«- a\n", "mapping"),
        ("$ref: «'#/$defs/nothing'\n", "nowhere"),
        ("$defs: {a: {}}\nproperties:\n  x: {$ref: «'other.yaml#/a'}\n", "out of the file"),
        ("properties: «[]\n", "JSON Schema"),
    ],
)
def test_faults_of_wire_schemas(spec: SpecFolder, marked: str, words: str) -> None:
    spec.write("targets/t.yaml", "target: t")
    place = spec.put("wire/t/1.yaml", marked)
    found = [f for f in check(spec) if f.code == "bad_schema"]
    assert [(f.place.line, f.place.column) for f in found] == [place[1:]]
    assert words in found[0].message


def test_references_inside_of_a_wire_schema(spec: SpecFolder) -> None:
    text = "$defs: {'a/b~c': {}, l: {anyOf: [{}]}}\nallOf: [{$ref: '#'}, {$ref: '#/$defs/a~1b~0c'}, {$ref: '#/$defs/l/anyOf/0'}]\n"
    spec.write("wire/t/1.yaml", text)
    assert [f for f in check(spec) if f.code == "bad_schema"] == []


def test_a_wire_schema_without_target(spec: SpecFolder) -> None:
    file = spec.write("wire/t/1.yaml", "type: object\n")
    found = [f for f in check(spec) if f.code == "stray_file"]
    assert [f.place.file for f in found] == [file.as_posix()]


# ----------------------------------------------------------------- history


def git(folder: Path, *arguments: str) -> str:
    options = ("-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=m")
    done = subprocess.run(
        ["git", *options, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def committed(spec: SpecFolder) -> SpecFolder:
    git(spec.path.parent, "init", "-q")
    git(spec.path.parent, "add", "spec")
    git(spec.path.parent, "commit", "-q", "-m", "first")
    return spec


NEW_FIELD = DRY_RUN + "      more: {type: json, since: «1, meaning: D.}\n"

# fmt: off
CHANGES = [
    ("changed_field", DRY_RUN, field("{type: «string, since: 1, meaning: Dry.}")),
    ("changed_field", DRY_RUN, field("{type: boolean, required: «true, since: 1, meaning: Dry.}")),
    ("changed_field", "[user, assistant]", "«[user, assistant, other]"),
    ("changed_field", "maximum: 1,", "maximum: «2,"),
    ("changed_field", "one_of: [text, data]", "one_of: «[data, text]"),
    ("removed_field", f"    fields:\n{DRY_RUN}", "    «fields:\n"),
    (
        "removed_field",
        "error_codes:\n"
        + TOOL_ERROR
        + "  not_found: {since: 1, meaning: Gone., use: Sometimes.}\n",
        "«error_codes:\n" + TOOL_ERROR,
    ),
    ("late_field", DRY_RUN, NEW_FIELD),
    ("late_field", "  not_found:", "  other: {since: «1, meaning: M., use: U.}\n  not_found:"),
    (
        "late_field",
        "kinds:\n",
        "kinds:\n  other: {since: «1, meaning: M., fields: {x: {type: json, since: 1, meaning: M.}}}\n",
    ),
]
# fmt: on


@pytest.mark.parametrize(
    ("code", "old", "marked"),
    [pytest.param(*case, id=f"{number}-{case[0]}") for number, case in enumerate(CHANGES)],
)
def test_changes_since_the_last_commit(
    committed: SpecFolder, code: str, old: str, marked: str
) -> None:
    place = committed.edit(old, marked)
    (found,) = check(committed)
    assert (found.code, found.place.file, found.place.line, found.place.column) == (code, *place)


def test_growth_is_no_change(committed: SpecFolder) -> None:
    text = two_versions().replace(DRY_RUN, NEW_FIELD.replace("«1", "2"))
    committed.write("result.yaml", text.replace("meaning: Dry.", "meaning: Other words."))
    assert check(committed) == []


def test_removed_record_kind_and_version(committed: SpecFolder) -> None:
    git(committed.path, "tag", "old")
    text = RESULT.replace(
        "      stored: {type: records, record: stored", "      stored: {type: json"
    )
    text = text.replace("      stored: {type: json, since: 1, meaning: Links.}\n", "")
    start, end = text.index("  stored:\n"), text.index("  metadata:\n")
    text = text[:start] + text[end:]
    text = text[: text.index("  embedded:\n")]
    committed.write("result.yaml", text)
    messages = sorted(f.message for f in check(committed, "old") if f.code == "removed_field")
    assert messages == [
        'result: the field "stored" is gone',
        'the kind "embedded" is gone',
        'the record "stored" is gone',
    ]
    committed.write("result.yaml", two_versions())
    git(committed.path, "commit", "-q", "-a", "-m", "second version")
    committed.write("result.yaml", RESULT)
    assert [f.message for f in check(committed)] == ["the format version 2 is gone"]
    assert check(committed, "old") == []


def test_against_a_folder(spec: SpecFolder, make_spec: Callable[[str], SpecFolder]) -> None:
    other = make_spec("published")
    spec.edit("maximum: 1,", "maximum: «2,")
    assert check(spec) == []
    assert [f.code for f in check(spec, str(other.path))] == ["changed_field"]


@pytest.mark.parametrize("against", ["no-such-revision", "--upload-pack=x", "HEAD:x", ""])
def test_a_version_that_is_not_there(committed: SpecFolder, against: str) -> None:
    assert [f.code for f in check(committed, against)] == ["bad_revision"]


def test_an_older_folder_without_a_result(spec: SpecFolder, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert [f.code for f in check(spec, str(tmp_path / "empty"))] == ["bad_revision"]


def test_a_new_file_in_an_old_repository(committed: SpecFolder, tmp_path: Path) -> None:
    new = SpecFolder(tmp_path / "other")
    assert check(new) == []
    assert check(new, "HEAD") == []


def test_without_git(spec: SpecFolder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert check(spec) == []


# ----------------------------------------------------------------- samples


def sample(result: str) -> str:
    return f"samples:\n  one:\n    meaning: M.\n    result: {result}\n"


def test_samples_that_fit(spec: SpecFolder) -> None:
    for number, result in enumerate(
        [
            "{format_version: 1}",
            "{format_version: 1, data: null}",
            "{format_version: 1, data: {a: [1e300, 123456789012345678901234567890, {}]}}",
            "{format_version: 1, error: {code: not_found, message: m, details: {}}}",
            "{format_version: 1, content: [{kind: text, text: '', audience: [user], priority: 0.5}]}",
            "{format_version: 1, content: [{kind: embedded, uri: x, data: +/+A}]}",
            "{format_version: 1, metadata: {generated_at: 2026-02-28T23:59:59.123456789Z}}",
            "{format_version: 1, metadata: {generated_at: 0000-02-29T00:00:00Z}}",
            "{format_version: 1, metadata: {extensions: {com.example.other/a.b-c_d: 1}}}",
            "{format_version: 1, stored: [{uri: x, size: 0}, {uri: x, size: 1.0}]}",
        ]
    ):
        spec.write("samples/s.yaml", sample(result))
        assert check(spec) == [], number


# fmt: off
MISFITS = [
    ("missing_field", "«{data: 1}"),
    ("unknown_version", "{format_version: «2}"),
    ("unknown_version", "{format_version: «0}"),
    ("unknown_version", "{format_version: «true}"),
    ("unknown_field", "{format_version: 1, «sumary: x}"),
    ("unknown_field", "{format_version: 1, content: [{kind: text, text: a, «uri: x}]}"),
    ("contradiction", "{format_version: 1, data: 1, error: «{code: not_found, message: m}}"),
    ("contradiction", "{format_version: 1, content: [«{kind: embedded, uri: x}]}"),
    ("contradiction", "{format_version: 1, content: [«{kind: embedded, uri: x, text: a, data: ''}]}"),
    ("unknown_code", "{format_version: 1, error: {code: «nope, message: m}}"),
    ("missing_field", "{format_version: 1, error: «{code: not_found}}"),
    ("out_of_range", "{format_version: 1, error: {code: not_found, message: «''}}"),
    ("wrong_type", "{format_version: 1, error: {code: not_found, message: m, details: «[]}}"),
    ("wrong_type", "{format_version: 1, error: «x}"),
    ("wrong_type", "{format_version: 1, content: «{}}"),
    ("wrong_type", "{format_version: 1, content: [«x]}"),
    ("unknown_kind", "{format_version: 1, content: [{kind: «txt, text: a}]}"),
    ("missing_field", "{format_version: 1, content: [«{text: a}]}"),
    ("wrong_type", "{format_version: 1, content: [{kind: text, text: «null}]}"),
    ("out_of_range", "{format_version: 1, content: [{kind: text, text: a, priority: «1.5}]}"),
    ("out_of_range", "{format_version: 1, content: [{kind: text, text: a, audience: [user, «all]}]}"),
    ("invalid_base64", "{format_version: 1, content: [{kind: embedded, uri: x, data: «-_-_}]}"),
    ("invalid_base64", "{format_version: 1, content: [{kind: embedded, uri: x, data: «AB==}]}"),
    ("invalid_base64", "{format_version: 1, content: [{kind: embedded, uri: x, data: «AAA}]}"),
    ("wrong_type", "{format_version: 1, stored: [{uri: x, size: «true}]}"),
    ("wrong_type", "{format_version: 1, stored: [{uri: x, size: «1.5}]}"),
    ("out_of_range", "{format_version: 1, stored: [{uri: x, size: «-1}]}"),
    ("wrong_type", "{format_version: 1, metadata: {dry_run: «null}}"),
    ("wrong_type", "{format_version: 1, metadata: {dry_run: «'true'}}"),
    ("invalid_timestamp", "{format_version: 1, metadata: {generated_at: «2026-02-29T00:00:00Z}}"),
    ("invalid_timestamp", "{format_version: 1, metadata: {generated_at: «2026-02-28t00:00:00Z}}"),
    ("invalid_timestamp", "{format_version: 1, metadata: {generated_at: «2026-02-28}}"),
    ("invalid_timestamp", "{format_version: 1, metadata: {generated_at: «2026-02-28T00:00:60Z}}"),
    ("invalid_key", "{format_version: 1, metadata: {extensions: {«noprefix: 1}}}"),
    ("invalid_key", "{format_version: 1, metadata: {extensions: {«com.mcp/x: 1}}}"),
    ("invalid_key", "{format_version: 1, metadata: {extensions: {«mcp.dev/x: 1}}}"),
    ("invalid_key", "{format_version: 1, metadata: {extensions: {«com.example/x: 1}}}"),
    ("invalid_key", "{format_version: 1, metadata: {extensions: {com.a/x: 1}, presentation: {«com.a/x: 1}}}"),
    ("invalid_value", "{format_version: 1, data: {«1: a}}"),
    ("too_deep", "{format_version: 1, data: " + "[" * 100 + "«[]" + "]" * 100 + "}"),
]
# fmt: on


@pytest.mark.parametrize(
    ("code", "marked"),
    [pytest.param(*case, id=f"{number}-{case[0]}") for number, case in enumerate(MISFITS)],
)
def test_samples_that_do_not_fit(spec: SpecFolder, code: str, marked: str) -> None:
    place = spec.put("samples/s.yaml", sample(marked))
    (found,) = check(spec)
    assert (found.code, found.place.file, found.place.line, found.place.column) == (
        "bad_sample",
        *place,
    )
    assert f": {code}: " in found.message


def test_the_deepest_data_that_fits(spec: SpecFolder) -> None:
    spec.write("samples/s.yaml", sample("{format_version: 1, data: " + "[" * 100 + "]" * 100 + "}"))
    assert check(spec) == []


def test_samples_as_json_text(spec: SpecFolder) -> None:
    spec.write(
        "samples/s.yaml", 'samples: {a: {meaning: m, json: \'{"format_version": 1, "data": 1}\'}}'
    )
    assert check(spec) == []
    for text in ('{"format_version": 1', '{"format_version": 1, "x": 1}', '"\\ud800"'):
        place = spec.put("samples/s.yaml", f"samples: {{a: {{meaning: m, json: «'{text}'}}}}")
        (found,) = check(spec)
        assert (found.code, found.place.line, found.place.column) == ("bad_sample", *place[1:])


def test_samples_without_or_with_two_results(spec: SpecFolder) -> None:
    for body in (
        "{meaning: m}",
        "{meaning: m, result: {format_version: 1}, json: '{\"format_version\":1}'}",
    ):
        place = spec.put("samples/s.yaml", f"samples: {{a: «{body}}}")
        (found,) = check(spec)
        assert (found.code, found.place.line, found.place.column) == ("bad_value", *place[1:])
        assert "exactly one of" in found.message


def test_two_samples_of_one_name(spec: SpecFolder) -> None:
    spec.write("samples/a.yaml", sample("{format_version: 1}"))
    place = spec.put(
        "samples/b.yaml", "samples:\n  «one: {meaning: m, result: {format_version: 1}}\n"
    )
    (found,) = check(spec)
    assert (found.code, found.place.file, found.place.line, found.place.column) == (
        "same_sample",
        *place,
    )


def test_repeated_samples(spec: SpecFolder) -> None:
    from toolresult_generator.model.sample import build_samples

    text = "samples: {a: {meaning: m, result: {format_version: 1, data: {r: [1, 2], t: ab}}, request: {limit: 9}, repeat: {at: %s, times: %d}}}"
    for at, expected in (
        ("/data/r", {"r": [1, 2] * 3, "t": "ab"}),
        ("/data/t", {"r": [1, 2], "t": "ababab"}),
    ):
        spec.write("samples/s.yaml", text % (at, 3))
        assert check(spec) == []
        (built,) = build_samples(load_spec(spec.path))
        assert built.value == {"format_version": 1, "data": expected}
        assert (built.name, built.topic, built.limit) == ("a", "s", 9)
    for at, times in (("/data/x", 3), ("/data", 3), ("/data/r/7", 3)):
        spec.write("samples/s.yaml", text % (at, times))
        assert [f.code for f in check(spec)] == ["bad_sample"]
    long = text.replace("t: ab", f"t: {'x' * 1000}") % ("/data/t", 1_000_000)
    spec.write("samples/s.yaml", long)
    assert "more than" in check(spec)[0].message
