"""Units of two sets of answers side by side: units in, panels and records of change out."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from monitor.change import Paired, Test
from monitor.measures._missing import Possible, missing_facts
from monitor.measures._shared import Col, in_order
from monitor.model import Floats, Ints, Matrix, Unit
from monitor.stats.intervals import Limits
from monitor.stats.paired import (
    Flip,
    flip_evidence,
    flip_interval,
    homogeneity,
    mcnemar,
    sign_flip,
)

Facts: TypeAlias = tuple[tuple[str, float], ...]
Flags: TypeAlias = NDArray[np.bool_]
Rows: TypeAlias = Sequence[int] | Ints

#: All that can be read.
_CLASSES = slice(Col.N_MASCULINE, Col.N_UNIDENTIFIED)
#: Columns with the lowest and highest that a column can be.
_ENDS = {
    Col.MASCULINE: (Col.MASCULINE_LOW, Col.MASCULINE_HIGH),
    Col.MARKED_SHARE: (Col.MARKED_LOW, Col.MARKED_HIGH),
}
#: Averaged repeats that differ by less are the same.
_SAME = 1e-12


def match(before: Sequence[Unit], after: Sequence[Unit]) -> list[tuple[Unit | None, Unit | None]]:
    """The units of each question before and after, by key; None where it was not planned.

    Where a key stands several times, as a sentence under two stereotypes does, the first is matched
    with the first in the order of their tags.
    """
    one, two = _by_key(before), _by_key(after)
    return [(one.get(key), two.get(key)) for key in sorted({**one, **two})]


def _by_key(units: Sequence[Unit]) -> dict[tuple[str, int], Unit]:
    found = {(unit.key, 0): unit for unit in units}
    if len(found) == len(units):
        return found
    seen: Counter[str] = Counter()
    found = {}
    for unit in in_order(units):
        found[unit.key, seen[unit.key]] = unit
        seen[unit.key] += 1
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Both:
    """The same questions before and after, one row each in the order of their keys.

    `units` are those after, and those before where there is no other: whose tags count. A question
    that was not `planned` (rows,) on one side has a row of zeros there.
    """

    units: Sequence[Unit]
    before: Matrix
    after: Matrix
    planned: tuple[Flags, Flags]

    def panel(
        self, above: int, below: int, cluster: Ints | None = None, *, bounded: bool = True
    ) -> "Panel":
        """One column on the rows where another is not 0: a number of each probe.

        `bounded` says that it is a share, with bounds among the columns of `Col`.
        """
        sides = [
            np.where(side[:, below] > 0, side[:, above], np.nan)
            for side in (self.before, self.after)
        ]
        ends = [
            _ends(side, above, planned) if bounded else endless(values, planned)
            for side, values, planned in zip(
                (self.before, self.after), sides, self.planned, strict=True
            )
        ]
        return Panel.of(sides[0], sides[1], cluster, Possible.of(ends[0], ends[1]))


def _ends(side: Matrix, above: int, planned: Flags) -> tuple[Floats, Floats]:
    """The lowest and highest that a share can be in each row of one side; NaN where it is none."""
    could = planned if above == Col.MARKED_SHARE else side[:, Col.POSSIBLE] > 0
    if above == Col.FEMININE:
        low, high = 1 - side[:, Col.MASCULINE_HIGH], 1 - side[:, Col.MASCULINE_LOW]
    else:
        low, high = (side[:, column] for column in _ENDS[Col(above)])
    return np.where(could, low, np.nan), np.where(could, high, np.nan)


def endless(values: Floats, planned: Flags) -> tuple[Floats, Floats]:
    """The same of numbers that nothing bounds."""
    missing = planned & np.isnan(values)
    return np.where(missing, -np.inf, values), np.where(missing, np.inf, values)


def both_sides(
    before: Sequence[Unit], after: Sequence[Unit], table: Callable[[Sequence[Unit]], Matrix]
) -> Both:
    """Match units and read both sides; `table` gives one row of numbers per unit."""
    pairs = match(before, after)
    return Both(
        [unit for one, two in pairs if (unit := two or one)],
        _side([one for one, _ in pairs], table),
        _side([two for _, two in pairs], table),
        (
            np.array([one is not None for one, _ in pairs], np.bool_),
            np.array([two is not None for _, two in pairs], np.bool_),
        ),
    )


def _side(units: Sequence[Unit | None], table: Callable[[Sequence[Unit]], Matrix]) -> Matrix:
    planned = table([unit for unit in units if unit])
    rows = np.zeros((len(units), planned.shape[1]))
    rows[[row for row, unit in enumerate(units) if unit]] = planned
    return rows


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A number of each of N probes before and after; NaN where there is none. Arrays are (N,).

    Probes of one `cluster` are about the same thing and may move together; where there are no
    clusters every probe stands for itself. `usable` have a number
    on both sides; `difference` is after less before, 0 where that is rounding or a side is missing;
    `possible` is what each number could be where answers are missing.
    """

    before: Floats
    after: Floats
    cluster: Ints | None
    usable: Flags
    difference: Floats
    possible: Possible

    @classmethod
    def of(cls, before: Floats, after: Floats, cluster: Ints | None, possible: Possible) -> "Panel":
        """The panel of two columns."""
        usable = np.isfinite(before) & np.isfinite(after)
        found = np.where(usable, after - before, 0.0)
        moved = np.where(np.abs(found) > _SAME, found, 0.0)
        return cls(before, after, cluster, usable, moved, possible)

    def some(self, rows: Rows) -> "Panel":
        """Some of the probes alone."""
        at = np.asarray(rows, np.int64)
        cluster = None if self.cluster is None else self.cluster[at]
        return Panel(
            self.before[at], self.after[at], cluster, self.usable[at], self.difference[at],
            self.possible.some(at),
        )  # fmt: skip

    def missing(
        self,
        delta: float,
        weights: Floats,
        group: Ints | None = None,
        bounds: Callable[[], Limits] | None = None,
    ) -> Facts:
        """What missing answers could make of a change, as `missing_facts` has it."""
        sides = (
            np.where(np.isfinite(side) & (self.usable | ~np.isfinite(other)), side, np.nan)
            for side, other in ((self.before, self.after), (self.after, self.before))
        )
        return missing_facts(
            (next(sides), next(sides)), self.possible, delta, weights, group, bounds=bounds
        )

    def alone(self) -> "Panel":
        """The same without clusters."""
        return replace(self, cluster=None)

    def kept_clusters(self) -> Ints | None:
        """The clusters of the usable probes; None where each has one probe."""
        if self.cluster is None:
            return None
        kept = self.cluster[self.usable]
        return kept if len(np.unique(kept)) < len(kept) else None

    def ends(self) -> tuple[float, float]:
        """Mean before and after over the usable probes."""
        kept = self.usable
        return float(self.before[kept].mean()), float(self.after[kept].mean())

    def lacking(self, name: str, scope: str, reason: str, facts: Facts = ()) -> Paired:
        """The record of a quantity without a change, with the reason."""
        kept = self.usable
        return Paired(
            name, scope, n=int(kept.sum()),
            only_before=int((np.isfinite(self.before) & ~np.isfinite(self.after)).sum()),
            only_after=int((np.isfinite(self.after) & ~np.isfinite(self.before)).sum()),
            changed=int(np.count_nonzero(self.difference)), reason=reason, facts=facts,
        )  # fmt: skip

    def untested(
        self, name: str, scope: str, ends: tuple[float, float], facts: Facts = ()
    ) -> Paired:
        """A change without interval and test."""
        bare = self.lacking(name, scope, "", facts)
        return replace(bare, before=ends[0], after=ends[1], delta=ends[1] - ends[0])

    def flips(self) -> Facts:
        """How many probes went up and down."""
        return (
            ("gained", float(np.count_nonzero(self.difference > 0))),
            ("lost", float(np.count_nonzero(self.difference < 0))),
        )


