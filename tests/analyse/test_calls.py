"""Calls are followed to what they call: functions, methods, objects, and the library functions that take functions."""

from __future__ import annotations

import pytest

from tests.analyse.tables import check

CASES = {
    "functools.partial of a library's function": """
        import functools
        cost = functools.partial(np.sum, axis=0)
        with tf.GradientTape() as tape:
            loss = cost(w)  # TGF101
        tape.gradient(loss, w)
        """,
    "functools.partial of the program's function": """
        import functools
        def f(v, k): return np.power(v, k)  # TGF101
        cost = functools.partial(f, k=2.0)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(cost(w))
        tape.gradient(loss, w)
        """,
    "a property": """
        class M:
            def __init__(self): self.w = tf.Variable(1.0)
            @property
            def cost(self): return np.exp(self.w)  # TGF101
        m = M()
        with tf.GradientTape() as tape:
            loss = m.cost
        tape.gradient(loss, m.w)
        """,
    "a static method called by a class method": """
        class M:
            @staticmethod
            def cost(v): return np.sum(v)  # TGF101
            @classmethod
            def total(cls, v): return cls.cost(v)
        with tf.GradientTape() as tape:
            loss = M.total(w)
        tape.gradient(loss, w)
        """,
    "super()": """
        class A:
            def cost(self, v): return np.sum(v)  # TGF101
        class B(A):
            def cost(self, v): return super().cost(v) * 2.0
        with tf.GradientTape() as tape:
            loss = B().cost(w)
        tape.gradient(loss, w)
        """,
    "arguments in a tuple and a dictionary": """
        def f(*a, **k): return np.sum(a[0]) * k["s"]  # TGF101
        with tf.GradientTape() as tape:
            loss = f(*[w], **{"s": 2.0})
        tape.gradient(loss, w)
        """,
    "a function that yields": """
        def gen():
            for i in range(2):
                yield np.exp(w[i])  # TGF101
        with tf.GradientTape() as tape:
            loss = tf.add_n(list(gen()))
        tape.gradient(loss, w)
        """,
    "map": """
        with tf.GradientTape() as tape:
            loss = tf.add_n(list(map(np.square, [w[0], w[1]])))  # TGF116
        tape.gradient(loss, w)
        """,
    "enumerate and zip": """
        with tf.GradientTape() as tape:
            loss = 0.0
            for i, (a, b) in enumerate(zip([w[0], w[1]], [1.0, 2.0])):
                loss += np.exp(a) * b  # TGF101
        tape.gradient(loss, w)
        """,
    "functools.reduce": """
        from functools import reduce
        with tf.GradientTape() as tape:
            loss = reduce(lambda a, b: a + np.exp(b), [w[0], w[1]], 0.0)  # TGF101
        tape.gradient(loss, w)
        """,
    "a data class": """
        from dataclasses import dataclass
        @dataclass
        class P:
            a: object
            def cost(self): return np.sum(self.a)  # TGF101
        p = P(w)
        with tf.GradientTape() as tape:
            loss = p.cost()
        tape.gradient(loss, p.a)
        """,
    "a named tuple": """
        from collections import namedtuple
        P = namedtuple("P", "a b")
        p = P(w, 1.0)
        with tf.GradientTape() as tape:
            loss = np.sum(p.a)  # TGF101
        tape.gradient(loss, p.a)
        """,
    "a tape that is an attribute": """
        class T:
            def run(self):
                with tf.GradientTape() as self.tape:
                    self.loss = np.sum(w)  # TGF101
                return self.tape.gradient(self.loss, w)
        T().run()
        """,
    "a function in a function": """
        def outer(v):
            def inner(z):
                return np.tanh(z)  # TGF101
            with tf.GradientTape() as t:
                y = inner(v)
            return t.gradient(y, v)
        outer(w)
        """,
    "an object that is called": """
        class L:
            def __call__(self, v): return np.sum(v)  # TGF101
        l = L()
        with tf.GradientTape() as tape:
            loss = l(w)
        tape.gradient(loss, w)
        """,
    "functions in a dictionary": """
        COSTS = {"a": lambda v: np.sum(v), "b": lambda v: np.mean(v)}  # TGF101 TGF101
        def go(k):
            with tf.GradientTape() as tape:
                loss = COSTS[k](w)
            return tape.gradient(loss, w)
        go("a")
        go("b")
        """,
    "a method of a NumPy function": """
        with tf.GradientTape() as tape:
            loss = np.add.reduce(w)  # TGF101
        tape.gradient(loss, w)
        """,
    "a coroutine": """
        async def go():
            with tf.GradientTape() as tape:
                loss = np.sum(w)  # TGF101
            return tape.gradient(loss, w)
        """,
    "deleted before it is used": """
        with tf.GradientTape() as tape:
            y = tf.square(w)
            z = np.square(w)
            del z
            loss = tf.reduce_sum(y)
        tape.gradient(loss, w)
        """,
    "two names that change places": """
        with tf.GradientTape() as tape:
            a, b = tf.square(w), np.square(x)
            a, b = b, a
            loss = tf.reduce_sum(b)
        tape.gradient(loss, w)
        """,
    "a way that is not taken": """
        def f(v, flag):
            if flag:
                return tf.reduce_sum(v)
            return np.sum(v)
        with tf.GradientTape() as tape:
            loss = f(w, True)
        tape.gradient(loss, w)
        """,
    "methods one after another": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(w).numpy().astype("float32").sum())  # TGF102 TGF102 TGF103
        tape.gradient(loss, w)
        """,
    "what an optimizer minimises": """
        opt = tf.keras.optimizers.SGD(0.1)
        opt.minimize(lambda: np.sum(w), [w])  # TGF101
        """,
    "data that NumPy prepares": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * tf.constant(np.sqrt(x)))
        tape.gradient(loss, w)
        """,
    "the size of a tensor": """
        with tf.GradientTape() as tape:
            n = np.prod(tf.shape(w))
            loss = tf.reduce_sum(w) / tf.cast(n, tf.float32)
        tape.gradient(loss, w)
        """,
    "a target that is picked in a loop": """
        with tf.GradientTape(persistent=True) as tape:
            y = tf.square(w)
        for k in range(2):  # TGF201
            t = y[k]
            tape.gradient(t, w)
        """,
    "zeros asked for": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w)
        tape.gradient(loss, [w, tf.Variable(1.0)], unconnected_gradients="zero")
        """,
    "a gradient written by hand": """
        @tf.custom_gradient
        def f(v):
            y = np.square(v)
            def grad(up): return up * 2.0 * v
            return y, grad
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(f(w))
        tape.gradient(loss, w)
        """,
    "tf.py_function": """
        def f(v): return tf.square(v)
        with tf.GradientTape() as tape:
            loss = tf.py_function(f, [w], tf.float32)
        tape.gradient(loss, w)
        """,
    "tf.numpy_function": """
        def f(v): return np.square(v)  # TGF101
        with tf.GradientTape() as tape:
            loss = tf.numpy_function(f, [w], tf.float32)  # TGF110
        tape.gradient(loss, w)
        """,
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_calls(text: str) -> None:
    check(text)
