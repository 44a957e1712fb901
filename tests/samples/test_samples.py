"""The samples: well-formed, each a result that constructs, together covering the whole spec."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.samples.coverage_of_spec import exercised, needs

from toolresult_core import Result
from toolresult_generator.load import load_spec
from toolresult_generator.model.sample import Sample, build_samples

SPEC_FOLDER = Path(__file__).parents[2] / "spec"
SPEC = load_spec(SPEC_FOLDER)
SAMPLES = build_samples(SPEC)
BY_NAME = {sample.name: sample for sample in SAMPLES}


def result_document() -> dict[str, Any]:
    """A copy of ``spec/result.yaml`` that a test may change."""
    assert SPEC.result is not None
    plain = copy.deepcopy(SPEC.result.root.to_plain())
    assert isinstance(plain, dict)
    return plain


def covered(document: dict[str, Any]) -> set[str]:
    """What all samples together exercise of a result document."""
    return {need for sample in SAMPLES for need in exercised(document, as_object(sample))}


def as_object(sample: Sample) -> dict[str, Any]:
    """The serialized result of a sample."""
    assert isinstance(sample.value, dict)
    return sample.value


def leaves(value: Any) -> Iterator[Any]:
    """Every scalar of a value."""
    if isinstance(value, dict):
        for entry in value.values():
            yield from leaves(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from leaves(entry)
    else:
        yield value


def depth(value: Any) -> int:
    """How deep a value is nested; a scalar is 0, ``[]`` is 1."""
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def test_files_load() -> None:
    assert [str(finding) for finding in SPEC.findings] == []
    assert {document.name for document in SPEC.samples} == {
        *("success", "falsy", "errors", "content", "stored", "metadata"),
        *("foreign", "numbers", "text", "lookalikes", "nesting", "large"),
    }


@pytest.mark.parametrize("path", sorted((SPEC_FOLDER / "samples").glob("*.yaml")), ids=str)
def test_file_has_a_header_for_editors_and_people(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == (
        "# yaml-language-server: $schema=../../generated/schema/spec/samples.schema.json"
    )
    assert any(re.match(r"# \w", line) for line in lines[1 : lines.index("")])


def test_names_are_kebab_case_and_unique() -> None:
    names = [sample.name for sample in SAMPLES]
    assert [name for name in names if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)] == []
    assert sorted(names) == sorted(set(names))


def test_every_sample_says_what_it_is_for_on_one_line() -> None:
    for sample in SAMPLES:
        assert sample.meaning.strip(), sample.name
        assert "\n" not in sample.meaning, sample.name
        assert sample.meaning.endswith("."), sample.name


def test_no_two_samples_are_the_same() -> None:
    asked = [(Result.from_value(s.value).to_json(), repr(s.request)) for s in SAMPLES]
    # Empty lists and records equal absent ones, and integral floats are integers;
    # that is what these samples are there for.
    twins = {"float-integral", "float-near-two-53", "float-minus-zero"}
    again = {s.name for at, s in enumerate(SAMPLES) if asked[at] in asked[:at]}
    assert again <= twins


def test_samples_cover_the_spec() -> None:
    document = result_document()
    missing = sorted(needs(document) - covered(document))
    assert missing == [], (
        "spec/result.yaml has what no sample exercises; add samples to spec/samples/ for: "
        + "; ".join(missing)
    )


def new_field(document: dict[str, Any], *path: str) -> None:
    """A field ``brand_new`` below a path of the document."""
    node = document
    for step in path:
        node = node[step]
    node["brand_new"] = {"type": "string", "since": 2, "meaning": "New."}


@pytest.mark.parametrize(
    ("path", "need"),
    [
        (("records", "result", "fields"), "brand_new present"),
        (("records", "error", "fields"), "error.brand_new present"),
        (("records", "part", "fields"), "content.audio.brand_new present"),
        (("records", "part_foreign", "fields"), "content.link.foreign.brand_new present"),
        (("records", "stored", "fields"), "stored.brand_new present"),
        (("records", "pagination", "fields"), "metadata.pagination.brand_new present"),
        (("records", "foreign", "fields"), "metadata.foreign.brand_new present"),
        (("kinds", "embedded", "fields"), "content.embedded.brand_new present"),
    ],
)
def test_a_new_field_without_a_sample_is_noticed(path: tuple[str, ...], need: str) -> None:
    document = result_document()
    new_field(document, *path)
    assert need in needs(document) - covered(document)


def test_a_new_code_kind_or_choice_without_a_sample_is_noticed() -> None:
    document = result_document()
    document["error_codes"]["brand_new"] = {}
    document["kinds"]["video"] = {"fields": {"data": {"type": "base64", "required": True}}}
    document["records"]["part"]["fields"]["audience"]["choices"].append("system")
    missing = needs(document) - covered(document)
    assert "error code brand_new with details" in missing
    assert "error code brand_new without details" in missing
    assert "content.video.data present" in missing
    assert "content.text.audience system" in missing


@pytest.mark.parametrize("name", BY_NAME)
def test_sample_constructs_and_comes_back(name: str) -> None:
    result = Result.from_value(BY_NAME[name].value)
    assert Result.from_json(result.to_json()) == result


@pytest.mark.parametrize(
    "number",
    [
        *(2**53 - 1, 2**53, 2**53 + 1, 2**63, 2**64, 10**30),
        *(-(2**53) + 1, -(2**53), -(2**53) - 1, -(2**63), -(2**64), -(10**30)),
    ],
)
def test_integers_survive_the_file_exactly(number: int) -> None:
    found = [leaf for s in SAMPLES for leaf in leaves(s.value) if type(leaf) is int]
    assert number in found


@pytest.mark.parametrize("number", [1e16, 1e20, 1e21, 1.5e300, 5e-324, 1e-6, 1e-7, 0.1])
def test_floats_are_floats_in_the_file(number: float) -> None:
    found = [leaf for s in SAMPLES for leaf in leaves(s.value) if type(leaf) is float]
    assert number in found


@pytest.mark.parametrize("levels", [29, 30, 31, 100])
def test_data_of_this_depth_is_there(levels: int) -> None:
    assert levels in {depth(as_object(s)["data"]) for s in SAMPLES if "data" in as_object(s)}


@pytest.mark.parametrize("value", [0, False, "", [], {}, None], ids=repr)
def test_data_that_is_falsy_is_there(value: Any) -> None:
    data = [as_object(s)["data"] for s in SAMPLES if "data" in as_object(s)]
    assert any(type(entry) is type(value) and entry == value for entry in data)


def test_limits_are_exceeded() -> None:
    """A sample with a limit is there because its result is larger."""
    limited = [sample for sample in SAMPLES if sample.limit is not None]
    assert limited
    for sample in limited:
        assert len(Result.from_value(sample.value).to_json()) > (sample.limit or 0), sample.name


def test_every_member_of_a_request_is_used() -> None:
    used = {member for sample in SAMPLES for member in sample.request}
    ids = {"artifact_id", "message_id"}
    assert used == {"limit", "principal", "output_schema", "structured_errors"} | ids
    assert any(s.limit is not None and "principal" not in s.request for s in SAMPLES)
