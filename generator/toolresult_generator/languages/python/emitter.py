"""Everything that is generated for Python: value classes, renderers, readers, the runtime."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toolresult_generator.languages.base import EmitRequest
from toolresult_generator.languages.python.format import format_python

PACKAGE = "python/toolresult_core"
RUNTIME = Path(__file__).parent / "runtime"


_made: list[tuple[EmitRequest, Mapping[str, bytes]]] = []
"""The last package: the vectors are recorded from the same one, which takes a second to make."""


def emit(request: EmitRequest) -> Mapping[str, bytes]:
    """The package `toolresult_core`; see :class:`Emitter`."""
    if not _made or _made[0][0] is not request:
        _made[:] = [(request, _emit(request))]
    return _made[0][1]


def _emit(request: EmitRequest) -> Mapping[str, bytes]:
    from toolresult_generator.languages.python.targets import emit_targets
    from toolresult_generator.languages.python.values import emit_values

    sources = {**emit_values(request.model.result), **emit_targets(request.model)}
    formatted = format_python({f"{PACKAGE}/{path}": text for path, text in sources.items()})
    return {**formatted, **runtime_files(), f"{PACKAGE}/py.typed": b""}


def runtime_files() -> dict[str, bytes]:
    """The hand-written support code, copied as it is, so the package can be vendored alone."""
    return {
        f"{PACKAGE}/runtime/{path.relative_to(RUNTIME).as_posix()}": path.read_bytes()
        for path in sorted(RUNTIME.rglob("*.py"))
    }
