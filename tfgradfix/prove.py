"""Repairs are proven by running the scripts that they are part of, before anything is written.

A changed file that other files import is run through the scripts that import it; any other is run itself.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tfgradfix.model import Declined, Extent
from tfgradfix.read.imports import imported_files
from tfgradfix.read.source import Source, decode, is_notebook, parse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tfgradfix.model import FileOutcome, Report
    from tfgradfix.verify import Verdict


@dataclass(frozen=True)
class Proof:
    """What the run of one script said of the changed files that it uses; without a verdict, ``error`` tells why.

    ``arguments`` is the command line that the script was given.
    """

    script: Path
    changed: tuple[Path, ...]
    verdict: Verdict | None
    error: str | None = None
    arguments: tuple[str, ...] = ()

    @property
    def proven(self) -> bool:
        """Whether the change has been shown to be right."""
        return self.verdict is not None and self.verdict.proven

    @property
    def rejected(self) -> str | None:
        """Why the change must not stay: it was shown to be wrong, or nothing could be run at all."""
        if self.verdict is None:
            return f"the proof could not be run: {self.error}"
        if self.verdict.status.value == "failed":
            return f"the repair failed its proof: {'; '.join(self.verdict.reasons)}"
        return None


def prove(report: Report, *, python: Path | None, timeout: float) -> tuple[Report, tuple[Proof, ...]]:
    """Run every script that uses a changed file, before and after.

    Args:
        report: what was found and repaired, in memory.
        python: the interpreter that has TensorFlow; None to look for it.
        timeout: seconds for one run.

    Returns:
        The report without the changes that failed or could not be run, and the proofs.
    """
    changed = {file.path: file for file in report.files if file.after is not None}
    proofs = tuple(
        prove_script(script, [changed[path] for path in used], python, timeout)
        for script, used in scripts(report).items()
    )
    wrong = {path: proof.rejected for proof in proofs if proof.rejected for path in proof.changed}
    files = tuple(_taken_back(file, wrong[file.path]) if file.path in wrong else file for file in report.files)
    return replace(report, files=files), proofs


def scripts(report: Report) -> Mapping[Path, tuple[Path, ...]]:
    """The scripts to run, each with the changed files that it uses."""
    changed = [file.path for file in report.files if file.after is not None]
    imports = {file.path: _imports(file) for file in report.files}
    imported = {path for paths in imports.values() for path in paths}
    used: dict[Path, tuple[Path, ...]] = {}
    covered: set[Path] = set()
    for script in [path for path in imports if path not in imported]:
        reach = _reach(script, imports)
        if mine := tuple(path for path in changed if path in reach):
            used[script] = mine
            covered.update(mine)
    # In a circle of imports every file is imported by another.
    used.update({path: (path,) for path in changed if path not in covered})
    return used


def prove_script(
    script: Path, files: Sequence[FileOutcome], python: Path | None, timeout: float, arguments: Sequence[str] = ()
) -> Proof:
    """Run ``script`` with ``arguments`` before and after the change of ``files``, all of which it uses.

    Args:
        script: what to run.
        files: the changed files, with their bytes before and after.
        python: the interpreter that has TensorFlow; None to look for it.
        timeout: seconds for one run.
        arguments: the command line of the script.
    """
    from tfgradfix.verify import HarnessError, verify_versions, version_of

    changed = tuple(file.path for file in files)
    try:
        version = version_of(script)
        outside = [path for path in changed if not path.resolve().is_relative_to(version.folder)]
        if outside:
            raise HarnessError(f"{outside[0]} lies outside the program's folder {version.folder}")
        before = replace(version, changed={file.path: _run(file.path, file.before) for file in files})
        changes = {file.path: _run(file.path, file.after) for file in files if file.after is not None}
        after = replace(version, changed=changes)
        partial = any(finding.extent is Extent.PARTIAL for file in files for finding in file.fixed)
        verdict = verify_versions(before, after, python=python, arguments=arguments, timeout=timeout, partial=partial)
    except HarnessError as error:
        return Proof(script, changed, None, str(error), tuple(arguments))
    return Proof(script, changed, verdict, arguments=tuple(arguments))


def reach_of(script: Path, report: Report) -> set[Path]:
    """The files of ``report`` that ``script``, one of them, runs: itself and what it imports."""
    return _reach(script, {file.path: _imports(file) for file in report.files})


def _run(path: Path, data: bytes) -> bytes:
    """What Python has to run for the file ``path`` that holds ``data``: of a notebook its program."""
    source = decode(path, data) if is_notebook(path) else None
    return source.text.encode() if isinstance(source, Source) else data


def _imports(file: FileOutcome) -> tuple[Path, ...]:
    source = decode(file.path, file.before)
    tree = parse(source) if isinstance(source, Source) else None
    return imported_files(file.path, tree) if isinstance(tree, ast.Module) else ()


def _reach(script: Path, imports: Mapping[Path, tuple[Path, ...]]) -> set[Path]:
    reached, waiting = {script}, [script]
    while waiting:
        for path in imports.get(waiting.pop(), ()):
            if path not in reached:
                reached.add(path)
                waiting.append(path)
    return reached


def _taken_back(file: FileOutcome, reason: str) -> FileOutcome:
    refusals = tuple(Declined(finding, reason) for finding in file.fixed)
    return replace(file, after=None, fixed=(), declined=(*file.declined, *refusals))
