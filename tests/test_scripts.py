"""The scripts that hold the floor of cases and write the locked versions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from scripts.case_floor import floor_of, judge
from scripts.make_constraints import constraints, versions

ROOT = Path(__file__).resolve().parent.parent


def test_the_floor_names_what_fell_and_what_rose() -> None:
    passed = {"old": True, "fallen": False, "new": True, "never": False}
    assert judge(passed, ("old", "fallen", "gone")) == (["fallen", "gone"], ["new"])


def test_the_floor_file_has_one_case_a_line() -> None:
    floor = floor_of(ROOT / "tests" / "cases-floor.txt")
    assert floor == tuple(sorted(set(floor)))
    assert not any(case.startswith("#") for case in floor)


def test_a_case_that_fell_fails_the_check(tmp_path: Path) -> None:
    results, floor = tmp_path / "results.json", tmp_path / "floor.txt"
    floor.write_text("# held\none  # a comment\n\ntwo\n")

    def status(rows: list[dict[str, object]]) -> int:
        results.write_text(json.dumps(rows))
        command = [sys.executable, str(ROOT / "scripts" / "case_floor.py"), str(results), str(floor)]
        return subprocess.run(command, check=False, capture_output=True).returncode

    assert status([{"slug": "one", "ok": True}, {"slug": "two", "ok": True}, {"slug": "three", "ok": False}]) == 0
    assert status([{"slug": "one", "ok": True}, {"slug": "two", "ok": False}]) == 1
    assert status([]) == 1


def report(path: Path, python: str, **packages: str) -> tuple[str, dict[str, str]]:
    install = [{"metadata": {"name": name, "version": version}} for name, version in packages.items()]
    path.write_text(json.dumps({"environment": {"python_version": python}, "install": install}))
    return versions(path)


def test_a_version_that_not_every_python_has_gets_a_marker(tmp_path: Path) -> None:
    reports = dict(
        [
            report(tmp_path / "a.json", "3.10", numpy="2.2.6", Ml_Dtypes="0.6.0", tfgradfix="0.1.0", tomli="2.5.0"),
            report(tmp_path / "b.json", "3.11", numpy="2.4.6", Ml_Dtypes="0.6.0", tfgradfix="0.1.0"),
        ]
    )
    assert constraints(reports) == [
        "ml-dtypes==0.6.0",
        'numpy==2.2.6 ; python_version == "3.10"',
        'numpy==2.4.6 ; python_version == "3.11"',
        "tomli==2.5.0",
    ]
