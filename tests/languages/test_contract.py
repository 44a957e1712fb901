"""Every language brings what the contract asks for, and prints all that lowered code can be."""

from __future__ import annotations

import pytest
from tests.languages.contract import FIRST, NEEDS, lacking, main
from tests.lowering.small import small_request

from toolresult_generator.languages import LANGUAGES, emitter
from toolresult_generator.languages.base import EmitRequest


@pytest.fixture(scope="module")
def request_of_all(tmp_path_factory: pytest.TempPathFactory) -> EmitRequest:
    """A request whose targets have every kind of lowered code that the published ones lack."""
    return small_request(tmp_path_factory.mktemp("small"))


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_nothing_is_lacking(language: str) -> None:
    assert lacking(language) == []


def test_a_language_that_is_not_there_lacks_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(lacking("cobol")) == len(NEEDS)
    assert main(["cobol"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert "cobol lacks adapters and a package: adapters/cobol/" in said
    assert main([FIRST]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_kind_of_code_is_printed(language: str, request_of_all: EmitRequest) -> None:
    """A kind that a printer does not know would stop it; see tests/lowering for the kinds."""
    files = emitter(language).emit(request_of_all)
    named = "".join(files).lower()
    assert "pieces" in named and "alone" in named
    again = emitter(language).emit(
        EmitRequest(model=request_of_all.model, spec=request_of_all.spec)
    )
    assert dict(files) == dict(again)
