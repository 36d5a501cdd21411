"""A file is replaced at once or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tfgradfix.write import common_folder, replace_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "tree" / "a.py"
    path.parent.mkdir()
    path.write_bytes(b"old\r\n")
    return path


def test_the_new_bytes_are_there_and_the_mode_stays(path: Path) -> None:
    path.chmod(0o750)
    assert replace_file(path, b"old\r\n", b"new\r\n", path.parent) is None
    assert path.read_bytes() == b"new\r\n"
    assert path.stat().st_mode & 0o777 == 0o750
    assert os.listdir(path.parent) == ["a.py"]


def test_a_file_that_changed_meanwhile_is_left(path: Path) -> None:
    assert replace_file(path, b"older", b"new", path.parent) == "not written: the file has changed since it was read"
    assert path.read_bytes() == b"old\r\n"


def test_a_read_only_file_is_left(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda asked, mode: False)
    assert replace_file(path, b"old\r\n", b"new", path.parent) == "not written: the file is read-only"
    assert path.read_bytes() == b"old\r\n"


def test_a_file_that_went_away_is_said(path: Path) -> None:
    path.unlink()
    assert replace_file(path, b"old\r\n", b"new", path.parent) == "not written: No such file or directory"


def test_a_link_inside_the_tree_stays_a_link(path: Path) -> None:
    link = path.parent / "link.py"
    link.symlink_to("a.py")
    assert replace_file(link, b"old\r\n", b"new", path.parent) is None
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_a_link_out_of_the_tree_is_not_followed(path: Path) -> None:
    outside = path.parent.parent / "outside.py"
    outside.write_bytes(b"old\r\n")
    link = path.parent / "link.py"
    link.symlink_to(outside)
    reason = replace_file(link, b"old\r\n", b"new", path.parent)
    assert reason is not None
    assert reason.startswith("not written: it is a link to ")
    assert outside.read_bytes() == b"old\r\n"


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    assert replace_file(path, b"old\r\n", b"new", path.parent) == "not written: No space left on device"
    assert path.read_bytes() == b"old\r\n"
    assert os.listdir(path.parent) == ["a.py"]


def test_the_folder_of_several_paths(path: Path) -> None:
    (path.parent / "sub").mkdir()
    assert common_folder([path]) == path.parent
    assert common_folder([path, path.parent / "sub"]) == path.parent
