"""Changes on the same probes: a number of each probe before and after in, records of change out.

A measure says which number a probe has on either side, and how its quantities add up from them.
Panel, interval, test and bounds are the same for all: `change_of_share` for shares,
`change_of_mean` for other means, `Means.change` for what is made of the means of groups, and
`change_of_sum` for any other sum of what probes add.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from monitor.change import Paired, Test
from monitor.measures._shared import Facts
from monitor.model import Floats, Ints
from monitor.stats.intervals import Z95, Limits
from monitor.stats.paired import (
    SUSPECT,
    FlipTest,
    flip_interval,
    mcnemar,
    mean_bounds,
    missing_p,
    recentre_flip,
    sign_flip,
    wider_flip,
)

Flags: TypeAlias = NDArray[np.bool_]
Rows: TypeAlias = Sequence[int] | Ints
#: The lowest and highest value that each probe could have.
Ends: TypeAlias = tuple[Floats, Floats]

#: A difference below this share of its two values, or of 1, is rounding.
_ROUNDING = 1e-12
IS_CHANGE = "is a change itself"
COMPARES = "compares this system with others, any of which may be what changed"


@dataclass(frozen=True, slots=True, eq=False)
class Possible:
    """The lowest and highest value that each of N probes could have, before and after.

    Both are the value itself where nothing is missing, infinite where nothing bounds it, and NaN
    where there can be none: the probe was not planned, or its answer was read and has no value.
    Arrays are (N,).
    """

    before: Ends
    after: Ends

    def some(self, rows: Rows) -> "Possible":
        """Return those of some of the probes."""
        (low, high), (low_after, high_after) = self.before, self.after
        return Possible((low[rows], high[rows]), (low_after[rows], high_after[rows]))

    @property
    def open(self) -> Flags:
        """(N,) the probes that have or could have a value on both sides."""
        ends = [np.isnan(end) for end in (*self.before, *self.after)]
        return ~(ends[0] | ends[1] | ends[2] | ends[3])

    @property
    def difference(self) -> Ends:
        """(N,) the lowest and the highest that after less before could be."""
        return self.after[0] - self.before[1], self.after[1] - self.before[0]


def endless(values: Floats, planned: Flags) -> Ends:
    """Return what numbers that nothing bounds could be where one of those planned is missing."""
    missing = planned & np.isnan(values)
    return np.where(missing, -np.inf, values), np.where(missing, np.inf, values)


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The changes of probes, divided among what moved in several of them, such as pages.

    Arrays are (M,). `row` is the probe, `part` what belongs to `cluster`: a page, or the probe's
    own cluster where nothing moved that it shares. The parts of a probe add up to its change.
    `shared` is the number of pages that moved in several probes.
    """

    row: Ints
    cluster: Ints
    part: Floats
    shared: int

    def some(self, rows: Ints) -> "Parts":
        """Return the parts of some of the probes, which are numbered by their place in `rows`."""
        place = np.full(int(max(self.row.max(initial=-1), rows.max(initial=-1))) + 1, -1, np.int64)
        place[rows] = np.arange(len(rows))
        kept = place[self.row] >= 0
        return Parts(place[self.row[kept]], self.cluster[kept], self.part[kept], self.shared)


