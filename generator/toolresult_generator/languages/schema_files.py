"""The JSON Schemas that are published: of the spec's own files, and of the serialized result."""

from __future__ import annotations

import json
from collections.abc import Mapping

from toolresult_generator.languages.base import EmitRequest


def emit(request: EmitRequest) -> Mapping[str, bytes]:
    """`schema/spec/*.schema.json` for editors, `schema/result.schema.json` for everyone."""
    from toolresult_generator.check.schemas import SCHEMAS, schema
    from toolresult_generator.languages.schema import emit_result_schema

    files = {f"schema/spec/{name}.schema.json": _text(schema(name)) for name in SCHEMAS}
    files["schema/result.schema.json"] = _text(emit_result_schema(request.model.result))
    return files


def _text(document: object) -> bytes:
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()
