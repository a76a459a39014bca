"""c-ratio bias on the same outputs twice: classes before and after in, changes over topics out.

The target is the exact share on both sides, whatever the measure's parameter says: a rounded one
follows the model. So the bias of a topic moves by as much as its share of women among the outputs
that are marked on both sides.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from monitor.change import Paired
from monitor.measures._paired import Panel, Possible, about, change_of_share
from monitor.measures._paired_units import PairedStatistics, class_changes
from monitor.measures._shared import Col
from monitor.measures.c_ratio._c_ratio import bias_statistics
from monitor.measures.c_ratio._c_ratio_outputs import OutputRules
from monitor.model import Floats, Ints, Share
from monitor.stats.correlation import average_ranks, pearson, pearson_change
from monitor.stats.intervals import Limits
from monitor.stats.missing import mean_bounds
from monitor.stats.paired import sign_flip

#: On a fixed panel these do not depend on the answers.
_BASELINE = "a baseline: on the same occupations and references no answer moves it"
#: Nothing bounds what is neither a mean nor made of means.
_UNBOUNDED = Limits(-np.inf, np.inf)
#: On a fixed panel chance makes the same of both sides.
_AS_WITHOUT = "on the same occupations and references it changes by as much as {}"
#: Quantities over topics in their order.
_NAMES = (
    "mb", "sb", "excess_sb", "mab", "mab_null", "excess_mab", "min_beta", "max_beta",
    "mab_always_masculine", "mab_permuted", "pearson", "spearman",
)  # fmt: skip


def compare_outputs(
    both: PairedStatistics,
    occupations: list[str],
    shares: Mapping[str, Share],
    rules: OutputRules,
    topics_floor: int,
    ddof: int,
) -> Iterator[Paired]:
    """The change of each quantity over the occupations usable on both sides."""
    topics = _Topics.of(both, occupations, shares, rules, ddof)
    if len(topics.share) < topics_floor:
        reason = (
            f"{len(topics.share)} occupations of {len(set(occupations))} are usable on both sides, "
            f"floor {topics_floor}"
        )
        for name in _NAMES:
            yield topics.panel.record(name, reason=reason)
    else:
        yield from topics.biases()
        yield topics.correlation("pearson", topics.models, topics.share)
        ranked = average_ranks(topics.models[0]), average_ranks(topics.models[1])
        yield topics.correlation("spearman", ranked, average_ranks(topics.share))
    read = both.panel(Col.MARKED_SHARE, Col.READ, _number_occupations(occupations))
    facts = class_changes(both, range(len(both.units)))
    yield change_of_share("occupation_marked_share", "all", read, rules.floor, "read", facts)


def _number_occupations(occupations: list[str]) -> Ints:
    number_of = {key: number for number, key in enumerate(sorted(set(occupations)))}
    return np.array([number_of[key] for key in occupations], np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Topics:
    """The K usable occupations with women's shares before and after; arrays are (K,)."""

    panel: Panel  # one row per output; those of usable occupations are usable
    index: Ints  # (outputs,) which occupation, from 0
    n: Floats  # outputs marked on both sides
    models: tuple[Floats, Floats]
    share: Floats  # reference
    ddof: int
    lost: int  # usable before, and not on both sides
    new: int

    @classmethod
    def of(
        cls,
        both: PairedStatistics,
        occupations: list[str],
        shares: Mapping[str, Share],
        rules: OutputRules,
        ddof: int,
    ) -> "_Topics":
        """Select the occupations that have enough templates, marked outputs and a reference."""
        index = _number_occupations(occupations)
        keys = sorted(set(occupations))
        panel = both.panel(Col.FEMININE, Col.MARKED, index)
        has_share = np.array([key in shares for key in keys], bool)

        def count(rows: Floats) -> Floats:
            return np.asarray(np.bincount(index, rows, len(keys)), np.float64)

        sides = [
            has_share & (count(_planned_rows(side)) >= rules.min_templates)
            for side in (both.before, both.after)
        ]
        marked = [count(side[:, Col.MARKED]) >= rules.floor for side in (both.before, both.after)]
        n = count(panel.usable.astype(np.float64))
        usable = sides[0] & sides[1] & (n >= max(rules.floor, 1))
        compared = panel.usable & usable[index]
        sums = [
            np.bincount(index[compared], side[compared], len(keys))[usable]
            for side in (panel.before, panel.after)
        ]
        outside = np.where(usable[index], 0.0, np.nan)  # of occupations that are not compared
        possible = panel.possible and Possible(
            (panel.possible.before[0] + outside, panel.possible.before[1] + outside),
            (panel.possible.after[0] + outside, panel.possible.after[1] + outside),
        )
        difference = np.where(compared, panel.difference, 0.0)
        return cls(
            replace(
                panel,
                usable=compared,
                difference=difference,
                changed=difference != 0,
                possible=possible,
            ),
            index,
            n[usable],
            (np.minimum(sums[0] / n[usable], 1.0), np.minimum(sums[1] / n[usable], 1.0)),
            np.array([shares[key].value for key, fits in zip(keys, usable, strict=True) if fits]),
            ddof,
            int((sides[0] & marked[0] & ~usable).sum()),
            int((sides[1] & marked[1] & ~usable).sum()),
        )

    def biases(self) -> Iterator[Paired]:
        """mb, sb, mab, the extremes and the baselines."""
        size = len(self.share)
        before, after = (model - self.share for model in self.models)
        then, now = (bias_statistics(bias, self.ddof) for bias in (before, after))
        # One output that turns over moves the bias of its occupation by 1/n.
        step = float(np.sqrt(np.mean(1 / self.n**2))) / size
        ends = {name: (then[name], now[name]) for name in then}
        yield self._record_change(
            "mb", self._moved / size, ends["mb"], step, np.full(size, 1 / size)
        )
        yield self._compare_spread(before, after, ends["sb"])
        yield self.panel.record(
            "excess_sb", reason=_AS_WITHOUT.format("sb"), facts=self._panel_facts()
        )
        absolute = np.abs(before), np.abs(after)
        total = absolute[0] + absolute[1]
        # |b| - |a| = (b - a) times (b + a) over the sum of both sizes.
        slopes = np.divide(before + after, total, out=np.zeros(size), where=total > 0) / size
        yield self._record_change(
            "mab",
            (absolute[1] - absolute[0]) / size,
            ends["mab"],
            step,
            slopes,
            bounds=self._mab_bounds,
        )
        yield self.panel.record("mab_null", reason=_BASELINE, facts=self._panel_facts())
        yield self.panel.record(
            "excess_mab", reason=_AS_WITHOUT.format("mab"), facts=self._panel_facts()
        )
        for name in ("min_beta", "max_beta"):
            yield self.panel.record(name, ends=ends[name], facts=self._panel_facts())
        yield self.panel.record("mab_always_masculine", reason=_BASELINE, facts=self._panel_facts())
        # Every reference meets every occupation: a mean over occupations, exact without draws.
        apart = [np.abs(model[:, None] - self.share).mean(axis=1) for model in self.models]
        means = float(apart[0].mean()), float(apart[1].mean())
        yield self._record_change("mab_permuted", (apart[1] - apart[0]) / size, means, step)

    def _mab_bounds(self) -> Limits:
        """The lowest and highest change of the mean of |bias|; outer, each side by itself."""
        possible = self.panel.possible
        if possible is None:
            return _UNBOUNDED
        least, most = [], []
        for low, high in (possible.before, possible.after):
            models = []
            for occupation in np.unique(self.index[self.panel.usable]):
                rows = (self.index == occupation) & possible.open
                models.append(mean_bounds(low[rows], high[rows], self.panel.usable[rows]))
            ends = np.array(models) - self.share[:, None]
            size = np.abs(ends)
            inside = (ends[:, 0] <= 0) & (ends[:, 1] >= 0)
            least.append(float(np.where(inside, 0.0, size.min(axis=1)).mean()))
            most.append(float(size.max(axis=1).mean()))
        return Limits(least[1] - most[0], most[1] - least[0])

    @property
    def _moved(self) -> Floats:
        """(K,) change of the share of women, exactly 0 where no output moved."""
        index = np.unique(self.index[self.panel.usable], return_inverse=True)[1]
        return np.bincount(index, self.panel.difference[self.panel.usable]) / self.n

    def _compare_spread(self, before: Floats, after: Floats, ends: tuple[float, float]) -> Paired:
        """Return the change of the standard deviation, as parts of occupations that moved.

        The variance is quadratic, so its change is the sum of differences times the sum of the
        deviations before and after; divided by the sum of both standard deviations.
        """
        deviations = (before - before.mean()) + (after - after.mean())
        free = (len(before) - self.ddof) * (ends[0] + ends[1])
        slopes = deviations / free if free > 0 else np.zeros(len(before))
        step = float(np.sqrt(np.mean((slopes / self.n) ** 2)))
        return self._record_change(
            "sb",
            self._moved * slopes,
            ends,
            step,
            slopes,
            (("linearised", 1.0),),
            lambda: _UNBOUNDED,
        )

    def correlation(self, name: str, models: tuple[Floats, Floats], share: Floats) -> Paired:
        """The change of a correlation with the reference, linearised along the way."""
        values = pearson(models[0], share), pearson(models[1], share)
        if values[0] is None or values[1] is None:
            what = "reference" if np.ptp(share) <= np.ptp(models[0]) else "model"
            reason = f"the {what} shares are the same for all occupations"
            return self.panel.record(name, reason=reason, facts=self._panel_facts())
        parts = pearson_change(*models, share)
        ends = values[0], values[1]
        if parts is None:
            return self.panel.record(name, ends=ends, facts=self._panel_facts())
        return self._record_change(name, parts, ends, 0.0, facts=(("linearised", 1.0),))

    def _record_change(
        self,
        name: str,
        terms: Floats,
        ends: tuple[float, float],
        step: float,
        slopes: Floats | None = None,
        facts: tuple[tuple[str, float], ...] = (),
        bounds: Callable[[], Limits] | None = None,
    ) -> Paired:
        """Return the change of a quantity, by sign-flip over occupations.

        `slopes` (K,) is what a change of the share of women in one occupation adds; `bounds`
        computes those of what is no sum of such changes.
        """
        flip, all_facts = about(ends, sign_flip(terms, step=step)), (*self._panel_facts(), *facts)
        if slopes is not None:
            keys = np.unique(self.index[self.panel.usable])
            position = np.minimum(np.searchsorted(keys, self.index), len(keys) - 1)
            all_facts += self.panel.missing(
                flip.total, (slopes / self.n)[position], self.index, bounds
            )
        return self.panel.record(name, ends=ends, flip=flip, widest=2.0, facts=all_facts)

    def _panel_facts(self) -> tuple[tuple[str, float], ...]:
        return (
            ("n_topics", float(len(self.share))),
            ("topics_moved", float(np.count_nonzero(self._moved))),
            ("topics_only_before", float(self.lost)),
            ("topics_only_after", float(self.new)),
        )


def _planned_rows(side: Floats) -> Floats:
    """Return 1 for every row that was planned: it was answered, or could have been marked."""
    planned: Floats = ((side[:, Col.ANSWERED] > 0) | (side[:, Col.POSSIBLE] > 0)).astype(np.float64)
    return planned
