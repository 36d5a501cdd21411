"""The three reports of a migration, put into a folder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tfgradfix.report.html import report_html
from tfgradfix.report.markdown import report_markdown
from tfgradfix.report.record import record

if TYPE_CHECKING:
    from pathlib import Path

    from tfgradfix.report.migration import Migration


def publish(migration: Migration, folder: Path) -> tuple[Path, ...]:
    """Write ``report.html``, ``report.md`` and ``report.json`` into ``folder``, which is made where it is missing.

    Raises:
        OSError: there is no room, or no permission.
    """
    told = record(migration)
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        "report.html": report_html(migration, told),
        "report.md": report_markdown(told),
        "report.json": json.dumps(told, indent=1, ensure_ascii=False) + "\n",
    }
    for name, text in contents.items():
        # A name on the disk need not be UTF-8; the report of it is.
        (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    return tuple(folder / name for name in contents)
