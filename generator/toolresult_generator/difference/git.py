"""A spec folder as a git revision has it, written to a folder of our own.

What a repository holds is untrusted: sizes and numbers of files are bounded.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.load import git
from toolresult_generator.load.limits import MAX_BYTES, MAX_FILES

SUFFIXES = (".yaml", ".yml", ".json")
"""Files that are taken; whether one of them is a stray is said by the loader."""
MAX_LISTED = 16 * 1024 * 1024
"""Bytes of a listing of a folder."""
MAX_TOTAL = 64 * 1024 * 1024
"""Bytes of all files together."""
_REGULAR = ("100644", "100755")
_LINK = "120000"


class NoRevisionError(Exception):
    """The name is no revision, or the revision has no such folder. Says what to do."""


@dataclass(frozen=True)
class _Blob:
    path: str
    mode: str
    name: str
    """The object's name, in hex."""
    size: int


def write_revision(spec: Path, revision: str, shown: str, folder: Path) -> None:
    """Write the spec folder of a revision into ``folder``.

    ``shown`` is how findings name it. Raises NoRevisionError, and FindingsError for files that
    are too large, too many or no files.
    """
    where = _existing(spec)
    commit = git.commit(where, revision)
    if commit is None:
        raise NoRevisionError(_reason(where, spec))
    below = os.path.relpath(os.path.abspath(spec), os.path.abspath(where)).replace(os.sep, "/")
    path = "./" if below == "." else f"./{below}"
    asked = ("rev-parse", "--verify", "--end-of-options", f"{commit}:{path}")
    tree = git.line(git.said(where, *asked, most=MAX_LISTED))
    listing = ("ls-tree", "-r", "-z", "--long", "--full-tree")
    listed = tree and git.said(where, *listing, tree, most=MAX_LISTED)
    if not listed:
        raise NoRevisionError(f"the revision is known, and has no folder {spec.as_posix()}")
    blobs = [blob for blob in _listed(listed) if _is_wanted(blob)]
    _check(blobs, shown)
    for blob, data in zip(blobs, _contents(where, blobs, shown), strict=True):
        file = folder / blob.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def _existing(spec: Path) -> Path:
    """The spec folder, or what is left of the way to it: a revision may have what is gone now."""
    folder = spec
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder


def _reason(where: Path, spec: Path) -> str:
    asked = ("rev-parse", "--is-inside-work-tree")
    inside = git.line(git.said(where, *asked, most=MAX_LISTED)) == "true"
    if inside:
        return f"no folder, and no revision of the repository that holds {spec.as_posix()}"
    return f"no folder; and {spec.as_posix()} is in no git repository that could have revisions"


def _listed(data: bytes) -> Iterator[_Blob]:
    for entry in data.split(b"\0"):
        about, _, path = entry.decode("utf-8", "surrogateescape").partition("\t")
        if path:
            mode, _, name, size = about.split()
            yield _Blob(path, mode, name, int(size) if size.isdecimal() else 0)


def _is_wanted(blob: _Blob) -> bool:
    parts = PurePosixPath(blob.path).parts
    # git itself refuses such paths, but for those of a tree that was made by hand
    safe = not any(part in ("", ".", "..") or "\\" in part for part in blob.path.split("/"))
    hidden = any(part.startswith(".") for part in parts)
    return safe and not hidden and blob.path.endswith(SUFFIXES)


def _check(blobs: list[_Blob], shown: str) -> None:
    findings = []
    if len(blobs) > MAX_FILES:
        message = f"the folder has more than {MAX_FILES} files"
        findings.append(Finding(Place(shown), "too_large", message))
    elif sum(blob.size for blob in blobs) > MAX_TOTAL:
        message = f"the files of the folder have more than {MAX_TOTAL} bytes together"
        findings.append(Finding(Place(shown), "too_large", message))
    for blob in blobs[:MAX_FILES]:
        place = Place(f"{shown}/{blob.path}")
        if blob.mode not in _REGULAR:
            what = "a symbolic link" if blob.mode == _LINK else "no file"
            message = f"the revision has {what} here, which is not followed"
            findings.append(Finding(place, "unreadable_file", message))
        elif blob.size > MAX_BYTES:
            message = f"the file has more than {MAX_BYTES} bytes"
            findings.append(Finding(place, "too_large", message))
    if findings:
        raise FindingsError(findings)


def _contents(where: Path, blobs: list[_Blob], shown: str) -> Iterator[bytes]:
    """The bytes of each, as they are: no text conversion is done."""
    asked = "".join(f"{blob.name}\n" for blob in blobs).encode()
    said = git.said(where, "cat-file", "--batch", given=asked, most=2 * MAX_TOTAL) or b""
    start = 0
    for blob in blobs:
        end = said.find(b"\n", start)
        head = said[start:end].split() if end >= 0 else []
        if len(head) != 3 or head[1] != b"blob":
            place = Place(f"{shown}/{blob.path}")
            message = "the repository does not have the file's content"
            raise FindingsError([Finding(place, "unreadable_file", message)])
        size = int(head[2])
        yield said[end + 1 : end + 1 + size]
        start = end + 1 + size + 1
