"""From a finding to the place it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.fresh_names import FreshNames
from tfgradfix_codemods.sites import Site
from tfgradfix_codemods.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfgradfix.model import Finding

#: The dtypes that TensorFlow has by name; "float" and "int" alone are Python's.
DTYPE: Final = re.compile(r"(float|complex|u?int|bfloat)\d+")


@dataclass
class Places:
    """The places of one module, and the names given out in each of its functions."""

    tree: Tree
    given: dict[cst.CSTNode, FreshNames] = field(default_factory=dict)

    def site(self, node: cst.CSTNode, finding: Finding, tensorflow: Callable[[str], cst.BaseExpression]) -> Site:
        """The place of ``node``, with what ``finding`` says about it.

        Args:
            node: a node of the module as it was before this round.
            finding: its facts "kinds" (``a=tensor,b=unbound``) and "dtype" are used.
            tensorflow: gives the node for a name inside TensorFlow.
        """
        pairs = (pair.partition("=") for pair in (finding.fact("kinds") or "").split(",") if pair)
        dtype = finding.fact("dtype") or ""
        return Site(
            tree=self.tree,
            node=node,
            tensorflow=tensorflow,
            kinds={name.strip(): kind.strip() for name, _, kind in pairs},
            dtype=dtype if DTYPE.fullmatch(dtype) else None,
        )

    def fresh(self, site: Site) -> FreshNames:
        """Gives out names that mean nothing in the function at ``site``."""
        if site.function not in self.given:
            self.given[site.function] = FreshNames(identifiers(site.function))
        return self.given[site.function]


class PlacesOfModule:
    """The places of the module that is being rewritten; LibCST's runner gives one command one module after another."""

    def __init__(self) -> None:
        self.latest: Places | None = None

    def __call__(self, module: cst.Module) -> Places:
        """The places of ``module``."""
        if self.latest is None or self.latest.tree.module is not module:
            self.latest = Places(Tree(module))
        return self.latest


def identifiers(node: cst.CSTNode) -> frozenset[str]:
    """Every name that stands anywhere in ``node``."""
    own = frozenset({node.value}) if isinstance(node, cst.Name) else frozenset[str]()
    return own.union(*(identifiers(child) for child in node.children))
