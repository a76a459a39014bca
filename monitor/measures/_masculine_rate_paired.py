"""GEST on the same sentences twice: classes before and after in, changes of every quantity out.

The rates are means of means: one flip under stereotype i moves p_f by 1/(7 n_i), p_m by 1/(9 n_i).
Effect, interval and p are those of the sum of these parts, whose signs are flipped; McNemar's test,
which counts flips alike, is its special case of equal parts and stands at each p_i.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from monitor.change import Paired
from monitor.clusters import clusters_of
from monitor.measures._masculine_rate_derived import MEN, PART, WOMEN, combined, half_added, rank_of
from monitor.measures._paired import (
    Both,
    Facts,
    Panel,
    both_sides,
    change_of_share,
    change_of_sum,
    class_changes,
    too_few,
)
from monitor.measures._shared import Col, matrix, rows_by, tag_values
from monitor.model import Floats, Ints, Unit
from monitor.stats.intervals import Limits, logit
from monitor.stats.missing import mean_bounds


@dataclass(frozen=True, slots=True)
class Rules:
    """What the measure's parameters and names say."""

    stereotypes: tuple[str, ...]
    tag: str
    floor: int
    rank: str


def changes(before: Sequence[Unit], after: Sequence[Unit], rules: Rules) -> Iterator[Paired]:
    """The change of each quantity, on sentences that are marked (or read) on both sides."""
    both = both_sides(before, after, matrix)
    stereotype = rows_by(tag_values(both.units, rules.tag, rules.stereotypes))
    cluster = clusters_of(both.units)
    marked = both.panel(Col.MASCULINE, Col.MARKED, cluster)
    read = both.panel(Col.MARKED_SHARE, Col.READ, cluster)
    asked = [key for key in rules.stereotypes if key in stereotype]
    everything = range(len(both.units))
    yield change_of_share(
        "marked_share", "all", read, rules.floor, "read", class_changes(both, everything)
    )
    # Within a stereotype or tag clusters are too few for signs: each sentence stands for itself.
    single_marked, single_read = marked.alone(), read.alone()
    for key in asked:
        part = single_marked.some(stereotype[key])
        yield change_of_share("p_i", f"stereotype:{key}", part, rules.floor)
    for key in asked:
        part = single_read.some(stereotype[key])
        yield change_of_share("marked_share", f"stereotype:{key}", part, rules.floor, "read")
    rates = _Rates.of(marked, stereotype, rules)
    yield from rates.linear()
    yield rates.s_or()
    yield from rates.ranks(asked)
    yield from _by_tag(both, single_marked, single_read, rules)


def _by_tag(both: Both, marked: Panel, read: Panel, rules: Rules) -> Iterator[Paired]:
    """Shares per value of every other tag."""
    for tag in sorted({tag for unit in both.units for tag in unit.tags} - {rules.tag}):
        by_value = rows_by(unit.tags.get(tag, "") for unit in both.units)
        for value in sorted(set(by_value) - {""}):
            scope, rows = f"tag:{tag}={value}", by_value[value]
            part = marked.some(rows)
            yield change_of_share("masculine_share", scope, part, rules.floor)
            part = read.some(rows)
            yield change_of_share("marked_share", scope, part, rules.floor, "read")


