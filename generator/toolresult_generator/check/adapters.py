"""The adapters: every hook has one, and each was written for the rule as it is now.

What an adapter fills is an abstract class of the generated code: `<Target>Reader` (with the
revision's digits where revisions are read differently) for the hook of a reader, `<Target>Hooks`
for the hooks in output forms, which the renderer classes of the target inherit from. An adapter
of a hook is a class that names such a class among its bases, as it is or behind a module. It
says which rule it was written for in its body (one that comes with this package, and that the
folder does not replace, fills its hook too)::

    class EnvelopeReader(LegacyEnvelopeReader):
        written_for = "5f1ea2c679571da1"

or, where the abstract class has more hooks than one, with the digest of each method::

    written_for = {"to_icon": "…", "to_name": "…"}

Adapters are parsed and never imported: a check runs no code of the folder that it checks.
Digests: :mod:`toolresult_generator.model.digest`.
"""

from __future__ import annotations

import ast
import importlib.util
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from toolresult_generator.check.context import Context
from toolresult_generator.findings import Finding, Place

if TYPE_CHECKING:
    from toolresult_generator.load import Node
    from toolresult_generator.model.target import Hook, Target

MAX_FILES = 2000
MAX_BYTES = 1024 * 1024
"""Files of a folder, and bytes of a file, that are looked at; more is no folder of adapters."""

_SKIPPED = frozenset({"__pycache__", "node_modules"})


@dataclass(frozen=True)
class _Base:
    """An abstract class with hooks, under every name that an adapter may derive from."""

    names: tuple[str, ...]
    digests: dict[str, str]
    """The digest of each hook, by the method's name."""
    place: Place
    """Where the spec declares the first of the hooks."""
    rules: str


@dataclass(frozen=True)
class _Adapter:
    """A class of a folder of adapters."""

    bases: frozenset[str]
    place: Place
    name: str
    written_for: ast.expr | None
    file: str


def check(context: Context) -> Iterable[Finding]:
    """Hooks without an adapter, adapters for older rules, and files that cannot be parsed."""
    if context.targets is None or not context.adapters:
        return
    bases = [base for target in context.targets for base in _bases(target, context)]
    if not bases:
        return
    adapters: list[_Adapter] = []
    for folder in context.adapters:
        for path in python_files(folder):
            found = _classes(path)
            if isinstance(found, Finding):
                yield found
            else:
                adapters += found
    for base in bases:
        filling = [adapter for adapter in adapters if adapter.bases.intersection(base.names)]
        if not filling and not _fills(_installed(), base):
            methods = ", ".join(base.digests)
            yield Finding(
                base.place,
                "missing_adapter",
                f"no class of {_listed(context.adapters)} derives from {base.names[0]}",
                f"write one with the method {methods} and written_for = {_wanted(base)}",
            )
        for adapter in filling:
            yield from _compared(adapter, base)


@cache
def _installed() -> tuple[_Adapter, ...]:
    """The adapters that are installed with this package. A folder of others need not repeat them.

    They are not compared with the rules: whoever has changed a rule of theirs cannot change them.
    That they still read what is written is measured by the matrix.
    """
    found = importlib.util.find_spec("toolresult")
    if found is None or found.origin is None:
        return ()
    classes = [_classes(path) for path in python_files(Path(found.origin).parent)]
    return tuple(one for known in classes if not isinstance(known, Finding) for one in known)


def _fills(adapters: Iterable[_Adapter], base: _Base) -> bool:
    return any(adapter.bases.intersection(base.names) for adapter in adapters)


def _listed(folders: tuple[Path, ...]) -> str:
    return ", ".join(folder.as_posix() for folder in folders)


def _wanted(base: _Base) -> str:
    digests = list(base.digests.values())
    if len(digests) == 1:
        return f'"{digests[0]}"'
    return "{" + ", ".join(f'"{name}": "{digest}"' for name, digest in base.digests.items()) + "}"


