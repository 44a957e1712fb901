"""The classes of each target: its renderers, its readers, and the functions that they share."""

from __future__ import annotations

from typing import Final

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.lowering import lower_reader, lower_target
from toolresult_generator.languages.lowering.expressions import HookCall, Role
from toolresult_generator.languages.lowering.lower import write_hooks
from toolresult_generator.languages.lowering.modules import Renderer, TargetModule
from toolresult_generator.languages.lowering.reading import Dispatch, ReaderClass, ReaderModule
from toolresult_generator.languages.lowering.walk import walk
from toolresult_generator.languages.php.files import ROOT_NAMESPACE, TARGETS_NAMESPACE, source
from toolresult_generator.languages.php.functions import Functions, method_names
from toolresult_generator.languages.php.layout import array, lines, string
from toolresult_generator.languages.php.names import LANGUAGE, pascal
from toolresult_generator.languages.php.reading import ReadFunctions, form_method
from toolresult_generator.languages.php.text import doc, literal
from toolresult_generator.model.result import ResultSpec
from toolresult_generator.model.target import Hook, Plan, RevisionReader, Spec, Target

_IMPORTS: Final = (ROOT_NAMESPACE, f"{ROOT_NAMESPACE}\\Runtime")


def emit_targets(spec: Spec) -> dict[str, str]:
    """The files by their path below the namespace."""
    files: dict[str, str] = {}
    for target in spec.targets:
        files |= _renderers(target, spec.result)
        files |= _readers(target)
    files["Targets/Targets.php"] = _registry(spec)
    return files


# ------------------------------------------------------------ renderers


def _renderers(target: Target, result: ResultSpec) -> dict[str, str]:
    module = lower_target(target, result)
    writer = f"{_class(target)}Writer"
    hooks = f"{_class(target)}Hooks"
    methods = method_names(one.name for one in module.functions)
    functions = Functions(methods, hooks)
    body: list[str] = []
    for one in module.functions:
        body += [*functions.function(one), ""]
    files = {
        writer: [
            *doc(f"{target.title}: what its renderers share. {target.meaning}", "@internal"),
            f"final class {writer}",
            *_closed(body),
        ]
    }
    if module.hooks:
        files[hooks] = _hooks(hooks, target, module)
    for renderer in module.renderers:
        name = renderer_class(renderer)
        own_hooks = hooks if module.hooks else None
        files[name] = _renderer(name, renderer, methods, writer, own_hooks, module.is_text)
    return _files(files, target)


def _renderer(
    name: str,
    renderer: Renderer,
    methods: dict[str, str],
    writer: str,
    hooks: str | None,
    is_text: bool,
) -> list[str]:
    phase = f", phase {renderer.phase}" if renderer.phase else ""
    body = [
        *lines(string(renderer.target), 1, "public const TARGET = ", ";"),
        *lines(string(renderer.revision), 1, "public const REVISION = ", ";"),
        f"    public const PHASE = {literal(renderer.phase) if renderer.phase else 'null'};",
        f"    public const LIMIT = {'null' if renderer.limit is None else renderer.limit};",
        *(["    public const IS_TEXT = true;"] if is_text else []),
        "",
    ]
    if hooks is not None:
        body += [
            f"    public function __construct(private readonly {hooks} $hooks)",
            "    {",
            "    }",
            "",
        ]
    arguments = ", ".join(
        "$this->hooks" if one.role is Role.HOOKS else f"${one.name}"
        for one in renderer.output.arguments
    )
    written = f"{writer}::{methods[renderer.output.function]}({arguments});"
    body += [
        "    public function write(",
        "        string &$out,",
        "        Core\\Result $result,",
        "        Runtime\\Options $options,",
        "        Runtime\\Losses $losses,",
        "    ): void {",
        *(["        $layout = new Runtime\\Layout();"] if renderer.new_layout else []),
        f"        {'' if renderer.output.appends else '$out .= '}{written}",
    ]
    if renderer.losses is not None:
        given = ", ".join(f"${one.name}" for one in renderer.losses.arguments)
        body += [f"        {writer}::{methods[renderer.losses.function]}({given});"]
    body += ["    }"]
    return [
        *doc(f"Writes {renderer.target}, revision {renderer.revision}{phase}."),
        f"final class {name} extends Runtime\\Renderer",
        *_closed(body),
    ]


