"""A whole new target of known conversions: the guide's, which has no code in any language."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.growth import growths
from tests.growth.team import ROOT, Team, proven, published, row

TO = "openai-tool@1"
RESULT = (
    '{"format_version":2,"data":{"ids":[17]},"content":[{"kind":"text","text":"{\\"parts\\":[]}"},'
    '{"kind":"link","uri":"a/b.txt","size":0}],"stored":[{"uri":"x:1","size":9,"mime_type":"a/b"}],'
    '"metadata":{"cost":0,"query":null,"extensions":{"org.example/x":[1]}}}'
)


def test_the_whole_matrix_passes(target: Team) -> None:
    done = target.run("matrix", own=True)
    assert proven(done)
    assert done.stdout.count(f"  {TO}\n") == 1
    cells = {
        name: row(done.stdout, name)[-1]
        for name in ("data", "content.image.data", "content.text.priority", "metadata.presentation")
    }
    assert "".join(cells.values()) == "RTXW"
    cost = row(done.stdout, "metadata.cost")
    assert cost == row(done.stdout, "metadata.dry_run") and len(cost) == 14


def test_no_code_was_written_for_it(target: Team) -> None:
    assert not (target.folder / "adapters").exists()
    new, old = (
        {file.relative_to(folder).as_posix() for file in folder.rglob("*.*")}
        for folder in (target.folder / "spec", ROOT / "spec")
    )
    assert new - old == {
        "samples/own.yaml",
        "targets/openai-tool.yaml",
        "wire/openai-tool/1.yaml",
    }
    assert old < new
    generated = target.folder / "generated/python/toolresult_core/targets/openai_tool_reader.py"
    assert "abstractmethod" not in generated.read_text(encoding="utf-8")


def test_the_command_renders_and_reads_it(target: Team) -> None:
    done = target.run("render", "--to", TO, text=RESULT, own=True)
    message = json.loads(done.stdout)
    assert (message.keys(), message["role"]) == ({"role", "content"}, "tool")
    assert json.loads(message["content"])["parts"] == [
        {"type": "text", "text": '{"parts":[]}'},
        {"type": "link", "uri": "a/b.txt", "size": 0},
    ]
    back = target.run("read", "--from", TO, text=done.stdout, own=True)
    assert json.loads(back.stdout) == json.loads(RESULT)
    listed = target.run("targets", "--format", "json", own=True)
    names = [one["name"] for one in json.loads(listed.stdout)["targets"]]
    assert "openai-tool" in names


@pytest.mark.parametrize("own", [True, False], ids=["own-code", "code-made-for-this-run"])
def test_the_command_explains_it(target: Team, own: bool) -> None:
    done = target.run("explain", "--to", TO, "--format", "json", text=RESULT, own=own)
    assert done.stderr == ""
    parts = {one["part"]: one for one in json.loads(done.stdout)["parts"]}
    assert parts["/metadata/cost"]["status"] == "re-encoded"
    assert parts["/metadata/cost"]["places"] == ["/content#/metadata/cost"]


def test_code_that_is_not_found_is_told_as_such(target: Team) -> None:
    done = target.run("render", "--to", TO, text=RESULT)
    assert done.returncode == 2
    assert "spec/targets/openai-tool.yaml is not in the generated code that Python finds" in (
        done.stderr
    )
    done = target.run("render", "--to", "no-such@1", text=RESULT)
    assert done.returncode == 2 and "PYTHONPATH" not in done.stderr


def test_a_program_renders_and_reads_it(target: Team) -> None:
    done = target.python(
        "import json\n"
        "from toolresult import Mapper, Request, Result, read, registry, render\n"
        f"result = Result.from_json({RESULT!r})\n"
        f"sent = render(result, {TO!r}, message_id='call_1')\n"
        "assert sent.wire['tool_call_id'] == 'call_1', sent.wire\n"
        f"assert read(sent.wire, {TO!r}) == read(sent.bytes, {TO!r}) == result\n"
        f"again = Mapper(phase='final').render(result, Request({TO!r}))\n"
        "assert again.wire['content'] == sent.wire['content']\n"
        "assert 'tool_call_id' not in again.wire\n"
        f"failed = render(Result.failure('not_found', 'Gone.'), {TO!r})\n"
        f"assert read(failed.wire, {TO!r}).error.message == 'Gone.'\n"
        f"shown = render({{'format_version': 1, 'metadata': {{'presentation': {{'a.b/c': 1}}}}}}, "
        f"{TO!r})\n"
        "print([(loss.path, loss.status) for loss in shown.losses])\n"
    )
    assert (done.stderr, done.stdout) == ("", "[('/metadata/presentation', 'withheld')]\n")


@pytest.mark.parametrize(
    ("wire", "said"),
    [
        ("[]", "(result): wrong_type: expected an object"),
        ('{"role":"user","content":"{}"}', "/role: unknown_kind: expected 'tool'"),
        ('{"content":"{}"}', "/role: missing_field: expected 'tool'"),
        ('{"role":"tool"}', "/content: missing_field: expected a text that holds JSON"),
        ('{"role":"tool","content":[]}', "/content: wrong_type: expected a text that holds JSON"),
        (
            '{"role":"tool","content":"Hello"}',
            "/content#: invalid_json: in the text: expected a value, found 'H' (line 1, column 1)",
        ),
        ('{"role":"tool","content":"[]"}', "/content#: wrong_type: expected an object"),
        (
            '{"role":"tool","content":"{}","x":{}}',
            "/x: unknown_field: is not known here, or not with this value",
        ),
        (
            '{"role":"tool","content":"{\\"metadata\\":{\\"dry_run\\":1}}"}',
            "/content#/metadata/dry_run: wrong_type: expected true or false",
        ),
        (
            '{"role":"tool","content":"{\\"metadata\\":{\\"dry_run\\":true,\\"x\\":1}}"}',
            "/content#/metadata/x: unknown_field: is not known here, or not with this value",
        ),
        (
            '{"role":"tool","content":"{\\"parts\\":[{\\"type\\":\\"film\\"}]}"}',
            "/content#/parts/0: unknown_kind: expected a block of a known type: "
            "type text, type link",
        ),
        (
            '{"role":"tool","content":"{\\"parts\\":[{\\"type\\":\\"link\\"}]}"}',
            "/content#/parts/0/uri: missing_field: expected a string that is not empty",
        ),
        (
            '{"role":"tool","content":"{\\"parts\\":[{\\"type\\":\\"text\\",\\"text\\":\\"\\",'
            '\\"x\\":1}]}"}',
            "/content#/parts/0/x: unknown_field: is not known here, or not with this value",
        ),
        (
            '{"role":"tool","content":"{\\"stored\\":{}}"}',
            "/content#/stored: wrong_type: expected a list",
        ),
        (
            '{"role":"tool","content":"{\\"error\\":{\\"code\\":\\"not_found\\"}}"}',
            "/content#/error/message: missing_field: expected a string that is not empty",
        ),
        (
            '{"role":"tool","content":"{\\"error\\":{\\"code\\":\\"x\\",\\"message\\":\\"m\\"}}"}',
            "/error/code: unknown_code: ",
        ),
    ],
)
def test_what_is_no_such_message_is_refused_with_the_place(
    target: Team, wire: str, said: str
) -> None:
    done = target.run("read", "--from", TO, text=wire, own=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(said), done.stderr
    assert done.stderr.count("\n") == 1


def test_it_has_vectors_and_the_others_keep_theirs(target: Team) -> None:
    own = target.vectors(TO)
    assert any(name.startswith("render ") for name in own)
    assert any(name.startswith("read ") and "output" in one for name, one in own.items())
    for file in (ROOT / "generated/vectors").glob("*.jsonl"):
        assert published(file.stem).items() <= target.vectors(file.stem).items(), file.stem


def test_two_shapes_that_nothing_tells_apart_are_refused(target: Team, tmp_path: Path) -> None:
    text = growths.files_of_guide()["spec/targets/openai-tool.yaml"]
    bare = "      text: {object: {type: {const: text}, text: {field: item.text}}}\n"
    assert bare in text
    shutil.copytree(target.folder / "spec", tmp_path / "spec")
    team, file = Team(tmp_path), "spec/targets/openai-tool.yaml"
    team.write(file, text.replace(bare, "      text: {field: item.text}\n"))
    done = team.run("check")
    assert done.returncode == 1
    assert ": not_readable: a value without members cannot be told from what else" in done.stderr
    place = team.place(file, "meaning: The message.\n")
    assert done.stderr.startswith(place.rpartition(":")[0])
