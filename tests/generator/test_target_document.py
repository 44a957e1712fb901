"""Target documents: each fault in a copy of the committed ones is found, at its place."""
# ruff: noqa: E501 - tables of cases are read by column, so each case has a line

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.generator.spec_folder import MARK

from toolresult_generator.check import check_spec
from toolresult_generator.check.schemas import schema
from toolresult_generator.findings import Finding
from toolresult_generator.load import load_spec
from toolresult_generator.model import conditions, nodes
from toolresult_generator.model.build import build_result
from toolresult_generator.model.target import Status
from toolresult_generator.model.targets import build_targets

ROOT = Path(__file__).parents[2]
A2A, ENVELOPE = "targets/a2a.yaml", "targets/legacy-envelope.yaml"
HANDSHAKE, STATELESS = "targets/mcp-handshake.yaml", "targets/mcp-stateless.yaml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copied_to(tmp_path / "spec")


def copied_to(folder: Path) -> Path:
    """A copy of the committed spec; samples and wire schemas have checks of their own."""
    shutil.copytree(ROOT / "spec", folder, ignore=shutil.ignore_patterns("samples"))
    for file in folder.glob("wire/*/*.yaml"):
        file.write_text("type: object\n", encoding="utf-8")
    return folder


def check(folder: Path) -> list[Finding]:
    return check_spec(load_spec(folder), history=False)


def edit(folder: Path, name: str, old: str, marked: str) -> tuple[str, int, int]:
    """Replace a part of a file, and give the place of the mark."""
    file = folder / name
    text = file.read_text(encoding="utf-8")
    assert text.count(old) >= 1, f"{old!r} does not stand in {name}"
    before, mark, after = text.replace(old, marked, 1).partition(MARK)
    assert mark and MARK not in after, "exactly one mark"
    file.write_text(before + after, encoding="utf-8")
    return file.as_posix(), before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


