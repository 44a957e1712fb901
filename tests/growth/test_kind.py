"""A new part kind: missed everywhere, then written by a hook, which an adapter fills."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.growth import growths
from tests.growth.team import Team, proven, row

POLE = (
    '{"format_version":2,"content":[{"kind":"position","latitude":-90,"longitude":0,'
    '"label":"The South Pole"}]}'
)
TEXT = "[position The South Pole, 90.0° S, 0.0° E]"


@pytest.fixture
def team(tmp_path: Path) -> Team:
    """With the new kind in the result, and nowhere else."""
    team = Team.at(tmp_path / "team")
    growths.kind_alone(team)
    return team


@pytest.fixture
def copy(kind: Team, tmp_path: Path) -> Team:
    """The grown spec, for a test that changes it."""
    shutil.copytree(kind.folder, tmp_path / "copy")
    return Team(tmp_path / "copy")


def test_generation_refuses_it_until_every_target_has_a_rule(team: Team) -> None:
    cases = {
        file: [
            f"{file}:{number + 2}:7"  # of the first alternative
            for number, line in enumerate((team.folder / file).read_text("utf-8").splitlines())
            if line == "    case:"
        ]
        for file in (growths.A2A, growths.ENVELOPE, growths.HANDSHAKE)
    }
    assert [len(found) for found in cases.values()] == [2, 1, 2]
    done = team.run("generate")
    assert (done.returncode, done.stdout) == (1, "")
    assert not (team.folder / "generated").exists()
    lines = done.stderr.splitlines()
    missing = [line for line in lines if ": missing_kind: the case has no alternative" in line]
    places = [place for found in cases.values() for place in found]
    assert [line.partition(": ")[0] for line in missing] == places
    rules = [line for line in lines if "missing_rule: content.position" in line]
    assert len(rules) == 4 and len(lines) == len(missing) + len(rules)
    for file, line in zip((*cases, growths.STATELESS), rules, strict=True):
        assert line.startswith(f"{file}:")
        assert "(latitude, longitude, label) has no rule of" in line and "any revision" in line


@pytest.mark.parametrize("file", [growths.A2A, growths.ENVELOPE, growths.HANDSHAKE])
def test_one_target_without_a_rule_is_enough_to_refuse(team: Team, file: str) -> None:
    text = (team.folder / file).read_text(encoding="utf-8")
    growths.kind_rules(team)
    growths.kind_cases(team)
    (team.folder / file).write_text(text, encoding="utf-8")
    done = team.run("generate")
    assert done.returncode == 1
    assert f"{file}:" in done.stderr and "missing_kind" in done.stderr
    assert not (team.folder / "generated").exists()


# ------------------------------------------------- before the adapter


def test_without_the_adapter_the_skeleton_is_abstract(kind: Team) -> None:
    done = kind.python(
        "from toolresult_core.targets.mcp_handshake import *\n"
        "from toolresult_core.targets.mcp_handshake import McpHandshakeHooks\n"
        "class Lacking(McpHandshakeHooks): written_for = 'x'\n"
        "class Named(McpHandshakeHooks):\n"
        "    def position_tekst(self, item): return b''\n"
        "for one in (Lacking, Named, McpHandshake20250618Final):\n"
        "    try: one()\n"
        "    except TypeError as error: print(error)\n"
        "from toolresult import register_adapters, MissingAdapterError\n"
        "try: register_adapters(Lacking)\n"
        "except MissingAdapterError as error: print(error)\n"
        "try: register_adapters(dict)\n"
        "except TypeError as error: print(error)\n"
    )
    assert done.stderr == ""
    *abstract, missing, none = done.stdout.splitlines()
    assert len(abstract) == 3 and all("position_text" in line for line in abstract)
    assert missing.startswith("Lacking has hooks that no adapter fills: position_text; derive a")
    assert "toolresult_core.targets.mcp_handshake.McpHandshakeHooks" in missing
    assert none.startswith("<class 'dict'> is no adapter")


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (("render", "--to", "mcp-handshake@2025-06-18"), POLE),
        (("render", "--to", "legacy-envelope@1"), '{"format_version":1}'),
        (("explain", "--to", "legacy-envelope@1"), '{"format_version":1}'),
        (("matrix",), ""),
    ],
    ids=["render", "nothing-to-hook", "explain", "matrix"],
)
def test_without_the_adapter_the_command_says_what_is_missing(
    kind: Team, command: tuple[str, ...], text: str
) -> None:
    done = kind.run(*command, text=text, own=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert ": missing_adapter: " in done.stderr and "position_text" in done.stderr
    assert "TOOLRESULT_ADAPTERS" in done.stderr


def test_targets_without_the_hook_work_all_the_same(kind: Team) -> None:
    done = kind.run("render", "--to", "a2a@1.0", text=POLE, own=True)
    (part,) = json.loads(done.stdout)["artifacts"][0]["parts"]
    assert part["data"] == {"latitude": -90, "longitude": 0, "label": "The South Pole"}
    back = kind.run("read", "--from", "a2a@1.0", text=done.stdout, own=True)
    assert json.loads(back.stdout) == json.loads(POLE)


# -------------------------------------------------- with the adapter


def test_with_the_adapter_the_whole_matrix_passes(kind: Team) -> None:
    done = kind.run("matrix", own=True, adapters=True)
    assert proven(done)
    assert "".join(row(done.stdout, "content.position.latitude")) == "NNT" + 10 * "R"


def test_the_command_uses_the_adapters_that_are_named(kind: Team) -> None:
    for target, where in (
        ("mcp-handshake@2025-06-18", ("content", 0, "text")),
        ("mcp-stateless@2026-07-28", ("content", 0, "text")),
        ("legacy-envelope@1", ("_meta", "content", 0)),
    ):
        done = kind.run("render", "--to", target, text=POLE, own=True, adapters=True)
        found = json.loads(done.stdout)
        for key in where:
            found = found[key]
        assert found == TEXT
    wire = kind.run(
        "render", "--to", "mcp-handshake@2024-11-05", text=POLE, own=True, adapters=True
    )
    back = kind.run(
        "read", "--from", "mcp-handshake@2024-11-05", text=wire.stdout, own=True, adapters=True
    )
    assert json.loads(back.stdout) == json.loads(POLE)


def test_a_program_registers_them_itself(kind: Team) -> None:
    done = kind.python(
        "import sys; sys.path.insert(0, 'adapters/python')\n"
        "from toolresult import MissingAdapterError, PositionPart, Result, read, render\n"
        "from toolresult import register_adapters\n"
        "place = PositionPart(latitude=-90, longitude=0, label='The South Pole')\n"
        "result = Result(content=(place,))\n"
        "to = 'mcp-handshake@2025-06-18'\n"
        "try: render(result, to, phase='final')\n"
        "except MissingAdapterError: print('missing')\n"
        "import acme_adapters\n"
        "register_adapters(acme_adapters.PositionText)\n"
        "sent = render(result, to, phase='final')\n"
        "print(sent.wire['content'][0]['text'])\n"
        "print(read(sent.wire, to) == result)\n"
    )
    assert (done.stderr, done.stdout.splitlines()) == ("", ["missing", TEXT, "True"])


def test_an_adapter_of_another_rule_is_refused(kind: Team) -> None:
    """As in every language; the whole list is refused, and nothing of it registered."""
    done = kind.python(
        "import sys; sys.path.insert(0, 'adapters/python')\n"
        "import acme_adapters\n"
        "from toolresult import OldAdapterError, register_adapters, registry\n"
        "from toolresult_core.targets.legacy_envelope import LegacyEnvelopeHooks\n"
        "print(dict(LegacyEnvelopeHooks.rule_digests))\n"
        "class Silent(LegacyEnvelopeHooks):\n"
        "    def position_text(self, item): return b''\n"
        "class Old(Silent): written_for = '0' * 16\n"
        "class Elsewhere(Silent): written_for = {'other': '96265e9607fdd374'}\n"
        "class Named(Silent): written_for = {'position_text': '96265e9607fdd374'}\n"
        "for one in (Silent, Old, Elsewhere):\n"
        "    try: register_adapters(Named, one)\n"
        "    except OldAdapterError as error: print(error)\n"
        "try: registry.renderer('legacy-envelope', '1', None)\n"
        "except TypeError as error: print(type(error).__name__)\n"
        "register_adapters(Named)\n"
        "print(isinstance(registry.renderer('legacy-envelope', '1', None), Named))\n"
    )
    assert done.stderr == ""
    digests, silent, old, elsewhere, before, after = done.stdout.splitlines()
    assert digests == "{'position_text': '96265e9607fdd374'}"
    advice = "position_text is at 96265e9607fdd374 now: read the rule at toolresult_core.targets."
    advice += "legacy_envelope.LegacyEnvelopeHooks, change what has to change, "
    advice += 'then set written_for = "96265e9607fdd374"'
    assert silent == f"Silent was written for no rule that it names, and {advice}"
    assert old == f"Old was written for 0000000000000000, and {advice}"
    assert elsewhere == f"Elsewhere was written for no rule that it names, and {advice}"
    assert (before, after) == ("MissingAdapterError", "True")


def test_the_command_runs_while_a_rule_changes(copy: Team) -> None:
    """Generating has to come before the adapter can be changed; `check` says that it must be."""
    copy.edit(growths.ADAPTER, '"96265e9607fdd374"', '"0000000000000000"')
    assert copy.run("generate", adapters=True).returncode == 0
    done = copy.run(
        "render", "--to", "mcp-handshake@2025-06-18", text=POLE, own=True, adapters=True
    )
    assert json.loads(done.stdout)["content"][0]["text"] == TEXT
    done = copy.run("check")
    assert done.returncode == 1 and "old_adapter" in done.stderr


def test_vectors_have_what_the_adapter_writes(kind: Team) -> None:
    vectors = kind.vectors("mcp-handshake@2025-06-18")
    output = vectors["render mcp-handshake@2025-06-18/final position"]["output"]
    assert "48.9° N, 2.3° E" in output
    done = kind.run("generate", "--check", adapters=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_generating_anew_follows_the_adapter(copy: Team) -> None:
    """What it writes is in the vectors, so its source counts among what they are made of."""
    team = copy
    before = (team.folder / "generated/manifest.json").read_bytes()
    assert team.run("generate", adapters=True).returncode == 0
    assert (team.folder / "generated/manifest.json").read_bytes() == before
    team.edit(growths.ADAPTER, "[position ", "[place ")
    done = team.run("generate", "--check", "--language", "vectors", adapters=True)
    assert done.returncode == 1
    assert "vectors/mcp-handshake@2025-06-18.jsonl" in done.stderr


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (None, "there is no module 'acme_adapters'"),
        ("import nowhere_to_be_found\n", "ModuleNotFoundError: No module named 'nowhere_to"),
        ("1 / 0\n", "ZeroDivisionError: division by zero"),
    ],
    ids=["no-module", "no-import", "fault"],
)
def test_adapters_that_cannot_be_used_are_named(copy: Team, source: str | None, said: str) -> None:
    file = copy.folder / growths.ADAPTER
    file.unlink()
    if source is not None:
        file.write_text(source, encoding="utf-8")
    done = copy.run("render", "--to", "a2a@1.0", text=POLE, own=True, adapters=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("TOOLRESULT_ADAPTERS: bad_adapter: acme_adapters cannot be used")
    assert said in done.stderr or source is None
    if source is None:  # before anything is made
        done = copy.run("generate", adapters=True)
        assert done.returncode == 1 and said in done.stderr


def test_an_adapter_of_an_older_rule_is_reported(copy: Team) -> None:
    assert copy.findings() == []
    old, new = "as people write them.}", "as sailors write them.}"
    copy.edit(growths.ENVELOPE, old, new)
    copy.edit(growths.HANDSHAKE, old, new)
    found = copy.findings()
    assert [one["code"] for one in found] == ["old_adapter"] * 3
    place = copy.place(growths.ADAPTER, '"96265e9607fdd374"')
    assert {f"{one['file']}:{one['line']}:{one['column']}" for one in found} == {place}
    assert "position_text is at" in found[0]["message"]
    new_digest = found[0]["advice"].rpartition('"')[0].rpartition('"')[2]
    copy.edit(growths.ADAPTER, "96265e9607fdd374", new_digest)
    assert copy.findings() == []


def test_a_hook_that_no_adapter_fills_is_reported(copy: Team) -> None:
    copy.edit(growths.ADAPTER, ", McpStatelessHooks)", ")")
    (found,) = copy.findings()
    assert found["code"] == "missing_adapter"
    assert "derives from McpStatelessHooks" in found["message"]
    assert 'position_text and written_for = "96265e9607fdd374"' in found["advice"]
