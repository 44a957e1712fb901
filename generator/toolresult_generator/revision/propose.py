"""What to write for a new revision: an entry with its gaps, and the strict wire schema.

What is carried over needs no line: rules and forms hold on every revision unless they ask for a
capability. What is left to a person is a gap, and nothing is generated while one is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from toolresult_generator.findings import Finding, FindingsError, Place, quoted
from toolresult_generator.model.target import Target
from toolresult_generator.revision.changes import Kind
from toolresult_generator.revision.edit import (
    add_entries,
    check_added,
    plain_of,
    quoted_text,
    section_text,
)
from toolresult_generator.revision.likeness import snake
from toolresult_generator.revision.meaning import Judged, Weight, cells_told
from toolresult_generator.revision.trial import Trial

_MOST_TEXT = 600
_SCHEMA_LINE = "# yaml-language-server: $schema=../../generated/schema/spec/target.schema.json"


@dataclass(frozen=True)
class Capability:
    """Something that the new revision has, for conditions to ask for."""

    name: str
    meaning: str
    gap: str


@dataclass(frozen=True)
class Proposal:
    """Two files of a spec folder, by their paths in it."""

    target: str
    revision: str
    gaps: tuple[str, ...]
    """What is left to do, of the revision."""
    capabilities: tuple[Capability, ...]
    target_file: PurePosixPath
    target_text: str
    """The whole file."""
    entry: str
    """What is new in it."""
    wire_file: PurePosixPath
    wire_text: str


@dataclass(frozen=True)
class Basis:
    """What a proposal is made from."""

    spec: Path
    like: Target
    like_revision: str
    taken: frozenset[str]
    """Capabilities that the like target has."""
    source: str
    """The schema file, and its digest."""


def propose(
    basis: Basis,
    target: str,
    revision: str,
    judged: Sequence[Judged],
    trial: Trial,
    wire: dict[str, Any],
) -> Proposal:
    """The proposal.

    Raises FindingsError if there is such a revision already, or a file cannot be edited.
    """
    gaps = (*_gaps(judged), *_other_gaps(judged, trial))
    capabilities = tuple(_capabilities(judged, set(basis.taken)))
    like_file = _file_of(basis, basis.like.name)
    before = (basis.spec / like_file).read_text(encoding="utf-8")
    shown = (basis.spec / like_file).as_posix()
    if target == basis.like.name:
        file = like_file
        text, entry = _in_place(basis, before, shown, revision, gaps, capabilities)
    else:
        file = PurePosixPath(f"targets/{target}.yaml")
        if (basis.spec / file).exists():
            message = f"there is a target {quoted(target)} already"
            raise _refused((basis.spec / file).as_posix(), "same_name", message)
        text = _extending(basis, before, shown, target, revision, gaps, capabilities)
        entry = text
    wire_file = PurePosixPath(f"wire/{target}/{revision}.yaml")
    if (basis.spec / wire_file).exists():
        message = f"there is a wire schema of {quoted(f'{target}@{revision}')} already"
        raise _refused((basis.spec / wire_file).as_posix(), "same_name", message)
    return Proposal(
        target,
        revision,
        gaps,
        capabilities,
        file,
        text,
        entry,
        wire_file,
        _wire_text(basis, target, revision, wire),
    )


def _refused(place: str, code: str, message: str) -> FindingsError:
    return FindingsError([Finding(Place(place), code, message, "give another name with --as")])


def _file_of(basis: Basis, target: str) -> PurePosixPath:
    file = PurePosixPath(f"targets/{target}.yaml")
    if not (basis.spec / file).is_file():
        message = "the target is no YAML file, so nothing can be added to it"
        raise FindingsError(
            [Finding(Place((basis.spec / file).as_posix()), "missing_file", message)]
        )
    return file


def _gaps(judged: Iterable[Judged]) -> Iterator[str]:
    """What has to be looked at before the revision can be adopted."""
    for one in judged:
        fact = one.change.fact
        if not one.weight.must_look:
            continue
        told = f"{fact.detail} ({one.change.pointer})"
        if one.weight is Weight.BREAKS or one.change.kind in (
            Kind.RENAMED,
            Kind.MOVED_IN,
            Kind.MOVED_OUT,
        ):
            todo = _todo(one)
        elif one.change.kind in (Kind.REMOVED, Kind.KIND_REMOVED):
            todo = f"find out who says it now, and write that: {one.means}"
        elif one.weight is Weight.RISK:
            todo = f"say what becomes of a value that is not allowed: {one.means}"
        else:
            todo = "find out whether what we write is allowed"
        yield _short(f"{told}: {todo}")


def _other_gaps(judged: Sequence[Judged], trial: Trial) -> Iterator[str]:
    """What breaks for a reason that no change was found for: it must not go by unsaid."""
    if any(one.weight is Weight.BREAKS for one in judged):
        return
    told: dict[tuple[str, str], int] = {}
    for cell in trial.broken():
        for refusal in cell.refusals:
            key = (refusal.reason, refusal.rule)
            told[key] = told.get(key, 0) + 1
    for (reason, rule), cells in list(told.items())[:10]:
        yield _short(f"{reason} ({rule}), in {cells_told(cells)}: write what is allowed")


def _todo(one: Judged) -> str:
    forms = " and ".join(f"`{name}`" for name in one.forms) or "the output"
    name = one.change.fact.name
    if one.change.kind is Kind.REQUIRED:
        return f"write `{name}` wherever it is not written yet"
    if one.change.kind is Kind.REMOVED:
        return f"no longer write `{name}`; forms that do: {forms}"
    if one.change.kind in (Kind.RENAMED, Kind.MOVED_IN, Kind.MOVED_OUT):
        return f"write it the new way; forms that write the old one: {forms}"
    return f"write what is allowed; forms that write there: {forms}"


def _capabilities(judged: Iterable[Judged], taken: set[str]) -> Iterator[Capability]:
    """A capability for everything that could be used, equal names once."""
    named: dict[tuple[str, str], list[Judged]] = {}
    for one in judged:
        if one.chances:
            key = (_name_of(one), "")
            named.setdefault(key, []).append(one)
    for (wanted, _), group in named.items():
        name, number = wanted, 1
        while name in taken:
            number += 1
            name = f"{wanted}_{number}"
        taken.add(name)
        paths = list(dict.fromkeys(chance.path for one in group for chance in one.chances))
        places = list(dict.fromkeys(place for one in group for place in one.change.places))
        shown = ", ".join(paths[:6]) + (f" and {len(paths) - 6} more" if len(paths) > 6 else "")
        now = group[0].chances[0].now
        meaning = f"At {', '.join(places[:3])}: {group[0].change.fact.detail}."
        gap = f"let rules and forms of {shown} ask for it; today: {now}"
        yield Capability(name, _short(meaning), _short(gap))


def _name_of(one: Judged) -> str:
    fact = one.change.fact
    if one.change.kind is Kind.KIND_ADDED:
        name = f"{snake(fact.name)}_blocks"
    elif one.change.kind is Kind.METADATA:
        name = f"{snake(fact.name.rpartition('/')[2])}_key"
    elif one.change.kind is Kind.WIDENED:
        name = f"any_{snake(one.change.place.rpartition('/')[2])}"
    else:
        inside = "(" in one.change.place and one.change.fact.name.startswith("_")
        name = f"block_{snake(fact.name)}" if inside else snake(fact.name)
    name = re.sub(r"[^a-z0-9]+", "_", name).strip("_")[:50].strip("_")
    return name if re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) else "new_capability"


def _in_place(
    basis: Basis,
    before: str,
    shown: str,
    revision: str,
    gaps: tuple[str, ...],
    capabilities: tuple[Capability, ...],
) -> tuple[str, str]:
    known = plain_of(before, shown).get("revisions", {})
    if revision in known:
        message = f"{basis.like.name} has a revision {quoted(revision)} already"
        raise _refused(shown, "same_name", message)
    meaning = f"As {basis.like_revision}, but for its gaps and capabilities."
    entry = _revision_lines(revision, meaning, gaps)
    after = add_entries(before, "revisions", entry, after="revisions", shown=shown)
    added: dict[str, dict[str, Any]] = {"revisions": {revision: {"meaning": meaning}}}
    if gaps:
        added["revisions"][revision]["gaps"] = list(gaps)
    lines = _capability_lines(revision, capabilities)
    if lines:
        base = "phases" if "phases" in plain_of(before, shown) else "revisions"
        after = add_entries(after, "capabilities", lines, after=base, shown=shown)
        added["capabilities"] = {
            one.name: {"since": revision, "meaning": one.meaning, "gap": one.gap}
            for one in capabilities
        }
    check_added(before, after, added, shown)
    told = ["revisions:", *entry, *(["capabilities:", *lines] if lines else [])]
    return after, "\n".join(told) + "\n"


def _revision_lines(revision: str, meaning: str, gaps: tuple[str, ...]) -> list[str]:
    if not gaps:
        return [f"  {quoted_text(revision)}: {{meaning: {quoted_text(meaning)}}}"]
    lines = [f"  {quoted_text(revision)}:", f"    meaning: {quoted_text(meaning)}", "    gaps:"]
    return lines + [f"      - {quoted_text(gap)}" for gap in gaps]


def _capability_lines(revision: str, capabilities: tuple[Capability, ...]) -> list[str]:
    lines: list[str] = []
    for one in capabilities:
        lines += [
            f"  {one.name}:",
            f"    since: {quoted_text(revision)}",
            f"    meaning: {quoted_text(one.meaning)}",
            f"    gap: {quoted_text(one.gap)}",
        ]
    return lines


def _extending(
    basis: Basis,
    before: str,
    shown: str,
    target: str,
    revision: str,
    gaps: tuple[str, ...],
    capabilities: tuple[Capability, ...],
) -> str:
    """A target of its own, which takes over what the other one has."""
    like, plain = basis.like, plain_of(before, shown)
    meaning = f"As {like.name}@{basis.like_revision}, but for its gaps and capabilities."
    parts = [
        _SCHEMA_LINE,
        f"#\n# Proposed from {basis.source}.",
        f"# As {like.name}@{basis.like_revision}, where nothing else is said.\n",
        f"target: {target}",
        f"title: {quoted_text(f'{like.title}, from {revision}')}",
        f"meaning: {quoted_text(like.meaning)}",
        f"wire: {like.wire}",
        *([f"limit: {like.limit}"] if like.limit is not None else []),
        *([f"origin: {like.origin}"] if like.origin else []),
        f"extends: {like.name}@{basis.like_revision}\n",
        "revisions:",
        *_revision_lines(revision, meaning, gaps),
    ]
    if "phases" in plain:
        parts += ["", section_text(before, "phases")]
    if capabilities:
        parts += ["", "capabilities:", *_capability_lines(revision, capabilities)]
    parts += ["", section_text(before, "output")]
    if "reader" in plain:
        parts += ["", section_text(before, "reader")]
    text = "\n".join(parts) + "\n"
    plain_of(text, f"targets/{target}.yaml")
    return text


def _wire_text(basis: Basis, target: str, revision: str, wire: dict[str, Any]) -> str:
    head = [
        "# yaml-language-server: $schema=https://json-schema.org/draft/2020-12/schema",
        "#",
        f"# Derived from {basis.source}:",
        "# objects are closed, and stricter rules of our own are those of",
        f"# {basis.like.name}@{basis.like_revision}, where the new schema still allows them.",
        "# Conditions between members are not carried over.",
        "#",
        "# docs: ../../../docs/spec.md",
        "",
    ]
    body = yaml.dump(wire, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100)
    return "\n".join(head) + "\n" + body


class _Plain(yaml.SafeDumper):
    """Writes everything where it stands: a spec has no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _short(text: str) -> str:
    one = " ".join(text.split())
    return one if len(one) <= _MOST_TEXT else f"{one[: _MOST_TEXT - 1]}…"
