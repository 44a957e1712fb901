"""Rules: what becomes of every part and field on every revision and phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolresult_generator.findings import Place, did_you_mean, quoted
from toolresult_generator.load.node import Node as Source
from toolresult_generator.model.conditions import TRUE, resolve_condition
from toolresult_generator.model.context import Context, Faults
from toolresult_generator.model.nodes import setting
from toolresult_generator.model.result import Field, FieldKind, ResultSpec
from toolresult_generator.model.target import Cell, Rule, Status

_CONTAINERS = (FieldKind.RECORD, FieldKind.RECORDS, FieldKind.PARTS)


def leaf_paths(result: ResultSpec) -> tuple[str, ...]:
    """Every leaf of the result, in its order: ``content.image.name``, ``metadata.dry_run``."""
    return tuple(_leaves(result, "", result.record("result").fields))


def _leaves(result: ResultSpec, prefix: str, fields: tuple[Field, ...]) -> Iterator[str]:
    for field in fields:
        path = f"{prefix}{field.name}"
        if field.type.kind is FieldKind.PARTS:
            common = result.record("part").fields
            for kind in result.kinds:
                yield from _leaves(result, f"{path}.{kind.name}.", kind.fields + common)
        elif field.type.kind in _CONTAINERS and field.type.record:
            yield from _leaves(result, f"{path}.", result.record(field.type.record).fields)
        else:
            yield path


def cells(context: Context, missing: dict[str, list[str]]) -> tuple[Cell, ...]:
    """The cell of every leaf. ``missing`` is added to: the leaves without a rule, each with the
    revisions and phases that lack it."""
    applicable: dict[str, Rule] = {}
    rules = context.source.rules
    for key, source in rules.items():
        rule = _applicable(key, source, context)
        if rule is not None:
            applicable[key] = rule
    found: list[Cell] = []
    for path in leaf_paths(context.result):
        rule = next((applicable[key] for key in covering(path) if key in applicable), None)
        if rule is None:
            phase = f"/{context.phase}" if context.phase else ""
            missing.setdefault(path, []).append(f"{context.revision}{phase}")
            continue
        found.append(Cell(path, rule))
    return tuple(found)


def report_missing(
    target: str, missing: Mapping[str, list[str]], plans: int, place: Place, faults: Faults
) -> None:
    """A finding for the leaves without a rule: one for all of a part or record that lack it on the
    same of the ``plans``, since one rule can cover them."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for path, lacking in missing.items():
        groups.setdefault((path.rpartition(".")[0], tuple(lacking)), []).append(path)
    for (owner, where), paths in groups.items():
        what = paths[0]
        if len(paths) > 1:
            names = ", ".join(path.rpartition(".")[2] for path in paths)
            what = f"{owner} ({names})" if owner else names
        faults.add(
            place,
            "missing_rule",
            f"{what} has no rule of {target} on "
            + ("any revision" if len(where) == plans else ", ".join(where)),
            f"add one under rules, such as {owner if len(paths) > 1 and owner else paths[0]}: "
            "{status: …, how: …}",
        )


def covering(path: str) -> list[str]:
    """The keys that a rule for this leaf can have, the most specific first."""
    names = path.split(".")
    keys: list[str] = []
    for length in range(len(names), 0, -1):
        keys.append(".".join(names[:length]))
        if names[0] == "content" and length > 2:
            keys.append(".".join(["content", "*", *names[2:length]]))
    return keys


def _applicable(key: str, source: Source, context: Context) -> Rule | None:
    alternatives = source.sequence if source.kind == "array" else (source,)
    for number, alternative in enumerate(alternatives):
        if resolve_condition(alternative.get("when"), context) != TRUE:
            context.usage.skipped.setdefault(alternative.place)
            continue
        context.usage.taken.add(alternative.place)
        for later in alternatives[number + 1 :]:
            context.usage.shadowed.setdefault(later.place)
        status, how = alternative.get("status"), alternative.get("how")
        sometimes = alternative.get("sometimes")
        return Rule(
            key,
            Status(status.text if status is not None else None),
            setting((how.text if how is not None else None) or "", context),
            _texts(alternative, "lost"),
            Status(sometimes.text) if sometimes is not None else None,
            _texts(alternative, "also"),
            _texts(alternative, "never"),
        )
    return None


def _texts(source: Source, key: str) -> tuple[str, ...]:
    node = source.get(key)
    return tuple(entry.text or "" for entry in node.sequence) if node is not None else ()


def check_rule_keys(context: Context) -> None:
    """A finding for every rule that no leaf of the result falls under, and for bad ``lost``."""
    leaves = leaf_paths(context.result)
    known = {key for leaf in leaves for key in covering(leaf)}
    for key, source in context.source.rules.items():
        if key not in known:
            context.faults.add(
                source.place,
                "unknown_rule",
                f"{quoted(key)} is no part or field of the result",
                did_you_mean(key, known),
            )
            continue
        for alternative in source.sequence if source.kind == "array" else (source,):
            lost = alternative.get("lost")
            for entry in lost.sequence if lost is not None else ():
                if f"{key}.{entry.text}" not in known:
                    context.faults.add(
                        entry.place,
                        "unknown_path",
                        f"{quoted(key)} has no field {quoted(entry.text or '')}",
                    )
