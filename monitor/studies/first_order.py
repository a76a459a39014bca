"""First-order bias of a corpus: every representation against the labour market, and the figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor.corpus.bias import Associations, Bias, Biases, Method, first_order, high_order
from monitor.corpus.concepts import (
    TARGETS,
    TITLES,
    Concepts,
    correlate_shares,
    neutral_words,
    target_shares,
)
from monitor.corpus.encoding import Cooccurrences, EncodedCorpus, encode_documents
from monitor.corpus.pmi import AssociationKind, Pmi, ids, pairs
from monitor.input_files import parse_json, read_text
from monitor.model import InvalidInput
from monitor.stages.derive.corpus_bias import (
    MeasuredCorpus,
    Model,
    measure_corpus,
    of_counts,
    parts_of,
    rows_of,
)
from monitor.stages.reports import corpus_page
from monitor.stages.reports.bias_charts import say_unbiased
from monitor.studies import _corpus_texts as given_texts
from monitor.studies._corpus_texts import (
    OPTIONS,
    PAPER,
    Grid,
    StudyTexts,
    measure_grid,
    open_corpus,
    report_once,
    require_one_source,
)
from monitor.studies.catalogue import (
    Cell,
    Figure,
    Limit,
    Option,
    ReferenceInputs,
    ReportStep,
    Study,
    StudyCheck,
    StudyResult,
    Table,
    check_elsewhere,
    check_must,
)
from monitor.text.counted_nouns import several

#: For validation: SVD in 300 dimensions takes minutes.
_FEW_DIMENSIONS = 50

LIMITS = (
    Limit(
        "The paper's own numbers (Table 1, Figures 2 and 3)",
        "they are of the English Wikipedia of 2017 with the authors' vectors; on other texts the "
        "same measures give other numbers, and none is claimed to be equal to them",
    ),
    Limit(
        "GloVe, eGloVe",
        "its vectors are learnt by its own program and read from a file with context vectors; "
        "without --vectors it is left out",
    ),
)


class FirstOrderStudy(Study):
    """Table 1, Figures 2 and 3 and Table 2, on any corpus."""

    name = "first-order"
    title = "First-order co-occurrence: bias of occupations in a corpus"
    paper = f"{PAPER}, Tables 1 and 2, Figures 2 and 3"
    question = (
        "How far does the bias of occupations in a body of texts follow the share of women in "
        "them, by representation, and by first order against what vectors say?"
    )
    example = "first-order --texts news.txt.gz --dimensions 100"
    options = (
        Option("corpus", "A corpus of `monitor corpus list`, or its folder, in place of --texts."),
        *OPTIONS,
        Option("vectors", "GloVe's file with context vectors (-model 0), of --dimensions.", Path),
        Option("contexts", "GloVe: a second file, with the context vectors.", Path),
        Option("seeds", "skip-gram: how many models are learnt; from 10 on they give an interval.",
               int, default=10),
        Option("below-floor", "Learn skip-gram also of less than ten million tokens, where it says "
               "more of the seed than of the texts.", bool, default=False),
        Option("draws", "Resamples for the intervals in Figure 3; 0 leaves them out.", int,
               default=1_000),
        Option("explain", "Word whose bias is taken apart (Table 2), may be given again; else the "
               "occupation furthest towards either side.", several=True),
        Option("published", "JSON with counts, biases and correlations of the same texts, computed "
               "elsewhere, to hold ours against.", Path),
    )  # fmt: skip
    #: 106 articles of Wikipedia, with the values of an independent implementation.
    reference = ReferenceInputs(
        {"texts": ("oracles/enwiki106.json.gz",), "published": "oracles/g1_counts_pmi.json"},
        {"tokens": "blanks", "min-count": 3, "floor": 0.0, "dimensions": _FEW_DIMENSIONS},
    )

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput naming the option, what is wrong with it, and the remedy."""
        for name, least in (("seeds", 1), ("draws", 0)):
            if given[name] < least:
                raise InvalidInput(f"--{name} {given[name]}: give {least} or more")
        grid, concepts = Grid.of(given), given_texts.open_concepts(given)
        published = read_published(given["published"]) if given["published"] else None
        ran, corpus = _build_corpus(given, tell)
        shares = {name: target_shares(name) for name in TARGETS}
        words_of_shares = (
            word for shares_of_target in shares.values() for word in shares_of_target
        )
        words = tuple(dict.fromkeys([*concepts.occupations, *words_of_shares]))
        cells = measure_grid(corpus, grid, concepts, words, report_once(tell))
        tell("drawing")
        drawn_biases = DrawnBiases.of(corpus, grid, concepts, words, shares, given["draws"])
        explained = tuple(given["explain"] or ()) or furthest_words(
            drawn_biases.biases, neutral_words(words)
        )
        model = of_counts(cells.counts, drawn_biases.measured.order)
        held = [check_mirror(model, concepts, words, grid.floor)]
        if published is not None:
            tell("comparing")
            held += check_published(published, cells.counts, words, concepts)
        return StudyResult(
            ran=ran,
            checks=held,
            tables=(
                correlations_table(cells.found, shares),
                words_table(corpus, drawn_biases.measured, shares),
                parts_table(model, grid, concepts, explained),
            ),
            figures=drawn_biases.figures,
            limits=(*cells.limits, *(LIMITS if given["vectors"] is None else LIMITS[:1])),
            notes=reading_notes(cells.found, drawn_biases.measured, grid),
        )


