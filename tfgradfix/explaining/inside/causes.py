"""Turns a way from source to target into a cause: a word, the line that cuts, the call chain, the lines in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .others import GRAPH
from .search import Cut, Search, Way, is_float
from .tapes import identity, is_variable

if TYPE_CHECKING:
    from tfgradfix.verify.inside.places import Places

    from .flows import Flows
    from .hooks import Hooks
    from .record import Line, Node, Record, Tape

#: Steps of the recorded path that are told.
STEPS = 60
#: Lines looked at where one value came back from several exits.
BESIDE = 12
#: Conditions looked at, the last ones.
TRUTHS = 64
READS = ("ReadVariableOp", "VarHandleOp")


class Causes:
    """Finds causes; ``broken`` are the words of those that the self-test could not find, which become unknown."""

    def __init__(self, record: Record, hooks: Hooks, flows: Flows, places: Places) -> None:
        self.record, self.hooks, self.flows, self.places = record, hooks, flows, places
        self.broken: set[str] = set()
        #: The places among the sources of each call site that have held variables, and the sources now in such places.
        self.held: dict[Any, set[int]] = {}
        self.former: set[int | None] = set()

    def explain(
        self,
        tape: Tape,
        target: Any,
        flat: list[Any],
        lost: list[int],
        error: Exception | None,
        asked: int,
        closed: Any,
    ) -> list[dict[str, Any]]:
        """The causes of one gradient call, each with the sources that it takes the gradient from."""
        now, tape.closed = tape.closed, closed
        recorder = None if tape.number == GRAPH else tape
        try:
            if error is not None and "persistent" in str(error):
                return [self.told("asked twice", [], None, None, tape.lines)]
            if not flat:
                return [self.told("no sources", [], None, None, ())]
            starts, cuts = self.targets(target)
            if cuts and not starts and not any(each.exit for each in cuts):
                return self.constant(Search(self.record, self.hooks, recorder, asked), tape, flat)
            search = Search(self.record, self.hooks, recorder, asked)
            grouped: dict[Any, dict[str, Any]] = {}
            for place in lost:
                source = flat[place]
                name = (
                    f"{getattr(source, 'path', None) or getattr(source, 'name', None) or 'tensor'}"
                    if hasattr(source, "handle") or hasattr(source, "path")
                    else f"tensor {place}"
                )
                for cause in self.of_source(search, tape, starts, cuts, source, error):
                    key = (cause["reason"], str(cause["chain"]), str(cause["numpy"]), str(cause["entry"]))
                    grouped.setdefault(key, cause)["sources"].append(name)
            return list(grouped.values())
        finally:
            tape.closed = now

    def targets(self, target: Any) -> tuple[list[int], list[Cut]]:
        """The ids to search from; a target outside TensorFlow stands for the tensors that it comes from."""
        from .tapes import flatten

        starts, cuts = [], []
        for each in flatten(target):
            number = identity(each)
            if number is not None:
                starts.append(number)
                continue
            origin = self.flows.origin(each)
            cuts += [Cut("left", None, self.record.exits[exit_], lines) for exit_, lines in origin.items()]  # type: ignore[arg-type]
            if not origin:
                cuts.append(Cut("no tensor", None, None, -1))
        return starts, cuts

    def of_source(
        self, search: Search, tape: Tape, starts: list[int], cuts: list[Cut], source: Any, error: Exception | None
    ) -> list[dict[str, Any]]:
        """The causes for one source."""
        number = identity(source)
        dtype = getattr(getattr(source, "dtype", None), "name", None) or str(getattr(source, "dtype", ""))
        if number is None:
            return [self.told("unknown", [], None, None, ())]
        if not is_float(dtype):
            return [self.told("integer source", [], None, None, self.made(number))]
        watched = self.watched(tape, source, number)
        way = search.way(starts, number, watched)
        if way is None:
            for cut in cuts:
                if cut.exit is not None:
                    inner = search.way([cut.exit.tensor], number, watched)
                    if inner is not None:
                        found = [self.of_cut(cut, inner, tape, source)]
                        return [*found, *(self.of_cut(each, inner, tape, source) for each in inner.cuts)]
        if way is None and self.entries_left(search):
            loose = search.way(starts, number, watched, loose=True)
            if loose is not None:
                return [self.of_cut(cut, loose, tape, source, presumed=True) for cut in loose.cuts]
        if way is None:
            return self.decided(search, tape, number, watched) or [
                self.told("unknown" if self.record.pruned else "unconnected", [], None, None, ())
            ]
        if not way.cuts:  # by our record the gradient is there
            return [] if error is not None else [self.told("unknown", [], None, way, ())]
        found = [self.of_cut(cut, way, tape, source) for cut in way.cuts]
        found += self.beside(search, way, tape, source, number, watched)
        return found + self.joining(search, way, tape, source, number, watched)

    def beside(
        self, search: Search, way: Way, tape: Tape, source: Any, number: int, watched: int | None
    ) -> list[dict[str, Any]]:
        """Other exits of the same entries: an array that came back may have been filled at many lines."""
        found = []
        for cut in way.cuts:
            if cut.node is None or cut.exit is None:
                continue
            seen = {cut.exit.lines}
            for exit_ in (self.record.exits[each] for each in cut.node.inputs):
                if exit_.lines in seen or len(seen) > BESIDE:
                    continue
                seen.add(exit_.lines)
                inner = search.way([exit_.tensor], number, watched)
                if inner is not None:
                    found.append(self.of_cut(Cut("left", cut.node, exit_, cut.tensor), inner, tape, source))
                    found += [self.of_cut(each, inner, tape, source) for each in inner.cuts]
        return found

    def joining(
        self, search: Search, way: Way, tape: Tape, source: Any, number: int, watched: int | None
    ) -> list[dict[str, Any]]:
        """Values of the same source that left TensorFlow and join the way as constants: each takes away a term."""
        found = []
        seen = {cut.exit.lines for cut in way.cuts if cut.exit is not None}
        inputs = [each for node, _ in way.nodes if node.kind == "op" and node.graph is None for each in node.inputs]
        for tensor in dict.fromkeys(inputs):
            for entry in self.record.makers.get(tensor, ()):
                for exit_ in (self.record.exits[each] for each in entry.inputs if entry.kind == "entry"):
                    if exit_.lines in seen or len(seen) > BESIDE or exit_.time < (tape.opened or 0):
                        continue
                    seen.add(exit_.lines)
                    inner = search.way([exit_.tensor], number, watched)
                    if inner is not None and not inner.cuts:
                        cut = Cut("left", entry, exit_, tensor)
                        found.append({**self.of_cut(cut, inner, tape, source), "partial": True})
        return found

    @staticmethod
    def entries_left(search: Search) -> bool:
        """Whether the last search met a value whose origin is not known."""
        return any(not each.inputs for each in search.entries)

    def constant(self, search: Search, tape: Tape, flat: list[Any]) -> list[dict[str, Any]]:
        """The target is a plain number: conditions on values of the sources left all tensors out, or it is unknown."""
        found: dict[str, dict[str, Any]] = {}
        for source in flat:
            number = identity(source)
            if number is not None:
                for cause in self.decided(search, tape, number, self.watched(tape, source, number)):
                    found.setdefault(str(cause["chain"]), cause)
        return list(found.values()) or [self.told("no tensor", [], None, None, ())]

    def decided(self, search: Search, tape: Tape, number: int, watched: int | None) -> list[dict[str, Any]]:
        """No way at all: conditions on values of the source's, asked since the tape opened, may have left it out."""
        found: dict[Any, dict[str, Any]] = {}
        for asked in reversed(self.record.truths[-TRUTHS:]):
            if (tape.opened or 0) < asked.time < search.asked and asked.lines not in found and len(found) < BESIDE:
                way = search.way([asked.tensor], number, watched)
                if way is not None:
                    found[asked.lines] = {**self.told("condition", [], None, way, asked.lines), "presumed": True}
        return list(found.values())

    def watched(self, tape: Tape, source: Any, number: int) -> int | None:
        """Since when the tape watches a source; 0 for what it watches by itself."""
        inner = getattr(source, "_value", source)
        if tape.number == GRAPH:
            return 0
        if number in tape.watched:
            by_itself = tape.accessed and getattr(inner, "trainable", False) is True and hasattr(inner, "handle")
            return 0 if by_itself else tape.watched[number][0]
        if hasattr(inner, "handle"):
            return 0 if tape.accessed and inner.trainable else None
        return None

    def made(self, number: int) -> tuple[Line, ...]:
        """The lines that made a tensor."""
        nodes = self.record.makers.get(number, ())
        return nodes[0].lines if nodes else ()

    def of_cut(self, cut: Cut, way: Way, tape: Tape, source: Any, presumed: bool = False) -> dict[str, Any]:
        """The cause that one cut is."""
        reason, node, exit_ = cut.reason, cut.node, cut.exit
        if reason == "left" and exit_ is not None:
            passed = node.detail.get(exit_.number, ()) if node is not None else cut.tensor
            told = self.told(reason, [], node, way, exit_.lines, passed)
            return {**told, "how": exit_.how, "presumed": presumed}
        lines = node.lines if node is not None else ()
        if reason in ("not watched", "watched late"):
            made = self.maker_of(source)
            if made:
                reason, lines = "replaced", made
            elif reason == "watched late":
                lines = tape.watched[cut.tensor][1]
            else:
                lines = tape.lines
        told = self.told(reason, [], None, way, lines)
        return {**told, "presumed": presumed, "how": node.name if node is not None else ""}

    def maker_of(self, source: Any) -> tuple[Line, ...]:
        """The lines of the operation that made a tensor source which took a variable's place."""
        number = identity(source)
        if number is None or is_variable(source):
            return ()
        for node in self.record.makers.get(number, ()):
            if node.kind == "op" and (number in self.former or self.from_variable(node)):
                return node.lines
        return ()

    def from_variable(self, node: Node) -> bool:
        """Whether an operation computes a new value from a variable's old one."""
        for tensor in node.inputs:
            for before in self.record.makers.get(tensor, ()):
                if before.name in READS:
                    return node.name in ("Sub", "AddV2", "Add", "Mul", "AddN")
        return False

    def told(
        self, reason: str, sources: list[str], entry: Node | None, way: Way | None, lines: Any, passed: Any = ()
    ) -> dict[str, Any]:
        """A cause as it is reported."""
        return {
            "reason": "unknown" if reason in self.broken else reason,
            "sources": sources,
            "chain": self.chain(lines),
            "numpy": self.chain(tuple(passed)),
            "entry": self.chain(entry.lines) if entry is not None else [],
            "how": "",
            "presumed": False,
            "partial": False,
            "path": self.path(way) if way is not None else [],
        }

    def path(self, way: Way) -> list[dict[str, Any]]:
        """The recorded path from source to target: one step for each operation that a line of the user's made."""
        steps: list[dict[str, Any]] = []
        for node, cut in way.nodes:
            exit_ = cut.exit if cut is not None else None
            if exit_ is not None:
                steps.append({"name": exit_.how, "lines": self.chain(exit_.lines[:1]), "cut": "left"})
            step = {
                "name": "comes back" if node.kind == "entry" else node.name,
                "lines": self.chain(node.lines[:1]),
                "cut": cut.reason if cut is not None and exit_ is None else None,
            }
            if not steps or step != steps[-1]:
                steps.append(step)
        if len(steps) <= STEPS:
            return steps
        near = {place + by for place, each in enumerate(steps) if each["cut"] for by in range(-2, 3)}
        near |= set(range(10)) | set(range(len(steps) - 10, len(steps)))
        return [each for place, each in enumerate(steps) if place in near]

    def chain(self, lines: tuple[Line, ...]) -> list[dict[str, Any]]:
        """Lines as they are reported."""
        return [{"file": self.places.name(file), "line": line, "function": name} for file, line, name in lines]
