"""Words and facts for a finding: what a source is called, the path in steps, what is known of each operand."""

from __future__ import annotations

import ast

from tfgradfix.analyse.graph import Effect, Graph
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.objects import LibraryName
from tfgradfix.analyse.paths import Paths
from tfgradfix.analyse.values import NUMBERS, TENSORS, Kind, Value
from tfgradfix.model import CUT, Operand, Step

_NAMES = (
    (Kind.TENSOR, "tensor"),
    (Kind.VARIABLE, "variable"),
    (TENSORS, "tensor"),
    (Kind.NDARRAY, "ndarray"),
    (Kind.BOOL, "bool"),
    (NUMBERS, "number"),
    (Kind.STRING, "string"),
    (Kind.NONE, "none"),
    (Kind.LIST, "list"),
    (Kind.TUPLE, "tuple"),
    (Kind.DICT, "dict"),
    (Kind.FUNCTION | Kind.MODULE, "function"),
)


def kind_name(value: Value, after: set[int]) -> str:
    """The kind of a value once ``after`` are tensors, in the words of `Operand.kind`."""
    if value.nodes and value.nodes <= after and not value.is_only(Kind.LIST | Kind.TUPLE | Kind.DICT):
        return "variable" if value.is_only(Kind.VARIABLE) else "tensor"
    for kinds, name in _NAMES:
        if value.is_only(kinds):
            return name
    return "unknown"


def operand(value: Value, after: set[int], on_path: set[int], flow: frozenset[int]) -> Operand:
    """What the analysis tells of an operand."""
    return Operand(kind_name(value, after), value.dtype, value.rank, bool(flow & on_path))


def source_name(graph: Graph, number: int) -> str:
    """What a source is called in a message: the expression that makes it."""
    node = graph[number]
    if isinstance(node.syntax, ast.Module):
        return "the model's variables"
    if isinstance(node.syntax, ast.ClassDef):
        return f"the variables of {node.syntax.name}"
    if isinstance(node.syntax, ast.arg):
        return f"`{node.syntax.arg}`"
    statement = node.module.parent(node.syntax)
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], (ast.Name, ast.Attribute)):
        return f"`{node.module.source(statement.targets[0])}`"
    text = node.module.source(node.syntax)
    return f"`{text}`" if text else "the source"


def steps(paths: Paths, source: int, cut: int) -> tuple[Step, ...]:
    """The path source → cut → target, one step a place."""
    graph = paths.graph
    found: list[Step] = []
    previous: int | None = None
    for number in paths.path(source, cut):
        node = graph[number]
        if hasattr(node.syntax, "lineno"):
            text = node.module.source(node.syntax)
            presumed = previous is not None and node.incoming.get(previous) is Effect.PRESUMED
            step = Step(node.module.span(node.syntax), (CUT if number == cut else "") + text, presumed)
            if not found or found[-1].span != step.span:
                found.append(step)
        previous = number
    return tuple(found)


def tensorflow_name(interpreter: Interpreter, module_id: int) -> str | None:
    """The name by which TensorFlow is reached in a module, if it is bound at its top level under one."""
    frame = interpreter.module_frames.get(module_id)
    for name, value in (frame.names or {}).items() if frame is not None else ():
        if (
            any(isinstance(ref, LibraryName) and ref.label == "tensorflow" for ref in value.refs)
            and len(value.refs) == 1
        ):
            return name
    return None


def shadowed(name: str, parents: list[ast.AST]) -> bool:
    """Whether a function round a place binds ``name`` anew."""
    for outer in parents:
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            spec = outer.args
            arguments = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *filter(None, (spec.vararg, spec.kwarg))]
            if any(argument.arg == name for argument in arguments):
                return True
            if any(
                isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store) and inner.id == name
                for inner in ast.walk(outer)
            ):
                return True
    return False
