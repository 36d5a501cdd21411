"""Every kind of statement hands on what is assigned in it."""

from __future__ import annotations

import pytest

from tests.analyse.tables import check

CASES = {
    "a comprehension": """
        with tf.GradientTape() as tape:
            loss = tf.add_n([np.square(v) for v in [w[0], w[1]]])  # TGF101
        tape.gradient(loss, w)
        """,
    "a generator": """
        with tf.GradientTape() as tape:
            loss = sum(np.square(w[i]) for i in range(2))  # TGF101
        tape.gradient(loss, w)
        """,
    "a walrus": """
        with tf.GradientTape() as tape:
            if (y := np.square(w)) is not None:  # TGF101
                loss = tf.reduce_sum(y)
        tape.gradient(loss, w)
        """,
    "match": """
        def cost(kind):
            match kind:
                case "square":
                    return np.square(w)  # TGF101
                case {"power": p}:
                    return np.power(w, 2.0)  # TGF101
                case _:
                    return np.abs(w)  # TGF101
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(cost(input()))
        tape.gradient(loss, w)
        """,
    "try": """
        with tf.GradientTape() as tape:
            try:
                y = np.square(w)  # TGF101
            except ValueError:
                y = np.abs(w)  # TGF101
            finally:
                print("done")
            loss = tf.reduce_sum(y)
        tape.gradient(loss, w)
        """,
    "a loop that adds up": """
        with tf.GradientTape() as tape:
            loss = 0.0
            for i in range(2):
                loss += np.square(w[i])  # TGF101
        tape.gradient(loss, w)
        """,
    "while": """
        with tf.GradientTape() as tape:
            y, n = w, 0
            while n < 3:
                y = np.tanh(y)  # TGF101
                n += 1
            loss = tf.reduce_sum(y)
        tape.gradient(loss, w)
        """,
    "unpacking": """
        with tf.GradientTape() as tape:
            a, (b, *rest) = np.sin(w), (np.cos(w), x)  # TGF101 TGF101
            loss = tf.reduce_sum(a * b)
        tape.gradient(loss, w)
        """,
    "a dictionary's entry": """
        with tf.GradientTape() as tape:
            found = {"loss": np.sum(w), "size": np.size(x)}  # TGF101
            loss = found["loss"]
        tape.gradient(loss, w)
        """,
    "a list that grows": """
        with tf.GradientTape() as tape:
            losses = []
            for i in range(2):
                losses.append(np.exp(w[i]))  # TGF101
            loss = tf.add_n(losses)
        tape.gradient(loss, w)
        """,
    "a conditional expression": """
        with tf.GradientTape() as tape:
            loss = np.sum(w) if len(x) > 1 else tf.zeros([])  # TGF101
        tape.gradient(loss, w)
        """,
    "a with statement beside the tape's": """
        with tf.device("cpu"), tf.GradientTape() as tape:
            with tf.name_scope("cost"):
                loss = np.sum(w)  # TGF101
        tape.gradient(loss, w)
        """,
    "an assignment with a type": """
        with tf.GradientTape() as tape:
            loss: tf.Tensor = np.sum(w)  # TGF101
        tape.gradient(loss, w)
        """,
    "assigned again before it is used": """
        with tf.GradientTape() as tape:
            y = np.square(w)
            y = tf.square(w)
            loss = tf.reduce_sum(y)
        tape.gradient(loss, w)
        """,
    "not on the path": """
        with tf.GradientTape() as tape:
            size = np.sqrt(np.sum(x))
            loss = tf.reduce_sum(w) / size
        tape.gradient(loss, w)
        print(np.mean(w), float(loss))
        """,
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_statements(text: str) -> None:
    check(text)
