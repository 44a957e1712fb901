"""The modules of a target: its renderers, and where each renderer and reader is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from toolresult_generator.languages.base import NameUse
from toolresult_generator.languages.lowering import lower_target
from toolresult_generator.languages.lowering.expressions import Invoke, Role
from toolresult_generator.languages.lowering.modules import Renderer, TargetModule
from toolresult_generator.languages.typescript.expressions import HOMES, TYPES
from toolresult_generator.languages.typescript.imports import import_lines
from toolresult_generator.languages.typescript.layout import (
    Doc,
    Group,
    array,
    call,
    lay_out,
    listed,
)
from toolresult_generator.languages.typescript.names import LANGUAGE, pascal
from toolresult_generator.languages.typescript.readers import emit_reader, reader_class
from toolresult_generator.languages.typescript.statements import Functions, function_names
from toolresult_generator.languages.typescript.text import HEADER, comment, literal, module_text
from toolresult_generator.languages.typescript.types import ValueTypes
from toolresult_generator.model.target import Hook, Spec, Target


def emit_targets(spec: Spec) -> dict[str, str]:
    """The modules by their path in the output; laid out as prettier does."""
    types = ValueTypes(spec.result)
    modules = [lower_target(target, spec.result) for target in spec.targets]
    files: dict[str, str] = {}
    for module in modules:
        name = module_name(module.target)
        files[f"targets/{name}.ts"] = module_text(_Module(module, types).lines())
        files[f"targets/{name}-reader.ts"] = module_text(emit_reader(module.target))
    files["targets/index.ts"] = module_text(_index(modules))
    return files


class _Module:
    def __init__(self, module: TargetModule, types: ValueTypes) -> None:
        self._module = module
        self._names = function_names(module.functions)
        self._hooks = hooks_class(module.target)
        self._functions = Functions(self._names, types, self._hooks)

    def lines(self) -> list[str]:
        """The lines of the module."""
        target = self._module.target
        self._functions.values.add("Result")
        body: list[str] = []
        if self._module.hooks:
            body += [*self._hooks_lines(self._module.hooks), ""]
        for renderer in self._module.renderers:
            body += [*self._renderer(renderer), ""]
        for function in self._module.functions:
            body += [*self._functions.function(function), ""]
        homes: dict[str, set[str]] = {}
        types = set(TYPES) | self._functions.values
        for name in self._functions.expressions.uses | {"Renderer", "Options", "Losses"}:
            homes.setdefault(f"../runtime/{HOMES[name]}.js", set()).add(name)
        if "new Layout()" not in "\n".join(body):
            types.add("Layout")
        homes["../values.js"] = self._functions.values
        source = HEADER.format(source=f"targets/{target.name}.yaml")
        head = comment([f"{target.title}: the renderers.", target.meaning, source])
        return [*head, "", *import_lines(homes, types), "", *body[:-1]]

    def _hooks_lines(self, hooks: tuple[Hook, ...]) -> list[str]:
        digests = [f"    {method(hook)}: {literal(hook.digest)}," for hook in hooks]
        lines = [
            *comment(f"What an adapter writes of {self._module.target.name}."),
            f"export abstract class {self._hooks} {{",
            *comment("The digest of each rule; an adapter says which one it was written for.", 1),
            "  static readonly ruleDigests = {",
            *digests,
            "  } as const;",
        ]
        for hook in hooks:
            kind = "Part" if hook.subject == "item" else "Result"
            self._functions.values.add(kind)
            text = f"{hook.rule} Gives the JSON of it. Rule {hook.digest}."
            lines += ["", *comment(text, 1)]
            lines.append(f"  abstract {method(hook)}({hook.subject}: {kind}): string;")
        return [*lines, "}"]

    def _renderer(self, one: Renderer) -> list[str]:
        phase = f", phase {one.phase}" if one.phase else ""
        lines = [
            *comment(f"Writes {one.target}, revision {one.revision}{phase}."),
            f"export class {renderer_class(one)} extends Renderer {{",
            f"  override readonly target = {literal(one.target)};",
            f"  override readonly revision = {literal(one.revision)};",
            f"  override readonly phase = {literal(one.phase) if one.phase else 'undefined'};",
            f"  override readonly limit = {'undefined' if one.limit is None else one.limit};",
        ]
        if self._module.is_text:
            lines.append("  override readonly isText = true;")
        if _has_hooks(one):
            lines += [f"  readonly #hooks: {self._hooks};", ""]
            lines += [f"  constructor(hooks: {self._hooks}) {{", "    super();"]
            lines += ["    this.#hooks = hooks;", "  }"]
        lines += ["", *self._write_head(one)]
        if one.new_layout:
            self._functions.expressions.use("Layout")
            lines.append("    const layout = new Layout();")
        lines += self._output(one.output)
        if one.losses is not None:
            lines += lay_out((self._invoke(one.losses), ";"), 2)
        return [*lines, "  }", "}"]

    def _write_head(self, one: Renderer) -> list[str]:
        given = (*one.output.arguments, *(one.losses.arguments if one.losses else ()))
        used = {variable.role for variable in given} | {Role.OUT}
        types = {
            Role.OUT: "out: string[]",
            Role.RESULT: "result: Result",
            Role.OPTIONS: "options: Options",
            Role.LOSSES: "losses: Losses",
        }
        # what is not used starts with an underscore, and what comes last is left out
        named = [text if role in used else f"_{text}" for role, text in types.items()]
        while named[-1].startswith("_"):
            named.pop()
        return lay_out(("override write", Group((listed("(", named, ")"), ": void {"))), 1)

    def _output(self, output: Invoke) -> list[str]:
        doc = self._invoke(output)
        return lay_out((doc if output.appends else call("out.push", [doc]), ";"), 2)

    def _invoke(self, invoke: Invoke) -> Doc:
        given = [
            "this.#hooks" if one.role is Role.HOOKS else self._functions.expressions.variable(one)
            for one in invoke.arguments
        ]
        return call(self._names[invoke.function], given)


def _index(modules: Iterable[TargetModule]) -> list[str]:
    """Where each renderer and reader is."""
    homes: dict[str, set[str]] = {
        "../runtime/rendering.js": {"Renderer"},
        "../runtime/reading.js": {"Reader"},
        "../values.js": {"Result"},
    }
    renderers: list[str] = []
    readers: list[str] = []
    for module in modules:
        target = module.target
        own = homes.setdefault(f"./{module_name(target)}.js", set())
        for one in module.renderers:
            own.add(renderer_class(one))
            entry = [literal(one.target), literal(one.revision)]
            entry += [literal(one.phase) if one.phase else "undefined", renderer_class(one)]
            if _has_hooks(one):
                own.add(hooks_class(target))
                entry.append(hooks_class(target))
            renderers += lay_out((array(entry), ","), 1)
        for reader in target.readers:
            name = reader_class(target, reader.revisions[0])
            homes.setdefault(f"./{module_name(target)}-reader.js", set()).add(name)
            for revision in reader.revisions:
                readers += lay_out((array([literal(target.name), literal(revision), name]), ","), 1)
    head = comment(["Where each renderer and reader is.", HEADER.format(source="targets")])
    return [
        *head,
        "",
        *import_lines(homes, {"Renderer", "Reader", "Result"}),
        "",
        *_TABLE_TYPES.splitlines(),
        "",
        *comment("Target, revision and phase to the class that writes it, with that of its hooks."),
        "export const RENDERERS: readonly RendererEntry[] = [",
        *renderers,
        "];",
        "",
        *comment("Target and revision to the class that reads it."),
        "export const READERS: readonly ReaderEntry[] = [",
        *readers,
        "];",
    ]


_TABLE_TYPES: Final = """\
/** A class with hooks, or whose objects are hooks; an adapter derives from it. */
export type Hooked = abstract new () => object;

