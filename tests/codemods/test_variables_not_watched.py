"""`watch_accessed_variables=False` is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.variables_not_watched import VariablesNotWatchedCommand

from tests.codemods.faulty import PROGRAMS
from tests.helpers import check_rewrite, refusal, rewritten

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

REWRITTEN = [
    pytest.param("t = «tf.GradientTape(watch_accessed_variables=False)»\n", "t = tf.GradientTape()\n", id="alone"),
    pytest.param(
        "t = «tf.GradientTape(persistent=True, watch_accessed_variables=False)»\n",
        "t = tf.GradientTape(persistent=True)\n",
        id="last",
    ),
    pytest.param(
        "t = «tf.GradientTape(watch_accessed_variables=False, persistent=True)»\n",
        "t = tf.GradientTape(persistent=True)\n",
        id="first",
    ),
    pytest.param("t = «GradientTape(True, False)»\n", "t = GradientTape(True)\n", id="by position"),
    pytest.param(
        "t = «GradientTape(\n    persistent=True,\n    watch_accessed_variables=False,\n)»\n",
        "t = GradientTape(\n    persistent=True,\n)\n",
        id="one argument a line",
    ),
]
DECLINED = [
    pytest.param("t = «GradientTape(**options)»\n", "unpacked", id="unpacked options may hold it"),
    pytest.param("t = «make_tape()»\n", "not plain", id="set elsewhere"),
    pytest.param("t = «GradientTape(\n  watch_accessed_variables=False  # by hand\n)»\n", "comment", id="a comment"),
]


@pytest.mark.parametrize(("before", "after"), REWRITTEN)
def test_rewritten(before: str, after: str) -> None:
    assert rewritten(VariablesNotWatchedCommand, before) == after


@pytest.mark.parametrize(("text", "reason"), DECLINED)
def test_declined(text: str, reason: str) -> None:
    assert reason in refusal(VariablesNotWatchedCommand, text)


def test_program(diff: SnapshotAssertion) -> None:
    assert check_rewrite(PROGRAMS["variables_not_watched"], "input_watched_only") == diff(name="input_watched_only")
