"""Log ratios of a language model by template and stereotype: units in, means and their draws out.

Everything is kept on the log scale, where exchanging women and men only changes the sign.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from monitor.measures._shared_values import Counts
from monitor.model import Floats, Ints, Matrix, Unit
from monitor.stats.clustered import cluster_effect

#: Templates of Pikuliak et al. 2023, section 4.2, and the two variants of one sentence.
TEMPLATES = ("0", "1", "2", "3", "pair")


def statistics(unit: Unit) -> tuple[float, ...] | None:
    """(1 if scored, log ratio) for each of the templates; None for a unit without any score."""
    if not unit.scores:
        return None
    scores = dict(unit.scores)
    return tuple(
        number
        for name in TEMPLATES
        for number in (float(name in scores), float(scores.get(name, 0.0)))
    )


def matrix(units: Sequence[Unit]) -> Matrix:
    """One row per unit, a row of zeros for one without any score: (units, 2 * templates)."""
    width = 2 * len(TEMPLATES)
    rows = [statistics(unit) or (0.0,) * width for unit in units]
    return np.array(rows, np.float64).reshape(len(rows), width)


def columns(stats: Matrix, template: str) -> Matrix:
    """The two columns of one template."""
    first = 2 * TEMPLATES.index(template)
    return stats[:, first : first + 2]


def mean_logs(stats: Matrix, groups: Ints, weights: Floats) -> Floats:
    """Weighted mean log ratio per group over all scores in `stats`: (draws, groups).

    Groups are 0..max(groups). NaN stands where a group has no score with weight; it means
    "undefined" between arrays only. Plain sums instead of a matrix product, whose last bits depend
    on the linear algebra library and its threads.
    """
    order = np.argsort(groups, kind="stable")
    present, starts = np.unique(groups[order], return_index=True)
    means = np.full((len(weights), int(groups.max(initial=-1)) + 1), np.nan)
    if len(present) == 0:
        return means
    ordered = weights if np.array_equal(order, np.arange(len(order))) else weights[:, order]
    scored, logs = stats[order, 0::2].sum(axis=1), stats[order, 1::2].sum(axis=1)
    above = np.add.reduceat(ordered * logs, starts, axis=1)
    below = np.add.reduceat(ordered * scored, starts, axis=1)
    means[:, present] = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
    return means


@dataclass(frozen=True, slots=True)
class Table:
    """One template: what each stereotype rests on, its mean log ratio, and the draws of that."""

    template: str
    stereotypes: tuple[str, ...]  # those with a unit, in order
    counts: tuple[Counts, ...]  # of each
    means: Floats  # (stereotypes,), NaN without a score
    draws: Floats = field(repr=False)  # (draws, stereotypes)


def table(
    template: str,
    keys: Sequence[str],
    stats: Matrix,
    groups: Ints,
    cluster: Ints,
    weights: Floats,
) -> Table:
    """The table of a template; `groups` are positions in `keys`, `weights` those of the draws.

    Samples are drawn one by one; what a draw moves is then widened as their clusters widen it.
    """
    own = columns(stats, template)
    answered = stats[:, 0::2].max(axis=1, initial=0.0)

    def total(column: Floats) -> list[int]:
        return [int(n) for n in np.bincount(groups, weights=column, minlength=len(keys))]

    means = mean_logs(own, groups, np.ones((1, len(groups))))[0]
    drawn = mean_logs(own, groups, weights)
    scored = own[:, 0] > 0
    effect = cluster_effect(own[scored, 1], groups[scored], cluster[scored])
    inflation = [effect.inflation(cluster[scored & (groups == at)]) for at in range(len(keys))]
    planned = total(np.ones(len(groups)))
    counts = zip(planned, total(answered), total(own[:, 0]), strict=True)
    return Table(
        template,
        tuple(keys),
        tuple(Counts(n, heard, used, 0) for n, heard, used in counts),
        means,
        means + np.sqrt(inflation) * (drawn - means),
    )
