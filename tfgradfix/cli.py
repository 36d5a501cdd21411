"""The commands, their arguments and their exit codes.

0: nothing (left) to do. 1: findings (left), or a repair that is not proven. 2: a file or the run failed.
"""

from __future__ import annotations

import os
import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

import tfgradfix

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
    settings = _settings(paths, stdin_filename, select, ignore, unsafe_fixes)
    report = _examine(paths, stdin_filename, settings)
    _complain(report)
    _print_findings(report, output_format)
    raise typer.Exit(_status(report, left=len(report.findings)))


@app.command()
def fix(
    paths: Paths = None,
    diff: Annotated[bool, typer.Option("--diff", help="Print a patch, write nothing.")] = False,
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
    settings = _settings(paths, stdin_filename, select, ignore, unsafe_fixes)
    report = _examine(paths, stdin_filename, settings)
    proofs: Sequence[Proof] = ()
    if verify:
        from tfgradfix.prove import prove

        report, proofs = prove(report, python=python, timeout=timeout)
    if not diff and not _is_stdin(paths):
        from tfgradfix.pipeline import write
        from tfgradfix.write import common_folder

        report = write(report, common_folder(paths))
    _print_repairs(report, proofs, paths, diff=diff)
    left = len(report.findings) - sum(len(file.fixed) for file in report.files)
    status = _status(report, left=left + sum(not proof.proven for proof in proofs))
    raise typer.Exit(2 if any(proof.error for proof in proofs) else status)


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
        _fail(f"there is no rule {rule}; 'tfgradfix rules' lists them")
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
    from tfgradfix.report.terminal import show
    from tfgradfix.report.verdict import verdict_lines
    from tfgradfix.verify import HarnessError, verify

    for path in (before, after):
        if not path.exists():
            _fail(f"{path}: no such file or folder")
    try:
        verdict = verify(before, after, entry=entry, python=python, arguments=tuple(arguments or ()), timeout=timeout)
    except HarnessError as error:
        _fail(str(error))
    show(verdict_lines(verdict))
    raise typer.Exit(0 if verdict.proven else 1)


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
        _fail(f"internal error, please report it: {type(error).__name__}: {error} (TFGRADFIX_TRACEBACK=1 shows where)")


def _settings(
    paths: Sequence[Path],
    stdin_filename: Path | None,
    select: list[str] | None,
    ignore: list[str] | None,
    unsafe: bool | None,
) -> Settings:
    from tfgradfix.config import ConfigError, load_settings, overrule
    from tfgradfix.write import common_folder

    if Path("-") in paths and len(paths) > 1:
        _fail("standard input (-) and other paths do not go together")
    if stdin_filename is not None and not _is_stdin(paths):
        _fail("--stdin-filename goes with - only")
    try:
        settings = load_settings(common_folder([stdin_filename or Path("stdin.py")] if _is_stdin(paths) else paths))
    except ConfigError as error:
        _fail(str(error))
    return overrule(settings, _split(select), _split(ignore), unsafe)


def _examine(paths: Sequence[Path], stdin_filename: Path | None, settings: Settings) -> Report:
    from tfgradfix.pipeline import examine, examine_text

    if _is_stdin(paths):
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


def _print_repairs(report: Report, proofs: Sequence[Proof], paths: Sequence[Path], *, diff: bool) -> None:
    from tfgradfix.report.diff import report_diff
    from tfgradfix.report.terminal import show, show_bytes, show_patch
    from tfgradfix.report.text import report_text
    from tfgradfix.report.verdict import proof_lines

    # What goes to a file or an editor has standard output for itself.
    told = sys.stderr if diff or _is_stdin(paths) else sys.stdout
    if diff:
        show_patch(report_diff(report, Path.cwd()))
    elif _is_stdin(paths):
        file = report.files[0]
        show_bytes(file.before if file.after is None else file.after)
    _complain(report)
    show(report_text(report, written=not diff), told)
    show(proof_lines(proofs), told)


def _complain(report: Report) -> None:
    from tfgradfix.report.text import shown

    for file in report.files:
        if file.error:
            typer.echo(f"tfgradfix: {shown(str(file.path))}: {file.error}", err=True)
    for note in report.notes:
        typer.echo(f"tfgradfix: {note}", err=True)


def _status(report: Report, *, left: int) -> int:
    return 2 if report.failed else int(left > 0)


def _is_stdin(paths: Sequence[Path]) -> bool:
    return list(paths) == [Path("-")]


def _split(selectors: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(part.strip() for selector in selectors or () for part in selector.split(",") if part.strip())


def _fail(message: str) -> NoReturn:
    typer.echo(f"tfgradfix: {message}", err=True)
    sys.exit(2)
