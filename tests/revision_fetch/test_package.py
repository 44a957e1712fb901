"""Schemas from installed packages: as they ship them, or derived from their types."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema_rs
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool

from toolresult_generator.findings import FindingsError
from toolresult_generator.revision.fetch import check_schema
from toolresult_generator.revision.fetch_names import Wanted
from toolresult_generator.revision.fetch_package import from_package
from toolresult_generator.revision.fetch_protobuf import definitions

MODELS = '''\
from __future__ import annotations
from typing import Annotated, Generic, Literal, TypeVar
from pydantic import BaseModel, ConfigDict, Field
LATEST_PROTOCOL_VERSION = "2025-11-25"
T = TypeVar("T")
class Box(BaseModel, Generic[T]):
    inner: T
class TextContent(BaseModel):
    model_config = ConfigDict(extra="ignore")
    type: Literal["text"]
    text: str
class CallToolResult(BaseModel):
    """The result."""
    content: list[TextContent]
    is_error: Annotated[bool | None, Field(alias="isError")] = None
    more: Annotated[str | None, Field(min_length=1)] = None
    or_null: str | None
'''
PROTOCOLS = ("mcp-types", "mcp", "a2a-sdk")
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Makes packages that look installed, for one test; those that are installed are hidden."""
    monkeypatch.syspath_prepend(tmp_path)
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name in PROTOCOLS and not [*tmp_path.glob(f"{name.replace('-', '_')}-*.dist-info")]:
            raise importlib.metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    imported = _taken_out()

    def made(name: str, version: str, **files: str) -> None:
        listed = ""
        for path, text in files.items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            listed += f"{path},,\n"
        about = tmp_path / f"{name.replace('-', '_')}-{version}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        (about / "RECORD").write_text(listed)

    yield made
    _taken_out()
    sys.modules.update(imported)


def _taken_out() -> dict[str, ModuleType]:
    """The modules of the protocols that are imported by now, which are so no more."""
    names = [name for name in sys.modules if name.split(".")[0] in ("mcp_types", "mcp", "a2a")]
    return {name: sys.modules.pop(name) for name in names}


def schema(wanted: Wanted) -> tuple[dict[str, Any], str, str]:
    taken = from_package(wanted)
    check_schema(taken, wanted)
    return json.loads(taken.data), taken.source, taken.derived


def test_models_of_a_module_for_each_revision(install: Install) -> None:
    files = {"mcp_types/__init__.py": "", "mcp_types/_v2026_07_28/__init__.py": MODELS}
    install("mcp-types", "2.3.0", **files)
    document, source, derived = schema(Wanted("mcp", "2026-07-28"))
    assert source == "mcp-types 2.3.0"
    assert derived.startswith("from the pydantic models of mcp_types._v2026_07_28, by pydantic 2.")
    assert set(document["$defs"]) == {"CallToolResult", "TextContent"}
    result = document["$defs"]["CallToolResult"]
    # an optional member is absent, not null, and is named as on the wire
    assert result["properties"]["isError"] == {"type": "boolean"}
    assert result["properties"]["more"] == {"minLength": 1, "type": "string"}
    assert result["required"] == ["content", "or_null"]
    assert {"type": "null"} in result["properties"]["or_null"]["anyOf"]
    rooted = {**document, "$ref": "#/$defs/CallToolResult"}
    good = {"content": [{"type": "text", "text": "x"}], "or_null": None}
    assert jsonschema_rs.is_valid(rooted, good)
    assert not jsonschema_rs.is_valid(rooted, {**good, "isError": "yes"})
    assert (
        from_package(Wanted("mcp", "2026-07-28")).data
        == from_package(Wanted("mcp", "2026-07-28")).data
    )


def test_a_module_that_says_its_revision(install: Install) -> None:
    install("mcp", "1.30.0", **{"mcp/__init__.py": "", "mcp/types.py": MODELS})
    assert schema(Wanted("mcp", "2025-11-25"))[1] == "mcp 1.30.0"
    with pytest.raises(FindingsError, match=r"mcp-types is not installed; mcp 1\.30\.0 has 2025"):
        from_package(Wanted("mcp", "2026-07-28"))


def test_a_file_of_the_protocol_comes_first_and_as_it_is(install: Install) -> None:
    own = '{ "$defs": {"CallToolResult": true} }'
    files = {
        "mcp_types/__init__.py": "",
        "mcp_types/_v2026_07_28/__init__.py": MODELS,
        "mcp_types/schema/2026-07-28.json": own,
    }
    install("mcp-types", "3.0", **files)
    taken = from_package(Wanted("mcp", "2026-07-28"))
    assert (taken.data.decode(), taken.source, taken.derived) == (own, "mcp-types 3.0", "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise RuntimeError('broken')", "cannot be imported: RuntimeError"),
        ("import no_such_module_at_all", "lacks no_such_module_at_all"),
    ],
)
def test_packages_that_do_not_work(install: Install, text: str, words: str) -> None:
    files = {"mcp_types/__init__.py": "", "mcp_types/_v2026_07_28.py": text}
    install("mcp-types", "2.3.0", **files)
    with pytest.raises(FindingsError, match=words) as caught:
        from_package(Wanted("mcp", "2026-07-28"))
    assert caught.value.findings[0].code == "no_schema"


