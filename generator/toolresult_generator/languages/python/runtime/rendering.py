"""What every renderer shares: options, losses, the layout of blocks, and the writing of objects."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Final, TypeVar

from .canonical import escape, member_order, quote
from .errors import token
from .json_value import Json
from .members import ResultBase, remembered
from .parse import depth_of, parse_json

MAX_EXACT_DEPTH: Final = 30
"""How deep a value may nest that a protobuf parser is to read."""


@dataclass(frozen=True)
class Options:
    """What a rendering depends on beside the result. Nothing else does."""

    wrap_output: bool = False
    """The tool's output schema is advertised wrapped, so that objects are wrapped too."""
    structured_errors: bool = False
    """Structured content holds the error of a failure; for tools without an output schema."""
    artifact_id: str | None = None
    message_id: str | None = None
    digest: str | None = None
    """The digest that ids are made of, where it is not that of the result itself."""


DEFAULT_OPTIONS: Final = Options()


@dataclass(frozen=True)
class Loss:
    """A part of the result that reading the output does not give back."""

    path: str
    """JSON pointer into the serialized result."""
    status: str
    """``text form``, ``withheld`` or ``not expressible``."""
    reason: str

    def to_value(self) -> dict[str, str]:
        """The loss as a JSON object."""
        return {"path": self.path, "status": self.status, "reason": self.reason}


class Losses:
    """Collects losses while a result is written."""

    __slots__ = ("found", "item")

    def __init__(self) -> None:
        self.found: list[Loss] = []
        self.item = ""
        """The pointer of the part that is being written."""

    def add(self, path: str, status: str, reason: str) -> None:
        """Notes one loss."""
        self.found.append(Loss(path, status, reason))


class Layout:
    """The roles and markers of content blocks, in the order of writing."""

    __slots__ = ("markers", "roles")

    def __init__(self) -> None:
        self.roles: list[str] = []
        self.markers: dict[str, bytes] = {}

    def add(self, role: str, marker: bytes = b"") -> None:
        """Notes the block that was just written; an empty marker is none."""
        if marker:
            self.markers[str(len(self.roles))] = marker
        self.roles.append(role)

    def roles_text(self) -> bytes:
        """The roles as a JSON array."""
        return b"[" + b",".join(map(_quoted, self.roles)) + b"]"

    def markers_text(self) -> bytes:
        """The markers as a JSON object by block index; empty if there is none."""
        return canonical_object(self.markers) if self.markers else b""


@dataclass(frozen=True, init=False)
class Rendering:
    """One result in the format of one target, revision and phase."""

    chunks: tuple[bytes, ...] = field(repr=False)
    """The bytes in pieces, for a caller that writes them one after the other."""
    losses: tuple[Loss, ...]
    is_text: bool
    """The wire value is a string, and the bytes are its UTF-8."""

    def __init__(
        self, chunks: tuple[bytes, ...], losses: tuple[Loss, ...], is_text: bool = False
    ) -> None:
        # At once; the way of frozen dataclasses takes a call for each field.
        self.__dict__.update(chunks=chunks, losses=losses, is_text=is_text)

    @property
    def bytes(self) -> bytes:
        """The output: JSON in UTF-8, or for a target whose wire value is a string, its text."""
        return self.chunks[0] if len(self.chunks) == 1 else b"".join(self.chunks)

    @property
    def size(self) -> int:
        """The length of the output in bytes."""
        return sum(map(len, self.chunks))

    @property
    def wire(self) -> Any:
        """The output as plain dicts, lists and scalars, made anew at every access."""
        data = self.bytes
        if self.is_text:
            return data.decode()
        return parse_json(data, max_depth=WIRE_DEPTH, max_bytes=None)


R = TypeVar("R", bound=Rendering)

WIRE_DEPTH: Final = 200
"""How deep a wire value may nest: a user value of depth 100 with everything around it."""


class Renderer(ABC):
    """Writes results in the format of one target, revision and phase. Holds no state."""

    target: ClassVar[str]
    revision: ClassVar[str]
    phase: ClassVar[str | None]
    limit: ClassVar[int | None]
    """The default size limit of the format, in bytes."""
    is_text: ClassVar[bool] = False

    def render(self, result: ResultBase, options: Options = DEFAULT_OPTIONS) -> Rendering:
        """The rendering of a result. Never fails for a result that could be constructed.

        The result remembers it, so that rendering it again takes no time.
        """
        return self.render_as(Rendering, result, options)

    def render_as(self, made: type[R], result: ResultBase, options: Options) -> R:
        """As :meth:`render`, an object of the given class, made of the same arguments."""
        known = remembered(result)
        if self in known:
            for_options, rendering = known[self]
            if type(rendering) is made and (for_options is options or for_options == options):
                return rendering
        out: list[bytes] = []
        losses = Losses()
        self.write(out, result, options, losses)
        rendering = made(tuple(out), tuple(losses.found), self.is_text)
        if _is_light(rendering, result):
            known[self] = options, rendering
        return rendering

    @abstractmethod
    def write(self, out: list[bytes], result: Any, options: Options, losses: Losses) -> None:
        """Appends the output to ``out`` and what is lost to ``losses``."""


