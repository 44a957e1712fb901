"""A spec folder to its documents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath

from toolresult_generator.findings import Finding, Place, quoted
from toolresult_generator.load.file import load_file
from toolresult_generator.load.limits import MAX_FILES
from toolresult_generator.load.node import Node

RESULT_FILE = "result.yaml"
SUFFIXES = (".yaml", ".json")


@dataclass(frozen=True)
class Document:
    """One spec file.

    ``path`` is relative to the spec folder, ``file`` is how places name it, and ``name`` is the
    file's name without its suffix: the target, the revision of a wire schema, or the topic of
    the samples. ``folder`` is the name of the folder that holds it (the target of a wire schema).
    """

    path: PurePosixPath
    file: str
    name: str
    folder: str
    root: Node


@dataclass(frozen=True)
class Spec:
    """The documents of a spec folder, each group sorted by path, and what loading them found.

    A file that gave no root is in none of the groups; its findings say why. ``name`` is how places
    name the folder.
    """

    folder: Path
    result: Document | None
    targets: tuple[Document, ...]
    wire: tuple[Document, ...]
    samples: tuple[Document, ...]
    findings: tuple[Finding, ...]
    name: PurePath

    def place(self) -> Place:
        """The place of findings about the folder as a whole: its result file."""
        return Place(_shown(self.name, PurePosixPath(RESULT_FILE)))

    def wire_document(self, target: str, revision: str) -> Document | None:
        """The wire schema of a revision, or None."""
        for document in self.wire:
            if (document.folder, document.name) == (target, revision):
                return document
        return None


def spec_files(folder: Path) -> list[PurePosixPath]:
    """The files of a spec folder that a stage reads, relative to it and sorted.

    Raises OSError if a folder cannot be listed.
    """
    found = [PurePosixPath(RESULT_FILE)] if (folder / RESULT_FILE).exists() else []
    for group, depth in (("targets", 1), ("wire", 2), ("samples", 1)):
        found += _below(folder, PurePosixPath(group), depth)
    return sorted(found)


def load_spec(folder: Path, name: PurePath | None = None) -> Spec:
    """Load every document of a spec folder. Raises nothing: faults are in ``findings``.

    ``name`` is how places name the folder, where it is a copy of something else.
    """
    name = folder if name is None else name
    findings: list[Finding] = []
    files: list[PurePosixPath] = []
    try:
        files = spec_files(folder)
        findings += _stray(folder, name, set(files))
    except OSError as error:
        place = Place(str(error.filename or folder))
        findings.append(Finding(place, "unreadable_file", f"cannot be read: {error.strerror}"))
    if len(files) > MAX_FILES:
        findings.append(
            Finding(Place(str(name)), "too_large", f"the folder has more than {MAX_FILES} files")
        )
        files = files[:MAX_FILES]
    if PurePosixPath(RESULT_FILE) not in files:
        findings.append(
            Finding(
                Place(_shown(name, PurePosixPath(RESULT_FILE))),
                "missing_file",
                "there is no such file" if folder.is_dir() else "there is no such folder",
                "name the spec folder with --spec",
            )
        )
    groups: dict[str, list[Document]] = {"": [], "targets": [], "wire": [], "samples": []}
    for path in files:
        shown = _shown(name, path)
        root, found = load_file(folder / path, shown)
        findings += found
        if root is not None:
            document = Document(path, shown, path.stem, path.parent.name, root)
            groups[path.parts[0] if len(path.parts) > 1 else ""].append(document)
    findings += _same_names(name, files)
    return Spec(
        folder,
        groups[""][0] if groups[""] else None,
        tuple(groups["targets"]),
        tuple(groups["wire"]),
        tuple(groups["samples"]),
        tuple(sorted(findings)),
        name,
    )


def _below(folder: Path, path: PurePosixPath, depth: int) -> Iterator[PurePosixPath]:
    """Files with a spec suffix exactly ``depth`` levels below; hidden ones are left out."""
    if not (folder / path).is_dir():
        return
    for name in sorted(os.listdir(folder / path)):
        child = path / name
        if name.startswith("."):
            continue
        if depth > 1:
            yield from _below(folder, child, depth - 1)
        elif child.suffix in SUFFIXES:
            yield child


def _stray(folder: Path, name: PurePath, known: set[PurePosixPath]) -> Iterator[Finding]:
    """Spec files in places where nobody looks: a misspelt folder, a wrong suffix, too deep."""
    count = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(entry for entry in folders if not entry.startswith("."))
        relative = PurePosixPath(Path(parent).relative_to(folder).as_posix())
        for entry in sorted(names):
            path = relative / entry
            suspicious = path.suffix in (*SUFFIXES, ".yml") and not entry.startswith(".")
            if path in known or not suspicious:
                continue
            count += 1
            if count > MAX_FILES:
                return
            yield Finding(
                Place(_shown(name, path)),
                "stray_file",
                f"nothing reads {quoted(str(path))}",
                "spec files are result.yaml, targets/<target>.yaml, "
                "wire/<target>/<revision>.yaml and samples/<topic>.yaml",
            )


def _same_names(name: PurePath, files: list[PurePosixPath]) -> Iterator[Finding]:
    seen: dict[PurePosixPath, PurePosixPath] = {}
    for path in files:
        first = seen.setdefault(path.with_suffix(""), path)
        if first != path:
            yield Finding(
                Place(_shown(name, path)),
                "same_name",
                f"{quoted(first.name)} beside it stands for the same thing",
                "keep one of the two",
            )


def _shown(name: PurePath, path: PurePosixPath) -> str:
    return (name / path).as_posix()
