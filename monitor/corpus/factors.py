"""Two vectors of each word, one of the word and one of it as context: by SVD and from GloVe files.

First order is rebuilt from both, e_{w:c} = v_w . u_c or sigmoid(v_w . u_c); high order takes the
vectors of words alone.

SVD: the matrix M of associations is nearly U S V' with the d largest singular values. Words get
U S^p, contexts V S^(1-p), so that first order, v_w . u_c, is the best approximation of M of rank d
for every p; p decides how much the large components count in the vectors of words: 0.5 is the
symmetric weighting, 0 and 1 the others of Levy, O., Goldberg, Y., Dagan, I. (2015). Improving
distributional similarity with lessons learned from word embeddings. TACL 3, 211-225.

GloVe: eGloVe(w, c) = v_w . u_c, without the bias terms. Most published files hold the sum of both
vectors or those of words alone, which do not give it. GloVe writes both with `-model 0` (each row:
word, d numbers, its bias, d numbers of the context, its bias) and newer versions with `-model 3`
(word, d numbers, d numbers); two files, one of words and one of contexts, are accepted as well. The
number of dimensions must be given, because a row does not tell it. initGloVe(w, c) = log p(w|c) =
log( n_wc / n_c ) is what GloVe learns from, and is made of counts.

Skip-gram: word2vec of encoded texts, learnt by gensim, an extra, with negative samples. First order
is explicit skip-gram, the model's own probability that a pair is one of the texts: eSG(w, c) =
sigmoid(v_w . u_c). Learning is random: a seed and one thread make it repeatable. What holds is what
several seeds have in common, each on documents drawn anew where the corpus is taken for a sample.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from monitor.corpus.bias import Biases
from monitor.corpus.encoding import EncodedCorpus
from monitor.corpus.pmi import OfCounts, Pmi, ids, pairs, pmi
from monitor.lexicons.vectors import Rows, TextVectors, header_of, open_bytes
from monitor.model import Floats, Ints, InvalidInput, MissingPart


@dataclass(frozen=True, slots=True, eq=False)
class Factors:
    """Vectors of words and of contexts, both (words, dimensions). No pair is unknown to them."""

    words: Sequence[str]
    left: NDArray[np.floating]
    right: NDArray[np.floating]
    sigmoid: bool = False
    unseen: float | None = field(default=None, init=False)
    contexts: Sequence[str] | None = field(default=None, init=False)
    ids: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.left.shape != self.right.shape or len(self.left) != len(self.words):
            raise InvalidInput(
                f"{len(self.words):,} words, word vectors {self.left.shape}, context vectors "
                f"{self.right.shape}: each word needs one of each, of the same length"
            )
        object.__setattr__(self, "ids", {word: i for i, word in enumerate(self.words)})

    def known(self, words: Iterable[str]) -> list[str]:
        return [word for word in dict.fromkeys(words) if word in self.ids]

    def values(self, words: Sequence[str], contexts: Sequence[str]) -> Floats:
        products: Floats = self._rows(self.left, words) @ self._rows(self.right, contexts).T
        # 1 / (1 + exp(-x)) without overflow
        return (1.0 + np.tanh(products / 2.0)) / 2.0 if self.sigmoid else products

    def expected(self, words: Sequence[str], contexts: Sequence[str]) -> Floats | None:  # noqa: ARG002
        return None

    def vectors(self, words: Sequence[str]) -> Floats:
        return self._rows(self.left, words)

    def _rows(self, rows: NDArray[np.floating], words: Sequence[str]) -> Floats:
        return np.asarray(rows[[self.ids[word] for word in words]], np.float64)


DIMENSIONS = 300

#: Components of so small a share of the largest are noise of the arithmetic.
_NOTHING = 1e-10


def reduce_dimensions(
    source: Pmi, dimensions: int = DIMENSIONS, weighting: float = 0.5, seed: int = 0
) -> Factors:
    """Both factors. The same seed gives the same vectors: it chooses where the search starts."""
    from scipy.sparse.linalg import svds  # noqa: PLC0415 - start-up time

    n = len(source.words)
    if not 1 <= dimensions < n:
        raise InvalidInput(
            f"svd: {dimensions:,} dimensions asked for, {n:,} words: at least 1 and fewer than "
            "there are words"
        )
    if not 0 <= weighting <= 1:
        raise InvalidInput(f"svd: weighting is {weighting}; it must be within 0 and 1")
    start = np.random.default_rng(seed).standard_normal(n)
    matrix = source.matrix()
    if not matrix.data.any():
        raise InvalidInput("svd: all associations are 0: take another representation or more text")
    left_vectors, sizes, right = svds(matrix, k=dimensions, v0=start, solver="arpack")
    order = np.argsort(-sizes, kind="stable")
    order = order[sizes[order] > _NOTHING * sizes.max()]
    left_vectors, sizes, right = left_vectors[:, order], sizes[order], right[order].T
    # the sign of a component is free: its largest entry is positive
    signs = np.sign(left_vectors[np.abs(left_vectors).argmax(axis=0), np.arange(len(order))])
    return Factors(
        source.words,
        left_vectors * signs * sizes**weighting,
        right * signs * sizes ** (1.0 - weighting),
    )


_REMEDY = (
    "first order needs context vectors as well: write them with GloVe's options `-model 0 "
    "-write-header 0`, or give the file of context vectors as a second one"
)


def read_glove(path: Path, dimensions: int, contexts: Path | None = None) -> Factors:
    """Both vectors of a file, or those of a file of words and one of contexts.

    Raises InvalidInput naming the file and what it lacks.
    """
    words, rows = _read_rows(path)
    if contexts is not None:
        return _join_files(path, words, rows, contexts, dimensions)
    width = rows.shape[1]
    if width == 2 * dimensions + 2:
        return Factors(words, rows[:, :dimensions], rows[:, dimensions + 1 : -1])
    if width == 2 * dimensions:
        return Factors(words, rows[:, :dimensions], rows[:, dimensions:])
    if width == dimensions:
        raise InvalidInput(f"{path}: one vector of {width:,} numbers a word; {_REMEDY}")
    raise InvalidInput(
        f"{path}: {width:,} numbers a word; with {dimensions:,} dimensions it would be "
        f"{2 * dimensions + 2:,} (-model 0) or {2 * dimensions:,} (-model 3): say how many "
        "dimensions the vectors have"
    )


def _join_files(
    path: Path, words: Sequence[str], rows: Rows, contexts: Path, dimensions: int
) -> Factors:
    """Words that are in both files, in the order of the first."""
    context_words, columns = _read_rows(contexts)
    for file, file_columns in ((path, rows), (contexts, columns)):
        if file_columns.shape[1] != dimensions:
            raise InvalidInput(
                f"{file}: {file_columns.shape[1]:,} numbers a word, {dimensions:,} expected"
            )
    places = {word: position for position, word in enumerate(context_words)}
    shared = [position for position, word in enumerate(words) if word in places]
    if not shared:
        raise InvalidInput(f"{contexts}: no word of {path} is in it: are they of one model?")
    words_of_both = [words[position] for position in shared]
    return Factors(words_of_both, rows[shared], columns[[places[word] for word in words_of_both]])


def _read_rows(path: Path) -> tuple[list[str], Rows]:
    """Words and all their numbers; of a word that comes twice the first row counts."""
    with open_bytes(path) as file:
        form = "glove" if header_of(file.readline()) is None else "text"
    row_words: dict[str, None] = {}
    rows_read = []
    for block in TextVectors.opened(path, form).blocks():
        new = []
        for position, word in enumerate(block.words):
            if word not in row_words:
                row_words[word] = None
                new.append(position)
        rows_read.append(block.rows[new])
    return list(row_words), np.concatenate(rows_read)


@dataclass(frozen=True)
class InitGlove(OfCounts):
    """log p(w|c). A pair that never occurred has no value, and no stand-in: log 0."""

    unseen: ClassVar[float | None] = None

    def values(self, words: Sequence[str], contexts: Sequence[str]) -> Floats:
        pair_counts = pairs(self.counts, ids(self.counts, words), ids(self.counts, contexts))
        totals = self.counts.row_totals[ids(self.counts, contexts)]
        return pmi(pair_counts, np.broadcast_to(totals, pair_counts.shape))


# --- skip-gram ------------------------------------------------------------------------------------


#: With fewer tokens the vectors say more of the seed than of the texts.
FLOOR_TOKENS = 10_000_000

#: Seeds from which on their spread makes an interval.
LEAST_SEEDS = 10

#: gensim leaves out what a text has beyond so many words, without a word.
_LONGEST = 10_000


@dataclass(frozen=True, slots=True)
class SkipgramSettings:
    """As the paper has them where it says so: 300 dimensions, a window of 5."""

    dimensions: int = 300
    window: int = 5
    negative: int = 5
    epochs: int = 5
    sample: float = 1e-3
    resampled: bool = False  # documents drawn anew with replacement, by the seed


@dataclass(frozen=True, slots=True)
class Spread:
    """A word's bias over several seeds: the mean, and where one more run is expected to lie."""

    value: float
    low: float | None
    high: float | None
    runs: int