def too_few(scope: str, n: int, floor: int, what: str) -> str:
    """`stereotype 3: 4 probes are marked on both sides, floor 10`."""
    label = scope.removeprefix("tag:").replace(":", " ")
    return f"{label}: {n} probes are {what} on both sides, floor {floor}"


def change_of_share(
    name: str, scope: str, panel: Panel, floor: int, what: str = "marked", facts: Facts = ()
) -> Paired:
    """The change of a mean of shares, each in [0, 1].

    McNemar's mid-p and the adjusted Wald limits where every probe has 0 or 1 and stands for itself;
    else sign-flip over the clusters' parts of the mean.
    """
    kept = panel.usable
    n = int(kept.sum())
    if n < max(floor, 1):
        return panel.lacking(name, scope, too_few(scope, n, floor, what))
    before, after, difference = panel.before[kept], panel.after[kept], panel.difference[kept]
    clear = all(bool(((side == 0) | (side == 1)).all()) for side in (before, after))
    facts = (*panel.flips(), *facts)
    gained, lost = int((difference > 0).sum()), int((difference < 0).sum())
    weights = np.full(len(kept), 1 / n)
    if not clear or panel.kept_clusters() is not None:
        # McNemar's test takes every probe as independent.
        told = (("p_mcnemar", mcnemar(gained, lost)),) if clear else ()
        return change_of_sum(name, scope, panel, weights, panel.ends(), facts=(*facts, *told))
    delta = (gained - lost) / n
    facts = (*facts, *flip_evidence(gained, lost, n), *panel.missing(delta, weights))
    bare = panel.untested(name, scope, panel.ends(), facts)
    low, high = flip_interval(gained, lost, n)
    return replace(
        bare, delta=delta, low=low, high=high, p=mcnemar(gained, lost),
        test=Test.MCNEMAR,
    )  # fmt: skip


