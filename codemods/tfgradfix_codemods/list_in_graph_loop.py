"""A list grows in a loop that `tf.function` traces as a loop of the graph.

What breaks:
    AutoGraph turns `for i in tf.range(n)`, `for row in tensor` and `while tensor` into loops of the graph. What is
    appended to a Python list there belongs to the inside of the loop: using it outside raises InaccessibleTensorError.

Repair:
    The list becomes a `tf.TensorArray` that grows: `write` for `append`, `stack` where the items are put together.

Left alone:
    Lists that are used in another way (indexed inside the loop, extended, handed on), lists in a nested function,
    items whose dtype is not known. Where the number of turns is static, `range` is written instead (TGF302).

Example:
    >>> states = []
    >>> for i in tf.range(n):
    >>>     states.append(step(i))
    >>> return tf.stack(states)
    <<< states = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    <<< for i in tf.range(n):
    <<<     states = states.write(states.size(), step(i))
    <<< return states.stack()
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import call, dotted_text, keyword_of, method_call, source

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfgradfix.model import Finding

    TensorFlow = Callable[[str], cst.BaseExpression]

RULE: Final = Rule(code="TGF305", name="list-in-graph-loop", level=Level.SAFE, after=("tensor-range",))

#: Functions (by their last name) that take a list of tensors where they take the stacked tensor as well.
ALIKE: Final = frozenset(
    {"reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod", "reduce_std", "reduce_variance"}
)


class ListInGraphLoopCommand(GradientCommand):
    """Make a TensorArray of a list that grows in a traced loop."""

    DESCRIPTION = "a list that grows in a loop of the graph becomes a tf.TensorArray"
    RULE = RULE

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        """Rewrite the lists of the loops in a function."""
        for loop in loops_of(original_node):
            finding = self.finding(loop)
            if finding is None:
                continue
            for name, dtype in lists_of(finding):
                result = with_array(updated_node, name, dtype, partial(self.tensorflow, finding))
                if isinstance(result, Decline):
                    self.decline(finding, result.reason)
                    return updated_node
                updated_node = result
        return updated_node


def lists_of(finding: Finding) -> list[tuple[str, str]]:
    """The names of the lists and the dtypes of their items."""
    pairs = [pair.partition(":") for pair in (finding.fact("lists") or "").split(",") if pair]
    return [(name, dtype) for name, _, dtype in pairs]


def loops_of(function: cst.FunctionDef) -> list[cst.For | cst.While]:
    """The loops of a function."""
    collector = Loops()
    function.body.visit(collector)
    return collector.found


def with_array(function: cst.FunctionDef, name: str, dtype: str, tensorflow: TensorFlow) -> cst.FunctionDef | Decline:
    """The function with a TensorArray in the place of one list."""
    rewriter = ArrayOfList(name, dtype, tensorflow)
    body = function.body.visit(rewriter)
    uses = Uses(name)
    function.body.visit(uses)
    if rewriter.made != 1:
        return Decline(f"`{name}` is not made at one place")
    if rewriter.handled != uses.count:
        return Decline(f"`{name}` is used in a way that a TensorArray does not know")
    return function.with_changes(body=body)


@dataclass
class Loops(cst.CSTVisitor):
    """Collects loops, nested functions left out."""

    found: list[cst.For | cst.While] = field(default_factory=list)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        """Do not enter another function."""
        del node
        return False

    def visit_For(self, node: cst.For) -> None:
        """Note a loop."""
        self.found.append(node)

    def visit_While(self, node: cst.While) -> None:
        """Note a loop."""
        self.found.append(node)


@dataclass
class Uses(cst.CSTVisitor):
    """Counts how often a name stands somewhere."""

    name: str
    count: int = 0

    def visit_Name(self, node: cst.Name) -> None:
        """Count one."""
        self.count += node.value == self.name

    def visit_Attribute_attr(self, node: cst.Attribute) -> None:
        """Take back what is the name of an attribute and not ours."""
        self.count -= node.attr.value == self.name

    def visit_Arg_keyword(self, node: cst.Arg) -> None:
        """Take back what is a keyword and not ours."""
        self.count -= node.keyword is not None and node.keyword.value == self.name


class ArrayOfList(cst.CSTTransformer):
    """Writes the operations of a TensorArray for those of a list; counts the places of the name that it understood."""

    def __init__(self, name: str, dtype: str, tensorflow: TensorFlow) -> None:
        super().__init__()
        self.name = name
        self.dtype = dtype
        self.tensorflow = tensorflow
        self.made = 0
        self.handled = 0
        self.depth = 0

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        """A nested function may use the list at another time."""
        del node
        return False

    def visit_Lambda(self, node: cst.Lambda) -> bool:
        """So may a lambda."""
        del node
        return False

    def visit_For_body(self, node: cst.For) -> None:
        """Enter a loop."""
        del node
        self.depth += 1

    def leave_For_body(self, node: cst.For) -> None:
        """Leave it."""
        del node
        self.depth -= 1

    def visit_While(self, node: cst.While) -> None:
        """Enter a loop."""
        del node
        self.depth += 1

    def leave_While(self, original_node: cst.While, updated_node: cst.While) -> cst.While:
        """Leave it."""
        del original_node
        self.depth -= 1
        return updated_node

    def is_list(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is the list's name."""
        return isinstance(node, cst.Name) and node.value == self.name

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:
        """`states = []`."""
        value = original_node.value
        alone = len(original_node.targets) == 1 and self.is_list(original_node.targets[0].target)
        if not alone or not isinstance(value, cst.List) or value.elements or self.depth:
            return updated_node
        self.made += 1
        self.handled += 1
        array, dtype = source(self.tensorflow("TensorArray")), source(self.tensorflow(self.dtype))
        made = cst.parse_expression(f"{array}({dtype}, size=0, dynamic_size=True)")
        return updated_node.with_changes(value=made)

    def leave_Expr(self, original_node: cst.Expr, updated_node: cst.Expr) -> cst.BaseSmallStatement:
        """`states.append(x)`."""
        del original_node
        appended = updated_node.value
        if not isinstance(appended, cst.Call) or not isinstance(appended.func, cst.Attribute):
            return updated_node
        if not self.is_list(appended.func.value) or appended.func.attr.value != "append" or len(appended.args) != 1:
            return updated_node
        self.handled += 1
        size = method_call(cst.Name(self.name), "size")
        written = call(cst.Attribute(cst.Name(self.name), cst.Name("write")), size, appended.args[0].value)
        return cst.Assign([cst.AssignTarget(cst.Name(self.name))], written, semicolon=updated_node.semicolon)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """What puts the items together, behind the loop."""
        first = original_node.args[0] if original_node.args else None
        if first is None or first.keyword is not None or first.star or not self.is_list(first.value) or self.depth:
            return updated_node
        written = self.joined(updated_node)
        if written is None:
            return updated_node
        self.handled += 1
        return written

    def joined(self, node: cst.Call) -> cst.BaseExpression | None:
        """The same from the array, or None."""
        function = (dotted_text(node.func) or "").rpartition(".")[2]
        stacked = method_call(cst.Name(self.name), "stack")
        axes = [argument for argument in node.args[1:] if keyword_of(argument) in (None, "axis")]
        first_axis = not axes or (isinstance(axes[0].value, cst.Integer) and axes[0].value.value == "0")
        if function in ("stack", "convert_to_tensor") and len(node.args) == 1 + len(axes) and first_axis:
            return stacked
        if function == "concat" and axes and first_axis and len(node.args) == 2:
            return method_call(cst.Name(self.name), "concat")
        if function in ("add_n", "sum") and len(node.args) == 1:
            return cst.parse_expression(f"{source(self.tensorflow('reduce_sum'))}({self.name}.stack(), axis=0)")
        if function == "len" and len(node.args) == 1:
            return method_call(cst.Name(self.name), "size")
        if function in ALIKE:
            return node.with_changes(args=[node.args[0].with_changes(value=stacked), *node.args[1:]])
        return None
