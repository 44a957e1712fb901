"""What was published stays: a change that is no growth is refused, with the place and advice."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.growth import growths
from tests.growth.team import Team

ADD = "what was published stays; add a new name beside it"
KEEP = "what was published stays, since stored results may have it"


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team.at(tmp_path / "team")


def cut(team: Team, start: str, end: str) -> None:
    """Removes the text from one mark to another."""
    file = team.folder / growths.RESULT
    text = file.read_text(encoding="utf-8")
    at = text.index(start)
    until = text.index(end, at) if end else len(text)
    file.write_text(text[:at] + text[until:], encoding="utf-8")


def historic(team: Team, *arguments: str) -> list[str]:
    """The lines of `toolresult check` about history; there have to be some."""
    done = team.run("check", *arguments)
    lines = [one for one in done.stderr.splitlines() if "_field: " in one and "published" in one]
    assert done.returncode == 1 and lines, done.stderr
    return lines


def test_a_removed_field(team: Team) -> None:
    cut(team, "      dry_run: {type", "      response_size:")
    place = team.place(growths.RESULT, "      pagination: {type: record").rpartition(":")[0]
    (line,) = historic(team)
    assert line.endswith(f': removed_field: metadata: the field "dry_run" is gone ({KEEP})')
    # at the list of fields that lacks it
    number = int(place.rpartition(":")[2]) - 1
    assert line.startswith(f"{growths.RESULT}:{number}:")


def test_a_retyped_field(team: Team) -> None:
    team.edit(growths.RESULT, "dry_run: {type: boolean", "dry_run: {type: count")
    place = team.place(growths.RESULT, 'count, since: 1, meaning: "Whether nothing was changed')
    (line,) = historic(team)
    assert line == (
        f'{place}: changed_field: metadata: the field "dry_run" had type "boolean", now "count" '
        f"({ADD})"
    )


def test_a_field_that_became_required(team: Team) -> None:
    team.edit(
        growths.RESULT, "dry_run: {type: boolean,", "dry_run: {type: boolean, required: true,"
    )
    (line,) = historic(team)
    assert 'the field "dry_run" had required "False", now "True"' in line


def test_a_removed_code(team: Team) -> None:
    cut(team, "  not_found:\n", "  tool_error:")
    (line,) = historic(team)
    assert f'removed_field: the code "not_found" is gone ({KEEP})' in line
    assert line.startswith(team.place(growths.RESULT, "error_codes:").rpartition(":")[0])


def test_a_removed_kind(team: Team) -> None:
    cut(team, "  audio:\n", "  binary:")
    (line,) = historic(team)
    assert f'removed_field: the kind "audio" is gone ({KEEP})' in line
    assert line.startswith(team.place(growths.RESULT, "kinds:", last=True).rpartition(":")[0])


def test_a_removed_format_version(team: Team) -> None:
    growths.version_2(team)
    team.commit("the second version")
    cut(team, "  2: {meaning", "\nerror_codes:")
    (line,) = historic(team)
    assert "removed_field: the format version 2 is gone" in line


def test_what_was_committed_can_be_held_against_what_was_released(team: Team) -> None:
    team.git("tag", "v1")
    team.edit(growths.RESULT, "dry_run: {type: boolean", "dry_run: {type: count")
    team.commit("too early")
    done = team.run("check")
    assert "changed_field" not in done.stderr and "no_history" not in done.stderr
    (line,) = historic(team, "--against", "v1")
    assert 'had type "boolean", now "count"' in line


def test_without_history_the_check_says_that_nothing_was_compared(
    team: Team, tmp_path: Path
) -> None:
    (team.folder / ".git").rename(tmp_path / "no-git")
    done = team.run("check")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == (
        "spec: no_history: nothing is compared with what was published: the spec is in no git "
        "repository (--against names a revision or folder)\n"
    )
    done = team.run("check", "--format", "json")
    assert (done.returncode, done.stdout) == (0, '{"findings": []}\n')
    assert "no_history" in done.stderr
