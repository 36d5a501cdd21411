"""Which statements may change places, and what calls are known to do."""

from __future__ import annotations

import libcst as cst
import pytest
from tfgradfix_codemods.effects import Effects, Knowledge
from tfgradfix_codemods.effects_of_statements import effects_of
from tfgradfix_codemods.surroundings import Surroundings, surroundings_of

MODULE = """
import numpy as np, tensorflow as tf
import keras
from math import exp
from .settings import RATE
SCALE = -1.5
NAMES = ("a", "b")
changing = 1
changing = 2
def pure(a, b=1):
    c = a * b
    return tf.square(c)
def reads_global(a):
    return a + changing
def talks(a):
    print(a)
    return a
def appends(a):
    changing.append(a)
def recursive(a):
    return recursive(a - 1)
@tf.function(jit_compile=True)
def traced(a):
    return a
@cached
def decorated(a):
    return a
def generates(a):
    yield a
def twice(): return 1
def twice(): return 2
class A:
    def method(self, a):
        return pure(a)
    def looks(self, a):
        return a * self.scale
    def replaced(self, a):
        return a
    def sets(self):
        self.replaced = None
"""
SURROUNDINGS = surroundings_of(cst.parse_module(MODULE))

#: `loss` and `parts` were made in the tape's block; the functions round it read `flag`.
KNOWLEDGE = Knowledge(SURROUNDINGS, frozenset({"loss", "parts"}), frozenset({"flag"}))


def effects(text: str, surroundings: Surroundings = SURROUNDINGS) -> Effects:
    """What the statements in ``text`` do."""
    return effects_of(cst.parse_module(text).body, surroundings)


