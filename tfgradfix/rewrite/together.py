"""All codemods over one module in one walk.

Their edits compose: each command gets the node as the commands before it, and the edits inside it, have left it. One
parse, one set of positions and one walk serve them all, and nested repairs (`np.mean(np.sqrt(v.numpy()))`) come out
in one round.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst
from libcst.codemod import CodemodContext
from libcst.metadata import MetadataWrapper
from tfgradfix_codemods.base import Findings, GradientCommand
from tfgradfix_codemods.imports import TensorFlowName

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tfgradfix.model import Declined, Finding

#: What a `leave_*` method may give back.
Left = cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]


@dataclass(frozen=True)
class Edited:
    """One module after one walk.

    ``declined`` are the findings that a codemod refused, ``postponed`` those put off to the next round, and
    ``unanswered`` those that no codemod met at any node.
    """

    text: str
    declined: tuple[Declined, ...] = ()
    postponed: tuple[Declined, ...] = ()
    unanswered: tuple[Finding, ...] = ()


def edit(text: str, findings: Iterable[Finding], commands: Sequence[type[GradientCommand]]) -> Edited:
    """Let ``commands`` answer ``findings`` in ``text``, in the order given.

    Raises:
        libcst.ParserSyntaxError: ``text`` is not Python that LibCST can read.
    """
    asked = tuple(findings)
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True, cache={Findings: asked})
    context = CodemodContext(wrapper=wrapper)
    working = [command(context, unsafe_fixes=True) for command in commands]
    # The commands of one module share the one import they may need.
    name = TensorFlowName()
    known = wrapper.resolve_many({need for command in commands for need in command.get_inherited_dependencies()})
    for command in working:
        command.tensorflow_name = name
        command.metadata = known
    module = wrapper.module.visit(Together(working))
    answered = {finding for command in working for finding in command.answered}
    return Edited(
        text=name.add_to(module).code,
        declined=tuple(declined for command in working for declined in command.declined),
        postponed=tuple(postponed for command in working for postponed in command.postponed),
        unanswered=tuple(finding for finding in asked if finding not in answered),
    )


class Together(cst.CSTTransformer):
    """Calls each command's `visit_*` and `leave_*` methods at every node, in the commands' order.

    Methods for a single attribute (`visit_Call_func`) and matcher decorators are not served.
    """

    def __init__(self, commands: Sequence[GradientCommand]) -> None:
        super().__init__()
        self.interested = commands_by_node(commands)

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Visit the children whatever the commands answer: another command may have work there."""
        for command in self.interested.get(type(node).__name__, ()):
            command.on_visit(node)
        return True

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Left:  # type: ignore[override]
        """Hand the node from command to command; one that was removed or spread out goes no further."""
        result: Left = updated_node
        for command in self.interested.get(type(original_node).__name__, ()):
            if not isinstance(result, cst.CSTNode):
                break
            result = command.on_leave(original_node, result)
        return result


def commands_by_node(commands: Sequence[GradientCommand]) -> Mapping[str, Sequence[GradientCommand]]:
    """For each kind of node the commands that have a method for it, so that no other is called there."""
    interested: dict[str, list[GradientCommand]] = defaultdict(list)
    for command in commands:
        for node in handled_nodes(type(command)):
            interested[node].append(command)
    return interested


def handled_nodes(command: type[GradientCommand]) -> list[str]:
    """The kinds of node for which ``command`` defines `visit_*` or `leave_*` itself."""
    methods = [name for name in dir(command) if name.startswith(("visit_", "leave_"))]
    own = [name for name in methods if getattr(command, name) is not getattr(cst.CSTTransformer, name, None)]
    return sorted({name.split("_", 1)[1] for name in own})
