"""Answers questions of containment, a line of JSON each, in a process of its own.

The library takes very long on some schemas, and a few end its process; then this one is ended, and
nothing else. Run by :mod:`toolresult_generator.revision.contain`.
"""

from __future__ import annotations

import json
import sys
from typing import Any, NoReturn

import jsonschema_rs
from jsonschema_rs import canonical


def answer(wide: dict[str, Any], narrow: dict[str, Any]) -> str:
    """`yes`, `no` or `unknown`: whether ``wide`` allows everything that ``narrow`` allows."""
    try:
        found = _canonical(wide).covers(_canonical(narrow))
    except Exception:  # whatever the library cannot do leaves the question open
        return "unknown"
    if found is canonical.Containment.YES:
        return "yes"
    return "no" if found is canonical.Containment.NO else "unknown"


def _canonical(schema: dict[str, Any]) -> Any:
    return jsonschema_rs.canonicalize(
        schema, draft=jsonschema_rs.Draft202012, validate_formats=False, retriever=_refuse
    )


def _refuse(uri: str) -> NoReturn:
    raise ValueError(uri)


def main() -> None:
    """Answers until the questions end."""
    for line in sys.stdin:
        wide, narrow = json.loads(line)
        sys.stdout.write(f"{answer(wide, narrow)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
