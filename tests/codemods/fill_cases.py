"""Reads the programs in the Markdown files beside this one, and runs them before and after their repair."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from textwrap import indent
from typing import Final

from tfgradfix.rewrite.apply import rewrite

FOLDER: Final = Path(__file__).parent
PATH: Final = Path("program.py")

HEAD: Final = """\
import numpy as np
import tensorflow as tf

w = tf.Variable([0.5, 1.5, -0.7], dtype=tf.{dtype})
x = np.linspace(0.5, 2.0, 6).astype("{dtype}")


def f(w):
{body}

with tf.GradientTape() as tape:
    loss = f(w)
gradients = tape.gradient(loss, [w])
"""


def bodies(name: str) -> dict[str, str]:
    """The body of `f(w)` of each program in a file, by its heading."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return dict(re.findall(r"## ([^\n]+)\n\n```python\n(.*?)```\n", text, re.DOTALL))


def program(body: str, dtype: str = "float32") -> str:
    """The module round a body."""
    return HEAD.format(dtype=dtype, body=indent(body, "    "))


def repaired(text: str) -> str:
    """``text`` after its repair; fails when it is refused."""
    result = rewrite({PATH: text})
    assert not result.declined.get(PATH), result.declined[PATH][0].reason
    assert PATH in result.texts, result.findings[PATH]
    after = result.texts[PATH]
    assert not rewrite({PATH: after}).texts, "a second run changes it again"
    return after


def reason(body: str) -> str:
    """Why the program round a body is left as it is; fails when it is not."""
    text = program(body)
    result = rewrite({PATH: text})
    assert not result.texts, result.texts[PATH]
    assert result.findings[PATH], "nothing was found"
    declined = [one.reason for one in result.declined.get(PATH, ())]
    return " ".join([*declined, *(finding.message for finding in result.findings[PATH])])


def differences(pairs: list[tuple[str, str]]) -> list[str]:
    """How the loss and the gradient of each second program differ from what the first one computes."""
    done = subprocess.run(
        [sys.executable, str(FOLDER / "fill_runner.py")],
        input=json.dumps(pairs),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found
