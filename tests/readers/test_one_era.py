"""A spec may have one of MCP's two eras: its reader needs nothing of the other."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """\
import sys
sys.modules["toolresult_core.targets.mcp_{other}"] = None
sys.modules["toolresult_core.targets.mcp_{other}_reader"] = None
from toolresult import read
print(read(b'{wire}', "{source}").data.value)
"""


@pytest.mark.parametrize(
    ("source", "other"),
    [("mcp-handshake@2025-06-18", "stateless"), ("mcp-stateless@2026-07-28", "handshake")],
)
def test_a_reader_needs_its_own_era_alone(source: str, other: str) -> None:
    wire = '{"resultType":"complete","content":[],"structuredContent":{"a":1}}'
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(source=source, other=other, wire=wire)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("{'a': 1}\n", "")
