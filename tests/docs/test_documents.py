"""Every command, program and output in the documents is run; every link leads somewhere."""

from __future__ import annotations

import doctest
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.docs.codes import GROUPS, PAGE, renewed
from tests.docs.outputs import team_folder, write_file
from tests.docs.pages import PAGES, ROOT, Block, Command, blocks, commands, matches
from tests.docs.served import PORT, SERVES, at_port, served

from toolresult_generator import codes
from toolresult_generator.codes import CODES
from toolresult_generator.proof.schemas import OfficialSchemas

LANGUAGES = {"console", "python", "yaml", "json", "text", "php", "ts", "typescript"}
"""Languages of blocks; programs in PHP and TypeScript are run by tests/php and tests/typescript,
those with the whole name of the language in a copy that was vendored."""
PROVEN_ELSEWHERE = {
    "python3 generator/bootstrap.py": "tests/packaging/test_bootstrap.py",
    "python3 generator/bootstrap.py test": ".ci/run",
}
"""Commands that no test of this folder can run, and what runs them."""
NEEDS_A_CHECKOUT = re.compile(r"tox |git |python -m ")
"""Commands that change the checkout or run these very tests."""
_A_RESULT_AND_KEYS = """\
import os, pathlib
from toolresult import Result
result = Result.success({"rows": [1, 2, 3]})
pathlib.Path("keys").write_text(f"2026-07:{'A' * 43}=\\n")
os.chmod("keys", 0o600)
"""
GIVEN = {"stores.md": _A_RESULT_AND_KEYS, "shared-stores.md": _A_RESULT_AND_KEYS}
"""What the programs of a page have before its first one."""
NEEDS_PYTHON = {"mcp-fastmcp.md": (3, 11)}
"""Pages on what needs a later Python than we do."""
GROWS = {"growing.md"}
"""Pages for whoever has a copy of the spec in a repository of their own, and no more."""
NEEDS_SERVERS = {"shared-stores.md"}
"""Pages whose reader has a database ``shop`` and a bucket ``shop``."""
RUN_PAGES = [
    pytest.param(page, marks=pytest.mark.needs_toolchain) if page.name in NEEDS_SERVERS else page
    for page in PAGES
]
TALKS_TO_THE_EXAMPLE = {"serve.md"}
"""Pages whose programs are clients of `toolresult serve --example`."""
_MARK = "\x1f"


def page_id(page: Path) -> str:
    return page.name


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the command ``toolresult`` of these very sources."""
    folder = tmp_path_factory.mktemp("bin")
    file = folder / "toolresult"
    file.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m toolresult_generator "$@"\n')
    file.chmod(0o755)
    return folder


NEEDS_SCHEMAS = {"revisions.md"}
"""Pages whose reader has fetched the protocols' own schemas."""


@pytest.fixture
def schemas() -> Path | None:
    """The folder of the protocols' own schemas, if they are there."""
    return OfficialSchemas.beside(ROOT / "spec").folder


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A database and a bucket, and the variables that lead to them."""
    from tests.store.servers import PASSWORD, Cluster, S3Server, connect

    cluster = Cluster()
    bucket_server = S3Server()
    try:
        with connect(cluster.url) as owner:
            owner.execute("CREATE DATABASE shop")
        bucket_server.new_bucket("shop")
        variables = {"PGHOST": str(cluster.folder), "PGUSER": "owner", "PGPASSWORD": PASSWORD}
        for name, value in {**variables, **bucket_server.environment}.items():
            monkeypatch.setenv(name, value)
        yield
    finally:
        bucket_server.stop()
        cluster.remove()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a reader has: the checkout, in a git repository, without its tests."""
    return team_folder(tmp_path, "spec", "generated", "adapters")


