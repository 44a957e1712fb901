"""The proof can fail: every rule is altered in turn, in process, and a cell must fail."""

from __future__ import annotations

import pytest

from toolresult_generator.director import Loaded
from toolresult_generator.proof.alter import Alteration, alterations
from toolresult_generator.proof.catch import Trap

_READ_TASK = "read meta: record 1: do not take metadata.related_task.id at"
_TASK = "the related task stands under two keys, and either one gives its id"
EQUIVALENT: dict[str, str] = {
    f"mcp-handshake@2025-11-25: {_READ_TASK} io.modelcontextprotocol/related-task.taskId": _TASK,
    f"mcp-stateless@2026-07-28: {_READ_TASK} io.modelcontextprotocol/related-task.taskId": _TASK,
    f"mcp-stateless@2026-07-28: {_READ_TASK} dev.toolresult/relatedTask.id": _TASK,
    "a2a@0.3: read part: embedded 7: do not take name at metadata.dev.toolresult/part.name": (
        "a file says its name itself; only a text needs the marker for it"
    ),
}
"""Alterations that change nothing, each with the reason why."""


@pytest.mark.slow_proof
def test_every_altered_rule_is_caught(loaded: Loaded) -> None:
    trap = Trap.of(loaded)
    everything = [one for target in loaded.model.targets for one in alterations(target)]
    assert len(everything) > 500, "alterations are not being made"
    missed = [one.name for one in everything if trap.catch(one) is None]
    assert [name for name in missed if name not in EQUIVALENT] == []
    assert [name for name in EQUIVALENT if name not in missed] == [], "caught after all"


def test_an_unaltered_model_is_not_caught(loaded: Loaded) -> None:
    trap = Trap.of(loaded)
    for target in loaded.model.targets:
        for plan in target.plans:
            same = Alteration("nothing", target, plan, "writing")
            assert trap.catch(same) is None
        assert (
            trap.catch(Alteration("nothing", target, target.plans[-1], "reading", target.revisions))
            is None
        )
