"""What a copy for each language is made of, and where it stands in the copy."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolresult_generator.bundled import bundled


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
    suffixes: tuple[str, ...]
    """The files among them that are taken."""


def _python_adapters() -> Path:
    found = importlib.util.find_spec("toolresult")
    if found is None or found.origin is None:  # pragma: no cover - one distribution has both
        raise FileNotFoundError("the package toolresult")
    return Path(found.origin).parent


LAYOUTS: Mapping[str, Layout] = {
    "python": Layout("python/", "", "toolresult/", _python_adapters, (".py", ".typed")),
}
"""The languages that can be vendored."""


def adapter_files(layout: Layout) -> dict[str, bytes]:
    """The adapters of a language by their path in a copy. Raises OSError."""
    folder = layout.source()
    return {
        layout.adapters + path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in layout.suffixes and path.is_file()
    }


def licence() -> bytes:
    """The text of the licence. Raises OSError."""
    return bundled("LICENSE").read_bytes()
