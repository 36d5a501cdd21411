"""Notebooks at the command line: findings name cell and line, patches show cells, files keep all else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.notebook_documents import PICTURE, code, document, markdown, source_of, written
from tfgradfix.cli import app

IMPORTS = "!pip install -q tensorflow\n%matplotlib inline\nimport tensorflow as tf"
MODEL = "%%time\nw = tf.Variable(2.0)  # größe"
LOSS = "with tf.GradientTape() as tape:\n    !date\n    loss = tf.square(w.numpy() * 3.0)\ntape.gradient(loss, w)"
CELLS = (markdown("# ❄️"), code(IMPORTS), code("%%bash\nls"), code(MODEL, outputs=[PICTURE]), code(LOSS))
BROKEN = written(document(*CELLS))
FIXED = BROKEN.replace(b"w.numpy()", b"w")


def run(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(app, arguments, input=stdin, catch_exceptions=False)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "nb.ipynb"
    path.write_bytes(BROKEN)
    return path


@pytest.mark.parametrize("argument", ["nb.ipynb", "."])
def test_check_names_the_cell(path: Path, argument: str) -> None:
    result = run("check", argument)
    assert result.exit_code == 1
    assert "nb.ipynb:cell 4:3:22 TGF103 numpy-detach: " in result.stdout
    assert "     3 | loss = tf.square(w.numpy() * 3.0)\n       |                  ^^^^^^^^^\n" in result.stdout
    assert "\n    cell 4:3  CUT w.numpy()" in result.stdout
    assert path.read_bytes() == BROKEN


def test_json_counts_in_the_cell(path: Path) -> None:
    (row,) = json.loads(run("check", "--output-format", "json", "nb.ipynb").stdout)
    assert (row["cell"], row["location"], row["end_location"]) == (
        4,
        {"row": 3, "column": 22},
        {"row": 3, "column": 31},
    )
    assert (row["path"][0]["cell"], row["path"][0]["row"]) == (3, 2)
    edit = {"cell": 4, "location": {"row": 3, "column": 23}, "end_location": {"row": 3, "column": 31}, "content": ""}
    assert row["fix"] == {"edits": [edit]}


def test_other_formats_count_in_the_file(path: Path) -> None:
    row = BROKEN[: BROKEN.index(b"w.numpy()")].count(b"\n") + 1
    told = run("check", "--output-format", "github", "nb.ipynb").stdout
    assert f"file=nb.ipynb,line={row},endLine={row}::cell 4, line 3: TGF103 " in told
    (result,) = json.loads(run("check", "--output-format", "sarif", "nb.ipynb").stdout)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": row, "endLine": row}
    assert "fixes" not in result


def test_diff_shows_the_cell(path: Path) -> None:
    result = run("fix", "--diff", "nb.ipynb")
    assert result.stdout == (
        "--- a/nb.ipynb:cell 4\n+++ b/nb.ipynb:cell 4\n"
        "@@ -1,4 +1,4 @@ fix 1: TGF103 numpy-detach: `.numpy()` takes the value out of TensorFlow: no gradient reaches "
        "`w` | tf.Variable(2.0) (cell 3:2) → CUT w.numpy() (cell 4:3) → w.numpy() * 3.0 (cell 4:3) → "
        "tf.square(w.numpy() * 3.0) (cell 4:3)\n"
        " with tf.GradientTape() as tape:\n     !date\n"
        "-    loss = tf.square(w.numpy() * 3.0)\n+    loss = tf.square(w * 3.0)\n"
        " tape.gradient(loss, w)\n"
    )
    assert path.read_bytes() == BROKEN


def test_fix_changes_one_line_and_is_done(path: Path) -> None:
    assert run("fix", ".").exit_code == 0
    assert path.read_bytes() == FIXED
    assert run("fix", ".").stdout == "No cut gradient found.\n"
    assert path.read_bytes() == FIXED


def test_a_block_of_two_cells(path: Path) -> None:
    below = "with tf.GradientTape() as tape:\n    !date\n    loss = tf.square(y)\nprint(tape.gradient(loss, w))"
    path.write_bytes(written(document(code(IMPORTS), code("w = tf.Variable(2.0)"), code("y = w * 3.0"), code(below))))
    (row,) = json.loads(run("check", "--output-format", "json", "nb.ipynb").stdout)
    assert [edit["cell"] for edit in row["fix"]["edits"]] == [2, 3]
    assert run("fix", "nb.ipynb").exit_code == 0
    fixed = path.read_bytes()
    block = "with tf.GradientTape() as tape:\n    y = w * 3.0\n    !date\n    loss = tf.square(y)"
    assert [source_of(fixed, index) for index in (2, 3)] == [block, "print(tape.gradient(loss, w))"]


def test_a_notebook_from_an_editor(path: Path) -> None:
    result = run("fix", "-", "--stdin-filename", "other.ipynb", stdin=BROKEN)
    assert (result.exit_code, result.stdout_bytes) == (0, FIXED)
    assert "other.ipynb:cell 4:3:22" in result.stderr
    assert run("fix", "-", "--stdin-filename", "other.ipynb", stdin=b"{").stdout_bytes == b"{"


def test_an_import_goes_below_the_magics(path: Path) -> None:
    cells = (
        code("!pip install x\nimport numpy as np\nimport helper"),
        code("from helper import tape, w\nimport keras"),
    )
    loss = "def loss():\n    return np.mean(w)\nwith tape:\n    l = loss()\nx = tape.gradient(l, w)"
    helper = "import tensorflow as tf\nw = tf.Variable([2.0])\ntape = tf.GradientTape()\n"
    path.with_name("helper.py").write_text(helper)
    path.write_bytes(written(document(*cells, code(loss))))
    result = run("fix", "nb.ipynb")
    assert result.exit_code == 0, result.output
    fixed = path.read_bytes()
    assert source_of(fixed, 0) == "!pip install x\nimport numpy as np\nimport helper"
    assert source_of(fixed, 1) == "from helper import tape, w\nimport keras\nimport tensorflow as tf"
    assert source_of(fixed, 2) == loss.replace("np.mean", "tf.reduce_mean")


def test_a_notebook_and_its_helper_are_mended_together(path: Path) -> None:
    path.with_name("helper.py").write_text("import numpy as np\ndef size(x):\n    return np.sum(np.square(x))\n")
    # A module of the same name as the notebook is another file.
    path.with_name("nb.py").write_text("x = 1\n")
    cells = (code("import tensorflow as tf\nimport nb\nfrom helper import size"), code(MODEL))
    path.write_bytes(written(document(*cells, code(LOSS.replace("tf.square(w.numpy()", "size(w")))))
    before = path.read_bytes()
    assert run("fix", ".").exit_code == 0
    assert "tf.reduce_sum(tf.square(x))" in path.with_name("helper.py").read_text()
    assert path.read_bytes() == before


def test_what_is_no_python_notebook(path: Path) -> None:
    r = document(code("x <- tensorflow::GradientTape()"), metadata={"kernelspec": {"language": "R"}})
    path.write_bytes(written(r))
    result = run("check", ".")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "No cut gradient found.\n", "")
    result = run("check", "nb.ipynb")
    assert (result.exit_code, result.stderr) == (
        2,
        "tfgradfix: nb.ipynb: is a notebook of another language than Python\n",
    )
    path.write_bytes(written(document(markdown("GradientTape"))))
    assert run("check", "nb.ipynb").exit_code == 0
    path.write_bytes(BROKEN[:-3])
    result = run("fix", "nb.ipynb")
    assert result.exit_code == 2
    assert result.stderr.startswith("tfgradfix: nb.ipynb: is not a notebook: not valid JSON: ")
    assert path.read_bytes() == BROKEN[:-3]
