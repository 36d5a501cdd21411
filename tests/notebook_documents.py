"""Notebooks for tests, in the layouts in which programs write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tfgradfix.read.notebook import Notebook, decode_notebook

PATH = Path("here.ipynb")
PICTURE = {
    "output_type": "display_data",
    "data": {"image/png": "iVBORw0KGgo" + "A1b/" * 40 + "==\n", "text/plain": ["<Figure size 640x480>"]},
    "metadata": {},
}
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def code(source: str | list[str], **more: Any) -> dict[str, Any]:
    """A code cell; a text becomes a list of lines."""
    lines = source.splitlines(keepends=True) if isinstance(source, str) else source
    return {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": lines, **more}


def markdown(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def document(*cells: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"cells": list(cells), "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5, **more}


def written(content: Any, **layout: Any) -> bytes:
    """The bytes of a notebook, by default as Jupyter writes them."""
    return (json.dumps(content, **{"indent": 1, "ensure_ascii": False, **layout}) + "\n").encode()


def read(data: bytes) -> Notebook:
    found = decode_notebook(PATH, data)
    assert isinstance(found, Notebook), found
    return found


def source_of(data: bytes, index: int) -> str:
    """The source of a cell of the notebook in ``data``."""
    source = json.loads(data.decode("utf-8-sig"))["cells"][index]["source"]
    return source if isinstance(source, str) else "".join(source)
