"""Findings of the analysis meet the nodes of LibCST's tree."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import libcst as cst
import pytest
from libcst.metadata import FullRepoManager, MetadataWrapper
from tfgradfix_codemods.findings import Findings
from tfgradfix_codemods.nodes import source
from tfgradfix_codemods.numpy_detach import NumpyDetachCommand

from tests.helpers import finding, unmark

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = """\
import tensorflow as tf

w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = w.numpy() * 3.0
print(tape.gradient(loss, w))
"""

JOINED = [
    pytest.param("y = «(a + b).numpy()»\n", {"Call": "(a + b).numpy()"}, id="a call"),
    pytest.param("y = («a»)\n", {"Name": "(a)"}, id="inside parentheses"),
    pytest.param("ü = 'ä', «ö.numpy()»\n", {"Call": "ö.numpy()"}, id="characters, not bytes"),
    pytest.param("def f():\n\t«y = 1»; z = 2\n", {"Assign": "y = 1; "}, id="one of two statements on a line"),
    pytest.param("«f(x)»\n", {"Call": "f(x)", "Expr": "f(x)"}, id="a statement that is an expression"),
    pytest.param("f(a=«x»)\n", {"Name": "x"}, id="an argument's value and not the argument"),
    pytest.param("async def f():\n    «async with» a: pass\n", {"With": ""}, id="a compound statement by its start"),
    pytest.param("@d\n«def» f(): pass\n", {"FunctionDef": ""}, id="a definition below its decorators"),
    pytest.param("if a: pass\n«elif» b: pass\n", {"If": ""}, id="an elif"),
    pytest.param("y = f'{«x»}'\n", {"Name": "x"}, id="in an f-string"),
    pytest.param("y = («a»,\r\n     b)\r\n", {"Name": "a"}, id="CRLF"),
    pytest.param("y = (a,\r     «b»)\r", {"Name": "b"}, id="old line ends"),
]


def joined(text: str, cache: object) -> dict[str, str]:
    """The kinds and texts of the nodes that findings were joined to; compound statements without their text."""
    wrapper = MetadataWrapper(cst.parse_module(text), cache={} if cache is None else {Findings: cache})
    nodes = wrapper.resolve(Findings)
    return {type(node).__name__: "" if isinstance(node, cst.BaseCompoundStatement) else source(node) for node in nodes}


@pytest.mark.parametrize(("marked", "nodes"), JOINED)
def test_joined(marked: str, nodes: dict[str, str]) -> None:
    text, (span,) = unmark(marked)
    assert joined(text, (finding(NumpyDetachCommand, span),)) == nodes


def test_without_a_cache_the_module_is_analysed_alone() -> None:
    assert joined(BROKEN, None) == {"Call": "w.numpy()"}


def test_an_empty_cache_is_no_missing_one() -> None:
    assert joined(BROKEN, ()) == {}


def test_the_cache_of_a_repository(tmp_path: Path) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    files = {"a.py": BROKEN, "broken.py": "print 'two'\n", "latin.py": "# \xe9"}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="latin-1")
    venv = tmp_path / "env"
    venv.mkdir()
    (venv / "pyvenv.cfg").touch()
    (venv / "other.py").write_text(BROKEN)
    paths = [str(folder / name) for name in files] + [str(folder / "missing.py")]
    cache = Findings.gen_cache(tmp_path, paths, timeout=5)
    assert {path.rpartition("/")[2]: len(found) for path, found in cache.items()} == {  # type: ignore[arg-type]
        "a.py": 1,
        "broken.py": 0,
        "latin.py": 0,
        "missing.py": 0,
    }
    # LibCST sends the cache to each worker.
    assert pickle.loads(pickle.dumps(cache)) == cache
    manager = FullRepoManager(tmp_path, paths, {Findings})
    assert len(manager.get_metadata_wrapper_for_path(paths[0]).resolve(Findings)) == 1
