"""Programs made at random: an `if` on tensors whose branches are full of roots, quotients and logarithms."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Draw = Any

TEMPLATES = (
    "({} + {})",
    "({} - {})",
    "{} * {}",
    "({}) / {name}",
    "tf.sqrt({name})",
    "tf.math.log({name} * {name})",
    "tf.exp({name} * 3)",
    "tf.square({name} - {})",
    "{name} ** 0.5",
    "{name} ** -2",
    "tf.math.reciprocal({name})",
    "tf.math.asin({name})",
    "tf.math.xlogy({name}, {name})",
    "tf.norm(tf.stack([{name}, {name}]))",
    "tf.pow({name}, 1.5)",
    "tf.math.truediv({name} + {}, {name})",
)

#: Computed before the test; each is not finite for some argument.
FIRST = ("z = x * y", "z = tf.sqrt(x)", "z = tf.math.log(x)", "z = tf.norm(tf.stack([x, y]))")


@st.composite
def expressions(draw: Draw, names: tuple[str, ...], depth: int = 2) -> str:
    """An expression of ``names``."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return str(draw(st.sampled_from((*names, *names, "0.5", "-1.0", "3"))))
    template = str(draw(st.sampled_from(TEMPLATES)))
    result = ""
    for part in template.replace("{name}", "\0").split("{}"):
        pieces = part.split("\0")
        result += pieces[0] + "".join(f"({draw(st.sampled_from(names))}){piece}" for piece in pieces[1:])
        result += "\1"
    pieces = result.removesuffix("\1").split("\1")
    return pieces[0] + "".join(draw(expressions(names, depth - 1)) + piece for piece in pieces[1:])


@st.composite
def tests(draw: Draw, names: tuple[str, ...]) -> str:
    """A test that compares `x`, on which everything computed first depends."""
    other = draw(st.sampled_from(("0", "0.5", *names)))
    one = f"x {draw(st.sampled_from(('>', '<', '>=', '<=', '==', '!=')))} {other}"
    form = draw(st.sampled_from(("{}", "{}", "not {}", "{} and y > 0", "{} or y > 0", "-1 < x < y")))
    return str(form).format(one)


@st.composite
def chains(draw: Draw, names: tuple[str, ...], block: str, indent: str) -> str:
    """An `if` with `elif`s and perhaps an `else`; ``block`` is what each branch does with an expression."""
    count = draw(st.integers(1, 3))
    lines = [f"{'el' * (number > 0)}if {draw(tests(names))}:" for number in range(count)]
    lines += ["else:"] * draw(st.integers(0, 1))
    branches = [f"{line}\n{indent}    {block.format(draw(expressions(names)))}" for line in lines]
    return f"«{f'{chr(10)}{indent}'.join(branches)}»"


@st.composite
def programs(draw: Draw) -> str:
    """A marked program that defines `f`."""
    lines = ["tf.abs(x), tf.abs(y)  # so that both are plainly tensors", draw(st.sampled_from(FIRST))]
    names = ("x", "y", "z")
    block = draw(st.sampled_from(("r = {}", "r += {}", "t = x * {}\n        r = t * y\n        s = r", "return {}")))
    if block == "return {}":
        lines += [draw(chains(names, block, "    ")) for _ in range(draw(st.integers(1, 2)))]
        lines.append(f"return {draw(expressions(names))} + x")
    else:
        lines += ["r, s = x * 1.0, y * 1.0", draw(chains(names, block, "    ")), "return r + 2 * s"]
    return "def f(x, y):\n" + "".join(f"    {line}\n" for line in lines)
