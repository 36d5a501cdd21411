"""What is computed after a tape's block and asked of the tape is recorded."""

from __future__ import annotations

import pytest
from tfgradfix_codemods.target_outside_tape import TargetOutsideTapeCommand

from tests.codemods.tape_marks import moved, refused

WITH = "¤with tf.GradientTape(persistent=True) as tape:\n    loss = f(x)\n"
IN_WITH = WITH.replace("¤", "")

STATEMENTS = [
    pytest.param(
        f"{WITH}«total = loss * 2»\ng = tape.gradient(total, v)\n",
        f"{IN_WITH}    total = loss * 2\ng = tape.gradient(total, v)\n",
        id="one statement",
    ),
    pytest.param(
        f"{WITH}«total = self.blend(loss)»\n«total += tf.add_n(self.losses)»\ng = tape.gradient(total, v)\n",
        f"{IN_WITH}    total = self.blend(loss)\n    total += tf.add_n(self.losses)\ng = tape.gradient(total, v)\n",
        id="several statements, order kept",
    ),
    pytest.param(
        f"{WITH}    # end\n\n# the total\n«total = loss * 2»  # twice\n\ng = tape.gradient(total, v)\n",
        f"{IN_WITH}    # end\n    # the total\n    total = loss * 2  # twice\n\ng = tape.gradient(total, v)\n",
        id="comments move along, blank lines stay",
    ),
    pytest.param(
        "¤with tf.GradientTape() as tape: loss = f(x)  # forward\n«total = loss * 2»\ng = tape.gradient(total, v)\n",
        "with tf.GradientTape() as tape:\n    loss = f(x)  # forward\n    total = loss * 2\n"
        "g = tape.gradient(total, v)\n",
        id="a block on one line",
    ),
    pytest.param(
        f"{WITH}a = 1; «total = loss * 2»; b = 2  # c\ng = tape.gradient(total, v)\n",
        f"{IN_WITH}    total = loss * 2\na = 1\nb = 2  # c\ng = tape.gradient(total, v)\n",
        id="statements that share a line",
    ),
    pytest.param(
        f"{WITH}k = np.argmin(B)\nprint(k)\n«total = loss[k]»\ng = tape.gradient(total, v)\n",
        f"{IN_WITH}    k = np.argmin(B)\n    total = loss[k]\nprint(k)\ng = tape.gradient(total, v)\n",
        id="what it needs moves along, a message does not",
    ),
    pytest.param(
        f"{WITH}print(loss)\n«loss = loss * 2»\ng = tape.gradient(loss, v)\n",
        f"{IN_WITH}    print(loss)\n    loss = loss * 2\ng = tape.gradient(loss, v)\n",
        id="what reads the old value moves along",
    ),
    pytest.param(
        f"{WITH}book.note(loss)\n«total = book.weight() * loss»\ng = tape.gradient(total, v)\n",
        f"{IN_WITH}    book.note(loss)\n    total = book.weight() * loss\ng = tape.gradient(total, v)\n",
        id="unknown calls keep their order",
    ),
    pytest.param(
        f"{WITH}noise = np.random.normal()\n«total = loss + tf.random.normal([])»\ng = tape.gradient(total, v)\n",
        f"{IN_WITH}    noise = np.random.normal()\n    total = loss + tf.random.normal([])\n"
        "g = tape.gradient(total, v)\n",
        id="random draws keep their order",
    ),
    pytest.param(
        f"{WITH}parts = []\n«for p in w:\n    parts.append(loss * p)»\ng = tape.gradient(parts, v)\n",
        f"{IN_WITH}    parts = []\n    for p in w:\n        parts.append(loss * p)\ng = tape.gradient(parts, v)\n",
        id="a loop without a gradient moves whole",
    ),
    pytest.param(
        f"{WITH}«if smooth:\n    loss = loss + rough(x)»\ng = tape.gradient(loss, v)\n",
        f"{IN_WITH}    if smooth:\n        loss = loss + rough(x)\ng = tape.gradient(loss, v)\n",
        id="a condition moves whole",
    ),
    pytest.param(
        "def f():\r\n\t¤with tf.GradientTape() as tape:\r\n\t\ta = 1\r\n\t«b = (a +\r\n\t\t2)»\r\n\treturn tape.gradient(b, v)",
        "def f():\r\n\twith tf.GradientTape() as tape:\r\n\t\ta = 1\r\n\t\tb = (a +\r\n\t\t\t2)\r\n\treturn tape.gradient(b, v)",
        id="CRLF, tabs, no last newline",
    ),
    pytest.param(
        "with tf.name_scope('n'), tf.device('d'):\n    ¤with tf.GradientTape() as tape, open(p) as h:\n"
        "        loss = f(x)\n    log(loss)\n«total = loss * 2»\ng = tape.gradient(total, v)\n",
        "with tf.name_scope('n'), tf.device('d'):\n    with tf.GradientTape() as tape, open(p) as h:\n"
        "        loss = f(x)\n        log(loss)\n        total = loss * 2\ng = tape.gradient(total, v)\n",
        id="a block inside a block, several managers",
    ),
    pytest.param(
        f"{WITH}«total: tf.Tensor = loss * 2»\ng = tape.gradient(total, v)\n",
        f"{IN_WITH}    total: tf.Tensor = loss * 2\ng = tape.gradient(total, v)\n",
        id="an annotated assignment",
    ),
    pytest.param(
        f"for x in d:\n    {WITH.replace(chr(10), chr(10) + '    ').rstrip()}\n    «total = loss * self.share»\n"
        "    g = tape.gradient(total, v)\n    self.share = tf.norm(g)\n",
        f"for x in d:\n    {IN_WITH.replace(chr(10), chr(10) + '    ').rstrip()}\n        total = loss * self.share\n"
        "    g = tape.gradient(total, v)\n    self.share = tf.norm(g)\n",
        id="a gradient of the turn before is a constant",
    ),
]