def environment(program: Path) -> dict[str, str]:
    """The environment of a reader who has installed all of it."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {
        **kept,
        "PATH": f"{program}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "COLUMNS": "80",
    }


def serving(block: Block) -> Command | None:
    """The command of a block that serves, which then is its only one."""
    found = commands(block)
    if not any(SERVES.match(command.text) for command in found):
        return None
    (command,) = found
    return command


def run_block(block: Block, folder: Path, program: Path) -> None:
    """Run the commands of a console block, as one shell session, and compare what they print."""
    wanted = [
        command
        for command in commands(block)
        if command.text not in PROVEN_ELSEWHERE and not NEEDS_A_CHECKOUT.match(command.text)
    ]
    script = "".join(
        f"{command.text}\nlast=$?; printf '{_MARK}'; (exit $last)\n" for command in wanted
    )
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment(program),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    printed = done.stdout.split(_MARK)
    assert len(printed) == len(wanted) + 1, done.stdout
    for command, output in zip(wanted, printed, strict=False):
        assert matches(command.expected, output), (
            f"{block.name}: $ {command.text}\nexpected:\n{command.expected}\nprinted:\n{output}"
        )


@pytest.mark.skipif(shutil.which("bash") is None, reason="console blocks need bash")
@pytest.mark.parametrize("page", RUN_PAGES, ids=page_id)
def test_commands_print_what_the_page_shows(
    page: Path,
    tmp_path: Path,
    program: Path,
    schemas: Path | None,
    request: pytest.FixtureRequest,
) -> None:
    if page.name in NEEDS_SERVERS:
        request.getfixturevalue("servers")
    folders = ["spec"] if page.name in GROWS else ["spec", "generated", "adapters"]
    folder = team_folder(tmp_path, *folders)
    if page.name in NEEDS_SCHEMAS:
        if schemas is None:
            pytest.skip("the protocols' own schemas are not there: TOOLRESULT_OFFICIAL_SCHEMAS")
        shutil.copytree(schemas, folder / "schemas")
    for block in blocks(page):
        if block.language == "console":
            command = serving(block)
            if command is None:
                run_block(block, folder, program)
                continue
            with served(command.text, folder, environment(program)) as (printed, _):
                assert matches(command.expected, printed), f"{block.name}:\n{printed}"
        elif block.file is not None:
            write_file(block, folder)


@pytest.fixture
def loggers() -> Iterator[None]:
    """What a page makes quiet is heard again after it."""
    logger = logging.getLogger("toolresult")
    level = logger.level
    yield
    logger.setLevel(level)


@pytest.mark.usefixtures("loggers")
@pytest.mark.parametrize("page", RUN_PAGES, ids=page_id)
def test_programs_do_what_the_page_shows(
    page: Path,
    tmp_path: Path,
    program: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    if sys.version_info < (needed := NEEDS_PYTHON.get(page.name, (3, 10))):
        pytest.skip(f"what the page is about needs Python {'.'.join(map(str, needed))}")
    if page.name in NEEDS_SERVERS:
        request.getfixturevalue("servers")
    monkeypatch.chdir(tmp_path)
    with ExitStack() as stack:
        port = PORT
        if page.name in TALKS_TO_THE_EXAMPLE:
            command = "toolresult serve --example"
            _, port = stack.enter_context(served(command, tmp_path, environment(program)))
        run_programs(page, port)


def run_programs(page: Path, port: str) -> None:
    """Run the programs of a page, as one module, and compare what they print."""
    names: dict[str, object] = {"__name__": "__main__"}
    exec(GIVEN.get(page.name, ""), names)  # noqa: S102 -- our own text
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    for block in blocks(page):
        if block.language != "python" or block.file is not None:
            continue
        text = at_port(block.text, port)
        if ">>> " in text:
            test = doctest.DocTestParser().get_doctest(
                text, names, block.name, str(page), block.line - 1
            )
            told: list[str] = []
            failed = runner.run(test, out=told.append, clear_globs=False).failed
            names.update(test.globs)
            assert not failed, "".join(told)
        else:
            exec(compile(text, block.name, "exec"), names)  # noqa: S102 -- our own text


def test_blocks_are_of_languages_that_are_run_or_cannot_be() -> None:
    found = {block.language for page in PAGES for block in blocks(page)}
    assert found <= LANGUAGES, "a block of another language would not be run"
    assert {"console", "python"} <= found


def test_commands_that_are_not_run_here_are_run_elsewhere() -> None:
    readme = [
        c.text for b in blocks(ROOT / "README.md") if b.language == "console" for c in commands(b)
    ]
    for command, proof in PROVEN_ELSEWHERE.items():
        assert command in readme
        assert "bootstrap.py" in (ROOT / proof).read_text(encoding="utf-8")
    last = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()[-1]
    assert last == "exec python3 generator/bootstrap.py test"


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not target.startswith("https://"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_page_lists_every_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == renewed(page), "run `python -m tests.docs.codes`"


def test_every_group_of_codes_is_listed() -> None:
    assert {code for group in GROUPS.values() for code in group} == set(CODES)
    assert all(group in vars(codes).values() for group in GROUPS.values())


def test_every_command_is_documented() -> None:
    from toolresult_generator.cli.frame import COMMANDS

    page = PAGE.read_text(encoding="utf-8")
    missing = [name for name in COMMANDS if f"## `toolresult {name}`" not in page]
    assert not missing


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a\nb", "a\nb\n", True),
        ("a\n...\nd", "a\nb\nc\nd\n", True),
        ("a\n...", "a\n", True),
        ("", "", True),
        ("a", "a\nb\n", False),
        ("", "a\n", False),
        ("a.c", "abc\n", False),
    ],
)
def test_outputs_are_compared_exactly(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same


def test_a_wrong_output_is_noticed(folder: Path, program: Path) -> None:
    block = Block(ROOT / "README.md", 1, "console", "$ echo one\ntwo\n")
    with pytest.raises(AssertionError, match=r"expected:\n\s*two\n\s*printed:\n\s*one"):
        run_block(block, folder, program)
