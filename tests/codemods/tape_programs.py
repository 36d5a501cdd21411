"""Programs that compute something outside of the tape that should record it, and the same programs written right.

Each defines `step`, which takes nothing and gives a loss, or a list, and the gradients. `¤` and «» are the marks of
hand-made findings. A program is run eagerly, and inside `tf.function` unless its name says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HEAD: Final = """\
import numpy as np
import tensorflow as tf

w = tf.Variable([[0.5, -0.3, 0.2], [0.1, 0.4, -0.6]])
b = tf.Variable([0.1, -0.2, 0.3])
x = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.3], [-1.0, 1.5]])
v = [w, b]


def net(a):
    return tf.tanh(a @ w + b)


def per_task(a):
    return tf.reduce_mean(tf.square(net(a) - 0.5), axis=0)


"""


@dataclass(frozen=True)
class Program:
    """A faulty program with its marks, and a right one. ``partial``: other terms leave it a gradient."""

    name: str
    command: str
    faulty: str
    right: str
    graph: bool = True
    partial: bool = False
    facts: tuple[tuple[str, str], ...] = ()


TARGET: Final = "target_outside_tape"
FORWARD: Final = "forward_outside_tape"
INNER: Final = "inner_gradient_outside"

PROGRAMS: Final[tuple[Program, ...]] = (
    Program(
        "a total and a penalty",
        TARGET,
        """\
def step():
    ¤with tf.GradientTape() as tape:
        tasks = per_task(x)
    «total = tf.reduce_sum(tasks)»
    «total += 0.1 * tf.nn.l2_loss(w)»
    return total, tape.gradient(total, v)
""",
        """\
def step():
    with tf.GradientTape() as tape:
        tasks = per_task(x)
        total = tf.reduce_sum(tasks)
        total += 0.1 * tf.nn.l2_loss(w)
    return total, tape.gradient(total, v)
""",
    ),
    Program(
        "weights that a note of the losses changes",
        TARGET,
        """\
class Book:
    def __init__(self):
        self.past = []

    def note(self, losses):
        self.past.append(len(self.past) + 1.0)

    def weights(self):
        return [sum(self.past), 2.0, 0.5]


def step():
    book = Book()
    total = 0.0
    grads = []
    for _ in range(2):
        ¤with tf.GradientTape() as tape:
            tasks = per_task(x)
        book.note(tasks)
        «total = tf.reduce_sum(tasks * book.weights())»
        grads += tape.gradient(total, v)
    return total, grads
""",
        """\
def step():
    total = 0.0
    grads = []
    for factor in (1.0, 3.0):
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(per_task(x) * [factor, 2.0, 0.5])
        grads += tape.gradient(total, v)
    return total, grads
""",
    ),
    Program(
        "an index, a helper and a list in the argument",
        TARGET,
        """\
def pick(tasks, number):
    return tasks[number]


def step():
    ¤with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)
    grads = «tape.gradient(tasks[0], v)»
    grads += «tape.gradient(pick(tasks, 1), v)»
    grads += «tape.gradient([tasks[2] * 2.0, tasks[0]], v)»
    grads.append(«tape.jacobian(tf.square(tasks), b)»)
    return tf.reduce_sum(tasks), grads
""",
        """\
def step():
    with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)
        first, second, third = tasks[0], tasks[1], [tasks[2] * 2.0, tasks[0]]
        squares = tf.square(tasks)
    grads = tape.gradient(first, v) + tape.gradient(second, v) + tape.gradient(third, v)
    return tf.reduce_sum(tasks), [*grads, tape.jacobian(squares, b)]
""",
    ),
    Program(
        "gather in a loop over tf.range",
        TARGET,
        """\
def step():
    ¤with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)

    grads = []
    «for i in tf.range(3):
        task = tf.gather(tasks, i)
        grads += tape.gradient(task, v)»
    return tf.reduce_sum(tasks), grads
""",
        """\
def step():
    with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)
        each = [tasks[0], tasks[1], tasks[2]]
    return tf.reduce_sum(tasks), [g for one in each for g in tape.gradient(one, v)]
""",
    ),
    Program(
        "a loop over as many as the batch has",
        TARGET,
        """\
def step():
    ¤with tf.GradientTape(persistent=True) as tape:
        rows = tf.reduce_sum(tf.square(net(x)), axis=1)
    clipped = []
    «for i in tf.range(tf.shape(x)[0]):
        grads, _ = tf.clip_by_global_norm(tape.gradient(rows[i], v), 0.5)
        clipped += grads»
    return tf.reduce_sum(rows), clipped
""",
        """\
