"""The report of a revision in a real browser: all of it, filters that work, and no network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

if os.environ.get("CI") != "true":  # there, a missing library is a failure
    pytest.importorskip("selenium", reason="selenium is missing: pip install 'toolresult[test]'")

from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from tests.page.browser import color_scheme, console, requests
from tests.revision.protocol import Schema, protocol, written
from tests.revision.replay import request_of
from tests.revision.test_invented import image_data_moved, video

from toolresult_generator.director import Loaded
from toolresult_generator.revision.check import check_revision
from toolresult_generator.revision.page import html

LIKE = "mcp-handshake@2025-11-25"


def change(definitions: Schema) -> None:
    """Something that breaks images, a chance, and something that concerns nobody."""
    image_data_moved(definitions)
    video(definitions)
    definitions["Tool"]["properties"]["title"] = {"type": "string"}


@pytest.fixture(scope="module")
def report_file(loaded: Loaded, spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as a file."""
    folder = tmp_path_factory.mktemp("revision")
    old, new = written(folder, "old", protocol()), written(folder, "2027-01-01", protocol(change))
    request = request_of(loaded, spec, LIKE, new, "mcp-handshake@2027-01-01", old=old)
    file = folder / "report.html"
    report = check_revision(request, loaded, lambda *told: None)
    file.write_text(html(report), encoding="utf-8")
    assert html(report) == file.read_text(encoding="utf-8"), "the same report, the same page"
    return file


@pytest.fixture
def opened(browser: WebDriver, report_file: Path) -> Iterator[WebDriver]:
    """The page, freshly opened. Whatever a test does: nothing goes wrong, nothing is loaded."""
    browser.get("about:blank")
    console(browser)
    requests(browser)
    browser.get(report_file.as_uri())
    yield browser
    assert console(browser) == []
    assert {address.split("#")[0] for address in requests(browser)} == {report_file.as_uri()}


def texts(driver: WebDriver, selector: str) -> list[str]:
    return [one.text for one in driver.find_elements(By.CSS_SELECTOR, selector)]


def rows(driver: WebDriver) -> list[str]:
    """The parts and fields that are shown."""
    return [one for one in texts(driver, "#cells tbody th") if one]


def test_the_page_says_all_three_and_the_verdict(opened: WebDriver) -> None:
    assert texts(opened, "section > h2") == ["What changed", "What breaks", "What to write"]
    assert texts(opened, "#verdict")[0].startswith("needs rules: 16 of 156 cells break")
    weights = opened.find_elements(By.CSS_SELECTOR, ".cards")
    assert [one.get_attribute("data-weight") for one in weights] == ["breaks", "chance", "note"]
    [moved, new, tool] = texts(opened, ".card")
    assert moved.startswith("moved into an object") and "/content/*(image)/data" in moved
    assert new.startswith("new kind") and "video" in new
    assert tool.startswith("added of a tool")
    assert '"2027-01-01"' in texts(opened, "#write pre")[0]


def test_a_cell_that_breaks_shows_its_sample(opened: WebDriver) -> None:
    cell = opened.find_element(
        By.CSS_SELECTOR, f'tr[data-path="content.image.data"] td[data-label="{LIKE}/final"]'
    )
    assert cell.text == "source is missing"
    cell.find_element(By.TAG_NAME, "summary").click()
    assert "/$defs/ImageContent/required" in cell.text
    [given, output] = [one.text for one in cell.find_elements(By.TAG_NAME, "pre")]
    assert '"kind": "image"' in given and '"type": "image"' in output


def test_rows_are_filtered_by_state_and_name(opened: WebDriver) -> None:
    assert len(rows(opened)) == 78
    opened.find_element(By.CSS_SELECTOR, 'input[value="valid"]').click()
    shown = rows(opened)
    assert len(shown) == 11 and all(one.split(".")[1] in ("image", "binary") for one in shown)
    opened.find_element(By.ID, "find").send_keys("binary")
    assert rows(opened) == [f"content.binary.{name}" for name in ("data", "mime_type", "name")]
    assert texts(opened, "#said") == ["3 of 78 parts and fields"]
    opened.find_element(By.ID, "find").send_keys("zzz")
    assert texts(opened, "#none") == ["No part or field fits the filters."]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_narrow_window(opened: WebDriver, scheme: str) -> None:
    color_scheme(opened, scheme)
    size = opened.get_window_size()
    opened.set_window_size(520, 900)
    width, inner = opened.execute_script(
        "return [document.documentElement.scrollWidth, window.innerWidth]"
    )
    opened.set_window_size(size["width"], size["height"])
    assert width <= inner
