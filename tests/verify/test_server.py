"""The fork server: programs that misbehave end within their limits, and nothing of them is left."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from tfgradfix.verify import Run

pytestmark = [pytest.mark.slow, pytest.mark.runs_tensorflow]

Observe = Callable[..., Run]


def processes(word: str) -> list[int]:
    """The running processes with a word in their command line."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if name.isdigit() and word.encode() in file.read():
                    found.append(int(name))
        except OSError:
            continue
    return found


def gone(word: str) -> bool:
    """Whether all processes with a word in their command line end within a few seconds."""
    deadline = time.monotonic() + 10.0
    while processes(word) and time.monotonic() < deadline:
        time.sleep(0.1)
    return not processes(word)


def test_children_in_sessions_of_their_own_are_killed(observed: Observe) -> None:
    run = observed(
        """
        import subprocess, sys
        for _ in range(3):
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)  # left-behind"], start_new_session=True)
        """
    )
    assert run.ended == "finished"
    assert gone("left-behind")


def test_a_program_that_ignores_signals_ends(observed: Observe) -> None:
    run = observed(
        """
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        w = tf.Variable(1.0)
        while True:
            try:
                with tf.GradientTape() as tape:
                    loss = w * w
                tape.gradient(loss, w)
            except:
                pass
        """,
        timeout=3.0,
    )
    assert run.ended == "time limit"
    assert run.calls
    assert run.seconds < 10.0


def test_a_program_that_closes_its_descriptors_ends(observed: Observe) -> None:
    run = observed("import os\nos.closerange(3, 200)\nprint('still here')\n")
    assert run.ended in ("finished", "killed")


def test_an_exit_without_a_word_is_told(observed: Observe) -> None:
    run = observed("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    assert run.ended == "killed"
    assert run.status == -9


def test_every_run_starts_afresh(observed: Observe) -> None:
    text = "import os, random, sys\nprint(random.random(), np.random.rand(), os.getcwd()[-7:], len(sys.argv))\nnp.left = 1\n"
    first, second = observed(text), observed(text.replace("np.left = 1", "print(hasattr(np, 'left'))"))
    assert second.output.splitlines()[0] == first.output.strip()
    assert second.output.splitlines()[1] == "False"
