"""The module of each target: its renderers, its readers and the functions that they share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.python.losses import write_losses
from toolresult_generator.languages.python.names import PythonNames, pascal
from toolresult_generator.languages.python.naming import forms_of, name_forms
from toolresult_generator.languages.python.readers import ReadWriter
from toolresult_generator.languages.python.values import doc_text, docstring
from toolresult_generator.languages.python.writing import Module
from toolresult_generator.model.nodes import nodes_in
from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.target import (
    FormCall,
    Hook,
    Plan,
    RevisionReader,
    Spec,
    Target,
)

TEMPLATES: Final = Path(__file__).parent / "templates" / "targets"
_NAMES = PythonNames()

_HOMES: Final = {
    "Json": "json_value",
    "quote": "canonical",
    "number": "canonical",
    "ResultError": "errors",
    **dict.fromkeys(
        ("bytes_text", "link_text", "embedded_text", "link_name", "content_address", "digest_id"),
        "conversions",
    ),
    **dict.fromkeys(
        ("foreign_entries", "foreign_member", "foreign_rest", "find_foreign"), "foreign"
    ),
    **dict.fromkeys(
        (
            *("Draft", "Fits", "Members", "Reader", "keep_foreign", "unknown_block"),
            *("read_open", "read_text", "read_whole", "choices_of", "number_between", "finish"),
            *("ANY", "BASE64", "BOOLEAN", "COUNT", "MAP", "NON_EMPTY", "OBJECT", "STRING"),
            "TIMESTAMP",
        ),
        "reading",
    ),
}
"""Where the runtime has a name; everything else is in ``rendering``."""


@dataclass(frozen=True)
class _Hook:
    """A hook as the template needs it."""

    method: str
    subject: str
    digest: str
    doc: str


def emit_targets(spec: Spec) -> dict[str, str]:
    """The modules by their path in ``toolresult_core``; not yet formatted."""
    files = {
        f"targets/{_module(target)}.py": emit_target(target, spec.result) for target in spec.targets
    }
    for target in spec.targets:
        files[f"targets/{_module(target)}_reader.py"] = emit_reader(target)
    files["targets/__init__.py"] = _registry(spec)
    return files


def emit_target(target: Target, result: ResultSpec) -> str:
    """The module of one target; not yet formatted."""
    named = name_forms(target)
    target = named.target
    hooks = [_described(hook) for hook in write_hooks(target)]
    module = Module(result, named.names, named.kinds, hooks_class(target))
    renderers = [_renderer(plan, module, target) for plan in target.plans]
    imports = module.imports | {"Renderer", "Options", "Losses"}
    functions = [function.lines for function in module.order]
    for plan in target.plans:
        lines = write_losses(_losses_name(plan), plan, result, imports, module.values)
        if lines:
            functions.append(lines)
    return _filled(
        "renderers.jinja2",
        target,
        imports=_imports(imports, module.values),
        hooks=hooks,
        hooks_class=hooks_class(target),
        is_text=target.wire == "string",
        renderers=renderers,
        functions=functions,
    )


def emit_reader(target: Target) -> str:
    """The module that reads a target; not yet formatted."""
    imports = {"Reader"}
    readers, functions = [], []
    for reader in target.readers:
        described, more = _reader(reader, target, imports)
        readers.append(described)
        functions += more
    return _filled(
        "readers.jinja2",
        target,
        imports=_imports(imports - {"partial"}, {"Result"}),
        with_partial="partial" in imports,
        with_hook=any(reader["hook"] for reader in readers),
        is_text=target.wire == "string",
        readers=readers,
        functions=functions,
    )


def _filled(template: str, target: Target, **values: Any) -> str:
    import jinja2  # only generation needs it

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 - the output is Python; texts go through doc_text and repr
    )
    return environment.get_template(template).render(
        title=doc_text(target.title),
        meaning=doc_text(target.meaning),
        name=doc_text(target.name),
        **values,
    )


def _renderer(plan: Plan, module: Module, target: Target) -> dict[str, Any]:
    function = module.function(plan.output)
    body = ["layout = Layout()"] if "layout" in function.needs else []
    arguments = ("self" if need == "hooks" else need for need in function.needs)
    call = f"{function.name}({', '.join(arguments)})"
    body.append(call if function.appends else f"out.append({call})")
    if any(not cell.rule.status.arrives for cell in plan.cells):
        body.append(f"{_losses_name(plan)}(result, losses)")
    phase = f", phase {plan.phase}" if plan.phase else ""
    return {
        "class_name": renderer_class(plan),
        "doc": docstring(f"Writes {plan.target}, revision {plan.revision}{phase}."),
        "target": repr(plan.target),
        "revision": repr(plan.revision),
        "phase": repr(plan.phase),
        "limit": repr(target.limit),
        "body": body,
    }


def _reader(
    reader: RevisionReader, target: Target, imports: set[str]
) -> tuple[dict[str, Any], list[list[str]]]:
    prefix = "" if len(target.readers) == 1 else "_" + _digits(reader.revisions[0])
    hook = reader.reader.hook
    writer = ReadWriter(target.origin, prefix, imports, alone=hook is None)
    functions = [writer.form(form) for form in reader.reader.forms]
    entries = writer.entry_functions()
    described = {
        "class_name": reader_class(target, reader),
        "doc": docstring(f"Reads {target.name}, revision {', '.join(reader.revisions)}."),
        "target": repr(target.name),
        "revisions": repr(reader.revisions),
        "hook": None if hook is None else _described(hook, with_digest=True),
        "functions": [
            {"name": f"read_{form.name}", "function": writer.name(form)}
            for form in reader.reader.forms
        ],
    }
    if hook is None:
        imports |= {"Members", "finish"}
        described["function"] = writer.name(reader.reader.forms[0])
        described["finish"] = f"finish(Result, draft, block, {target.origin!r})"
    return described, [*functions, *([entries] if entries else [])]


def write_hooks(target: Target) -> tuple[Hook, ...]:
    """The hooks in the output forms of a target, by name."""
    found: dict[str, Hook] = {}
    for plan in target.plans:
        for form in forms_of(FormCall(plan.output)):
            for node in nodes_in(form):
                if isinstance(node, Hook):
                    found.setdefault(node.name, node)
    return tuple(hook for _, hook in sorted(found.items()))


def hook_method(hook: Hook) -> str:
    """The method that an adapter has for a hook."""
    return _NAMES.convert(hook.name, NameUse.HOOK)


def hooks_class(target: Target) -> str:
    """The abstract class of the hooks in output forms: ``McpHandshakeHooks``."""
    return f"{_class(target)}Hooks"


def _described(hook: Hook, *, with_digest: bool = False) -> _Hook:
    given = "" if with_digest else " Gives the JSON of it, in UTF-8."
    text = f"{hook.rule}{given} Rule {hook.digest}."
    return _Hook(
        hook_method(hook),
        hook.subject,
        repr(hook.digest) if with_digest else hook.digest,
        docstring(text).replace("\n", "\n    "),
    )


# ---------------------------------------------------------------- names


def _module(target: Target) -> str:
    return _NAMES.convert(target.name, NameUse.TARGET)


def _class(target: Target | Plan) -> str:
    return pascal(target.name if isinstance(target, Target) else target.target)


def _digits(revision: str) -> str:
    return revision.replace("-", "_").replace(".", "_")


def renderer_class(plan: Plan) -> str:
    """The class that writes a revision and phase: ``McpHandshake20250618Final``."""
    return (
        _class(plan) + "".join(c for c in plan.revision if c.isalnum()) + pascal(plan.phase or "")
    )


def reader_class(target: Target, reader: RevisionReader) -> str:
    """The class that reads a target, or one revision of it where they are read differently."""
    own = "" if len(target.readers) == 1 else "".join(c for c in reader.revisions[0] if c.isalnum())
    return f"{_class(target)}{own}Reader"


def _losses_name(plan: Plan) -> str:
    return f"_losses_{_digits(plan.revision)}" + (f"_{plan.phase}" if plan.phase else "")


def _imports(names: Iterable[str], values: Iterable[str]) -> list[tuple[str, list[str]]]:
    homes: dict[str, list[str]] = {}
    for name in sorted(set(names) - {"partial"}):
        text = "find as find_foreign" if name == "find_foreign" else name
        homes.setdefault(f"..runtime.{_HOMES.get(name, 'rendering')}", []).append(text)
    homes.setdefault("..values", []).extend(sorted(set(values)))
    return sorted(homes.items())


def _registry(spec: Spec) -> str:
    """``targets/__init__.py``: where each renderer and reader is, imported at need."""
    renderers = "".join(
        f"    ({plan.target!r}, {plan.revision!r}, {plan.phase!r}): "
        f"({_module(target)!r}, {renderer_class(plan)!r}),\n"
        for target in spec.targets
        for plan in target.plans
    )
    readers = "".join(
        f"    ({target.name!r}, {revision!r}): "
        f"({_module(target) + '_reader'!r}, {reader_class(target, reader)!r}),\n"
        for target in spec.targets
        for reader in target.readers
        for revision in reader.revisions
    )
    return f'''"""Where each renderer and reader is.

Generated by `toolresult generate` from spec/targets. Do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RENDERERS: Final[Mapping[tuple[str, str, str | None], tuple[str, str]]] = {{
{renderers}}}
"""Target, revision and phase to the module here and the class in it."""

READERS: Final[Mapping[tuple[str, str], tuple[str, str]]] = {{
{readers}}}
"""Target and revision to the module here and the class in it."""
'''
