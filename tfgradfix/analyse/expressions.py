"""How each kind of expression gives a value, and which edges it adds to the flow graph."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable
from typing import Any, Final

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.events import Branch, Loop
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.objects import Container, Function, Instance, LibraryName, Opaque, elements_of
from tfgradfix.analyse.values import (
    CONTAINERS,
    MISSING,
    NOTHING,
    NUMBERS,
    PLAIN,
    TENSORS,
    UNKNOWN,
    Kind,
    Shape,
    Value,
    broadcast,
    constant,
    join,
    join_all,
)

_FOLDED: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
#: Operators that have no useful derivative.
_STEPS: Final = (ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
#: What NumPy makes of two dtypes (the pairs that occur on gradient paths).
_PROMOTED: Final = {
    frozenset(("float32", "float64")): "float64",
    frozenset(("float32", "complex64")): "complex64",
    frozenset(("float32", "complex128")): "complex128",
    frozenset(("float64", "complex64")): "complex128",
    frozenset(("float64", "complex128")): "complex128",
    frozenset(("complex64", "complex128")): "complex128",
    frozenset(("float32", "int64")): "float64",
    frozenset(("float64", "int64")): "float64",
    frozenset(("float32", "int32")): "float64",
    frozenset(("float64", "int32")): "float64",
    frozenset(("float32", "bool")): "float32",
    frozenset(("float64", "bool")): "float64",
}
_RANKS: Final = {"bool": 0, "int": 1, "float": 2, "complex": 3}


class Expressions(Core):
    """Evaluate expressions."""

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression in the present context."""
        self.evaluations += 1
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            return self._presumed(
                node, [self.evaluate(c) for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)]
            )
        value: Value = method(node)
        return value

    def _presumed(self, node: ast.AST, inputs: list[Value]) -> Value:
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
        kinds = _arithmetic_kinds(left, right)
        dtype, shape = promote(left, right, isinstance(op, ast.Div)), broadcast(left.shape, right.shape)
        if isinstance(op, ast.MatMult):
            shape = _matmul_shape(left.shape, right.shape)
        if kinds == Kind.NUMBER and not left.nodes and not right.nodes:
            return Value(kinds, dtype=dtype, shape=(), const=_fold(op, left.const, right.const))
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
        kinds = _arithmetic_kinds(values[0], values[1])
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

    def _list(self, node: ast.List) -> Value:
        return self._display(node, node.elts, Kind.LIST)

    def _tuple(self, node: ast.Tuple) -> Value:
        return self._display(node, node.elts, Kind.TUPLE)

    def _set(self, node: ast.Set) -> Value:
        return self._display(node, node.elts, Kind.LIST)

    def _display(self, node: ast.expr, elements: list[ast.expr], kind: int) -> Value:
        values = [self.evaluate(element) for element in elements]
        if any(isinstance(element, ast.Starred) for element in elements):
            rest = join_all(
                self.element(value, element) if isinstance(element, ast.Starred) else value
                for element, value in zip(elements, values, strict=True)
            )
            return self.container(node, kind, None, rest)
        return self.container(node, kind, dict(enumerate(values)))

    def _dict(self, node: ast.Dict) -> Value:
        items: dict[object, Value] = {}
        rest = NOTHING
        for key, item in zip(node.keys, node.values, strict=True):
            value = self.evaluate(item)
            const = self.evaluate(key).const if key is not None else MISSING
            if key is None:
                rest = join(
                    rest,
                    join_all(element for ref in value.refs if isinstance(ref, Container) for element in ref.elements()),
                )
            elif const is MISSING:
                rest = join(rest, value)
            else:
                items[const] = join(items.get(const, NOTHING), value)
        return self.container(
            node,
            Kind.DICT,
            items if rest == NOTHING else None,
            join(rest, join_all(items.values()) if rest != NOTHING else NOTHING),
        )

    def _listcomp(self, node: ast.ListComp) -> Value:
        exact = self._comprehended_exactly(node)
        if exact is not None:
            return self.container(node, Kind.LIST, dict(enumerate(exact)))
        return self.container(node, Kind.LIST, None, self._comprehended(node, node.elt))

    def _comprehended_exactly(self, node: ast.ListComp) -> list[Value] | None:
        """Each element by itself, where a short list or tuple of known elements is gone through."""
        clause = node.generators[0]
        if len(node.generators) != 1 or clause.ifs or not isinstance(clause.iter, (ast.Tuple, ast.List)):
            return None
        iterable = self.evaluate(clause.iter)
        containers = [ref for ref in iterable.refs if isinstance(ref, Container)]
        if len(containers) != 1 or not containers[0].exact:
            return None
        names = dict(self.frame.names) if self.frame.names is not None else None
        found: list[Value] = []
        for item in containers[0].items.values():
            self.assign(clause.target, item, clause.target)
            found.append(self.evaluate(node.elt))
        self.frame.names = names
        return found

    def _setcomp(self, node: ast.SetComp) -> Value:
        return self.container(node, Kind.LIST, None, self._comprehended(node, node.elt))

    def _generatorexp(self, node: ast.GeneratorExp) -> Value:
        return self.container(node, Kind.LIST, None, self._comprehended(node, node.elt))

    def _dictcomp(self, node: ast.DictComp) -> Value:
        return self.container(node, Kind.DICT, None, self._comprehended(node, node.value, node.key))

    def _comprehended(
        self,
        node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
        element: ast.expr,
        key: ast.expr | None = None,
    ) -> Value:
        """The joined element of a comprehension; its names do not outlive it."""
        names = dict(self.frame.names) if self.frame.names is not None else None
        for clause in node.generators:
            iterable = self.evaluate(clause.iter)
            self.note_loop(clause, iterable, frozenset())
            self.assign(clause.target, self.turn(iterable, clause.iter), clause.target)
            for test in clause.ifs:
                self.evaluate(test)
        if key is not None:
            self.evaluate(key)
        asked = dict(self.asked)
        value = self.evaluate(element)
        if self.asked != asked:
            value = join(value, self.evaluate(element))  # a second turn asks the same tape again
        self.frame.names = names
        return value

    def note_loop(
        self, syntax: ast.For | ast.AsyncFor | ast.comprehension, iterable: Value, results: frozenset[int]
    ) -> None:
        """Remember a loop over a tensor range, for the findings."""
        if any(self.graph[node].symbol == "tensorflow.range" for node in iterable.nodes):
            loop = self.loops.setdefault(
                (id(syntax), self.frame.context.id),
                Loop(syntax, self.frame.module, self.frame.context, self.mode, iterable),
            )
            loop.results |= results

    def _slice(self, node: ast.Slice) -> Value:
        parts = [self.evaluate(part) for part in (node.lower, node.upper, node.step) if part is not None]
        return Value(Kind.OBJECT, nodes=frozenset(n for part in parts for n in self.flow(part)))

    def _subscript(self, node: ast.Subscript) -> Value:
        receiver, index = self.evaluate(node.value), self.evaluate(node.slice)
        return self.item(receiver, index, node)

    def item(self, receiver: Value, index: Value, node: ast.Subscript) -> Value:
        """The value of ``receiver[index]``."""
        found = NOTHING
        for ref in receiver.refs:
            if isinstance(ref, Container):
                if index.is_only(TENSORS):
                    self.tensor_keys.add(id(node))
                found = join(found, receiver if isinstance(node.slice, ast.Slice) else ref.read(index.const))
            elif isinstance(ref, Instance) and (member := ref.cls.member("__getitem__")):
                found = join(found, self.call_value(self.bind(member, receiver), [index], {}, node, "getitem"))
        # What has no items raises there: on the ways that go on it was something else.
        kinds = receiver.kinds & ~(CONTAINERS | Kind.OBJECT | Kind.NONE | Kind.NUMBER | Kind.BOOL)
        if not kinds or (found != NOTHING and kinds == Kind.UNKNOWN):
            return found if found != NOTHING else self._presumed(node, [receiver])
        if receiver.is_only(Kind.SHAPE) and isinstance(node.slice, ast.Slice):
            return Value(Kind.SHAPE)
        if receiver.is_only(PLAIN):
            return Value(
                Kind.NUMBER if kinds & Kind.SHAPE else kinds,
                dtype="int" if kinds & Kind.SHAPE else None,
                shape=() if kinds & Kind.SHAPE else None,
                const=_pick(receiver, index),
            )
        return join(found, self._indexed(receiver, index, node, kinds))

    def _indexed(self, receiver: Value, index: Value, node: ast.Subscript, kinds: int) -> Value:
        """An element or slice of a tensor or array."""
        if kinds & Kind.UNKNOWN:
            ref = self.made_at(node, "opaque", Opaque("item"))
            return self.produce(
                node,
                Value(Kind.UNKNOWN, refs=frozenset({ref})),
                [(receiver.with_nodes(receiver.nodes), Effect.PRESUMED)],
                symbol="item",
                operands=(receiver, index),
            )
        tensor = bool(kinds & TENSORS)
        fancy = self.is_fancy(index, node.slice, not tensor)
        shape = None if fancy else indexed_shape(receiver.shape, node.slice)
        return self.produce(
            node,
            Value(Kind.TENSOR if tensor else Kind.NDARRAY, dtype=receiver.dtype, shape=shape),
            [(Value(kinds, receiver.nodes), Effect.NUMPY if fancy else Effect.KEEP)],
            operation=True,
            symbol="ndarray.__getitem__",
            code="TGF113" if fancy else "",
            operands=(receiver, index),
        )

    def is_fancy(self, index: Value, syntax: ast.expr, array: bool) -> bool:
        """Whether an index selects by an array, which a tensor does not support.

        Where an ``array`` is indexed, that the index may be one counts: the index of a tensor has proved itself.
        """
        if isinstance(syntax, ast.Tuple):
            return any(
                self.is_fancy(self.evaluate(part), part, array)
                for part in syntax.elts
                if not isinstance(part, ast.Slice)
            )
        if isinstance(syntax, (ast.Slice, ast.Constant)):
            return False
        if index.is_only(Kind.LIST):
            # A list of slices and None is written as a tuple by others.
            return all(item.is_only(NUMBERS | Kind.NDARRAY | TENSORS) for item in elements_of(index))
        if index.is_only(Kind.NDARRAY | Kind.TENSOR) and index.dtype == "bool" and index.rank != 0:
            return True
        return index.is_only(Kind.NDARRAY) and (index.rank != 0 if array else bool(index.rank))


