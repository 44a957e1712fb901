"""The page in a real browser: filters, keyboard, links, details, and no network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

if os.environ.get("CI") != "true":  # there, a missing library is a failure
    pytest.importorskip("selenium", reason="selenium is missing: pip install 'toolresult[test]'")

from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from tests.page.browser import color_scheme, console, requests
from tests.page.test_page import hostile

from toolresult_generator.proof.page.document import Document
from toolresult_generator.proof.page.page import html

CELL = "mcp-handshake@2025-06-18/final"


@pytest.fixture(scope="session")
def file(page: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as a file."""
    made = tmp_path_factory.mktemp("page") / "matrix.html"
    made.write_text(page, encoding="utf-8")
    return made


@pytest.fixture
def opened(browser: WebDriver, file: Path) -> Iterator[WebDriver]:
    """The page, freshly opened. Whatever a test does: nothing goes wrong, nothing is loaded."""
    yield from _opened(browser, file, "")


def _opened(browser: WebDriver, file: Path, fragment: str) -> Iterator[WebDriver]:
    browser.get("about:blank")
    console(browser)
    requests(browser)
    browser.get(file.as_uri() + fragment)
    yield browser
    assert console(browser) == []
    assert {address.split("#")[0] for address in requests(browser)} == {file.as_uri()}


def cell(driver: WebDriver, path: str, label: str = CELL) -> WebElement:
    return driver.find_element(
        By.CSS_SELECTOR, f'tr[data-path="{path}"] button[data-label="{label}"]'
    )


def text(driver: WebDriver, selector: str) -> str:
    return driver.find_element(By.CSS_SELECTOR, selector).text


def all_of(driver: WebDriver, selector: str) -> list[str]:
    return [one.text for one in driver.find_elements(By.CSS_SELECTOR, selector)]


def shown(driver: WebDriver) -> int:
    count: int = driver.execute_script(
        "return [...document.querySelectorAll('td button')].filter(b => b.checkVisibility()).length"
    )
    return count


def focused(driver: WebDriver) -> tuple[str, str]:
    """Path and label of the cell that has the focus."""
    path, label = driver.execute_script(
        "const b = document.activeElement;return [b.closest('tr').dataset.path, b.dataset.label];"
    )
    return path, label


def fragment(driver: WebDriver) -> str:
    return str(driver.execute_script("return location.hash"))


def live(driver: WebDriver) -> str:
    return str(driver.execute_script("return document.getElementById('said').textContent"))


def press(driver: WebDriver, *keys: str) -> None:
    for key in keys:
        driver.switch_to.active_element.send_keys(key)


def choose(driver: WebDriver, value: str) -> None:
    driver.find_element(By.CSS_SELECTOR, f'input[value="{value}"]').click()


def test_a_click_shows_sample_output_and_where_it_went(opened: WebDriver) -> None:
    assert not opened.find_element(By.ID, "details").is_displayed()
    cell(opened, "data").click()
    assert text(opened, "#cell").split("\n") == ["data", "on", CELL, "native"]
    assert "structuredContent" in text(opened, "#how")
    assert text(opened, "#given-title").startswith("Sample ")
    assert all_of(opened, "#given .hit")[0].startswith('"data": ')
    assert all_of(opened, "#output .hit, #output mark")
    assert "/structuredContent" in text(opened, "#leaves [aria-pressed=true]")
    assert fragment(opened) == f"#{CELL}/data"
    assert live(opened).startswith(f"data on {CELL}: native. ")
    assert "Stands at /structuredContent" in live(opened)


def test_both_sides_show_the_same_value(opened: WebDriver) -> None:
    cell(opened, "metadata.related_task.id").click()
    [given] = all_of(opened, "#given .hit")
    value = given.split(": ")[1].strip(",")
    places = all_of(opened, "#output .hit")
    assert places
    assert all(value in place for place in places)


def test_another_leaf_is_highlighted_when_it_is_chosen(opened: WebDriver) -> None:
    cell(opened, "content.image.mime_type").click()
    assert '"mime_type"' in all_of(opened, "#given .hit")[0]
    for button in opened.find_elements(By.CSS_SELECTOR, "#leaves button"):
        if "/content/0/data" in button.text:
            button.click()
            break
    assert [one.split(":")[0] for one in all_of(opened, "#given .hit")] == ['"data"']
    value = all_of(opened, "#given .hit")[0].split(": ")[1].strip(",")
    assert any(value in one for one in all_of(opened, "#output .hit"))
    line = next(
        one
        for one in opened.find_elements(By.CSS_SELECTOR, "#output .line.leaf")
        if "mimeType" in one.text
    )
    line.click()
    assert '"mime_type"' in all_of(opened, "#given .hit")[0]


