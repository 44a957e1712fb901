"""Files of the project that the installed command needs, in a checkout or in a wheel."""

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