# fmt: off
# (code, file, part of it, what stands there instead, words of the message or advice)
FAULTS = [
    # keys of the document
    ("unknown_key", ENVELOPE, "wire: string", "«wyre: string\nwire: string", "not known here"),
    ("unknown_key", ENVELOPE, "limit: 100000", "«limits: 100000", '"limit"'),
    ("wrong_type", ENVELOPE, "limit: 100000", 'limit: «"100000"', "a whole number"),
    ("bad_value", ENVELOPE, "limit: 100000", "limit: «0", "at least 1"),
    ("bad_value", ENVELOPE, "wire: string", "wire: «text", "object, string"),
    ("bad_name", ENVELOPE, "target: legacy-envelope", "target: «legacy-envelop", "named"),
    ("unknown_path", ENVELOPE, "origin: legacy", "origin: «legasy", '"legacy"'),
    ("unknown_key", HANDSHAKE, '"2024-11-05": {meaning:', '"2024-11-05": {«meening: x, meaning:', "not known"),
    ("bad_name", ENVELOPE, '"1": {meaning', '«"1/2": {meaning', "letters and digits"),
    # capabilities
    ("unknown_key", HANDSHAKE, 'audio_blocks: {since:', 'audio_blocks: {«sinse: "1", since:', "not known here"),
    ("wrong_type", HANDSHAKE, 'icons: {since: "2025-11-25"', "icons: {since: «2025", "a text"),
    ("unknown_revision", HANDSHAKE, 'icons: {since: "2025-11-25"', 'icons: {since: «"2025-11-26"', '"2025-11-25"'),
    ("bad_value", A2A, 'kinds: {until: "0.3", meaning', "kinds: «{meaning", "since or until"),
    ("bad_value", A2A, 'kinds: {until: "0.3", meaning', 'kinds: «{until: "0.3", never: true, meaning', "since or until"),
    ("lacking_capability", A2A, "  flat_parts:", '  nothing: «{since: "1.0", meaning: Unused.}\n  flat_parts:', '"nothing"'),
    # facts
    ("missing_key", A2A, "  drawn:\n    meaning: The media type says that it is an image.\n    starts", "  drawn:\n    «starts", '"meaning"'),
    ("unknown_fact", A2A, "{when: {fact: drawn}, form: plain_marker}", "{when: {fact: «drown}, form: plain_marker}", '"drawn"'),
    # rules
    ("missing_key", ENVELOPE, 'summary: {status: native, how: "_meta.summary"}', "summary: «{status: native}", '"how"'),
    ("bad_value", ENVELOPE, "summary: {status: native", "summary: {status: «natve", '"native"'),
    ("bad_value", ENVELOPE, "content.image: {status: text form", "content.image: {status: «text-form", '"text form"'),
    ("unknown_key", ENVELOPE, 'summary: {status: native, how:', 'summary: {status: native, «hau: x, how:', "not known here"),
    ("unknown_key", ENVELOPE, 'how: "_meta.summary"}', 'how: "_meta.summary", «lost: [data]}', '"native"'),
    ("unknown_key", ENVELOPE, "status: withheld, how", "status: withheld, «sometimes: re-encoded, how", '"withheld"'),
    ("wrong_type", ENVELOPE, "lost: [title]", "lost: «title", "a list"),
    ("unknown_path", ENVELOPE, "lost: [title]", "lost: [«titel]", '"titel"'),
    ("unknown_rule", ENVELOPE, '  summary: {status: native, how: "_meta.summary"}', '  summary: {status: native, how: "_meta.summary"}\n  sumary: «{status: native, how: x}', '"summary"'),
    ("unused_rule", HANDSHAKE, '    - {when: {cannot: wrapping}, status: native,', '    - {status: native, how: x}\n    - «{when: {cannot: wrapping}, status: native,', "always applies"),
    ("unknown_capability", HANDSHAKE, "{when: {can: audio_blocks}, status", "{when: {can: «audio_block}, status", '"audio_blocks"'),
    ("unknown_phase", HANDSHAKE, "{when: {phase: transitional}, status", "{when: {phase: «transitionl}, status", '"transitional"'),
    # output and reader
    ("unknown_form", ENVELOPE, "output: {form: envelope}", "output: {form: «envelop}", '"envelope"'),
    ("unknown_key", ENVELOPE, "output: {form: envelope}", "output: {«forms: x, form: envelope}", "not known here"),
    ("unknown_key", ENVELOPE, "  subject: text", "  «subjekt: text\n  subject: text", "not known here"),
    ("bad_value", ENVELOPE, "  subject: text", "  subject: «txt", '"text"'),
    ("missing_key", ENVELOPE, "  adapter: read_envelope\n  subject: text", "  «adapter: read_envelope", '"subject"'),
    # nodes
    ("unknown_key", ENVELOPE, "error: {field: error.message}", "error: {«feild: error.message}", '"field"'),
    ("unknown_key", HANDSHAKE, "block:\n    meaning: A content block.", "block:\n    «meening: x\n    meaning: A content block.", "not known here"),
    ("bad_value", ENVELOPE, "error: {field: error.message}", "error: «{field: error.message, const: 1}", "exactly one of"),
    ("bad_value", ENVELOPE, "error: {field: error.message}", "error: «{}", "exactly one of"),
    ("wrong_type", ENVELOPE, "error: {field: error.message}", "error: «error.message", "a mapping"),
    ("missing_key", ENVELOPE, "error: {field: error.message}", "error: {field: error.message, «prefix: x}", '"convert"'),
    ("missing_key", HANDSHAKE, "foreign: item.foreign.mcp, keys: [resource, _meta], shape: object}", "«foreign: item.foreign.mcp, shape: object}", '"keys"'),
    ("unknown_conversion", ENVELOPE, "link: {convert: link_text}", "link: {convert: «link_txt}", '"link_text"'),
    ("unknown_conversion", HANDSHAKE, "keys: [icons], shape: icons}", "keys: [icons], shape: «icon}", '"icons"'),
    ("unknown_path", ENVELOPE, "error: {field: error.message}", "error: {field: «error.mesage}", '"message"'),
    ("bad_path", ENVELOPE, "error: {field: error.message}", "error: {field: «item.name}", "each"),
    ("bad_path", ENVELOPE, "error: {field: error.message}", "error: {field: «error}", "no single value"),
    ("bad_value", ENVELOPE, "error: {field: error.message}", "error: {field: «Error.message}", "a path"),
    ("unknown_form", ENVELOPE, "_meta: {form: envelope_meta}", "_meta: {form: «envelope_mta}", '"envelope_meta"'),
    ("unknown_form", ENVELOPE, "include: [short_metadata]", "include: [«short_metdata]", '"short_metadata"'),
    ("unknown_target", HANDSHAKE, "include: [legacy-envelope@1/short_metadata]", "include: [«legacy-envelop@1/short_metadata]", '"legacy-envelope"'),
    ("unknown_revision", HANDSHAKE, "include: [legacy-envelope@1/short_metadata]", "include: [«legacy-envelope@2/short_metadata]", "known: 1"),
    ("unknown_capability", HANDSHAKE, "with: {attachments: false}", "with: {attachment: «false}", '"attachments"'),
    ("bad_value", A2A, "{when: {option: artifact_id}, option: artifact_id}", "{when: {option: artifact_id}, option: «artefact_id}", '"artifact_id"'),
    ("bad_value", ENVELOPE, "        empty: omit", "        empty: «omitted", "omit"),
    ("missing_kind", ENVELOPE, "      audio: {convert: bytes_text}\n", "", '"audio"'),
    ("unknown_key", ENVELOPE, "      audio: {convert: bytes_text}\n", "      audio: {convert: bytes_text}\n      «video: {convert: bytes_text}\n", "part kind"),
    ("unused_form", ENVELOPE, "  stored_result:\n    meaning:", "  lonely: «{meaning: Alone., const: 1}\n  stored_result:\n    meaning:", '"lonely"'),
    ("recursive_form", ENVELOPE, "relatedTask: {form: related_task}", "relatedTask: {form: «envelope_meta}", '"envelope_meta"'),
    ("recursive_form", ENVELOPE, "  short_metadata:\n", "  short_metadata:\n    include: [«short_metadata]\n", "includes itself"),
    ("unused_rule", HANDSHAKE, "      - {when: {has: item.name}, field: item.name}\n      - {convert: link_name}", "      - {convert: link_name}\n      - «{when: {has: item.name}, field: item.name}", "always applies"),
    # conditions
    ("unknown_key", ENVELOPE, "{when: {has: error}, const: false}", "{when: {«hsa: error}, const: false}", '"has"'),
    ("bad_value", ENVELOPE, "{when: {has: error}, const: false}", "{when: «{has: error, can: attachments}, const: false}", "exactly one of"),
    ("unknown_path", ENVELOPE, "{when: {has: error}, const: false}", "{when: {has: «eror}, const: false}", '"error"'),
    ("bad_value", A2A, "{json: {data: object}}", "{json: {data: «objekt}}", '"object"'),
    ("bad_value", HANDSHAKE, "{option: wrap_output}", "{option: «wrap_outputs}", '"wrap_output"'),
    ("bad_path", ENVELOPE, "{when: {has: error}, const: false}", "{when: «{kind: [text]}, const: false}", "no part"),
    # targets among each other
    ("unknown_target", STATELESS, "extends: mcp-handshake@2025-11-25", "extends: «mcp-handshaek@2025-11-25", '"mcp-handshake"'),
    ("unknown_revision", STATELESS, "extends: mcp-handshake@2025-11-25", "extends: «mcp-handshake@2025-11-24", '"2025-11-25"'),
    ("bad_value", STATELESS, "extends: mcp-handshake@2025-11-25", "extends: «mcp-handshake", "TARGET@REVISION"),
    ("missing_wire_schema", ENVELOPE, '  "1": {meaning: "The only', '  "1": {meaning: "Old."}\n  «"2": {meaning: "The only', "wire/legacy-envelope/2.yaml"),
]
# fmt: on