ARGUMENTS = [
    pytest.param(
        f"{WITH}gs = clip(«tape.gradient(self.blend(loss), v)»)\n",
        f"{IN_WITH}    target = self.blend(loss)\ngs = clip(tape.gradient(target, v))\n",
        id="an unknown call",
    ),
    pytest.param(
        f"{WITH}g = «tape.gradient(loss[0], v)»\n",
        f"{IN_WITH}    target = loss[0]\ng = tape.gradient(target, v)\n",
        id="an index",
    ),
    pytest.param(
        f"{WITH}return_value = «tape.jacobian(sources=x, target=tf.reduce_sum(loss))»\n",
        f"{IN_WITH}    target = tf.reduce_sum(loss)\nreturn_value = tape.jacobian(sources=x, target=target)\n",
        id="a keyword",
    ),
    pytest.param(
        f"{WITH}target = 1\ng = «tape.gradient([loss * 2, b[0]], v)»\n",
        f"{IN_WITH}    target_2 = [loss * 2, b[0]]\ntarget = 1\ng = tape.gradient(target_2, v)\n",
        id="a list, and the usual name is taken",
    ),
    pytest.param(
        f"{WITH}g = «tape.gradient(\n    loss[0]\n    + loss[1],  # both\n    v)»\n",
        f"{IN_WITH}    target = (loss[0]\n        + loss[1])\ng = tape.gradient(\n    target,  # both\n    v)\n",
        id="an expression over several lines",
    ),
    pytest.param(
        f"{WITH}a, b = «tape.gradient(loss[0], v)», «tape.gradient(loss[1], v)»\n",
        f"{IN_WITH}    target = loss[0]\n    target_2 = loss[1]\n"
        "a, b = tape.gradient(target, v), tape.gradient(target_2, v)\n",
        id="two in a line",
    ),
    pytest.param(
        f"{WITH}a, b = «tape.gradient(loss[0], v)», «tape.gradient(loss[0], w)»\n",
        f"{IN_WITH}    target = loss[0]\na, b = tape.gradient(target, v), tape.gradient(target, w)\n",
        id="the same target twice",
    ),
    pytest.param(
        f"{WITH}i = 1\nprint(i)\ng = «tape.gradient(loss[i], v)»\n",
        f"{IN_WITH}    i = 1\n    target = loss[i]\nprint(i)\ng = tape.gradient(target, v)\n",
        id="what it reads moves along",
    ),
    pytest.param(
        f"{WITH}with writer.as_default():\n    tf.summary.scalar('g', «tape.gradient(loss[0], v)»)\n",
        f"{IN_WITH}    target = loss[0]\nwith writer.as_default():\n    tf.summary.scalar('g', tape.gradient(target, v))\n",
        id="inside of another manager",
    ),
    pytest.param(
        f"{WITH}if tf.norm(«tape.gradient(loss[0], v)») > 1:\n    stop()\n",
        f"{IN_WITH}    target = loss[0]\nif tf.norm(tape.gradient(target, v)) > 1:\n    stop()\n",
        id="in the test of a condition",
    ),
    pytest.param(
        f"{WITH}for g in «tape.gradient(loss * 2, v)»:\n    print(g)\n",
        f"{IN_WITH}    target = loss * 2\nfor g in tape.gradient(target, v):\n    print(g)\n",
        id="in the head of a loop",
    ),
]

