"""One module as a tree in which one can also go upwards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.resolved_names import imported_names
from tfgradfix_codemods.scopes import Binding, bindings_within

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Tree:
    """One module as it was before this round, with the way up from every node."""

    module: cst.Module

    @cached_property
    def meanings(self) -> Mapping[str, str]:
        """The full name behind each imported name."""
        return imported_names(self.module)

    @cached_property
    def parents(self) -> Mapping[cst.CSTNode, cst.CSTNode]:
        """The node above each node."""
        above: dict[cst.CSTNode, cst.CSTNode] = {}
        waiting: list[cst.CSTNode] = [self.module]
        while waiting:
            node = waiting.pop()
            for child in node.children:
                above[child] = node
                waiting.append(child)
        return above

    @cached_property
    def _bindings(self) -> dict[tuple[cst.CSTNode, bool], Mapping[str, Sequence[Binding]]]:
        return {}

    def bindings(self, node: cst.CSTNode, inside: bool = False) -> Mapping[str, Sequence[Binding]]:
        """The bindings that a statement makes, or those ``inside`` a function."""
        if (node, inside) not in self._bindings:
            statement = cst.Module([node]) if isinstance(node, cst.FunctionDef) and not inside else node
            self._bindings[node, inside] = bindings_within(statement)
        return self._bindings[node, inside]

    @cached_property
    def calls(self) -> Sequence[cst.Call]:
        """Every call of the module."""
        return [node for node in self.parents if isinstance(node, cst.Call)]

    @cached_property
    def longest_line(self) -> int:
        """The length of the longest line of the module."""
        return max(map(len, self.module.code.splitlines()), default=0)

    def path(self, node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
        """The nodes from the module down to ``node``."""
        upwards = [node]
        while upwards[-1] in self.parents:
            upwards.append(self.parents[upwards[-1]])
        return tuple(reversed(upwards))