@pytest.mark.parametrize(
    ("code", "file", "old", "marked", "words"),
    [pytest.param(*case, id=f"{number}-{case[0]}") for number, case in enumerate(FAULTS)],
)
def test_faults_of_target_documents(
    folder: Path, code: str, file: str, old: str, marked: str, words: str
) -> None:
    if MARK in marked:
        place: tuple[str, int, int] | None = edit(folder, file, old, marked)
    else:  # the finding stands where the text was not changed
        edit(folder, file, old, marked + MARK)
        place = None
    found = [f for f in check(folder) if f.code == code]
    if place is not None:
        places = [(f.place.file, f.place.line, f.place.column) for f in found]
        assert place in places, check(folder)
        found = [found[places.index(place)]]
    assert found and words in str(found[0]), check(folder)


def test_the_committed_targets_have_no_faults(folder: Path) -> None:
    assert check(folder) == []


def test_a_key_that_must_be_there_is_missed(folder: Path) -> None:
    for name in schema("target")["required"]:
        document = yaml.safe_load((ROOT / "spec" / ENVELOPE).read_text(encoding="utf-8"))
        del document[name]
        (folder / ENVELOPE).write_text(yaml.safe_dump(document), encoding="utf-8")
        found = [f for f in check(folder) if f.code == "missing_key"]
        assert [f'"{name}"' in f.message for f in found] == [True], name


