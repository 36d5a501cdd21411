"""A program of many modules: the cut is found where it is, whatever way its module is imported."""

from __future__ import annotations

import pytest

from tests.analyse.tables import check

CASES = {
    "a module beside": """
        #: costs.py
        import numpy as np
        def cost(w):
            return np.sum(w)  # TGF101
        #: main.py
        import tensorflow as tf
        import costs
        w = tf.Variable([1.0])
        with tf.GradientTape() as tape:
            loss = costs.cost(w)
        tape.gradient(loss, w)
        """,
    "relative imports": """
        #: pkg/__init__.py
        #: pkg/costs.py
        import numpy as np
        def cost(w):
            return np.sum(w)  # TGF101
        #: pkg/sub/__init__.py
        #: pkg/sub/train.py
        import tensorflow as tf
        from ..costs import cost
        from . import more
        w = tf.Variable([1.0])
        with tf.GradientTape() as tape:
            loss = cost(more.twice(w))
        tape.gradient(loss, w)
        #: pkg/sub/more.py
        import numpy
        def twice(w):
            return numpy.multiply(w, 2.0)  # TGF101
        """,
    "a star import": """
        #: costs.py
        import numpy as np
        def cost(w):
            return np.sum(w)  # TGF101
        def _hidden(w):
            return np.sum(w)
        #: main.py
        import tensorflow as tf
        from costs import *
        w = tf.Variable([1.0])
        with tf.GradientTape() as tape:
            loss = cost(w)
        tape.gradient(loss, w)
        """,
    "a library that another module imports": """
        #: common.py
        import numpy as np
        import tensorflow as tf
        #: main.py
        from common import np, tf
        w = tf.Variable([1.0])
        with tf.GradientTape() as tape:
            loss = np.sum(w)  # TGF101
        tape.gradient(loss, w)
        """,
    "handed on by the package": """
        #: pkg/__init__.py
        from .costs import cost as price
        #: pkg/costs.py
        import numpy as np
        def cost(w):
            return np.sum(w)  # TGF101
        #: main.py
        import tensorflow as tf
        import pkg
        w = tf.Variable([1.0])
        with tf.GradientTape() as tape:
            loss = pkg.price(w)
        tape.gradient(loss, w)
        """,
    "a src folder": """
        #: src/pkg/__init__.py
        #: src/pkg/costs.py
        import numpy as np
        def cost(w):
            return np.sum(w)  # TGF101
        #: src/train.py
        import tensorflow as tf
        from pkg.costs import cost
        w = tf.Variable([1.0])
        with tf.GradientTape() as tape:
            loss = cost(w)
        tape.gradient(loss, w)
        """,
    "modules that import each other": """
        #: a.py
        import b
        import numpy as np
        def square(w):
            return np.square(w)  # TGF101
        def cost(w):
            return b.total(w)
        #: b.py
        import a
        import numpy as np
        def total(w):
            return np.sum(a.square(w))  # TGF101
        #: main.py
        import tensorflow as tf
        import a
        w = tf.Variable([1.0])
        with tf.GradientTape() as tape:
            loss = a.cost(w)
        tape.gradient(loss, w)
        """,
    "functions that call each other": """
        #: main.py
        import numpy as np
        import tensorflow as tf
        def even(w, n):
            return w if n == 0 else odd(np.sin(w), n - 1)  # TGF101
        def odd(w, n):
            return even(np.cos(w), n - 1)  # TGF101
        w = tf.Variable([1.0])
        with tf.GradientTape() as tape:
            loss = odd(w, len(input()))
        tape.gradient(loss, w)
        """,
    "a model in one module, its training in another": """
        #: model.py
        import numpy as np
        import tensorflow as tf
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(1)
            def call(self, x):
                return np.tanh(self.dense(x))  # TGF101
        #: train.py
        import tensorflow as tf
        from model import Net
        net = Net()
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            return tape.gradient(loss, net.trainable_variables)
        step(tf.ones([2, 3]))
        """,
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_modules(text: str) -> None:
    check(text, head="")
