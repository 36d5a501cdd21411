"""Where code beside the path needs a Python number of what becomes a tensor: a JSON log, ``round``, an unknown call."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.graph import Node
from tfgradfix.analyse.objects import LibraryName
from tfgradfix.analyse.values import NUMBERS, Value

#: Writers of structures that may hold numbers at any depth; their `default` is asked about everything else.
_JSON: Final = frozenset({"json.dump", "json.dumps"})
#: Builtins that take a number and no tensor, or show a tensor in another way.
NEEDS_NUMBER: Final = frozenset({"builtins.print", "builtins.round"})


def number_place(user: Node, number: int, after: set[int]) -> tuple[ast.expr, str] | None:
    """The expression that has to become a number again, and how: "number" or "json"; None when it is not certain.

    Args:
        user: the call that takes the value.
        number: the node of the value that becomes a tensor.
        after: all nodes that hold a tensor after the repair.
    """
    call = user.syntax
    if not isinstance(call, ast.Call) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    unknown = user.symbol == ""
    if unknown and user.operands and _writes_json(user.operands[0]):
        return (call, "json") if all(keyword.arg not in ("default", "cls", None) for keyword in call.keywords) else None
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    operands = user.operands[1:] if unknown else user.operands
    for syntax, operand in zip(arguments, operands, strict=False):
        if number in operand.nodes and operand.is_only(NUMBERS) and operand.nodes <= after:
            return syntax, "number"
    return None


def _writes_json(callee: Value) -> bool:
    return any(isinstance(ref, LibraryName) and ref.label in _JSON for ref in callee.refs)
