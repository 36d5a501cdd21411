"""Before and after, call by call: is every gradient there, finite, and of the same target?

What must hold for "proven", and what each exception to it means:

- Every source of every gradient call has a gradient. One that before had is never lost. A call with none at all is a
  failure; a single source without one, before and after, is open: nothing shows that it should have none.
- Values are compared for as long as the two programs are in the same state: until weights are updated for the first
  time after a gradient that only one of them had. Up to there, targets agree within the coarsest precision involved,
  and so do gradients that both have.
- Rounding differs between two right versions and grows with every update (Adam turns noise into whole steps). Once
  some value has differed in its last bits, later ones get more room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix.verify.observe import Observations, Weight
from tfgradfix.verify.presence import Pair, only_zeros, paired, presence, sentence
from tfgradfix.verify.sites import Sites, counterparts
from tfgradfix.verify.values import GRADIENTS, TARGETS, WEIGHTS, Agreement, Tolerances, agree, precision, worst
from tfgradfix.verify.verdict import Row, SourceRow, describe, shown

if TYPE_CHECKING:
    from tfgradfix.verify.mirror import Version
    from tfgradfix.verify.records import GradientCall, Run, Site, Value

#: How much more room targets get once rounding has entered the weights, and gradients and printed numbers, which have
#: more to begin with.
DRIFT: Final = 100.0
DRIFT_OF_REST: Final = 10.0
#: What to say of a gradient that changed though its target did not, by ``partial``.
_CHANGED: Final = {
    None: (Weight.OPEN, "is another one than before: one of the two lacks a part"),
    True: (Weight.NOTE, "is another one than before, a part of which was cut; the new value was not checked"),
    False: (Weight.DIFFERENCE, "is another one than before"),
}


class Comparison:
    """One pair of runs compared: the observations made and the rows to show.

    ``compared`` is the number of calls whose targets could be compared; ``parted`` says from where on they could not.
    ``partial`` tells what to think of a gradient that changed though the target did not: expected (True), wrong
    (False), or open (None).
    """

    def __init__(
        self,
        before: Run,
        after: Run,
        versions: tuple[Version, Version],
        *,
        partial: bool | None = None,
        eager: bool = False,
    ) -> None:
        self.before, self.after, self.partial, self.eager = before, after, partial, eager
        self.seen = Observations()
        self.rows: list[Row] = []
        self.sites = (Sites(versions[0]), Sites(versions[1]))
        self.compared = 0
        self.parted: str | None = None
        self.open: dict[tuple[str | None, int], set[str]] = {}
        """By file and line: what is left open of gradients that changed though their target did not."""
        self._drifted = False
        self._replaced = False
        self._mark: tuple[int, int] | None = None
        """How often weights had been updated, on both sides, at the first call whose gradients differ."""
        self._zero: dict[Site, bool] = {}
        """For each site that had no gradient before: whether all its gradients have been zero."""
        self._compare()

    def _compare(self) -> None:
        pairs = counterparts(self.sites[0].keys(self.before.calls), self.sites[1].keys(self.after.calls))
        earlier = {(call.site, call.index): call for call in self.before.calls}
        for call in self.after.calls:
            site = pairs.get(call.site)
            self._row(earlier.pop((site, call.index), None) if site is not None else None, call)
        for call in earlier.values():
            sources = [Pair(source, None) for source in call.sources]
            self.rows.append(self._shown(call, None, sources, Agreement.UNKNOWN))
        self._totals(pairs)
        for site, zero in self._zero.items():
            if zero:
                self.seen.say(Weight.OPEN, f"every gradient in line {site[1]} is zero at every call")

    def _row(self, before: GradientCall | None, after: GradientCall) -> None:
        pairs = paired(before.sources if before else (), after.sources)
        self._presence(before, after, pairs)
        target = Agreement.UNKNOWN
        if before is not None:
            if self._same_state(before, after, pairs):
                target = self._target(before, after)
                self._gradients(after, pairs)
            self._part(before, after, pairs)
        self.rows.append(self._shown(before, after, pairs, target))

    def _presence(self, before: GradientCall | None, after: GradientCall, pairs: list[Pair]) -> None:
        """Is every gradient there, and finite?"""
        if after.error is not None:
            same = before is not None and before.error is not None
            weight = Weight.NOTE if self.eager else Weight.OPEN if same else Weight.FAILURE
            self.seen.say(weight, f"the gradient call in {describe(after)} raises {after.error[:200]}")
            return
        for weight, text in presence(after, pairs):
            self.seen.say(weight, text)
        zeros = only_zeros(after, pairs)
        if zeros is not None:
            self._zero[after.site] = self._zero.get(after.site, True) and zeros

    def _same_state(self, before: GradientCall, after: GradientCall, pairs: list[Pair]) -> bool:
        """Whether both programs stand where their values have to agree; notes where they part."""
        if self.parted is not None:
            return False
        if self._mark is not None and (before.updates > self._mark[0] or after.updates > self._mark[1]):
            self.parted = "from there on the weights are updated with gradients that were missing before"
            return False
        for pair in pairs:
            if pair.before is None or pair.after is None:
                continue
            values = pair.before.value, pair.after.value
            agreement = agree(*values, self._room(TARGETS, values))
            if agreement is Agreement.DIFFERENT:
                self.parted = "from there on the sources have other values"
                if self._mark is None:
                    self.seen.say(Weight.DIFFERENCE, f"{pair.name} has another value in {describe(after)} than before")
                return False
            self._drifted |= agreement is Agreement.CLOSE
        if before.drawn != after.drawn and None not in (before.drawn, after.drawn):
            text = f"random numbers were drawn another number of times before line {after.place.line} was reached"
            self.seen.say(Weight.OPEN, text)
        return True

    def _room(self, table: Tolerances, values: tuple[Value | None, ...]) -> tuple[float, float]:
        relative, absolute = table[precision(values)]
        drift = (DRIFT if table is TARGETS else DRIFT_OF_REST) if self._drifted else 1.0
        return relative * drift, absolute * drift

    def _target(self, before: GradientCall, after: GradientCall) -> Agreement:
        where = describe(after)
        if len(before.targets) != len(after.targets):
            self.seen.say(Weight.OPEN, f"{where} has {len(after.targets)} targets, before {len(before.targets)}")
            return Agreement.UNKNOWN
        # A loss in double precision of a network in single precision is no better than the network.
        sources = tuple(source.value for source in (*before.sources, *after.sources))
        found = []
        for mine, other in zip(before.targets, after.targets, strict=True):
            found.append(agree(mine, other, self._room(TARGETS, (mine, other, *sources))))
            if found[-1] is Agreement.DIFFERENT:
                self.seen.say(Weight.DIFFERENCE, f"the target in {where} is {other}, before {mine}")
            elif found[-1] is not Agreement.UNKNOWN and mine and other and mine.shape != other.shape:
                self.seen.say(Weight.NOTE, f"the target in {where} has shape {other.shape}, before {mine.shape}")
        result = worst(found)
        self.compared += result is not Agreement.UNKNOWN
        self._drifted |= result is Agreement.CLOSE
        return result

    def _gradients(self, after: GradientCall, pairs: list[Pair]) -> None:
        """Compare the gradients that both versions have."""
        differ = []
        for pair in pairs:
            if pair.before is None or pair.after is None or None in (pair.before.gradient, pair.after.gradient):
                continue
            gradients = pair.before.gradient, pair.after.gradient
            room = self._room(GRADIENTS, (*gradients, pair.before.value, pair.after.value))
            pair.gradient = agree(*gradients, room)
            self._drifted |= pair.gradient is Agreement.CLOSE
            if pair.gradient is Agreement.DIFFERENT and not _was_zero(*gradients):
                differ.append(pair.name)
        if differ:
            weight, text = _CHANGED[self.partial]
            self.seen.say(weight, sentence(differ, after, text))
            if weight is Weight.OPEN:
                self.open.setdefault((after.place.file, after.place.line), set()).add(sentence(differ, after, text))

    def _part(self, before: GradientCall, after: GradientCall, pairs: list[Pair]) -> None:
        """Note the first call whose gradients differ: the next update sends the two versions apart."""
        differs = before.error is not None or after.error is not None
        for pair in pairs:
            alone = pair.before is None or pair.after is None
            if pair.before is not None and pair.after is not None:
                self._replaced |= pair.before.variable and not pair.after.variable
                self._replaced |= pair.after.variable and not pair.before.variable
            differs |= alone or pair.gradient is Agreement.DIFFERENT
            if pair.before is not None and pair.after is not None:
                differs |= (pair.before.gradient is None) != (pair.after.gradient is None)
        if differs and self._mark is None:
            self._mark = (before.updates, after.updates)
        if differs and after.graph and self.parted is None:
            self.parted = "a tf.function that lacked gradients updates the weights from there on"

    def _totals(self, pairs: dict[Site, Site]) -> None:
        """Is any gradient call gone, or made less often?"""
        if self.after.ended != "finished":
            return
        left = {call.site: call for call in self.before.calls if call.site not in set(pairs.values())}
        for call in left.values():
            if len(call.missing) < len(call.sources) and call.error is None:
                self.seen.say(Weight.FAILURE, f"the gradient call that was in {describe(call)} is not made any more")
        if self.before.ended == "finished" and self.same_to_the_end:
            for own, site in pairs.items():
                mine, other = self.before.totals.get(site, 0), self.after.totals.get(own, 0)
                if mine != other and not own[-1]:  # a graph may be traced more or less often
                    text = f"line {own[1]} asks for gradients {other} times, before {mine} times"
                    self.seen.say(Weight.DIFFERENCE, text)

    @property
    def room(self) -> float:
        """How much more room than usual printed numbers get by the end of the run."""
        return DRIFT_OF_REST if self._drifted else 1.0

    @property
    def same_to_the_end(self) -> bool:
        """Whether nothing was seen that may send the two versions apart."""
        return self.parted is None and self._mark is None

    def weights(self) -> None:
        """Compare the trained weights, where both versions had to arrive at the same."""
        mine, other = self.before.weights, self.after.weights
        if any(value is not None and value.finite is False for value in other):
            as_before = any(value is not None and value.finite is False for value in mine)
            self.seen.say(Weight.OPEN if as_before else Weight.FAILURE, "the trained weights are not finite")
        if not (self.before.finished and self.after.finished and self.same_to_the_end):
            return
        if self._replaced:  # the variables of one version were not trained: tensors took their places
            return
        if len(mine) != len(other):
            self.seen.say(Weight.DIFFERENCE, f"{len(other)} variables are trained, before {len(mine)}")
            return
        found = (agree(a, b, WEIGHTS[precision((a, b))]) for a, b in zip(mine, other, strict=True))
        if worst(found) is Agreement.DIFFERENT:
            if self._drifted:
                self.seen.say(Weight.NOTE, "the trained weights differ by rounding that has grown")
            else:
                self.seen.say(Weight.DIFFERENCE, "the trained weights differ from those before")

    def _shown(
        self, before: GradientCall | None, after: GradientCall | None, pairs: list[Pair], target: Agreement
    ) -> Row:
        call = after or before
        assert call is not None  # noqa: S101  # a row has at least one side
        return Row(
            file=call.place.file,
            line_before=before.place.line if before else None,
            line_after=after.place.line if after else None,
            method=call.method,
            library=call.place.library,
            graph=call.graph,
            eager=self.eager,
            index=call.index,
            sources=tuple(_source(pair) for pair in pairs),
            target_before=shown(before.targets) if before else (),
            target_after=shown(after.targets) if after else (),
            target=target,
            error_before=before.error if before else None,
            error_after=after.error if after else None,
        )


def _was_zero(before: Value | None, after: Value | None) -> bool:
    """Whether a gradient that was zero everywhere, as a jacobian without a path is, no longer is."""
    return before is not None and after is not None and before.zero is True and after.zero is False


def _source(pair: Pair) -> SourceRow:
    gradient = pair.after.gradient if pair.after else None
    return SourceRow(
        name=pair.name,
        none_before=pair.before.gradient is None if pair.before else None,
        none_after=gradient is None if pair.after else None,
        finite_after=gradient.finite if gradient else None,
        zero_after=gradient.zero if gradient else None,
        gradient=pair.gradient,
    )
