"""What the commands share: their common arguments, their settings, the way out of a run that cannot go on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix.config import Settings
    from tfgradfix.driving.asked import Asked

Paths = Annotated[list[Path] | None, typer.Argument(help="Files and folders; - is standard input.", show_default=".")]
Select = Annotated[list[str] | None, typer.Option(help="Only these: codes, beginnings of codes, or names.")]
Ignore = Annotated[list[str] | None, typer.Option(help="Not these: codes, beginnings of codes, or names.")]
Unsafe = Annotated[
    bool | None,
    typer.Option("--unsafe-fixes/--no-unsafe-fixes", help="Also rewrite where more than the gradient may change."),
]
StdinFilename = Annotated[Path | None, typer.Option(help="The file that standard input is the content of.")]
Python = Annotated[Path | None, typer.Option(help="The interpreter that has TensorFlow.", metavar="PYTHON")]
Timeout = Annotated[float, typer.Option(help="Seconds for one run of a script.", min=1.0)]


def settings_of(
    paths: Sequence[Path],
    stdin_filename: Path | None,
    select: list[str] | None,
    ignore: list[str] | None,
    unsafe: bool | None,
) -> Settings:
    """The settings of a run; ends it when they do not go together or cannot be read."""
    from tfgradfix.config import ConfigError, load_settings, overrule
    from tfgradfix.write import common_folder

    if Path("-") in paths and len(paths) > 1:
        fail("standard input (-) and other paths do not go together")
    if stdin_filename is not None and not is_stdin(paths):
        fail("--stdin-filename goes with - only")
    try:
        settings = load_settings(common_folder([stdin_filename or Path("stdin.py")] if is_stdin(paths) else paths))
    except ConfigError as error:
        fail(str(error))
    return overrule(settings, _split(select), _split(ignore), unsafe)


def asked_of(settings: Settings) -> Asked:
    """What the configuration names for the proof; ends the run where that cannot be run."""
    from tfgradfix.driving.asked import DriverError, read_asked

    try:
        return read_asked(settings.verify, settings.root)
    except DriverError as error:
        fail(str(error))


def is_stdin(paths: Sequence[Path]) -> bool:
    """Whether standard input is asked for."""
    return list(paths) == [Path("-")]


def _split(selectors: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(part.strip() for selector in selectors or () for part in selector.split(",") if part.strip())


def fail(message: str) -> NoReturn:
    """Say why the run cannot go on, and end it."""
    typer.echo(f"tfgradfix: {message}", err=True)
    sys.exit(2)