def change_of_sum(
    name: str,
    scope: str,
    panel: Panel,
    weights: Floats,
    ends: tuple[float, float],
    *,
    widest: float = 1.0,
    steps: bool = True,
    facts: Facts = (),
    group: Ints | None = None,
    bounds: Callable[[], Limits] | None = None,
) -> Paired:
    """The change of a weighted sum over the usable probes, by sign-flip over clusters.

    `weights` (N,) times the differences add up to the change from one of `ends` to the other; those
    of a `group` (N,) are of one mean. `bounds` computes those of what the sum linearises.
    `steps` says that a probe moves by whole flips, so that what one can do is known. Where clusters
    hold several probes, the fact `p_probes` has the p of flipping each probe for itself.
    """
    kept = panel.usable
    terms = (weights * panel.difference)[kept]
    step = float(np.sqrt(np.mean(weights[kept] ** 2))) if steps and len(terms) else 0.0
    cluster = panel.kept_clusters()
    flip = sign_flip(terms, cluster, step)
    told: Facts = (("clusters", float(flip.clusters)), ("clusters_moved", float(flip.moved)))
    if cluster is not None:
        told += (("p_probes", sign_flip(terms).p),)
    missing = panel.missing(moved(ends, flip), weights, group, bounds)
    return tested(panel, name, scope, ends, flip, widest, (*facts, *told, *missing))


def moved(ends: tuple[float, float], flip: Flip) -> float:
    """The change between two ends.

    Two ways of adding up differ in the last bit; what did not move has not moved.
    """
    return ends[1] - ends[0] if flip.moved else 0.0


def tested(
    panel: Panel,
    name: str,
    scope: str,
    ends: tuple[float, float],
    flip: Flip,
    widest: float,
    facts: Facts,
) -> Paired:
    """The record of a change with its sign-flip; limits lie within -+ `widest`."""
    bare = panel.untested(name, scope, ends, (*facts, *flip.evidence))
    delta = moved(ends, flip)
    limits = _clipped(flip.low, flip.high, delta, widest)
    return replace(
        bare, delta=delta, low=limits and limits.low, high=limits and limits.high, p=flip.p,
        test=Test.SIGN_FLIP,
    )  # fmt: skip


def _clipped(low: float | None, high: float | None, value: float, widest: float) -> Limits | None:
    """Limits inside what is possible and never without the value."""
    if low is None or high is None:
        return None
    return Limits(min(max(low, -widest), value), max(min(high, widest), value))


def class_changes(both: Both, rows: Rows) -> Facts:
    """How many questions read on both sides have other classes, and Stuart-Maxwell over all six.

    Its statistic is a fact and not the test of the marked share: it also answers to moves between
    unmarked classes, by which no share of marked ones moves. It takes questions as independent.
    """
    at = np.asarray(rows, np.int64)
    sides = both.before[at], both.after[at]
    kept = (sides[0][:, Col.READ] > 0) & (sides[1][:, Col.READ] > 0)
    one, two = (_class_shares(side[kept]) for side in sides)
    differences = np.where(np.abs(two - one) > _SAME, two - one, 0.0)
    facts: Facts = (("classes_changed", float(differences.any(axis=1).sum())),)
    found = homogeneity(differences)
    if found is None:
        return facts
    return (
        *facts, ("stuart_maxwell", found.statistic),
        ("stuart_maxwell_degrees", float(found.degrees)), ("p_stuart_maxwell", found.p),
    )  # fmt: skip


def _class_shares(side: Matrix) -> Matrix:
    """Shares of the six classes among the read repeats: (questions, 6)."""
    return side[:, _CLASSES] / (1 - side[:, Col.N_UNIDENTIFIED])[:, None]
