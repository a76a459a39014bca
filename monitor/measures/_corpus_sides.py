"""Counts of the texts of questions before and after in, the corpora of an exchange test out."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from monitor.corpus.by_document import ByDocument, Sums
from monitor.measures._corpus_counted import Counted
from monitor.model import Ints
from monitor.stats.resampling import generator

_FAIR = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Counts of the texts of Q questions before and after, a column each.

    `cluster` (Q,) are questions that are exchanged together.
    """

    given: Counted
    before: ByDocument
    after: ByDocument
    cluster: Ints

    def whole(self) -> tuple[Sums, Sums]:
        """All questions before, and after."""
        one, two = (side.sums(np.ones((1, side.documents))) for side in (self.before, self.after))
        return one, two

    def alone(self) -> Iterator[tuple[Ints, Sums, Sums]]:
        """Questions, and the mean of both sides with each one's texts of before, and of after.

        Only those whose counts moved; some at a time.
        """
        cells, margins = (
            (getattr(self.after, name) - getattr(self.before, name)).tocsc() / 2
            for name in ("cells", "margins")
        )
        moved = np.flatnonzero(np.diff(margins.indptr) + np.diff(cells.indptr))
        one, two = self.whole()
        middle = Sums((one.cells + two.cells) / 2, (one.margins + two.margins) / 2)
        for first in range(0, len(moved), self.after.at_once):
            some = moved[first : first + self.after.at_once]
            half = Sums(cells[:, some].toarray(), margins[:, some].toarray())
            yield (
                some,
                Sums(middle.cells - half.cells, middle.margins - half.margins),
                Sums(middle.cells + half.cells, middle.margins + half.margins),
            )

    def drawn(self, draws: int, seed: int) -> Iterator[tuple[Sums, Sums]]:
        """Both sides with before and after of whole clusters exchanged at random, some at a time.

        The patterns are the same whichever side is called before.
        """
        rng, one, two = generator(seed), *self.whole()
        for first in range(0, draws, self.after.at_once):
            some = min(self.after.at_once, draws - first)
            stays = rng.random((some, int(self.cluster.max()) + 1)) < _FAIR
            stay = stays[:, self.cluster].astype(np.float64)
            kept, moved = self.before.sums(stay), self.after.sums(1 - stay)
            then = Sums(kept.cells + moved.cells, kept.margins + moved.margins)
            now = (one.cells + two.cells - then.cells, one.margins + two.margins - then.margins)
            yield then, Sums(*now)
