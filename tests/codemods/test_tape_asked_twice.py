"""Tapes asked more than once become persistent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.tape_asked_twice import TapeAskedTwiceCommand
from tfgradfix_codemods.variables_not_watched import VariablesNotWatchedCommand

from tests.codemods.faulty import PROGRAMS
from tests.helpers import apply, check_rewrite, finding, refusal, rewritten, unmark

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

REWRITTEN = [
    pytest.param(
        "with «tf.GradientTape()» as t: pass\n", "with tf.GradientTape(persistent=True) as t: pass\n", id="no arguments"
    ),
    pytest.param("t = «GradientTape()»\n", "t = GradientTape(persistent=True)\n", id="imported by itself"),
    pytest.param(
        "t = «tensorflow.GradientTape(watch_accessed_variables=False)»\n",
        "t = tensorflow.GradientTape(watch_accessed_variables=False, persistent=True)\n",
        id="beside another argument",
    ),
    pytest.param(
        "t = «GradientTape(persistent=False)»\n", "t = GradientTape(persistent=True)\n", id="False by keyword"
    ),
    pytest.param("t = «GradientTape(False, False)»\n", "t = GradientTape(True, False)\n", id="False by position"),
    pytest.param(
        "t = «GradientTape(\n    watch_accessed_variables=False,  # by hand\n)»\n",
        "t = GradientTape(\n    watch_accessed_variables=False, persistent=True,  # by hand\n)\n",
        id="a trailing comma and a comment",
    ),
]
DECLINED = [
    pytest.param("t = «GradientTape(**options)»\n", "unpacked", id="unpacked options may hold it"),
    pytest.param("t = «GradientTape(persistent=many)»\n", "computed", id="decided elsewhere"),
]


@pytest.mark.parametrize(("before", "after"), REWRITTEN)
def test_rewritten(before: str, after: str) -> None:
    assert rewritten(TapeAskedTwiceCommand, before) == after


@pytest.mark.parametrize(("text", "reason"), DECLINED)
def test_declined(text: str, reason: str) -> None:
    assert reason in refusal(TapeAskedTwiceCommand, text)


def test_together_with_the_other_codemod_of_the_same_call() -> None:
    text, (span,) = unmark("t = «tf.GradientTape(watch_accessed_variables=False)»\n")
    commands = (TapeAskedTwiceCommand, VariablesNotWatchedCommand)
    edited = apply(text, [finding(command, span) for command in commands], *commands)
    assert edited.text == "t = tf.GradientTape(persistent=True)\n"


def test_program(diff: SnapshotAssertion) -> None:
    assert check_rewrite(PROGRAMS["tape_asked_twice"], "two_gradients") == diff(name="two_gradients")