_LIGHT: Final = 65536
"""How many bytes a remembered rendering may hold beyond the texts that the data holds anyway."""


def _is_light(rendering: Rendering, result: ResultBase) -> bool:
    if sum(map(len, rendering.chunks)) <= _LIGHT:
        return True
    data = result.__dict__.get("data")
    held = data.texts if type(data) is Json else ()
    return (
        sum(len(chunk) for chunk in rendering.chunks if not any(chunk is one for one in held))
        <= _LIGHT
    )


def _quoted(text: str) -> bytes:
    """As :func:`quote`, for the texts that come up again and again: keys and roles."""
    return _quoted_short(text) if len(text) <= _SHORT else quote(text)


_SHORT: Final = 64
_quoted_short: Final = lru_cache(maxsize=1024)(quote)


def ordered_object(members: Mapping[str, bytes]) -> bytes:
    """An object with its members in the order given."""
    return b"{" + b",".join([_quoted(key) + b":" + value for key, value in members.items()]) + b"}"


def canonical_object(members: Mapping[str, bytes]) -> bytes:
    """An object with its members in canonical order."""
    if len(members) < 2:
        return ordered_object(members)
    # Where all is ASCII, the order of characters is that of UTF-16 units.
    order = None if "".join(members).isascii() else member_order
    return ordered_object({key: members[key] for key in sorted(members, key=order)})


def exact(members: dict[str, bytes], marker: str) -> dict[str, bytes]:
    """The members, with those that doubles would spoil as strings, and a list of their keys."""
    inexact = sorted(
        (key for key, value in members.items() if not is_exact(value)), key=member_order
    )
    if inexact:
        for key in inexact:
            members[key] = json_text(members[key])
        members[marker] = b"[" + b",".join(map(quote, inexact)) + b"]"
    return members


def is_exact_value(value: Json) -> bool:
    """Whether a JSON value survives a parser of doubles that stops at some depth."""
    return value.exact_in_double and value.depth <= MAX_EXACT_DEPTH


def is_exact(text: bytes) -> bool:
    """Whether a canonical JSON text survives a parser of doubles that stops at some depth."""
    return depth_of(text) <= MAX_EXACT_DEPTH and Json.of_canonical(text).exact_in_double


def json_text(text: bytes) -> bytes:
    """A JSON string that holds a canonical JSON text."""
    return b'"' + escape(text) + b'"'


def strings(values: tuple[str, ...]) -> bytes:
    """A JSON array of strings."""
    return b"[" + b",".join(map(quote, values)) + b"]"


def json_map(values: Mapping[str, Json]) -> bytes:
    """A map of JSON values as an object in canonical order."""
    return canonical_object({key: value.canonical for key, value in values.items()})


def keys(values: Mapping[str, Json]) -> bytes:
    """The keys of a map as a JSON array in canonical order; empty if there is none."""
    if not values:
        return b""
    return b"[" + b",".join(map(quote, sorted(values, key=member_order))) + b"]"


def spread(
    members: dict[str, bytes],
    values: Mapping[str, Json],
    reserved: tuple[str, ...] = (),
    losses: Losses | None = None,
    pointer: str = "",
) -> None:
    """Adds the entries of a map. What is taken already, or reserved, is not written, but noted.

    ``reserved`` are keys, and prefixes that end in a slash.
    """
    for key in sorted(values, key=member_order):
        if key in members:
            reason = "another value of the result has this key on the wire"
        elif key in reserved or key.startswith(tuple(one for one in reserved if one[-1] == "/")):
            reason = "the key belongs to the mapping or to the protocol's transport"
        else:
            members[key] = values[key].canonical
            continue
        if losses is not None:
            losses.add(f"{pointer}{token(key)}", "not expressible", reason)


def open_list(out: list[bytes], first: int) -> None:
    """Turns the comma before the first entry into the opening bracket."""
    out[first] = b"[" + out[first][1:]


def written(write: Callable[..., None], *arguments: object) -> bytes:
    """What a writing function appends, in one piece."""
    out: list[bytes] = []
    write(out, *arguments)
    return b"".join(out)


def ascii_string(text: str) -> bytes:
    """A JSON string of base64, which needs no escapes."""
    return b'"' + text.encode("ascii") + b'"'
