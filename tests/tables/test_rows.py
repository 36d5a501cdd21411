"""Every row of the table: what it writes has NumPy's value, dtype, shape and slope, in eager code and in a graph."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import libcst as cst
import pytest
from tfgradfix_codemods.nodes import dotted, source
from tfgradfix_codemods.templates import Decline, chosen_form

from tests.tables.names import NAMES, complex_of
from tests.tables.samples import FORMER, FORMER_PARAMETERS, SAMPLES
from tfgradfix.analyse.facts.rows import Effect, Form, Row, table
from tfgradfix.model import Extent, Finding, Level, Operand, Position, Span

ROOT = Path(__file__).resolve().parent.parent.parent
DTYPES = ("float32", "float64")
UNKNOWN = Operand("unknown")


@dataclass(frozen=True)
class Case:
    """One sample in one dtype; ``blind``: nothing is known of the operands."""

    symbol: str
    text: str
    dtype: str
    blind: bool = False

    @property
    def sighted(self) -> Case:
        """The same case with everything known."""
        return replace(self, blind=False)

    @property
    def row(self) -> Row:
        return table()[self.symbol]

    @property
    def names(self) -> list[str]:
        """The names of the pool in the sample, in the pool's order."""
        used = {node.id for node in ast.walk(ast.parse(self.call)) if isinstance(node, ast.Name)}
        return [name for name in NAMES if name in used]

    @cache  # noqa: B019 - the cases live as long as the tests
    def written(self) -> tuple[Form, str] | Decline:
        """The form chosen for the sample and the text that it gives."""
        node = cst.parse_expression(self.call)
        assert isinstance(node, (cst.Call, cst.Attribute))
        place = Span("sample.py", Position(1, 1), Position(1, 1 + len(self.text)))
        operands = tuple(UNKNOWN if self.blind else operand(value, self.dtype) for value in self.operands(node))
        finding = Finding("TGF101", "numpy-call", place, "", Level.SAFE, Extent.WHOLE, operands=operands)
        chosen = chosen_form(self.row, node, finding, lambda name: dotted(f"tf.{name}"))
        return chosen if isinstance(chosen, Decline) else (chosen[0], source(chosen[1]))

    def operands(self, node: cst.Call | cst.Attribute) -> list[cst.BaseExpression]:
        """The receiver of a method and the arguments."""
        if isinstance(node, cst.Attribute):
            return [node.value]
        method = self.symbol.startswith("ndarray.") and isinstance(node.func, cst.Attribute)
        receiver = [node.func.value] if method and isinstance(node.func, cst.Attribute) else []
        return [*receiver, *(argument.value for argument in node.args)]

    def job(self, written: str) -> dict[str, object]:
        """What the evaluating process is told."""
        flows = {Effect.MAPS: "some", Effect.PASSES: "some", Effect.SHAPE: "any"}
        gradient = flows.get(self.row.effect, "none")
        told = {"library": self.in_context(self.call), "written": self.in_context(written), "dtype": self.dtype}
        weak = (
            self.symbol.partition(".")[0] in ("math", "builtins") or mixes(self.call) or self.blind or self.row.widens
        )
        carrying = self.names_of(self.row.differentiable_parameters)
        return {
            **told,
            "names": self.names,
            "carrying": carrying,
            "gradient": gradient,
            "weak": weak,
            "graph": not self.blind,
        }

    def names_of(self, parameters: tuple[str, ...]) -> list[str]:
        """The names of the pool in the arguments of some parameters."""
        node = ast.parse(self.call, mode="eval").body
        method = isinstance(node, ast.Call) and self.symbol.startswith("ndarray.")
        if not isinstance(node, ast.Call):
            return self.names
        found = [node.func] if method and "self" in parameters else []
        for position, argument in enumerate(node.args, start=int(method)):
            parameter = self.row.parameter_of(position, None)
            found += [argument] if parameter is not None and parameter.name in parameters else []
        found += [keyword.value for keyword in node.keywords if keyword.arg in parameters]
        used = {name.id for top in found for name in ast.walk(top) if isinstance(name, ast.Name)}
        return [name for name in self.names if name in used]

    @property
    def call(self) -> str:
        """The call itself."""
        return self.text.partition(" | ")[0]

    def in_context(self, call: str) -> str:
        """The call, or what the sample says to look at of its result."""
        return (self.text.partition(" | ")[2] or "_").replace("_", f"({call})")


