"""Which hooks a class fills, and whether it was written for their rules as they are now."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any, Final

GENERATED: Final = "toolresult_core.targets"
_LONGEST: Final = 60
"""Characters that are shown of what an adapter says."""


class MissingAdapterError(TypeError):
    """A hook that no adapter fills. The message names it, and the class to derive one from."""


class OldAdapterError(TypeError):
    """An adapter of another rule, or of none. The message says which rule there is now."""


def is_adapter(value: object) -> bool:
    """Whether this is a class that fills generated hooks, and not one of the generated ones."""
    return (
        isinstance(value, type)
        and not value.__module__.startswith(f"{GENERATED}.")
        and next(hooked(value), None) is not None
    )


def hooked(value: type) -> Iterator[type]:
    """The generated classes with hooks that a class derives from."""
    for base in value.__mro__:
        if base.__module__.startswith(f"{GENERATED}.") and inspect.isabstract(base):
            yield base


def check_filled(what: str, found: type) -> None:
    """Raises MissingAdapterError for a class that leaves a hook open; ``what`` is its name."""
    if not inspect.isabstract(found):
        return
    methods: frozenset[str] = getattr(found, "__abstractmethods__", frozenset())
    bases = [base for base in hooked(found) if methods.intersection(vars(base))]
    named = ", ".join(dict.fromkeys(f"{base.__module__}.{base.__name__}" for base in bases))
    raise MissingAdapterError(
        f"{what} has hooks that no adapter fills: {', '.join(sorted(methods))}; "
        f"derive a class from {named}, register it (toolresult.register_adapters)"
    )


def check_rules(adapter: type) -> None:
    """Raises OldAdapterError for an adapter whose ``written_for`` is not the digest of its rule.

    Of several hooks in one class, ``written_for`` has the digest of each, by the method's name.
    """
    said: object = getattr(adapter, "written_for", None)
    for base in hooked(adapter):
        digests = _digests(base)
        for method, digest in digests.items():
            alone = said if len(digests) == 1 else None
            own = said.get(method) if isinstance(said, Mapping) else alone
            if own != digest:
                shown = f"{own:.{_LONGEST}}" if isinstance(own, str) else "no rule that it names"
                raise OldAdapterError(
                    f"{adapter.__name__} was written for {shown}, and {method} is at {digest} now: "
                    f"read the rule at {base.__module__}.{base.__name__}, change what has to "
                    f"change, then set written_for = {_wanted(digests)}"
                )


def _digests(base: type) -> Mapping[str, str]:
    """The digests of the rules of a class's own hooks, by the name of the method."""
    own: dict[str, Any] = dict(vars(base))
    several: Mapping[str, str] = own.get("rule_digests", {})
    one: str | None = own.get("rule_digest")
    if one is None:
        return several
    return {name: one for name, value in own.items() if _is_open(value)}


def _is_open(value: object) -> bool:
    return bool(getattr(value, "__isabstractmethod__", False))


def _wanted(digests: Mapping[str, str]) -> str:
    (first, *more) = digests.values()
    return repr(dict(digests)) if more else f'"{first}"'
