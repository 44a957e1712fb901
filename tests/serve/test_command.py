"""The command's arguments and faults: a line for each, and no traceback."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.mcp_server.clients import HttpClient, unstamped
from tests.serve.running import PROGRAM, environment, serving

from toolresult.store import Key
from toolresult_generator.cli import main

Refused = Callable[..., str]

MODULES = {
    "shop.py": """\
from mcp.server.mcpserver import MCPServer
from mcp.server.lowlevel import Server
from toolresult import Mapper, Result
from toolresult.mcp import attach

server = MCPServer("shop")

@server.tool()
def stock() -> Result:
    return Result.success([3, 0, 5])

async def call(ctx, params):
    return '{"success": true, "data": {"price": 999}}'

def lowlevel():
    return Server("prices", on_call_tool=call)

def attached():
    made = MCPServer("own")
    made.add_tool(stock)
    attach(made, Mapper(phase="transitional"))
    return made

def fails():
    raise RuntimeError("no shop today")

async def later():
    return server

def empty():
    return Server("empty")

def quits():
    raise SystemExit(3)

def fast():
    from fastmcp import FastMCP
    made = FastMCP("fast")
    made.tool(stock)
    return made

number = 17
""",
    "chatty.py": "print('hello from the module')\nfrom shop import server\n",
    "broken.py": "import nothing_of_that_name\n",
    "wrong.py": "1 / 0\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in MODULES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Refused]:
    """Runs the command in the folder, and gives the one line that it says."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])

    def run(*arguments: str, code: int = 1) -> str:
        assert main(["serve", *arguments]) == code
        said, told = capsys.readouterr()
        assert said == ""
        assert told.count("\n") == 1, told
        return told.rstrip("\n")

    yield run
    for name in MODULES:
        sys.modules.pop(name.removesuffix(".py"), None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name the server as MODULE:NAME, or say --example"),
        (("shop:server", "--example"), "--example, not both"),
        (("--example", "--stdio", "--port", "1"), "--port is for HTTP, and --stdio is not"),
        (("--example", "--stdio", "--host", "::1"), "--host is for HTTP, and --stdio is not"),
        (("--example", "--store", "results.db"), "storing needs --key-file too"),
        (("--example", "--key-file", "keys"), "storing needs --store too"),
        (("--example", "--objects", "file:///objects"), "storing needs --store too"),
        (("--example", "--port", "65536"), "expected a port from 0 to 65535"),
        (("--example", "--phase", "beta"), "invalid choice: 'beta'"),
        (("--example", "--limit", "few"), "expected a number of bytes"),
        (("--exampl",), "unrecognized arguments: --exampl"),
    ],
)
def test_wrong_usage(refused: Refused, arguments: tuple[str, ...], said: str) -> None:
    line = refused(*arguments, code=2)
    assert said in line
    assert line.startswith("toolresult")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("shop", "expected MODULE:NAME"),
        ("shop:", "expected MODULE:NAME"),
        ("nowhere.tools:server", "there is no module nowhere here"),
        ("shop.tools:server", "there is no module shop.tools here"),
        ("shop:nothing", "the module shop has no nothing"),
        ("shop:number", "or a function that makes one; it is builtins.int"),
        ("shop:fails", "calling it fails: RuntimeError: no shop today"),
        ("broken:server", "importing it fails: ModuleNotFoundError: No module named"),
        ("wrong:server", "importing it fails: ZeroDivisionError: division by zero (wrong.py:1)"),
        ("wrong:server", "TOOLRESULT_DEBUG=1 shows the traceback"),
        ("broken:server", "(broken.py:1)"),
        ("shop:later", "it is an async function; expected a plain one"),
        ("shop:quits", "calling it fails: SystemExit: 3 (shop.py:"),
        ("shop:empty", "the server has no handler of tools/call; give it one"),
        ("./shop.py:server", "expected a module and no file: shop:server"),
        ("shop.py:server", "without .py: shop:server"),
        ("..shop:server", "expected MODULE:NAME"),
    ],
)
def test_a_name_that_leads_to_no_server(refused: Refused, name: str, said: str) -> None:
    line = refused(name)
    assert line.startswith(f"{name}: no_server: ")
    assert said in line


def test_a_port_that_is_taken(refused: Refused) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = refused("--example", "--port", str(port))
    assert line.startswith(f"127.0.0.1:{port}: io: ")
    assert "--port" in line


def test_a_host_that_is_none(refused: Refused) -> None:
    assert "nowhere.invalid:8000: io: " in refused("--example", "--host", "nowhere.invalid")


