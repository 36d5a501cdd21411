"""Which calls are known to change nothing, to change their receiver only, or to have to stay outside a tape's block.

A call that no table names is taken to read and change anything.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.nodes import keyword_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfgradfix_codemods.surroundings import Surroundings


class CallKind(Enum):
    """What a call does besides giving a value."""

    NOTHING = "reads its arguments"
    READS = "reads its receiver"
    CHANGES = "changes its receiver"
    PRINTS = "writes a message"
    GRADIENT = "asks a tape"
    STEP = "takes an optimizer step"
    TAPE = "makes a tape"
    UNKNOWN = "may do anything"


GRADIENTS: Final = frozenset({"gradient", "jacobian", "batch_jacobian"})

#: Methods that change what they are called on and nothing else.
CHANGING: Final = frozenset(
    {"append", "extend", "insert", "add", "discard", "pop", "popleft", "appendleft", "clear", "setdefault", "sort"}
    | {"reverse", "remove", "write", "read", "update_state", "reset_state", "reset_states"}
)

#: Methods that only make a value.
READING: Final = frozenset(
    {"numpy", "item", "tolist", "astype", "copy", "items", "keys", "values", "get", "index", "count", "mean", "sum"}
    | {"min", "max", "std", "var", "reshape", "ravel", "flatten", "transpose", "squeeze", "any", "all", "argmax"}
    | {"argmin", "round", "dot", "split", "join", "strip", "format", "startswith", "endswith", "lower", "upper"}
    | {"result", "stack", "concat"}
)

#: What a method does, whatever it is called on.
METHODS: Final[Mapping[str, CallKind]] = {
    **dict.fromkeys(GRADIENTS, CallKind.GRADIENT),
    **dict.fromkeys(("apply_gradients", "minimize", "fit", "train_on_batch"), CallKind.STEP),
    **dict.fromkeys(CHANGING, CallKind.CHANGES),
    **dict.fromkeys(READING, CallKind.READS),
    **dict.fromkeys(("debug", "info", "warning", "error"), CallKind.PRINTS),
}

#: Builtin functions that only make a value.
BUILTINS: Final = frozenset(
    {"abs", "all", "any", "bool", "complex", "dict", "divmod", "enumerate", "float", "format", "frozenset", "int"}
    | {"isinstance", "len", "list", "max", "min", "pow", "range", "repr", "reversed", "round", "set", "slice"}
    | {"sorted", "str", "sum", "tuple", "type", "zip"}
)

#: Modules whose functions only make a value, save those below.
PURE_ROOTS: Final = frozenset({"tensorflow", "numpy", "math"})

#: Parts of a full name that tell of a random draw, a variable, a file, a message or a function that is called back.
IMPURE_PARTS: Final = frozenset(
    {"random", "dropout", "seed", "shuffle", "seterr", "Variable", "Module", "GradientTape", "TensorArray", "function"}
    | {"py_function", "numpy_function", "print", "summary", "io", "data", "train", "saved_model", "config", "compat"}
    | {"distribute", "queue", "lookup", "raw_ops", "custom_gradient", "recompute_grad", "map_fn", "vectorized_map"}
    | {"scan", "foldl", "foldr", "while_loop", "cond", "case", "switch_case", "save", "savez", "savetxt", "load"}
    | {"loadtxt", "put", "place", "copyto", "fill_diagonal", "putmask", "put_along_axis", "apply_along_axis"}
    | {"vectorize", "frompyfunc", "fromfunction", "map_structure"}
)

#: Functions of Keras that only make a value are in these modules and begin with a small letter.
KERAS_FUNCTIONS: Final = frozenset({"losses", "metrics", "activations", "ops"})


def kind_of(node: cst.Call, surroundings: Surroundings) -> CallKind:
    """What ``node`` does, as far as the name it is called by tells."""
    full = surroundings.full_name(node.func)
    if full is not None:
        return _kind_of_library(full, node)
    if not isinstance(node.func, cst.Attribute):
        return CallKind.UNKNOWN
    return METHODS.get(node.func.attr.value, CallKind.UNKNOWN)


def _kind_of_library(full: str, node: cst.Call) -> CallKind:
    root, *parts = full.split(".")
    if parts[-1:] == ["GradientTape"]:
        return CallKind.TAPE
    if full in {"builtins.print", "tensorflow.print"}:
        return CallKind.PRINTS
    if any(keyword_of(argument) == "out" for argument in node.args):
        return CallKind.UNKNOWN
    return CallKind.NOTHING if _is_pure(root, parts) else CallKind.UNKNOWN


def _is_pure(root: str, parts: list[str]) -> bool:
    if root == "builtins":
        return parts[-1] in BUILTINS
    named = not any(part in IMPURE_PARTS or part.startswith("random_") for part in parts)
    if root == "keras":
        return named and parts[:1] != [] and parts[0] in KERAS_FUNCTIONS and parts[-1][0].islower()
    return root in PURE_ROOTS and bool(parts) and named
