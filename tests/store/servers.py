"""A PostgreSQL server and an S3 server for tests, each in a process of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import glob
from pathlib import Path
from secrets import token_hex

import psycopg
from psycopg import sql
from sqlalchemy import URL, make_url
from tests.toolchain import program

PASSWORD = "Swordfish-0815"
"""Of the private server. It must turn up nowhere."""
PATIENCE = 60.0
"""Seconds that a server may take to start or stop on a busy machine."""


class Cluster:
    """A PostgreSQL server of our own in a new folder, reached by a socket in it.

    Nothing else on the machine is touched: no port is taken, and a server that the system has
    started goes on. As root it is run as the user ``postgres``, since it refuses root.
    """

    def __init__(self) -> None:
        get = "Debian's package postgresql"
        newest = sorted(glob("/usr/lib/postgresql/*/bin"), reverse=True)
        self._initdb = program("initdb", get, also=tuple(f"{path}/initdb" for path in newest))
        self._program = program("postgres", get, also=tuple(f"{path}/postgres" for path in newest))
        # Not in pytest's folder: the path of a socket has 107 characters at most.
        self.folder = Path(tempfile.mkdtemp(prefix="toolresult-pg-"))
        self._server: subprocess.Popen[bytes] | None = None
        self._user: str | None = None
        if os.name == "posix" and os.getuid() == 0:
            self._user = "postgres"
            shutil.chown(self.folder, self._user)
        try:
            self._make()
            self.start()
        except BaseException:
            self.remove()
            raise

    @property
    def url(self) -> URL:
        """The database ``postgres``, as the owner of the server."""
        return URL.create(
            "postgresql+psycopg",
            "owner",
            PASSWORD,
            database="postgres",
            query={"host": str(self.folder)},
        )

    def _make(self) -> None:
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        self._run(
            str(self._initdb),
            *("--pgdata", str(self.folder / "data"), "--username=owner", "--auth=scram-sha-256"),
            *(f"--pwfile={secret}", "--encoding=UTF8", "--locale=C", "--no-sync"),
        )

    def _run(self, *command: str) -> None:
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, user=self._user
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            # What a crash of the machine would cost is not tested; minutes of waiting are.
            "fsync": "off",
            "max_connections": "60",
        }
        log = (self.folder / "log").open("ab")
        self._server = subprocess.Popen(
            [
                str(self._program),
                *("-D", str(self.folder / "data")),
                *(word for name, value in settings.items() for word in ("-c", f"{name}={value}")),
            ],
            cwd=self.folder,
            stdout=log,
            stderr=log,
            user=self._user,
        )
        log.close()
        end = time.monotonic() + PATIENCE
        while True:
            try:
                connect(self.url).close()
                return
            except psycopg.OperationalError:
                alive = self._server.poll() is None
                if not alive or time.monotonic() > end:
                    raise AssertionError((self.folder / "log").read_text()) from None
                time.sleep(0.05)

    def stop(self) -> None:
        """Stops the server at once, as a crash would: every connection breaks."""
        if self._server is not None:
            self._server.send_signal(signal.SIGQUIT)
            self._server.wait(PATIENCE)
            self._server = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Every process of the server stands still, and its connections stay open."""
        assert self._server is not None
        with connect(self.url) as connection:
            found = connection.execute("SELECT pid FROM pg_stat_activity").fetchall()
        # The first one makes the others, so it comes first.
        processes = [self._server.pid, *(pid for (pid,) in found)]
        try:
            for pid in processes:
                _send(pid, signal.SIGSTOP)
            yield
        finally:
            for pid in processes:
                _send(pid, signal.SIGCONT)

    def remove(self) -> None:
        """Stops the server and deletes all that it had."""
        self.stop()
        shutil.rmtree(self.folder)


def _send(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):  # the one that was asked has ended by now
        os.kill(pid, number)


def connect(url: URL) -> psycopg.Connection:
    """A connection that commits each statement at once."""
    host = url.query.get("host", url.host)
    return psycopg.connect(
        host=host if host is None or isinstance(host, str) else ",".join(host),
        port=url.port,
        user=url.username,
        password=url.password,
        dbname=url.database,
        autocommit=True,
        connect_timeout=5,
    )


@contextmanager
def postgresql_server() -> Iterator[URL]:
    """The server that ``TOOLRESULT_POSTGRESQL`` names, or one of our own until the end."""
    named = os.environ.get("TOOLRESULT_POSTGRESQL")
    if named:
        yield make_url(named).set(drivername="postgresql+psycopg")
        return
    cluster = Cluster()
    try:
        yield cluster.url
    finally:
        cluster.remove()


@contextmanager
def new_database(server: URL) -> Iterator[URL]:
    """An empty database, which is dropped in the end with all connections to it."""
    name = f"toolresult_{token_hex(6)}"
    quoted = sql.Identifier(name)
    with connect(server) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE template0").format(quoted)
        )
    try:
        yield server.set(database=name)
    finally:
        with connect(server) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(quoted))


class S3Server:
    """moto's S3 in a process of its own, on a free port of this machine."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    @property
    def environment(self) -> Mapping[str, str]:
        """What a client needs to know, in the variables that all clients of S3 read."""
        return {
            "AWS_ENDPOINT": f"http://127.0.0.1:{self.port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "access",
            "AWS_SECRET_ACCESS_KEY": PASSWORD,
        }

    def start(self) -> None:
        """Starts the server, with nothing in it, and waits until it answers."""
        self._server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self._ask("GET", "")
                return
            except urllib.error.URLError:
                assert self._server.poll() is None and time.monotonic() < end
                time.sleep(0.1)

    def new_bucket(self, name: str | None = None) -> str:
        """The name of a new bucket."""
        name = name or f"bucket-{token_hex(6)}"
        self._ask("PUT", name)
        return name

    def _ask(self, method: str, path: str) -> None:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{path}", method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            answer.read()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """The server stands still: connections are taken, and nothing is answered."""
        _send(self._server.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            _send(self._server.pid, signal.SIGCONT)

    def stop(self) -> None:
        """Stops the server at once."""
        self._server.kill()
        self._server.wait(PATIENCE)
