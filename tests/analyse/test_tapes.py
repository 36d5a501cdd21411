"""Which tape records what, what it watches, and how often it may be asked."""

from __future__ import annotations

import pytest

from tests.analyse.tables import check

CASES = {
    "asked twice": """
        with tf.GradientTape() as tape:  # TGF203
            a = tf.reduce_sum(w * w)
            b = tf.reduce_sum(w)
        tape.gradient(a, w)
        tape.gradient(b, w)
        """,
    "asked in a loop": """
        with tf.GradientTape() as tape:  # TGF203
            losses = [tf.reduce_sum(w * w), tf.reduce_sum(w)]
        for loss in losses:
            tape.gradient(loss, w)
        """,
    "a new tape in every pass": """
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w * w)
            tape.gradient(loss, w)
        """,
    "asked once on either way": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
        if len(x) > 1:
            tape.gradient(loss, w)
        else:
            tape.gradient(loss, [w])
        """,
    "persistent": """
        with tf.GradientTape(persistent=True) as tape:
            a = tf.reduce_sum(w * w)
        tape.gradient(a, w)
        tape.gradient(a, w)
        """,
    "the target after the block": """
        with tf.GradientTape() as tape:
            y = tf.square(w)
        loss = tf.reduce_sum(y)  # TGF201
        tape.gradient(loss, w)
        """,
    "the target in the call": """
        with tf.GradientTape() as tape:
            y = tf.square(w)
        tape.gradient(y[0], w)  # TGF201
        """,
    "the forward pass before the block": """
        y = tf.square(w)  # TGF202
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(y)
        tape.gradient(loss, w)
        """,
    "variables not watched": """
        with tf.GradientTape(watch_accessed_variables=False) as tape:  # TGF204
            loss = tf.reduce_sum(w * w)
        tape.gradient(loss, w)
        """,
    "watched by hand": """
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(w)
            loss = tf.reduce_sum(w * w)
        tape.gradient(loss, w)
        """,
    "a tensor not watched": """
        t = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:  # TGF205
            loss = tf.reduce_sum(t * t)
        tape.gradient(loss, t)
        """,
    "a tensor watched": """
        t = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch([t])
            loss = tf.reduce_sum(t * t)
        tape.gradient(loss, t)
        """,
    "a tensor made from a variable while the tape records": """
        with tf.GradientTape() as tape:
            t = w * 2.0
            loss = tf.reduce_sum(t * t)
        tape.gradient(loss, t)
        """,
    "a second derivative": """
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                loss = tf.reduce_sum(w ** 3)
            slope = inner.gradient(loss, w)
        outer.gradient(slope, w)
        """,
    "recording stopped on purpose": """
        with tf.GradientTape() as tape:
            with tape.stop_recording():
                size = tf.norm(w)
            loss = tf.reduce_sum(w * w) + size
        tape.gradient(loss, w)
        """,
    "a function that gets the tape": """
        def ask(tape, loss):
            return tape.gradient(loss, w)
        with tf.GradientTape() as tape:
            loss = np.sum(w)  # TGF101
        ask(tape, loss)
        """,
    "a traced function": """
        @tf.function
        def step():
            with tf.GradientTape() as tape:
                loss = np.sum(w)  # TGF101
            return tape.gradient(loss, w)
        step()
        """,
    "a branch in a traced function is converted": """
        @tf.function
        def step():
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w * w)
                if loss > 1.0:
                    loss = loss * 2.0
            return tape.gradient(loss, w)
        step()
        """,
    "an eager branch beside no cut": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
            if loss > 1.0:
                loss = loss * 2.0
        tape.gradient(loss, w)
        """,
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_tapes(text: str) -> None:
    check(text)