def test_a_part_without_a_rule(folder: Path) -> None:
    file = folder / ENVELOPE
    rule = '  summary: {status: native, how: "_meta.summary"}\n'
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(rule, ""), encoding="utf-8")
    line = text[: text.index("\nrules:")].count("\n") + 3  # of the first rule
    found = check(folder)
    assert [(f.code, f.place.line, f.place.column) for f in found] == [("missing_rule", line, 3)]
    assert found[0].message == "summary has no rule of legacy-envelope on any revision"


def test_what_lacks_a_rule_together_is_told_together(folder: Path) -> None:
    file = folder / HANDSHAKE
    text = file.read_text(encoding="utf-8")
    start, end = text.index("  stored:\n    - {when"), text.index("  stored.expires_at: {status")
    text = text[:start] + text[end:]
    old = '    - {status: native, how: "a text block of its own, marked by its role"}\n'
    assert old in text
    file.write_text(text.replace(old, ""), encoding="utf-8")
    messages = [f.message for f in check(folder) if HANDSHAKE in f.place.file]
    final = ", ".join(
        f"{revision}/final" for revision in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
    )
    assert messages == [
        "stored (uri, size, mime_type, name) has no rule of mcp-handshake on any revision",
        f"summary has no rule of mcp-handshake on {final}",
    ]


def test_a_form_to_read_back_that_the_output_lacks(folder: Path) -> None:
    place = edit(folder, ENVELOPE, "  adapter: read_envelope", "  «adapter: read_envelope")
    file = folder / ENVELOPE
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("forms: [envelope_meta]", "forms: [envelope_mta]"), "utf-8")
    found = check(folder)
    assert [(f.code, f.place.line) for f in found] == [("unknown_form", place[1])]


def test_a_new_kind_is_missed_in_every_case_and_every_target(folder: Path) -> None:
    file = folder / "result.yaml"
    video = "  video:\n    since: 1\n    meaning: Film.\n    fields:\n"
    video += "      clip: {type: base64, required: true, since: 1, meaning: Bytes.}\n"
    file.write_text(file.read_text(encoding="utf-8") + video, encoding="utf-8")
    found = check(folder)
    for name in (A2A, ENVELOPE, HANDSHAKE):
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        cases = {number for number, line in enumerate(lines, 1) if line.strip() == "case:"}
        missed = {f.place.line - 1 for f in found if f.code == "missing_kind" and name in str(f)}
        assert missed == cases, name
    without_rule = {
        (Path(f.place.file).name, f.message.split()[0]) for f in found if f.code == "missing_rule"
    }
    for name in (A2A, ENVELOPE, HANDSHAKE, STATELESS):
        assert (Path(name).name, "content.video.clip") in without_rule


