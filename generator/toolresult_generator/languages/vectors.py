"""Vectors: what every language must answer, byte for byte, recorded from the generated Python.

The answers come from the testee of the Python that this very model gives, in a process of
its own, so that vectors never depend on what happens to be installed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.languages.base import EmitRequest
from toolresult_generator.model.sample import Sample, build_samples
from toolresult_generator.model.target import Plan

FOLDER = "vectors"
INPUTS = Path(__file__).parent / "vector_inputs.json"
LARGEST = 40_000
"""Characters of an output that is recorded; a larger one says nothing that a smaller does not."""
_SECONDS = 120


def emit(request: EmitRequest) -> Mapping[str, bytes]:
    """One file for each revision, one for refusals, and the description of the protocol."""
    questions = list(_questions(request))
    answers = _ask(request, [question for _, question in questions])
    files: dict[str, list[dict[str, Any]]] = {}
    for (file, question), answer in zip(questions, answers, strict=True):
        vector = {**question, **{key: value for key, value in answer.items() if key != "id"}}
        if len(vector.get("output", "")) <= LARGEST:
            files.setdefault(file, []).append(vector)
    emitted = {f"{FOLDER}/{name}.jsonl": _lines(vectors) for name, vectors in files.items()}
    return {**emitted, f"{FOLDER}/README.md": README.encode()}


def _questions(request: EmitRequest) -> Iterable[tuple[str, dict[str, Any]]]:
    samples = build_samples(request.spec)
    plans = [plan for target in request.model.targets for plan in target.plans]
    for plan in plans:
        for sample in samples:
            yield f"{plan.target}@{plan.revision}", _render(plan, sample)
    inputs = json.loads(INPUTS.read_text(encoding="utf-8"))
    known = {(plan.target, plan.revision) for plan in plans}
    for one in inputs["read"]:
        for revision in one["revisions"]:
            if (one["target"], revision) in known:
                yield (
                    f"{one['target']}@{revision}",
                    {
                        "id": f"read {one['target']}@{revision} {one['name']}",
                        "do": "read",
                        "target": one["target"],
                        "revision": revision,
                        "text": one["text"],
                    },
                )
    for one in inputs["check"]:
        yield "check", {"id": f"check {one['name']}", "do": "check", "text": one["text"]}


def _render(plan: Plan, sample: Sample) -> dict[str, Any]:
    from toolresult_generator.proof.matrix import options_of

    options = options_of(sample)
    given = {
        "wrap_output": options.wrap_output or None,
        "structured_errors": options.structured_errors or None,
        "artifact_id": options.artifact_id,
        "message_id": options.message_id,
    }
    phase = {} if plan.phase is None else {"phase": plan.phase}
    return {
        "id": f"render {plan.label} {sample.name}",
        "do": "render",
        "target": plan.target,
        "revision": plan.revision,
        **phase,
        "options": {name: value for name, value in given.items() if value is not None},
        "text": json.dumps(sample.value, ensure_ascii=False, separators=(",", ":")),
    }


def _ask(request: EmitRequest, questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers of the testee, in order, from the package that this model gives."""
    from toolresult_generator.languages.python.emitter import emit as emit_python

    found = importlib.util.find_spec("toolresult")
    if found is None or found.origin is None:
        finding = Finding(Place("toolresult"), "missing_tool", "the adapters are not installed")
        raise FindingsError([finding])
    adapters = str(Path(found.origin).parents[1])
    with tempfile.TemporaryDirectory(prefix="toolresult-vectors-") as name:
        for path, data in emit_python(request).items():
            file = Path(name) / Path(path).relative_to("python")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        done = subprocess.run(
            [sys.executable, "-m", "toolresult.testee"],
            input=_lines(questions),
            capture_output=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([name, adapters])},
            cwd=name,
            timeout=_SECONDS,
            check=False,
        )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(answers) != len(questions):
        said = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no reason given"]
        raise FindingsError(
            [Finding(Place("toolresult.testee"), "unformattable", f"the testee failed: {said[0]}")]
        )
    return answers


def _lines(values: Iterable[dict[str, Any]]) -> bytes:
    """A JSON object a line. ASCII, so that lone surrogates in questions survive."""
    return b"".join(
        json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
        for value in values
    )


README = """# Vectors

Generated by `toolresult generate`. Do not edit.

Each line of a `.jsonl` file is a JSON object: a request, and the answer that every language
gives, byte for byte. `check.jsonl` has serialized results that are taken or refused; the other
files are named after their target and revision.

## The testee

A testee is a program of one language that reads requests from standard input and writes answers
to standard output, one JSON object a line, in the order of the requests, each line flushed. It
ends with exit code 0 when its input ends. Lines are UTF-8 and end with a line feed; a lone
surrogate is written as its JSON escape (`\\ud800`), so that any text can be sent. A line has at
most 64 MiB.

A request has `id` (a string), `do`, and either `text` or, for bytes that are no text, `base64`:

- `render`: `text` is a serialized result; with `target`, `revision`, `phase` (where the target has
  phases) and `options` (`wrap_output`, `structured_errors`, `artifact_id`, `message_id`, each
  optional). The answer has `output`, the exact output as a string, and `losses`.
- `read`: `text` is the output, for the legacy envelope the string itself; with `target` and
  `revision`. The answer has `output`, the canonical serialized result as a string.
- `check`: `text` is a serialized result. The answer has `output`, its canonical form.

Every answer has the `id` of its request. A refusal has `error` with the `code` and the JSON
`pointer` that all languages agree on. A line that is no request is answered with `bad_request`, a
text for people, and `id` null where the line has none; the testee then goes on.

Python's testee: `python -m toolresult.testee`.
"""
