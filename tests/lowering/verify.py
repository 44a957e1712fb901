"""Whether lowered code makes sense: names are bound, calls fit, every way through a function ends.

What a typed language's compiler would refuse is found here, for all languages at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from toolresult_generator.languages.lowering.expressions import (
    AllOf,
    AnyOf,
    Call,
    Computed,
    Conditional,
    Constant,
    Empty,
    EntryAt,
    Field,
    Fixed,
    Holds,
    HookCall,
    Invoke,
    Option,
    OptionGiven,
    Piece,
    PieceVariable,
    Pointer,
    PointerPart,
    Role,
    RolesEqual,
    Variable,
    Written,
)
from toolresult_generator.languages.lowering.modules import RESERVED, Function, TargetModule
from toolresult_generator.languages.lowering.reading import (
    Dispatch,
    ReadBlock,
    ReaderModule,
    ReadOpen,
    ReadWhole,
)
from toolresult_generator.languages.lowering.runtime import RUNTIME
from toolresult_generator.languages.lowering.runtime_reading import READING
from toolresult_generator.languages.lowering.runtime_types import Kind
from toolresult_generator.languages.lowering.statements import (
    Append,
    Body,
    FinishList,
    ForEach,
    If,
    IfNotEmpty,
    Let,
    NewEntries,
    NewMembers,
    Return,
    Run,
    StartList,
)
from toolresult_generator.languages.lowering.walk import walk
from toolresult_generator.model.result import FieldKind

_KINDS = {
    FieldKind.STRING: Kind.TEXT,
    FieldKind.BOOLEAN: Kind.BOOLEAN,
    FieldKind.COUNT: Kind.NUMBER,
    FieldKind.NUMBER: Kind.NUMBER,
    FieldKind.TIMESTAMP: Kind.TEXT,
    FieldKind.BASE64: Kind.TEXT,
    FieldKind.ERROR_CODE: Kind.TEXT,
    FieldKind.CHOICES: Kind.TEXTS,
    FieldKind.JSON: Kind.JSON,
    FieldKind.JSON_OBJECT: Kind.JSON,
    FieldKind.JSON_MAP: Kind.MAP,
}
_ROLES = {
    Role.MEMBERS: Kind.MEMBERS,
    Role.ENTRIES: Kind.OUT,
    Role.RESULT: Kind.RESULT,
    Role.OPTIONS: Kind.OPTIONS,
    Role.LAYOUT: Kind.LAYOUT,
    Role.LOSSES: Kind.LOSSES,
}
_PIECES = (Call, Conditional, Empty, Fixed, HookCall, Invoke, PieceVariable, Written)
_USES = {
    Append: Role.OUT,
    Option: Role.OPTIONS,
    OptionGiven: Role.OPTIONS,
    RolesEqual: Role.LAYOUT,
}
"""What uses a variable without naming it."""
_EMPTY = {name for name, function in RUNTIME.items() if function.may_be_empty}
SHAPES = ("object", "entries", "string", "icons")


def faults_of_target(module: TargetModule) -> Iterator[str]:
    """What is wrong with the renderers of a target."""
    known: dict[str, Function] = {}
    for function in module.functions:
        where = f"{module.target.name}/{function.name}"
        if function.name in known or function.name in (*RUNTIME, *RESERVED):
            yield f"{where}: the name is taken"
        yield from (f"{where}: {fault}" for fault in _function(function, known))
        known[function.name] = function
    for renderer in module.renderers:
        for invoke in (renderer.output, renderer.losses):
            if invoke is not None:
                yield from _invoke(invoke, known)


def _function(function: Function, known: Mapping[str, Function]) -> Iterator[str]:
    bound = {parameter.variable for parameter in function.parameters}
    if len({one.name for one in bound}) != len(function.parameters):
        yield "two parameters have one name"
    if function.appends and function.returns:
        yield "appends and returns"
    if function.appends != any(one.role is Role.OUT for one in bound):
        yield "takes out and does not append, or the other way round"
    order = list(Role)
    roles = [order.index(parameter.variable.role) for parameter in function.parameters]
    if roles != sorted(roles):
        yield "parameters out of order"
    yield from _body(function.body, frozenset(bound), known)
    unused = bound - {one for one in walk(function.body) if isinstance(one, Variable)}
    needed = {one.role for one in unused} - {Role.OUT, Role.OPTIONS, Role.LAYOUT}
    if needed:
        yield f"takes {needed} and uses none of it"
    if function.returns != _ends(function.body):
        yield "there is a way through it that returns nothing, or one that returns something"
    if any(isinstance(one, Return) for one in walk(function.body)) and not function.returns:
        yield "returns, and must not"


def _ends(body: Body) -> bool:
    """Whether every way through a body ends in a return."""
    for statement in body:
        if isinstance(statement, Return):
            return True
        if isinstance(statement, If):
            bodies = (*(case.body for case in statement.cases), statement.otherwise)
            if all(map(_ends, bodies)):
                return True
    return False


def _body(
    body: Body, bound: frozenset[Variable | str], known: Mapping[str, Function]
) -> Iterator[str]:
    """What is wrong in a body where these variables are bound."""
    for position, statement in enumerate(body):
        if _ends(body[:position]):
            yield "a statement is never reached"
        if isinstance(statement, Let):
            yield from _used(statement.value, bound, known)
            if statement.local in bound:
                yield f"{statement.local.name} is bound twice"
            if statement.local.name in RESERVED or statement.local.role is not Role.LOCAL:
                yield f"{statement.local.name} is no name for a local"
            bound |= {statement.local}
        elif isinstance(statement, (NewMembers, NewEntries)):
            made = statement.members if isinstance(statement, NewMembers) else statement.entries
            bound |= {made}
        elif isinstance(statement, StartList):
            bound |= {statement.name}
        elif isinstance(statement, If):
            for case in statement.cases:
                yield from _used(case.test, bound, known)
                yield from _body(case.body, bound, known)
            yield from _body(statement.otherwise, bound, known)
        elif isinstance(statement, IfNotEmpty):
            yield from _used((statement.test, statement.piece), bound, known)
            yield from _body(statement.body, bound | {statement.name}, known)
        elif isinstance(statement, ForEach):
            yield from _used(statement.values, bound, known)
            if statement.item in bound:
                yield f"{statement.item.name} is bound twice"
            inner = bound | {statement.item} | ({"index"} if statement.with_index else set())
            yield from _body(statement.body, inner, known)
        elif isinstance(statement, FinishList):
            if statement.name not in bound:
                yield f"{statement.name} is not bound"
            yield from _body(statement.if_empty, bound, known)
        else:
            if isinstance(statement, Run) and _gives(statement.invoke, known):
                yield f"{statement.invoke.function} gives a piece that nobody takes"
            if isinstance(statement, Append) and not statement.pieces:
                yield "appends nothing"
            yield from _used(statement, bound, known)


def _gives(invoke: Invoke, known: Mapping[str, Function]) -> bool:
    return invoke.function in known and known[invoke.function].returns


def _used(
    node: object, bound: frozenset[Variable | str], known: Mapping[str, Function]
) -> Iterator[str]:
    """What is wrong in an expression, or in a statement without others in it."""
    for one in walk(node):
        if isinstance(one, (Variable, PieceVariable)):
            known_as = one if isinstance(one, Variable) else one.name
            if known_as not in bound:
                yield f"{one.name} is not bound"
        elif isinstance(one, Pointer):
            if PointerPart.INDEX in one.parts and "index" not in bound:
                yield "there is no index"
        elif isinstance(one, tuple(_USES)):
            if _USES[type(one)] not in {each.role for each in bound if isinstance(each, Variable)}:
                yield f"{_USES[type(one)].value} is not taken"
        elif isinstance(one, Written):
            if not one.invoke.appends:
                yield f"{one.invoke.function} appends nothing"
        elif isinstance(one, Invoke):
            yield from _invoke(one, known)
        elif isinstance(one, Call):
            yield from _call(one)
        elif isinstance(one, (AllOf, AnyOf)) and len(one.tests) < 2:
            yield "a test of less than two"
        elif isinstance(one, Fixed) and not one.text:
            yield "fixed text that is empty"
        elif isinstance(one, Field) and one.of_result != (one.holder.role is Role.RESULT):
            yield f"{one.step.name} is no field of the result"


def _invoke(invoke: Invoke, known: Mapping[str, Function]) -> Iterator[str]:
    function = known.get(invoke.function)
    if function is None:
        yield f"{invoke.function} is not known before"
        return
    takes = [parameter.variable.role for parameter in function.parameters]
    given = [argument.role for argument in invoke.arguments]
    if given not in (takes, takes[1:] if function.appends else takes):
        yield f"{invoke.function} takes {takes}, not {given}"
    if invoke.appends != function.appends:
        yield f"{invoke.function} is not called as what it is"


def _call(call: Call) -> Iterator[str]:
    function = RUNTIME.get(call.function)
    if function is None:
        yield f"the runtime has no {call.function}"
        return
    needed = sum(not takes.optional for takes in function.takes)
    if not needed <= len(call.arguments) <= len(function.takes):
        yield f"{call.function} takes {needed} to {len(function.takes)} arguments"
    for takes, argument in zip(function.takes, call.arguments, strict=False):
        if not takes.absent and _may_be_absent(argument):
            yield f"{call.function}: {takes.name} may be absent"
        kind = kind_of(argument)
        if kind is not None and kind is not takes.kind:
            yield f"{call.function}: {takes.name} is {takes.kind.value}, not {kind.value}"


def _may_be_absent(argument: object) -> bool:
    return (isinstance(argument, Field) and argument.if_holder) or argument == Constant(None)


def kind_of(argument: object) -> Kind | None:
    """The type of an argument; None for an absent one."""
    if isinstance(argument, Field):
        type_ = argument.step.type
        return Kind.TEXT if type_ is None else _KINDS[type_.kind]
    if isinstance(argument, Variable):
        return _ROLES[argument.role]
    if isinstance(argument, Constant):
        return _constant(argument.value)
    if isinstance(argument, (Option, Pointer)):
        return Kind.TEXT
    if isinstance(argument, Computed):
        return RUNTIME[argument.call.function].gives
    if isinstance(argument, Call):
        return RUNTIME[argument.function].gives
    assert isinstance(argument, _PIECES) and not isinstance(argument, EntryAt), argument
    return Kind.PIECE


def _constant(value: object) -> Kind | None:
    if value is None:
        return None
    if isinstance(value, str):
        return Kind.SHAPE if value in SHAPES else Kind.TEXT
    assert isinstance(value, tuple), value
    return Kind.PLACES if any(isinstance(one, tuple) for one in value) else Kind.TEXTS


def misplaced(module: TargetModule) -> Iterator[str]:
    """Calls that stand where what they give does not fit."""
    for one in walk(module):
        if isinstance(one, Holds) and RUNTIME[one.call.function].gives is not Kind.TEST:
            yield f"{one.call.function} is no test"
        if isinstance(one, (Append, Conditional, Return, IfNotEmpty)):
            for piece in _pieces(one):
                if isinstance(piece, Call) and RUNTIME[piece.function].gives is not Kind.PIECE:
                    yield f"{piece.function} gives no piece"
        if isinstance(one, Append):
            for piece in one.pieces:
                # that a member has a shape is tested where it is appended
                if isinstance(piece, Call) and piece.function in _EMPTY - {"foreign_member"}:
                    yield f"{piece.function} may be empty, and is appended"


def _pieces(node: Append | Conditional | Return | IfNotEmpty) -> Iterable[Piece]:
    if isinstance(node, Append):
        return node.pieces
    if isinstance(node, Conditional):
        return (*(one.piece for one in node.alternatives), node.otherwise)
    return (node.piece,)


def faults_of_reader(module: ReaderModule) -> Iterator[str]:
    """What is wrong with the readers of a target."""
    known: dict[str, Dispatch | ReadBlock] = {}
    for function in module.functions:
        assert isinstance(function, (Dispatch, ReadBlock))
        if function.name in known or function.name in READING:
            yield f"{function.name}: the name is taken"
        known[function.name] = function
    called: set[str] = set()
    for one in walk(module):
        if isinstance(one, Dispatch):
            called |= {case.function for case in one.cases}
        elif isinstance(one, (ReadOpen, ReadWhole)):
            called.add(one.function)
    for reader in module.readers:
        called |= {form.function for form in reader.forms}
        public = [form.function for form in reader.forms]
        if not all(known[name].public for name in public if name in known):
            yield f"{reader.target}: an adapter cannot call what is not public"
        if (reader.hook is None) == (reader.function is None):
            yield f"{reader.target}: read by a hook, or by a function"
    yield from (f"there is no {name}" for name in sorted(called - known.keys()))
    yield from (f"nothing calls {name}" for name in sorted(known.keys() - called))
