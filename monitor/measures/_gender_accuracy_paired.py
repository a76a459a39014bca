"""Accuracy where the gender is said, twice: turned classes in, changes of every quantity out.

Twins of a base sentence are a cluster. In the panel masculine stands for right and feminine for
wrong.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from monitor.change import Paired
from monitor.clusters import clusters_of
from monitor.measures._gender_accuracy_sorts import FEMININE, MASCULINE_SAID, Arms, Sorts, scopes
from monitor.measures._paired import (
    Both,
    Panel,
    change_of_share,
    change_of_sum,
    class_changes,
    too_few,
)
from monitor.measures._shared import Col


def changes(both: Both, sorts: Sorts, floor: int) -> Iterator[Paired]:
    """Every quantity over all sentences and per frame, the accuracies per topic."""
    twice = _Twice.of(both, sorts, floor)
    for scope, rows in [("all", range(len(both.units))), *scopes(both.units, "frame")]:
        yield from twice.accuracies(scope, rows)
        yield twice.gap("accuracy_gap", scope, sorts.sides(rows))
        yield twice.gap("stereotype_gap", scope, sorts.stereotyped(rows))
        facts = class_changes(both, rows)
        read = twice.read.some(rows)
        yield change_of_share("said_marked_share", scope, read, floor, "read", facts)
    for scope, rows in scopes(both.units, "topic"):
        yield from twice.accuracies(scope, rows)


@dataclass(frozen=True, slots=True, eq=False)
class _Twice:
    """What was read of the same sentences before and after."""

    right: Panel
    read: Panel
    sorts: Sorts
    floor: int

    @classmethod
    def of(cls, both: Both, sorts: Sorts, floor: int) -> "_Twice":
        """Panels of sentences that are marked, and that are read, on both sides."""
        cluster = clusters_of(both.units)
        right = both.panel(Col.MASCULINE, Col.MARKED, cluster)
        return cls(right, both.panel(Col.MARKED_SHARE, Col.READ, cluster), sorts, floor)

    def accuracies(self, scope: str, rows: Sequence[int]) -> Iterator[Paired]:
        """The changes of the shares of right answers."""
        for name, said in (("accuracy_f", FEMININE), ("accuracy_m", MASCULINE_SAID)):
            part = self.right.some(self.sorts.saying(said, rows))
            yield change_of_share(name, scope, part, self.floor)

    def gap(self, name: str, scope: str, arms: Arms) -> Paired:
        """The change of a sum of coefficients times accuracies, one flip moving c/n of its arm."""
        rows = np.concatenate([np.asarray(own, np.int64) for _, _, own in arms])
        panel, parts = self.right.some(rows), [self.right.some(own) for _, _, own in arms]
        sizes = [int(part.usable.sum()) for part in parts]
        least = max(self.floor, 1)
        short = [at for at, size in enumerate(sizes) if size < least]
        if short:
            labels = "; ".join(arms[at][0] for at in short)
            example = too_few(scope, sizes[short[0]], self.floor, "marked")
            reason = f"accuracy cannot be compared for {labels} ({example})"
            return panel.lacking(name, scope, reason)
        weights = np.concatenate(
            [np.full(len(own), c / size) for (_, c, own), size in zip(arms, sizes, strict=True)]
        )
        shares = [part.ends() for part in parts]
        before, after = (
            sum(c * share[side] for (_, c, _), share in zip(arms, shares, strict=True))
            for side in (0, 1)
        )
        arm = np.repeat(np.arange(len(arms)), [len(own) for _, _, own in arms])
        return change_of_sum(
            name, scope, panel, weights, (before, after), widest=2.0, facts=panel.flips(), group=arm
        )