def below_floor(tokens: int) -> str:
    """Return a warning for a corpus below the floor; empty for one above it."""
    if tokens >= FLOOR_TOKENS:
        return ""
    return (
        f"skip-gram: {tokens:,} tokens, and below {FLOOR_TOKENS:,} its vectors say more of the "
        "seed than of the texts; take the representation ppmi"
    )


def skip_gram(
    corpus: EncodedCorpus, seed: int, settings: SkipgramSettings | None = None
) -> Factors:
    """Vectors learnt with one seed. Raises MissingPart, or InvalidInput for an empty corpus."""
    settings = settings or SkipgramSettings()
    if not len(corpus.tokens):
        raise InvalidInput("skip-gram: the corpus has no words: take more text")
    try:
        from gensim.models.word2vec import Word2Vec  # noqa: PLC0415 - optional
    except ImportError as error:
        raise MissingPart(
            "skip-gram: gensim is not installed: pip install 'gbmonitor[word2vec]'"
        ) from error
    chosen, n = None, len(corpus.offsets) - 1
    if settings.resampled:  # as many documents as there are, with replacement
        chosen = np.random.default_rng(seed).integers(n, size=n)
    texts = _SkipgramTexts(corpus, chosen)
    model: Any = Word2Vec(
        vector_size=settings.dimensions,
        window=settings.window,
        negative=settings.negative,
        sample=settings.sample,
        sg=1,
        min_count=1,
        seed=seed,
        workers=1,
    )
    words = corpus.vocabulary.words
    counts = corpus.vocabulary.counts.tolist()
    model.build_vocab_from_freq(dict(zip(words, counts, strict=True)))
    model.train(texts, total_examples=texts.n, total_words=sum(counts), epochs=settings.epochs)
    rows = [model.wv.key_to_index[word] for word in words]
    return Factors(words, model.wv.vectors[rows], model.syn1neg[rows], sigmoid=True)


