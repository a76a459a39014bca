"""Results of the study `first-order`: checks, tables, Figures 2 and 3."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor.corpus.bias import Associations, Bias, Biases
from monitor.corpus.concepts import Concepts
from monitor.corpus.encoded import Cooccurrences, EncodedCorpus
from monitor.corpus.first_order import first_order
from monitor.corpus.high_order import Method, high_order
from monitor.corpus.labour import TITLES, correlations, target
from monitor.corpus.pmi import Kind, Pmi, ids, pairs
from monitor.input_files import parse_json, read_text
from monitor.model import InvalidInput
from monitor.stages import corpus_page as page
from monitor.stages.corpus_bias import Measured, Model, measured, parts_of
from monitor.stages.corpus_rows import rows_of
from monitor.studies._corpus_grid import Grid
from monitor.studies.records import Against, Cell, Check, Figure, Table
from monitor.text.counted_nouns import several

#: The same arithmetic in another order, in 64 bits.
_SAME = 1e-9
_EXACT = 0.0
#: Our targets by their names in the file.
_TARGETS = {"labor_winobias": "winobias", "census": "census"}
_KEYS = (
    "vocab_size", "total_pairs", "row_totals", "cell_counts", "female_words", "male_words",
    "average_first", "high_order_on_PPMI",
)  # fmt: skip
_OTHER_WORDS = "not over the same words"


def read(path: Path) -> dict[str, Any]:
    """The file. Raises InvalidInput naming it and what is missing."""
    found = parse_json(read_text(path), f"--published {path}")
    there = found if isinstance(found, dict) else {}
    if missing := [key for key in _KEYS if key not in there]:
        raise InvalidInput(
            f"--published {path}: {missing[0]!r} is missing; needed are {', '.join(_KEYS)}"
        )
    return there


def mirrored(
    associations: Associations, concepts: Concepts, words: Sequence[str], floor: float
) -> Check:
    """Women and men exchanged, every bias has to change its sign and nothing else."""
    one, other = (
        first_order(associations, words, lists, floor).values
        for lists in (concepts, concepts.swapped)
    )
    same = one.keys() == other.keys() and bool(one)
    return Check(
        "word lists exchanged: largest |bias + exchanged bias|",
        "must be 0: the two sides are treated alike",
        max(abs(one[word] + other[word]) for word in one) if same else None,
        0.0,
        _EXACT,
        f"{len(one):,} words" if same else "no word has a bias",
        against=Against.MUST,
    )


def published(
    told: Mapping[str, Any], counts: Cooccurrences, words: Sequence[str], concepts: Concepts
) -> list[Check]:
    """Every number of the file; of those by word the largest difference."""
    return [
        *_counts(told, counts),
        *_first_order(told["average_first"], counts, words, concepts),
        *_high_order(told["high_order_on_PPMI"], counts, words, concepts),
    ]


def _counts(told: Mapping[str, Any], counts: Cooccurrences) -> Iterator[Check]:
    where = "counts, exactly"
    words = counts.vocabulary
    for what, n, key in (
        ("words of the vocabulary", len(words), "vocab_size"),
        ("pairs within the window", counts.total, "total_pairs"),
    ):
        yield Check(what, where, n, told[key], _EXACT, against=Against.ELSEWHERE)
    known = words.known(told["row_totals"])
    totals = dict(zip(known, counts.row_totals[ids(counts, known)].tolist(), strict=True))
    yield _largest("pairs of each word", where, totals, told["row_totals"], _EXACT)
    gendered = words.known([*told["female_words"], *told["male_words"]])
    rows = words.known(told["cell_counts"])
    cells = pairs(counts, ids(counts, rows), ids(counts, gendered)).tolist()
    ours = {
        (word, one): n
        for word, row in zip(rows, cells, strict=True)
        for one, n in zip(gendered, row, strict=True)
        if n
    }
    theirs = {(word, one): n for word, row in told["cell_counts"].items() for one, n in row.items()}
    yield _largest("pairs of each word and each concept word", where, ours, theirs, _EXACT)


def _first_order(
    told: Mapping[str, Any], counts: Cooccurrences, words: Sequence[str], concepts: Concepts
) -> Iterator[Check]:
    for key, one in told.items():
        name, _, cds = key.partition("_cds")
        model = Pmi(counts, Kind(name.lower()), float(cds))
        found = first_order(model, words, concepts, floor=None)
        title = f"first order, {name}, cds {float(cds):g}"
        ours = {
            (bias.word, side): value
            for bias in found.words
            for side, value in (("f", bias.women), ("m", bias.men), ("bias", bias.value))
            if value is not None
        }
        theirs = {(w, side): v for w, sides in one["per_word"].items() for side, v in sides.items()}
        yield _largest(f"{title}: both sides and bias of each word", "by word", ours, theirs)
        yield from _correlations(title, found, one["correlation"])


def _high_order(
    told: Mapping[str, Any], counts: Cooccurrences, words: Sequence[str], concepts: Concepts
) -> Iterator[Check]:
    model, values = Pmi(counts), told["per_method"]
    for method in Method:
        found = high_order(model, words, concepts, method)
        title = f"{method}, PPMI"
        yield _largest(f"{title}: bias of each word", "by word", found.values, values[method])
        if method is Method.DIRECTIONAL:
            ours, theirs = (
                dict(enumerate(some)) for some in (found.explained, values["explained"])
            )
            yield _largest(f"{title}: shares of variance", "by component", ours, theirs)
        yield from _correlations(title, found, told["correlation"][method])


def _correlations(title: str, found: Biases, told: Mapping[str, Any]) -> Iterator[Check]:
    for name, expected in told.items():
        for one in correlations(found.values, target(_TARGETS[name])):
            same = (one.n, set(one.missing)) == (expected["n"], set(expected["missing"]))
            yield Check(
                f"{title}: {one.name} correlation with {_TARGETS[name]}",
                "labour market",
                one.value if same else None,
                expected[one.name],
                _SAME,
                f"{one.n} of {one.n_total} occupations" if same else _OTHER_WORDS,
                against=Against.ELSEWHERE,
            )


def _largest(
    what: str,
    where: str,
    ours: Mapping[Any, float],
    theirs: Mapping[Any, float],
    tolerance: float = _SAME,
) -> Check:
    """The largest difference of two tables with the same keys."""
    same = ours.keys() == theirs.keys() and bool(ours)
    return Check(
        f"{what}: largest difference",
        where,
        max(abs(ours[key] - theirs[key]) for key in theirs) if same else None,
        0.0,
        tolerance,
        f"{len(theirs):,} numbers" if same else _OTHER_WORDS,
        against=Against.ELSEWHERE,
    )


Shares = Mapping[str, Mapping[str, float]]

#: Parts of a bias that are shown for each word and measure.
_PARTS = 10


def correlations_table(found: Sequence[Measured], shares: Shares) -> Table:
    """Table 1: a row for each representation, measure and target."""
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        values = one.biases.values
        for share_name, shares_by_word in shares.items():
            rank, line = correlations(values, shares_by_word)
            rows.append((
                str(one.order.representation), str(one.order.measure), len(values),
                TITLES[share_name], rank.n, rank.n_total, rank.value, rank.low, rank.high,
                line.value, line.low, line.high, rank.reason,
            ))  # fmt: skip
    return Table(
        "correlations",
        "Table 1: correlation of bias with the share of women, by representation and measure",
        (
            "representation", "measure", "words with a bias", "target", "n", "of", "Spearman",
            "low", "high", "Pearson", "low", "high", "why there is none",
        ),
        tuple(rows),
        "Above 0: words for occupations of many women stand nearer to words for women. The "
        "intervals are Fisher's at 95 %: occupations are taken for a sample, the texts as given.",
    )  # fmt: skip


def words_table(corpus: EncodedCorpus, found: Measured, shares: Shares) -> Table:
    """Every occupation with the numbers behind Figures 2 and 3."""
    names = (
        "word", "bias", "low", "high", "women", "men", "occurs", "expected_women", "expected_men",
    )  # fmt: skip
    rows = [
        (*(row[name] for name in names), *(some.get(row["word"]) for some in shares.values()),
         row["reason"])
        for row in rows_of(corpus, found, {})
        if row["occurs"] is not None
    ]  # fmt: skip
    unknown = len(found.biases.words) - len(rows)
    return Table(
        "words",
        f"Words: {found.order.title}",
        (
            "word", "bias", "low", "high", "women", "men", "occurs", "pairs expected, women",
            "pairs expected, men", *(f"share of women, {TITLES[target]}" for target in shares),
            "why there is none",
        ),
        tuple(rows),
        f"{several(unknown, 'word is', 'words are')} not in the vocabulary and not listed.",
    )  # fmt: skip


def furthest(biases: Biases, words: Sequence[str]) -> tuple[str, ...]:
    """The words furthest towards women and towards men; none where no word has a bias."""
    values = {word: value for word in words if (value := biases.values.get(word)) is not None}
    if not values:
        return ()
    ends = max(values, key=values.__getitem__), min(values, key=values.__getitem__)
    return tuple(dict.fromkeys(ends))


def parts_table(model: Model, grid: Grid, concepts: Concepts, words: Sequence[str]) -> Table:
    """Table 2: which words add most to a bias. Raises InvalidInput for a word without a bias."""
    rows: list[tuple[Cell, ...]] = []
    orders = grid.orders(grid.headline)
    for word in words:
        for order in orders:
            found = parts_of(model, order, concepts, word, _PARTS)
            if isinstance(found, Bias):
                if order is orders[0]:
                    raise InvalidInput(f"--explain {word}: it has no value: {found.reason}")
                continue
            name = str(order.measure)
            rows += [(word, name, one.word, one.value, found.total) for one in found.parts]
            if others := found.n - len(found.parts):
                rows.append((word, name, f"({others:,} others)", found.rest, found.total))
    return Table(
        "parts",
        f"Table 2: which words make up a bias, {grid.headline}",
        ("word", "measure", "through", "adds", "its bias"),
        tuple(rows),
        "Of first order only words for women and men add anything. Of high order any word may: one "
        "sees how far words that have nothing to do with gender make up a bias."
        if rows
        else "No word has a bias.",
    )


def notes(found: Sequence[Measured], drawn: Measured, grid: Grid) -> list[str]:
    """What readers have to know before they look at a number."""
    biases = drawn.biases
    values = len(biases.values)
    missing = ", ".join(biases.missing) or "none"
    said = [
        (
            f"{values:,} of {several(len(biases.words), 'word')} have a bias ({drawn.order.title}, "
            f"floor {grid.floor:g}). Words for women and men that the texts lack: {missing}."
        )
    ]
    if not values:
        said.append("There is nothing to draw: take more texts, or a lower --floor or --min-count.")
    if not grid.floor:
        said.append(
            "With --floor 0 a pair that never occurred counts as unrelated however rare its words "
            "are: biases of rare words are chance."
        )
    if any(one.order.representation.endswith("-svd") for one in found):
        said.append(f"SVD was taken in {grid.dimensions:,} dimensions (the paper: 300).")
    return said + list(dict.fromkeys(note for one in found for note in one.notes))


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
        for share_name, shares_by_word in shares.items():
            shown = page.shown(_NAME, corpus, found, (TITLES[share_name], shares_by_word))
            drawn = page.pictures(shown, f"{share_name}-")
            if not sides and "sides" in drawn:
                title = (
                    f"Figure 2: bias towards women against bias towards men, {found.order.title}"
                )
                sides.append(Figure("sides", title, drawn["sides"], note=f"{shown.area} {_SHAPES}"))
            if shown.labour is not None and "labour" in drawn:
                title = f"Figure 3: bias against the share of women, {shown.labour.title}"
                note = f"{shown.labour.said} Lines: 95 % intervals; {found.interval}."
                against.append(Figure(f"labour-{share_name}", title, drawn["labour"], note=note))
        return cls(found, (*sides, *against))

    @property
    def biases(self) -> Biases:
        """The biases that are drawn."""
        return self.measured.biases