def _arithmetic_kinds(left: Value, right: Value) -> int:
    """The kinds of an operation on both: a tensor wins over an array, an array over a number."""
    both = left.kinds | right.kinds
    if left.is_only(TENSORS) or right.is_only(TENSORS):
        return Kind.TENSOR
    if left.is_only(Kind.NDARRAY) and not right.may_be(TENSORS | Kind.UNKNOWN):
        return Kind.NDARRAY
    if right.is_only(Kind.NDARRAY) and not left.may_be(TENSORS | Kind.UNKNOWN):
        return Kind.NDARRAY
    if not both & ~(NUMBERS | Kind.NONE):
        return Kind.NUMBER
    kinds = Kind.TENSOR if both & TENSORS else Kind.NOTHING
    kinds |= both & (Kind.NDARRAY | Kind.UNKNOWN)
    if left.may_be(NUMBERS) and right.may_be(NUMBERS):
        kinds |= Kind.NUMBER
    return kinds or Kind.UNKNOWN


def promote(left: Value, right: Value, division: bool = False) -> str | None:
    """The dtype of an operation on both; a Python number takes the other's."""
    a, b = left.dtype, right.dtype
    if a in _RANKS and b in _RANKS:
        best = max(a, b, key=lambda name: _RANKS[name])
        return "float" if division and _RANKS[best] < 2 else best
    if a in _RANKS and b is not None:
        return _weak(a, b)
    if b in _RANKS and a is not None:
        return _weak(b, a)
    if a == b:
        return a
    if left.is_only(TENSORS) and (a is not None or right.is_only(TENSORS)):
        return a or b  # TensorFlow converts an array to the tensor's dtype, and has two tensors of one dtype only
    if right.is_only(TENSORS) and b is not None:
        return b
    return _PROMOTED.get(frozenset((a, b))) if a is not None and b is not None else None


