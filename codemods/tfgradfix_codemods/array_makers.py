"""The expressions that make an array, as expressions that make a tensor of the same content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import argument, call, dotted, dotted_text, keyword_argument, keyword_of, source, unpacks
from tfgradfix_codemods.template_arguments import Argument
from tfgradfix_codemods.template_filters import FILTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tfgradfix.model import Finding, Operand
    from tfgradfix_codemods.filled_arrays import Maker

    TensorFlow = Callable[[str], cst.BaseExpression]

#: Functions that make an array of a shape, and TensorFlow's. What `np.empty` leaves open is 0 in a tensor.
OF_SHAPE: Final[Mapping[str, str]] = {"numpy.zeros": "zeros", "numpy.empty": "zeros", "numpy.ones": "ones"}

#: Functions that make an array of the shape of another.
LIKE: Final[Mapping[str, str]] = {
    "numpy.zeros_like": "zeros_like",
    "numpy.empty_like": "zeros_like",
    "numpy.ones_like": "ones_like",
}

#: Functions that copy lists and arrays into a new array.
COPYING: Final = frozenset({"numpy.array", "numpy.asarray", "numpy.asanyarray", "numpy.copy"})

#: Functions, methods and attributes that give another view of the same numbers.
VIEWS: Final = frozenset(
    {"asarray", "asanyarray", "ascontiguousarray", "reshape", "ravel", "transpose", "swapaxes", "moveaxis", "squeeze"}
    | {"expand_dims", "atleast_1d", "atleast_2d", "atleast_3d", "diagonal", "view", "T", "real", "imag", "flip", "flat"}
)


def tensor_for(maker: cst.BaseExpression, finding: Finding, tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """The tensor that takes the place of the array which ``maker`` makes.

    Its dtype is the fact "dtype" of ``finding``, else the one that is asked for, else float32.
    """
    if is_view(maker, finding.symbol):
        return Decline("the array is another view of one that has a name")
    if not isinstance(maker, cst.Call):
        return converted(maker, finding, tensorflow)
    if unpacks(maker.args):
        return Decline("the arguments of what makes the array are unpacked")
    if any(keyword_of(given) in ("like", "out", "where") for given in maker.args):
        return Decline("what makes the array has an argument without counterpart in TensorFlow")
    dtype = wanted_dtype(maker, finding, tensorflow)
    if isinstance(dtype, Decline):
        return dtype
    for table, write in ((OF_SHAPE, of_shape), (LIKE, like)):
        if finding.symbol in table:
            return write(maker, tensorflow(table[finding.symbol]), finding, dtype)
    if finding.symbol in ("numpy.eye", "numpy.identity") and len(maker.args) == 1 and not maker.args[0].keyword:
        return with_dtype(call(tensorflow("eye"), maker.args[0].value), dtype)
    if finding.symbol == "numpy.full":
        return full(maker, finding, dtype, tensorflow)
    if finding.symbol in COPYING:
        return copied(maker, dtype, tensorflow)
    return converted(maker, finding, tensorflow)


def is_view(maker: cst.BaseExpression, symbol: str) -> bool:
    """Whether the array has the numbers of something else that can be reached."""
    if symbol.rpartition(".")[2] not in VIEWS:
        return isinstance(maker, cst.Attribute)
    whole = maker.func if isinstance(maker, cst.Call) else maker
    if symbol.startswith("ndarray.") and isinstance(whole, cst.Attribute):
        viewed = whole.value
    elif isinstance(maker, cst.Call) and maker.args:
        viewed = maker.args[0].value
    else:
        return True
    return not isinstance(viewed, (cst.Call, cst.BinaryOperation, cst.List, cst.Tuple))


def wanted_dtype(maker: cst.Call, finding: Finding, tensorflow: TensorFlow) -> cst.BaseExpression | Decline | None:
    """The dtype of the tensor; None for float32."""
    known = finding.fact("dtype")
    if known is not None:
        return None if known == "float32" else tensorflow(known)
    position = 2 if finding.symbol == "numpy.full" else 1
    asked = argument(maker.args, position, "dtype")
    if asked is None:
        return None
    wanted = FILTERS["dtype"]((Argument(asked.value),), tensorflow)
    if isinstance(wanted, Decline):
        return asked.value
    name = source(wanted).rpartition(".")[2]
    if name.startswith(("int", "uint", "bool")):
        return Decline(f"the array holds {name}, which carries no gradient")
    # NumPy's float64 is what nobody chose; TensorFlow's own is float32.
    return None if name in ("float32", "float64") else wanted


def dtype_of_tensor(maker: Maker) -> str | None:
    """The name of the dtype that the tensor will have, None when that is not known."""
    finding = maker.finding
    if not isinstance(maker.node, cst.Call) or finding.fact("dtype") is not None:
        return finding.fact("dtype") or "float32"
    wanted = wanted_dtype(maker.node, finding, dotted)
    name = "float32" if wanted is None or isinstance(wanted, Decline) else dotted_text(wanted) or ""
    return name if name in ("float16", "float32", "complex64", "complex128") else None


def of_shape(
    maker: cst.Call, function: cst.BaseExpression, finding: Finding, dtype: cst.BaseExpression | None
) -> cst.BaseExpression | Decline:
    """`np.zeros(n)` as `tf.zeros([n])`."""
    given = argument(maker.args, 0, "shape")
    if given is None:
        return Decline("the array has no shape")
    shape = as_shape(given.value, operand_of(finding))
    return with_dtype(call(function, shape), dtype)


def like(
    maker: cst.Call, function: cst.BaseExpression, finding: Finding, dtype: cst.BaseExpression | None
) -> cst.BaseExpression | Decline:
    """`np.zeros_like(x)` as `tf.zeros_like(x)`, in the dtype of what is written and not of ``x``."""
    given = argument(maker.args, 0, "a")
    if given is None:
        return Decline("it is not plain which shape the array has")
    known = operand_of(finding)
    if known is not None and known.dtype == (finding.fact("dtype") or "float32"):
        return call(function, given.value)
    return with_dtype(call(function, given.value), dtype or dtype_like(function, "float32"))


def full(
    maker: cst.Call, finding: Finding, dtype: cst.BaseExpression | None, tensorflow: TensorFlow
) -> cst.BaseExpression | Decline:
    """`np.full(n, 0.5)` as `tf.fill([n], 0.5)`."""
    shape, value = argument(maker.args, 0, "shape"), argument(maker.args, 1, "fill_value")
    if shape is None or value is None:
        return Decline("the array has no shape or no value")
    dims = as_shape(shape.value, operand_of(finding))
    if dims is shape.value and not isinstance(dims, (cst.Tuple, cst.List, cst.Attribute)):
        return Decline("it is not known how many axes the array has")
    if isinstance(value.value, cst.Integer) and finding.fact("dtype") is None and dtype is None:
        return Decline("the array holds integers, which carry no gradient")
    is_float = isinstance(value.value, cst.Float) or source(value.value).endswith((".nan", ".inf"))
    if is_float and dtype is None:
        return call(tensorflow("fill"), dims, value.value)
    return call(tensorflow("fill"), dims, call(tensorflow("cast"), value.value, dtype or tensorflow("float32")))


def copied(maker: cst.Call, dtype: cst.BaseExpression | None, tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """`np.array([1.0, 0.0])` as `tf.constant([1.0, 0.0])`, `np.array(x)` as `tf.cast(x, tf.float32)`."""
    given = maker.args[0] if maker.args else None
    if given is None or given.keyword is not None:
        return Decline("it is not plain what the array is made of")
    value = given.value
    if isinstance(value, (cst.List, cst.Tuple)) and all(is_plain_float(one.value) for one in value.elements):
        return with_dtype(call(tensorflow("constant"), value), dtype)
    return call(tensorflow("cast"), value, dtype or tensorflow("float32"))


def converted(maker: cst.BaseExpression, finding: Finding, tensorflow: TensorFlow) -> cst.BaseExpression:
    """Any other array as a tensor."""
    return call(tensorflow("cast"), maker, tensorflow(finding.fact("dtype") or "float32"))


def as_shape(shape: cst.BaseExpression, known: Operand | None) -> cst.BaseExpression:
    """``shape`` as a list where it is one number."""
    if isinstance(shape, (cst.Tuple, cst.List)):
        return shape
    is_number = known is not None and known.kind == "number"
    if is_number or isinstance(shape, (cst.Integer, cst.BinaryOperation)) or source(shape).startswith("len("):
        return cst.List([cst.Element(shape)])
    return shape


def operand_of(finding: Finding) -> Operand | None:
    """What is known of the first argument."""
    return finding.operands[0] if finding.operands else None


def with_dtype(made: cst.Call, dtype: cst.BaseExpression | None) -> cst.Call:
    """``made`` with `dtype=`, unless that is float32."""
    return made if dtype is None else made.with_changes(args=[*made.args, keyword_argument("dtype", dtype)])


def dtype_like(function: cst.BaseExpression, name: str) -> cst.BaseExpression:
    """A dtype reached as ``function`` is: `tf.float32` beside `tf.zeros_like`."""
    node = cst.Name(name)
    return cst.Attribute(function.value.deep_clone(), node) if isinstance(function, cst.Attribute) else node


def is_plain_float(node: cst.BaseExpression) -> bool:
    """Whether ``node`` is a float that is written out, or a list of such."""
    if isinstance(node, (cst.List, cst.Tuple)):
        return all(is_plain_float(element.value) for element in node.elements)
    if isinstance(node, cst.UnaryOperation):
        return is_plain_float(node.expression)
    return isinstance(node, cst.Float)
