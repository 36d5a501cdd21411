"""Which gradient call is which, though the lines have moved."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from tfgradfix.verify import GradientCall, Place, Version
from tfgradfix.verify.sites import Sites, counterparts

if TYPE_CHECKING:
    from collections.abc import Callable

BEFORE = """
import numpy as np
def first(x):
    np.gradient(x)
    with tf.GradientTape(persistent=True) as tape:
        loss = f(x)
    tape.gradient(loss[0], x)  # 7
    tape.gradient(
        loss[1],
        x,
    )  # 8 to 11
class Model:
    def train_step(self, tape):
        return tape.jacobian(0, 1)  # 14
"""
AFTER = """
import numpy as np
def first(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = f(x)
        one = loss[0]
        two = loss[1]
    tape.gradient(one, x)  # 8
    tape.gradient(two, x)  # 9
def second(x): ...
class Model:
    def train_step(self, tape):
        return tape.jacobian(0, 1)  # 13
"""


def seen(line: int, method: str = "gradient", library: str | None = None, file: str = "program.py") -> GradientCall:
    return GradientCall(Place(file, line, "f", library), method, False, 0, line, 0, (), ())


@pytest.fixture
def sites(tmp_path: Path) -> Callable[[str, str], Sites]:
    def make(name: str, text: str) -> Sites:
        folder = tmp_path / name
        folder.mkdir()
        script = folder / f"{name}.py"
        script.write_text(dedent(text))
        return Sites(Version(script, folder))

    return make


def paired(one: Sites, other: Sites, before: list[GradientCall], after: list[GradientCall]) -> list[tuple[int, int]]:
    pairs = counterparts(one.keys(before), other.keys(after))
    return sorted((mine[1], own[1]) for own, mine in pairs.items())


def test_by_function_method_and_rank(sites: Callable[[str, str], Sites]) -> None:
    one, other = sites("one", BEFORE), sites("two", AFTER)
    before = [seen(9, file="one.py"), seen(14, "jacobian", file="one.py")]
    after = [seen(8, file="two.py"), seen(9, file="two.py"), seen(13, "jacobian", file="two.py")]
    assert paired(one, other, before, after) == [(9, 9), (14, 13)]


def test_calls_of_libraries_go_by_their_order(sites: Callable[[str, str], Sites]) -> None:
    one, other = sites("one", "fit()\nfit()\n"), sites("two", "x\nfit()\nfit()\n")
    before = [seen(1, library="keras.step", file="one.py")]
    after = [seen(2, library="keras.step", file="two.py"), seen(3, library="keras.step", file="two.py")]
    assert paired(one, other, before, after) == [(1, 2)]


def test_what_is_left_over_goes_by_its_order(sites: Callable[[str, str], Sites]) -> None:
    one, other = sites("one", BEFORE), sites("two", AFTER.replace("def first", "def renamed"))
    before = [seen(7, file="one.py"), seen(8, file="one.py")]
    after = [seen(8, file="two.py"), seen(9, file="two.py")]
    assert paired(one, other, before, after) == [(7, 8), (8, 9)]


def test_unreached(sites: Callable[[str, str], Sites]) -> None:
    one = sites("one", BEFORE)
    assert one.unreached([seen(7, file="one.py")], "one.py") == [8, 14]
    assert one.unreached([], "none.py") == []


def test_unreadable(sites: Callable[[str, str], Sites]) -> None:
    one = sites("one", "def (:\n")
    assert one.unreached([], "one.py") == []
    assert one.unreadable == {"one.py"}


def test_very_deep_expressions(sites: Callable[[str, str], Sites]) -> None:
    one = sites("one", "x = " + " + ".join(["1"] * 900) + "\ng = tape.gradient(x, x)\n")
    assert [site.line for site in one.static("one.py")] == [2]
