"""Stage 2, check: everything that is wrong with a spec, all at once.

Each check is a module with one function::

    def check(context: Context) -> Iterable[Finding]: ...

It may rely on nothing: a document with faults goes through all of them, so that a person sees
every fault in one run. The ones that need the model ask `context.result`, which is None as long
as the result document has faults.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from toolresult_generator.check.context import Context
from toolresult_generator.findings import Finding
from toolresult_generator.load import Spec

CHECKS: tuple[str, ...] = (
    "structure",
    "result_rules",
    "names",
    "wire",
    "targets",
    "adapters",
    "samples",
    # last: what is left to do hides no other fault
    "gaps",
    "history",
)
"""The modules of this package that hold checks, in the order in which they run."""

_WITHOUT_HISTORY = frozenset({"history"})


def check_spec(
    spec: Spec,
    *,
    against: str | None = None,
    history: bool = True,
    adapters: tuple[Path, ...] = (),
) -> list[Finding]:
    """Every finding about a spec, sorted by place. The arguments are those of :func:`checked`."""
    return sorted(checked(spec, against=against, history=history, adapters=adapters).findings)


def checked(
    spec: Spec,
    *,
    against: str | None = None,
    history: bool = True,
    adapters: tuple[Path, ...] = (),
) -> Context:
    """A spec after all checks: the findings, those of loading included, and what was noted.

    ``against`` is the version to compare with: a git revision or a spec folder; by default the
    last commit, if there is one. Without ``history`` nothing is compared: a spec may be
    generated from while it is being changed. ``adapters`` are folders whose adapters are compared
    with the hooks; without one nothing is: what an adapter has to be is only generated now.
    """
    context = Context(spec, against, adapters)
    for name in CHECKS:
        if history or name not in _WITHOUT_HISTORY:
            module = importlib.import_module(f"{__name__}.{name}")
            context.add(module.check(context))
    return context
