"""Programs that branch on tensors: read from Markdown, rewritten, and run before and after."""

from __future__ import annotations

import atexit
import importlib.util
import json
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.helpers import apply, finding, unmark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from _pytest.mark.structures import ParameterSet
    from tfgradfix_codemods.base import GradientCommand

FOLDER = Path(__file__).parent

HEAD = "import numpy as np\nimport tensorflow as tf\n\n"

#: Arguments of `f` that take every branch and meet every point where something is not finite.
INPUTS = [[1.0, 2.0], [-1.0, 2.0], [0.0, 0.0], [2.0, 1.0], [0.0, -1.0], [3.0, 3.0]]


@dataclass(frozen=True)
class Case:
    """One program, marked, and what becomes of it."""

    name: str
    before: str
    after: str
    facts: Mapping[str, str] = field(default_factory=dict)
    dtype: str = "float32"


def cases(file: str) -> list[ParameterSet]:
    """The cases of a Markdown file: a heading, lines `facts:` and `dtype:` if need be, two blocks of Python."""
    _, *sections = (FOLDER / file).read_text(encoding="utf-8").split("\n## ")
    return [pytest.param(read(section), id=section.partition("\n")[0]) for section in sections]


def read(section: str) -> Case:
    """One case."""
    name, _, rest = section.partition("\n")
    about, before, after = rest.split("```python\n")
    said = dict(line.split(": ", 1) for line in about.splitlines() if ": " in line)
    facts = dict(fact.split("=", 1) for fact in said.get("facts", "").split("; ") if fact)
    return Case(name, block(before), block(after), facts, said.get("dtype", "float32"))


def block(text: str) -> str:
    """The code of a block, up to its end."""
    return text.partition("```")[0]


def straightened(
    command: type[GradientCommand], marked: str, facts: Mapping[str, str]
) -> tuple[str, str, Sequence[str]]:
    """A marked program without its marks, what becomes of it, and the refusals."""
    text, spans = unmark(HEAD + marked)
    edited = apply(text, [finding(command, span, facts=facts) for span in spans], command)
    return text, edited.text, [declined.reason for declined in edited.declined]


@cache
def runner() -> subprocess.Popen[str]:
    """The process in which programs run."""
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    process = subprocess.Popen(
        [sys.executable, str(FOLDER / "branch_runner.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    atexit.register(process.kill)
    return process


def differences(
    before: str, after: str, inputs: Sequence[Sequence[float]] = INPUTS, dtype: str = "float32"
) -> list[str]:
    """Where the values and gradients of two programs differ."""
    process = runner()
    assert process.stdin is not None
    assert process.stdout is not None
    job = {"before": before, "after": after, "inputs": inputs, "dtype": dtype}
    process.stdin.write(json.dumps(job) + "\n")
    process.stdin.flush()
    found: list[str] = json.loads(process.stdout.readline())
    return found