LOOPS = [
    pytest.param(
        f"{WITH}gs = []\n«for i in range(3):\n    gs.append(tape.gradient(loss[i], v))»\n",
        f"{IN_WITH}    targets = [loss[i] for i in range(3)]\ngs = []\nfor target in targets:\n"
        "    gs.append(tape.gradient(target, v))\n",
        id="an index of the counter",
    ),
    pytest.param(
        f"{WITH}«for i in range(3): gs.append(tape.gradient(loss[i], v))»\n",
        f"{IN_WITH}    targets = [loss[i] for i in range(3)]\nfor target in targets: gs.append(tape.gradient(target, v))\n",
        id="a loop on one line",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    # pick\n    t = loss[i]  # one\n    gs.append(tape.gradient(t, v))»\n",
        f"{IN_WITH}    # pick\n    # one\n    targets = [loss[i] for i in range(3)]\nfor t in targets:\n"
        "    gs.append(tape.gradient(t, v))\n",
        id="a statement of the loop, with its comments",
    ),
    pytest.param(
        f"{WITH}«for i in range(3): t = loss[i]; gs.append(tape.gradient(t, v))»\n",
        f"{IN_WITH}    targets = [loss[i] for i in range(3)]\nfor t in targets:\n    gs.append(tape.gradient(t, v))\n",
        id="two statements of a loop on one line",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    a = loss[i]\n    b = a * w[i]\n    gs.append(tape.gradient(b + 1, v))»\n",
        f"{IN_WITH}    targets = [loss[i] * w[i] + 1 for i in range(3)]\nfor target in targets:\n"
        "    gs.append(tape.gradient(target, v))\n".replace("loss[i] * w[i] + 1", "(loss[i] * w[i]) + 1"),
        id="a chain of statements",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    gs[i] = tape.gradient(loss[i], v)»\n",
        f"{IN_WITH}    targets = [loss[i] for i in range(3)]\nfor i, target in enumerate(targets):\n"
        "    gs[i] = tape.gradient(target, v)\n",
        id="the counter is used for something else",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    gs.append(tape.gradient(loss[i], v))»\nprint(i)\n",
        f"{IN_WITH}    targets = [loss[i] for i in range(3)]\nfor i, target in enumerate(targets):\n"
        "    gs.append(tape.gradient(target, v))\nprint(i)\n",
        id="the counter is used after the loop",
    ),
    pytest.param(
        f"{WITH}«for i in range(1, 3):\n    gs[i] = tape.gradient(loss[i], v)»\n",
        f"{IN_WITH}    targets = [(i, loss[i]) for i in range(1, 3)]\nfor i, target in targets:\n"
        "    gs[i] = tape.gradient(target, v)\n",
        id="the counter does not begin at zero",
    ),
    pytest.param(
        f"{WITH}«for i, name in enumerate(names):\n    gs[name] = tape.gradient(loss[i], v)»\n",
        f"{IN_WITH}    targets = [(name, loss[i]) for i, name in enumerate(names)]\nfor name, target in targets:\n"
        "    gs[name] = tape.gradient(target, v)\n",
        id="enumerate",
    ),
    pytest.param(
        f"{WITH}«for a, l in zip(w, ¦tf.unstack(loss)):\n    t = a * l\n    gs.append(tape.gradient(t, v))»\n",
        f"{IN_WITH}    targets = [a * l for a, l in zip(w, tf.unstack(loss))]\nfor t in targets:\n"
        "    gs.append(tape.gradient(t, v))\n",
        id="zip over an unstacked tensor",
    ),
    pytest.param(
        f"{WITH}«for i in tf.range(3):\n    gs.append(tape.gradient(tf.gather(loss, i), v))»\n",
        f"{IN_WITH}    targets = [tf.gather(loss, i) for i in range(3)]\nfor target in targets:\n"
        "    gs.append(tape.gradient(target, v))\n",
        id="tf.range",
    ),
    pytest.param(
        f"{WITH}«for i in tf.range(1, limit=len(H), dtype=tf.int64):\n    gs.append(tape.gradient(loss[i], v))»\n",
        f"{IN_WITH}    targets = [loss[i] for i in range(1, len(H))]\nfor target in targets:\n"
        "    gs.append(tape.gradient(target, v))\n",
        id="tf.range with keywords",
    ),
    pytest.param(
        f"{WITH}«for l in ¦loss:\n    gs.append(tape.gradient(l, v))»\n",
        f"{IN_WITH}    targets = tf.unstack(loss)\nfor l in targets:\n    gs.append(tape.gradient(l, v))\n",
        id="a loop over a tensor",
    ),
    pytest.param(
        f"{WITH}«for n, l in enumerate(¦loss):\n    if n:\n        gs.append(tape.gradient(l, v))»\n",
        f"{IN_WITH}    targets = tf.unstack(loss)\nfor n, l in enumerate(targets):\n    if n:\n"
        "        gs.append(tape.gradient(l, v))\n",
        id="a loop over a tensor, a gradient now and then",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    for l in ¦loss[i]:\n        gs.append(tape.gradient(l, v))»\n",
        f"{IN_WITH}    targets_2 = [tf.unstack(loss[i]) for i in range(3)]\nfor targets in targets_2:\n"
        "    for l in targets:\n        gs.append(tape.gradient(l, v))\n",
        id="an inner loop over a tensor",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    for j in range(2):\n        h[i][j] = tape.gradient(loss[i, j], v)»\n",
        f"{IN_WITH}    target_rows = [[loss[i, j] for j in range(2)] for i in range(3)]\n"
        "for i, targets in enumerate(target_rows):\n    for j, target in enumerate(targets):\n"
        "        h[i][j] = tape.gradient(target, v)\n",
        id="nested loops",
    ),
    pytest.param(
        f"{WITH}gs = [«tape.gradient(loss[i], v)» for i in range(3)]\n",
        f"{IN_WITH}    targets = [loss[i] for i in range(3)]\ngs = [tape.gradient(target, v) for target in targets]\n",
        id="a comprehension",
    ),
    pytest.param(
        f"{WITH}gs = [«tape.gradient(l, v)» for l in ¦loss]\n",
        f"{IN_WITH}    targets = tf.unstack(loss)\ngs = [tape.gradient(l, v) for l in targets]\n",
        id="a comprehension over a tensor",
    ),
    pytest.param(
        f"{WITH}gs = {{n: «tape.gradient(loss[i], v)» for i, n in enumerate(names) if n}}\n",
        f"{IN_WITH}    targets = [(n, loss[i]) for i, n in enumerate(names) if n]\n"
        "gs = {n: tape.gradient(target, v) for n, target in targets}\n",
        id="a dict comprehension with a condition",
    ),
    pytest.param(
        f"{WITH}gs = [[«tape.gradient(loss[i, j], v)» for j in range(2)] for i in range(3)]\n",
        f"{IN_WITH}    target_rows = [[loss[i, j] for j in range(2)] for i in range(3)]\n"
        "gs = [[tape.gradient(target, v) for target in targets] for targets in target_rows]\n",
        id="nested comprehensions",
    ),
    pytest.param(
        f"{WITH}def pick(p, k):\n    return p[k]\n«for k in range(3):\n    gs.append(project(tape.gradient(pick(loss, k), v)))»\n",
        f"{IN_WITH}def pick(p, k):\n    return p[k]\nwith tape:\n    targets = [pick(loss, k) for k in range(3)]\nfor target in targets:\n"
        "    gs.append(project(tape.gradient(target, v)))\n",
        id="a helper that is defined only after the block",
    ),
]

