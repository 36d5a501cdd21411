"""Programs with a right repair: those of the project, or those of a folder that is laid out alike."""

from __future__ import annotations

import difflib
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.verify.wrong_repairs.sources import Edit, Source

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT: Final = Path(__file__).resolve().parents[3]
EXAMPLES: Final = "examples"


@dataclass(frozen=True)
class Program:
    """A broken program and its right repair: two scripts, or two folders with the script ``entry`` in them."""

    name: str
    before: Path
    reference: Path
    entry: str | None = None

    def changed(self) -> list[Path]:
        """The files of the reference that the repair changed, relative to it; of a script the empty path."""
        if self.entry is None:
            return [Path()]
        files = sorted(path.relative_to(self.reference) for path in self.reference.rglob("*.py"))
        return [path for path in files if _text(self.before / path) != _text(self.reference / path)]

    def repaired_lines(self, file: Path) -> set[int]:
        """The rows of a file of the reference that the repair wrote."""
        before, after = (_text(side / file).splitlines() for side in (self.before, self.reference))
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        return {
            row + 1 for tag, _, _, start, end in matcher.get_opcodes() if tag != "equal" for row in range(start, end)
        }

    def source(self, file: Path) -> Source:
        """A file of the reference."""
        return Source(_text(self.reference / file))

    def stage(self, folder: Path, wrong: tuple[Path, Edit] | None = None) -> tuple[Path, Path]:
        """Copy both versions to ``folder``, the repaired one with ``wrong`` in it; where they are then."""
        sides = folder / "before", folder / "after"
        for origin, side in zip((self.before, self.reference), sides, strict=True):
            if self.entry is None:
                side.mkdir(parents=True)
                shutil.copyfile(origin, side / "program.py")
            else:
                shutil.copytree(origin, side)
        if wrong is not None:
            file, edit = wrong
            target = sides[1] / (file if self.entry else "program.py")
            target.write_bytes(self.source(file).apply(edit).encode())
        if self.entry is None:
            return sides[0] / "program.py", sides[1] / "program.py"
        return sides


def _text(path: Path) -> str:
    return path.read_bytes().decode() if path.is_file() else ""


def programs_in(folder: Path) -> list[Program]:
    """The programs of a folder with one folder each: ``before``, ``reference``, and what ``case.toml`` says."""
    found = []
    for about in sorted(folder.glob("*/case.toml")):
        content = tomllib.loads(about.read_text(encoding="utf-8"))
        if content["expect"] != "fix":
            continue
        home = about.parent
        if (home / "reference.py").is_file():
            found.append(Program(home.name, home / "before.py", home / "reference.py"))
        elif (home / "reference").is_dir():
            found.append(Program(home.name, home / "before", home / "reference", content["entry"]))
    return found


def own_programs() -> list[Program]:
    """The project's own: ``examples/`` with their repairs, and ``tests/programs``."""
    repaired = sorted((ROOT / "tests" / "programs" / "examples").glob("*.reference.py"))
    examples = [
        Program(name, ROOT / EXAMPLES / f"{name}.py", path)
        for path in repaired
        for name in [path.name.removesuffix(".reference.py")]
    ]
    return [*examples, *programs_in(ROOT / "tests" / "programs")]
