"""Conditions of the spec: what is known on a revision is decided, the rest stays for run time."""

from __future__ import annotations

from collections.abc import Callable

from toolresult_generator.findings import did_you_mean, quoted
from toolresult_generator.load.node import Node as Source
from toolresult_generator.model.context import Context
from toolresult_generator.model.paths import resolve_path
from toolresult_generator.model.target import (
    All,
    Always,
    Any,
    Condition,
    Fits,
    Has,
    Inexact,
    JsonKind,
    Not,
    OneOf,
    OptionSet,
    Path,
    Prefixed,
    RolesAre,
)

TRUE, FALSE = Always(True), Always(False)
FLAGS = ("wrap_output", "structured_errors")
"""Options of a request that are on or off."""
TEXTS = ("artifact_id", "message_id")
"""Options of a request that are a text or absent."""
SHAPES = ("object", "entries", "string", "icons")
"""Shapes that a foreign member can be held against."""


def resolve_condition(source: Source | None, context: Context) -> Condition:
    """The condition; absent means always. What cannot be resolved holds, with a finding."""
    if source is None or not context.usage.step(source.place, context.faults):
        return TRUE
    known = [name for name in _READERS if name in source]
    extra = [str(key) for key in source.mapping if key not in _READERS and key not in _BESIDE]
    if len(known) != 1 or extra:
        context.faults.add(
            source.place,
            "ambiguous_node",
            "a condition says exactly one of " + ", ".join(_READERS),
            did_you_mean(extra[0], _READERS) if extra else "",
        )
        return TRUE
    return _READERS[known[0]](source, context)


def negate(condition: Condition) -> Condition:
    """The opposite."""
    if isinstance(condition, Always):
        return Always(not condition.holds)
    if isinstance(condition, Not):
        return condition.condition
    return Not(condition)


def conjunction(conditions: list[Condition]) -> Condition:
    """All of them, folded."""
    flat: list[Condition] = []
    for condition in conditions:
        parts = condition.conditions if isinstance(condition, All) else (condition,)
        flat.extend(part for part in parts if part != TRUE and part not in flat)
    if FALSE in flat:
        return FALSE
    return flat[0] if len(flat) == 1 else All(tuple(flat)) if flat else TRUE


def disjunction(conditions: list[Condition]) -> Condition:
    """Any of them, folded."""
    flat: list[Condition] = []
    for condition in conditions:
        parts = condition.conditions if isinstance(condition, Any) else (condition,)
        flat.extend(part for part in parts if part != FALSE and part not in flat)
    if TRUE in flat:
        return TRUE
    return flat[0] if len(flat) == 1 else Any(tuple(flat)) if flat else FALSE


def _has(source: Source, context: Context) -> Condition:
    path = resolve_path(source["has"], context)
    if path is None or all(not step.optional for step in path.steps):
        return TRUE
    return Has(path)


def _values(source: Source, key: str, context: Context) -> tuple[Path, tuple[str, ...]] | None:
    inner = source[key]
    entries = list(inner.items())
    if len(entries) != 1:
        context.faults.add(inner.place, "bad_value", "expected one path with a list of texts")
        return None
    text, values = entries[0]
    path = resolve_path(Source(text, inner.key_place(next(iter(inner.mapping)))), context)
    if path is None:
        return None
    return path, tuple(value.text or "" for value in values.sequence)


def _is(source: Source, context: Context) -> Condition:
    found = _values(source, "is", context)
    return OneOf(*found) if found else TRUE


def _starts(source: Source, context: Context) -> Condition:
    found = _values(source, "starts", context)
    return Prefixed(*found) if found else TRUE


def _json(source: Source, context: Context) -> Condition:
    inner = source["json"]
    entries = list(inner.items())
    if len(entries) != 1:
        context.faults.add(inner.place, "bad_value", "expected one path with a JSON type")
        return TRUE
    text, kind = entries[0]
    path = resolve_path(Source(text, inner.key_place(next(iter(inner.mapping)))), context)
    return JsonKind(path, kind.text or "") if path else TRUE


def _inexact(source: Source, context: Context) -> Condition:
    path = resolve_path(source["inexact"], context)
    return Inexact(path) if path else TRUE


