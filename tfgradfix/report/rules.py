"""The documentation of a rule as text and as Markdown, made from its codemod's own docstring."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from tfgradfix.model import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix.rewrite.registry import Entry

LEVELS: Final = {
    Level.SAFE: "safe: same value, dtype and shape; the gradient comes back",
    Level.UNSAFE: "unsafe: something observable may change; only with --unsafe-fixes",
    Level.MANUAL: "manual: diagnosis and advice only",
}


def rule_text(entry: Entry) -> str:
    """What ``tfgradfix explain`` prints."""
    parts = [f"{entry.code} {entry.name}", entry.summary, f"Level {LEVELS[entry.level]}"]
    parts += [f"{heading}\n{textwrap.indent(text, '    ')}" for heading, text in entry.sections]
    return "\n\n".join(parts) + "\n"


def page(entries: Sequence[Entry]) -> str:
    """The reference page: a table of all rules, then one section each."""
    rows = [f"| [{one.code}](#{_anchor(one)}) | {one.name} | {one.level.value} | {one.summary} |" for one in entries]
    table = "\n".join(["| Code | Name | Level | Fault |", "|---|---|---|---|", *rows])
    head = "<!-- Made by scripts/document_codemods.py from the codemods; do not edit. -->\n\n# What cuts a gradient"
    levels = "\n".join(f"- {text}" for text in LEVELS.values())
    return "\n\n".join([head, table, f"Levels:\n\n{levels}", *(_section(one) for one in entries)]) + "\n"


def _section(entry: Entry) -> str:
    parts = [f"## {_title(entry)}", entry.summary, f"Level: {entry.level.value}."]
    for heading, text in entry.sections:
        parts += [f"### {heading}", _example(text) if heading == "Example" else text]
    if entry.repairs:
        command = f"{entry.module}.{''.join(part.title() for part in entry.module.split('_'))}Command"
        parts.append(f"Alone, under LibCST's own runner: `python -m libcst.tool codemod {command} FILE`")
    return "\n\n".join(parts)


def _title(entry: Entry) -> str:
    return f"{entry.code} {entry.name}"


def _anchor(entry: Entry) -> str:
    return _title(entry).lower().replace(" ", "-")


def _example(text: str) -> str:
    """Lines that start with ``>>>`` (before) and ``<<<`` (after) as a patch."""
    marks = {">>>": "-", "<<<": "+", "...": " "}
    lines = (f"{marks[line[:3]]}{line[4:]}" if line[:3] in marks else f" {line}".rstrip() for line in text.splitlines())
    return "\n".join(["```diff", *lines, "```"])
