"""The samples of the spec, as the installed package carries them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from toolresult_core import Result

_FILE = "samples.jsonl"


@dataclass(frozen=True)
class Sample:
    """One sample result."""

    name: str
    topic: str
    """The file of ``spec/samples`` that it comes from."""
    meaning: str
    """What it shows, in a sentence."""
    text: str
    """Its serialized form."""

    @property
    def result(self) -> Result:
        """The result itself."""
        return Result.from_json(self.text)


@cache
def samples() -> Mapping[str, Sample]:
    """Every sample by its name, in the order of the spec."""
    text = files("toolresult_core").joinpath(_FILE).read_text(encoding="utf-8")
    found = (Sample(**json.loads(line)) for line in text.splitlines())
    return {sample.name: sample for sample in found}
