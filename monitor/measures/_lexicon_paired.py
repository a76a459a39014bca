"""Change of the agreement of two lexicons: lists before and after in, the change of r out."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from monitor.change import Paired
from monitor.measures._gsr_paired import Both, both_sides, read_twice
from monitor.measures._ranked_paired import (
    COMPARES,
    IS_CHANGE,
    Panel,
    probes_alone,
    rounded,
    too_few,
)
from monitor.model import Floats, Unit, WordScores
from monitor.ranked.genderedness_lists import Rules
from monitor.stats.correlation import pearson
from monitor.stats.paired import sign_flip

QUERIES = "agreement_queries"
#: What is not compared again, and why.
OTHERS = {"agreement_systems": COMPARES, "agreement_changes": IS_CHANGE}


def change_of_agreement(
    before: Sequence[Unit],
    after: Sequence[Unit],
    lexicons: Sequence[WordScores],
    rules: Rules,
    floor: int,
) -> Paired:
    """Pearson's r of the lists' genderedness under A and B, after less before, on one panel.

    p and interval by the queries' parts in r, as its influence function has them.
    """
    given, units = read_twice(before, after)
    first, second = (both_sides(given, one, rules, units) for one in lexicons)
    panel = _known_in_both(first, second)
    kept = panel.usable
    n = int(kept.sum())
    if n < floor:
        return panel.record(QUERIES, "all", reason=too_few(n, floor))
    sides = [
        (one.values[kept], other.values[kept])
        for one, other in ((first.before, second.before), (first.after, second.after))
    ]
    r_before, r_after = (pearson(*columns) for columns in sides)
    if r_before is None or r_after is None:
        reason = "the genderedness of the lists is constant under a lexicon"
        return panel.record(QUERIES, "all", reason=reason)
    then, now = (parts(*columns) for columns in sides)
    cluster, terms = panel.cluster[kept], rounded(then, now) / n
    flip, alone = sign_flip(terms, cluster), probes_alone(terms, cluster)
    return panel.record(
        QUERIES, "all", flip=flip, ends=(r_before, r_after), widest=2.0, facts=alone
    )


def _known_in_both(first: Both, second: Both) -> Panel:
    """The panel of the queries that have values under both lexicons."""
    before, after = (
        np.where(np.isfinite(other), one, np.nan)
        for one, other in (
            (first.panel.before, second.panel.before),
            (first.panel.after, second.panel.after),
        )
    )
    return replace(first.panel, before=before, after=after)


def parts(x: Floats, y: Floats) -> Floats:
    """(n,) what each pair adds to r: their mean is r itself, their spread that of its estimate.

    z_x z_y - r (z_x^2 + z_y^2)/2 + r. Devlin, S. J., Gnanadesikan, R., Kettenring, J. R. (1975).
    Robust estimation and outlier detection with correlation coefficients. Biometrika 62(3),
    531-545, has the influence function of r; population variances.
    """
    z, w = ((one - one.mean()) / one.std() for one in (x, y))
    r = float(np.mean(z * w))
    return np.asarray(z * w - r * (z**2 + w**2) / 2 + r, np.float64)