MORE_LOOPS = [
    pytest.param(
        f"{WITH}for i in range(3):\n    «t = loss[i]»\n    gs.append(tape.gradient(t, v))\n",
        f"{IN_WITH}    targets = [loss[i] for i in range(3)]\nfor t in targets:\n    gs.append(tape.gradient(t, v))\n",
        id="a statement of the loop is named",
    ),
    pytest.param(
        f"{WITH}for k in range(3):\n    i = order[k]\n    gs.append(«tape.gradient(loss[i], v)»)\n",
        f"{IN_WITH}    targets = [loss[order[k]] for k in range(3)]\nfor k, target in enumerate(targets):\n"
        "    i = order[k]\n    gs.append(tape.gradient(target, v))\n",
        id="an index that is looked up: what no finding names stays",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    a = loss[i]\n    print(a)\n    t = a * 2\n    gs.append(tape.gradient(t, v))»\n",
        f"{IN_WITH}    targets = [loss[i] * 2 for i in range(3)]\nfor i, t in enumerate(targets):\n    a = loss[i]\n"
        "    print(a)\n    gs.append(tape.gradient(t, v))\n".replace("loss[i] * 2", "loss[i] * 2"),
        id="a part of the target that is printed stays too",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    gs.append(tape.gradient(loss[i], v))\n    hs.append(tape.gradient([loss, total], v))»\n",
        f"{IN_WITH}    targets = [loss[i] for i in range(3)]\nfor target in targets:\n"
        "    gs.append(tape.gradient(target, v))\n    hs.append(tape.gradient([loss, total], v))\n",
        id="targets that are there already",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    gs.append(tape.gradient(loss[i], v))\n    hs.append(tape.gradient(loss[i], w))»\n",
        f"{IN_WITH}    targets = [loss[i] for i in range(3)]\nfor target in targets:\n"
        "    gs.append(tape.gradient(target, v))\n    hs.append(tape.gradient(target, w))\n",
        id="the same target twice in a loop",
    ),
    pytest.param(
        f"{WITH}«for i in tf.range(0, 6, delta=2, dtype='int64'):\n    gs.append(tape.gradient(loss[i], v))»\n",
        f"{IN_WITH}    targets = [loss[i] for i in range(0, 6, 2)]\nfor target in targets:\n"
        "    gs.append(tape.gradient(target, v))\n",
        id="tf.range with a step",
    ),
    pytest.param(
        f"{WITH}«for i in 0, 2:\n    gs.append(tape.gradient(loss[i], v))»\n",
        f"{IN_WITH}    targets = [loss[i] for i in (0, 2)]\nfor target in targets:\n"
        "    gs.append(tape.gradient(target, v))\n",
        id="a tuple without parentheses",
    ),
]

