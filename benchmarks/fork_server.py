"""What the proofs of small scripts cost beside one import of TensorFlow: `python -m benchmarks.fork_server`.

Prints the seconds of one import in a fresh interpreter, of what 30 scripts, before and after, do themselves (each run
once and plain, in a fork of a process that has imported TensorFlow), of the same 60 runs under the harness, and of the
30 proofs, each of which makes three runs and checks the numbers; and the ratios of the last two to import plus own
work. The same in seconds of processor time, which other work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from tfgradfix.verify import verify, version_of
from tfgradfix.verify.interpreter import find_python
from tfgradfix.verify.run import run
from tfgradfix.verify.server import SERVERS

SCRIPTS = 30
TEXT = """import numpy as np
import tensorflow as tf
w = tf.Variable([{number}.0, 2.0])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = {loss}
    g = tape.gradient(loss, w)
    if g is not None:
        w.assign_sub(0.1 * g)
print(float(loss))
"""
LOSSES = ("tf.constant(np.sum(np.square(w)))", "tf.reduce_sum(tf.square(w))")
#: Runs the scripts named on its command line one after the other, each in a fork, and prints the seconds that took.
PLAIN = """
import os, runpy, sys, time
import tensorflow, keras
began = time.perf_counter()
for script in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        runpy.run_path(script, run_name="__main__")
        os._exit(0)
    os.waitpid(child, 0)
sys.stderr.write(f"\\n{time.perf_counter() - began}")
"""


def processor() -> float:
    """Seconds of processor time of this process and of those that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def write(folder: Path) -> list[tuple[Path, Path]]:
    """The scripts, before and after."""
    pairs = []
    for number in range(SCRIPTS):
        pair = tuple(folder / str(number) / f"{turn}.py" for turn in range(2))
        pair[0].parent.mkdir()
        for script, loss in zip(pair, LOSSES, strict=True):
            script.write_text(TEXT.format(number=number, loss=loss))
        pairs.append(pair)
    return pairs


def main() -> None:
    """Run, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", type=Path, default=None)
    python = find_python(Path.cwd(), parser.parse_args().python)
    started, used = time.perf_counter(), processor()
    subprocess.run([python, "-c", "import tensorflow, keras"], check=True, capture_output=True)
    importing, importing_used = time.perf_counter() - started, processor() - used
    with tempfile.TemporaryDirectory() as folder:
        pairs = write(Path(folder))
        used = processor()
        scripts = [str(script) for pair in pairs for script in pair]
        plain = subprocess.run([python, "-c", PLAIN, *scripts], check=True, capture_output=True, text=True)
        own, own_used = float(plain.stderr.splitlines()[-1]), processor() - used - importing_used
        started, used = time.perf_counter(), processor()
        for script in scripts:
            run(version_of(Path(script)), python=python)
        SERVERS.end()
        runs, runs_used = time.perf_counter() - started, processor() - used
        started, used, each = time.perf_counter(), processor(), []
        for before, after in pairs:
            began = time.perf_counter()
            if not verify(before, after, python=python).proven:
                raise SystemExit(f"{after} is not proven")
            each.append(time.perf_counter() - began)
        SERVERS.end()
        total, total_used = time.perf_counter() - started, processor() - used
    print(f"one proof {statistics.median(each):.2f} s")
    tell("elapsed", importing, own, runs, total)
    tell("processor", importing_used, own_used, runs_used, total_used)


def tell(what: str, importing: float, own: float, runs: float, proofs: float) -> None:
    """Print one line of figures."""
    base = importing + own
    print(f"{what}: import {importing:.2f} s, own work {own:.2f} s; import + own work is 1, ", end="")
    print(f"runs {runs:.2f} s: {runs / base:.2f}, proofs {proofs:.2f} s: {proofs / base:.2f}")


if __name__ == "__main__":
    main()
