"""The result document against its last published version: it may grow, and nothing else.

A reader of any age must be able to read what a writer of the same format version wrote. So no
field, code or kind changes, none goes, and a new one comes with a new format version.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from toolresult_generator.check.context import Context
from toolresult_generator.check.structure import place_of_key
from toolresult_generator.findings import Finding, Place, quoted
from toolresult_generator.load import Node, git
from toolresult_generator.load.file import load_bytes, read_bytes
from toolresult_generator.load.limits import MAX_BYTES
from toolresult_generator.load.spec import RESULT_FILE

FIXED = {
    "fields": (
        *("type", "required", "since", "non_empty", "omit_empty"),
        *("minimum", "maximum", "choices", "record", "keys"),
    ),
    "kinds": ("since", "one_of"),
    "error_codes": ("since", "default"),
}
"""What may not change once it was published. Texts for people may."""

_DEFAULTS = {"required": False, "non_empty": False, "omit_empty": False, "default": False}
_LAST_COMMIT = "HEAD"


class _NothingOlderError(Exception):
    """There is no older document to compare with, since there is none yet. The message says why."""


class _NoRevisionError(Exception):
    """The version to compare with was asked for and cannot be read."""


def check(context: Context) -> Iterable[Finding]:
    """What changed since the version that was named, or since the last commit.

    That there is none is no finding, since every spec has a first version, but it is noted.
    """
    document = context.spec.result
    try:
        old = _old_document(context.spec.folder, context.against)
    except _NoRevisionError as error:
        if document is not None:
            place = Place(context.against or _LAST_COMMIT)
            yield Finding(place, "bad_revision", str(error), "name a git revision or a spec folder")
        return
    except _NothingOlderError as error:
        context.nothing_older = str(error)
        return
    if document is not None:
        yield from compare(old, document.root)


def compare(old: Node, new: Node) -> Iterator[Finding]:
    """The findings of a result document against an older one. Faults of shape are passed over."""
    last = max((int(n) for n, _ in _items(old, "format_versions") if n.isdecimal()), default=0)
    for name, _ in _items(old, "format_versions"):
        if name not in dict(_items(new, "format_versions")):
            place = place_of_key(new, "format_versions")
            yield _removed(place, f"the format version {name}")
    yield from _group(old, new, "error_codes", "the code", last)
    yield from _group(old, new, "kinds", "the kind", last)
    new_kinds = dict(_items(new, "kinds"))
    for name, kind in _items(old, "kinds"):
        if name in new_kinds:
            yield from _group(kind, new_kinds[name], "fields", f"{name}: the field", last)
    new_records = dict(_items(new, "records"))
    for name, record in _items(old, "records"):
        if name not in new_records:
            yield _removed(place_of_key(new, "records"), f"the record {quoted(name)}")
        else:
            yield from _group(record, new_records[name], "fields", f"{name}: the field", last)


def _group(old: Node, new: Node, key: str, what: str, last: int) -> Iterator[Finding]:
    before, after = dict(_items(old, key)), dict(_items(new, key))
    owner = new.get(key)
    for name, node in before.items():
        if name not in after:
            yield _removed(place_of_key(new, key), f"{what} {quoted(name)}")
            continue
        for member in FIXED[key]:
            was, now = _value(node, member), _value(after[name], member)
            if was != now:
                place = after[name].at([member]).place
                message = f"{what} {quoted(name)} had {member} {_shown(was)}, now {_shown(now)}"
                advice = "what was published stays; add a new name beside it"
                yield Finding(place, "changed_field", message, advice)
    for name, node in after.items():
        since = node.get("since")
        if name in before or owner is None or since is None or not isinstance(since.value, int):
            continue
        if since.value <= last:
            message = f"{what} {quoted(name)} is new, and version {since.value} was without it"
            advice = f"add the format version {last + 1} and use `since: {last + 1}`"
            yield Finding(since.place, "late_field", message, advice)


def _removed(place: Place, what: str) -> Finding:
    advice = "what was published stays, since stored results may have it"
    return Finding(place, "removed_field", f"{what} is gone", advice)


def _items(owner: Node, key: str) -> Iterator[tuple[str, Node]]:
    node = owner.get(key)
    if node is not None:
        yield from node.items()


def _value(node: Node, member: str) -> object:
    found = node.get(member)
    return _DEFAULTS.get(member) if found is None else found.to_plain()


def _shown(value: object) -> str:
    return "nothing" if value is None else quoted(str(value))


# ------------------------------------------------- the older document


def _old_document(folder: Path, against: str | None) -> Node:
    """The older result document. Raises _NothingOlderError, _NoRevisionError."""
    if against is not None and Path(against).is_dir():
        path = Path(against) / RESULT_FILE
        data = read_bytes(path, str(path))
        if isinstance(data, Finding):
            raise _NoRevisionError(f"{path}: {data.message}")
        return _parse(data, str(path), asked=True)
    revision = _LAST_COMMIT if against is None else against
    commit = git.commit(folder, revision)
    if commit is None and against is not None:
        raise _NoRevisionError(f"{quoted(against)} is no revision and no folder")
    # the blob as it is: no text conversion that a repository could configure is run
    blob = ("cat-file", "blob", f"{commit}:./{RESULT_FILE}")
    found = None if commit is None else git.said(folder, *blob, most=MAX_BYTES)
    if found is None:
        raise _NothingOlderError(_why_none(folder, commit, revision))
    return _parse(found, f"{revision}:{RESULT_FILE}", asked=against is not None)


def _why_none(folder: Path, commit: str | None, revision: str) -> str:
    if shutil.which("git") is None:
        return "git is not installed"
    if git.said(folder, "rev-parse", "--git-dir", most=MAX_BYTES) is None:
        return "the spec is in no git repository"
    if commit is None:
        return "the git repository has no commit"
    return f"{revision} has no {RESULT_FILE} in this folder"


def _parse(data: bytes, shown: str, *, asked: bool) -> Node:
    root, findings = load_bytes(data, shown, is_json=False)
    if root is None or findings:
        told = f"{findings[0]}" if findings else f"{shown} is empty"
        raise _NoRevisionError(told) if asked else _NothingOlderError(told)
    return root
