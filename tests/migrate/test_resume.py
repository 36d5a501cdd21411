"""A run that is finished later tells all that it would have told at once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.migrate.conftest import broken, mended, run
from tfgradfix.migrate import kept

Make = Callable[[int], Path]


def half_written(folder: Path) -> dict[str, Any]:
    """Make the last run one that was stopped before its last file, and before its report; what that held."""
    report = folder / ".tfgradfix" / "report"
    told: dict[str, Any] = json.loads((report / "report.json").read_bytes())
    shutil.rmtree(report)
    state = folder / ".tfgradfix" / "runs" / "000001" / "run.json"
    state.write_text(state.read_text().replace('"phase": "done"', '"phase": "writing"'))
    (folder / "train_001.py").write_bytes(broken(2))
    return told


def test_resume_writes_the_report(repository: Make) -> None:
    folder = repository(2)
    at_once = run(folder, "migrate", "--no-verify")
    told = half_written(folder)
    again = run(folder, "migrate", "--no-verify", "--allow-dirty")
    assert "1 of its 2 files hold their repair, 1 are as they were" in again.stderr
    done = run(folder, "migrate", "--resume")
    assert (done.returncode, done.stdout) == (0, at_once.stdout)
    assert (folder / "train_001.py").read_bytes() == mended(2)
    assert json.loads((folder / ".tfgradfix" / "report" / "report.json").read_bytes()) == told
    assert (folder / ".tfgradfix" / "report" / "report.html").is_file()


def test_the_report_tells_what_resume_could_not_write(repository: Make, tmp_path: Path) -> None:
    folder = repository(2)
    run(folder, "migrate", "--no-verify")
    half_written(folder)
    (folder / "train_001.py").write_bytes(b"edited = True\n")
    done = run(folder, "migrate", "--resume", "--output-dir", str(tmp_path / "elsewhere"))
    assert done.returncode == 2
    assert "1 mended, but the file could not be written" in done.stdout
    told = json.loads((tmp_path / "elsewhere" / "report.json").read_bytes())
    assert [one["fate"] for one in told["findings"]] == ["not verified", "not written"]


@pytest.mark.parametrize("content", [b"", b"{}", b'{"": "os.system", "of": "true"}', b'{"": "tfgradfix.model.Span"}'])
def test_what_another_version_kept_is_no_matter(repository: Make, content: bytes) -> None:
    assert kept.load(content) is None
    folder = repository(2)
    run(folder, "migrate", "--no-verify")
    half_written(folder)
    (folder / ".tfgradfix" / "runs" / "000001" / "told.json").write_bytes(content)
    done = run(folder, "migrate", "--resume")
    assert (done.returncode, done.stdout) == (0, "2 files hold their repair.\n")


@pytest.mark.slow
@pytest.mark.runs_tensorflow
def test_proofs_are_told_too(repository: Make) -> None:
    folder = repository(2)
    assert run(folder, "migrate").returncode == 0
    told = half_written(folder)
    assert run(folder, "migrate", "--resume").returncode == 0
    assert told["proofs"][0]["calls"]
    assert json.loads((folder / ".tfgradfix" / "report" / "report.json").read_bytes()) == told
