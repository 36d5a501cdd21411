"""The program round the files that LibCST's own runner was given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgradfix.discover.files import find_files
from tfgradfix.read.source import ReadError, parse, read_source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def program_around(root: Path, paths: Sequence[Path]) -> Mapping[Path, str]:
    """The text of ``paths`` and of every other module under ``root``, less those that cannot be read or parsed.

    Nothing is said of these: LibCST opens each of ``paths`` itself and reports what is wrong with it.
    """
    sources = (read_source(path) for path in find_files([*paths, root]).files)
    return {
        source.path: source.text
        for source in sources
        if not isinstance(source, ReadError) and not isinstance(parse(source), ReadError)
    }