def step():
    with tf.GradientTape(persistent=True) as tape:
        rows = tf.reduce_sum(tf.square(net(x)), axis=1)
        each = [rows[0], rows[1], rows[2], rows[3]]
    clipped = []
    for one in each:
        clipped += tf.clip_by_global_norm(tape.gradient(one, v), 0.5)[0]
    return tf.reduce_sum(rows), clipped
""",
        facts=(("bound", "x.shape[0]"),),
    ),
    Program(
        "a loop over the tensor, and one over zip",
        TARGET,
        """\
def step():
    ¤with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)
    grads = []
    «for factor, task in zip([1.0, 2.0, 3.0], ¦tf.unstack(tasks)):
        scaled = factor * task
        grads += tape.gradient(scaled, v)»
    return tf.reduce_sum(tasks), grads
""",
        """\
def step():
    with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)
        each = [tasks[0], 2.0 * tasks[1], 3.0 * tasks[2]]
    return tf.reduce_sum(tasks), [g for one in each for g in tape.gradient(one, v)]
""",
    ),
    Program(
        "a loop that takes a tensor apart",
        TARGET,
        """\
def step():
    ¤with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)
    grads = []
    «for number, task in enumerate(¦tasks):
        if number != 1:
            grads += tape.gradient(task, v)»
    return tf.reduce_sum(tasks), grads
""",
        """\
def step():
    with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)
        each = [tasks[0], tasks[2]]
    return tf.reduce_sum(tasks), [g for one in each for g in tape.gradient(one, v)]
""",
        graph=False,
    ),
    Program(
        "comprehensions",
        TARGET,
        """\
def step():
    ¤with tf.GradientTape(persistent=True) as tape:
        y = net(x)
    rows = [[«tape.gradient(y[i, j], b)» for j in range(3)] for i in range(4)]
    named = {n: «tape.gradient(y[i, 0] * 2.0, w)» for i, n in enumerate("abcd") if n != "b"}
    return tf.reduce_sum(y), [g for row in rows for g in row] + list(named.values())
""",
        """\
def step():
    with tf.GradientTape(persistent=True) as tape:
        y = net(x)
        rows = [y[i, j] for i in range(4) for j in range(3)]
        named = [y[i, 0] * 2.0 for i in (0, 2, 3)]
    return tf.reduce_sum(y), [tape.gradient(r, b) for r in rows] + [tape.gradient(n, w) for n in named]
""",
    ),
    Program(
        "nested loops that fill a table",
        TARGET,
        """\
def step():
    ¤with tf.GradientTape(persistent=True) as tape:
        y = net(x)
    table = {}
    «for i in range(4):
        row = y[i]
        for j in range(3):
            cell = row[j]
            table[i, j] = tape.gradient(cell, b)»
    return tf.reduce_sum(y), list(table.values())
""",
        """\
def step():
    with tf.GradientTape(persistent=True) as tape:
        y = net(x)
        cells = [y[i, j] for i in range(4) for j in range(3)]
    return tf.reduce_sum(y), [tape.gradient(cell, b) for cell in cells]
""",
    ),
    Program(
        "a loop that changes what its targets read",
        TARGET,
        """\
def step():
    scale = 1.0
    ¤with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)
    grads = []
    «for i in range(3):
        target = tasks[i] * scale
        grads += tape.gradient(target, v)
        scale = scale * 0.5»
    return tf.reduce_sum(tasks), grads
""",
        """\
def step():
    with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)
        each = [tasks[0], tasks[1] * 0.5, tasks[2] * 0.25]
    return tf.reduce_sum(tasks), [g for one in each for g in tape.gradient(one, v)]
""",
    ),
    Program(
        "while, one of two targets, and random draws in both target and loop",
        TARGET,
        """\
def step():
    rng = np.random.default_rng(3)
    ¤with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)
    grads = []
    i = 0
    «while i < 3:
        target = tasks[i] * rng.normal()
        half = target / 2.0
        if i == 1:
            grads += tape.gradient(half, v)
        else:
            grads += tape.gradient(target, v)
        grads[-1] = grads[-1] + rng.normal()
        i += 1»
    return tf.reduce_sum(tasks), grads
""",
        """\
def step():
    rng = np.random.default_rng(3)
    grads = []
    for i in range(3):
        with tf.GradientTape() as tape:
            tasks = per_task(x)
            target = tasks[i] * rng.normal() / (2.0 if i == 1 else 1.0)
        grads += tape.gradient(target, v)
        grads[-1] = grads[-1] + rng.normal()
    return tf.reduce_sum(tasks), grads
""",
    ),
    Program(
        "a training step between the block and the target",
        TARGET,
        """\
u = tf.Variable(1.5)


def step():
    u.assign(1.5)
    ¤with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)
    grads = tape.gradient(tasks, v)
    u.assign_sub(0.5)
    «total = tf.reduce_sum(tasks) * u»
    return total, grads + tape.gradient(total, [w, u])
