"""Whether a JSON document is a notebook that can be worked on, and whether its kernel runs Python."""

from __future__ import annotations

from typing import Any, Final

#: Older notebooks keep their cells in worksheets.
OLDEST_FORMAT: Final = 4

#: Names of kernels, or beginnings of such, that tell another language where the metadata do not.
FOREIGN_KERNELS: Final = ("ir", "julia", "javascript", "scala", "rust", "xcpp", "bash", "octave", "ruby", "go")


def complaint(content: Any) -> str | None:
    """Why a JSON document cannot be worked on as a notebook, in one line, or None."""
    if not isinstance(content, dict) or not isinstance(content.get("nbformat"), int):
        return "is not a notebook: it has no nbformat"
    if content["nbformat"] < OLDEST_FORMAT:
        return f"is a notebook of the old format {content['nbformat']}; 'jupyter nbconvert --to notebook' renews it"
    cells = content.get("cells")
    if not isinstance(cells, list) or not all(_is_cell(cell) for cell in cells):
        return "is not a notebook: its cells are not what they should be"
    return None


def is_foreign(content: dict[str, Any]) -> bool:
    """Whether the metadata of a notebook name another language than Python."""
    metadata = _table(content, "metadata")
    kernel, language = _table(metadata, "kernelspec"), _table(metadata, "language_info")
    named = kernel.get("language") or language.get("name")
    if named:
        return "python" not in str(named).lower()
    return str(kernel.get("name", "")).lower().rstrip("-0123456789.") in FOREIGN_KERNELS


def _is_cell(cell: Any) -> bool:
    if not isinstance(cell, dict):
        return False
    source = cell.get("source", "")
    return isinstance(source, str) or (isinstance(source, list) and all(isinstance(part, str) for part in source))


def _table(content: dict[str, Any], key: str) -> dict[str, Any]:
    value = content.get(key)
    return value if isinstance(value, dict) else {}
