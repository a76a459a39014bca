"""A corpus of the texts of questions: documents, counts of pairs, bias of words, and values."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from monitor.corpus.bias import (
    Method,
    average_first,
    first_order,
    high_order,
    method_axis,
    unbiased,
)
from monitor.corpus.concepts import Concepts
from monitor.corpus.counting import count
from monitor.corpus.encoding import CorpusVocabulary
from monitor.corpus.pmi import (
    AssociationKind,
    Flags,
    Pmi,
    context_shares,
    expected_pairs,
    of_kind,
    pmi,
)
from monitor.corpus.resampled import ByDocument, Sums, by_document
from monitor.measures._shared import Facts, ProbeCounts, insufficient_value, measured_value
from monitor.model import Floats, Ints, Share, State, TopicValue, Unit, Value
from monitor.stats.correlation import pearson, spearman
from monitor.stats.intervals import Limits
from monitor.stats.resampling import percentile_interval
from monitor.text.tokens import tokens

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Text = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TextCorpus:
    """D documents of other words each, of N tokens that are in the vocabulary.

    `owner` (D,) is the question that a document counts for, by its place among the sorted `keys`:
    of several questions the first. `tokens` (N,) are numbers of the vocabulary, document d is
    `tokens[offsets[d]:offsets[d + 1]]`. `held` are the documents of each unit, in the order in
    which units were given. `repeats` came again with the same words, `missing` could not be read,
    `empty` hold no word. `counts` is how often every word occurs, the rare ones too.
    """

    keys: Text
    vocabulary: CorpusVocabulary
    counts: Mapping[str, int]
    tokens: Ints
    offsets: Ints
    owner: Ints
    held: tuple[Ints, ...]
    repeats: int
    missing: int
    empty: int

    @property
    def documents(self) -> int:
        """Return the number of texts, each counted once."""
        return len(self.owner)


def corpus_of(units: Sequence[Unit], min_count: int) -> TextCorpus:
    """Return the texts of questions, each once, with the words that occur often enough in them.

    Rarer words are taken out before pairs are counted, so that their neighbours move together. The
    order of the units decides nothing but that of `held`, and that of their texts nothing.
    """
    texts = [_unit_texts(unit) for unit in units]
    keys = tuple(sorted({unit.key for unit in units}))
    key_number = {key: index for index, key in enumerate(keys)}
    number: dict[Text, int] = {}
    owner: list[int] = []
    held: list[Ints] = [np.zeros(0, np.int64)] * len(units)
    for row in sorted(range(len(units)), key=lambda row: units[row].key):
        for words in texts[row]:
            if words and words not in number:
                number[words] = len(number)
                owner.append(key_number[units[row].key])
        held[row] = np.unique(
            np.array([number[text_words] for text_words in texts[row] if text_words], np.int64)
        )
    all_texts = [words for texts_of_unit in texts for words in texts_of_unit]
    counts = Counter(word for words in number for word in words)
    frequent = sorted((-n, word) for word, n in counts.items() if n >= min_count)
    vocabulary = CorpusVocabulary(
        tuple(word for _, word in frequent), np.array([-n for n, _ in frequent], np.int64)
    )
    ids = vocabulary.ids
    numbers = [[ids[word] for word in words if word in ids] for words in number]
    offsets = np.cumsum([0, *map(len, numbers)], dtype=np.int64)
    flat = np.array([word_id for row in numbers for word_id in row], np.int64)
    missing, empty = all_texts.count(None), all_texts.count(())
    return TextCorpus(
        keys, vocabulary, counts, flat, offsets, np.array(owner, np.int64), tuple(held),
        len(all_texts) - missing - empty - len(number), missing, empty,
    )  # fmt: skip


def _unit_texts(unit: Unit) -> list[Text | None]:
    """The words of every document of every list, by their keys; None where nobody could read them.

    By keys and not by words, so that texts with women and men exchanged are drawn alike.
    """
    documents = (document for list_documents in unit.documents for document in list_documents or ())
    return [
        None if list_documents.text is None else tuple(tokens(list_documents.text))
        for list_documents in sorted(documents, key=attrgetter("key"))
    ]


@dataclass(frozen=True, slots=True, eq=False)
class CountedPairs:
    """Counts of a corpus by document, and the numbers of words of lists, each rising.

    `target` are the words that bias is about, `women` and `men` the concept words, `contexts` both.
    """

    by: ByDocument
    vocabulary: CorpusVocabulary
    target: Ints
    women: Ints
    men: Ints
    contexts: Ints

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the words that bias is about."""
        return tuple(self.vocabulary.words[number] for number in self.target.tolist())

    def associations(self, sums: Sums, kind: AssociationKind, cds: float) -> Floats:
        """(P, B) associations of the pairs of words; 0 for pairs that never occur."""
        shares = context_shares(sums.margins.T, cds).T
        expected = sums.margins[self.by.row] * shares[self.by.context]
        return np.nan_to_num(of_kind(pmi(sums.cells, expected), kind), copy=False)

    def expected(self, sums: Sums) -> Floats:
        """(2, B, targets) pairs with the women's and the men's words if they were independent."""
        margins = sums.margins.T
        return np.stack(
            [
                expected_pairs(margins[:, self.target], margins[:, side], margins.sum(axis=1))
                for side in (self.women, self.men)
            ]
        )

    def seen(self, sums: Sums) -> Floats:
        """Return (2, B, targets) pairs with the women's and the men's words that there are."""
        side_pairs = []
        for side in (self.women, self.men):
            inside = np.isin(self.by.row, self.target) & np.isin(self.by.context, side)
            column = np.searchsorted(self.target, self.by.row[inside])
            pairs = np.zeros((len(self.target), sums.cells.shape[1]))
            np.add.at(pairs, column, sums.cells[inside])
            side_pairs.append(pairs.T)
        return np.stack(side_pairs)

    def within(self, tokens: Ints, offsets: Ints) -> Ints:
        """(targets,) how many documents hold each."""
        of = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        pairs = np.unique(tokens * len(offsets) + of) // len(offsets)
        return np.bincount(pairs, minlength=len(self.vocabulary))[self.target]


