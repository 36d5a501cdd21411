"""How each kind of expression gives a value, and which edges it adds to the flow graph."""

from __future__ import annotations

import ast
import builtins
from typing import Final

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.events import Branch
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.objects import Container, Function, LibraryName, Opaque
from tfgradfix.analyse.promotion import arithmetic_kinds, fold, matmul_shape, promote
from tfgradfix.analyse.values import (
    CONTAINERS,
    MISSING,
    NOTHING,
    NUMBERS,
    TENSORS,
    UNKNOWN,
    Kind,
    Value,
    broadcast,
    constant,
    join,
    join_all,
)

#: Operators that have no useful derivative.
_STEPS: Final = (ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)


class Expressions(Core):
    """Evaluate expressions."""

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression in the present context."""
        self.evaluations += 1
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            return self.presumed_value(
                node, [self.evaluate(c) for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)]
            )
        value: Value = method(node)
        return value

    def presumed_value(self, node: ast.AST, inputs: list[Value]) -> Value:
        """A value made in a way that is not known from ``inputs``."""
        ref = self.made_at(node, "opaque", Opaque(type(node).__name__))
        value = Value(Kind.UNKNOWN, refs=frozenset({ref}))
        return self.produce(node, value, [(value_, Effect.PRESUMED) for value_ in inputs])

    def _constant(self, node: ast.Constant) -> Value:
        return constant(node.value)

    def _name(self, node: ast.Name) -> Value:
        value = self.frame.lookup(node.id)
        if value is not None and value != NOTHING:
            if self.functions.is_imported(self.frame.module, node.id):
                self.functions.mention(node, self.frame.module, value)
            return value
        if hasattr(builtins, node.id):
            value = self.library("builtins." + node.id)
            self.functions.mention(node, self.frame.module, value)
            return value
        return UNKNOWN

    def _attribute(self, node: ast.Attribute) -> Value:
        receiver = self.evaluate(node.value)
        value = self.attribute(receiver, node.attr, node)
        if any(isinstance(ref, LibraryName) for ref in receiver.refs):
            self.functions.mention(node, self.frame.module, value)
        return value

    def _starred(self, node: ast.Starred) -> Value:
        return self.evaluate(node.value)

    def _await(self, node: ast.Await) -> Value:
        return self.evaluate(node.value)

    def _namedexpr(self, node: ast.NamedExpr) -> Value:
        value = self.evaluate(node.value)
        self.assign(node.target, value, node)
        return value

    def _yield(self, node: ast.Yield) -> Value:
        value = self.evaluate(node.value) if node.value is not None else NOTHING
        self.frame.yields = True
        self.frame.result = join(self.frame.result, value)
        return UNKNOWN

    def _yieldfrom(self, node: ast.YieldFrom) -> Value:
        self.frame.yields = True
        self.frame.result = join(self.frame.result, self.element(self.evaluate(node.value), node))
        return UNKNOWN

    def _joinedstr(self, node: ast.JoinedStr) -> Value:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.evaluate(part.value)
        return Value(Kind.STRING)

    def _lambda(self, node: ast.Lambda) -> Value:
        return self.function_value(node, "<lambda>")

    def function_value(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, label: str) -> Value:
        """A function of the program, closed over the present frame."""
        function = self.made_at(node, "function", Function(label, node, self.frame.module))
        function.frame = self.frame
        positional = [*node.args.posonlyargs, *node.args.args]
        for argument, default in zip(reversed(positional), reversed(node.args.defaults), strict=False):
            function.defaults[argument.arg] = self.evaluate(default)
        for argument, given in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            if given is not None:
                function.defaults[argument.arg] = self.evaluate(given)
        return Value(Kind.FUNCTION, refs=frozenset({function}))

    def _binop(self, node: ast.BinOp) -> Value:
        left, right = self.evaluate(node.left), self.evaluate(node.right)
        if isinstance(node.op, ast.Add) and left.is_only(Kind.SHAPE) and right.is_only(Kind.TUPLE):
            self._note_shape_sum(node)
        return self.arithmetic(node, node.op, left, right)

    def _note_shape_sum(self, node: ast.BinOp) -> None:
        """Remember ``x.shape[:-1] + (…)``: the shape of a tensor is no tuple."""
        shape = node.left.value if isinstance(node.left, ast.Subscript) else node.left
        if isinstance(shape, ast.Attribute) and shape.attr == "shape":
            receiver = self.evaluate(shape.value)
            self.shape_sums.append((node, self.frame.module, self.mode, receiver.nodes))

    def arithmetic(self, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
        """The value of ``left op right``."""
        if left.is_only(CONTAINERS) and right.is_only(CONTAINERS) and isinstance(op, ast.Add):
            rest = join_all(
                item
                for side in (left, right)
                for ref in side.refs
                if isinstance(ref, Container)
                for item in ref.elements()
            )
            return self.container(node, left.kinds | right.kinds, None, rest).with_nodes(left.nodes | right.nodes)
        if left.is_only(CONTAINERS) and right.is_only(NUMBERS) and isinstance(op, ast.Mult):
            return self.container(node, left.kinds, None, self.element(left, node))
        if left.is_only(Kind.STRING):
            return Value(Kind.STRING)
        kinds = arithmetic_kinds(left, right)
        dtype, shape = promote(left, right, isinstance(op, ast.Div)), broadcast(left.shape, right.shape)
        if isinstance(op, ast.MatMult):
            shape = matmul_shape(left.shape, right.shape)
        if kinds == Kind.NUMBER and not left.nodes and not right.nodes:
            return Value(kinds, dtype=dtype, shape=(), const=fold(op, left.const, right.const))
        effect = Effect.NO_GRADIENT if isinstance(op, _STEPS) else Effect.KEEP
        return self.produce(
            node,
            Value(kinds, dtype=dtype, shape=shape),
            [(left, effect), (right, effect)],
            operation=True,
            symbol="operator." + type(op).__name__,
            operands=(left, right),
        )

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        value = self.evaluate(node.operand)
        if isinstance(node.op, ast.Not):
            const = (
                (not value.const)
                if value.const is not MISSING and isinstance(value.const, (bool, type(None)))
                else MISSING
            )
            return self.produce(
                node,
                Value(Kind.BOOL, dtype="bool", shape=(), const=const),
                [(value, Effect.NO_GRADIENT)],
                symbol="operator.not",
                operands=(value,),
            )
        if value.is_only(NUMBERS) and not value.nodes:
            negated = isinstance(node.op, ast.USub) and isinstance(value.const, (int, float))
            folded: object = -value.const if negated else MISSING  # type: ignore[operator]
            return Value(Kind.NUMBER, dtype=value.dtype, shape=(), const=folded)
        effect = Effect.NO_GRADIENT if isinstance(node.op, ast.Invert) else Effect.KEEP
        return self.produce(
            node,
            Value(
                value.kinds & ~Kind.VARIABLE | (Kind.TENSOR if value.may_be(Kind.VARIABLE) else Kind.NOTHING),
                dtype=value.dtype,
                shape=value.shape,
            ),
            [(value, effect)],
            operation=True,
            symbol="operator." + type(node.op).__name__,
            operands=(value,),
        )

    def _boolop(self, node: ast.BoolOp) -> Value:
        values = [self.evaluate(value) for value in node.values]
        consts = [value.const for value in values]
        joined = join_all(values)
        if isinstance(node.op, ast.And) and any(const is None or const is False for const in consts):
            joined = constant(False)
        inputs = [(value, Effect.PRESUMED if not value.is_only(Kind.BOOL) else Effect.NO_GRADIENT) for value in values]
        return self.produce(
            node,
            joined,
            inputs,
            symbol="operator.and" if isinstance(node.op, ast.And) else "operator.or",
            operands=tuple(values),
        )

    def _compare(self, node: ast.Compare) -> Value:
        values = [self.evaluate(node.left), *(self.evaluate(other) for other in node.comparators)]
        if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
            return Value(Kind.BOOL, dtype="bool", shape=(), const=_identity(node, values))
        words = [value for value in values if value.is_only(Kind.STRING | Kind.NONE)]
        if words and not any(value.is_only(TENSORS | Kind.NDARRAY) for value in values):
            # A setting compared with a word.
            return Value(Kind.BOOL, dtype="bool", shape=(), const=_same_word(node, values))
        kinds = arithmetic_kinds(values[0], values[1])
        kinds = Kind.BOOL if kinds & ~(NUMBERS | Kind.STRING | Kind.NONE) == Kind.NOTHING else kinds & ~Kind.NUMBER
        shape = broadcast(values[0].shape, values[1].shape)
        return self.produce(
            node,
            Value(kinds or Kind.BOOL, dtype="bool", shape=shape),
            [(value, Effect.NO_GRADIENT) for value in values],
            operation=bool(kinds & ~Kind.BOOL),
            symbol="operator.compare",
            operands=tuple(values),
        )

    def _ifexp(self, node: ast.IfExp) -> Value:
        test = self.evaluate(node.test)
        if isinstance(test.const, (bool, type(None))):
            return self.evaluate(node.body if test.const else node.orelse)
        with self.controlled(test):
            body, orelse = self.evaluate(node.body), self.evaluate(node.orelse)
        branch = self.branches.setdefault(
            (id(node), self.frame.context.id), Branch(node, self.frame.module, self.frame.context, self.mode)
        )
        branch.tests = [(node.test, test)]
        branch.before, branch.after = {"": body}, {"": orelse}
        value = join(body, orelse)
        if not self.flow(test):
            return value
        result = self.produce(node, value, [(body, Effect.KEEP), (orelse, Effect.KEEP), (test, Effect.CONTROL)])
        branch.results |= result.nodes
        return result


def _same_word(node: ast.Compare, values: list[Value]) -> object:
    """What ``==`` or ``!=`` says of two known strings."""
    words = [value.const for value in values]
    if len(words) != 2 or not all(isinstance(word, str) for word in words):
        return MISSING
    if isinstance(node.ops[0], ast.Eq):
        return words[0] == words[1]
    return words[0] != words[1] if isinstance(node.ops[0], ast.NotEq) else MISSING


def _identity(node: ast.Compare, values: list[Value]) -> object:
    """``x is None`` where x is certainly, or certainly not, None."""
    if len(values) != 2 or not isinstance(node.ops[0], (ast.Is, ast.IsNot)) or values[1].const is not None:
        return MISSING
    left = values[0]
    if left.is_only(Kind.NONE):
        return isinstance(node.ops[0], ast.Is)
    if left.kinds and not left.may_be(Kind.NONE | Kind.UNKNOWN):
        return isinstance(node.ops[0], ast.IsNot)
    return MISSING
