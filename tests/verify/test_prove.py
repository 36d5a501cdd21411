"""Verdicts on real programs, run with TensorFlow before and after a change."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tfgradfix.verify import Agreement, HarnessError, Status, Verdict, Version, verify, verify_versions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Judge = Callable[..., Verdict]

pytestmark = pytest.mark.runs_tensorflow

#: A training loop; LOSS is what it takes the gradient of.
LOOP = """
w, b = tf.Variable([1.0, -2.0], name="w"), tf.Variable(0.5, name="b")
x, y = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1.0, 2.0])
for step in range(3):
    with tf.GradientTape() as tape:
        error = tf.linalg.matvec(x, w) + b - y
        loss = LOSS
    grads = tape.gradient(loss, [w, b])
    for variable, grad in zip([w, b], grads):
        if grad is not None:
            variable.assign_sub(0.01 * grad)
    print(float(loss))
"""
BROKEN = "tf.constant(np.mean(np.square(error)))"
MENDED = "tf.reduce_mean(tf.square(error))"


def loop(loss: str) -> str:
    return LOOP.replace("LOSS", loss)


def test_proven(judged: Judge) -> None:
    verdict = judged(loop(BROKEN), loop(MENDED))
    assert verdict.proven, verdict.reasons
    assert verdict.reasons == ()
    (site,) = verdict.sites
    assert (site.line_before, site.line_after) == (10, 10)
    assert (site.none_before, site.none_after, site.sources_after) == (2, 0, 2)
    assert (site.calls_before, site.calls_after) == (3, 3)
    assert verdict.rows[0].target in (Agreement.EQUAL, Agreement.CLOSE)
    assert verdict.rows[1].target is Agreement.UNKNOWN
    assert "targets were compared at 1 call" in verdict.notes[0]
    assert json.loads(json.dumps(verdict.record()))["status"] == "proven"


@pytest.mark.parametrize(
    ("after", "words"),
    [
        pytest.param(MENDED.replace("mean", "sum"), "the target in line 10 of after.py is", id="wrong value"),
        pytest.param(
            "tf.stop_gradient(tf.reduce_mean(tf.square(error)))",
            "w, b in line 10 of after.py is still None",
            id="still none",
        ),
        pytest.param(MENDED + " + np.zeros(3)[step]['a']", "after ends with IndexError", id="new error"),
        pytest.param(MENDED + " + 1e-9 * tf.sqrt(b - b)", "is not finite", id="nan"),
    ],
)
def test_failed(judged: Judge, after: str, words: str) -> None:
    verdict = judged(loop(BROKEN), loop(after))
    assert verdict.status is Status.FAILED
    assert any(words in reason for reason in verdict.reasons), verdict.reasons


def test_same_broken_program_is_never_proven(judged: Judge) -> None:
    verdict = judged(loop(BROKEN), loop(BROKEN))
    assert verdict.status is Status.FAILED
    assert "still None" in verdict.reasons[0]


def test_healthy_program_has_to_train_alike(judged: Judge) -> None:
    assert judged(loop(MENDED), loop("tf.reduce_mean(error * error)")).proven
    halved = "0.5 * (" + MENDED + " + tf.stop_gradient(" + MENDED + "))"
    verdict = judged(loop(MENDED), loop(halved))
    assert verdict.status is Status.FAILED
    assert any("not the slope of its target" in reason for reason in verdict.reasons)
    assert any("lacks a part" in reason for reason in verdict.reasons)
    assert judged(loop(MENDED), loop(halved), partial=False).status is Status.FAILED


def test_no_gradient_call_is_unproven(judged: Judge) -> None:
    verdict = judged("print(np.ones(2))", "print(tf.ones(2))")
    assert verdict.status is Status.UNPROVEN
    assert verdict.reasons == ("no gradient call was observed",)


def test_call_not_reached_is_unproven(judged: Judge) -> None:
    unreached = "\nif len(x) > 5:\n    tape.gradient(loss, w)\n"
    verdict = judged(loop(BROKEN) + unreached, loop(MENDED) + unreached)
    assert verdict.status is Status.UNPROVEN
    assert verdict.reasons == ("the gradient call in line 17 of after.py was never made",)


def test_error_of_both_versions_is_unproven(judged: Judge) -> None:
    ending = "\nopen('missing.txt')\n"
    verdict = judged(loop(BROKEN) + ending, loop(MENDED) + ending)
    assert verdict.status is Status.UNPROVEN
    assert "both versions end with FileNotFoundError" in verdict.reasons[0]


def test_time_limit_is_unproven(judged: Judge) -> None:
    ending = "\nwhile True:\n    pass\n"
    verdict = judged(loop(BROKEN) + ending, loop(MENDED) + ending, timeout=8.0)
    assert verdict.status is Status.UNPROVEN
    assert "time limit" in verdict.reasons[0]
    assert len(verdict.after.calls) == 3


def test_values_inside_a_function_are_compared_eagerly(judged: Judge) -> None:
    program = """
        v = tf.Variable([1.0, 2.0], name="v")
        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = LOSS
            v.assign_sub(0.1 * tape.gradient(loss, v))
            return loss
        step(tf.constant(3.0))
        """
    before = program.replace("LOSS", "np.sum(v) * x")
    verdict = judged(before, program.replace("LOSS", "tf.reduce_sum(v) * x"))
    assert verdict.proven, verdict.reasons
    assert [row.target for row in verdict.rows if row.eager] == [Agreement.EQUAL]
    verdict = judged(before, program.replace("LOSS", "tf.reduce_mean(v) * x"))
    assert verdict.status is Status.FAILED
    assert "the target in line 9 of after.py is 4.5, before 9" in verdict.reasons[0]


def test_keras_fit(judged: Judge) -> None:
    program = """
        import keras
        def loss(y_true, y_pred):
            return LOSS
        model = keras.Sequential([keras.layers.Dense(2, activation="tanh"), keras.layers.Dense(1)])
        model.compile("adam", loss)
        x = np.random.default_rng().random((16, 3)).astype("float32")
        print(model.fit(x, x[:, :1], epochs=2, verbose=0).history)
        """
    before = program.replace("LOSS", "np.mean(np.abs(y_true - y_pred), axis=-1)")
    verdict = judged(before, program.replace("LOSS", "tf.reduce_mean(tf.abs(y_true - y_pred), axis=-1)"))
    assert verdict.proven, verdict.reasons
    assert all(row.library for row in verdict.rows)
    assert Agreement.DIFFERENT not in {row.target for row in verdict.rows}
    assert any(row.target is not Agreement.UNKNOWN for row in verdict.rows if row.eager)


def test_program_that_never_repeats_itself_is_unproven(judged: Judge) -> None:
    noise = " * (1.0 + int.from_bytes(__import__('os').urandom(1), 'big'))"
    verdict = judged(loop(BROKEN + noise), loop(MENDED + noise))
    assert verdict.status is Status.UNPROVEN
    assert "differs from run to run" in verdict.reasons[0]


def test_project(python: Path, tmp_path: Path) -> None:
    for name, loss in (("before", BROKEN), ("after", MENDED)):
        package = tmp_path / name / "losses"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(
            f"import numpy as np\nimport tensorflow as tf\ndef total(error):\n    return {loss}\n"
        )
        (tmp_path / name / "train.py").write_text(
            "import tensorflow as tf\nfrom losses import total\n" + loop("total(error)")
        )
    before, after = tmp_path / "before", tmp_path / "after"
    assert verify(before, after, entry="train.py", python=python).proven
    changed = {before / "losses" / "__init__.py": (after / "losses" / "__init__.py").read_bytes()}
    script = before / "train.py"
    assert verify_versions(Version(script, before), Version(script, before, changed), python=python).proven
    changed[before / "unused.py"] = b""
    verdict = verify_versions(Version(script, before), Version(script, before, changed), python=python)
    assert verdict.reasons == ("unused.py was changed, but the program does not load it",)
    assert not list(tmp_path.rglob("__pycache__"))


def test_no_script_is_an_error(python: Path, tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="no such script"):
        verify(tmp_path / "none.py", tmp_path / "none.py", python=python)


def test_broken_tensorflow_is_an_error(python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site" / "tensorflow").mkdir(parents=True)
    (tmp_path / "site" / "tensorflow" / "__init__.py").write_text("raise OSError('no library')")
    (tmp_path / "script.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    with pytest.raises(HarnessError, match="cannot be imported: OSError: no library"):
        verify(tmp_path / "script.py", tmp_path / "script.py", python=python)
