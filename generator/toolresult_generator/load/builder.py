"""Builds nodes from a flat stream of events, without recursion and within bounds.

The YAML and the JSON reader both feed it, so that bounds, duplicate keys and places are
treated alike in both.
"""

from __future__ import annotations

from types import MappingProxyType

from toolresult_generator.findings import Finding, Place, quoted
from toolresult_generator.load.limits import MAX_DEPTH, MAX_FINDINGS, MAX_NODES
from toolresult_generator.load.node import Key, Node, Scalar


class StopLoadingError(Exception):
    """The rest of a file is not looked at. The finding that says why is already collected."""


class _Open:
    """A list or mapping whose end was not yet seen."""

    __slots__ = ("entries", "is_mapping", "key", "key_place", "key_places", "members", "place")

    def __init__(self, place: Place, is_mapping: bool) -> None:
        self.place = place
        self.is_mapping = is_mapping
        self.entries: list[Node] = []
        self.members: dict[Key, Node] = {}
        self.key_places: dict[Key, Place] = {}
        self.key: Key | None = None
        self.key_place: Place | None = None  # not None: a key was seen, its value not yet

    def wants_key(self) -> bool:
        return self.is_mapping and self.key_place is None


class Builder:
    """Takes events in the order of the text. ``root`` is the value once all are taken."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Node | None = None
        self.findings: list[Finding] = []
        self._stack: list[_Open] = []
        self._nodes = 0

    def report(self, code: str, place: Place, message: str, advice: str = "") -> None:
        """Collect a finding. Raises StopLoadingError if there are too many."""
        self.findings.append(Finding(place, code, message, advice))
        if len(self.findings) >= MAX_FINDINGS:
            raise StopLoadingError

    def stop(self, code: str, place: Place, message: str, advice: str = "") -> StopLoadingError:
        """Collect a finding that ends the loading of this file."""
        self.findings.append(Finding(place, code, message, advice))
        return StopLoadingError()

    def open(self, place: Place, *, is_mapping: bool) -> None:
        """A list or mapping begins. Raises StopLoadingError when it is nested too deep."""
        if len(self._stack) >= MAX_DEPTH:
            raise self.stop("too_deep", place, f"nested deeper than {MAX_DEPTH}")
        if self._stack and self._stack[-1].wants_key():
            raise self.stop(
                "bad_key", place, "a list or mapping stands as a key", "use text as the key"
            )
        self._stack.append(_Open(place, is_mapping))

    def close(self) -> None:
        """The innermost list or mapping ends."""
        done = self._stack.pop()
        if done.is_mapping:
            members = MappingProxyType(done.members)
            self._add(Node(members, done.place, MappingProxyType(done.key_places)))
        else:
            self._add(Node(tuple(done.entries), done.place))

    def scalar(self, value: Scalar, text: str, place: Place) -> None:
        """A scalar, or a key if one is due. ``text`` is how it stands in the file."""
        top = self._stack[-1] if self._stack else None
        if top is None or not top.wants_key():
            self._add(Node(value, place))
            return
        key = value
        if isinstance(key, bool) or not isinstance(key, (str, int)):
            self.report("bad_key", place, f"the key {quoted(text)} is no text", "put it in quotes")
            key = text
        top.key, top.key_place = key, place

    def _add(self, node: Node) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise self.stop("too_many_nodes", node.place, f"more than {MAX_NODES} values")
        if not self._stack:
            self.root = node
            return
        top = self._stack[-1]
        if not top.is_mapping:
            top.entries.append(node)
            return
        key, place = top.key, top.key_place
        if key is None or place is None:
            raise AssertionError("a value without a key cannot come out of a parser")
        top.key = top.key_place = None
        # `0` and `"0"` count as the same key, since they are the same name in JSON
        other = int(key) if isinstance(key, str) and _is_plain_int(key) else str(key)
        for known in (key, other):
            if known in top.members:
                first = top.key_places[known]
                self.report(
                    "duplicate_key",
                    place,
                    f"the key {quoted(str(key))} stands here a second time",
                    f"the first is in line {first.line}",
                )
                return
        top.members[key] = node
        top.key_places[key] = place


def _is_plain_int(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20 and str(int(text)) == text
