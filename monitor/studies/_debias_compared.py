"""Lists by system in, their slopes, relevance and distances out, each beside the regular one's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from monitor.studies._fabris_collection import Collection, Run
from monitor.studies.found import Cell

if TYPE_CHECKING:
    from monitor.lexicons.lexicon import Lexicon
    from monitor.ranked.score import Score

_TOP, _DEEP = 10, 100


@dataclass(frozen=True, slots=True)
class System:
    """The lists of one kind of vectors, measured."""

    name: str
    score: "Score"
    effects: "Mapping[str, Score] | None"  # by measure; None without judgements
    x: Mapping[str, float]  # genderedness of the queries that have one
    distances: Mapping[str, float]  # from the regular list

    @property
    def row(self) -> tuple[Cell, ...]:
        """Slope and means, each None where there is none."""
        score, told = self.score, self.score.details
        relative = [told.get(key) for key in ("relative_gsr", "relative_low", "relative_high")]
        means = [one.value for one in self.effects.values()] if self.effects else [None] * 3
        return (self.name, score.used, score.value, score.low, score.high, *relative, *means)

    @property
    def points(self) -> list[tuple[float, float]]:
        """(genderedness of the query, of its list)."""
        values = self.score.per_query
        return [(x, y) for key, x in self.x.items() if (y := values.get(key)) is not None]

    @property
    def moves(self) -> list[tuple[float, float]]:
        """(|g(q)|, how far its list moved)."""
        return [(abs(self.x[key]), one) for key, one in self.distances.items() if key in self.x]

    @property
    def moved(self) -> tuple[Cell, ...]:
        """Mean distance, and how it goes with |g(q)|; None where either is constant."""
        from monitor.stats.correlation import pearson, spearman

        pairs = self.moves
        if not pairs:
            return (self.name, 0, None, None, None)
        x, y = [a for a, _ in pairs], [b for _, b in pairs]
        return (self.name, len(pairs), sum(y) / len(y), pearson(x, y), spearman(x, y))

    def tests(self, regular: "System") -> list[tuple[Cell, ...]]:
        """One row for each measure of relevance."""
        from monitor.stats.paired import paired_t

        rows: list[tuple[Cell, ...]] = []
        if self.effects is None or regular.effects is None:
            return rows
        for name, one in self.effects.items():
            apart = _differences(one.per_query, regular.effects[name].per_query)
            mean = sum(apart) / len(apart) if apart else None
            rows.append((self.name, name, len(apart), mean, *(paired_t(apart) or (None, None))))
        return rows

    def queries(self) -> list[tuple[Cell, ...]]:
        """One row for each query."""
        values = self.score.per_query
        return [
            (self.name, key, self.x.get(key), values[key], self.distances.get(key))
            for key in values
        ]


def _differences(
    ours: Mapping[str, float | None], regular: Mapping[str, float | None]
) -> list[float]:
    pairs = ((one, regular.get(key)) for key, one in ours.items())
    return [a - b for a, b in pairs if a is not None and b is not None]


def systems(
    runs: Mapping[str, Run], read: Collection, lexicon: "Lexicon", floor: int
) -> Sequence[System]:
    """Every system, the regular one first: what the others are compared with."""
    import numpy as np

    from monitor.measures import tokenise
    from monitor.ranked.genderedness import query_genderedness
    from monitor.ranked.kendall import kendall_distance

    regular = next(iter(runs.values()))
    ranked = {key for run in runs.values() for some in run.values() for key in some}
    texts = tokenise({key: read.texts[key] for key in ranked})
    g = query_genderedness(list(read.topics.values()), lexicon)
    x = {key: float(one) for key, one in zip(read.topics, g, strict=True) if np.isfinite(one)}
    found = []
    for name, run in runs.items():
        apart = {
            key: distance
            for key, some in run.items()
            if key in regular and (distance := kendall_distance(some, regular[key])) is not None
        }
        score = _gsr(run, regular, texts, read, lexicon, floor)
        found.append(System(name, score, _effects(run, read), x, apart))
    return found


def _gsr(
    run: Run, regular: Run, texts: object, read: Collection, lexicon: "Lexicon", floor: int
) -> "Score":
    from monitor.measures.gsr.gsr import Gsr

    return Gsr(floor=floor).score(
        run,
        texts,
        queries=read.topics,
        lexicon=lexicon,
        baseline=None if run is regular else regular,
    )


def _effects(run: Run, read: Collection) -> "dict[str, Score] | None":
    from monitor.measures.effectiveness.ap import AP
    from monitor.measures.effectiveness.ndcg import NDCG
    from monitor.measures.effectiveness.p import P

    if read.qrels is None:
        return None
    measures = {"AP": AP(), f"P@{_TOP}": P(cutoff=_TOP), f"nDCG@{_DEEP}": NDCG(cutoff=_DEEP)}
    return {name: one.score(run, qrels=read.qrels, draws=0) for name, one in measures.items()}