def _build_corpus(
    given: Mapping[str, Any], tell: ReportStep
) -> tuple[dict[str, str], EncodedCorpus]:
    """The corpus, and what it was."""
    require_one_source(given)
    if given["corpus"]:
        corpus = open_corpus(given["corpus"])
        return {"corpus": given_texts.describe_corpus(corpus)}, corpus
    texts = StudyTexts.of(given)
    tell("reading")
    corpus = encode_documents(texts.documents(), texts.rules)
    return {"texts": texts.said, "corpus": given_texts.describe_corpus(corpus)}, corpus


STUDY = FirstOrderStudy()


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


def read_published(path: Path) -> dict[str, Any]:
    """The file. Raises InvalidInput naming it and what is missing."""
    parsed = parse_json(read_text(path), f"--published {path}")
    record = parsed if isinstance(parsed, dict) else {}
    if missing := [key for key in _KEYS if key not in record]:
        raise InvalidInput(
            f"--published {path}: {missing[0]!r} is missing; needed are {', '.join(_KEYS)}"
        )
    return record


def check_mirror(
    associations: Associations, concepts: Concepts, words: Sequence[str], floor: float
) -> StudyCheck:
    """Women and men exchanged, every bias has to change its sign and nothing else."""
    plain, exchanged = (
        first_order(associations, words, lists, floor).values
        for lists in (concepts, concepts.swapped)
    )
    same = plain.keys() == exchanged.keys() and bool(plain)
    return check_must(
        "word lists exchanged: largest |bias + exchanged bias|",
        "must be 0: the two sides are treated alike",
        max(abs(plain[word] + exchanged[word]) for word in plain) if same else None,
        0.0,
        _EXACT,
        f"{len(plain):,} words" if same else "no word has a bias",
    )


def check_published(
    told: Mapping[str, Any], counts: Cooccurrences, words: Sequence[str], concepts: Concepts
) -> list[StudyCheck]:
    """Every number of the file; of those by word the largest difference."""
    return [
        *_check_counts(told, counts),
        *_check_first_order(told["average_first"], counts, words, concepts),
        *_check_high_order(told["high_order_on_PPMI"], counts, words, concepts),
    ]


