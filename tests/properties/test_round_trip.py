"""Any valid result goes everywhere, valid, and reads back but for its declared losses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from tests.properties.results import RESULTS
from tests.properties.round_trip import PLANS, Plan, round_trip_faults

from toolresult_core import Result


@pytest.mark.parametrize("plan", PLANS, ids=str)
@given(value=RESULTS)
def test_a_result_reads_back_but_for_its_losses(plan: Plan, value: dict[str, Any]) -> None:
    assert list(round_trip_faults(plan, Result.from_value(value))) == []
