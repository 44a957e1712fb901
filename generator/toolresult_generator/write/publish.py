"""Publishes changes to a folder: all of them, or none.

Everything is written to a staging folder inside of the output folder first, which finds a full
disk or a read-only folder before anything was touched. Then each file is put in place by an
atomic rename. Should one of the renames fail, those before it are taken back.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.write.compare import Change
from toolresult_generator.write.manifest import is_safe

STAGING = ".toolresult-staging-"


def publish(out: Path, changes: list[Change], *, force: bool = False) -> None:
    """Write and remove what the changes say, in their order.

    Raises FindingsError and leaves the folder as it was: `edited_output` or `foreign_output` if a
    file is in the way that we did not write (unless ``force``), `blocked_output` if the file
    system refuses, `busy_output` if another run is at it.
    """
    for change in changes:
        if not is_safe(change.path):
            raise ValueError(f"the path {change.path!r} leads out of the output folder")
    if not changes:
        return
    if not force:
        refuse_edited(out, changes)
    made: list[Path] = []
    try:
        _make_folder(out, made)
        with _lock(out), _staging(out) as staging:
            steps = _prepare(out, staging, changes, made)
            _apply(steps)
    except BaseException as error:
        for folder in reversed(made):
            with contextlib.suppress(OSError):
                folder.rmdir()
        if not isinstance(error, OSError):
            raise
        message = f"cannot be written: {error.strerror or error}"
        advice = "the files from before are untouched"
        finding = Finding(Place(str(error.filename or out)), "blocked_output", message, advice)
        raise FindingsError([finding]) from error
    _drop_empty_folders(out, changes)


def refuse_edited(out: Path, changes: list[Change]) -> None:
    """Raise FindingsError if a change would overwrite or remove what we did not write."""
    findings = []
    for change in changes:
        place = Place((out / change.path).as_posix())
        if change.edited and change.foreign:
            message = "was not generated, and stands where a generated file has to go"
            advice = "move it away; --force overwrites it"
            findings.append(Finding(place, "foreign_output", message, advice))
        elif change.edited:
            message = "is not what was generated here last"
            advice = "move your change into the spec or an adapter; --force overwrites it"
            findings.append(Finding(place, "edited_output", message, advice))
    if findings:
        raise FindingsError(findings)


class _Step:
    """One file to put in place: from ``staged`` (None: remove it), with a copy to go back to."""

    __slots__ = ("backup", "staged", "target")

    def __init__(self, target: Path, staged: Path | None, backup: Path | None) -> None:
        self.target = target
        self.staged = staged
        self.backup = backup

    def apply(self) -> None:
        if self.staged is None:
            os.unlink(self.target)
        else:
            os.replace(self.staged, self.target)

    def undo(self) -> None:
        if self.backup is None:
            self.target.unlink(missing_ok=True)
        else:
            os.replace(self.backup, self.target)


def _prepare(out: Path, staging: Path, changes: list[Change], made: list[Path]) -> list[_Step]:
    steps = []
    for number, change in enumerate(changes):
        target = out / change.path
        _make_folder(target.parent, made)
        backup = None
        if change.before is not None:
            backup = staging / f"{number}.before"
            _write(backup, change.before)
            shutil.copymode(target, backup)
        staged = None
        if change.after is not None:
            staged = staging / f"{number}.after"
            _write(staged, change.after)
            if target.is_dir():
                raise IsADirectoryError(21, "a folder stands in its place", str(target))
        steps.append(_Step(target, staged, backup))
    return steps


def _apply(steps: list[_Step]) -> None:
    done: list[_Step] = []
    try:
        for step in steps:
            step.apply()
            done.append(step)
    except BaseException:
        # an interrupt counts as well: half of a run is never left behind
        for step in reversed(done):
            with contextlib.suppress(OSError):
                step.undo()
        raise


def _write(path: Path, data: bytes) -> None:
    with path.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())  # some file systems tell of a full disk only here


def _make_folder(folder: Path, made: list[Path]) -> None:
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        if folder.parent == folder:
            break
        folder = folder.parent
    for path in reversed(missing):
        path.mkdir()
        made.append(path)


@contextlib.contextmanager
def _staging(out: Path) -> Iterator[Path]:
    for left in out.glob(f"{STAGING}*"):  # of a run that was killed; the lock says none is alive
        shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=STAGING, dir=out))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _lock(out: Path) -> Iterator[None]:
    """Hold the folder for this run. Where folders cannot be locked (Windows) nothing is held."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    descriptor = os.open(out, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = "another run writes to this folder"
            finding = Finding(Place(out.as_posix()), "busy_output", message, "wait for its end")
            raise FindingsError([finding]) from None
        yield
    finally:
        os.close(descriptor)


def _drop_empty_folders(out: Path, changes: list[Change]) -> None:
    """Remove folders that are empty now that their last generated file is gone."""
    for change in changes:
        if change.after is not None:
            continue
        folder = (out / change.path).parent
        while folder != out:
            try:
                if [entry.name for entry in folder.iterdir()] == ["__pycache__"]:
                    shutil.rmtree(folder / "__pycache__")
                folder.rmdir()
            except OSError:
                break  # not empty, or refused: nothing is lost by leaving it
            folder = folder.parent
