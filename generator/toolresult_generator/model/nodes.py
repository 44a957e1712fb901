"""Output forms of the spec, resolved for one revision and phase."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from toolresult_generator.findings import did_you_mean, quoted
from toolresult_generator.load.node import Node as Source
from toolresult_generator.model.conditions import (
    FALSE,
    TEXTS,
    TRUE,
    conjunction,
    member_keys,
    member_shape,
    resolve_condition,
)
from toolresult_generator.model.context import MAX_NESTING, MAX_SIZE, Context, TargetSource
from toolresult_generator.model.digest import digest_of
from toolresult_generator.model.paths import item_fields, resolve_path
from toolresult_generator.model.result import FieldKind
from toolresult_generator.model.target import (
    Branch,
    Case,
    Choose,
    Condition,
    Const,
    Convert,
    FieldValue,
    ForeignMember,
    ForeignRest,
    Form,
    FormCall,
    Hook,
    Item,
    JsonText,
    Keys,
    KindBranch,
    List,
    Markers,
    Member,
    Node,
    Object,
    OptionValue,
    Path,
    ReadForm,
    Roles,
    Spread,
)
from toolresult_generator.model.tree import nodes_in

CONVERSIONS: dict[str, tuple[str, ...]] = {
    "bytes_text": ("kind", "data", "mime_type", "name"),
    "link_text": ("uri", "name", "mime_type", "size", "description"),
    "embedded_text": ("uri", "mime_type", "text", "data"),
    "link_name": ("uri",),
    "content_address": ("data", "mime_type"),
    "digest_id": (),
}
"""Named conversions to a text, and the item's fields that they take; none: the whole result."""
_WRITTEN_AS_LIST = {FieldKind.RECORDS, FieldKind.PARTS, FieldKind.RECORD}


def resolve_form(source: Source, context: Context) -> Form | None:
    """The form that a ``form`` node names: of this target, or ``target@revision/form`` of another.

    None where the form writes nothing on this revision, or is not there (with a finding).
    """
    reference = source["form"].text or ""
    context, name = _follow(reference, source, context)
    form = context.source.forms.get(name)
    if form is None:
        context.faults.add(
            source["form"].place,
            "unknown_form",
            f"the target has no form {quoted(name)}",
            did_you_mean(name, context.source.forms),
        )
        return None
    if context.is_inside("form", name):
        context.faults.add(
            source["form"].place, "recursive_form", f"the form {quoted(name)} contains itself"
        )
        return None
    if context.is_too_deep(source):
        return None
    context.usage.forms.add(form.place)
    key = (
        context.source.name,
        name,
        context.revision,
        context.phase,
        context.can,
        context.item,
        context.kinds,
        context.in_text,
        context.embedded,
    )
    if key not in context.memo:
        node = resolve_node(form, context.entering("form", name))
        meaning = form.get("meaning")
        made = (
            None
            if node is None
            else Form(name, (meaning.text if meaning else None) or name, node, context.kinds)
        )
        context.memo[key] = None if made is None or _is_too_large(made, form, context) else made
    return context.memo[key]


def _is_too_large(form: Form, source: Source, context: Context) -> bool:
    """Whether a form comes to too many nodes with all that it calls; then with a finding.

    Forms that call others twice double in size at every level, and what walks over them later
    follows every call.
    """
    sizes = context.usage.sizes
    size = sum(
        sizes.get(id(node.form), 1) if isinstance(node, FormCall) else 1 for node in nodes_in(form)
    )
    if size > MAX_SIZE:
        message = f"the form comes to more than {MAX_SIZE} nodes"
        context.faults.add(source.place, "too_many_nodes", message, "call fewer forms")
        return True
    sizes[id(form)] = size
    return False


def resolve_node(source: Source, context: Context, *, beside: tuple[str, ...] = ()) -> Node | None:
    """What a node writes, or None where that is nothing on this revision and phase."""
    if not context.usage.step(source.place, context.faults):
        return None
    found = [name for name in _READERS if name in source]
    if "foreign" in source and "keys" in source:
        found = ["foreign"]
    known = {*_READERS, *_ATTRIBUTES, *beside}
    extra = [str(key) for key in source.mapping if key not in known]
    if len(found) != 1 or extra:
        context.faults.add(
            source.place,
            "unknown_key" if extra else "ambiguous_node",
            f"unknown key {quoted(extra[0])}"
            if extra
            else "a node says exactly one of " + ", ".join(_READERS),
            did_you_mean(extra[0], known) if extra else "",
        )
        return None
    condition = resolve_condition(source.get("when"), context)
    if condition == FALSE:
        context.usage.skipped.setdefault(source.place)
        return None
    context.usage.taken.add(source.place)
    node = _READERS[found[0]](source, context)
    if node is None or condition == TRUE:
        return node
    return Choose((Branch(condition, node),))


