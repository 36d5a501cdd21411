"""Which scripts and tests are run for a change."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.driving.projects import project
from tfgradfix.driving.reach import reach_in
from tfgradfix.driving.scripts import has_work, scripts_for
from tfgradfix.driving.tests import is_test, nearest_tests, script_of
from tfgradfix.driving.where import Where

CHANGED = ("x = 1\n", "x = 2\n")
TRAINS = "g = tape.gradient(y, x)\n"


@pytest.mark.parametrize(
    ("text", "works"),
    [
        ("'''Doc.'''\nimport a\nX = 1\ndef f(): a.fit()\nclass C: pass\n", False),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\n", False),
        ("try:\n    import a\nexcept ImportError:\n    a = None\n", False),
        ("LAYER = make()\n", False),
        ("history = model.fit(x)\n", True),
        ("main()\n", True),
        ("if __name__ == '__main__':\n    main()\n", True),
        ("for step in range(3):\n    pass\n", True),
        ("with tf.GradientTape() as tape:\n    y = x * x\n", False),
        ("with tf.GradientTape() as tape:\n    y = x * x\ng = tape.gradient(y, x)\n", True),
    ],
)
def test_a_script_does_more_than_define(text: str, works: bool) -> None:
    assert has_work(ast.parse(text)) is works


def chosen(folder: Path, files: dict[str, str | tuple[str, str]], *tried: str) -> dict[str, tuple[str, ...]]:
    report = project(folder, files)
    changed = [file.path for file in report.files if file.after is not None]
    found = scripts_for(reach_in(report), changed, changed, [folder / name for name in tried])
    return {script.name: tuple(path.name for path in used) for script, used in found.items()}


def test_the_fewest_scripts_are_chosen_and_those_that_train_first(tmp_path: Path) -> None:
    files: dict[str, str | tuple[str, str]] = {
        "losses.py": CHANGED,
        "layers.py": ("import losses\n", "import losses  #\n"),
        "look.py": "import layers\nprint(1)\n",
        "train.py": f"import layers\n{TRAINS}",
        "only.py": f"import losses\n{TRAINS}",
        "idle.py": f"import other\n{TRAINS}",
    }
    assert chosen(tmp_path, files) == {"train.py": ("losses.py", "layers.py")}
    assert chosen(tmp_path, files, "train.py") == {
        "only.py": ("losses.py",),
        "look.py": ("losses.py", "layers.py"),
    }


def test_a_changed_script_is_run_itself(tmp_path: Path) -> None:
    files: dict[str, str | tuple[str, str]] = {
        "one.py": (f"import two\n{TRAINS}", f"import two\n{TRAINS}#\n"),
        "two.py": CHANGED,
        "three.py": (TRAINS, f"{TRAINS}#\n"),
    }
    assert chosen(tmp_path, files) == {"one.py": ("one.py", "two.py"), "three.py": ("three.py",)}


def test_files_that_import_each_other_end_the_search(tmp_path: Path) -> None:
    one, two = ("import two\nprint(1)\n", "import two\nprint(2)\n"), "import one\nprint(1)\n"
    assert chosen(tmp_path, {"one.py": one, "two.py": two}) == {"one.py": ("one.py",)}


def test_a_file_that_only_defines_is_no_script(tmp_path: Path) -> None:
    assert chosen(tmp_path, {"losses.py": CHANGED, "test_losses.py": "import losses\nmain()\n"}) == {}


def test_a_search_goes_through_the_whole_project(tmp_path: Path) -> None:
    project(
        tmp_path, {"pyproject.toml": "", "scripts/train.py": f"from pkg import losses\n{TRAINS}", "old/a.py": TRAINS}
    )
    report = project(tmp_path, {"pkg/__init__.py": "", "pkg/losses.py": CHANGED})
    losses = tmp_path / "pkg/losses.py"
    reach = reach_in(report)
    assert reach.leading_to([losses]) == [losses]
    reach.look_around([losses], None)
    assert reach.leading_to([losses]) == [losses, tmp_path / "scripts/train.py"]
    assert tmp_path / "old/a.py" not in reach.trees, "nothing in it leads to the change"
    apart = reach_in(report)
    apart.look_around([losses], lambda path: path.name == "scripts")
    assert apart.leading_to([losses]) == [losses]


def test_without_a_project_file_only_the_folder_is_searched(tmp_path: Path) -> None:
    project(tmp_path, {"train.py": "import losses\n", "deep/train.py": "import losses\n"})
    report = project(tmp_path, {"losses.py": CHANGED})
    reach = reach_in(report)
    reach.look_around([tmp_path / "losses.py"], None)
    assert set(reach.files) == {tmp_path / "losses.py", tmp_path / "train.py"}


def test_the_nearest_tests_are_run(tmp_path: Path) -> None:
    test = "from pkg.losses import x\ndef test_x(): pass\n"
    files: dict[str, str | tuple[str, str]] = {
        "pyproject.toml": "",
        "pkg/__init__.py": "",
        "pkg/losses.py": CHANGED,
        "pkg/more.py": "from pkg import losses\n",
        "tests/test_all.py": f"import pkg.more\n{test}",
        "tests/test_losses.py": test,
        "tests/test_more.py": f"import pkg.more\nfrom pkg import losses\n{test}",
        "tests/test_nothing.py": "import pkg.losses\n",
        "tests/helpers.py": test,
    }
    report = project(tmp_path, files)
    losses = tmp_path / "pkg/losses.py"
    found = nearest_tests(reach_in(report), [losses], [losses], lambda _: Where(tmp_path))
    assert list(found.items()) == [
        (tmp_path / "tests/test_losses.py", (losses,)),
        (tmp_path / "tests/test_all.py", (losses,)),
    ]


@pytest.mark.parametrize("case", [True, False])
def test_unittest_takes_the_place_of_pytest_where_there_are_cases(tmp_path: Path, case: bool) -> None:
    base = "unittest.TestCase" if case else "Base"
    tree = ast.parse(f"class Losses({base}):\n    def test_it(self): pass\n")
    text = script_of(tmp_path / "tests/test_a.py", tmp_path, tree).decode()
    ast.parse(text)
    assert "tests/test_a.py" in text
    assert ("unittest" in text) is case


@pytest.mark.parametrize(
    ("name", "answer"),
    [("test_a.py", True), ("a_test.py", True), ("tests.py", True), ("testing.py", False), ("test_a.ipynb", False)],
)
def test_tests_are_known_by_name(name: str, answer: bool) -> None:
    assert is_test(Path(name)) is answer
