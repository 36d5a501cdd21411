"""What the statements of one branch come to: the last value of each name, and the steps on the way.

The statements are followed in order. A name that is read after the `if` gets its value where the branches meet; until
then the branch's own uses of it see the new value. Any other name is a step: it stays an assignment, under its own name
if nothing else needs what the name meant before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.assignments import assigned
from tfgradfix_codemods.chains import comment_line, lines_of
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.nodes import operand
from tfgradfix_codemods.python_branches import python_choices
from tfgradfix_codemods.scopes import plain_operator
from tfgradfix_codemods.side_effects import is_idle, shortened
from tfgradfix_codemods.substitution import Substitution
from tfgradfix_codemods.value_kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tfgradfix_codemods.fresh_names import FreshNames
    from tfgradfix_codemods.sites import Site

Lines = tuple[cst.EmptyLine, ...]

#: Stands for the returned value among the names of a branch.
RETURNED: Final = "return"


@dataclass(frozen=True)
class Step:
    """One assignment that stays: ``name = value``, with the comments of the line it comes from."""

    name: str
    value: cst.BaseExpression
    above: Lines = ()
    behind: cst.TrailingWhitespace = field(default_factory=cst.TrailingWhitespace)


@dataclass(frozen=True)
class Outcome:
    """What a branch comes to.

    ``values`` holds the last value of each name that is read later; ``added`` the names that the branch only adds to or
    takes from once, with the operator and the term; ``returned`` the value of its `return`; ``comments`` what stood at
    those; ``site`` knows the steps.
    """

    steps: tuple[Step, ...]
    values: Mapping[str, cst.BaseExpression]
    added: Mapping[str, tuple[cst.BaseAugOp, cst.BaseExpression]]
    returned: cst.BaseExpression | None
    comments: Lines
    site: Site


@dataclass
class Execution:
    """The state of one branch while its statements are followed.

    ``is_result`` tells the names that are read after the `if`; ``needed`` are names whose old meaning is read by other
    branches or by tests; ``inline`` says that no step may be made, so that every value is written out whole.
    """

    site: Site
    is_result: Callable[[str], bool]
    needed: frozenset[str]
    fresh: FreshNames
    current: dict[str, cst.BaseExpression] = field(default_factory=dict)
    pending: dict[str, cst.BaseExpression] = field(default_factory=dict)
    added: dict[str, tuple[cst.BaseAugOp, cst.BaseExpression]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    returned: cst.BaseExpression | None = None
    comments: list[cst.EmptyLine] = field(default_factory=list)
    inline: bool = False

    def run(self, body: Sequence[cst.BaseStatement]) -> Outcome | Decline:
        """Follow the statements of a branch to its end."""
        lines = list(lines_of(body))
        for position, line in enumerate(lines):
            later = frozenset[str]().union(*(names_read(other) for other in lines[position + 1 :]))
            refusal = self.follow(line, later)
            if refusal is not None:
                return refusal
        return Outcome(tuple(self.steps), self.pending, self.added, self.returned, tuple(self.comments), self.site)

    def follow(self, line: cst.BaseStatement, later: frozenset[str]) -> Decline | None:
        """Follow one statement; ``later`` are the names that the rest of the branch reads."""
        if self.returned is not None:
            return Decline("statements stand behind a return")
        if isinstance(line, cst.If):
            return self.choose(line, later)
        if not isinstance(line, cst.SimpleStatementLine):
            return Decline(f"a branch holds more than assignments: `{first_line(line)}`")
        small = line.body[0]
        if is_idle(small):
            self.comments.extend(comments_of(line))
            return None
        if isinstance(small, cst.Return) and small.value is not None:
            self.returned = self.seen(small.value)
            self.comments.extend(comments_of(line))
            return None
        changes = self.changes(small)
        if isinstance(changes, Decline):
            return changes
        for position, (name, value) in enumerate(changes):
            self.assign(name, value, later, line if position == 0 else None)
        if isinstance(small, cst.AugAssign):
            self.note_addition(small, changes[0][0])
        return None

    def choose(self, node: cst.If, later: frozenset[str]) -> Decline | None:
        """Follow an `if` on Python values; one on tensors is straight by now, or stays."""
        choices = python_choices(node, self)
        if isinstance(choices, Decline):
            return choices
        for name, value in choices.items():
            self.assign(name, value, later, None)
        return None

    def changes(self, small: cst.BaseSmallStatement) -> Sequence[tuple[str, cst.BaseExpression]] | Decline:
        """The names that a statement assigns, each with its value as seen at this point."""
        if isinstance(small, cst.Assign):
            pairs = list(assigned(small))
            if all(name is not None and value is not None for name, value in pairs):
                return [(name, self.seen(value)) for name, value in pairs if name is not None and value is not None]
        if isinstance(small, cst.AnnAssign) and isinstance(small.target, cst.Name) and small.value is not None:
            return [(small.target.value, self.seen(small.value))]
        if isinstance(small, cst.AugAssign) and isinstance(small.target, cst.Name):
            operator = plain_operator(small.operator)
            if operator is not None and kind_of(small.target, self.site) not in {"ndarray", "list", "string"}:
                value = cst.BinaryOperation(operand(self.seen(small.target)), operator, operand(self.seen(small.value)))
                return [(small.target.value, value)]
        return Decline(f"`{shortened(small)}` does more than give a name a value")

    def seen(self, value: cst.BaseExpression) -> cst.BaseExpression:
        """``value`` with the names that the branch has changed replaced by what they are now."""
        replaced = value.visit(Substitution(self.current))
        return replaced if isinstance(replaced, cst.BaseExpression) else value

    def assign(
        self, name: str, value: cst.BaseExpression, later: frozenset[str], line: cst.SimpleStatementLine | None
    ) -> None:
        """Give ``name`` its value, as a step or for where the branches meet."""
        self.added.pop(name, None)
        result = self.inline or self.is_result(name)
        if not self.inline and (not result or name in later):
            step = self.step(name, value, line, keep=not result)
            self.current[name] = cst.Name(step.name)
        else:
            self.current[name] = value
            self.comments.extend(() if line is None else comments_of(line))
        if result:
            self.pending[name] = self.current[name]

    def step(self, name: str, value: cst.BaseExpression, line: cst.SimpleStatementLine | None, keep: bool) -> Step:
        """Add an assignment that stays, under ``name`` if that may be ``keep``-ed."""
        pending = frozenset[str]().union(*(names_read(waiting) for waiting in self.pending.values()))
        # A step that reads what its name meant before would seem to be its own source.
        taken = self.needed | pending | names_read(value) | {step.name for step in self.steps}
        new = name if keep and name not in taken else self.fresh.name(name).value
        step = (
            Step(new, value) if line is None else Step(new, value, tuple(line.leading_lines), line.trailing_whitespace)
        )
        self.steps.append(step)
        self.site = self.site.with_locals({new: value})
        return step

    def note_addition(self, small: cst.AugAssign, name: str) -> None:
        """Remember that a name which is read later is only added to, if this is its first change."""
        value = self.pending.get(name)
        first = isinstance(value, cst.BinaryOperation) and isinstance(value.left, cst.Name) and value.left.value == name
        if first and isinstance(value, cst.BinaryOperation) and isinstance(small.operator, ADDITIONS):
            self.added[name] = (small.operator, value.right)


ADDITIONS = (cst.AddAssign, cst.SubtractAssign)


def comments_of(line: cst.SimpleStatementLine) -> Lines:
    """The comments above and behind a line, as lines of their own."""
    above = tuple(empty for empty in line.leading_lines if empty.comment is not None)
    return above + comment_line(line.trailing_whitespace)


def first_line(node: cst.CSTNode) -> str:
    """The first line of a statement, for a message."""
    bare = node.with_changes(leading_lines=[]) if hasattr(node, "leading_lines") else node
    return cst.Module([]).code_for_node(bare).strip().splitlines()[0]
