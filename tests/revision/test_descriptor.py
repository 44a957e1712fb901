"""A protobuf descriptor set as a schema, by the JSON mapping of proto3."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

if os.environ.get("CI") != "true":  # there, a missing library is a failure
    pytest.importorskip("google.protobuf", reason="needs toolresult[protobuf]")

from google.protobuf import descriptor_pb2
from tests.revision.older import ROOT
from tests.revision.replay import needs_official, request_of, schema_of

from toolresult_generator.director import Loaded
from toolresult_generator.findings import FindingsError
from toolresult_generator.revision.changes import Kind
from toolresult_generator.revision.check import check_revision
from toolresult_generator.revision.meaning import Weight
from toolresult_generator.revision.report import Verdict
from toolresult_generator.revision.source import read_schema

_Field = descriptor_pb2.FieldDescriptorProto
STRING, BYTES, MESSAGE, ENUM = (
    _Field.TYPE_STRING,
    _Field.TYPE_BYTES,
    _Field.TYPE_MESSAGE,
    _Field.TYPE_ENUM,
)
REQUIRED = bytes([0xE2, 0x41, 0x01, 0x02])
"""In the options of a field: google.api.field_behavior, one entry, REQUIRED."""


def message(
    file: descriptor_pb2.FileDescriptorProto, title: str, /, **fields: Any
) -> descriptor_pb2.DescriptorProto:
    """A message of fields: a type, or its name; `[…]` for a repeated one."""
    made = file.message_type.add(name=title)
    for number, (key, kind) in enumerate(fields.items(), 1):
        repeated = isinstance(kind, list)
        one = kind[0] if repeated else kind
        field = made.field.add(name=key, number=number)
        field.label = _Field.LABEL_REPEATED if repeated else _Field.LABEL_OPTIONAL
        if isinstance(one, str):
            field.type = ENUM if one.endswith(("State", "Role")) else MESSAGE
            field.type_name = one if one.startswith(".") else f".lf.a2a.v1.{one}"
        else:
            field.type = one
    return made


def a2a(**part: Any) -> bytes:
    """A descriptor set shaped like A2A 1.0, with the members of a part."""
    found = descriptor_pb2.FileDescriptorSet()
    file = found.file.add(name="a2a.proto", package="lf.a2a.v1", syntax="proto3")
    struct, value = ".google.protobuf.Struct", ".google.protobuf.Value"
    members: dict[str, Any] = {"text": STRING, "raw": BYTES, "url": STRING, "data": value}
    members |= {"metadata": struct, "filename": STRING, "media_type": STRING, **part}
    message(file, "Part", **members)
    message(
        file,
        "Message",
        message_id=STRING,
        role="Role",
        parts=["Part"],
        metadata=struct,
        extensions=[STRING],
    )
    message(
        file,
        "Artifact",
        artifact_id=STRING,
        name=STRING,
        parts=["Part"],
        metadata=struct,
        extensions=[STRING],
    )
    stamp = ".google.protobuf.Timestamp"
    message(file, "TaskStatus", state="TaskState", message="Message", timestamp=stamp)
    task = message(
        file,
        "Task",
        id=STRING,
        context_id=STRING,
        status="TaskStatus",
        artifacts=["Artifact"],
        metadata=struct,
    )
    task.field[2].options.ParseFromString(REQUIRED)
    for name, values in {
        "TaskState": ["TASK_STATE_COMPLETED", "TASK_STATE_FAILED"],
        "Role": ["ROLE_USER", "ROLE_AGENT"],
    }.items():
        enum = file.enum_type.add(name=name)
        for number, one in enumerate(values):
            enum.value.add(name=one, number=number)
    return found.SerializeToString()


def test_messages_become_closed_objects(tmp_path: Path) -> None:
    file = tmp_path / "a2a.binpb"
    file.write_bytes(a2a())
    definitions = read_schema(file).document["$defs"]
    assert definitions["Task"]["required"] == ["status"]
    assert definitions["Task"]["additionalProperties"] is False
    assert definitions["Task"]["properties"]["contextId"] == {"type": "string"}
    assert definitions["Task"]["properties"]["artifacts"] == {
        "type": "array",
        "items": {"$ref": "#/$defs/Artifact"},
    }
    assert definitions["Part"]["properties"]["data"] == {}
    assert definitions["Role"] == {"type": "string", "enum": ["ROLE_USER", "ROLE_AGENT"]}


def test_what_is_written_for_1_0_fits_the_descriptor(loaded: Loaded, tmp_path: Path) -> None:
    file = tmp_path / "1.1.binpb"
    file.write_bytes(a2a())
    request = request_of(loaded, ROOT / "spec", "a2a@1.0", file, "a2a@1.1", old=file)
    report = check_revision(request, loaded, lambda *told: None)
    assert report.trial.broken() == [] and report.verdict is Verdict.AS_IS


def test_a_new_member_and_one_that_is_gone(loaded: Loaded, tmp_path: Path) -> None:
    old, new = tmp_path / "1.0.binpb", tmp_path / "1.1.binpb"
    old.write_bytes(a2a())
    new.write_bytes(a2a(caption=STRING).replace(b"filename", b"fullpath"))
    request = request_of(loaded, ROOT / "spec", "a2a@1.0", new, "a2a@1.1", old=old)
    report = check_revision(request, loaded, lambda *told: None)
    weights = {(one.change.kind, one.change.fact.name): one.weight for one in report.changes}
    assert weights[Kind.ADDED, "caption"] is Weight.NOTE
    assert weights[Kind.REMOVED, "filename"] is Weight.BREAKS
    assert "content.image.name" in {cell.path for cell in report.trial.broken()}


@needs_official
def test_the_step_of_a2a_shows_in_the_descriptor_too(loaded: Loaded, tmp_path: Path) -> None:
    file = tmp_path / "1.1.binpb"
    file.write_bytes(a2a())
    old = schema_of("a2a", "0.3")
    request = request_of(loaded, ROOT / "spec", "a2a@0.3", file, "a2a@1.1", old=old)
    report = check_revision(request, loaded, lambda *told: None)
    found = {(one.change.kind, one.change.fact.name) for one in report.changes}
    assert (Kind.MOVED_OUT, "file") in found and (Kind.REMOVED, "kind") in found
    assert report.trial.breaks_all


def test_bytes_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "x.binpb"
    file.write_bytes(a2a()[:-40])
    with pytest.raises(FindingsError, match="neither JSON nor a protobuf descriptor set"):
        read_schema(file)


def test_without_the_library_the_advice_is_to_install_it(tmp_path: Path) -> None:
    file = tmp_path / "1.1.binpb"
    file.write_bytes(a2a())
    program = (
        "import sys; sys.modules['google.protobuf'] = None\n"
        "from toolresult_generator.cli import main\n"
        f"sys.exit(main(['revision', 'check', {str(file)!r}, '--like', 'a2a@1.0']))"
    )
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert ": missing_tool: " in done.stderr and "pip install protobuf" in done.stderr


def test_required_is_known_whatever_else_is_imported(tmp_path: Path) -> None:
    file = tmp_path / "a2a.binpb"
    file.write_bytes(a2a())
    program = (
        "import sys, pathlib\n"
        "if sys.argv[2]:\n"
        "    import google.api.field_behavior_pb2\n"
        "from toolresult_generator.revision.source import read_schema\n"
        "print(read_schema(pathlib.Path(sys.argv[1])).document['$defs']['Task']['required'])\n"
    )
    wanted = ["", "imported"] if importlib.util.find_spec("google.api") else [""]
    for also in wanted:
        done = subprocess.run(
            [sys.executable, "-c", program, str(file), also],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.stdout, done.stderr) == ("['status']\n", "")
