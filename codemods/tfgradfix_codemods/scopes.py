"""What the names of one function are bound to, and which binding a use sees."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.nodes import dotted_text, operand

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Function = cst.FunctionDef | cst.Lambda | cst.Module


@dataclass(frozen=True)
class Binding:
    """One place where a name gets a value; ``value`` is None when the place does not show it."""

    place: cst.CSTNode
    value: cst.BaseExpression | None = None
    parameter: bool = False


@dataclass
class _Bindings(cst.CSTVisitor):
    """Gathers every binding of one scope; the scopes inside it are left out.

    ``names`` has names and dotted places (`self.x`) as keys; ``outer`` are the names declared global or nonlocal.
    """

    names: dict[str, list[Binding]] = field(default_factory=lambda: defaultdict(list))
    outer: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def visit_Assign(self, node: cst.Assign) -> bool:
        for target in node.targets:
            self.bind(target.target, node, node.value)
        return True

    def visit_AnnAssign(self, node: cst.AnnAssign) -> bool:
        if node.value is not None:
            self.bind(node.target, node, node.value)
        return True

    def visit_AugAssign(self, node: cst.AugAssign) -> bool:
        operator = plain_operator(node.operator)
        after = cst.BinaryOperation(operand(node.target), operator, operand(node.value)) if operator else None
        self.bind(node.target, node, after)
        return True

    def visit_NamedExpr(self, node: cst.NamedExpr) -> bool:
        self.bind(node.target, node, node.value)
        return True

    def visit_For(self, node: cst.For) -> bool:
        self.bind(node.target, node, None)
        return True

    def visit_AsName(self, node: cst.AsName) -> bool:
        self.bind(node.name, node, None)
        return False

    def visit_Del(self, node: cst.Del) -> bool:
        self.bind(node.target, node, None)
        return False

    def visit_Global(self, node: cst.Global) -> bool:
        self.outer.update(item.name.value for item in node.names)
        return False

    def visit_Nonlocal(self, node: cst.Nonlocal) -> bool:
        self.outer.update(item.name.value for item in node.names)
        return False

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        self.bind(node.name, node, None)
        return False

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:
        self.bind(node.name, node, None)
        return False

    def visit_Lambda(self, _node: cst.Lambda) -> bool:
        return False

    def visit_CompFor(self, _node: cst.CompFor) -> bool:
        return False

    def bind(self, target: cst.CSTNode, place: cst.CSTNode, value: cst.BaseExpression | None) -> None:
        """Note what ``target`` is bound to; the parts of a tuple get the parts of a tuple of the same length."""
        if isinstance(target, (cst.Tuple, cst.List)):
            values = parts(value, len(target.elements))
            for element, part in zip(target.elements, values, strict=True):
                self.bind(element.value, place, part)
        elif isinstance(target, (cst.Name, cst.Attribute)):
            name = dotted_text(target)
            if name is not None:
                self.names[name].append(Binding(place, value))


def parts(value: cst.BaseExpression | None, count: int) -> Sequence[cst.BaseExpression | None]:
    """The elements of a tuple or list of ``count`` elements as written, or as many unknowns."""
    if isinstance(value, (cst.Tuple, cst.List)) and len(value.elements) == count:
        return [element.value if isinstance(element, cst.Element) else None for element in value.elements]
    return [None] * count


def bindings_within(node: cst.CSTNode) -> Mapping[str, Sequence[Binding]]:
    """The bindings that a statement, or a whole function seen from inside, makes in the scope it belongs to.

    Of a function or lambda these are the bindings of its own names, parameters with their defaults first.
    """
    visitor = _Bindings()
    if isinstance(node, (cst.FunctionDef, cst.Lambda)):
        for parameter in parameters(node.params):
            visitor.names[parameter.name.value].append(Binding(parameter, parameter.default, parameter=True))
    if isinstance(node, (cst.FunctionDef, cst.Module)):
        for child in (node.body,) if isinstance(node, cst.FunctionDef) else node.body:
            child.visit(visitor)
    elif not isinstance(node, cst.Lambda):
        node.visit(visitor)
    for name in visitor.outer:
        visitor.names[name].append(Binding(node))
    return dict(visitor.names)


def parameters(params: cst.Parameters) -> Iterator[cst.Param]:
    """Every parameter, `*args` and `**kwargs` among them."""
    yield from (*params.posonly_params, *params.params, *params.kwonly_params)
    if isinstance(params.star_arg, cst.Param):
        yield params.star_arg
    if params.star_kwarg is not None:
        yield params.star_kwarg


def plain_operator(operator: cst.BaseAugOp) -> cst.BaseBinaryOp | None:
    """`+` for `+=`, and so on."""
    plain = getattr(cst, type(operator).__name__.removesuffix("Assign"), None)
    return plain() if isinstance(plain, type) and issubclass(plain, cst.BaseBinaryOp) else None
