"""Samples that are no result the spec allows, and names that are used twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolresult_generator.check.context import Context
from toolresult_generator.check.fit import misfits
from toolresult_generator.check.structure import place_of_key
from toolresult_generator.findings import Finding, Place, quoted
from toolresult_generator.load import Document, Node
from toolresult_generator.model.sample import sample_node, sample_value


def check(context: Context) -> Iterable[Finding]:
    """Every sample against the result document, as far as that one has no faults."""
    seen: dict[str, Place] = {}
    for document in context.spec.samples:
        for name, place, node in _samples(document):
            first = seen.setdefault(name, place)
            if first != place:
                message = f"the sample {quoted(name)} is there already"
                yield Finding(place, "same_sample", message, f"the first one is at {first}")
            yield from _check_sample(node, context)


def _check_sample(node: Node, context: Context) -> Iterator[Finding]:
    if node.get("result") is None and node.get("json") is None:
        return  # found by the check of the structure
    text = node.get("json")
    try:
        root = sample_node(node)
        if node.get("repeat") is not None:
            sample_value(node)
    except (ValueError, KeyError, TypeError) as error:
        at = text or node.get("repeat") or node
        yield Finding(at.place, "bad_sample", str(error))
        return
    if context.result is None:
        return
    for misfit in misfits(root, context.result):
        # places inside of a JSON text are those of the text, so its own one is given
        place = misfit.place if text is None else text.place
        where = misfit.pointer or "(result)"
        yield Finding(place, "bad_sample", f"{where}: {misfit.code}: {misfit.message}")


def _samples(document: Document) -> Iterator[tuple[str, Place, Node]]:
    samples = document.root.get("samples")
    if samples is not None:
        for name, node in samples.items():
            yield name, place_of_key(samples, name), node