def _check_counts(published: Mapping[str, Any], counts: Cooccurrences) -> Iterator[StudyCheck]:
    where = "counts, exactly"
    words = counts.vocabulary
    for what, n, key in (
        ("words of the vocabulary", len(words), "vocab_size"),
        ("pairs within the window", counts.total, "total_pairs"),
    ):
        yield check_elsewhere(what, where, n, published[key], _EXACT)
    known_words = words.known(published["row_totals"])
    totals = dict(
        zip(known_words, counts.row_totals[ids(counts, known_words)].tolist(), strict=True)
    )
    yield _check_largest("pairs of each word", where, totals, published["row_totals"], _EXACT)
    gendered = words.known([*published["female_words"], *published["male_words"]])
    rows = words.known(published["cell_counts"])
    cells = pairs(counts, ids(counts, rows), ids(counts, gendered)).tolist()
    computed = {
        (word, gendered_word): n
        for word, row in zip(rows, cells, strict=True)
        for gendered_word, n in zip(gendered, row, strict=True)
        if n
    }
    expected = {
        (word, gendered_word): n
        for word, row in published["cell_counts"].items()
        for gendered_word, n in row.items()
    }
    yield _check_largest(
        "pairs of each word and each concept word", where, computed, expected, _EXACT
    )


def _check_first_order(
    told: Mapping[str, Any], counts: Cooccurrences, words: Sequence[str], concepts: Concepts
) -> Iterator[StudyCheck]:
    for key, case in told.items():
        name, _, cds = key.partition("_cds")
        model = Pmi(counts, AssociationKind(name.lower()), float(cds))
        biases = first_order(model, words, concepts, floor=None)
        title = f"first order, {name}, cds {float(cds):g}"
        computed = {
            (bias.word, side): value
            for bias in biases.words
            for side, value in (("f", bias.women), ("m", bias.men), ("bias", bias.value))
            if value is not None
        }
        expected = {
            (w, side): v for w, sides in case["per_word"].items() for side, v in sides.items()
        }
        yield _check_largest(
            f"{title}: both sides and bias of each word", "by word", computed, expected
        )
        yield from _check_correlations(title, biases, case["correlation"])


def _check_high_order(
    told: Mapping[str, Any], counts: Cooccurrences, words: Sequence[str], concepts: Concepts
) -> Iterator[StudyCheck]:
    model, values = Pmi(counts), told["per_method"]
    for method in Method:
        biases = high_order(model, words, concepts, method)
        title = f"{method}, PPMI"
        yield _check_largest(
            f"{title}: bias of each word", "by word", biases.values, values[method]
        )
        if method is Method.DIRECTIONAL:
            computed, expected = (
                dict(enumerate(shares)) for shares in (biases.explained, values["explained"])
            )
            yield _check_largest(f"{title}: shares of variance", "by component", computed, expected)
        yield from _check_correlations(title, biases, told["correlation"][method])


def _check_correlations(title: str, found: Biases, told: Mapping[str, Any]) -> Iterator[StudyCheck]:
    for name, expected in told.items():
        for coefficient in correlate_shares(found.values, target_shares(_TARGETS[name])):
            same = (coefficient.n, set(coefficient.missing)) == (
                expected["n"],
                set(expected["missing"]),
            )
            yield check_elsewhere(
                f"{title}: {coefficient.name} correlation with {_TARGETS[name]}",
                "labour market",
                coefficient.value if same else None,
                expected[coefficient.name],
                _SAME,
                f"{coefficient.n} of {coefficient.n_total} occupations" if same else _OTHER_WORDS,
            )


def _check_largest(
    what: str,
    where: str,
    ours: Mapping[Any, float],
    theirs: Mapping[Any, float],
    tolerance: float = _SAME,
) -> StudyCheck:
    """The largest difference of two tables with the same keys."""
    same = ours.keys() == theirs.keys() and bool(ours)
    return check_elsewhere(
        f"{what}: largest difference",
        where,
        max(abs(ours[key] - theirs[key]) for key in theirs) if same else None,
        0.0,
        tolerance,
        f"{len(theirs):,} numbers" if same else _OTHER_WORDS,
    )


