"""What changed in what a spec says: parts, codes, fields, targets, rules, forms, samples.

Each change names the thing, what of it changed, and where it stands in both versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from toolresult_generator.difference.structure import Step, moved, place_of, steps
from toolresult_generator.findings import Place
from toolresult_generator.load import Document, Node, Spec

ADDED, REMOVED, CHANGED = "added", "removed", "changed"
WORDS = "words"
"""Only what is for people changed."""

MAX_DEEP = 40
"""Differences inside one thing that are listed."""


@dataclass(frozen=True)
class Difference:
    """One thing that changed."""

    kind: str
    """``part kind``, ``error code``, ``field``, ``rule``, ``form``, …"""
    name: str
    change: str
    details: tuple[str, ...]
    old: Place
    """Where it stands in the old version, or where it would."""
    new: Place


def compare(old: Spec, new: Spec) -> list[Difference]:
    """Everything that changed, the result first, then targets, wire schemas and samples."""
    found: list[Difference] = []
    if old.result is not None and new.result is not None:
        found += _result(old.result.root, new.result.root)
    found += _documents("target", old.targets, new.targets, _target, old, new)
    found += _documents("wire schema", old.wire, new.wire, _whole("wire schema"), old, new)
    found += _samples(old, new)
    return found


# ------------------------------------------------------------------ result


_SETTINGS = ("namespace", "a2a_extension")


def _result(old: Node, new: Node) -> Iterator[Difference]:
    for key in _SETTINGS:
        yield from _one("setting", key, old, new, key)
    yield from _group("format version", old, new, "format_versions")
    yield from _group("error code", old, new, "error_codes")
    yield from _owners("record", old, new, "records", lambda name: "" if name == "result" else name)
    yield from _owners("part kind", old, new, "kinds", lambda name: f"content.{name}")


def _owners(
    kind: str, old: Node, new: Node, key: str, prefix: Callable[[str], str]
) -> Iterator[Difference]:
    """Records or part kinds: each as a thing of its own, and each of its fields as one."""
    yield from _group(kind, old, new, key, without=("fields",))
    before, after = _items(old, key), _items(new, key)
    for name, node in before.items():
        if name in after:
            path = prefix(name)
            named = f"{path}." if path else ""
            yield from _group("field", node, after[name], "fields", prefix=named)


# ----------------------------------------------------------------- targets


_GROUPS = {
    "revisions": "revision",
    "phases": "phase",
    "capabilities": "capability",
    "facts": "fact",
    "rules": "rule",
    "forms": "form",
}
_REST = ("target", "title", "meaning", "wire", "limit", "origin", "extends", "output", "reader")


def _target(name: str, old: Node, new: Node) -> Iterator[Difference]:
    for key in _REST:
        yield from _one("reader" if key == "reader" else "target", name, old, new, key)
    for key, kind in _GROUPS.items():
        mark = "@" if kind == "revision" else "/" if kind == "phase" else ": "
        yield from _group(kind, old, new, key, prefix=f"{name}{mark}")


def _whole(kind: str) -> Callable[[str, Node, Node], Iterator[Difference]]:
    def compared(name: str, old: Node, new: Node) -> Iterator[Difference]:
        yield from _changed(kind, name, list(steps(old, new)), old.place, new.place)

    return compared


def _documents(
    kind: str,
    old: tuple[Document, ...],
    new: tuple[Document, ...],
    compared: Callable[[str, Node, Node], Iterator[Difference]],
    old_spec: Spec,
    new_spec: Spec,
) -> Iterator[Difference]:
    before = {_name(document): document for document in old}
    after = {_name(document): document for document in new}
    for name, document in before.items():
        if name in after:
            yield from compared(name, document.root, after[name].root)
        else:
            place = document.root.place
            yield Difference(kind, name, REMOVED, (), place, new_spec.place())
    for name, document in after.items():
        if name not in before:
            place = document.root.place
            yield Difference(kind, name, ADDED, (), old_spec.place(), place)


def _name(document: Document) -> str:
    """``a2a`` for a target, ``a2a@1.0`` for a wire schema."""
    return document.name if len(document.path.parts) < 3 else f"{document.folder}@{document.name}"


# ----------------------------------------------------------------- samples


def _samples(old: Spec, new: Spec) -> Iterator[Difference]:
    """Samples by name, whichever file they are in."""
    before, after = _by_name(old), _by_name(new)
    for name, (owner, node) in before.items():
        if name in after:
            other_owner, other = after[name]
            places = (place_of(owner, name), place_of(other_owner, name))
            yield from _changed("sample", name, list(steps(node, other)), *places)
        else:
            yield Difference("sample", name, REMOVED, (), place_of(owner, name), new.place())
    for name, (owner, _) in after.items():
        if name not in before:
            yield Difference("sample", name, ADDED, (), old.place(), place_of(owner, name))


def _by_name(spec: Spec) -> dict[str, tuple[Node, Node]]:
    found: dict[str, tuple[Node, Node]] = {}
    for document in spec.samples:
        owner = document.root.get("samples")
        if owner is not None:
            found |= {name: (owner, node) for name, node in owner.items()}
    return found


# ------------------------------------------------------------------ shared


def _items(owner: Node, key: str) -> Mapping[str, Node]:
    node = owner.get(key)
    return {} if node is None else dict(node.items())


def _one(kind: str, name: str, old: Node, new: Node, key: str) -> Iterator[Difference]:
    """A single member of a document, present or not."""
    before, after = old.get(key), new.get(key)
    if before is not None and after is not None:
        found = list(steps(before, after, () if kind in (key, "setting") else (key,)))
        yield from _changed(kind, name, found, place_of(old, key), place_of(new, key))
    elif before is not None or after is not None:
        change = REMOVED if after is None else ADDED
        details = () if kind == key else (key,)
        yield Difference(kind, name, change, details, place_of(old, key), place_of(new, key))


def _group(
    kind: str, old: Node, new: Node, key: str, *, prefix: str = "", without: tuple[str, ...] = ()
) -> Iterator[Difference]:
    """The entries of a mapping, each as a thing of its own."""
    before, after = _items(old, key), _items(new, key)
    old_owner, new_owner = old.get(key) or old, new.get(key) or new
    for name, node in before.items():
        places = (place_of(old_owner, name), place_of(new_owner, name))
        if name in after:
            found = [one for one in steps(node, after[name]) if not _is_below(one, without)]
            yield from _changed(kind, f"{prefix}{name}", found, *places)
        else:
            yield Difference(kind, f"{prefix}{name}", REMOVED, (), *places)
    for name in after:
        if name not in before:
            places = (place_of(old_owner, name), place_of(new_owner, name))
            yield Difference(kind, f"{prefix}{name}", ADDED, (), *places)
    order = moved(list(before), list(after)) if key in _WITH_ORDER else ""
    if order:
        places = (place_of(old, key), place_of(new, key))
        yield Difference(kind, f"{prefix}*", CHANGED, (order,), *places)


_WITH_ORDER = ("error_codes", "records", "fields", "kinds", "revisions")


def _is_below(step: Step, without: tuple[str, ...]) -> bool:
    return bool(step.path) and step.path[0] in without


def _changed(
    kind: str, name: str, found: list[Step], old: Place, new: Place
) -> Iterator[Difference]:
    """One change of a thing, at its first difference in meaning."""
    if not found:
        return
    meant = [step for step in found if not step.is_prose]
    if not meant:
        yield Difference(kind, name, WORDS, (), found[0].old_place, found[0].new_place)
        return
    details = [str(step) for step in meant[:MAX_DEEP]]
    if len(meant) > MAX_DEEP:
        details.append(f"and {len(meant) - MAX_DEEP} more")
    places = (meant[0].old_place, meant[0].new_place) if len(meant) == 1 else (old, new)
    yield Difference(kind, name, CHANGED, tuple(details), *places)
