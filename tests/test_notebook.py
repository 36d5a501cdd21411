"""A notebook is one program, and a change of the program changes the source lines of its cells, and nothing else."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.notebook_documents import PATH, PICTURE, code, document, markdown, read, source_of, written
from tfgradfix.read.magics import is_python, magic_rows
from tfgradfix.read.notebook import CellLine, decode_notebook
from tfgradfix.read.source import ForeignError, ReadError, RefusedError, decode

COLAB = {
    "colab": {"provenance": [], "toc_visible": True},
    "kernelspec": {"name": "python3", "display_name": "Python 3"},
    "accelerator": "GPU",
}


def test_cells_are_one_program_in_order() -> None:
    notebook = read(written(document(markdown("# Titel"), code("x = 1"), code(""), code("y = x\nz = y\n"))))
    assert notebook.text == "x = 1\npass  # tfgradfix:cell 3\ny = x\nz = y\n"
    assert notebook.lines == (CellLine(1, 1), CellLine(1, 2), CellLine(3, 1), CellLine(3, 2))


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install -q \\\n    tensorflow\nx = 1", "pass\npass\nx = 1"),
        ("if colab:\n    !pip install \\\n        x\n    y = 1", "if colab:\n    pass\n    pass\n    y = 1"),
        ("files = !ls *.csv\na.b, c = %who_ls", "files = get_ipython()\na.b, c = get_ipython()"),
        ("?tf.exp\ntf.exp?\nmodel??", "pass\npass\npass"),
        ("%time fit(x)\n%timeit -n 3 fit(x)", "fit(x)\npass"),
        ("%time y = fit(x)\n%timeit y = fit(x)", "y = fit(x)\npass"),
        ("%time for i in x: fit(i)", "pass"),
        ("%%time\nx = 1", "pass\nx = 1"),
        ("x = (a\n     % b)\ny = '''\n%no magic\n!none\n'''\nz = a \\\n  % b", None),
        ("x = {'a': \"it's\"}  # it's (\n%magic", "x = {'a': \"it's\"}  # it's (\npass"),
        ("x = a != b\ny = a % b\nx %= 2", None),
    ],
)
def test_magics_become_harmless_rows(source: str, python: str | None) -> None:
    rows = magic_rows(source)
    lines = [rows[number].python if number in rows else line for number, line in enumerate(source.split("\n"))]
    assert "\n".join(lines) == (source if python is None else python)
    ast.parse("\n".join(lines))
    data = written(document(code(source)))
    notebook = read(data)
    assert notebook.sources(notebook.text) == (source,)
    assert len(notebook.lines) == len(source.split("\n"))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("%%time\nx = 1", True),
        ("\n%%capture out\n%%time\nx = 1", True),
        ("%%bash\nls", False),
        ("%%writefile a.py\nx = 1", False),
        ("%%capture\n%%html\n<b>", False),
        ("%% \nx", False),
        ("%time x", True),
        ("# note\nx", True),
    ],
)
def test_cells_of_other_languages_are_no_code(source: str, expected: bool) -> None:
    assert is_python(source) is expected


def test_marked_rows_among_the_first_imports_are_comments() -> None:
    notebook = read(written(document(code("!pip install x\nimport numpy as np"), code("import os\n%magic\nx = 1"))))
    assert notebook.text == (
        "# tfgradfix:line 0\nimport numpy as np\n# tfgradfix:cell 1\nimport os\npass  # tfgradfix:line 1\nx = 1\n"
    )


def test_a_source_that_holds_the_mark_gets_another() -> None:
    notebook = read(written(document(code("x = 1  # tfgradfix:cell 3"), code("%magic"))))
    assert notebook.mark == "## tfgradfix:"
    assert notebook.sources(notebook.text) == ("x = 1  # tfgradfix:cell 3", "%magic")


LAYOUTS: dict[str, dict[str, Any]] = {
    "Jupyter": {},
    "Colab": {"indent": 2},
    "one line": {"indent": None},
    "compact": {"indent": None, "separators": (",", ":")},
    "escapes": {"ensure_ascii": True},
    "sorted keys": {"sort_keys": True, "indent": "\t"},
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("bom", ["", "\ufeff"], ids=["", "BOM"])
def test_the_layout_stays(layout: dict[str, Any], line_end: str, bom: str) -> None:
    def lay(change: str) -> bytes:
        second = code(f"größe = 1\n{change}", outputs=[PICTURE], id="ab12", metadata={"colab": {"height": 170}})
        text = written(document(markdown("❄️ über"), code("import os"), second, metadata=COLAB), **layout).decode()
        return (bom + text.replace("\n", line_end)).encode()

    data = lay("loss = np.mean(x)")
    notebook = read(data)
    changed = notebook.text.replace("np.mean(x)\n", "tf.reduce_mean(x)\nprint('é')\n")
    assert notebook.encode(notebook.text) == data
    assert notebook.encode(changed) == lay("loss = tf.reduce_mean(x)\nprint('é')")


@pytest.mark.parametrize(
    ("source", "change", "expected"),
    [
        pytest.param('"x = 1\\ny = 2"', ("y", "z"), '"x = 1\\nz = 2"', id="a string"),
        pytest.param(
            "\"x = '\\u00e9\\/'\\ny = 2\\n\"", ("y", "z"), "\"x = '\\u00e9\\/'\\nz = 2\\n\"", id="odd escapes"
        ),
        pytest.param('["x = 1\\ny", " = 2"]', ("x", "z"), '["z = 1\\n", "y = 2"]', id="half lines"),
        pytest.param('["x = 1"]', ("x", "y = 2\nx"), '["y = 2\\n", "x = 1"]', id="a line before the only one"),
        pytest.param('["x = 1"]', ("1", "1\ny = 2"), '["x = 1\\n", "y = 2"]', id="a line below the last"),
        pytest.param('["x = 1\\n",\n  "y = 2"]', ("1", "3"), '["x = 3\\n",\n  "y = 2"]', id="hanging"),
        pytest.param('["x = 1\\n",  "y = 2"]', ("x = 1\n", ""), '["y = 2"]', id="a line less"),
        pytest.param('["x = 1\\r\\n", "y = 2"]', ("1", "1\r\nz"), '["x = 1\\r\\n", "z\\r\\n", "y = 2"]', id="CRLF"),
        pytest.param('["x = 1\\n", "", "y = 2"]', ("2", "3"), '["x = 1\\n", "", "y = 3"]', id="an empty string"),
    ],
)
def test_only_changed_lines_are_written(source: str, change: tuple[str, str], expected: str) -> None:
    frame = '{"nbformat": 4, "cells": [{"cell_type": "code", "source": %s , "id": 3}]}'
    notebook = read((frame % source).encode())
    assert notebook.encode(notebook.text.replace(*change)).decode() == frame % expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = 1\nz = 3\n", id="a boundary is gone"),
        pytest.param("if x:\n    pass  # tfgradfix:cell 1\n%s", id="a boundary twice, once in a block"),
        pytest.param("%s\npass  # tfgradfix:cell 1\n", id="a boundary twice"),
        pytest.param("x = 1\ny = 2  # tfgradfix:line 0\npass  # tfgradfix:cell 1\nz = 3\n", id="a magic is changed"),
        pytest.param("x = 1\npass  # tfgradfix:cell 1\nz = 3\n", id="a magic is gone"),
    ],
)
def test_what_cannot_be_told_apart_is_refused(text: str) -> None:
    notebook = read(written(document(code("x = 1\n%magic"), code("z = 3"))))
    with pytest.raises(RefusedError, match="cannot be told apart"):
        notebook.encode(text % notebook.text if "%s" in text else text)


@pytest.mark.parametrize("source", [["x = 1\n", "y = 2"], "x = 1", ["x = 1"]])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_cell_may_become_empty(source: list[str] | str, place: int) -> None:
    def lay(source: list[str] | str) -> bytes:
        cells = [code("a = 1"), code("b = 2"), code("c = 3")]
        cells[place]["source"] = source
        return written(document(*cells))

    notebook = read(lay(source))
    after = notebook.encode(notebook.text.replace("x = 1\n", "").replace("y = 2\n", ""))
    assert after == lay([] if isinstance(source, list) else "")


def test_a_block_of_lines_of_two_cells_is_in_the_first() -> None:
    notebook = read(written(document(code("x = 1\ny = 2"), code("with a:\n    !ls\n    z = 3\nf(z)"), code("g(z)"))))
    after = notebook.encode(
        "x = 1\nwith a:\n    y = 2\n    pass  # tfgradfix:cell 1\n    pass  # tfgradfix:line 0\n    z = 3\nf(z)\n"
        "pass  # tfgradfix:cell 2\ng(z)\n"
    )
    cells = [source_of(after, index) for index in range(3)]
    assert cells == ["x = 1\nwith a:\n    y = 2\n    !ls\n    z = 3", "f(z)", "g(z)"]


def test_nothing_is_put_above_a_cell_magic() -> None:
    notebook = read(written(document(code("%%time\nx = 1"))))
    with pytest.raises(RefusedError, match="above the magic"):
        notebook.encode("import os\n" + notebook.text)


def test_a_magic_keeps_to_its_block() -> None:
    notebook = read(written(document(code("if a:\n  %magic  x\n  %time f(x)\n"))))
    assert notebook.sources(notebook.text.replace("  pass", "    pass")) == ("if a:\n    %magic  x\n  %time f(x)\n",)
    assert notebook.sources(notebook.text.replace("f(x)", "g(x)")) == ("if a:\n  %magic  x\n  %time g(x)\n",)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is not a notebook: not valid JSON: Expecting value: line 1 column 1 (char 0)"),
        (b"[" * 100_000, "is not a notebook: its JSON is nested too deeply"),
        (b"\xff", "is not utf-8: byte 0 is 0xff"),
        (b"[]", "is not a notebook: it has no nbformat"),
        (b'{"nbformat": 4}', "is not a notebook: its cells are not what they should be"),
        (b'{"nbformat": 4, "cells": [1]}', "is not a notebook: its cells are not what they should be"),
        (
            b'{"nbformat": 3, "worksheets": []}',
            "is a notebook of the old format 3; 'jupyter nbconvert --to notebook' renews it",
        ),
        (written(document(markdown("a"), code("x = 1\ny = (")), indent=1), "does not parse: cell 1, line 2: "),
        (written(document(code("x = '\0'"))), "does not parse: cell 0"),
        (written(document(code("x = '\ud800'")), ensure_ascii=True), "does not parse: cell 0: UnicodeEncodeError"),
    ],
)
def test_what_is_no_notebook_is_said_in_one_line(data: bytes, message: str) -> None:
    found = decode(PATH, data)
    assert isinstance(found, ReadError)
    assert found.message.startswith(message)
    assert "\n" not in found.message


@pytest.mark.parametrize(
    ("metadata", "foreign"),
    [
        ({}, False),
        (COLAB, False),
        ({"kernelspec": {"name": "tf2-env"}}, False),
        ({"kernelspec": {"name": "ir", "display_name": "R"}}, True),
        ({"kernelspec": {"name": "julia-1.9", "language": "julia"}}, True),
        ({"language_info": {"name": "ipython"}, "kernelspec": None}, False),
        ({"language_info": {"name": "scala"}}, True),
    ],
)
def test_other_languages(metadata: dict[str, Any], foreign: bool) -> None:
    found = decode_notebook(Path("r.ipynb"), written(document(code("x = 1"), metadata=metadata)))
    assert isinstance(found, ForeignError) is foreign


LINES = st.sampled_from(
    [
        "x = 1",
        "größe = '能量🙂'",
        'y = "\\t\\""',
        "",
        "# it's",
        "%matplotlib inline",
        "!ls",
        "z = !ls",
        "f(x)  ",
        "%time f(x)",
        "\x0c",
        "s = 'a\x7f'",
    ]
)
SOURCES = st.builds(lambda lines, end: "\n".join(lines) + end, st.lists(LINES, max_size=6), st.sampled_from(["", "\n"]))
CELLS = st.builds(
    lambda kind, source, as_text, more: {
        "cell_type": kind, **more, "source": source if as_text else source.splitlines(keepends=True)
    },
    st.sampled_from(["code", "code", "code", "markdown", "raw"]),
    SOURCES.map(lambda source: source.replace("\x0c", "\f")),
    st.booleans(),
    st.sampled_from([{}, {"id": "é1"}, {"outputs": [PICTURE], "source_": ["x = 1\n"]}, {"metadata": {"source": "x = 1"}}]),
)  # fmt: skip
NEW = st.sampled_from(["import tensorflow as tf", "w = 'ä\\n'", "x = 1", "", "f(x)  # 🙂"])


@st.composite
def notebooks(draw: st.DrawFn) -> bytes:
    content = document(*draw(st.lists(CELLS, min_size=1, max_size=5)), metadata=draw(st.sampled_from([COLAB, {}])))
    layout = {"indent": draw(st.sampled_from([None, 0, 1, 2, "\t"])), "ensure_ascii": draw(st.booleans())}
    text = written(content, sort_keys=draw(st.booleans()), **layout).decode()
    text = text if draw(st.booleans()) else text.rstrip("\n")
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return (draw(st.sampled_from(["", "\ufeff"])) + text).encode()


@settings(deadline=None, database=None, max_examples=150)
@given(data=notebooks(), choices=st.data())
def test_all_but_the_changed_lines_stays(data: bytes, choices: st.DataObject) -> None:
    notebook = read(data)
    lines = notebook.text.split("\n")
    free = [row for row, line in enumerate(lines) if line.strip() and not notebook.is_fixed_row(line)]
    free = [row for row in free if notebook.lines[row].shift == 0]
    expected = {index: field.text.split("\n") for index, field in notebook.fields.items()}
    row = choices.draw(st.sampled_from([None, *free]))
    if row is not None:
        new = choices.draw(st.lists(NEW, min_size=1, max_size=3).filter(any))
        place = notebook.lines[row]
        lines[row] = "\n".join(new)
        expected[place.cell][place.line - 1 : place.line] = new
    after = notebook.encode("\n".join(lines))

    content = json.loads(data.decode("utf-8-sig"))
    renewed = json.loads(after.decode("utf-8-sig"))
    again = read(after)
    for index, field in notebook.fields.items():
        lines_of_cell = "\n".join(expected[index])
        assert source_of(after, index) == (lines_of_cell if field.text.endswith("\n") else lines_of_cell.rstrip("\n"))
        if field.text == again.fields[index].text:
            assert field.elements == again.fields[index].elements
        assert type(content["cells"][index].pop("source")) is type(renewed["cells"][index].pop("source"))
    assert content == renewed
    assert outside(data) == outside(after)


def outside(data: bytes) -> list[str]:
    """What stands around the sources of the code cells."""
    notebook = read(data)
    starts = [0, *(field.end for field in notebook.fields.values())]
    ends = [*(field.start for field in notebook.fields.values()), len(notebook.document)]
    return [notebook.document[start:end] for start, end in zip(starts, ends, strict=True)]
