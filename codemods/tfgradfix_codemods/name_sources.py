"""The names that values are computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgradfix_codemods.names_read import names_read

if TYPE_CHECKING:
    from tfgradfix_codemods.sites import Site


def sources_of(names: frozenset[str], site: Site) -> frozenset[str]:
    """``names`` and every name that their values are computed from, as far as the function shows."""
    found: set[str] = set()
    waiting = [(name, site) for name in sorted(names)]
    while waiting:
        name, here = waiting.pop()
        if name in found:
            continue
        found.add(name)
        for binding in here.values(name):
            if binding.value is not None and not binding.parameter:
                there = here if name in here.local else here.at(binding.place)
                waiting += [(other, there) for other in sorted(names_read(binding.value))]
    return frozenset(found) - site.meanings.keys()
