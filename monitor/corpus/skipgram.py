"""word2vec skip-gram of a corpus: encoded texts in, vectors of words and contexts out.

Learnt by gensim, an extra, with negative samples. First order is explicit skip-gram, the model's
own probability that a pair is one of the texts: eSG(w, c) = sigmoid(v_w . u_c).

Learning is random: a seed and one thread make it repeatable. What holds is what several seeds have
in common, each on documents drawn anew where the corpus is taken for a sample.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from monitor.corpus.bias import Biases
from monitor.corpus.encoded import EncodedCorpus
from monitor.corpus.factors import Factors
from monitor.model import Ints, InvalidInput, MissingPart

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
    texts = _SkipgramTexts(corpus, _draw_documents(corpus, seed) if settings.resampled else None)
    model = _require_gensim()(
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


def _require_gensim() -> Any:  # noqa: ANN401 - the library has no types
    try:
        from gensim.models.word2vec import Word2Vec  # noqa: PLC0415 - optional
    except ImportError as error:
        raise MissingPart(
            "skip-gram: gensim is not installed: pip install 'gbmonitor[word2vec]'"
        ) from error
    return Word2Vec


def _draw_documents(corpus: EncodedCorpus, seed: int) -> Ints:
    """As many documents as there are, with replacement."""
    documents = len(corpus.offsets) - 1
    return np.random.default_rng(seed).integers(documents, size=documents)


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
