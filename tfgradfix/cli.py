"""The commands, their arguments and their exit codes.

0: nothing (left) to do. 1: findings (left), or a repair that is not proven. 2: a file or the run failed.
"""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import tfgradfix
from tfgradfix.commands.migrate import migrate, undo
from tfgradfix.commands.run import run
from tfgradfix.options import (
    Ignore,
    Paths,
    Python,
    Select,
    StdinFilename,
    Timeout,
    Unsafe,
    asked_of,
    fail,
    is_stdin,
    settings_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix.config import Settings
    from tfgradfix.model import Report
    from tfgradfix.prove import Proof

app = typer.Typer(
    name="tfgradfix",
    help="Find the line that cuts a TensorFlow gradient, rewrite it, and prove the repair by running it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class OutputFormat(str, Enum):
    """How ``check`` prints its findings."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)] = False,
) -> None:
    """Find the line that cuts a TensorFlow gradient, rewrite it, and prove the repair by running it."""
    if show:
        typer.echo(f"tfgradfix {tfgradfix.__version__}")
        raise typer.Exit


@app.command()
def check(
    paths: Paths = None,
    output_format: Annotated[OutputFormat, typer.Option(help="The form of the findings.")] = OutputFormat.TEXT,
    select: Select = None,
    ignore: Ignore = None,
    unsafe_fixes: Unsafe = None,
    stdin_filename: StdinFilename = None,
) -> None:
    """Show where gradients are cut, and why. Never runs the code. Exits with 1 when there is a finding."""
    paths = paths or [Path()]
    settings = settings_of(paths, stdin_filename, select, ignore, unsafe_fixes)
    report = _examine(paths, stdin_filename, settings)
    _complain(report)
    _print_findings(report, output_format)
    raise typer.Exit(_status(report, left=len(report.findings)))


@app.command()
def fix(
    paths: Paths = None,
    diff: Annotated[bool, typer.Option("--diff", help="Print a patch, write nothing.")] = False,
    interactive: Annotated[
        bool, typer.Option("--interactive", "-i", help="Ask about each fix before anything is written.")
    ] = False,
    graph_ready: Annotated[
        bool, typer.Option("--graph-ready", help="Make what the tape records traceable as a whole, data included.")
    ] = False,
    verify: Annotated[bool, typer.Option("--verify", help="Run before and after; keep what is not disproved.")] = False,
    select: Select = None,
    ignore: Ignore = None,
    unsafe_fixes: Unsafe = None,
    stdin_filename: StdinFilename = None,
    python: Python = None,
    timeout: Timeout = 120.0,
) -> None:
    """Rewrite what cuts gradients, in place. Runs the code only with --verify. Exits with 1 when a finding is left."""
    paths = paths or [Path()]
    settings = replace(settings_of(paths, stdin_filename, select, ignore, unsafe_fixes), graph_ready=graph_ready)
    if interactive:
        from tfgradfix.commands.choose import chosen

        report = chosen(paths, settings, diff=diff)
    else:
        report = _examine(paths, stdin_filename, settings)
    proofs: Sequence[Proof] = ()
    if verify:
        from tfgradfix.prove import prove

        asked, excluded = asked_of(settings), settings.excludes()
        report, proofs = prove(report, python=python, timeout=timeout, asked=asked, excluded=excluded)
    if not diff and not is_stdin(paths):
        from tfgradfix.pipeline import write
        from tfgradfix.write import common_folder

        report = write(report, common_folder(paths))
    _print_repairs(report, proofs, paths, diff=diff, interactive=interactive)
    left = len(report.findings) - sum(len(file.fixed) for file in report.files)
    raise typer.Exit(2 if any(proof.error for proof in proofs) else _status(report, left=left + _open(proofs)))


@app.command()
def rules() -> None:
    """List the kinds of cut that are known."""
    from tfgradfix.rewrite.registry import entries

    for entry in entries():
        typer.echo(f"{entry.code}  {entry.name:<26} {entry.level.value:<7} {entry.summary}")


@app.command()
def explain(
    rule: Annotated[str, typer.Argument(metavar="CODE", help="A code (TGF101) or a name (numpy-call).")],
) -> None:
    """Tell what a kind of cut breaks, how it is repaired, and what is left alone."""
    from tfgradfix.report.rules import rule_text
    from tfgradfix.rewrite.registry import entry

    found = entry(rule)
    if found is None:
        fail(f"there is no rule {rule}; 'tfgradfix rules' lists them")
    typer.echo(rule_text(found), nl=False)


@app.command("verify")
def verify_command(
    before: Annotated[Path, typer.Argument(help="The script, or the folder of the program, as it was.")],
    after: Annotated[Path, typer.Argument(help="The same as it is now.")],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="[-- ARGS]", help="What both are run with.")] = None,
    entry: Annotated[str | None, typer.Option(help="The script to run, where the versions are folders.")] = None,
    python: Python = None,
    timeout: Timeout = 120.0,
) -> None:
    """Run two versions of a script and compare their gradients. Exits with 0 only when the repair is proven."""
    from tfgradfix.driving.versions import judge
    from tfgradfix.explaining.after import why
    from tfgradfix.report.explanation import explanation_lines
    from tfgradfix.report.terminal import show
    from tfgradfix.report.verdict import proof_lines, verdict_lines
    from tfgradfix.verify import HarnessError, Verdict, version_of

    words = tuple(arguments or ())
    for path in (before, after):
        if not path.exists():
            fail(f"{path}: no such file or folder")
    try:
        found = judge(before, after, entry=entry, python=python, arguments=words, timeout=timeout)
        if isinstance(found, Verdict):
            show(verdict_lines(found))
            version = version_of(after, entry)
            rest = why(found, version, python=python, arguments=words, timeout=timeout)
            if rest is not None:
                show(explanation_lines(rest, version))
            raise typer.Exit(0 if found.proven else 1)
    except HarnessError as error:
        fail(str(error))
    show(proof_lines(found))
    raise typer.Exit(2 if any(proof.error for proof in found) else int(_open(found) > 0))


# What follows the script is the script's own.
app.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})(run)
app.command()(migrate)
app.command()(undo)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A name or a line of the user's that the terminal cannot show must not end the run.
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except Exception as error:
        if os.environ.get("TFGRADFIX_TRACEBACK"):
            raise
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            fail(f"no space left on the disk ({error.filename or 'a new file'}): make room and run it again")
        fail(f"internal error, please report it: {type(error).__name__}: {error} (TFGRADFIX_TRACEBACK=1 shows where)")


def _examine(paths: Sequence[Path], stdin_filename: Path | None, settings: Settings) -> Report:
    from tfgradfix.pipeline import examine, examine_text

    if is_stdin(paths):
        return examine_text(sys.stdin.buffer.read(), stdin_filename or Path("stdin.py"), settings)
    return examine(paths, settings)


def _print_findings(report: Report, output_format: OutputFormat) -> None:
    if output_format is OutputFormat.JSON:
        from tfgradfix.report.json import report_json

        typer.echo(report_json(report))
    elif output_format is OutputFormat.SARIF:
        from tfgradfix.report.sarif import report_sarif

        typer.echo(report_sarif(report, Path.cwd()))
    elif output_format is OutputFormat.GITHUB:
        from tfgradfix.report.github import report_github

        typer.echo(report_github(report), nl=bool(report.findings))
    else:
        from tfgradfix.report.terminal import show
        from tfgradfix.report.text import report_text

        show(report_text(report, written=False))


def _print_repairs(
    report: Report, proofs: Sequence[Proof], paths: Sequence[Path], *, diff: bool, interactive: bool
) -> None:
    from tfgradfix.report.terminal import is_terminal, show, show_bytes, show_changes
    from tfgradfix.report.text import report_text, rest_text
    from tfgradfix.report.verdict import proof_lines

    # What goes to a file or an editor has standard output for itself.
    told = sys.stderr if diff or is_stdin(paths) else sys.stdout
    if diff:
        show_changes(report)
    elif is_stdin(paths):
        file = report.files[0]
        show_bytes(file.before if file.after is None else file.after)
    _complain(report)
    shown = interactive or (diff and is_terminal(sys.stdout))
    show((rest_text if shown else report_text)(report, written=not diff), told)
    show(proof_lines(proofs), told)


def _complain(report: Report) -> None:
    from tfgradfix.report.text import shown

    for file in report.files:
        if file.error:
            typer.echo(f"tfgradfix: {shown(str(file.path))}: {file.error}", err=True)
    for note in report.notes:
        typer.echo(f"tfgradfix: {note}", err=True)


def _open(proofs: Sequence[Proof]) -> int:
    """How many changed files are not proven."""
    if not proofs:
        return 0
    from tfgradfix.prove import unproven

    return len(unproven(proofs))


def _status(report: Report, *, left: int) -> int:
    return 2 if report.failed else int(left > 0)
