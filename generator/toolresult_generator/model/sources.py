"""Target documents with what one takes over from another merged in."""

from __future__ import annotations

from collections.abc import Mapping

from toolresult_generator.findings import did_you_mean, quoted
from toolresult_generator.load.node import Node as Source
from toolresult_generator.model.context import Capabilities, Faults, TargetSource


def build_sources(documents: Mapping[str, Source], faults: Faults) -> dict[str, TargetSource]:
    """The sources of all targets by name; those that extend another come after it."""
    sources: dict[str, TargetSource] = {}
    waiting = dict(documents)
    while waiting:
        ready = {
            name: root
            for name, root in waiting.items()
            if (base := _base(root)) is None or base[0] in sources or base[0] not in waiting
        }
        if not ready:
            for root in waiting.values():
                faults.add(root.place, "recursive_form", "targets extend each other in a circle")
            break
        for name, root in ready.items():
            sources[name] = _source(name, root, sources, faults)
            del waiting[name]
    return sources


def _base(root: Source) -> tuple[str, str] | None:
    extends = root.get("extends")
    if extends is None or extends.text is None:
        return None
    name, _, revision = extends.text.partition("@")
    return name, revision


def _source(
    name: str, root: Source, sources: Mapping[str, TargetSource], faults: Faults
) -> TargetSource:
    revisions = tuple(text for text, _ in _items(root, "revisions"))
    phases = tuple(text for text, _ in _items(root, "phases"))
    holds: dict[str, frozenset[str]] = {}
    forms: dict[str, Source] = {}
    facts: dict[str, Source] = {}
    rules: dict[str, Source] = {}
    base = _base(root)
    if base is not None:
        other = sources.get(base[0])
        if other is None or base[1] not in other.revisions:
            place = root["extends"].place
            if other is None:
                faults.add(
                    place,
                    "unknown_target",
                    f"there is no target {quoted(base[0])}",
                    did_you_mean(base[0], sources),
                )
            else:
                faults.add(
                    place,
                    "unknown_revision",
                    f"{base[0]} has no revision {quoted(base[1])}",
                    did_you_mean(base[1], other.revisions),
                )
        else:
            had = other.capabilities.at(base[1])
            holds.update(
                {
                    key: frozenset(revisions if key in had else ())
                    for key in other.capabilities.holds
                }
            )
            forms.update(other.forms)
            facts.update(other.facts)
            rules.update(other.rules)
    for key, capability in _items(root, "capabilities"):
        holds[key] = _revisions_of(capability, revisions, faults)
    forms.update(_items(root, "forms"))
    facts.update(_items(root, "facts"))
    rules.update(_items(root, "rules"))
    return TargetSource(name, root, revisions, phases, Capabilities(holds), forms, facts, rules)


def _items(root: Source, key: str) -> list[tuple[str, Source]]:
    node = root.get(key)
    return list(node.items()) if node is not None else []


def _revisions_of(source: Source, revisions: tuple[str, ...], faults: Faults) -> frozenset[str]:
    """The revisions that a capability names: ``since``, ``until``, ``only`` or ``never``."""
    if source.get("never") is not None:
        return frozenset()
    only = source.get("only")
    if only is not None:
        named = [_revision(entry, revisions, faults) for entry in only.sequence]
        return frozenset(revision for revision in named if revision is not None)
    first, last = 0, len(revisions) - 1
    for key in ("since", "until"):
        node = source.get(key)
        revision = None if node is None else _revision(node, revisions, faults)
        if revision is not None:
            position = revisions.index(revision)
            first, last = (position, last) if key == "since" else (first, position)
    return frozenset(revisions[first : last + 1])


def _revision(source: Source, revisions: tuple[str, ...], faults: Faults) -> str | None:
    text = str(source.value)
    if text in revisions:
        return text
    faults.add(
        source.place,
        "unknown_revision",
        f"the target has no revision {quoted(text)}",
        did_you_mean(text, revisions),
    )
    return None
