"""A value from a spec file, with the place where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from toolresult_generator.findings import Place

Key: TypeAlias = "str | int"
Scalar: TypeAlias = "str | int | float | bool | None"
Plain: TypeAlias = "Scalar | list[Plain] | dict[str, Plain]"


class Node:
    """One value of a document. Never changes once the document is loaded.

    ``value`` is a scalar, a tuple of nodes or a mapping of keys to nodes. Keys are text or
    whole numbers. What nests in a node is bounded by the loader, so recursion over it is safe.
    """

    __slots__ = ("_keys", "place", "value")

    def __init__(
        self,
        value: Scalar | tuple[Node, ...] | Mapping[Key, Node],
        place: Place,
        keys: Mapping[Key, Place] | None = None,
    ) -> None:
        self.value = value
        self.place = place
        self._keys = keys

    @property
    def kind(self) -> str:
        """JSON's name of the type: object, array, string, integer, number, boolean or null."""
        value = self.value
        if value is None:
            return "null"
        for types, name in _KINDS:
            if isinstance(value, types):
                return name
        return "object"

    @property
    def mapping(self) -> Mapping[Key, Node]:
        """The members in the order of the file; empty if this is no mapping."""
        return self.value if isinstance(self.value, Mapping) else _NO_MEMBERS

    @property
    def sequence(self) -> Sequence[Node]:
        """The entries; empty if this is no list."""
        return self.value if isinstance(self.value, tuple) else ()

    @property
    def text(self) -> str | None:
        """The text, or None if this is no text."""
        return self.value if isinstance(self.value, str) else None

    def get(self, key: Key) -> Node | None:
        """The member of that key; None if there is none or this is no mapping."""
        return self.mapping.get(key)

    def __getitem__(self, key: Key) -> Node:
        """The member of that key. Raises KeyError."""
        return self.mapping[key]

    def __contains__(self, key: object) -> bool:
        return key in self.mapping

    def items(self) -> Iterator[tuple[str, Node]]:
        """The members with their keys as text."""
        for key, node in self.mapping.items():
            yield str(key), node

    def key_place(self, key: Key) -> Place:
        """Where the key of a member stands. Raises KeyError."""
        if self._keys is None:
            raise KeyError(key)
        return self._keys[key]

    def find_key(self, text: str) -> Key | None:
        """The key whose text is this, be it text or a number; None if there is none."""
        if text in self.mapping:
            return text
        return next((key for key in self.mapping if str(key) == text), None)

    def at(self, path: Sequence[str | int]) -> Node:
        """The node that a path of keys and indexes leads to, or the last one on the way."""
        node = self
        for step in path:
            after: Node | None = None
            if isinstance(node.value, tuple):
                if isinstance(step, int) and 0 <= step < len(node.value):
                    after = node.value[step]
            else:
                key = node.find_key(str(step))
                after = None if key is None else node.mapping[key]
            if after is None:
                return node
            node = after
        return node

    def to_plain(self) -> Plain:
        """The value as plain dicts, lists and scalars; numeric keys become their text.

        Integers are exact whatever their size; a float is the double nearest to the text.
        """
        value = self.value
        if isinstance(value, tuple):
            return [node.to_plain() for node in value]
        if isinstance(value, Mapping):
            return {str(key): node.to_plain() for key, node in value.items()}
        return value

    def __repr__(self) -> str:
        return f"<{self.kind} at {self.place}>"


_NO_MEMBERS: Mapping[Key, Node] = MappingProxyType({})
# bool stands before int, since a bool is an int to Python
_KINDS: tuple[tuple[type, str], ...] = (
    (str, "string"),
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (tuple, "array"),
)
