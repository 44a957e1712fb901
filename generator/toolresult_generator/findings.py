"""What is wrong with a spec, said to people: a code, a place, a message, advice.

Findings are values. A stage collects all of them and never stops at the first.
The codes and what they mean are in :mod:`toolresult_generator.codes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from toolresult_generator.codes import CODES

LONGEST_QUOTE = 60
"""Code points of foreign text that a message shows at most."""


@dataclass(frozen=True, order=True)
class Place:
    """Where something stands. ``line`` and ``column`` count from 1, in code points."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{printable(self.file)}:{self.line}:{self.column}"


@dataclass(frozen=True, order=True)
class Finding:
    """One fault. Sorts by place, then by code. Raises ValueError for a code without a meaning."""

    place: Place
    code: str
    message: str
    advice: str = ""

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"no meaning is written down for the code {self.code!r}")

    def __str__(self) -> str:
        advice = f" ({printable(self.advice)})" if self.advice else ""
        return f"{self.place}: {self.code}: {printable(self.message)}{advice}"

    def to_json(self) -> dict[str, str | int]:
        """The finding as a JSON object, flat; ``advice`` is empty if there is none."""
        return {
            "file": self.place.file,
            "line": self.place.line,
            "column": self.place.column,
            "code": self.code,
            "message": self.message,
            "advice": self.advice,
        }


class FindingsError(Exception):
    """Work that cannot go on because of findings. ``findings`` is sorted and not empty."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(sorted(set(findings)))
        super().__init__("\n".join(map(str, self.findings)))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like a misspelt one, or None if none is close."""
    import difflib  # only a spec with faults needs it

    candidates = sorted(set(known))
    found = difflib.get_close_matches(name, candidates, n=1, cutoff=0.6)
    if found:
        return found[0]
    folded = {candidate.casefold().replace("-", "_"): candidate for candidate in candidates}
    return folded.get(name.casefold().replace("-", "_"))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Advice for a misspelt name: the nearest right one, else the list of all, else nothing."""
    candidates = sorted(set(known))
    close = nearest(name, candidates)
    if close is not None:
        return f"did you mean {quoted(close)}?"
    if candidates:
        return "known: " + ", ".join(candidates)
    return ""


def quoted(text: str) -> str:
    """Foreign text inside a message: in quotes, on one line, of bounded length."""
    shown = text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"
    return f'"{printable(shown)}"'


def printable(text: str) -> str:
    """The text with everything that could disturb a terminal or a log written as an escape.

    That is whatever Unicode calls not printable: line breaks, controls, surrogates, and the
    marks that change the direction of text.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
