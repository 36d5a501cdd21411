"""``tfgradfix migrate`` and ``tfgradfix undo``, from arguments to what is told at the end."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tfgradfix.driving.asked import DriverError, read_asked, read_command
from tfgradfix.driving.ladder import Ladder
from tfgradfix.migrate import journal, kept, transaction
from tfgradfix.migrate.errors import MigrateError
from tfgradfix.migrate.git import Repository, find_repository, has_commit, uncommitted
from tfgradfix.migrate.journal import STATE, Phase, Side
from tfgradfix.migrate.lock import held
from tfgradfix.migrate.plan import plan
from tfgradfix.migrate.survey import Choice, survey
from tfgradfix.report.migration import Migration
from tfgradfix.report.text import shown
from tfgradfix.rewrite.units import unit_of

if TYPE_CHECKING:
    from pathlib import Path

    from tfgradfix.config import Settings
    from tfgradfix.migrate.progress import Progress
    from tfgradfix.model import FileOutcome, Report

#: So many names are told in a message.
_NAMED: Final = 5


@dataclass(frozen=True)
class Options:
    """What the command line asks of a migration besides its settings."""

    dry_run: bool = False
    verify: bool = True
    verify_with: tuple[str, ...] = ()
    python: Path | None = None
    timeout: float = 120.0
    jobs: int = 1
    allow_dirty: bool = False


def migrate(folder: Path, settings: Settings, options: Options, progress: Progress) -> Migration:
    """Mend a repository: find, repair, prove, and write what stands up to its proof.

    Args:
        folder: the repository, or a folder in one.
        settings: which findings.
        options: how.
        progress: is told what the run is at.

    Raises:
        MigrateError: the run cannot start; nothing was written.
    """
    repository = find_repository(folder)
    driver = _ladder(repository, settings, options, progress)
    if options.dry_run:
        refuse_unfinished(repository.root)
        return replace(_planned(repository, settings, driver, options, progress), written=False)
    with held(repository.root / STATE):
        refuse_unfinished(repository.root)
        if not options.allow_dirty:
            _refuse_dirty(repository)
        return _write(repository.root, _planned(repository, settings, driver, options, progress), progress)


def resume(folder: Path, progress: Progress) -> tuple[transaction.Moved, Migration | None]:
    """Write what an interrupted run had still to write.

    Returns:
        What became of the files, and the whole run, if another version of the tool did not begin it.

    Raises:
        MigrateError: there is no such run.
    """
    root = find_repository(folder).root
    with held(root / STATE):
        run = journal.last(root)
        if run is None or run.phase is not Phase.WRITING:
            raise MigrateError(
                f"no interrupted run in {root}: there is nothing to resume; run migrate without --resume"
            )
        moved = transaction.write(run, lambda *step: progress.step("writing", *step))
    migration = kept.load(run.told())
    return moved, None if migration is None else replace(migration, not_written=dict(moved.refused))


def undo(folder: Path, progress: Progress) -> transaction.Moved:
    """Take the last run back.

    Raises:
        MigrateError: there is none.
    """
    root = find_repository(folder).root
    if not (root / STATE / "runs").is_dir():
        raise MigrateError(f"no run of tfgradfix migrate is known in {root}: there is nothing to take back")
    with held(root / STATE):
        run = journal.last(root)
        if run is None:
            raise MigrateError(f"every run in {root} has been taken back already")
        return transaction.undo(run, lambda *step: progress.step("taking back", *step))


def refuse_unfinished(root: Path) -> None:
    """Tell of a run that was stopped half way.

    Raises:
        MigrateError: there is one.
    """
    run = journal.last(root)
    if run is None or run.phase in (Phase.DONE, Phase.UNDONE):
        return
    states = [transaction.state_of(run, entry) for entry in run.entries]
    new, old, total = states.count(Side.AFTER), states.count(Side.BEFORE), len(states)
    edited = f", {total - new - old} edited since" if new + old < total else ""
    held_now = f"{new} of its {total} files hold their repair, {old} are as they were{edited}"
    if run.phase is Phase.UNDOING:
        raise MigrateError(f"an undo was interrupted: {held_now}. 'tfgradfix undo' finishes it")
    raise MigrateError(
        f"an earlier run was interrupted: {held_now}. "
        "'tfgradfix migrate --resume' writes the rest, 'tfgradfix undo' takes it back"
    )


def _ladder(repository: Repository, settings: Settings, options: Options, progress: Progress) -> Ladder | None:
    if not options.verify:
        return None
    try:
        commands = tuple(read_command(text, repository.folder) for text in options.verify_with)
        asked = read_asked(settings.verify, settings.root)
    except DriverError as error:
        raise MigrateError(str(error)) from error
    asked = replace(asked, commands=(*commands, *asked.commands))

    def told(script: Path, number: int, total: int) -> None:
        progress.step("proving", script, number, total)

    return Ladder(options.python, options.timeout, options.jobs, asked, told=told)


def _refuse_dirty(repository: Repository) -> None:
    if not repository.in_git:
        return
    names = uncommitted(repository)
    if not names:
        return
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    listed = ", ".join(names[:_NAMED]) + more
    if not has_commit(repository):
        raise MigrateError(
            f"nothing has been committed in {repository.root} yet, so that git could not show what was changed: "
            f"commit first, or pass --allow-dirty ({listed})"
        )
    raise MigrateError(f"the work tree has uncommitted changes: commit or stash them, or pass --allow-dirty ({listed})")


def _planned(
    repository: Repository, settings: Settings, driver: Ladder | None, options: Options, progress: Progress
) -> Migration:
    progress.stage(f"looking for Python in {shown(str(repository.folder))}")
    found = survey(repository, settings)
    progress.stage(f"following gradients through {_count(found.files)}")
    base = {name: getattr(settings, name) for name in ("select", "ignore", "exclude", "unsafe_fixes", "root")}
    planned = plan(repository.folder, Choice(**base, files=found.files), driver)
    return Migration(
        folder=repository.folder,
        report=planned.report,
        proofs=planned.proofs,
        put_back=planned.put_back,
        passed_by=found.passed_by,
        repeat=_repeat(repository, settings, options),
        verified=options.verify,
    )


def _write(root: Path, migration: Migration, progress: Progress) -> Migration:
    """Write the repairs as one transaction."""
    changed = [file for file in migration.report.files if file.after is not None]
    if not changed:
        return migration
    units = _units(migration.report)
    run = journal.begin(root, [(file, units[file.path]) for file in changed], kept.dump(migration))
    moved = transaction.write(run, lambda *step: progress.step("writing", *step))
    return replace(migration, not_written=dict(moved.refused))


def _units(report: Report) -> dict[Path, list[str]]:
    """The fix units that reach into each file, by names of their own."""
    names: dict[object, str] = {}
    return {file.path: [_name(names, unit) for unit in _own(file)] for file in report.files}


def _own(file: FileOutcome) -> list[object]:
    return [unit_of(finding) for finding in file.fixed]


def _name(names: dict[object, str], unit: object) -> str:
    return names.setdefault(unit, str(len(names)))


def _repeat(repository: Repository, settings: Settings, options: Options) -> tuple[str, ...]:
    """The command lines that do the same again, and that take it back."""
    words = ["tfgradfix", "migrate", os.path.relpath(repository.folder)]
    for name in ("select", "ignore"):
        words += [word for value in getattr(settings, name) for word in (f"--{name}", value)]
    words += ["--unsafe-fixes"] if settings.unsafe_fixes else []
    words += [] if options.verify else ["--no-verify"]
    words += [word for text in options.verify_with for word in ("--verify-with", text)]
    words += [] if options.python is None else ["--python", str(options.python)]
    return shlex.join(words), "tfgradfix undo"


def _count(files: frozenset[Path]) -> str:
    return "1 file" if len(files) == 1 else f"{len(files)} files"
