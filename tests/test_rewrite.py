"""Units and rounds: what is applied, what is refused, and when the whole is given back as it was."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tfgradfix.model import Extent, Finding, Level, Operand, Position, Span, Step
from tfgradfix.rewrite import apply
from tfgradfix.rewrite.apply import Rewritten, rewrite

if TYPE_CHECKING:
    from collections.abc import Mapping

A = Path("a.py")
B = Path("b.py")

#: What the analysis of these tests finds: a pattern, the code, the level, and whether a `.numpy()` in its line hides it.
PATTERNS = (
    (re.compile(r"\w+\.numpy\(\w*\)"), "TGF103", Level.SAFE, False),
    (re.compile(r"argmax\(\w+\)"), "TGF401", Level.MANUAL, True),
    (re.compile(r"float\(\w+\)"), "TGF104", Level.SAFE, True),
    (re.compile(r"exp\(\w+\)"), "TGF104", Level.UNSAFE, False),
    (re.compile(r"fill\(\w+\)"), "TGF999", Level.SAFE, False),
)


def by_pattern(sources: Mapping[Path, str], *, graph_ready: bool = False) -> dict[Path, tuple[Finding, ...]]:
    """A stand-in for the analysis; a comment such as `# a` names the unit of the findings in its line."""
    return {path: tuple(findings(path, text)) for path, text in sources.items()}


def findings(path: Path, text: str) -> list[Finding]:
    found = []
    for row, line in enumerate(text.splitlines(), start=1):
        for pattern, code, level, hidden in PATTERNS:
            for match in pattern.finditer(line) if not (hidden and ".numpy()" in line) else ():
                span = Span(str(path), Position(row, match.start() + 1), Position(row, match.end() + 1))
                unit = line.partition("# ")[2]
                found.append(made(code, level, span, unit))
    return found


def made(code: str, level: Level, span: Span, unit: str) -> Finding:
    path = (Step(span, "source"), Step(span, "target"))
    return Finding(
        code=code,
        name=f"fault-{code[-3:]}",
        span=span,
        message="cut",
        level=level,
        extent=Extent.WHOLE,
        path=path,
        unit=unit,
        symbol="builtins.float" if code == "TGF104" else "",
        operands=(Operand("tensor", "float32", 0),),
        tensorflow="tf",
    )


@pytest.fixture
def pattern_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apply, "analyse", by_pattern)


pytestmark = pytest.mark.usefixtures("pattern_analysis")


def reasons(result: Rewritten, path: Path = A) -> list[str]:
    return [declined.reason for declined in result.declined.get(path, ())]


def test_nothing_found() -> None:
    assert rewrite({A: "y = x\n"}) == Rewritten({}, {A: ()}, {}, {})


def test_a_repair_and_what_it_brings_to_light() -> None:
    result = rewrite({A: "y = float(x.numpy())\n"})
    assert result.texts == {A: "y = float(x)\n"} or result.texts == {A: "y = x\n"}
    assert len(result.fixed[A]) == 1
    assert not reasons(result)


def test_findings_given_are_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    program = {A: "y = x.numpy()\n"}
    found = by_pattern(program)
    calls: list[Mapping[Path, str]] = []

    def counted(texts: Mapping[Path, str], *, graph_ready: bool) -> dict[Path, tuple[Finding, ...]]:
        calls.append(texts)
        return by_pattern(texts, graph_ready=graph_ready)

    monkeypatch.setattr(apply, "analyse", counted)
    assert rewrite(program, found=found).texts == {A: "y = x\n"}
    assert len(calls) == 1


def test_a_unit_is_applied_whole_or_not_at_all() -> None:
    result = rewrite({A: "y = a.numpy()  # u\nz = b.numpy(1)  # u\nw = c.numpy()  # v\n"})
    assert result.texts == {A: "y = a.numpy()  # u\nz = b.numpy(1)  # u\nw = c  # v\n"}
    assert [finding.span.start.row for finding in result.fixed[A]] == [3]
    assert reasons(result) == ["this is not a plain .numpy() call"] * 2


def test_a_unit_across_files() -> None:
    program = {A: "y = a.numpy()  # u\n", B: "z = b.numpy(1)  # u\n"}
    assert not rewrite(program).texts
    program[B] = "z = b.numpy()  # u\n"
    assert rewrite(program).texts == {A: "y = a  # u\n", B: "z = b  # u\n"}


def test_only_files_that_may_be_changed() -> None:
    program = {A: "y = a.numpy()  # u\n", B: "z = b.numpy()  # u\n"}
    result = rewrite(program, editable={A})
    assert not result.texts
    assert "b.py, which is not among the files" in reasons(result)[0]


def test_a_manual_finding_keeps_its_unit_as_it_is() -> None:
    result = rewrite({A: "y = a.numpy()  # u\nz = argmax(b)  # u\n"})
    assert not result.texts
    # Nothing is declined of what nobody could repair.
    assert [declined.finding.code for declined in result.declined[A]] == ["TGF103"]
    assert "TGF401 fault-401 at 2:5 has no automatic repair: cut" in reasons(result)[0]


def test_unsafe_edits_only_when_asked_for() -> None:
    program = {A: "y = exp(x)\n"}
    assert "--unsafe-fixes" in reasons(rewrite(program))[0]
    assert rewrite(program, unsafe=True).texts == {A: "y = x\n"}


def test_a_code_without_a_codemod() -> None:
    assert "no codemod" in reasons(rewrite({A: "y = fill(x)\n"}))[0]


def test_findings_that_are_not_selected() -> None:
    program = {A: "y = a.numpy()\nz = b.numpy()\n"}
    result = rewrite(program, select=lambda finding: finding.span.start.row == 2)
    assert result.texts == {A: "y = a.numpy()\nz = b\n"}
    assert reasons(result) == ["is not selected"]


def test_the_selection_is_asked_in_terms_of_the_text_as_given() -> None:
    program = {A: "import numpy\n\n\ny = float(x.numpy())  # u\nz = b.numpy()\n"}
    asked: set[int] = set()

    def select(finding: Finding) -> bool:
        asked.add(finding.span.start.row)
        return True

    rewrite(program, select=select)
    assert asked == {4, 5}


def test_a_repair_in_vain_is_taken_back() -> None:
    text = "y = argmax(a.numpy())  # u\nz = b.numpy()  # v\n"
    text = text.replace("argmax(a.numpy())", "a.numpy() + argmax(a)")
    result = rewrite({A: text})
    assert result.texts == {A: text.replace("b.numpy()", "b")}
    assert [finding.span.start.row for finding in result.fixed[A]] == [2]
    assert "in vain: TGF401 fault-401 at 1:" in reasons(result)[0]


def test_a_file_that_libcst_cannot_read(monkeypatch: pytest.MonkeyPatch) -> None:
    result = rewrite({A: "y = x.numpy()\nprint 'two'\n", B: "y = x.numpy()\n"})
    assert result.texts == {B: "y = x\n"}
    assert "LibCST cannot read" in reasons(result)[0]


def test_a_codemod_that_fails_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfgradfix_codemods import numpy_detach

    def fail(call: object) -> object:
        raise KeyError("oh")

    monkeypatch.setattr(numpy_detach, "receiver", fail)
    result = rewrite({A: "y = x.numpy()\nz = exp(x)\n"}, unsafe=True)
    assert result.texts == {A: "y = x.numpy()\nz = x\n"}
    assert reasons(result) == ["the codemod failed, please report it: KeyError: 'oh'"]


def test_edits_outside_the_findings_are_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfgradfix.rewrite import round as one_round
    from tfgradfix.rewrite.together import Edited

    monkeypatch.setattr(one_round, "edit", lambda *_: Edited("y = x\nz = 2\n"))
    result = rewrite({A: "y = x.numpy()\nz = 1\n"})
    assert not result.texts
    assert "would reach line 2" in reasons(result)[0]


def test_what_would_not_be_python_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfgradfix.rewrite import round as one_round
    from tfgradfix.rewrite.together import Edited

    monkeypatch.setattr(one_round, "edit", lambda *_: Edited("y = = x\n"))
    assert "would not be Python" in reasons(rewrite({A: "y = x.numpy()\n"}))[0]


def test_edits_that_do_not_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfgradfix.rewrite import round as one_round
    from tfgradfix.rewrite.together import Edited

    monkeypatch.setattr(one_round, "edit", lambda text, *_: Edited(text.replace("= ", "= 1+")))
    result = rewrite({A: "y = x.numpy()\n", B: "z = 1\n"})
    assert not result.texts
    assert reasons(result) == ["is repaired again and again, please report it"]


def test_an_edit_that_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfgradfix.rewrite import round as one_round
    from tfgradfix.rewrite.together import Edited

    monkeypatch.setattr(one_round, "edit", lambda text, *_: Edited(text))
    assert reasons(rewrite({A: "y = x.numpy()\n"})) == ["is left as it is by its codemod"]


def test_a_finding_whose_place_is_not_in_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    def shifted(sources: Mapping[Path, str], *, graph_ready: bool) -> dict[Path, tuple[Finding, ...]]:
        span = Span("a.py", Position(1, 2), Position(1, 3))
        return {path: (made("TGF103", Level.SAFE, span, ""),) for path in sources}

    monkeypatch.setattr(apply, "analyse", shifted)
    assert "not found" in reasons(rewrite({A: "y = x.numpy()\n"}))[0]


def test_a_postponed_unit_has_its_turn_in_the_next_round(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfgradfix_codemods.numpy_detach import NumpyDetachCommand

    original = NumpyDetachCommand.leave_Call

    def one_a_round(self, original_node, updated_node):  # type: ignore[no-untyped-def]
        here = self.finding(original_node)
        if here is not None and [one for one in self.answered if one != here]:
            self.postpone(here, "another edit comes first")
            return updated_node
        return original(self, original_node, updated_node)

    monkeypatch.setattr(NumpyDetachCommand, "leave_Call", one_a_round)
    result = rewrite({A: "y = a.numpy()\nz = b.numpy()\n"})
    assert result.texts == {A: "y = a\nz = b\n"}
    assert len(result.fixed[A]) == 2


def test_units_that_only_fit_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfgradfix.rewrite import round as one_round
    from tfgradfix.rewrite.together import Edited, edit

    def one_by_one(text, found, commands):  # type: ignore[no-untyped-def]
        return edit(text, found, commands) if len(found) == 1 else Edited("= both\n")

    monkeypatch.setattr(one_round, "edit", one_by_one)
    assert rewrite({A: "y = a.numpy()\nz = b.numpy()\n"}).texts == {A: "y = a\nz = b\n"}


def test_twice_is_once() -> None:
    once = rewrite({A: "y = a.numpy() + float(b)  # u\nz = argmax(c)\n"}).texts
    again = rewrite(once)
    assert not again.texts
