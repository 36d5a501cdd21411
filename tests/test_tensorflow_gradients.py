"""The table of what carries no gradient says what TensorFlow says, and where it comes from."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

import pytest

from tfgradfix.analyse.facts import tensorflow_gradients as gradients

ROOT: Final = Path(__file__).resolve().parent.parent
TABLE: Final[dict[str, Any]] = json.loads(
    (ROOT / "tfgradfix" / "analyse" / "facts" / "tensorflow_gradients.json").read_text(encoding="utf-8")
)
OUTCOMES: Final = ("gradient", "none", "zero", "no_tensor", "untried", "crashed")
#: Functions of every outcome, the two that end the process among them.
SAMPLE: Final = (
    "argmax cast clip_by_value complex debugging.assert_positive fill floor gather image.adjust_contrast linalg.lu"
    " linalg.norm logical_and math.angle math.count_nonzero math.invert_permutation math.reduce_std nn.relu norm"
    " one_hot quantization.fake_quant_with_min_max_vars_per_channel random.normal random.gamma reduce_any round"
    " searchsorted sign strings.length where zeros"
).split()


def test_the_version_is_that_of_the_locked_tensorflow() -> None:
    locked = re.search(r"^tensorflow==([\d.]+)", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert locked is not None
    assert locked.group(1) == gradients.TENSORFLOW == TABLE["tensorflow"]


def test_every_name_has_one_outcome_and_lists_are_sorted() -> None:
    names = [name for outcome in OUTCOMES for name in TABLE["functions"][outcome]]
    assert len(names) == len(set(names)) > 700
    for outcome in OUTCOMES:
        assert list(TABLE["functions"][outcome]) == sorted(TABLE["functions"][outcome])
    assert TABLE["operations_without_gradient"] == sorted(set(TABLE["operations_without_gradient"]))


def test_exceptions_are_needed() -> None:
    measured = {name for outcome in ("gradient", "none", "zero") for name in TABLE["functions"][outcome]}
    assert not measured & set(gradients.EXCEPTIONS)
    assert set(gradients.DIFFERENTIABLE) <= set(TABLE["functions"]["zero"])


@pytest.mark.parametrize("name", ["round", "math.ceil", "reduce_any", "raw_ops.AdjustContrastv2", "strings.length"])
def test_without_gradient(name: str) -> None:
    assert gradients.without_gradient(name)


@pytest.mark.parametrize("name", ["linspace", "fill", "random.gamma", "math.angle", "raw_ops.MatMul", "unknown"])
def test_with_gradient(name: str) -> None:
    assert not gradients.without_gradient(name)


@pytest.mark.slow
@pytest.mark.runs_tensorflow
def test_the_script_gives_what_the_table_holds() -> None:
    program = f"""
        import json
        from scripts.tensorflow_gradients import outcomes, public_functions, table
        functions = public_functions()
        print(json.dumps([sorted(functions), table(outcomes({{name: functions[name] for name in {SAMPLE!r}}}))]))
    """
    run = subprocess.run(
        [sys.executable, "-c", dedent(program)], cwd=ROOT, capture_output=True, text=True, check=True, timeout=600
    )
    names, found = json.loads(run.stdout.splitlines()[-1])
    if found["tensorflow"] != gradients.TENSORFLOW:
        pytest.skip(f"the table is of TensorFlow {gradients.TENSORFLOW}, here is {found['tensorflow']}")
    kept = TABLE["functions"]
    assert names == sorted(name for outcome in OUTCOMES for name in kept[outcome])
    for outcome in ("none", "zero"):
        assert found["functions"][outcome] == {k: v for k, v in kept[outcome].items() if k in SAMPLE}
    for outcome in ("gradient", "no_tensor", "untried", "crashed"):
        assert found["functions"][outcome] == [name for name in kept[outcome] if name in SAMPLE]
    assert found["operations_without_gradient"] == TABLE["operations_without_gradient"]
