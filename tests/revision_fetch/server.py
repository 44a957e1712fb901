"""A server on this machine that answers as a test wants; nothing else is ever asked."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from toolresult_generator.revision.fetch_network import Site

Answer = Callable[[BaseHTTPRequestHandler], None]


@contextlib.contextmanager
def serving(answer: Answer, **settings: float) -> Iterator[tuple[Site, list[str]]]:
    """The site of a server with that answer, and the paths that it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            with contextlib.suppress(OSError):  # who asked may have had enough
                answer(self)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: the test's output is the test's."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = f"127.0.0.1:{server.server_port}"
    bounds = {"seconds": 5.0, "silence": 5.0, **settings}
    try:
        yield (
            Site(
                base=f"http://{host}",
                hosts=frozenset({host}),
                scheme="http",
                seconds=bounds["seconds"],
                silence=bounds["silence"],
                most=int(bounds.get("most", 100_000)),
            ),
            asked,
        )
    finally:
        server.shutdown()
        server.server_close()


def sends(data: bytes, code: int = 200, **headers: str) -> Answer:
    """An answer with these bytes."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        if "Content_Length" not in headers:
            handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer
