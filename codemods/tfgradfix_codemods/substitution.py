"""Puts expressions in the place of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.nodes import operand

if TYPE_CHECKING:
    from collections.abc import Mapping


class Substitution(cst.CSTTransformer):
    """Replaces the names that are read; keywords and attributes are not names.

    ``parentheses`` puts what is no plain operand in parentheses.
    """

    def __init__(self, values: Mapping[str, cst.BaseExpression], parentheses: bool = True) -> None:
        super().__init__()
        self.values = values
        self.parentheses = parentheses

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        """Replace one name."""
        value = self.values.get(original_node.value)
        if value is None:
            return updated_node
        return (operand(value) if self.parentheses else value).deep_clone()

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        """Give an attribute its name back."""
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        """Give a keyword its name back."""
        return updated_node.with_changes(keyword=original_node.keyword)
