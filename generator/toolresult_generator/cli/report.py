"""Findings as people or machines want them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

from toolresult_generator.findings import Finding


def report(findings: Iterable[Finding], form: str) -> None:
    """`text`: a line per finding on stderr. `json`: one document on stdout, also without any."""
    ordered = sorted(set(findings))
    if form == "json":
        document = {"findings": [finding.to_json() for finding in ordered]}
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
        return
    for finding in ordered:
        sys.stderr.write(f"{finding}\n")