FREE = [
    pytest.param("rows = []", "total = loss * 2", id="names apart"),
    pytest.param("print(loss)", "total = tf.reduce_sum(loss)", id="a message and arithmetic"),
    pytest.param(
        "opt.apply_gradients(p)", "total = loss[0] * SCALE + RATE", id="a training step and values of the block"
    ),
    pytest.param("n = len(NAMES)", "total = self.penalty()", id="constants and an unknown call"),
    pytest.param("a = np.mean(loss)", "b = np.std(loss)", id="two that read"),
    pytest.param("rows.append(1)", "total = pure(loss, 2)", id="a function that reads its arguments"),
    pytest.param("change()", "total = self.method(loss)", id="a method that reads its arguments"),
    pytest.param("change()", "total = traced(loss)", id="a traced function"),
    pytest.param("change()", "k = [loss[i] for i in range(3)]", id="names of a comprehension"),
    pytest.param("change()", "k = sorted(parts, key=lambda p: -p)", id="names of a lambda"),
    pytest.param("change()", "n = loss.shape[0]", id="a shape"),
    pytest.param("change()", "x: tf.Tensor", id="an annotation alone"),
    pytest.param("change()", "t = keras.losses.mse(loss, exp(2.0))", id="functions of libraries"),
]
TIED = [
    pytest.param("k = 1", "total = loss[k]", id="binds what is read"),
    pytest.param("k, (a, *m) = f", "total = loss[a]", id="binds in a tuple"),
    pytest.param("k += 1", "total = loss[k]", id="binds in place"),
    pytest.param("x: int = 1", "total = loss[x]", id="binds with an annotation"),
    pytest.param("y = (x := 1)", "total = loss[x]", id="binds with a walrus"),
    pytest.param("with f() as x: pass", "total = loss[x]", id="binds a manager"),
    pytest.param("print(loss)", "loss = loss * 2", id="reads what is bound"),
    pytest.param("parts.append(1)", "total = tf.add_n(parts)", id="changes a list that is read"),
    pytest.param("parts[0] = 1", "total = tf.add_n(parts)", id="changes an element"),
    pytest.param("self.k = 1", "total = loss * self.l2", id="a property may read another attribute"),
    pytest.param("change(parts)", "total = tf.add_n(parts)", id="an unknown call may change its arguments"),
    pytest.param("change()", "total = loss * factor", id="an unknown call may change other values"),
    pytest.param("change()", "total = self.looks(loss)", id="a method that reads its object"),
    pytest.param("change()", "total = reads_global(loss)", id="a function that reads a global name"),
    pytest.param("change()", "total = self.replaced(loss)", id="a method that is replaced"),
    pytest.param("change()", "total = decorated(loss)", id="a decorated function"),
    pytest.param("change()", "total = list(generates(loss))", id="a generator"),
    pytest.param("change()", "total = twice()", id="a function that is defined twice"),
    pytest.param("change()", "total = recursive(loss)", id="recursion"),
    pytest.param("change()", "total = appends(loss)", id="a function that changes something"),
    pytest.param("change()", "total = helper()(loss)", id="a call of a call"),
    pytest.param("change()", "total = f[0].g(loss)", id="a method of an element"),
    pytest.param("change()", "total = np.add(loss, 1, out=buffer)", id="out="),
    pytest.param("np.random.rand()", "total = loss + tf.random.normal([])", id="random draws"),
    pytest.param("np.random.rand()", "total = keras.layers.Dense(2)(loss)", id="a layer"),
    pytest.param("print(1)", "total = talks(loss)", id="messages"),
    pytest.param("flag = 1", "total = reads_global(loss)", id="what functions read from the scope"),
    pytest.param("g = t.gradient(loss, v)", "h = u.gradient(loss, v)", id="two gradients"),
    pytest.param("if k is None: raise E", "total = loss * 2", id="a guard"),
    pytest.param("assert k", "total = loss * 2", id="an assertion"),
    pytest.param("for i in r:\n    if i: break\nelse:\n    x = 1", "total = loss * x", id="the end of a loop"),
]
STAYING = [
    pytest.param("import x", "imports", id="import"),
    pytest.param("from a import x as y", "imports", id="from import"),
    pytest.param("def f(): pass", "defines", id="def"),
    pytest.param("class C: pass", "defines", id="class"),
    pytest.param("del x", "deletes", id="del"),
    pytest.param("global x", "declares", id="global"),
    pytest.param("match x:\n    case y: pass", "match", id="match"),
    pytest.param("if x: return y", "leaves the function", id="return"),
    pytest.param("x = yield y", "for a while", id="yield"),
    pytest.param("x = await y", "for a while", id="await"),
    pytest.param("if x: continue", "ends a turn", id="continue"),
    pytest.param("with tf.GradientTape() as t: pass", "makes a tape", id="a tape"),
    pytest.param("opt.minimize(f, v)", "optimizer step", id="a training step"),
]


@pytest.mark.parametrize(("first", "second"), FREE)
def test_may_change_places(first: str, second: str) -> None:
    assert not KNOWLEDGE.conflict(effects(first), effects(second))


@pytest.mark.parametrize(("first", "second"), TIED)
def test_must_keep_their_order(first: str, second: str) -> None:
    assert KNOWLEDGE.conflict(effects(first), effects(second))
    assert KNOWLEDGE.conflict(effects(second), effects(first))


@pytest.mark.parametrize(("statement", "reason"), STAYING)
def test_must_stay(statement: str, reason: str) -> None:
    found = effects(statement)
    assert reason in (found.stays or "")
    assert not found.pure


def test_a_loop_that_ends_itself_may_move() -> None:
    assert effects("while x:\n    break\n").stays is None
    assert effects("for x in y:\n    continue\n").stays is None


def test_names_that_the_module_shadows() -> None:
    shadowed = surroundings_of(cst.parse_module("import numpy as np\ndef f(np, len): return np.mean(len(1))\n"))
    assert not shadowed.is_fixed("np")
    assert not shadowed.is_fixed("len")
    assert effects("y = np.eye(1)", shadowed).unknown
    assert effects("y = len(1)", shadowed).unknown
