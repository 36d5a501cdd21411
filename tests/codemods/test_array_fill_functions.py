"""The pure functions behind filled arrays: what makes a tensor, and places counted from the start."""

from __future__ import annotations

import libcst as cst
import pytest
from tfgradfix_codemods.array_fill import ArrayFillCommand
from tfgradfix_codemods.array_makers import dtype_of_tensor, tensor_for
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.filled_arrays import Maker, rank_of
from tfgradfix_codemods.index_bounds import Bounds, loops_round
from tfgradfix_codemods.item_parts import differ, parts_of
from tfgradfix_codemods.nodes import dotted, source
from tfgradfix_codemods.place_arithmetic import following
from tfgradfix_codemods.scopes import bindings_within

from tests.helpers import finding
from tfgradfix.model import Finding, Operand, Position, Span

SPAN = Span("module.py", Position(1, 1), Position(1, 2))
NUMBER, TUPLE, UNKNOWN = Operand("number", "int", 0), Operand("tuple"), Operand("unknown")

#: What makes an array, the function's full name, the dtype of what is written, and what makes the tensor.
MAKERS = [
    ("np.zeros(n)", "numpy.zeros", NUMBER, None, "tf.zeros([n])"),
    ("np.zeros(shape)", "numpy.zeros", UNKNOWN, "float32", "tf.zeros(shape)"),
    ("np.zeros(shape=(2, n), order='C')", "numpy.zeros", TUPLE, "float64", "tf.zeros((2, n), dtype=tf.float64)"),
    ("np.empty(len(x), dtype='f2')", "numpy.empty", NUMBER, None, "tf.zeros([len(x)], dtype=tf.float16)"),
    ("np.ones(n, dtype=kind)", "numpy.ones", NUMBER, None, "tf.ones([n], dtype=kind)"),
    ("np.ones(n, float)", "numpy.ones", NUMBER, None, "tf.ones([n])"),
    ("np.zeros_like(x)", "numpy.zeros_like", Operand("ndarray", "float32"), None, "tf.zeros_like(x)"),
    ("np.ones_like(x)", "numpy.ones_like", UNKNOWN, None, "tf.ones_like(x, dtype=tf.float32)"),
    ("np.zeros_like(x)", "numpy.zeros_like", UNKNOWN, "float64", "tf.zeros_like(x, dtype=tf.float64)"),
    ("np.full(n, 0.5)", "numpy.full", NUMBER, "float32", "tf.fill([n], 0.5)"),
    ("np.full((2, 3), np.nan)", "numpy.full", TUPLE, "float32", "tf.fill((2, 3), np.nan)"),
    ("np.full(x.shape, y)", "numpy.full", UNKNOWN, "float32", "tf.fill(x.shape, tf.cast(y, tf.float32))"),
    ("np.full(n, 1)", "numpy.full", NUMBER, "float64", "tf.fill([n], tf.cast(1, tf.float64))"),
    ("np.eye(3)", "numpy.eye", NUMBER, None, "tf.eye(3)"),
    ("np.eye(3, k=1)", "numpy.eye", NUMBER, "float32", "tf.cast(np.eye(3, k=1), tf.float32)"),
    ("np.array([0.0, -1.0])", "numpy.array", UNKNOWN, "float32", "tf.constant([0.0, -1.0])"),
    ("np.array([[a], [1.0]])", "numpy.array", UNKNOWN, "float32", "tf.cast([[a], [1.0]], tf.float32)"),
    ("np.array(x, copy=True)", "numpy.array", UNKNOWN, "float64", "tf.cast(x, tf.float64)"),
    ("x.copy()", "ndarray.copy", UNKNOWN, "float32", "tf.cast(x.copy(), tf.float32)"),
    ("a * b", "operator.Mult", UNKNOWN, None, "tf.cast(a * b, tf.float32)"),
    ("np.zeros(4).reshape(2, 2)", "ndarray.reshape", UNKNOWN, None, "tf.cast(np.zeros(4).reshape(2, 2), tf.float32)"),
]

REFUSED = [
    ("np.zeros(*n)", "numpy.zeros", "unpacked"),
    ("np.zeros(n, like=x)", "numpy.zeros", "without counterpart"),
    ("np.zeros(n, dtype=int)", "numpy.zeros", "carries no gradient"),
    ("np.zeros()", "numpy.zeros", "no shape"),
    ("np.zeros_like()", "numpy.zeros_like", "which shape"),
    ("np.full(n)", "numpy.full", "no shape or no value"),
    ("np.full(n, 0.5)", "numpy.full", "how many axes"),
    ("np.full(2, 1)", "numpy.full", "integers"),
    ("np.array(object=x)", "numpy.array", "made of"),
    ("np.asarray(x)", "numpy.asarray", "another view"),
    ("np.asarray(a=x)", "numpy.asarray", "another view"),
    ("x.T", "ndarray.T", "another view"),
    ("x.reshape(2)", "ndarray.reshape", "another view"),
    ("model.table", "", "another view"),
]

