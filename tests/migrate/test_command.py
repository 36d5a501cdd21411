"""``tfgradfix migrate`` and ``undo`` as a user meets them, without running any program."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.migrate.conftest import broken, command, environment, fill, git, mended, run

Make = Callable[[int], Path]


def test_mends_tells_and_takes_back(repository: Make) -> None:
    folder = repository(2)
    done = run(folder, "migrate", "--no-verify")
    assert done.returncode == 0, done.stderr
    assert "2 cuts found, 2 mended in 2 files." in done.stdout
    assert "to take it back: tfgradfix undo" in done.stdout
    assert "writing 2/2: train_001.py" in done.stderr
    assert (folder / "train_000.py").read_bytes() == mended(1)
    assert git(folder, "status", "--porcelain").split() == ["M", "train_000.py", "M", "train_001.py"]
    back = run(folder, "undo")
    assert (back.returncode, back.stdout) == (0, "2 files are as they were before the run.\n")
    assert git(folder, "status", "--porcelain") == ""
    again = run(folder, "undo")
    assert again.returncode == 2
    assert "has been taken back already" in again.stderr


def test_the_dry_run_is_the_change_and_writes_nothing(repository: Make) -> None:
    folder = repository(3)
    dry = run(folder, "migrate", "--no-verify", "--dry-run")
    assert git(folder, "status", "--porcelain", "--ignored") == ""
    assert "3 cuts found, 3 would be mended in 3 files." in dry.stderr
    run(folder, "migrate", "--no-verify")
    written = git(folder, "diff", "--no-color")
    run(folder, "undo")
    subprocess.run(["git", "apply", "-"], cwd=folder, input=dry.stdout, text=True, check=True)
    assert git(folder, "diff", "--no-color") == written


def test_from_a_folder_below_the_patch_still_fits(repository: Make) -> None:
    folder = repository(1)
    fill(folder / "sub", 1)
    git(folder, "add", "--all")
    git(folder, "commit", "-qm", "more")
    dry = run(folder / "sub", "migrate", "--no-verify", "--dry-run")
    subprocess.run(["git", "apply", "-"], cwd=folder / "sub", input=dry.stdout, text=True, check=True)
    assert git(folder, "status", "--porcelain") == " M sub/train_000.py\n"


def test_a_dirty_work_tree_is_refused_unless_told(repository: Make) -> None:
    folder = repository(1)
    (folder / "notes.txt").write_text("not Python, not tracked\n")
    assert run(folder, "migrate", "--no-verify", "--select", "TGF999").returncode == 0
    (folder / "new.py").write_text("x = 1\n")
    refused = run(folder, "migrate", "--no-verify")
    assert refused.returncode == 2
    assert "commit or stash them, or pass --allow-dirty (new.py)" in refused.stderr
    assert (folder / "train_000.py").read_bytes() == broken(1)
    assert run(folder, "migrate", "--no-verify", "--allow-dirty").returncode == 0


def test_an_unborn_branch(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    git(tmp_path, "init", "-q")
    refused = run(tmp_path, "migrate", "--no-verify")
    assert refused.returncode == 2
    assert "nothing has been committed in" in refused.stderr
    assert "commit first, or pass --allow-dirty (train_000.py)" in refused.stderr
    assert run(tmp_path, "migrate", "--no-verify", "--allow-dirty").returncode == 0


def test_outside_git_it_works_too(tmp_path: Path) -> None:
    fill(tmp_path / "sub", 1)
    assert run(tmp_path, "migrate", "--no-verify").returncode == 0
    assert (tmp_path / "sub/train_000.py").read_bytes() == mended(1)
    assert run(tmp_path, "undo").returncode == 0
    assert (tmp_path / "sub/train_000.py").read_bytes() == broken(1)


def test_a_worktree_has_a_journal_of_its_own(repository: Make, tmp_path: Path) -> None:
    folder, other = repository(1), tmp_path / "other"
    git(folder, "worktree", "add", "-q", "--detach", str(other))
    assert run(other, "migrate", "--no-verify").returncode == 0
    assert (other / "train_000.py").read_bytes() == mended(1)
    assert run(folder, "undo").returncode == 2
    assert run(other, "undo").returncode == 0
    assert (other / "train_000.py").read_bytes() == broken(1)


def test_a_submodule_is_passed_by_and_said(repository: Make, tmp_path: Path) -> None:
    folder, library = repository(1), tmp_path / "library"
    fill(library, 1)
    git(library, "init", "-q")
    git(library, "add", "-A")
    git(library, "commit", "-qm", "library")
    git(folder, "submodule", "--quiet", "add", str(library), "lib")
    git(folder, "commit", "-qm", "submodule")
    done = run(folder, "migrate", "--no-verify")
    assert "passed by: lib (a submodule: migrate it in its own repository)" in done.stdout
    assert (folder / "lib/train_000.py").read_bytes() == broken(1)
    assert run(folder / "lib", "migrate", "--no-verify").returncode == 0
    assert (folder / "lib/train_000.py").read_bytes() == mended(1)


def test_what_is_not_the_repositorys_own_is_passed_by(repository: Make) -> None:
    folder = repository(1)
    for name in ("third_party", "ignored", "attributes"):
        fill(folder / name, 1)
    (folder / "made.py").write_bytes(b"# Code generated by a tool. DO NOT EDIT.\n" + broken(1))
    (folder / ".gitignore").write_text("ignored/\n")
    (folder / ".gitattributes").write_text("attributes/*.py linguist-generated\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "more")
    done = run(folder, "migrate", "--no-verify")
    assert "passed by: third_party (vendored)" in done.stdout
    assert "passed by: made.py (generated)" in done.stdout
    assert "passed by: attributes/train_000.py (generated (.gitattributes))" in done.stdout
    assert git(folder, "status", "--porcelain") == " M train_000.py\n"
    assert (folder / "ignored/train_000.py").read_bytes() == broken(1)


def test_a_link_out_of_the_repository_is_said(repository: Make, tmp_path: Path) -> None:
    folder = repository(1)
    (tmp_path / "outside.py").write_bytes(broken(1))
    (folder / "link.py").symlink_to("../outside.py")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "link")
    done = run(folder, "migrate", "--no-verify")
    assert done.returncode == 2
    assert "link.py:5:22 TGF103 it is a link to" in done.stdout
    assert (tmp_path / "outside.py").read_bytes() == broken(1)
    assert (folder / "train_000.py").read_bytes() == mended(1)


def test_a_full_disk_changes_nothing(repository: Make) -> None:
    """No file may grow: that is how a full disk looks to a program."""
    folder = repository(2)

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

    done = subprocess.run(
        command("migrate", "--no-verify"),
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        env={**environment(), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=small,
    )
    assert done.returncode == 2
    assert "nothing was changed: the old files cannot be kept in" in done.stderr
    assert "make room" in done.stderr
    assert git(folder, "status", "--porcelain") == ""
    assert run(folder, "migrate", "--no-verify").returncode == 0


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("mount") is None, reason="needs a small disk of its own")
def test_a_disk_that_is_full_for_the_second_version(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=192k", "tmpfs", disk], check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        fill(disk, 4)
        before = {path.name: path.read_bytes() for path in disk.glob("*.py")}
        (disk / "big.bin").write_bytes(b"x" * 140_000)
        done = run(disk, "migrate", "--no-verify")
        assert done.returncode == 2
        assert "No space left on device" in done.stderr + done.stdout
        assert {path.name: path.read_bytes() for path in disk.glob("*.py")} == before
        (disk / "big.bin").unlink()
        assert run(disk, "migrate", "--no-verify", "--allow-dirty").returncode == 0
        assert run(disk, "undo").returncode == 0
        assert {path.name: path.read_bytes() for path in disk.glob("*.py")} == before
    finally:
        subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("migrate", "nowhere"), "is not a folder"),
        (("migrate", "--verify-with", "make test"), "give a script with its arguments"),
        (("migrate", "--verify-with", "python gone.py"), "there is no"),
        (("migrate", "--verify-with", "python 'x"), "No closing quotation"),
        (("migrate", "--resume"), "there is nothing to resume"),
        (("undo",), "there is nothing to take back"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
