"""What is still wrong with a program after its repair, as a run shows it, beside what the analysis finds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tfgradfix.analyse import analyse
from tfgradfix.explaining.after import why
from tfgradfix.explaining.disagreement import Disagreement, disagreement
from tfgradfix.explaining.findings import findings_of
from tfgradfix.verify import HarnessError, Version

if TYPE_CHECKING:
    from pathlib import Path

    from tfgradfix.driving.drive import Drive
    from tfgradfix.driving.proof import Proof
    from tfgradfix.explaining import Explanation
    from tfgradfix.verify import Verdict


@dataclass(frozen=True)
class Rest:
    """The explanation of what a version still lacks.

    ``apart`` is what only the static analysis, or only the run, says of it.
    """

    explanation: Explanation
    version: Version
    apart: Disagreement


def explained(drive: Drive, proof: Proof, python: Path | None, timeout: float) -> Proof:
    """``proof`` with what a run shows of the gradients that are still missing after the change.

    Args:
        drive: what was run for the proof.
        proof: what came of it.
        python: the interpreter that has TensorFlow; None to look for it.
        timeout: seconds for one run.
    """
    if proof.verdict is None:
        return proof
    after = drive.versions()[1]
    try:
        found = why(proof.verdict, after, python=python, arguments=drive.arguments, timeout=timeout)
    except HarnessError as error:
        return replace(proof, unexplained=str(error))
    if found is None:
        return proof
    static = [each for findings in analyse(_texts(after, proof.verdict)).values() for each in findings]
    apart = disagreement(static, findings_of(found, after), found, after.folder)
    return replace(proof, rest=Rest(found, after, apart))


def _texts(version: Version, verdict: Verdict) -> dict[Path, str]:
    """The files that were run, of which the analysis can be asked."""
    names = sorted({version.entry, *(verdict.after.modules or ())})
    paths = {name: version.folder / name for name in names}
    known = [name for name, path in paths.items() if path in version.changed or path.is_file()]
    return {paths[name]: version.read(name).decode("utf-8", "replace") for name in known}
