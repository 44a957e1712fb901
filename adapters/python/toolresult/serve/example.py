"""The example server: tools that return every sample, and one for each thing a result may do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from toolresult.mcp.failures import Answer
from toolresult.serve.conformance import add_surroundings, fixture_tools
from toolresult.serve.samples import samples
from toolresult_core import Result

MOST_ROWS = 100_000
MOST_SECONDS = 30.0


def _with_names(schema: dict[str, Any]) -> None:
    """Puts the names into the schema, so that a client can offer them."""
    schema["enum"] = list(samples())


SampleName = Annotated[str, Field(json_schema_extra=_with_names, description="A sample's name.")]

INSTRUCTIONS = (
    "Tools to try a client with. `samples` lists what `sample` returns; the others show one "
    "thing each. Those that begin with test_ are what the official conformance suite calls."
)


class SoldOut(Exception):
    """Something that a tool expects to happen."""


FAILURES: Mapping[type[Exception], Answer] = {
    SoldOut: lambda error: Result.failure("not_found", str(error)),
}
"""What becomes of exceptions that are expected; for ``attach``."""


class Listed(BaseModel):
    """A sample in the list."""

    name: str
    topic: str
    meaning: str


class Products(BaseModel):
    """What `update` says of the products that it changed."""

    ids: list[int]


def example_server() -> MCPServer[Any]:
    """The server, before anything is attached."""
    functions: tuple[Callable[..., Any], ...] = (
        _samples,
        _sample,
        _update,
        _report,
        _buy,
        _envelope,
        _echo,
        _wait,
    )
    server: MCPServer[Any] = MCPServer(
        "toolresult-example",
        title="toolresult: examples",
        instructions=INSTRUCTIONS,
        version=version("toolresult"),
        tools=[*(_tool(function) for function in functions), *fixture_tools()],
        log_level="WARNING",
    )
    add_surroundings(server)
    return server


def named(name: str) -> Result:
    """The sample of that name; without one a failure that says how to find one."""
    found = samples().get(name)
    if found is not None:
        return found.result
    message = f"There is no sample {name[:80]!r}. The tool `samples` lists them all."
    return Result.failure("not_found", message, {"name": name[:80]})


def listed(topic: str | None = None) -> Result:
    """The list of samples, of one topic or of all."""
    found = [
        {"name": one.name, "topic": one.topic, "meaning": one.meaning}
        for one in samples().values()
        if topic in (None, one.topic)
    ]
    return Result.success(found, summary=f"{len(found)} samples")


def _tool(function: Callable[..., Any]) -> Tool:
    name = function.__name__.lstrip("_")
    return Tool.from_function(function, name=name, annotations=ToolAnnotations(read_only_hint=True))


def _sample(name: SampleName) -> Result:
    """Returns one sample of the spec, as any tool would return it."""
    return named(name)


def _samples(topic: str | None = None) -> Annotated[Result, list[Listed]]:
    """Lists the samples: name, topic and what each one shows."""
    return listed(topic)


def _update(ids: list[int]) -> Annotated[Result, Products]:
    """Returns data with an output schema, a summary and metadata; changes nothing."""
    return Result.success(
        {"ids": ids}, summary=f"{len(ids)} products updated", metadata={"dry_run": True}
    )


def _report(rows: Annotated[int, Field(ge=0, le=MOST_ROWS)] = 20_000) -> Result:
    """Returns a large result: over the limit it goes as a link, which the client can read."""
    return Result.success({"rows": list(range(rows))}, summary=f"{rows:,} rows")


def _buy(product: str) -> Result:
    """Fails: `table` is sold out, anything else fails in a way that nobody expected."""
    if product == "table":
        raise SoldOut("There is no table left.")
    raise RuntimeError("the database is gone, and its password is hunter2")


def _envelope(product_id: int = 17) -> str:
    """Returns the legacy JSON envelope, a string."""
    return f'{{"success": true, "data": {{"id": {product_id}}}, "_meta": {{"dryRun": true}}}}'


def _echo(value: Any, repeat: Annotated[int, Field(ge=1, le=MOST_ROWS)] = 1) -> Result:
    """Returns the value that it is given, as often as it is told."""
    return Result.success({"values": [value] * repeat})


async def _wait(seconds: Annotated[float, Field(ge=0, le=MOST_SECONDS)] = 1.0) -> Result:
    """Returns after a while."""
    await asyncio.sleep(seconds)
    return Result.success({"seconds": seconds}, summary=f"waited for {seconds:g} s")
