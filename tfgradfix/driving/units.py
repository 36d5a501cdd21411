"""Which statements a change is in, and what of the module can be called so that they run."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tfgradfix.read.source import Source, decode, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tfgradfix.model import FileOutcome

_Function = ast.FunctionDef | ast.AsyncFunctionDef
#: Methods by which an object of a library's class is driven, so that none of its others has to be.
_DRIVEN: Final = frozenset({"call", "__call__", "train_step"})
_GRADIENTS: Final = frozenset({"gradient", "jacobian", "batch_jacobian", "train_step"})


@dataclass(frozen=True)
class Changed:
    """A statement that is changed or new: the function that it is in, and its lines after the change.

    Where something else of a function reads otherwise, its first line stands for it, decorators included.
    """

    function: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"line {self.start} ({self.function})"


def changed_statements(file: FileOutcome) -> tuple[Changed, ...]:
    """The statements of functions in ``file`` that are changed or new; in methods and inner functions, too."""
    before, after = _tree(file, file.before), _tree(file, file.before if file.after is None else file.after)
    if after is None:
        return ()
    old = dict(_functions(before)) if before is not None else {}
    found: list[Changed] = []
    for name, node in _functions(after):
        if name in old and ast.dump(old[name]) == ast.dump(node):
            continue
        known = {key for _, _, key in _statements(old[name])} if name in old else set[str]()
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        own = [Changed(name, start, end) for start, end, key in _statements(node) if key not in known]
        found += own or [Changed(name, first, first)]
    return tuple(found)


def _statements(function: _Function) -> Iterator[tuple[int, int, str]]:
    """The lines and the content of each statement of a function, of one with a block those of its head.

    A docstring says nothing, and inner functions have statements of their own.
    """
    waiting: list[ast.stmt] = list(function.body)
    for node in waiting:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        blocks = [
            each
            for each in ast.iter_child_nodes(node)
            if isinstance(each, (ast.stmt, ast.ExceptHandler, ast.match_case))
        ]
        heads = [each for each in ast.iter_child_nodes(node) if each not in blocks]
        if not blocks:
            yield node.lineno, node.end_lineno or node.lineno, ast.dump(node)
        elif heads:
            last = max(getattr(each, "end_lineno", 0) for each in heads)
            yield node.lineno, max(node.lineno, last), ";".join(ast.dump(each) for each in heads)
        for block in blocks:
            waiting += [block] if isinstance(block, ast.stmt) else block.body


def candidates(file: FileOutcome, changed: tuple[Changed, ...]) -> tuple[str, ...]:
    """What can be called to run ``changed``, best first: what asks for gradients, what is changed, what uses that.

    A name is that of a function or class at the top of the module, or ``Class.method``.
    """
    tree = _tree(file, file.before if file.after is None else file.after)
    if tree is None:
        return ()
    tops = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    direct = {each.function.split(".")[0] for each in changed}
    users = _users(tops, direct)
    asking = [name for name, node in tops.items() if _asks(node)]
    order = [*asking, *(name for name in tops if name in direct), *(name for name in tops if name in users)]
    return tuple(dict.fromkeys(each for name in order for each in _calls(tops[name], users)))


def _calls(node: ast.FunctionDef | ast.ClassDef, users: set[str]) -> Iterator[str]:
    """The names by which one definition is called."""
    yield node.name
    if isinstance(node, ast.ClassDef):
        methods = [inner for inner in node.body if isinstance(inner, ast.FunctionDef)]
        if _DRIVEN.isdisjoint(inner.name for inner in methods):
            public = [inner for inner in methods if not inner.name.startswith("_")]
            yield from (f"{node.name}.{inner.name}" for inner in public if _asks(inner) or node.name in users)


def _users(tops: Mapping[str, ast.AST], direct: set[str]) -> set[str]:
    """The definitions that name one of ``direct``, or one that does, these included."""
    named = {name: {part for inner in ast.walk(node) for part in _named(inner)} for name, node in tops.items()}
    users, fresh = set(direct), set(direct)
    while fresh:
        fresh = {name for name, parts in named.items() if name not in users and parts & fresh}
        users |= fresh
    return users


def _named(node: ast.AST) -> tuple[str, ...]:
    return (node.id,) if isinstance(node, ast.Name) else (node.attr,) if isinstance(node, ast.Attribute) else ()


def _asks(node: ast.AST) -> bool:
    """Whether a definition asks for gradients, or is the training step of a model."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr in _GRADIENTS:
            return True
        if isinstance(inner, ast.FunctionDef) and inner.name in _GRADIENTS:
            return True
    return False


def _functions(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, _Function]]:
    for node in ast.iter_child_nodes(tree):
        name = outer
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{outer}.{node.name}" if outer else node.name
            if not isinstance(node, ast.ClassDef):
                yield name, node
        yield from _functions(node, name)


def _tree(file: FileOutcome, data: bytes) -> ast.Module | None:
    source = decode(file.path, data)
    tree = parse(source) if isinstance(source, Source) else None
    return tree if isinstance(tree, ast.Module) else None


def required_arguments(file: FileOutcome, name: str) -> tuple[str, ...]:
    """The arguments that a call of ``name`` needs, as far as the text tells; of a class those of its call."""
    tree = _tree(file, file.before if file.after is None else file.after)
    nodes = dict(_functions(tree)) if tree is not None else {}
    found = next((nodes[each] for each in (name, f"{name}.call", f"{name}.__call__") if each in nodes), None)
    if found is None:
        return ()
    arguments = [argument.arg for argument in (*found.args.posonlyargs, *found.args.args)]
    needed = arguments[: len(arguments) - len(found.args.defaults)]
    named = [
        each.arg for each, default in zip(found.args.kwonlyargs, found.args.kw_defaults, strict=True) if not default
    ]
    return (*(needed[1:] if needed[:1] == ["self"] else needed), *named)
