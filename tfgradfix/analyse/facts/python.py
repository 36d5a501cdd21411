"""Python's built-in functions, and what they do to tensors."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import Effect, Row, absent, count, form, kind


def _extreme(name: str, function: str) -> Row:
    """`max` or `min`: of two or three values, or of all items of one iterable; the first of equal ones counts."""
    return Row(
        f"builtins.{name}",
        "(*args, key=None, default=None)",
        (
            form(f"tf.{function}imum({{args}})", count("args", 2)),
            form(f"tf.{function}imum(tf.{function}imum({{args:0}}, {{args:1}}), {{args:2}})", count("args", 3)),
            form(f"tf.reduce_{function}({{args}})", kind("args", "tensor", "variable")),
            form(f"tf.reduce_{function}(tf.stack({{args:items}}))", count("args", 1)),
        ),
        reason="more than three values: put them into a list first",
        carries=("args",),
    )


ROWS: Final[tuple[Row, ...]] = (
    _extreme("max", "max"),
    _extreme("min", "min"),
    Row(
        "builtins.sum",
        "(iterable, start=0)",
        (form("tf.reduce_sum({iterable}, axis=0)", kind("iterable", "tensor", "variable"), absent("start")),),
        Effect.PASSES,
        "the sum of tensors is a tensor",
        carries=("iterable", "start"),
    ),
    Row("builtins.abs", "(x)", (form("tf.abs({x})"),), Effect.PASSES, "a tensor answers to abs()", gives="real"),
    Row(
        "builtins.pow",
        "(base, exp, mod=None)",
        (form("tf.pow({base}, {exp})"),),
        Effect.PASSES,
        "a tensor answers to pow()",
        carries=("base", "exp"),
    ),
    Row(
        "builtins.round",
        "(number, ndigits=None)",
        (form("tf.round({number})"),),
        Effect.NO_GRADIENT,
        "its derivative is zero almost everywhere; keep the value unrounded",
    ),
    Row("builtins.float", "(x=0.0)", (form("{x}"),), reason="a Python number is outside TensorFlow"),
    Row(
        "builtins.int",
        "(x=0, base=10)",
        effect=Effect.NO_GRADIENT,
        reason="a whole number has no derivative; keep the float, and convert where an index is needed",
    ),
    Row(
        "builtins.bool",
        "(x=False)",
        effect=Effect.NO_GRADIENT,
        reason="a truth value has no derivative; it can select, not carry gradient",
    ),
    Row("builtins.complex", "(real=0, imag=0)", (form("tf.complex({real}, {imag})"),), carries=("real", "imag")),
    Row(
        "builtins.divmod",
        "(a, b)",
        effect=Effect.NO_GRADIENT,
        reason="the whole quotient has no derivative",
    ),
    Row("builtins.len", "(obj)", effect=Effect.SHAPE, reason="the size is a Python number"),
)
