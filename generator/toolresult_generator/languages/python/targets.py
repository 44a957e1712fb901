"""The module of each target: its renderers, its readers and the functions that they share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.lowering import lower_reader, lower_target
from toolresult_generator.languages.lowering.expressions import Role
from toolresult_generator.languages.lowering.modules import Renderer
from toolresult_generator.languages.lowering.reading import ReaderClass
from toolresult_generator.languages.python.functions import Functions
from toolresult_generator.languages.python.names import LANGUAGE, pascal
from toolresult_generator.languages.python.reading import ReadFunctions
from toolresult_generator.languages.python.values import doc_text, docstring
from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.target import Hook, Plan, RevisionReader, Spec, Target

TEMPLATES: Final = Path(__file__).parent / "templates" / "targets"

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
    module = lower_target(target, result)
    functions = Functions(hooks_class(target))
    renderers = [_renderer(one, functions) for one in module.renderers]
    lines = [functions.function(one) for one in module.functions]
    return _filled(
        "renderers.jinja2",
        target,
        imports=_imports({*functions.imports, "Renderer", "Options", "Losses"}, functions.values),
        hooks=[_described(hook) for hook in module.hooks],
        hooks_class=hooks_class(target),
        is_text=module.is_text,
        renderers=renderers,
        functions=lines,
    )


def emit_reader(target: Target) -> str:
    """The module that reads a target; not yet formatted."""
    module = lower_reader(target)
    functions = ReadFunctions()
    functions.declare(module.functions)
    lines = [functions.function(one) for one in module.functions]
    readers = [_reader(target, one, functions) for one in module.readers]
    imports = {*functions.imports, "Reader"}
    if any(one.hook is None for one in module.readers):
        imports |= {"Members", "finish"}
    return _filled(
        "readers.jinja2",
        target,
        imports=_imports(imports, {"Result"}),
        with_partial="partial" in imports,
        with_hook=any(one.hook for one in module.readers),
        is_text=module.is_text,
        readers=readers,
        functions=lines,
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


def _renderer(renderer: Renderer, functions: Functions) -> dict[str, Any]:
    own = [
        replace(one, name="self") if one.role is Role.HOOKS else one
        for one in renderer.output.arguments
    ]
    call = functions.invoke(replace(renderer.output, arguments=tuple(own)))
    body = [f"layout = {functions.use('Layout')}()"] if renderer.new_layout else []
    body.append(call if renderer.output.appends else f"out.append({call})")
    if renderer.losses is not None:
        body.append(functions.invoke(renderer.losses))
    phase = f", phase {renderer.phase}" if renderer.phase else ""
    return {
        "class_name": renderer_class(renderer),
        "doc": docstring(f"Writes {renderer.target}, revision {renderer.revision}{phase}."),
        "target": repr(renderer.target),
        "revision": repr(renderer.revision),
        "phase": repr(renderer.phase),
        "limit": repr(renderer.limit),
        "body": body,
    }


def _reader(target: Target, reader: ReaderClass, functions: ReadFunctions) -> dict[str, Any]:
    described = {
        "class_name": reader_class(target, reader),
        "doc": docstring(f"Reads {reader.target}, revision {', '.join(reader.revisions)}."),
        "target": repr(reader.target),
        "revisions": repr(reader.revisions),
        "hook": None if reader.hook is None else _described(reader.hook, of_reader=True),
        "functions": [
            {"name": f"read_{form.form}", "function": functions.name(form.function)}
            for form in reader.forms
        ],
    }
    if reader.function is not None:
        described["function"] = functions.name(reader.function)
        described["finish"] = f"finish(Result, draft, block, {reader.origin!r})"
    return described


def hook_method(hook: Hook) -> str:
    """The method that an adapter has for a hook."""
    return LANGUAGE.convert(hook.name, NameUse.HOOK)


def hooks_class(target: Target) -> str:
    """The abstract class of the hooks in output forms: ``McpHandshakeHooks``."""
    return f"{_class(target)}Hooks"


def _described(hook: Hook, *, of_reader: bool = False) -> _Hook:
    given = "" if of_reader else " Gives the JSON of it, in UTF-8."
    text = f"{hook.rule}{given} Rule {hook.digest}."
    return _Hook(
        hook_method(hook),
        hook.subject,
        hook.digest,
        docstring(text).replace("\n", "\n    "),
    )


# ---------------------------------------------------------------- names


def _module(target: Target) -> str:
    return LANGUAGE.convert(target.name, NameUse.TARGET)


def _class(target: Target | Plan | Renderer) -> str:
    return pascal(target.name if isinstance(target, Target) else target.target)


def renderer_class(plan: Plan | Renderer) -> str:
    """The class that writes a revision and phase: ``McpHandshake20250618Final``."""
    return (
        _class(plan) + "".join(c for c in plan.revision if c.isalnum()) + pascal(plan.phase or "")
    )


def reader_class(target: Target, reader: RevisionReader | ReaderClass) -> str:
    """The class that reads a target, or one revision of it where they are read differently."""
    own = "" if len(target.readers) == 1 else "".join(c for c in reader.revisions[0] if c.isalnum())
    return f"{_class(target)}{own}Reader"


def home_of(name: str) -> str:
    """The module of the runtime that has a name."""
    return _HOMES.get(name, "rendering")


def _imports(names: Iterable[str], values: Iterable[str]) -> list[tuple[str, list[str]]]:
    homes: dict[str, list[str]] = {}
    for name in sorted(set(names) - {"partial"}):
        text = "find as find_foreign" if name == "find_foreign" else name
        homes.setdefault(f"..runtime.{home_of(name)}", []).append(text)
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
