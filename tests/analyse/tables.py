"""Programs whose lines say what the analysis has to find in them."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import Final

from tfgradfix.analyse import analyse

#: What stands at the end of a line in which something is to be found: ``# TGF101 TGF103``.
EXPECTED: Final = re.compile(r"#((?: TGF\d{3})+)$")

#: Most programs begin so.
HEAD: Final = "import numpy as np\nimport tensorflow as tf\nw = tf.Variable([1.0, 2.0])\nx = np.ones(2, np.float32)\n"

Told = dict[tuple[str, int], list[str]]


def modules(text: str) -> dict[Path, str]:
    """The files of a program: each begins below a line ``#: path``; one without such a line is ``main.py``."""
    files: dict[Path, str] = {}
    path = Path("main.py")
    for line in dedent(text).splitlines(keepends=True):
        if line.startswith("#: "):
            path = Path(line[3:].strip())
            files[path] = ""
        else:
            files[path] = files.get(path, "") + line
    return files


def expected(files: dict[Path, str]) -> Told:
    """What the comments of a program say, by file and line."""
    return {
        (path.as_posix(), row): found.group(1).split()
        for path, text in files.items()
        for row, line in enumerate(text.splitlines(), start=1)
        if (found := EXPECTED.search(line)) is not None
    }


def told(files: dict[Path, str]) -> Told:
    """What the analysis finds, by file and line."""
    found: Told = {}
    for path, findings in analyse(files).items():
        for finding in findings:
            found.setdefault((path.as_posix(), finding.span.start.row), []).append(finding.code)
    return {place: sorted(codes) for place, codes in found.items()}


def check(text: str, head: str = HEAD) -> None:
    """The analysis finds in a program what its comments say, and nothing else."""
    files = modules(text)
    if head:
        files = {path: head + text for path, text in files.items()}
    assert told(files) == {place: sorted(codes) for place, codes in expected(files).items()}
