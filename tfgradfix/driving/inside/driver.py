"""Calls functions, losses, layers and training steps of a module with generated inputs, and asks for gradients.

    python driver.py ORDER

The text is put into the scratch copy of a project and is run there, the same for both versions. ORDER is JSON:
``roots`` (folders to import from, relative to this file), ``module``, ``seed``,
and either ``call`` with ``inputs`` (a list of shape and dtype) and ``wrt`` (numbers of inputs and "variables"), or
``try``: names, each of which is called with one set of inputs after the other; what came of it goes to standard output.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MARK = "tfgradfix-driver: "
#: One such input for each tensor that is asked for, the likeliest first.
TRIED = (
    *((shape, "float32") for shape in ((4, 8), (4, 8, 8, 3), (4,), (4, 6, 8), (4, 4), ())),
    ((4, 8), "int32"),
)
#: Labels and what is predicted, where the labels are numbers of classes.
CLASSES = (((4,), "int32"), ((4, 8), "float32"))
#: Data for a training step: two batches, so that the second meets weights that were trained.
FLAT, IMAGES, ONE = (((8, *rest), "float32") for rest in ((8,), (8, 8, 3), (1,)))
TRAINED = ((FLAT, ONE), (FLAT, FLAT), (FLAT,), (IMAGES, ONE), (IMAGES,))
BATCH = 4
KERAS = ("keras", "tf_keras")
#: Arguments that are no tensors, by their annotation.
PLAIN = {"int": 2, "float": 0.5, "bool": True}


class Subject:
    """What is called: with which arguments, and whether it asks for gradients by itself."""

    def __init__(self, call: Callable[..., Any], names: list[str], asks: bool = False, builds: bool = False) -> None:
        self.names, self.asks, self.builds = [name.lstrip("*") for name in names], asks, builds
        self.call = call
        self.keywords = [name[1:].partition(":")[0] for name in names if name.startswith("*")]

    def __call__(self, values: list[Any]) -> Any:
        """Call it; what can be given by name only comes last."""
        split = len(values) - len(self.keywords)
        return self.call(*values[:split], **dict(zip(self.keywords, values[split:])))  # noqa: B905  # not in Python 3.9


def keras_class(name: str) -> Any:
    """The class ``name`` (``losses.Loss``) of each Keras that is loaded, in a tuple."""
    found = []
    for keras in [sys.modules[each] for each in KERAS if each in sys.modules]:
        with contextlib.suppress(AttributeError):
            part, _, last = name.partition(".")
            found.append(getattr(getattr(keras, part), last))
    return tuple(found)


def subject(module: Any, name: str) -> Subject:
    """What ``name`` stands for in ``module``; a class is made without arguments.

    Raises:
        Exception: whatever comes of making it; TypeError also where its arguments cannot be generated.
    """
    owner, _, method = name.partition(".")
    thing = getattr(module, owner)
    if method:
        bound = getattr(thing(), method)
        return Subject(bound, tensors(bound))
    if not isinstance(thing, type):
        return Subject(thing, tensors(thing))
    made = thing()
    if isinstance(made, keras_class("losses.Loss")):
        return Subject(made, ["y_true", "y_pred"])
    steps = [root_of(each) for each in thing.__mro__ if "train_step" in vars(each)]
    if isinstance(made, keras_class("models.Model")) and steps[0] not in KERAS:
        return Subject(lambda *values: train(made, *values), ["x", "y"], asks=True)
    if isinstance(made, keras_class("layers.Layer")):
        return Subject(made, tensors(made.call), builds=True)
    if not callable(made):
        raise TypeError(f"{name} is a class whose objects cannot be called")
    return Subject(made, tensors(made.__call__), builds=True)


def root_of(thing: type) -> str:
    """The package that defines a class."""
    return thing.__module__.split(".")[0]


def tensors(function: Any) -> list[str]:
    """The names of the arguments of ``function`` that have to be given; those that are given by name have a star.

    Raises:
        TypeError: one of them cannot be generated.
    """
    function = getattr(function, "python_function", function)
    names = []
    for argument in inspect.signature(function).parameters.values():
        kind = getattr(argument.annotation, "__name__", str(argument.annotation))
        if argument.default is not argument.empty or argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            continue
        if kind.split("[")[0] in ("str", "dict", "list", "Callable"):
            raise TypeError(f"its argument {argument.name} cannot be generated")
        star = "*" if argument.kind is argument.KEYWORD_ONLY else ""
        names.append(f"{star}{argument.name}:{kind}" if kind in PLAIN else f"{star}{argument.name}")
    return names


def generated(inputs: list[Any], seed: int) -> list[Any]:
    """A tensor for each shape and dtype: between 0.1 and 0.9, where logarithms and roots have values; 0 or 1."""
    random = np.random.RandomState(seed)
    values = []
    for shape, dtype in inputs:
        drawn = random.uniform(0.1, 0.9, shape) if "float" in dtype else random.randint(0, 2, shape)
        values.append(tf.cast(tf.constant(drawn), dtype))
    return values


def filled(names: list[str], values: list[Any]) -> list[Any]:
    """``values`` with the plain arguments between them, unless these are given too.

    Raises:
        TypeError: there are too few.
    """
    needed = sum(":" not in name for name in names)
    if len(values) > needed:
        return values
    if len(values) < needed:
        raise TypeError(f"it needs {needed} inputs ({', '.join(names)}), not {len(values)}")
    left = iter(values)
    return [PLAIN[name.partition(":")[2]] if ":" in name else next(left) for name in names]


def labels(names: list[str], count: int) -> list[str]:
    """A name for each of ``count`` inputs."""
    own = [name for name in names if ":" not in name]
    own = own if len(own) >= count else [name.partition(":")[0] for name in names]
    return own + [f"input_{number}" for number in range(len(own), count)]


def train(model: Any, x: Any, y: Any = None) -> None:
    """Two steps of a model's own training."""
    keras = sys.modules[next(root for each in type(model).__mro__ if (root := root_of(each)) in KERAS)]
    model.compile(optimizer=keras.optimizers.SGD(0.01), loss="mse")
    model.fit(*([x] if y is None else [x, y]), batch_size=BATCH, epochs=1, shuffle=False, verbose=0)


