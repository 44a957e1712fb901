"""A small spec that has no faults, to put one fault at a time into."""

from __future__ import annotations

from pathlib import Path

RESULT = """\
namespace: com.example
a2a_extension: https://example.com/a2a
format_versions:
  0: {meaning: Legacy.}
  1: {meaning: First.}
error_codes:
  tool_error: {since: 1, default: true, meaning: It failed., use: Always.}
  not_found: {since: 1, meaning: Gone., use: Sometimes.}
records:
  result:
    meaning: The root.
    fields:
      data: {type: json, since: 1, meaning: Data.}
      error: {type: record, record: error, since: 1, meaning: Error.}
      content: {type: parts, since: 1, meaning: Parts.}
      stored: {type: records, record: stored, since: 1, meaning: Links.}
      metadata: {type: record, record: metadata, since: 1, omit_empty: true, meaning: More.}
  error:
    meaning: A failure.
    fields:
      code: {type: error_code, required: true, since: 1, meaning: Code.}
      message: {type: string, required: true, non_empty: true, since: 1, meaning: Message.}
      details: {type: json_object, since: 1, meaning: Details.}
  part:
    meaning: Every part.
    fields:
      audience: {type: choices, choices: [user, assistant], since: 1, meaning: Readers.}
      priority: {type: number, minimum: 0, maximum: 1, since: 1, meaning: Priority.}
  stored:
    meaning: A link.
    fields:
      uri: {type: string, required: true, non_empty: true, since: 1, meaning: Address.}
      size: {type: count, required: true, since: 1, meaning: Bytes.}
  metadata:
    meaning: More.
    fields:
      dry_run: {type: boolean, since: 1, meaning: Dry.}
      generated_at: {type: timestamp, since: 1, meaning: When.}
      extensions: {type: json_map, keys: extension, since: 1, omit_empty: true, meaning: Seen.}
      presentation: {type: json_map, keys: extension, since: 1, omit_empty: true, meaning: Unseen.}
kinds:
  text:
    since: 1
    meaning: Text.
    fields:
      text: {type: string, required: true, since: 1, meaning: The text.}
  embedded:
    since: 1
    meaning: A resource.
    one_of: [text, data]
    fields:
      uri: {type: string, required: true, since: 1, meaning: Address.}
      text: {type: string, since: 1, meaning: Text.}
      data: {type: base64, since: 1, meaning: Bytes.}
"""

MARK = "«"
"""Stands in the text of a test where the finding is expected."""


class SpecFolder:
    """A spec folder in the making."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.write("result.yaml", RESULT)

    def write(self, name: str, text: str | bytes) -> Path:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def put(self, name: str, marked: str) -> tuple[str, int, int]:
        """Write a text without its mark, and give the place where the mark stood."""
        before, mark, after = marked.partition(MARK)
        assert mark and MARK not in after, "exactly one mark"
        file = self.write(name, before + after)
        line = before.count("\n") + 1
        return file.as_posix(), line, len(before) - (before.rfind("\n") + 1) + 1

    def edit(self, old: str, marked: str) -> tuple[str, int, int]:
        """Replace a part of the result document; the place as with :meth:`put`."""
        assert RESULT.count(old) == 1, f"{old!r} stands {RESULT.count(old)} times in the document"
        return self.put("result.yaml", RESULT.replace(old, marked))
