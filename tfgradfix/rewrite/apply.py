"""Findings are repaired in rounds until nothing is left to do; what cannot be repaired whole is given back as it was.

A round analyses the program, applies every unit that can be applied, and leaves what it brings to light to the next
round. When at the end a cut is left that was not there at first, the repair before it was in vain: the gradient is
still missing. Then all is done again from the start without that unit, and again, until every unit that was applied
was worth it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from tfgradfix.analyse import analyse
from tfgradfix.analyse.concerned import concerned
from tfgradfix.model import Declined, Finding, Level
from tfgradfix.read.source import split_lines
from tfgradfix.rewrite.origins import Origins
from tfgradfix.rewrite.registry import entries
from tfgradfix.rewrite.units import Terms, Unit, obstacle, place, targets_of, units_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from tfgradfix.rewrite.units import Located

#: After so many rounds the edits are taken to chase each other.
MOST_ROUNDS: Final = 10


@dataclass(frozen=True)
class Rewritten:
    """What came of a program.

    ``texts`` holds the changed modules only. ``findings`` are those of the program as it was given, by module;
    ``fixed`` and ``declined`` are those among them that were repaired, and those that could not be, and why.
    """

    texts: Mapping[Path, str]
    findings: Mapping[Path, tuple[Finding, ...]]
    fixed: Mapping[Path, tuple[Finding, ...]]
    declined: Mapping[Path, tuple[Declined, ...]]


@dataclass(frozen=True)
class Course:
    """How the rounds went: the texts they led to, the units they applied, and what is left with the reasons.

    ``refused`` are findings that a round left as they are and later rounds did not meet again, and why;
    ``moving`` the modules that the last of too many rounds still changed.
    """

    texts: Mapping[Path, str]
    applied: tuple[Unit, ...]
    left: tuple[Located, ...]
    reasons: Mapping[Finding, str]
    refused: Mapping[Finding, str] = field(default_factory=dict)
    moving: frozenset[Path] = frozenset()


def rewrite(
    program: Mapping[Path, str],
    *,
    editable: Collection[Path] | None = None,
    select: Callable[[Finding], bool] = lambda _: True,
    unsafe: bool = False,
    found: Mapping[Path, tuple[Finding, ...]] | None = None,
    graph_ready: bool = False,
) -> Rewritten:
    """Repair what can be repaired in ``program``.

    Args:
        program: the text of every module, newlines as they are; each has to parse.
        editable: the modules that may be changed; None for all of them.
        select: whether a finding (in the text as given) may be repaired.
        unsafe: also make edits that may change something observable besides the gradient.
        found: what the analysis says of ``program``, where that is known already.
        graph_ready: also make traceable what the gradient does not need (see ``analyse``); ``found`` is of this too.
    """
    origins = Origins(program, analyse(program, graph_ready=graph_ready) if found is None else found)
    if not any(origins.found.values()):
        return Rewritten({}, origins.found, {}, {})
    may_change = program.keys() if editable is None else frozenset(editable)
    codes = {entry.code for entry in entries() if entry.repairs}
    terms = Terms(editable=may_change, select=select, unsafe=unsafe, codes=codes, graph_ready=graph_ready)
    part = concerned(program, [path for path, found_there in origins.found.items() if found_there])
    while True:
        course = run(origins, terms, part)
        vain = in_vain(course)
        if not vain:
            return outcome(origins, course)
        terms = replace(terms, vain={**terms.vain, **vain})


def run(origins: Origins, terms: Terms, part: Collection[Path]) -> Course:
    """Play rounds until one changes nothing, or there were too many; only ``part`` of the program can change."""
    texts, applied, refused = dict(origins.texts), list[Unit](), dict[Finding, str]()
    left = origins.locate(texts, origins.found, ())
    moving: frozenset[Path] = frozenset()
    for _ in range(MOST_ROUNDS):
        units = units_of(left)
        reasons = {unit.name: reason for unit in units if (reason := obstacle(unit, terms)) is not None}
        ready = [unit for unit in units if unit.name not in reasons and unit.whole not in reasons]
        if not ready:
            return Course(texts, tuple(applied), left, by_finding(units, reasons), refused)
        # Imported here: LibCST is loaded only when something is rewritten.
        from tfgradfix.rewrite.round import play

        done = play(texts, ready)
        if not done.texts:
            idle = dict.fromkeys((unit.name for unit in done.applied), "is left as it is by its codemod")
            return Course(texts, tuple(applied), left, by_finding(units, {**reasons, **done.reasons, **idle}), refused)
        texts.update(done.texts)
        applied.extend(done.applied)
        refused.update(by_finding(units, done.reasons))
        moving = frozenset(done.texts)
        findings = dict.fromkeys(texts, ()) | analyse(
            {path: texts[path] for path in part}, graph_ready=terms.graph_ready
        )
        left = origins.locate(texts, findings, {member.origin for unit in applied for member in unit.members})
    return Course(texts, tuple(applied), left, {}, refused, moving)


def by_finding(units: Iterable[Unit], reasons: Mapping[str, str]) -> Mapping[Finding, str]:
    """The reason of each finding whose unit was not applied."""
    return {member.origin: reasons[unit.name] for unit in units for member in unit.members if unit.name in reasons}


def in_vain(course: Course) -> Mapping[Finding, str]:
    """The findings whose repair came to nothing, and why; empty when all is well."""
    repaired = [unit for unit in course.applied if not all(member.is_new for member in unit.members)]
    vain: dict[Finding, str] = {}
    if course.moving:
        moving = [unit for unit in repaired if not unit.paths.isdisjoint(course.moving)] or repaired
        again = "is repaired again and again, please report it"
        return {member.origin: again for unit in moving for member in unit.members}
    for trouble in (located for located in course.left if located.is_new):
        why = course.reasons.get(trouble.origin, "has no automatic repair")
        reason = f"would be repaired in vain: {place(trouble.origin)} cuts the same path and {why}"
        for unit in at_fault(repaired, trouble):
            vain.update((member.origin, reason) for member in unit.members)
    return vain


def at_fault(repaired: Sequence[Unit], trouble: Located) -> Sequence[Unit]:
    """The units whose repair a cut makes useless: those of its target, else of its module, else all."""
    same_target = [unit for unit in repaired if unit.targets & targets_of(trouble)]
    same_module = [unit for unit in repaired if trouble.path in unit.paths]
    return same_target or same_module or repaired


def still_there(origins: Origins, course: Course) -> Mapping[Finding, str]:
    """The refused findings whose line still stands although nothing is wrong with it any more, and why.

    A branch on tensors works as it is once the gradient path round it is whole.
    """
    applied = {member.origin for unit in course.applied for member in unit.members}
    there: dict[Finding, str] = {}
    for path, found in origins.found.items():
        lines = set(split_lines(course.texts[path]))
        for one in found:
            line = split_lines(origins.texts[path])[one.span.start.row - 1]
            if one in course.refused and one not in applied and line in lines:
                there[one] = course.refused[one]
    return there


def outcome(origins: Origins, course: Course) -> Rewritten:
    """What to tell of the program as it was given."""
    reasons = {**still_there(origins, course), **course.reasons}
    left = {located.origin for located in course.left} | reasons.keys()
    fixed = {path: tuple(one for one in found if one not in left) for path, found in origins.found.items()}
    declined = {
        path: tuple(Declined(one, reasons[one]) for one in found if one in reasons and one.level is not Level.MANUAL)
        for path, found in origins.found.items()
    }
    texts = {path: text for path, text in course.texts.items() if text != origins.texts[path]}
    return Rewritten(texts, origins.found, fixed, declined)
