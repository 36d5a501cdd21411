"""`tape.watch(x)` becomes the first statement of the block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.source_not_watched import SourceNotWatchedCommand

from tests.codemods.faulty import PROGRAMS
from tests.helpers import check_rewrite, refusal, rewritten

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

REWRITTEN = [
    pytest.param(
        "«with tf.GradientTape() as tape:\n    y = x * x»\n",
        "x",
        "with tf.GradientTape() as tape:\n    tape.watch(x)\n    y = x * x\n",
        id="a block",
    ),
    pytest.param(
        "«with tf.GradientTape() as tape: y = x * x»\n",
        "x",
        "with tf.GradientTape() as tape: tape.watch(x); y = x * x\n",
        id="a block on one line",
    ),
    pytest.param(
        "«with tf.GradientTape() as tape:\n    y = f(a, b)»\n",
        "a,self.b[0]",
        "with tf.GradientTape() as tape:\n    tape.watch([a,self.b[0]])\n    y = f(a, b)\n",
        id="several sources",
    ),
    pytest.param(
        "def f():\r\n\t«with A as a, tf.GradientTape() as tape:  # record\r\n\t\t# forward\r\n\t\ty = x»\r\n",
        "x",
        "def f():\r\n\twith A as a, tf.GradientTape() as tape:  # record\r\n\t\ttape.watch(x)\r\n"
        "\t\t# forward\r\n\t\ty = x\r\n",
        id="CRLF, tabs, comments and a second item",
    ),
    pytest.param(
        "«with tf.GradientTape() as tape:\n    tape.watch(y)\n    z = x * y»\n",
        "x",
        "with tf.GradientTape() as tape:\n    tape.watch(x)\n    tape.watch(y)\n    z = x * y\n",
        id="another watch stays",
    ),
]
WITH = "«with tf.GradientTape() as tape:\n    pass»\n"


@pytest.mark.parametrize(("before", "source", "after"), REWRITTEN)
def test_rewritten(before: str, source: str, after: str) -> None:
    assert rewritten(SourceNotWatchedCommand, before, facts={"tape": "tape", "source": source}) == after


DECLINED = [
    pytest.param({"tape": "tape"}, id="a source without a name"),
    pytest.param({"source": "x"}, id="a tape without a name"),
]


@pytest.mark.parametrize("facts", DECLINED)
def test_declined(facts: dict[str, str]) -> None:
    assert "no name" in refusal(SourceNotWatchedCommand, WITH, facts=facts)


def test_the_outer_of_two_tapes() -> None:
    before = "«with tf.GradientTape() as outer:\n  with tf.GradientTape() as inner:\n    y = x»\n"
    after = rewritten(SourceNotWatchedCommand, before, facts={"tape": "outer", "source": "x"})
    assert after == (
        "with tf.GradientTape() as outer:\n  outer.watch(x)\n  with tf.GradientTape() as inner:\n    y = x\n"
    )


def test_program(diff: SnapshotAssertion) -> None:
    assert check_rewrite(PROGRAMS["source_not_watched"], "gradient_of_an_input") == diff(name="gradient_of_an_input")
