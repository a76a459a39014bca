"""The tables of the study `first-order`: correlations, words, and what makes up a bias."""

from collections.abc import Mapping, Sequence

from monitor.corpus.bias import Bias, Biases
from monitor.corpus.concepts import Concepts
from monitor.corpus.encoded import EncodedCorpus
from monitor.corpus.labour import TITLES, correlations
from monitor.model import InvalidInput
from monitor.stages.corpus_bias import Measured, Model, parts_of
from monitor.stages.corpus_rows import rows_of
from monitor.studies._corpus_grid import Grid
from monitor.studies.found import Cell, Table
from monitor.text.counted_nouns import several

Shares = Mapping[str, Mapping[str, float]]

#: Parts of a bias that are shown for each word and measure.
_PARTS = 10


def correlations_table(found: Sequence[Measured], shares: Shares) -> Table:
    """Table 1: a row for each representation, measure and target."""
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        values = one.biases.values
        for target, some in shares.items():
            rank, line = correlations(values, some)
            rows.append((
                str(one.order.representation), str(one.order.measure), len(values),
                TITLES[target], rank.n, rank.n_total, rank.value, rank.low, rank.high,
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
