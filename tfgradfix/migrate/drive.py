"""Runs what can be driven for a proof, each script once for each state of the files that it uses."""

from __future__ import annotations

import shlex
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tfgradfix.migrate.errors import MigrateError
from tfgradfix.prove import prove_script, reach_of, scripts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfgradfix.model import FileOutcome, Report
    from tfgradfix.prove import Proof

    Key = tuple[Path, tuple[str, ...], tuple[tuple[Path, bytes | None], ...]]


@dataclass(frozen=True)
class Command:
    """A script that the user names for the proof, and its arguments."""

    script: Path
    arguments: tuple[str, ...]


def read_command(text: str, folder: Path) -> Command:
    """The command of ``--verify-with``: ``python SCRIPT ARGUMENTS``, the script counted from ``folder``.

    Raises:
        MigrateError: it is something else, or there is no such script.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise MigrateError(f"--verify-with {text!r}: {error}") from error
    if words and Path(words[0]).name.startswith("python"):
        words = words[1:]
    if not words or not words[0].endswith(".py"):
        raise MigrateError(
            f"--verify-with {text!r}: give a script with its arguments, as in --verify-with 'python train.py --steps 1'"
        )
    script = (folder / words[0]).resolve()
    if not script.is_file():
        raise MigrateError(f"--verify-with {text!r}: there is no {script}")
    return Command(script, tuple(words[1:]))


@dataclass
class Driver:
    """Proves reports and remembers what it has run.

    ``told`` is called before each run with the script, its number and how many there are.
    """

    python: Path | None
    timeout: float
    jobs: int
    commands: tuple[Command, ...] = ()
    told: Callable[[Path, int, int], None] = lambda *_: None
    known: dict[Key, Proof] = field(default_factory=dict)

    def __call__(self, report: Report) -> tuple[Proof, ...]:
        """The proof of every script that uses a changed file; what the user's commands reach is left to them."""
        changed = {file.path: file for file in report.files if file.after is not None}
        runs: list[tuple[Path, tuple[str, ...], tuple[FileOutcome, ...]]] = []
        reached: set[Path] = set()
        for command in self.commands:
            used = tuple(path for path in changed if path in reach_of(command.script, report))
            reached.update(used)
            if used:
                runs.append((command.script, command.arguments, tuple(changed[path] for path in used)))
        for script, used in scripts(report).items():
            if not reached.issuperset(used):
                runs.append((script, (), tuple(changed[path] for path in used)))
        return self._run(runs)

    def _run(self, runs: Sequence[tuple[Path, tuple[str, ...], tuple[FileOutcome, ...]]]) -> tuple[Proof, ...]:
        keys = [(script, words, tuple((file.path, file.after) for file in files)) for script, words, files in runs]
        waiting = [(key, run) for key, run in zip(keys, runs, strict=True) if key not in self.known]

        def prove(number: int) -> Proof:
            script, words, files = waiting[number][1]
            self.told(script, number + 1, len(waiting))
            return prove_script(script, files, self.python, self.timeout, words)

        with ThreadPoolExecutor(self.jobs) as pool:
            proofs = list(pool.map(prove, range(len(waiting))))
        self.known.update((key, proof) for (key, _), proof in zip(waiting, proofs, strict=True))
        return tuple(self.known[key] for key in keys)