def test_what_is_lost_is_told_with_the_reason(opened: WebDriver) -> None:
    cell(opened, "content.image.data", "legacy-envelope@1").click()
    assert text(opened, "#lost").startswith("Lost: data")
    assert "text form" in text(opened, "#how")
    audience = cell(opened, "content.text.audience", "legacy-envelope@1")
    opened.execute_script("arguments[0].scrollIntoView({block: 'center'})", audience)
    audience.click()
    assert text(opened, "#lost").startswith("Lost: audience. ")
    assert len(text(opened, "#lost")) > len("Lost: audience. ")
    assert "among the losses: not expressible" in text(opened, "#leaves [aria-pressed=true]")
    assert all_of(opened, "#output .hit") == []


def test_two_examples_where_a_value_goes_one_way_or_the_other(opened: WebDriver) -> None:
    cell(opened, "data", "a2a@1.0").click()
    buttons = opened.find_elements(By.CSS_SELECTOR, "#examples button")
    assert [one.get_attribute("aria-pressed") for one in buttons] == ["true", "false"]
    before = text(opened, "#given")
    buttons[1].click()
    assert [one.get_attribute("aria-pressed") for one in buttons] == ["false", "true"]
    assert text(opened, "#given") != before


def test_filters(opened: WebDriver, document: Document) -> None:
    assert shown(opened) == len(document.cells)
    search = opened.find_element(By.ID, "part")
    search.send_keys("image name")
    rows = [row for row in document.rows if "image" in row and "name" in row]
    assert shown(opened) == len(rows) * len(document.columns)
    assert live(opened) == f"{shown(opened)} of {len(document.cells)} cells shown"
    search.clear()
    search.send_keys("no such part")
    assert shown(opened) == 0
    assert opened.find_element(By.ID, "nothing").is_displayed()
    opened.find_element(By.ID, "all").click()
    for target in ("a2a", "mcp-handshake", "mcp-stateless"):
        choose(opened, target)
    labels = {column.label for column in document.columns if column.target == "legacy-envelope"}
    assert shown(opened) == len(labels) * len(document.rows)
    for status in ("native", "re-encoded", "text form", "withheld"):
        choose(opened, status)
    left = [
        cell
        for cell in document.cells.values()
        if cell.label in labels and cell.status == "not expressible"
    ]
    assert left
    assert shown(opened) == len(left)
    opened.find_element(By.ID, "all").click()
    assert shown(opened) == len(document.cells)


