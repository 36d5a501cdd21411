"""Records shared by the parts that bring a gradient's target out of the expressions and loops round it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.effects_of_statements import effects_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfgradfix_codemods.effects import Effects, Knowledge
    from tfgradfix_codemods.fresh_names import FreshNames


@dataclass(frozen=True)
class Setting:
    """What is known where a target is moved.

    ``scope`` is the function or module round it, ``tensorflow`` writes the name of a TensorFlow function there,
    ``named`` are the nodes that findings name, ``iterated`` the loops among them that run over a tensor. ``bound`` is
    the number of turns of a `tf.range` loop as Python tells it, where that is not the argument of `tf.range` itself.
    """

    knowledge: Knowledge
    names: FreshNames
    scope: cst.CSTNode
    tensorflow: Callable[[str], cst.BaseExpression]
    named: tuple[cst.CSTNode, ...] = ()
    iterated: tuple[cst.CSTNode, ...] = ()
    bound: str | None = None

    def effects(self, nodes: cst.CSTNode | Sequence[cst.CSTNode]) -> Effects:
        """What ``nodes`` do."""
        return effects_of(nodes, self.knowledge.surroundings)


@dataclass(frozen=True)
class Lifted:
    """A target brought out of ``node``: ``name`` stands for it there, and has to be bound to ``value`` before.

    ``comments`` belong to statements that are not needed any more; ``levels`` counts the loops passed.
    """

    node: cst.CSTNode
    name: str
    value: cst.BaseExpression
    comments: tuple[cst.EmptyLine, ...] = field(default=())
    levels: int = 0

    @property
    def line(self) -> cst.SimpleStatementLine:
        """The statement that binds the name."""
        target = cst.AssignTarget(cst.Name(self.name))
        return cst.SimpleStatementLine([cst.Assign([target], on_one_line(self.value))], leading_lines=self.comments)

    @property
    def plural(self) -> str:
        """A name for a list of such targets."""
        return "target_rows" if self.levels else "targets"


def on_one_line(value: cst.BaseExpression) -> cst.BaseExpression:
    """``value`` fit to stand behind an equals sign: in parentheses when a line break would end the statement."""
    try:
        cst.parse_expression(cst.Module([]).code_for_node(value))
    except cst.ParserSyntaxError:
        return value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return value
