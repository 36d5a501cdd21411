"""The ways to ask TensorFlow for a gradient: where each is found, and what it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TAPE_METHODS = ("gradient", "jacobian", "batch_jacobian")


class Way(NamedTuple):
    """One function or method that gives gradients.

    ``asked`` gives target and sources from the arguments (with the object of a method first), ``answered`` the
    gradients from the result, in the order of the sources. ``in_graphs`` tells one that in eager mode asks a tape.
    """

    holder: Any
    name: str
    asked: Callable[[tuple[Any, ...], dict[str, Any]], tuple[Any, Any]]
    answered: Callable[[Any], Any] = lambda result: result
    in_graphs: bool = False


def ways(tensorflow: Any) -> Iterator[Way]:
    """All of them, in a version of TensorFlow."""
    for name in TAPE_METHODS:
        yield Way(tensorflow.GradientTape, name, of_tape)
    yield Way(tensorflow.autodiff.ForwardAccumulator, "jvp", of_accumulator)
    for holder in (tensorflow, tensorflow.compat.v1):
        yield Way(holder, "gradients", of_function)

    def of_optimizer(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        sources = args[2] if len(args) > 2 else kwargs.get("var_list")
        return argument(args, kwargs, 1, "loss"), sources or tensorflow.compat.v1.trainable_variables()

    optimizer = tensorflow.compat.v1.train.Optimizer
    yield Way(optimizer, "compute_gradients", of_optimizer, lambda pairs: [gradient for gradient, _ in pairs], True)


def argument(args: tuple[Any, ...], kwargs: dict[str, Any], place: int, *names: str) -> Any:
    """An argument, by its place or by one of its names."""
    if len(args) > place:
        return args[place]
    return next((kwargs[name] for name in names if name in kwargs), None)


def of_tape(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """Target and sources of a method of a tape."""
    return argument(args, kwargs, 1, "target"), argument(args, kwargs, 2, "sources", "source")


def of_accumulator(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """The target of `ForwardAccumulator.jvp`, twice: it gives one tangent for each tensor of its target."""
    target = argument(args, kwargs, 1, "primals")
    return target, target


def of_function(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """Targets and sources of `tf.gradients`."""
    return argument(args, kwargs, 0, "ys"), argument(args, kwargs, 1, "xs")
