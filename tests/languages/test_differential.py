"""Random results: all languages give the same bytes, and refuse the same with the same words.

Under CI the examples are the same every time, and as many again are new (their seed is printed).
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from tests.languages.agree import agreed
from tests.languages.testees import Testee, all_testees
from tests.properties.results import RESULTS
from tests.properties.round_trip import PLANS, Plan
from tests.properties.test_any_text import FORGED, MARKERS, spoilt
from tests.toolchain import is_ci

pytestmark = pytest.mark.needs_toolchain

_CASES = int(os.environ.get("TOOLRESULT_DIFFERENTIAL_CASES", "600"))
FRESH = random.SystemRandom().randrange(2**32)
"""The seed of the new examples; ``TOOLRESULT_DIFFERENTIAL_SEED`` runs those of another run."""


@pytest.fixture(scope="module")
def testees() -> Iterator[list[Testee]]:
    with all_testees() as found:
        assert len(found) > 1, "there is nothing to compare with"
        yield found


def _examples(test: Callable[..., None]) -> Callable[[list[Testee]], None]:
    """Runs a property over fixed examples under CI, then over new ones."""

    def run(testees: list[Testee], data: st.DataObject) -> None:
        test(testees, data)

    def both(testees: list[Testee]) -> None:
        common = settings(
            max_examples=_CASES, deadline=None, suppress_health_check=list(HealthCheck)
        )
        inner = given(data=st.data())
        if is_ci():
            fixed = settings(common, derandomize=True, database=None)
            fixed(inner(lambda data: run(testees, data)))()
        number = int(os.environ.get("TOOLRESULT_DIFFERENTIAL_SEED", FRESH))
        print(f"TOOLRESULT_DIFFERENTIAL_SEED={number} runs these examples again")
        fresh = settings(common, database=None)
        seed(number)(fresh(inner(lambda data: run(testees, data))))()

    both.__name__ = test.__name__
    both.__doc__ = test.__doc__
    return both


def _request(action: str, plan: Plan | None, **members: Any) -> dict[str, Any]:
    request: dict[str, Any] = {"id": "random", "do": action}
    if plan is not None:
        request |= {"target": plan.target, "revision": plan.revision}
        if action == "render" and plan.phase is not None:
            request["phase"] = plan.phase
    return request | members


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "wrap_output": st.booleans(),
        "structured_errors": st.booleans(),
        "artifact_id": st.sampled_from(["a", "é", '"']),
        "message_id": st.sampled_from(["m", "\u2028"]),
    },
)


@_examples
def test_what_is_rendered_and_read_back(testees: list[Testee], data: st.DataObject) -> None:
    text = json.dumps(data.draw(RESULTS), ensure_ascii=data.draw(st.booleans()))
    plan = data.draw(st.sampled_from(PLANS))
    options = data.draw(OPTIONS)
    more = {"options": options} if options else {}
    rendered = agreed(testees, _request("render", plan, text=text, **more))
    agreed(testees, _request("read", plan, text=rendered["output"]))
    agreed(testees, _request("check", None, text=text))


@_examples
def test_results_with_a_fault(testees: list[Testee], data: st.DataObject) -> None:
    value = data.draw(RESULTS.flatmap(spoilt))
    agreed(testees, _request("check", None, text=_unusual(value, data)))


@_examples
def test_outputs_with_a_fault(testees: list[Testee], data: st.DataObject) -> None:
    plan = data.draw(st.sampled_from(PLANS))
    text = json.dumps(data.draw(RESULTS), ensure_ascii=False)
    wire = json.loads(agreed(testees, _request("render", plan, text=text))["output"])
    if data.draw(st.booleans()):
        owner = wire.setdefault("metadata" if plan.target == "a2a" else "_meta", {})
        if isinstance(owner, dict):
            forged = data.draw(st.dictionaries(st.sampled_from(MARKERS), FORGED, max_size=3))
            owner.update({f"dev.toolresult/{name}": marker for name, marker in forged.items()})
    else:
        wire = data.draw(spoilt(wire))
    agreed(testees, _request("read", plan, text=_unusual(wire, data)))


_TEXTS = st.text(
    st.sampled_from(list('{}[]",:\\ \n\t0123456789.eE+-truefalsnu\u00e9\ud83d\u2028_'))
)


@_examples
def test_texts_of_any_kind(testees: list[Testee], data: st.DataObject) -> None:
    text = data.draw(_TEXTS | st.text() | st.binary())
    given = {"text": text} if isinstance(text, str) else {"base64": _base64(text)}
    plan = data.draw(st.sampled_from(PLANS))
    agreed(testees, _request("check", None, **given))
    agreed(testees, _request("read", plan, **given))


_UNUSUAL: list[Callable[[str], str]] = [
    lambda text: text,
    lambda text: text.replace(":", " :\t", 1),
    lambda text: text.replace('"', '"\\ud800', 1),
    lambda text: text.replace("1", "1e400", 1),
    lambda text: text.replace("1", "1.0e0", 1),
    lambda text: text.replace("1", "100000000000000000000001", 1),
    lambda text: text.replace("{", '{"a":1,"a":2,', 1),
    lambda text: text.replace("{", '{"__proto__":{"x":1},', 1),
    lambda text: text.replace("null", "NaN", 1),
    lambda text: text.replace("null", "-0.0", 1),
    lambda text: text.replace("}", ",}", 1),
    lambda text: "\ufeff" + text,
    lambda text: text + "\x00",
    lambda text: text.replace('"format_version": 1', '"format_version": 99', 1),
    lambda text: text.replace("[", "[" * 101, 1).replace("]", "]" * 101, 1),
]


def _unusual(value: Any, data: st.DataObject) -> str:
    """JSON text of a value, sometimes with what a parser may take for something else."""
    text = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    alter: Callable[[str], str] = data.draw(st.sampled_from(_UNUSUAL))
    return alter(text)


def _base64(data: bytes) -> str:
    import base64

    return base64.b64encode(data).decode()
