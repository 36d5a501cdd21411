"""`fix --graph-ready`: what the tape records becomes traceable as a whole, with the values it had."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Final

import pytest

from tfgradfix.rewrite.apply import Rewritten, rewrite

PATH: Final = Path("main.py")
HEAD: Final = "import numpy as np\nimport tensorflow as tf\n"

#: name → functions before and after; `loss(w, x)` is what the tape records.
FUNCTIONS: Final[dict[str, tuple[str, str]]] = {
    "a test on data becomes a mask": (
        """
        def weight(x, wanted):
            if (x == wanted).all():
                found = 1
            else:
                found = 0
            return found
        def loss(w, x):
            return weight(x, x) * tf.reduce_sum(w * x)
        """,
        """
        def weight(x, wanted):
            found = tf.cast(tf.reduce_all(x == wanted), tf.float32)
            return found
        def loss(w, x):
            return weight(x, x) * tf.reduce_sum(w * x)
        """,
    ),
    "a teacher stays a constant": (
        """
        teacher = tf.Variable([0.3, 0.2, 0.1])
        def advice(x):
            return np.tanh(teacher.numpy() * x)
        def loss(w, x):
            return tf.reduce_sum((w * x - advice(x)) ** 2)
        """,
        """
        teacher = tf.Variable([0.3, 0.2, 0.1])
        def advice(x):
            return tf.tanh(tf.stop_gradient(teacher) * x)
        def loss(w, x):
            return tf.reduce_sum((w * x - advice(x)) ** 2)
        """,
    ),
    "NumPy on data": (
        """
        def scale(x):
            return np.sqrt(np.mean(np.square(x)))
        def loss(w, x):
            return tf.reduce_sum(w * x) / scale(x)
        """,
        """
        def scale(x):
            return tf.sqrt(tf.reduce_mean(tf.square(x)))
        def loss(w, x):
            return tf.reduce_sum(w * x) / scale(x)
        """,
    ),
    "a branch that adds": (
        """
        def loss(w, x):
            total = tf.reduce_sum(w * x)
            if np.max(x) > 2.0:
                total = total + 0.5 * np.max(x)
            return total
        """,
        """
        def loss(w, x):
            total = tf.reduce_sum(w * x)
            total = tf.where(tf.reduce_max(x) > 2.0, total + 0.5 * tf.reduce_max(x), total)
            return total
        """,
    ),
}


def program(functions: str) -> str:
    """A program whose tape records `loss`."""
    body = """
        w = tf.Variable([1.0, 2.0, 3.0])
        x = np.array([0.5, 1.0, 3.0], dtype=np.float32)
        with tf.GradientTape() as tape:
            value = loss(w, x)
        gradient = tape.gradient(value, w)
        """
    return HEAD + dedent(functions).lstrip() + dedent(body).lstrip()


def ready(text: str) -> Rewritten:
    """What comes of a program."""
    return rewrite({PATH: text}, graph_ready=True)


@pytest.mark.parametrize(("before", "after"), FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_made_traceable(before: str, after: str) -> None:
    result = ready(program(before))
    assert not result.declined.get(PATH)
    assert result.texts[PATH] == program(after)
    assert not ready(program(after)).texts


@pytest.mark.parametrize("before", [before for before, _ in FUNCTIONS.values()], ids=FUNCTIONS.keys())
def test_off_by_default(before: str) -> None:
    assert not rewrite({PATH: program(before)}).texts


@pytest.mark.slow
@pytest.mark.parametrize("before", [before for before, _ in FUNCTIONS.values()], ids=FUNCTIONS.keys())
def test_traced_values_are_the_eager_ones(before: str) -> None:
    tf = pytest.importorskip("tensorflow")
    outcomes = []
    traced = "loss = tf.function(loss)\nw = tf.Variable"
    after = ready(program(before)).texts[PATH]
    for text in (program(before), after, after.replace("\nw = tf.Variable", "\n" + traced, 1)):
        names: dict[str, object] = {}
        exec(compile(text, "main", "exec"), names)
        outcomes.append((names["value"], names["gradient"]))
    for value, gradient in outcomes[1:]:
        tf.debugging.assert_near(value, outcomes[0][0])
        tf.debugging.assert_near(gradient, outcomes[0][1])


@pytest.mark.slow
def test_the_energy_of_bosons_is_the_same_when_traced() -> None:
    pytest.importorskip("tensorflow")
    example = Path(__file__).resolve().parents[1] / "examples" / "many_body_numpy.py"
    text = example.read_text(encoding="utf-8")
    after = ready(text).texts[PATH]
    traced = after.replace("optimizer = optimizers", "H_tilda = tf.function(H_tilda)\noptimizer = optimizers", 1)
    energies = []
    for one in (rewrite({PATH: text}).texts[PATH], after, traced):
        names: dict[str, object] = {"__name__": "__main__"}
        exec(compile(one, "main", "exec"), names)
        energies.append(float(names["eival"]))  # type: ignore[arg-type]
    assert energies[1] == pytest.approx(energies[0], rel=1e-5)
    assert energies[2] == pytest.approx(energies[0], rel=1e-5)
