"""What a dotted name in a module means, by that module's imports: `K.mean` is `keras.backend.mean`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst
from libcst.helpers import get_full_name_for_node

from tfgradfix_codemods.nodes import dotted_text

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Other addresses of the same packages, longest first.
SAME_PACKAGE: Final = (
    ("tensorflow.compat.v2.", "tensorflow."),
    ("tensorflow.python.keras.", "keras."),
    ("tensorflow.keras.", "keras."),
    ("tf_keras.", "keras."),
)


class _ImportedNames(cst.CSTVisitor):
    """Gathers what the import statements of a module bind, wherever they stand."""

    def __init__(self) -> None:
        super().__init__()
        self.meanings: dict[str, str] = {}

    def visit_Import(self, node: cst.Import) -> None:
        for alias in node.names:
            full = get_full_name_for_node(alias.name) or ""
            if alias.evaluated_alias is not None:
                self.meanings[alias.evaluated_alias] = full
            else:
                first = full.split(".")[0]
                self.meanings[first] = first

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        if node.relative or node.module is None or isinstance(node.names, cst.ImportStar):
            return
        package = get_full_name_for_node(node.module) or ""
        for alias in node.names:
            name = alias.evaluated_alias or alias.evaluated_name
            self.meanings[name] = f"{package}.{alias.evaluated_name}"


def imported_names(module: cst.Module) -> dict[str, str]:
    """The full name behind each name that an import of ``module`` binds."""
    visitor = _ImportedNames()
    module.visit(visitor)
    return visitor.meanings


def full_name(node: cst.BaseExpression, meanings: Mapping[str, str]) -> str | None:
    """The full name of a chain of names that starts at an import; None for anything else."""
    written = dotted_text(node)
    if written is None:
        return None
    first, dot, rest = written.partition(".")
    meaning = meanings.get(first)
    if meaning is None:
        return None
    full = meaning + dot + rest
    for prefix, replacement in SAME_PACKAGE:
        if full.startswith(prefix):
            return replacement + full.removeprefix(prefix)
    return full