def count_pairs(
    corpus: TextCorpus, concepts: Concepts, window: int, *, vectors: bool
) -> CountedPairs:
    """Count the pairs of targets with concept words; with `vectors` of both with all words."""
    vocabulary = corpus.vocabulary
    concepts = concepts.spelt(vocabulary.known)

    def numbers(words: Iterable[str]) -> Ints:
        return np.array(sorted(vocabulary.ids[word] for word in vocabulary.known(words)), np.int64)

    target, women, men = map(numbers, (concepts.occupations, concepts.women, concepts.men))
    contexts = np.union1d(women, men)
    rows = np.union1d(target, contexts) if vectors else target
    by = by_document(
        corpus.tokens, corpus.offsets, len(vocabulary), window, rows, None if vectors else contexts
    )
    return CountedPairs(by, vocabulary, target, women, men, contexts)


def explain_refusal(corpus: TextCorpus, found: CountedPairs) -> str:
    """Return why a corpus has no bias; empty if it may have one."""
    if corpus.documents == 0:
        return "no text was read: no question has a result with words"
    if corpus.documents == 1:
        return "there is one text only: how far a value moves with other texts cannot be told"
    for side, words in (("women", found.women), ("men", found.men)):
        if not len(words):
            return f"no word for {side} of the list occurs often enough in the texts"
    return ""


