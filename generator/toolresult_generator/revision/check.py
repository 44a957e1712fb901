"""Runs the stages: a schema and the revision that it is like, to a report."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolresult_generator.director import Loaded
from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.model.target import Plan, Target
from toolresult_generator.revision.changes import Change, Kind
from toolresult_generator.revision.compare import Comparison, dialect_change
from toolresult_generator.revision.concepts import Concepts
from toolresult_generator.revision.contain import begin, covers_at
from toolresult_generator.revision.dialect import normalise
from toolresult_generator.revision.graph import Graph
from toolresult_generator.revision.judge import Judge
from toolresult_generator.revision.layer import completed
from toolresult_generator.revision.meaning import Judged, Judging, Weight
from toolresult_generator.revision.named_keys import named_keys
from toolresult_generator.revision.old import Old, old_schema, strict_of
from toolresult_generator.revision.outputs import outputs_of
from toolresult_generator.revision.places import generic, written
from toolresult_generator.revision.propose import Basis, Proposal, propose
from toolresult_generator.revision.report import Definition, Report
from toolresult_generator.revision.shape import Ref
from toolresult_generator.revision.source import read_schema
from toolresult_generator.revision.trial import Trial, run_trial
from toolresult_generator.revision.wire import Deriving, Strict

RESULT_NAMES: Mapping[str, str] = {"mcp": "CallToolResult", "a2a": "Task"}
"""By origin of a target: the definition of a tool's result."""
TOOL_NAMES: Mapping[str, str] = {"mcp": "Tool"}
"""By origin of a target: the definition of a tool."""

Progress = Callable[..., None]


@dataclass(frozen=True)
class Request:
    """What is asked for."""

    schema: Path
    old: Path | None
    spec: Path
    target: Target
    revision: str
    plans: tuple[Plan, ...]
    result_name: str
    """The definition of a result."""
    tool_name: str | None
    """The definition of a tool, if the protocol has one."""
    new_target: str
    new_revision: str


@dataclass(frozen=True)
class _Pair:
    """The two graphs, and where the result stands in each."""

    old: Old
    old_ref: Ref
    new: Graph
    new_ref: Ref


def check_revision(request: Request, loaded: Loaded, progress: Progress) -> Report:
    """The report. Raises FindingsError for what is wrong with a schema or cannot be proposed."""
    begin()
    progress("read the schema")
    found = read_schema(request.schema)
    new = Graph(normalise(found.document, found.name))
    strict = strict_of(loaded.documents, loaded.model.result, request.target.name, request.revision)
    old = old_schema(request.old, request.spec, request.target, request.revision, strict)
    new_ref = new.definition(request.result_name)
    new.check(new_ref)
    _must_be_an_object(new, new_ref, request.result_name)
    old_ref: Ref = ("",) if old.is_ours else old.graph.definition(request.result_name)
    old.graph.check(old_ref)
    pair = _Pair(old, old_ref, new, new_ref)
    progress("compare")
    changes, definitions = _compared(pair, request)
    trial = _tried(pair, request, loaded, progress)
    seen = written(trial.outputs)
    origin = request.target.origin
    concepts = Concepts(loaded.model.result, seen, new, origin)
    changes = [change for change in changes if pair.old.tells(change)]
    told = frozenset(change.fact.name for change in changes if change.kind in _GONE)
    probe = Deriving(new, strict, origin, frozenset(), {})
    probe.document(new_ref, request.new_target, request.new_revision)
    judging = Judging(concepts, seen, trial, origin, told, probe.answers)
    judged = _ordered(one for one in map(judging.judged, changes) if old.matters(one))
    progress("propose")
    digest = hashlib.sha256(request.schema.read_bytes()).hexdigest()
    return Report(
        schema=found.name,
        digest=digest,
        old=old.graph.file,
        old_is_ours=old.is_ours,
        like=f"{request.target.name}@{request.revision}",
        definitions=tuple(definitions),
        changes=judged,
        trial=trial,
        proposal=_proposed(
            pair, request, strict, judged, trial, f"{found.name} (sha256 {digest[:16]})"
        ),
    )


def _must_be_an_object(graph: Graph, ref: Ref, name: str) -> None:
    if not graph.shape(ref).is_object and not graph.shape(ref).alternatives:
        message = f"{name} is no object with members, so no result can be one"
        advice = "name the definition of a result with --result"
        raise FindingsError([Finding(Place(graph.file), "bad_schema", message, advice)])


def _compared(pair: _Pair, request: Request) -> tuple[list[Change], list[Definition]]:
    old, new = pair.old.graph, pair.new
    comparison = Comparison(old, new)
    changes = comparison.changes("result", pair.old_ref, pair.new_ref)
    answer = covers_at(new, pair.new_ref, old, pair.old_ref)
    definitions = [Definition("result", request.result_name, answer)]
    if pair.old.is_ours:
        return changes, definitions
    named = named_keys(old, new, new.shape(pair.new_ref))
    known = {change.fact.name for change in changes if change.kind is Kind.METADATA}
    changes += [change for change in named if change.fact.name not in known]
    if request.tool_name is not None:
        tools = [graph.definition(request.tool_name) for graph in (old, new)]
        for graph, ref in zip((old, new), tools, strict=True):
            graph.check(ref)
        changes += comparison.changes("tool", *tools)
        answer = covers_at(new, tools[1], old, tools[0])
        definitions.append(Definition("tool", request.tool_name, answer))
    return [*dialect_change(old, new), *changes], definitions


def _tried(pair: _Pair, request: Request, loaded: Loaded, progress: Progress) -> Trial:
    def step(told: str) -> Callable[[int, int], None]:
        return lambda done, of: progress(told, done, of)

    outputs = tuple(
        outputs_of(loaded, request.target, plan, step(f"render {plan.label}"))
        for plan in request.plans
    )
    shape = pair.new.shape(pair.new_ref)
    origin = request.target.origin
    return run_trial(
        outputs,
        loaded.model.result,
        Judge(pair.new, pair.new_ref),
        lambda wire: completed(wire, origin, pair.new, shape),
        step("try"),
    )


_GONE = frozenset({Kind.REMOVED, Kind.RENAMED, Kind.MOVED_IN, Kind.MOVED_OUT})
_ORDER = {weight: number for number, weight in enumerate(Weight)}


def _ordered(judged: Iterable[Judged]) -> tuple[Judged, ...]:
    """What matters most first; results before tools."""
    return tuple(
        sorted(
            judged,
            key=lambda one: (
                _ORDER[one.weight],
                one.change.of != "result",
                one.change.place,
                one.change.kind.value,
                one.change.fact.name,
            ),
        )
    )


def _proposed(
    pair: _Pair,
    request: Request,
    strict: Strict,
    judged: tuple[Judged, ...],
    trial: Trial,
    source: str,
) -> Proposal:
    widened = frozenset(
        generic(place)
        for one in judged
        if one.change.kind is Kind.WIDENED and one.change.of == "result"
        for place in one.change.places
    )
    keys = {
        one.change.fact.name: one.change.fact.at
        for one in judged
        if one.change.kind is Kind.METADATA and one.chances and one.change.fact.at
    }
    deriving = Deriving(pair.new, strict, request.target.origin, widened, keys)
    wire = deriving.document(pair.new_ref, request.new_target, request.new_revision)
    taken = frozenset(name for plan in request.target.plans for name in plan.capabilities)
    basis = Basis(request.spec, request.target, request.revision, taken, source)
    return propose(basis, request.new_target, request.new_revision, judged, trial, wire)