def _can(source: Source, context: Context) -> Condition:
    return Always(_capability(source["can"], context))


def _cannot(source: Source, context: Context) -> Condition:
    return Always(not _capability(source["cannot"], context))


def _capability(source: Source, context: Context) -> bool:
    name = source.text or ""
    known = context.source.capabilities.holds
    if name not in known:
        context.faults.add(
            source.place,
            "unknown_capability",
            f"the target has no capability {quoted(name)}",
            did_you_mean(name, known),
        )
    context.usage.capabilities.add((context.source.name, name))
    return name in context.can


def _phase(source: Source, context: Context) -> Condition:
    name = source["phase"].text or ""
    if name not in context.source.phases:
        context.faults.add(
            source["phase"].place,
            "unknown_phase",
            f"the target has no phase {quoted(name)}",
            did_you_mean(name, context.source.phases),
        )
    return Always(name == context.phase)


def _fact(source: Source, context: Context) -> Condition:
    name = source["fact"].text or ""
    fact = context.source.facts.get(name)
    if fact is None:
        context.faults.add(
            source["fact"].place,
            "unknown_fact",
            f"the target has no fact {quoted(name)}",
            did_you_mean(name, context.source.facts),
        )
        return TRUE
    context.usage.facts.add((context.source.name, name))
    if context.is_inside("fact", name):
        context.faults.add(
            source.place, "recursive_form", f"the fact {quoted(name)} contains itself"
        )
        return TRUE
    if context.is_too_deep(source):
        return TRUE
    return resolve_condition(fact, context.entering("fact", name))


def _option(source: Source, context: Context) -> Condition:
    name = source["option"].text or ""
    if name not in (*FLAGS, *TEXTS):
        context.faults.add(
            source["option"].place,
            "bad_value",
            f"a request has no option {quoted(name)}",
            did_you_mean(name, (*FLAGS, *TEXTS)),
        )
    return OptionSet(name)


def _roles(source: Source, context: Context) -> Condition:
    return RolesAre(tuple(role.text or "" for role in source["roles"].sequence))


def _kind(source: Source, context: Context) -> Condition:
    names = {name.text for name in source["kind"].sequence}
    if not context.kinds:
        context.faults.add(source.place, "bad_path", "there is no part here", "use it below a case")
    return Always(bool(context.kinds) and set(context.kinds) <= names)


def _fits(source: Source, context: Context) -> Condition:
    path = resolve_path(source["fits"], context)
    if path is None:
        return TRUE
    return Fits(path, member_keys(source), member_shape(source, context))


def member_keys(source: Source) -> tuple[str, ...]:
    """The keys below a foreign map that a node names."""
    keys = source.get("keys")
    return tuple(key.text or "" for key in keys.sequence) if keys is not None else ()


def member_shape(source: Source, context: Context) -> str:
    """The shape that a foreign member must have."""
    shape = source.get("shape")
    name = (shape.text if shape is not None else None) or "object"
    if name not in SHAPES:
        place = shape.place if shape is not None else source.place
        context.faults.add(
            place,
            "unknown_conversion",
            f"there is no shape {quoted(name)}",
            did_you_mean(name, SHAPES),
        )
    return name


def _all(source: Source, context: Context) -> Condition:
    return conjunction([resolve_condition(entry, context) for entry in source["all"].sequence])


def _any(source: Source, context: Context) -> Condition:
    return disjunction([resolve_condition(entry, context) for entry in source["any"].sequence])


def _not(source: Source, context: Context) -> Condition:
    return negate(resolve_condition(source["not"], context))


_READERS: dict[str, Callable[[Source, Context], Condition]] = {
    "has": _has,
    "is": _is,
    "starts": _starts,
    "json": _json,
    "inexact": _inexact,
    "can": _can,
    "cannot": _cannot,
    "phase": _phase,
    "fact": _fact,
    "option": _option,
    "roles": _roles,
    "kind": _kind,
    "fits": _fits,
    "all": _all,
    "any": _any,
    "not": _not,
}
_BESIDE = ("meaning", "keys", "shape")
