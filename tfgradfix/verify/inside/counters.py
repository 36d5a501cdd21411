"""Compiles a file with a counter in each of its loops (see ``caps``), under its own name and line numbers."""

from __future__ import annotations

import ast
from typing import Any

#: The name of the counter in compiled programs, which no program uses.
NAME = "__tfgradfix_turns__"


def compiled(text: bytes, file: str) -> Any:
    """The code of a file, with a counter in each of its loops."""
    plain = compile(text, file, "exec", dont_inherit=True)
    try:
        tree = Counters(file).visit(ast.parse(text, file))
        return compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)
    except (SyntaxError, RecursionError):  # nested too deeply for one block more
        return plain


class Counters(ast.NodeTransformer):
    """Puts a counter in each loop."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.loops = 0

    def counter(self, place: ast.expr | ast.stmt, *iterable: ast.expr) -> ast.Call:
        """A call that gives the counter of a loop; ``iterable`` is wrapped so that any value is told from none."""
        given: list[ast.expr] = [ast.Constant(self.file), ast.Constant(place.lineno)]
        if iterable:
            given.append(ast.Tuple(list(iterable), ast.Load()))
        return ast.copy_location(ast.Call(ast.Name(NAME, ast.Load()), given, []), iterable[0] if iterable else place)

    def visit_For(self, node: ast.For) -> ast.AST:
        """``for x in counter(xs)``."""
        self.generic_visit(node)
        if not yields(node):
            node.iter = self.counter(node, node.iter)
        return node

    def visit_While(self, node: ast.While) -> ast.AST | list[ast.stmt]:
        """``turns = counter()``, then ``while turns.more() and condition`` with ``turns.end()`` behind it."""
        self.generic_visit(node)
        if yields(node):
            return node
        self.loops += 1
        name = f"_tfgradfix_loop_{self.loops}"

        def method(which: str) -> ast.Call:
            return ast.Call(ast.Attribute(ast.Name(name, ast.Load()), which, ast.Load()), [], [])

        begin = ast.Assign([ast.Name(name, ast.Store())], self.counter(node))
        node.test = ast.BoolOp(ast.And(), [method("more"), node.test])
        whole = ast.Try([node], [], [], [ast.Expr(method("end"))])
        for part in (node.test, begin, whole, whole.finalbody[0]):
            ast.copy_location(part, node)
        return [begin, whole]

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """The same in a list that is made: its iterable runs out."""
        self.generic_visit(node)
        if not node.is_async:
            node.iter = self.counter(node.iter, node.iter)
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        """Left alone: whoever takes from it goes over it in turns of his own."""
        return node


def yields(loop: ast.AST) -> bool:
    """Whether a loop hands values out on the way: then it runs at the pace of another one."""
    parts = list(ast.iter_child_nodes(loop))
    while parts:
        part = parts.pop()
        if isinstance(part, (ast.Yield, ast.YieldFrom, ast.Await)):
            return True
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            parts.extend(ast.iter_child_nodes(part))
    return False
