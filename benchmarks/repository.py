"""Build a git repository out of the multi-file cases and the examples, migrate it, and hold the result to its promises.

    python benchmarks/repository.py TARGET [--cases FOLDER] [--single] [--run] [--python PYTHON]

TARGET must not exist. Each case whose old version is a folder becomes a folder of the repository, with --single the
cases of one file, too; the examples stand beside them. With --run: the dry run, the migration, `git diff` against the
dry run, `undo` against the old tree; what was measured is printed as JSON.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AUTHOR = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@example.org", "-c", "commit.gpgsign=false")


def git(folder: Path, *arguments: str) -> bytes:
    """The output of one git command."""
    return subprocess.run(["git", "-C", str(folder), *AUTHOR, *arguments], check=True, capture_output=True).stdout


def build(target: Path, cases: Path, *, single: bool = False) -> None:
    """Make the repository, with everything committed."""
    shutil.copytree(ROOT / "examples", target / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for about in sorted(cases.glob("*/case.toml")):
        before = about.parent / "before"
        if before.is_dir():
            shutil.copytree(before, target / about.parent.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif single and (about.parent / "before.py").is_file():
            (target / about.parent.name).mkdir()
            shutil.copyfile(about.parent / "before.py", target / about.parent.name / "train.py")
    git(target, "init", "--quiet")
    git(target, "add", "--all")
    git(target, "commit", "--quiet", "--message", "as it was")


def digests(folder: Path) -> dict[str, str]:
    """What tells every file of a work tree apart, by its path."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    inside = ((path.relative_to(folder), path) for path in files)
    return {
        name.as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in inside
        if name.parts[0] not in (".git", ".tfgradfix")
    }


def changed_lines(patch: bytes) -> list[bytes]:
    """The files and the lines of a patch, sorted: of equal lines side by side any may be called the new one."""
    return sorted(line for line in patch.splitlines() if line[:1] in (b"+", b"-"))


def tfgradfix(target: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """One command in the repository."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [sys.executable, "-m", "tfgradfix", *arguments]
    return subprocess.run(command, cwd=target, check=False, capture_output=True, env=environment)


def measure(target: Path, python: str | None) -> dict[str, object]:
    """Migrate the repository and compare."""
    options = ["--python", python] if python else []
    before = digests(target)
    start = time.monotonic()
    dry = tfgradfix(target, "migrate", "--dry-run", *options)
    dry_seconds = time.monotonic() - start
    untouched = digests(target) == before
    start = time.monotonic()
    done = tfgradfix(target, "migrate", *options)
    seconds = time.monotonic() - start
    print(done.stdout.decode(), done.stderr.decode(), sep="\n", file=sys.stderr)
    diff = git(target, "diff", "--no-color")
    record = json.loads((target / ".tfgradfix" / "report" / "report.json").read_bytes())
    undone = tfgradfix(target, "undo")
    after = digests(target)
    copy = target.with_name(f"{target.name}-applied")
    git(target, "worktree", "add", "--quiet", "--detach", str(copy))
    subprocess.run(["git", "apply", "-"], input=dry.stdout, cwd=copy, check=True)
    applied = git(copy, "diff", "--no-color")
    return {
        "files": len(before),
        "summary": record["summary"],
        "dry run": {"status": dry.returncode, "seconds": round(dry_seconds, 1), "tree untouched": untouched},
        "migrate": {"status": done.returncode, "seconds": round(seconds, 1)},
        "git diff is the dry run": changed_lines(diff) == changed_lines(dry.stdout),
        "git diff is what git apply makes of the dry run": applied == diff,
        "undo": {"status": undone.returncode, "old tree byte for byte": after == before},
    }


def main() -> None:
    """Build, and measure where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("--cases", type=Path, default=ROOT / "tests" / "programs")
    parser.add_argument("--single", action="store_true", help="also the cases of one file")
    parser.add_argument("--run", action="store_true", help="migrate, compare, undo")
    parser.add_argument("--python", help="the interpreter that has TensorFlow")
    options = parser.parse_args()
    target = options.target.absolute()
    build(target, options.cases, single=options.single)
    if options.run:
        print(json.dumps(measure(target, options.python), indent=2))


if __name__ == "__main__":
    main()
