"""Places of an axis counted from its start: TensorFlow's scatter operations know no negative ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.nodes import dotted_text, operand
from tfgradfix_codemods.place_arithmetic import integer, split
from tfgradfix_codemods.surroundings import names_bound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tfgradfix_codemods.scopes import Binding

#: Functions that count from 0, by their last name.
COUNTING: Final = frozenset({"len", "ndindex", "argmax", "argmin"})


@dataclass(frozen=True)
class Bounds:
    """What is known of the names in an index.

    ``loops`` has the iterables of the loops round it by the names they bind, ``sizes`` the names that the size of the
    array is made of, ``bindings`` what names are bound to.
    """

    loops: Mapping[str, cst.BaseExpression]
    sizes: frozenset[str]
    bindings: Mapping[str, Sequence[Binding]]

    def from_start(self, place: cst.BaseExpression, size: cst.BaseExpression) -> cst.BaseExpression:
        """``place`` as a number that is not negative; ``size`` is that of its axis."""
        value = integer(place)
        if value is not None and value < 0:
            return cst.BinaryOperation(size, cst.Subtract(), cst.Integer(str(-value)))
        if self.is_counted(place):
            return place.deep_clone()
        return cst.BinaryOperation(operand(place).deep_clone(), cst.Modulo(), size)

    def is_counted(self, place: cst.BaseExpression) -> bool:
        """Whether ``place`` is counted from the start, or nothing speaks against it."""
        lowest = self.lowest(place)
        if lowest is not None:
            return lowest >= 0
        return not subtracts(place) and not any(self.is_negative(name) for name in names_read(place))

    def is_negative(self, name: str) -> bool:
        """Whether a name may stand for a negative number."""
        values = [binding.value for binding in self.bindings.get(name, ()) if binding.value is not None]
        return any(subtracts(value) and (integer(value) or 0) < 0 for value in values)

    def lowest(self, place: cst.BaseExpression) -> int | None:
        """The lowest value that ``place`` may have, or None when that is not known."""
        base, offset = split(place)
        if base is None:
            return offset
        if offset < 0 and self.is_size(base):
            # A place counted back from the size lies in the array, else the program would fail as it is.
            return 0
        lowest = self.lowest_of(base)
        return None if lowest is None else lowest + offset

    def lowest_of(self, base: cst.BaseExpression) -> int | None:
        """The same for what is no number and no sum with one."""
        if isinstance(base, cst.Name):
            return self.lowest_in(base.value)
        if isinstance(base, cst.Call):
            return 0 if (dotted_text(base.func) or "").rpartition(".")[2] in COUNTING else None
        if not isinstance(base, cst.BinaryOperation):
            return None
        if isinstance(base.operator, cst.Modulo):
            return 0
        left, right = self.lowest(base.left), self.lowest(base.right)
        if left is None or right is None or left < 0 or right < 0:
            return None
        if isinstance(base.operator, cst.Add):
            return left + right
        return left * right if isinstance(base.operator, cst.Multiply) else None

    def lowest_in(self, name: str) -> int | None:
        """The lowest value of the counter of a loop."""
        iterable = self.loops.get(name)
        if isinstance(iterable, (cst.Tuple, cst.List)):
            values = [integer(element.value) for element in iterable.elements]
            return min((value for value in values if value is not None), default=None) if None not in values else None
        if not isinstance(iterable, cst.Call) or any(argument.keyword for argument in iterable.args):
            return None
        return self.lowest_of_call(iterable, (dotted_text(iterable.func) or "").rpartition(".")[2])

    def lowest_of_call(self, iterable: cst.Call, function: str) -> int | None:
        """The lowest that `range(…)` and its like give."""
        values = [argument.value for argument in iterable.args]
        if function == "reversed" and isinstance(values[0], cst.Call):
            return self.lowest_of_call(values[0], (dotted_text(values[0].func) or "").rpartition(".")[2])
        if function == "enumerate":
            return self.lowest(values[1]) if len(values) == 2 else 0
        if function in ("ndindex", "combinations") or (function == "range" and len(values) == 1):
            return 0
        if function != "range" or not values:
            return None
        step = integer(values[2]) if len(values) == 3 else 1
        if step is None:
            return None
        lowest = self.lowest(values[0] if step > 0 else values[1])
        return lowest if lowest is None or step > 0 else lowest + 1

    def is_traced(self, place: cst.BaseExpression) -> bool:
        """Whether a place moves with a loop that TensorFlow runs (over `tf.range`), so that it is no number."""
        loops = (self.loops.get(name) for name in names_read(place))
        called = (dotted_text(loop.func) or "" for loop in loops if isinstance(loop, cst.Call))
        return any(name.endswith(".range") for name in called)

    def is_size(self, base: cst.BaseExpression) -> bool:
        """Whether something is a size: `len(x)`, `x.shape[0]`, a name that the array was made with."""
        if isinstance(base, cst.Call):
            return dotted_text(base.func) == "len"
        if isinstance(base, cst.Subscript):
            return (dotted_text(base.value) or "").endswith(".shape")
        return isinstance(base, (cst.Name, cst.Attribute)) and names_read(base) <= self.sizes


def subtracts(place: cst.CSTNode) -> bool:
    """Whether something is taken away in an expression."""
    if isinstance(place, (cst.Subtract, cst.Minus)):
        return True
    return any(subtracts(child) for child in place.children)


def moves_back(places: cst.BaseExpression) -> bool:
    """Whether something is taken away from all of ``places``: `days - 1`, but not `np.arange(n - 1)`."""
    if isinstance(places, cst.UnaryOperation):
        return isinstance(places.operator, cst.Minus)
    if isinstance(places, cst.BinaryOperation) and not isinstance(places.operator, cst.Modulo):
        return isinstance(places.operator, cst.Subtract) or moves_back(places.left) or moves_back(places.right)
    return isinstance(places, (cst.List, cst.Tuple)) and any(moves_back(one.value) for one in places.elements)


def loops_round(path: Sequence[cst.CSTNode]) -> Mapping[str, cst.BaseExpression]:
    """The iterable behind each name that a loop on the way down to a place binds."""
    found: dict[str, cst.BaseExpression] = {}
    for node in path:
        if not isinstance(node, cst.For):
            continue
        function = dotted_text(node.iter.func) if isinstance(node.iter, cst.Call) else ""
        if isinstance(node.target, cst.Tuple) and function == "enumerate":
            found.update(dict.fromkeys(names_bound(node.target.elements[0].value), node.iter))
        elif isinstance(node.target, cst.Name) or (function or "").rpartition(".")[2] in ("ndindex", "combinations"):
            found.update(dict.fromkeys(names_bound(node.target), node.iter))
    return found
