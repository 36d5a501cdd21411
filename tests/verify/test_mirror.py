"""The scratch copy in which a program runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tfgradfix.verify import HarnessError, Version, version_of
from tfgradfix.verify import mirror as module
from tfgradfix.verify.mirror import mirror


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with what such folders have in them."""
    folder = tmp_path / "project"
    for name in ("scripts", "data", ".git", "__pycache__", ".venv/lib"):
        (folder / name).mkdir(parents=True)
    for name in ("pyproject.toml", "scripts/train.py", "data/small.csv", ".git/HEAD", ".env", ".venv/pyvenv.cfg"):
        (folder / name).write_text(name)
    (folder / "link").symlink_to("data")
    return folder


def test_what_is_copied(project: Path, tmp_path: Path) -> None:
    version = version_of(project / "scripts" / "train.py")
    assert version == Version(project / "scripts" / "train.py", project)
    assert version.entry == "scripts/train.py"
    made = mirror(version, tmp_path / "copy")
    copied = sorted(path.relative_to(made.folder).as_posix() for path in made.folder.rglob("*") if path.is_file())
    assert copied == [".env", "data/small.csv", "pyproject.toml", "scripts/train.py"]
    assert (made.folder / "link" / "small.csv").read_text() == "data/small.csv"
    assert made.script.read_text() == "scripts/train.py"
    assert made.linked == ()


def test_changed_files(project: Path, tmp_path: Path) -> None:
    changed = {project / "scripts" / "train.py": b"new", project / "scripts" / "made.py": b"more"}
    version = Version(project / "scripts" / "train.py", project, changed)
    made = mirror(version, tmp_path / "copy")
    assert made.script.read_bytes() == version.read("scripts/train.py") == b"new"
    assert (made.folder / "scripts" / "made.py").read_bytes() == b"more"
    assert version_of(project / "scripts" / "train.py").read("scripts/train.py") == b"scripts/train.py"


def test_what_is_too_big_is_linked(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_FILE", 20)
    (project / "data" / "large.bin").write_bytes(b"x" * 21)
    made = mirror(version_of(project / "scripts" / "train.py"), tmp_path / "copy")
    assert made.linked == (str(project / "data" / "large.bin"),)
    assert (made.folder / "data" / "large.bin").is_symlink()


def test_links_that_lead_outside(project: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "far.csv").write_text("far")
    (project / "folder").symlink_to(tmp_path / "outside")
    (project / "file").symlink_to(tmp_path / "outside" / "far.csv")
    (project / "dangling").symlink_to("nowhere")
    made = mirror(version_of(project / "scripts" / "train.py"), tmp_path / "copy")
    assert made.linked == (str(tmp_path / "outside"),)
    assert (made.folder / "folder" / "far.csv").read_text() == "far"
    assert not (made.folder / "file").is_symlink()
    assert (made.folder / "link").resolve() == made.folder / "data"


def test_too_many_files_are_linked(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FILES", 1)
    made = mirror(version_of(project / "scripts" / "train.py"), tmp_path / "copy")
    assert str(project / "data") in made.linked
    assert not made.script.is_symlink()


def test_other_kinds_of_files_are_left_out(project: Path, tmp_path: Path) -> None:
    os.mkfifo(project / "pipe")
    made = mirror(version_of(project / "scripts" / "train.py"), tmp_path / "copy")
    assert not (made.folder / "pipe").exists()


def test_folder_needs_an_entry(project: Path) -> None:
    assert version_of(project, "scripts/train.py").entry == "scripts/train.py"
    with pytest.raises(HarnessError, match="name the script"):
        version_of(project)
    with pytest.raises(HarnessError, match="no such script"):
        version_of(project, "train.py")
    with pytest.raises(HarnessError, match="no such script"):
        version_of(project / "none.py")