def test_targets_that_extend_each_other(folder: Path) -> None:
    edit(folder, HANDSHAKE, "origin: mcp\n", "origin: mcp\nextends: mcp-stateless@2026-07-28\n«")
    found = [f for f in check(folder) if f.code == "recursive_form"]
    assert {Path(f.place.file).name for f in found} == {"mcp-handshake.yaml", "mcp-stateless.yaml"}
    assert "circle" in found[0].message


def _insert_forms(folder: Path, forms: str) -> list[Finding]:
    edit(
        folder,
        ENVELOPE,
        "_meta: {form: envelope_meta}",
        "_meta: {form: envelope_meta}\n      extra: {form: f0}«",
    )
    file = folder / ENVELOPE
    file.write_text(file.read_text(encoding="utf-8") + forms, encoding="utf-8")
    return check(folder)


def _chain(count: int, body: str, last: str) -> str:
    forms = [f"  f{n}: {{meaning: m, {body.format(next=f'f{n + 1}')}}}\n" for n in range(count)]
    return "\n" + "".join(forms) + f"  f{count}: {{meaning: m, {last}}}\n"


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("too_deep", _chain(300, "object: {{a: {{form: {next}}}}}", "const: 1")),
        (
            "too_many_nodes",
            _chain(30, "object: {{a: {{form: {next}}}, b: {{form: {next}}}}}", "const: 1"),
        ),
        (
            "too_many_nodes",
            _chain(30, "object: {{}}, include: [{next}, {next}]", "object: {a: {const: 1}}"),
        ),
    ],
    ids=["chain", "doubling-forms", "doubling-includes"],
)
def test_forms_that_blow_up(folder: Path, code: str, forms: str) -> None:
    found = _insert_forms(folder, forms)
    assert code in {f.code for f in found}
    assert all(f.place.line for f in found)


def test_facts_that_blow_up(folder: Path) -> None:
    facts = "".join(
        f"  g{n}: {{meaning: m, any: [{{fact: g{n + 1}}}, {{not: {{fact: g{n + 1}}}}}]}}\n"
        for n in range(30)
    )
    edit(folder, A2A, "facts:\n", f"facts:\n{facts}  g30: {{meaning: m, has: data}}\n«")
    edit(
        folder, A2A, "{when: {has: data}, form: data_part}", "{when: {fact: g0}, form: data_part}«"
    )
    assert "too_many_nodes" in {f.code for f in check(folder)}


def test_shapes_that_multiply(folder: Path) -> None:
    choice = "{choose: [{when: {has: item.name}, object: {a: {field: item.name}}}, {object: {b: {field: item.size}}}]}"
    members = "".join(f"      k{n}: {choice}\n" for n in range(12))
    edit(
        folder,
        A2A,
        "    meaning: What the part itself cannot say about a stored result.\n    canonical: true\n    object:\n",
        f"    meaning: What the part itself cannot say about a stored result.\n    canonical: true\n    object:\n{members}«",
    )
    assert "not_readable" in {f.code for f in check(folder)}


def test_deep_nodes(folder: Path) -> None:
    deep = "{all: [" * 60 + "{has: data}" + "]}" * 60
    edit(folder, ENVELOPE, "{when: {has: error}, const: false}", f"{{when: {deep}, const: false}}«")
    assert {f.code for f in check(folder)} <= {"too_deep"}


# ------------------------------------------------------ the schema and the model agree


def test_the_schema_knows_what_the_model_knows() -> None:
    defs = schema("target")["$defs"]
    asked = [entry["required"][0] for entry in defs["node"]["oneOf"]]
    assert asked == [name for name in nodes._READERS]
    asked = [entry["required"][0] for entry in defs["condition"]["oneOf"]]
    assert asked == [name for name in conditions._READERS]
    known = {*nodes._READERS, *nodes._ATTRIBUTES}
    assert set(defs["node"]["properties"]) <= known
    # subject is the reader's; copy and reserved are those of a spread
    assert known - set(defs["node"]["properties"]) == {"subject", "copy", "reserved"}
    assert defs["node"]["properties"]["convert"]["enum"] == list(nodes.CONVERSIONS)
    assert defs["node"]["properties"]["option"]["enum"] == list(conditions.TEXTS)
    every = [*conditions.FLAGS, *conditions.TEXTS]
    assert defs["condition"]["properties"]["option"]["enum"] == every
    assert defs["shape"]["enum"] == list(conditions.SHAPES)
    assert defs["rule"]["properties"]["status"]["enum"] == [status.value for status in Status]


