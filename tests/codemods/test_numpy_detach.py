"""`x.numpy()` on the path is taken off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.numpy_detach import NumpyDetachCommand

from tests.codemods.faulty import PROGRAMS
from tests.helpers import check_rewrite, refusal, rewritten

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

REWRITTEN = [
    pytest.param("y = «x.numpy()»\n", "y = x\n", id="a name"),
    pytest.param("y = «(a + b).numpy()» * 2\n", "y = (a + b) * 2\n", id="parentheses bind the sum"),
    pytest.param("y = «(await f()).numpy()»\n", "y = (await f())\n", id="await"),
    pytest.param("y = («x.numpy()»)\n", "y = (x)\n", id="parentheses round the call"),
    pytest.param("y = 'é' + «x.numpy()».T\n", "y = 'é' + x.T\n", id="non-ASCII before it"),
    pytest.param("if x: y = «x.numpy()»; z = 1\n", "if x: y = x; z = 1\n", id="one line"),
    pytest.param("y = (\r\n\t«x\r\n\t.numpy()»\r\n)", "y = (\r\n\tx\r\n)", id="CRLF and tabs"),
]
DECLINED = [pytest.param("y = «x.numpy(1)»\n", "plain", id="an argument")]


@pytest.mark.parametrize(("before", "after"), REWRITTEN)
def test_rewritten(before: str, after: str) -> None:
    assert rewritten(NumpyDetachCommand, before) == after


@pytest.mark.parametrize(("text", "reason"), DECLINED)
def test_declined(text: str, reason: str) -> None:
    assert reason in refusal(NumpyDetachCommand, text)


def test_program(diff: SnapshotAssertion) -> None:
    assert check_rewrite(PROGRAMS["numpy_detach"], "prediction") == diff(name="prediction")
