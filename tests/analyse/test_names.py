"""What a name means decides whether a call cuts the path: imports, aliases, shadows, closures."""

from __future__ import annotations

import pytest

from tests.analyse.tables import check

IMPORTS = {
    "an alias of the library": """
        import numpy as xp
        import tensorflow as T
        w = T.Variable(1.0)
        with T.GradientTape() as tape:
            loss = xp.square(w)  # TGF101
        tape.gradient(loss, w)
        """,
    "a name imported from it": """
        from numpy import square as sq, sqrt
        from tensorflow import GradientTape, Variable
        w = Variable(1.0)
        with GradientTape() as tape:
            loss = sq(sqrt(w))  # TGF101 TGF101
        tape.gradient(loss, w)
        """,
    "a submodule": """
        import numpy.linalg as la
        import tensorflow as tf
        w = tf.Variable([[1.0]])
        with tf.GradientTape() as tape:
            loss = la.det(w)  # TGF101
        tape.gradient(loss, w)
        """,
    "TensorFlow's version 2 by its long name": """
        import numpy as np
        import tensorflow.compat.v2 as tf
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = np.square(w)  # TGF101
        tape.gradient(loss, w)
        """,
    "TensorFlow's own NumPy": """
        import tensorflow as tf
        import tensorflow.experimental.numpy as np
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = np.sum(np.square(w))
        tape.gradient(loss, w)
        """,
    "a name given to a function": """
        import numpy as np
        import tensorflow as tf
        square = np.square  # TGF116
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = square(w)
        tape.gradient(loss, w)
        """,
    "an import inside a function": """
        import tensorflow as tf
        w = tf.Variable(1.0)
        def cost():
            import numpy as np
            return np.square(w)  # TGF101
        with tf.GradientTape() as tape:
            loss = cost()
        tape.gradient(loss, w)
        """,
    "an import that may fail": """
        import tensorflow as tf
        try:
            import numpy as np
        except ImportError:
            raise
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = np.square(w)  # TGF101
        tape.gradient(loss, w)
        """,
    "a module that only looks like it": """
        import jax.numpy as np
        import tensorflow as tf
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = np.square(w)
        tape.gradient(loss, w)
        """,
}

SCOPES = {
    "a parameter that shadows the library": """
        def cost(np):
            return np.square(w)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(cost(tf))
        tape.gradient(loss, w)
        """,
    "a function of the program that shadows a builtin": """
        def max(a, b):
            return tf.maximum(a, b)
        with tf.GradientTape() as tape:
            loss = max(w, 0.0)
        tape.gradient(loss, w)
        """,
    "a closure": """
        def make(power):
            def cost(v):
                return np.power(v, power)  # TGF101
            return cost
        cost = make(2.0)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(cost(w))
        tape.gradient(loss, w)
        """,
    "nonlocal": """
        def run():
            total = tf.constant(0.0)
            def add(v):
                nonlocal total
                total = total + np.sum(v)  # TGF101
            with tf.GradientTape() as tape:
                add(w)
                loss = total
            return tape.gradient(loss, w)
        run()
        """,
    "global": """
        total = 0.0
        def add(v):
            global total
            total = total + np.sum(v)  # TGF101
        with tf.GradientTape() as tape:
            add(w)
            loss = tf.square(total)
        tape.gradient(loss, w)
        """,
    "a lambda": """
        cost = lambda v: np.sum(v * v)  # TGF101
        with tf.GradientTape() as tape:
            loss = cost(w)
        tape.gradient(loss, w)
        """,
    "a method, and an attribute set elsewhere": """
        class Model:
            def __init__(self):
                self.w = tf.Variable(1.0)
            def cost(self):
                return np.exp(self.w)  # TGF101
        model = Model()
        with tf.GradientTape() as tape:
            loss = model.cost()
        tape.gradient(loss, [model.w])
        """,
    "a default argument": """
        def cost(v, reduce=np.sum):
            return reduce(v)  # TGF101
        with tf.GradientTape() as tape:
            loss = cost(w)
        tape.gradient(loss, w)
        """,
    "a decorated function": """
        import functools
        @functools.lru_cache
        def scale():
            return np.sqrt(2.0)
        with tf.GradientTape() as tape:
            loss = scale() * w
        tape.gradient(loss, w)
        """,
    "functools.partial": """
        import functools
        cost = functools.partial(np.sum, axis=0)
        with tf.GradientTape() as tape:
            loss = tf.square(w) + 0.0 * w
        tape.gradient(loss, w)
        cost(x)
        """,
}


@pytest.mark.parametrize("text", IMPORTS.values(), ids=IMPORTS)
def test_imports(text: str) -> None:
    check(text, head="")


@pytest.mark.parametrize("text", SCOPES.values(), ids=SCOPES)
def test_scopes(text: str) -> None:
    check(text)