#: Loops over `tf.range` that stay as they are: the tape is opened again inside.
KEPT = [
    pytest.param("tf.range(*bounds)", id="unpacked arguments"),
    pytest.param("tf.range(tf.size(x))", id="a bound that is a tensor"),
    pytest.param("tf.range(0.0, 3.0)", id="floats"),
    pytest.param("tf.range(3, dtype=tf.float32)", id="a dtype of floats"),
    pytest.param("tf.range(3, dtype=kind)", id="an unknown dtype"),
    pytest.param("tf.range(start=3)", id="no limit"),
    pytest.param("tf.range(3, name='r')", id="another keyword"),
]

REOPENED = [
    pytest.param(
        "class A:\n    def pick(self, p, k):\n        return p[k]\n    def step(self):\n"
        "        ¤with tf.GradientTape(persistent=True) as tape:\n            loss = f(x)\n"
        "        «for k in range(3):\n            self.use(tape.gradient(self.pick(loss, k), v))»\n",
        "class A:\n    def pick(self, p, k):\n        return p[k]\n    def step(self):\n"
        "        with tf.GradientTape(persistent=True) as tape:\n            loss = f(x)\n"
        "            targets = [self.pick(loss, k) for k in range(3)]\n"
        "        for target in targets:\n            self.use(tape.gradient(target, v))\n",
        id="not needed for a method that only reads its arguments",
    ),
    pytest.param(
        f"{WITH}«while i < 3:\n    gs.append(tape.gradient(loss[i], v)); i += 1»\n",
        f"{IN_WITH}while i < 3:\n    with tape:\n        target = loss[i]\n    gs.append(tape.gradient(target, v))\n    i += 1\n",
        id="while",
    ),
    pytest.param(
        f"{WITH}s = 1.0\n«for i in range(3):\n    gs.append(tape.gradient(loss[i] * s, v))\n    s = s * 0.5»\n",
        f"{IN_WITH}s = 1.0\nfor i in range(3):\n    with tape:\n        target = loss[i] * s\n"
        "    gs.append(tape.gradient(target, v))\n    s = s * 0.5\n",
        id="the loop changes what the target reads",
    ),
    pytest.param(
        f"{WITH}«for i in range(9):\n    if i >= len(loss):\n        break\n    gs.append(tape.gradient(loss[i], v))»\n",
        f"{IN_WITH}for i in range(9):\n    if i >= len(loss):\n        break\n    with tape:\n        target = loss[i]\n"
        "    gs.append(tape.gradient(target, v))\n",
        id="the loop may end before the target can be computed",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    a = loss[i]\n    b = a / 2\n\n    if i:\n        gs.append(tape.gradient(a, v))\n"
        "    else:\n        gs.append(tape.gradient(b, v))»\n",
        f"{IN_WITH}for i in range(3):\n    with tape:\n        a = loss[i]\n        b = a / 2\n\n    if i:\n"
        "        gs.append(tape.gradient(a, v))\n    else:\n        gs.append(tape.gradient(b, v))\n",
        id="two targets in a loop",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    t = loss[i] + rng.normal()\n    opt.apply_gradients(zip(tape.gradient(t, v), v))»\n",
        f"{IN_WITH}for i in range(3):\n    with tape:\n        t = loss[i] + rng.normal()\n"
        "    opt.apply_gradients(zip(tape.gradient(t, v), v))\n",
        id="unknown calls in the target and in the loop",
    ),
    pytest.param(
        f"{WITH}if k:\n    total = loss * 2\n    g = «tape.gradient(total, v)»\n",
        f"{IN_WITH}if k:\n    with tape:\n        total = loss * 2\n    g = tape.gradient(total, v)\n",
        id="a condition",
    ),
    pytest.param(
        f"{WITH}if y is None:\n    raise ValueError\n«total = loss - y»\ng = tape.gradient(total, v)\n",
        f"{IN_WITH}    if y is None:\n        raise ValueError\n    total = loss - y\ng = tape.gradient(total, v)\n",
        id="what guards the target moves along",
    ),
    pytest.param(
        f"def f():\n    for x in d:\n        {WITH.replace(chr(10), chr(10) + '        ').rstrip()}\n        if y is None:\n            continue\n"
        "        «total = loss - y»\n        g = tape.gradient(total, v)\n",
        f"def f():\n    for x in d:\n        {IN_WITH.replace(chr(10), chr(10) + '        ').rstrip()}\n        if y is None:\n            continue\n"
        "        with tape:\n            total = loss - y\n        g = tape.gradient(total, v)\n",
        id="a guard that cannot move",
    ),
    pytest.param(
        f"{WITH}with tf.GradientTape() as other:\n    extra = h(x)\n«total = loss + extra»\ng = tape.gradient(total, v)\n",
        f"{IN_WITH}with tf.GradientTape() as other:\n    extra = h(x)\nwith tape:\n    total = loss + extra\n"
        "g = tape.gradient(total, v)\n",
        id="a term from another tape's block",
    ),
    pytest.param(
        f"{WITH}opt.apply_gradients(zip(tape.gradient(loss, v), v))\n«total = loss + net.penalty()»\ng = tape.gradient(total, v)\n",
        f"{IN_WITH}opt.apply_gradients(zip(tape.gradient(loss, v), v))\nwith tape:\n    total = loss + net.penalty()\n"
        "g = tape.gradient(total, v)\n",
        id="a training step may change what the target reads",
    ),
    pytest.param(
        "with contextlib.suppress(E):\n    pass\n¤with tf.GradientTape() as tape, suppress(E):\n    loss = f(x)\n"
        "«total = loss * 2»\ng = tape.gradient(total, v)\n",
        "with contextlib.suppress(E):\n    pass\nwith tf.GradientTape() as tape, suppress(E):\n    loss = f(x)\n"
        "with tape:\n    total = loss * 2\ng = tape.gradient(total, v)\n",
        id="a manager that swallows errors",
    ),
    pytest.param(
        "if c:\n    ¤with tf.GradientTape() as tape:\n        loss = f(x)\n«total = loss * 2»\ng = tape.gradient(total, v)\n",
        "if c:\n    with tf.GradientTape() as tape:\n        loss = f(x)\nwith tape:\n    total = loss * 2\n"
        "g = tape.gradient(total, v)\n",
        id="a block that is not always entered",
    ),
    pytest.param(
        f"{WITH}def ask():\n    # later\n    return «tape.gradient(loss[0], v)»\n",
        f"{IN_WITH}def ask():\n    with tape:\n        target = loss[0]\n    # later\n    return tape.gradient(target, v)\n",
        id="inside a function",
    ),
    pytest.param(
        "class A:\n    def forward(self, x):\n        ¤with tf.GradientTape() as tape:\n            y = x * self.w\n"
        "        return y, tape\n    def fit(self, x):\n        for _ in range(3):\n            y, tape = self.forward(x)\n"
        "            k = 2.0\n            «loss = tf.reduce_sum(y) * k»\n            g = tape.gradient(loss, v)\n",
        "class A:\n    def forward(self, x):\n        with tf.GradientTape() as tape:\n            y = x * self.w\n"
        "        return y, tape\n    def fit(self, x):\n        for _ in range(3):\n            y, tape = self.forward(x)\n"
        "            with tape:\n                k = 2.0\n                loss = tf.reduce_sum(y) * k\n"
        "            g = tape.gradient(loss, v)\n",
        id="the tape comes from another function",
    ),
    pytest.param(
        "class A:\n    def forward(self, x):\n        ¤with tf.GradientTape() as tape:\n            y = x * self.w\n"
        "        return y, tape\n    def fit(self, x):\n        for _ in range(3):\n            y, tape = self.forward(x)\n"
        "            g = «tape.gradient(x * 2, v)»\n",
        "class A:\n    def forward(self, x):\n        with tf.GradientTape() as tape:\n            y = x * self.w\n"
        "        return y, tape\n    def fit(self, x):\n        for _ in range(3):\n            y, tape = self.forward(x)\n"
        "            with tape:\n                target = x * 2\n            g = tape.gradient(target, v)\n",
        id="a loop in which the tape is made anew",
    ),
    pytest.param(
        "class A:\n    def forward(self):\n        ¤with tf.GradientTape() as self.tape:\n            self.loss = f(x)\n"
        "    def ask(self):\n        return «self.tape.gradient(self.loss * 2, v)»\n",
        "class A:\n    def forward(self):\n        with tf.GradientTape() as self.tape:\n            self.loss = f(x)\n"
        "    def ask(self):\n        with self.tape:\n            target = self.loss * 2\n"
        "        return self.tape.gradient(target, v)\n",
        id="the tape is kept in an attribute",
    ),
    pytest.param(
        f"{WITH}flag = True\n«total = scaled(loss)»\ng = tape.gradient(total, v)\ndef scaled(a):\n    return a * 2 if flag else a\n",
        f"{IN_WITH}    flag = True\n    total = scaled(loss)\ng = tape.gradient(total, v)\n"
        "def scaled(a):\n    return a * 2 if flag else a\n",
        id="a called function reads a global name",
    ),
]

