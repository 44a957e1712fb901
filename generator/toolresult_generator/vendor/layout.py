"""What a copy for each language is made of, and where it stands in the copy."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolresult_generator.bundled import bundled, files_of


@dataclass(frozen=True)
class Layout:
    """The folders of a copy. A path is relative to the copy, with `/`."""

    emitted: str
    """What the emitter's paths begin with."""
    core: str
    """What stands for that in the copy."""
    adapters: str
    """Where the adapters go."""
    source: Callable[[], Path]
    """The folder of the adapters."""
    taken: tuple[str, ...]
    """The files that are taken from it: patterns of :meth:`pathlib.Path.glob`."""


def _python_adapters() -> Path:
    found = importlib.util.find_spec("toolresult")
    if found is None or found.origin is None:  # pragma: no cover - one distribution has both
        raise FileNotFoundError("the package toolresult")
    return Path(found.origin).parent


LAYOUTS: Mapping[str, Layout] = {
    "php": Layout(
        emitted="php/",
        core="core/",
        adapters="",
        source=lambda: bundled("adapters/php"),
        taken=("autoload.php", "composer.json", "src/**/*.php"),
    ),
    "python": Layout(
        emitted="python/",
        core="",
        adapters="toolresult/",
        source=_python_adapters,
        taken=("**/*.py", "py.typed"),
    ),
    # the adapters import the generated code by its path
    "typescript": Layout(
        emitted="typescript/",
        core="generated/typescript/",
        adapters="adapters/typescript/",
        source=lambda: bundled("adapters/typescript"),
        taken=("src/**/*.ts",),
    ),
}
"""The languages that can be vendored."""


def adapter_files(layout: Layout) -> dict[str, bytes]:
    """The adapters of a language by their path in a copy. Raises OSError."""
    folder = layout.source()
    files = files_of(folder, *layout.taken, to=layout.adapters)
    if not files:
        raise FileNotFoundError(2, "No such file or directory", str(folder))
    return files


def licence() -> bytes:
    """The text of the licence. Raises OSError."""
    return bundled("LICENSE").read_bytes()
