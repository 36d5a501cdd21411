"""The main job on the programs in ``examples/``: what cuts the gradient, the patch, the repair and the proof.

Works on a copy in ``.demo/``; the examples stay broken.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
COPY = ROOT / ".demo"
#: Proven once more, the two versions side by side.
SHOWN = "vectorised_repair.py"


def tfgradfix(title: str, *arguments: str, good: tuple[int, ...]) -> None:
    """Show one command and what it prints; end the demo when its exit status is none of ``good``."""
    print(f"\n\n=== {title}\n$ tfgradfix {' '.join(arguments)}\n", flush=True)
    command = [sys.executable, "-m", "tfgradfix", *arguments]
    status = subprocess.run(command, cwd=ROOT, check=False, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}).returncode
    print(f"[exit status {status}]", flush=True)
    if status not in good:
        sys.exit(f"the demo expected exit status {' or '.join(map(str, good))}")


def main() -> None:
    """Run the demo."""
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(EXAMPLES, COPY, ignore=shutil.ignore_patterns("__pycache__"))
    tfgradfix("Where are the gradients cut?", "check", "examples", good=(1,))
    tfgradfix("What would be rewritten?", "fix", "--diff", "examples", good=(0, 1))
    tfgradfix("Rewrite a copy; run every program before and after", "fix", "--verify", ".demo", good=(0, 1))
    before, after = f"examples/{SHOWN}", f".demo/{SHOWN}"
    tfgradfix("The proof for one program", "verify", before, after, good=(0,))
    tfgradfix("A second run finds nothing to do", "fix", ".demo", good=(0, 1))


if __name__ == "__main__":
    main()
