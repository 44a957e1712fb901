"""Programs in TypeScript in the documents: each compiles, runs, and prints what stands below it."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from tests.docs.pages import PAGES, blocks
from tests.typescript.package import PACKAGE, built, node, node_with_sqlite, npx, run

FOLDER = PACKAGE / "build" / "docs"


@dataclass(frozen=True)
class Program:
    """A block of a page, and what it is to print."""

    name: str
    code: str
    printed: str


def programs() -> list[Program]:
    found: list[Program] = []
    for page in PAGES:
        before = None
        for block in blocks(page):
            if block.language == "ts":
                found.append(Program(f"{page.stem}-{block.line}", block.text, ""))
            elif block.language == "text" and before == "ts":
                found[-1] = Program(found[-1].name, found[-1].code, block.text)
            before = block.language
    return found


PROGRAMS = programs()


@cache
def compiled() -> None:
    built()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    for program in PROGRAMS:
        # Its own module, whether or not it exports something.
        (FOLDER / f"{program.name}.mts").write_text(program.code + "export {};\n", "utf-8")
    settings = {
        "extends": "../../tsconfig.tests.json",
        "compilerOptions": {"rootDir": ".", "outDir": ".", "noUnusedLocals": False},
        "include": ["*.mts"],
        "exclude": [],
    }
    (FOLDER / "tsconfig.json").write_text(json.dumps(settings))
    npx("tsc", "-p", str(FOLDER))


def test_there_are_some() -> None:
    assert len(PROGRAMS) > 5
    assert sum(bool(program.printed) for program in PROGRAMS) > 3


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_prints_what_the_page_shows(program: Program) -> None:
    compiled()
    executable: Path = node_with_sqlite() if "store/sqlite" in program.code else node()
    command = [str(executable), "--no-warnings", str(FOLDER / f"{program.name}.mjs")]
    assert run(command) == program.printed


def test_programs_are_laid_out_as_all_code_is() -> None:
    """But for the width, which is that of a page."""
    compiled()
    files = [str(FOLDER / f"{program.name}.mts") for program in PROGRAMS]
    for file, program in zip(files, PROGRAMS, strict=True):
        Path(file).write_text(program.code, "utf-8")
    said = npx(
        "prettier", "--print-width", "100", "--ignore-path", "/dev/null", "--list-different", *files
    )
    assert re.sub(r"\s", "", said) == ""