def weighted(result: Any) -> Any:
    """The sum of all floating-point numbers in ``result``, with weights, so that a softmax does not add up to one.

    Raises:
        TypeError: there are none.
    """
    parts = [tf.convert_to_tensor(part) for part in tf.nest.flatten(result) if part is not None]
    parts = [part for part in parts if part.dtype.is_floating]
    if not parts:
        raise TypeError("it gives no floating-point tensor")
    sums = []
    for part in parts:
        weights = 1.0 + 0.5 * tf.sin(tf.cast(tf.range(tf.size(part)), part.dtype))
        sums.append(tf.cast(tf.reduce_sum(part * tf.reshape(weights, tf.shape(part))), parts[0].dtype))
    return tf.add_n(sums)


def ask(called: Subject, values: list[Any], wrt: list[Any]) -> tuple[Any, list[Any]]:
    """Call it under a tape; the target and its sources. The gradients are asked for and left to who listens."""
    floats = [value.dtype.is_floating for value in values]
    variables = [
        tf.Variable(value, name=name) if is_float else value
        for name, value, is_float in zip(labels(called.names, len(values)), values, floats)  # noqa: B905  # not in 3.9
    ]
    if called.builds:
        called(filled(called.names, values))
    with contextlib.ExitStack() as stack:
        # Not `with GradientTape() as tape`: where the subject asks by itself, this call is not missing.
        tape = stack.enter_context(tf.GradientTape())
        passed = [tf.identity(each) if isinstance(each, tf.Variable) else each for each in variables]
        target = weighted(called(filled(called.names, passed)))
    sources = [variables[number] for number in wrt if number != "variables" and floats[number]]
    if "variables" in wrt:
        own = {id(each) for each in variables}
        sources += [each for each in tape.watched_variables() if id(each) not in own]
    tape.gradient(target, sources)
    return target, sources


