"""The commands over a whole repository: their arguments, what they print, their exit status."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from tfgradfix.options import Ignore, Python, Select, Timeout, Unsafe, fail, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfgradfix.migrate.progress import Progress
    from tfgradfix.migrate.transaction import Moved
    from tfgradfix.report.migration import Migration

T = TypeVar("T")

Repo = Annotated[Path, typer.Argument(metavar="[REPO]", help="The repository, or a folder in it.", show_default=".")]


def migrate(
    repo: Repo = Path(),
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing; print the whole change as a patch.")
    ] = False,
    select: Select = None,
    ignore: Ignore = None,
    unsafe_fixes: Unsafe = None,
    no_verify: Annotated[bool, typer.Option("--no-verify", help="Never run the code; keep all repairs.")] = False,
    verify_with: Annotated[
        list[str] | None,
        typer.Option(help="Prove with this run ('python train.py --steps 1'); may be given again.", metavar="COMMAND"),
    ] = None,
    python: Python = None,
    timeout: Timeout = 120.0,
    jobs: Annotated[int, typer.Option(help="Scripts to run at the same time.", min=1)] = 1,
    output_dir: Annotated[
        Path | None, typer.Option(help="Where the report goes.", show_default="REPO/.tfgradfix/report")
    ] = None,
    allow_dirty: Annotated[bool, typer.Option("--allow-dirty", help="Also where git shows changes.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Finish a run that was interrupted.")] = False,
) -> None:
    """Mend a whole repository: find, fix, prove by running, keep what is proven, and report."""
    from tfgradfix.migrate.command import Options
    from tfgradfix.migrate.command import migrate as run
    from tfgradfix.migrate.command import resume as finish

    if resume:
        moved, migration = _guarded(lambda progress: finish(repo, progress))
        if migration is not None:
            _show(migration, output_dir)
            raise typer.Exit(migration.status)
        _tell(moved, "hold their repair", "were not written")
    settings = settings_of([repo], None, select, ignore, unsafe_fixes)
    options = Options(
        dry_run=dry_run,
        verify=not no_verify,
        verify_with=tuple(verify_with or ()),
        python=python,
        timeout=timeout,
        jobs=jobs,
        allow_dirty=allow_dirty,
    )
    planned = _guarded(lambda progress: run(repo, settings, options, progress))
    _show(planned, output_dir)
    raise typer.Exit(planned.status)


def undo(repo: Repo = Path()) -> None:
    """Take the last migrate back. A file that was edited since is left as it is, and named."""
    from tfgradfix.migrate.command import undo as run

    _tell(_guarded(lambda progress: run(repo, progress)), "are as they were before the run", "were not taken back")


def _guarded(work: Callable[[Progress], T]) -> T:
    """What ``work`` gives, with its progress shown; ends the command when it cannot go on."""
    from tfgradfix.migrate.errors import MigrateError
    from tfgradfix.migrate.progress import progress

    try:
        with progress() as shown:
            return work(shown)
    except MigrateError as error:
        fail(str(error))


def _show(migration: Migration, output: Path | None) -> None:
    from tfgradfix.migrate.journal import STATE
    from tfgradfix.report.publish import publish
    from tfgradfix.report.summary import summary_lines
    from tfgradfix.report.terminal import show, show_changes

    if not migration.written:
        show_changes(migration.report, whole=True)
        show(summary_lines(migration), sys.stderr)
        return
    folder = output or migration.folder / STATE / "report"
    try:
        reports = publish(migration, folder)
    except OSError as error:
        typer.echo(f"tfgradfix: no report: {folder}: {error.strerror}; name another folder with --output-dir", err=True)
        reports = ()
    show(summary_lines(migration, reports[:1]))


def _tell(moved: Moved, done: str, refused: str) -> None:
    """What became of the files of a run; ends the command."""
    from tfgradfix.report.text import shown

    typer.echo(f"{len(moved.done)} file{'' if len(moved.done) == 1 else 's'} {done}.")
    if moved.refused:
        typer.echo(f"{len(moved.refused)} {refused}:", err=True)
    for path, reason in moved.refused:
        typer.echo(f"  {shown(str(path))}: {reason}", err=True)
    raise typer.Exit(1 if moved.refused else 0)
