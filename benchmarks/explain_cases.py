"""How well the explaining run names the lines that cut gradients, over a folder of cases.

    python benchmarks/explain_cases.py CASES [--only NAME ...] [--python PYTHON] [--verbose] [--compare]

A case is a folder with ``before.py`` or ``before/`` (its ``entry`` to run) and a ``case.toml`` with ``break_lines``.
Named are the lines of the cuts and those in NumPy behind them; a named line is false when it is neither marked (or one
beside it), nor to be mended with a marked one (``follow_lines``), nor a line of the call chain of a cut that is marked.
With --compare the static analysis is asked too, and what only one of the two says is printed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomllib

from tfgradfix.config import Settings
from tfgradfix.explaining import explain
from tfgradfix.explaining.disagreement import disagreement
from tfgradfix.explaining.findings import findings_of
from tfgradfix.pipeline import examine
from tfgradfix.verify import version_of

if TYPE_CHECKING:
    from tfgradfix.explaining import Explanation
    from tfgradfix.verify import Version

Line = tuple[str, int]


def marked(meta: dict[str, Any], entry: str, key: str) -> set[Line]:
    """The lines that a case names under ``key``: numbers, or FILE:LINE."""
    lines = meta.get(f"{key}_py") or meta.get(key, [])
    split = [str(each).rpartition(":") for each in lines]
    return {(file or entry, int(number)) for file, _, number in split}


def named(found: Explanation) -> tuple[set[Line], set[Line]]:
    """The lines that the run names, and those of the call chains beside them."""
    return set(found.named), set(found.called - found.named)


def called(found: Explanation, root: str, wanted: set[Line]) -> set[Line]:
    """The innermost lines of cuts whose call chain passes a marked line: it is the call that has to be mended."""
    chains = [[((each.file or "").removeprefix(root), each.line) for each in cause.chain] for cause in found.causes]
    return {chain[0] for chain in chains if chain and any(near(line, wanted) for line in chain)}


def near(line: Line, others: set[Line]) -> bool:
    """Whether a line is one of the others, or beside it: a statement may span two."""
    return any(line[0] == file and abs(line[1] - number) <= 1 for file, number in others)


def compare(version: Version, program: Path, found: Explanation) -> None:
    """Print what only the static analysis, or only the run, says of a version and the program around it."""
    static = examine([program], Settings()).findings
    apart = disagreement(static, findings_of(found, version), found, version.folder)
    for who, findings in (("static", apart.static_only), ("run", apart.run_only)):
        for each in findings:
            print(f"   only {who}: {Path(each.span.filename).name}:{each.span.start.row} {each.code} {each.message}")


def main() -> None:
    """Run over the folder and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--python", type=Path)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    totals = {"marked": 0, "met": 0, "named": 0, "false": 0, "broken": 0, "at least one": 0, "healthy": 0, "quiet": 0}
    for folder in sorted(each.parent for each in options.cases.glob("*/case.toml")):
        if options.only and folder.name not in options.only:
            continue
        meta = tomllib.loads((folder / "case.toml").read_text())
        package = (folder / "before").is_dir()
        script = folder / "before" / meta.get("entry", "train.py") if package else folder / "before.py"
        version = version_of(script)
        found = explain(version, python=options.python)
        entry = found.script
        root = script.relative_to(folder).as_posix().removesuffix(entry) if package else ""
        wanted, follow = (marked(meta, entry, key) for key in ("break_lines", "follow_lines"))
        lines, chains = named(found)
        lines, chains = ({(file.removeprefix(root), line) for file, line in each} for each in (lines, chains))
        met = {line for line in wanted if near(line, lines | chains)}
        allowed = wanted | follow | called(found, root, wanted)
        false = {line for line in lines if not near(line, allowed)}
        healthy = not wanted
        totals["marked"] += len(wanted)
        totals["met"] += len(met)
        totals["named"] += 0 if healthy else len(lines)
        totals["false"] += 0 if healthy else len(false)
        totals["healthy" if healthy else "broken"] += 1
        totals["quiet" if healthy else "at least one"] += (not found.missing) if healthy else bool(met)
        print(
            f"{folder.name}: {len(met)} of {len(wanted)} marked, {len(lines)} named, {len(false)} false,"
            f" {found.ended}, {found.seconds:.0f} s",
            flush=True,
        )
        if options.compare:
            compare(version, folder / "before" if package else script, found)
        if options.verbose:
            reasons = sorted({cause.reason.value for cause in found.causes})
            print(f"   missed {sorted(wanted - met)}  false {sorted(false)}  {reasons}  hooks {found.hooks}")
            print(f"   {found.failure}", flush=True)
            for trouble in found.troubles[:1]:
                print(trouble, file=sys.stderr)
    print(
        f"broken: {totals['at least one']} of {totals['broken']} with a marked line; {totals['met']} of"
        f" {totals['marked']} marked lines; {totals['false']} of {totals['named']} named lines false;"
        f" healthy: {totals['quiet']} of {totals['healthy']} without a word"
    )


if __name__ == "__main__":
    main()
