"""Every cell of the matrix: a part or field on a revision and phase, as the spec declares it."""

from __future__ import annotations

import json

import pytest
from tests.proof.conftest import SPEC

from toolresult_generator.director import Loaded, load_model
from toolresult_generator.model.sample import build_samples
from toolresult_generator.proof.matrix import Matrix, _check_codes
from toolresult_generator.proof.schemas import OfficialSchemas

MODEL = load_model(SPEC).model
PLANS = [plan for target in MODEL.targets for plan in target.plans]
CELLS = [(cell.path, plan.label) for plan in PLANS for cell in plan.cells]


@pytest.mark.parametrize(("path", "label"), CELLS, ids=[f"{label}:{path}" for path, label in CELLS])
def test_the_part_goes_where_the_spec_says(matrix: Matrix, path: str, label: str) -> None:
    assert matrix.cells[path, label].faults == []


@pytest.mark.parametrize("label", [plan.label for plan in PLANS])
def test_every_sample_renders_valid_and_reads_back(matrix: Matrix, label: str) -> None:
    assert [fault for fault in matrix.faults if fault[0] == label] == []


@pytest.mark.parametrize("label", [plan.label for plan in PLANS])
def test_every_cell_was_seen(matrix: Matrix, label: str) -> None:
    unseen = [
        path for (path, one), cell in matrix.cells.items() if one == label and not cell.observations
    ]
    assert unseen == []


def test_the_official_schemas_took_part(matrix: Matrix) -> None:
    if OfficialSchemas.beside(SPEC).folder is None:
        pytest.skip(
            "the official schemas are not beside the checkout: set TOOLRESULT_OFFICIAL_SCHEMAS "
            "to a folder with mcp/<revision>.json and a2a/<revision>.json"
        )
    assert matrix.official


def test_a_code_without_a_sample_is_a_fault(loaded: Loaded, matrix: Matrix) -> None:
    samples = build_samples(loaded.documents)
    found = Matrix(matrix.rows, matrix.plans, {}, [], 0, False)
    _check_codes(found, loaded, samples)
    assert found.faults == []
    without = tuple(one for one in samples if '"not_found"' not in json.dumps(one.value))
    _check_codes(found, loaded, without)
    assert [fault for _, _, fault in found.faults] == [
        "no sample has the error code not_found, so nothing is proven"
    ]
