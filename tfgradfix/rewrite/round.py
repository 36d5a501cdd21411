"""One round: the edits of all units that can be repaired now, made together, file by file."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix.rewrite.registry import commands
from tfgradfix.rewrite.together import edit
from tfgradfix.rewrite.untouched import changed_elsewhere

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tfgradfix.model import Declined, Finding
    from tfgradfix.rewrite.units import Unit


@dataclass(frozen=True)
class FileRound:
    """One file after its edits: the text, and the units that must not be applied (declined) or not yet (postponed)."""

    text: str
    declined: Mapping[str, str] = field(default_factory=dict)
    postponed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Round:
    """The changed texts of one round, the units that were applied, and why others were not."""

    texts: Mapping[Path, str]
    applied: tuple[Unit, ...]
    reasons: Mapping[str, str]


def play(texts: Mapping[Path, str], units: Sequence[Unit]) -> Round:
    """Apply ``units`` to ``texts``. When a codemod refuses, its whole unit is dropped and the edits start again."""
    active = {unit.name: unit for unit in units}
    reasons: dict[str, str] = {}
    done: dict[tuple[Path, tuple[tuple[str, Finding], ...]], FileRound] = {}
    while True:
        work = {path: tuple(named) for path, named in by_file(active.values()).items()}
        for path, named in work.items():
            if (path, named) not in done:
                done[path, named] = edit_file(texts[path], named)
        rounds = [done[path, named] for path, named in work.items()]
        refused = {name for one in rounds for name in (*one.declined, *one.postponed)}
        if not refused:
            changed = {path: done[path, named].text for path, named in work.items()}
            changed = {path: text for path, text in changed.items() if text != texts[path]}
            return Round(changed, tuple(active.values()), reasons)
        for one in rounds:
            reasons.update({**one.postponed, **one.declined})
        active = {name: unit for name, unit in active.items() if name not in refused and unit.whole not in refused}


def by_file(units: Iterable[Unit]) -> Mapping[Path, list[tuple[str, Finding]]]:
    """The findings of each file, each with the name of its unit."""
    grouped: dict[Path, list[tuple[str, Finding]]] = defaultdict(list)
    for unit in units:
        for member in unit.members:
            grouped[member.path].append((unit.name, member.finding))
    return grouped


def edit_file(text: str, named: Sequence[tuple[str, Finding]]) -> FileRound:
    """Make the edits of one file, and find the units at fault when the result is not fit to be kept."""
    result = attempt(text, named)
    if isinstance(result, FileRound):
        return result
    names = list(dict.fromkeys(name for name, _ in named))
    alone = {name: attempt(text, [pair for pair in named if pair[0] == name]) for name in names}
    at_fault = {name: reason for name, reason in alone.items() if isinstance(reason, str)}
    if at_fault:
        return FileRound(text, declined=at_fault)
    # Each is fit by itself: one now, the others when it is done.
    return FileRound(text, postponed=dict.fromkeys(names[1:], result))


def attempt(text: str, named: Sequence[tuple[str, Finding]]) -> FileRound | str:
    """The file with its edits and refusals, or why the result cannot be kept."""
    findings = [finding for _, finding in named]
    try:
        edited = edit(text, findings, list(commands({finding.code for finding in findings}).values()))
    except cst.ParserSyntaxError as error:
        return f"LibCST cannot read this file: {error.message} in line {error.raw_line}"
    except Exception as error:  # noqa: BLE001 (a fault in one codemod must not take the other files with it)
        return f"the codemod failed, please report it: {type(error).__name__}: {error}"
    lost = dict.fromkeys(edited.unanswered, "its place was not found in LibCST's tree, please report it")
    declined = {**lost, **by_finding(edited.declined)}
    if not declined and not edited.postponed:
        fault = unfit(text, edited.text, findings)
        if fault is not None:
            return fault
    names = dict(reversed([(finding, name) for name, finding in named]))
    return FileRound(
        edited.text,
        declined={names[finding]: reason for finding, reason in declined.items()},
        postponed={names[finding]: reason for finding, reason in by_finding(edited.postponed).items()},
    )


def by_finding(refusals: Iterable[Declined]) -> dict[Finding, str]:
    """The reason of each refused finding."""
    return {refusal.finding: refusal.reason for refusal in refusals}


def unfit(before: str, after: str, findings: Iterable[Finding]) -> str | None:
    """Why ``after`` must not replace ``before``: it is not Python, or something else than the findings changed."""
    try:
        elsewhere = changed_elsewhere(before, after, findings)
    except SyntaxError as error:
        return f"the result would not be Python, please report it: {error.msg}"
    if elsewhere is not None:
        return f"the edit would reach line {elsewhere.lineno}, which no finding names, please report it"
    return None
