"""Changes on the same queries: a value of each query before and after in, records of change out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import fsum, inf

import numpy as np

from monitor.change import Paired, Test
from monitor.measures._missing import Possible, missing_facts
from monitor.measures._ranked_answers import Flags, Moved
from monitor.measures._ranked_pages import PageParts
from monitor.measures._shared import Facts
from monitor.model import Floats, Ints
from monitor.stats.intervals import Limits
from monitor.stats.paired import Flip, sign_flip, wider

#: A difference below this share of its two values is rounding.
_ROUNDING = 1e-12

IS_CHANGE = "is a change itself"
COMPARES = "compares this system with others, any of which may be what changed"


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A value of each of Q queries before and after; NaN where there is none. Arrays are (Q,).

    Queries of one `cluster` are about the same words and move together; `pages` are what the pages
    add that moved in several queries, None where there is none. `possible` is what each value could
    be where documents or answers are missing, None where that is not known.
    """

    before: Floats
    after: Floats
    moved: Moved
    cluster: Ints
    pages: PageParts | None = None
    possible: Possible | None = None

    @property
    def usable(self) -> Flags:
        """(Q,) the queries that have a value on both sides."""
        return np.isfinite(self.before) & np.isfinite(self.after)

    @property
    def difference(self) -> Floats:
        """(Q,) after less before where both are usable, 0 elsewhere and where it is rounding.

        The same list may be added up in another order where it stands in a wider table.
        """
        return rounded(np.where(self.usable, self.before, 0), np.where(self.usable, self.after, 0))

    def some(self, rows: Ints) -> "Panel":
        """Some of the queries alone."""
        moved_rows = Moved(self.moved.lists[rows], self.moved.anything[rows])
        pages = None if self.pages is None else self.pages.some(rows)
        possible = None if self.possible is None else self.possible.some(rows)
        return Panel(
            self.before[rows], self.after[rows], moved_rows, self.cluster[rows], pages, possible
        )  # fmt: skip

    def missing(
        self, delta: float, weights: Floats, within: Callable[[Flags], Limits] | None = None
    ) -> Facts:
        """Return what missing documents and answers could make of a change: `missing_facts`."""
        if self.possible is None:
            return ()
        sides = self.before, self.after
        return missing_facts(sides, self.possible, delta, weights, within=within)

    def flip(self, weights: Floats, step: float = 0.0) -> Flip:
        """Return the test of a weighted sum of the differences; `weights` is (Q,).

        Once over clusters of queries and once over pages that moved in several of them: the larger
        p and the wider interval of both. `step` is that of `sign_flip` over queries.
        """
        kept = self.usable
        flip = sign_flip((weights * self.difference)[kept], self.cluster[kept], step)
        if self.pages is None:
            return flip
        return wider(flip, sign_flip(weights[self.pages.row] * self.pages.part, self.pages.cluster))

    def record(
        self,
        name: str,
        scope: str,
        *,
        flip: Flip | None = None,
        ends: tuple[float, float] | None = None,
        widest: float = inf,
        reason: str = "",
        facts: Facts = (),
    ) -> Paired:
        """The record of a quantity; `ends` are its values before and after, where there are any.

        No change is larger than `widest`, and neither are its limits.
        """
        flip = None if flip is None else clipped(flip, widest)
        kept, before, after = self.usable, np.isfinite(self.before), np.isfinite(self.after)
        told: Facts = (("lists_changed", float(self.moved.lists[kept].sum())),)
        if self.pages is not None:
            told += (("n_pages_moved_in_several_queries", float(self.pages.pages)),)
        if flip is not None:
            told += (("clusters", float(flip.clusters)), ("clusters_moved", float(flip.moved)))
            told += flip.evidence
        return Paired(
            name,
            scope,
            n=int(kept.sum()),
            only_before=int((before & ~kept).sum()),
            only_after=int((after & ~kept).sum()),
            changed=int(self.moved.anything[kept].sum()),
            before=None if ends is None else ends[0],
            after=None if ends is None else ends[1],
            delta=None if flip is None else flip.total,
            low=None if flip is None else flip.low,
            high=None if flip is None else flip.high,
            p=None if flip is None else flip.p,
            test=Test.NONE if flip is None else Test.SIGN_FLIP,
            reason=reason,
            facts=(*told, *facts),
        )


def change_of_mean(
    name: str,
    scope: str,
    panel: Panel,
    *,
    floor: int = 1,
    widest: float = inf,
    flips: bool = False,
    reason: str = "",
    further: Mapping[str, tuple[Floats, Floats]] | None = None,
) -> Paired:
    """The change of a mean over queries: sign-flip of each cluster's part of it.

    With fewer than `floor` queries usable on both sides there is none. `flips` says that a query
    has 0 or 1, so that what one of them can move is known. `further` numbers of the queries, before
    and after, become facts: their means on the panel.
    """
    kept = panel.usable
    n = int(kept.sum())
    if reason or n < max(floor, 1):
        return panel.record(name, scope, reason=reason or too_few(n, floor))
    cluster, terms = panel.cluster[kept], panel.difference[kept] / n
    step = _step(cluster) if flips else 0.0
    flip = panel.flip(np.full(len(kept), 1 / n), step)
    return panel.record(
        name,
        scope,
        flip=flip,
        ends=(_mean(panel.before[kept]), _mean(panel.after[kept])),
        widest=widest,
        facts=(
            *probes_alone(terms, cluster),
            *_means(further or {}, kept),
            *panel.missing(flip.total, np.full(len(kept), 1 / n)),
        ),
    )


def rounded(before: Floats, after: Floats) -> Floats:
    """(N,) after less before, 0 where it is rounding."""
    found = after - before
    size = np.maximum(1.0, np.maximum(np.abs(before), np.abs(after)))
    return np.where(np.abs(found) > _ROUNDING * size, found, 0.0)


def clipped(flip: Flip, widest: float) -> Flip:
    """The same with limits inside -+ `widest`, and never without the change itself."""
    if flip.low is None or flip.high is None:
        return flip
    low, high = max(flip.low, -widest), min(flip.high, widest)
    return replace(flip, low=min(low, flip.total), high=max(high, flip.total))


def probes_alone(terms: Floats, cluster: Ints) -> Facts:
    """The p value were every query a cluster of its own, where they are not."""
    if len(np.unique(cluster)) == len(terms):
        return ()
    return (("p_probes", sign_flip(terms).p),)


def too_few(n: int, floor: int) -> str:
    """Why so few queries make no change."""
    if not n:
        return "no query has a value on both sides"
    return f"{n} queries have a value on both sides, floor {floor}"


def _step(cluster: Ints) -> float:
    """How far a share goes when all queries of a cluster turn over, root mean square."""
    sizes = np.unique(cluster, return_counts=True)[1]
    return float(np.sqrt(np.mean(sizes.astype(np.float64) ** 2)) / len(cluster))


def _mean(values: Floats) -> float:
    return fsum(values.tolist()) / len(values)


def _means(further: Mapping[str, tuple[Floats, Floats]], kept: Flags) -> Facts:
    sides = [
        (f"{name}_{side}", one[kept & np.isfinite(one)])
        for name, both in further.items()
        for side, one in zip(("before", "after"), both, strict=True)
    ]
    return tuple((name, _mean(values)) for name, values in sides if len(values))
