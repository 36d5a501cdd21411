"""Hold the cases that pass: ``python scripts/case_floor.py RESULTS.json FLOOR.txt``.

RESULTS is what the case runner wrote; FLOOR lists, one a line, the cases that have to pass. Exits with 1 when one of
them does not. Cases that pass and are not listed yet are named, so that they can be added: the floor only rises.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def floor_of(path: Path) -> tuple[str, ...]:
    """The cases that have to pass, less comments and empty lines."""
    lines = (line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in lines if line)


def judge(passed: dict[str, bool], floor: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The cases of the floor that fail or are gone, and the cases that pass and could be added to it."""
    fallen = [case for case in floor if not passed.get(case, False)]
    risen = sorted(case for case, passes in passed.items() if passes and case not in floor)
    return fallen, risen


def main() -> int:
    """Compare the results with the floor and say what differs."""
    results, floor = Path(sys.argv[1]), floor_of(Path(sys.argv[2]))
    if not results.stat().st_size:
        print("the case runner wrote no results")
        return 1
    passed = {row["slug"]: row["ok"] for row in json.loads(results.read_text(encoding="utf-8"))}
    fallen, risen = judge(passed, floor)
    print(f"{sum(passed.values())} of {len(passed)} cases pass; the floor holds {len(floor)}")
    for case in fallen:
        print(f"fell below the floor: {case}")
    for case in risen:
        print(f"passes and is not in the floor yet: {case}")
    return int(bool(fallen))


if __name__ == "__main__":
    sys.exit(main())
