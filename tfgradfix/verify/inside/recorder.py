"""Wraps what asks for gradients, and reports each gradient call with its target, sources and gradients."""

from __future__ import annotations

import contextlib
import functools
import importlib
import math
import os
import sys
import threading
import traceback
from typing import TYPE_CHECKING, Any

from .updates import Updates
from .values import ELEMENTS
from .ways import ways

if TYPE_CHECKING:
    from collections.abc import Callable

    from .channel import Channel
    from .kept_gradients import Gradients
    from .places import Places
    from .seeds import Seeds
    from .values import Values
    from .ways import Way

#: Calls of one site that are reported with all numbers; later ones are thinned out.
FULL_CALLS = 64
#: TensorFlow's own code that asks a tape while it works out something else.
WITHIN = "tensorflow.python.eager.forwardprop."


class Recorder:
    """Wraps what asks for gradients and what changes weights, and reports each gradient call.

    ``tells`` are asked at the end, each for what it has to add to the report under its name.
    """

    def __init__(
        self,
        channel: Channel,
        places: Places,
        values: Values,
        seeds: Seeds,
        stop_after: int | None,
        gradients: Gradients | None,
        tells: dict[str, Callable[[], Any]],
    ) -> None:
        self.seeds, self.gradients, self.tells = seeds, gradients, tells
        self.channel, self.places, self.values, self.tf = channel, places, values, values.tf
        self.stop_after = stop_after
        self.local = threading.local()
        self.lock = threading.RLock()
        self.calls = 0
        self.updates = Updates(self.tf)
        self.counts: dict[tuple[Any, ...], int] = {}
        self.patterns: dict[tuple[Any, ...], Any] = {}
        self.weights: dict[int, Any] = {}
        self.elements = 0
        self.status: int | None = None
        self.ended = False

    def install(self) -> None:
        """Put the wrappers in place."""
        for way in ways(self.tf):
            setattr(way.holder, way.name, self.recording(getattr(way.holder, way.name), way))
        self.updates.install()

    def recording(self, original: Callable[..., Any], way: Way) -> Callable[..., Any]:
        """``original``, a gradient call, reported with its result; a call inside another one belongs to that."""

        @functools.wraps(original)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            if way.in_graphs and self.tf.executing_eagerly():
                return original(*args, **kwargs)
            depth = getattr(self.local, "depth", 0)
            target, sources = way.asked(args, kwargs)
            seen = self.guarded(self.before, depth, way.name, target, sources)
            self.local.depth = depth + 1
            try:
                result = original(*args, **kwargs)
            except BaseException as error:
                result = self.guarded(self.instead, sources) if seen else None
                if result is None:
                    if seen:
                        self.guarded(self.after, seen, None, error)
                    raise
            else:
                given = self.guarded(self.instead, sources) if seen else None
                result = result if given is None else given
            finally:
                self.local.depth = depth
            if seen:
                self.guarded(self.after, seen, way.answered(result), None)
            return result

        recorded.autograph_info__ = {}  # type: ignore[attr-defined]
        return recorded

    def instead(self, sources: Any) -> Any:
        """The gradients that are given in place of the program's own, if there are any for this call."""
        if self.gradients is None or not self.gradients.give or not self.tf.executing_eagerly():
            return None
        return self.gradients.given(self.calls, sources)

    def guarded(self, step: Callable[..., Any], *args: Any) -> Any:
        """Run a step of the recording; if it fails, the program goes on and the parent is told."""
        try:
            return step(*args)
        except Exception:  # noqa: BLE001  # whatever it is, it is ours and must not become the program's
            self.channel.send("broken", message=traceback.format_exc()[-4000:])
            return None

    def before(self, depth: int, method: str, target: Any, sources: Any) -> dict[str, Any] | None:
        """What is known before the gradient call: its place, its target and its sources."""
        place = self.places.caller()
        library = place["library"]
        if library is not None and (depth or library.startswith(WITHIN)):
            return None
        self.updates.wrap_optimizers()
        graph = not self.tf.executing_eagerly()
        key = (place["file"], place["line"], place["library"], method, graph)
        with self.lock:
            index = self.counts.get(key, 0)
            self.counts[key] = index + 1
        full = index < FULL_CALLS and not graph
        flat = self.tf.nest.flatten(sources)
        names = self.names(sources, flat)
        record = {"site": place, "method": method, "graph": graph, "index": index, "updates": self.updates.made}
        record["drawn"] = self.seeds.drawn() if full else None
        record["targets"] = [self.values.describe(part, full) for part in self.tf.nest.flatten(target)]
        record["sources"] = [
            {"name": name, "value": self.source(each, full), "variable": hasattr(each, "handle")}
            for name, each in zip(names, flat)  # noqa: B905
        ]
        return {"key": key, "record": record, "full": full}

    def source(self, source: Any, full: bool) -> dict[str, Any] | None:
        """A source's value; a variable is remembered for the report of the trained weights."""
        if getattr(source, "trainable", False) and id(source) not in self.weights:
            self.elements += math.prod(size or 1 for size in source.shape)
            if self.elements <= ELEMENTS:
                self.weights[id(source)] = source
        return self.values.describe(source, True) if full else None

    def names(self, sources: Any, flat: list[Any]) -> list[str]:
        """A name a source: its own, or its place in the structure that was asked for."""
        nest = importlib.import_module("tensorflow.python.util.nest")
        paths = [path for path, _ in nest.flatten_with_joined_string_paths(sources)]
        names = []
        for path, source in zip(paths, flat):  # noqa: B905  # not in Python 3.9
            own = getattr(source, "path", None)  # Keras 3
            if own is None:
                own = source.name.split(":")[0] if hasattr(source, "handle") else "tensor"
            names.append(f"{own}[{path}]" if path and own in ("Variable", "tensor") else str(own))
        return names

    def after(self, seen: dict[str, Any], result: Any, error: BaseException | None) -> None:
        """Report the call with its gradients, or with the exception that it raised."""
        record = seen["record"]
        record["error"] = f"{type(error).__name__}: {error}"[:2000] if error else None
        if error is None:
            if self.gradients is not None and not self.gradients.give and not record["graph"]:
                self.gradients.keep(self.calls, result)
            gradients = self.tf.nest.flatten(result)
            for source, gradient in zip(record["sources"], gradients):  # noqa: B905
                source["gradient"] = self.values.describe(gradient, seen["full"])
        gradients = [source.get("gradient") for source in record["sources"]]
        states = [(each is None, each and each.get("finite")) for each in gradients]
        index = record["index"]
        with self.lock:
            record["order"] = self.calls
            self.calls += 1
            news = self.patterns.get(seen["key"]) != (states, record["error"])
            self.patterns[seen["key"]] = (states, record["error"])
        if index < FULL_CALLS or index & (index - 1) == 0 or news:
            self.channel.send("call", **record)
        if self.stop_after is not None and self.calls >= self.stop_after:
            self.finish(stopped=True)
            with contextlib.suppress(OSError, ValueError):  # closed by the program
                sys.stdout.flush()
            os._exit(0)

    def finish(self, stopped: bool = False) -> None:
        """Report the end: how many calls each site made, and the trained weights."""
        with self.lock:
            if self.ended or os.getpid() != self.channel.process:
                return
            self.ended = True
        counts = [[*key, count] for key, count in self.counts.items()]
        weights = self.guarded(lambda: [self.values.describe(each, True) for each in self.weights.values()])
        modules = self.guarded(self.places.modules) or []
        told = {name: self.guarded(tell) or [] for name, tell in self.tells.items()}
        ends = {"status": self.status, "stopped": stopped, "counts": counts, "weights": weights or []}
        self.channel.send("end", **ends, modules=modules, **told)
