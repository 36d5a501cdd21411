"""What git says of a folder: where its work tree begins, what is uncommitted, which files are its own."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tfgradfix.discover.files import SUFFIXES
from tfgradfix.migrate.errors import MigrateError

#: The mode of a submodule in git's index.
_SUBMODULE: Final = "160000"
_ATTRIBUTES: Final = {
    "linguist-generated": "generated (.gitattributes)",
    "linguist-vendored": "vendored (.gitattributes)",
}


@dataclass(frozen=True)
class Repository:
    """The folder to migrate, and the ``root`` that its journal belongs to: the work tree's top in git."""

    folder: Path
    root: Path
    in_git: bool


def find_repository(folder: Path) -> Repository:
    """The repository of ``folder``, which need not be under git.

    Raises:
        MigrateError: the folder is not there, or git cannot tell about its own repository.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise MigrateError(f"{folder} is not a folder: give the folder of the repository ('fix' takes single files)")
    if not any((above / ".git").exists() for above in (folder, *folder.parents)):
        return Repository(folder, folder, in_git=False)
    return Repository(
        folder, Path(os.fsdecode(_git(folder, "rev-parse", "--show-toplevel").rstrip(b"\n"))), in_git=True
    )


def has_commit(repository: Repository) -> bool:
    """Whether anything has been committed yet."""
    command = ["git", "-C", str(repository.root), "rev-parse", "--quiet", "--verify", "HEAD"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def uncommitted(repository: Repository) -> tuple[str, ...]:
    """What has been changed since the last commit below the folder: tracked files, and new ones that hold Python."""
    answer = _git(repository.folder, "status", "--porcelain", "-z", "--untracked-files=all", "--", ".")
    entries = iter(os.fsdecode(answer).split("\0"))
    found = []
    for entry in entries:
        state, name = entry[:2], entry[3:]
        if "R" in state or "C" in state:
            next(entries, None)  # the name that it had before
        if name and (state != "??" or name.endswith(SUFFIXES)):
            found.append(name)
    return tuple(found)


def own_files(repository: Repository) -> frozenset[Path]:
    """The files below the folder that are tracked, or new and not ignored."""
    return _paths(repository, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".")


def submodules(repository: Repository) -> frozenset[Path]:
    """The folders below the folder that belong to repositories of their own."""
    listed = os.fsdecode(_git(repository.folder, "ls-files", "-s", "-z", "--", ".")).split("\0")
    return frozenset(repository.folder / line.split("\t", 1)[1] for line in listed if line.startswith(_SUBMODULE))


def marked(repository: Repository, files: frozenset[Path]) -> dict[Path, str]:
    """Which of ``files`` ``.gitattributes`` declares to be vendored or generated."""
    names = b"\0".join(os.fsencode(path.relative_to(repository.folder)) for path in sorted(files))
    answer = os.fsdecode(_git(repository.folder, "check-attr", "-z", "--stdin", *_ATTRIBUTES, data=names)).split("\0")
    triples = zip(answer[0::3], answer[1::3], answer[2::3], strict=False)
    return {repository.folder / name: _ATTRIBUTES[key] for name, key, value in triples if value in ("set", "true")}


def _paths(repository: Repository, *arguments: str) -> frozenset[Path]:
    names = os.fsdecode(_git(repository.folder, *arguments)).split("\0")
    return frozenset(repository.folder / name for name in names if name)


def _git(folder: Path, *arguments: str, data: bytes = b"") -> bytes:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],  # noqa: S607
            input=data,
            capture_output=True,
            check=False,
            env=environment,
        )
    except FileNotFoundError as error:
        raise MigrateError(
            f"{folder} is under git, but git is not installed here: install it, and run again"
        ) from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        raise MigrateError(f"git cannot read the repository of {folder}: {said[0]}")
    return done.stdout
