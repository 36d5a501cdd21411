"""What calling a library's function gives: the tables decide."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.drawn_arrays import drawn
from tfgradfix.analyse.facts import rows
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.names import dtype_name
from tfgradfix.analyse.objects import (
    LibraryInstance,
    elements_of,
)
from tfgradfix.analyse.shape_arguments import dtype_of, nested
from tfgradfix.analyse.shapes import result_shape
from tfgradfix.analyse.values import (
    TENSORS,
    Kind,
    Value,
    join_all,
)

TF: Final = "tensorflow."


class Library(Core):
    """Call functions, classes and objects of libraries."""

    def call_library(
        self, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST, role: str = "call"
    ) -> Value:
        """Call a library name by its canonical name."""
        special = getattr(self, "_call_" + name.replace(".", "_").replace("tensorflow_math_", "tensorflow_"), None)
        if special is not None:
            value: Value = special(arguments, keywords, syntax)
            return value
        root = name.partition(".")[0]
        if root == "tensorflow":
            return self.call_tensorflow(name[len(TF) :], arguments, keywords, syntax)
        if root == "keras":
            return self.call_keras(name, arguments, keywords, syntax)
        if dtype_name(name) is not None and root == "numpy" and arguments:
            return self._scalar(name, arguments[0], syntax)
        row = rows.row(name)
        if row is not None and not self.functions.is_direct(name, syntax):
            self.functions.note_call(name, syntax, arguments)
        if row is not None:
            return self.table_call(row, arguments, keywords, syntax, _code(root))
        if root == "numpy":
            return self._numpy_data(name, arguments, keywords, syntax)
        return self.presumed_call(self.library(name), arguments, keywords, syntax, role)

    def table_call(
        self, row: rows.Row, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST, code: str
    ) -> Value:
        """A call that has a row in the tables of NumPy, ndarray methods, Python, math and SciPy."""
        inputs: list[tuple[Value, Effect]] = []
        passes = row.effect is rows.Effect.PASSES
        carrying = row.differentiable_parameters
        flowing = False
        for position, (keyword, value) in enumerate([*((None, v) for v in arguments), *keywords.items()]):
            parameter = row.parameter_of(position, keyword)
            carries = parameter is not None and parameter.name in carrying
            flowing = flowing or (carries and bool(self.flow(value)))
            inputs.append((value, _row_effect(row, carries)))
        value = self._table_value(row, arguments, keywords)
        if not any(self.flow(v) for v in (*arguments, *keywords.values())):
            return self._data(row, value, syntax, arguments, keywords)
        # A length is no derivative lost: it is the same number however the tensor was made.
        code = "" if passes or row.symbol == "builtins.len" else code
        return self.produce(
            syntax,
            value,
            inputs,
            operation=True,
            symbol=row.symbol,
            code=code,
            operands=(*arguments, *keywords.values()),
        )

    def _data(
        self, row: rows.Row, value: Value, syntax: ast.AST, arguments: list[Value], keywords: dict[str, Value]
    ) -> Value:
        """Data made of data: a node of its own only for arrays, since they may be filled or watched later."""
        if value.is_only(Kind.NUMBER | Kind.BOOL | Kind.SHAPE | Kind.DTYPE | Kind.STRING):
            return value
        return self.produce(syntax, value, [], symbol=row.symbol, operands=(*arguments, *keywords.values()))

    def _table_value(self, row: rows.Row, arguments: list[Value], keywords: dict[str, Value]) -> Value:
        """Kind, dtype and shape of a table row's result."""
        if row.symbol.startswith("numpy.random."):
            return drawn(row.symbol.rpartition(".")[2], arguments, keywords)
        everything = [*arguments, *keywords.values()]
        root = row.symbol.partition(".")[0]
        dtype = _asked_dtype(row, arguments, keywords) or _gives(row, _carrying(row, arguments, keywords) or everything)
        shape = result_shape(row.symbol, arguments, keywords)
        if (
            row.symbol in ("numpy.array", "numpy.asarray")
            and arguments
            and arguments[0].is_only(Kind.LIST | Kind.TUPLE)
        ):
            made, shape = nested(arguments[0])
            dtype = _asked_dtype(row, arguments, keywords) or {"float": "float64", "int": "int64"}.get(made or "", made)
        if row.effect is rows.Effect.SHAPE:
            return Value(Kind.NUMBER if not row.symbol.endswith("shape") else Kind.SHAPE, dtype="int", shape=())
        if row.symbol in ("builtins.float", "builtins.int", "builtins.complex", "builtins.len"):
            return Value(Kind.NUMBER, dtype=row.symbol[9:] if not row.symbol.endswith("len") else "int", shape=())
        if row.symbol == "builtins.bool":
            return Value(Kind.BOOL, dtype="bool", shape=())
        if root in ("builtins", "math"):
            inner = [item for value in everything for item in (elements_of(value) or [value])]
            kinds = join_all(inner).kinds & (TENSORS | Kind.NDARRAY | Kind.UNKNOWN) if root == "builtins" else 0
            return Value((Kind.TENSOR if kinds & TENSORS else kinds) or Kind.NUMBER, dtype=dtype, shape=shape)
        if row.symbol in ("ndarray.item", "ndarray.tolist"):
            return Value(Kind.NUMBER, dtype="float", shape=()) if row.symbol.endswith("item") else Value(Kind.LIST)
        kinds = Kind.NDARRAY
        if row.gives == "bool" and shape == ():
            kinds = Kind.NDARRAY
        return Value(kinds, dtype=dtype, shape=shape)

    def _numpy_data(self, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """A NumPy name without a row (random generators, stride tricks, testing)."""
        if name.startswith("numpy.random.") and name.rpartition(".")[2] in (
            "default_rng",
            "RandomState",
            "Generator",
            "SeedSequence",
        ):
            return Value(Kind.OBJECT, refs=frozenset({self.made_at(syntax, "made", LibraryInstance(name))}))
        last = name.rpartition(".")[2]
        value = drawn(last, arguments, keywords) if name.startswith("numpy.random.") else Value(Kind.UNKNOWN)
        return self.produce(
            syntax,
            value,
            [(value, Effect.PRESUMED) for value in (*arguments, *keywords.values())],
            symbol=name,
        )

    def _scalar(self, name: str, value: Value, syntax: ast.AST) -> Value:
        """``np.float32(x)``: an array of that dtype."""
        dtype = dtype_name(name)
        effect = (
            Effect.NO_GRADIENT if dtype is not None and dtype.startswith(("int", "uint", "bool")) else Effect.DETACH
        )
        return self.produce(
            syntax,
            Value(Kind.NDARRAY, dtype=dtype, shape=value.shape),
            [(value, effect)],
            operation=True,
            symbol=name,
            code="TGF104",
            operands=(value,),
        )


def _code(root: str) -> str:
    return {"numpy": "TGF101", "builtins": "TGF105"}.get(root, "TGF106")


#: Conversions to a plain number: the author's own word, like ``.numpy()``.
_CONVERSIONS: Final = frozenset({"builtins.float", "builtins.complex", "ndarray.item", "ndarray.tolist"})


def _row_effect(row: rows.Row, carries: bool) -> Effect:
    if row.effect is rows.Effect.PASSES:
        return Effect.KEEP if carries else Effect.NO_GRADIENT
    if row.effect is rows.Effect.NO_COUNTERPART:
        return Effect.NUMPY
    if row.effect is rows.Effect.MAPS and carries:
        return Effect.DETACH if row.symbol in _CONVERSIONS else Effect.NUMPY
    return Effect.NO_GRADIENT


def _asked_dtype(row: rows.Row, arguments: list[Value], keywords: dict[str, Value]) -> str | None:
    """The dtype that a ``dtype`` argument asks for, by keyword or position."""
    for position, value in enumerate(arguments):
        parameter = row.parameter_of(position, None)
        if parameter is not None and parameter.name == "dtype":
            return dtype_of(value)
    return dtype_of(keywords.get("dtype"))


def _carrying(row: rows.Row, arguments: list[Value], keywords: dict[str, Value]) -> list[Value]:
    """The arguments whose values go into the result."""
    found = []
    for position, (keyword, value) in enumerate([*((None, v) for v in arguments), *keywords.items()]):
        parameter = row.parameter_of(position, keyword)
        if parameter is not None and parameter.name in row.differentiable_parameters:
            found.append(value)
    return found


def _gives(row: rows.Row, values: list[Value]) -> str | None:
    if row.gives == "bool":
        return "bool"
    if row.gives == "integer":
        return "int64"
    dtypes = {value.dtype for value in values if value.is_only(TENSORS | Kind.NDARRAY)}
    first = next(iter(dtypes)) if len(dtypes) == 1 else None
    if row.gives == "complex":
        return {"float32": "complex64", "float64": "complex128"}.get(first or "", first)
    if row.gives in ("float32", "float64", "complex64", "complex128"):
        return row.gives
    if row.gives == "real" and first in ("complex64", "complex128"):
        return "float32" if first == "complex64" else "float64"
    return first
