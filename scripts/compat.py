"""Run the tests of the proof under several versions of TensorFlow, and those of the tool itself under several Pythons.

Each file ``compat/tensorflow-X-python-Y.txt`` holds the versions of one environment, as `pip freeze` prints them. The
environments are made in ``.compat``; their Pythons are looked for on ``PATH`` and among pyenv's. The table that is
printed is that of ``docs/compat.md``. Without names all of them are run: ``python scripts/compat.py tensorflow-2.10``.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / ".compat"
VERSIONS = ROOT / "scripts" / "compat"
HARNESS = ("tests/verify", "tests/explaining")
#: The Pythons that the tool itself is tried on, without TensorFlow.
PYTHONS = ("3.10", "3.11", "3.12", "3.13")
#: What the harness depends on, as it is told in the table.
TOLD = ("tensorflow", "keras", "numpy")


@dataclass(frozen=True)
class Outcome:
    """One line of the table; ``counts`` are tests passed, failed and skipped, None where nothing could be run."""

    what: str
    python: str
    counts: tuple[int, int, int] | None
    seconds: float = 0.0

    def row(self) -> str:
        """The line."""
        if self.counts is None:
            return f"| {self.what} | {self.python} | this Python is not installed here | | | |"
        passed, failed, skipped = self.counts
        return f"| {self.what} | {self.python} | {passed} | {failed} | {skipped} | {self.seconds:.0f} |"


def find_python(version: str) -> Path | None:
    """The interpreter of a version (3.11), if there is one."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    first = shutil.which(f"python{version}")
    found = [Path(first)] if first else []
    for python in found + sorted(pyenv.glob(f"{version}.*/bin/python{version}"), reverse=True):
        asked = subprocess.run([python, "--version"], capture_output=True, text=True, check=False)
        if asked.stdout.startswith(f"Python {version}."):  # a shim of pyenv's may stand for none
            return python
    return None


def environment(name: str, python: Path, *arguments: str) -> Path:
    """The interpreter of an environment, which is made if it is not there yet.

    Raises:
        subprocess.CalledProcessError: pip could not install the versions.
    """
    folder = PLACE / name
    own, ready = folder / "bin" / "python", folder / ".ready"
    if not ready.exists():
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([own, "-m", "pip", "install", "--quiet", *arguments], check=True, cwd=ROOT)
        ready.touch()
    return own


def run_tests(name: str, python: Path, *arguments: str, **variables: str) -> tuple[tuple[int, int, int], float]:
    """How many tests passed, failed and were skipped, and the seconds they took."""
    report = PLACE / f"{name}.xml"
    report.unlink(missing_ok=True)
    began = time.monotonic()
    command = [str(python), "-m", "pytest", "--quiet", f"--junitxml={report}", *arguments]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, check=False)
    suite = ElementTree.parse(report).getroot().find("testsuite")  # noqa: S314  # pytest has just written it
    if suite is None:
        raise SystemExit(f"{report} has no results")
    total, failures, errors, skipped = (int(suite.get(key, "0")) for key in ("tests", "failures", "errors", "skipped"))
    return (total - failures - errors - skipped, failures + errors, skipped), time.monotonic() - began


def try_tensorflow(versions: Path) -> Outcome:
    """Run the tests of the harness with the interpreter of one environment; pytest runs in this one."""
    matched = re.fullmatch(r"tensorflow-[\d.]+-python-([\d.]+)", versions.stem)
    if matched is None:
        raise SystemExit(f"{versions} is not named tensorflow-X-python-Y.txt")
    pins = dict(line.split("==") for line in versions.read_text(encoding="utf-8").split() if "==" in line)
    told = ", ".join(f"{name} {pins[name]}" for name in TOLD)
    python = find_python(matched[1])
    if python is None:
        return Outcome(told, matched[1], None)
    inside = environment(versions.stem, python, "--requirement", str(versions))
    found = run_tests(versions.stem, Path(sys.executable), *HARNESS, TFGRADFIX_TEST_PYTHON=str(inside))
    return Outcome(told, matched[1], *found)


def try_tool(version: str) -> Outcome:
    """Run the tests that need no TensorFlow under one Python."""
    python = find_python(version)
    if python is None:
        return Outcome("the tool", version, None)
    own = environment(f"python-{version}", python, "--constraint", "constraints.txt", "--editable", ".[dev]")
    found = run_tests(f"python-{version}", own, "-m", "not runs_tensorflow")
    return Outcome("the tool, without TensorFlow", version, *found)


def main() -> None:
    """Run, print the table, and end with status 1 if a test failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="beginnings of names: tensorflow-2.10, python-3.12")
    wanted = tuple(parser.parse_args().names) or ("",)
    PLACE.mkdir(exist_ok=True)
    outcomes = [try_tensorflow(path) for path in sorted(VERSIONS.glob("*.txt")) if path.stem.startswith(wanted)]
    outcomes += [try_tool(version) for version in PYTHONS if f"python-{version}".startswith(wanted)]
    print("| what | Python | passed | failed | skipped | seconds |", "|---|---|---|---|---|---|", sep="\n")
    print(*(outcome.row() for outcome in outcomes), sep="\n")
    sys.exit(any(outcome.counts is None or outcome.counts[1] for outcome in outcomes))


if __name__ == "__main__":
    main()
