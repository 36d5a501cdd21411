"""``[tool.tfgradfix.verify]``: what it holds, and what is said when it is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tfgradfix.config import ConfigError, load_settings
from tfgradfix.config_verify import FunctionSpec, InputSpec, VerifySettings
from tfgradfix.driving.asked import Asked, Command, DriverError, Function, read_asked

FUNCTION = "[[tool.tfgradfix.verify.functions]]\ncall = 'losses:huber'\n"
GOOD = f"""\
[tool.tfgradfix.verify]
commands = ["python train.py --steps 1"]

{FUNCTION}inputs = [{{shape = [8, 3], dtype = "float32"}}, {{shape = []}}]
wrt = [1, "variables"]
seed = 3
"""


def settings(folder: Path, table: str) -> VerifySettings:
    (folder / "pyproject.toml").write_text(table)
    return load_settings(folder).verify


def test_the_table_is_read(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("")
    (tmp_path / "losses.py").write_text("")
    found = settings(tmp_path, GOOD)
    spec = FunctionSpec("losses:huber", (InputSpec((8, 3)), InputSpec(())), (1, "variables"), 3)
    assert found == VerifySettings(("python train.py --steps 1",), (spec,))
    root = tmp_path.resolve()
    commands = (Command(root / "train.py", ("--steps", "1")),)
    assert read_asked(found, root) == Asked(commands, (Function(root / "losses.py", spec),))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[tool.tfgradfix]\nverify = 1\n", "[tool.tfgradfix.verify] is not a table"),
        ("[tool.tfgradfix.verify]\ncommand = []\n", "has no setting 'command'; it has commands, functions"),
        ("[tool.tfgradfix.verify]\ncommands = 'x'\n", "commands must be a list of strings"),
        ("[tool.tfgradfix.verify]\nfunctions = {}\n", "begin each with [[tool.tfgradfix.verify.functions]]"),
        (
            FUNCTION.replace("losses:huber", "losses.huber"),
            "needs call = \"package.module:function\", not 'losses.huber'",
        ),
        (f"{FUNCTION}shape = [1]\n", "losses:huber has no setting 'shape'; it has call, inputs, wrt, seed"),
        (f"{FUNCTION}inputs = [1]\n", "inputs must be a list of {shape = [8, 3]"),
        (
            f"{FUNCTION}inputs = [{{shape = [-1]}}]\n",
            "input 0: shape must be a list of whole numbers from 1, as [8, 3]",
        ),
        (f"{FUNCTION}inputs = [{{shape = 3}}]\n", "input 0: shape must be"),
        (f"{FUNCTION}inputs = [{{shape = [true]}}]\n", "input 0: shape must be"),
        (f"{FUNCTION}inputs = [{{shape = [3], dtype = 'float'}}]\n", "input 0: dtype must be one of float16, "),
        (f"{FUNCTION}inputs = [{{size = [3]}}]\n", "input 0 has no setting 'size'; it has shape, dtype"),
        (f"{FUNCTION}wrt = [0]\n", "wrt names 0, which is no number of an input"),
        (f"{FUNCTION}wrt = ['weights']\n", "wrt names 'weights'"),
        (
            f"{FUNCTION}inputs = [{{shape = [3], dtype = 'int32'}}]\nwrt = [0]\n",
            "input 0, which is int32 and has no gradient",
        ),
        (f"{FUNCTION}seed = -1\n", "seed must be a whole number from 0, not -1"),
    ],
)
def test_a_mistake_is_said_in_one_line(tmp_path: Path, table: str, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)) as error:
        settings(tmp_path, table)
    assert str(error.value).startswith(f"{tmp_path / 'pyproject.toml'}: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (FUNCTION, "losses:huber: there is no module losses in "),
        (FUNCTION.replace("losses:", "pkg.gone:"), "there is no module pkg.gone in "),
        (
            "[tool.tfgradfix.verify]\ncommands = ['python gone.py']\n",
            "[tool.tfgradfix.verify] commands 'python gone.py': there is no ",
        ),
        ("[tool.tfgradfix.verify]\ncommands = ['make test']\n", "give a script with its arguments"),
    ],
)
def test_what_is_not_there_is_said(tmp_path: Path, table: str, message: str) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/__init__.py").write_text("")
    with pytest.raises(DriverError, match=re.escape(message)) as error:
        read_asked(settings(tmp_path, table), tmp_path)
    assert str(tmp_path / "pyproject.toml") in str(error.value)