def over_seeds(runs: Sequence[Biases]) -> dict[str, Spread]:
    """The bias of each word that all runs have; limits from 10 runs on.

    Mean -+ t(runs - 1) * standard deviation over runs. With documents drawn anew for every seed
    that is the error of a single run, from texts and learning, and on the safe side for the mean.
    """
    from scipy.special import stdtrit  # noqa: PLC0415 - start-up time

    tables = [run.values for run in runs]
    shared = (
        [word for word in tables[0] if all(word in table for table in tables)] if tables else []
    )
    models = {}
    for word in shared:
        values = np.array([table[word] for table in tables])
        value = float(values.mean())
        low = high = None
        if len(values) >= LEAST_SEEDS:
            half = float(stdtrit(len(values) - 1, 0.975) * values.std(ddof=1))
            low, high = value - half, value + half
        models[word] = Spread(value, low, high, len(values))
    return models


@dataclass(frozen=True, slots=True)
class _SkipgramTexts:
    """Documents as lists of words, again and again; long ones in parts."""

    corpus: EncodedCorpus
    chosen: Ints | None
    n: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", sum(1 for _ in self._parts()))

    def __iter__(self) -> Iterator[list[str]]:
        words = self.corpus.vocabulary.words
        for begin, end in self._parts():
            yield [words[token_id] for token_id in self.corpus.tokens[begin:end].tolist()]

    def _parts(self) -> Iterator[tuple[int, int]]:
        offsets = self.corpus.offsets
        documents = range(len(offsets) - 1) if self.chosen is None else self.chosen.tolist()
        for document in documents:
            end = int(offsets[document + 1])
            for begin in range(int(offsets[document]), end, _LONGEST):
                yield begin, min(begin + _LONGEST, end)
