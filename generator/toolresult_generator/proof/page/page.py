"""Makes the HTML file: everything inline, nothing from a network, all foreign text as text."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolresult_generator.findings import printable
from toolresult_generator.proof.page.document import FAULT, Column, Document, PageCell, to_json

if TYPE_CHECKING:
    import jinja2

_FOLDER = Path(__file__).parent
STATUSES: Mapping[str, tuple[str, str]] = {
    "native": ("native", "in a place of the format's own"),
    "re-encoded": ("reencoded", "under a key of ours or inside a text; reads back exactly"),
    "text form": ("textform", "a text for people stands in for it"),
    "withheld": ("withheld", "could be sent and is not"),
    "not expressible": ("inexpressible", "the format has no place for it"),
    FAULT: ("fault", "the measurement is not what the spec declares"),
}
"""For each status its class in the style sheet, and what it means."""


@dataclass(frozen=True)
class _Group:
    """Rows that belong together: one part kind, or one record."""

    title: str
    rows: tuple[_Row, ...]


@dataclass(frozen=True)
class _Row:
    path: str
    name: str
    """The path below its group."""
    cells: tuple[PageCell | None, ...]


def html(document: Document) -> str:
    """The page. The same document gives the same text."""
    style, script = _text("page.css"), _text("page.js")
    counts = {
        status: sum(cell.status == status for cell in document.cells.values())
        for status in STATUSES
    }
    return (
        environment(_FOLDER)
        .get_template("page.html.jinja2")
        .render(
            document=document,
            style=style,
            script=script,
            policy=policy(style, script),
            data=script_json(to_json(document)),
            statuses={
                name: (css, meaning, counts[name])
                for name, (css, meaning) in STATUSES.items()
                if counts[name] or name != FAULT
            },
            sometimes=any(cell.sometimes for cell in document.cells.values()),
            targets=list(_targets(document.columns)),
            groups=list(_groups(document)),
        )
    )


def script_json(value: Any) -> str:
    """JSON that can stand in a script element.

    Nothing in it can end the element or start a comment, and what Unicode calls not printable
    (line separators, marks that turn the direction of text, half characters) is an escape.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if text.isprintable() and not any(character in text for character in "<>&"):
        return text
    return "".join(
        character if character.isprintable() and character not in "<>&" else _escape(character)
        for character in text
    )


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in pairs)


def policy(style: str, script: str) -> str:
    """The content security policy of a page.

    It allows the two texts that stand in the page, by digest, and nothing else.
    """
    return (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _targets(columns: tuple[Column, ...]) -> Iterator[tuple[str, str, int]]:
    """Name, title and number of columns of each target, in order."""
    by_name: dict[str, list[Column]] = {}
    for column in columns:
        by_name.setdefault(column.target, []).append(column)
    for name, own in by_name.items():
        yield name, own[0].title, len(own)


def _groups(document: Document) -> Iterator[_Group]:
    rows: dict[str, list[_Row]] = {}
    for path in document.rows:
        group = _group_of(path)
        name = path.removeprefix(f"{group}.") if group != _TOP else path
        cells = tuple(document.cells.get((path, column.label)) for column in document.columns)
        rows.setdefault(group, []).append(_Row(path, name, cells))
    for group, own in rows.items():
        yield _Group(group, tuple(own))


_TOP = "result"


def _group_of(path: str) -> str:
    names = path.split(".")
    if names[0] == "content":
        return ".".join(names[:2])
    return names[0] if len(names) > 1 else _TOP


@cache
def environment(folder: Path) -> jinja2.Environment:
    """The templates of a folder: everything is escaped, and nothing turns the text around it."""
    import jinja2  # only a page needs it

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # what a spec says may not turn the direction of the text around it
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    made.globals["css_of"] = lambda status: STATUSES[status][0]
    return made


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
