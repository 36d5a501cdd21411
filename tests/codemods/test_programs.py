"""The faulty programs, run by TensorFlow before and after their repair."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.codemods.faulty import PROGRAMS
from tfgradfix.rewrite.apply import rewrite

#: Runs each program and tells whether all gradients are there, and the loss; a program that fails has neither.
CHILD = """
import contextlib, io, json, os, sys, tempfile, warnings

warnings.simplefilter("ignore")

def run(text):
    # AutoGraph reads the source of a function from its file.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        with open(path, "w") as file:
            file.write(text)
        names = {"__name__": "__main__", "__file__": path}
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(text, path, "exec"), names)
        except Exception as error:
            return {"whole": False, "loss": None, "error": repr(error)}
        return {"whole": all(one is not None for one in names["gradients"]), "loss": float(names["loss"])}

print(json.dumps([[run(text) for text in pair] for pair in json.load(sys.stdin)]))
"""


@pytest.mark.runs_tensorflow
def test_gradients_come_back_and_losses_stay() -> None:
    pytest.importorskip("tensorflow")
    path = Path("program.py")
    pairs = [(text, rewrite({path: text}).texts[path]) for text in PROGRAMS.values()]
    done = subprocess.run(
        [sys.executable, "-c", CHILD], input=json.dumps(pairs), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    for fault, (before, after) in zip(PROGRAMS, json.loads(done.stdout.splitlines()[-1]), strict=True):
        assert after["whole"], (fault, after)
        assert not before["whole"], fault
        if before["loss"] is not None:
            assert before["loss"] == pytest.approx(after["loss"], rel=1e-5), fault
