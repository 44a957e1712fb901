"""Two small targets that need what the published spec does not: with it, every kind of code."""

from __future__ import annotations

import shutil
from pathlib import Path

from toolresult_generator.languages.base import EmitRequest
from toolresult_generator.load import load_spec
from toolresult_generator.model.build import build_result
from toolresult_generator.model.target import Spec
from toolresult_generator.model.targets import build_targets

SPEC = Path(__file__).parents[2] / "spec"

_RULES = """\
rules:
  data: {status: native, how: somewhere}
  summary: {status: not expressible, how: nobody asks}
  error: {status: not expressible, how: nobody asks}
  error.details: {status: not expressible, how: nobody asks}
  content: {status: not expressible, how: nobody asks}
  content.*.audience: {status: not expressible, how: nobody asks}
  content.*.priority: {status: not expressible, how: nobody asks}
  content.*.last_modified: {status: not expressible, how: nobody asks}
  content.*.foreign: {status: withheld, how: "it's {nobody's} \\"business\\""}
  stored: {status: not expressible, how: nobody asks}
  stored.mime_type: {status: not expressible, how: nobody asks}
  metadata: {status: not expressible, how: nobody asks}
"""

PIECES = f"""\
target: pieces
title: Pieces
meaning: Forms of every kind.
wire: object
origin: mcp
revisions:
  "1": {{meaning: The first.}}
{_RULES}
output: {{form: whole}}
reader: {{adapter: read_pieces, subject: wire, rule: Reads., forms: [parts]}}
forms:
  whole:
    meaning: Everything.
    object:
      parts: {{form: parts}}
      nested: {{form: nested}}
      looped: {{form: looped}}
      words: {{adapter: own_words, rule: Words of its own.}}
      small: {{form: small}}
      found: {{form: found}}
  parts:
    meaning: The parts.
    object:
      all:
        list: [{{each: content, form: part}}]
        if_empty: {{form: nothing}}
  part:
    meaning: A part.
    case:
      text: {{object: {{type: {{const: text}}, text: {{field: item.text}}}}}}
      image: {{form: bytes}}
      audio: {{form: bytes}}
      binary: {{form: bytes}}
      link:
        object:
          type: {{const: link}}
          uri: {{field: item.uri}}
          names:
            list: [{{when: {{has: item.name}}, field: item.name}}]
            if_empty: {{form: unnamed}}
      embedded: {{object: {{type: {{const: embedded}}, uri: {{field: item.uri}}}}}}
  unnamed:
    meaning: What stands for the name of a part that has none.
    object: {{kind: {{field: item.kind}}}}
  bytes:
    meaning: Bytes.
    object:
      type: {{field: item.kind}}
      data: {{field: item.data}}
      mimeType: {{field: item.mime_type}}
    canonical: true
  nothing:
    meaning: What stands for no part.
    object: {{type: {{const: none}}}}
  nested:
    meaning: Lists in a list.
    list:
      - {{when: {{has: summary}}, field: summary}}
      - {{when: {{has: content}}, list: [{{each: content, form: name}}]}}
      - {{list: [{{each: stored, object: {{uri: {{field: item.uri}}}}}}]}}
  name:
    meaning: The kind of a part.
    object: {{kind: {{field: item.kind}}}}
  looped:
    meaning: Records that stand in the parts of a loop.
    list:
      - {{each: content, object: {{kind: {{field: item.kind}}, mcp: {{field: item.foreign.mcp}}}}}}
      - {{each: content, object: {{kind: {{field: item.kind}}, a2a: {{field: item.foreign.a2a}}}}}}
  small:
    meaning: What is small.
    object:
      text: {{when: {{has: data}}, json: {{field: data}}}}
      dry:
        when: {{has: metadata.dry_run}}
        choose:
          - {{when: {{has: error}}, const: failed}}
          - {{field: metadata.dry_run}}
    canonical: true
    empty: omit
  found:
    meaning: Whether another family left something.
    choose:
      - when: {{not: {{fits: metadata.foreign.mcp, keys: [a, b], shape: object}}}}
        const: false
      - {{const: true}}
"""

ALONE = f"""\
target: alone
title: Alone
meaning: Read without an adapter.
wire: object
revisions:
  "1": {{meaning: The first.}}
{_RULES}
output: {{form: whole}}
forms:
  whole:
    meaning: Everything.
    object:
      type: {{const: result}}
      data: {{when: {{has: data}}, json: {{field: data}}}}
      more: {{json: {{object: {{summary: {{field: summary}}}}}}}}
      texts: {{list: [{{each: content, form: text}}]}}
  text:
    meaning: A part as a text.
    case:
      text: {{object: {{text: {{field: item.text}}}}}}
      image: {{object: {{data: {{field: item.data}}, mimeType: {{field: item.mime_type}}}}}}
      audio: {{object: {{sound: {{field: item.data}}, mimeType: {{field: item.mime_type}}}}}}
      binary: {{object: {{bytes: {{field: item.data}}, mimeType: {{field: item.mime_type}}}}}}
      link: {{object: {{uri: {{field: item.uri}}}}}}
      embedded: {{object: {{resource: {{field: item.uri}}}}}}
"""


def published() -> Spec:
    """The model of the published spec."""
    from toolresult_generator.director import load_model

    return load_model(SPEC, history=False).model


def small(folder: Path) -> Spec:
    """The model of the two targets here, with the published result."""
    return small_request(folder).model


def small_request(folder: Path) -> EmitRequest:
    """What emitters are asked for them."""
    spec = folder / "spec"
    shutil.copytree(SPEC, spec)
    for name, text in (("pieces", PIECES), ("alone", ALONE)):
        (spec / "targets" / f"{name}.yaml").write_text(text, encoding="utf-8")
    documents = load_spec(spec)
    assert documents.result is not None
    result = build_result(documents.result.root)
    roots = {document.name: document.root for document in documents.targets}
    own = {name: roots[name] for name in ("pieces", "alone")}
    targets, faults = build_targets(result, own)
    assert not faults, faults
    return EmitRequest(model=Spec(result, targets), spec=documents)
