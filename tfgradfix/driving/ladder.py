"""Drives changed files: by what the user names, by scripts, by tests, and at last by calls with generated inputs.

The next kind is taken for files of which no run before has shown anything: cheap and certain drivers come first, and
nothing is run twice. What the user names is all that is run for the files that it reaches, calls excepted.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from tfgradfix.driving.asked import Asked
from tfgradfix.driving.calls import Call, drive_of
from tfgradfix.driving.drive import Drive
from tfgradfix.driving.generated import Generated
from tfgradfix.driving.hints import hint_for
from tfgradfix.driving.reach import Reach, reach_in
from tfgradfix.driving.rest import explained
from tfgradfix.driving.scripts import scripts_for
from tfgradfix.driving.tests import nearest_tests, script_of
from tfgradfix.driving.where import Where, project_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from tfgradfix.driving.drive import Key
    from tfgradfix.driving.proof import Proof
    from tfgradfix.model import FileOutcome, Report

#: Scripts that are run for one file one after the other, as long as they show nothing.
ROUNDS: Final = 3


@dataclass
class Ladder:
    """Proves reports and remembers what it has run.

    ``asked`` is what the user names. ``search``: what no script of the report drives is looked for in the whole
    project, less what ``excluded`` says. ``where`` is the project, by default that around each file. ``told`` is called
    before each run with what is run, its number and how many there are. ``jobs`` runs are made at a time, each within
    ``timeout`` seconds. ``explains``: what is still missing after a change is explained by one more run.
    """

    python: Path | None
    timeout: float
    jobs: int = 1
    asked: Asked = field(default_factory=Asked)
    where: Where | None = None
    search: bool = False
    excluded: Callable[[Path], bool] | None = None
    told: Callable[[Path, int, int], None] = lambda *_: None
    explains: bool = False
    known: dict[Key, Proof] = field(default_factory=dict)

    def __call__(self, report: Report) -> tuple[Proof, ...]:
        """What can be shown of the changed files of ``report``."""
        changed = {file.path: file for file in report.files if file.after is not None}
        if not changed:
            return ()
        climb = _Climb(self, reach_in(report, self.where.folder if self.where else None), changed)
        climb.up()
        return tuple(climb.told())

    def prove(self, drives: Sequence[Drive | Generated]) -> list[Proof]:
        """The proof by each of ``drives``; those that were run before are remembered."""
        keys = [drive.key for drive in drives]
        waiting = [(key, drive) for key, drive in zip(keys, drives, strict=True) if key not in self.known]

        def run(number: int) -> Proof:
            drive = waiting[number][1]
            self.told(drive.shown, number + 1, len(waiting))
            proof = drive.prove(self.python, self.timeout)
            if self.explains and isinstance(drive, Drive):
                return explained(drive, proof, self.python, self.timeout)
            return proof

        with ThreadPoolExecutor(self.jobs) as pool:
            proofs = list(pool.map(run, range(len(waiting))))
        self.known.update((key, proof) for (key, _), proof in zip(waiting, proofs, strict=True))
        return [self.known[key] for key in keys]


@dataclass
class _Climb:
    """One report on its way through the kinds of drivers; ``missing`` are the files that nothing was shown of yet."""

    ladder: Ladder
    reach: Reach
    changed: dict[Path, FileOutcome]
    missing: list[Path] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)

    def up(self) -> None:
        """Take one kind after the other until something is shown of every file."""
        self.missing = list(self.changed)
        asked = list(self._asked())
        self._run(asked)
        theirs = {path for drive in asked for path in drive.changed}
        tried: set[Path] = set()
        for number in range(ROUNDS):
            if number == 1 and self.ladder.search and self.missing:
                self.reach.look_around(self.missing, self.ladder.excluded)
            # Where one script takes too long, the next would, too.
            scripts = scripts_for(self.reach, self.changed, self._but(theirs | self._slow()), tried)
            self._run([Drive(script, self._files(used), self._where(script)) for script, used in scripts.items()])
            tried.update(scripts)
        self._run(list(self._tests(self._but(theirs))))
        proven = {path for proof in self.proofs for path in proof.changed}
        generated = [self._generated(path, path not in proven) for path in self.missing]
        self._run([each for each in generated if each.first or each.possible])

    def told(self) -> Iterator[Proof]:
        """The proofs; the last of a file that nothing was shown of comes with the hint how to drive it."""
        last = {path: number for number, proof in enumerate(self.proofs) for path in proof.changed}
        for number, proof in enumerate(self.proofs):
            left = [path for path in self.missing if last[path] == number]
            hints = [hint for path in left if (hint := self._hint(path))]
            yield replace(proof, hint="\n\n".join(hints)) if hints else proof

    def _hint(self, path: Path) -> str | None:
        scripts = [proof.script for proof in self.proofs if path in proof.changed and not proof.title]
        return hint_for(self.changed[path], self._where(path).folder, scripts[0] if scripts else None)

    def _run(self, drives: Sequence[Drive | Generated]) -> None:
        proofs = self.ladder.prove(drives)
        self.proofs += proofs
        shown = {path for proof in proofs if not proof.silent for path in proof.changed}
        self.missing = [path for path in self.missing if path not in shown]

    def _asked(self) -> Iterator[Drive]:
        for command in self.ladder.asked.commands:
            used = self._used(command.script)
            if used:
                yield Drive(command.script, self._files(used), self._where(command.script), command.arguments)
        for function in self.ladder.asked.functions:
            used, spec = self._used(function.file), function.spec
            if used:
                call = Call(spec.call.partition(":")[2], spec.inputs, spec.wrt, spec.seed)
                yield drive_of(function.file, call, self._files(used), self._where(function.file))

    def _tests(self, missing: Collection[Path]) -> Iterator[Drive]:
        for test, used in nearest_tests(self.reach, self.changed, missing, self._where).items():
            where = self._where(used[0])
            name = test.relative_to(where.folder).as_posix()
            yield Drive(
                script=where.folder / f"tests of {test.stem}",
                files=self._files(used),
                where=where,
                text=script_of(test, where.folder, self.reach.tree(test)),
                title=f"the tests in {name}",
                about=test,
            )

    def _slow(self) -> set[Path]:
        verdicts = [(proof, proof.verdict) for proof in self.proofs]
        return {path for proof, each in verdicts if each and each.after.ended == "time limit" for path in proof.changed}

    def _generated(self, path: Path, first: bool) -> Generated:
        return Generated(self.changed[path], self._files(self._used(path)), self._where(path), first)

    def _where(self, path: Path) -> Where:
        return self.ladder.where or project_of(path)

    def _used(self, script: Path) -> list[Path]:
        reached = self.reach.of(script)
        return [path for path in self.changed if path in reached]

    def _files(self, paths: Iterable[Path]) -> tuple[FileOutcome, ...]:
        return tuple(self.changed[path] for path in paths)

    def _but(self, theirs: Collection[Path]) -> list[Path]:
        return [path for path in self.missing if path not in theirs]
