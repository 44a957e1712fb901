"""The table of finding codes in docs/command-line.md; ``python -m tests.docs.codes`` renews it."""

from __future__ import annotations

from pathlib import Path

from toolresult_generator import codes

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
BEGIN = "<!-- codes: written by `python -m tests.docs.codes` -->\n"
END = "<!-- end of codes -->\n"

GROUPS = {
    "Files": codes.LOAD,
    "Structure": codes.STRUCTURE,
    "The result": codes.RESULT,
    "Names": codes.NAMES,
    "History": codes.HISTORY,
    "Samples": codes.SAMPLES,
    "Targets": codes.TARGETS,
    "Revisions": codes.REVISIONS,
    "Output": codes.OUTPUT,
    "Schemas of protocols": codes.SCHEMAS,
    "Vendored copies": codes.COPIES,
}


def tables() -> str:
    """A table for each stage that finds something."""
    lines: list[str] = []
    for title, group in GROUPS.items():
        lines += [f"**{title}**", "", "| code | meaning |", "|---|---|"]
        lines += [f"| `{code}` | {meaning} |" for code, meaning in group.items()]
        lines.append("")
    return "\n".join(lines)


def renewed(page: str) -> str:
    """The page with the tables of now. Raises ValueError if it has no place for them."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE.name} lacks the lines between which the codes stand")
    return f"{before}{BEGIN}\n{tables()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