def _weak(number: str, dtype: str) -> str | None:
    if number == "complex" and not dtype.startswith("complex"):
        return {"float32": "complex64", "float64": "complex128"}.get(dtype)
    if number == "float" and dtype.startswith(("int", "uint", "bool")):
        return "float64"
    return dtype


def _fold(op: ast.operator, left: object, right: object) -> object:
    if type(op) not in _FOLDED or not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return MISSING
    return _FOLDED[type(op)](left, right) if abs(left) < 1e9 and abs(right) < 1e9 else MISSING


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


def _pick(receiver: Value, index: Value) -> object:
    if receiver.shape is not None and receiver.kinds == Kind.SHAPE and isinstance(index.const, int):
        return (
            receiver.shape[index.const]
            if -len(receiver.shape) <= index.const < len(receiver.shape) and receiver.shape[index.const] is not None
            else MISSING
        )
    return MISSING


def _matmul_shape(left: Shape | None, right: Shape | None) -> Shape | None:
    if left is None or right is None or not left or not right:
        return None
    if len(left) == 1 and len(right) == 1:
        return ()
    if len(right) == 1:
        return left[:-1]
    return (*left[:-1], right[-1]) if len(left) >= 2 else right[:-2] + right[-1:]


def indexed_shape(shape: Shape | None, index: ast.expr) -> Shape | None:
    """The shape after basic indexing, as far as the index shows it."""
    if shape is None:
        return None
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    result: list[int | None] = []
    axis = 0
    for position, part in enumerate(parts):
        if (isinstance(part, ast.Constant) and part.value is None) or (
            isinstance(part, ast.Attribute) and part.attr == "newaxis"
        ):
            result.append(1)
        elif isinstance(part, ast.Constant) and part.value is Ellipsis:
            rest = sum(not _adds_axis(p) for p in parts[position + 1 :])
            result += shape[axis : len(shape) - rest]
            axis = len(shape) - rest
        elif isinstance(part, ast.Slice):
            result.append(
                shape[axis]
                if axis < len(shape) and part.lower is None and part.upper is None and part.step is None
                else None
            )
            axis += 1
        else:
            axis += 1
    return tuple(result) + shape[axis:] if axis <= len(shape) else None


def _adds_axis(part: ast.expr) -> bool:
    return (isinstance(part, ast.Constant) and part.value is None) or (
        isinstance(part, ast.Attribute) and part.attr == "newaxis"
    )
