"""What of the result document the samples exercise, and what they should.

A *need* is a line such as ``content.image.name absent``. Needs are computed from
``spec/result.yaml``: every field of every record and kind is there at least once and, where it
is optional, missing at least once on an owner that is there; every error code comes with and
without details; every choice of a closed list is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Spec = Mapping[str, Any]
Fields = Mapping[str, Mapping[str, Any]]


def needs(spec: Spec) -> set[str]:
    """Every need of a result document."""
    found = set(_field_needs(spec, spec["records"]["result"]["fields"], ""))
    for code in spec["error_codes"]:
        found |= {f"error code {code} with details", f"error code {code} without details"}
    return found


def exercised(spec: Spec, value: Mapping[str, Any]) -> set[str]:
    """Every need that a serialized result meets."""
    found = set(_exercised(spec, spec["records"]["result"]["fields"], value, ""))
    error = value.get("error")
    if error is not None:
        has = "with" if "details" in error else "without"
        found.add(f"error code {error['code']} {has} details")
    return found


def _kind_fields(spec: Spec, kind: str) -> dict[str, Mapping[str, Any]]:
    """The fields of a kind with those that every part may carry."""
    return {**spec["kinds"][kind]["fields"], **spec["records"]["part"]["fields"]}


def _field_needs(spec: Spec, fields: Fields, prefix: str) -> Iterator[str]:
    for name, rule in fields.items():
        path = prefix + name
        yield f"{path} present"
        if not rule.get("required"):
            yield f"{path} absent"
        if rule["type"] in ("record", "records"):
            yield from _field_needs(spec, spec["records"][rule["record"]]["fields"], f"{path}.")
        elif rule["type"] == "parts":
            for kind in spec["kinds"]:
                yield from _field_needs(spec, _kind_fields(spec, kind), f"{path}.{kind}.")
        elif rule["type"] == "choices":
            yield from (f"{path} {choice}" for choice in rule["choices"])


def _exercised(spec: Spec, fields: Fields, value: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for name, rule in fields.items():
        path = prefix + name
        if name not in value:
            yield f"{path} absent"
            continue
        yield f"{path} present"
        held = value[name]
        if rule["type"] == "record":
            inner = spec["records"][rule["record"]]["fields"]
            yield from _exercised(spec, inner, held, f"{path}.")
        elif rule["type"] == "records":
            inner = spec["records"][rule["record"]]["fields"]
            for entry in held:
                yield from _exercised(spec, inner, entry, f"{path}.")
        elif rule["type"] == "parts":
            for part in held:
                kind = part["kind"]
                yield from _exercised(spec, _kind_fields(spec, kind), part, f"{path}.{kind}.")
        elif rule["type"] == "choices":
            yield from (f"{path} {choice}" for choice in held)
