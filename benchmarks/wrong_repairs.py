"""How many wrong repairs the proof refuses, by kind; the right repairs beside them have to be proven.

    python -m benchmarks.wrong_repairs [--only KIND] [--right] [--cases FOLDER --wrong FILE] [--survivors FILE]

Without options the wrong repairs of the project's own programs are tried, with ``--right`` their right repairs too.
Those of other programs are made by ``python -m tests.verify.wrong_repairs.choose --cases FOLDER --output FILE``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.verify.wrong_repairs.choose import CHOSEN, Wrong, read
from tests.verify.wrong_repairs.programs import own_programs, programs_in
from tfgradfix.verify import HarnessError, Status, verify

if TYPE_CHECKING:
    from tests.verify.wrong_repairs.programs import Program

#: What the columns of the table are called.
ANSWERS = {Status.FAILED: "refused", Status.PROVEN: "called proven", Status.UNPROVEN: "not checkable"}


def answer(program: Program, python: Path | None, wrong: Wrong | None = None) -> tuple[Status, str]:
    """What the proof says of a repair, and why."""
    with tempfile.TemporaryDirectory() as folder:
        change = (Path(wrong.file), wrong.edit) if wrong else None
        before, after = program.stage(Path(folder), change)
        try:
            verdict = verify(before, after, entry=program.entry, python=python)
        except HarnessError as error:
            return Status.UNPROVEN, str(error)
    return verdict.status, "; ".join(verdict.reasons)


def try_wrong(wrongs: list[Wrong], programs: dict[str, Program], python: Path | None) -> list[Wrong]:
    """Ask of every wrong repair, print the table, and give back those that were called proven."""
    answers, proven = Counter[tuple[str, Status]](), []
    for wrong in wrongs:
        status, reason = answer(programs[wrong.program], python, wrong)
        answers[wrong.kind, status] += 1
        if status is Status.PROVEN:
            proven.append(wrong)
        print(f"{ANSWERS[status]:14} {wrong.label} (shows in {wrong.shows}): {reason[:110]}", flush=True)
    kinds = list(dict.fromkeys(wrong.kind for wrong in wrongs))
    print(f"\n{'kind':22}{'made':>6}" + "".join(f"{name:>16}" for name in ANSWERS.values()))
    for kind in [*kinds, None]:
        counts = [sum(n for (k, s), n in answers.items() if s is status and kind in (k, None)) for status in ANSWERS]
        print(f"{kind or 'all':22}{sum(counts):>6}" + "".join(f"{count:>16}" for count in counts))
    refused = sum(n for (_, status), n in answers.items() if status is Status.FAILED)
    print(f"refused: {refused} of {len(wrongs)} ({refused / max(len(wrongs), 1):.0%})", flush=True)
    return proven


def try_right(programs: list[Program], python: Path | None) -> int:
    """Ask of every right repair; how many are not proven."""
    lacking = 0
    for program in programs:
        status, reason = answer(program, python)
        lacking += status is not Status.PROVEN
        print(f"{status.value:14} the right repair of {program.name}: {reason[:110]}", flush=True)
    print(f"right repairs proven: {len(programs) - lacking} of {len(programs)}")
    return lacking


def main() -> int:
    """Print the tables; 1 when a wrong repair is called proven or a right one is not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", help="a kind; may be given several times")
    parser.add_argument("--right", action="store_true", help="the right repairs of the same programs, too")
    parser.add_argument("--cases", type=Path, help="a folder of other programs, laid out as tests/programs")
    parser.add_argument("--wrong", type=Path, default=CHOSEN, help="the wrong repairs, as choose wrote them")
    parser.add_argument("--survivors", type=Path, help="write the labels of those called proven here, one a line")
    parser.add_argument("--python", type=Path, help="an interpreter that has TensorFlow")
    options = parser.parse_args()
    found = programs_in(options.cases) if options.cases else own_programs()
    programs = {program.name: program for program in found}
    wrongs = [wrong for wrong in read(options.wrong) if options.only is None or wrong.kind in options.only]
    proven = try_wrong(wrongs, programs, options.python)
    if options.survivors:
        options.survivors.write_text("".join(f"{wrong.label}\n" for wrong in proven), encoding="utf-8")
    used = [programs[name] for name in dict.fromkeys(wrong.program for wrong in wrongs)]
    lacking = try_right(used, options.python) if options.right else 0
    return int(bool(proven or lacking))


if __name__ == "__main__":
    sys.exit(main())
