"""Stage 3, model, for the targets: documents to plans and readers, every rule resolved.

Faults that a schema cannot say (a path that leads nowhere, a part without a
rule, a form that nothing uses) are found on the way and all returned; a target
with faults is not to be used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toolresult_generator.findings import Finding, did_you_mean, quoted
from toolresult_generator.load.node import Node as Source
from toolresult_generator.model.context import Context, Faults, TargetSource, Usage
from toolresult_generator.model.invert import (
    NotReadableError,
    find_forms,
    merge_shapes,
    shapes_of,
)
from toolresult_generator.model.nodes import hook, resolve_form
from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.rules import cells, check_rule_keys, report_missing
from toolresult_generator.model.target import (
    Form,
    FormCall,
    Implied,
    Plan,
    Reader,
    ReadForm,
    RevisionReader,
    Target,
)
from toolresult_generator.model.written import forgotten


def build_targets(
    result: ResultSpec, documents: Mapping[str, Source]
) -> tuple[tuple[Target, ...], tuple[Finding, ...]]:
    """The targets, in the order of their names, and what is wrong with them, sorted."""
    faults, usage = Faults(), Usage()
    sources = build_sources_of(documents, faults)
    targets = [
        _target(result, sources, source, faults, usage) for _, source in sorted(sources.items())
    ]
    if not faults.found:  # what a fault hides would look as if nothing used it
        _unused(sources, usage, faults)
        for target in targets:
            _check_forgotten(target, sources[target.name], faults)
    return tuple(targets), tuple(sorted(faults.found))


def build_sources_of(documents: Mapping[str, Source], faults: Faults) -> dict[str, TargetSource]:
    """The sources by the name that each document gives itself."""
    from toolresult_generator.model.sources import build_sources

    named: dict[str, Source] = {}
    for file_name, root in documents.items():
        target = root.get("target")
        name = target.text if target is not None else None
        if name != file_name:
            place = target.place if target is not None else root.place
            faults.add(
                place,
                "bad_name",
                f"the file is named {quoted(file_name)}",
                "give both the same name",
            )
        named[file_name] = root
    return build_sources(named, faults)


def _target(
    result: ResultSpec,
    sources: Mapping[str, TargetSource],
    source: TargetSource,
    faults: Faults,
    usage: Usage,
) -> Target:
    memo: dict[object, Form | None] = {}
    plans: list[Plan] = []
    missing: dict[str, list[str]] = {}
    for revision in source.revisions:
        for phase in source.phases or (None,):
            can = source.capabilities.at(revision)
            context = Context(result, sources, source, revision, phase, can, faults, usage, memo)
            output = resolve_form(source.root["output"], context)
            if output is None:
                faults.add(
                    source.root["output"].place,
                    "ambiguous_node",
                    f"the output says nothing on revision {revision}",
                )
                continue
            plans.append(
                Plan(
                    source.name,
                    revision,
                    phase,
                    output,
                    cells(context, missing),
                    tuple(sorted(can)),
                )
            )
            if len(plans) == 1:
                check_rule_keys(context)
    root = source.root
    rules = root.get("rules") or root
    report_missing(source.name, missing, len(plans), rules.place, faults)
    _check_revisions(source, faults)
    _check_origin(result, root, faults)
    return Target(
        name=source.name,
        title=_text(root, "title"),
        meaning=_text(root, "meaning"),
        revisions=source.revisions,
        phases=tuple((name, _text(node, "meaning")) for name, node in _items(root, "phases")),
        wire=_text(root, "wire"),
        limit=_limit(root),
        origin=_text(root, "origin") or None,
        plans=tuple(plans),
        readers=_readers(result, source, plans, faults, usage, sources),
    )


def _check_origin(result: ResultSpec, root: Source, faults: Faults) -> None:
    origin = root.get("origin")
    known = [f.name for record in result.records if record.name == "foreign" for f in record.fields]
    if origin is not None and origin.text not in known:
        message = f"the record foreign has no field {quoted(origin.text or '')}"
        faults.add(origin.place, "unknown_path", message, did_you_mean(origin.text or "", known))


def _check_forgotten(target: Target, source: TargetSource, faults: Faults) -> None:
    """A finding for every leaf that has a rule by which it arrives, and no form that writes it."""
    rules = source.root.get("rules") or source.root
    lacking: dict[str, list[Plan]] = {}
    for plan in target.plans:
        for path in forgotten(plan):
            lacking.setdefault(path, []).append(plan)
    for path, plans in lacking.items():
        where = ", ".join(plan.label.partition("@")[2] for plan in plans)
        own = rules.get(plans[0].cell(path).rule.key)
        faults.add(
            (own or rules).place,
            "forgotten_field",
            f"{path} is to arrive, and no form of {target.name} reads it on "
            + (where if len(plans) < len(target.plans) else "any revision"),
            f"write it in a form of the output, or give it a rule such as {path}: "
            "{status: not expressible, how: …}",
        )


def _check_revisions(source: TargetSource, faults: Faults) -> None:
    """A finding for revisions that differ in punctuation alone: classes are named after them."""
    seen: dict[str, str] = {}
    for revision in source.revisions:
        name = "".join(c for c in revision if c.isalnum())
        first = seen.setdefault(name, revision)
        if first != revision:
            faults.add(
                source.root["revisions"].place,
                "name_collision",
                f"the revisions {quoted(first)} and {quoted(revision)} give the same class names",
                "let them differ in letters or digits",
            )


def _readers(
    result: ResultSpec,
    source: TargetSource,
    plans: list[Plan],
    faults: Faults,
    usage: Usage,
    sources: Mapping[str, TargetSource],
) -> tuple[RevisionReader, ...]:
    node = source.root.get("reader")
    across = (
        node is not None
        and (value := node.get("across_revisions")) is not None
        and value.value is True
    )
    groups = [source.revisions] if across else [(revision,) for revision in source.revisions]
    readers: list[RevisionReader] = []
    for group in groups:
        members = [plan for plan in plans if plan.revision in group]
        names = frozenset(_names(node, "forms"))
        forms = [form for plan in members for form in find_forms(FormCall(plan.output), names)]
        if node is None:
            forms = [plan.output for plan in members]
        read_hook, read_forms = None, _read_forms(forms, _implied(node), source, faults)
        if node is not None and "adapter" in node:
            context = Context(
                result, sources, source, group[0], None, frozenset(), faults, usage, {}
            )
            read_hook = hook(node, context, _text(node, "subject") or "wire", read_forms)
        reader = Reader(read_hook, read_forms)
        for name in sorted(names - {form.name for form in reader.forms}):
            assert node is not None
            faults.add(
                node.place, "unknown_form", f"the output has no form {quoted(name)} to read back"
            )
        readers.append(RevisionReader(tuple(group), reader))
    return tuple(readers)


def _read_forms(
    forms: Iterable[Form], implied: tuple[Implied, ...], source: TargetSource, faults: Faults
) -> tuple[ReadForm, ...]:
    by_name: dict[str, list[Form]] = {}
    for form in forms:
        known = by_name.setdefault(form.name, [])
        if form not in known:
            known.append(form)
    found: list[ReadForm] = []
    for name, variants in by_name.items():
        try:
            shapes = merge_shapes([shape for variant in variants for shape in shapes_of(variant)])
        except NotReadableError as error:
            place = source.forms[name].place if name in source.forms else source.root.place
            faults.add(place, "not_readable", str(error), error.advice)
            shapes = ()
        some_kind = any(shape.kind for shape in shapes)
        found.append(ReadForm(name, variants[-1].meaning, shapes, implied if some_kind else ()))
    return tuple(found)


def _implied(node: Source | None) -> tuple[Implied, ...]:
    found: list[Implied] = []
    for kind, rule in _items(node, "implied") if node is not None else []:
        for field, prefixes in rule.items():
            found.append(
                Implied(kind, field, tuple(entry.text or "" for entry in prefixes.sequence))
            )
    return tuple(found)


def _unused(sources: Mapping[str, TargetSource], usage: Usage, faults: Faults) -> None:
    left = {
        name
        for source in sources.values()
        for name, capability in _items(source.root, "capabilities")
        if capability.get("gap") is not None
    }
    for source in sources.values():
        own_forms = source.root.get("forms")
        for name, form in own_forms.items() if own_forms is not None else ():
            if form.place not in usage.forms:
                faults.add(
                    form.place,
                    "unused_form",
                    f"nothing leads to the form {quoted(name)}",
                    "remove it, or use it",
                )
        for name in source.capabilities.holds:
            users = {owner for owner, used in usage.capabilities if used == name}
            if not users and name not in left:  # a gap says as much itself
                owner = _capability_place(source, name)
                faults.add(
                    owner.place,
                    "lacking_capability",
                    f"no condition asks for {quoted(name)}",
                    "remove it",
                )
    for place in usage.shadowed:
        if place not in usage.taken:
            faults.add(
                place,
                "unused_rule",
                "an alternative before it always applies, so it never does",
                "put it before that one, or remove it",
            )
    for place in usage.skipped:
        if place not in usage.taken and place not in usage.shadowed:
            faults.add(
                place,
                "lacking_capability",
                "no revision and phase has what this asks for, so it never applies",
                "remove it, or correct its conditions",
            )


def _capability_place(source: TargetSource, name: str) -> Source:
    capabilities = source.root.get("capabilities")
    node = capabilities.get(name) if capabilities is not None else None
    return node if node is not None else source.root


def _items(root: Source, key: str) -> list[tuple[str, Source]]:
    node = root.get(key)
    return list(node.items()) if node is not None else []


def _names(node: Source | None, key: str) -> list[str]:
    names = node.get(key) if node is not None else None
    return [entry.text or "" for entry in names.sequence] if names is not None else []


def _text(root: Source, key: str) -> str:
    node = root.get(key)
    return (node.text if node is not None else None) or ""


def _limit(root: Source) -> int | None:
    node = root.get("limit")
    return node.value if node is not None and isinstance(node.value, int) else None
