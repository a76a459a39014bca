"""What half and full twins leave of each measure: the same words in all three corpora."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from monitor.corpus.augment import change
from monitor.corpus.labour import TARGETS, TITLES, correlations, target
from monitor.stages.corpus_bias import Measure, Measured, Order, Representation
from monitor.studies._corpus_grid import Grid
from monitor.studies.cda import STEPS
from monitor.studies.found import Cell, Table
from monitor.text.counted_nouns import several

_MOST = 40


@dataclass(frozen=True, slots=True)
class Followed:
    """One measure through the three corpora: the biases of the words that have one in all."""

    order: Order
    biases: tuple[Mapping[str, float], ...]

    @property
    def means(self) -> tuple[float, ...] | None:
        """Mean |bias| in each corpus; None where no word has a bias in all."""
        if not self.biases[0]:
            return None
        return tuple(fmean(map(abs, some.values())) for some in self.biases)

    @property
    def shares(self) -> tuple[float, ...] | None:
        """The same over that of the original; None where that is 0."""
        if self.means is None or not self.means[0]:
            return None
        return tuple(mean / self.means[0] for mean in self.means)


def followed(steps: Sequence[Sequence[Measured]]) -> list[Followed]:
    """The same measure of every corpus together."""
    found = []
    for some in zip(*steps, strict=True):
        values = [one.biases.values for one in some]
        shared = [word for word in values[0] if all(word in each for each in values)]
        biases = tuple({word: each[word] for word in shared} for each in values)
        found.append(Followed(some[0].order, biases))
    return found


def changes_table(found: Sequence[Followed]) -> Table:
    """Figure 4 and Table 3 in numbers: a row for each measure and corpus."""
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        moved = [None, *(change(before, after) for before, after in pairwise(one.biases))]
        for at, (step, values) in enumerate(zip(STEPS, one.biases, strict=True)):
            held = [correlations(values, target(name))[0] for name in TARGETS]
            step_change = moved[at]
            rows.append((
                str(one.order.representation), str(one.order.measure), step, len(values),
                fmean(values.values()) if values else None,
                one.means[at] if one.means else None,
                one.shares[at] if one.shares else None,
                *((None, None, None) if step_change is None else
                  (step_change.absolute, step_change.spread, step_change.relative)),
                *(cell for each in held for cell in (each.value, each.n)),
            ))  # fmt: skip
    labour = (name for one in TARGETS for name in (f"Spearman, {TITLES[one]}", "n"))
    return Table(
        "changes",
        "Table 3: biases and correlations by the share of texts that have a twin",
        (
            "representation", "measure", "twins", "words", "mean bias", "mean |bias|",
            "of the original's", "mean |change|", "its sd", "mean relative change", *labour,
        ),
        tuple(rows),
        "Over the words with a bias in all three corpora. Changes are from the corpus before; "
        "relative ones over the words whose bias was not 0. Correlations: bias with the share of "
        "women; where biases are 0 or nearly so, they are those of what the swap left.",
    )  # fmt: skip


def words_table(found: Sequence[Followed], representation: Representation) -> Table:
    """The words that moved most by first order."""
    chosen = [
        one
        for one in found
        if (one.order.representation, one.order.measure) == (representation, Measure.FIRST_ORDER)
    ]
    one = (chosen or list(found))[0]
    first, last = one.biases[0], one.biases[-1]
    words = sorted(first, key=lambda word: -abs(last[word] - first[word]))[:_MOST]
    return Table(
        "words",
        f"Words that moved most: {one.order.title}",
        ("word", *STEPS),
        tuple((word, *(some[word] for some in one.biases)) for word in words),
    )


def notes(found: Sequence[Followed], grid: Grid, asked: int) -> list[str]:
    """What readers have to know before they look at a number."""
    most = max((len(one.biases[0]) for one in found), default=0)
    said = [
        (
            f"Up to {most:,} of {several(asked, 'occupation')} that name no gender have a bias in "
            f"all three corpora (floor {grid.floor:g})."
        )
    ]
    if not grid.floor:
        said.append(
            "With --floor 0 a pair that never occurred counts as unrelated however rare its words "
            "are: biases of rare words are chance."
        )
    if any(one.order.representation.endswith("-svd") for one in found):
        said.append(f"SVD was taken in {grid.dimensions:,} dimensions (the paper: 300).")
    return said
