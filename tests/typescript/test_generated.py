"""What is generated is laid out as prettier does and compiles: ours, and that of other specs."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.growth import growths
from tests.growth.team import Team
from tests.lowering.small import small_request
from tests.typescript.package import PACKAGE, ROOT, npx

from toolresult_generator.director import load_model
from toolresult_generator.languages.base import EmitRequest
from toolresult_generator.languages.typescript import emitter

GENERATED = ROOT / "generated" / "typescript"
STRICT = (
    *("strict", "exactOptionalPropertyTypes", "noUncheckedIndexedAccess", "verbatimModuleSyntax"),
    *("isolatedModules", "noImplicitOverride", "noFallthroughCasesInSwitch", "noImplicitReturns"),
    *("noUnusedLocals", "noUnusedParameters", "noPropertyAccessFromIndexSignature"),
)

Step = Callable[[Team], None]
GROWN: dict[str, tuple[Step, ...]] = {
    "fields": (
        *(growths.version_2, growths.code, growths.field, growths.written, growths.allowed),
    ),
    "revision": (growths.revision_alone,),
    "kind": (*(growths.kind_alone, growths.kind_rules, growths.kind_cases, growths.kind_allowed),),
}


def emitted(request: EmitRequest, folder: Path) -> Path:
    """The generated modules, written to a folder."""
    for path, data in emitter.emit(request).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return folder / "typescript"


def spec_of(folder: Path, steps: tuple[Step, ...]) -> EmitRequest:
    """The spec after some growth; hooks need no adapter here."""
    shutil.copytree(ROOT / "spec", folder / "spec")
    for step in steps:
        step(Team(folder))
    loaded = load_model(
        folder / "spec", history=False, despite=frozenset({"missing_adapter", "old_adapter"})
    )
    return EmitRequest(loaded.model, loaded.documents)


def formatted(*folders: Path) -> None:
    """Fails unless prettier would change nothing."""
    npx("prettier", "--config", str(PACKAGE / ".prettierrc.json"), "--check", *map(str, folders))


def compiles(folder: Path) -> None:
    """Fails unless everything below a folder compiles, with neither Node's types nor packages'."""
    config = {
        "extends": str(PACKAGE / "tsconfig.json"),
        "compilerOptions": {"rootDir": ".", "types": [], "noEmit": True, "skipLibCheck": False},
        "include": ["**/*.ts"],
    }
    (folder / "tsconfig.json").write_text(json.dumps(config))
    npx("tsc", "-p", str(folder / "tsconfig.json"))


def test_the_compiler_is_strict() -> None:
    options = json.loads((PACKAGE / "tsconfig.json").read_text())["compilerOptions"]
    assert [name for name in STRICT if options.get(name) is not True] == []


def test_ours_is_laid_out() -> None:
    formatted(GENERATED)


def test_ours_needs_neither_node_nor_packages(tmp_path: Path) -> None:
    shutil.copytree(GENERATED, tmp_path / "typescript")
    compiles(tmp_path)
    imports = [
        line.rsplit('"', 2)[1]
        for file in GENERATED.rglob("*.ts")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith(("import ", "} from ", "export {", "export *")) and ' from "' in line
    ]
    assert len(imports) > 50
    assert [one for one in imports if not (one.startswith(".") and one.endswith(".js"))] == []


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is generated of several specs, each in a folder."""
    folder = tmp_path_factory.mktemp("grown")
    for name, steps in GROWN.items():
        emitted(spec_of(tmp_path_factory.mktemp(name), steps), folder / name)
    emitted(small_request(tmp_path_factory.mktemp("small")), folder / "small")
    emitted(_hostile(tmp_path_factory.mktemp("hostile")), folder / "hostile")
    return folder


BAD = r"\"*/ `${1}` \\ 'x' \u2028\u202e @param {@link x} //"
"""In YAML: what would end a comment or a text, or be read in another order."""
HOSTILE = {
    "result.yaml": ("Whether nothing was changed.", "The tool ran and failed."),
    "targets/legacy-envelope.yaml": ("The envelope itself.",),
}


def _hostile(folder: Path) -> EmitRequest:
    """The spec with such texts for people, and in what is written."""
    shutil.copytree(ROOT / "spec", folder / "spec")
    for name, texts in HOSTILE.items():
        file = folder / "spec" / name
        text = file.read_text(encoding="utf-8")
        for old in texts:
            quoted = re.compile(rf'"?{re.escape(old)}"?')
            assert len(quoted.findall(text)) == 1, old
            text = quoted.sub(lambda _: f'"{BAD}"', text)
        file.write_text(text, encoding="utf-8")
    loaded = load_model(folder / "spec", history=False)
    return EmitRequest(loaded.model, loaded.documents)


def test_that_of_other_specs_is_laid_out(grown: Path) -> None:
    formatted(*(one / "typescript" for one in grown.iterdir() if one.is_dir()))


def test_that_of_other_specs_compiles(grown: Path) -> None:
    compiles(grown)
