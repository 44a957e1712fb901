"""The targets: every part has a rule, every rule fits, every revision has its wire schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolresult_generator.check.context import Context
from toolresult_generator.check.structure import place_of_key
from toolresult_generator.findings import Finding, quoted
from toolresult_generator.load import Document


def check(context: Context) -> Iterable[Finding]:
    """What resolving the targets finds, as far as the documents have the right shape."""
    spec = context.spec
    # asked before anything is found here: a missing wire schema hides no other fault
    sound = context.result is not None and all(context.is_sound(d.file) for d in spec.targets)
    for document in spec.targets:
        yield from _wire_schemas(document, context)
    known = {document.name for document in spec.targets}
    for document in spec.wire:
        if document.folder not in known:
            message = f"there is no target {quoted(document.folder)} for this wire schema"
            yield Finding(document.root.place, "stray_file", message)
    if context.result is None or not sound:
        return
    from toolresult_generator.model.targets import build_targets

    targets, faults = build_targets(context.result, {d.name: d.root for d in spec.targets})
    if not faults:
        context.targets = targets
    yield from faults


def _wire_schemas(document: Document, context: Context) -> Iterator[Finding]:
    revisions = document.root.get("revisions")
    names = [] if revisions is None else [name for name, _ in revisions.items()]
    for name in names:
        if context.spec.wire_document(document.name, name) is None and revisions is not None:
            message = f"the revision {quoted(name)} has no wire schema"
            advice = f"write wire/{document.name}/{name}.yaml"
            yield Finding(place_of_key(revisions, name), "missing_wire_schema", message, advice)
    for schema in context.spec.wire:
        if schema.folder == document.name and schema.name not in names:
            message = f"the target has no revision {quoted(schema.name)}"
            yield Finding(schema.root.place, "stray_file", message)