def test_a_store_and_keys_that_are_none(folder: Path, refused: Refused) -> None:
    key_file = folder / "keys"
    key_file.write_text("nonsense\n")
    key_file.chmod(0o600)
    arguments = ("--example", "--store", "results.db", "--key-file", "keys")
    assert refused(*arguments).startswith("keys: invalid_keys: ")
    key_file.write_text(Key.generate().line + "\n")
    (folder / "results.db").write_text("no database, but a text that is long enough" * 9)
    (folder / "results.db").chmod(0o600)
    assert refused(*arguments).startswith("results.db: ")


@pytest.mark.parametrize("missing", ["mcp", "a2a", "uvicorn", "starlette"])
def test_the_extra_is_named_where_something_of_it_is_missing(missing: str) -> None:
    program = f"""\
import sys
sys.modules[{missing!r}] = None
from toolresult_generator.cli import main
sys.exit(main(["serve", "--example", "--port", "0"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("toolresult serve: missing_module: ")
    assert done.stderr.endswith("is not installed: pip install 'toolresult[serve]'\n")
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("name", "arguments", "content"),
    [
        ("server", (), {"structuredContent": {"result": [3, 0, 5]}}),
        ("lowlevel", (), {"structuredContent": {"price": 999}}),
        ("attached", (), {"content": '{"success":true,"data":[3,0,5]}'}),
        pytest.param(
            *("fast", (), {"content": "[3,0,5]"}),
            marks=pytest.mark.skipif(
                sys.version_info < (3, 11), reason="FastMCP needs Python 3.11"
            ),
        ),
        ("server", ("--phase", "transitional"), {"content": '{"success":true,"data":[3,0,5]}'}),
    ],
)
def test_a_server_of_ones_own(
    folder: Path, name: str, arguments: tuple[str, ...], content: dict[str, object]
) -> None:
    with (
        serving(f"shop:{name}", *arguments, cwd=folder) as running,
        HttpClient(running.mcp, "2025-11-25") as client,
    ):
        assert "A2A" not in running.said
        result = client.call("stock")
    if isinstance(content.get("content"), str):
        assert result["content"][0]["text"] == content["content"]
    else:
        assert result["structuredContent"] == content["structuredContent"]


def test_an_interrupt_ends_it_without_a_word() -> None:
    with serving("--example") as running:
        running.process.send_signal(signal.SIGINT)
        said, _ = running.process.communicate(timeout=20)
        assert (said, running.told()) == ("", "")
        assert running.process.returncode == -signal.SIGINT


def test_a_line_to_paste() -> None:
    with serving("--example") as running:
        line = next(line for line in running.said.splitlines() if line.startswith("{"))
        entry = json.loads(line)["mcpServers"]["toolresult"]
        assert entry == {"type": "http", "url": running.mcp}
        with HttpClient(entry["url"], "2026-07-28") as client:
            assert unstamped(client.request("tools/list")["result"])["tools"]


def test_large_results_are_links_that_outlive_the_server(folder: Path) -> None:
    (folder / "keys").write_text(Key.generate().line + "\n")
    (folder / "keys").chmod(0o600)
    arguments = ("--example", "--limit", "2000", "--store", "results.db", "--key-file", "keys")
    with (
        serving(*arguments, cwd=folder) as running,
        HttpClient(running.mcp, "2025-11-25") as client,
    ):
        blocks = client.call("report")["content"]
    uri = next(block["uri"] for block in blocks if block["type"] == "resource_link")
    with (
        serving(*arguments, cwd=folder) as running,
        HttpClient(running.mcp, "2026-07-28") as client,
    ):
        found = client.request("resources/read", {"uri": uri})["result"]
    rows = json.loads(found["contents"][0]["text"])["data"]["rows"]
    assert rows == list(range(20_000))


def test_an_address_of_no_store_is_not_shown(refused: Refused, folder: Path) -> None:
    (folder / "keys").write_text(Key.generate().line + "\n")
    (folder / "keys").chmod(0o600)
    arguments = ("--example", "--store", "ftp://x:secret@y", "--key-file", str(folder / "keys"))
    line = refused(*arguments, code=2)
    assert line.startswith("toolresult serve: usage: --")
    assert "secret" not in line


def test_where_others_reach_it_results_go_inline() -> None:
    with (
        serving("--example", "--host", "0.0.0.0", "--limit", "2000") as running,
        HttpClient(running.mcp.replace("0.0.0.0", "127.0.0.1"), "2025-11-25") as client,
    ):
        assert "Anyone who reaches this address" in running.said
        assert client.call("report")["structuredContent"]["rows"][-1] == 19_999


def test_what_a_module_prints_is_kept_out_of_the_protocol(folder: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "chatty:server", "--stdio"],
        cwd=folder,
        env=environment(),
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == ""
    assert "hello from the module" in done.stderr