def _compared(adapter: _Adapter, base: _Base) -> Iterator[Finding]:
    said = adapter.written_for
    if said is None:
        message = f"{adapter.name} does not say which rule it was written for"
        advice = f"read the rule in {base.rules}, then add written_for = {_wanted(base)}"
        yield Finding(adapter.place, "old_adapter", message, advice)
        return
    place = Place(adapter.file, said.lineno, said.col_offset + 1)
    for method, digest in base.digests.items():
        old = _said_of(said, method, len(base.digests) == 1)
        if old != digest:
            shown = "nothing that can be read" if old is None else old
            yield Finding(
                place,
                "old_adapter",
                f"{adapter.name} was written for {shown[:60]}, and {method} is at {digest} now",
                f"compare {base.names[0]}.{method} with the rule in {base.rules}, change what has "
                f"to change, then set written_for to {_wanted(base)}",
            )


def _said_of(said: ast.expr, method: str, alone: bool) -> str | None:
    """The digest that an adapter names for a method; None for anything but plain texts."""
    if alone and _text(said) is not None:
        return _text(said)
    if isinstance(said, ast.Dict):
        for key, value in zip(said.keys, said.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == method:
                return _text(value)
    return None


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


# ------------------------------------------------------------ the spec's side


def _bases(target: Target, context: Context) -> Iterator[_Base]:
    from toolresult_generator.languages.lowering.lower import write_hooks
    from toolresult_generator.languages.python.targets import (
        hook_method,
        hooks_class,
        reader_class,
        renderer_class,
    )

    document = next(d for d in context.spec.targets if d.name == target.name)
    for reader in target.readers:
        hook = reader.reader.hook
        if hook is not None:
            name = reader_class(target, reader)
            place = _place(document.root.get("reader"), hook, document.root)
            digests = {hook_method(hook): hook.digest}
            yield _Base((name,), digests, place, document.file)
    hooks = write_hooks(target)
    if hooks:
        renderers = tuple(renderer_class(plan) for plan in target.plans)
        digests = {hook_method(hook): hook.digest for hook in hooks}
        place = _place(document.root.get("forms"), hooks[0], document.root)
        yield _Base((hooks_class(target), *renderers), digests, place, document.file)


def _place(below: Node | None, hook: Hook, root: Node) -> Place:
    """Where the spec names a hook; the document's own place if that is in an extended one."""
    waiting = [] if below is None else [below]
    while waiting:
        node = waiting.pop()
        name = node.get("adapter")
        if name is not None and name.text == hook.name:
            return name.place
        waiting += [*node.sequence, *node.mapping.values()]
    return root.place


# -------------------------------------------------------- the adapters' side


def python_files(folder: Path) -> list[Path]:
    """The Python files below a folder, sorted; at most so many."""
    found: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(n for n in folders if n not in _SKIPPED and not n.startswith("."))
        found += [Path(parent) / name for name in sorted(names) if name.endswith(".py")]
        if len(found) >= MAX_FILES:
            break
    return found[:MAX_FILES]


def _classes(path: Path) -> list[_Adapter] | Finding:
    file = path.as_posix()
    try:
        if not path.is_file():
            return []
        with path.open("rb") as stream:
            source = stream.read(MAX_BYTES + 1)
        if len(source) > MAX_BYTES:
            return Finding(Place(file), "too_large", f"an adapter has at most {MAX_BYTES} bytes")
        tree = ast.parse(source)
    except OSError as error:
        return Finding(Place(file), "unreadable_file", f"cannot be read: {error.strerror}")
    except SyntaxError as error:
        place = Place(file, error.lineno or 1, error.offset or 1)
        return Finding(place, "unreadable_file", f"is no Python: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        message = f"is no Python that can be parsed: {type(error).__name__}"
        return Finding(Place(file), "unreadable_file", message)
    return [_adapter(node, file) for node in _all_classes(tree)]


def _all_classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ClassDef):
            yield node
        waiting += [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)]


def _adapter(node: ast.ClassDef, file: str) -> _Adapter:
    bases = [
        base.attr if isinstance(base, ast.Attribute) else base.id
        for base in node.bases
        if isinstance(base, (ast.Attribute, ast.Name))
    ]
    written_for: ast.expr | None = None
    for statement in node.body:
        if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
            continue
        assigned = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if any(isinstance(t, ast.Name) and t.id == "written_for" for t in assigned):
            written_for = statement.value
    place = Place(file, node.lineno, node.col_offset + 1)
    return _Adapter(frozenset(bases), place, node.name, written_for, file)
