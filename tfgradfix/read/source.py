"""Bytes become text and text becomes bytes again, with nothing lost between.

Newlines are not translated: a text holds the very characters of its file, CRLF and form feeds included, so that
``encode(decode(data)) == data``.
"""

from __future__ import annotations

import ast
import codecs
import io
import tokenize
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

#: Larger files are made by programs, not by people.
LARGEST: Final = 5_000_000
#: A notebook holds pictures, too.
LARGEST_NOTEBOOK: Final = 100_000_000


@dataclass(frozen=True)
class Source:
    """One file as read: its bytes, its text without the byte order mark, and how it is encoded."""

    path: Path
    data: bytes
    text: str
    encoding: str
    bom: bool

    def encode(self, text: str) -> bytes:
        """The bytes of this file when it holds ``text``.

        Raises:
            UnicodeEncodeError: the file's encoding has no such character.
            RefusedError: the file is a notebook whose cells cannot be told apart in ``text``.
        """
        return (codecs.BOM_UTF8 if self.bom else b"") + text.encode(self.encoding)


@dataclass(frozen=True)
class ReadError:
    """A file that cannot be worked on, and why, in one line."""

    path: Path
    message: str


class RefusedError(ValueError):
    """A text that a file cannot take in."""


class ForeignError(ReadError):
    """A file in another language than Python, which does not matter unless the user names it."""


def read_source(path: Path) -> Source | ReadError:
    """Read the Python file ``path``."""
    data = read_bytes(path)
    return data if isinstance(data, ReadError) else decode(path, data)


def read_bytes(path: Path) -> bytes | ReadError:
    """What ``path`` holds; of a file that is too large only so much as shows that."""
    try:
        with path.open("rb") as file:
            return file.read(_largest(path) + 1)
    except OSError as error:
        return ReadError(path, f"cannot be read: {error.strerror or error}")


def decode(path: Path, data: bytes) -> Source | ReadError:
    """The source in ``data``, the bytes of ``path``, decoded as its coding line asks; of a notebook its program."""
    if len(data) > _largest(path):
        return ReadError(path, f"larger than {_largest(path) // 1_000_000} MB")
    if is_notebook(path):
        # Imported late: few runs meet one.
        from tfgradfix.read.notebook import decode_notebook

        return decode_notebook(path, data)
    if b"\0" in data:
        return ReadError(path, "holds NUL bytes, so it is not Python source")
    bom = data.startswith(codecs.BOM_UTF8)
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        encoding = "utf-8" if bom else encoding
        text = data[len(codecs.BOM_UTF8) if bom else 0 :].decode(encoding)
    except SyntaxError as error:
        return ReadError(path, f"cannot be decoded: {error.msg}")
    except UnicodeDecodeError as error:
        row = data[: error.start].count(b"\n") + 1
        return ReadError(path, f"is not {encoding}: line {row} holds the byte 0x{data[error.start]:02x}")
    source = Source(path, data, text, encoding, bom)
    if source.encode(text) != data:
        return ReadError(path, f"does not come back the same from {encoding}")
    return source


def is_notebook(path: Path) -> bool:
    """Whether ``path`` is named as a Jupyter notebook."""
    return path.suffix == ".ipynb"


def parse(source: Source) -> ast.Module | ReadError:
    """The syntax tree of ``source``, or why it has none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source.text, filename=str(source.path))
    except SyntaxError as error:
        place = f"line {error.lineno}" + (f", column {error.offset}" if error.offset else "")
        return ReadError(source.path, f"does not parse: {place}: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return ReadError(source.path, f"does not parse: {type(error).__name__}: {error}")


def split_lines(text: str) -> list[str]:
    """The lines of ``text`` with their ends, as Python counts them: a form feed ends none."""
    return list(io.StringIO(text, newline=""))


def _largest(path: Path) -> int:
    return LARGEST_NOTEBOOK if is_notebook(path) else LARGEST
