"""The JSON Schemas of the spec's own files.

They are published for editors, and used here for the first check of each document. A property
`errorMessage`, next to `pattern`, `oneOf` or `anyOf`, says to people what is asked for there, and
`errorCode`, next to `enum`, is the code of the finding where that is not `bad_value`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
_SUFFIX = ".schema.json"

SCHEMAS: tuple[str, ...] = tuple(
    sorted(path.name.removesuffix(_SUFFIX) for path in _FOLDER.glob(f"*{_SUFFIX}"))
)
"""The names: `result`, `samples`, `target`."""


@cache
def schema(name: str) -> dict[str, Any]:
    """The schema of that name. Not to be changed by the caller. Raises FileNotFoundError."""
    loaded: dict[str, Any] = json.loads((_FOLDER / f"{name}{_SUFFIX}").read_bytes())
    return loaded
