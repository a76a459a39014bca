"""GEST for language models, twice: log ratios before and after in, changes of every quantity out.

A ratio is not a sum, its logarithm is: q_i is the exp of a mean over samples, g_s that of a
difference of means. Between its two ends exp is replaced by its chord, whereby the change of a
ratio is a sum over samples, exactly; p is that of the sum of logarithms. Means over templates add
the chords of several.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from monitor.change import Paired
from monitor.clusters import clusters_of
from monitor.measures._lm_ratio import MEN, TEMPLATES, WOMEN, averaged, matrix
from monitor.measures._missing import Possible
from monitor.measures._paired import (
    Both,
    Panel,
    both_sides,
    change_of_sum,
    endless,
    too_few,
)
from monitor.measures._shared import rows_by, tag_values
from monitor.model import Floats, Ints, Unit

NOTHING = "no template has g_s on both sides"
#: The stereotypes that each combination needs.
_PARTS = {"q_f": WOMEN, "q_m": MEN, "g_s": slice(None)}


@dataclass(frozen=True, slots=True)
class Rules:
    """What the measure's parameters and names say."""

    stereotypes: tuple[str, ...]
    tag: str
    floor: int
    scale: float


def changes(before: Sequence[Unit], after: Sequence[Unit], rules: Rules) -> Iterator[Paired]:
    """The change of each quantity, on samples that have a score on both sides."""
    both = both_sides(before, after, matrix)
    rows = rows_by(tag_values(both.units, rules.tag, rules.stereotypes))
    index = np.zeros(len(both.units), np.int64)
    for key, own in rows.items():
        index[own] = rules.stereotypes.index(key)
    asked = [key for key in rules.stereotypes if key in rows]
    cluster = clusters_of(both.units)
    seen = [
        _Template.of(name, both.panel(2 * at + 1, 2 * at, cluster, bounded=False), index, rules)
        for at, name in enumerate(TEMPLATES)
        if max(side[:, 2 * at].max(initial=0.0) for side in (both.before, both.after)) > 0
    ]
    yield from _over_templates(seen, both, cluster)
    for one in seen:
        yield from one.changes(asked)


def _chord(one: float, two: float) -> float:
    """Slope of exp between two logarithms; its derivative where they are one."""
    half = (two - one) / 2
    slope = 1.0 if abs(half) < 1e-6 else float(np.sinh(half) / half)  # noqa: PLR2004 - sinh(h)/h - 1 = h^2/6
    return float(np.exp((one + two) / 2)) * slope


@dataclass(frozen=True, slots=True, eq=False)
class _Template:
    """One template: its samples on both sides, and the mean log ratio of each stereotype."""

    name: str
    panel: Panel  # one row per sample
    index: Ints  # (N,) which stereotype, from 0
    n: Floats  # (16,) samples scored on both sides
    logs: tuple[Floats, Floats]  # (16,) mean log ratios, scaled; 0 where there is no sample
    rules: Rules

    @classmethod
    def of(cls, name: str, panel: Panel, index: Ints, rules: Rules) -> "_Template":
        """Means over the samples that have a score on both sides."""
        kept, size = panel.usable, len(rules.stereotypes)
        n = np.bincount(index[kept], minlength=size).astype(np.float64)
        means = [
            np.bincount(index[kept], side[kept], size) / np.maximum(n, 1) * rules.scale
            for side in (panel.before, panel.after)
        ]
        return cls(name, panel, index, n, (means[0], means[1]), rules)

    def changes(self, asked: Sequence[str]) -> Iterator[Paired]:
        """q_i, q_f, q_m, g_s and the ranks."""
        keys = self.rules.stereotypes
        for key in asked:
            yield self._q_i(keys.index(key), self._scope(key))
        for name, part in _PARTS.items():
            yield self._combined(name, part)
        reason = self.lacking(slice(None))
        ranks = [averaged(logs) for logs in self.logs]
        for key in asked:
            i = keys.index(key)
            own = self.panel.some(np.flatnonzero(self.index == i))
            if reason:
                yield own.lacking("q_rank", self._scope(key), reason)
                continue
            ends = float(ranks[0][i]), float(ranks[1][i])
            yield own.untested("q_rank", self._scope(key), ends)

    def _scope(self, key: str) -> str:
        return f"template-stereotype:{self.name}/{key}"

    def _q_i(self, i: int, scope: str) -> Paired:
        part = self.panel.some(np.flatnonzero(self.index == i)).alone()
        if reason := self._short(i):
            return part.lacking("q_i", scope, reason)
        logs = float(self.logs[0][i]), float(self.logs[1][i])
        weights = np.full(len(part.before), self.rules.scale / self.n[i])
        return _ratio("q_i", scope, part, weights, logs)

    def _short(self, i: int) -> str:
        """Why a stereotype has too few samples, or an empty string."""
        if self.n[i] >= self.rules.floor:
            return ""
        label = f"template {self.name}, stereotype {self.rules.stereotypes[i]}"
        return too_few(label, int(self.n[i]), self.rules.floor, "scored")

    def lacking(self, part: slice) -> str:
        """Which stereotypes of a part have too few samples, as a reason; empty if none."""
        short = {i: self._short(i) for i in range(len(self.n))[part]}
        lacking = [i for i, reason in short.items() if reason]
        if not lacking:
            return ""
        names = ", ".join(self.rules.stereotypes[i] for i in lacking)
        return f"q_i cannot be compared for stereotype {names} ({short[lacking[0]]})"

    def slopes(self, name: str) -> Floats:
        """(16,) what a mean log ratio adds to the logarithm of a combination."""
        found = np.zeros(len(self.n))
        if name != "q_m":
            found[WOMEN] = (-1.0 if name == "g_s" else 1.0) / len(found[WOMEN])
        if name != "q_f":
            found[MEN] = 1.0 / len(found[MEN])
        return found

    def log_of(self, name: str) -> tuple[float, float]:
        """The logarithm of a combination before and after."""
        slopes = self.slopes(name)
        return float(np.sum(slopes * self.logs[0])), float(np.sum(slopes * self.logs[1]))

    def per_sample(self, name: str) -> Floats:
        """(N,) what a log ratio adds to the logarithm of a combination."""
        per = self.slopes(name) * self.rules.scale / np.maximum(self.n, 1)
        return np.asarray(per[self.index], np.float64)

    def _combined(self, name: str, part: slice) -> Paired:
        scope = f"template:{self.name}"
        rows = np.flatnonzero(np.isin(self.index, np.arange(len(self.n))[part]))
        own = self.panel.some(rows)
        if reason := self.lacking(part):
            return own.lacking(name, scope, reason)
        weights = self.per_sample(name)[rows]
        return _ratio(name, scope, own, weights, self.log_of(name), self.index[rows])


