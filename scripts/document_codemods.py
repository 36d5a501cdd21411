"""Write ``docs/codemods.md`` from the docstrings of the codemods."""

from __future__ import annotations

from pathlib import Path

from tfgradfix.report.rules import page
from tfgradfix.rewrite.registry import entries

PAGE = Path(__file__).resolve().parent.parent / "docs" / "codemods.md"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(entries()), encoding="utf-8")


if __name__ == "__main__":
    main()
