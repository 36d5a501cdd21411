"""What the tests of the explaining run share."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from tfgradfix.explaining import Explanation, explain
from tfgradfix.verify import HarnessError, version_of
from tfgradfix.verify.interpreter import find_python

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="session")
def python() -> Path:
    """An interpreter that has TensorFlow: TFGRADFIX_TEST_PYTHON names another than the one that would be found."""
    named = os.environ.get("TFGRADFIX_TEST_PYTHON")
    try:
        return find_python(Path(sys.prefix), Path(named) if named else None)
    except HarnessError as error:
        pytest.skip(str(error))


@pytest.fixture
def explained(python: Path, tmp_path: Path) -> Callable[..., Explanation]:
    """Runs a program's text and explains it."""

    def run(text: str, **options: object) -> Explanation:
        script = tmp_path / "program.py"
        script.write_text("import numpy as np\nimport tensorflow as tf\n" + dedent(text))
        return explain(version_of(script), python=python, **options)  # type: ignore[arg-type]

    return run
