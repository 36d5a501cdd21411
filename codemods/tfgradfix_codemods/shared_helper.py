"""A helper in NumPy serves the data side and the gradient path alike.

What breaks:
    The path loses its gradient in the helper, but the data side needs the arrays that the helper gives: it fills
    them, calls their methods, or mixes dtypes. Rewriting the helper for both would break the loader.

Repair:
    The path gets a copy of the helper, named `<helper>_tensor`, and the calls on the path go to the copy. In the next
    round the copy is rewritten like any other function on the path.

Left alone:
    The helper itself, and every call to it from the data side. A helper that is passed as an argument, or that a
    wildcard import brings, is not copied.

Example:
    >>> got = band_power(forecast)
    <<< got = band_power_tensor(forecast)
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule

RULE: Final = Rule(code="TGF130", name="shared-helper", level=Level.SAFE)
SUFFIX: Final = "_tensor"


class SharedHelperCommand(GradientCommand):
    """Give the gradient path its own copy of a helper that data uses too."""

    DESCRIPTION = "a helper shared with the data side is copied for the gradient path"
    RULE = RULE

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef | cst.FlattenSentinel[cst.BaseStatement]:
        """Put the copy behind the helper."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        return cst.FlattenSentinel([updated_node, copy_of(original_node, finding.fact("name") or "")])

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        """Call the copy."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        return self.settle(finding, updated_node, renamed(updated_node, finding.fact("name") or ""))

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        """Hand the copy on where the helper is an argument."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        return updated_node.with_changes(value=finding.fact("name") or "")

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:
        """Import the copies beside the helpers."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        names = [key.removeprefix("import:") for key, _ in finding.facts if key.startswith("import:")]
        return self.settle(finding, updated_node, with_copies(updated_node, names))


def copy_of(helper: cst.FunctionDef, name: str) -> cst.FunctionDef:
    """The helper under another name, two blank lines (one in a class) below it."""
    above = [line for line in helper.leading_lines if line.comment is None]
    lines = above or [cst.EmptyLine(indent=False)] * 2
    return helper.with_changes(name=cst.Name(name), leading_lines=lines)


def renamed(call: cst.Call, name: str) -> cst.Call | Decline:
    """The call of the copy."""
    if isinstance(call.func, cst.Attribute):
        return call.with_changes(func=call.func.with_changes(attr=cst.Name(name)))
    if isinstance(call.func, cst.Name):
        return call.with_changes(func=call.func.with_changes(value=name))
    return Decline("the helper is not called by a name")


def with_copies(statement: cst.ImportFrom, helpers: list[str]) -> cst.ImportFrom | Decline:
    """The import with the copy of each helper behind it."""
    if isinstance(statement.names, cst.ImportStar):
        return Decline("the helper comes by a wildcard import")
    names: list[cst.ImportAlias] = []
    for alias in statement.names:
        local = alias.evaluated_alias or alias.evaluated_name
        names.append(alias)
        if local in helpers:
            names[-1] = alias.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
            names.append(_copied(alias))
    return statement.with_changes(names=names)


def _copied(alias: cst.ImportAlias) -> cst.ImportAlias:
    asname = alias.asname
    if asname is not None and isinstance(asname.name, cst.Name):
        asname = asname.with_changes(name=cst.Name(asname.name.value + SUFFIX))
    return alias.with_changes(name=cst.Name(alias.evaluated_name + SUFFIX), asname=asname)
