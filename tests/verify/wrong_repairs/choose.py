"""Make wrong repairs, run them beside the right ones, and write those that differ: `chosen.json`.

python -m tests.verify.wrong_repairs.choose [--cases FOLDER --output FILE] [--each 6]
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tests.verify.wrong_repairs.kinds import EXPRESSION_KINDS
from tests.verify.wrong_repairs.programs import Program, own_programs, programs_in
from tests.verify.wrong_repairs.screen import Seen, differ, observe, prepare
from tests.verify.wrong_repairs.sources import Edit, Source
from tests.verify.wrong_repairs.statements import STATEMENT_KINDS

KINDS: Final[dict[str, Callable[[Source], Iterator[Edit]]]] = {**EXPRESSION_KINDS, **STATEMENT_KINDS}
CHOSEN: Final = Path(__file__).with_name("chosen.json")
#: Places that are tried in one program for one kind.
PLACES: Final = 3


@dataclass(frozen=True)
class Wrong:
    """One wrong repair: ``shows`` is in what its run differs from that of the right one."""

    program: str
    kind: str
    file: str
    edit: Edit
    shows: str

    @property
    def label(self) -> str:
        """Short enough for the name of a test."""
        return f"{self.kind}: {self.program} {self.file}:{self.edit.row}".replace(" .:", ":")


def read(path: Path = CHOSEN) -> list[Wrong]:
    """The wrong repairs of a file that was written here."""
    return [
        Wrong(each["program"], each["kind"], each["file"], Edit(**each["edit"]), each["shows"])
        for each in json.loads(path.read_text(encoding="utf-8"))
    ]


def candidates(program: Program, kind: str) -> list[tuple[Path, Edit]]:
    """The places for one kind of wrong repair: lines that the repair wrote first, then lines inside of a tape."""
    found = []
    for file in program.changed():
        source, repaired = program.source(file), program.repaired_lines(file)
        taped = _taped(source)
        for edit in KINDS[kind](source):
            rank = 0 if edit.row in repaired else 1 if edit.row in taped else 2
            found.append((rank, random.Random(f"{edit}").random(), file, edit))  # an even choice
    found.sort(key=lambda each: each[:2])
    return [(file, edit) for _, _, file, edit in found[:PLACES]]


def _taped(source: Source) -> set[int]:
    """The rows inside ``with tf.GradientTape()``."""
    rows = set[int]()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.With) and any("GradientTape" in ast.unparse(item.context_expr) for item in node.items):
            rows |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return rows


class Chooser:
    """Runs programs, each right repair once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0
        self.right: dict[str, Seen | None] = {}

    def run(self, program: Program, wrong: tuple[Path, Edit] | None = None) -> Seen:
        """Run the repaired version, right or wrong."""
        self.number += 1
        home = self.folder / str(self.number)
        _, after = program.stage(home, wrong)
        return observe(home / "after", after / program.entry if program.entry else after)

    def reference(self, program: Program) -> Seen | None:
        """What the right repair gives; None where it does not come to its end or gives something else each time."""
        if program.name not in self.right:
            once, twice = self.run(program), self.run(program)
            steady = once.finished and once.report.calls and not differ(once, twice)
            self.right[program.name] = once if steady else None
        return self.right[program.name]

    def wrong(self, program: Program, kind: str) -> Wrong | None:
        """The first wrong repair of one kind that runs to its end and gives something else."""
        places = candidates(program, kind)
        right = self.reference(program) if places else None
        for file, edit in places if right is not None else ():
            seen = self.run(program, (file, edit))
            shows = differ(right, seen) if right is not None and seen.finished else ""
            if shows:
                return Wrong(program.name, kind, file.as_posix(), edit, shows)
        return None


def choose(programs: list[Program], each: int, keep: Callable[[list[Wrong]], None]) -> None:
    """Choose up to ``each`` wrong repairs of each kind, spread over the programs; ``keep`` gets all found so far."""
    counts, taken, found = Counter[str](), Counter[str](), list[Wrong]()
    with tempfile.TemporaryDirectory() as folder:
        chooser = Chooser(Path(folder))
        for kind in KINDS:
            order = sorted(programs, key=lambda one: (taken[one.name], random.Random(f"{kind} {one.name}").random()))
            for program in order:
                if counts[kind] == each:
                    break
                wrong = chooser.wrong(program, kind)
                if wrong is not None:
                    found.append(wrong)
                    counts[kind] += 1
                    taken[program.name] += 1
                    print(f"{wrong.label} shows in {wrong.shows}", flush=True)
                    keep(found)


def main() -> None:
    """Choose and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, help="a folder of other programs, laid out as tests/programs")
    parser.add_argument("--output", type=Path, default=CHOSEN)
    parser.add_argument("--each", type=int, default=6, help="wrong repairs of each kind")
    options = parser.parse_args()
    if options.cases and options.output == CHOSEN:
        parser.error("--cases needs an --output of its own: chosen.json is for the project's programs")

    def keep(found: list[Wrong]) -> None:
        rows: list[dict[str, Any]] = [asdict(wrong) for wrong in found]
        options.output.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    prepare()
    choose(programs_in(options.cases) if options.cases else own_programs(), options.each, keep)


if __name__ == "__main__":
    main()
