"""What a server imports never pulls in the generator or what that needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

GENERATOR_ONLY = (
    "datamodel_code_generator",
    "jinja2",
    "jsonschema",
    "jsonschema_rs",
    "referencing",
    "ruff",
    "toolresult_generator",
    "yaml",
)
RENDER = """\
from toolresult import Mapper, Request, Result, read, render
from toolresult.store import MemoryStore
result = Result.success({"ids": [1, 2]}, summary="2 products updated")
for name in ("legacy-envelope@1", "mcp-handshake@2025-06-18", "a2a@1.0"):
    rendering = Mapper(phase="final").render(result, Request(name))
    assert read(rendering.bytes, name) == result, name
"""


def modules_after(program: str) -> set[str]:
    """The top-level modules and packages that a fresh interpreter has after a program."""
    told = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout
    return {name.partition(".")[0] for name in told.split()}


@pytest.mark.parametrize(
    "program",
    ["import toolresult", "from toolresult import *", "import toolresult_core", RENDER],
    ids=["toolresult", "all-of-toolresult", "toolresult_core", "rendering-and-reading"],
)
def test_a_server_does_not_import_the_generator(program: str) -> None:
    assert not modules_after(program) & set(GENERATOR_ONLY)


@pytest.mark.parametrize(
    "program",
    [
        "import toolresult",
        "import toolresult.a2a.reader",
        "from toolresult.a2a import TaskReader10",
    ],
)
def test_reading_tasks_does_not_import_the_sdk(program: str) -> None:
    assert not modules_after(program) & {"a2a", "google", "starlette"}


def test_the_extra_is_named_where_the_sdk_is_missing() -> None:
    program = """\
import sys
sys.modules["a2a"] = None
try:
    from toolresult.a2a import ResultExecutor
except ModuleNotFoundError as error:
    assert "pip install 'toolresult[a2a]'" in str(error), error
else:
    raise SystemExit("no error")
"""
    assert "a2a" in modules_after(program)


def test_no_sdk_is_imported_before_it_is_used() -> None:
    program = f"{RENDER}\nimport toolresult.mcp, toolresult.a2a"
    assert not modules_after(program) & {"mcp", "mcp_types", "a2a", "anyio", "starlette"}


def test_the_core_does_not_import_the_adapters() -> None:
    program = "from toolresult_core import *; import toolresult_core.targets"
    assert "toolresult" not in modules_after(program)


def test_names_are_imported_when_they_are_used() -> None:
    assert "pydantic" not in modules_after("import toolresult")
    assert "pydantic" in modules_after("from toolresult import Result")
