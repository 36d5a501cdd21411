"""A migration as Markdown, for the description of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tfgradfix.report.migration import Fate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: Rows of one table: a description has a limit, and a reader, too.
MOST: Final = 50
_TITLES: Final = {
    Fate.PROVEN: "Mended and proven",
    Fate.UNPROVEN: "Mended, not proven by any run",
    Fate.UNVERIFIED: "Mended, not verified",
    Fate.PUT_BACK: "Put back",
    Fate.NOT_WRITTEN: "Not written",
    Fate.LEFT: "Left as it is",
}


def report_markdown(record: Mapping[str, Any]) -> str:
    """The record of a migration (see ``report.record``) as Markdown."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Mapping[str, Any]) -> Iterator[str]:
    summary = record["summary"]
    yield "## Gradients mended by tfgradfix"
    yield ""
    yield f"{summary['findings']} cuts found, {summary['mended']} mended in {summary['files_changed']} files."
    for fate in Fate:
        found = [finding for finding in record["findings"] if finding["fate"] == fate.value]
        if found:
            yield from ("", f"### {_TITLES[fate]} ({len(found)})", "", "| Where | What | Why |", "|---|---|---|")
            yield from (_row(finding) for finding in found[:MOST])
            if len(found) > MOST:
                yield f"| … | {len(found) - MOST} more, in the report | |"
    if record["proofs"]:
        yield from (
            "",
            "### Runs",
            "",
            "| Script | Verdict | None before, None after |",
            "|---|---|---|",
        )
        yield from (_proof(proof) for proof in record["proofs"])
    yield from ("", "To do it again:", "", "```sh", *record["repeat"], "```")


def _row(finding: Mapping[str, Any]) -> str:
    cell = f" cell {finding['cell']}" if "cell" in finding else ""
    where = f"`{finding['file']}{cell}:{finding['row']}`"
    return f"| {where} | {finding['code']} {_safe(finding['message'])} | {_safe(finding['reason'])} |"


def _proof(proof: Mapping[str, Any]) -> str:
    sources = [source for call in proof["calls"] for source in call["sources"]]
    none = (sum(bool(source[f"none_{side}"]) for source in sources) for side in ("before", "after"))
    words = proof["driver"] or " ".join([proof["script"], *proof["arguments"]])
    return f"| `{words}` | {proof['status']} | {', '.join(map(str, none))} |"


def _safe(text: str, most: int = 160) -> str:
    text = " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
    return text if len(text) <= most else text[: most - 1] + "…"
