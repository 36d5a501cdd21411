"""What the half of the harness in the child sees of real programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tfgradfix.verify import GradientCall, Run, Version, version_of
from tfgradfix.verify.kept_output import KEPT
from tfgradfix.verify.run import run

if TYPE_CHECKING:
    from collections.abc import Callable

    Observe = Callable[..., Run]

pytestmark = pytest.mark.runs_tensorflow

EAGER = """
x, y = tf.Variable(3.0), tf.Variable([1.0, 2.0], name="pair")
with tf.GradientTape() as tape:
    loss = x * x + tf.reduce_sum(y)
tape.gradient(loss, [x, y])  # plain
with tf.GradientTape(persistent=True) as tape:
    loss = x * x
    lost = loss.numpy()
tape.gradient(loss, {"a": x, "b": y})  # persistent
tape.gradient(loss * 2, x)  # persistent again
with tf.GradientTape() as tape:
    rows = y * y
tape.jacobian(rows, y)  # jacobian
with tf.GradientTape() as tape:
    tape.watch(points := tf.constant([[1.0, 2.0]]))
    squares = points * points
tape.batch_jacobian(squares, points)  # batch_jacobian
table = tf.Variable(tf.zeros((5, 2)))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.gather(table, [1, 1, 3]))
tape.gradient(loss, table)  # slices
with tf.GradientTape() as tape:
    loss = tf.math.log(x - 3.0)
tape.gradient(loss, x)  # infinite
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        loss = x * x * x
    slope = inner.gradient(loss, x)  # inner
outer.gradient(slope, x)  # outer
for step in range(100):
    with tf.GradientTape() as tape:
        loss = x * x
    x.assign_sub(0.1 * tape.gradient(loss, x))  # loop
with tf.GradientTape() as tape:
    loss = x * x
try:
    tape.gradient(float(loss), x)  # raises
except (AttributeError, TypeError):
    print("caught", flush=True)
