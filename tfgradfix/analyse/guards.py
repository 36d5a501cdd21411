"""Calls that serve tensors and data alike and cannot be copied (a wrapper in a decorator): they ask what they have."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.drafts import Draft

_GUARDED: Final = frozenset({"TGF101", "TGF104"})


def guard(draft: Draft) -> bool:
    """Let the rewrite of a call apply to tensors only, chosen where the program runs.

    Returns whether that can be done: the call's first argument has a name, or the call is what an assignment to one
    name computes, which then takes the argument first.
    """
    call = draft.syntax
    if draft.code not in _GUARDED or not isinstance(call, ast.Call) or not call.args:
        return False
    if isinstance(call.args[0], ast.Name):
        draft.facts["guard"] = call.args[0].id
        return True
    statement = draft.module.statement(call)
    if not isinstance(statement, ast.Assign) or statement.value is not call or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    if not isinstance(target, ast.Name) or isinstance(call.args[0], ast.Starred):
        return False
    if any(isinstance(node, ast.Name) and node.id == target.id for node in ast.walk(call)):
        return False
    draft.facts["guard"] = target.id
    return True