def test_everything_in_the_schema_is_described() -> None:
    document = schema("target")
    definitions = document["$defs"]

    def is_described(value: dict[str, Any]) -> bool:
        target = value.get("$ref", "").removeprefix("#/$defs/")
        return "description" in value or "description" in definitions.get(target, {})

    owners = {"": document, **definitions}
    assert [
        f"{name}.{key}"
        for name, said in owners.items()
        for key, value in said.get("properties", {}).items()
        if not is_described(value)
    ] == []


# ----------------------------------------------------- documents of any shape whatever

_DOCUMENTS = {
    name: yaml.safe_load((ROOT / "spec" / name).read_text(encoding="utf-8"))
    for name in (A2A, ENVELOPE, HANDSHAKE, STATELESS)
}
_WRONG: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    "{namespace}",
    "a@b/c",
    [],
    [None],
    {},
    {"x": 1},
]
_RENAMED = ["x", "", "when", "field", "form", "object", "choose", "keys", "foreign", "a.b", "0", 7]


def _reached(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, child in value.items():
            found += _paths(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            found += _paths(child, (*path, index))
    return found


_PATHS = {name: _paths(document) for name, document in _DOCUMENTS.items()}
_VALUES = [
    value
    for document in _DOCUMENTS.values()
    for path in _paths(document)
    if not isinstance(value := _reached(document, path), dict) or len(value) < 4
]


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(child) for key, child in value.items()}
    return [_copied(child) for child in value] if isinstance(value, list) else value


def _mutate(document: Any, path: tuple[Any, ...], change: tuple[str, Any]) -> None:
    owner = document
    for step in path[:-1]:
        try:
            owner = owner[step]
        except (KeyError, IndexError, TypeError):
            return  # an earlier change took it away
    what, value = change
    try:
        if what == "drop":
            del owner[path[-1]]
        elif what == "replace":
            owner[path[-1]] = _copied(value)
        elif isinstance(owner, dict):
            owner[value] = owner.pop(path[-1])
    except (KeyError, IndexError, TypeError):
        return


def _changes() -> st.SearchStrategy[list[tuple[int, tuple[str, Any]]]]:
    change = st.one_of(
        st.just(("drop", None)),
        st.sampled_from([*_WRONG, *_VALUES]).map(lambda value: ("replace", value)),
        st.sampled_from(_RENAMED).map(lambda name: ("rename", name)),
    )
    return st.lists(st.tuples(st.integers(0, 10_000), change), min_size=1, max_size=3)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(name=st.sampled_from(sorted(_DOCUMENTS)), changes=_changes())
def test_any_document_gives_findings_or_a_model(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    changes: list[tuple[int, tuple[str, Any]]],
) -> None:
    document = _copied(_DOCUMENTS[name])
    for number, change in changes:
        _mutate(document, _PATHS[name][number % len(_PATHS[name])], change)
    folder = copied_to(tmp_path_factory.mktemp("any") / "spec")
    (folder / name).write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    documents = load_spec(folder)
    found = check_spec(documents, history=False)
    shutil.rmtree(folder)
    assert all(f.place.file.startswith(folder.as_posix()) for f in found)
    if not found:  # then the model stands, and so do all the languages that are made from it
        from toolresult_generator.languages.python.targets import emit_targets
        from toolresult_generator.model.target import Spec

        assert documents.result is not None
        result = build_result(documents.result.root)
        targets, faults = build_targets(result, {d.name: d.root for d in documents.targets})
        assert faults == ()
        for text in emit_targets(Spec(result, targets)).values():
            compile(text, "<generated>", "exec")
