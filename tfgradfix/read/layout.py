"""Where in the text of a JSON document the source of each notebook cell stands, and new source in its place.

Only the strings that change are written anew; all other characters stay, whatever the document's layout is.
"""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_STRING_LINE: Final = re.compile(r'(?:[^"\\]|\\[^n])*(?:\\n|$)')
_DECODER: Final = json.JSONDecoder()
#: Between the strings of a list, where the document shows no other way.
_SEPARATOR: Final = ", "


@dataclass(frozen=True)
class Element:
    """A part of a cell's source: its ``value``, how it is written, and what stands between it and the next one."""

    value: str
    raw: str
    gap: str | None = None


@dataclass(frozen=True)
class Field:
    """The ``source`` of one cell, a list of strings or one string, as it stands in the document.

    ``start`` and ``end`` enclose what is between the brackets of a list, or between the quotes of a string, whose
    lines are then the elements; ``margins`` are the blanks of a list before its first and after its last element.
    """

    start: int
    end: int
    elements: tuple[Element, ...]
    is_list: bool
    separator: str = _SEPARATOR
    margins: tuple[str, str] = ("", "")

    @property
    def text(self) -> str:
        """The source."""
        return "".join(element.value for element in self.elements)

    def rewritten(self, text: str, *, escape: bool) -> str:
        """What has to stand from ``start`` to ``end`` for the source to be ``text``.

        Args:
            text: the new source.
            escape: whether characters beyond ASCII are written as escapes.
        """
        parts = _merged(self.elements, text, lambda line: Element(line, self._written(line, escape)))
        separator = self.separator if self.is_list else ""
        body = "".join(part.raw + (separator if part.gap is None else part.gap) for part in parts[:-1])
        return f"{self.margins[0]}{body}{parts[-1].raw}{self.margins[1]}" if parts else ""

    def _written(self, line: str, escape: bool) -> str:
        raw = json.dumps(line, ensure_ascii=escape)
        return raw if self.is_list else raw[1:-1]


def cell_fields(text: str) -> dict[int, Field]:
    """The sources of the cells of a notebook, by the index of the cell; ``text`` is valid JSON with ``cells``."""
    found: dict[int, Field] = {}
    start, _ = dict(_members(text, _after_blanks(text, 0)))["cells"]
    for index, (cell, _) in enumerate(_items(text, start)):
        span = dict(_members(text, cell)).get("source")
        if span is not None:
            found[index] = _field(text, *span)
    common = next((field.separator for field in found.values() if len(field.elements) > 1 and field.is_list), None)
    for index, field in found.items():
        if common is not None and len(field.elements) < 2:
            found[index] = replace(field, separator=common)
    return found


def escapes(text: str) -> bool:
    """Whether a JSON document writes characters beyond ASCII as escapes."""
    return text.isascii() and re.search(r"\\u(?!00[0-7])[0-9a-fA-F]{4}", text) is not None


def text_lines(text: str) -> list[str]:
    """``text`` cut after each line feed, as notebooks cut it."""
    *whole, last = text.split("\n")
    return [line + "\n" for line in whole] + ([last] if last else [])


def _field(text: str, start: int, end: int) -> Field:
    if text[start] == '"':
        lines = [match.group() for match in _STRING_LINE.finditer(text[start + 1 : end - 1]) if match.group()]
        parts = tuple(Element(json.loads(f'"{raw}"'), raw, "") for raw in lines)
        return Field(start + 1, end - 1, parts, is_list=False)
    spans = list(_items(text, start))
    stops = [begin for begin, _ in spans[1:]]
    gaps = [text[stop:begin] for (_, stop), begin in zip(spans, stops, strict=False)]
    elements = tuple(
        Element(json.loads(text[begin:stop]), text[begin:stop], gap) for (begin, stop), gap in zip_longest(spans, gaps)
    )
    margins = (text[start + 1 : spans[0][0]], text[spans[-1][1] : end - 1]) if spans else ("", "")
    separator = gaps[0] if gaps else _SEPARATOR
    return Field(start + 1, end - 1, elements, is_list=True, separator=separator, margins=margins)


def _merged(old: Sequence[Element], text: str, write: Callable[[str], Element]) -> list[Element]:
    """``old`` as far as it still holds in ``text``, the rest written line by line."""
    head, rest = 0, text
    while head < len(old) and rest.startswith(old[head].value):
        rest = rest[len(old[head].value) :]
        head += 1
    # A line that goes on in another way is written as a whole.
    while rest and rest != text and not text.endswith("\n", 0, len(text) - len(rest)):
        head -= 1
        rest = old[head].value + rest
    tail = len(old)
    while tail > head and rest.endswith(old[tail - 1].value):
        tail -= 1
        rest = rest[: len(rest) - len(old[tail].value)]
    while tail < len(old) and rest and not rest.endswith("\n"):
        rest += old[tail].value
        tail += 1
    between, lines = old[head:tail], text_lines(rest)
    merged = list(old[:head])
    matcher = difflib.SequenceMatcher(a=[part.value for part in between], b=lines, autojunk=False)
    for tag, first, last, start, stop in matcher.get_opcodes():
        merged += between[first:last] if tag == "equal" else [write(line) for line in lines[start:stop]]
    return [*merged, *old[tail:]]


def _members(text: str, start: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """The keys of the object that opens at ``start``, each with the place of its value."""
    position = _after_blanks(text, start + 1)
    while text[position] != "}":
        key, position = _DECODER.raw_decode(text, position)
        value = _after_blanks(text, _after_blanks(text, position) + 1)
        _, end = _DECODER.raw_decode(text, value)
        yield key, (value, end)
        position = _after_comma(text, end)


def _items(text: str, start: int) -> Iterator[tuple[int, int]]:
    """The places of the values in the list that opens at ``start``."""
    position = _after_blanks(text, start + 1)
    while text[position] != "]":
        _, end = _DECODER.raw_decode(text, position)
        yield position, end
        position = _after_comma(text, end)


def _after_comma(text: str, position: int) -> int:
    position = _after_blanks(text, position)
    return _after_blanks(text, position + 1) if text[position] == "," else position


def _after_blanks(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position
