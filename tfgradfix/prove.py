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

    from tfgradfix.explaining import Explanation
    from tfgradfix.explaining.disagreement import Disagreement
    from tfgradfix.model import FileOutcome, Report
    from tfgradfix.verify import Verdict, Version


@dataclass(frozen=True)
class Rest:
    """What is still wrong with a program after its repair, as a run shows it.

    ``apart`` is what only the static analysis, or only the run, says of the program after.
    """

    explanation: Explanation
    version: Version
    apart: Disagreement


@dataclass(frozen=True)
class Proof:
    """What the run of one script said of the changed files that it uses; without a verdict, ``error`` tells why.

    ``arguments`` is the command line that the script was given. ``rest`` explains what the program after still lacks;
    ``unexplained`` tells why it could not be explained.
    """

    script: Path
    changed: tuple[Path, ...]
    verdict: Verdict | None
    error: str | None = None
    arguments: tuple[str, ...] = ()
    rest: Rest | None = None
    unexplained: str | None = None

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
        The report without the changes that failed or could not be run, and the proofs, which explain what is left.
    """
    changed = {file.path: file for file in report.files if file.after is not None}
    proofs = []
    for script, used in scripts(report).items():
        mine = [changed[path] for path in used]
        proofs.append(_explained(prove_script(script, mine, python, timeout), report, mine, python, timeout))
    wrong = {path: proof.rejected for proof in proofs if proof.rejected for path in proof.changed}
    files = tuple(_taken_back(file, wrong[file.path]) if file.path in wrong else file for file in report.files)
    return replace(report, files=files), tuple(proofs)


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
    from tfgradfix.verify import HarnessError, verify_versions

    changed = tuple(file.path for file in files)
    try:
        before, after = _versions(script, files)
        partial = any(finding.extent is Extent.PARTIAL for file in files for finding in file.fixed)
        verdict = verify_versions(before, after, python=python, arguments=arguments, timeout=timeout, partial=partial)
    except HarnessError as error:
        return Proof(script, changed, None, str(error), tuple(arguments))
    return Proof(script, changed, verdict, arguments=tuple(arguments))


def _versions(script: Path, files: Sequence[FileOutcome]) -> tuple[Version, Version]:
    """The program before and after the change of ``files``.

    Raises:
        HarnessError: a file is no part of the program.
    """
    from tfgradfix.verify import HarnessError, version_of

    version = version_of(script)
    outside = [file.path for file in files if not file.path.resolve().is_relative_to(version.folder)]
    if outside:
        raise HarnessError(f"{outside[0]} lies outside the program's folder {version.folder}")
    before = {file.path: _run(file.path, file.before) for file in files}
    after = {file.path: _run(file.path, file.after) for file in files if file.after is not None}
    return replace(version, changed=before), replace(version, changed=after)


def _explained(
    proof: Proof, report: Report, files: Sequence[FileOutcome], python: Path | None, timeout: float
) -> Proof:
    """``proof`` with what a run shows of the gradients that are still missing, beside what the analysis finds."""
    from tfgradfix.analyse import analyse
    from tfgradfix.explaining.after import why
    from tfgradfix.explaining.disagreement import disagreement
    from tfgradfix.explaining.findings import findings_of
    from tfgradfix.verify import HarnessError

    if proof.verdict is None:
        return proof
    after = _versions(proof.script, files)[1]
    try:
        found = why(proof.verdict, after, python=python, arguments=proof.arguments, timeout=timeout)
    except HarnessError as error:
        return replace(proof, unexplained=str(error))
    if found is None:
        return proof
    reached = reach_of(proof.script, report)
    texts = {file.path: _text(file) for file in report.files if file.path in reached}
    static = [finding for findings in analyse(texts).values() for finding in findings]
    apart = disagreement(static, findings_of(found, after), found, after.folder)
    return replace(proof, rest=Rest(found, after, apart))


def _text(file: FileOutcome) -> str:
    """The text of a file with its repair, of a notebook that of its program; empty where it cannot be read."""
    source = decode(file.path, file.before if file.after is None else file.after)
    return source.text if isinstance(source, Source) else ""


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
