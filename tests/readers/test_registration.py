"""Adapters that are registered: those of the rule as it is now, and no others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import pytest

from toolresult import OldAdapterError, Result, register_adapters, registry
from toolresult.legacy import EnvelopeReader
from toolresult_core.targets.legacy_envelope_reader import LegacyEnvelopeReader

DIGESTS = {"to_icon": "0123456789abcdef", "to_name": "fedcba9876543210"}


class Own(LegacyEnvelopeReader):
    def read_envelope(self, text: Any) -> Result:
        return Result.text(str(text))


class Now(Own):
    written_for = LegacyEnvelopeReader.rule_digest


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test registers is gone after it."""
    monkeypatch.setattr(registry, "_registered", [])
    yield
    monkeypatch.undo()
    registry.reader.cache_clear()


def found() -> object:
    return registry.reader("legacy-envelope", "1")


@pytest.mark.parametrize("said", [None, "0" * 16, 7, {}, {"read_envelope": "0" * 16}])
def test_a_reader_of_another_rule_is_refused(said: object) -> None:
    before = found()
    old = type("Old", (Own,), {"written_for": said})
    with pytest.raises(OldAdapterError) as caught:
        register_adapters(Now, old)
    assert str(caught.value).startswith("Old was written for ")
    assert f'set written_for = "{LegacyEnvelopeReader.rule_digest}"' in str(caught.value)
    assert found() is before


@pytest.mark.parametrize(
    "said", [Now.written_for, {"read_envelope": Now.written_for, "of_another": ""}]
)
def test_a_reader_of_the_rule_takes_the_place_of_ours(said: object) -> None:
    register_adapters(type("Ours", (Own,), {"written_for": said}))
    assert type(found()).__name__ == "Ours"


def test_what_derives_from_an_adapter_of_ours_needs_to_say_nothing() -> None:
    register_adapters(type("Loud", (EnvelopeReader,), {}))
    assert type(found()).__name__ == "Loud"


class Hooks(ABC):
    """As the generator writes two hooks of one target."""

    __module__ = "toolresult_core.targets.example"
    rule_digests: ClassVar[Mapping[str, str]] = DIGESTS

    @abstractmethod
    def to_icon(self, item: Any) -> bytes: ...
    @abstractmethod
    def to_name(self, item: Any) -> bytes: ...


class Filled(Hooks):
    def to_icon(self, item: Any) -> bytes:
        return b'"icon"'

    def to_name(self, item: Any) -> bytes:
        return b'"name"'


@pytest.mark.parametrize("said", [DIGESTS["to_icon"], {"to_icon": DIGESTS["to_icon"]}])
def test_of_several_hooks_each_is_named(said: object) -> None:
    with pytest.raises(OldAdapterError) as caught:
        register_adapters(type("Old", (Filled,), {"written_for": said}))
    assert f"set written_for = {DIGESTS}" in str(caught.value)
    register_adapters(type("Fitting", (Filled,), {"written_for": DIGESTS}))
