"""Names that collide or are reserved in one of the languages that are generated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolresult_generator.check.context import Context
from toolresult_generator.check.result_rules import PART, ROOT
from toolresult_generator.findings import Finding, Place, quoted
from toolresult_generator.languages.base import Language, NameUse
from toolresult_generator.load import Node

Scope = list[tuple[str, NameUse, Place]]
"""Names that stand side by side in generated code."""


def check(context: Context) -> Iterable[Finding]:
    """Each scope of the spec in each language."""
    scopes: list[Scope] = []
    if context.spec.result is not None:
        scopes += result_scopes(context.spec.result.root)
    scopes.append(
        [(document.name, NameUse.TARGET, Place(document.file)) for document in context.spec.targets]
    )
    for language in context.languages:
        for scope in scopes:
            yield from check_scope(scope, language)


def result_scopes(root: Node) -> Iterator[Scope]:
    """The scopes that the result document makes."""
    records, kinds = root.get("records"), root.get("kinds")
    classes: Scope = []
    common: Scope = []
    if records is not None:
        # the common fields of parts become no class: they are members of each kind's
        classes += [entry for entry in _keys(records, NameUse.RECORD) if entry[0] != PART]
        for name, record in records.items():
            use = NameUse.RESULT_FIELD if name == ROOT else NameUse.FIELD
            fields = _keys(record.get("fields"), use)
            if name == PART:
                common = fields
            yield fields
            yield from _choices(record)
    if kinds is not None:
        classes += _keys(kinds, NameUse.KIND)
        for _, kind in kinds.items():
            own = _keys(kind.get("fields"), NameUse.FIELD)
            names = {name for name, _, _ in own}
            # a common field repeated in a kind is found by another check
            yield own + [entry for entry in common if entry[0] not in names]
            yield from _choices(kind)
    yield classes + _choice_classes(records, kinds)
    yield _keys(root.get("error_codes"), NameUse.ERROR_CODE)


def check_scope(scope: Scope, language: Language) -> Iterator[Finding]:
    """Reserved names in a scope, and names that the language's spelling makes equal."""
    seen: dict[str, tuple[str, Place]] = {}
    for name, use, place in scope:
        spelt = language.convert(name, use)
        reason = language.reserved(spelt, use)
        if reason is not None:
            message = f"{quoted(spelt)} {reason} in {language.name}"
            yield Finding(place, "reserved_name", message, "choose another name")
        first = seen.setdefault(spelt, (name, place))
        if first[1] != place:
            message = f"{quoted(name)} and {quoted(first[0])} are both {spelt} in {language.name}"
            advice = f"the other one is at {first[1]}"
            yield Finding(place, "name_collision", message, advice)


def _keys(node: Node | None, use: NameUse) -> Scope:
    if node is None:
        return []
    return [(str(key), use, node.key_place(key)) for key in node.mapping]


def _choice_classes(*groups: Node | None) -> Scope:
    """The enumerations: each choice becomes a class named as its field, shared by equal ones."""
    found: dict[str, Place] = {}
    for group in groups:
        for _, owner in group.items() if group is not None else ():
            fields = owner.get("fields")
            for name, field in fields.items() if fields is not None else ():
                if fields is not None and field.get("choices") is not None:
                    found.setdefault(name, fields.key_place(name))
    return [(name, NameUse.RECORD, place) for name, place in found.items()]


def _choices(owner: Node) -> Iterator[Scope]:
    fields = owner.get("fields")
    if fields is None:
        return
    for _, field in fields.items():
        choices = field.get("choices")
        if choices is not None:
            distinct = {entry.text: entry for entry in reversed(choices.sequence)}
            yield [(t, NameUse.CHOICE, entry.place) for t, entry in distinct.items() if t]
