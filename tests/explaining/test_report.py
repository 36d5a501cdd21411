"""What a person reads of an explaining run, made from records by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tfgradfix.explaining import Cause, Explanation, Missing, Reason, Step
from tfgradfix.explaining.deaths import of_failure
from tfgradfix.explaining.words import code_of, sentence
from tfgradfix.report.explanation import explanation_lines
from tfgradfix.report.explanation_html import explanation_html
from tfgradfix.report.explanation_json import explanation_record
from tfgradfix.report.text import plain
from tfgradfix.verify import Version
from tfgradfix.verify.records import Failure, Place

if TYPE_CHECKING:
    from pathlib import Path

CUT, NUMPY, BACK, ASK = (Place("a.py", line, "f") for line in (2, 3, 4, 5))
PATH = (Step("Mul", Place("a.py", 1), None), Step("numpy.square", CUT, Reason.LEFT), Step("Add", BACK, None))
LEFT = Cause(Reason.LEFT, (CUT, ASK), ("w",), (NUMPY,), (BACK,), "numpy.square", path=PATH)
FOUND = Explanation("a.py", (Missing("gradient", (ASK,), 2, 1, (LEFT,)),), calls=3)


@pytest.fixture
def program(tmp_path: Path) -> Version:
    (tmp_path / "a.py").write_text("h = w * 2\na = np.square(h)\nb = a * 2 < 3\nc = tf.constant(b)\nask(c)\n")
    return Version(tmp_path / "a.py", tmp_path)


def test_the_terminal_shows_cut_call_and_way(program: Version) -> None:
    assert plain(explanation_lines(FOUND, program)) == (
        "a.py:5  1 of 2 gradients is None\n"
        "  ✂ a.py:2  TGF101 the value left TensorFlow through numpy.square\n"
        "      a = np.square(h)\n"
        "      called from a.py:5  ask(c)\n"
        "      through a.py:3  b = a * 2 < 3\n"
        "      back at a.py:4  c = tf.constant(b)\n"
        "      lost for w\n"
        "\n"
        "None gradients at 1 place, 3 gradient calls.\n"
    )


def test_nothing_missing_is_said_in_one_line(program: Version) -> None:
    assert plain(explanation_lines(Explanation("a.py", calls=1), program)) == "No None gradient in 1 gradient call.\n"


def test_the_page_draws_the_path_and_marks_the_cut(program: Version) -> None:
    page = explanation_html(FOUND, program)
    assert "✂ numpy.square" in page
    assert '<tr id="c1-0-2" class="cut"><td>2</td><td>a = np.square(h)</td></tr>' in page
    assert "b = a * 2 &lt; 3" in page
    assert "http" not in page.replace("http-equiv", "")


def test_the_json_tells_what_the_records_hold() -> None:
    told = json.loads(json.dumps(explanation_record(FOUND)))
    (cause,) = told["missing"][0]["causes"]
    assert (cause["code"], cause["reason"], cause["chain"][0]["row"]) == ("TGF101", "left", 2)
    assert [step["cut"] for step in cause["path"]] == [None, "left", None]


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("numpy.mean", "TGF101"),
        (".numpy()", "TGF103"),
        ("float()", "TGF104"),
        ("math.log", "TGF106"),
        (".predict()", "TGF111"),
    ],
)
def test_ways_out_have_their_rules(how: str, code: str) -> None:
    assert code_of(Cause(Reason.LEFT, how=how)) == code


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_is_told(reason: Reason) -> None:
    assert sentence(Cause(reason)).strip()


def test_an_unknown_exception_names_no_cause() -> None:
    assert of_failure(Failure("KeyError", "'loss'", (CUT,))) is None
    found = of_failure(
        Failure("NotImplementedError", "Cannot convert a symbolic tf.Tensor (x:0) to a numpy array", (ASK, CUT))
    )
    assert found is not None
    assert (found.reason, found.place) == (Reason.GRAPH_VALUE, CUT)
