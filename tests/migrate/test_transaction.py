"""Every file is in its old version or in its new one, whole fix units of them, and the way back is kept."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tfgradfix.migrate import journal
from tfgradfix.migrate.errors import MigrateError
from tfgradfix.migrate.journal import STATE, Entry, Phase, Run
from tfgradfix.migrate.lock import held
from tfgradfix.migrate.transaction import tied, undo, write
from tfgradfix.model import FileOutcome


def begin(root: Path, *files: tuple[str, tuple[str, ...]]) -> Run:
    """A run over files named with their fix units; the old bytes are put on the disk."""
    outcomes = []
    for name, units in files:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_bytes(f"old {name}\r\n".encode())
        outcomes.append((FileOutcome(path, path.read_bytes(), f"new {name}\r\n".encode()), units))
    (root / STATE).mkdir(exist_ok=True)
    return journal.begin(root, outcomes, b"")


def holds(root: Path, name: str) -> str:
    return (root / name).read_bytes().decode().split()[0]


def test_written_and_taken_back(tmp_path: Path) -> None:
    run = begin(tmp_path, ("a.py", ("1",)), ("pkg/b.py", ("2",)))
    (tmp_path / "a.py").chmod(0o750)
    moved = write(run)
    assert [holds(tmp_path, name) for name in ("a.py", "pkg/b.py")] == ["new", "new"]
    assert not moved.refused
    assert moved.run.phase is Phase.DONE
    assert (tmp_path / "a.py").stat().st_mode & 0o777 == 0o750
    found = journal.last(tmp_path)
    assert found is not None
    assert undo(found).run.phase is Phase.UNDONE
    assert [holds(tmp_path, name) for name in ("a.py", "pkg/b.py")] == ["old", "old"]
    assert journal.last(tmp_path) is None


def test_undo_leaves_an_edited_file_and_names_it(tmp_path: Path) -> None:
    run = write(begin(tmp_path, ("a.py", ("1",)), ("b.py", ("1",)), ("c.py", ("2",)))).run
    (tmp_path / "a.py").write_text("edited\n")
    moved = undo(run)
    assert [holds(tmp_path, name) for name in ("a.py", "b.py", "c.py")] == ["edited", "new", "old"]
    assert moved.refused == (
        (tmp_path / "a.py", "it has been edited since"),
        (tmp_path / "b.py", "its repair needs that of a.py"),
    )
    (tmp_path / "a.py").write_bytes(b"new a.py\r\n")
    assert not undo(moved.run).refused
    assert [holds(tmp_path, name) for name in ("a.py", "b.py", "c.py")] == ["old", "old", "old"]


def test_a_file_that_changed_is_not_written_nor_what_needs_it(tmp_path: Path) -> None:
    run = begin(tmp_path, ("a.py", ("1",)), ("b.py", ("1", "2")), ("c.py", ("2",)), ("d.py", ("3",)))
    (tmp_path / "b.py").write_text("changed\n")
    moved = write(run)
    assert [holds(tmp_path, name) for name in ("a.py", "b.py", "c.py", "d.py")] == ["old", "changed", "old", "new"]
    assert dict(moved.refused)[tmp_path / "b.py"] == "it has been edited since"
    assert len(moved.refused) == 3


def test_a_file_that_went_away(tmp_path: Path) -> None:
    run = begin(tmp_path, ("a.py", ("1",)))
    (tmp_path / "a.py").unlink()
    assert write(run).refused == ((tmp_path / "a.py", "it is no longer there"),)
    assert not (tmp_path / "a.py").exists()


def test_a_failure_half_way_through_a_unit_gives_back_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(tmp_path, ("a.py", ("1",)), ("b.py", ("1",)), ("c.py", ("2",)))
    replace = os.replace

    def fails(source: Path, target: Path) -> None:
        if Path(target).name == "b.py":
            raise OSError(errno.EIO, "Input/output error")
        replace(source, target)

    monkeypatch.setattr(os, "replace", fails)
    moved = write(run)
    assert [holds(tmp_path, name) for name in ("a.py", "b.py", "c.py")] == ["old", "old", "new"]
    assert dict(moved.refused) == {
        tmp_path / "a.py": "its repair needs that of b.py",
        tmp_path / "b.py": "Input/output error",
    }


def test_a_read_only_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begin(tmp_path, ("a.py", ("1",)))
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "a.py" and access(path, mode))
    assert write(run).refused == ((tmp_path / "a.py", "the file is read-only"),)
    assert holds(tmp_path, "a.py") == "old"


def test_a_folder_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begin(tmp_path, ("sub/a.py", ("1",)))
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "sub" and access(path, mode))
    assert write(run).refused == ((tmp_path / "sub/a.py", f"no permission to write in {tmp_path / 'sub'}"),)
    assert holds(tmp_path, "sub/a.py") == "old"


def test_a_link_out_of_the_repository_is_not_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside.py"
    root.mkdir()
    outside.write_bytes(b"old outside\n")
    (root / "link.py").symlink_to(outside)
    ((path, reason),) = write(begin(root, ("link.py", ("1",)))).refused
    assert path == root / "link.py"
    assert reason == f"it is a link to {outside}, outside {root}"
    assert outside.read_bytes() == b"old outside\n"


def test_a_link_inside_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"old a\n")
    (tmp_path / "link.py").symlink_to("a.py")
    assert not write(begin(tmp_path, ("link.py", ("1",)))).refused
    assert (tmp_path / "link.py").is_symlink()
    assert holds(tmp_path, "a.py") == "new"


def test_a_run_on_another_disk_than_its_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begin(tmp_path, ("a.py", ("1",)))
    replace = os.replace

    def crosses(source: Path, target: Path) -> None:
        if "moving" in str(source):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        replace(source, target)

    monkeypatch.setattr(os, "replace", crosses)
    assert not write(run).refused
    assert holds(tmp_path, "a.py") == "new"


def test_only_the_last_runs_are_kept(tmp_path: Path) -> None:
    for number in range(journal.KEPT + 2):
        (tmp_path / "a.py").write_text(f"old {number}\n")
        write(begin(tmp_path, ("a.py", ("1",))))
    assert len(os.listdir(tmp_path / STATE / "runs")) == journal.KEPT


def test_two_runs_at_once(tmp_path: Path) -> None:
    with (
        held(tmp_path / STATE),
        pytest.raises(MigrateError, match=rf"another tfgradfix \(process {os.getpid()}\)"),
        held(tmp_path / STATE),
    ):
        pass
    with held(tmp_path / STATE):
        assert (tmp_path / STATE / ".gitignore").read_text() == "*\n"


def test_a_journal_that_cannot_be_read_says_where_the_old_files_are(tmp_path: Path) -> None:
    run = write(begin(tmp_path, ("a.py", ("1",)))).run
    (run.folder / "run.json").write_text("{")
    with pytest.raises(MigrateError, match="the files before the run are in"):
        journal.last(tmp_path)


def test_files_are_tied_through_shared_units() -> None:
    entries = [Entry(name, "", "", units) for name, units in (("a", ("1",)), ("b", ("2",)), ("c", ("1", "2")))]
    assert [[entry.path for entry in group] for group in tied(entries)] == [["a", "b", "c"]]
    apart = [Entry(name, "", "", (name,)) for name in "abc"]
    assert [len(group) for group in tied(apart)] == [1, 1, 1]