#: Targets that stay in their loop, or statement: what is above would change, or the result would be hard to read.
INSIDE = [
    pytest.param(
        f"{WITH}«for i in range(3):\n    a = loss[i]\n    a = a * 2\n    gs.append(tape.gradient(a, v))»\n",
        f"{IN_WITH}for i in range(3):\n    with tape:\n        a = loss[i]\n        a = a * 2\n"
        "    gs.append(tape.gradient(a, v))\n",
        id="a name that is bound twice",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    a = loss[i]\n    t = a * a\n    gs.append(tape.gradient(t, v))»\n",
        f"{IN_WITH}for i in range(3):\n    with tape:\n        a = loss[i]\n        t = a * a\n"
        "    gs.append(tape.gradient(t, v))\n",
        id="a part that is used twice",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    t = loss[i] + {'+'.join(['long_name'] * 20)}\n    gs.append(tape.gradient(t, v))»\n",
        f"{IN_WITH}for i in range(3):\n    with tape:\n        t = loss[i] + {'+'.join(['long_name'] * 20)}\n"
        "    gs.append(tape.gradient(t, v))\n",
        id="a very long target",
    ),
    pytest.param(
        f"{WITH}«for i in range(3):\n    t = sum(l for l in loss[i])\n    gs.append(tape.gradient(t + sum(k for k in w), v))»\n",
        f"{IN_WITH}for i in range(3):\n    with tape:\n        t = sum(l for l in loss[i])\n"
        "        target = t + sum(k for k in w)\n    gs.append(tape.gradient(target, v))\n",
        id="names of comprehensions",
    ),
    pytest.param(
        f"{WITH}t = 0\n«for i in range(3):\n    print(t)\n    t = loss[i]\n    gs.append(tape.gradient(t, v))»\n",
        f"{IN_WITH}t = 0\nfor i in range(3):\n    print(t)\n    with tape:\n        t = loss[i]\n"
        "    gs.append(tape.gradient(t, v))\n",
        id="the target of the turn before is read",
    ),
    pytest.param(
        f"{WITH}if a:\n    gs.append(«tape.gradient(loss[0], v)»)\n    hs.append(«tape.gradient(loss[0], w)»)\n",
        f"{IN_WITH}if a:\n    with tape:\n        target = loss[0]\n    gs.append(tape.gradient(target, v))\n"
        "    with tape:\n        target_2 = loss[0]\n    hs.append(tape.gradient(target_2, w))\n",
        id="the same target in two statements",
    ),
    pytest.param(
        f"{WITH}with m() as k:\n    n = 1\n    g = «tape.gradient(loss[n], v)»\n",
        f"{IN_WITH}with m() as k:\n    with tape:\n        n = 1\n        target = loss[n]\n"
        "    g = tape.gradient(target, v)\n",
        id="in a block that makes what the target reads",
    ),
    pytest.param(
        f"with s():\n    {WITH.replace(chr(10), chr(10) + '    ').rstrip()}\n    k = 1\n    opt.minimize(f, k)\n"
        "«total = loss * k»\ng = tape.gradient(total, v)\n",
        f"with s():\n    {IN_WITH.replace(chr(10), chr(10) + '    ').rstrip()}\n    k = 1\n    opt.minimize(f, k)\n"
        "with tape:\n    total = loss * k\ng = tape.gradient(total, v)\n",
        id="something stands in the way inside of the outer block",
    ),
    pytest.param(
        "async def s():\n    ¤with tf.GradientTape(persistent=True) as tape:\n        loss = f(x)\n"
        "    «for i in r:\n        async for k in q:\n            gs.append(tape.gradient(loss[k], v))»\n",
        "async def s():\n    with tf.GradientTape(persistent=True) as tape:\n        loss = f(x)\n"
        "    for i in r:\n        async for k in q:\n            with tape:\n                target = loss[k]\n"
        "            gs.append(tape.gradient(target, v))\n",
        id="an asynchronous loop",
    ),
    pytest.param(
        f"{WITH}try:\n    g = «tape.gradient(loss[0], v)»\nexcept E:\n    pass\n",
        f"{IN_WITH}try:\n    with tape:\n        target = loss[0]\n    g = tape.gradient(target, v)\nexcept E:\n    pass\n",
        id="try",
    ),
    pytest.param(
        f"{WITH}for i in range(3):\n    pass\nelse:\n    g = «tape.gradient(loss[i], v)»\n",
        f"{IN_WITH}for i in range(3):\n    pass\nelse:\n    with tape:\n        target = loss[i]\n"
        "    g = tape.gradient(target, v)\n",
        id="the end of a loop",
    ),
]

