"""Writes programs that fill an array at random places, each for a number: the same number gives the same program."""

from __future__ import annotations

from random import Random

from tests.codemods.fill_cases import program

SETUP = """\
y = tf.constant(np.linspace(0.3, 1.7, 8))
z = tf.constant(np.linspace(-1.0, 1.0, 216).reshape(6, 6, 6))
"""


def random_program(seed: int) -> str:
    """A program with one to three assignments into an array of up to three axes, perhaps in a loop."""
    random = Random(seed)
    shape = [random.randrange(3, 6) for _ in range(random.choice([1, 2, 2, 3]))]
    lines = [SETUP, f"u = np.{random.choice(['zeros', 'ones', 'empty'])}(({', '.join(map(str, shape))},))\n"]
    lines.append("u[...] = w[0]\n")
    loop = random.random() < 0.5
    step = "    " if loop else ""
    if loop:
        lines.append(f"for k in range({min(shape)}):\n")
    lines.append(f"{step}u[0] = {value(random, shape[1:])}\n")
    lines += [f"{step}{assignment(random, shape, loop)}\n" for _ in range(random.randrange(1, 4))]
    size = 1
    for length in shape:
        size *= length
    lines.append(f"return tf.reduce_sum(tf.cast(u, w.dtype) ** 2 * (np.arange({size}).reshape({shape}) % 7))\n")
    return program("".join(lines), dtype="float64")


def assignment(random: Random, shape: list[int], loop: bool) -> str:
    """One assignment to an item."""
    parts = [part(random, length, loop) for length in shape[: random.randrange(1, len(shape) + 1)]]
    left = [length for _, length in parts if length is not None] + shape[len(parts) :]
    operator = random.choice(["=", "=", "=", "+=", "*=", "-="])
    return f"u[{', '.join(text for text, _ in parts)}] {operator} {value(random, left)}"


def part(random: Random, length: int, loop: bool) -> tuple[str, int | None]:
    """A part of an index, and how much of its axis is left: None for a number."""
    start = random.randrange(length)
    end = random.randrange(start + 1, length + 1)
    choices: list[tuple[str, int | None]] = [
        *((str(start), None), (str(start), None), (str(start - length), None), (":", length)),
        *((f"{start}:{end}", end - start), (f"{start}:", length - start), (f":{end}", end), ("1:-1", length - 2)),
    ]
    if loop:
        choices += [("k", None), ("k", None), ("k - 1", None)]
    return random.choice(choices)


def value(random: Random, shape: list[int]) -> str:
    """What is assigned: a number for all, or an array of the last axes, or of all."""
    factor = random.choice([f"w[0] * {random.uniform(-2, 2):.2f}", "(tf.reduce_sum(w) + 0.3)", "w[1] * w[2]"])
    if not shape or random.random() < 0.3:
        return factor
    if random.random() < 0.5:
        return f"{factor} * y[:{shape[-1]}]"
    corner = ", ".join(f":{length}" for length in [*[1] * (3 - len(shape)), *shape])
    return f"{factor} * tf.reshape(z[{corner}], {shape})"
