"""``[tool.tfgradfix.verify]`` of pyproject.toml: what the user wants to be run for a proof."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEYS: Final = ("commands", "functions")
_FUNCTION_KEYS: Final = ("call", "inputs", "wrt", "seed")
_INPUT_KEYS: Final = ("shape", "dtype")
#: What generated inputs can be made of.
DTYPES: Final = (
    *(f"float{bits}" for bits in (16, 32, 64)),
    "bfloat16",
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    "bool",
)
#: In ``wrt``: the trainable variables that the call touches.
VARIABLES: Final = "variables"
_CALL: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?")


class VerifyError(ValueError):
    """The table cannot be used; the message says why, in one line, without the name of the file."""


@dataclass(frozen=True)
class InputSpec:
    """One generated input."""

    shape: tuple[int, ...]
    dtype: str = "float32"

    def __str__(self) -> str:
        return f"{self.dtype} {self.shape}"


@dataclass(frozen=True)
class FunctionSpec:
    """A function to be called with generated inputs.

    ``call`` is ``package.module:function``; a class is made without arguments and then called. ``wrt`` are the numbers
    of the inputs whose gradient is asked for, and ``"variables"``; empty: all float inputs and the variables.
    """

    call: str
    inputs: tuple[InputSpec, ...] = ()
    wrt: tuple[int | str, ...] = ()
    seed: int = 20


@dataclass(frozen=True)
class VerifySettings:
    """Commands as for ``--verify-with``, and functions."""

    commands: tuple[str, ...] = ()
    functions: tuple[FunctionSpec, ...] = ()


def read_verify(table: object) -> VerifySettings:
    """The settings in ``table``.

    Raises:
        VerifyError: it holds something else.
    """
    where = "[tool.tfgradfix.verify]"
    if not isinstance(table, dict):
        raise VerifyError(f"{where} is not a table")
    _known(table, _KEYS, where)
    commands = table.get("commands", [])
    if not isinstance(commands, list) or not all(isinstance(each, str) for each in commands):
        raise VerifyError(f'{where} commands must be a list of strings, as in ["python train.py --steps 1"]')
    functions = table.get("functions", [])
    if not isinstance(functions, list) or not all(isinstance(each, dict) for each in functions):
        raise VerifyError(f"{where} functions must be tables: begin each with [[tool.tfgradfix.verify.functions]]")
    return VerifySettings(tuple(commands), tuple(_function(each) for each in functions))


def _function(table: Mapping[str, Any]) -> FunctionSpec:
    where = "[[tool.tfgradfix.verify.functions]]"
    call = table.get("call")
    if not isinstance(call, str) or not _CALL.fullmatch(call):
        raise VerifyError(f'{where} needs call = "package.module:function", not {call!r}')
    where = f"{where} {call}"
    _known(table, _FUNCTION_KEYS, where)
    inputs = table.get("inputs", [])
    if not isinstance(inputs, list) or not all(isinstance(each, dict) for each in inputs):
        raise VerifyError(f'{where}: inputs must be a list of {{shape = [8, 3], dtype = "float32"}}')
    specs = tuple(_input(each, number, where) for number, each in enumerate(inputs))
    seed = table.get("seed", FunctionSpec.seed)
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise VerifyError(f"{where}: seed must be a whole number from 0, not {seed!r}")
    return FunctionSpec(call, specs, _wrt(table.get("wrt", []), specs, where), seed)


def _input(table: Mapping[str, Any], number: int, where: str) -> InputSpec:
    where = f"{where}: input {number}"
    _known(table, _INPUT_KEYS, where)
    shape, dtype = table.get("shape"), table.get("dtype", InputSpec.dtype)
    if not isinstance(shape, list) or not all(type(size) is int and size > 0 for size in shape):
        raise VerifyError(f"{where}: shape must be a list of whole numbers from 1, as [8, 3], not {shape!r}")
    if dtype not in DTYPES:
        raise VerifyError(f"{where}: dtype must be one of {', '.join(DTYPES)}, not {dtype!r}")
    return InputSpec(tuple(shape), dtype)


def _wrt(wrt: object, inputs: tuple[InputSpec, ...], where: str) -> tuple[int | str, ...]:
    if not isinstance(wrt, list):
        raise VerifyError(f'{where}: wrt must be a list of numbers of inputs, from 0, and "{VARIABLES}"')
    for each in wrt:
        if each != VARIABLES and not (type(each) is int and 0 <= each < len(inputs)):
            raise VerifyError(f'{where}: wrt names {each!r}, which is no number of an input and not "{VARIABLES}"')
        if each != VARIABLES and "float" not in inputs[each].dtype:
            raise VerifyError(f"{where}: wrt names input {each}, which is {inputs[each].dtype} and has no gradient")
    return tuple(wrt)


def _known(table: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    unknown = next((key for key in table if key not in keys), None)
    if unknown is not None:
        raise VerifyError(f"{where} has no setting {unknown!r}; it has {', '.join(keys)}")
