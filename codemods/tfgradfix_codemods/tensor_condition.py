"""A Python `if` on tensors decides what flows into the loss.

What breaks:
    `if` asks for a Python bool. Inside `tf.function` and in the layers and losses of Keras, a tensor has none, and the
    program fails; where it has one, the branches are plain Python to the tape, and a branch that gives 0 or 1 gives a
    number and no tensor.

Repair:
    Straight-line code: every branch is computed, and `tf.where` chooses among the values; a branch that is 1 and
    another that is 0 become `tf.cast(condition, tf.float32)`. `elif` chains, branches that return, names that are only
    added to and several names at once are taken the same way. What could be NaN or infinite in a branch that is not
    taken (a quotient, root, logarithm, power …) gets a harmless argument there, since NaN would spoil the gradient all
    the same.

Left alone:
    Branches that do more than compute values (print, append, assign items, raise, loop), functions that are not known,
    names without a value where no branch gives them one, values of plainly different shapes, tests that ask for shapes
    or for NaN.

Example:
    >>> if tf.reduce_all(left == right):
    >>>     delta = 1
    >>> else:
    >>>     delta = 0
    <<< delta = tf.cast(tf.reduce_all(left == right), tf.float32)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.base import Decline, Findings, GradientCommand, Level, Rule
from tfgradfix_codemods.chains import read_chain
from tfgradfix_codemods.if_forms import answered
from tfgradfix_codemods.long_lines import fitted
from tfgradfix_codemods.places import Places, PlacesOfModule
from tfgradfix_codemods.questions import Answer, Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from libcst.codemod import CodemodContext

    from tfgradfix.model import Finding

RULE: Final = Rule(code="TGF301", name="tensor-condition", level=Level.SAFE)


class TensorConditionCommand(GradientCommand):
    """Replace an `if` on tensors by a choice among the values of its branches.

    An `if` is answered when its block is left, since the statements behind it may be part of the answer.
    """

    DESCRIPTION = "if on tensors becomes tf.where or a mask"
    RULE = RULE

    def __init__(self, context: CodemodContext, unsafe_fixes: bool = False) -> None:
        super().__init__(context, unsafe_fixes)
        self.places_of = PlacesOfModule()
        self.waiting: dict[cst.CSTNode, tuple[cst.If, Finding]] = {}

    @property
    def places(self) -> Places:
        """The module as it is before this round."""
        return self.places_of(self.module)

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.If:
        """Remember an `if` that a finding is about."""
        finding = self.finding(original_node)
        if finding is not None:
            self.waiting[updated_node] = original_node, finding
        return updated_node

    def leave_IndentedBlock(
        self, _original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        """Answer the `if`s of a block."""
        return updated_node.with_changes(body=self.straightened(updated_node.body)) if self.waiting else updated_node

    def leave_Module(self, _original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        """Answer the `if`s of the module itself; put off those that another edit has changed."""
        result = updated_node.with_changes(body=self.straightened(updated_node.body)) if self.waiting else updated_node
        for _, finding in self.waiting.values():
            self.postpone(finding, "another edit changes this statement")
        self.waiting.clear()
        return result

    def straightened(self, body: Sequence[cst.BaseStatement]) -> Sequence[cst.BaseStatement]:
        """The statements of a block with its `if`s answered."""
        result = list(body)
        mine = [node for node in body if node in self.waiting]
        if any(isinstance(node, cst.If) and has_return(node) for node in mine):
            # Such an `if` takes in what follows it, which has to be straight by then.
            mine.reverse()
        written: dict[cst.CSTNode, cst.If] = {}
        for node in mine:
            original, finding = self.waiting.pop(node)
            index = next(position for position, other in enumerate(result) if other is node)
            answer = self.answer(original, node, tuple(result[index + 1 :]), finding)
            if isinstance(answer, Decline):
                self.decline(finding, answer.reason)
            else:
                result[index:] = [*answer.statements, *(() if answer.takes_following else result[index + 1 :])]
                written.update(dict.fromkeys(answer.statements, original))
        return [self.laid_out(node, written[node]) if node in written else node for node in result]

    def laid_out(self, statement: cst.BaseStatement, original: cst.If) -> cst.BaseStatement:
        """``statement`` with long lines broken, unless an `if` round ``original`` is going to take it apart."""
        above = self.places.tree.path(original)[:-1]
        codes = {finding.code for node in above for finding in self.get_metadata(Findings, node, ())}
        return statement if self.RULE.code in codes else fitted(statement, original, self.places.tree)

    def answer(
        self, original: cst.If, node: cst.BaseStatement, following: tuple[cst.BaseStatement, ...], finding: Finding
    ) -> Answer | Decline:
        """What takes the place of one `if`."""
        updated = cst.ensure_type(node, cst.If)
        site = self.places.site(original, finding, lambda name: self.tensorflow(finding, name))
        kinds = (finding.fact("tests") or "").split(",")
        python = tuple(kinds[index : index + 1] == ["array-bool"] for index in range(number_of_tests(updated)))
        wanted = frozenset(name for name in (finding.fact("names") or "").split(",") if name)
        return answered(Question(updated, following, python, wanted, self.places.fresh(site), site))


def has_return(node: cst.If) -> bool:
    """Whether a branch of a chain ends in a return."""
    return any(branch.ends_in_return for branch in read_chain(node))


def number_of_tests(node: cst.If) -> int:
    """How many tests a chain has."""
    return 1 + (number_of_tests(node.orelse) if isinstance(node.orelse, cst.If) else 0)
