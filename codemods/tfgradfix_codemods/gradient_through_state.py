"""A value goes into a variable with `assign`, and the target is computed from that variable.

What breaks:
    A tape records what is read from a variable, not how its value came there: behind `state.assign(f(w))` a gradient
    with respect to `w` is None.

Repair:
    None that is sure: the state may be wanted. Compute with the value itself, and assign it besides.

Left alone:
    Always.

Example:
    >>> state.assign_add(w)
    >>> loss = state ** 2
    <<< # no automatic repair: write `new = state + w`, `loss = new ** 2`, and `state.assign(new)` after it
"""

from __future__ import annotations

from typing import Final

from tfgradfix_codemods.base import Level, Rule

RULE: Final = Rule(code="TGF403", name="gradient-through-state", level=Level.MANUAL)
