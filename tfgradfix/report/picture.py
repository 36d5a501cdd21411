"""The gradient path of a finding as a picture: the source above, the target below, the cut between them marked."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Lengths are in units of the picture, which is drawn as wide as there is room, up to its own width in pixels.
WIDTH: Final = 380
_HEIGHT: Final = 30
_GAP: Final = 18
_MOST: Final = 42


@dataclass(frozen=True)
class Knot:
    """One step: its text, its place in words, the link to its line.

    ``cut`` says that the gradient is lost there, ``presumed`` that it goes through a call that could not be followed,
    ``new`` that the repair wrote this line.
    """

    text: str
    place: str
    link: str
    cut: bool = False
    presumed: bool = False
    new: bool = False


def draw(knots: Sequence[Knot], title: str) -> str:
    """The picture of a path as SVG; links lead to the lines."""
    height = len(knots) * (_HEIGHT + _GAP) + _GAP
    parts = [
        f'<svg class="path" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="group" '
        f'aria-label="{escape(title)}">'
    ]
    for number, knot in enumerate(knots):
        top = _GAP / 2 + number * (_HEIGHT + _GAP)
        if number + 1 < len(knots):
            parts.append(_edge(top + _HEIGHT, cut=knot.cut))
        parts.append(_knot(knot, top, _role(number, len(knots))))
        if knot.cut and number + 1 == len(knots):
            parts.append(_edge(top + _HEIGHT, cut=True))
    parts.append("</svg>")
    return "".join(parts)


def _role(number: int, total: int) -> str:
    if number == 0:
        return "source"
    return "target" if number == total - 1 else ""


def _knot(knot: Knot, top: float, role: str) -> str:
    name = " ".join(["knot", *([role] if role else []), *(["cut"] if knot.cut else []), *(["new"] if knot.new else [])])
    text = knot.text if len(knot.text) <= _MOST else knot.text[: _MOST - 1] + "…"
    told = ("cut: " if knot.cut else "") + knot.text + (" (presumed)" if knot.presumed else "")
    middle = top + _HEIGHT / 2 + 4
    dashed = ' stroke-dasharray="4 3"' if knot.presumed else ""
    return (
        f'<a href="{escape(knot.link)}" class="{name}"><title>{escape(told)} — {escape(knot.place)}</title>'
        f'<rect x="1" y="{top:g}" width="{WIDTH - 2}" height="{_HEIGHT}" rx="6"{dashed}/>'
        f'<text x="10" y="{middle:g}">{"✂ " if knot.cut else ""}{escape(text)}</text>'
        f'<text x="{WIDTH - 10}" y="{middle:g}" class="place">{escape(knot.place)}</text></a>'
    )


def _edge(top: float, *, cut: bool) -> str:
    middle, end = WIDTH / 2, top + _GAP
    if not cut:
        return f'<path class="edge" d="M{middle:g} {top:g}V{end - 2:g}m-4 -5l4 5l4 -5"/>'
    cross = top + _GAP / 2
    return (
        f'<path class="edge gap" d="M{middle:g} {top:g}V{end:g}"/>'
        f'<path class="edge cut" d="M{middle - 5:g} {cross - 5:g}l10 10m0 -10l-10 10"/>'
    )
