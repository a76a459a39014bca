"""Figures 2 and 3: both sides of each word, and its bias against the share of women in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.corpus.bias import Biases
from monitor.corpus.concepts import Concepts
from monitor.corpus.encoded import EncodedCorpus
from monitor.corpus.labour import TITLES
from monitor.stages import corpus_page as page
from monitor.stages.corpus_bias import Measured, measured
from monitor.studies._corpus_grid import Grid
from monitor.studies.found import Figure

Shares = Mapping[str, Mapping[str, float]]

_NAME = "the texts"
_SHAPES = "● towards women, ◆ towards men, ■ within the unbiased area."


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was measured for the figures, and these."""

    measured: Measured
    figures: tuple[Figure, ...]

    @classmethod
    def of(
        cls,
        corpus: EncodedCorpus,
        grid: Grid,
        concepts: Concepts,
        words: Sequence[str],
        shares: Shares,
        draws: int,
    ) -> "Drawn":
        """Of the representation that stands for all."""
        order = grid.order(grid.headline, draws=draws)
        found = measured(corpus, order, concepts, words, area=True)
        sides: list[Figure] = []
        against: list[Figure] = []
        for target, some in shares.items():
            shown = page.shown(_NAME, corpus, found, (TITLES[target], some))
            drawn = page.pictures(shown, f"{target}-")
            if not sides and "sides" in drawn:
                title = (
                    f"Figure 2: bias towards women against bias towards men, {found.order.title}"
                )
                sides.append(Figure("sides", title, drawn["sides"], note=f"{shown.area} {_SHAPES}"))
            if shown.labour is not None and "labour" in drawn:
                title = f"Figure 3: bias against the share of women, {shown.labour.title}"
                note = f"{shown.labour.said} Lines: 95 % intervals; {found.interval}."
                against.append(Figure(f"labour-{target}", title, drawn["labour"], note=note))
        return cls(found, (*sides, *against))

    @property
    def biases(self) -> Biases:
        """The biases that are drawn."""
        return self.measured.biases
