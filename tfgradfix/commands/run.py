"""The command that runs a script and explains its None gradients: arguments, output, exit status."""

from __future__ import annotations

import json
import sys
from pathlib import Path  # noqa: TC003  # typer reads it
from typing import TYPE_CHECKING, Annotated

import typer

from tfgradfix.options import Python, Timeout, fail

if TYPE_CHECKING:
    from tfgradfix.explaining import Explanation
    from tfgradfix.verify import Version


def run(
    script: Annotated[Path, typer.Argument(help="The script to run.")],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="[ARGS]...", help="What it is run with.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the explanation as JSON.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", help="Also write a page with the recorded paths.", metavar="FILE")
    ] = None,
    python: Python = None,
    timeout: Timeout = 120.0,
) -> None:
    """Run a script and explain each None gradient. Options go before SCRIPT. Exits with 1 when there is one."""
    from tfgradfix.explaining import explain
    from tfgradfix.verify import HarnessError, version_of

    # The JSON has standard output for itself.
    output = sys.stderr.buffer if as_json else sys.stdout.buffer
    try:
        version = version_of(script)
        found = explain(
            version,
            arguments=tuple(arguments or ()),
            python=python,
            timeout=timeout,
            output=output,
            errors=sys.stderr.buffer,
        )
    except HarnessError as error:
        fail(str(error))
    if html is not None:
        _write(html, found, version)
    _show(found, version, as_json=as_json)
    if found.ended == "killed" and not found.missing:
        fail(f"{script}: the program was killed before it came to its end")
    raise typer.Exit(1 if found.causes else 0)


def _show(found: Explanation, version: Version, *, as_json: bool) -> None:
    from tfgradfix.report.explanation import explanation_lines
    from tfgradfix.report.explanation_json import explanation_record
    from tfgradfix.report.terminal import show

    if as_json:
        typer.echo(json.dumps(explanation_record(found), indent=1, ensure_ascii=False))
    else:
        show(explanation_lines(found, version))


def _write(page: Path, found: Explanation, version: Version) -> None:
    from tfgradfix.report.explanation_html import explanation_html

    try:
        page.write_text(explanation_html(found, version), encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        fail(f"{page}: {error.strerror}: name another file with --html")
