"""What a team does to its spec for each kind of growth, step by step."""

# ruff: noqa: E501 - lines of YAML are as long as those of the spec

from __future__ import annotations

import re

from tests.docs.pages import ROOT, blocks
from tests.growth.team import Team

RESULT = "spec/result.yaml"
ENVELOPE = "spec/targets/legacy-envelope.yaml"
HANDSHAKE = "spec/targets/mcp-handshake.yaml"
STATELESS = "spec/targets/mcp-stateless.yaml"
OWN_SAMPLES = "spec/samples/own.yaml"
A2A = "spec/targets/a2a.yaml"
WIRE = {
    "legacy-envelope": ["1"],
    "mcp-handshake": ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"],
    "mcp-stateless": ["2026-07-28"],
    "a2a": ["0.3", "1.0"],
}
"""The revisions of each target that was published."""


def version_2(team: Team) -> None:
    """The next version of the serialized form."""
    team.add(RESULT, "  1: {meaning:", '  2: {meaning: "With what is new."}\n')


# ------------------------------------------------- a code and a field


def code(team: Team, since: int = 2) -> None:
    """A new error code."""
    text = f"  rate_limited: {{since: {since}, meaning: Too many calls., use: A quota is used up.}}"
    team.edit(RESULT, "  tool_error:\n", f"{text}\n  tool_error:\n")


def field(team: Team, since: int = 2) -> None:
    """A new metadata field."""
    meaning = "What the call cost, in cents."
    team.add(
        RESULT,
        "      dry_run: {type",
        f'      cost: {{type: count, since: {since}, meaning: "{meaning}"}}\n',
    )


def written(team: Team) -> None:
    """The new field in the forms of every target."""
    team.add(ENVELOPE, "      dryRun: {field", "      cost: {field: metadata.cost}\n")
    for file in (HANDSHAKE, A2A):
        team.add(
            file,
            '      "{namespace}/dryRun": {field',
            '      "{namespace}/cost": {field: metadata.cost}\n',
        )
    team.add(HANDSHAKE, "      - {has: metadata.dry_run}", "      - {has: metadata.cost}\n")


def allowed(team: Team) -> None:
    """The new field in the schema of every output."""
    for target, revisions in WIRE.items():
        for revision in revisions:
            file = f"spec/wire/{target}/{revision}.yaml"
            if target == "legacy-envelope":
                more = '        cost: {description: "What the call cost."}\n'
                team.add(file, "        dryRun:", more)
            else:
                more = '      "{namespace}/cost": {type: integer, minimum: 0}\n'
                team.add(file, '      "{namespace}/dryRun":', more)


def few_samples(team: Team, *kept: str) -> None:
    """Only these files of samples, for a test that looks at one fault of the matrix."""
    for file in (team.folder / "spec/samples").iterdir():
        if file.name not in kept:
            file.unlink()


# ---------------------------------------------------------- a namespace


def namespace(team: Team) -> None:
    """Another namespace."""
    team.edit(RESULT, "namespace: dev.toolresult", "namespace: com.acme.tools")
    team.generate()


# ----------------------------------------------------------- a revision


def revision_alone(team: Team) -> None:
    """A revision whose image blocks have the name that the others have in a marker."""
    team.add(
        HANDSHAKE,
        '  "2025-11-25": {meaning',
        '  "2026-03-01": {meaning: "Image blocks say the name of their file."}\n',
    )
    team.add(
        HANDSHAKE,
        "  audio_blocks: {since",
        '  image_names: {since: "2026-03-01", meaning: "Image blocks have a member name."}\n',
    )
    team.edit(
        HANDSHAKE,
        '  content.image.name: {status: re-encoded, how: "marker"}\n',
        """\
  content.image.name:
    - {when: {can: image_names}, status: native, sometimes: re-encoded, how: "name of the block; of an embedded blob the marker"}
    - {status: re-encoded, how: "marker"}
""",
    )
    block = (
        "object: {type: {const: image}, data: {field: item.data}, mimeType: {field: item.mime_type}"
    )
    name = "name: {when: {can: image_names}, field: item.name}"
    team.edit(HANDSHAKE, block + "}", f"{block}, {name}}}")
    team.edit(
        HANDSHAKE,
        "          - {when: {fact: inline_image}, form: named_marker}\n",
        """\
          - {when: {all: [{fact: inline_image}, {can: image_names}]}, form: plain_marker}
          - {when: {fact: inline_image}, form: named_marker}
""",
    )
    schema = (team.folder / "spec/wire/mcp-handshake/2025-11-25.yaml").read_text(encoding="utf-8")
    schema = schema.replace("2025-11-25", "2026-03-01")
    image = schema.index("      type: {const: image}\n")
    schema = schema[:image] + "      name: {type: string}\n" + schema[image:]
    team.write("spec/wire/mcp-handshake/2026-03-01.yaml", schema)


def revision(team: Team) -> None:
    """The revision, generated from."""
    revision_alone(team)
    team.generate()


# ------------------------------------------------------------- a target


def files_of_guide() -> dict[str, str]:
    """The files that docs/growing.md shows, by the name in their first line."""
    found = blocks(ROOT / "docs/growing.md")
    return {block.file: block.text for block in found if block.file is not None}


def target(team: Team) -> None:
    """The target of the guide, which has the guide's new field too."""
    for step in (version_2, code, field, written, allowed):
        step(team)
    for file, text in files_of_guide().items():
        if file.startswith("spec/"):
            team.write(file, text)
    team.generate()