""",
        """\
u = tf.Variable(1.0)


def step():
    with tf.GradientTape(persistent=True) as tape:
        tasks = per_task(x)
        total = tf.reduce_sum(tasks) * u
    return total, tape.gradient(tasks, v) + tape.gradient(total, [w, u])
""",
    ),
    Program(
        "two tapes, a term of the other",
        TARGET,
        """\
def step():
    ¤with tf.GradientTape() as tape:
        first = tf.reduce_sum(per_task(x))
    with tf.GradientTape() as other:
        second = tf.reduce_mean(net(x))
    «total = first * 2.0 + second»
    return total, tape.gradient(total, v) + other.gradient(second, v)
""",
        """\
def step():
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(per_task(x)) * 2.0 + tf.stop_gradient(tf.reduce_mean(net(x)))
    with tf.GradientTape() as other:
        second = tf.reduce_mean(net(x))
    return total, tape.gradient(total, v) + other.gradient(second, v)
""",
    ),
    Program(
        "a block inside a block",
        TARGET,
        """\
def step():
    with tf.name_scope("all"):
        ¤with tf.GradientTape() as tape: tasks = per_task(x)
        shown = tf.reduce_max(tasks)
    «total = tf.reduce_sum(tasks) / 3.0»
    return total + 0.0 * shown, tape.gradient(total, v)
""",
        """\
def step():
    with tf.GradientTape() as tape:
        total = tf.reduce_mean(per_task(x))
    return total, tape.gradient(total, v)
""",
    ),
    Program(
        "the forward pass before the block",
        FORWARD,
        """\
def step():
    «y = net(x)»
    spread = tf.math.reduce_std(y)

    ¤with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(y)) + spread
    return loss, tape.gradient(loss, v)
""",
        """\
def step():
    with tf.GradientTape() as tape:
        y = net(x)
        loss = tf.reduce_mean(tf.square(y)) + tf.math.reduce_std(y)
    return loss, tape.gradient(loss, v)
""",
    ),
    Program(
        "an input that is watched too late",
        FORWARD,
        """\
def step():
    «doubled = x * 2.0»
    y = net(doubled)
    ¤with tf.GradientTape() as tape:
        tape.watch(doubled)
        loss = tf.reduce_mean(tf.square(y))
    return loss, tape.gradient(loss, [doubled, w])
""",
        """\
def step():
    doubled = x * 2.0
    with tf.GradientTape() as tape:
        tape.watch(doubled)
        loss = tf.reduce_mean(tf.square(net(doubled)))
    return loss, tape.gradient(loss, [doubled, w])
""",
        partial=True,
    ),
    Program(
        "a gradient penalty before the block",
        FORWARD,
        """\
def step():
    «with tf.GradientTape() as inner:
        inner.watch(x)
        y = net(x)»
    slope = inner.gradient(y, x)
    ¤with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(slope)) + tf.reduce_mean(net(x))
    return loss, tape.gradient(loss, v)
""",
        """\
def step():
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = net(x)
        slope = inner.gradient(y, x)
        loss = tf.reduce_mean(tf.square(slope)) + tf.reduce_mean(net(x))
    return loss, tape.gradient(loss, v)
""",
        partial=True,
    ),
    Program(
        "a second derivative",
        INNER,
        """\
def step():
    ¤with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(x)
            y = net(x)
    other = inner.gradient(y, b)
    «slope = inner.gradient(y, x)»
    curve = tape.gradient(slope, x)
    return tf.reduce_sum(y), [other, slope, curve]
""",
        """\
def step():
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(x)
            y = net(x)
        slope = inner.gradient(y, x)
    return tf.reduce_sum(y), [inner.gradient(y, b), slope, tape.gradient(slope, x)]
""",
    ),
    Program(
        "second derivatives in a loop",
        INNER,
        """\
def step():
    ¤with tf.GradientTape(persistent=True) as tape:
        with tf.GradientTape(persistent=True) as inner:
            parts = [tf.square(net(x))[:, 0], net(x)[:, 1]]
    grads = []
    «for part in parts:
        slope = inner.gradient(part, w)
        steep = tf.reduce_sum(tf.square(slope))
        grads += tape.gradient(steep, v)»
    return tf.reduce_sum(parts[0]), grads
""",
        """\
def step():
    grads = []
    for number in (0, 1):
        with tf.GradientTape() as tape:
            with tf.GradientTape() as inner:
                part = [tf.square(net(x))[:, 0], net(x)[:, 1]][number]
            steep = tf.reduce_sum(tf.square(inner.gradient(part, w)))
        grads += tape.gradient(steep, v)
    return tf.reduce_sum(tf.square(net(x))[:, 0]), grads
""",
    ),
)
