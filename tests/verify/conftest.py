"""What the tests of the proof share: an interpreter with TensorFlow, and programs written to a folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from tfgradfix.verify import HarnessError, Run, Verdict, Version, prove, verify, version_of
from tfgradfix.verify.interpreter import find_python
from tfgradfix.verify.run import run

if TYPE_CHECKING:
    from collections.abc import Callable

#: How nearly all of the programs begin.
OPENING = "import numpy as np\nimport tensorflow as tf\n"


@pytest.fixture(scope="session")
def python() -> Path:
    """An interpreter that has TensorFlow: TFGRADFIX_TEST_PYTHON names another than the one that would be found."""
    named = os.environ.get("TFGRADFIX_TEST_PYTHON")
    try:
        return find_python(Path(sys.prefix), Path(named) if named else None)
    except HarnessError as error:
        pytest.skip(str(error))


@pytest.fixture
def observed(python: Path, tmp_path: Path) -> Callable[..., Run]:
    """Runs a program's text once."""

    def observe(text: str, **options: object) -> Run:
        script = tmp_path / "program.py"
        script.write_text(OPENING + dedent(text))
        return run(version_of(script), python=python, **options)  # type: ignore[arg-type]

    return observe


@pytest.fixture(scope="session")
def runs() -> dict[tuple[object, ...], Run]:
    """Runs already made in this session: many proofs share the version before."""
    return {}


@pytest.fixture
def judged(
    python: Path, tmp_path: Path, runs: dict[tuple[object, ...], Run], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Verdict]:
    """Proves one text against another."""

    asked: set[tuple[object, ...]] = set()

    def run_once(version: Version, **options: object) -> Run:
        if options["keep"] is not None or options["given"] is not None:
            return run(version, **options)  # type: ignore[arg-type]  # it has to write or read a folder
        key = (version.entry, version.read(version.entry), options["eager"], options["timeout"], options["capped"])
        if key in asked or key not in runs:  # a proof that asks twice wants to see it twice
            runs[key] = run(version, **options)  # type: ignore[arg-type]
        asked.add(key)
        return runs[key]

    monkeypatch.setattr(prove, "run", run_once)

    def judge(before: str, after: str, **options: object) -> Verdict:
        scripts = []
        for name, text in (("before.py", before), ("after.py", after)):
            scripts.append(tmp_path / name)
            scripts[-1].write_text(OPENING + dedent(text))
        asked.clear()
        return verify(scripts[0], scripts[1], python=python, **options)  # type: ignore[arg-type]

    return judge
