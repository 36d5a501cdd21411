"""The kinds of wrong repairs that change one expression."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Final

from tests.verify.wrong_repairs.sources import Edit, Source, called, is_tensorflow

#: Calls whose values are floats that vary with the weights.
COMPUTED: Final = frozenset(
    """
    reduce_mean reduce_sum square abs exp log sqrt tanh sigmoid matmul tensordot einsum matvec softmax softplus stack
    concat sin cos pow multiply norm reduce_logsumexp reduce_prod squared_difference where maximum minimum cumsum
    """.split()
)
#: What draws random numbers.
DRAWS: Final = frozenset("normal uniform standard_normal random truncated_normal permutation choice randn rand".split())

_SUMS: Final = {"reduce_mean": "reduce_sum", "reduce_sum": "reduce_mean"}


def _computed(source: Source) -> Iterator[ast.expr]:
    for node in source.expressions():
        if is_tensorflow(node) and called(node) in COMPUTED:
            yield node


def _operations(source: Source, *operators: type[ast.operator]) -> Iterator[ast.BinOp]:
    for node in source.expressions():
        if isinstance(node, ast.BinOp) and isinstance(node.op, operators) and not _plain(node):
            yield node


def _plain(node: ast.BinOp) -> bool:
    """Whether an operation is one of numbers, texts or places only."""
    return not any(isinstance(each, (ast.Call, ast.Attribute, ast.Name)) for each in (node.left, node.right))


def _around(template: str) -> Callable[[Source], Iterator[Edit]]:
    def make(source: Source) -> Iterator[Edit]:
        for node in _computed(source):
            yield source.edit(node, template.format(source.of(node)))

    return make


def term_detached(source: Source) -> Iterator[Edit]:
    """One of two terms carries no gradient."""
    for node in _operations(source, ast.Add, ast.Sub):
        yield source.edit(node.right, f"tf.stop_gradient({source.of(node.right)})")


def factor_detached(source: Source) -> Iterator[Edit]:
    """One of two factors carries no gradient."""
    for node in _operations(source, ast.Mult, ast.Div, ast.MatMult):
        yield source.edit(node.left, f"tf.stop_gradient({source.of(node.left)})")


def square_halved(source: Source) -> Iterator[Edit]:
    """A square of which one factor is constant: the same value, half the gradient."""
    for node in _computed(source):
        if called(node) == "square" and isinstance(node, ast.Call) and len(node.args) == 1:
            inner = source.of(node.args[0])
            yield source.edit(node, f"(({inner}) * tf.stop_gradient({inner}))")


def sign_flipped(source: Source) -> Iterator[Edit]:
    """A difference for a sum, or the other way round."""
    for node in _operations(source, ast.Add, ast.Sub):
        sign = "-" if isinstance(node.op, ast.Add) else "+"
        yield source.edit(node, f"(({source.of(node.left)}) {sign} ({source.of(node.right)}))")


def axis_swapped(source: Source) -> Iterator[Edit]:
    """Another axis."""
    for node in _computed(source):
        for keyword in getattr(node, "keywords", ()):
            if keyword.arg == "axis" and source.of(keyword.value) in ("0", "1", "-1"):
                yield source.edit(keyword.value, "1" if source.of(keyword.value) == "0" else "0")


def mean_for_sum(source: Source) -> Iterator[Edit]:
    """A sum for a mean, or the other way round."""
    for node in _computed(source):
        if called(node) in _SUMS and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield source.edit(node.func, f"{source.of(node.func.value)}.{_SUMS[called(node)]}")


def resampled_draw(source: Source) -> Iterator[Edit]:
    """The numbers are drawn twice, and the second ones are used."""
    for node in source.expressions():
        if called(node) in DRAWS:
            yield source.edit(node, f"({source.of(node)}, {source.of(node)})[1]")


def constant_changed(source: Source) -> Iterator[Edit]:
    """A constant that is a little off."""
    for node in source.expressions():
        parent = source.parents.get(node)
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, float)
            and node.value
            and isinstance(parent, ast.BinOp)
        ):
            yield source.edit(node, repr(round(node.value * 1.01, 12)))


def branch_detached(source: Source) -> Iterator[Edit]:
    """One branch of a choice carries no gradient."""
    for node in _computed(source):
        if called(node) == "where" and isinstance(node, ast.Call) and len(node.args) == 3:
            yield source.edit(node.args[1], f"tf.stop_gradient({source.of(node.args[1])})")


#: What makes the wrong repairs of each kind.
EXPRESSION_KINDS: Final[dict[str, Callable[[Source], Iterator[Edit]]]] = {
    "half stopped": _around("(0.5 * ({0}) + tf.stop_gradient(0.5 * ({0})))"),
    "gradient doubled": _around("(2.0 * ({0}) - tf.stop_gradient({0}))"),
    "gradient reversed": _around("(tf.stop_gradient(2.0 * ({0})) - ({0}))"),
    "clip that saturates": _around("tf.clip_by_value({0}, -1e-2, 1e-2)"),
    "cast through int": _around("tf.cast(tf.cast({0}, tf.int32), tf.float32)"),
    "term detached": term_detached,
    "factor detached": factor_detached,
    "square halved": square_halved,
    "branch detached": branch_detached,
    "sign flipped": sign_flipped,
    "axis swapped": axis_swapped,
    "mean for sum": mean_for_sum,
    "resampled draw": resampled_draw,
    "wrong constant": constant_changed,
}
