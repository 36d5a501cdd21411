"""How to add a driver for a file that nothing drives: text to paste into pyproject.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgradfix.discover.modules import module_name
from tfgradfix.driving.units import candidates, changed_functions, required_arguments
from tfgradfix.read.source import is_notebook

if TYPE_CHECKING:
    from pathlib import Path

    from tfgradfix.model import FileOutcome

_TABLE = "[tool.tfgradfix.verify]"
_SHAPES = '{shape = [4, 8], dtype = "float32"}'


def hint_for(file: FileOutcome, root: Path) -> str:
    """A table for pyproject.toml that drives ``file``; ``root`` is the folder of the project.

    The shapes in it are a guess, and so is the command where nothing of the file can be called.
    """
    names = candidates(file, changed_functions(file))
    if is_notebook(file.path) or not names:
        name = file.path.relative_to(root).as_posix() if file.path.is_relative_to(root) else file.path.name
        return f'# pyproject.toml: a run that reaches {name}\n{_TABLE}\ncommands = ["python train.py --steps 1"]'
    call = f"{module_name(file.path)}:{names[0]}"
    arguments = required_arguments(file, names[0])
    inputs = ", ".join([_SHAPES] * len(arguments))
    wrt = "\nwrt = [1]" if arguments == ("y_true", "y_pred") else ""
    return (
        f"# pyproject.toml: say what {names[0]} is called with ({', '.join(arguments) or 'nothing'})\n"
        f'[[{_TABLE[1:-1]}.functions]]\ncall = "{call}"\ninputs = [{inputs}]{wrt}'
    )
