"""The npm package: what is in it, what tools say of it, and that it works where it is installed."""

from __future__ import annotations

import json
import re
import tarfile
from pathlib import Path
from typing import Any

import pytest
from tests.docs import pages
from tests.typescript.package import PACKAGE, ROOT, built, node, npm, npx, run

SDKS = ("@a2a-js/sdk", "@modelcontextprotocol/server")


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PACKAGE / "package.json").read_text())
    return found


@pytest.fixture(scope="module")
def tarball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built()
    folder = tmp_path_factory.mktemp("packed")
    npm("pack", "--pack-destination", str(folder))
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="module")
def project(tarball: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty project, with the package alone."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    # without the peers, which only those need who use their SDK
    npm("install", "--offline", "--omit=peer", "--no-audit", "--no-fund", str(tarball), cwd=folder)
    return folder


def members(tarball: Path) -> set[str]:
    with tarfile.open(tarball) as archive:
        return {name.removeprefix("package/") for name in archive.getnames()}


def test_what_is_in_it(tarball: Path) -> None:
    found = members(tarball)
    for entry in manifest()["exports"].values():
        for file in [entry] if isinstance(entry, str) else entry.values():
            assert file.removeprefix("./") in found
    scripts = {name for name in found if name.endswith(".js")}
    assert {name.removesuffix(".js") + ".d.ts" for name in scripts} <= found
    rest = found - scripts - {name for name in found if name.endswith(".d.ts")}
    assert rest == {"LICENSE", "README.md", "package.json"}
    assert all(name.startswith("dist/") for name in scripts)
    assert not any("test" in name.replace("testee", "") for name in scripts)


def test_what_tools_for_packages_say(tarball: Path) -> None:
    npx("publint", "run", str(tarball), "--strict")
    said = npx("attw", str(tarball), "--profile", "esm-only", "--no-emoji", "--format", "ascii")
    assert "OK (ESM)" in said


def test_the_manifest() -> None:
    found = manifest()
    assert "dependencies" not in found
    assert found["sideEffects"] is False
    assert found["type"] == "module"
    assert set(found["peerDependencies"]) == set(SDKS)
    assert all(found["peerDependenciesMeta"][name] == {"optional": True} for name in SDKS)
    version = (ROOT / "generator" / "toolresult_generator" / "__init__.py").read_text()
    assert f'__version__ = "{found["version"]}"' in version
    assert (PACKAGE / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_no_lock_names_a_host() -> None:
    for name in ("package-lock.json", ".npmrc"):
        assert "://" not in re.sub(
            r'"(?:url|funding)": "[^"]*"', "", (PACKAGE / name).read_text()
        ), name


def reached(entry: Path) -> tuple[set[Path], set[str]]:
    """The files that an entry imports, directly or not, and the packages that these import."""
    files, packages, left = set[Path](), set[str](), [entry.resolve()]
    while left:
        file = left.pop()
        if file in files:
            continue
        files.add(file)
        text = file.read_text(encoding="utf-8")
        for name in re.findall(r'^(?:import|export)\b[^;"]*?from "([^"]+)";', text, re.MULTILINE):
            if name.startswith("."):
                left.append((file.parent / name).resolve())
            else:
                packages.add(name)
        assert 'import("' not in text
    return files, packages


@pytest.mark.parametrize(
    ("entry", "allowed"),
    [
        (".", set()),
        ("./store", set()),
        ("./store/sqlite", {"node:"}),
        ("./mcp", {SDKS[1]}),
        ("./a2a", {SDKS[0]}),
        ("./a2a/express", {SDKS[0]}),
    ],
)
def test_what_an_entry_needs(entry: str, allowed: set[str]) -> None:
    """The core and its stores need nothing: no package, nothing of Node's."""
    built()
    _, packages = reached(PACKAGE / manifest()["exports"][entry]["default"])
    assert {name for name in packages if not any(name.startswith(one) for one in allowed)} == set()
    assert bool(packages) is bool(allowed)


def test_the_core_knows_no_node() -> None:
    """It compiles with the types of browsers and workers alone."""
    npx("tsc", "-p", "tsconfig.core.json")


def blocks(language: str) -> list[str]:
    return [one.text for one in pages.blocks(PACKAGE / "README.md") if one.language == language]


def test_the_example_of_the_readme_runs_installed(project: Path) -> None:
    assert not (project / "node_modules" / "zod").exists(), "nothing else is installed"
    (code,), (shown,) = blocks("ts"), blocks("text")
    (project / "example.mjs").write_text(code, encoding="utf-8")
    assert run([str(node()), "example.mjs"], cwd=project) == shown


def test_the_types_are_there_for_a_strict_project(project: Path) -> None:
    (code,) = blocks("ts")
    wrong = 'Result.failure("no_such_code", "m");\nresult.summary.length;\n'
    (project / "good.mts").write_text(code, encoding="utf-8")
    (project / "bad.mts").write_text(code + wrong, encoding="utf-8")
    options = ["--noEmit", "--strict", "--module", "nodenext", "--lib", "es2022,dom"]
    # No --skipLibCheck: our own declarations are checked too.
    tsc = [str(node()), str(PACKAGE / "node_modules" / "typescript" / "bin" / "tsc")]
    run([*tsc, *options, "good.mts"], cwd=project)
    with pytest.raises(AssertionError, match=r"(?s)no_such_code.*possibly 'undefined'"):
        run([*tsc, *options, "bad.mts"], cwd=project)


def test_the_tie_to_an_sdk_says_what_is_missing(project: Path) -> None:
    for entry, sdk in (("mcp", SDKS[1]), ("a2a", SDKS[0]), ("a2a/express", SDKS[0])):
        (project / "tie.mjs").write_text(f'import "toolresult/{entry}";')
        with pytest.raises(AssertionError, match=f"Cannot find package '{sdk}'"):
            run([str(node()), "tie.mjs"], cwd=project)
