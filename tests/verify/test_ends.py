"""What the end of a run says: an end that our own limits bring about is no fault of the change."""

from __future__ import annotations

import pytest

from tfgradfix.verify.ends import judge_end
from tfgradfix.verify.observe import Observations, Weight
from tfgradfix.verify.records import Failure, Run

FINE = Run(status=0)


def died(kind: str, message: str) -> Run:
    return Run(ended="error", status=1, failure=Failure(kind, message))


@pytest.mark.parametrize(
    ("before", "after", "weight"),
    [
        (FINE, FINE, Weight.NOTE),
        (FINE, died("ValueError", "no"), Weight.FAILURE),
        (died("ValueError", "step 3"), died("ValueError", "step 4"), Weight.OPEN),
        (FINE, died("PermissionError", "[Errno 13] Permission denied: '/data/model'"), Weight.OPEN),
        (FINE, died("PermissionDeniedError", "/data/logs; Permission denied"), Weight.OPEN),
        (FINE, died("OSError", "Unable to create file (unable to open file: errno = 13)"), Weight.OPEN),
        (FINE, Run(ended="limit", limit="used more than 2 GB of memory"), Weight.OPEN),
    ],
)
def test_weight(before: Run, after: Run, weight: Weight) -> None:
    seen = Observations()
    judge_end(before, after, seen)
    assert seen.worst is weight
