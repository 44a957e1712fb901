"""The measurements, one table each. A number is followed by its goal, if it has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from bench import data, goals, live, memory, ours, peers
from bench.cells import Cell
from bench.timing import Way, medians
from toolresult import Result


@dataclass(frozen=True)
class Scale:
    """How large the inputs are, and how long a row is measured."""

    large: int
    image: int
    seconds: float


FULL: Final = Scale(large=5 * data.MB, image=20 * data.MB, seconds=6)
QUICK: Final = Scale(large=100_000, image=200_000, seconds=0.02)
_SERVED: Final = 4
"""Calls over HTTP take so many times as long: a machine's other work is slow to average out."""


@dataclass(frozen=True)
class Row:
    """One line of a table: what was rendered, in comparison with what, and the numbers."""

    name: str
    against: str
    cells: dict[str, Cell]


@dataclass(frozen=True)
class Table:
    """A title, and a way to measure the rows."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: Callable[[Scale], Iterator[Row]]


def _inputs(scale: Scale) -> dict[str, Callable[[], Any]]:
    """The data by its name. The sizes are those of a full run."""
    return {
        "1 KB": lambda: data.mixed(data.KB),
        "100 KB": lambda: data.mixed(100 * data.KB),
        "5 MB": lambda: data.mixed(scale.large),
        "5 MB floats": lambda: data.floats(scale.large),
        "5 MB non-ASCII": lambda: data.strings(scale.large),
        "100 KB nested": lambda: data.nested(100 * data.KB),
    }


def _timed(
    way: Callable[[Any], object],
    others: Mapping[str, Callable[[Any], object]],
    given: Any,
    seconds: float,
) -> dict[str, float]:
    """The medians of our way, with each encoder, and of the others."""
    ways = {
        name: Way(partial(way, given), partial(ours.using, encoder))
        for name, encoder in ours.encoders().items()
    }
    ways |= {name: Way(partial(other, given)) for name, other in others.items()}
    return medians(ways, seconds)


def _faster(name: str, against: str, times: dict[str, float], goal: str | None = None) -> Row:
    wanted = goals.FASTER.get((against, goal or name), (None, None))
    return Row(
        name,
        against,
        {
            column: Cell(times[against] / times[column], at_least=least)
            for column, least in zip(("pydantic", "orjson"), wanted, strict=True)
        },
    )


def one_mcp(scale: Scale) -> Iterator[Row]:
    """One MCP revision against three peers and the floor."""
    others = {
        "CallToolResult": peers.call_tool_result,
        "CallToolResult, text by pydantic": peers.call_tool_result_in_rust,
        "floor": peers.floor,
    }
    for name, make in _inputs(scale).items():
        times = _timed(ours.mcp, others, make(), scale.seconds)
        yield _faster(name, "CallToolResult", times)
        yield _faster(name, "CallToolResult, text by pydantic", times)
        most = goals.OVER_FLOOR.get(name, (None, None))
        yield Row(
            name,
            "times the floor",
            {
                column: Cell(times[column] / times["floor"], at_most=goal)
                for column, goal in zip(("pydantic", "orjson"), most, strict=True)
            },
        )
    picture = {"CallToolResult": peers.image, "floor": peers.image_floor}
    times = _timed(ours.image, picture, data.image(scale.image), scale.seconds)
    yield _faster("20 MB image", "CallToolResult", times)
    cells = {name: Cell(times[name] / times["floor"]) for name in ("pydantic", "orjson")}
    yield Row("20 MB image", "times the floor", cells)


def servers(scale: Scale) -> Iterator[Row]:
    """The whole way through a server, frame and all."""
    others = {
        "SDK server": peers.sdk_server,
        "MCPServer": peers.mcp_server,
        "FastMCP": peers.fastmcp,
    }
    for name, make in list(_inputs(scale).items())[:4]:
        times = _timed(ours.mcp_framed, others, make(), scale.seconds)
        yield from (_faster(name, other, times) for other in others)


def agents(scale: Scale) -> Iterator[Row]:
    """Agent2Agent 1.0 against the protobuf way."""
    for name, make in list(_inputs(scale).items())[:3]:
        times = _timed(ours.a2a, {"protobuf": peers.protobuf}, make(), scale.seconds)
        yield _faster(name, "protobuf", times)


def five(scale: Scale) -> Iterator[Row]:
    """One result to all five MCP revisions against five dumps."""

    def dumps(given: Any) -> list[bytes]:
        return [peers.call_tool_result(given) for _ in ours.EVERY_MCP]

    for name, make in list(_inputs(scale).items())[:3]:
        times = _timed(ours.every_mcp, {"5 dumps": dumps}, make(), scale.seconds)
        yield _faster(name, "5 dumps", times)


def _bytes(result: Result) -> bytes:
    return ours.MAPPER.render(result, ours.MCP).bytes


def again(scale: Scale) -> Iterator[Row]:
    """Rendering what was rendered before, beyond the copy of its bytes."""
    for name, unit, per_second in (("1 KB", "µs", 1e6), ("5 MB", "ms", 1e3)):
        result = Result.success(_inputs(scale)[name]())
        chunks = ours.MAPPER.render(result, ours.MCP).chunks
        times = medians(
            {
                "again": Way(partial(_bytes, result)),
                "copy": Way(partial(b"".join, chunks)),
            },
            scale.seconds,
        )
        over = max(0.0, times["again"] - times["copy"]) * per_second
        goal = goals.AGAIN[name] * per_second
        cells = {column: Cell(over, unit, at_most=goal) for column in ("pydantic", "orjson")}
        yield Row(name, "over the copy", cells)


def served(scale: Scale) -> Iterator[Row]:
    """Calls per second over HTTP: an SDK server that is attached, to one that is not."""
    for name, size in (("1 KB", data.KB), ("100 KB", 100 * data.KB)):
        cells = {}
        with live.servers(size) as ports:
            for revision in live.REVISIONS:
                callers = {kind: live.Caller(port, revision) for kind, port in ports.items()}
                times = live.spent_per_call(callers, _SERVED * scale.seconds)
                ratio = times["plain"] / times["attached"]
                cells[revision] = Cell(ratio, at_least=goals.SERVED)
                for caller in callers.values():
                    caller.close()
        yield Row(name, "the same server, not attached", cells)


def peaks(scale: Scale) -> Iterator[Row]:
    """Peak memory over the size of the output."""
    rows = {
        "mcp": ("5 MB", scale.large),
        "image": ("20 MB image", scale.image),
        "image_chunks": ("20 MB image, chunks", scale.image),
    }
    for way, (name, size) in rows.items():
        most = goals.MEMORY[way]
        yield Row(
            name,
            "peak over output",
            {
                column: Cell(memory.peak(way, column, size), at_most=goal)
                for column, goal in zip(("pydantic", "orjson"), most, strict=True)
            },
        )
    for way, name, size in (
        ("peer", "5 MB", scale.large),
        ("peer_image", "20 MB image", scale.image),
    ):
        cell = Cell(memory.peak(way, "orjson", size))
        yield Row(name, "CallToolResult, for comparison", {"pydantic": cell, "orjson": cell})


TABLES: Final = (
    Table("mcp", "One MCP render (construct, encode, render)", ("pydantic", "orjson"), one_mcp),
    Table("servers", "The whole way through a server", ("pydantic", "orjson"), servers),
    Table("a2a", "Agent2Agent", ("pydantic", "orjson"), agents),
    Table("five", "One result to five MCP revisions", ("pydantic", "orjson"), five),
    Table("again", "Rendering again", ("pydantic", "orjson"), again),
    Table("served", "Calls over HTTP, by revision", live.REVISIONS, served),
    Table("memory", "Peak memory", ("pydantic", "orjson"), peaks),
)
