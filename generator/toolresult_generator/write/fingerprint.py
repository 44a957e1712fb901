"""The digest of everything that a run reads: spec files and the generator's own sources."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

from toolresult_generator.load.limits import MAX_BYTES
from toolresult_generator.load.spec import spec_files

_PACKAGE = Path(__file__).parent.parent
_NO_INPUT = frozenset({"cli", "difference", "proof", "revision", "vendor", "write", "__pycache__"})
"""Parts of the generator that no generated file depends on."""


def fingerprint(spec_dir: Path) -> str | None:
    """SHA-256 in hex over the names and contents of all inputs; None if one cannot be read.

    The same on every machine: paths are relative, and no version of Python or of the system
    enters.
    """
    total = hashlib.sha256()
    try:
        for name, path in _inputs(spec_dir):
            with path.open("rb") as stream:
                if not path.is_file() or os.fstat(stream.fileno()).st_size > MAX_BYTES:
                    return None
                content = hashlib.sha256(stream.read()).hexdigest()
            total.update(f"{name}\0{content}\n".encode("utf-8", "surrogateescape"))
    except OSError:
        return None
    return total.hexdigest()


def _inputs(spec_dir: Path) -> Iterator[tuple[str, Path]]:
    for path in spec_files(spec_dir):
        if not (spec_dir / path).is_file():  # opening a pipe would wait for its writer
            raise OSError("not a regular file")
        yield f"spec/{path}", spec_dir / path
    yield from _sources(_PACKAGE, "generator")
    # The vectors are what the adapters answer.
    adapters = importlib.util.find_spec("toolresult")
    if adapters is not None and adapters.origin is not None:
        yield from _sources(Path(adapters.origin).parent, "adapters")
        yield from _adapters_of_others()


def _adapters_of_others() -> Iterator[tuple[str, Path]]:
    """The sources of the adapters that the environment names."""
    if not os.environ.get("TOOLRESULT_ADAPTERS"):
        return  # and nothing is imported: an unchanged run is to return at once
    from toolresult.adapters import BadAdaptersError, sources

    try:
        found = sources()
    except BadAdaptersError:
        raise OSError("an input is missing") from None
    for name, path in found.items():
        if path.is_dir():
            yield from _sources(path, f"adapters/{name}")
        else:
            yield f"adapters/{name}.py", path


def _sources(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir():
            if entry.name not in _NO_INPUT:
                yield from _sources(Path(entry.path), f"{name}/{entry.name}")
        elif not entry.name.startswith("."):
            yield f"{name}/{entry.name}", Path(entry.path)
