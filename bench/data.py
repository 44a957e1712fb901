"""The data that is rendered: made from fixed seeds, so that every run measures the same."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable
from typing import Any, Final

import orjson

KB: Final = 1_000
MB: Final = 1_000_000

# fmt: off: a word a line would take a page
_WORDS: Final = (
    "amber",
    "anvil",
    "basin",
    "birch",
    "cable",
    "cedar",
    "chalk",
    "cloud",
    "coral",
    "crane",
    "delta",
    "ember",
    "field",
    "flint",
    "grove",
    "hinge",
    "ivory",
    "kettle",
    "ledge",
    "linen",
    "maple",
    "marsh",
    "oasis",
    "onyx",
    "pearl",
    "prism",
    "quartz",
    "ridge",
    "river",
    "slate",
    "spruce",
    "stone",
    "thistle",
    "velvet",
    "walnut",
    "willow",
)
# fmt: on
_SCRIPTS: Final = (
    "мандарин",
    "サンプル",
    "샘플",
    "δείγμα",
    "نموذج",
    "Größenänderung",
    "😀🎉",
    "样本数据",
)


def mixed(size: int) -> dict[str, Any]:
    """Records as a shop has them: names, prices, counts, flags, nulls, lists, some accents.

    There are some 45 bytes of JSON to a value: a shop's descriptions are long.
    """
    rng = random.Random(size)
    return _filled(size, "products", lambda index: _product(rng, index))


def floats(size: int) -> dict[str, Any]:
    """Rows of measured numbers: coordinates, vectors of an embedding."""
    rng = random.Random(size)

    def row(index: int) -> dict[str, Any]:
        return {"id": index, "vector": [rng.uniform(-1, 1) for _ in range(64)]}

    return _filled(size, "rows", row)


def strings(size: int) -> dict[str, Any]:
    """Texts in scripts beyond ASCII, emoji among them, with quotes and line breaks."""
    rng = random.Random(size)

    def row(index: int) -> dict[str, Any]:
        text = " ".join(rng.choice(_SCRIPTS) for _ in range(24))
        return {"id": index, "text": f"„{text}“\n", "tags": rng.sample(_SCRIPTS, 3)}

    return _filled(size, "texts", row)


def nested(size: int) -> dict[str, Any]:
    """Trees of 60 levels."""

    def tree(index: int) -> Any:
        node: Any = {"leaf": index}
        for level in range(59):
            node = {"level": level, "child": node} if level % 2 else [node]
        return node

    return _filled(size, "trees", tree)


def image(size: int) -> str:
    """This many bytes that stand for a picture, as base64; nothing here looks into them."""
    return base64.b64encode(random.Random(size).randbytes(size)).decode("ascii")


def _product(rng: random.Random, index: int) -> dict[str, Any]:
    return {
        "id": 100_000 + index,
        "sku": f"{rng.choice(_WORDS)[:3].upper()}-{rng.randrange(10_000):04d}",
        "name": " ".join(rng.sample(_WORDS, 3)).title(),
        "maker": rng.choice(("Håkansson", "Møller & Søn", "Baker", "O'Neill")),
        "description": " ".join(rng.choices(_WORDS, k=rng.randrange(80, 140))) + '. So "good".',
        "price": round(rng.uniform(1, 900), 2),
        "weight": rng.choice((1.5, 2.0, 0.25, 12.75)),
        "stock": rng.randrange(500),
        "active": rng.random() < 0.8,
        "parent": None if rng.random() < 0.5 else 100_000 + rng.randrange(5_000),
        "tags": rng.sample(_WORDS, 3),
        "dimensions": {"width": rng.randrange(400), "height": rng.randrange(400)},
    }


def _filled(size: int, name: str, entry: Callable[[int], Any]) -> dict[str, Any]:
    """Entries, as many as bring their JSON nearest to the size that is asked, in bytes."""
    entries: list[Any] = []
    total = 0
    while True:
        made = entry(len(entries))
        more = len(orjson.dumps(made)) + 1
        if entries and total + more / 2 > size:
            break
        total += more
        entries.append(made)
    return {name: entries, "total": len(entries)}
