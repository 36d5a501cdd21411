"""What is a fault and what is meant: whole and partial cuts, detachment on purpose, and calls that are not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analyse.tables import HEAD, check
from tfgradfix.analyse import analyse
from tfgradfix.model import Extent, Level

MEANT = {
    "the target of a temporal difference": """
        net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        with tf.GradientTape() as tape:
            best = np.max(net(x[None] + 1.0).numpy(), axis=1)
            loss = tf.reduce_mean(tf.square(1.0 + 0.9 * best - net(x[None])))
        tape.gradient(loss, net.trainable_variables)
        """,
    "stop_gradient on a branch": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * tf.stop_gradient(w))
        tape.gradient(loss, w)
        """,
    "an advantage": """
        net = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        with tf.GradientTape() as tape:
            out = net(x[None])
            advantage = 1.0 - out[:, 0].numpy()
            loss = tf.reduce_mean(-out[:, 1] * advantage + tf.square(1.0 - out[:, 0]))
        tape.gradient(loss, net.trainable_variables)
        """,
    "logging": """
        history = []
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
            history.append(float(loss))
            print(np.mean(w), loss.numpy(), f"{np.sqrt(loss):.3f}")
        tape.gradient(loss, w)
        """,
    "a step size worked out from the weights": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
        g = tape.gradient(loss, w)
        w.assign_sub(0.1 * g / np.linalg.norm(w.numpy()))
        """,
    "a shape": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w) / np.prod(w.shape) / len(w)
        tape.gradient(loss, w)
        """,
    "predict after training": """
        net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(x[None]))
        tape.gradient(loss, net.trainable_variables)
        print(np.mean(net.predict(x[None])))
        """,
}

UNKNOWN = {
    "a function of an unknown library": """
        import somelibrary
        with tf.GradientTape() as tape:
            loss = somelibrary.cost(w)
        tape.gradient(loss, w)
        """,
    "a method of an unknown object": """
        def train(model, data):
            with tf.GradientTape() as tape:
                loss = model.cost(data)
            return tape.gradient(loss, model.weights)
        """,
    "a NumPy function that TensorFlow takes part in": """
        def train(model, data):
            with tf.GradientTape() as tape:
                loss = np.shape(model(data))
            return tape
        """,
    "a name that is bound nowhere": """
        with tf.GradientTape() as tape:
            loss = magic(w)
        tape.gradient(loss, w)
        """,
    "a callable from a dictionary that is filled elsewhere": """
        import registry
        with tf.GradientTape() as tape:
            loss = registry.COSTS["square"](w)
        tape.gradient(loss, w)
        """,
}

CUT = {
    "an unknown call on the path does not hide the cut behind it": """
        import somelibrary
        with tf.GradientTape() as tape:
            loss = np.sum(somelibrary.cost(tf.square(w)))  # TGF101
        tape.gradient(loss, w)
        """,
    "the only path is detached by hand": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w.numpy() * x)  # TGF103
        tape.gradient(loss, w)
        """,
    "float": """
        with tf.GradientTape() as tape:
            loss = float(tf.reduce_sum(w)) * 2.0  # TGF104
        tape.gradient(loss, w)
        """,
    "a method of an array": """
        with tf.GradientTape() as tape:
            loss = np.square(w).mean()  # TGF101 TGF102
        tape.gradient(loss, w)
        """,
    "math": """
        import math
        with tf.GradientTape() as tape:
            loss = math.exp(w[0])  # TGF106
        tape.gradient(loss, w)
        """,
    "a list of tensors made an array": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(np.array([w[0] * 2.0, w[1]]))  # TGF107
        tape.gradient(loss, w)
        """,
    "argmax": """
        with tf.GradientTape() as tape:
            loss = tf.cast(tf.argmax(w), tf.float32)  # TGF401
        tape.gradient(loss, w)
        """,
    "the conversion of one of two selections of one tensor": """
        def phi(v):
            return v[0] + v[1]
        m = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as tape:
            loss = np.real(phi(np.copy(m[0])) * phi(m[1].numpy()))  # TGF101 TGF101 TGF103
        tape.gradient(loss, m)
        """,
    "a detachment that only one formula gets": """
        m = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as tape:
            loss = np.sum(np.copy(m[0]) * (1.0 - m[1].numpy()))  # TGF101 TGF101
        tape.gradient(loss, m)
        """,
}

KERAS = {
    "a loss given to compile": """
        def cost(y_true, y_pred):
            return np.mean(np.square(y_true - y_pred))  # TGF101 TGF101
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("sgd", loss=cost)
        model.fit(x, x)
        """,
    "a loss that is a class": """
        class Cost(tf.keras.losses.Loss):
            def call(self, y_true, y_pred):
                return np.abs(y_true - y_pred)  # TGF101
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("sgd", loss=Cost())
        model.fit(x, x)
        """,
    "a loss of Keras": """
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("sgd", loss="mse")
        model.fit(np.sqrt(x), np.log(x))
        """,
    "a callback": """
        class Log(tf.keras.callbacks.Callback):
            def on_epoch_end(self, epoch, logs=None):
                print(np.mean(self.model.predict(x)))
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("sgd", loss="mse")
        model.fit(x, x, callbacks=[Log()])
        """,
    "a layer": """
        class Gate(tf.keras.layers.Layer):
            def call(self, inputs):
                return np.tanh(inputs)  # TGF101
        model = tf.keras.Sequential([tf.keras.layers.Dense(1), Gate()])
        model.compile("sgd", loss="mse")
        model.fit(x, x)
        """,
}


@pytest.mark.parametrize("text", MEANT.values(), ids=MEANT)
def test_what_is_meant_is_no_fault(text: str) -> None:
    check(text)


@pytest.mark.parametrize("text", UNKNOWN.values(), ids=UNKNOWN)
def test_what_is_not_known_is_no_fault(text: str) -> None:
    check(text)


@pytest.mark.parametrize("text", CUT.values(), ids=CUT)
def test_cuts(text: str) -> None:
    check(text)


@pytest.mark.parametrize("text", KERAS.values(), ids=KERAS)
def test_keras(text: str) -> None:
    check(text)


@pytest.mark.parametrize(
    ("loss", "extent"),
    [("np.sum(w)", Extent.WHOLE), ("np.sum(w) + tf.reduce_sum(w * w)", Extent.PARTIAL)],
)
def test_whether_all_paths_are_cut(loss: str, extent: Extent) -> None:
    text = f"{HEAD}with tf.GradientTape() as tape:\n    loss = {loss}\ntape.gradient(loss, w)\n"
    (found,) = analyse({Path("main.py"): text})[Path("main.py")]
    assert (found.code, found.extent, found.level) == ("TGF101", extent, Level.SAFE)
    assert found.path[0].text.startswith("tf.Variable")