@dataclass(frozen=True, slots=True)
class Formula:
    """Parameters of bias: by `method` of vectors, or without one from single associations."""

    concepts: Concepts
    kind: AssociationKind
    cds: float
    method: Method | None = None

    def biases(self, counted: CountedPairs, sums: Sums) -> Floats:
        """Return (B, targets) biases in B corpora; NaN for a word that has none in one."""
        associations = counted.associations(sums, self.kind, self.cds)
        if self.method is None:
            biases = self._by_pairs(counted, associations)
        else:
            biases = self._by_axis(counted, associations, self.method)
        return np.where(sums.margins[counted.target].T > 0, biases, np.nan)

    def _by_pairs(self, given: CountedPairs, found: Floats) -> Floats:
        cells = found.T.reshape(-1, len(given.target), len(given.contexts))
        women, men = (
            average_first(cells[:, :, np.searchsorted(given.contexts, side)])
            for side in (given.women, given.men)
        )
        return women - men

    def _by_axis(self, given: CountedPairs, found: Floats, method: Method) -> Floats:
        biases = np.full((found.shape[1], len(given.target)), np.nan)
        for index, values in enumerate(np.ascontiguousarray(found.T)):
            vectors = _CorpusVectors.of(given, values)
            along = method_axis(vectors, self.concepts, method)
            if along.reason:
                continue
            targets = vectors.matrix[np.searchsorted(vectors.rows, given.target)]
            product = targets @ along.vector
            lengths = np.sqrt(targets.multiply(targets).sum(axis=1)) if along.units else 1.0
            biases[index] = np.divide(product, lengths, where=lengths > 0, out=biases[index])
        return biases


@dataclass(frozen=True, slots=True, eq=False)
class _CorpusVectors:
    """The associations of `rows` (R,) with all words, `matrix` (R, V), in one corpus."""

    vocabulary: CorpusVocabulary
    rows: Ints
    matrix: "csr_array"

    @classmethod
    def of(cls, given: CountedPairs, values: Floats) -> "_CorpusVectors":
        """Of the values of all pairs that are counted."""
        from scipy.sparse import csr_array  # noqa: PLC0415 - start-up time

        rows = np.union1d(given.target, given.contexts)
        starts = np.searchsorted(given.by.row, np.append(rows, np.inf))
        shape = len(rows), len(given.vocabulary)
        return cls(given.vocabulary, rows, csr_array((values, given.by.context, starts), shape))

    @property
    def words(self) -> Sequence[str]:
        return tuple(self.vocabulary.words[row] for row in self.rows.tolist())

    @property
    def contexts(self) -> Sequence[str]:
        return self.vocabulary.words

    def known(self, words: Iterable[str]) -> list[str]:
        return self.vocabulary.known(words)

    def vectors(self, words: Sequence[str]) -> Floats:
        row_numbers = np.searchsorted(self.rows, [self.vocabulary.ids[word] for word in words])
        return np.asarray(self.matrix[row_numbers].toarray(), np.float64)


def area_facts(
    corpus: TextCorpus, formula: Formula, window: int, floor: int, words: Iterable[str]
) -> Facts:
    """Return facts about some words that have a bias; none for a direction, which has no sides."""
    if formula.method is Method.DIRECTIONAL or np.diff(corpus.offsets).max() <= 1:
        return ()
    model = Pmi(count(corpus, window), formula.kind, formula.cds)
    if formula.method is None:
        bias = first_order(model, model.words, formula.concepts, floor)
    else:
        bias = high_order(model, model.words, formula.concepts, formula.method)
    unbiased_area = unbiased(bias)
    if unbiased_area is None:
        return ()
    by_word = {word.word: word for word in bias.words}
    sides = [
        (f"{side}:{word}", value)
        for word in words
        for side, value in (("women", by_word[word].women), ("men", by_word[word].men))
        if value is not None
    ]
    return (
        ("unbiased_threshold", unbiased_area.threshold),
        ("unbiased_words", float(unbiased_area.n)),
        ("association_low", unbiased_area.low),
        ("association_high", unbiased_area.high),
        *sides,
    )


