"""Paths become files; bytes tell which of them matter; files and dotted names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tfgradfix.discover.files import find_files, may_matter
from tfgradfix.discover.modules import import_roots, module_name, project_root, resolve_import


def touch(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def names(folder: Path, found: tuple[Path, ...]) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in found]


def test_a_folder_is_walked_in_the_order_of_names(tmp_path: Path) -> None:
    touch(tmp_path, "b.py", "a/z.py", "a/c.py", "notes.txt")
    assert names(tmp_path, find_files([tmp_path]).files) == ["a/c.py", "a/z.py", "b.py"]


@pytest.mark.parametrize(
    "name",
    [
        ".git/hooks.py",
        "__pycache__/a.py",
        "build/lib/a.py",
        "dist/a.py",
        "node_modules/a.py",
        "lib/site-packages/a.py",
        "venv/a.py",
        "thing.egg-info/a.py",
    ],
)
def test_what_is_not_the_users_source_is_passed_by(tmp_path: Path, name: str) -> None:
    touch(tmp_path, name, "own.py")
    assert names(tmp_path, find_files([tmp_path]).files) == ["own.py"]


def test_a_virtual_environment_of_any_name_is_passed_by(tmp_path: Path) -> None:
    touch(tmp_path, "science/pyvenv.cfg", "science/a.py", "own.py")
    assert names(tmp_path, find_files([tmp_path]).files) == ["own.py"]


def test_a_named_file_is_taken_whatever_it_is_called(tmp_path: Path) -> None:
    touch(tmp_path, "build/train", "own.py")
    found = find_files([tmp_path / "build/train"])
    assert names(tmp_path, found.files) == ["build/train"]
    assert found.named == {tmp_path / "build/train"}


def test_a_file_given_twice_comes_once(tmp_path: Path) -> None:
    touch(tmp_path, "own.py")
    assert len(find_files([tmp_path / "own.py", tmp_path, tmp_path / "own.py"]).files) == 1


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    (tmp_path / "link.py").symlink_to("nowhere.py")
    found = find_files([tmp_path / "no.py", tmp_path / "link.py"])
    assert [reason for _, reason in found.missing] == [
        "no such file or folder",
        "a link to nowhere.py, which is not there",
    ]


def test_links_inside_a_tree_are_met_once_and_folders_that_are_links_are_not_followed(tmp_path: Path) -> None:
    touch(tmp_path, "tree/real.py", "elsewhere/far.py")
    (tmp_path / "tree/alias.py").symlink_to("real.py")
    (tmp_path / "tree/out.py").symlink_to(tmp_path / "elsewhere/far.py")
    (tmp_path / "tree/folder").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert names(tmp_path, find_files([tmp_path / "tree"]).files) == ["tree/out.py", "tree/real.py"]


def test_a_pipe_is_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert find_files([tmp_path / "pipe"]).missing[0][1] == "not a regular file"


def test_excluded_folders_and_files_are_left_out_but_not_what_is_named(tmp_path: Path) -> None:
    touch(tmp_path, "old/a.py", "new/a.py", "new/b.py")
    found = find_files([tmp_path, tmp_path / "new/b.py"], lambda path: path.name in {"old", "b.py"})
    assert names(tmp_path, found.files) == ["new/a.py", "new/b.py"]


@pytest.mark.parametrize(
    "text",
    [
        "with tf.GradientTape() as tape:",
        "from tensorflow import GradientTape as T",
        "import tensorflow\nopt.minimize(loss, w)",
        "from setup import tf\nt.gradient (loss, w)",
        "import keras\nmodel.compile(loss=f)",
        "import keras\nclass A(keras.Layer):\n    def call(self, x): ...",
        "def loss(y_true, y_pred): ...",
        "from tensorflow import keras\nclass M(keras.Model):\n    def train_step(self, data): ...",
    ],
)
def test_files_with_gradient_calls_steps_losses_or_layers_matter(text: str) -> None:
    assert may_matter(text.encode())


@pytest.mark.parametrize(
    "text",
    ["import re\nre.compile('x').match(y)", "import numpy as np\nnp.mean(x)", "import tensorflow as tf\nprint(tf)", ""],
)
def test_other_files_are_set_aside(text: str) -> None:
    assert not may_matter(text.encode())


def test_a_module_is_named_after_its_packages(tmp_path: Path) -> None:
    touch(tmp_path, "pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/mod.py", "scripts/run.py")
    assert module_name(tmp_path / "pkg/sub/mod.py") == "pkg.sub.mod"
    assert module_name(tmp_path / "pkg/sub/__init__.py") == "pkg.sub"
    assert module_name(tmp_path / "scripts/run.py") == "run"


@pytest.mark.parametrize(
    ("importer", "module", "level", "files"),
    [
        ("scripts/run.py", "helpers", 0, ["scripts/helpers.py"]),
        ("scripts/run.py", "pkg.mod", 0, ["src/pkg/__init__.py", "src/pkg/mod.py"]),
        ("scripts/run.py", "pkg.mod.thing", 0, ["src/pkg/__init__.py", "src/pkg/mod.py"]),
        ("scripts/run.py", "pkg.nothing", 0, ["src/pkg/__init__.py"]),
        ("scripts/run.py", "space.deep", 0, ["space/deep.py"]),
        ("scripts/run.py", "numpy", 0, []),
        ("src/pkg/mod.py", "", 1, ["src/pkg/__init__.py"]),
        ("src/pkg/mod.py", "other", 1, ["src/pkg/other.py"]),
        ("src/pkg/sub/deep.py", "other", 2, ["src/pkg/other.py"]),
        ("src/pkg/sub/deep.py", "pkg.other", 0, ["src/pkg/__init__.py", "src/pkg/other.py"]),
    ],
)
def test_imports_lead_to_files(tmp_path: Path, importer: str, module: str, level: int, files: list[str]) -> None:
    touch(tmp_path, "pyproject.toml", "scripts/run.py", "scripts/helpers.py", "space/deep.py")
    touch(tmp_path, "src/pkg/__init__.py", "src/pkg/mod.py", "src/pkg/other.py")
    touch(tmp_path, "src/pkg/sub/__init__.py", "src/pkg/sub/deep.py")
    assert names(tmp_path, resolve_import(tmp_path / importer, module, level)) == files


def test_roots_of_a_project(tmp_path: Path) -> None:
    touch(tmp_path, "setup.py", "src/pkg/__init__.py", "src/pkg/mod.py")
    assert project_root(tmp_path / "src/pkg") == tmp_path
    assert import_roots(tmp_path / "src/pkg") == (tmp_path / "src/pkg", tmp_path / "src", tmp_path)
