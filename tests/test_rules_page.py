"""The reference page and ``explain`` say what the codemods' own docstrings say."""

from __future__ import annotations

from tfgradfix.model import Level
from tfgradfix.report.rules import page, rule_text
from tfgradfix.rewrite.registry import Entry

SECTIONS = (("What breaks", "The tape."), ("Example", ">>> a = np.mean(x)\n... keep\n<<< a = tf.reduce_mean(x)"))
REPAIR = Entry("TGF101", "numpy-call", Level.SAFE, (), "numpy_call", "NumPy is called.", SECTIONS)
ADVICE = Entry("TGF401", "no-gradient", Level.MANUAL, (), "no_gradient", "There is no gradient.", ())


def test_the_page_holds_every_rule_once() -> None:
    assert page([REPAIR, ADVICE]) == (
        "<!-- Made by scripts/document_codemods.py from the codemods; do not edit. -->\n\n# What cuts a gradient\n\n"
        "| Code | Name | Level | Fault |\n|---|---|---|---|\n"
        "| [TGF101](#tgf101-numpy-call) | numpy-call | safe | NumPy is called. |\n"
        "| [TGF401](#tgf401-no-gradient) | no-gradient | manual | There is no gradient. |\n\n"
        "Levels:\n\n- safe: same value, dtype and shape; the gradient comes back\n"
        "- unsafe: something observable may change; only with --unsafe-fixes\n- manual: diagnosis and advice only\n\n"
        "## TGF101 numpy-call\n\nNumPy is called.\n\nLevel: safe.\n\n### What breaks\n\nThe tape.\n\n### Example\n\n"
        "```diff\n-a = np.mean(x)\n keep\n+a = tf.reduce_mean(x)\n```\n\n"
        "Alone, under LibCST's own runner: `python -m libcst.tool codemod numpy_call.NumpyCallCommand FILE`\n\n"
        "## TGF401 no-gradient\n\nThere is no gradient.\n\nLevel: manual.\n"
    )


def test_an_explanation() -> None:
    assert rule_text(REPAIR) == (
        "TGF101 numpy-call\n\nNumPy is called.\n\nLevel safe: same value, dtype and shape; the gradient comes back\n\n"
        "What breaks\n    The tape.\n\n"
        "Example\n    >>> a = np.mean(x)\n    ... keep\n    <<< a = tf.reduce_mean(x)\n"
    )
