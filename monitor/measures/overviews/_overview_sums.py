"""Base of measures of overviews: what is asked of them, and what missing answers could be."""

from dataclasses import dataclass, replace

from monitor.measures._shared import ProbeCounts
from monitor.measures.entities._entity_sums import EntitySums
from monitor.model import (
    Cue,
    Floats,
    Kind,
    Overview,
    OverviewState,
    Quantity,
    Source,
    Unit,
)


def list_answered(unit: Unit) -> list[Overview]:
    """Return the overviews of the answered repeats; one without a state was not there."""
    return [overview for overview in unit.overviews if overview is not None]


@dataclass(frozen=True, slots=True)
class OverviewSums(EntitySums):
    """Base of measures that are functions of sums over questions and their overviews."""

    kind = Kind.SEARCH
    cues = frozenset({Cue.TERMS, Cue.PEOPLE})
    tag = ""
    resampling = "questions"
    #: The measure reads overviews, neither words of results nor whom they show.
    reads_overviews = True

    def list_possible(self) -> tuple[Overview, ...]:
        """Return the answers that a question could have, one of each kind."""
        return (
            Overview(None),
            *(Overview(state, (Source("", "", ""),)) for state in OverviewState),
        )

    def _count_used(self, quantity: Quantity, sums: Floats, counts: ProbeCounts) -> ProbeCounts:
        """Return the counts with the questions below the quantity's share as those it rests on.

        An overview that is still loading, or cites no page, is not among them.
        """
        below = float(sums[self.shares[quantity.name].below])
        return replace(counts, used=round(below))

    def _possible_sums(self, unit: Unit) -> tuple[tuple[float, ...], ...]:
        units = [replace(unit, overviews=(overview,)) for overview in self.list_possible()]
        sums = (self.unit(one) for one in units)
        return tuple(dict.fromkeys(one for one in sums if one is not None))
