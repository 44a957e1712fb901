"""The JSON Schemas that are published: of the spec's own files, and of the serialized result."""

from __future__ import annotations

import json
import re
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
    text = json.dumps(document, ensure_ascii=False, indent=2)
    # outside of texts there is nothing but ASCII, so that what is replaced here is inside of one
    return (_INVISIBLE.sub(_escape, text) + "\n").encode()


# Controls, separators, and what reorders or hides text, of which descriptions may have any. An
# editor would act on them; as escapes they are shown. (Surrogates and controls of ASCII are
# escaped by json.)
_INVISIBLE = re.compile("[\x7f-\xa0\xad]|[^\x00-\xff]")


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    if character.isprintable():
        return character
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
