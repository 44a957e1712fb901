"""Adapters of others, by the names of their modules: for programs that cannot call
:func:`toolresult.register_adapters` before they begin, the command and the testee.

A program of one's own registers its classes itself; nothing here is read by the library.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from pathlib import Path
from typing import Final

VARIABLE: Final = "TOOLRESULT_ADAPTERS"
"""Names modules, with commas between them. Every adapter class in them is registered."""


class BadAdaptersError(Exception):
    """A module that is named and cannot be used. The message says why."""


def named() -> tuple[str, ...]:
    """The modules that the environment names."""
    return tuple(name.strip() for name in os.environ.get(VARIABLE, "").split(",") if name.strip())


def register_named() -> None:
    """Registers the adapters of the named modules. Raises BadAdaptersError."""
    for name in named():
        # only now: what is named may need another core than a program has that names nothing
        from toolresult.hooks import check_filled, is_adapter
        from toolresult.registry import register

        try:
            module = importlib.import_module(name)
            found = [one for one in vars(module).values() if is_adapter(one)]
            for adapter in found:
                check_filled(adapter.__name__, adapter)
            register(found)
        except Exception as error:  # whatever a module of others may raise
            told = f"{type(error).__name__}: {error}"
            raise BadAdaptersError(f"{name} cannot be used: {told[:500]}") from error


def sources() -> dict[str, Path]:
    """The file, or the folder of a package, of each named module; none is imported.

    Raises BadAdaptersError for one that there is not.
    """
    found: dict[str, Path] = {}
    for name in named():
        top = name.partition(".")[0]
        spec = importlib.util.find_spec(top) if top.isidentifier() else None
        if spec is None or spec.origin is None:
            raise BadAdaptersError(f"there is no module {name!r} where Python looks for modules")
        file = Path(spec.origin)
        found[top] = file.parent if spec.submodule_search_locations else file
    return found
