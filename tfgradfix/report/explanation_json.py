"""An explaining run as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfgradfix.explaining.words import code_of, sentence

if TYPE_CHECKING:
    from tfgradfix.explaining import Cause, Explanation
    from tfgradfix.verify.records import Place


def explanation_record(found: Explanation) -> dict[str, Any]:
    """What ``tfgradfix run --json`` prints."""
    return {
        "script": found.script,
        "ended": found.ended,
        "failure": str(found.failure) if found.failure is not None else None,
        "gradient_calls": found.calls,
        "graph": [_cause(cause) for cause in found.graph],
        "missing": [
            {
                "call": [_place(place) for place in each.call],
                "method": each.method,
                "sources": each.sources,
                "none": each.lost,
                "error": each.error,
                "causes": [_cause(cause) for cause in each.causes],
            }
            for each in found.missing
        ],
        "hooks_missing": list(found.hooks),
        "troubles": list(found.troubles),
        "versions": dict(found.versions),
        "seconds": round(found.seconds, 3),
    }


def _cause(cause: Cause) -> dict[str, Any]:
    return {
        "code": code_of(cause),
        "reason": cause.reason.value,
        "message": sentence(cause),
        "chain": [_place(place) for place in cause.chain],
        "numpy": [_place(place) for place in cause.numpy],
        "entry": [_place(place) for place in cause.entry],
        "sources": list(cause.sources),
        "presumed": cause.presumed,
        "functions_eager": cause.eager,
        "path": [
            {
                "operation": step.name,
                "place": _place(step.place) if step.place is not None else None,
                "cut": step.cut.value if step.cut is not None else None,
            }
            for step in cause.path
        ],
    }


def _place(place: Place) -> dict[str, Any]:
    return {"filename": place.file, "row": place.line, "function": place.function}
