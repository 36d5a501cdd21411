"""Programs with something outside of the tape, mended and run: their gradients are those of programs written right."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.codemods.tape_marks import found
from tests.codemods.tape_programs import HEAD, PROGRAMS, Program
from tests.helpers import apply

if TYPE_CHECKING:
    from tfgradfix_codemods.base import GradientCommand

RUNNER = Path(__file__).with_name("tape_runner.py")


def command_of(program: Program) -> type[GradientCommand]:
    """The codemod that a program is for."""
    module = importlib.import_module(f"tfgradfix_codemods.{program.command}")
    name = "".join(part.capitalize() for part in program.command.split("_")) + "Command"
    command: type[GradientCommand] = getattr(module, name)
    return command


def job(program: Program) -> dict[str, object]:
    """The texts of a program for the runner."""
    text, findings = found(command_of(program), HEAD + program.faulty, **dict(program.facts))
    result = apply(text, findings, command_of(program))
    assert not result.declined, (program.name, result.declined)
    assert not result.unanswered, program.name
    return {
        "faulty": text,
        "mended": result.text,
        "right": HEAD + program.right,
        "graph": program.graph,
        "partial": program.partial,
    }


@pytest.mark.runs_tensorflow
def test_gradients_are_those_of_the_right_program() -> None:
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    jobs = [job(program) for program in PROGRAMS]
    done = subprocess.run(
        [sys.executable, str(RUNNER)], input=json.dumps(jobs), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout.splitlines()[-1])
    assert {program.name: told for program, told in zip(PROGRAMS, answers, strict=True) if told} == {}