Shares = Mapping[str, Mapping[str, float]]

#: Parts of a bias that are shown for each word and measure.
_PARTS = 10


def correlations_table(found: Sequence[MeasuredCorpus], shares: Shares) -> Table:
    """Table 1: a row for each representation, measure and target."""
    rows: list[tuple[Cell, ...]] = []
    for measured_cell in found:
        values = measured_cell.biases.values
        for share_name, shares_by_word in shares.items():
            rank, line = correlate_shares(values, shares_by_word)
            rows.append((
                str(measured_cell.order.representation), str(measured_cell.order.measure),
                len(values),
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


def words_table(corpus: EncodedCorpus, found: MeasuredCorpus, shares: Shares) -> Table:
    """Every occupation with the numbers behind Figures 2 and 3."""
    names = (
        "word", "bias", "low", "high", "women", "men", "occurs", "expected_women", "expected_men",
    )  # fmt: skip
    rows = [
        (*(row[name] for name in names), *(by_word.get(row["word"]) for by_word in shares.values()),
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


def furthest_words(biases: Biases, words: Sequence[str]) -> tuple[str, ...]:
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
            parts = parts_of(model, order, concepts, word, _PARTS)
            if isinstance(parts, Bias):
                if order is orders[0]:
                    raise InvalidInput(f"--explain {word}: it has no value: {parts.reason}")
                continue
            name = str(order.measure)
            rows += [(word, name, part.word, part.value, parts.total) for part in parts.parts]
            if remaining := parts.n - len(parts.parts):
                rows.append((word, name, f"({remaining:,} others)", parts.rest, parts.total))
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


def reading_notes(found: Sequence[MeasuredCorpus], drawn: MeasuredCorpus, grid: Grid) -> list[str]:
    """Return what to know before reading the numbers."""
    biases = drawn.biases
    values = len(biases.values)
    missing = ", ".join(biases.missing) or "none"
    sentences = [
        (
            f"{values:,} of {several(len(biases.words), 'word')} have a bias ({drawn.order.title}, "
            f"floor {grid.floor:g}). Words for women and men that the texts lack: {missing}."
        )
    ]
    if not values:
        sentences.append(
            "There is nothing to draw: take more texts, or a lower --floor or --min-count."
        )
    sentences += grid.explain(cell.order for cell in found)
    return sentences + list(dict.fromkeys(note for cell in found for note in cell.notes))


_NAME = "the texts"
_SHAPES = "● towards women, ◆ towards men, ■ within the unbiased area."


@dataclass(frozen=True, slots=True)
class DrawnBiases:
    """The measured biases behind the figures, and the figures."""

    measured: MeasuredCorpus
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
    ) -> "DrawnBiases":
        """Of the representation that stands for all."""
        order = grid.order(grid.headline, draws=draws)
        biases = measure_corpus(corpus, order, concepts, words, area=True)
        sides: list[Figure] = []
        against: list[Figure] = []
        for share_name, shares_by_word in shares.items():
            labour = TITLES[share_name]
            shown_page = corpus_page.CorpusPage(_NAME, corpus, biases, (labour, shares_by_word))
            pictures = shown_page.draw(f"{share_name}-")
            if biases.area is not None and not sides and "sides" in pictures:
                title = (
                    f"Figure 2: bias towards women against bias towards men, {biases.order.title}"
                )
                note = f"{say_unbiased(biases.area)} {_SHAPES}"
                sides.append(Figure("sides", title, pictures["sides"], note=note))
            if "labour" in pictures:
                title = f"Figure 3: bias against the share of women, {labour}"
                note = f"{shown_page.labour_said} Lines: 95 % intervals; {biases.interval}."
                against.append(Figure(f"labour-{share_name}", title, pictures["labour"], note=note))
        return cls(biases, (*sides, *against))

    @property
    def biases(self) -> Biases:
        """The biases that are drawn."""
        return self.measured.biases
