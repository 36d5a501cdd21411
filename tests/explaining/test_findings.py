"""Causes as findings, and where they and the static analysis say different things; made from records by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tfgradfix.explaining import Cause, Explanation, Missing, Reason, Step
from tfgradfix.explaining.disagreement import disagreement
from tfgradfix.explaining.findings import findings_of
from tfgradfix.model import Extent, Level, Position, Span
from tfgradfix.report.explanation import disagreement_lines
from tfgradfix.report.text import plain
from tfgradfix.rewrite.registry import entry
from tfgradfix.verify import Version
from tfgradfix.verify.records import Place

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "h = w * 2\n\n\n    a = np.square(h)\n\n\nloss = a + 1\n\n\ntape.gradient(loss, w)\n"
CUT = Place("a.py", 4)
PATH = (
    Step("Mul", Place("a.py", 1), None),
    Step("numpy.square", CUT, Reason.LEFT),
    Step("Add", Place("a.py", 7), None),
)
LEFT = Cause(Reason.LEFT, (CUT,), ("w",), how="numpy.square", path=PATH)
RAN = frozenset({("a.py", row) for row in (1, 4, 7, 10)})


def explanation(*causes: Cause) -> Explanation:
    return Explanation("a.py", (Missing("gradient", (Place("a.py", 10),), 1, 1, causes),), calls=1, ran=RAN)


@pytest.fixture
def version(tmp_path: Path) -> Version:
    """A program whose text in memory is not the one on the disk."""
    (tmp_path / "a.py").write_text("older\n")
    return Version(tmp_path / "a.py", tmp_path, {tmp_path / "a.py": TEXT.encode()})


def test_a_cause_is_a_finding_of_its_rule_at_its_line(version: Version) -> None:
    (finding,) = findings_of(explanation(LEFT, LEFT), version)
    assert (finding.code, finding.name, finding.level) == ("TGF101", "numpy-call", Level.SAFE)
    assert finding.span == Span(str(version.script), Position(4, 5), Position(4, 21))
    assert finding.message == "the value left TensorFlow through numpy.square"
    assert [step.text for step in finding.path] == ["h = w * 2", "CUT a = np.square(h)", "loss = a + 1"]
    assert finding.extent is Extent.WHOLE


def test_a_value_that_joins_the_way_takes_a_part(version: Version) -> None:
    (finding,) = findings_of(explanation(replace(LEFT, partial=True)), version)
    assert finding.extent is Extent.PARTIAL


def test_a_cause_without_a_rule_says_so(version: Version) -> None:
    (finding,) = findings_of(explanation(Cause(Reason.OTHER_TAPE, (CUT,), how="Mul")), version)
    assert (finding.code, finding.name, finding.level) == ("", "another-tape", Level.MANUAL)


def test_a_cause_without_a_line_is_no_finding(version: Version) -> None:
    assert findings_of(explanation(Cause(Reason.UNKNOWN)), version) == ()


@pytest.mark.parametrize("reason", list(Reason))
def test_every_code_is_a_rule(reason: Reason, version: Version) -> None:
    (finding,) = findings_of(explanation(Cause(reason, (CUT,), how=".numpy()")), version)
    assert not finding.code or entry(finding.code) is not None


def test_the_same_line_is_no_disagreement(version: Version) -> None:
    seen = findings_of(explanation(LEFT), version)
    assert not disagreement(seen, seen, explanation(LEFT), version.folder)


def test_each_side_is_told(version: Version) -> None:
    seen = findings_of(explanation(LEFT), version)
    (elsewhere,) = findings_of(explanation(replace(LEFT, chain=(Place("a.py", 7),), path=())), version)
    apart = disagreement([elsewhere], seen, explanation(LEFT), version.folder)
    assert (apart.static_only, apart.run_only) == ((elsewhere,), seen)
    told = plain(disagreement_lines(apart))
    assert "a.py:4  TGF101 numpy-call: the value left" in told
    assert told.index("a.py:4") < told.index("a.py:7")


def test_a_line_that_was_not_reached_says_nothing_against_the_analysis(version: Version) -> None:
    seen = findings_of(explanation(LEFT), version)
    (elsewhere,) = findings_of(explanation(replace(LEFT, chain=(Place("a.py", 7),), path=())), version)
    found = replace(explanation(LEFT), ran=frozenset({("a.py", 4)}))
    assert not disagreement([*seen, elsewhere], seen, found, version.folder)


def test_a_run_that_died_in_graph_mode_says_nothing_against_conditions_in_it(version: Version) -> None:
    (finding,) = findings_of(explanation(Cause(Reason.GRAPH_CONDITION, (CUT,))), version)
    lived = explanation()
    died = replace(lived, graph=(Cause(Reason.GRAPH_VALUE, (Place("a.py", 7),)),))
    assert disagreement([finding], (), lived, version.folder).static_only == (finding,)
    assert not disagreement([finding], (), died, version.folder).static_only