def rescaled_weights(strata: Ints, draws: int, rng: np.random.Generator) -> Floats:
    """Return (draws, documents) weights that sum to the size of each stratum.

    Of n documents n - 1 are drawn, and count n / (n - 1) each. Drawing n of n would give sums that
    vary (n - 1) / n as much as they should, half of it where a question has two texts. Rao,
    J. N. K., Wu, C. F. J. (1988). Resampling inference with complex survey data. JASA 83, 231-241.
    A document alone in its stratum stays.
    """
    weights = np.ones((draws, len(strata)))
    order = np.argsort(strata, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(strata[order])) + 1):
        if (n := len(members)) > 1:
            weights[:, members] = rng.multinomial(n - 1, np.full(n, 1 / n), size=draws) * (
                n / (n - 1)
            )
    return weights


#: What follows the name of a measure in those of its quantities.
MEAN, PEARSON, SPEARMAN = "mean", "pearson", "spearman"
KINDS = (MEAN, PEARSON, SPEARMAN)
#: Where Fisher's transformation of a correlation ends.
_WIDEST = 1 - 1e-12
#: How far resamples stand off, for a correlation, of how far they do.
NEARER = 0.25
SAME = "all words have the same bias, or the same share of women"


@dataclass(frozen=True, slots=True, eq=False)
class WordBiases:
    """Biases of T words in one corpus, and in B resamples of its documents (B, T).

    `supported` (T,) have a bias. `seen` (2, T) are pairs with the women's and the men's words,
    `expected` (2, T) those of words that are independent; `occurs` (T,) is how often a word stands
    in the texts, `within` (T,) in how many of them. `share` (T,) is that of women in the reference,
    NaN where it has none.
    """

    names: Sequence[str]
    biases: Floats
    draws: Floats
    supported: Flags
    seen: Floats
    expected: Floats
    occurs: Ints
    within: Ints
    share: Floats

    def used(self, kind: str) -> Flags:
        """(T,) the words that a quantity is made of."""
        return self.supported & (np.isfinite(self.share) | (kind == MEAN))


def shares_of(names: Sequence[str], shares: Mapping[str, Share]) -> Floats:
    """(T,) shares of women, NaN where there is none."""
    return np.array(
        [shares[name].value if name in shares else np.nan for name in names], np.float64
    )


def over_words(kind: str, biases: Floats, share: Floats) -> Floats:
    """Return (B,) a quantity of biases (B, T) of words with shares (T,); NaN if undefined."""
    values = np.full(len(biases), np.nan)
    for index, bias in enumerate(biases):
        is_known = np.isfinite(bias)
        if kind == MEAN:
            values[index] = bias[is_known].mean() if is_known.any() else np.nan
            continue
        r = (pearson if kind == PEARSON else spearman)(bias[is_known], share[is_known])
        values[index] = np.nan if r is None else r
    return values


def limits_about(value: float, draws: Floats) -> Limits | None:
    """Percentile limits of the draws, moved so that their mean is the value.

    A resample lacks some documents, and rarer pairs with them, which pulls every bias to 0. That
    may widen an interval, but not shift it.
    """
    defined = draws[np.isfinite(draws)]
    return percentile_interval(draws - defined.mean() + value) if len(defined) else None


def pull_draws(biases: Floats, draws: Floats) -> Floats:
    """(B, T) draws of biases (T,) about them, at a part of their distance.

    Biases of resamples hold the noise of the texts twice. A correlation that is mostly noise moves
    less with more of it, and its limits would be too narrow by a third.
    """
    is_known = np.isfinite(draws)
    means = np.where(is_known, draws, 0).sum(axis=0) / np.maximum(is_known.sum(axis=0), 1)
    with np.errstate(invalid="ignore"):
        return np.asarray(biases + NEARER * (draws - means), np.float64)


def about_correlation(value: float, draws: Floats) -> Limits | None:
    """Return an interval on Fisher's scale, which has no end, of draws of biases by `nearer`."""
    z = np.arctanh(np.clip([value, *draws], -_WIDEST, _WIDEST))
    limits = limits_about(float(z[0]), z[0] + (z[1:] - z[0]) / NEARER)
    return limits and Limits(float(np.tanh(limits.low)), float(np.tanh(limits.high)))


