"""What the analysis knows of a value: its kinds, dtype, shape, constant, and where its data comes from.

A value is abstract: it stands for everything that an expression may be in one context. Facts only ever
get weaker when values are joined, so an analysis over loops comes to an end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tfgradfix.analyse.objects import Object


class Kind:
    """The kinds that a value may have, as bits of one integer; several bits mean that it is one of them.

    Plain integers and not an enum: kinds are compared hundreds of thousands of times a file.
    """

    NOTHING: Final = 0
    TENSOR: Final = 1
    VARIABLE: Final = 2
    NDARRAY: Final = 4
    NUMBER: Final = 8
    BOOL: Final = 16
    STRING: Final = 32
    NONE: Final = 64
    LIST: Final = 128
    TUPLE: Final = 256
    DICT: Final = 512
    FUNCTION: Final = 1024
    MODULE: Final = 2048
    TAPE: Final = 4096
    OBJECT: Final = 8192
    SHAPE: Final = 16384
    DTYPE: Final = 32768
    UNKNOWN: Final = 65536


TENSORS: Final = Kind.TENSOR | Kind.VARIABLE
CONTAINERS: Final = Kind.LIST | Kind.TUPLE | Kind.DICT
NUMBERS: Final = Kind.NUMBER | Kind.BOOL
PLAIN: Final = Kind.NUMBER | Kind.BOOL | Kind.STRING | Kind.NONE | Kind.SHAPE | Kind.DTYPE


class _Missing:
    """The constant of a value that has none."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()

Shape = tuple[int | None, ...]


@dataclass(frozen=True)
class Value:
    """An abstract value.

    ``nodes`` are the flow graph's nodes whose data is in it; ``refs`` the objects it may be (functions,
    classes, containers, tapes, models). ``dtype`` is a NumPy dtype name, or "int"/"float"/"complex"/"bool" for a
    Python number, None when unknown. ``shape`` is None when even the rank is unknown.
    """

    kinds: int = Kind.UNKNOWN
    nodes: frozenset[int] = frozenset()
    refs: frozenset[Object] = frozenset()
    dtype: str | None = None
    shape: Shape | None = None
    const: object = MISSING

    @property
    def rank(self) -> int | None:
        """Number of axes, or None when unknown."""
        return None if self.shape is None else len(self.shape)

    def is_only(self, kinds: int) -> bool:
        """Whether the value is certainly of one of ``kinds``."""
        return bool(self.kinds) and not self.kinds & ~kinds

    def may_be(self, kinds: int) -> bool:
        """Whether the value may be of one of ``kinds``, as far as is known."""
        return bool(self.kinds & kinds)

    def with_nodes(self, nodes: Iterable[int]) -> Value:
        """The same value with its data coming from ``nodes``."""
        return replace(self, nodes=frozenset(nodes))


UNKNOWN: Final = Value()
NOTHING: Final = Value(Kind.NOTHING)
NONE: Final = Value(Kind.NONE, const=None)


def constant(value: object) -> Value:
    """The abstract value of a literal."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return Value(Kind.BOOL, dtype="bool", shape=(), const=value)
    if isinstance(value, (int, float, complex)):
        return Value(Kind.NUMBER, dtype=type(value).__name__, shape=(), const=value)
    if isinstance(value, (str, bytes)):
        return Value(Kind.STRING, const=value)
    return UNKNOWN


def same_constant(left: object, right: object) -> bool:
    """Whether two constants are the same, type included (1 and True are not)."""
    return type(left) is type(right) and left == right


def join(left: Value, right: Value) -> Value:
    """The value that is either ``left`` or ``right``."""
    if left is right or left == right or right.kinds == Kind.NOTHING:
        return left
    if left.kinds == Kind.NOTHING:
        return right
    return Value(
        left.kinds | right.kinds,
        left.nodes | right.nodes,
        left.refs | right.refs,
        left.dtype if left.dtype == right.dtype else None,
        join_shapes(left.shape, right.shape),
        left.const if same_constant(left.const, right.const) else MISSING,
    )


def join_all(values: Iterable[Value]) -> Value:
    """The value that is one of ``values``; NOTHING for none."""
    result = NOTHING
    for value in values:
        result = join(result, value)
    return result


def join_shapes(left: Shape | None, right: Shape | None) -> Shape | None:
    """The shape that is either; None when the ranks differ or one is unknown."""
    if left is None or right is None or len(left) != len(right):
        return None
    return tuple(a if a == b else None for a, b in zip(left, right, strict=True))


def broadcast(left: Shape | None, right: Shape | None) -> Shape | None:
    """The shape of an elementwise operation on both (NumPy's broadcasting rules)."""
    if left is None or right is None:
        return None
    if len(left) < len(right):
        left, right = right, left
    padded = (1,) * (len(left) - len(right)) + right
    return tuple(_broadcast_size(a, b) for a, b in zip(left, padded, strict=True))


def _broadcast_size(left: int | None, right: int | None) -> int | None:
    if left == 1:
        return right
    if right == 1 or left == right:
        return left
    return left if right is None else right if left is None else None
