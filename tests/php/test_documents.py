"""Programs in PHP in the documents print what the documents show, with a vendored copy."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.docs.pages import PAGES, ROOT, Block, blocks
from tests.php.toolchain import run, tool, vendored

from toolresult_generator.cli import main

COPY = "third_party/toolresult"
ADAPTER = "\n// adapters/php/"
"""A class for a grown spec begins with this: ``test_emitter.py`` runs it with one."""


def programs() -> list[tuple[Block, Block]]:
    """Each program with the block after it, which is what it prints."""
    found = []
    for page in PAGES:
        of_page = list(blocks(page))
        for number, block in enumerate(of_page):
            if block.language == "php" and ADAPTER not in block.text:
                found.append((block, of_page[number + 1]))
    return found


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty project with a copy, and no package manager."""
    folder = tmp_path_factory.mktemp("project")
    vendored(folder / COPY)
    (folder / "third_party" / "php").symlink_to("toolresult")  # its name in vendoring.md
    return folder


def test_there_are_programs() -> None:
    pages = {program.page.name for program, _ in programs()}
    assert pages == {"README.md", "php.md", "vendoring.md"}


@pytest.mark.parametrize("pair", programs(), ids=lambda pair: pair[0].name)
def test_programs_print_what_the_page_shows(pair: tuple[Block, Block], project: Path) -> None:
    program, printed = pair
    assert printed.language == "text"
    file = project / "program.php"
    file.write_text(program.text, encoding="utf-8")
    done = run(tool("php"), "-d", "error_reporting=-1", file, cwd=project)
    assert (done.stdout, done.stderr) == (printed.text, "")


def test_a_copy_answers_the_vectors(project: Path) -> None:
    request = '{"id":"1","do":"check","text":"{\\"format_version\\":1,\\"data\\":1.0}"}'
    program = (
        f"require '{COPY}/autoload.php'; exit(Toolresult\\Testee\\Testee::main(STDIN, STDOUT));"
    )
    bare = ("-n", "-d", "extension=mbstring")
    done = run(tool("php"), *bare, "-r", program, cwd=project, given=request)
    assert done.stdout == '{"id":"1","output":"{\\"data\\":1,\\"format_version\\":1}"}\n'


def test_a_copy_says_whether_it_was_edited(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["vendor", "--check", "--spec", str(ROOT / "spec"), str(project / COPY)]
    assert main(arguments) == 0
    file = project / COPY / "src" / "Wire.php"
    text = file.read_bytes()
    try:
        file.write_bytes(text + b"// mine\n")
        assert main(arguments) == 1
        assert "edited_output" in capsys.readouterr().err
    finally:
        file.write_bytes(text)
