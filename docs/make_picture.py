"""Makes docs/matrix.png, the picture of the page in the README.

Run it from the root of the repository, with chromium and chromium-driver installed::

    python -m docs.make_picture

It measures the matrix anew, so that the picture shows what is true. The picture is light and dark
side by side, in few colours: small enough for a repository.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from PIL import Image
from tests.page.browser import chromium, color_scheme

from toolresult_generator.director import load_model
from toolresult_generator.proof.matrix import measure
from toolresult_generator.proof.page.document import of_matrix
from toolresult_generator.proof.page.page import html

ROOT = Path(__file__).parents[1]
CELL = "mcp-handshake@2025-11-25/final/error.message"
WIDTH, HEIGHT = 1400, 980
MOST_BYTES = 200_000
COLOURS = 256


def main() -> int:
    """Make the picture; 1 if it is not proven what it would show, or it is too large."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "matrix.png")
    parser.add_argument("--cell", default=CELL, help=f"the cell that is open ({CELL})")
    parser.add_argument("--scheme", choices=("both", "light", "dark"), default="both")
    args = parser.parse_args()
    loaded = load_model(ROOT / "spec")
    matrix = measure(loaded, spec_folder=ROOT / "spec")
    if not matrix.is_proven:
        sys.stderr.write("the matrix is not as declared: see `toolresult matrix`\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "matrix.html"
        page.write_text(html(of_matrix(matrix, loaded)), encoding="utf-8")
        light, dark = _shots(page, args.cell, Path(folder))
    picture = {"light": light, "dark": dark}.get(args.scheme) or _halved(light, dark)
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(args.out, optimize=True)
    size = args.out.stat().st_size
    sys.stderr.write(f"{args.out}: {size} bytes\n")
    return 0 if size < MOST_BYTES else 1


def _shots(page: Path, cell: str, folder: Path) -> list[Image.Image]:
    shots = []
    with chromium(folder / "profile", WIDTH, HEIGHT) as driver:
        for scheme in ("light", "dark"):
            color_scheme(driver, scheme)
            driver.get("about:blank")
            driver.get(f"{page.as_uri()}#{cell}")
            file = folder / f"{scheme}.png"
            driver.save_screenshot(str(file))
            with Image.open(file) as shot:
                shots.append(shot.convert("RGB"))
    return shots


def _halved(light: Image.Image, dark: Image.Image) -> Image.Image:
    """Light, with dark below a diagonal on the right."""
    width, height = light.size
    mask = Image.new("L", light.size, 0)
    lean = height // 6
    for y in range(height):
        edge = width * 66 // 100 + lean // 2 - lean * y // height
        mask.paste(255, (edge, y, width, y + 1))
    return Image.composite(dark, light, mask)


if __name__ == "__main__":
    sys.exit(main())