def _hooks(name: str, target: Target, module: TargetModule) -> list[str]:
    body: list[str] = []
    for hook in module.hooks:
        method = _method(hook)
        subject = f"{_subject_type(hook, module)} ${hook.subject}"
        body += [
            *doc(f"{hook.rule} Gives the JSON of it. Rule {hook.digest}.", indent=1),
            f"    public function {method}({subject}): string;",
            "",
        ]
    return [
        *doc(f"What the spec leaves to an adapter of {target.name}."),
        f"interface {name}",
        *_closed(body),
    ]


def _subject_type(hook: Hook, module: TargetModule) -> str:
    """The class of what a hook is handed: the result, a part of any kind, or a record."""
    if hook.subject == "result":
        return "Core\\Result"
    found: set[str] = set()
    for function in module.functions:
        items = {one.variable: one.item for one in function.parameters if one.item is not None}
        for one in walk(function.body):
            if isinstance(one, HookCall) and one.name == hook.name:
                item = items.get(one.subject)
                if item is None:  # the variable of a loop: a part or a record
                    return "Runtime\\Value"
                record = item.record
                name = "Part" if record is None else LANGUAGE.convert(record, NameUse.RECORD)
                found.add(f"Core\\{name}")
    return "|".join(sorted(found)) or "Runtime\\Value"


# -------------------------------------------------------------- readers


def _readers(target: Target) -> dict[str, str]:
    module = lower_reader(target)
    reading = f"{_class(target)}Reading"
    methods = method_names(_name(one) for one in module.functions)
    functions = ReadFunctions(methods)
    body: list[str] = []
    for one in module.functions:
        body += [*functions.function(one), ""]
    files: dict[str, list[str]] = {}
    if body:
        files[reading] = [
            *doc(f"{target.title}: what its readers share. {target.meaning}", "@internal"),
            f"final class {reading}",
            *_closed(body),
        ]
    for reader in module.readers:
        name = reader_class(target, reader)
        files[name] = _reader(name, reader, module, methods, reading)
    return _files(files, target)


def _reader(
    name: str, reader: ReaderClass, module: ReaderModule, methods: dict[str, str], reading: str
) -> list[str]:
    revisions = array(map(literal, reader.revisions))
    body = [
        *lines(string(reader.target), 1, "public const TARGET = ", ";"),
        *lines(revisions, 1, "public const REVISIONS = ", ";"),
        *(["    public const IS_TEXT = true;"] if module.is_text else []),
    ]
    if reader.hook is None:
        assert reader.function is not None
        origin = "null" if reader.origin is None else literal(reader.origin)
        body += [
            "",
            *_read_wire(
                "        $block = new Runtime\\Members($wire);",
                f"        $draft = {reading}::{methods[reader.function]}($block);",
                f"        return Runtime\\Reading::finish($draft, $block, {origin});",
            ),
        ]
    else:
        body += _with_hook(reader.hook, reader, module, methods, reading)
    start = "final class" if reader.hook is None else "abstract class"
    return [
        *doc(f"Reads {reader.target}, revision {', '.join(reader.revisions)}."),
        f"{start} {name} extends Runtime\\Reader",
        *_closed(body),
    ]