def _follow(reference: str, source: Source, context: Context) -> tuple[Context, str]:
    """The context that a reference to another target's form leads to, and the form's name."""
    if "/" not in reference:
        return context, reference
    where, name = reference.rsplit("/", 1)
    target, _, revision = where.partition("@")
    other = context.sources.get(target)
    if other is None or revision not in other.revisions:
        context.faults.add(
            source.place,
            "unknown_target" if other is None else "unknown_revision",
            f"there is no {quoted(where)}",
            did_you_mean(target, context.sources)
            if other is None
            else did_you_mean(revision, other.revisions),
        )
        return context, reference
    can = _overridden(other, revision, source.get("with"), context)
    phase = context.phase if context.phase in other.phases else None
    embedded = context.embedded or context.in_text
    return replace(
        context, source=other, revision=revision, phase=phase, can=can, embedded=embedded
    ), name


def _overridden(
    source: TargetSource, revision: str, overrides: Source | None, context: Context
) -> frozenset[str]:
    can = set(source.capabilities.at(revision))
    for name, value in overrides.items() if overrides is not None else ():
        if name not in source.capabilities.holds:
            context.faults.add(
                value.place,
                "unknown_capability",
                f"{source.name} has no capability {quoted(name)}",
                did_you_mean(name, source.capabilities.holds),
            )
        (can.add if value.value is True else can.discard)(name)
    return frozenset(can)


# ------------------------------------------------------------ leaves


def _const(source: Source, context: Context) -> Node:
    plain = source["const"].to_plain()
    if _is_deep(plain):
        context.faults.add(
            source["const"].place,
            "too_deep",
            f"the constant is nested deeper than {MAX_CONST_DEPTH}",
            "no language's source can nest so deep",
        )
        return Const("null")
    return Const(canonical_text(_substitute(plain, context)))


MAX_CONST_DEPTH = 50
"""How deep a constant may nest. CPython, for one, refuses 200 brackets in its source."""


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(MAX_CONST_DEPTH + 1):
        level = [
            entry
            for one in level
            if isinstance(one, (dict, list))
            for entry in (one.values() if isinstance(one, dict) else one)
        ]
    return bool(level)


