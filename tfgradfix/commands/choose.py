"""``fix --interactive``: asks about each change before anything is written, as ``git add -p`` does."""

from __future__ import annotations

import shutil
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from tfgradfix.migrate.plan import with_all_found
from tfgradfix.options import fail, is_stdin
from tfgradfix.pipeline import examine
from tfgradfix.report.changes import Changes
from tfgradfix.report.review import change_lines
from tfgradfix.report.rules import rule_text
from tfgradfix.report.terminal import show
from tfgradfix.report.text import AS_ASKED, Piece
from tfgradfix.rewrite.registry import entry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfgradfix.config import Settings
    from tfgradfix.model import Finding, Report
    from tfgradfix.report.changes import Change

_HELP: Final = """\
y - apply this fix
n - leave it
a - apply it and all later ones in these files
d - leave it and all later ones in these files
q - leave it and all later ones
e - explain it
? - print help
The files are written after the last answer. Control-C and Control-D leave all as it is.
"""
#: The exit status of a command that the interrupt key ended, as a shell gives it.
_INTERRUPTED: Final = 130


class LeftAsItWasError(Exception):
    """The input ended before the last answer: nothing is to be written."""


def chosen(paths: Sequence[Path], settings: Settings, *, diff: bool) -> Report:
    """Examine ``paths`` and ask; ends the run where nobody can be asked, or when the answers end early."""
    if is_stdin(paths):
        fail("--interactive reads the answers from standard input: give a file or a folder instead of -")
    if diff:
        fail("--interactive shows each change itself: leave --diff out")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        fail("--interactive asks on a terminal, and this is none: run it in one, or see the changes with --diff")
    try:
        return choose(examine(paths, settings), lambda left_out: examine(paths, replace(settings, without=left_out)))
    except (LeftAsItWasError, KeyboardInterrupt):
        typer.echo("\ntfgradfix: stopped before the last answer: every file is as it was", err=True)
        raise typer.Exit(_INTERRUPTED) from None


def choose(report: Report, again: Callable[[frozenset[Finding]], Report]) -> Report:
    """Ask which changes of ``report`` to make.

    Args:
        report: what was found and repaired, in memory.
        again: makes the report anew without the repair of the findings given.

    Returns:
        The report with the changes that the user wants. What depends on a change that was left out is asked about
        again in the form that it has without it.

    Raises:
        LeftAsItWasError: there are no more answers.
    """
    asking, current = _Asking(), report
    left_out: set[Finding] = set()
    while refused := asking.refused(Changes(current, Path.cwd())):
        if refused <= left_out:
            raise RuntimeError("a fix came back that had been left out")
        left_out |= refused
        current = again(frozenset(left_out))
    return with_all_found(report, current, dict.fromkeys(left_out, AS_ASKED)) if left_out else report


class _Asking:
    """The answers so far: blocks that are wanted, and what was said of all later changes in some files."""

    def __init__(self) -> None:
        self.wanted: set[tuple[object, ...]] = set()
        self.standing: list[tuple[frozenset[Path], bool]] = []
        self.stopped = False
        self.rounds = 0

    def refused(self, changes: Changes) -> set[Finding]:
        """The findings of those changes that the user, asked about all that is new, does not want."""
        contents = {change: {block.content for block in change.blocks} for change in changes.all}
        new = [change for change in changes.all if not contents[change] <= self.wanted]
        self.rounds += 1
        if new and self.rounds > 1 and not self.stopped:
            show([(Piece("Without what you left out, this is different:", "bold"),)])
        refused: set[Finding] = set()
        for number, change in enumerate(new, 1):
            if self._wants(change, changes, f"{number}/{len(new)}"):
                self.wanted |= contents[change]
            else:
                refused.update(change.findings)
        return refused

    def _wants(self, change: Change, changes: Changes, number: str) -> bool:
        files = frozenset(block.body.path for block in change.blocks)
        if self.stopped:
            return False
        for paths, answer in self.standing:
            if files <= paths:
                return answer
        show(change_lines(change, changes))
        while True:
            letter = _asked(f"({number}) Apply this fix [y,n,a,d,q,e,?]? ")
            if letter in ("a", "d"):
                self.standing.append((files, letter == "a"))
            self.stopped = letter == "q"
            if letter in ("y", "n", "a", "d", "q"):
                return letter in ("y", "a")
            show(_wrapped("\n".join(_rules(change)) if letter == "e" else _HELP))


def _asked(question: str) -> str:
    """The first letter of the answer; none where it is empty."""
    show([(Piece(question, "bold blue"),)], end="")
    line = sys.stdin.buffer.readline()
    if not line:
        raise LeftAsItWasError
    return line.decode(errors="replace").strip()[:1].lower()


def _rules(change: Change) -> list[str]:
    """The documentation of every rule in ``change``."""
    found = (entry(code) for code in dict.fromkeys(finding.code for finding in change.findings))
    return [rule_text(one) for one in found if one is not None]


def _wrapped(text: str) -> list[tuple[Piece, ...]]:
    """``text`` in lines that fit the window, each part of a line as deep as its beginning."""
    width = shutil.get_terminal_size().columns
    lines: list[str] = []
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()))
        lines += textwrap.wrap(line, width, subsequent_indent=indent) or [""]
    return [(Piece(line),) for line in lines]
