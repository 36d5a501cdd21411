"""Compares the gradients of a function with central differences, as `torch.autograd.gradcheck` does for PyTorch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tfgradfix.testing.problem import Problem
from tfgradfix.verify.inside.differences import compared

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfgradfix.testing.problem import Source

#: Directions in which all sources move; each of several sources moves alone in one more.
TOGETHER: Final = 2
_WHY: Final = {
    "rough": "the function is not smooth there: choose another point",
    "lost": "the slope is lost in the round-off of a large value: use float64, or subtract the constant part",
    "unknown": "the function gave no value there",
}


class GradientError(AssertionError):
    """A gradient is missing, is not finite, or is not the slope of its function; the message says which and how."""


@dataclass(frozen=True)
class Checked:
    """What was checked: the names of the ``sources``, how many ``directions`` agreed, the worst relative ``error``."""

    sources: tuple[str, ...]
    directions: int
    error: float


def check_gradient(fn: Callable[..., Any], args: Any = (), wrt: Any = None, *, seed: int = 0) -> Checked:
    """Check that the gradients of ``fn(*args)`` exist and are its slopes.

    The result of ``fn`` may have any shape and structure; what is differentiated is the sum of its elements, each with
    a fixed weight between 0.5 and 1.5, so that two wrong parts do not make up for each other. The central difference
    ``(f(x+hd) - f(x-hd)) / 2h`` has an error of order ``h²`` and a round-off of ``eps·|f|/h``: the first ``h`` is the
    cube root of ``eps`` (Nocedal and Wright, Numerical Optimization, section 8.1) in units of the root mean square of
    each source. They agree within 1e-3 in float32 and 1e-6 in float64; 5e-2 and 1e-4 where steps differ from each
    other, as they do beside a kink.

    Args:
        fn: the function: eager, a ``tf.function``, a Keras layer or model. Called many times, it has to give the same
            each time: seed what is drawn, and let it leave no state behind. What it stops by ``tf.stop_gradient`` has
            no gradient, and so does not pass.
        args: its argument, or a tuple or list of them: tensors, arrays, variables, numbers, nested as it likes.
        wrt: what to differentiate by: a variable, the place of an argument, a layer or model (its trainable variables),
            or a list of these. By default all arguments of a float dtype and the trainable variables of ``fn``.
        seed: of the directions.

    Returns:
        What was checked.

    Raises:
        GradientError: a gradient is None, not finite or wrong, or no direction could be checked.
        TypeError: the result or a source is no float, or there is nothing to differentiate by.
        ValueError: two calls give two values.
    """
    problem = Problem(fn, args, wrt)
    here, terms, gradients = problem.slopes()
    for source, gradient in zip(problem.sources, gradients, strict=True):
        _judge_presence(problem, source, gradient)
    # Alone first, so that a fault is told of the source that has it.
    alone = [(source,) for source in problem.sources] if len(problem.sources) > 1 else []
    chosen = [*alone, *[problem.sources] * TOGETHER]
    errors: list[dict[str, Any]] = []
    reasons: list[dict[str, Any]] = []
    for number, moved in enumerate(chosen):
        outcome = _direction(
            problem, moved, dict(zip(problem.sources, gradients, strict=True)), (here, terms), seed + number
        )
        if outcome["outcome"] == "differs":
            names = ", ".join(source.name for source in moved)
            told = f"the gradient says {outcome['slope']:.6g}, the function changes by {outcome['difference']:.6g}"
            raise GradientError(f"wrong gradient by {names}: moved a little, {told}")
        (errors if outcome["outcome"] == "agrees" else reasons).append(outcome)
    if not errors:
        raise GradientError(f"the gradient could not be checked: {_WHY[reasons[0]['outcome']]}")
    return Checked(tuple(source.name for source in problem.sources), len(errors), max(each["error"] for each in errors))


def _judge_presence(problem: Problem, source: Source, gradient: Any) -> None:
    if gradient is None:
        raise GradientError(f"the gradient by {source.name} is None: 'tfgradfix run' shows what cuts its path")
    if not problem.np.isfinite(gradient).all():
        raise GradientError(f"the gradient by {source.name} is not finite")


def _direction(
    problem: Problem,
    moved: tuple[Source, ...],
    gradients: dict[Source, Any],
    at: tuple[float, float],
    seed: int,
) -> dict[str, Any]:
    """Compare the slope in one direction with differences."""
    here, terms = at
    ways = [source.way(seed, place) for place, source in enumerate(moved)]
    slope = sum(float((gradients[source] * way).sum()) for source, way in zip(moved, ways, strict=True))

    def sides(size: float) -> tuple[float, float]:
        ahead, behind = (problem.value_at(moved, [sign * size * way for way in ways]) for sign in (1.0, -1.0))
        return ahead, behind

    return compared(slope, here, terms, problem.dtype, sides)
