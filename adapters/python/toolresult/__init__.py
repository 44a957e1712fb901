"""Tool results, and their form in every protocol revision.

>>> from toolresult import Result, render
>>> result = Result.success({"ids": [1, 2]}, summary="2 products updated")
>>> render(result, "mcp-handshake@2025-06-18", phase="final").wire["structuredContent"]
{'ids': [1, 2]}

What is here is imported when it is first used (PEP 562), so that a program that needs
no more than the store does not wait for pydantic.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolresult import legacy
    from toolresult.given import result_of
    from toolresult.hooks import MissingAdapterError, OldAdapterError
    from toolresult.mapper import Mapper, read, render
    from toolresult.output_schema import advertised
    from toolresult.registry import UnknownTargetError, newest_not_after, register_adapters
    from toolresult.rendering import Oversize, Rendering
    from toolresult.request import DEFAULT, Default, Request
    from toolresult_core import (
        ABSENT,
        Absent,
        Audience,
        AudioPart,
        BinaryPart,
        EmbeddedPart,
        ErrorCode,
        ErrorInfo,
        Foreign,
        ImagePart,
        Json,
        LinkPart,
        Metadata,
        Pagination,
        Part,
        PartForeign,
        RelatedTask,
        Result,
        ResultError,
        StoredResult,
        TextPart,
        to_plain,
    )
    from toolresult_core.runtime.rendering import Loss

__all__ = [
    "ABSENT",
    "DEFAULT",
    "Absent",
    "Audience",
    "AudioPart",
    "BinaryPart",
    "Default",
    "EmbeddedPart",
    "ErrorCode",
    "ErrorInfo",
    "Foreign",
    "ImagePart",
    "Json",
    "LinkPart",
    "Loss",
    "Mapper",
    "Metadata",
    "MissingAdapterError",
    "OldAdapterError",
    "Oversize",
    "Pagination",
    "Part",
    "PartForeign",
    "RelatedTask",
    "Rendering",
    "Request",
    "Result",
    "ResultError",
    "StoredResult",
    "TextPart",
    "UnknownTargetError",
    "advertised",
    "legacy",
    "newest_not_after",
    "read",
    "register_adapters",
    "render",
    "result_of",
    "to_plain",
]

_CORE = "toolresult_core"
_ELSEWHERE = {
    "DEFAULT": "toolresult.request",
    "Default": "toolresult.request",
    "Loss": "toolresult_core.runtime.rendering",
    "Mapper": "toolresult.mapper",
    "MissingAdapterError": "toolresult.hooks",
    "OldAdapterError": "toolresult.hooks",
    "Oversize": "toolresult.rendering",
    "Rendering": "toolresult.rendering",
    "Request": "toolresult.request",
    "UnknownTargetError": "toolresult.registry",
    "advertised": "toolresult.output_schema",
    "newest_not_after": "toolresult.registry",
    "read": "toolresult.mapper",
    "register_adapters": "toolresult.registry",
    "render": "toolresult.mapper",
    "result_of": "toolresult.given",
}
"""The module of each name that is not a value class."""


def __getattr__(name: str) -> Any:
    if name == "legacy":
        return importlib.import_module("toolresult.legacy")
    if name not in __all__ and not _is_grown(name):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_ELSEWHERE.get(name, _CORE)), name)
    globals()[name] = value  # found at once from now on
    return value


def _is_grown(name: str) -> bool:
    """Whether this is a value class that a spec of another one's own has beside ours."""
    if not name[:1].isupper():
        return False
    return name in importlib.import_module(_CORE).__all__


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
