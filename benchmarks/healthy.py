"""What the tool says of public libraries that work: a finding is either true or a bug of the tool, a rewrite is a bug.

    python benchmarks/healthy.py [FOLDER]

Downloads the distributions named below by name and version into FOLDER (default: a temporary one; what is there is not
downloaded again), runs `check` and `fix` over a copy of each, and prints files, findings by code, changed files,
crashes and seconds. The findings that are known and true stand in docs/healthy.md.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from filecmp import cmp
from pathlib import Path

#: Libraries for TensorFlow 2, with the versions that docs/healthy.md speaks of.
LIBRARIES = (
    "keras==3.15.1",
    "tf-keras==2.21.0",
    "tensorflow-probability==0.25.0",
    "gpflow==2.11.2",
    "tf-agents==0.19.0",
    "deepxde==1.15.0",
    "tensorflow-addons==0.23.0",
    "spektral==1.3.1",
    "dm-sonnet==2.0.2",
    "trieste==4.6.1",
    "tensorflow-recommenders==0.7.7",
    "tensorflow-ranking==0.5.5",
    "tensorflow-gan==2.1.0",
    "larq==0.14.0",
    "keras-hub==0.32.0",
)


def download(library: str, folder: Path) -> Path:
    """The unpacked files of a distribution.

    Raises:
        subprocess.CalledProcessError: it cannot be downloaded.
    """
    target = folder / library.replace("==", "-")
    if target.exists():
        return target
    with tempfile.TemporaryDirectory() as scratch:
        options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--dest", scratch]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, library], check=True)
        with zipfile.ZipFile(next(Path(scratch).glob("*.whl"))) as wheel:
            wheel.extractall(target)
    return target


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """One run of the tool over a folder."""
    options = ["--output-format", "json"] if command == "check" else []
    return subprocess.run(
        [sys.executable, "-m", "tfgradfix", command, *options, str(folder)], capture_output=True, text=True, check=False
    )


def row(library: str, original: Path, copy: Path) -> str:
    """What came of one library, as a line of the table."""
    start = time.monotonic()
    checked = run("check", copy)
    seconds = time.monotonic() - start
    run("fix", copy)
    files = sorted(original.rglob("*.py"))
    changed = sum(not cmp(file, copy / file.relative_to(original), shallow=False) for file in files)
    codes = Counter(finding["code"] for finding in json.loads(checked.stdout or "[]"))
    crashes = checked.stderr.count("please report it") + checked.stderr.count("Traceback")
    found = " ".join(f"{code}:{count}" for code, count in sorted(codes.items())) or "-"
    return f"{library:32} {len(files):6} {found:40} {changed:8} {crashes:8} {seconds:8.1f}"


def main() -> None:
    """Go through all libraries."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    folder = parser.parse_args().folder or Path(tempfile.mkdtemp(prefix="healthy-"))
    print(f"{'library':32} {'files':>6} {'findings':40} {'changed':>8} {'crashes':>8} {'seconds':>8}")
    for library in LIBRARIES:
        original = download(library, folder)
        with tempfile.TemporaryDirectory() as scratch:
            print(row(library, original, Path(shutil.copytree(original, Path(scratch) / "copy"))), flush=True)


if __name__ == "__main__":
    main()
