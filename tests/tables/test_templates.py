"""How a call is written: arguments, casts, parentheses, line breaks, and what is refused."""

from __future__ import annotations

import libcst as cst
import pytest
from tfgradfix_codemods.nodes import dotted, source
from tfgradfix_codemods.templates import Decline, write_call

from tfgradfix.analyse.facts.rows import Row, form, row
from tfgradfix.model import Extent, Finding, Level, Operand, Position, Span

X32 = Operand("tensor", "float32", on_path=True)
X64 = Operand("tensor", "float64", on_path=True)
X = Operand("tensor", on_path=True)
VECTOR = Operand("tensor", "float32", 1, on_path=True)
MATRIX = Operand("tensor", "float32", 2, on_path=True)
N32 = Operand("ndarray", "float32")
N64 = Operand("ndarray", "float64")
WHOLE = Operand("number", "int")
FLOAT = Operand("number", "float")
COMPLEX = Operand("number", "complex")
UNKNOWN = Operand("unknown")


def written(symbol: str, text: str, *operands: Operand, prefix: str = "tf") -> str | Decline:
    """The text written for a call, or the refusal."""
    known = row(symbol)
    assert known is not None
    return written_by(known, text, *operands, prefix=prefix)


def written_by(known: Row, text: str, *operands: Operand, prefix: str = "tf") -> str | Decline:
    """The same, by a row at hand."""
    node = cst.parse_expression(text)
    assert isinstance(node, (cst.Call, cst.Attribute))
    place = Span("sample.py", Position(1, 1), Position(1, 2))
    finding = Finding("TGF101", "numpy-call", place, "", Level.SAFE, Extent.WHOLE, operands=operands)
    result = write_call(known, node, finding, lambda name: dotted(f"{prefix}.{name}"))
    return result if isinstance(result, Decline) else source(result)


CALLS = [
    pytest.param(
        "numpy.mean", "np.mean(x, 0)", "tf.reduce_mean(x, axis=0)", id="a positional argument gets its keyword"
    ),
    pytest.param("numpy.mean", "np.mean(axis=0, a=x)", "tf.reduce_mean(x, axis=0)", id="keywords in any order"),
    pytest.param("numpy.mean", "np.mean(x, axis=None)", "tf.reduce_mean(x)", id="a default written out"),
    pytest.param("numpy.sum", "np.sum(x, out=None)", "tf.reduce_sum(x)", id="a default without counterpart"),
    pytest.param("numpy.exp", "np.exp(a if b else c)", "tf.exp(a if b else c)", id="a conditional as argument"),
    pytest.param("numpy.exp", "np.exp((y := x))", "tf.exp((y := x))", id="a walrus keeps its parentheses"),
    pytest.param("numpy.stack", "np.stack((a, b))", "tf.stack((a, b))", id="a tuple keeps its parentheses"),
    pytest.param("numpy.power", "np.power(a + b, c)", "((a + b) ** c)", id="operands of an operator"),
    pytest.param("numpy.power", "np.power(-a, c)", "((-a) ** c)", id="a sign before a power"),
    pytest.param("numpy.subtract", "(np.subtract(a, b))", "(a - b)", id="parentheses round the call are enough"),
    pytest.param(
        "ndarray.mean", "(a + b).mean(1)", "tf.reduce_mean(a + b, axis=1)", id="parentheses before the dot go"
    ),
    pytest.param("ndarray.sum", "f(x)[0].sum()", "tf.reduce_sum(f(x)[0])", id="any object of a method"),
    pytest.param("ndarray.T", "(a @ b).T", "tf.transpose(a @ b)", id="an attribute"),
    pytest.param("ndarray.size", "(a @ b).size", "(a @ b).shape.num_elements()", id="an attribute of an attribute"),
    pytest.param("ndarray.reshape", "x.reshape(2, -1)", "tf.reshape(x, [2, -1])", id="sizes one by one"),
    pytest.param("ndarray.reshape", "x.reshape((2, -1))", "tf.reshape(x, (2, -1))", id="sizes in a tuple"),
    pytest.param("ndarray.reshape", "x.reshape(-1)", "tf.reshape(x, [-1])", id="one size"),
    pytest.param("ndarray.reshape", "x.reshape(n)", "tf.experimental.numpy.reshape(x, n)", id="one size or several"),
    pytest.param("ndarray.transpose", "x.transpose(-1, 0)", "tf.transpose(x, perm=[1, 0])", id="axes from the end"),
    pytest.param("ndarray.astype", "x.astype(np.float32)", "tf.cast(x, tf.float32)", id="NumPy's dtype"),
    pytest.param("ndarray.astype", "x.astype(float)", "tf.cast(x, tf.float64)", id="Python's float is float64"),
    pytest.param("ndarray.astype", "x.astype('f4')", "tf.cast(x, tf.float32)", id="a dtype code"),
    pytest.param("ndarray.astype", "x.astype(np.dtype('<f8'))", "tf.cast(x, tf.float64)", id="a dtype object"),
    pytest.param("ndarray.astype", "x.astype(y.dtype)", "tf.cast(x, y.dtype)", id="another's dtype"),
    pytest.param("ndarray.astype", "x.astype(d)", "tf.cast(x, d)", id="a variable is no dtype code"),
    pytest.param("builtins.max", "max(v for v in xs)", "tf.reduce_max(tf.stack([v for v in xs]))", id="a generator"),
    pytest.param("builtins.max", "max(a, b, c)", "tf.maximum(tf.maximum(a, b), c)", id="three values in their order"),
    pytest.param("math.log", "math.log(x, 10)", "tf.experimental.numpy.log10(x)", id="an argument that picks the form"),
]


