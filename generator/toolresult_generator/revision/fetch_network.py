"""A schema from the protocol's repository: over https alone, from fixed hosts, within bounds."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage
from typing import IO
from urllib.parse import urljoin, urlsplit

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.load.limits import MAX_BYTES
from toolresult_generator.revision.fetch import Taken
from toolresult_generator.revision.fetch_names import KNOWN, Wanted

MAX_REDIRECTS = 3
_CHUNK = 64 * 1024
_THREAD = "toolresult-fetch"


@dataclass(frozen=True)
class Site:
    """Where schemas are asked for, and what a redirect may lead to.

    ``hosts`` are names with a port, if it is not that of the scheme. Bounds are in seconds:
    ``seconds`` for everything, and ``silence`` for the time in which nothing arrives.
    """

    base: str = "https://raw.githubusercontent.com"
    hosts: frozenset[str] = frozenset({"raw.githubusercontent.com"})
    scheme: str = "https"
    seconds: float = 30
    silence: float = 10
    most: int = MAX_BYTES

    def allows(self, url: str) -> bool:
        """Whether the URL is one of this site."""
        parts = urlsplit(url)
        return parts.scheme == self.scheme and parts.netloc in self.hosts


SITE = Site()
_MCP = "/modelcontextprotocol/modelcontextprotocol/main/schema/{revision}/schema.json"
_A2A = {"0.3": "/a2aproject/A2A/v0.3.0/specification/json/a2a.json"}
"""The files that the repositories have. A2A 1.0 is defined by protobuf and has no JSON Schema."""


class NoSchemaError(ValueError):
    """The repository has no JSON Schema of that revision. The message says what has one."""


def path_of(wanted: Wanted) -> str:
    """Where the repository has the schema. Raises NoSchemaError."""
    if wanted.protocol == "mcp":
        return _MCP.format(revision=wanted.revision)
    if wanted.revision in _A2A:
        return _A2A[wanted.revision]
    known = wanted.revision in KNOWN[wanted.protocol]
    raise NoSchemaError(
        f"the repository has no JSON Schema of {wanted.label}"
        + (
            ": it is defined by protobuf; --from package derives one from a2a-sdk"
            if known
            else f", but of {', '.join(_A2A)}; take it --from a FILE"
        )
    )


def from_network(wanted: Wanted, site: Site = SITE) -> Taken:
    """The schema from the repository. Raises NoSchemaError, and FindingsError `unreachable`."""
    url = site.base + path_of(wanted)
    answers: queue.Queue[bytes | str] = queue.Queue()

    def work() -> None:
        try:
            answers.put(_download(url, site))
        except (OSError, HTTPException, ValueError) as error:
            answers.put(_reason(error, site))

    # in a thread, so that a server that drips its headers cannot hold us for longer either
    threading.Thread(target=work, name=_THREAD, daemon=True).start()
    try:
        answer = answers.get(timeout=site.seconds + 1)
    except queue.Empty:
        answer = f"took longer than {site.seconds:g} s"
    if isinstance(answer, str):
        advice = "try again, or take it --from a FILE or --from package"
        raise FindingsError([Finding(Place(url), "unreachable", answer, advice)])
    return Taken(answer, url)


class _RefusedError(ValueError):
    """An answer that is not taken. The message says why."""


def _download(url: str, site: Site) -> bytes:
    end = time.monotonic() + site.seconds
    request = urllib.request.Request(url, headers={"User-Agent": "toolresult"})
    with contextlib.closing(_opener(site).open(request, timeout=site.silence)) as answer:
        chunks: list[bytes] = []
        size = 0
        while chunk := answer.read1(_CHUNK):
            size += len(chunk)
            if size > site.most:
                raise _RefusedError(f"the file has more than {site.most} bytes")
            if time.monotonic() > end:
                raise _RefusedError(f"took longer than {site.seconds:g} s")
            chunks.append(chunk)
        length = answer.headers.get("Content-Length", "")
        if length.isdecimal() and int(length) != size:
            raise _RefusedError(f"the file ends after {size} of {length} bytes")
        return b"".join(chunks)


def _opener(site: Site) -> urllib.request.OpenerDirector:
    """Speaks the site's scheme and no other: no file, no ftp, no data."""
    opener = urllib.request.OpenerDirector()
    https = site.scheme == "https"
    for handler in (
        urllib.request.ProxyHandler() if https else urllib.request.ProxyHandler({}),
        urllib.request.HTTPSHandler() if https else urllib.request.HTTPHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirects(site),
    ):
        opener.add_handler(handler)
    return opener


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows a few, within the site."""

    max_redirections = MAX_REDIRECTS

    def __init__(self, site: Site) -> None:
        self._site = site

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if not self._site.allows(newurl):
            raise _RefusedError(_away(newurl))
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _away(url: str) -> str:
    return f"leads to {url[:200]}, which is not followed"


def _reason(error: Exception, site: Site) -> str:
    if isinstance(error, _RefusedError):
        return str(error)
    if isinstance(error, urllib.error.HTTPError):
        if error.code == 404:
            return "there is no such file: the protocol has no revision of that name"
        if error.code in (301, 302, 303, 307, 308):
            to = urljoin(error.url, error.headers.get("Location", ""))
            return f"leads on more than {MAX_REDIRECTS} times" if site.allows(to) else _away(to)
        return f"the server answers {error.code}"
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        return f"nothing came for {site.silence:g} s"
    return f"cannot be reached: {str(reason) or type(reason).__name__}"