def corpus_values(
    name: str, given: WordBiases, counts: ProbeCounts, facts: Facts, area: Facts, floor: int
) -> list[Value]:
    """The three quantities of a measure, each over the words that it can use.

    `area` is of all words and told with the first.
    """
    return [
        _corpus_value(
            f"{name}_{kind}", kind, given, counts, (*facts, *area) if kind == MEAN else facts, floor
        )
        for kind in KINDS
    ]


def _corpus_value(
    quantity: str, kind: str, given: WordBiases, counts: ProbeCounts, facts: Facts, floor: int
) -> Value:
    usable = given.used(kind)
    all_facts = (*facts, ("words_used", float(usable.sum())))
    if reason := too_few(kind, int(usable.sum()), floor):
        return insufficient_value(quantity, "all", counts, reason, all_facts)
    biases, share = given.biases[usable], given.share[usable]
    value = float(over_words(kind, biases[None], share)[0])
    if np.isnan(value):
        return insufficient_value(quantity, "all", counts, SAME, all_facts)
    usable_draws = given.draws[:, usable]
    draws = over_words(
        kind, usable_draws if kind == MEAN else pull_draws(biases, usable_draws), share
    )
    if kind == MEAN:
        all_facts += (("mean_absolute", float(np.abs(biases).mean())),)
    interval = (limits_about if kind == MEAN else about_correlation)(value, draws)
    return measured_value(quantity, "all", counts, value, interval, None, all_facts)


def too_few(kind: str, n: int, floor: int) -> str:
    """Return why so few words make no quantity; empty if they do."""
    what = "have support" if kind == MEAN else "have support and a share of women"
    return f"{n} words {what}, floor {floor}" if n < floor else ""


def lacking_values(name: str, counts: ProbeCounts, facts: Facts, reason: str) -> list[Value]:
    """No value of any quantity, for one reason."""
    return [insufficient_value(f"{name}_{kind}", "all", counts, reason, facts) for kind in KINDS]


def word_rows(
    given: WordBiases,
    documents: int,
    floor: int,
    shares: Mapping[str, Share],
    rare: Mapping[str, str],
) -> tuple[TopicValue, ...]:
    """Return a row for each word that occurs, in alphabetical order; `rare` ones with the reason.

    They count texts and not questions: `women` and `men` are the pairs that were seen with the
    words of each side, `used` the texts that hold the word of all `documents`, `shown` is how often
    it occurs.
    """
    rows = [_word_row(given, index, documents, floor) for index in range(len(given.names))]
    rows += [_empty_row(word, documents, reason=reason) for word, reason in rare.items()]
    with_targets = [_with_target(row, shares.get(row.topic)) for row in rows]
    return tuple(sorted(with_targets, key=lambda row: row.topic))


def _word_row(given: WordBiases, at: int, documents: int, floor: int) -> TopicValue:
    word, near = given.names[at], given.expected[:, at]
    row = replace(
        _empty_row(word, documents), used=int(given.within[at]), shown=int(given.occurs[at]),
        women=float(given.seen[0, at]), men=float(given.seen[1, at]),
    )  # fmt: skip
    if near.min() < floor:
        expected = f"{near[0]:.1f} with the women's and {near[1]:.1f} with the men's"
        reason = f"of its pairs with concept words {expected} are expected by chance, floor {floor}"
        return replace(row, reason=reason)
    if not given.supported[at]:
        return replace(row, reason="its vector is zero: it is like no other")
    value = float(given.biases[at])
    low, high = limits_about(value, given.draws[:, at]) or (None, None)
    return replace(
        row, state=State.MEASURED, model=value, model_low=low, model_high=high, bias=value
    )


def _empty_row(word: str, documents: int, reason: str = "") -> TopicValue:
    return TopicValue(word, State.INSUFFICIENT, documents, documents, 0, 0, reason=reason)


def _with_target(row: TopicValue, share: Share | None) -> TopicValue:
    if share is None:
        return row
    return replace(
        row, target=share.value, source=share.source, country=share.country, as_of=share.as_of
    )
