"""The program round the files that LibCST's own runner was given."""

from __future__ import annotations

import ast
import io
import os
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: Folders that hold other people's code or no code.
OTHERS: Final = frozenset({"site-packages", "node_modules", "__pycache__"})


def program_around(root: Path, paths: Iterable[Path]) -> Mapping[Path, str]:
    """The text of each of ``paths`` and of every other module under ``root``, less those that do not parse."""
    texts = ((path, parsable_text(path)) for path in sorted({*paths, *modules_under(root)}))
    return {path: text for path, text in texts if text is not None}


def modules_under(root: Path) -> Iterator[Path]:
    """The Python files under ``root``; hidden folders, virtual environments and installed packages are passed by."""
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [name for name in subfolders if is_own_code(Path(folder, name))]
        yield from (Path(folder, name) for name in names if name.endswith(".py"))


def is_own_code(folder: Path) -> bool:
    """Whether a folder may hold modules of the program."""
    return not folder.name.startswith(".") and folder.name not in OTHERS and not (folder / "pyvenv.cfg").exists()


def parsable_text(path: Path) -> str | None:
    """The text of a module with its own line ends; None where it cannot be read or is not Python.

    LibCST opens each file itself afterwards and reports what is wrong with it.
    """
    try:
        data = path.read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
        ast.parse(text)
    except (OSError, SyntaxError, ValueError):
        return None
    return text
