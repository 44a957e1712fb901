"""What a language has to bring. ``python -m tests.languages.contract`` says what one lacks."""

from __future__ import annotations

import configparser
import importlib.util
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.languages.build import LANGUAGES as TESTEES

from toolresult_generator.languages import EMITTERS, LANGUAGES
from toolresult_generator.vendor.layout import LAYOUTS

ROOT = Path(__file__).parents[2]
FIRST = "python"
"""The language that the others are held against; its tests stand in the rooms of their topics."""


def _rooms(language: str) -> bool:
    return language == FIRST or any((ROOT / "tests" / language).glob("test_*.py"))


def _environment(language: str) -> bool:
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini", encoding="utf-8")
    name = "py311" if language == FIRST else language
    called = [one.strip() for one in tox["tox"]["env_list"].split(",")]
    return f"testenv:{name}" in tox and name in called


def _has_files(folder: str) -> bool:
    return any(path.is_file() for path in (ROOT / folder).rglob("*"))


def _page(language: str) -> bool:
    page = f"docs/{language}.md"
    return (ROOT / page).is_file() and page in (ROOT / "README.md").read_text(encoding="utf-8")


def _module(table: Mapping[str, str], language: str) -> bool:
    return language in table and importlib.util.find_spec(table[language]) is not None


_EMITTERS = "generator/toolresult_generator/languages"
NEEDS: Mapping[str, Callable[[str], bool]] = {
    f"names: LANGUAGES in {_EMITTERS}/__init__.py": lambda name: _module(LANGUAGES, name),
    f"an emitter: EMITTERS in {_EMITTERS}/__init__.py": lambda name: _module(EMITTERS, name),
    f"a runtime: {_EMITTERS}/<language>/runtime/": lambda name: _has_files(
        f"{_EMITTERS}/{name}/runtime"
    ),
    "committed output: generated/<language>/": lambda name: _has_files(f"generated/{name}"),
    "adapters and a package: adapters/<language>/": lambda name: _has_files(f"adapters/{name}"),
    "a testee: LANGUAGES in tests/languages/build.py": lambda name: name in (FIRST, *TESTEES),
    "a copy for projects: LAYOUTS in generator/toolresult_generator/vendor/layout.py": (
        lambda name: name in LAYOUTS
    ),
    "tests of its own: tests/<language>/": _rooms,
    "an environment that the default calls: [testenv:<language>] in tox.ini": _environment,
    "a page: docs/<language>.md, linked from README.md": _page,
}
"""What has to be there, and whether it is for a language."""


def lacking(language: str) -> list[str]:
    """What a language does not have yet, as lines for people."""
    return [
        need.replace("<language>", language)
        for need, is_there in NEEDS.items()
        if not is_there(language)
    ]


def main(arguments: list[str]) -> int:
    """Prints what each language lacks, by default all that have names; 1 if one lacks any."""
    found = 0
    for language in arguments or sorted(LANGUAGES):
        for need in lacking(language):
            found = 1
            print(f"{language} lacks {need}")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
