"""A Jupyter notebook as one Python program, and a rewritten program as that notebook.

The code cells, in order, are the program. A row with a mark stands between two of them, and marked rows stand for
what only IPython understands (see ``magics``). By the marks a rewritten program is taken apart again; a program that
cannot be taken apart beyond doubt is refused.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from tfgradfix.read.kernel import complaint, is_foreign
from tfgradfix.read.layout import Field, cell_fields, escapes
from tfgradfix.read.magics import Row, is_python, magic_rows
from tfgradfix.read.source import ForeignError, ReadError, RefusedError, Source, split_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_SPLIT: Final = "the repair cannot be told apart into the cells of the notebook"
_BYTE_ORDER_MARK: Final = "\ufeff"


@dataclass(frozen=True)
class CellLine:
    """The place of a row of the program: the cell (of all cells, from 0), the line in it (from 1), and how many
    characters of that line are not in the program.
    """

    cell: int
    line: int
    shift: int = 0


@dataclass(frozen=True)
class Notebook(Source):
    """A notebook as read; ``text`` is its program.

    ``fields`` are the sources of the code cells by index of the cell; ``lines`` has one entry for each row of the
    program; ``rows`` are the rows that are not Python, by the number in their mark; ``mark`` begins every mark.
    """

    document: str = ""
    fields: Mapping[int, Field] = field(default_factory=dict)
    lines: tuple[CellLine, ...] = ()
    rows: tuple[Row, ...] = ()
    mark: str = ""

    def encode(self, text: str) -> bytes:
        """The bytes of the notebook when its program is ``text``.

        Raises:
            RefusedError: it cannot be said which cell each line of ``text`` belongs to.
        """
        if text == self.text:
            return self.data
        text = self._apart(text)
        document, last = "", 0
        for old, source in zip(self.fields.values(), self.sources(text), strict=True):
            if source != old.text:
                new = old.rewritten(source, escape=escapes(self.document))
                document += self.document[last : old.start] + new
                last = old.end
        data = ((_BYTE_ORDER_MARK if self.bom else "") + document + self.document[last:]).encode()
        again = decode_notebook(self.path, data)
        if not isinstance(again, Notebook) or again.bare(again.text) != self.bare(text):
            raise RefusedError(_SPLIT)
        return data

    def sources(self, text: str) -> tuple[str, ...]:
        """The source of each code cell when the program is ``text``.

        Raises:
            RefusedError: it cannot be said which cell each line of ``text`` belongs to.
        """
        parts: list[list[str]] = [[]]
        numbers: list[int] = []
        for line in split_lines(text):
            if (found := self._boundary().fullmatch(line.rstrip("\r\n"))) is not None:
                numbers.append(int(found.group(1)))
                parts.append([])
            else:
                parts[-1].append(self.written(line))
        marked = [int(number) for number in re.findall(rf"{re.escape(self.mark)}line (\d+)", text)]
        if numbers != list(self.fields)[1:] or marked != list(range(len(self.rows))):
            raise RefusedError(_SPLIT)
        joined = ("".join(part) for part in parts)
        return tuple(_like(old.text, source) for source, old in zip(joined, self.fields.values(), strict=True))

    def written(self, line: str) -> str:
        """A row of the program as the notebook has it: the user's magic in place of what stands for it.

        Raises:
            RefusedError: the row is not what was made of the magic.
        """
        body = line.rstrip("\r\n")
        found = re.fullmatch(rf"(.*?)(?:  )?{re.escape(self.mark)}line (\d+)", body)
        if found is None:
            return line
        row, python = self.rows[int(found.group(2))], found.group(1)
        inner = python.lstrip(" \t")
        indent = python[: len(python) - len(inner)]
        if row.is_code:
            return indent + row.prefix + inner + line[len(body) :]
        if inner and inner != row.python.lstrip(" \t"):
            raise RefusedError(_SPLIT)
        stays = not inner or row.python == python
        return (row.written if stays else indent + row.written.lstrip(" \t")) + line[len(body) :]

    def source(self, index: int) -> str:
        """The source of a code cell; empty if the program has nothing of it."""
        return self.fields[index].text if index in self.fields else ""

    def document_row(self, row: int) -> int:
        """The row of the JSON document, from 1, in which the text of a row of the program is written."""
        place = self.lines[row - 1]
        old = self.fields[place.cell]
        offset, line = old.start + len(old.margins[0]), 1
        for element in old.elements:
            line += element.value.count("\n")
            if line > place.line:
                break
            offset += len(element.raw) + len(element.gap or "")
        return self.document.count("\n", 0, min(offset, old.end)) + 1

    def excerpt(self) -> tuple[str, ...]:
        """The rows of the program as they can be shown, without marks."""
        return tuple(re.sub(rf"(?:  )?{re.escape(self.mark)}.*", "", line) for line in split_lines(self.text))

    def is_fixed_row(self, line: str) -> bool:
        """Whether a row of the program is a mark between cells, or stands for what is no code."""
        found = re.search(rf"{re.escape(self.mark)}(cell|line) (\d+)$", line.rstrip("\r\n"))
        return found is not None and (found.group(1) == "cell" or not self.rows[int(found.group(2))].is_code)

    def bare(self, text: str) -> list[str]:
        """The rows of a program with what may differ left out: the form of a marked row, blank rows below a cell."""
        rows: list[str] = []
        for line in split_lines(text):
            row = re.sub(rf"^(?:pass  )?{re.escape(self.mark)}", self.mark, line)
            rows = self._less_empty_end(rows) if self._is_boundary(row) else rows
            rows += [row] if rows or not self._is_boundary(row) else []
        return self._less_empty_end(rows)

    def _less_empty_end(self, rows: list[str]) -> list[str]:
        """``rows`` without blank ones at the end, and without the boundary of a cell that holds no other."""
        while rows and (not rows[-1].strip("\r\n") or self._is_boundary(rows[-1])):
            rows = rows[:-1]
        return rows

    def _is_boundary(self, row: str) -> bool:
        return self._boundary().fullmatch(row.rstrip("\r\n")) is not None

    def _apart(self, text: str) -> str:
        """``text`` with each boundary that has come into a block below the statement of that block.

        So a block that a repair makes of lines of two cells is in the first of them as a whole.
        """
        lines = split_lines(text)
        for statement in reversed(_parse(text).body):
            rows = slice(statement.lineno - 1, statement.end_lineno)
            inside = [line.lstrip(" \t") for line in lines[rows] if self._is_boundary(line.lstrip(" \t"))]
            if inside and not isinstance(statement, ast.Pass):
                lines[rows] = [line for line in lines[rows] if not self._is_boundary(line.lstrip(" \t"))] + inside
        return "".join(lines)

    def _boundary(self) -> re.Pattern[str]:
        return re.compile(rf"(?:pass  )?{re.escape(self.mark)}cell (\d+)")


def decode_notebook(path: Path, data: bytes) -> Notebook | ReadError:
    """The notebook in ``data``, the bytes of ``path``, or why there is no Python program in it."""
    try:
        document = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return ReadError(path, f"is not utf-8: byte {error.start} is 0x{data[error.start]:02x}")
    bom = document.startswith(_BYTE_ORDER_MARK)
    document = document.removeprefix(_BYTE_ORDER_MARK)
    try:
        content = json.loads(document)
    except ValueError as error:
        return ReadError(path, f"is not a notebook: not valid JSON: {error}")
    except RecursionError:
        return ReadError(path, "is not a notebook: its JSON is nested too deeply")
    if (reason := complaint(content)) is not None:
        return ReadError(path, reason)
    if is_foreign(content):
        return ForeignError(path, "is a notebook of another language than Python")
    sources = _code(content["cells"])
    fields = {index: found for index, found in cell_fields(document).items() if index in sources}
    if {index: found.text for index, found in fields.items()} != sources:
        return ReadError(path, "is not a notebook that can be kept as it is: a cell has two sources")
    notebook = Notebook(path, data, "", "utf-8", bom, document, fields)
    return _first_bad_cell(path, sources) or _joined(notebook, sources)


def _code(cells: Sequence[Any]) -> dict[int, str]:
    """The sources of the cells that the Python kernel runs, by index; empty ones are no part of a program."""
    sources: dict[int, str] = {}
    for index, cell in enumerate(cells):
        source = cell.get("source", "")
        text = source if isinstance(source, str) else "".join(source)
        if cell.get("cell_type") == "code" and text.strip() and is_python(text):
            sources[index] = text
    return sources


def _first_bad_cell(path: Path, sources: Mapping[int, str]) -> ReadError | None:
    for index, source in sources.items():
        magics = magic_rows(source)
        lines = split_lines(source)
        for number, row in magics.items():
            lines[number] = row.python + _end(lines[number])
        try:
            _parse("".join(lines))
        except SyntaxError as error:
            return ReadError(path, f"does not parse: cell {index}, line {error.lineno}: {error.msg}")
        except (ValueError, RecursionError, MemoryError) as error:
            return ReadError(path, f"does not parse: cell {index}: {type(error).__name__}: {error}")
    return None


def _joined(notebook: Notebook, sources: Mapping[int, str]) -> Notebook:
    """``notebook`` with its program."""
    mark = "# tfgradfix:"
    while any(mark + kind in source for source in sources.values() for kind in ("cell ", "line ")):
        mark = f"#{mark}"
    newline = "\r\n" if any("\r\n" in source for source in sources.values()) else "\n"
    text, places, rows = list[str](), list[CellLine](), list[Row]()
    for index, source in sources.items():
        if text:
            places.append(CellLine(places[-1].cell, places[-1].line + 1))
            text.append(f"pass  {mark}cell {index}{newline}")
        magics = magic_rows(source)
        for number, line in enumerate(split_lines(source)):
            row = magics.get(number)
            places.append(CellLine(index, number + 1, len(row.prefix) if row else 0))
            text.append(line if row is None else f"{row.python}  {mark}line {len(rows)}{_end(line)}")
            rows += [] if row is None else [row]
        text[-1] += "" if _end(text[-1]) else newline
    program = _with_comments(text, f"pass  {mark}")
    return replace(notebook, text=program, lines=tuple(places), rows=tuple(rows), mark=mark)


def _with_comments(lines: Sequence[str], start: str) -> str:
    """The program, in which marked rows among the imports at its head are comments alone.

    So these imports stay one block, at the place of which a further import is put.
    """
    body, last = _parse("".join(lines)).body, 0
    for number, statement in enumerate(body):
        is_docstring = number == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            last = statement.lineno
        elif not is_docstring and not lines[statement.lineno - 1].startswith(start):
            break
    head = [line.removeprefix("pass  ") if line.startswith(start) else line for line in lines[:last]]
    return "".join([*head, *lines[last:]])


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _end(line: str) -> str:
    """The characters that end a line, if any; of a longer text all at its end."""
    return line[len(line.rstrip("\r\n")) :]


def _like(old: str, new: str) -> str:
    """``new``, the lines of a cell that held ``old``, with an end of the last line only if ``old`` has one."""
    if old.lstrip().startswith("%%") and _head(old) != _head(new):
        raise RefusedError("the repair would stand above the magic that heads a cell of the notebook")
    return new if _end(old) else new.rstrip("\r\n")


def _head(source: str) -> str:
    return source.lstrip().split("\n", 1)[0]
