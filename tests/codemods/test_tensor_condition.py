"""`if` on tensors becomes straight-line code that gives the same values and gradients."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tfgradfix_codemods.numpy_call import NumpyCallCommand
from tfgradfix_codemods.tensor_condition import TensorConditionCommand

from tests.codemods.branch_cases import HEAD, Case, cases, differences, straightened
from tests.codemods.branch_strategies import programs
from tests.helpers import apply, finding, refusal, rewritten, unmark

CASES = cases("tensor_condition.md")

#: Statements in a function of `x` and `y` that returns `z`, and a part of the reason why they stay.
DECLINED = [
    pytest.param("z = y\n«if x > y:\n    print(x)\n    z = x»", "print(x)", id="a call as a statement"),
    pytest.param("h = []\nz = y\n«if x > y:\n    h.append(x)»", "h.append(x)", id="a list that grows"),
    pytest.param("z = [y]\n«if x > y:\n    z[0] = x»", "z[0] = x", id="an item that is assigned"),
    pytest.param("z = y\n«if x > y:\n    f.z = x»", "f.z = x", id="an attribute that is assigned"),
    pytest.param("z = y\n«if x > y:\n    raise ValueError»", "raise", id="raise"),
    pytest.param("z = y\n«if x > y:\n    assert x\n    z = x»", "assert", id="assert"),
    pytest.param("z = y\n«if x > y:\n    del z»", "del z", id="del"),
    pytest.param("z = y\n«if x > y:\n    global g\n    z = x»", "global g", id="global"),
    pytest.param("z = y\n«if x > y:\n    import os\n    z = x»", "import os", id="import"),
    pytest.param("z = y\n«if x > y:\n    for i in range(3):\n        z = x»", "for i in", id="a loop"),
    pytest.param("z = y\n«if x > y:\n    while z < x:\n        z = z + 1»", "while z", id="while"),
    pytest.param("z = y\n«if x > y:\n    with o:\n        z = x»", "with o", id="with"),
    pytest.param("z = y\n«if x > y:\n    try:\n        z = x\n    finally:\n        pass»", "try:", id="try"),
    pytest.param("z = y\nfor i in a:\n    «if x > y:\n        break»", "break", id="break"),
    pytest.param("z = y\nfor i in a:\n    «if x > y:\n        continue»\n    z = x", "continue", id="continue"),
    pytest.param("z = y\n«if x > y:\n    yield x»", "yield x", id="yield"),
    pytest.param("z = y\n«if x > y:\n    z = (yield x)»", "cannot be evaluated", id="yield as a value"),
    pytest.param(
        "z = y\n«if x > y:\n    if step():\n        z = x»", "what `step` does", id="a Python if that does more"
    ),
    pytest.param(
        "«if x > y:\n    if a:\n        q = x\n    z = q\nelse:\n    z = y»",
        "`q` may have no",
        id="a Python if and no value",
    ),
    pytest.param("z = y\n«if x > y:\n    if a:\n        return x»", "others go on", id="a Python if that returns"),
    pytest.param("«if x > y:\n    z = x»", "may have no value", id="no value before"),
    pytest.param("z = None\n«if x > y:\n    z = x»", "no tensor", id="None before"),
    pytest.param("«if x > y:\n    z = 'a'\nelse:\n    z = 'b'»", "no tensor", id="strings"),
    pytest.param("«if x > y:\n    z = [x]\nelse:\n    z = [y]»", "no tensor", id="lists"),
    pytest.param("«if x > y:\n    z = lambda: x\nelse:\n    z = y»", "cannot be evaluated", id="a function"),
    pytest.param("z = y\n«if x > y:\n    z = {'a': x}['a']»", "cannot be evaluated", id="a dictionary"),
    pytest.param("z = y\n«if x > y:\n    z = sum(x for _ in a)»", "cannot be evaluated", id="a generator"),
    pytest.param("z = y\n«if x > y:\n    z = f'{x}'»", "cannot be evaluated", id="a formatted string"),
    pytest.param("z = y\n«if x > y:\n    z = model(x)»", "what `model` does", id="an unknown function"),
    pytest.param("z = y\n«if x > y:\n    z = self.dense(x)»", "what `self.dense` does", id="a layer"),
    pytest.param("z = y\n«if x > y:\n    z = tf.random.normal([]) * x»", "random.normal", id="a random number"),
    pytest.param("z = y\n«if x > y:\n    z = v.assign_add(x)»", "v.assign_add", id="an assigned variable"),
    pytest.param("z = y\n«if x > y:\n    z = tf.linalg.inv(x)»", "linalg.inv", id="no harmless argument"),
    pytest.param("z = y\n«if x > y:\n    z = math.log(x)»", "math.log", id="a function of numbers"),
    pytest.param("z = y\n«if x > y:\n    z = tf.add(*a)»", "unpacked", id="unpacked arguments"),
    pytest.param("z = y\n«if x > y:\n    z = tf.sqrt(x=x)»", "by name", id="an argument given by name"),
    pytest.param("a = z = y\n«if x > y:\n    a = z = x * y»", "does more", id="two names at once"),
    pytest.param("z = y\n«if x > y:\n    z, w = tf.split(x, 2)»", "does more", id="a value that is unpacked"),
    pytest.param("z = np.zeros(3)\n«if x > y:\n    z += 1»", "does more", id="an array changed in place"),
    pytest.param("z = y\n«if (w := x) > y:\n    z = w»", "more than compare", id="a test that assigns"),
    pytest.param("z = y\n«if await x > y:\n    z = x»", "more than compare", id="a test that waits"),
    pytest.param("z = y\n«if y > 0 or x is not None and x > y:\n    z = x»", "decides whether", id="None is asked for"),
    pytest.param(
        "z = y\n«if isinstance(x, A) and x > y:\n    z = x\nelif y > x:\n    z = 2 * y»",
        "decides whether",
        id="a type is asked for",
    ),
    pytest.param("z = y\n«if x in a < y:\n    z = x»", "identity or membership", id="membership in a chain"),
    pytest.param("z = y\n«if x > 0 and step():\n    z = x»", "what `step` does", id="a test hidden behind and"),
    pytest.param("z = y\n«if x > 0:\n    z = x\nelif step():\n    z = y»", "what `step` does", id="a hidden test"),
    pytest.param("z = y\n«if y is None:\n    z = x\nelif y > x:\n    z = y»", "decides whether", id="a guarding test"),
    pytest.param("z = y\n«if tf.math.is_finite(x):\n    z = x»", "not finite", id="NaN is asked for"),
    pytest.param("z = y\n«if tf.size(x) > 0:\n    z = x»", "asks for a shape", id="a size"),
    pytest.param("n = tf.shape(x)[0]\nz = y\n«if n > 0:\n    z = x»", "asks for a shape", id="a size with a name"),
    pytest.param("z = y\n«if x > 0:\n    z = y[x - 1]»", "protect the index", id="an index"),
    pytest.param("z = y\n«if x > 0:\n    z = tf.gather(y, x)»", "protect the index", id="gather"),
    pytest.param("z = y\n«if x > 0 and y[x] > 1:\n    z = x»", "protect the index", id="an index in the test"),
    pytest.param(
        "v = tf.stack([x, y])\n«if x > y:\n    z = tf.nn.relu(v) + tf.reduce_sum(v)\nelse:\n    z = 0.0»",
        "a scalar and the other an array",
        id="a scalar and an array",
    ),
    pytest.param(
        "v = tf.stack([x, y])\n«if x > y:\n    z = tf.reduce_mean(v, axis=0)\nelse:\n    z = v»",
        "different shapes",
        id="different shapes",
    ),
    pytest.param(
        "n = np.sum(x)\nz = y\n«if n > 0 and x > 0:\n    z = y / n»",
        "whether `n` is a tensor",
        id="a divisor of unknown kind",
    ),
    pytest.param(
        "r = np.sqrt(x)\nz = y\n«if x > 0:\n    z = y * r»", "computed before", id="a root that is not TensorFlow's yet"
    ),
    pytest.param(
        "def inner():\n    return q\nq = x\n«if x > y:\n    q = y\n    return inner()»\nz = q",
        "outlives",
        id="a name that an inner function reads",
    ),
    pytest.param("«if x > y:\n    return»\nz = y", "does more", id="nothing is returned"),
    pytest.param("if a:\n    «if x > y:\n        return x»\nz = y", "in the same block", id="the rest is elsewhere"),
    pytest.param("«if x > y:\n    return x\n    z = y»\nreturn y", "behind a return", id="behind a return"),
    pytest.param("«if x > y:\n    return x, y»\nz = y", "no tensor", id="a tuple and a tensor"),
    pytest.param(
        "«if x > y:\n    return x, y\nelse:\n    return x, y, x»\nz = y", "lengths", id="tuples of two lengths"
    ),
    pytest.param("«if x > y:\n    z = x\nelif x < y:\n    return y\nelse:\n    z = y»", "others go on", id="mixed"),
    pytest.param(
        "«if (x > y and  # why\n        x > 0):\n    z = x\nelse:\n    z = y»", "comment", id="a comment in the test"
    ),
    pytest.param("z = y\n«if x > y:\n    w = x»", "nothing that is used", id="nothing is used"),
]


@pytest.mark.parametrize("case", CASES)
def test_text(case: Case) -> None:
    assert rewritten(TensorConditionCommand, HEAD + case.before, facts=case.facts) == HEAD + case.after


@pytest.mark.runs_tensorflow
@pytest.mark.parametrize("case", CASES)
def test_values_and_gradients(case: Case) -> None:
    before, _ = unmark(HEAD + case.before)
    assert differences(before, HEAD + case.after, dtype=case.dtype) == []


@pytest.mark.parametrize(("body", "reason"), DECLINED)
def test_declined(body: str, reason: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    waits = "async " if "await" in body else ""
    assert reason in refusal(TensorConditionCommand, f"{HEAD}{waits}def f(x, y):\n{lines}    return z\n")


def test_tests_that_are_no_tensors() -> None:
    program = "def f(x, y, z):\n    «if x:\n        y = z»\n    return y\n"
    assert "none of its tests" in refusal(TensorConditionCommand, program, facts={"tests": "array-bool"})


def test_tabs_and_line_ends_stay() -> None:
    before = "def f(x, y):\r\n\tz = y\t# c\r\n\t«if x > y:\r\n\t\tz = x\r\n\telse:\r\n\t\tz = y * 2»\r\n\treturn z\r\n"
    after = "def f(x, y):\r\n\tz = y\t# c\r\n\tz = tf.where(x > y, x, y * 2)\r\n\treturn z\r\n"
    assert rewritten(TensorConditionCommand, before) == after


def test_the_name_by_which_tensorflow_is_reached() -> None:
    before = "def f(x, y):\n    z = y\n    «if x > 0:\n        z = y / x»\n    return z\n"
    after = rewritten(TensorConditionCommand, before, tensorflow="tensorflow")
    assert "safe_x = tensorflow.where(condition, x, tensorflow.ones_like(x))\n" in after


def test_a_missing_import_is_added() -> None:
    before = "def f(x, y):\n    z = y\n    «if x > y:\n        z = x»\n    return z\n"
    assert rewritten(TensorConditionCommand, before, tensorflow=None).startswith("import tensorflow as tf\n")


def test_names_that_are_taken() -> None:
    before = "def f(x, condition):\n    z = x * condition\n    «if x > 0:\n        z = tf.sqrt(x)»\n    return z\n"
    assert "condition_2 = x > 0\n" in rewritten(TensorConditionCommand, HEAD + before)


def test_together_with_the_call_in_its_test() -> None:
    text, (branch, call) = unmark(
        HEAD + "def f(x, y):\n    z = y\n    «if «np.any(x > y)»:\n        z = x»\n    return z\n"
    )
    findings = [finding(TensorConditionCommand, branch), finding(NumpyCallCommand, call, symbol="numpy.any")]
    edited = apply(text, findings, NumpyCallCommand, TensorConditionCommand)
    assert "z = tf.where(tf.reduce_any(x > y), x, z)\n" in edited.text


@pytest.mark.slow
@pytest.mark.runs_tensorflow
@settings(max_examples=15, deadline=None, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
@given(programs())
def test_generated_programs(marked: str) -> None:
    before, after, refusals = straightened(TensorConditionCommand, marked, {"dtype": "float64"})
    if not refusals:
        inputs = [[x, y] for x in (-1.0, 0.0, 0.5) for y in (-2.0, 0.0, 1.0)]
        assert differences(before, after, inputs, "float64") == [], f"{before}\n{after}"
