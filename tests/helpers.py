"""What the tests of codemods share: findings made by hand, and the checks that every rewrite must pass."""

from __future__ import annotations

import ast
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict

import libcst as cst
from libcst.codemod import CodemodContext
from libcst.metadata import MetadataWrapper
from tfgradfix_codemods.base import Findings

from tfgradfix.model import Extent, Finding, Level, Operand, Position, Span
from tfgradfix.rewrite.apply import rewrite
from tfgradfix.rewrite.together import Edited, edit
from tfgradfix.rewrite.units import place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tfgradfix_codemods.base import GradientCommand
    from typing_extensions import Unpack

#: The name of the module in findings made by hand.
MODULE = "module.py"

NUMPY: Final = "import numpy as np\n"


def position(text: str, offset: int) -> Position:
    """The row and column of an offset in ``text``."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return Position(before.count("\n") + 1, len(before) - before.rfind("\n"))


def unmark(marked: str) -> tuple[str, list[Span]]:
    """``marked`` without its marks, and the spans between them; ``«`` and ``»`` may be nested."""
    text, spans, opened = "", list[Span](), list[int]()
    for character in marked:
        if character == "«":
            opened.append(len(text))
        elif character == "»":
            start = opened.pop()
            spans.append(Span(MODULE, Position(start, 0), Position(len(text), 0)))
        else:
            text += character
    ordered = sorted(spans, key=lambda span: (span.start.row, -span.end.row))
    return text, [Span(MODULE, position(text, span.start.row), position(text, span.end.row)) for span in ordered]


class About(TypedDict, total=False):
    """What a finding made by hand may say besides its code and place."""

    symbol: str
    operands: Sequence[Operand]
    tensorflow: str | None
    unit: str
    level: Level
    facts: Mapping[str, str]


def finding(command: type[GradientCommand], span: Span, **about: Unpack[About]) -> Finding:
    """A finding of ``command``'s code."""
    return Finding(
        code=command.RULE.code,
        name=command.RULE.name,
        span=span,
        message="made by hand",
        level=about.get("level", Level.SAFE),
        extent=Extent.WHOLE,
        unit=about.get("unit", ""),
        symbol=about.get("symbol", ""),
        operands=tuple(about.get("operands", ())),
        tensorflow=about.get("tensorflow", "tf"),
        facts=tuple(about.get("facts", {}).items()),
    )


def apply(text: str, findings: Sequence[Finding], *commands: type[GradientCommand]) -> Edited:
    """``text`` after ``commands``, run together; the result parses."""
    edited = edit(text, findings, commands)
    ast.parse(edited.text)
    return edited


def edited_at_marks(command: type[GradientCommand], marked: str, about: About) -> tuple[str, Edited]:
    """The text without marks, and what ``command`` makes of it where the marks are: together and alone the same."""
    text, spans = unmark(marked)
    findings = [finding(command, span, **about) for span in spans]
    together = apply(text, findings, command)
    assert not together.unanswered, "no node has this span"
    assert alone(command, text, findings) == together.text
    return text, together


def alone(command: type[GradientCommand], text: str, findings: Sequence[Finding]) -> str:
    """``text`` after ``command`` was run as LibCST's own runner runs it."""
    wrapper = MetadataWrapper(cst.parse_module(text), cache={Findings: tuple(findings)})
    context = CodemodContext(wrapper=wrapper)
    instance = command(context)
    with instance.resolve(wrapper):
        return instance.transform_module_impl(wrapper.module).code


def rewritten(command: type[GradientCommand], marked: str, **about: Unpack[About]) -> str:
    """The text after ``command`` acted where the marks are; fails when it refuses."""
    _, edited = edited_at_marks(command, marked, about)
    assert not edited.declined, edited.declined
    return edited.text


def refusal(command: type[GradientCommand], marked: str, **about: Unpack[About]) -> str:
    """Why ``command`` leaves alone what the marks are round; fails when it does not."""
    text, edited = edited_at_marks(command, marked, about)
    assert edited.text == text
    assert edited.declined
    return edited.declined[0].reason


#: Programs whose loss has one repairable cut in a place that other tools have got wrong: before, and after the repair.
#: Each is a whole module; what stands in ``{}`` differs between the two sides.
EDGE_CASES: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("aliased import", "import numpy as xp\n", "xp.mean(w)", "tf.reduce_mean(w)"),
    (
        "imported twice in two styles",
        "import numpy\nfrom numpy import mean\nimport numpy as np\n",
        "mean(w)",
        "tf.reduce_mean(w)",
    ),
    ("a submodule of the library", "import numpy.linalg\nimport numpy\n", "numpy.sum(w)", "tf.reduce_sum(w)"),
    (
        "a local name that shadows the module",
        NUMPY + "def other(np):\n    return np.mean(1)\n",
        "np.mean(w)",
        "tf.reduce_mean(w)",
    ),
    ("an argument in parentheses", NUMPY, "np.mean((w))", "tf.reduce_mean((w))"),
    ("a trailing comma", NUMPY, "np.mean(w,)", "tf.reduce_mean(w,)"),
    (
        "comments inside the call",
        NUMPY,
        "np.mean(\n        w,  # weights\n    )",
        "tf.reduce_mean(\n        w,  # weights\n    )",
    ),
    ("a conditional expression inside", NUMPY, "np.mean(w if True else w)", "tf.reduce_mean(w if True else w)"),
    ("a walrus inside", NUMPY, "np.mean((v := w))", "tf.reduce_mean((v := w))"),
    ("nested calls", NUMPY, "np.mean(np.square(np.abs(w)))", "tf.reduce_mean(tf.square(tf.abs(w)))"),
    ("a receiver in parentheses", "", "tf.reduce_sum((w + w).numpy() * 2)", "tf.reduce_sum((w + w) * 2)"),
    ("non-ASCII before it", NUMPY, "('ü', np.mean(w))[1]", "('ü', tf.reduce_mean(w))[1]"),
    ("two statements on one line", NUMPY, "w; loss = np.mean(loss)", "w; loss = tf.reduce_mean(loss)"),
    ("form feed above", NUMPY + "\f\n", "np.mean(w)", "tf.reduce_mean(w)"),
    ("strings side by side", NUMPY, "(np.mean(w), 'a' 'b')[0]", "(tf.reduce_mean(w), 'a' 'b')[0]"),
    ("an f-string that holds it", NUMPY, "np.mean(w); f'{np.mean(1)}'", "tf.reduce_mean(w); f'{np.mean(1)}'"),
)


def edge_program(head: str, expression: str) -> str:
    """A module of the table above, around one side of it."""
    return (
        f"# -*- coding: utf-8 -*-\nimport tensorflow as tf\n{head}\n"
        f"w = tf.Variable([1.0, 2.0])\nwith tf.GradientTape() as tape:\n    loss = {expression}\n"
        "print(tape.gradient(loss, w))  # ünd"
    )


def check_rewrite(text: str, name: str) -> str:
    """What the whole tool makes of the program ``text``, as a patch below its findings.

    The result parses, a second run changes nothing, and all findings are repaired.
    """
    path = Path(f"{name}.py")
    result = rewrite({path: text})
    after = result.texts[path]
    ast.parse(after)
    assert not result.declined[path]
    assert set(result.fixed[path]) == set(result.findings[path])
    assert not rewrite({path: after}).texts, "a second run changes it again"
    told = [f"{place(found)}: {found.message}\n" for found in result.findings[path]]
    lines = (text.splitlines(keepends=True), after.splitlines(keepends=True))
    return "".join([*told, *unified_diff(*lines, fromfile=str(path), tofile=str(path))])
