"""From an assignment to the item of a tensor that it writes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.array_makers import dtype_of_tensor
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.filled_arrays import targets_of
from tfgradfix_codemods.index_bounds import Bounds, loops_round
from tfgradfix_codemods.item_choices import Choice, stepped
from tfgradfix_codemods.item_likeness import looks_like
from tfgradfix_codemods.item_parts import PICKING, parts_of, written_parts
from tfgradfix_codemods.item_statements import Assigned
from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.tensor_items import Item

if TYPE_CHECKING:
    from tfgradfix_codemods.filled_arrays import Filled, Store
    from tfgradfix_codemods.item_parts import Part
    from tfgradfix_codemods.item_statements import Statement
    from tfgradfix_codemods.sites import Site


def assigned(filled: Filled, store: Store, updated: Statement, site: Site) -> Assigned | Decline:
    """The place that one assignment writes to."""
    target = [target for target in targets_of(updated) if isinstance(target, cst.Subscript)][store.number]
    written = written_parts(target)
    if len(written) == 1 and store.kinds[0] in PICKING and isinstance(written[0], cst.BaseExpression):
        choice = Choice(item_at(filled, store, (), site), written[0], store.index, store.kinds[0] == "mask")
        return Assigned(choice.place, store.value, store.fits, choice)
    if len(written) == 1 and has_step(written[0]):
        choice = stepped(item_at(filled, store, (), site), target)
        return Assigned(choice.place, store.value, store.fits, choice)
    parts = parts_of(target, store.kinds, filled.rank)
    if isinstance(parts, Decline):
        return parts
    place = item_at(filled, store, parts, site)
    one_value = isinstance(updated, cst.Assign) and not isinstance(updated.targets[0].target, (cst.Tuple, cst.List))
    fits = "yes" if not store.fits and one_value and looks_like(updated.value, place, site) else store.fits
    return Assigned(place, store.value, fits)


def has_step(part: cst.BaseExpression | cst.Slice) -> bool:
    """Whether a part of an index is a slice with a step."""
    return isinstance(part, cst.Slice) and part.step is not None


def item_at(filled: Filled, store: Store, parts: tuple[Part, ...], site: Site) -> Item:
    """The item of the tensor at ``parts``."""
    sizes = frozenset[str]().union(*(names_read(maker.node) for maker in filled.makers))
    return Item(
        array=cst.ensure_type(store.base, cst.Name),
        parts=parts,
        rank=filled.rank,
        dtype=dtype_of_tensor(filled.makers[0]) if filled.makers else store.array.dtype,
        dynamic=not filled.makers,
        bounds=Bounds(loops_round(site.path), sizes, site.bindings),
        tensorflow=site.tensorflow,
    )
