"""Each language has the public names of Python, in its own case."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.languages.names import PHP, TYPESCRIPT, Elsewhere, Name, camel, elsewhere, public_names
from tests.php.toolchain import ROOT, tool
from tests.typescript.package import PACKAGE, built_package, npx, run

NAMES = list(public_names())
TYPES = {"Part"}
"""Names of types that are no classes."""
NAMESPACES = ("Core\\", "", "Store\\")
SCRIPT = """\
require $argv[1];
$missing = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $name => $places) {
    $found = false;
    foreach ($places as [$class, $member]) {
        $known = class_exists($class) || interface_exists($class) || enum_exists($class);
        $found = $found || $known && ($member === '' || method_exists($class, $member)
            || property_exists($class, $member) || defined("{$class}::{$member}")
            || defined("{$class}::" . strtoupper($member)));
    }
    if (!$found) {
        $missing[] = $name;
    }
}
echo json_encode($missing);
"""


def test_there_are_names() -> None:
    found = {str(name) for name in NAMES}
    assert len(NAMES) > 300
    assert {"Result.success", "Mapper.render", "KeyRing.parse", "to_plain", "open_store"} <= found


@pytest.mark.parametrize("table", [TYPESCRIPT, PHP], ids=["typescript", "php"])
def test_what_is_otherwise_is_a_name_of_python(table: Mapping[str, Elsewhere]) -> None:
    used = {id(elsewhere(name, table)) for name in NAMES}
    assert [key for key, one in table.items() if id(one) not in used] == []
    assert all(one.reason for one in table.values())


def in_typescript(name: Name) -> str | None:
    """The name as an expression of a type; None for one that is not to be there."""
    known = elsewhere(name, TYPESCRIPT)
    if known is not None and not known.name:
        return None
    if known is None:
        place = {"toolresult": "root", "toolresult.store": "store"}[name.module]
        own = f"{place}.{name.name if name.is_class else camel(name.name)}"
    elif known is TYPESCRIPT.get(str(name)):
        is_type = name.is_class and known.name.rpartition(".")[2] == name.name
        return known.name if is_type else f"typeof {known.name}"
    else:  # of its class
        own = known.name
    if name.member:
        member = f'["{camel(name.member)}"]'
        return f"(typeof {own}){member}" if name.is_static else f"{own}{member}"
    return own if name.is_class or name.name in TYPES else f"typeof {own}"


@pytest.mark.needs_toolchain
def test_typescript_has_them(tmp_path: Path) -> None:
    built_package()
    lines = [
        'import type * as root from "toolresult";',
        'import type * as store from "toolresult/store";',
        'import type * as sqlite from "toolresult/store/sqlite";',
        "// @ts-expect-error: there is no such name, and it is noticed",
        'export type None = root.Result["lose"];',
    ]
    for number, name in enumerate(NAMES):
        spelt = in_typescript(name)
        if spelt is not None:
            lines.append(f"export type T{number} = {spelt}; // {name}")
    modules = tmp_path / "node_modules"
    modules.mkdir()
    (modules / "toolresult").symlink_to(PACKAGE)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "names.ts").write_text("\n".join(lines) + "\n")
    options = {
        "target": "ES2022",
        "module": "NodeNext",
        "strict": True,
        "noEmit": True,
        "types": ["node"],
        "typeRoots": [str(PACKAGE / "node_modules" / "@types")],
    }
    config = tmp_path / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": options, "files": ["names.ts"]}))
    npx("tsc", "-p", str(config))


def in_php(name: Name) -> list[list[str]]:
    """The places where the name may be: classes with a member, or with an empty text."""
    known = elsewhere(name, PHP)
    if known is None:
        return [[f"Toolresult\\{space}{name.name}", camel(name.member)] for space in NAMESPACES]
    if known is PHP.get(str(name)):
        owner, _, member = known.name.partition("::")
        return [[f"Toolresult\\{owner}", member]]
    return [[f"Toolresult\\{known.name}", camel(name.member)]]


@pytest.mark.needs_toolchain
def test_php_has_them() -> None:
    wanted = {
        str(name): in_php(name)
        for name in NAMES
        if (known := elsewhere(name, PHP)) is None or known.name
    }
    command = [tool("php"), "-r", SCRIPT, str(ROOT / "adapters/php/autoload.php")]
    assert json.loads(run(command, given=json.dumps(wanted))) == []
    wanted["Result.lose"] = [["Toolresult\\Core\\Result", "lose"]]
    wanted["Lost"] = [["Toolresult\\Lost", ""]]
    assert json.loads(run(command, given=json.dumps(wanted))) == ["Result.lose", "Lost"]