@pytest.mark.parametrize(("symbol", "text", "expected"), CALLS)
def test_call_is_written(symbol: str, text: str, expected: str) -> None:
    assert written(symbol, text) == expected


CASTS = [
    pytest.param(
        "numpy.maximum", "np.maximum(x, n)", (X32, N64), "tf.maximum(x, n)", id="TensorFlow converts what follows"
    ),
    pytest.param("numpy.maximum", "np.maximum(n, x)", (N64, X32), "tf.maximum(x, n)", id="places are changed"),
    pytest.param("numpy.maximum", "np.maximum(0, x)", (WHOLE, X32), "tf.maximum(0.0, x)", id="a whole number as float"),
    pytest.param("numpy.maximum", "np.maximum(0, x)", (WHOLE, X64), "tf.maximum(x, 0)", id="a number before float64"),
    pytest.param(
        "builtins.max", "max(0, x)", (WHOLE, X64), "tf.maximum(tf.constant(0, tf.float64), x)", id="order kept"
    ),
    pytest.param(
        "numpy.arctan2", "np.arctan2(n, x)", (N64, X32), "tf.atan2(tf.cast(n, tf.float32), x)", id="array first"
    ),
    pytest.param("numpy.arctan2", "np.arctan2(n, x)", (N32, X32), "tf.atan2(n, x)", id="array of the same dtype"),
    pytest.param(
        "numpy.arctan2", "np.arctan2(n, x)", (N64, X), "tf.atan2(tf.cast(n, x.dtype), x)", id="dtype of a name"
    ),
    pytest.param("numpy.subtract", "np.subtract(n, x)", (N64, X32), "(n - x)", id="operators convert by themselves"),
    pytest.param(
        "numpy.add", "np.add(x, y)", (X32, X64), "tf.add(tf.cast(x, tf.float64), y)", id="tensors are promoted"
    ),
    pytest.param(
        "numpy.multiply",
        "np.multiply(1j, x)",
        (COMPLEX, X32),
        "(1j * tf.cast(x, tf.complex64))",
        id="real meets complex",
    ),
    pytest.param(
        "numpy.dot",
        "np.dot(a, n)",
        (MATRIX, Operand("ndarray", "float64", 1)),
        "tf.linalg.matvec(a, tf.cast(n, tf.float32))",
        id="where TensorFlow does not convert",
    ),
    pytest.param("numpy.dot", "np.dot(a, b)", (VECTOR, VECTOR), "tf.tensordot(a, b, 1)", id="by rank"),
    pytest.param(
        "numpy.sqrt", "np.sqrt(k)", (Operand("tensor", "int32"),), "tf.sqrt(tf.cast(k, tf.float64))", id="integers"
    ),
    pytest.param(
        "numpy.fft.fft", "np.fft.fft(x)", (X32,), "tf.signal.fft(tf.cast(x, tf.complex64))", id="made complex"
    ),
]


@pytest.mark.parametrize(("symbol", "text", "operands", "expected"), CASTS)
def test_operands_are_brought_together(symbol: str, text: str, operands: tuple[Operand, ...], expected: str) -> None:
    assert written(symbol, text, *operands) == expected