DECLINED = [
    pytest.param(
        f"{WITH}g0 = tape.gradient(loss, v)\n«total = loss + tf.norm(g0)»\ng = tape.gradient(total, v)\n",
        "made of a gradient",
        id="a gradient in the target",
    ),
    pytest.param(
        f"{WITH}gs = list(map(lambda i: «tape.gradient(loss[i], v)», range(3)))\n", "at any time", id="a lambda"
    ),
    pytest.param(f"{WITH}g = a if c else «tape.gradient(loss[0], v)»\n", "not always", id="a conditional expression"),
    pytest.param(f"{WITH}g = c and «tape.gradient(loss[0], v)»\n", "not always", id="and"),
    pytest.param(f"{WITH}g = «tape.gradient((t := loss[0]), v)»\n", "binds a name", id="a walrus"),
    pytest.param(
        f"{WITH}gs = [i for i in r if «tape.gradient(loss[i], v)» is not None]\n", "condition", id="in a condition"
    ),
    pytest.param(
        f"{WITH}while tf.norm(«tape.gradient(loss[0], v)») > 1:\n    step()\n",
        "just run once",
        id="the test of a while",
    ),
    pytest.param(
        f"{WITH}g = draw() + «tape.gradient(loss * draw(), v)»\n", "in the statement", id="draws change places"
    ),
    pytest.param(f"{WITH}g = «tape.gradient(*loss)»\n", "cannot be seen", id="unpacked arguments"),
    pytest.param(
        f"{WITH}gs = tape.gradient(loss, v)\nfor g in gs:\n    a, b = tf.norm(g), 1\nn.append(a)\n"
        "«total = loss + tf.add_n(n)»\ng = tape.gradient(total, v)\n",
        "made of a gradient",
        id="a gradient in the target, by a loop, a tuple and a list",
    ),
    pytest.param(
        f"{WITH}«for a, l in zip(w, ¦loss):\n    if a:\n        gs.append(tape.gradient(a * l, v))»\n",
        "which tensor",
        id="two values of a turn",
    ),
    pytest.param(
        f"{WITH}gs = [draw() * «tape.gradient(loss[i] * draw(), v)» for i in r]\n",
        "in the statement",
        id="draws change places in a comprehension",
    ),
    pytest.param(
        f"{WITH}gs = {{«tape.gradient(loss[i] * draw(), v)»: draw() for i in r}}\n",
        "what else the comprehension does",
        id="draws change places in a dict comprehension",
    ),
    pytest.param(
        f"{WITH}async def s():\n    return [«tape.gradient(loss[i], v)» async for i in r]\n",
        "waits for other work",
        id="an asynchronous comprehension",
    ),
    pytest.param("«t = 2 * x»\n¤with tf.GradientTape() as tape:\n    pass\n", "behind", id="before the block"),
]