"""


def at(run: Run, line: str) -> list[GradientCall]:
    """The calls made in the line that ends with the comment ``line``."""
    text = ("import numpy as np\nimport tensorflow as tf\n" + EAGER).splitlines()
    number = next(row for row, content in enumerate(text, 1) if content.endswith(f"# {line}"))
    return [call for call in run.calls if call.place.line == number]


@pytest.fixture(scope="module")
def eager(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """One run of the program with many kinds of gradient calls."""
    script = tmp_path_factory.mktemp("eager") / "program.py"
    script.write_text("import numpy as np\nimport tensorflow as tf\n" + EAGER)
    return run(version_of(script), python=python)


def numbers(call: GradientCall) -> list[tuple[float, ...] | None]:
    return [source.gradient.numbers if source.gradient else None for source in call.sources]


def test_run_ends_well(eager: Run) -> None:
    assert (eager.ended, eager.failure, eager.troubles, eager.status) == ("finished", None, (), 0)
    assert eager.output == "caught\n"
    assert eager.versions["tensorflow"]


def test_plain_call(eager: Run) -> None:
    (call,) = at(eager, "plain")
    assert call.place.file == "program.py"
    assert call.place.library is None
    assert [target.numbers for target in call.targets if target] == [(12.0,)]
    assert [source.name for source in call.sources] == ["Variable[0]", "pair"]
    assert numbers(call) == [(6.0,), (1.0, 1.0)]
    assert call.finite is True


def test_persistent_tape_and_dict(eager: Run) -> None:
    (call,) = at(eager, "persistent")
    assert call.missing == ("pair",)
    assert [source.name for source in call.sources] == ["Variable[a]", "pair"]
    (again,) = at(eager, "persistent again")
    assert again.missing == ("Variable",)


@pytest.mark.parametrize(
    ("line", "expected"), [("jacobian", (2.0, 0.0, 0.0, 4.0)), ("batch_jacobian", (2.0, 0.0, 0.0, 4.0))]
)
def test_jacobian_counts_once(eager: Run, line: str, expected: tuple[float, ...]) -> None:
    (call,) = at(eager, line)
    assert call.method == line
    assert numbers(call) == [expected]


def test_indexed_slices_add_up(eager: Run) -> None:
    (call,) = at(eager, "slices")
    assert numbers(call) == [(0.0, 0.0, 2.0, 2.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0)]


def test_infinite_gradient(eager: Run) -> None:
    (call,) = at(eager, "infinite")
    assert call.finite is False


def test_nested_tapes(eager: Run) -> None:
    assert numbers(at(eager, "inner")[0]) == [(27.0,)]
    assert numbers(at(eager, "outer")[0]) == [(18.0,)]


def test_later_calls_are_thinned_and_counted(eager: Run) -> None:
    calls = at(eager, "loop")
    assert [call.index for call in calls] == list(range(65))
    assert calls[1].updates > calls[0].updates
    assert eager.totals[calls[0].site] == 100


def test_call_that_raises_has_its_target(eager: Run) -> None:
    (call,) = at(eager, "raises")
    assert call.error is not None
    assert call.targets[0] is not None
    assert call.targets[0].dtype == "float64"


def test_trained_weights_at_the_end(eager: Run) -> None:
    assert [value.shape for value in eager.weights if value] == [(), (2,), (5, 2)]


def test_graph_and_fit(observed: Observe) -> None:
    seen = observed(
        """
        import keras
        class Home(keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = keras.layers.Dense(1)
            def call(self, x):
                return self.dense(x)
            def train_step(self, data):
                x, y = data
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((self(x) - y) ** 2)
                grads = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
                return {"loss": loss}
        v = tf.Variable(1.0)
        @tf.function
        def step(x):
            if tf.reduce_sum(x) > 0.0:
                x = x + 1.0
            with tf.GradientTape() as tape:
                loss = v * x
            return tape.gradient(loss, v)
        step(tf.constant(1.0))
        step(tf.constant(2.0))
        x, y = np.ones((8, 2), "float32"), np.ones((8, 1), "float32")
        plain = keras.Sequential([keras.layers.Dense(1)])
        plain.compile("sgd", "mse")
        plain.fit(x, y, verbose=0)
        home = Home()
        home.compile("sgd")
        home.fit(x, y, verbose=0)
        """
    )
    assert seen.ended == "finished", seen.errors
    assert {call.graph for call in seen.calls} == {True}
    own = [call for call in seen.calls if call.place.library is None]
    assert {(call.place.line, call.place.function) for call in own} == {(25, "step"), (15, "train_step")}
    through = {(call.place.line, call.place.library) for call in seen.calls if call.place.library}
    assert {line for line, _ in through} == {31}
    assert all(library.startswith("keras.") for _, library in through if library)  # its place differs by version
    assert not any(call.missing for call in seen.calls)
    assert all(value and value.finite for value in seen.weights)
    assert "dense" in seen.calls[-1].sources[0].name


def test_runs_as_python_would(observed: Observe, tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("VALUE = 5\n")
    (tmp_path / "data.txt").write_text("here")
    seen = observed(
        """
        import os, random, sys, pickle
        import beside
        class Kept: ...
        assert __name__ == "__main__" and sys.modules["__main__"].__dict__ is globals()
        assert isinstance(pickle.loads(pickle.dumps(Kept())), Kept)
        assert sys.argv[1:] == ["--n", "3"] and sys.argv[0] == __file__
        assert sys.path[0] == os.path.dirname(__file__)
        assert open("data.txt").read() == "here"
        assert not tf.executing_eagerly.__module__.startswith("tfgradfix")
        open("left.txt", "w").write("x")
        print(random.random(), np.random.rand(), np.random.default_rng().random(), float(tf.random.normal(())))
        sys.exit(0)
        """,
        arguments=["--n", "3"],
    )
    assert (seen.ended, seen.status) == ("finished", 0), seen.errors
    assert seen.modules is not None
    assert seen.modules >= {"program.py", "beside.py"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["beside.py", "data.txt", "program.py"]
    assert observed("import random\nprint(random.random())").output.split()[0] == seen.output.split()[0]


def test_error_has_the_users_line(observed: Observe) -> None:
    seen = observed(
        """
        def deep(x):
            return np.mean(x)
        @tf.function
        def step(x):
            return deep(x)
        step(tf.constant([1.0]))
        """
    )
    assert seen.ended == "error"
    assert seen.failure is not None
    assert seen.failure.type == "NotImplementedError"
    assert [frame.line for frame in seen.failure.frames if frame.function in ("deep", "step")][-1] == 5
    assert "Cannot convert a symbolic" in str(seen.failure)
    assert "verify/inside" not in seen.errors


def test_time_limit_keeps_what_was_seen(observed: Observe) -> None:
    seen = observed(
        """
        import subprocess, time
        v = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = v * 2.0
        tape.gradient(loss, v)
        child = subprocess.Popen(["sleep", "300"])
        print(child.pid, flush=True)
        while True:
            try:
                time.sleep(1)
            except BaseException:
                pass
        """,
        timeout=4.0,
    )
    assert seen.ended == "time limit"
    assert len(seen.calls) == 1
    assert seen.seconds < 20
    state = Path(f"/proc/{seen.output.strip()}/stat")
    if sys.platform == "linux":
        assert not state.exists() or ") Z " in state.read_text()


def test_much_output(observed: Observe) -> None:
    seen = observed("for i in range(400_000):\n    print('line', i)\n")
    assert seen.ended == "finished"
    assert seen.output.startswith("line 0\n")
    assert seen.output.endswith("line 399999\n")
    assert "bytes left out" in seen.output
    assert len(seen.output) < 3 * KEPT


def test_hard_exit_is_reported(observed: Observe) -> None:
    seen = observed(
        """
        import os
        v = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = v * 2.0
        tape.gradient(loss, v)
        os._exit(0)
        """
    )
    assert (seen.ended, seen.status, len(seen.calls), len(seen.weights)) == ("finished", 0, 1, 1)


@pytest.mark.parametrize(
    ("text", "ended", "status"),
    [
        pytest.param("import sys\nsys.exit(3)", "error", 3, id="exit status"),
        pytest.param("import os\nos.kill(os.getpid(), 9)", "killed", -9, id="signal"),
        pytest.param("import os\nos.closerange(3, 60)\nopen('a.txt', 'w')", "killed", 0, id="descriptors"),
    ],
)
def test_other_ends(observed: Observe, text: str, ended: str, status: int) -> None:
    seen = observed(text)
    assert (seen.ended, seen.status) == (ended, status)


def test_error_in_a_thread_is_seen(observed: Observe) -> None:
    seen = observed(
        """
        import threading
        def work():
            raise KeyError("lost")
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        """
    )
    assert seen.failure is not None
    assert seen.failure.type == "in a thread: KeyError"
    assert not seen.finished


def test_optimizer_of_tensorflow_one(observed: Observe) -> None:
    seen = observed(
        """
        v = tf.Variable(1.0, name="v")
        optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.1)
        for _ in range(2):
            optimizer.minimize(lambda: v * v)
        """
    )
    assert [call.updates > 0 for call in seen.calls] == [False, True]
    assert all(call.place.library for call in seen.calls)
    assert [numbers(call) for call in seen.calls] == [[(2.0,)], [pytest.approx((1.6,))]]


def test_changed_files_are_seen_and_not_written(python: Path, tmp_path: Path) -> None:
    script, helper = tmp_path / "main.py", tmp_path / "helper.py"
    script.write_text("import helper\nprint(helper.VALUE)\n")
    helper.write_text("VALUE = 1\n")
    version = Version(script, tmp_path, {helper: b"VALUE = 2\n"})
    assert run(version, python=python).output == "2\n"
    assert helper.read_text() == "VALUE = 1\n"


WAYS = """
x, w = tf.Variable([1.0, 2.0], name="x"), tf.Variable(3.0, name="w")
with tf.autodiff.ForwardAccumulator(x, tf.ones(2)) as accumulator:
    y, z = x * x, tf.constant(1.0) * 2.0
accumulator.jvp(y)
accumulator.jvp([y, z])

@tf.function
def slopes(t):
    return tf.gradients(t * t, t)

slopes(tf.constant(2.0))
with tf.Graph().as_default():
    v1 = tf.compat.v1
    own, other = (v1.get_variable(name, initializer=1.0, use_resource=True) for name in ("own", "other"))
    v1.train.GradientDescentOptimizer(0.1).compute_gradients(own * own)
v1.train.GradientDescentOptimizer(0.1).compute_gradients(lambda: w * w, [w])
"""


def test_every_way_to_ask_is_seen(observed: Observe) -> None:
    seen = observed(WAYS)
    assert seen.failure is None, seen.failure
    assert [(call.method, call.graph, call.missing) for call in seen.calls] == [
        ("jvp", False, ()),
        ("jvp", False, ("tensor[1]",)),
        ("gradients", True, ()),
        ("compute_gradients", True, ("other",)),
        ("gradient", False, ()),
    ]
    assert seen.calls[0].sources[0].gradient is not None
    assert seen.calls[0].sources[0].gradient.numbers == (2.0, 4.0)
    assert not seen.troubles
