"""What running small scripts costs beside one import of TensorFlow: `python -m benchmarks.fork_server`.

Prints the seconds of one import in a fresh interpreter, of 60 runs in forks of one server, what the scripts of them did
themselves (from TensorFlow's being there to their end), and the ratio of all to import plus own work.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

from tfgradfix.verify import version_of
from tfgradfix.verify.interpreter import find_python
from tfgradfix.verify.run import run

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


def main() -> None:
    """Run, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path, default=None)
    python = find_python(Path.cwd(), parser.parse_args().python)
    started = time.perf_counter()
    subprocess.run([python, "-c", "import tensorflow, keras"], check=True, capture_output=True)
    importing = time.perf_counter() - started
    own, started = 0.0, time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(SCRIPTS):
            for turn, loss in enumerate(LOSSES):
                script = Path(folder) / str(number) / f"{turn}.py"
                script.parent.mkdir(exist_ok=True)
                script.write_text(TEXT.format(number=number, loss=loss))
                own += run(version_of(script), python=python).seconds
    total = time.perf_counter() - started
    print(f"import {importing:.2f} s, {2 * SCRIPTS} runs {total:.2f} s, own work {own:.2f} s")
    print(f"all / (import + own work): {total / (importing + own):.2f}")


if __name__ == "__main__":
    main()