@dataclass(frozen=True, slots=True, eq=False)
class _Rates:
    """The masculine rates of all stereotypes on the panel of sentences marked on both sides."""

    panel: Panel  # one row per sentence
    index: Ints  # (N,) which stereotype, from 0
    n: Floats  # (16,) usable sentences
    x: tuple[Floats, Floats]  # (16,) masculine before and after
    rules: Rules

    @classmethod
    def of(cls, panel: Panel, rows: Mapping[str, list[int]], rules: Rules) -> "_Rates":
        """Rates of the panel; `rows` are those of each stereotype."""
        index = np.zeros(len(panel.before), np.int64)
        for key, own in rows.items():
            index[own] = rules.stereotypes.index(key)
        kept, size = panel.usable, len(rules.stereotypes)
        n = np.bincount(index[kept], minlength=size).astype(np.float64)
        sums = [
            np.minimum(np.bincount(index[kept], side[kept], size), n)
            for side in (panel.before, panel.after)
        ]
        return cls(panel, index, n, (sums[0], sums[1]), rules)

    @property
    def _p(self) -> tuple[Floats, Floats]:
        """(16,) rates before and after; 0 where there is no sentence, which no quantity reads."""
        return self.x[0] / np.maximum(self.n, 1), self.x[1] / np.maximum(self.n, 1)

    def _part(self, part: slice) -> Panel:
        """The sentences of some stereotypes."""
        wanted = np.arange(len(self.n))[part]
        return self.panel.some(np.flatnonzero(np.isin(self.index, wanted)))

    def _lacking(self, part: slice) -> str:
        """Which stereotypes of a part have too few sentences, as a reason; empty if none."""
        floor, keys = self.rules.floor, self.rules.stereotypes
        short = [i for i in range(len(keys))[part] if self.n[i] < floor]
        if not short:
            return ""
        names = ", ".join(keys[i] for i in short)
        example = too_few(f"stereotype:{keys[short[0]]}", int(self.n[short[0]]), floor, "marked")
        return f"p_i cannot be compared for stereotype {names} ({example})"

    def linear(self) -> Iterator[Paired]:
        """p_f, p_m, f_s and f_m."""
        for name, part in PART.items():
            if reason := self._lacking(part):
                yield self._part(part).lacking(name, "all", reason)
                continue
            ends = [combined(name, p[part]) for p in self._p]
            slopes = np.zeros(len(self.n))
            slopes[part] = [combined(name, row) for row in np.eye(len(self.n[part]))]
            facts = self._part(part).flips()
            if name == "f_s":
                f_m = [combined("f_m", p) for p in self._p]
                facts += (("f_m_before", f_m[0]), ("f_m_after", f_m[1]))
            yield self._sum(name, slopes / np.maximum(self.n, 1), (ends[0], ends[1]), part, facts)

    def _sum(
        self,
        name: str,
        per_sentence: Floats,
        ends: tuple[float, float],
        part: slice,
        facts: Facts = (),
        widest: float | None = None,
        bounds: Callable[[], Limits] | None = None,
    ) -> Paired:
        """The change as a sum over sentences; `per_sentence` (16,) is what one flip moves."""
        kept = np.isin(self.index, np.arange(len(self.n))[part])
        rows = np.flatnonzero(kept)
        width = widest or (2.0 if name == "f_s" else 1.0)
        return change_of_sum(
            name, "all", self.panel.some(rows), per_sentence[self.index[rows]], ends,
            widest=width, facts=facts, group=self.index[rows], bounds=bounds,
        )  # fmt: skip

    def s_or(self) -> Paired:
        """The difference of logits, as the sum of what each sentence adds along the chord.

        Between its two ends the logit of a mean is replaced by its chord: the parts then add up to
        the change exactly, and change sign with the direction of time. Test and interval take the
        chord as given (delta method; fact `linearised` = 1).
        """
        everything = slice(None)
        if reason := self._lacking(everything):
            return self.panel.lacking("s_or", "all", reason)
        p = [half_added(x, self.n) for x in self.x]
        per_sentence, ends = np.zeros(len(self.n)), [0.0, 0.0]
        for part, sign in ((WOMEN, -1.0), (MEN, 1.0)):
            one, two = (float(side[part].mean()) for side in p)
            size = len(self.n[part])
            per_sentence[part] = sign * _chord(one, two) / (self.n[part] + 1) / size
            ends = [ends[0] + sign * logit(one), ends[1] + sign * logit(two)]
        facts = (*self.panel.flips(), ("linearised", 1.0))
        return self._sum(
            "s_or", per_sentence, (ends[0], ends[1]), everything, facts, np.inf, self._logit_bounds
        )

    def _logit_bounds(self) -> Limits:
        """The lowest and highest change of s_or: that of men less that of women, on either side.

        Outer bounds: which missing answers are marked is taken as open on each side by itself.
        """
        possible = self.panel.possible
        (before_low, before_high), (after_low, after_high) = (
            self._logit_ends(low, high)
            for low, high in (
                (possible.before_low, possible.before_high),
                (possible.after_low, possible.after_high),
            )
        )
        return Limits(after_low - before_high, after_high - before_low)

    def _logit_ends(self, low: Floats, high: Floats) -> tuple[float, float]:
        """The lowest and highest s_or of one side, with half an answer of each form added."""
        least, most = np.zeros(len(self.n)), np.zeros(len(self.n))
        for i in range(len(self.n)):
            rows = (self.index == i) & self.panel.possible.open
            # p* = (x + 1/2)/(n + 1): one more answer, half of it masculine.
            least[i], most[i] = mean_bounds(
                np.append(low[rows], 0.5),
                np.append(high[rows], 0.5),
                np.append(self.panel.usable[rows], True),
            )
        return (
            logit(float(least[MEN].mean())) - logit(float(most[WOMEN].mean())),
            logit(float(most[MEN].mean())) - logit(float(least[WOMEN].mean())),
        )

    def ranks(self, asked: Sequence[str]) -> Iterator[Paired]:
        """The change of each feminine rank, without a test: a rank moves when others do."""
        reason = self._lacking(slice(None))
        sides = [] if reason else [rank_of(self.rules.rank, x, self.n) for x in self.x]
        for key in asked:
            i, scope = self.rules.stereotypes.index(key), f"stereotype:{key}"
            part = self.panel.some(np.flatnonzero(self.index == i))
            if reason:
                yield part.lacking("feminine_rank", scope, reason)
                continue
            ends = float(sides[0][i]), float(sides[1][i])
            yield part.untested("feminine_rank", scope, ends)


def _chord(one: float, two: float) -> float:
    """Slope of the logit between two proportions; its derivative where they are one."""
    if abs(two - one) < 1e-9:  # noqa: PLR2004 - beyond, the difference of logits is rounding
        middle = (one + two) / 2
        return 1 / (middle * (1 - middle))
    return (logit(two) - logit(one)) / (two - one)
