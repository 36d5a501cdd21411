"""How long the analysis takes beside a plain parse of the same files: ratios, measured in turn in one run.

    python benchmarks/scan.py FOLDER [--rounds 3]

Prints, for every round, the CPU seconds of `ast.parse` over all files, of the analysis that `tfgradfix check` runs, and
of `libcst.parse_module` over the files in which a search can start; then the median ratios to `ast.parse`.
"""

from __future__ import annotations

import argparse
import ast
import statistics
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import libcst

from tfgradfix.config import Settings
from tfgradfix.discover.files import find_files, may_matter
from tfgradfix.pipeline import examine

if TYPE_CHECKING:
    from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def parse_all(texts: list[str]) -> None:
    """Parse every text with the standard library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text in texts:
            ast.parse(text)


def main() -> None:
    """Measure one folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    files = [path for path in find_files([options.folder.absolute()]).files if path.suffix == ".py"]
    texts = [path.read_text() for path in files]
    starts = [text for text in texts if may_matter(text.encode())]
    rows: list[tuple[float, float, float]] = []
    for _ in range(options.rounds):
        row = (
            seconds(lambda: parse_all(texts)),
            seconds(lambda: examine([options.folder], Settings())),
            seconds(lambda: [libcst.parse_module(text) for text in starts]),
        )
        rows.append(row)
        print(
            f"ast.parse {row[0]:.2f} s  check {row[1]:.2f} s  libcst.parse_module of {len(starts)} files {row[2]:.2f} s"
        )
    checks = statistics.median(check / parse for parse, check, _ in rows)
    trees = statistics.median(tree / parse for parse, _, tree in rows)
    print(f"{len(files)} files; median ratios to ast.parse: check {checks:.1f}, libcst {trees:.1f}")


if __name__ == "__main__":
    main()