/** Target, revision, phase, the class that writes it, and the class of its hooks if it has some. */
export type RendererEntry = readonly [
  target: string,
  revision: string,
  phase: string | undefined,
  renderer: new (hooks: never) => Renderer,
  hooks?: Hooked,
];

/** Target, revision and the class that reads it; abstract where an adapter fills a hook. */
export type ReaderEntry = readonly [
  target: string,
  revision: string,
  reader: abstract new () => Reader<Result>,
];"""


def _has_hooks(one: Renderer) -> bool:
    return any(variable.role is Role.HOOKS for variable in one.output.arguments)


# ---------------------------------------------------------------- names


def method(hook: Hook) -> str:
    """The method that an adapter has for a hook."""
    return LANGUAGE.convert(hook.name, NameUse.HOOK)


def module_name(target: Target) -> str:
    """The module of a target."""
    return LANGUAGE.convert(target.name, NameUse.TARGET)


def hooks_class(target: Target) -> str:
    """The class of the hooks in output forms: ``McpHandshakeHooks``."""
    return f"{pascal(target.name)}Hooks"


def renderer_class(one: Renderer) -> str:
    """The class that writes a revision and phase: ``McpHandshake20250618Final``."""
    digits = "".join(c for c in one.revision if c.isalnum())
    return pascal(one.target) + digits + pascal(one.phase or "")
