"""What is said of two runs, on runs made by hand: no TensorFlow is needed to see the rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tfgradfix.verify import Agreement, GradientCall, Place, Run, Source, Value, Version
from tfgradfix.verify.compare import Comparison
from tfgradfix.verify.observe import Observations, Weight
from tfgradfix.verify.values import GRADIENTS, TARGETS, agree, precision, worst

if TYPE_CHECKING:
    from collections.abc import Callable

    Compare = Callable[..., dict[str, Weight]]

PROGRAM = """
with tf.GradientTape() as tape:
    loss = f(x)
grads = tape.gradient(loss, [w, b])
"""


def number(*numbers: float, dtype: str = "float32") -> Value:
    finite = all(abs(each) < float("inf") for each in numbers)
    zero = not any(numbers)
    return Value(dtype, () if len(numbers) == 1 else (len(numbers),), finite, zero, 1.0, numbers)


def call(
    target: float | None,
    *gradients: float | None,
    index: int = 0,
    updates: int = 0,
    weights: tuple[float, ...] = (),
    graph: bool = False,
) -> GradientCall:
    """A call in line 4 of the program: its target, and the gradient of each source."""
    sources = tuple(
        Source(f"s{rank}", number(weight), None if gradient is None else number(gradient))
        for rank, (gradient, weight) in enumerate(zip(gradients, weights or [1.0] * len(gradients), strict=True))
    )
    targets = (None if target is None else number(target),)
    return GradientCall(Place("program.py", 4), "gradient", graph, index, index, updates, targets, sources)


@pytest.fixture
def compared(tmp_path: Path) -> Callable[..., dict[str, Weight]]:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    version = Version(script, tmp_path)

    def compare(
        before: Run | list[GradientCall], after: Run | list[GradientCall], **options: bool
    ) -> dict[str, Weight]:
        runs = [run if isinstance(run, Run) else Run(tuple(run)) for run in (before, after)]
        comparison = Comparison(runs[0], runs[1], (version, version), partial=options.get("partial"))
        comparison.weights()
        return {text: weight for weight, text in comparison.seen.seen}

    return compare


def test_mended(compared: Compare) -> None:
    assert compared([call(1.0, None, None)], [call(1.0, 2.0, 3.0)]) == {}


@pytest.mark.parametrize(
    ("before", "after", "weight", "words"),
    [
        pytest.param([call(1.0, None)], [call(1.1, 2.0)], Weight.DIFFERENCE, "target", id="another target"),
        pytest.param([call(1.0, None)], [call(1.0, None)], Weight.FAILURE, "still None", id="still none"),
        pytest.param([call(1.0, 2.0, 3.0)], [call(1.0, 2.0, None)], Weight.FAILURE, "was there", id="lost"),
        pytest.param([call(1.0, None, None)], [call(1.0, 2.0, None)], Weight.OPEN, "before and after", id="one left"),
        pytest.param([call(1.0, None)], [call(1.0, float("nan"))], Weight.FAILURE, "not finite", id="nan"),
        pytest.param([call(1.0, float("inf"))], [call(1.0, float("inf"))], Weight.OPEN, "not finite", id="inf before"),
        pytest.param([call(1.0, None)], [call(1.0, 0.0)], Weight.OPEN, "zero at every call", id="none became zero"),
        pytest.param([call(1.0, 2.0, 3.0)], [call(1.0, 2.0)], Weight.FAILURE, "no longer asked", id="source gone"),
        pytest.param([call(1.0, 2.0)], [call(1.0, 1.0)], Weight.OPEN, "lacks a part", id="another gradient"),
        pytest.param(
            [call(1.0, 2.0)], [call(1.0, 2.0, weights=(5.0,))], Weight.DIFFERENCE, "another value", id="start values"
        ),
    ],
)
def test_one_call(
    compared: Compare, before: list[GradientCall], after: list[GradientCall], weight: Weight, words: str
) -> None:
    seen = compared(before, after)
    assert [found for text, found in seen.items() if words in text] == [weight], seen


def test_finding_says_what_another_gradient_means(compared: Compare) -> None:
    pair = [call(1.0, 2.0)], [call(1.0, 1.0)]
    assert list(compared(*pair, partial=True).values()) == [Weight.NOTE]
    assert list(compared(*pair, partial=False).values()) == [Weight.DIFFERENCE]


def test_values_part_at_the_first_update_with_a_mended_gradient(compared: Compare) -> None:
    before = [call(1.0, None, index=0), call(1.0, None, index=1), call(9.0, None, index=2)]
    after = [call(1.0, 2.0, index=0), call(1.0, 2.0, index=1), call(0.5, 2.0, index=2, updates=1)]
    assert compared(before, after) == {}
    after[1] = call(1.5, 2.0, index=1)
    assert list(compared(before, after).values()) == [Weight.DIFFERENCE]


def test_values_part_where_sources_differ_after_a_mended_gradient(compared: Compare) -> None:
    before = [call(1.0, None, index=0), call(9.0, None, index=1, weights=(1.0,))]
    after = [call(1.0, 2.0, index=0), call(0.5, 2.0, index=1, weights=(0.9,))]
    assert compared(before, after) == {}


def test_rounding_that_has_grown_gets_more_room(compared: Compare) -> None:
    before = [call(1.0, 2.0, index=0), call(1.0, 2.0, index=1, updates=1)]
    after = [call(1.0, 2.000001, index=0), call(1.001, 2.0, index=1, updates=1)]
    assert compared(before, after) == {}
    assert compared(before, [call(1.0, 2.0, index=0), after[1]]) != {}


def test_trained_weights(compared: Compare) -> None:
    calls = (call(None, 2.0, graph=True),)
    before = Run(calls, weights=(number(1.0),))
    assert compared(before, Run(calls, weights=(number(1.0),))) == {}
    assert list(compared(before, Run(calls, weights=(number(1.5),))).values()) == [Weight.DIFFERENCE]
    assert next(iter(compared(before, Run(calls, weights=(number(float("nan")),))).values())) is Weight.FAILURE
    mended = Run((call(None, None, graph=True),), weights=(number(1.5),))
    assert compared(mended, before) == {}


def test_call_gone_and_calls_fewer(compared: Compare) -> None:
    calls = [call(1.0, 2.0)]
    assert list(compared(calls, []).values()) == [Weight.FAILURE]
    site = calls[0].site
    few, many = Run(tuple(calls), totals={site: 1}), Run(tuple(calls), totals={site: 5})
    assert list(compared(many, few).values()) == [Weight.DIFFERENCE]


def test_call_that_raises(compared: Compare) -> None:
    raises = replace(call(1.0, None), error="TypeError: no")
    assert list(compared([call(1.0, 2.0)], [raises]).values()) == [Weight.FAILURE]
    assert list(compared([raises], [raises]).values()) == [Weight.OPEN]
    assert compared([raises], [call(1.0, 2.0)]) == {}


def test_sources_are_paired_by_name_where_their_number_differs(compared: Compare) -> None:
    after = call(1.0, 2.0, 3.0)
    after = replace(after, sources=(Source("new", number(7.0), number(1.0)), *after.sources))
    assert compared([call(1.0, None, None)], [after]) == {}


@pytest.mark.parametrize(
    ("mine", "other", "expected"),
    [
        pytest.param(number(1.0), number(1.0), Agreement.EQUAL, id="equal"),
        pytest.param(number(1.0), number(1.00001), Agreement.CLOSE, id="close"),
        pytest.param(number(1.0), number(1.001), Agreement.DIFFERENT, id="different"),
        pytest.param(number(1.0, dtype="float64"), number(1.00001, dtype="float64"), Agreement.DIFFERENT, id="double"),
        pytest.param(number(float("nan")), number(float("nan")), Agreement.CLOSE, id="both nan"),
        pytest.param(number(float("inf")), number(1.0), Agreement.DIFFERENT, id="infinite"),
        pytest.param(number(1.0, 2.0), number(1.0), Agreement.DIFFERENT, id="shapes"),
        pytest.param(number(1.0), None, Agreement.UNKNOWN, id="not known"),
    ],
)
def test_agreement(mine: Value, other: Value | None, expected: Agreement) -> None:
    assert agree(mine, other, TARGETS[precision((mine, other))]) is expected


def test_precision_is_the_coarsest() -> None:
    assert precision((number(1.0), number(1.0, dtype="float64"), None)) == "single"
    assert precision((number(1.0, dtype="bfloat16"), number(1.0))) == "half"
    assert precision(()) == "double"
    assert set(TARGETS) == set(GRADIENTS) == {"double", "single", "half"}


def test_worst_of_several() -> None:
    assert worst([Agreement.EQUAL, Agreement.CLOSE]) is Agreement.CLOSE
    assert worst([Agreement.UNKNOWN, Agreement.DIFFERENT]) is Agreement.DIFFERENT
    assert worst([]) is Agreement.UNKNOWN


def test_observations_are_counted_and_sorted() -> None:
    seen = Observations()
    seen.say(Weight.NOTE, "a note")
    seen.say(Weight.OPEN, "open")
    seen.say(Weight.DIFFERENCE, "differs")
    seen.say(Weight.DIFFERENCE, "differs")
    assert seen.worst is Weight.DIFFERENCE
    assert seen.reasons() == ("differs (2 times)", "open")
    seen.forgive()
    assert seen.reasons()[1] == "differs; but the program before differs from run to run, too (2 times)"
    assert seen.notes() == ("a note",)
