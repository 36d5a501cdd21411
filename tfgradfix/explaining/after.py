"""Why a version that was run for a proof still lacks gradients, or dies: an explaining run of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgradfix.explaining.explain import explain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tfgradfix.explaining.records import Explanation
    from tfgradfix.verify import Verdict, Version


def lacks(verdict: Verdict) -> bool:
    """Whether the version after gave a None gradient, could not be asked for one, or died."""
    if verdict.proven:
        return False
    none = any(source.none_after for row in verdict.rows for source in row.sources)
    return none or verdict.after.failure is not None or any(row.error_after for row in verdict.rows)


def why(
    verdict: Verdict, after: Version, *, python: Path | None, arguments: Sequence[str], timeout: float
) -> Explanation | None:
    """The explanation of what ``after`` lacks, or None where it lacks nothing that has a cause.

    Args:
        verdict: what the proof said of it.
        after: the version; it need not be on the disk.
        python: an interpreter that has TensorFlow; None to look for it.
        arguments: the command line of the script.
        timeout: seconds for one run.

    Raises:
        HarnessError: there is no interpreter that can run it.
    """
    if not lacks(verdict):
        return None
    found = explain(after, python=python, arguments=arguments, timeout=timeout)
    return found if found.causes else None
