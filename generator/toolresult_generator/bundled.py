"""Files of the project that the installed command needs, or that are copied as they are."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent
_IN_WHEEL = _PACKAGE / "bundled"
_CHECKOUT = _PACKAGE.parents[1]


def bundled(path: str) -> Path:
    """Where a file or folder is, given by its path from the top of the project.

    A wheel carries what `pyproject.toml` lists under ``force-include``.
    """
    packed = _IN_WHEEL / path
    return packed if packed.exists() else _CHECKOUT / path


def files_of(folder: Path, *patterns: str, to: str) -> dict[str, bytes]:
    """The files of a folder by their path, with ``to`` before it; sorted.

    Patterns are those of :meth:`pathlib.Path.glob`. Raises OSError.
    """
    paths = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
    return {to + path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths)}