def rounded(before: Floats, after: Floats) -> Floats:
    """(N,) after less before, 0 where it is rounding or where a side is NaN."""
    difference = after - before
    size = np.maximum(1.0, np.maximum(np.abs(before), np.abs(after)))
    return np.where(np.abs(difference) > _ROUNDING * size, difference, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A number of each of N probes before and after; NaN where there is none. Arrays are (N,).

    Probes of one `cluster` are about the same thing and may move together; without clusters each
    stands for itself. `usable` have a number on both sides; `difference` is after less before, 0
    where that is rounding or a side is missing; `changed` were answered otherwise. `possible` is
    what each number could be where answers are missing, None where that is not known; `parts` are
    None where probes share nothing that moved. `counted` become facts: of how many usable probes
    each is true.
    """

    before: Floats
    after: Floats
    cluster: Ints | None
    usable: Flags
    difference: Floats
    changed: Flags
    possible: Possible | None = None
    parts: Parts | None = None
    counted: tuple[tuple[str, Flags], ...] = ()

    @classmethod
    def of(
        cls,
        before: Floats,
        after: Floats,
        cluster: Ints | None = None,
        possible: Possible | None = None,
        changed: Flags | None = None,
        counted: tuple[tuple[str, Flags], ...] = (),
    ) -> "Panel":
        """Return the panel of two columns."""
        usable = np.isfinite(before) & np.isfinite(after)
        difference = rounded(np.where(usable, before, 0.0), np.where(usable, after, 0.0))
        return cls(
            before, after, cluster, usable,
            difference, difference != 0 if changed is None else changed, possible, None, counted,
        )  # fmt: skip

    def some(self, rows: Rows) -> "Panel":
        """Return some of the probes alone."""
        at = np.asarray(rows, np.int64)
        return Panel(
            self.before[at], self.after[at],
            None if self.cluster is None else self.cluster[at], self.usable[at],
            self.difference[at], self.changed[at], self.possible and self.possible.some(at),
            self.parts and self.parts.some(at),
            tuple((name, flags[at]) for name, flags in self.counted),
        )  # fmt: skip

    def alone(self) -> "Panel":
        """Return the same without clusters."""
        return replace(self, cluster=None)

    @property
    def clusters(self) -> Ints:
        """(N,) numbers of the clusters, each probe with its own where there are none."""
        return np.arange(len(self.before)) if self.cluster is None else self.cluster

    def kept_clusters(self) -> Ints | None:
        """Return the clusters of the usable probes; None where each has one probe."""
        if self.cluster is None:
            return None
        kept = self.cluster[self.usable]
        return kept if len(np.unique(kept)) < len(kept) else None

    def ends(self) -> tuple[float, float]:
        """Return the means before and after over the usable probes."""
        n = int(self.usable.sum())
        before, after = (
            math.fsum(one[self.usable].tolist()) / n for one in (self.before, self.after)
        )
        return before, after

    def flips(self) -> Facts:
        """Return how many probes went up and down."""
        return (
            ("gained", float(np.count_nonzero(self.difference > 0))),
            ("lost", float(np.count_nonzero(self.difference < 0))),
        )

    def flip(self, weights: Floats, step: float = 0.0) -> FlipTest:
        """Return the test of a weighted sum of the differences; `weights` is (N,).

        Once over clusters, and once over `parts` where there are any: the larger p and the wider
        interval of both. `step` is that of `sign_flip`.
        """
        kept = self.usable
        flip = sign_flip((weights * self.difference)[kept], self.kept_clusters(), step)
        if self.parts is None:
            return flip
        return wider_flip(
            flip, sign_flip(weights[self.parts.row] * self.parts.part, self.parts.cluster)
        )

    def missing(
        self,
        delta: float,
        weights: Floats,
        group: Ints | None = None,
        bounds: Callable[[], Limits] | None = None,
        within: Callable[[Flags], Limits] | None = None,
    ) -> Facts:
        """Return what missing answers could make of a change, as `missing_facts` has it."""
        if self.possible is None:
            return ()
        sides = (
            np.where(np.isfinite(side) & (self.usable | ~np.isfinite(other)), side, np.nan)
            for side, other in ((self.before, self.after), (self.after, self.before))
        )
        return missing_facts(
            (next(sides), next(sides)), self.possible, delta, weights, group,
            bounds=bounds, within=within,
        )  # fmt: skip

    def record(
        self,
        name: str,
        scope: str = "all",
        *,
        ends: tuple[float, float] | None = None,
        flip: FlipTest | None = None,
        test: Test = Test.SIGN_FLIP,
        widest: float = math.inf,
        reason: str = "",
        facts: Facts = (),
    ) -> Paired:
        """Return the record of a quantity; `ends` are its values before and after.

        Without a `flip` there is no test, without `ends` no change, for a `reason`. No change is
        larger than `widest`, and neither are its limits.
        """
        kept, before, after = self.usable, np.isfinite(self.before), np.isfinite(self.after)
        told = tuple((name, float(flags[kept].sum())) for name, flags in self.counted)
        if self.parts is not None:
            told += (("n_pages_moved_in_several_queries", float(self.parts.shared)),)
        record = Paired(
            name, scope, n=int(kept.sum()), only_before=int((before & ~after).sum()),
            only_after=int((after & ~before).sum()), changed=int(self.changed[kept].sum()),
            reason=reason, facts=(*told, *facts),
        )  # fmt: skip
        if ends is not None:
            record = replace(record, before=ends[0], after=ends[1], delta=ends[1] - ends[0])
        if flip is None:
            return record
        flip = clipped(flip, widest)
        return replace(
            record, delta=flip.total, low=flip.low, high=flip.high, p=flip.p, test=test,
            facts=(*record.facts, *flip.evidence),
        )  # fmt: skip


def clipped(flip: FlipTest, widest: float) -> FlipTest:
    """Return the same with limits inside -+ `widest`, and never without the change itself."""
    if flip.low is None or flip.high is None:
        return flip
    low, high = max(flip.low, -widest), min(flip.high, widest)
    return replace(flip, low=min(low, flip.total), high=max(high, flip.total))


def cluster_facts(flip: FlipTest) -> Facts:
    """Return how many clusters there are, and how many moved."""
    return (("clusters", float(flip.clusters)), ("clusters_moved", float(flip.moved)))


def without_change(reasons: Mapping[str, str]) -> tuple[Paired, ...]:
    """Return records without a panel, by quantity, each with its reason."""
    return tuple(Paired(name, "all", reason=reason) for name, reason in reasons.items())


def change_of_sum(
    name: str,
    scope: str,
    panel: Panel,
    weights: Floats,
    ends: tuple[float, float],
    *,
    step: float = 0.0,
    widest: float = math.inf,
    facts: Facts = (),
    group: Ints | None = None,
    bounds: Callable[[], Limits] | None = None,
    within: Callable[[Flags], Limits] | None = None,
    limited: Callable[[FlipTest], FlipTest] | None = None,
) -> Paired:
    """Return the change of a weighted sum over the usable probes, by sign-flip over clusters.

    `weights` (N,) times the differences add up to the change from one of `ends` to the other; those
    of a `group` (N,) are of one mean. `step` is how far one flip moves the sum, where probes flip.
    `bounds` and `within` are those of `missing_facts`; `limited` gives a test its change and
    limits, by default `about`. Where clusters hold several probes, the fact `p_probes` has the p of
    flipping each probe for itself.
    """
    flip = (limited or partial(about, ends))(panel.flip(weights, step))
    told = cluster_facts(flip)
    if flip.clusters < panel.usable.sum():
        told += (("p_probes", sign_flip((weights * panel.difference)[panel.usable]).p),)
    facts = (*facts, *told, *panel.missing(flip.total, weights, group, bounds, within))
    return panel.record(name, scope, ends=ends, flip=flip, widest=widest, facts=facts)


def change_of_parts(
    name: str, panel: Panel, parts: Floats, ends: tuple[float, float], widest: float = math.inf
) -> Paired:
    """Return the change of a statistic by `exchange_parts` of the usable probes, over clusters."""
    difference = np.zeros(len(panel.usable))
    difference[panel.usable] = parts
    panel = replace(panel, difference=difference, possible=None)
    limited, ones = partial(recentre_flip, ends), np.ones(len(difference))
    return change_of_sum(name, "all", panel, ones, ends, widest=widest, limited=limited)


def about(ends: tuple[float, float], flip: FlipTest) -> FlipTest:
    """Return a test with the change from one end to the other, exactly 0 where nothing moved."""
    return replace(flip, total=ends[1] - ends[0] if flip.moved else 0.0)


def step_of(panel: Panel, weights: Floats) -> float:
    """Return how far a sum goes when one of the usable probes flips, root mean square."""
    own = weights[panel.usable]
    return float(np.sqrt(np.mean(own**2))) if len(own) else 0.0


def too_few(scope: str, n: int, floor: int, what: str) -> str:
    """`stereotype 3: 4 probes are marked on both sides, floor 10`."""
    label = scope.removeprefix("tag:").replace(":", " ")
    return f"{label}: {n} probes are {what} on both sides, floor {floor}"


def change_of_share(
    name: str, scope: str, panel: Panel, floor: int, what: str = "marked", facts: Facts = ()
) -> Paired:
    """Return the change of a mean of shares, each in [0, 1].

    McNemar's mid-p and the adjusted Wald limits where every probe has 0 or 1 and stands for itself;
    else sign-flip over the clusters' parts of the mean.
    """
    kept = panel.usable
    n = int(kept.sum())
    if n < max(floor, 1):
        return panel.record(name, scope, reason=too_few(scope, n, floor, what))
    sides = np.stack([panel.before[kept], panel.after[kept]])
    clear = bool(((sides == 0) | (sides == 1)).all())
    facts = (*panel.flips(), *facts)
    gained, lost = (int((sign * panel.difference > 0).sum()) for sign in (1, -1))
    weights = np.full(len(kept), 1 / n)
    if not clear or panel.kept_clusters() is not None:
        # McNemar's test takes every probe as independent.
        told = (("p_mcnemar", mcnemar(gained, lost)),) if clear else ()
        step = step_of(panel, weights)
        return change_of_sum(
            name, scope, panel, weights, panel.ends(), step=step, widest=1.0, facts=(*facts, *told)
        )
    delta = (gained - lost) / n
    facts = (*facts, *panel.missing(delta, weights))
    flip = of_flips(gained, lost, n)
    return panel.record(name, scope, ends=panel.ends(), flip=flip, test=Test.MCNEMAR, facts=facts)


def of_flips(gained: int, lost: int, n: int) -> FlipTest:
    """Return the change of a share of n probes that each stand for themselves, by McNemar."""
    low, high = flip_interval(gained, lost, n)
    spread = math.sqrt(gained + lost) / n
    return FlipTest((gained - lost) / n, low, high, mcnemar(gained, lost), n, gained + lost, spread)


def change_of_mean(
    name: str,
    scope: str,
    panel: Panel,
    *,
    floor: int = 1,
    widest: float = math.inf,
    flips: bool = False,
    reason: str = "",
    further: Mapping[str, tuple[Floats, Floats]] | None = None,
) -> Paired:
    """Return the change of a mean over queries: sign-flip of each cluster's part of it.

    With fewer than `floor` queries usable on both sides there is none. `flips` says that a query
    has 0 or 1, so that what one cluster can move is known. `further` numbers of the queries, before
    and after, become facts: their means on the panel.
    """
    kept = panel.usable
    n = int(kept.sum())
    if reason or n < max(floor, 1):
        return panel.record(name, scope, reason=reason or too_few_queries(n, floor))
    sizes = np.unique(panel.clusters[kept], return_counts=True)[1].astype(np.float64)
    step = float(np.sqrt(np.mean(sizes**2)) / n) if flips else 0.0
    means = [
        (f"{name}_{side}", values[kept & np.isfinite(values)])
        for name, both in (further or {}).items()
        for side, values in zip(("before", "after"), both, strict=True)
    ]
    facts = tuple((name, math.fsum(some.tolist()) / len(some)) for name, some in means if len(some))
    weights = np.full(len(kept), 1 / n)
    return change_of_sum(
        name, scope, panel, weights, panel.ends(), step=step, widest=widest, facts=facts
    )


def too_few_queries(n: int, floor: int) -> str:
    """Return why so few queries make no change."""
    if not n:
        return "no query has a value on both sides"
    return f"{n} queries have a value on both sides, floor {floor}"


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """Means of a panel over each of K groups of probes, on the probes usable on both sides.

    `group` (N,) are numbers from 0, `n` (K,) usable probes, `before` and `after` (K,) their means
    times `scale`, 0 for a group without any. Groups below `floor` make no change.
    """

    panel: Panel
    group: Ints
    n: Floats
    before: Floats
    after: Floats
    floor: int
    scale: float = 1.0

    @classmethod
    def of(cls, panel: Panel, group: Ints, size: int, floor: int, scale: float = 1.0) -> "Means":
        """Return the means of `size` groups."""
        kept = panel.usable
        n = np.bincount(group[kept], minlength=size).astype(np.float64)
        before, after = (
            np.bincount(group[kept], side[kept], size) / np.maximum(n, 1) * scale
            for side in (panel.before, panel.after)
        )
        return cls(panel, group, n, before, after, floor, scale)

    def part(self, groups: slice | int) -> Panel:
        """Return the probes of some groups."""
        wanted = np.atleast_1d(np.arange(len(self.n))[groups])
        return self.panel.some(np.flatnonzero(np.isin(self.group, wanted)))

    def short(self, groups: slice | int) -> list[int]:
        """Return which of some groups have too few probes."""
        wanted = np.atleast_1d(np.arange(len(self.n))[groups]).tolist()
        return [at for at in wanted if self.n[at] < max(self.floor, 1)]

    def per_probe(self, slopes: Floats) -> Floats:
        """(N,) what each probe's number adds, where a group's mean adds `slopes` (K,)."""
        return np.asarray((slopes * self.scale / np.maximum(self.n, 1))[self.group], np.float64)

    def change(
        self,
        name: str,
        scope: str,
        ends: tuple[float, float],
        slopes: Floats,
        groups: slice | int = slice(None),
        *,
        steps: bool = True,
        widest: float = math.inf,
        facts: Facts = (),
        bounds: Callable[[], Limits] | None = None,
    ) -> Paired:
        """Return the change of what is made of means: `slopes` (K,) times theirs add up to it.

        `steps` says that a probe moves by whole flips, so that what one can do is known.
        """
        rows = np.flatnonzero(np.isin(self.group, np.atleast_1d(np.arange(len(self.n))[groups])))
        panel, weights = self.panel.some(rows), self.per_probe(slopes)[rows]
        step = step_of(panel, weights) if steps else 0.0
        return change_of_sum(
            name, scope, panel, weights, ends, step=step, widest=widest, facts=facts,
            group=self.group[rows], bounds=bounds,
        )  # fmt: skip


def missing_facts(
    sides: tuple[Floats, Floats],
    possible: Possible,
    delta: float,
    weights: Floats,
    group: Ints | None = None,
    *,
    bounds: Callable[[], Limits] | None = None,
    within: Callable[[Flags], Limits] | None = None,
) -> Facts:
    """Return `bound_low`, `bound_high`, `missing_suspect` and what these rest on.

    The change `delta` is the sum of `weights` (N,) times differences over the questions that have a
    value on both `sides` (N,), NaN where there is none; the mean of each `group` (N,) has a weight
    of its own, which is the sum of its questions' weights. `within` computes the bounds of another
    kind of quantity over some of the questions, `bounds` those over all of them where the sum is
    linearised.

    `bound_low` and `bound_high` are the least and most that the change could be, whatever the
    missing answers are, over the questions planned at both ticks; left out where nothing bounds it.
    `became_missing` and `was_missing` are questions with a value at one tick alone whose answer at
    the other is missing. `missing_suspect` is 1 where both hold: answers are not missing alike
    before and after (`p_missing`, of `missing_p`, is at most 0.05), and those of these questions
    could have left no change beyond chance: the bounds over the panel and these questions come
    within 1.96 standard deviations of 0, of the change were each question's sign a coin. A question
    that is missing at both ticks makes no change.
    """
    known, could = [np.isfinite(side) for side in sides], possible.open
    kept = known[0] & known[1]
    lost = known[0] & ~kept & could
    gained = known[1] & ~kept & could
    groups = np.zeros(len(kept), np.int64) if group is None else group
    within = within or partial(_sum_bounds, possible, kept, weights, groups)
    least, most = possible.difference
    ends = Limits(delta, delta)
    if (could & ~kept).any() or (least < most)[kept].any():
        ends = bounds() if bounds else within(could)
    p = _p(sides, kept, (lost, gained), weights)
    suspect = False
    if p is not None and p <= SUSPECT and abs(delta) > _ROUNDING:
        reached = within(kept | lost | gained)
        chance = Z95 * math.hypot(*(weights * (sides[1] - sides[0]))[kept].tolist())
        suspect = reached.low - chance <= 0 <= reached.high + chance
    facts: Facts = (("missing_suspect", float(suspect)),)
    if np.isfinite(ends.low) and np.isfinite(ends.high):
        low, high = min(ends.low, delta), max(ends.high, delta)
        facts += (
            ("bound_low", low if delta - low > _ROUNDING else delta),
            ("bound_high", high if high - delta > _ROUNDING else delta),
        )
    if p is not None:
        facts += (
            ("became_missing", float(lost.sum())),
            ("was_missing", float(gained.sum())),
            ("p_missing", p),
        )
    return facts


def _sum_bounds(
    possible: Possible, kept: Flags, weights: Floats, groups: Ints, counted: Flags
) -> Limits:
    """Return the bounds of the weighted sum of means over the `counted` questions."""
    low, high = 0.0, 0.0
    least, most = possible.difference
    for number in np.unique(groups[kept]):
        rows = (groups == number) & (counted | kept)
        known = kept[rows]
        weight = float(weights[(groups == number) & kept].sum())
        ends = mean_bounds(least[rows], most[rows], known)
        low += weight * (ends.low if weight > 0 else ends.high) if weight else 0.0
        high += weight * (ends.high if weight > 0 else ends.low) if weight else 0.0
    return Limits(low, high)


def _p(
    sides: tuple[Floats, Floats], kept: Flags, moved: tuple[Flags, Flags], weights: Floats
) -> float | None:
    """Return the p of two classes: answers that raise the quantity, and those that lower it."""
    if not (kept.any() and (moved[0] | moved[1]).any()):
        return None
    middle = float(np.mean([side[kept].mean() for side in sides]))
    raises = [(side - middle) * np.where(weights < 0, -1.0, 1.0) > 0 for side in sides]
    both = [(int((kept & up).sum()), int((kept & ~up).sum())) for up in raises]
    alone = [
        (int((rows & up).sum()), int((rows & ~up).sum()))
        for rows, up in zip(moved, raises, strict=True)
    ]
    return missing_p(list(zip(*both, strict=True)), list(zip(*alone, strict=True)))
