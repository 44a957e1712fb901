"""Import statements, sorted and laid out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toolresult_generator.languages.typescript.layout import (
    LINE,
    Group,
    IfBreak,
    Indent,
    join,
    lay_out,
)


def import_lines(modules: Mapping[str, Iterable[str]], types: Iterable[str] = ()) -> list[str]:
    """One statement for each module that names are taken from; ``types`` are types alone."""
    only_types = set(types)
    lines: list[str] = []
    for module, wanted in sorted(modules.items()):
        names = sorted(set(wanted), key=lambda name: (name.lower(), name))
        if not names:
            continue
        whole = all(name in only_types for name in names)
        marked = [name if whole or name not in only_types else f"type {name}" for name in names]
        lines += named(f"import{' type' if whole else ''}", marked, module)
    return lines


def named(word: str, names: list[str], module: str) -> list[str]:
    """``import { a, b } from "module";`` or the same with ``export``."""
    if len(names) == 1:
        return [f'{word} {{ {names[0]} }} from "{module}";']
    inside = Indent((LINE, join((",", LINE), names)))
    return lay_out(
        (f"{word} ", Group(("{", inside, IfBreak(","), LINE, "}")), f' from "{module}";')
    )
