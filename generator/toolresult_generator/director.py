"""Drives the stages: load, check, model, emit. The one place that knows their order.

Writing is left to the caller, since `--check` compares instead. What is said here is plain data:
a path to its bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolresult_generator import load
    from toolresult_generator.model.target import Spec

Outputs = Mapping[str, Mapping[str, bytes]]
"""For each emitter, its files: a path relative to the output folder, with `/`, to the bytes."""

Report = Callable[[str], None]
"""Is told the name of each stage as it begins."""


@dataclass(frozen=True)
class Loaded:
    """A spec that was checked: its documents and the model built from them."""

    documents: load.Spec
    model: Spec


def load_model(
    spec_dir: Path,
    *,
    name: PurePath | None = None,
    history: bool = True,
    report: Report = lambda stage: None,
    despite: frozenset[str] = frozenset(),
) -> Loaded:
    """The model of a spec folder. Raises FindingsError with everything that is wrong with it.

    ``name`` is how places name the folder, where it is a copy of something else. Without
    ``history`` it is not compared with the last commit. ``despite`` are codes of findings that
    stand in nobody's way here, such as `gap`.
    """
    report("load")
    from toolresult_generator.check import check_spec
    from toolresult_generator.findings import FindingsError
    from toolresult_generator.load import load_spec

    documents = load_spec(spec_dir, name)
    report("check")
    findings = [
        found for found in check_spec(documents, history=history) if found.code not in despite
    ]
    if findings:
        raise FindingsError(findings)
    report("model")
    from toolresult_generator.model.build import build_spec

    return Loaded(documents, build_spec(documents))


def plan(
    spec_dir: Path,
    emitters: Iterable[str] | None = None,
    *,
    report: Report = lambda stage: None,
) -> Outputs:
    """What the spec folder gives, per emitter (all of them by default), nothing written.

    Raises FindingsError if the spec has faults or a tool is missing, KeyError for an emitter
    that there is not.
    """
    from toolresult_generator.languages import EMITTERS, emitter
    from toolresult_generator.languages.base import EmitRequest

    loaded = load_model(spec_dir, report=report)
    request = EmitRequest(loaded.model, loaded.documents)
    outputs: dict[str, Mapping[str, bytes]] = {}
    owners: dict[str, str] = {}
    for name in sorted(set(EMITTERS if emitters is None else emitters)):
        report(f"emit {name}")
        files = emitter(name).emit(request)
        for path in files:
            if owners.setdefault(path, name) != name:
                raise ValueError(f"{owners[path]} and {name} both write {path}")
        outputs[name] = files
    return outputs
