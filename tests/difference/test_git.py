"""Versions by the name of a git revision: untrusted names, and untrusted repositories."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.difference.conftest import git

from toolresult_generator.difference import git as reading
from toolresult_generator.difference.versions import OLD, UnknownVersionError, opened
from toolresult_generator.findings import FindingsError
from toolresult_generator.load import git as asking


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A repository with a folder `spec` in two commits, and something beside it."""
    root = tmp_path / "repository"
    folder = root / "parts" / "spec"
    (folder / "targets").mkdir(parents=True)
    git(root, "init", "-q")
    (folder / "result.yaml").write_bytes(b"first: 1\r\n")
    (folder / "targets" / "a.yaml").write_text("a: 1\n")
    (folder / "notes.md").write_text("no part of a spec\n")
    (root / "other.yaml").write_text("no part either\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    git(root, "tag", "v1.0")
    (folder / "result.yaml").write_text("second: 2\n")
    git(root, "commit", "-q", "-a", "-m", "second")
    (folder / "result.yaml").write_text("not committed\n")
    return folder


def files(name: str | None, spec: Path) -> dict[str, bytes]:
    with opened(OLD, name, spec) as version:
        return {
            path.relative_to(version.folder).as_posix(): path.read_bytes()
            for path in version.folder.rglob("*")
            if path.is_file()
        }


@pytest.mark.parametrize("name", ["v1.0", "HEAD~1", "m~1", "refs/tags/v1.0"])
def test_the_files_of_a_revision(spec: Path, name: str) -> None:
    first = {"result.yaml": b"first: 1\r\n", "targets/a.yaml": b"a: 1\n"}
    assert files(name, spec) == first
    with opened(OLD, name, spec) as version:
        assert version.shown == f"{name}:{spec.as_posix()}"
        folder = version.folder
    assert not folder.exists()


def test_a_relative_folder_one_that_is_gone_and_the_working_one(
    spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(spec.parent)
    assert files("HEAD", Path("spec"))["result.yaml"] == b"second: 2\n"
    monkeypatch.chdir(spec)
    assert files("HEAD", Path("."))["result.yaml"] == b"second: 2\n"
    assert files(None, Path("."))["result.yaml"] == b"not committed\n"
    monkeypatch.chdir(spec.parents[1])
    spec.rename(spec.parent / "moved")
    assert files("HEAD", Path("parts/spec"))["result.yaml"] == b"second: 2\n"


def test_a_folder_comes_before_a_revision(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(spec.parent)
    Path("v1.0").mkdir()
    assert files("v1.0", spec) == {}
    assert files("refs/tags/v1.0", spec)


@pytest.mark.parametrize(
    "name",
    [
        *("nope", "", "--help", "-h", "--output=stolen", "--upload-pack=touch stolen"),
        *("HEAD:parts/spec", "^HEAD", "HEAD~99", "v1.0..HEAD", "a\0b", "a\nb", "x" * 5000),
        *("HEAD^{tree}", ":/nothing", "@{-1}", "$(touch stolen)", "../../etc/passwd"),
    ],
)
def test_names_that_are_neither(spec: Path, name: str) -> None:
    with pytest.raises(UnknownVersionError, match="no folder, and no revision of the repository"):
        files(name, spec)
    assert not list(spec.parents[1].rglob("stolen"))


def test_a_name_that_is_too_long_is_not_handed_on(
    spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[tuple[str, ...]] = []
    real = asking.said

    def seen(where: Path, *arguments: str, given: bytes = b"", most: int) -> bytes | None:
        handed.append(arguments)
        return real(where, *arguments, given=given, most=most)

    monkeypatch.setattr(asking, "said", seen)
    with pytest.raises(UnknownVersionError):
        files("x" * 5000, spec)
    assert handed and all(len(one) < 100 for arguments in handed for one in arguments)


def test_a_folder_outside_of_any_repository(tmp_path: Path) -> None:
    with pytest.raises(UnknownVersionError, match="is in no git repository"):
        files("HEAD", tmp_path)


def test_a_revision_without_the_folder(spec: Path) -> None:
    with pytest.raises(UnknownVersionError, match="the revision is known, and has no folder"):
        files("HEAD", spec.parent / "elsewhere")


def test_without_git(spec: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnknownVersionError):
        files("HEAD", spec)


def test_links_and_what_is_too_large_are_not_taken(
    spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.symlink("/etc/passwd", spec / "targets" / "b.yaml")
    git(spec, "add", ".")
    git(spec, "commit", "-q", "-m", "a link")
    with pytest.raises(FindingsError, match=r"HEAD:.*/targets/b\.yaml.*symbolic link") as caught:
        files("HEAD", spec)
    assert "in the old version" in str(caught.value)
    monkeypatch.setattr(reading, "MAX_BYTES", 5)
    with pytest.raises(FindingsError, match="too_large"):
        files("v1.0", spec)
    monkeypatch.setattr(reading, "MAX_BYTES", 500)
    for bound in ("MAX_FILES", "MAX_TOTAL"):
        with monkeypatch.context() as patch:
            patch.setattr(reading, bound, 1)
            with pytest.raises(FindingsError, match="too_large"):
                files("v1.0", spec)
    assert files("v1.0", spec)


def test_what_a_repository_configures_is_not_run(spec: Path) -> None:
    root = spec.parents[1]
    trap = root / "trap"
    trap.write_text(f"#!/bin/sh\ntouch '{root}/sprung'\ncat\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "filter.x.smudge", "diff.x.textconv", "core.pager"):
        git(root, "config", key, str(trap))
    (root / ".gitattributes").write_text("*.yaml filter=x diff=x eol=lf text\n")
    assert files("v1.0", spec)["result.yaml"] == b"first: 1\r\n"
    assert not (root / "sprung").exists()
