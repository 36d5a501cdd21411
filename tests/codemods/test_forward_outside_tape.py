"""A forward pass that runs before the tape's block moves to its head."""

from __future__ import annotations

import pytest
from tfgradfix_codemods.forward_outside_tape import ForwardOutsideTapeCommand

from tests.codemods.tape_marks import moved, refused

TAPE = "with tf.GradientTape() as tape:"

REWRITTEN = [
    pytest.param(
        f"«y = net(x)»\n¤{TAPE}\n    loss = f(y)\n", f"{TAPE}\n    y = net(x)\n    loss = f(y)\n", id="one statement"
    ),
    pytest.param(
        f"a = 1\n\n# play\n«y = net(x)»  # once\nprint(y)\n\n# learn\n¤{TAPE}\n    loss = f(y)\ng = 1\n",
        f"a = 1\n\n# learn\n{TAPE}\n    # play\n    y = net(x)  # once\n    print(y)\n\n    loss = f(y)\ng = 1\n",
        id="all statements between, comments and blank lines",
    ),
    pytest.param(
        f"«for s in seq:\n    out.append(net(s))»\n¤{TAPE}\n    loss = f(out)\n",
        f"{TAPE}\n    for s in seq:\n        out.append(net(s))\n    loss = f(out)\n",
        id="a loop",
    ),
    pytest.param(
        f"def step(x):\r\n\t«y = net(x)»\r\n\t¤{TAPE} loss = f(y)  # now\r\n\treturn loss",
        f"def step(x):\r\n\t{TAPE}\r\n\t\ty = net(x)\r\n\t\tloss = f(y)  # now\r\n\treturn loss",
        id="CRLF, tabs, a block on one line",
    ),
    pytest.param(
        f"«y = net(x)»\n¤{TAPE}\n    tape.watch(x)\n    loss = f(y)\n",
        f"{TAPE}\n    tape.watch(x)\n    y = net(x)\n    loss = f(y)\n",
        id="watch stays first",
    ),
    pytest.param(
        f"«h = enc(a)»\nx = 2 * b\ny = net(x)\n¤{TAPE}\n    tape.watch(a)\n    tape.watch(x)\n    loss = f(y)\n",
        f"{TAPE}\n    tape.watch(a)\n    h = enc(a)\n    x = 2 * b\n    tape.watch(x)\n    y = net(x)\n    loss = f(y)\n",
        id="watch comes right behind what it watches",
    ),
    pytest.param(
        "«with tf.GradientTape() as inner:\n    y = net(x)»\ns = inner.gradient(y, x)\n"
        f"¤{TAPE}\n    loss = f(s)\ng = tape.gradient(loss, v)\n",
        f"{TAPE}\n    with tf.GradientTape() as inner:\n        y = net(x)\n    s = inner.gradient(y, x)\n"
        "    loss = f(s)\ng = tape.gradient(loss, v)\n",
        id="a whole inner tape and its gradient",
    ),
    pytest.param(
        f"a = 0; «y = net(x)»\n¤{TAPE}\n    loss = f(y)\n",
        f"{TAPE}\n    a = 0; y = net(x)\n    loss = f(y)\n",
        id="statements that share a line stay together",
    ),
    pytest.param(
        f"«a = enc(x)»\n«b = dec(a)»\n¤{TAPE}\n    loss = f(b)\n",
        f"{TAPE}\n    a = enc(x)\n    b = dec(a)\n    loss = f(b)\n",
        id="two findings",
    ),
]
DECLINED = [
    pytest.param(
        f"«y = net(x)»\nfor i in r:\n    ¤{TAPE}\n        loss = f(y)\n", "not beside", id="the block is in a loop"
    ),
    pytest.param(
        f"if a:\n    «y = net(x)»\n    b = 1\nfor i in r:\n    ¤{TAPE}\n        loss = f(y)\n",
        "not beside",
        id="both are in other blocks",
    ),
    pytest.param(
        f"«y = net(x)»\ng = old.gradient(a, b)\n¤{TAPE}\n    loss = f(y)\n", "asks another tape", id="another tape"
    ),
    pytest.param(
        f"«y = net(x)»\nopt.apply_gradients(p)\n¤{TAPE}\n    loss = f(y)\n", "trains", id="a training step between"
    ),
    pytest.param(
        f"def s():\n    «y = net(x)»\n    if y is None:\n        return y\n    ¤{TAPE}\n        loss = f(y)\n",
        "leaves the function",
        id="return",
    ),
    pytest.param(
        f"for x in d:\n    «y = net(x)»\n    if y is None:\n        continue\n    ¤{TAPE}\n        loss = f(y)\n",
        "ends a turn",
        id="continue",
    ),
    pytest.param(f"«y = net(x)»\ndef h():\n    return y\n¤{TAPE}\n    loss = f(h())\n", "defines a function", id="def"),
    pytest.param(
        "«y = net(x)»\n¤with s.scope(), tf.GradientTape() as tape:\n    loss = f(y)\n",
        "another manager",
        id="another manager",
    ),
    pytest.param(
        "«y = net(x)»\n¤with tf.GradientTape(persistent=y.ndim > 1) as tape:\n    loss = f(y)\n",
        "made with",
        id="the tape needs what would move",
    ),
    pytest.param(f"¤{TAPE}\n    loss = f(y)\n«y = net(x)»\n", "not stand before", id="behind the block"),
]


@pytest.mark.parametrize(("before", "after"), REWRITTEN)
def test_rewritten(before: str, after: str) -> None:
    assert moved(ForwardOutsideTapeCommand, before) == after


@pytest.mark.parametrize(("before", "reason"), DECLINED)
def test_declined(before: str, reason: str) -> None:
    assert reason in refused(ForwardOutsideTapeCommand, before)
