"""A headless Chromium that opens report files; it asks nothing of any network."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

#: As Debian, and as others name it.
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
DRIVER: Final = "chromedriver"


def missing() -> str:
    """What has to be installed before a report can be opened; empty when all is there."""
    if shutil.which(DRIVER) and any(map(shutil.which, BROWSERS)):
        return ""
    return "the report is tested in Chromium: install it, in Debian with `apt-get install chromium chromium-driver`"


@contextmanager
def browser() -> Iterator[Chrome]:
    """One window; its console is kept for ``complaints``."""
    options = ChromeOptions()
    options.binary_location = next(path for path in map(shutil.which, BROWSERS) if path)
    # The sandbox needs rights that containers do not give, and their /dev/shm is too small for a large page.
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    window = Chrome(options=options, service=Service(shutil.which(DRIVER)))
    try:
        yield window
    finally:
        window.quit()


def complaints(window: Chrome) -> list[str]:
    """What stands in the console."""
    return [entry["message"] for entry in window.get_log("browser")]  # type: ignore[no-untyped-call]


def resize(window: Chrome, width: int, height: int = 900) -> None:
    """Make the page so many CSS pixels wide, narrower than any window can be."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def emulate(window: Chrome, *, media: str = "", scheme: str = "light") -> None:
    """Show the page as on ``media`` ("print"), in the colour ``scheme`` of the reader."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
