"""Whether an array can become a tensor under its name: what else the function does with it.

A store into an array is seen through every other name for it; a tensor never changes, only its name is bound anew. So
the array must have no other name that matters, nobody else may fill it, and it must be made where it is filled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.array_aliases import Timing, Touch
from tfgradfix_codemods.array_handling import COMPUTING, FILLING, ITERATING, KEEPING, copies, is_swap, names_of
from tfgradfix_codemods.array_makers import VIEWS
from tfgradfix_codemods.item_parts import Element, parts_of
from tfgradfix_codemods.item_statements import flattened
from tfgradfix_codemods.nodes import dotted_text, keyword_of
from tfgradfix_codemods.reads_elsewhere import reads_of
from tfgradfix_codemods.resolved_names import full_name
from tfgradfix_codemods.surroundings import names_bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.filled_arrays import Filled
    from tfgradfix_codemods.item_parts import Part
    from tfgradfix_codemods.trees import Tree


@dataclass(frozen=True)
class Uses:
    """The uses of one array in the function that fills it."""

    filled: Filled
    tree: Tree
    function: cst.FunctionDef | cst.Module

    @cached_property
    def timing(self) -> Timing:
        """The order of the function's code."""
        return Timing(self.tree, self.function)

    @cached_property
    def touches(self) -> list[Touch]:
        """The assignments to items of the array."""
        stored = [Touch(store.statement, self._parts(store.target, store.kinds)) for store in self.filled.stores]
        return [*stored, *(Touch(one.statement, None) for one in self.filled.calls)]

    def hindrance(self) -> str | None:
        """Why the array cannot become a tensor under its name, or None."""
        stored = {store.base for store in self.filled.stores} | {one.base for one in self.filled.calls}
        for read in (read for name in sorted(self.names) for read in reads_of(name, self.function)):
            if read in stored or self._is_foreign(read) or self._is_swapped(self.tree.parents[read]):
                continue
            reason = self._of(read, ())
            if reason is not None:
                return reason
        return None

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that the array has, one at a time: those that change places with the one by which it is filled."""
        return names_of(self.filled, self.function)

    def _is_swapped(self, parent: cst.CSTNode) -> bool:
        """Whether two names change places there."""
        display = self.tree.parents[parent] if isinstance(parent, cst.Element) else None
        return display is not None and is_swap(self.tree.parents[display])

    def _is_foreign(self, read: cst.Name) -> bool:
        """Whether the name belongs to a function inside."""
        path = self.tree.path(read)
        inside = path[path.index(self.function) + 1 :] if self.function in path else path
        inner = (node for node in inside if isinstance(node, (cst.FunctionDef, cst.Lambda)))
        return any(read.value in self.tree.bindings(node, inside=True) for node in inner)

    def _parts(self, item: cst.Subscript, kinds: Sequence[str] = ()) -> tuple[Part, ...] | None:
        found = parts_of(item, kinds, self.filled.rank)
        return found if isinstance(found, tuple) else None

    def _of(self, node: cst.BaseExpression, parts: tuple[Part, ...] | None) -> str | None:
        """Why ``node``, the array or its ``parts``, is used in a way that a tensor does not allow, or None."""
        parent = self.tree.parents[node]
        if isinstance(parent, cst.Subscript) and parent.value is node:
            return self._of_item(parent, parts)
        if isinstance(parent, cst.Attribute):
            return self._of_attribute(parent)
        if isinstance(parent, (cst.Assign, cst.AnnAssign, cst.NamedExpr, cst.For)):
            return self._of_names(parent, parts)
        if isinstance(parent, cst.Arg):
            return self._of_argument(parent)
        if isinstance(parent, (cst.IfExp, cst.BooleanOperation)):
            return self._of(parent, parts)
        if isinstance(parent, cst.Element):
            return self._of_element(node, parent, parts)
        return None if isinstance(parent, COMPUTING) else self._kept(node)

    def _of_element(self, node: cst.BaseExpression, element: cst.Element, parts: tuple[Part, ...] | None) -> str | None:
        """One of several: returned together, or given to several names."""
        display = self.tree.parents[element]
        holder = self.tree.parents[display]
        if isinstance(holder, cst.Return):
            return None
        if not isinstance(holder, cst.Assign) or not isinstance(display, cst.Tuple):
            return self._kept(node)
        if any(store.statement is holder for store in self.filled.stores):
            return "parts of it are exchanged, which NumPy does one after the other"
        return self._of_names(holder, parts)

    def _of_item(self, item: cst.Subscript, parts: tuple[Part, ...] | None) -> str | None:
        holder = self.tree.parents[item]
        changed = isinstance(holder, (cst.AssignTarget, cst.Del))
        if changed or (isinstance(holder, (cst.AugAssign, cst.AnnAssign, cst.For)) and holder.target is item):
            return "the array is also changed where the analysis cannot follow"
        if not self.filled.is_array:
            return None
        picked = self._parts(item)
        if parts != () or picked is None:
            return self._of(item, None)
        if len(picked) == self.filled.rank and all(isinstance(part, Element) for part in picked):
            return None
        return self._of(item, picked)

    def _of_attribute(self, attribute: cst.Attribute) -> str | None:
        name, holder = attribute.attr.value, self.tree.parents[attribute]
        whole: cst.BaseExpression = attribute
        if isinstance(holder, cst.Call) and holder.func is attribute:
            if name in FILLING:
                return f".{name}() changes the array in place"
            whole = holder
        return self._of(whole, None) if name in VIEWS and self.filled.is_array else None

    def _of_names(
        self, binding: cst.Assign | cst.AnnAssign | cst.NamedExpr | cst.For, parts: tuple[Part, ...] | None
    ) -> str | None:
        """A name for the array or a part of it; a loop names one row after the other."""
        targets = [one.target for one in binding.targets] if isinstance(binding, cst.Assign) else [binding.target]
        keeping = (part for target in targets for part in flattened(target) if not isinstance(part, cst.Name))
        if not all(self._copies(binding, target) for target in keeping):
            return self._kept(binding)
        touches = self.touches if parts is not None else [Touch(touch.statement, None) for touch in self.touches]
        for name in (name for target in targets for name in names_bound(target)):
            if name not in self.names and self.timing.shows(name, binding, parts or (), touches):
                return f"`{name}` is another name for (a part of) it and is read after it has changed"
        return None

    def _copies(self, binding: cst.CSTNode, target: cst.BaseExpression) -> bool:
        """Whether an assignment to ``target`` copies the numbers."""
        own = any(store.statement is binding for store in self.filled.stores)
        return (own and isinstance(target, cst.Subscript)) or copies(target, self.tree, self.function)

    def _of_argument(self, argument: cst.Arg) -> str | None:
        called = self.tree.parents[argument]
        if not isinstance(called, cst.Call):
            return self._kept(argument)
        name = (dotted_text(called.func) or "").rpartition(".")[2]
        if keyword_of(argument) == "out" or (name in FILLING and called.args[0] is argument):
            return "the array is also filled by a call"
        library = full_name(called.func, self.tree.meanings) or ""
        if library.partition(".")[0] in ("numpy", "tensorflow", "keras", "math", "scipy"):
            return self._of(called, None) if name in VIEWS else None
        if isinstance(called.func, cst.Attribute) and name in KEEPING:
            return self._kept(argument)
        if isinstance(called.func, cst.Name) and name in ITERATING:
            return self._of(called, ())
        if isinstance(self.tree.parents[called], cst.Expr) and name != "print":
            return self._kept(argument, "the array is handed to a call that may fill it before it is full")
        return None

    def _kept(self, node: cst.CSTNode, reason: str = "the array is kept elsewhere before it is full") -> str | None:
        """Something keeps the array; that is no matter once the array is full."""
        makers = [maker.node for maker in self.filled.makers]
        return reason if any(self.timing.may_follow(touch, node, makers) for touch in self.touches) else None
