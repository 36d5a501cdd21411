"""Runs a script as the interpreter would, and hears how it ends."""

from __future__ import annotations

import atexit
import builtins
import os
import sys
import threading
import types
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from .channel import Channel
    from .places import Places


class Watching(Protocol):
    """What is told of the end of a program."""

    channel: Channel
    places: Places
    status: int | None

    def finish(self, stopped: bool = False) -> None:
        """Report the end."""


def plainly(text: bytes, file: str) -> Any:
    """The code of a file as it stands."""
    return compile(text, file, "exec", dont_inherit=True)


def run_main(script: str, arguments: list[str], compiling: Callable[[bytes, str], Any] = plainly) -> None:
    """Run ``script`` as ``python script arguments...`` would."""
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=script, __builtins__=builtins, __cached__=None)
    sys.modules["tfgradfix_harness"] = sys.modules["__main__"]
    sys.modules["__main__"] = main
    sys.argv = [script, *arguments]
    with open(script, "rb") as file:
        code = compiling(file.read(), script)
    exec(code, main.__dict__)  # noqa: S102  # running the program is the task


def run_script(
    script: str, arguments: list[str], watching: Watching, compiling: Callable[[bytes, str], Any] = plainly
) -> None:
    """Run ``script``, and report the exception that ends it."""
    watching.status = 1
    try:
        run_main(script, arguments, compiling)
        watching.status = 0
    except SystemExit as leave:
        watching.status = leave.code if isinstance(leave.code, int) else int(leave.code is not None)
        raise
    except BaseException as error:  # noqa: BLE001  # the program's end, whatever it is
        watching.channel.send("error", thread=False, **watching.places.failure(error))
        without_ours(error)
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)
    finally:
        atexit.register(watching.finish)  # the threads of the program are over by then


def without_ours(error: BaseException) -> None:
    """Take our own two frames off the traceback of an error."""
    for _ in range(2):
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next


def watch_ends(watching: Watching) -> None:
    """Hear of exceptions in threads and of a program that leaves by os._exit."""
    hook, leave = threading.excepthook, os._exit

    def failed(details: Any) -> None:
        over = not threading.main_thread().is_alive()  # what then befalls a daemon is no fault of the program's
        counts = details.exc_type is not SystemExit and not (over and details.thread and details.thread.daemon)
        if details.exc_value is not None and counts:
            watching.channel.send("error", thread=True, **watching.places.failure(details.exc_value))
        hook(details)

    def left(status: int) -> None:
        watching.status = status
        watching.finish()
        leave(status)

    threading.excepthook = failed
    os._exit = left  # type: ignore[assignment]