def test_models_that_have_no_schema(install: Install) -> None:
    text = "from pydantic import BaseModel\nfrom typing import Callable\n"
    text += "class CallToolResult(BaseModel):\n    x: Callable[[], int]\n"
    install(
        "mcp-types", "2.3.0", **{"mcp_types/__init__.py": "", "mcp_types/_v2026_07_28.py": text}
    )
    with pytest.raises(FindingsError, match="no schema can be derived from"):
        from_package(Wanted("mcp", "2026-07-28"))


def test_nothing_installed() -> None:
    with pytest.raises(FindingsError, match=r"a2a@7:1:1: no_schema: .*--from a FILE"):
        from_package(Wanted("a2a", "7"))


def field(number: int, name: str, kind: str, *, many: bool = False, more: str = "") -> str:
    """A field in the text format of protobuf; a kind with a dot is a message or enumeration."""
    words = name.split("_")
    camel = words[0] + "".join(word.title() for word in words[1:])
    named = f'type_name: ".lf.test.v1.{kind[1:]}"' if kind.startswith(".") else f"type: TYPE_{kind}"
    label = "REPEATED" if many else "OPTIONAL"
    about = f'name: "{name}" json_name: "{camel}" number: {number} {named} {more}'
    return f"field {{ {about} label: LABEL_{label} }}\n"


ONE = "oneof_index: 0"
ENUM, MESSAGE = "type: TYPE_ENUM", "type: TYPE_MESSAGE"
PROTO = (
    'name: "a2a.proto" package: "lf.test.v1" syntax: "proto3"\n'
    'enum_type { name: "Role" value { name: "ROLE_NONE" number: 0 }'
    ' value { name: "ROLE_USER" number: 1 } }\n'
    'message_type { name: "Part" oneof_decl { name: "content" }\n'
    + field(1, "text", "STRING", more=ONE)
    + field(2, "raw", "BYTES", more=ONE)
    + field(3, "media_type", "STRING")
    + '}\nmessage_type { name: "Task"\n'
    + field(1, "parts", ".Part", many=True, more=MESSAGE)
    + field(2, "role", ".Role", more=ENUM)
    + field(3, "more", ".Task.MoreEntry", many=True, more=MESSAGE)
    + field(4, "big", "INT64")
    + field(5, "inner", ".Task.Inner", more=MESSAGE)
    + 'nested_type { name: "MoreEntry" options { map_entry: true }\n'
    + field(1, "key", "STRING")
    + field(2, "value", "INT32")
    + '}\nnested_type { name: "Inner"\n'
    + field(1, "self", ".Task.Inner", more=MESSAGE)
    + "}}\n"
)


def test_protobuf_descriptors_as_their_json_is_written() -> None:
    from google.protobuf import json_format, message_factory, text_format

    file = text_format.Parse(PROTO, descriptor_pb2.FileDescriptorProto())
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    descriptor = pool.FindFileByName("a2a.proto")
    found = definitions(descriptor)
    assert set(found) == {"Part", "Task", "Task.Inner", "Role"}
    task = {"$defs": found, "$ref": "#/$defs/Task"}
    values: list[tuple[dict[str, Any], bool]] = [
        ({}, True),
        ({"parts": [{"text": "x", "mediaType": "y"}], "role": "ROLE_USER", "more": {"a": 1}}, True),
        ({"big": "-12", "inner": {"self": {"self": {}}}}, True),
        ({"parts": [{"text": "x", "raw": "AA=="}]}, False),
        ({"role": "ROLE_NOBODY"}, False),
        ({"more": {"a": "b"}}, False),
        ({"parts": {}}, False),
    ]
    message = message_factory.GetMessageClass(descriptor.message_types_by_name["Task"])
    for value, good in values:
        assert jsonschema_rs.is_valid(task, value) is good, value
        # the library that owns the mapping agrees
        try:
            json_format.ParseDict(value, message())
        except json_format.ParseError:
            assert not good, value
        else:
            assert good, value


def test_the_types_of_the_a2a_package(install: Install) -> None:
    text = (
        "from google.protobuf import descriptor_pb2, descriptor_pool, text_format\n"
        f"_file = text_format.Parse({PROTO!r}, descriptor_pb2.FileDescriptorProto())\n"
        "_pool = descriptor_pool.DescriptorPool()\n_pool.Add(_file)\n"
        "DESCRIPTOR = _pool.FindFileByName('a2a.proto')\n"
    )
    files = {
        "a2a/__init__.py": "",
        "a2a/types/__init__.py": "",
        "a2a/types/a2a_pb2.py": text,
        "a2a/compat/__init__.py": "",
        "a2a/compat/v0_3/__init__.py": "",
        "a2a/compat/v0_3/types.py": MODELS,
    }
    install("a2a-sdk", "1.3.0", **files)
    document, source, derived = schema(Wanted("a2a", "1.0"))
    assert source == "a2a-sdk 1.3.0" and "Task" in document["$defs"]
    assert derived.startswith("from the protobuf descriptors of a2a.types.a2a_pb2, by protobuf ")
    document, _, derived = schema(Wanted("a2a", "0.3"))
    assert "CallToolResult" in document["$defs"] and "a2a.compat.v0_3.types" in derived
