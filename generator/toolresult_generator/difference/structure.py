"""Two values of spec files compared by what they say: where they differ, and what stands there.

Layout, comments and quotes make no difference, nor does the order of keys, but where the text
of an output follows it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from toolresult_generator.findings import Place
from toolresult_generator.load import Node, Plain

PROSE = frozenset({"meaning", "title", "use", "not_for", "how", "description"})
"""Keys whose texts are for people alone."""
DATA = frozenset({"const", "default", "enum", "examples", "json", "result"})
"""Keys below which no key has a meaning of the spec."""
ORDERED = frozenset({"object", "error_codes", "records", "fields", "kinds", "revisions", "phases"})
"""Keys whose mappings are written, checked or compared in their order."""
_SHOWN = 80
"""Characters of a value that are shown."""


@dataclass(frozen=True)
class Step:
    """One difference. ``path`` leads to it; a text is None where nothing stands on that side."""

    path: tuple[str, ...]
    old: str | None
    new: str | None
    old_place: Place
    new_place: Place
    what: str = ""
    """Said instead of the values, such as for another order."""
    is_prose: bool = False
    """Whether it is a text for people alone."""

    def __str__(self) -> str:
        where = ".".join(self.path)
        prefix = f"{where}: " if where else ""
        if self.what:
            return f"{prefix}{self.what}"
        if self.old is None:
            return f"{where} {self.new} is new" if where else f"{self.new} is new"
        if self.new is None:
            return f"{where} {self.old} is gone" if where else f"{self.old} is gone"
        return f"{prefix}{self.old} → {self.new}"


def steps(old: Node, new: Node, path: tuple[str, ...] = ()) -> Iterator[Step]:
    """Every difference of two values, in the order of the older one."""
    if old.kind == new.kind == "object":
        yield from _mappings(old, new, path)
    elif old.kind == new.kind == "array":
        yield from _lists(old, new, path)
    elif old.value != new.value or old.kind != new.kind:
        prose = _is_prose(path, old, new)
        yield Step(path, shown(old), shown(new), old.place, new.place, is_prose=prose)


def same(old: Node, new: Node) -> bool:
    """Whether two values say the same."""
    return next(steps(old, new), None) is None


def renamed(before: Mapping[str, Node], after: Mapping[str, Node]) -> dict[str, str]:
    """Names that are gone, with the one new name that says the very same, if there is one."""
    gone = {name: key_of(node) for name, node in before.items() if name not in after}
    new = {name: key_of(node) for name, node in after.items() if name not in before}
    told = [*gone.values()], [*new.values()]
    return {
        name: next(other for other, key in new.items() if key == gone[name])
        for name in gone
        if told[0].count(gone[name]) == told[1].count(gone[name]) == 1
    }


def moved(old: Sequence[str], new: Sequence[str]) -> str:
    """How the names that both have are ordered anew; empty if they are not."""
    before = [name for name in old if name in new]
    after = [name for name in new if name in old]
    return "" if before == after else f"order {', '.join(before)} → {', '.join(after)}"


def shown(node: Node) -> str:
    """A value for people: JSON on one line, of bounded length, without texts for people."""
    text = json.dumps(_without_prose(node.to_plain()), ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _without_prose(value: Plain) -> Plain:
    if isinstance(value, list):
        return [_without_prose(entry) for entry in value]
    if isinstance(value, dict):
        return {
            key: _without_prose(entry)
            for key, entry in value.items()
            if key not in PROSE or not isinstance(entry, str)
        }
    return value


def _is_prose(path: tuple[str, ...], *nodes: Node) -> bool:
    """Whether it is a text for people; a member of an output that has such a name is none."""
    return bool(
        path
        and path[-1] in PROSE
        and DATA.isdisjoint(path)
        and all(node.text is not None for node in nodes)
    )


def _mappings(old: Node, new: Node, path: tuple[str, ...]) -> Iterator[Step]:
    before, after = dict(old.items()), dict(new.items())
    names = renamed(before, after)
    for key, node in before.items():
        if key in after:
            yield from steps(node, after[key], (*path, key))
        elif key in names:
            places = (place_of(old, key), place_of(new, names[key]))
            yield Step((*path, key), None, None, *places, f"named {names[key]} now")
        else:
            below = (*path, key)
            places = (place_of(old, key), new.place)
            yield Step(below, shown(node), None, *places, is_prose=_is_prose(below, node))
    for key, node in after.items():
        if key not in before and key not in names.values():
            below = (*path, key)
            places = (old.place, place_of(new, key))
            yield Step(below, None, shown(node), *places, is_prose=_is_prose(below, node))
    order = moved(list(before), list(after)) if path and path[-1] in ORDERED else ""
    if order:
        yield Step(path, None, None, old.place, new.place, order)


def _lists(old: Node, new: Node, path: tuple[str, ...]) -> Iterator[Step]:
    before = [key_of(node) for node in old.sequence]
    after = [key_of(node) for node in new.sequence]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for what, i1, i2, j1, j2 in matcher.get_opcodes():
        if what == "equal":
            continue
        pairs = min(i2 - i1, j2 - j1)
        for n in range(pairs):
            yield from steps(old.sequence[i1 + n], new.sequence[j1 + n], (*path, str(i1 + n)))
        for i in range(i1 + pairs, i2):
            node = old.sequence[i]
            yield Step((*path, str(i)), shown(node), None, node.place, new.place)
        for j in range(j1 + pairs, j2):
            node = new.sequence[j]
            yield Step((*path, str(j)), None, shown(node), old.place, node.place)


def key_of(node: Node) -> str:
    """A text that is the same for values that say the same, the order of keys aside."""
    return json.dumps(node.to_plain(), sort_keys=True)


def place_of(owner: Node, key: str) -> Place:
    """Where a key of a mapping stands; the mapping's place if it has no such key."""
    found = owner.find_key(key)
    return owner.place if found is None else owner.key_place(found)
