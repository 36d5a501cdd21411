"""Write ``constraints.txt`` from pip's installation reports, one report for each Python version.

Make the reports in clean virtual environments, one a Python version::

    pip install --dry-run --ignore-installed --report 3.11.json '.[tensorflow,dev]'

then: ``python scripts/make_constraints.py 3.10.json 3.11.json 3.12.json 3.13.json > constraints.txt``. A version that
differs between Python versions gets an environment marker; nothing but names and versions is written.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

OWN = "tfgradfix"


def versions(report: Path) -> tuple[str, dict[str, str]]:
    """The Python version ("3.11") and the resolved version of each distribution in one report."""
    content = json.loads(report.read_text(encoding="utf-8"))
    resolved = {}
    for item in content["install"]:
        name = re.sub(r"[-_.]+", "-", item["metadata"]["name"]).lower()
        if name != OWN:
            resolved[name] = item["metadata"]["version"]
    return content["environment"]["python_version"], resolved


def constraints(reports: dict[str, dict[str, str]]) -> list[str]:
    """One line for each distribution and version, with a marker where not every Python has that one."""
    lines = []
    for name in sorted({name for resolved in reports.values() for name in resolved}):
        pythons: dict[str, list[str]] = {}
        for python, resolved in reports.items():
            if name in resolved:
                pythons.setdefault(resolved[name], []).append(python)
        for version, which in pythons.items():
            missing = len(pythons) > 1
            marker = " or ".join(f'python_version == "{python}"' for python in which)
            lines.append(f"{name}=={version}" + (f" ; {marker}" if missing else ""))
    return lines


def main() -> None:
    """Print the constraints made from the reports named on the command line."""
    reports = dict(versions(Path(argument)) for argument in sys.argv[1:])
    print("# The locked versions, made by scripts/make_constraints.py; use: pip install -c constraints.txt '.[dev]'")
    print(*constraints(reports), sep="\n")


if __name__ == "__main__":
    main()