def operand(node: cst.BaseExpression, dtype: str) -> Operand:
    """What the analysis would know of an argument of a sample."""
    if isinstance(node, cst.Name) and node.value in NAMES:
        spec = NAMES[node.value]
        of_values = {"complex": complex_of(dtype), "bool": "bool", "index": "int64", "whole": "int64"}
        known = of_values.get(spec.values, dtype if spec.role == "tensor" else "float64")
        kind = "tensor" if spec.role == "tensor" else "ndarray"
        return Operand(kind, known, len(spec.shape), on_path=spec.role == "tensor")
    if isinstance(node, cst.BinaryOperation):
        return operand(node.left, dtype)
    if isinstance(node, (cst.List, cst.Tuple)):
        inner = operand(node.elements[0].value, dtype) if node.elements else UNKNOWN
        kind = "list" if isinstance(node, cst.List) else "tuple"
        return Operand(kind, inner.dtype, None if inner.rank is None else inner.rank + 1, on_path=inner.on_path)
    try:
        literal = ast.literal_eval(source(node))
    except ValueError:
        return UNKNOWN
    kinds = {bool: "bool", int: "number", float: "number", complex: "number", str: "string", type(None): "none"}
    kind = kinds.get(type(literal), "unknown")
    return Operand(kind, type(literal).__name__ if kind == "number" else None, 0 if kind == "number" else None)


def mixes(call: str) -> bool:
    """Whether a list in the call has Python's floats in it: NumPy makes float64 of that."""
    lists = [node for node in ast.walk(ast.parse(call)) if isinstance(node, (ast.List, ast.Tuple))]
    items = [item for node in lists for item in node.elts if isinstance(item, ast.Constant)]
    return any(isinstance(item.value, float) for item in items)


CASES = [Case(symbol, text, dtype) for symbol, texts in SAMPLES.items() for text in texts for dtype in DTYPES]
BLIND = [replace(case, blind=True) for case in CASES if all(NAMES[name].role == "tensor" for name in case.names)]


@cache
def problems() -> dict[Case, list[str]]:
    """What the evaluating process finds wrong with each sample, all in one process, since TensorFlow starts slowly."""
    texts = {case: text[1] for case in (*CASES, *BLIND) if not isinstance(text := case.written(), Decline)}
    same = {case for case, text in texts.items() if case.blind and text == texts.get(case.sighted)}
    jobs = {case: case.job(text) for case, text in texts.items() if case not in same}
    command = [sys.executable, "-m", "tests.tables.evaluate"]
    told = json.dumps(list(jobs.values()))
    done = subprocess.run(command, input=told, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    found = dict(zip(jobs, json.loads(done.stdout), strict=True))
    return {case: found[case.sighted if case in same else case] for case in texts}


@pytest.mark.runs_tensorflow
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.symbol}-{case.text}-{case.dtype}")
def test_row_means_the_same(case: Case) -> None:
    written = case.written()
    assert not isinstance(written, Decline), written
    assert problems()[case] == [], written[1]


@pytest.mark.runs_tensorflow
@pytest.mark.parametrize("case", BLIND, ids=lambda case: f"{case.symbol}-{case.text}-{case.dtype}")
def test_row_is_right_or_declines_without_knowledge(case: Case) -> None:
    written = case.written()
    if not isinstance(written, Decline):
        assert problems()[case] == [], written[1]


def test_every_form_has_a_sample() -> None:
    used = set()
    for case in (*CASES, *BLIND):
        written = case.written()
        if not isinstance(written, Decline):
            used.add((case.symbol, written[0]))
    forms = {(row.symbol, form) for row in table().values() if not alike(row.symbol) for form in row.forms}
    unused = sorted(f"{symbol}: {form.write}" for symbol, form in forms - used)
    assert [text for text in unused if not any(name in text for name in FORMER_PARAMETERS)] == []


def alike(symbol: str) -> bool:
    """Whether NumPy no longer has the name, or has it beside another with samples."""
    return symbol in FORMER or symbol.startswith("numpy.random.RandomState.")


@pytest.mark.parametrize("row", table().values(), ids=lambda row: row.symbol)
def test_row_is_complete(row: Row) -> None:
    placeholders = {name for form in row.forms for name in re.findall(r"\{(\w+)", form.write)}
    conditions = {condition.parameter for form in row.forms for condition in form.when}
    named = {*(row.carries or ()), *(row.together or ()), *row.ignored, *placeholders, *conditions}
    assert named <= {"scope", *(parameter.name for parameter in row.parameters)}
    if not row.forms:
        assert row.reason or row.effect is Effect.SHAPE
    if row.effect in (Effect.NO_GRADIENT, Effect.NO_COUNTERPART):
        assert row.reason
