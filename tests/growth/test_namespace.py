"""Another namespace: every key that marks our own output is under it, and none under the old."""

from __future__ import annotations

import json

from tests.growth.team import Team, proven, published

OLD, NEW = "dev.toolresult/", "com.acme.tools/"
NAMES = (
    *("a2a@0.3", "a2a@1.0", "legacy-envelope@1", "mcp-stateless@2026-07-28"),
    *(f"mcp-handshake@{one}" for one in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")),
)
QUOTED = "looks-like-wire"
"""The sample whose data quotes a key of the old namespace: data is nobody's marker."""


def test_the_whole_matrix_passes(namespace: Team) -> None:
    assert proven(namespace.run("matrix", own=True))


def test_the_new_keys_are_on_the_wire_and_the_old_are_not(namespace: Team) -> None:
    marked = 0
    for name in NAMES:
        before, after = published(name), namespace.vectors(name)
        rendered = {key for key in before if key.startswith("render ")}
        assert rendered == {key for key in after if key.startswith("render ")}
        for key in rendered - {one for one in rendered if one.endswith(QUOTED)}:
            output = after[key].get("output", "")
            assert OLD not in output, key
            # the namespace alone differs, but for the order of keys and what contains it
            assert sorted(output.replace(NEW, OLD)) == sorted(before[key].get("output", "")), key
            marked += NEW in output
    assert marked > 1000


def test_output_of_the_old_namespace_is_somebody_elses(namespace: Team) -> None:
    given = '{"format_version":1,"data":{"a":1},"metadata":{"dry_run":true}}'
    old = namespace.run("render", "--to", "mcp-handshake@2025-06-18", text=given)
    read = ("read", "--from", "mcp-handshake@2025-06-18")
    back = json.loads(namespace.run(*read, text=old.stdout, own=True).stdout)
    assert back["data"] == {"a": 1}
    assert "dry_run" not in back["metadata"]
    assert back["metadata"]["foreign"]["mcp"][f"{OLD}dryRun"] is True


def test_an_extension_may_not_use_it(namespace: Team) -> None:
    given = '{"format_version":1,"metadata":{"extensions":{"com.acme.tools/x":1}}}'
    to = ("render", "--to", "a2a@1.0")
    done = namespace.run(*to, text=given, own=True)
    assert done.returncode == 1
    assert done.stderr.startswith("/metadata/extensions/com.acme.tools~1x: invalid_key: ")
    assert namespace.run(*to, text=given).returncode == 0