def canonical_text(value: object) -> str:
    """The canonical JSON of a constant in the spec (text, integer, boolean, null, container)."""
    return json.dumps(_ordered(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _ordered(value: object) -> object:
    """The value with keys in the order of RFC 8785: by UTF-16 code units."""
    if isinstance(value, list):
        return [_ordered(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    return {key: _ordered(value[key]) for key in sorted(value, key=lambda k: k.encode("utf-16-be"))}


def _substitute(value: object, context: Context) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)  # 1.0 is the integer that its canonical text shows
    if isinstance(value, str):
        return setting(value, context)
    if isinstance(value, list):
        return [_substitute(entry, context) for entry in value]
    if isinstance(value, dict):
        return {setting(key, context): _substitute(entry, context) for key, entry in value.items()}
    return value


def setting(text: str, context: Context) -> str:
    """The text with the settings of the spec filled in."""
    return text.replace("{namespace}", context.result.namespace).replace(
        "{a2a_extension}", context.result.a2a_extension
    )


def _field(source: Source, context: Context) -> Node | None:
    path = resolve_path(source["field"], context)
    if path is None:
        return None
    if path.leaf.type is None:
        return FieldValue(path)
    if path.leaf.type.kind in _WRITTEN_AS_LIST:
        context.faults.add(
            source["field"].place,
            "bad_path",
            f"{quoted(path.text)} is no single value",
            "write an object of its fields, or a list with each",
        )
        return None
    return FieldValue(path)


def _convert(source: Source, context: Context) -> Node | None:
    name = source["convert"].text or ""
    if name not in CONVERSIONS:
        context.faults.add(
            source["convert"].place,
            "unknown_conversion",
            f"there is no conversion {quoted(name)}",
            did_you_mean(name, CONVERSIONS),
        )
        return None
    prefix = source.get("prefix")
    return Convert(
        name,
        tuple(_argument(field, source["convert"], context) for field in CONVERSIONS[name]),
        (prefix.text if prefix is not None else None) or "",
    )


def _argument(field: str, source: Source, context: Context) -> Path | Const | None:
    """The field of the item that a conversion takes; None where the item has no such field."""
    if field == "kind" and len(context.kinds) == 1:
        return Const(canonical_text(context.kinds[0]))
    if field not in item_fields(context):
        return None
    return resolve_path(Source(f"item.{field}", source.place), context)


def _option(source: Source, context: Context) -> Node | None:
    name = source["option"].text or ""
    if name not in TEXTS:
        context.faults.add(
            source["option"].place,
            "bad_value",
            f"a request has no text option {quoted(name)}",
            did_you_mean(name, TEXTS),
        )
        return None
    return OptionValue(name)


def _json(source: Source, context: Context) -> Node | None:
    node = resolve_node(source["json"], replace(context, in_text=True))
    return None if node is None else JsonText(node)


def _roles(source: Source, context: Context) -> Node:
    return Roles()


def _markers(source: Source, context: Context) -> Node:
    return Markers()


def _keys(source: Source, context: Context) -> Node | None:
    path = resolve_path(source["keys"], context)
    return None if path is None else Keys(path)


def _foreign(source: Source, context: Context) -> Node | None:
    path = resolve_path(source["foreign"], context)
    if path is None:
        return None
    return ForeignMember(path, member_keys(source), member_shape(source, context))


def _rest(source: Source, context: Context) -> Node | None:
    path = resolve_path(source["rest"], context)
    if path is None:
        return None
    without = source.get("without")
    entries = without.sequence if without is not None else ()
    places = tuple(
        (member_keys(entry), member_shape(entry, context))
        for entry in entries
        if resolve_condition(entry.get("when"), context) == TRUE
    )
    return ForeignRest(path, places) if places else FieldValue(path)


def _adapter(source: Source, context: Context) -> Node:
    return hook(source, context, "item" if context.item else "result")


def hook(source: Source, context: Context, subject: str, handed: tuple[ReadForm, ...] = ()) -> Hook:
    """A hook, with the digest of all that matters to whoever fills it.

    That is its name, what it is given, the rule's text, and for a reader the forms it is handed:
    their names and the shapes that they read.
    """
    rule = source.get("rule")
    text = setting((rule.text if rule is not None else None) or "", context)
    name = source["adapter"].text or ""
    return Hook(name, subject, text, digest_of(name, subject, text, handed))


# -------------------------------------------------------- containers


def _object(source: Source, context: Context) -> Node | None:
    members, spreads = _members(source, context, ())
    if not members and not spreads:
        return None
    exact = source.get("exact")
    return Object(
        members=tuple(members),
        spreads=tuple(spreads),
        canonical=_on(source, "canonical"),
        omit_empty=_omits_empty(source),
        exact_key=None if exact is None else setting(exact.text or "", context),
        marked=_on(source, "marked"),
    )


def _members(
    source: Source, context: Context, inside: tuple[str, ...]
) -> tuple[list[Member], list[Spread]]:
    members: list[Member] = []
    spreads: list[Spread] = []
    _include(source.get("include"), context, inside, members, spreads)
    for key, child in source["object"].items() if "object" in source else ():
        member = _member(setting(key, context), child, context)
        if member is not None:
            members.append(member)
    for entry in source["spread"].sequence if "spread" in source else ():
        spread = _spread(entry, context)
        if spread is not None:
            spreads.append(spread)
    _include(source.get("include_after"), context, inside, members, spreads)
    return members, spreads


def _include(
    names: Source | None,
    context: Context,
    inside: tuple[str, ...],
    members: list[Member],
    spreads: list[Spread],
) -> None:
    for entry in names.sequence if names is not None else ():
        if not context.usage.step(entry.place, context.faults):
            return
        where, name = _follow(entry.text or "", entry, context)
        form = where.source.forms.get(name)
        if form is None or name in inside or len(inside) > MAX_NESTING:
            context.faults.add(
                entry.place,
                "unknown_form" if form is None else "recursive_form",
                f"there is no form {quoted(name)}"
                if form is None
                else f"{quoted(name)} includes itself",
                did_you_mean(name, where.source.forms) if form is None else "",
            )
            continue
        context.usage.forms.add(form.place)
        more_members, more_spreads = _members(form, where, (*inside, name))
        members.extend(more_members)
        spreads.extend(more_spreads)


def _member(key: str, source: Source, context: Context) -> Member | None:
    node = resolve_node(source, context)
    if node is None:
        return None
    if isinstance(node, Choose) and len(node.branches) == 1 and node.branches[0].when is not None:
        return Member(key, node.branches[0].node, node.branches[0].when)
    return Member(key, node)


def _spread(source: Source, context: Context) -> Spread | None:
    path = resolve_path(source["field"], context)
    if path is None:
        return None
    reserved = source.get("reserved")
    entries = reserved.sequence if reserved is not None else ()
    return Spread(
        path,
        member_keys(source),
        tuple(setting(entry.text or "", context) for entry in entries),
        context.embedded or _on(source, "copy"),
    )


def _list(source: Source, context: Context) -> Node | None:
    items = [_item(entry, context) for entry in source["list"].sequence]
    kept = tuple(item for item in items if item is not None)
    fallback = source.get("if_empty")
    if not kept and fallback is None:
        return None
    return List(
        kept,
        None if fallback is None else _item(fallback, context),
        _omits_empty(source),
        _on(source, "layout"),
    )


def _item(source: Source, context: Context) -> Item | None:
    each = source.get("each")
    path = None
    inner = context
    if each is not None:
        path = resolve_path(each, context)
        if path is None or path.leaf.type is None:
            return None
        if path.leaf.type.kind is FieldKind.PARTS:
            inner = context.with_item("part", tuple(kind.name for kind in context.result.kinds))
        else:
            inner = context.with_item(path.leaf.type.record)
    node = resolve_node(source, inner, beside=("each", "role", "marker"))
    if node is None:
        return None
    when: Condition | None = None
    if isinstance(node, Choose) and len(node.branches) == 1 and "when" in source:
        when, node = node.branches[0].when, node.branches[0].node
    role, marker = source.get("role"), source.get("marker")
    return Item(
        node,
        when,
        path,
        role.text if role is not None else None,
        None if marker is None else resolve_form(_form_node(marker), inner),
    )


def _form_node(name: Source) -> Source:
    """The same as ``{form: NAME}`` for a key that takes the bare name of a form."""
    return Source({"form": name}, name.place, {"form": name.place})


def _form(source: Source, context: Context) -> Node | None:
    form = resolve_form(source, context)
    return None if form is None else FormCall(form)


def _choose(source: Source, context: Context) -> Node | None:
    branches: list[Branch] = []
    for entry in source["choose"].sequence:
        condition = resolve_condition(entry.get("when"), context)
        decided = any(branch.when in (None, condition) for branch in branches)
        if condition == FALSE or decided:
            unused = context.usage.shadowed if decided else context.usage.skipped
            unused.setdefault(entry.place)
            continue
        node = resolve_node(entry, context)
        if node is None:
            continue
        if isinstance(node, Choose) and len(node.branches) == 1 and "when" in entry:
            node = node.branches[0].node
        branches.append(Branch(None if condition == TRUE else condition, node))
    if not branches:
        return None
    if branches[0].when is None:
        return branches[0].node
    return Choose(tuple(branches))


def _case(source: Source, context: Context) -> Node | None:
    if context.item != "part":
        context.faults.add(
            source.place, "bad_path", "there is no part here", "use it below each: content"
        )
        return None
    cases = source["case"]
    known = [kind.name for kind in context.result.kinds]
    for key in cases.mapping:
        if key not in known:
            context.faults.add(
                cases.key_place(key),
                "unknown_key",
                f"there is no part kind {quoted(str(key))}",
                did_you_mean(str(key), known),
            )
    missing = [name for name in known if name not in cases]
    for name in missing:
        context.faults.add(
            cases.place,
            "missing_kind",
            f"the case has no alternative for the part kind {quoted(name)}",
            f"add {name}: with what is written for it, on every revision",
        )
    branches: list[KindBranch] = []
    for name in context.kinds:
        if name in missing:
            continue
        node = resolve_node(cases[name], context.with_item("part", (name,)))
        if node is not None:
            branches.append(KindBranch(name, node))
    if len(branches) == 1 and len(context.kinds) == 1:
        return branches[0].node
    return Case(tuple(branches)) if branches else None


def _on(source: Source, key: str) -> bool:
    node = source.get(key)
    return node is not None and node.value is True


def _omits_empty(source: Source) -> bool:
    node = source.get("empty")
    return node is not None and node.text == "omit"


def both(first: Condition | None, second: Condition | None) -> Condition | None:
    """The conjunction of two conditions that may be absent."""
    joined = conjunction([condition for condition in (first, second) if condition is not None])
    return None if joined == TRUE else joined


_READERS: dict[str, Callable[[Source, Context], Node | None]] = {
    "const": _const,
    "field": _field,
    "convert": _convert,
    "option": _option,
    "json": _json,
    "roles": _roles,
    "markers": _markers,
    "keys": _keys,
    "foreign": _foreign,
    "rest": _rest,
    "object": _object,
    "list": _list,
    "form": _form,
    "choose": _choose,
    "case": _case,
    "adapter": _adapter,
}
_ATTRIBUTES = (
    "when",
    "meaning",
    "marked",
    "prefix",
    "shape",
    "without",
    "include",
    "include_after",
    "spread",
    "canonical",
    "empty",
    "exact",
    "if_empty",
    "layout",
    "with",
    "rule",
    "subject",
    "copy",
    "reserved",
)
