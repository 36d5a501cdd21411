"""One run: the hooks are put in place, each gradient call is looked at, each None is explained."""

from __future__ import annotations

import os
import threading
import traceback
from typing import TYPE_CHECKING, Any

from .carriers import Carriers
from .causes import Causes
from .flows import Flows
from .hooks import Hooks
from .lists import Lists
from .operations import Operations
from .others import Others
from .record import Record
from .selftest import self_test
from .tapes import Tapes, flatten, identity, is_variable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfgradfix.verify.inside.channel import Channel
    from tfgradfix.verify.inside.places import Places
    from tfgradfix.verify.inside.ways import Way

    from .record import Tape

#: Explanations of one gradient call, and calls explained of one site: later ones tell the same again.
SOURCES, CALLS = 64, 3


class Session:
    """What the script runner of the harness needs to know of a run: its channel, places, status and end."""

    def __init__(self, channel: Channel, places: Places, tensorflow: Any, numpy: Any, ways: Iterable[Way]) -> None:
        self.channel, self.places, self.tf = channel, places, tensorflow
        self.status: int | None = None
        self.lock = threading.RLock()
        self.ended = False
        self.calls = 0
        self.explained: dict[Any, int] = {}
        self.record = Record(places, lambda message: channel.send("broken", message=message[-4000:]))
        self.hooks = Hooks()
        self.flows = Flows(self.record, self.hooks, tensorflow, numpy)
        self.operations = Operations(self.record, self.hooks, self.flows, tensorflow)
        self.tapes = Tapes(self.record, self.hooks, self.asked)
        self.others = Others(self.record, self.asked, tensorflow, ways)
        self.carriers = Carriers(self.flows)
        self.lists = Lists(self.record)
        self.causes = Causes(self.record, self.hooks, self.flows, places)

    def install(self) -> list[str]:
        """Put the hooks in place and test them; gives the names of those that are missing or do not work."""
        self.flows.install()
        self.operations.install()
        self.tapes.install()
        self.carriers.install()
        self.lists.install()
        self.others.install()
        self.causes.broken = self_test(self)
        return [*self.hooks.missing, *sorted(self.causes.broken)]

    def asked(
        self, tape: Tape, method: str, target: Any, sources: Any, result: Any, error: Exception | None, when: Any
    ) -> None:
        """Look at one gradient call; a failure of ours must not become the program's."""
        self.record.hush(1)
        try:
            self.look(tape, method, target, sources, result, error, when)
        except Exception:  # noqa: BLE001  # the parent is told, the program goes on
            self.channel.send("broken", message=traceback.format_exc()[-4000:])
        finally:
            self.record.hush(-1)

    def look(
        self, tape: Tape, method: str, target: Any, sources: Any, result: Any, error: Exception | None, when: Any
    ) -> None:
        """Explain the gradients that are None, and the call itself where it raised."""
        asked, closed, lines = when
        with self.lock:
            self.calls += 1
        flat = flatten(sources)
        held = self.causes.held.setdefault((lines[:1], method), set())
        held |= {place for place, source in enumerate(flat) if is_variable(source)}
        given = [None] * len(flat) if error is not None else flatten(result)
        lost = [place for place, gradient in enumerate(given[: len(flat)]) if gradient is None]
        if not lost and (flat or error is None):
            return
        key = (lines, method, len(lost), type(error))
        self.explained[key] = self.explained.get(key, 0) + 1
        if self.explained[key] > CALLS:
            return
        self.causes.former = {identity(flat[place]) for place in held if place < len(flat)}
        found = self.causes.explain(tape, target, flat, lost[:SOURCES], error, asked, closed)
        for name, taken in self.lists.lacking(tape, flat):
            found.append({**self.causes.told("list taken early", [], None, None, taken), "how": name})
        self.channel.send(
            "missing",
            method=method,
            call=self.causes.chain(lines),
            sources=len(flat),
            lost=len(lost),
            error=f"{type(error).__name__}: {error}"[:1000] if error else None,
            causes=found,
        )

    def finish(self, stopped: bool = False) -> None:
        """Report the end."""
        with self.lock:
            if self.ended or os.getpid() != self.channel.process:
                return
            self.ended = True
        passed = [
            {"reason": reason, "how": how, "chain": self.causes.chain(lines)}
            for reason, how, lines in self.record.behind.values()
        ]
        self.channel.send("behind", faults=passed)
        ran = sorted((self.places.name(file) or "", line) for file, line in self.record.ran)
        self.channel.send("ran", lines=ran)
        self.channel.send("end", status=self.status, stopped=stopped, calls=self.calls, pruned=self.record.pruned)
