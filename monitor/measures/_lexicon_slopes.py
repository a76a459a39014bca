"""What GSR says of several systems under one lexicon: lists in, genderedness and slopes out."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from monitor.model import Floats, WordScores
from monitor.ranked.asked import Asked
from monitor.ranked.genderedness_lists import Rules, gendered, over_planned, query_values_of
from monitor.ranked.score import PerList
from monitor.ranked.slope import usable, x_of
from monitor.stats.regression import fit

#: The system itself among the labels of the others.
OWN = ""


@dataclass(frozen=True, slots=True, eq=False)
class Systems:
    """Genderedness of queries and lists by system, one row per planned query."""

    found: Mapping[str, PerList]

    @property
    def own(self) -> PerList:
        """Those of the system itself."""
        return self.found[OWN]

    def slopes(self, floor: int) -> dict[str, float]:
        """The slope of every system that has one."""
        every = {label: _slope(one, one.values, floor) for label, one in self.found.items()}
        return {label: slope for label, slope in every.items() if slope is not None}

    def changes(self, before: "Systems", floor: int) -> dict[str, float]:
        """The slope of the difference to the tick before, of every system that has both."""
        every = {
            label: _slope(one, one.values - before.found[label].values, floor)
            for label, one in self.found.items()
            if label in before.found
        }
        return {label: slope for label, slope in every.items() if slope is not None}


def _slope(found: PerList, y: Floats, floor: int) -> float | None:
    kept = usable(found) & np.isfinite(y)
    if kept.sum() < floor:
        return None
    line = fit(x_of(found)[kept], y[kept])
    return None if line is None else line.slope


def systems(given: Asked, lexicon: WordScores, rules: Rules) -> Systems:
    """The system itself and all others beside it, on the planned queries."""
    x = query_values_of(given, lexicon, rules)
    found = {}
    for label, lists in ((OWN, given.lists), *sorted(given.beside.items())):
        one = gendered(given, lists.of(given.planned), lexicon, rules)
        found[label] = over_planned(one, given.planned, x, lexicon.name)
    return Systems(found)
