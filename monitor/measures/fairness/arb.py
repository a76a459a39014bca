"""ARB: how much more of one group's terms than of another's there is down a ranked list."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from monitor.measures._shared import UNBOUNDED, choice, make_quantity, share
from monitor.measures.fairness._term_measures import (
    MAGNITUDES,
    OfTerms,
    mean_over_prefixes,
    prefix_weights,
)
from monitor.model import InvalidInput, Validity
from monitor.ranked.inputs import RankedInput
from monitor.ranked.score import ListValues, PerList, RankWeights, per_list
from monitor.ranked.texts import Held

_TWO = 2
_USUAL = ("women", "men")


@dataclass(frozen=True, slots=True)
class ARB(OfTerms):
    """Average rank bias: mean over the prefixes of a list of the mean difference of two groups.

    RaB_x = mean over ranks r <= x of mag_women(d_r) - mag_men(d_r); ARB@k = mean of RaB_x over
    x = 1..min(k, n). `magnitude`: "count" of a group's terms, "log" = ln(1 + count), "bool" = 1
    where there is any. Positive towards women, neutral 0; without limits, but "bool" lies in
    [-1, 1]. The published form is positive towards men. `between`: the two groups, the first minus
    the second; by default women and men, or the only two that there are, in their order.

    Missing and empty documents are left out of the prefixes, and the others must hold `coverage` of
    the weight of the ranks, which is the mean of 1/x over the prefixes that a rank stands in. The
    bounds of "bool" are exact; nothing bounds the number of terms in an unread document, so that
    "count" and "log" have none.
    """

    coverage: float = share(0.5)
    magnitude: str = choice("count", MAGNITUDES)
    between: Sequence[str] = ()

    name = "ARB"
    title = "rank bias of group terms (ARB)"
    version = 2
    citation = (
        "Rekabsaz, N., Schedl, M. (2020). Do neural ranking models intensify gender bias? SIGIR '20"
    )
    quantities = (
        make_quantity(
            "arb", "difference of group terms over prefixes", "lead of women's words", UNBOUNDED,
            "score", "shows more words for women", "shows fewer words for women", rank=1,
        ),
    )  # fmt: skip
    validity = Validity(
        means=(
            "How many more words for the first group than for the second one stand in the "
            "results, the more the higher up; 0 is as many of both, positive is more for women by "
            "default."
        ),
        does_not_mean=(
            "It does not say how a group is spoken of, nor that as many words of both would be "
            "right for a question."
        ),
        assumes=(
            "The questions name no gender themselves, the word lists stand for the groups, and "
            "whoever reads down a list stops at any rank."
        ),
        harm=(
            "Representational: one group is less visible in what everybody reads, which concerns "
            "the people of that group, as far as the word lists name them."
        ),
    )

    def __post_init__(self) -> None:
        OfTerms.__post_init__(self)
        if not _two_names(self.between) and self.between not in ((), []):
            raise InvalidInput(f"{self.name}: between is {self.between!r}; name two groups")
        object.__setattr__(self, "between", list(self.between))
        if self.terms or not self.between:  # else the groups that it names may still be given
            self._pair_of_groups()

    def _pair_of_groups(self) -> tuple[int, int]:
        """Return the numbers of the two groups. Raises InvalidInput."""
        names = self.words.names
        usual = _USUAL if set(_USUAL) <= set(names) else names
        pair = tuple(self.between) or usual
        if len(set(pair)) != _TWO or not set(pair) <= set(names):
            raise InvalidInput(
                f"{self.name}: between is {list(pair)}; name two of the groups {', '.join(names)}"
            )
        return names.index(pair[0]), names.index(pair[1])

    def limits(self) -> tuple[float, float]:
        return (-1.0, 1.0) if self.magnitude == "bool" else (-np.inf, np.inf)

    def per_list(self, ranked: RankedInput) -> PerList:
        held_counts = ranked.texts.magnitudes(ranked.lists.cut(self.cutoff), self.words)
        inside, read = held_counts.held != Held.NOTHING, held_counts.held == Held.TEXT
        seen = RankWeights(held_counts.held, prefix_weights(inside))
        first, second = self._pair_of_groups()
        magnitudes = MAGNITUDES[self.magnitude](held_counts.counts)
        difference = magnitudes[:, :, first] - magnitudes[:, :, second]
        bias_read = (seen.of(Held.TEXT) * difference).sum(axis=1)
        unknown = seen.weight(Held.MISSING, Held.EMPTY)
        least, most = self.limits()
        certain = unknown == 0
        weight = np.where(certain, 1.0, unknown)  # nothing times infinity is no number
        formula = ListValues(
            values=mean_over_prefixes(difference, read, inside),
            low=bias_read + least * weight,
            high=bias_read + most * weight,
            certain=certain,
            undefined="no document was read",
        )
        return per_list(seen, formula, self.coverage, Held.TEXT)


def _two_names(value: object) -> bool:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        return False
    return len(set(value)) == len(value) == _TWO


MEASURE = ARB()
