"""Shapes of what joins, reshapes, repeats and multiplies arrays: NumPy's functions and methods, and TensorFlow's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tfgradfix.analyse.objects import Container
from tfgradfix.analyse.promotion import matmul_shape
from tfgradfix.analyse.shape_arguments import nested, shape_of
from tfgradfix.analyse.values import Kind, Shape, Value

Rule = Callable[["Given"], Shape | None]


class Given:
    """The arguments of a call, by position or keyword."""

    def __init__(self, arguments: list[Value], keywords: Mapping[str, Value]) -> None:
        self.arguments = arguments
        self.keywords = keywords

    def value(self, position: int, *names: str) -> Value | None:
        """An argument that has a position or one of several keywords."""
        if position < len(self.arguments):
            return self.arguments[position]
        return next((self.keywords[name] for name in names if name in self.keywords), None)

    def shape(self, position: int, *names: str) -> Shape | None:
        """The shape of an argument."""
        value = self.value(position, *names)
        if value is None or value.shape is not None:
            return None if value is None else value.shape
        return nested(value)[1] if value.is_only(Kind.LIST | Kind.TUPLE) else None

    def integer(self, position: int, *names: str, default: int) -> int | None:
        """An argument that is a number written out; ``default`` where it is not given, None where it is not known."""
        value = self.value(position, *names)
        if value is None:
            return default
        return value.const if isinstance(value.const, int) and not isinstance(value.const, bool) else None

    def joined(self) -> list[Shape] | None:
        """The shapes of the arrays in the list that is the first argument."""
        listed = self.value(0, "arrays", "values", "tup", "seq", "arys")
        if listed is None:
            return None
        containers = [ref for ref in listed.refs if isinstance(ref, Container)]
        if len(containers) != 1 or not listed.is_only(Kind.LIST | Kind.TUPLE):
            return None
        shapes = [item.shape for item in containers[0].elements()]
        known = [shape for shape in shapes if shape is not None]
        return known if known and len(known) == len(shapes) else None

    def count(self) -> int | None:
        """How many arrays the list that is the first argument has."""
        listed = self.value(0, "arrays", "values")
        containers = [ref for ref in listed.refs if isinstance(ref, Container)] if listed is not None else []
        return len(containers[0].items) if len(containers) == 1 and containers[0].exact else None


def array_shape(symbol: str, arguments: list[Value], keywords: Mapping[str, Value]) -> Shape | None:
    """The shape that a function of the table gives, as far as it is known."""
    root, _, name = symbol.partition(".")
    if root not in ("numpy", "ndarray", "tensorflow"):
        return None
    rule = _RULES.get(name.removeprefix("math."))
    return None if rule is None else rule(Given(arguments, keywords))


def _concatenated(given: Given) -> Shape | None:
    shapes, axis = given.joined(), given.integer(1, "axis", default=0)
    if shapes is None or len({len(shape) for shape in shapes}) != 1 or not shapes[0]:
        return None
    first = shapes[0]
    same = [size if all(shape[place] == size for shape in shapes) else None for place, size in enumerate(first)]
    if axis is None or not -len(first) <= axis < len(first):
        return (None,) * len(first)
    return tuple(None if place == axis % len(first) else size for place, size in enumerate(same))


def _stacked(given: Given) -> Shape | None:
    shapes, axis = given.joined(), given.integer(1, "axis", default=0)
    if shapes is None or len({len(shape) for shape in shapes}) != 1:
        return None
    inner, places = shapes[0], len(shapes[0]) + 1
    if axis is None or any(shape != inner for shape in shapes) or not -places <= axis < places:
        return (None,) * places
    at = axis % places
    return (*inner[:at], given.count(), *inner[at:])


def _side_by_side(least: int) -> Rule:
    """Joined after each array has got at least so many axes."""

    def rule(given: Given) -> Shape | None:
        shapes = given.joined()
        return None if shapes is None else (None,) * max(least, *(len(shape) for shape in shapes))

    return rule


def _tiled(given: Given) -> Shape | None:
    shape, times = given.shape(0, "A", "input"), shape_of(given.value(1, "reps", "multiples"))
    return None if shape is None or times is None else (None,) * max(len(shape), len(times))


def _reshaped(given: Given) -> Shape | None:
    sizes = given.arguments[1:]
    if sizes and all(size.is_only(Kind.NUMBER) for size in sizes):
        found: Shape | None = tuple(size.const if isinstance(size.const, int) else None for size in sizes)
    else:
        found = shape_of(given.value(1, "shape", "newshape"))
    return None if found is None else tuple(None if size is not None and size < 0 else size for size in found)


def _transposed(given: Given) -> Shape | None:
    shape = given.shape(0, "a")
    if shape is None:
        return None
    plain = len(given.arguments) < 2 and not given.keywords.keys() & {"axes", "perm"}
    return tuple(reversed(shape)) if plain else (None,) * len(shape)


def _flat(_given: Given) -> Shape | None:
    return (None,)


def _repeated(given: Given) -> Shape | None:
    shape, axis = given.shape(0, "a", "input"), given.value(2, "axis")
    if axis is None or axis.is_only(Kind.NONE):
        return (None,)
    return None if shape is None else (None,) * len(shape)


def _expanded(given: Given) -> Shape | None:
    shape, axis = given.shape(0, "a", "input"), given.integer(1, "axis", default=0)
    if shape is None or axis is None or not -len(shape) - 1 <= axis <= len(shape):
        return None
    at = axis % (len(shape) + 1)
    return (*shape[:at], 1, *shape[at:])


def _squeezed(given: Given) -> Shape | None:
    shape, axis = given.shape(0, "a", "input"), given.integer(1, "axis", default=99)
    if shape is None or axis is None or not -len(shape) <= axis < len(shape):
        return None
    at = axis % len(shape)
    return (*shape[:at], *shape[at + 1 :])


def _square(given: Given) -> Shape | None:
    rows, columns = given.value(0, "N", "n", "num_rows"), given.value(1, "M", "num_columns")
    first = rows.const if rows is not None and isinstance(rows.const, int) else None
    return (first, first if columns is None or columns.is_only(Kind.NONE | Kind.DTYPE) else None)


def _diagonal(given: Given) -> Shape | None:
    shape = given.shape(0, "v")
    if shape is None or len(shape) not in (1, 2):
        return None
    return (None, None) if len(shape) == 1 else (None,)


def _same(given: Given) -> Shape | None:
    return given.shape(0, "a", "input", "x")


def _without(axes: int) -> Rule:
    """The last axes go."""

    def rule(given: Given) -> Shape | None:
        shape = given.shape(0, "a", "input", "x")
        return shape[:-axes] if shape is not None and len(shape) >= axes else None

    return rule


def _with_axis(given: Given) -> Shape | None:
    shape = given.shape(0, "indices")
    return None if shape is None or "axis" in given.keywords or len(given.arguments) > 4 else (*shape, None)


def _product(given: Given) -> Shape | None:
    if given.keywords:
        return None
    return matmul_shape(given.shape(0, "a", "x1"), given.shape(1, "b", "x2"))


def _vector_product(given: Given) -> Shape | None:
    shape = given.shape(0, "a")
    return shape[:-1] if shape and not given.keywords else None


def _outer(_given: Given) -> Shape | None:
    return (None, None)


def _kronecker(given: Given) -> Shape | None:
    left, right = given.shape(0, "a"), given.shape(1, "b")
    return None if left is None or right is None else (None,) * max(len(left), len(right))


def _solved(given: Given) -> Shape | None:
    return given.shape(1, "b", "rhs")


def _broadcast(given: Given) -> Shape | None:
    return shape_of(given.value(1, "shape"))


def _gathered(given: Given) -> Shape | None:
    table, places = given.shape(0, "params"), given.shape(1, "indices")
    axis = given.integer(3, "axis", default=0)
    if table is None or places is None or axis != 0 or "batch_dims" in given.keywords or not table:
        return None
    return (*places, *table[1:])


def _einsum(given: Given) -> Shape | None:
    text = given.value(0, "subscripts", "equation")
    if text is None or not isinstance(text.const, str) or "->" not in text.const or "." in text.const:
        return None
    return (None,) * len(text.const.partition("->")[2].strip())


def _norm(given: Given) -> Shape | None:
    return () if len(given.arguments) < 3 and not given.keywords.keys() & {"axis", "keepdims"} else None


_RULES: Final[Mapping[str, Rule]] = {
    **dict.fromkeys(("concatenate", "concat"), _concatenated),
    "stack": _stacked,
    **dict.fromkeys(("vstack", "row_stack", "column_stack"), _side_by_side(2)),
    "dstack": _side_by_side(3),
    "hstack": _side_by_side(1),
    "tile": _tiled,
    "reshape": _reshaped,
    "transpose": _transposed,
    **dict.fromkeys(("ravel", "flatten"), _flat),
    "repeat": _repeated,
    "expand_dims": _expanded,
    "squeeze": _squeezed,
    **dict.fromkeys(("eye", "identity"), _square),
    "diag": _diagonal,
    **dict.fromkeys(("linalg.inv", "linalg.cholesky", "linalg.expm"), _same),
    **dict.fromkeys(("linalg.det", "linalg.trace", "linalg.logdet"), _without(2)),
    **dict.fromkeys(("linalg.eigvalsh", "linalg.eigvals", "linalg.diag_part"), _without(1)),
    **dict.fromkeys(("matmul", "linalg.matmul"), _product),
    "linalg.matvec": _vector_product,
    "outer": _outer,
    "kron": _kronecker,
    "linalg.solve": _solved,
    "broadcast_to": _broadcast,
    "gather": _gathered,
    "one_hot": _with_axis,
    "einsum": _einsum,
    **dict.fromkeys(("linalg.norm", "norm"), _norm),
}
