"""The samples, and what the vectors say of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_VECTORS = Path(__file__).parents[2] / "generated" / "vectors"


def _rendered(revision: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Input and output by the name of the sample, of vectors that have no options."""
    found = {}
    lines = (_VECTORS / f"a2a@{revision}.jsonl").read_text(encoding="utf-8").splitlines()
    for vector in map(json.loads, lines):
        if vector["do"] == "render" and not vector["options"]:
            name = vector["id"].removeprefix(f"render a2a@{revision} ")
            found[name] = (vector["text"], json.loads(vector["output"]))
    return found


_BY_REVISION = {revision: _rendered(revision) for revision in ("0.3", "1.0")}
INPUTS = {name: text for name, (text, _) in _BY_REVISION["1.0"].items()}
"""The serialized result of each sample."""
OUTPUTS = {
    revision: {name: output for name, (_, output) in samples.items()}
    for revision, samples in _BY_REVISION.items()
}
"""What each revision is to carry of it."""


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON, integers as integers."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
