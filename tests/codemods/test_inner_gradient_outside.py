"""A gradient that is differentiated again is asked for while the outer tape records."""

from __future__ import annotations

import pytest
from tfgradfix_codemods.inner_gradient_outside import InnerGradientOutsideCommand

from tests.codemods.tape_marks import moved, refused

WITH = "¤with tf.GradientTape() as tape:\n    with tf.GradientTape(persistent=True) as inner:\n        y = net(x)\n"
IN_WITH = WITH.replace("¤", "")

REWRITTEN = [
    pytest.param(
        f"{WITH}«dy = inner.gradient(y, x)»\nddy = tape.gradient(dy, x)\n",
        f"{IN_WITH}    dy = inner.gradient(y, x)\nddy = tape.gradient(dy, x)\n",
        id="one statement",
    ),
    pytest.param(
        f"{WITH}\n# slope\n«a = inner.gradient(y, x)»\nb = inner.gradient(y, t)\naa = tape.gradient(a, x)\ndel inner\n",
        f"{IN_WITH}    # slope\n    a = inner.gradient(y, x)\n\nb = inner.gradient(y, t)\n"
        "aa = tape.gradient(a, x)\ndel inner\n",
        id="a gradient behind it stays",
    ),
    pytest.param(
        f"{WITH}b = inner.gradient(y, t)\n«a = inner.gradient(y, x)»\naa = tape.gradient(a, x)\n",
        f"{IN_WITH}    b = inner.gradient(y, t)\n    a = inner.gradient(y, x)\naa = tape.gradient(a, x)\n",
        id="a gradient before it moves along: their order stays",
    ),
    pytest.param(
        f"{WITH}«a = inner.gradient(y, x)»\n«n = tf.norm(a)»\n«p = (n - 1) ** 2»\ng = tape.gradient(p, v)\n",
        f"{IN_WITH}    a = inner.gradient(y, x)\n    n = tf.norm(a)\n    p = (n - 1) ** 2\ng = tape.gradient(p, v)\n",
        id="what is made of it, when named",
    ),
    pytest.param(
        f"{WITH}ddy = tape.gradient(«inner.gradient(y, x)», x)\n",
        f"{IN_WITH}    inner_gradient = inner.gradient(y, x)\nddy = tape.gradient(inner_gradient, x)\n",
        id="in the argument of the outer gradient",
    ),
    pytest.param(
        f"{WITH}«ddy = tape.gradient(inner.gradient(y, x), x)»\n",
        f"{IN_WITH}    inner_gradient = inner.gradient(y, x)\nddy = tape.gradient(inner_gradient, x)\n",
        id="the whole statement is named",
    ),
    pytest.param(
        f"{WITH}«for i in range(2):\n    d = inner.gradient(y[i], x)\n    n = tf.norm(d)\n    h.append(tape.gradient(n, x))»\n",
        f"{IN_WITH}for i in range(2):\n    with tape:\n        d = inner.gradient(y[i], x)\n        n = tf.norm(d)\n"
        "    h.append(tape.gradient(n, x))\n",
        id="a loop: the outer tape is opened again",
    ),
    pytest.param(
        f"{WITH}g = tape.gradient(y, v)\n«dy = inner.gradient(y, x)»\nddy = tape.gradient(dy, x)\n",
        f"{IN_WITH}g = tape.gradient(y, v)\nwith tape:\n    dy = inner.gradient(y, x)\nddy = tape.gradient(dy, x)\n",
        id="an outer gradient stands before it",
    ),
    pytest.param(
        "def f():\r\n\t¤with tf.GradientTape() as tape:\r\n\t\twith tf.GradientTape() as i: y = n(x)\r\n"
        "\t«d = i.gradient(y, x)»  # é\r\n\treturn tape.gradient(d, x)",
        "def f():\r\n\twith tf.GradientTape() as tape:\r\n\t\twith tf.GradientTape() as i: y = n(x)\r\n"
        "\t\td = i.gradient(y, x)  # é\r\n\treturn tape.gradient(d, x)",
        id="CRLF and tabs",
    ),
]
DECLINED = [
    pytest.param(
        "«d = i.gradient(y, x)»\n¤with tf.GradientTape() as tape:\n    pass\n",
        "not stand behind",
        id="before the block",
    ),
    pytest.param(
        f"{WITH}«if c:\n    g = tape.gradient(y, x)\n    d = inner.gradient(y, x)»\nh = tape.gradient(d, x)\n",
        "cannot be seen",
        id="a statement that asks the outer tape for something else",
    ),
    pytest.param(
        f"{WITH}«opt.apply_gradients(zip(inner.gradient(y, v), v))»\nh = tape.gradient(y, x)\n",
        "training step",
        id="a training step",
    ),
]


@pytest.mark.parametrize(("before", "after"), REWRITTEN)
def test_rewritten(before: str, after: str) -> None:
    assert moved(InnerGradientOutsideCommand, before) == after


@pytest.mark.parametrize(("before", "reason"), DECLINED)
def test_declined(before: str, reason: str) -> None:
    assert reason in refused(InnerGradientOutsideCommand, before)