def _with_hook(
    hook: Hook, reader: ReaderClass, module: ReaderModule, methods: dict[str, str], reading: str
) -> list[str]:
    method = _method(hook)
    body = [
        "",
        *doc(
            "The digest of the rule below; an adapter says which one it was written for.", indent=1
        ),
        f"    public const RULE_DIGEST = {literal(hook.digest)};",
        "",
        *_read_wire(f"        return $this->{method}($wire);"),
        "",
        *doc(f"{hook.rule} Rule {hook.digest}.", "@throws Core\\ResultError", indent=1),
        f"    abstract public function {method}(mixed ${hook.subject}): Core\\Result;",
    ]
    by_name = {_name(one): one for one in module.functions}
    for form in reader.forms:
        function = by_name[form.function]
        by_kind = isinstance(function, Dispatch) and function.by_kind
        kind, given = (", ?string $kind = null", ", $kind") if by_kind else ("", "")
        body += [
            "",
            *doc("@throws Core\\ResultError", indent=1),
            f"    public static function {form_method(form.form)}"
            f"(Runtime\\Members $block{kind}): Runtime\\Draft",
            "    {",
            f"        return {reading}::{methods[form.function]}($block{given});",
            "    }",
        ]
    return body


def _read_wire(*body: str) -> list[str]:
    return [
        "    public function readWire(mixed $wire): Core\\Result",
        "    {",
        *body,
        "    }",
    ]


def _name(function: object) -> str:
    name = getattr(function, "name", None)
    assert isinstance(name, str), function
    return name


# ---------------------------------------------------------------- names


def _method(hook: Hook) -> str:
    return LANGUAGE.convert(hook.name, NameUse.HOOK)


def _class(target: Target | Plan | Renderer) -> str:
    return pascal(target.name if isinstance(target, Target) else target.target)


def _letters(revision: str) -> str:
    return "".join(char for char in revision if char.isalnum())


def renderer_class(plan: Plan | Renderer) -> str:
    """The class that writes a revision and phase: ``McpHandshake20250618Final``."""
    return _class(plan) + _letters(plan.revision) + pascal(plan.phase or "")


def reader_class(target: Target, reader: RevisionReader | ReaderClass) -> str:
    """The class that reads a target, or one revision of it where they are read differently."""
    own = "" if len(target.readers) == 1 else _letters(reader.revisions[0])
    return f"{_class(target)}{own}Reader"


def _registry(spec: Spec) -> str:
    renderers = [
        f"[{literal(plan.target)}, {literal(plan.revision)}, "
        f"{literal(plan.phase) if plan.phase else 'null'}, {renderer_class(plan)}::class]"
        for target in spec.targets
        for plan in target.plans
    ]
    readers = [
        f"[{literal(target.name)}, {literal(revision)}, {reader_class(target, reader)}::class]"
        for target in spec.targets
        for reader in target.readers
        for revision in reader.revisions
    ]
    hooks = [
        [
            f"{_class(target)}Hooks::class => [",
            *(f"    {literal(_method(hook))} => {literal(hook.digest)}," for hook in found),
            "],",
        ]
        for target in spec.targets
        if (found := write_hooks(target))
    ]
    body = [
        *doc("Target, revision and phase, and the class that writes them.", indent=1),
        "    public const RENDERERS = [",
        *(f"        {one}," for one in renderers),
        "    ];",
        "",
        *doc("Target and revision, and the class that reads them.", indent=1),
        "    public const READERS = [",
        *(f"        {one}," for one in readers),
        "    ];",
        "",
        *doc(
            "The methods that adapters fill, and the digest of the rule of each: what an adapter "
            "says in WRITTEN_FOR.",
            "@var array<class-string, array<string, string>>",
            indent=1,
        ),
        *(["    public const HOOKS = ["] if hooks else ["    public const HOOKS = [];"]),
        *(f"        {line}" for lines_of in hooks for line in lines_of),
        *(["    ];"] if hooks else []),
    ]
    head = [*doc("Which class writes or reads what."), "final class Targets"]
    return source(TARGETS_NAMESPACE, [*head, *_closed(body)], "spec/targets")


# ---------------------------------------------------------------- files


def _closed(body: list[str]) -> list[str]:
    while body and body[-1] == "":
        body.pop()
    return ["{", *body, "}"]


def _files(files: dict[str, list[str]], target: Target) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, body in files.items():
        text = "\n".join(body)
        used = [one for one in _IMPORTS if f"{one.rpartition(chr(92))[2]}\\" in text]
        found[f"Targets/{name}.php"] = source(
            TARGETS_NAMESPACE, body, f"spec/targets/{target.name}.yaml", used
        )
    return found