def _ratio(
    name: str,
    scope: str,
    panel: Panel,
    weights: Floats,
    logs: tuple[float, float],
    group: Ints | None = None,
) -> Paired:
    """The change of exp of a weighted sum of log ratios from one of `logs` to the other.

    The weights of each `group` (N,) are of one mean.
    """
    ends = float(np.exp(logs[0])), float(np.exp(logs[1]))
    facts = (("log_ratio_before", logs[0]), ("log_ratio_after", logs[1]))
    return change_of_sum(
        name, scope, panel, weights * _chord(*logs), ends, widest=np.inf, steps=False, facts=facts,
        group=group,
    )  # fmt: skip


def _over_templates(seen: Sequence[_Template], both: Both, cluster: Ints) -> Iterator[Paired]:
    """g_s_mean and g_s_harmonic over the templates that have g_s on both sides."""
    used = [one for one in seen if not one.lacking(slice(None))]
    for name, sign in (("g_s_mean", 1.0), ("g_s_harmonic", -1.0)):
        if not used:
            reason = f"{NOTHING}: {seen[0].lacking(slice(None))}" if seen else NOTHING
            yield _together(seen, both, cluster).lacking(name, "all", reason)
            continue
        logs = [one.log_of("g_s") for one in used]
        means = [float(np.mean([np.exp(sign * log[side]) for log in logs])) for side in (0, 1)]
        ends = means[0] ** sign, means[1] ** sign
        # The harmonic mean is one over a mean; what moves that moves it by both ends' product.
        outer = 1.0 if sign > 0 else ends[0] * ends[1]
        parts = [
            outer * _chord(sign * log[0], sign * log[1]) / len(used) * one.per_sample("g_s")
            for one, log in zip(used, logs, strict=True)
        ]
        panel = _together(used, both, cluster, parts)
        facts = (("n_templates", float(len(used))), ("linearised", 1.0))
        ones = np.ones(len(both.units))
        yield change_of_sum(name, "all", panel, ones, ends, widest=np.inf, steps=False, facts=facts)


def _together(
    templates: Sequence[_Template], both: Both, cluster: Ints, weights: Sequence[Floats] = ()
) -> Panel:
    """Samples that have a score in any template, with the sum of what they add in all."""
    size = len(both.units)
    before, after, usable = (np.zeros(size, bool) for _ in range(3))
    difference = np.zeros(size)
    for at, one in enumerate(templates):
        before |= np.isfinite(one.panel.before)
        after |= np.isfinite(one.panel.after)
        usable |= one.panel.usable
        difference += one.panel.difference * (weights[at] if weights else 1.0)
    # Only whether there is a score matters of the two sides: the sum has its own weights.
    sides = [np.where(known, 0.0, np.nan) for known in (before, after)]
    ends = [endless(side, planned) for side, planned in zip(sides, both.planned, strict=True)]
    possible = Possible.of(ends[0], ends[1])
    return Panel(sides[0], sides[1], cluster, usable, difference, possible)