# --------------------------------------------------------------- a kind


def kind_alone(team: Team) -> None:
    """A new part kind in the result, and nowhere else."""
    version_2(team)
    with (team.folder / RESULT).open("a", encoding="utf-8") as file:
        file.write("""\
  position:
    since: 2
    meaning: A place on the globe.
    fields:
      latitude: {type: number, minimum: -90, maximum: 90, required: true, since: 2, meaning: "Degrees to the north."}
      longitude: {type: number, minimum: -180, maximum: 180, required: true, since: 2, meaning: "Degrees to the east."}
      label: {type: string, since: 2, meaning: "What is there."}
""")


def kind_rules(team: Team) -> None:
    """What becomes of it in each target."""
    for file, rule in {
        ENVELOPE: "{status: text form, how: its text is an entry of _meta.content, lost: [latitude, longitude]}",
        HANDSHAKE: "{status: re-encoded, how: a text block and the whole position as a marker}",
        A2A: "{status: native, how: a data part with a marker}",
    }.items():
        team.add(file, "  content.binary: {status", f"  content.position: {rule}\n")


HOOK = "{adapter: position_text, rule: The label and the place as people write them.}"


def kind_cases(team: Team) -> None:
    """The forms that write it: a hook for its text, known conversions for the rest."""
    team.add(ENVELOPE, "      embedded: {convert: embedded_text}", f"      position: {HOOK}\n")
    team.edit(
        HANDSHAKE,
        "  link:\n    meaning: A link block.",
        f"""\
      position:
        marked: true
        object: {{type: {{const: text}}, text: {HOOK}}}
        include_after: [block_tail]

  link:
    meaning: A link block.""",
    )
    team.edit(
        HANDSHAKE,
        "      embedded: {form: named_marker}\n",
        """\
      embedded: {form: named_marker}
      position: {form: position_marker}

  position_marker:
    meaning: The marker of a text that stands in for a position.
    canonical: true
    object:
      kind: {field: item.kind}
      latitude: {field: item.latitude}
      longitude: {field: item.longitude}
      label: {field: item.label}
    include: [marker_tail]
""",
    )
    team.edit(
        A2A,
        "  file:\n    meaning: Bytes as a part.",
        """\
      position:
        choose:
          - {when: {can: kinds}, marked: true, object: {kind: {const: data}, data: {form: position}, metadata: {form: part_metadata}}}
          - {marked: true, object: {data: {form: position}, mediaType: {const: application/json}, metadata: {form: part_metadata}}}

  position:
    meaning: A place on the globe.
    object:
      latitude: {field: item.latitude}
      longitude: {field: item.longitude}
      label: {field: item.label}

  file:
    meaning: Bytes as a part.""",
    )
    team.add(
        A2A, "      embedded: {form: embedded_marker}", "      position: {form: kind_marker}\n"
    )


def kind_sample(team: Team) -> None:
    """What the proof renders of it."""
    team.write(
        OWN_SAMPLES,
        """\
samples:
  position:
    meaning: Two places, one with everything that a part can have.
    result:
      format_version: 2
      content:
        - {kind: position, latitude: 48.8584, longitude: 2.2945}
        - kind: position
          latitude: -90
          longitude: 0
          label: The South Pole
          audience: [user]
          priority: 0.5
          last_modified: "2026-07-28T12:00:00Z"
          foreign: {mcp: {x: 1}, a2a: {y: 2}}
""",
    )


def kind_allowed(team: Team) -> None:
    """It in the schema of every output: its marker, and the data part of A2A."""
    for target, revisions in WIRE.items():
        for revision in revisions if target != "legacy-envelope" else ():
            file = f"spec/wire/{target}/{revision}.yaml"
            text = (team.folder / file).read_text(encoding="utf-8")
            (old,) = re.findall(r"      kind: \{enum: \[[a-z, ]*image[a-z, ]*\]\}\n", text)
            new = old.replace("]", ", position]")
            if target != "a2a":
                new += "      latitude: {type: number}\n      longitude: {type: number}\n"
                new += "" if "      label:" in text else "      label: {type: string}\n"
            team.edit(file, old, new)
    marked = '{required: ["{namespace}/part"], properties: {"{namespace}/part": {required: [kind], properties: {kind: {const: position}}}}}'
    team.edit(
        "spec/wire/a2a/0.3.yaml",
        "      metadata: {const: {data_part_compat: true}}\n    if: {required: [metadata]}\n",
        f"""\
      metadata: {{anyOf: [{{const: {{data_part_compat: true}}}}, {{allOf: [{{$ref: "#/$defs/part_metadata"}}, {marked}]}}]}}
    if: {{required: [metadata], properties: {{metadata: {{required: [data_part_compat]}}}}}}
""",
    )
    team.edit(
        "spec/wire/a2a/1.0.yaml",
        '      data: {$ref: "#/$defs/safe"}\n      mediaType: {const: application/json}\n',
        f"""\
      data: {{$ref: "#/$defs/safe"}}
      mediaType: {{const: application/json}}
      metadata: {{allOf: [{{$ref: "#/$defs/part_metadata"}}, {marked}]}}
""",
    )


ADAPTER = "adapters/python/acme_adapters.py"


def kind(team: Team) -> None:
    """A new part kind. The adapter is the guide's."""
    for step in (kind_alone, kind_rules, kind_cases, kind_allowed, kind_sample, Team.generate):
        step(team)
    team.write(ADAPTER, files_of_guide()[ADAPTER])
    team.generate(adapters=True)
