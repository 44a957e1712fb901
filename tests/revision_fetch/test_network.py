"""The protocol's repository is one fixed host, and whatever it answers is bounded."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler
from threading import enumerate as threads

import pytest
from tests.revision_fetch.server import sends, serving

from toolresult_generator.findings import FindingsError
from toolresult_generator.revision.fetch_names import KNOWN, Wanted
from toolresult_generator.revision.fetch_network import (
    MAX_REDIRECTS,
    SITE,
    NoSchemaError,
    Site,
    from_network,
    path_of,
)

MCP = Wanted("mcp", "2026-07-28")
PATH = "/modelcontextprotocol/modelcontextprotocol/main/schema/2026-07-28/schema.json"


def refusal(site: Site) -> str:
    with pytest.raises(FindingsError) as caught:
        from_network(MCP, site)
    (finding,) = caught.value.findings
    assert finding.code == "unreachable"
    assert finding.place.file == f"{site.base}{PATH}"
    assert finding.advice
    return finding.message


def test_a_file_is_taken_as_it_is() -> None:
    with serving(sends(b"\x00any bytes")) as (site, asked):
        taken = from_network(MCP, site)
    assert (taken.data, taken.derived) == (b"\x00any bytes", "")
    assert taken.source == f"{site.base}{PATH}"
    assert asked == [PATH]


def test_the_real_site_is_https_and_one_host() -> None:
    assert SITE.scheme == "https"
    for revision in KNOWN["mcp"]:
        assert SITE.allows(SITE.base + path_of(Wanted("mcp", revision)))
    assert SITE.allows(SITE.base + path_of(Wanted("a2a", "0.3")))
    for url in (
        "http://raw.githubusercontent.com/x",
        "https://raw.githubusercontent.com.example.com/x",
        "https://user@raw.githubusercontent.com/x",
        "https://raw.githubusercontent.com:8443/x",
        "https://example.com/raw.githubusercontent.com",
        "file:///etc/passwd",
        "//raw.githubusercontent.com/x",
    ):
        assert not SITE.allows(url), url


@pytest.mark.parametrize(
    ("revision", "words"), [("1.0", "--from package derives one"), ("0.7", "take it --from a FILE")]
)
def test_what_the_repository_does_not_have(revision: str, words: str) -> None:
    with pytest.raises(NoSchemaError, match=words):
        from_network(Wanted("a2a", revision), Site(base="http://127.0.0.1:9"))


def test_what_is_too_large_is_cut_off() -> None:
    with serving(sends(b"x" * 200_001), most=200_000) as (site, _):
        assert refusal(site) == "the file has more than 200000 bytes"


def test_what_never_ends_is_cut_off() -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(b"x" * 10_000)

    with serving(answer, most=50_000) as (site, _):
        assert refusal(site) == "the file has more than 50000 bytes"


def test_a_file_that_ends_early_is_none() -> None:
    with serving(sends(b"half", Content_Length="8")) as (site, _):
        assert "4 of 8 bytes" in refusal(site) or "IncompleteRead" in refusal(site)


@pytest.mark.parametrize("headers_first", [True, False])
def test_a_server_that_drips_is_given_up(headers_first: bool) -> None:
    stop = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.0 200 OK\r\n" + (b"" if headers_first else b"\r\n"))
        while not stop.wait(0.1):
            handler.wfile.write(b"X-More: 1\r\n" if headers_first else b"x")

    with serving(answer, seconds=0.5) as (site, _):
        start = time.monotonic()
        assert refusal(site) == "took longer than 0.5 s"
        assert time.monotonic() - start < 3
        # nobody goes on reading what nobody waits for, while the server goes on
        while not headers_first and any(one.name == "toolresult-fetch" for one in threads()):
            assert time.monotonic() - start < 10
            time.sleep(0.05)
        stop.set()


def test_a_silent_server_is_given_up() -> None:
    stop = threading.Event()
    with serving(lambda handler: (stop.wait(5), None)[1], silence=0.3) as (site, _):
        assert refusal(site) == "nothing came for 0.3 s"
        stop.set()


@pytest.mark.parametrize(
    ("code", "words"), [(404, "no revision of that name"), (500, "answers 500"), (403, "403")]
)
def test_refusals_of_the_server(code: int, words: str) -> None:
    with serving(sends(b"{}", code)) as (site, _):
        assert words in refusal(site)


def test_nobody_there() -> None:
    with serving(sends(b"")) as (site, _):
        pass
    assert refusal(site).startswith("cannot be reached: ")


def test_redirects_are_followed_within_the_site_and_not_for_ever() -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        left = int(handler.path.rpartition("=")[2] or 0) if "=" in handler.path else start
        more = {"Location": f"/x?left={left - 1}"} if left else {}
        sends(b"there", 302 if left else 200, **more)(handler)

    start = MAX_REDIRECTS
    with serving(answer) as (site, asked):
        assert from_network(MCP, site).data == b"there"
        assert len(asked) == MAX_REDIRECTS + 1
    start = MAX_REDIRECTS + 1
    with serving(answer) as (site, asked):
        assert refusal(site) == f"leads on more than {MAX_REDIRECTS} times"
        assert len(asked) == MAX_REDIRECTS + 1


@pytest.mark.parametrize(
    "location",
    ["file:///etc/passwd", "http://127.0.0.2:1/x", "ftp://127.0.0.1/x", "https://a.example/"],
)
def test_redirects_that_lead_away_are_not_followed(location: str) -> None:
    with serving(sends(b"", 302, Location=location)) as (site, asked):
        assert refusal(site) == f"leads to {location}, which is not followed"
        assert asked == [PATH]