DECLINED = [
    pytest.param("numpy.exp", "np.exp(*x)", (), "unpacked", id="unpacked arguments"),
    pytest.param("numpy.sum", "np.sum(x, **options)", (), "unpacked", id="unpacked keywords"),
    pytest.param("numpy.var", "np.var(x, where=mask)", (), "where= of numpy.var", id="where"),
    pytest.param("numpy.exp", "np.exp(x, out=y)", (), "out= of numpy.exp", id="out"),
    pytest.param("numpy.exp", "np.exp(x, speed=3)", (), "no parameter", id="an unknown keyword"),
    pytest.param("numpy.take", "np.take(x, [i, -1], axis=0)", (X,), "negative", id="indices, one from the end"),
    pytest.param("numpy.random.normal", "loc.normal(f(a), f(b))", (X, X), "computed 2 times", id="a name in the way"),
    pytest.param("numpy.multiply", "np.multiply(1j, x)", (COMPLEX, X), "complex", id="complex and an unknown dtype"),
    pytest.param("numpy.linalg.norm", "np.linalg.norm(x, 1)", (X,), "rank", id="unknown rank"),
    pytest.param("numpy.array", "np.array(x, dtype=object)", (X,), "no dtype object", id="a dtype of objects"),
    pytest.param("numpy.take", "np.take(x, -1, axis=0)", (X,), "negative", id="an index from the end"),
    pytest.param("numpy.fft.fft", "np.fft.fft(x)", (UNKNOWN,), "complex", id="complex or not"),
    pytest.param("numpy.fft.fft", "np.fft.fft(x, axis=0)", (MATRIX,), "last axes", id="another axis"),
    pytest.param("builtins.max", "max(xs, key=f)", (), "key=", id="a key"),
    pytest.param("ndarray.fill", "x.fill(0)", (X,), "in place", id="in place"),
    pytest.param("ndarray.mean", "mean(0)", (), "name of its own", id="a method without its object"),
    pytest.param("numpy.mean", "np.mean(x,  # errors\n  dtype='f4')", (), "comment", id="a comment would be lost"),
]


@pytest.mark.parametrize(("symbol", "text", "operands", "reason"), DECLINED)
def test_call_is_refused(symbol: str, text: str, operands: tuple[Operand, ...], reason: str) -> None:
    refusal = written(symbol, text, *operands)
    assert isinstance(refusal, Decline), refusal
    assert reason in refusal.reason


def test_tensorflow_has_the_name_of_the_module() -> None:
    assert written("numpy.mean", "np.mean(x)", prefix="K.tensorflow") == "K.tensorflow.reduce_mean(x)"


def test_lines_and_comments_stay() -> None:
    text = "np.mean(\n    errors,  # per point\n    axis=0,\n)"
    assert written("numpy.mean", text) == "tf.reduce_mean(\n    errors,  # per point\n    axis=0,\n)"


def test_lines_of_a_list_stay() -> None:
    text = "np.array([\n    a,  # first\n    b,\n])"
    assert written("numpy.array", text) == "tf.stack([\n    a,  # first\n    b,\n])"


APPLIED = [
    pytest.param(
        "numpy.cov",
        "np.cov(f(x))",
        (VECTOR,),
        "tf.experimental.numpy.var(f(x), dtype=tf.float32, ddof=1)",
        id="needed once",
    ),
    pytest.param(
        "numpy.ediff1d",
        "np.ediff1d(f(x))",
        (X,),
        "tf.experimental.numpy.diff(tf.reshape(f(x), [-1]))",
        id="a form that needs it once is at hand",
    ),
    pytest.param(
        "numpy.logaddexp2",
        "np.logaddexp2(f(x), 1)",
        (X32, WHOLE),
        "tf.experimental.numpy.logaddexp2(f(x), tf.constant(1, tf.float32))",
        id="constants are no expressions",
    ),
    pytest.param(
        "scipy.special.softmax",
        "softmax(f(x))",
        (X,),
        "(lambda x: tf.exp(x - tf.reduce_logsumexp(x)))(f(x))",
        id="needed twice",
    ),
    pytest.param(
        "numpy.random.normal",
        "np.random.normal(f(a), g(b))",
        (X, X),
        "(lambda loc, scale: loc + scale * np.random.standard_normal((loc + scale).shape))(f(a), g(b))",
        id="arguments are computed in their order",
    ),
    pytest.param(
        "numpy.std",
        "np.std(f(x), ddof=1)",
        (X,),
        "(lambda a: tf.sqrt(tf.experimental.numpy.var(a, dtype=a.dtype, ddof=1)))(f(x))",
        id="a dtype that only the value tells",
    ),
]


@pytest.mark.parametrize(("symbol", "text", "operands", "expected"), APPLIED)
def test_nothing_is_computed_twice(symbol: str, text: str, operands: tuple[Operand, ...], expected: str) -> None:
    assert written(symbol, text, *operands) == expected


def test_forms_are_tried_in_order() -> None:
    known = Row("library.f", "(a, b=None)", (form("tf.first({a}, {b})"), form("tf.second({a})")))
    assert written_by(known, "f(x, y)") == "tf.first(x, y)"
    assert written_by(known, "f(x)") == "tf.second(x)"


def test_template_is_not_changed_by_being_filled() -> None:
    assert written("numpy.exp", "np.exp(a)") == "tf.exp(a)"
    assert written("numpy.exp", "np.exp(b)") == "tf.exp(b)"
