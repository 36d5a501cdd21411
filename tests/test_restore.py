"""LibCST drops some bytes; a rewrite must not."""

from __future__ import annotations

import libcst as cst
import pytest

from tfgradfix.restore import restore

DROPPED = [
    pytest.param("\n    \n    # hi\n", id="indented blank before an indented comment"),
    pytest.param("\n  \n\x0c\n", id="form feed after blanks"),
    pytest.param("\n    # note\n  ", id="comment and blanks at the end"),
]


@pytest.mark.parametrize("end", DROPPED)
def test_what_libcst_drops_stays(end: str) -> None:
    original = f"x = f(y)\nz = 1{end}"
    assert cst.parse_module(original).code != original
    rewritten = cst.parse_module(original).code.replace("f(y)", "g(y)")
    assert restore(original, rewritten) == original.replace("f(y)", "g(y)")


@pytest.mark.parametrize("end", DROPPED)
def test_added_lines_are_kept_with_it(end: str) -> None:
    original = f"x = f(y)\nz = 1{end}"
    rewritten = "import a\n" + cst.parse_module(original).code.replace("z = 1", "w = 2\nz = 1")
    assert restore(original, rewritten) == "import a\n" + original.replace("z = 1", "w = 2\nz = 1")


def test_an_edit_at_the_very_place_is_given_up() -> None:
    original = "z = 1\n    # note\n  "
    assert restore(original, "z = 2\n  ") == "z = 2\n    # note\n  "
    assert restore(original, "z = 1\ny = 2\n  ") is None


def test_the_usual_text_is_passed_through() -> None:
    assert restore("x = f(y)\n", "x = g(y)\n") == "x = g(y)\n"
