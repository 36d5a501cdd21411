"""NumPy's functions that make, join, cut, turn and index arrays."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import Effect, Form, Row, display, form, given, kind, rank

_TNP: Final = "tf.experimental.numpy"


def _made(name: str, signature: str, *, copies: bool) -> Row:
    """A function that makes an array of what it gets; of a list of tensors it makes one tensor."""
    first = signature[1:].partition(",")[0]
    plain = "tf.identity" if copies else ""
    listed = (
        form(f"tf.stack({{{first}}})", display(first, "flat")),
        form(f"tf.convert_to_tensor({{{first}}})", display(first, "nested")),
        form(f"tf.stack({{{first}}})", kind(first, "list", "tuple")),
    )
    cast = tuple(Form(f"tf.cast({made.write}, {{dtype:dtype}})", (given("dtype"), *made.when)) for made in listed)
    return Row(
        f"numpy.{name}",
        signature,
        (
            *cast,
            form(f"tf.cast({{{first}}}, {{dtype:dtype}})", given("dtype")),
            *listed,
            form(f"{plain}({{{first}}})" if plain else f"{{{first}}}", kind(first, "tensor")),
            form(f"{plain or 'tf.convert_to_tensor'}({{{first}}})"),
        ),
        ignored=tuple(name for name in ("copy", "order", "subok", "device", "like") if f" {name}=" in signature),
    )


ROWS: Final[tuple[Row, ...]] = (
    # made
    _made("array", "(object, dtype=None, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None)", copies=True),
    _made("asarray", "(a, dtype=None, order=None, device=None, copy=None, like=None)", copies=False),
    _made("asanyarray", "(a, dtype=None, order=None, device=None, copy=None, like=None)", copies=False),
    _made("ascontiguousarray", "(a, dtype=None, like=None)", copies=False),
    Row("numpy.copy", "(a, order='K', subok=False)", (form("tf.identity({a})"),), ignored=("order", "subok")),
    # joined
    Row(
        "numpy.concatenate",
        "(arrays, axis=0, out=None, dtype=None, casting='same_kind')",
        (
            form("tf.cast(tf.concat({arrays}, axis={axis|0}), {dtype:dtype})", given("dtype")),
            form("tf.concat({arrays}, axis={axis|0})"),
        ),
        ignored=("casting",),
    ),
    Row(
        "numpy.stack",
        "(arrays, axis=0, out=None, dtype=None, casting='same_kind')",
        (
            form("tf.cast(tf.stack({arrays}, axis={axis}), {dtype:dtype})", given("dtype")),
            form("tf.stack({arrays}, axis={axis})"),
        ),
        ignored=("casting",),
    ),
    Row(
        "numpy.vstack",
        "(tup, dtype=None, casting='same_kind')",
        (
            form("tf.stack({tup}, axis=0)", rank("tup", 2)),
            form("tf.concat({tup}, axis=0)", rank("tup", 3, 4, 5)),
            form(f"{_TNP}.vstack({{tup}})"),
        ),
    ),
    Row(
        "numpy.hstack",
        "(tup, dtype=None, casting='same_kind')",
        (
            form("tf.stack({tup}, axis=0)", rank("tup", 1)),
            form("tf.concat({tup}, axis=0)", rank("tup", 2)),
            form("tf.concat({tup}, axis=1)", rank("tup", 3, 4, 5)),
            form(f"{_TNP}.hstack({{tup}})"),
        ),
    ),
    Row(
        "numpy.column_stack",
        "(tup)",
        (
            form("tf.stack({tup}, axis=1)", rank("tup", 2)),
            form("tf.concat({tup}, axis=1)", rank("tup", 3)),
        ),
        reason="TensorFlow has no column_stack, and the ranks of the columns are not known",
    ),
    # turned
    Row(
        "numpy.reshape",
        "(a, shape=None, order='C', newshape=None, copy=None)",
        (
            form("tf.reshape({a}, {shape:list})"),
            form("tf.reshape({a}, {newshape:list})"),
            form(f"{_TNP}.reshape({{a}}, {{shape}}, order={{order}})"),
        ),
        ignored=("copy",),
    ),
    Row(
        "numpy.ravel",
        "(a, order='C')",
        (form("tf.reshape({a}, [-1])"), form(f"{_TNP}.reshape({{a}}, [-1], order={{order}})")),
    ),
    Row("numpy.transpose", "(a, axes=None)", (form("tf.transpose({a}, perm={axes:perm})"),)),
    Row("numpy.squeeze", "(a, axis=None)", (form("tf.squeeze({a}, axis={axis})"),)),
    Row("numpy.expand_dims", "(a, axis)", (form("tf.expand_dims({a}, axis={axis})"),)),
    Row("numpy.swapaxes", "(a, axis1, axis2)", (form(f"{_TNP}.swapaxes({{a}}, {{axis1}}, {{axis2}})"),)),
    Row("numpy.moveaxis", "(a, source, destination)", (form(f"{_TNP}.moveaxis({{a}}, {{source}}, {{destination}})"),)),
    Row(
        "numpy.broadcast_to",
        "(array, shape, subok=False)",
        (form("tf.broadcast_to({array}, {shape:list})"),),
        ignored=("subok",),
    ),
    Row("numpy.tile", "(A, reps)", (form(f"{_TNP}.tile({{A}}, {{reps}})"),)),
    Row("numpy.repeat", "(a, repeats, axis=None)", (form("tf.repeat({a}, {repeats}, axis={axis})"),)),
    Row(
        "numpy.roll",
        "(a, shift, axis=None)",
        (form("tf.roll({a}, {shift}, {axis})", given("axis")), form(f"{_TNP}.roll({{a}}, {{shift}})")),
    ),
    # indexed
    Row(
        "numpy.where",
        "(condition, x=None, y=None)",
        (form("tf.where({condition}, {x}, {y})", given("x")),),
        carries=("x", "y"),
        reason="positions have no derivative",
    ),
    Row(
        "numpy.clip",
        "(a, a_min=None, a_max=None, out=None, min=None, max=None)",
        (
            form("tf.clip_by_value({a}, {a_min}, {a_max})"),
            form("tf.clip_by_value({a}, {min}, {max})"),
            form("tf.maximum({a}, {a_min})"),
            form("tf.minimum({a}, {a_max})"),
            form("tf.maximum({a}, {min})"),
            form("tf.minimum({a}, {max})"),
        ),
        carries=("a", "a_min", "a_max", "min", "max"),
    ),
    Row(
        "numpy.diag",
        "(v, k=0)",
        (
            form("tf.linalg.diag({v}, k={k})", rank("v", 1)),
            form("tf.linalg.diag_part({v}, k={k})", rank("v", 2)),
            form(f"{_TNP}.diag({{v}}, k={{k}})"),
        ),
    ),
    # of like shape
    *(
        Row(
            f"numpy.{name}",
            "(a, dtype=None, order='K', subok=True, shape=None, device=None)",
            (form(f"tf.{name}({{a}}, dtype={{dtype:dtype}})"),),
            Effect.CONSTANT,
            ignored=("order", "subok", "device"),
        )
        for name in ("zeros_like", "ones_like")
    ),
)
