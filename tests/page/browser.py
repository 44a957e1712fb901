"""A headless Chromium without a network, for the tests of the page and for its picture.

It is Debian's: packages ``chromium`` and ``chromium-driver``, driven by selenium. Other places of
the two programs are named by CHROMIUM and CHROMEDRIVER.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.chrome.webdriver import WebDriver

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--lang=en",
)

MISSING = "chromium and chromedriver are needed: apt-get install chromium chromium-driver"


def programs() -> tuple[str, str] | None:
    """Chromium and its driver, or None if one of them is not installed."""
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium")
    driver = os.environ.get("CHROMEDRIVER") or shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


@contextmanager
def chromium(
    profile: Path, width: int = 1400, height: int = 900, *, reached: str | None = None
) -> Iterator[WebDriver]:
    """A browser with an empty profile; it logs what pages print and what they load.

    Whatever asks for another host than ``reached`` gets no answer.
    """
    found = programs()
    if found is None:
        raise FileNotFoundError(MISSING)
    browser, driver = found
    options = Options()
    options.binary_location = browser
    hosts = "MAP * ~NOTFOUND" + ("" if reached is None else f", EXCLUDE {reached}")
    own = (f"--user-data-dir={profile}", f"--window-size={width},{height}")
    for flag in (*_FLAGS, *own, f"--host-resolver-rules={hosts}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=Service(driver))
    try:
        started.set_page_load_timeout(60)
        yield started
    finally:
        started.quit()


def color_scheme(driver: WebDriver, scheme: str) -> None:
    """Prefer ``light`` or ``dark``."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def console(driver: WebDriver) -> list[str]:
    """What the page printed or did wrong since the last call."""
    return [entry["message"] for entry in _log(driver, "browser")]


def requests(driver: WebDriver) -> list[str]:
    """The addresses that were asked for since the last call."""
    found: list[str] = []
    for entry in _log(driver, "performance"):
        message: dict[str, Any] = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append(str(message["params"]["request"]["url"]))
    return found


def _log(driver: WebDriver, kind: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = driver.get_log(kind)  # type: ignore[no-untyped-call]  # theirs
    return entries