def test_the_keyboard_reaches_everything(opened: WebDriver, document: Document) -> None:
    labels = [column.label for column in document.columns]
    first = opened.find_elements(By.CSS_SELECTOR, 'td button[tabindex="0"]')
    assert len(first) == 1
    opened.execute_script("arguments[0].focus()", first[0])
    press(opened, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert focused(opened) == (document.rows[1], labels[1])
    press(opened, Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_UP)
    assert focused(opened) == (document.rows[0], labels[0])
    press(opened, Keys.END)
    assert focused(opened) == (document.rows[0], labels[-1])
    press(opened, Keys.CONTROL + Keys.END)
    assert focused(opened) == (document.rows[-1], labels[-1])
    press(opened, Keys.HOME, Keys.PAGE_UP)
    assert focused(opened) == (document.rows[-11], labels[0])
    assert len(opened.find_elements(By.CSS_SELECTOR, 'td button[tabindex="0"]')) == 1
    for key in (Keys.ENTER, Keys.SPACE):
        press(opened, key)
        assert text(opened, "#cell").startswith(document.rows[-11])
        assert focused(opened) == (document.rows[-11], labels[0])
        press(opened, Keys.ESCAPE)
        assert not opened.find_element(By.ID, "details").is_displayed()
        assert fragment(opened) == ""
        assert focused(opened) == (document.rows[-11], labels[0])
    press(opened, Keys.ENTER, Keys.TAB)
    assert opened.switch_to.active_element.get_attribute("id") == "link"
    press(opened, Keys.ESCAPE)
    assert focused(opened) == (document.rows[-11], labels[0])


def test_arrow_keys_pass_over_what_is_filtered_out(opened: WebDriver, document: Document) -> None:
    opened.find_element(By.ID, "part").send_keys("image.")
    choose(opened, "native")
    first = opened.find_element(By.CSS_SELECTOR, 'td button[tabindex="0"]')
    assert first.is_displayed()
    opened.execute_script("arguments[0].focus()", first)
    for _ in range(3):
        press(opened, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        path, label = focused(opened)
        assert document.cells[path, label].status != "native"
        assert "image." in path


def test_a_link_leads_to_its_cell(browser: WebDriver, file: Path) -> None:
    for driver in _opened(browser, file, f"#{CELL}/metadata.foreign.a2a"):
        assert text(driver, "#cell").startswith("metadata.foreign.a2a")
        assert focused(driver) == ("metadata.foreign.a2a", CELL)
        link = driver.find_element(By.ID, "link").get_attribute("href")
        assert link == f"{file.as_uri()}#{CELL}/metadata.foreign.a2a"
        assert driver.find_element(By.CSS_SELECTOR, "[aria-current]").is_displayed()
        driver.execute_script("location.hash = 'a2a@1.0/summary'")
        assert text(driver, "#cell").split("\n")[:3] == ["summary", "on", "a2a@1.0"]
        driver.execute_script("location.hash = 'nowhere/at.all'")
        assert live(driver) == "There is no cell nowhere/at.all"
        driver.execute_script("location.hash = '%E0%A4%A'")


def test_screen_readers_get_a_table(opened: WebDriver, document: Document) -> None:
    table = opened.find_element(By.ID, "matrix")
    assert table.aria_role == "grid"
    for path, label in (("data", CELL), ("content.text.audience", "legacy-envelope@1")):
        one = cell(opened, path, label)
        assert one.accessible_name.startswith(document.cells[path, label].status)
    unnamed = opened.execute_script(
        "return [...document.querySelectorAll('button, input, a')]"
        ".filter(e => !e.textContent.trim() && !e.labels?.length && !e.ariaLabel).length"
    )
    assert unnamed == 0
    assert all(one.get_attribute("scope") for one in opened.find_elements(By.TAG_NAME, "th"))


CONTRAST = """
const paint = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const rgb = (color) => {
  paint.clearRect(0, 0, 1, 1); paint.fillStyle = color; paint.fillRect(0, 0, 1, 1);
  return [...paint.getImageData(0, 0, 1, 1).data];
};
const lum = ([r, g, b]) => [r, g, b].map((v) => v / 255)
  .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (e) => {
  for (; e; e = e.parentElement) {
    const c = rgb(getComputedStyle(e).backgroundColor);
    if (c[3] === 255) return c;
  }
  return [255, 255, 255];
};
const poor = [];
for (const e of document.querySelectorAll('body *')) {
  const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  if (!(own || e.matches('svg.i')) || !e.checkVisibility()) continue;
  if (e.closest('.unseen, script, style')) continue;
  const style = getComputedStyle(e);
  const [a, b] = [lum(rgb(style.color)), lum(ground(e))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) poor.push(`${e.tagName}.${e.getAttribute('class')} ${ratio.toFixed(2)}`);
}
return [...new Set(poor)];
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_have_contrast(opened: WebDriver, scheme: str) -> None:
    color_scheme(opened, scheme)
    cell(opened, "content.image.mime_type", "legacy-envelope@1").click()
    dark = opened.execute_script("return matchMedia('(prefers-color-scheme: dark)').matches")
    assert dark is (scheme == "dark")
    assert opened.execute_script(CONTRAST) == []


def test_hostile_text_does_nothing(browser: WebDriver, document: Document, tmp_path: Path) -> None:
    file = tmp_path / "hostile.html"
    file.write_text(html(hostile(document)), encoding="utf-8")
    for driver in _opened(browser, file, ""):
        scripts = len(driver.find_elements(By.TAG_NAME, "script"))
        driver.execute_script("document.querySelector('td button').click()")
        assert "</script><script>alert(1)</script>" in text(driver, "#how")
        assert "\\u202e" in text(driver, "#how")
        assert "\u202e" not in driver.execute_script("return document.body.textContent")
        assert len(driver.find_elements(By.TAG_NAME, "script")) == scripts


def test_the_policy_stops_what_would_act(browser: WebDriver, file: Path) -> None:
    browser.get(file.as_uri())
    browser.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.acted = 1';"
        "document.body.append(s);"
        "const i = document.createElement('img'); i.src = 'https://example.invalid/a.png';"
        "document.body.append(i);"
    )
    assert browser.execute_script("return window.acted") is None
    assert any("Content Security Policy" in message for message in console(browser))
