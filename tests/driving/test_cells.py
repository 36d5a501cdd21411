"""A notebook is run as its program, and told in its cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.notebook_documents import code, document, markdown, read, written
from tfgradfix.driving.cells import Cells
from tfgradfix.driving.notebooks import program

DATA = written(document(markdown("# x"), code("import a\n%matplotlib inline"), code("b = 1\nc = 2")))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "the gradient of w in line 5 of deep/nb.ipynb is None",
            "the gradient of w in cell 2, line 2 of deep/nb.ipynb is None",
        ),
        ("line 1 asks for gradients twice", "cell 1, line 1 asks for gradients twice"),
        ("line 5 of deep/nb.ipynb.py", "line 5 of deep/nb.ipynb.py"),
        ("line 5 of a.py", "line 5 of a.py"),
        ("line 99 of deep/nb.ipynb", "line 99 of deep/nb.ipynb"),
    ],
)
def test_rows_become_lines_of_cells(text: str, told: str) -> None:
    assert Cells("deep/nb.ipynb", read(DATA)).told(text) == told


@pytest.mark.parametrize(
    ("sources", "runs"),
    [
        (("import a", "display(1)"), "display = print; import a\n"),
        (("'''Doc.'''\nfrom __future__ import annotations\nx = 1", "display(x)"), "display = print; x = 1\n"),
        (("from IPython.display import display", "display(1)"), "from IPython.display import display\n"),
        (("import a", "a.display(1)"), "import a\n"),
    ],
)
def test_a_notebook_that_shows_values_has_something_to_show_them_with(sources: tuple[str, ...], runs: str) -> None:
    data = written(document(*(code(source) for source in sources)))
    found = program(Path("nb.ipynb"), data).decode()
    assert runs in found
    assert found.count("\n") == read(data).text.count("\n"), "rows keep their numbers"
    assert ("display = print" in found) is ("display = print" in runs)


def test_other_files_are_run_as_they_are() -> None:
    assert program(Path("a.py"), b"display(1)\n") == b"display(1)\n"
