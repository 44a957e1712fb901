"""The core in a browser, in the page and in a worker of it: every vector, byte for byte."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.toolchain import missing
from tests.typescript.package import PACKAGE, built

from toolresult_generator.proof.testees import QUESTION, compare, load_vectors

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver

ROOT = Path(__file__).parents[2]
VECTORS = load_vectors(ROOT / "generated" / "vectors")
TESTEE = "/dist/adapters/typescript/src/testee.js"
ANSWER = f"""
import {{ answerLine }} from "{TESTEE}";
const encoder = new TextEncoder();
export const answers = (lines) => lines.map((line) => answerLine(encoder.encode(line)));
"""
WORKER = """
import { answers } from "/answer.js";
onmessage = ({ data }) => postMessage(answers(data));
"""
IN_THE_PAGE = """
const [lines, done] = arguments;
import("/answer.js").then(({ answers }) => done(answers(lines)), (error) => done(String(error)));
"""
IN_A_WORKER = """
const [lines, done] = arguments;
const worker = new Worker("/worker.js", { type: "module" });
worker.onerror = (event) => done(event.message || "the worker does not load");
worker.onmessage = ({ data }) => done(data);
worker.postMessage(lines);
"""
OWN = {"/": ("text/html", ""), "/answer.js": ("text/javascript", ANSWER)}
OWN["/worker.js"] = ("text/javascript", WORKER)


class Files(http.server.SimpleHTTPRequestHandler):
    """The package as it is built, and the few files of this test."""

    def do_GET(self) -> None:
        kind, text = OWN.get(self.path, (None, ""))
        if kind is None:
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the files are."""
    built()
    handler = partial(Files, directory=str(PACKAGE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    from tests.page.browser import MISSING, chromium, programs

    if programs() is None:
        missing(MISSING)
    with chromium(tmp_path_factory.mktemp("profile"), reached="127.0.0.1") as driver:
        driver.set_script_timeout(120)
        driver.get(address)
        yield driver


@pytest.mark.parametrize("script", [IN_THE_PAGE, IN_A_WORKER], ids=["page", "worker"])
def test_every_vector(browser: WebDriver, script: str) -> None:
    lines = [json.dumps({k: one[k] for k in QUESTION if k in one}) for one in VECTORS]
    answers = browser.execute_async_script(script, lines)
    assert isinstance(answers, list), answers
    assert list(compare(VECTORS, answers)) == []
