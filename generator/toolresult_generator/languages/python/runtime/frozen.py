"""Lists and dicts that cannot be changed, and still are lists and dicts.

Code that takes plain JSON values (``json.dumps``, ``isinstance(x, dict)``) takes
these as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")


def _refuse(self: object, *_args: object, **_kwargs: object) -> NoReturn:
    raise TypeError("a result is immutable; copy this value to change it: dict(…) or list(…)")


class FrozenDict(dict[_K, _V]):
    """A dict whose mutators raise TypeError. Its values are frozen by who builds it."""

    __slots__ = ()

    __setitem__ = _refuse
    __delitem__ = _refuse
    __ior__ = _refuse
    clear = _refuse
    pop = _refuse
    popitem = _refuse
    setdefault = _refuse
    update = _refuse

    def __copy__(self) -> FrozenDict[_K, _V]:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> FrozenDict[_K, _V]:
        return self

    def copy(self) -> dict[_K, _V]:
        """A plain dict with the same members, free to change."""
        return dict(self)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return type(self), (dict(self),)


class FrozenList(list[_V]):
    """A list whose mutators raise TypeError. Its items are frozen by who builds it."""

    __slots__ = ()

    __setitem__ = _refuse
    __delitem__ = _refuse
    __iadd__ = _refuse
    __imul__ = _refuse
    append = _refuse
    clear = _refuse
    extend = _refuse
    insert = _refuse
    pop = _refuse
    remove = _refuse
    reverse = _refuse
    sort = _refuse

    def __copy__(self) -> FrozenList[_V]:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> FrozenList[_V]:
        return self

    def copy(self) -> list[_V]:
        """A plain list with the same items, free to change."""
        return list(self)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return type(self), (list(self),)


def freeze(value: Any) -> Any:
    """``value`` (a JSON value out of a parser) with all containers frozen."""
    kind = type(value)
    if kind is dict:
        return FrozenDict({name: freeze(item) for name, item in value.items()})
    if kind is list:
        return FrozenList([freeze(item) for item in value])
    return value
