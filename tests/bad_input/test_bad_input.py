"""Hostile texts, names and constants of a spec, and hostile input of the command."""

from __future__ import annotations

import ast
import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.bad_input.spec_copy import ROOT, copy_spec, run

from toolresult import registry
from toolresult_core.runtime.canonical import canonical
from toolresult_generator.check import check_spec
from toolresult_generator.languages.docs import markdown
from toolresult_generator.load import load_spec

FOR_PEOPLE = frozenset({"how", "meaning", "not_for", "rule", "title", "use"})
BREAKOUTS = [
    *('"""', "*/ alert(1) /*", 'ends"', "ends\\", "${x}", "{{ 7*7 }}", "{% raise %}", "- a"),
    *("\u2028a\u2029b", "\u202eright\u200f\u2066\u2069", "\u0085\x1b[31m\x00\x7f", "\ufeff\xad"),
    *('__import__("os").system("true")', '"""\nimport os\n"""', "<script>&lt;"),
]


def poison(value: Any, attempts: Iterator[str]) -> None:
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
        if key in FOR_PEOPLE and isinstance(entry, str):
            value[key] = next(attempts)
        elif isinstance(entry, (dict, list)):
            poison(entry, attempts)


def bare(code: bytes) -> str:
    """The tree without docstrings, reasons of losses and digests of rules."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant("")
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "losses.add":
            if isinstance(node.args[2], ast.Constant):  # the runtime has names there
                node.args[2] = ast.Constant("")
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "rule_digest":
            assert isinstance(node.value, ast.Constant)
            node.value = ast.Constant("")
    return ast.dump(tree)


def test_texts_of_a_spec_stay_texts(tmp_path: Path) -> None:
    attempts = itertools.cycle(BREAKOUTS)
    spec = copy_spec(tmp_path / "spec", lambda path, document: poison(document, attempts))
    run("generate", "--spec", spec, "--out", tmp_path / "out")
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(files) > 40
    for path in files:
        data = path.read_bytes()
        clean = (ROOT / "generated" / path.relative_to(tmp_path / "out")).read_bytes()
        assert not [c for c in data.decode() if c != "\n" and not c.isprintable()], path
        if path.name == "spec_digest.py":
            compile(data, path, "exec")  # differs, as the spec does
        elif path.suffix == ".py":
            compile(data, path, "exec")
            assert bare(data) == bare(clean), path
        elif path.suffix == ".md" and path.parent.name != "vectors":
            plain = data.replace(b"\\<", b"")
            assert not any(mark in plain for mark in (b"{{", b"{%", b"<")), path
            assert b"\n- " not in data
        elif path.suffix == ".json":
            assert json.loads(data).keys() == json.loads(clean).keys()
    schema = (tmp_path / "out/schema/result.schema.json").read_text()
    assert "\\u202eright" in schema and "\u202eright" in json.dumps(
        json.loads(schema), ensure_ascii=False
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [("12. a", "12\\. a"), ("---", "\\---"), ("&lt;", "\\&lt;"), ("{{{%", "{\\{{\\%")],
)
def test_markdown_has_no_markup(text: str, written: str) -> None:
    assert markdown(text) == written


@pytest.mark.parametrize(
    ("group", "name", "code"),
    [
        ("field", "class", "reserved_name"),
        ("code", "${x}", "bad_name"),
        ("kind", 'x"]', "bad_name"),
        ("choices", "false", "reserved_name"),
        ("choices", "facts", "reserved_name"),
        ("choices", "stored_result", "name_collision"),
    ],
)
def test_names_that_are_taken(group: str, name: str, code: str, tmp_path: Path) -> None:
    field = {"type": "string", "since": 1, "meaning": "X."}

    def change(path: str, document: Any) -> None:
        if path != "result.yaml":
            return
        if group == "kind":
            document["kinds"][name] = {"since": 1, "meaning": "X.", "fields": {"x": field}}
        elif group == "code":
            document["error_codes"][name] = {"since": 1, "meaning": "X.", "use": "X."}
        else:
            more = {"type": "choices", "choices": ["x"]} if group == "choices" else {}
            document["records"]["metadata"]["fields"][name] = {**field, **more}

    spec = load_spec(copy_spec(tmp_path / "spec", change))
    found = [one.place for one in check_spec(spec, history=False) if one.code == code]
    assert found and found[0].line > 1


def test_a_target_named_as_a_reader(tmp_path: Path) -> None:
    spec = copy_spec(tmp_path / "spec")
    (spec / "targets" / "a2a-reader.yaml").write_text("target: x\n")
    error = run("generate", "--spec", spec, "--out", tmp_path / "out", code=1).stderr.decode()
    assert "a2a-reader.yaml:1:1: reserved_name: " in error
    assert not (tmp_path / "out").exists()


HOSTILE = [
    *(
        '"',
        "'",
        "\\",
        '"""',
        "{",
        "}",
        "{0}",
        "{x!r}",
        "{% x %}",
        "%s",
        "\n",
        "\x00",
        "é",
        "\u2028",
    ),
    *("\\N{BULLET}", "~", "/", "ends\\", "\"+open('canary','w')+\"", "{open('canary','w')}"),
]
RENDER = """
import json, sys
from toolresult_core import Result
from toolresult_core.targets.hostile import Hostile1
parts = [{"kind": "text", "text": "", "foreign": {"a2a": {t: {"k": 1}}}}
         for t in json.load(sys.stdin)]
done = Hostile1().render(Result.success(1, content=parts))
sys.stdout.buffer.write(done.bytes)
print(json.dumps([loss.path for loss in done.losses]), file=sys.stderr)
"""


