"""The testee of Python: answers requests line by line, so that vectors can be proven.

Run as ``python -m toolresult.testee``. The protocol is described beside the vectors, in
``generated/vectors/README.md``; every language has such a program.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from toolresult.adapters import register_named
from toolresult.hooks import MissingAdapterError
from toolresult.registry import UnknownTargetError, reader, renderer
from toolresult_core import Result, ResultError
from toolresult_core.runtime.rendering import Options

MAX_LINE = 64 * 1024 * 1024
"""Bytes of a request, its line break included."""

_OPTIONS: Mapping[str, type] = {
    "wrap_output": bool,
    "structured_errors": bool,
    "artifact_id": str,
    "message_id": str,
}
_MEMBERS = {
    "render": {"target", "revision", "phase", "options"},
    "read": {"target", "revision"},
    "check": frozenset[str](),
}
"""What each kind of request has beside ``id``, ``do`` and ``text`` or ``base64``."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class BadRequestError(Exception):
    """A request that is none. The message says to people what is wrong with it."""


class SkippedError(Exception):
    """A request that Python cannot answer, as no adapter fills the hooks of the target."""


def main(stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> int:
    """Answer every line of the input, in its order, until it ends; 0 always."""
    register_named()
    source = sys.stdin.buffer if stdin is None else stdin
    sink = sys.stdout.buffer if stdout is None else stdout
    while line := source.readline(MAX_LINE):
        if len(line) == MAX_LINE and not line.endswith(b"\n"):
            _skip(source)
            answer: dict[str, Any] = _refused(None, f"a line has at most {MAX_LINE} bytes")
        else:
            answer = answer_line(line)
        sink.write(line_of(answer))
        sink.flush()
    return 0


def line_of(message: Mapping[str, Any]) -> bytes:
    """A message as one line of UTF-8. A lone surrogate, which UTF-8 has not, is an escape."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode() + b"\n"


def answer_line(line: bytes) -> dict[str, Any]:
    """The answer to one line. Raises nothing, whatever the line holds."""
    try:
        request = json.loads(line.decode())
    except (ValueError, RecursionError):
        return _refused(None, "the line is no JSON in UTF-8")
    if not isinstance(request, dict):
        return _refused(None, "a request is an object")
    given = request.get("id")
    name = given if isinstance(given, str) else None
    try:
        return {"id": name, **_answer(request)}
    except BadRequestError as error:
        return _refused(name, str(error))
    except SkippedError as error:
        return {"id": name, "skipped": str(error)}
    except ResultError as error:
        return {"id": name, "error": {"code": error.code, "pointer": error.pointer}}
    except Exception as error:
        # a fault of ours: said as one, so that whoever drives us sees which request it was
        return {"id": name, "fault": f"{type(error).__name__}: {error}"[:500]}


def _refused(name: str | None, message: str) -> dict[str, Any]:
    return {"id": name, "bad_request": message}


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(request.get("id"), str):
        raise BadRequestError("id has to be a text")
    action = request.get("do")
    if not isinstance(action, str) or action not in _MEMBERS:
        raise BadRequestError("do is one of " + ", ".join(_MEMBERS))
    unknown = set(request) - _MEMBERS[action] - {"id", "do", "text", "base64"}
    if unknown:
        raise BadRequestError(f"unknown member {min(unknown)[:80]!r}")
    text = _text(request)
    return _ACTIONS[action](request, text)


def _text(request: dict[str, Any]) -> str | bytes:
    if ("text" in request) == ("base64" in request):
        raise BadRequestError("a request has either text or base64")
    given = request["text"] if "text" in request else request["base64"]
    if not isinstance(given, str):
        raise BadRequestError("text and base64 are texts")
    if "text" in request:
        return given
    try:
        return base64.b64decode(given, validate=True)
    except (binascii.Error, ValueError):
        raise BadRequestError("base64 is no base64") from None


def _render(request: dict[str, Any], text: str | bytes) -> dict[str, Any]:
    phase = request.get("phase")
    if phase is not None and not isinstance(phase, str):
        raise BadRequestError("phase is a text")
    found = _known(lambda: renderer(*_target(request), phase))
    rendering = found.render(Result.from_json(text), _options(request.get("options", {})))
    losses = [loss.to_value() for loss in rendering.losses]
    return {"output": rendering.bytes.decode(), "losses": losses}


def _read(request: dict[str, Any], text: str | bytes) -> dict[str, Any]:
    result: Any = _known(lambda: reader(*_target(request))).read(text)
    return {"output": result.to_json().decode()}


def _check(request: dict[str, Any], text: str | bytes) -> dict[str, Any]:
    return {"output": Result.from_json(text).to_json().decode()}


_ACTIONS: Mapping[str, Callable[[dict[str, Any], str | bytes], dict[str, Any]]] = {
    "render": _render,
    "read": _read,
    "check": _check,
}


def _known(find: Callable[[], Any]) -> Any:
    try:
        return find()
    except UnknownTargetError as error:
        raise BadRequestError(str(error)) from None
    except MissingAdapterError as error:
        raise SkippedError(f"an adapter is missing: {error}") from None


def _target(request: dict[str, Any]) -> tuple[str, str]:
    target, revision = request.get("target"), request.get("revision")
    if not isinstance(target, str) or not isinstance(revision, str):
        raise BadRequestError("target and revision are texts")
    return target, revision


def _options(given: Any) -> Options:
    if not isinstance(given, dict):
        raise BadRequestError("options is an object")
    for name, value in given.items():
        if name not in _OPTIONS:
            raise BadRequestError(f"unknown option {name[:80]!r}")
        if type(value) is not _OPTIONS[name]:
            raise BadRequestError(f"the option {name} is a {_OPTIONS[name].__name__}")
    return Options(**given)


def _skip(source: BinaryIO) -> None:
    """Read on to the end of a line that is too long."""
    while (more := source.readline(MAX_LINE)) and not more.endswith(b"\n"):
        pass


if __name__ == "__main__":
    sys.exit(main())
