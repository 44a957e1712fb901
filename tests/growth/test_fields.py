"""A new error code and a new metadata field, with the next version of the serialized form."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.growth import growths
from tests.growth.team import Team, published, row

OLD = '{"format_version":1,"data":{"ids":[1]},"metadata":{"dry_run":true}}'
COST = '{"format_version":2,"data":1,"metadata":{"cost":12}}'
LIMITED = (
    '{"format_version":2,"error":{"code":"rate_limited","message":"Wait a minute.",'
    '"details":{"seconds":60}}}'
)


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team.at(tmp_path / "team")


def test_what_is_new_needs_a_new_version(team: Team) -> None:
    growths.code(team, since=1)
    growths.field(team, since=1)
    found = team.findings()
    late = [one for one in found if one["code"] == "late_field"]
    assert [(one["message"], one["advice"]) for one in late] == [
        (f"{what} is new, and version 1 was without it",
         "add the format version 2 and use `since: 2`")
        for what in ('the code "rate_limited"', 'metadata: the field "cost"')
    ]  # fmt: skip
    places = [f"{one['file']}:{one['line']}:{one['column']}" for one in late]
    line = places[0].rpartition(":")[0]
    assert places[0] == team.place(growths.RESULT, "1, meaning: Too many")
    assert line.startswith("spec/result.yaml:")
    assert places[1] == team.place(growths.RESULT, '1, meaning: "What the call cost')


def test_a_field_that_no_form_writes_is_refused(team: Team) -> None:
    growths.version_2(team)
    growths.field(team)
    done = team.run("generate")
    assert (done.returncode, (team.folder / "generated").exists()) == (1, False)
    files = (growths.A2A, growths.ENVELOPE, growths.HANDSHAKE)
    for file, line in zip(files, done.stderr.splitlines(), strict=False):
        place = team.place(file, "  metadata: {status") if file != growths.HANDSHAKE else file
        assert line.startswith(place.rpartition(":")[0]), line
        assert "forgotten_field: metadata.cost is to arrive, and no form of" in line
    assert len(done.stderr.splitlines()) == 4


def test_the_matrix_says_what_is_still_missing(team: Team) -> None:
    """Of a field that is written everywhere, and that no sample has."""
    for step in (growths.version_2, growths.field, growths.written, growths.allowed):
        step(team)
    growths.few_samples(team, "success.yaml")
    done = team.run("matrix")
    assert done.returncode == 1
    assert set(row(done.stdout, "metadata.cost")) == {"!"}
    assert "metadata.cost: no sample has it, so nothing is proven" in done.stdout


ROUND = f"""
import json
from toolresult import ErrorCode, Metadata, Result, read, registry, render

assert ErrorCode.RATE_LIMITED.value == "rate_limited"
built = Result.success(1, metadata=Metadata(cost=12))
given = [Result.from_json(text) for text in {[COST, LIMITED]!r}]
assert built == given[0]
seen = 0
for target in registry.targets():
    for revision in registry.revisions(target):
        for phase in registry.phases(target, revision) or (None,):
            for result in given:
                sent = render(result, f"{{target}}@{{revision}}", phase=phase)
                assert read(sent.wire, f"{{target}}@{{revision}}") == result, sent.wire
                seen += 1
print(seen)
"""


def test_every_target_carries_them(fields: Team) -> None:
    done = fields.python(ROUND)
    assert (done.stderr, done.stdout) == ("", "28\n")


def test_old_results_stay_as_they_are(fields: Team) -> None:
    for target in ("a2a@1.0", "legacy-envelope@1", "mcp-handshake@2025-06-18"):
        rendered = fields.run("render", "--to", target, text=OLD, own=True)
        assert rendered.stdout == fields.run("render", "--to", target, text=OLD).stdout
        back = fields.run("read", "--from", target, text=rendered.stdout, own=True)
        assert json.loads(back.stdout) == json.loads(OLD)
    names = ("a2a@0.3", "a2a@1.0", "legacy-envelope@1", "mcp-handshake@2025-11-25", "check")
    for name in names:
        before, after = published(name), fields.vectors(name)
        assert before.items() <= after.items(), name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            COST.replace(":2", ":1", 1),
            "/format_version: unknown_version: version 1 does not have all that is here; "
            "that came with version 2\n",
        ),
        (
            LIMITED.replace(":2", ":1", 1),
            "/format_version: unknown_version: version 1 does not have all that is here; "
            "that came with version 2\n",
        ),
        (
            COST.replace(":2", ":3", 1),
            "/format_version: unknown_version: format version 3 is not known; known are 1, 2\n",
        ),
    ],
    ids=["field-of-another-version", "code-of-another-version", "version-to-come"],
)
def test_a_result_of_the_wrong_version_is_refused(fields: Team, text: str, said: str) -> None:
    done = fields.run("render", "--to", "a2a@1.0", text=text, own=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


def test_an_older_reader_names_the_versions_that_it_knows(fields: Team) -> None:
    done = fields.run("render", "--to", "a2a@1.0", text=COST)
    said = "/format_version: unknown_version: format version 2 is not known; known are 1\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_a_field_beside_the_envelope_that_is_taken_is_foreign(fields: Team) -> None:
    envelope = '{"success":true,"cost":3,"limit":7,"_meta":{"cost":4,"limit":8}}'
    done = fields.run("read", "--from", "legacy-envelope@1", text=envelope, own=True)
    metadata = json.loads(done.stdout)["metadata"]
    assert metadata == {
        "cost": 4,
        "pagination": {"limit": 8},
        "foreign": {"legacy": {"cost": 3, "limit": 7}},
    }


@pytest.mark.parametrize("name", ["namespace", "revision", "target"])
def test_generated_output_is_up_to_date_and_found_so_at_once(
    name: str, request: pytest.FixtureRequest
) -> None:
    team: Team = request.getfixturevalue(name)
    before = {file: file.stat().st_mtime_ns for file in (team.folder / "generated").rglob("*.*")}
    done = team.python(
        "import sys\n"
        "from toolresult_generator.cli import main\n"
        "code = main(['generate'])\n"
        "assert not {'yaml', 'jinja2', 'pydantic'} & set(sys.modules), 'nothing was to be loaded'\n"
        "sys.exit(code)\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert before == {file: file.stat().st_mtime_ns for file in before}
    # vectors are recorded anew, which takes longest: those of one spec are enough
    some = () if name == "target" else ("--language", "python", "--language", "schema")
    done = team.run("generate", "--check", *some)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_was_generated_stands_alone(fields: Team, tmp_path: Path) -> None:
    """The package can be vendored: it needs pydantic, and neither us nor the generator."""
    shutil.copytree(fields.folder / "generated/python", tmp_path / "generated/python")
    done = Team(tmp_path).python(
        "import sys; sys.modules['toolresult'] = None; sys.modules['toolresult_generator'] = None\n"
        "import toolresult_core\n"
        "from toolresult_core import Metadata, Result\n"
        "print(toolresult_core.__file__, Result(metadata=Metadata(cost=1)).to_json().decode())"
    )
    file, text = done.stdout.split()
    assert file.startswith(str(tmp_path))
    assert text == '{"format_version":2,"metadata":{"cost":1}}'