def drive(order: dict[str, Any]) -> None:
    """One call, as ordered."""
    called = subject(importlib.import_module(order["module"]), order["call"])
    values = generated(order["inputs"], order["seed"])
    if called.asks:
        called(values)
    else:
        ask(called, values, order["wrt"] or [*range(len(values)), "variables"])


def sets(called: Subject) -> Iterator[tuple[list[Any], list[Any]]]:
    """The sets of inputs to try, each with what the gradient is asked of."""
    count = sum(":" not in name for name in called.names)
    if called.asks:
        yield from ((list(inputs), []) for inputs in TRAINED)
        return
    is_loss = called.names == ["y_true", "y_pred"]
    wrt = [1, "variables"] if is_loss else [*range(count), "variables"]
    for each in TRIED if count else TRIED[:1]:
        yield [each] * count, wrt
        if is_loss and each is TRIED[0]:
            yield list(CLASSES), wrt


def attempt(module: Any, name: str, inputs: list[Any], wrt: list[Any], seed: int) -> str | None:
    """Why a call with these inputs shows nothing; None if it does."""
    called = subject(module, name)
    values = generated(inputs, seed)
    if called.asks:
        called(values)
        return None
    target, sources = ask(called, values, wrt)
    if not sources:
        return "it depends on no floating-point input and no variable"
    return None if np.isfinite(target.numpy()).all() else "its value is not finite"


def attempts(order: dict[str, Any]) -> None:
    """Try each name with one set of inputs after the other, and tell which of them work and what code they run."""
    tf.config.run_functions_eagerly(True)
    module = importlib.import_module(order["module"])
    file = os.path.realpath(module.__file__ or "")
    for name in order["try"]:
        tell(trying=name)
        try:
            called = subject(module, name)
        except Exception as error:  # noqa: BLE001  # it is the user's code
            tell(name=name, why=f"{type(error).__name__}: {error}")
            continue
        for inputs, wrt in sets(called):
            lines: set[int] = set()
            with watching(file, lines):
                try:
                    why = attempt(module, name, inputs, wrt, order["seed"])
                except Exception as error:  # noqa: BLE001
                    why = f"{type(error).__name__}: {error}"
            tell(name=name, inputs=inputs, wrt=wrt, why=why, lines=sorted(lines), asks=called.asks)
            if called.asks and why is None:
                break  # a training takes its time
    tell(trying=None)


@contextlib.contextmanager
def watching(file: str, lines: set[int]) -> Iterator[None]:
    """Note the lines of ``file`` that are run, and the first lines of the functions that are called."""
    known: dict[str, bool] = {}

    def ran(frame: Any, event: str, _: Any) -> Any:
        if event == "line":
            lines.add(frame.f_lineno)
        return ran

    def called(frame: Any, _: str, __: Any) -> Any:
        name = frame.f_code.co_filename
        if name not in known:
            known[name] = os.path.realpath(name) == file
        if known[name]:
            lines.add(frame.f_code.co_firstlineno)
        return ran if known[name] else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(before)


def tell(**fields: Any) -> None:
    """One line for who has ordered this."""
    fields = {key: " ".join(value.split())[:300] if key == "why" and value else value for key, value in fields.items()}
    sys.stdout.write(MARK + json.dumps(fields) + "\n")
    sys.stdout.flush()


def main(order: dict[str, Any]) -> None:
    """Import the module from the copy of the project, not from where it may be installed."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:0] = [os.path.normpath(os.path.join(here, root)) for root in order["roots"]]
    (attempts if "try" in order else drive)(order)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
