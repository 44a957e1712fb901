"""What every sample is rendered to, of the committed vectors."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from tests.mcp_server.clients import REVISIONS, ROOT, STATELESS

PHASES = ("final", "transitional")


@cache
def rendered(revision: str, phase: str) -> dict[str, tuple[str, Any]]:
    """By the name of a sample: its serialized form, and what a client is to receive."""
    target = "mcp-stateless" if revision in STATELESS else "mcp-handshake"
    prefix = f"render {target}@{revision}/{phase} "
    file = ROOT / "generated" / "vectors" / f"{target}@{revision}.jsonl"
    found = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        vector = json.loads(line)
        if vector["id"].startswith(prefix) and not vector["options"]:
            name = vector["id"].removeprefix(prefix)
            found[name] = vector["text"], json.loads(vector["output"])
    return found


SAMPLES = {name: text for name, (text, _) in rendered(REVISIONS[0], PHASES[0]).items()}
"""The serialized form of every sample."""
