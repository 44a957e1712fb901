"""What we do with the same data, through the public face: construct, encode, render."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from toolresult import ImagePart, Mapper, Request, Result
from toolresult_core.runtime import canonical
from toolresult_core.runtime.encoder import ORJSON, PYDANTIC, Encoder

MCP: Final = Request("mcp-handshake@2025-11-25", limit=None)
A2A: Final = Request("a2a@1.0", limit=None)
EVERY_MCP: Final = (
    *(
        Request(f"mcp-handshake@{revision}", limit=None)
        for revision in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
    ),
    Request("mcp-stateless@2026-07-28", limit=None),
)
MAPPER: Final = Mapper(phase="final")

_FRAME: Final = b'{"jsonrpc":"2.0","id":1,"result":'


def encoders() -> dict[str, Encoder]:
    """The C encoders, by the name of the column."""
    if ORJSON is None:
        raise SystemExit("bench: orjson is not installed: pip install toolresult[fast]")
    return {"pydantic": PYDANTIC, "orjson": ORJSON}


@contextmanager
def using(encoder: Encoder) -> Iterator[None]:
    """Writes with this encoder, which a program chooses once, at its start."""
    before = vars(canonical)["ENCODER"]
    vars(canonical)["ENCODER"] = encoder
    try:
        yield
    finally:
        vars(canonical)["ENCODER"] = before


def mcp(data: Any) -> bytes:
    """One MCP revision."""
    return MAPPER.render(Result.success(data), MCP).bytes


def mcp_framed(data: Any) -> bytes:
    """One MCP revision, in the frame of JSON-RPC."""
    return b"".join((_FRAME, *MAPPER.render(Result.success(data), MCP).chunks, b"}"))


def a2a(data: Any) -> bytes:
    """A2A, in the frame of JSON-RPC."""
    return b"".join((_FRAME, *MAPPER.render(Result.success(data), A2A).chunks, b"}"))


def every_mcp(data: Any) -> list[bytes]:
    """One result to all five MCP revisions."""
    result = Result.success(data)
    return [MAPPER.render(result, request).bytes for request in EVERY_MCP]


def image(text: str) -> bytes:
    """One MCP revision, of an image, given as base64."""
    return MAPPER.render(_image(text), MCP).bytes


def image_chunks(text: str) -> tuple[bytes, ...]:
    """The same in pieces, for a server that writes them one after the other."""
    return MAPPER.render(_image(text), MCP).chunks


def _image(text: str) -> Result:
    return Result.success(content=[ImagePart(data=text, mime_type="image/png")])
