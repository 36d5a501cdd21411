"""How to add a driver for a file that nothing drives: text to paste into pyproject.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgradfix.discover.modules import module_name
from tfgradfix.driving.units import candidates, changed_statements, required_arguments
from tfgradfix.read.source import is_notebook

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tfgradfix.driving.units import Changed
    from tfgradfix.model import FileOutcome

_TABLE = "[tool.tfgradfix.verify]"
_SHAPES = '{shape = [4, 8], dtype = "float32"}'


def hint_for(
    file: FileOutcome, root: Path, script: Path | None = None, statements: Sequence[Changed] | None = None
) -> str | None:
    """A table for pyproject.toml that drives ``file``; None where only a change of a notebook itself can.

    Args:
        file: the changed file.
        root: the folder of its project.
        script: a script that reaches the file, but shows nothing when it is run without arguments.
        statements: what is to be run; by default all that is changed.

    The shapes in it are a guess, and so is the command where nothing of the file can be called.
    """
    if is_notebook(file.path):
        return None
    names = candidates(file, tuple(statements or changed_statements(file)))
    if script is not None or not names:
        told = "train.py" if script is None else _name(script, root)
        why = f"a run that gets to the gradients of {_name(file.path, root)}"
        return f'# pyproject.toml: {why}\n{_TABLE}\ncommands = ["python {told} --steps 1"]'
    call = f"{module_name(file.path)}:{names[0]}"
    arguments = required_arguments(file, names[0])
    inputs = ", ".join([_SHAPES] * len(arguments))
    wrt = "\nwrt = [1]" if arguments == ("y_true", "y_pred") else ""
    return (
        f"# pyproject.toml: say what {names[0]} is called with ({', '.join(arguments) or 'nothing'})\n"
        f'[[{_TABLE[1:-1]}.functions]]\ncall = "{call}"\ninputs = [{inputs}]{wrt}'
    )


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