#: A place, the loops round it, and the place as it is counted from the start of an axis of `u`.
PLACES = [
    ("0", "pass", "0"),
    ("-2", "pass", "N - 2"),
    ("k", "for k in range(3): pass", "k"),
    ("k - 1", "for k in range(3): pass", "(k - 1) % N"),
    ("k - 1", "for k in range(1, 3): pass", "k - 1"),
    ("k - 2", "for k in range(n, 3): pass", "(k - 2) % N"),
    ("k", "for k in range(-1, 2): pass", "k % N"),
    ("k + 1", "for k in range(-1, 2): pass", "k + 1"),
    ("k", "for k in range(n - 1, -1, -1): pass", "k"),
    ("k - 1", "for k in range(n, 0, -1): pass", "k - 1"),
    ("k", "for k in range(3, 0, s): pass", "k"),
    ("k - 1", "for k in reversed(range(3)): pass", "(k - 1) % N"),
    ("k - 1", "for k, v in enumerate(x, 1): pass", "k - 1"),
    ("k - 1", "for k, v in enumerate(x): pass", "(k - 1) % N"),
    ("i", "for i, j in np.ndindex(3, 3): pass", "i"),
    ("k", "for k in (-1, 0, 1): pass", "k % N"),
    ("k", "for k in (0, 2): pass", "k"),
    ("k", "for k in (a, 2): pass", "k"),
    ("k", "for k in places: pass", "k"),
    ("k - 1", "for k in places(start=1): pass", "(k - 1) % N"),
    ("2 * k + 1", "for k in range(3): pass", "2 * k + 1"),
    ("i + j", "for i in range(3): pass", "i + j"),
    ("i * n - 1", "for i in range(3): pass", "(i * n - 1) % N"),
    ("(k - 1) % 3", "for k in range(3): pass", "(k - 1) % 3"),
    ("n - 1", "pass", "n - 1"),
    ("len(x) - 1", "pass", "len(x) - 1"),
    ("x.shape[0] - 2", "pass", "x.shape[0] - 2"),
    ("m - 1", "pass", "(m - 1) % N"),
    ("LAST", "LAST = -1", "LAST % N"),
    ("first", "first = 2", "first"),
    ("-k", "for k in range(3): pass", "(-k) % N"),
    ("x[0]", "pass", "x[0]"),
]


def maker_finding(symbol: str, operand: Operand, dtype: str | None) -> Finding:
    """A finding about what makes an array."""
    facts = {} if dtype is None else {"dtype": dtype}
    return finding(ArrayFillCommand, SPAN, symbol=symbol, operands=[operand], facts=facts)


def written(name: str) -> cst.BaseExpression:
    """A name of TensorFlow."""
    return dotted(f"tf.{name}")


@pytest.mark.parametrize(("text", "symbol", "operand", "dtype", "wanted"), MAKERS)
def test_makers(text: str, symbol: str, operand: Operand, dtype: str | None, wanted: str) -> None:
    made = tensor_for(cst.parse_expression(text), maker_finding(symbol, operand, dtype), written)
    assert not isinstance(made, Decline), made
    assert source(made) == wanted


@pytest.mark.parametrize(("text", "symbol", "reason"), REFUSED)
def test_makers_refused(text: str, symbol: str, reason: str) -> None:
    made = tensor_for(cst.parse_expression(text), maker_finding(symbol, UNKNOWN, None), written)
    assert isinstance(made, Decline)
    assert reason in made.reason


@pytest.mark.parametrize(
    ("text", "symbol", "dtype", "wanted"),
    [
        ("np.zeros(n)", "numpy.zeros", None, "float32"),
        ("np.zeros(n)", "numpy.zeros", "float64", "float64"),
        ("np.zeros(n, 'f2')", "numpy.zeros", None, "float16"),
        ("np.zeros(n, kind)", "numpy.zeros", None, None),
        ("a * b", "operator.Mult", None, "float32"),
    ],
)
def test_dtypes(text: str, symbol: str, dtype: str | None, wanted: str | None) -> None:
    assert dtype_of_tensor(Maker(cst.parse_expression(text), maker_finding(symbol, NUMBER, dtype))) == wanted


@pytest.mark.parametrize(("place", "around", "wanted"), PLACES)
def test_places(place: str, around: str, wanted: str) -> None:
    module = cst.parse_module(around)
    statement = module.body[0]
    bounds = Bounds(loops_round([statement]), frozenset({"n"}), bindings_within(module))
    assert source(bounds.from_start(cst.parse_expression(place), cst.Name("N"))) == wanted


@pytest.mark.parametrize(
    ("text", "symbol", "rank"),
    [
        ("np.eye(2)", "numpy.eye", 2),
        ("np.array([[1.0], [2.0]])", "numpy.array", 2),
        ("np.array([a])", "numpy.array", None),
        ("np.array(x)", "numpy.array", None),
        ("np.zeros(n)", "numpy.zeros", None),
        ("a * b", "numpy.array", None),
    ],
)
def test_ranks(text: str, symbol: str, rank: int | None) -> None:
    assert rank_of(cst.parse_expression(text), symbol) == rank


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("u[k]", "u[k + 1]", True),
        ("u[k, 0]", "u[k, 1]", True),
        ("u[k]", "u[j]", False),
        ("u[0]", "u[-1]", False),
        ("u[-2]", "u[-1]", True),
        ("u[:2]", "u[3]", False),
        ("u[..., 0]", "u[..., 1]", False),
        ("u[2 + 1]", "u[k]", False),
    ],
)
def test_places_that_differ(one: str, other: str, apart: bool) -> None:
    parts = [parts_of(cst.ensure_type(cst.parse_expression(text), cst.Subscript), (), None) for text in (one, other)]
    first, second = (part for part in parts if isinstance(part, tuple))
    assert differ(first, second) is apart


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        ("2", "3"),
        ("-2", "-1"),
        ("-1", None),
        ("k", "k + 1"),
        ("k - 1", "k"),
        ("k - 2", "k - 1"),
        ("a or b", "(a or b) + 1"),
    ],
)
def test_following_places(place: str, wanted: str | None) -> None:
    behind = following(cst.parse_expression(place))
    assert (None if behind is None else source(behind)) == wanted
