"""Measure how long Chromium takes to open a large report and to filter it.

    python benchmarks/report_page.py [--files 100] [--cuts 10] [--times 5]

Prints JSON: seconds from the navigation to the end of the load event, to the first frame after it, and from a click on
a filter to the frame that shows its result; the median of so many times. The file is read from the disk.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

from tests.report.browser import browser, missing  # noqa: E402  # found by the line above
from tests.report.pages import large_page  # noqa: E402

#: Calls back when what was asked for before it is on the screen.
PAINTED = "const done = arguments[0]; requestAnimationFrame(() => setTimeout(done));"


def main() -> None:
    """Make the page, open it, filter it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--cuts", type=int, default=10)
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    if missing():
        sys.exit(missing())
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        page = large_page(Path(folder), options.files, options.cuts)
        made = time.monotonic() - start
        figures: dict[str, list[float]] = {"loaded": [], "shown": [], "filtered": []}
        for _ in range(options.times):
            with browser() as window:
                start = time.monotonic()
                window.get(page.as_uri())
                figures["loaded"].append(time.monotonic() - start)
                window.execute_async_script(PAINTED)
                figures["shown"].append(time.monotonic() - start)
                start = time.monotonic()
                window.find_elements("css selector", ".filters button")[-1].click()
                window.execute_async_script(PAINTED)
                figures["filtered"].append(time.monotonic() - start)
        size = page.stat().st_size
    seconds = {name: round(statistics.median(values), 2) for name, values in figures.items()}
    about = {"findings": options.files * options.cuts, "files": options.files, "bytes": size}
    print(json.dumps({**about, "analysed and written": round(made, 1), "seconds": seconds}, indent=2))


if __name__ == "__main__":
    main()
