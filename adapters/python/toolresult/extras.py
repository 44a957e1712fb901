"""What stands on an SDK that an extra brings: imported when it is first used (PEP 562)."""

from __future__ import annotations

import importlib
from typing import Any


def is_missing(error: ModuleNotFoundError, brings: frozenset[str]) -> bool:
    """Whether what was not found is of the import packages that an extra brings."""
    return error.name is not None and error.name.partition(".")[0] in brings


def of_an_extra(
    module: str,
    name: str,
    *,
    extra: str,
    package: str,
    brings: frozenset[str],
    home: str | None = None,
) -> Any:
    """An attribute of a module of ``toolresult.<extra>``, or of ``toolresult.<home>``.

    ``brings`` are the import packages of the extra. Where one of them is missing, the
    ModuleNotFoundError says how to install them; ``package`` names what it brings.
    """
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        if not is_missing(error, brings):
            raise
        raise ModuleNotFoundError(
            f"toolresult.{home or extra}.{name} needs {package}: pip install 'toolresult[{extra}]'",
            name=error.name,
        ) from error
