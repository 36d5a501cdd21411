"""The names that stand in a piece of code."""

from __future__ import annotations

import libcst as cst


def names_in(node: cst.CSTNode) -> frozenset[str]:
    """Every name that ``node`` reads, binds, declares or imports; attributes and keywords of calls are none."""
    if isinstance(node, cst.Name):
        return frozenset({node.value})
    parts = [node.value] if isinstance(node, (cst.Attribute, cst.Arg)) else node.children
    return frozenset().union(*(names_in(part) for part in parts))
