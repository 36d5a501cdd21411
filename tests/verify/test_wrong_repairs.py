"""Wrong repairs are refused: one change in a right repair, and the proof says no.

Those that it still calls proven stand in ``wrong_repairs/survivors.txt``, which has to become empty. One of each kind
is tried here; ``python -m benchmarks.wrong_repairs`` tries all of them, which takes a quarter of an hour.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from benchmarks.wrong_repairs import answer
from tests.verify.wrong_repairs.choose import CHOSEN, KINDS, Wrong, read
from tests.verify.wrong_repairs.programs import own_programs
from tests.verify.wrong_repairs.sources import Source
from tfgradfix.verify import Status

PROGRAMS: Final = {program.name: program for program in own_programs()}
WRONG: Final = read()
SURVIVORS: Final = frozenset(CHOSEN.with_name("survivors.txt").read_text(encoding="utf-8").splitlines())
#: The first wrong repair of each kind that is known to be refused.
SAMPLE: Final = [
    next(wrong for wrong in WRONG if wrong.kind == kind and wrong.label not in SURVIVORS) for kind in sorted(KINDS)
]

#: Kinds, a text, and what they make of it: the first wrong repair.
MADE: Final = (
    ("half stopped", "y = tf.square(x)", "y = (0.5 * (tf.square(x)) + tf.stop_gradient(0.5 * (tf.square(x))))"),
    ("gradient doubled", "y = tf.square(x)", "y = (2.0 * (tf.square(x)) - tf.stop_gradient(tf.square(x)))"),
    ("gradient reversed", "y = tf.square(x)", "y = (tf.stop_gradient(2.0 * (tf.square(x))) - (tf.square(x)))"),
    ("clip that saturates", "y = tf.abs(x)", "y = tf.clip_by_value(tf.abs(x), -1e-2, 1e-2)"),
    ("cast through int", "y = tf.abs(x)", "y = tf.cast(tf.cast(tf.abs(x), tf.int32), tf.float32)"),
    ("term detached", "y = (a  + b) * 2", "y = (a  + tf.stop_gradient(b)) * 2"),
    ("factor detached", "y = a @ b", "y = tf.stop_gradient(a) @ b"),
    ("square halved", "y = tf.square(x - 1)", "y = ((x - 1) * tf.stop_gradient(x - 1))"),
    ("branch detached", "y = tf.where(c, a, b)", "y = tf.where(c, tf.stop_gradient(a), b)"),
    ("sign flipped", "y = a - b", "y = ((a) + (b))"),
    ("axis swapped", "y = tf.reduce_sum(x, axis=0)", "y = tf.reduce_sum(x, axis=1)"),
    ("mean for sum", "y = tf.reduce_sum(x)", "y = tf.reduce_mean(x)"),
    ("resampled draw", "y = rng.normal(2)", "y = (rng.normal(2), rng.normal(2))[1]"),
    ("wrong constant", "ü = 'ü'; y = x * 2.0", "ü = 'ü'; y = x * 2.02"),
    ("snapshot lost", "best = tf.identity(w)", "best = w"),
    ("snapshot lost", "best = [v.numpy() for v in ws]", "best = [v for v in ws]"),
    ("read too early", "w.assign_sub(g)  # on\nlast = w + 1\n", "last = w + 1  # on\nw.assign_sub(g)\n"),
    ("update repeated", "w.assign_sub(g)", "w.assign_sub(g); w.assign_sub(g)"),
)


@pytest.mark.parametrize(("kind", "text", "wrong"), MADE, ids=[f"{kind}: {text!r}" for kind, text, _ in MADE])
def test_made(kind: str, text: str, wrong: str) -> None:
    source = Source(text)
    assert source.apply(next(KINDS[kind](source))) == wrong


def test_every_kind_is_made() -> None:
    assert {kind for kind, _, _ in MADE} == set(KINDS)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_nothing_is_made_of_numbers_and_texts(kind: str) -> None:
    source = Source("def f(x: float = 1.0 + 2.0):\n    '''Text.'''\n    assert x + 1\n    return f'{x + 1}', 2 * 3\n")
    assert not list(KINDS[kind](source))


def test_there_are_enough_and_of_every_kind() -> None:
    counts = Counter(wrong.kind for wrong in WRONG)
    assert len(WRONG) >= 60
    assert set(counts) == set(KINDS)
    assert len({wrong.label for wrong in WRONG}) == len(WRONG)


def test_survivors_are_wrong_repairs() -> None:
    assert {wrong.label for wrong in WRONG} >= SURVIVORS


def changed(wrong: Wrong) -> Iterator[str]:
    """The text of the file before and after the change."""
    source = PROGRAMS[wrong.program].source(Path(wrong.file))
    yield source.text
    yield source.apply(wrong.edit)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.label)
def test_the_change_still_applies(wrong: Wrong) -> None:
    right, text = changed(wrong)
    assert ast.dump(ast.parse(right)) != ast.dump(ast.parse(text))


@pytest.mark.slow
@pytest.mark.runs_tensorflow
@pytest.mark.parametrize("wrong", SAMPLE, ids=lambda wrong: wrong.label)
def test_refused(wrong: Wrong, python: Path) -> None:
    status, reason = answer(PROGRAMS[wrong.program], python, wrong)
    assert status is not Status.PROVEN, reason
