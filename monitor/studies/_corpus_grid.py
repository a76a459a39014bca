"""Every representation of a corpus with every measure; pairs are counted once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from monitor.corpus.concepts import Concepts
from monitor.corpus.encoded import Cooccurrences, EncodedCorpus
from monitor.corpus.skipgram import below_floor
from monitor.model import InvalidInput, MissingPart
from monitor.stages.derive.corpus_bias import (
    BiasMeasure,
    BiasOrder,
    MeasuredCorpus,
    Representation,
    Told,
    biases_of,
    count_words,
    model_of,
    of_counts,
    over_models,
)
from monitor.studies.records import Limit

#: Of files or of chance, not of counts.
_LEARNT = (Representation.SKIP_GRAM, Representation.GLOVE)
_KINDS = (Representation.PMI, Representation.PPMI, Representation.SPPMI)
COUNTED = tuple(one for one in Representation if one not in _LEARNT)


@dataclass(frozen=True, slots=True)
class Grid:
    """Representations and measures to compute. Raises InvalidInput for an unknown one."""

    representations: tuple[Representation, ...]
    window: int
    floor: float
    dimensions: int
    seed: int
    seeds: int = 1
    below_floor: bool = False
    vectors: Path | None = None
    contexts: Path | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Grid":
        """As the options of a study say."""
        names = tuple(dict.fromkeys(given["representation"] or ()))
        available = tuple(
            representation
            for representation in Representation
            if representation is not Representation.GLOVE
        )
        if unknown := [name for name in names if name not in available]:
            raise InvalidInput(f"--representation {unknown[0]}: known are {', '.join(available)}")
        for name in ("window", "dimensions"):
            if given[name] < 1:
                raise InvalidInput(f"--{name} {given[name]}: give 1 or more")
        if not given["floor"] >= 0:
            raise InvalidInput(f"--floor {given['floor']}: give 0 or more")
        selected = tuple(map(Representation, names)) or (*COUNTED, Representation.SKIP_GRAM)
        if given.get("vectors"):
            selected = (*selected, Representation.GLOVE)
        return cls(
            selected,
            given["window"],
            given["floor"],
            given["dimensions"],
            given["seed"],
            given.get("seeds", 1),
            given.get("below-floor", False),
            given.get("vectors"),
            given.get("contexts"),
        )

    @property
    def headline(self) -> Representation:
        """Return the representation to draw: one made of counts, the default if possible."""
        kinds = [
            representation for representation in self.representations if representation in _KINDS
        ]
        default = Representation.PPMI
        return kinds[0] if kinds and default not in kinds else default

    def order(
        self,
        representation: Representation,
        measure: BiasMeasure = BiasMeasure.FIRST_ORDER,
        draws: int = 0,
    ) -> BiasOrder:
        """One cell of it."""
        read = representation is Representation.GLOVE
        return BiasOrder(
            representation, measure, self.window, 1.0, self.floor, self.dimensions, draws,
            self.seeds, self.seed, self.vectors if read else None, self.contexts if read else None,
        )  # fmt: skip

    def orders(self, representation: Representation) -> list[BiasOrder]:
        """With every measure that goes with it."""
        no_vectors = representation is Representation.INIT_GLOVE
        measures = (BiasMeasure.FIRST_ORDER,) if no_vectors else tuple(BiasMeasure)
        return [self.order(representation, measure) for measure in measures]


@dataclass(slots=True)
class Cells:
    """Measured cells with the counts behind them, and the representations that failed."""

    counts: Cooccurrences
    found: list[MeasuredCorpus] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)


def measure_grid(
    corpus: EncodedCorpus, grid: Grid, concepts: Concepts, words: Sequence[str], told: Told
) -> Cells:
    """All cells of a grid, in its order. Raises InvalidInput."""
    cells = Cells(count_words(corpus, grid.window, told))
    for representation in grid.representations:
        orders = grid.orders(representation)
        if representation is Representation.SKIP_GRAM:
            _learn_models(corpus, grid, orders, cells, concepts, words, told)
            continue
        if representation is Representation.GLOVE:
            model = model_of(corpus, orders[0], told)
        else:
            told(f"measuring {representation}", 0, None)
            model = of_counts(cells.counts, orders[0])
        cells.found += [
            MeasuredCorpus(order, biases_of(model, order, concepts, words), {}, "")
            for order in orders
        ]
    return cells


def _learn_models(
    corpus: EncodedCorpus,
    grid: Grid,
    orders: Sequence[BiasOrder],
    cells: Cells,
    concepts: Concepts,
    words: Sequence[str],
    told: Told,
) -> None:
    """Skip-gram: every model is learnt once and asked for all measures."""
    low = below_floor(len(corpus.tokens))
    if low and not grid.below_floor:
        cells.limits.append(Limit("skip-gram (SG, eSG)", low))
        return
    runs: dict[BiasOrder, list[Any]] = {order: [] for order in orders}
    try:
        for seed in range(grid.seeds):
            told(f"learning vectors {seed + 1} of {grid.seeds}", seed, grid.seeds)
            model = model_of(corpus, orders[0], told, seed)
            for order in orders:
                runs[order].append(biases_of(model, order, concepts, words))
    except MissingPart as error:
        cells.limits.append(Limit("skip-gram (SG, eSG)", str(error)))
        return
    cells.found += [over_models(corpus, order, group) for order, group in runs.items()]