def test_constants_arrive_byte_for_byte(tmp_path: Path) -> None:
    spread = [{"field": "item.foreign.a2a", "keys": [text]} for text in HOSTILE]
    part = {"object": {"k": {"const": 0}}, "spread": spread}
    constants = {text: {"const": text} for text in HOSTILE}
    more = {
        "id": {"convert": "digest_id", "prefix": "'\"\\{x}\n"},
        "parts": {"list": [{"each": "content", "form": "part"}]},
    }
    rules = yaml.safe_load((ROOT / "spec/targets/a2a.yaml").read_text(encoding="utf-8"))["rules"]
    target: dict[str, Any] = {
        "rules": {key: {"status": "not expressible", "how": "X."} for key in rules},
        **{"target": "hostile", "title": "H", "meaning": "X.", "wire": "object", "origin": "a2a"},
        "extends": "a2a@1.0",
        "revisions": {"1": {"meaning": "X."}},
        "output": {"form": "out"},
        "reader": {"adapter": "read_it", "subject": "wire", "rule": "X.", "forms": ["back"]},
        "forms": {
            "out": {"meaning": "X.", "object": {**constants, **more, "b": {"form": "back"}}},
            "back": {"meaning": "X.", "object": {'"\\{': {"field": "summary"}}},
            "part": {"meaning": "X.", **part},
        },
    }
    spec = copy_spec(tmp_path / "spec")
    (spec / "targets" / "hostile.json").write_text(json.dumps(target))
    (spec / "wire" / "hostile").mkdir()
    (spec / "wire" / "hostile" / "1.yaml").write_text("type: object\n")
    out = tmp_path / "out"
    run("generate", "--spec", spec, "--out", out, "--language", "python")
    done = subprocess.run(
        [sys.executable, "-c", RENDER],
        input=json.dumps(HOSTILE).encode(),
        capture_output=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(out / "python")},
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    for text in HOSTILE:
        assert canonical(text) + b":" + canonical(text) + b"," in done.stdout
    assert json.loads(done.stdout)["id"].startswith("'\"\\{x}\n")
    assert [path for path in json.loads(done.stderr) if path.endswith("/k")] == [
        f"/content/{number}/foreign/a2a/{text.replace('~', '~0').replace('/', '~1')}/k"
        for number, text in enumerate(HOSTILE)
    ]
    assert not (tmp_path / "canary").exists()
    target["forms"]["out"]["object"]["x"] = {"const": json.loads("[" * 52 + "]" * 52)}
    (spec / "targets" / "hostile.json").write_text(json.dumps(target))
    assert b": too_deep: " in run("check", "--spec", spec, code=1).stderr


@pytest.mark.parametrize("target", registry.targets())
def test_brackets_to_read(target: str) -> None:
    revision = registry.revisions(target)[-1]
    arguments = ("read", "--from", f"{target}@{revision}")
    if target == "legacy-envelope":  # a string that is no envelope is a text
        assert run(*arguments, given=b"[" * 100_000).stdout.count(b"[") >= 100_000
    else:
        assert b": too_deep: " in run(*arguments, given=b"[" * 100_000, code=1).stderr


def test_a_large_file_for_every_command(tmp_path: Path) -> None:
    spec = copy_spec(tmp_path / "spec")
    large = spec / "targets" / "large.yaml"
    with large.open("wb") as stream:
        stream.truncate(300 * 1024 * 1024)
    assert b": too_large: " in run("check", "--spec", spec, code=1).stderr
    for command, option in (("read", "--from"), ("explain", "--to")):
        error = run(command, option, "a2a@1.0", large, code=1).stderr
        assert b": out_of_range: " in error
