"""Puts a proposal into a spec folder: both files, or neither."""

from __future__ import annotations

import contextlib
from pathlib import Path

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.proof.page.publish import write_page
from toolresult_generator.revision.propose import Proposal


def publish(proposal: Proposal, spec: Path) -> None:
    """Writes the wire schema, then the target, each by an atomic rename.

    Raises FindingsError if the system refuses; then nothing of the proposal is there.
    """
    wire, target = spec / proposal.wire_file, spec / proposal.target_file
    made = not wire.parent.exists()
    try:
        wire.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot be made: {error.strerror or error}"
        raise FindingsError(
            [Finding(Place(str(wire.parent)), "blocked_output", message)]
        ) from error
    try:
        write_page(wire, proposal.wire_text)
        write_page(target, proposal.target_text)
    except BaseException:
        with contextlib.suppress(OSError):
            wire.unlink(missing_ok=True)
            if made:
                wire.parent.rmdir()
        raise
