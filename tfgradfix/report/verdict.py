"""A verdict for a person: what each gradient call gave before and after, and what the answer rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix.report.explanation import disagreement_lines, explanation_lines
from tfgradfix.report.text import Line, Piece, shown
from tfgradfix.verify.verdict import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfgradfix.prove import Proof
    from tfgradfix.verify.verdict import SiteRow, Verdict

#: A gradient that is missing for one variable is mostly missing for all.
_MOST_REASONS: Final = 5
_STYLES: Final = {Status.PROVEN: "green", Status.FAILED: "red", Status.UNPROVEN: "yellow"}


def verdict_lines(verdict: Verdict, name: str = "") -> tuple[Line, ...]:
    """One verdict: the answer, the gradient calls, the reasons and the notes."""
    answer = Piece(verdict.status.value, _STYLES[verdict.status])
    lines: list[Line] = [(Piece(f"{name}: "), answer) if name else (answer,)]
    lines += [(Piece(f"  {_site(site)}"),) for site in verdict.sites]
    lines += [(Piece("  because ", "dim"), Piece(reason)) for reason in verdict.reasons[:_MOST_REASONS]]
    if len(verdict.reasons) > _MOST_REASONS:
        lines.append((Piece(f"  and {len(verdict.reasons) - _MOST_REASONS} more reasons like these", "dim"),))
    lines += [(Piece("  note: ", "dim"), Piece(note)) for note in verdict.notes]
    return tuple(lines)


def proof_lines(proofs: Sequence[Proof]) -> tuple[Line, ...]:
    """What came of each script that was run for a proof."""
    return tuple(line for proof in proofs for line in _proof(proof))


def hint_lines(hint: str) -> Iterator[Line]:
    """How to add a driver, to be copied."""
    if hint:
        yield (Piece("  to have it proven, add a driver:", "dim"),)
        yield from ((Piece(f"    {line}"),) for line in hint.splitlines())


def _proof(proof: Proof) -> Iterator[Line]:
    name = shown(proof.title or str(proof.script))
    if proof.undriven is not None:
        yield Piece(f"{name}: "), Piece(proof.status, _STYLES[Status.UNPROVEN])
        yield Piece("  because ", "dim"), Piece(shown(proof.undriven))
    elif proof.verdict is None:
        yield Piece(f"{name}: "), Piece("not run", "red"), Piece(f": {proof.error}")
    else:
        yield from verdict_lines(proof.verdict, name)
    if proof.rejected:
        yield (Piece("  the change is not kept"),)
    yield from hint_lines(proof.hint)
    if proof.unexplained is not None:
        yield (Piece(f"  what is left could not be explained: {proof.unexplained}", "yellow"),)
    if proof.rest is not None:
        yield (Piece("With this change, as a run shows:", "bold"),)
        yield from explanation_lines(proof.rest.explanation, proof.rest.version)
        yield from disagreement_lines(proof.rest.apart)


def _site(site: SiteRow) -> str:
    before, after = site.line_before, site.line_after
    moved = before != after and before is not None and after is not None
    place = f"line {before} (now {after})" if moved else f"line {after if before is None else before}"
    where = f"{site.file} {place}" if site.file else "inside a library"
    graph = " while tracing" if site.graph else ""
    told = f"{where} {site.method}{graph}: "
    told += f"{site.none_before} of {site.sources_before} None before, {site.none_after} of {site.sources_after} after"
    if site.compared:
        told += f"; target {'equal' if site.equal else 'DIFFERENT'}"
    return told
