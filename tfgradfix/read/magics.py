"""IPython's own lines in a notebook cell become harmless Python, and come back.

A magic (``%matplotlib inline``), a shell line (``!pip install x``), a call for help (``f?``) is no Python. Each row
of one becomes one row of Python that does nothing and carries a mark, by which the row is known again. A timed
statement (``%time x = f()``) runs in the notebook, so that it stays visible, less the magic in front of it.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Final

from tfgradfix.read.source import split_lines

#: Cell magics that run the cell as Python of this kernel.
CODE_MAGICS: Final = frozenset({"time", "timeit", "capture", "prun", "memit", "mprun", "lprun"})

_CELL_MAGIC: Final = re.compile(r"\s*%%\s*(\w*)")
_MAGIC: Final = re.compile(r"[ \t]*(?:[%!?,;/]|[%\w*.]+\?{1,2}[ \t;]*\r?\n?$)")
_CAPTURED: Final = re.compile(r"([ \t]*)([^=!%#'\"()]+?)[ \t]*=[ \t]*[!%][^=]")
_TIMED: Final = re.compile(r"([ \t]*)(%time(?:it)?[ \t]+)(?!-)(.*)")
_TOKEN: Final = re.compile(
    r"#.*|'''|\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|[(\[{]|[)\]}]|\\\r?\n?$", re.MULTILINE
)


@dataclass(frozen=True)
class Row:
    """A row that is no Python: as it is written, what stands for it less the mark, and what is cut off its front."""

    written: str
    python: str
    prefix: str = ""

    @property
    def is_code(self) -> bool:
        """Whether the row still says something in Python."""
        return bool(self.prefix)


def is_python(source: str) -> bool:
    """Whether a code cell is run by the Python kernel itself, not handed to another program or language."""
    for line in split_lines(source):
        if line.strip():
            head = _CELL_MAGIC.match(line)
            if head is None:
                return True
            if head.group(1) not in CODE_MAGICS:
                return False
    return True


def magic_rows(source: str) -> dict[int, Row]:
    """The rows of a cell, from 0, that are not Python."""
    found: dict[int, Row] = {}
    state, continued = _Open(), ""
    for number, line in enumerate(split_lines(source)):
        body = line.rstrip("\r\n")
        if continued:
            found[number] = _opaque(body, continued)
        elif state.is_closed and _is_magic(line):
            found[number] = _row(body)
        else:
            state.read(line)
            continue
        # What goes on after a backslash belongs to the row above, and so stands as far in as that.
        continued = (continued or body) if body.endswith("\\") else ""
    return found


def stretches(source: str) -> list[tuple[int, str]]:
    """The parts of a cell between the rows that are no code, each with the number of rows above it."""
    magics = magic_rows(source)
    parts: list[tuple[int, str]] = [(0, "")]
    for number, line in enumerate(split_lines(source)):
        if number in magics and not magics[number].is_code:
            parts.append((number + 1, ""))
        else:
            above, text = parts[-1]
            parts[-1] = (above, text + line)
    return parts


def _is_magic(line: str) -> bool:
    return _MAGIC.match(line) is not None or _CAPTURED.match(line) is not None


def _row(body: str) -> Row:
    timed, captured = _TIMED.fullmatch(body), _CAPTURED.match(body)
    if timed and _is_simple(timed[3], allow_binding=timed[2].strip() == "%time"):
        return Row(body, timed[1] + timed[3], timed[2])
    if captured and not body.endswith("\\"):
        return Row(body, f"{captured[1]}{captured[2]} = get_ipython()")
    return _opaque(body, body)


def _opaque(body: str, first: str) -> Row:
    return Row(body, first[: len(first) - len(first.lstrip(" \t"))] + "pass")


def _is_simple(text: str, *, allow_binding: bool) -> bool:
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return False
    kinds = (ast.Expr, ast.Assign, ast.AugAssign) if allow_binding else (ast.Expr,)
    return len(body) == 1 and isinstance(body[0], kinds)


class _Open:
    """What is open after the rows read so far: brackets, a long string, a line that goes on in the next."""

    def __init__(self) -> None:
        self._depth = 0
        self._quotes = ""
        self._goes_on = False

    @property
    def is_closed(self) -> bool:
        """Whether the next row starts a statement."""
        return not (self._depth or self._quotes or self._goes_on)

    def read(self, line: str) -> None:
        """Take in one row."""
        self._goes_on = False
        position = 0
        while position < len(line):
            if self._quotes:
                end = _end_of_string(line, position, self._quotes)
                if end is None:
                    return
                self._quotes, position = "", end
            match = _TOKEN.search(line, position)
            if match is None:
                return
            self._take(match.group())
            position = max(match.end(), position + 1)

    def _take(self, token: str) -> None:
        if token in {"'''", '"""'}:
            self._quotes = token
        elif token in {"(", "[", "{"}:
            self._depth += 1
        elif token in {")", "]", "}"}:
            self._depth = max(self._depth - 1, 0)
        elif token.startswith("\\"):
            self._goes_on = True


def _end_of_string(line: str, position: int, quotes: str) -> int | None:
    """Where the string that is open at ``position`` ends, if it ends in ``line``."""
    while position < len(line):
        if line[position] == "\\":
            position += 2
        elif line.startswith(quotes, position):
            return position + len(quotes)
        else:
            position += 1
    return None
