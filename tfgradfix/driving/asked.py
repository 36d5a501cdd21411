"""What the user names for the proof: commands, and functions with the inputs that they get."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tfgradfix.discover.modules import resolve_import

if TYPE_CHECKING:
    from tfgradfix.config_verify import FunctionSpec, VerifySettings


class DriverError(Exception):
    """What the user names cannot be run; the message says why, in one line."""


@dataclass(frozen=True)
class Command:
    """A script that the user names for the proof, and its arguments."""

    script: Path
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Function:
    """A function that the user names, and the file of its module."""

    file: Path
    spec: FunctionSpec


@dataclass(frozen=True)
class Asked:
    """All that the user names."""

    commands: tuple[Command, ...] = ()
    functions: tuple[Function, ...] = ()


def read_asked(settings: VerifySettings, root: Path) -> Asked:
    """What ``[tool.tfgradfix.verify]`` names, looked up from ``root``, the folder of pyproject.toml.

    Raises:
        DriverError: there is no such script or module.
    """
    where = f"{root / 'pyproject.toml'}: [tool.tfgradfix.verify] commands"
    commands = tuple(read_command(text, root, where) for text in settings.commands)
    return Asked(commands, tuple(_function(spec, root) for spec in settings.functions))


def read_command(text: str, folder: Path, where: str = "--verify-with") -> Command:
    """The command in ``text``: ``python SCRIPT ARGUMENTS``, the script counted from ``folder``.

    Raises:
        DriverError: it is something else, or there is no such script; told with ``where`` it stands.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise DriverError(f"{where} {text!r}: {error}") from error
    if words and Path(words[0]).name.startswith("python"):
        words = words[1:]
    if not words or not words[0].endswith(".py"):
        example = "'python train.py --steps 1'"
        raise DriverError(f"{where} {text!r}: give a script with its arguments, as in {example}")
    script = (folder / words[0]).resolve()
    if not script.is_file():
        raise DriverError(f"{where} {text!r}: there is no {script}")
    return Command(script, tuple(words[1:]))


def _function(spec: FunctionSpec, root: Path) -> Function:
    module = spec.call.partition(":")[0]
    files = resolve_import(root / "pyproject.toml", module)
    if not files or module.split(".")[-1] not in (files[-1].stem, files[-1].parent.name):
        raise DriverError(
            f"{root / 'pyproject.toml'}: [[tool.tfgradfix.verify.functions]] {spec.call}: "
            f"there is no module {module} in {root} or {root / 'src'}"
        )
    return Function(files[-1], spec)
