"""The model of the committed spec, and a way to try a change of the invented protocol."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.revision.older import ROOT
from tests.revision.protocol import Change, Schema, protocol, written
from tests.revision.replay import request_of

from toolresult_generator.director import Loaded, load_model
from toolresult_generator.revision.check import check_revision
from toolresult_generator.revision.report import Report

LIKE = "mcp-handshake@2025-11-25"
Try = Callable[[Change], Report]


@pytest.fixture(scope="session")
def loaded() -> Loaded:
    """The model of the committed spec."""
    return load_model(ROOT / "spec")


@pytest.fixture
def try_documents(loaded: Loaded, tmp_path: Path) -> Callable[[Schema, Schema], Report]:
    """Tries a schema with what is written today, compared with another one."""

    def tried(old: Schema, new: Schema) -> Report:
        request = request_of(
            loaded,
            ROOT / "spec",
            LIKE,
            written(tmp_path, "new", new),
            "mcp-handshake@2027-01-01",
            old=written(tmp_path, "old", old),
            phase="final",
        )
        return check_revision(request, loaded, lambda *told: None)

    return tried


@pytest.fixture
def try_change(try_documents: Callable[[Schema, Schema], Report]) -> Try:
    """Tries the invented protocol with one change."""
    return lambda change: try_documents(protocol(), protocol(change))
