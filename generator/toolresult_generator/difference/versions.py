"""The two versions that are compared: each a folder, or a revision of the spec folder."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath, PurePosixPath
from typing import TYPE_CHECKING

from toolresult_generator.difference.git import NoRevisionError, write_revision
from toolresult_generator.findings import FindingsError, quoted

if TYPE_CHECKING:
    from toolresult_generator.director import Loaded

OLD, NEW = "old", "new"


class UnknownVersionError(Exception):
    """A name that is neither a folder nor a revision. The message says so to people."""


@dataclass(frozen=True)
class Version:
    """One version: its files, and how places name them."""

    side: str
    """``old`` or ``new``."""
    folder: Path
    name: PurePath

    @property
    def shown(self) -> str:
        """For people: ``spec``, ``HEAD~3:spec``."""
        return self.name.as_posix()


@contextlib.contextmanager
def opened(side: str, name: str | None, spec: Path) -> Iterator[Version]:
    """The version of that name; ``spec`` itself for None.

    A folder of that name comes before a revision. Raises UnknownVersionError, and FindingsError
    for a revision whose files cannot be taken.
    """
    if name is None or _is_folder(name):
        folder = spec if name is None else Path(name)
        yield Version(side, folder, folder)
        return
    with tempfile.TemporaryDirectory(prefix="toolresult-revision-") as made:
        shown = PurePosixPath(f"{name}:{spec.as_posix()}")
        try:
            write_revision(spec, name, shown.as_posix(), Path(made))
        except NoRevisionError as error:
            raise UnknownVersionError(f"{quoted(name)} is {error}") from None
        except FindingsError as error:
            raise sided(error, side) from None
        yield Version(side, Path(made), shown)


def _is_folder(name: str) -> bool:
    try:
        return bool(name) and Path(name).is_dir()
    except (OSError, ValueError):  # a null in the name, or a name that is too long
        return False


def loaded(version: Version) -> Loaded:
    """The checked model of a version. Raises FindingsError; its findings name the side."""
    from toolresult_generator.director import load_model

    try:
        return load_model(version.folder, name=version.name, history=False)
    except FindingsError as error:
        raise sided(error, version.side) from None


def sided(error: FindingsError, side: str) -> FindingsError:
    """The same findings, each of which says of which version it is."""
    return FindingsError(
        replace(finding, message=f"in the {side} version: {finding.message}")
        for finding in error.findings
    )


def loaded_again(version: Version) -> Loaded:
    """As :func:`loaded`, for a version that was found to be without faults a moment ago."""
    from toolresult_generator.director import Loaded
    from toolresult_generator.load import load_spec
    from toolresult_generator.model.build import build_spec

    documents = load_spec(version.folder, version.name)
    return Loaded(documents, build_spec(documents))
