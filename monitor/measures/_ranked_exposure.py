"""Lists in, the distance of exposed terms from target shares out: what TED and TExFAIR share."""

from dataclasses import dataclass

import numpy as np

from monitor.measures._ranked_terms import OfTerms, flag, share
from monitor.model import Floats
from monitor.ranked.asked import Asked
from monitor.ranked.exposure import (
    distance,
    nearest,
    over,
    reachable_corners,
    shares_of,
    term_exposure,
)
from monitor.ranked.lists import discounts
from monitor.ranked.neutrality import widest
from monitor.ranked.seen import Seen
from monitor.ranked.texts import Held


@dataclass(frozen=True, slots=True, eq=False)
class Exposed:
    """TED of lists with what bounds it, each with and without RBDF; every array has shape (L,)."""

    seen: Seen
    plain: Floats
    plain_low: Floats
    plain_high: Floats
    rbdf: Floats
    rbdf_high: Floats
    unknown: Floats  # weight of what is missing or empty

    @property
    def ted(self) -> Floats:
        """Times RBDF: 0 where no document is representative."""
        return np.where(self.rbdf == 0, 0.0, self.plain * self.rbdf)

    @property
    def low(self) -> Floats:
        """The same at its lowest; see `exposed`."""
        return self.plain_low * self.rbdf_high

    @property
    def high(self) -> Floats:
        """The same at its highest."""
        return self.plain_high * self.rbdf_high


@dataclass(frozen=True, slots=True)
class OfExposure(OfTerms):
    """`rbdf`: times the share of representative documents. `strict`: of k ranks, however many."""

    coverage: float = 0.5
    rbdf: bool = True
    strict: bool = False

    def __post_init__(self) -> None:
        OfTerms.__post_init__(self)
        covered = share(self.name, "coverage", self.coverage)
        object.__setattr__(self, "coverage", covered)
        flag(self.name, "rbdf", self.rbdf)
        flag(self.name, "strict", self.strict)

    def widest(self) -> float:
        """max(TED): one group has everything."""
        return widest(self.words.targets)

    def exposed(self, given: Asked) -> Exposed:
        """TED of each list.

        A document that is unknown adds up to its weight to the exposure of any group, and is
        representative as soon as it adds anything. TED is then highest with all of it given to one
        group, or with next to nothing of it, and lowest with all of it given to groups below their
        target: each step there lowers the distance by more than it raises RBDF, because exposure
        never exceeds the weight of the representative documents.
        """
        words = self.words
        found = given.texts.magnitudes(given.lists.cut(self.cutoff), words)
        seen = Seen.discounted(found.held)
        text, unknown = seen.of(Held.TEXT), seen.weight(Held.MISSING, Held.EMPTY)
        known = term_exposure(found.counts, found.lengths, text)
        representative = (text * (found.counts.sum(axis=2) > 0)).sum(axis=1)
        ranks = seen.weights.sum(axis=1)
        if self.strict:
            ranks = np.where(ranks > 0, discounts(self.cutoff).sum(), 0.0)
        far = distance(reachable_corners(known, unknown), words.targets)
        return Exposed(
            seen=seen,
            plain=distance(shares_of(known), words.targets),
            plain_low=distance(nearest(known, unknown, words.targets), words.targets),
            plain_high=np.fmax.reduce(far, axis=1),
            rbdf=over(representative, ranks - seen.weight(Held.MISSING)),
            rbdf_high=over(representative + unknown, ranks),
            unknown=unknown,
        )
