"""What the tests of drivers share: projects on the disk, in which some files are changed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tfgradfix.model import FileOutcome, Report


def project(folder: Path, files: Mapping[str, str | tuple[str, str]]) -> Report:
    """Write ``files``; one that is given twice is changed from the first to the second."""
    outcomes = []
    for name, texts in files.items():
        before, after = texts if isinstance(texts, tuple) else (texts, None)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(before)
        outcomes.append(FileOutcome(path, before.encode(), None if after is None else after.encode()))
    return Report(tuple(outcomes))
