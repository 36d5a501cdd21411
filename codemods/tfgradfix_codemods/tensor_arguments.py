"""Names that a function plainly takes for tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.operations import Shape

if TYPE_CHECKING:
    from tfgradfix_codemods.sites import Site

#: Functions that are given numbers to make tensors of them.
CONVERT: Final = frozenset(
    {"cast", "constant", "convert_to_tensor", "identity", "fill", "zeros", "ones", "range", "eye"}
)


def tensor_arguments(site: Site) -> frozenset[str]:
    """The names that the function hands to TensorFlow alone or first, so that they are tensors or as good as that.

    A Python number there has to be of the dtype that the rest of the program works with, as a tensor has.
    """
    found = set()
    for call in site.calls:
        known = site.operation(call.func)
        first = call.args[0].value if call.args else None
        if known is None or not known.makes_tensors or known.name in CONVERT or not isinstance(first, cst.Name):
            continue
        if known.shape is not Shape.BROADCAST or sum(argument.keyword is None for argument in call.args) == 1:
            found.add(first.value)
    return frozenset(found)
