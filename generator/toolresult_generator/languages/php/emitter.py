"""Everything that is generated for PHP: value classes, renderers, readers, the runtime."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toolresult_generator.bundled import files_of
from toolresult_generator.languages.base import EmitRequest
from toolresult_generator.languages.php.targets import emit_targets
from toolresult_generator.languages.php.values import emit_values

PACKAGE = "php"
RUNTIME = Path(__file__).parent / "runtime"
"""The hand-written support code, copied as it is, so the code can be vendored alone."""


def emit(request: EmitRequest) -> Mapping[str, bytes]:
    """The namespace `Toolresult\\Core`, one class to a file; see :class:`Emitter`."""
    sources = {**emit_values(request.model.result), **emit_targets(request.model)}
    return {
        **{f"{PACKAGE}/{path}": text.encode() for path, text in sources.items()},
        **files_of(RUNTIME, "**/*.php", to=f"{PACKAGE}/"),
    }
