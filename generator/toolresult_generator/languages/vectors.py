"""Vectors: what every language must answer, byte for byte, recorded from the generated Python.

The answers come from the testee of the Python that this very model gives, in a process of
its own, so that vectors never depend on what happens to be installed.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

from toolresult_generator.findings import Finding, FindingsError, Place
from toolresult_generator.languages.base import EmitRequest
from toolresult_generator.model.sample import Sample, build_samples
from toolresult_generator.model.target import Plan

FOLDER = "vectors"
INPUTS = Path(__file__).parent / "vector_inputs.json"
README = Path(__file__).parent / "vectors_readme.md"
LARGEST = 40_000
"""Characters of an output that is recorded; a larger one says nothing that a smaller does not."""
LARGEST_READ = 2_000
"""Characters of a rendered output that is also asked to be read."""
_SECONDS = 120
_Question = tuple[str, dict[str, Any]]
"""The name of a file, and a request that goes there."""
_Vector = tuple[str, dict[str, Any]]
"""The name of a file, and a request with its answer."""


def emit(request: EmitRequest) -> Mapping[str, bytes]:
    """One file for each revision, one for refusals, and the description of the protocol."""
    with _package(request) as environment:
        vectors = _record(list(_questions(request)), environment)
    files: dict[str, list[dict[str, Any]]] = {}
    for file, vector in vectors:
        if len(vector.get("output", "")) <= LARGEST:
            files.setdefault(file, []).append(vector)
    emitted = {f"{FOLDER}/{name}.jsonl": _lines(vectors) for name, vectors in files.items()}
    return {**emitted, f"{FOLDER}/README.md": README.read_bytes()}


# ----------------------------------------------------------------- questions


def _questions(request: EmitRequest) -> Iterable[_Question]:
    samples = build_samples(request.spec)
    texts = [
        json.dumps(sample.value, ensure_ascii=False, separators=(",", ":")) for sample in samples
    ]
    plans = [plan for target in request.model.targets for plan in target.plans]
    for plan in plans:
        for sample, text in zip(samples, texts, strict=True):
            yield f"{plan.target}@{plan.revision}", _render(plan, sample, text)
    text = INPUTS.read_text(encoding="utf-8")
    inputs = json.loads(text.replace("{namespace}", request.model.result.namespace))
    known = {(plan.target, plan.revision) for plan in plans}
    for one in inputs["read"]:
        for revision in one["revisions"]:
            if (one["target"], revision) in known:
                yield _read(one["target"], revision, one["name"], one)
    for one in inputs["check"]:
        yield "check", {"id": f"check {one['name']}", "do": "check", **_text(one)}


def _render(plan: Plan, sample: Sample, text: str) -> dict[str, Any]:
    phase = {} if plan.phase is None else {"phase": plan.phase}
    return {
        "id": f"render {plan.label} {sample.name}",
        "do": "render",
        "target": plan.target,
        "revision": plan.revision,
        **phase,
        "options": sample.options,
        "text": text,
    }


def _read(target: str, revision: str, name: str, given: Mapping[str, str]) -> _Question:
    place = f"{target}@{revision}"
    return place, {
        "id": f"read {place} {name}",
        "do": "read",
        "target": target,
        "revision": revision,
        **_text(given),
    }


def _text(given: Mapping[str, str]) -> dict[str, str]:
    """What is asked about: a text, or the base64 of bytes that are none."""
    return {key: given[key] for key in ("text", "base64") if key in given}


def _read_back(rendered: list[_Vector]) -> Iterable[_Question]:
    """What was rendered, to be read; nothing twice, and nothing long."""
    seen: set[tuple[str, str]] = set()
    for file, vector in rendered:
        output = vector.get("output", "")
        if vector["do"] == "render" and output and len(output) <= LARGEST_READ:
            if (file, output) in seen:
                continue
            seen.add((file, output))
            name = vector["id"].removeprefix(f"render {file}").lstrip("/ ")
            given = {"text": output}
            yield _read(vector["target"], vector["revision"], f"rendered {name}", given)


# ------------------------------------------------------------------- answers


def _record(questions: list[_Question], environment: Mapping[str, str]) -> list[_Vector]:
    """Every vector, in the order of the questions: each file's renderings, then what is read.

    Two testees share the questions, since starting one and asking it all takes a second. All of
    a file go to the same one: what is asked of a revision depends on no other revision.
    """
    halves: list[list[_Question]] = [[], []]
    for name in dict.fromkeys(file for file, _ in questions):
        shorter = min(halves, key=len)
        shorter += (question for question in questions if question[0] == name)
    with ThreadPoolExecutor(len(halves)) as pool:
        recorded = list(pool.map(lambda half: _ask(half, environment), halves))
    return [entry for half in recorded for entry in half]


def _ask(questions: list[_Question], environment: Mapping[str, str]) -> list[_Vector]:
    """What a testee answers to the questions, and to what of it can be read back."""
    with tempfile.TemporaryFile() as said:
        testee = subprocess.Popen(
            [sys.executable, "-m", "toolresult.testee"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            cwd=environment["PWD"],  # `-m` looks for modules here first
            env=environment,
        )
        timer = threading.Timer(_SECONDS, testee.kill)
        timer.start()
        try:
            vectors = _exchange(testee, questions)
            return vectors + _exchange(testee, list(_read_back(vectors)))
        except _SilentError:
            testee.kill()
            testee.wait()
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
            raise _failed(f"the testee failed: {lines[-1] if lines else 'it is silent'}") from None
        finally:
            timer.cancel()
            testee.kill()
            testee.communicate()


class _SilentError(Exception):
    """The testee gives no answer."""


def _exchange(testee: subprocess.Popen[bytes], questions: list[_Question]) -> list[_Vector]:
    assert testee.stdin is not None and testee.stdout is not None
    # Written beside: neither side waits for the other while a pipe is full.
    writer = threading.Thread(target=_write, args=(testee.stdin, [q for _, q in questions]))
    writer.start()
    answers = [testee.stdout.readline() for _ in questions]
    writer.join()
    vectors: list[_Vector] = []
    for (file, question), line in zip(questions, answers, strict=True):
        if not line.endswith(b"\n"):
            raise _SilentError
        answer = json.loads(line)
        if "skipped" in answer:  # no adapter, as a check says
            continue
        for fault in ("fault", "bad_request"):
            if fault in answer:
                raise _failed(f"{question['id']}: {answer[fault]}")
        vectors.append((file, {**question, **{k: v for k, v in answer.items() if k != "id"}}))
    return vectors


def _write(stream: IO[bytes], questions: list[dict[str, Any]]) -> None:
    with contextlib.suppress(OSError):  # it ended early, which reading finds
        stream.write(_lines(questions))
        stream.flush()


def _failed(message: str) -> FindingsError:
    return FindingsError([Finding(Place("toolresult.testee"), "failed_vector", message)])


@contextlib.contextmanager
def _package(request: EmitRequest) -> Iterator[Mapping[str, str]]:
    """The environment, with its folder (``PWD``), of a process that finds this model's Python."""
    from toolresult_generator.languages.python.emitter import emit as emit_python
    from toolresult_generator.languages.python.emitter import write_package

    found = importlib.util.find_spec("toolresult")
    if found is None or found.origin is None:
        finding = Finding(Place("toolresult"), "missing_tool", "the adapters are not installed")
        raise FindingsError([finding])
    folders = [str(Path(found.origin).parents[1]), *_folders_of_adapters()]
    with tempfile.TemporaryDirectory(prefix="toolresult-vectors-") as name:
        root = str(write_package(emit_python(request), Path(name)))
        yield {**os.environ, "PYTHONPATH": os.pathsep.join([root, *folders]), "PWD": root}


def _folders_of_adapters() -> list[str]:
    """Where the adapters stand that the environment names. Raises FindingsError."""
    from toolresult.adapters import VARIABLE, BadAdaptersError, sources

    try:
        return sorted({str(path.parent.absolute()) for path in sources().values()})
    except BadAdaptersError as error:
        raise FindingsError([Finding(Place(VARIABLE), "missing_tool", str(error))]) from None


def _lines(values: Iterable[dict[str, Any]]) -> bytes:
    """A JSON object a line. ASCII, so that lone surrogates in questions survive."""
    return b"".join(
        json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
        for value in values
    )