@pytest.mark.parametrize(("before", "after"), [*STATEMENTS, *ARGUMENTS, *LOOPS, *MORE_LOOPS, *REOPENED, *INSIDE])
def test_rewritten(before: str, after: str) -> None:
    assert moved(TargetOutsideTapeCommand, before, **({"tape": "self.tape"} if "self.tape" in before else {})) == after


@pytest.mark.parametrize(("before", "reason"), DECLINED)
def test_declined(before: str, reason: str) -> None:
    assert reason in refused(TargetOutsideTapeCommand, before)


@pytest.mark.parametrize("iterable", KEPT)
def test_a_loop_that_stays(iterable: str) -> None:
    loop = f"for i in {iterable}:\n    gs.append(tape.gradient(loss[i], v))"
    after = f"for i in {iterable}:\n    with tape:\n        target = loss[i]\n    gs.append(tape.gradient(target, v))\n"
    assert moved(TargetOutsideTapeCommand, f"{WITH}«{loop}»\n") == IN_WITH + after


def test_range_means_something_else() -> None:
    shadow = "def range(n):\n    return [n]\n"
    loop = "«for i in tf.range(3):\n    gs.append(tape.gradient(loss[i], v))»\n"
    assert "for i in tf.range(3):\n    with tape:\n" in moved(TargetOutsideTapeCommand, shadow + WITH + loop)


def test_the_counter_is_needed_as_a_tensor() -> None:
    loop = "«for i in tf.range(3):\n    gs.append(tape.gradient(loss[i], v))\n    print(i.numpy())»\n"
    assert "for i in tf.range(3):\n    with tape:\n" in moved(TargetOutsideTapeCommand, WITH + loop)


def test_a_bound_that_the_analysis_tells() -> None:
    loop = "«for i in tf.range(tf.shape(x)[0]):\n    gs.append(tape.gradient(loss[i], v))»\n"
    assert "for i in range(x.shape[0])]" in moved(TargetOutsideTapeCommand, WITH + loop, bound="x.shape[0]")
    assert "    with tape:\n        target = loss[i]\n" in moved(TargetOutsideTapeCommand, WITH + loop)


def test_a_tape_without_a_name() -> None:
    asked = "while c:\n    g = «tapes[0].gradient(loss * 2, v)»\n"
    assert "no name" in refused(TargetOutsideTapeCommand, WITH + asked, tape="")
