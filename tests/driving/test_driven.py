"""Drivers of every kind, run by TensorFlow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.driving.projects import project
from tests.notebook_documents import code, document, written
from tfgradfix.cli import app
from tfgradfix.config_verify import FunctionSpec, InputSpec
from tfgradfix.driving.asked import Asked, Function
from tfgradfix.driving.ladder import Ladder
from tfgradfix.driving.proof import Proof
from tfgradfix.driving.trial import try_calls
from tfgradfix.driving.units import candidates, changed_statements
from tfgradfix.driving.where import Where
from tfgradfix.model import FileOutcome, Report

pytestmark = [pytest.mark.slow, pytest.mark.runs_tensorflow]

KINDS = """\
import keras
import numpy as np
import tensorflow as tf


class Spread(keras.losses.Loss):
    def call(self, y_true, y_pred):
        return tf.reduce_mean(tf.square(y_true - {tanh}(y_pred)), axis=-1)


class Warp(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(shape=(shape[-1],), initializer="ones", name="scale")

    def call(self, inputs):
        return tf.nn.softmax({tanh}(inputs * self.scale))


class Auto(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(8)

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, _ = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean({tanh}(self(x) - x))
        found = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(found, self.trainable_variables))
        return {{"loss": loss}}


class Plain:
    def energy(self, state):
        return {tanh}(state)


def labels(y_true, y_pred):
    return tf.keras.losses.sparse_categorical_crossentropy(y_true, tf.nn.softmax({tanh}(y_pred)))


def convolved(images, *, times: int):
    return tf.nn.avg_pool2d({tanh}(images), times, times, "VALID")


def gated(state, harsh=False):
    if harsh:
        return {tanh}(state)
    return state * 2.0


def named(state, how: str):
    return {tanh}(state)


def whole(state):
    return {tanh}(state) > 0.5


def leaving(state):
    import os
    os._exit({tanh}(state).shape[0])


def last(state):
    return {tanh}(state)
"""
ENERGY = """\
import numpy as np
import tensorflow as tf


def energy(state, *, mass):
    return tf.reduce_sum(mass * {square}(state))
"""
TEST = """\
import unittest
import tensorflow as tf
from energies import energy


class Pull(unittest.TestCase):
    def test_energy_pulls_back(self):
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            value = energy(w, mass=2.0)
        tape.gradient(value, w)
        self.assertEqual(float(value), 10.0)
"""
NEEDS_ARGUMENTS = "import sys\nimport energies\nsteps = int(sys.argv[1])\nfor _ in range(steps):\n    pass\n"


def energies(after: str) -> tuple[str, str]:
    return ENERGY.format(square="np.square"), ENERGY.format(square=after)


def proven(report: Report, **options: object) -> tuple[Proof, ...]:
    return Ladder(None, 60.0, **options)(report)  # type: ignore[arg-type]  # a few of its fields


def test_calls_are_tried_until_one_set_of_inputs_works(tmp_path: Path) -> None:
    texts = KINDS.format(tanh="np.tanh"), KINDS.format(tanh="tf.tanh")
    (file,) = project(tmp_path, {"kinds.py": texts}).files
    names = candidates(file, changed_statements(file))
    trial = try_calls(file.path, names, [file], Where(tmp_path), None, 60.0)
    calls, left = trial.choose(names, changed_statements(file))
    assert [(call.name, call.told, call.wrt) for call in calls] == [
        ("Auto", "float32 (8, 8), float32 (8, 1)", ()),
        ("Spread", "float32 (4, 8), float32 (4, 8)", (1, "variables")),
        ("Warp", "float32 (4, 8)", (0, "variables")),
        ("Plain.energy", "float32 (4, 8)", (0, "variables")),
        ("labels", "int32 (4,), float32 (4, 8)", (1, "variables")),
        ("convolved", "float32 (4, 8, 8, 3)", (0, "variables")),
        ("last", "float32 (4, 8)", (0, "variables")),
    ]
    assert [each.function for each in left] == ["gated", "named", "whole", "leaving"]
    assert trial.why(["leaving", "named", "whole"]) == (
        "leaving: it ends the process; named: TypeError: its argument how cannot be generated; whole: TypeError: it gives no floating-point tensor"
    )


def test_a_wrong_change_is_refused_by_generated_inputs(tmp_path: Path) -> None:
    (proof,) = proven(project(tmp_path, {"energies.py": energies("2.0 * tf.square")}))
    assert proof.status == "failed"
    assert proof.rejected
    assert proof.rejected.startswith("the repair failed its proof: ")


def test_where_a_script_shows_nothing_tests_are_run(tmp_path: Path) -> None:
    project(tmp_path, {"train.py": NEEDS_ARGUMENTS, "test_energies.py": TEST})
    script, tests = proven(project(tmp_path, {"energies.py": energies("tf.square")}), search=True)
    assert (script.script, script.status, script.silent) == (tmp_path / "train.py", "unproven", True)
    assert (tests.title, tests.status, tests.reasons) == ("the tests in test_energies.py", "proven", ())
    assert (script.hint, tests.hint) == ("", "")


def test_a_function_that_is_named_is_called_as_told(tmp_path: Path) -> None:
    report = project(tmp_path, {"energies.py": energies("tf.square"), "train.py": NEEDS_ARGUMENTS})
    inputs = InputSpec((3,)), InputSpec((), "float32")
    function = Function(tmp_path / "energies.py", FunctionSpec("energies:energy", inputs, wrt=(0,)))
    (proof,) = proven(report, asked=Asked(functions=(function,)))
    assert (proof.status, proof.reasons) == ("proven", ())
    assert proof.verdict is not None
    (call,) = proof.verdict.after.calls
    assert [(source.name, source.value and source.value.shape) for source in call.sources] == [("state", (3,))]


def test_a_notebook_is_told_in_cells(tmp_path: Path) -> None:
    def notebook(square: str) -> bytes:
        first = "import numpy as np\nimport tensorflow as tf\nw = tf.Variable([1.0, 2.0])"
        second = f"display(w)\nwith tf.GradientTape() as tape:\n    loss = tf.reduce_sum({square}(w))"
        return written(document(code(first), code(f"{second}\ntape.gradient(loss, w)"), code("1 / 0")))

    path = tmp_path / "nb.ipynb"
    path.write_bytes(notebook("np.square"))
    (proof,) = proven(Report((FileOutcome(path, path.read_bytes(), notebook("tf.square")),)))
    assert proof.status == "unproven"
    assert proof.reasons == (
        "both versions end with ZeroDivisionError: division by zero at cell 2, line 1 of nb.ipynb",
    )
    assert proof.verdict is not None
    (site,) = proof.verdict.sites
    assert (site.file, site.line_after, site.none_before, site.none_after) == ("nb.ipynb:cell 1", 4, 1, 0)


def test_two_folders_without_an_entry_are_driven(tmp_path: Path) -> None:
    head = "import tensorflow as tf\nimport keras\nimport numpy as np\n\n\nclass Spread(keras.losses.Loss):\n"
    loss = head + "    def call(self, y_true, y_pred):\n        return tf.square(y_true - {}(y_pred))\n"
    for side, tanh in (("before", "np.tanh"), ("after", "tf.tanh")):
        project(tmp_path / side, {"pkg/__init__.py": "", "pkg/losses.py": loss.format(tanh), "other.py": "x = 1\n"})
    result = CliRunner().invoke(app, ["verify", str(tmp_path / "before"), str(tmp_path / "after")])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("losses.py with generated inputs: proven\n  driver of pkg.losses:Spread line ")
    assert "gradient: 1 of 1 None before, 0 of 1 after; target equal\n" in result.stdout
    assert "pkg.losses:Spread was called with generated inputs: float32 (4, 8), float32 (4, 8)\n" in result.stdout
    assert "are the slopes of their targets" in result.stdout
    same = CliRunner().invoke(app, ["verify", str(tmp_path / "after"), str(tmp_path / "after")])
    assert same.exit_code == 2
    assert "nothing in Python differs between" in same.stderr


def test_what_nothing_drives_is_unproven_with_a_hint_in_the_report(tmp_path: Path) -> None:
    text = ENERGY.replace("mass", "how: str").replace("how: str *", "2.0 *").format(square="np.square")
    project(tmp_path, {"energies.py": text, "use.py": "x = 1\n"})
    (tmp_path / "test_it.py").write_text(
        "import tensorflow as tf\nfrom energies import energy\nw = tf.Variable(1.0)\n"
        "def gradient():\n    with tf.GradientTape() as tape:\n        y = energy(w, how='')\n    return tape.gradient(y, w)\n"
    )
    result = CliRunner().invoke(app, ["migrate", str(tmp_path), "--output-dir", str(tmp_path / "report")])
    assert result.exit_code == 1, result.output
    assert "to have it proven, add a driver:" in result.stdout
    (proof,) = json.loads((tmp_path / "report/report.json").read_text())["proofs"]
    assert proof["status"] == "unproven"
    assert 'call = "energies:energy"' in proof["hint"]
    assert "call = &#34;energies:energy&#34;" in (tmp_path / "report/report.html").read_text()
