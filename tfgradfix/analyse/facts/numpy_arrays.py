"""NumPy's functions that make, join, cut, turn and index arrays."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import (
    Effect,
    Form,
    Row,
    absent,
    count,
    display,
    dtype,
    equals,
    form,
    given,
    kind,
    rank,
)

_TNP: Final = "tf.experimental.numpy"
_NUMERIC: Final = ("float", "integer", "complex")


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
    Row(
        "numpy.astype",
        "(x, dtype, copy=True, *, device=None)",
        (form("tf.cast({x}, {dtype:dtype})"),),
        ignored=("copy",),
    ),
    # joined
    *(
        Row(
            f"numpy.{name}",
            "(arrays, axis=0, out=None, dtype=None, casting='same_kind')",
            (
                form("tf.cast(tf.concat({arrays}, axis={axis|0}), {dtype:dtype})", given("dtype")),
                form("tf.concat({arrays}, axis={axis|0})"),
            ),
            ignored=("casting",),
        )
        for name in ("concatenate", "concat")
    ),
    Row(
        "numpy.append",
        "(arr, values, axis=None)",
        (
            form("tf.concat([{arr}, {values}], axis={axis})", given("axis")),
            form("tf.concat([{arr}, {values}], axis=0)", rank("arr", 1), rank("values", 1)),
            form("tf.concat([tf.reshape({arr}, [-1]), tf.reshape({values}, [-1])], axis=0)"),
        ),
        carries=("arr", "values"),
        strict=True,
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
    *(
        Row(
            f"numpy.{name}",
            "(tup, dtype=None, casting='same_kind')",
            (
                form("tf.stack({tup}, axis=0)", rank("tup", 2)),
                form("tf.concat({tup}, axis=0)", rank("tup", 3, 4, 5)),
                form(f"{_TNP}.vstack({{tup}})"),
            ),
        )
        for name in ("vstack", "row_stack")
    ),
    Row("numpy.dstack", "(tup)", (form(f"{_TNP}.dstack({{tup}})"),)),
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
    Row("numpy.permute_dims", "(a, axes=None)", (form("tf.transpose({a}, perm={axes:perm})"),)),
    Row("numpy.matrix_transpose", "(x)", (form("tf.linalg.matrix_transpose({x})"),)),
    Row(
        "numpy.flip",
        "(m, axis=None)",
        (form("tf.reverse({m}, {axis:list})", given("axis")), form(f"{_TNP}.flip({{m}})")),
    ),
    Row("numpy.fliplr", "(m)", (form(f"{_TNP}.fliplr({{m}})"),)),
    Row("numpy.flipud", "(m)", (form(f"{_TNP}.flipud({{m}})"),)),
    Row("numpy.rot90", "(m, k=1, axes=(0, 1))", (form(f"{_TNP}.rot90({{m}}, k={{k}}, axes={{axes}})"),)),
    *(
        Row(
            f"numpy.atleast_{rank_}d",
            "(*arys)",
            (form(f"{_TNP}.atleast_{rank_}d({{arys}})", count("arys", 1)),),
            reason="several arrays at once give a tuple: write one call for each",
        )
        for rank_ in (1, 2, 3)
    ),
    Row(
        "numpy.broadcast_arrays",
        "(*args, subok=False)",
        (form(f"{_TNP}.broadcast_arrays({{args}})"),),
        carries=("args",),
        results=0,
    ),
    Row(
        "numpy.meshgrid",
        "(*xi, copy=True, sparse=False, indexing='xy')",
        (form("tf.meshgrid({xi}, indexing={indexing})"),),
        carries=("xi",),
        strict=True,
        ignored=("copy",),
        results=0,
    ),
    Row(
        "numpy.pad",
        "(array, pad_width, mode='constant', constant_values=0)",
        (
            form(
                "tf.pad({array}, {pad_width}, mode={mode}, constant_values={constant_values})",
                display("pad_width", "nested"),
                equals("mode", "constant", "reflect", "symmetric"),
            ),
            form(
                "tf.pad({array}, [{pad_width}], mode={mode}, constant_values={constant_values})",
                display("pad_width", "flat"),
                rank("array", 1),
                equals("mode", "constant", "reflect", "symmetric"),
            ),
            form(
                "tf.pad({array}, [({pad_width}, {pad_width})], mode={mode}, constant_values={constant_values})",
                kind("pad_width", "number"),
                rank("array", 1),
                equals("mode", "constant", "reflect", "symmetric"),
            ),
            form(
                "tf.pad({array}, [({pad_width}, {pad_width})] * 2, mode={mode}, constant_values={constant_values})",
                kind("pad_width", "number"),
                rank("array", 2),
                equals("mode", "constant", "reflect", "symmetric"),
            ),
        ),
        reason="TensorFlow pads with a constant or by reflection, and wants the widths for every axis",
    ),
    # cut
    Row(
        "numpy.split",
        "(ary, indices_or_sections, axis=0)",
        (
            form("tf.split({ary}, {indices_or_sections}, axis={axis})", kind("indices_or_sections", "number")),
            form(f"{_TNP}.split({{ary}}, {{indices_or_sections}}, axis={{axis|0}})"),
        ),
        results=0,
    ),
    Row(
        "numpy.array_split",
        "(ary, indices_or_sections, axis=0)",
        (
            form(
                "tf.split({ary}, [({ary}.shape[{axis|0}] + {indices_or_sections} - 1 - part) // {indices_or_sections} "
                "for part in range({indices_or_sections})], axis={axis})",
                kind("indices_or_sections", "number"),
            ),
            form(
                f"{_TNP}.split({{ary}}, {{indices_or_sections}}, axis={{axis|0}})",
                display("indices_or_sections", "flat"),
            ),
        ),
        reason="whether a number of parts or the places of the cuts are given is not known",
        results=0,
    ),
    Row(
        "numpy.vsplit",
        "(ary, indices_or_sections)",
        (form(f"{_TNP}.vsplit({{ary}}, {{indices_or_sections}})"),),
        results=0,
    ),
    Row(
        "numpy.hsplit",
        "(ary, indices_or_sections)",
        (form(f"{_TNP}.hsplit({{ary}}, {{indices_or_sections}})"),),
        results=0,
    ),
    Row(
        "numpy.dsplit",
        "(ary, indices_or_sections)",
        (form(f"{_TNP}.dsplit({{ary}}, {{indices_or_sections}})"),),
        results=0,
    ),
    Row("numpy.unstack", "(x, /, *, axis=0)", (form("tuple(tf.unstack({x}, axis={axis}))"),), results=0),
    # indexed
    Row(
        "numpy.where",
        "(condition, x=None, y=None)",
        (
            form("tf.where(tf.cast({condition}, tf.bool), {x}, {y})", given("x"), dtype("condition", *_NUMERIC)),
            form("tf.where({condition}, {x}, {y})", given("x")),
            form(f"{_TNP}.nonzero({{condition}})", absent("x")),
        ),
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
    Row(
        "numpy.select",
        "(condlist, choicelist, default=0)",
        (form(f"{_TNP}.select({{condlist}}, {{choicelist}}, {{default:float|0.0}})"),),
        carries=("choicelist", "default"),
    ),
    Row(
        "numpy.take",
        "(a, indices, axis=None, out=None, mode='raise')",
        (
            form("tf.gather({a}, {indices:indices}, axis={axis})", given("axis")),
            form("tf.gather({a}, {indices:indices})", rank("a", 1)),
            form("tf.gather(tf.reshape({a}, [-1]), {indices:indices})", absent("axis")),
            form(f"{_TNP}.take({{a}}, {{indices}}, axis={{axis}}, mode={{mode}})", equals("mode", "wrap", "clip")),
        ),
    ),
    Row(
        "numpy.take_along_axis",
        "(arr, indices, axis=-1)",
        (form(f"{_TNP}.take_along_axis({{arr}}, {{indices}}, {{axis|-1}})"),),
    ),
    Row(
        "numpy.compress",
        "(condition, a, axis=None, out=None)",
        (
            form("tf.boolean_mask({a}, {condition}, axis={axis})", given("axis")),
            form("tf.boolean_mask({a}, {condition})", rank("a", 1)),
        ),
        carries=("a",),
        reason="without an axis the mask counts along all values in a row",
    ),
    Row(
        "numpy.extract",
        "(condition, arr)",
        (form("tf.boolean_mask(tf.reshape({arr}, [-1]), tf.reshape({condition}, [-1]))"),),
        carries=("arr",),
    ),
    Row(
        "numpy.diagonal",
        "(a, offset=0, axis1=0, axis2=1)",
        (
            form("tf.linalg.diag_part({a}, k={offset})", rank("a", 2)),
            form(f"{_TNP}.diagonal({{a}}, offset={{offset}}, axis1={{axis1}}, axis2={{axis2}})"),
        ),
    ),
    Row("numpy.diagflat", "(v, k=0)", (form(f"{_TNP}.diagflat({{v}}, k={{k}})"),)),
    Row(
        "numpy.tril",
        "(m, k=0)",
        (form("tf.linalg.band_part({m}, -1, 0)", absent("k")), form(f"{_TNP}.tril({{m}}, k={{k}})")),
    ),
    Row(
        "numpy.triu",
        "(m, k=0)",
        (form("tf.linalg.band_part({m}, 0, -1)", absent("k")), form(f"{_TNP}.triu({{m}}, k={{k}})")),
    ),
    Row(
        "numpy.vander",
        "(x, N=None, increasing=False)",
        (form(f"{_TNP}.vander({{x}}, N={{N}}, increasing={{increasing}})"),),
        widens=True,
    ),
    # told
    Row("numpy.shape", "(a)", (form("{a}.shape"),), Effect.SHAPE),
    Row("numpy.ndim", "(a)", (form("{a}.shape.rank"),), Effect.SHAPE),
    Row(
        "numpy.size",
        "(a, axis=None)",
        (form("{a}.shape[{axis}]", given("axis")), form("{a}.shape.num_elements()")),
        Effect.SHAPE,
    ),
)
