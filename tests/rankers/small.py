"""What the tests of rankers share: small indexes, vectors by hand, formulas in plain Python."""

import hashlib
import json
import math
from collections import Counter

import numpy as np

from monitor.rankers.build import build_index
from monitor.rankers.corpus import CorpusEntry
from monitor.rankers.index import Index
from monitor.text.tokens import tokens

TEXTS = {
    "a": "The nurse said that she was tired.",
    "b": "The doctor said he was tired, and the nurse agreed.",
    "c": "Rain in Vienna; more rain in Graz.",
    "d": "",
    "e": "A doctor, a nurse, a doctor.",
    "f": "The nurse said that she was tired.",
}


def silent(_done):
    """Shows no progress."""


def entries(texts):
    return [CorpusEntry(key, "", text, key) for key, text in texts.items()]


def index_of(folder, texts, **options):
    """An index of {id: text}, opened."""
    build_index(entries(texts), folder, silent, version="0", **options)
    return Index(folder)


def keys(index, ranked):
    return [index.key(number) for number in ranked.documents.tolist()]


def pairs(index, ranked):
    """[(id, score)] of a list."""
    return list(zip(keys(index, ranked), ranked.scores.tolist(), strict=True))


class Toy:
    """Vectors in memory."""

    name = "toy"

    def __init__(self, vectors):
        self._rows = {word: row for row, word in enumerate(vectors)}
        self.matrix = np.array(list(vectors.values()), np.float32)
        self.digest = hashlib.sha256(json.dumps(vectors, sort_keys=True).encode()).hexdigest()

    def rows(self, words):
        return np.array([self._rows.get(word, -1) for word in words], np.int64)

    def vector(self, word):
        row = self._rows.get(word)
        return None if row is None else self.matrix[row].astype(float).tolist()


def drawn_vectors(words, size=7, seed=3):
    """Vectors for some words, drawn at random."""
    drawn = np.random.default_rng(seed).standard_normal((len(words), size)).astype(np.float32)
    return Toy({word: row.tolist() for word, row in zip(sorted(words), drawn, strict=True)})


# --- the formulas, one document after the other -------------------------------------------------


class Plain:
    """A collection in dictionaries."""

    def __init__(self, texts):
        self.counts = {key: Counter(tokens(text)) for key, text in texts.items()}
        self.n = len(texts)
        self.size = {key: sum(counts.values()) for key, counts in self.counts.items()}
        self.all = sum(self.counts.values(), Counter())
        self.total = sum(self.size.values())
        self.holders = Counter(word for counts in self.counts.values() for word in counts)

    def listed(self, query, score):
        """[(id, score)] of the documents with a word of the question, in their order."""
        held = {k for k, counts in self.counts.items() if any(counts[w] for w in query)}
        found = [(key, score(key)) for key in held]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def bm25(self, query, k1=1.2, b=0.75):
        average = self.total / self.n

        def score(key):
            total = 0.0
            for word in query:
                f, n = self.counts[key][word], self.holders[word]
                idf = math.log(1 + (self.n - n + 0.5) / (n + 0.5))
                total += idf * f / (f + k1 * (1 - b + b * self.size[key] / average)) if f else 0
            return total

        return self.listed(query, score)

    def query_likelihood(self, query, mu=2500.0):
        known = [word for word in query if self.all[word]]

        def score(key):
            return sum(
                math.log(
                    (self.counts[key][word] + mu * self.all[word] / self.total)
                    / (self.size[key] + mu)
                )
                for word in known
            )

        return self.listed(query, score)

    def weighed(self, counts):
        found = {
            word: (1 + math.log(f)) * math.log(self.n / self.holders[word])
            for word, f in counts.items()
            if self.holders[word]
        }
        length = math.sqrt(sum(weight**2 for weight in found.values()))
        return {word: weight / length for word, weight in found.items()} if length else {}

    def tf_idf(self, query):
        asked = self.weighed(Counter(query))
        heavy = [word for word, weight in asked.items() if weight > 0]

        def score(key):
            document = self.weighed(self.counts[key])
            return sum(asked[word] * document.get(word, 0.0) for word in asked)

        return self.listed(heavy, score)

    def cosine_of_means(self, query, vectors, weight):
        """[(id, cosine)]; `weight` of a word, None where it is left out."""
        asked = _mean(Counter(query), vectors, weight)
        found = []
        for key, counts in self.counts.items():
            mean = _mean(counts, vectors, weight)
            if mean is not None:
                found.append((key, sum(x * y for x, y in zip(asked, mean, strict=True))))
        return sorted(found, key=lambda pair: (-round(pair[1], 6), pair[0]))


def _mean(counts, vectors, weight):
    """The weighted mean with length 1."""
    total = [0.0] * vectors.matrix.shape[1]
    for word, times in counts.items():
        vector, heavy = vectors.vector(word), weight(word)
        if vector is not None and heavy is not None:
            total = [t + times * heavy * v for t, v in zip(total, vector, strict=True)]
    length = math.sqrt(sum(t * t for t in total))
    return [t / length for t in total] if length else None
