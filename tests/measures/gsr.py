"""Runs, texts and a lexicon for the tests of GSR, and its formulas word by word."""

import math

import numpy as np

from monitor.lexicons.lexicon import Lexicon
from monitor.measures.gsr.gsr import Gsr
from monitor.text.nouns import same_noun
from monitor.text.tokens import STOP, words

#: Words of the tests with their genderedness.
SCORES = {
    "nurse": 0.3,
    "nurses": 0.29,
    "doctor": -0.1,
    "plumber": -0.3,
    "pilot": -0.2,
    "teacher": 0.15,
    "clerk": 0.05,
    "woman": 0.4,
    "women": 0.35,
    "man": -0.35,
    "he": -0.3,
    "him": -0.25,
    "she": 0.3,
    "work": -0.05,
    "kind": 0.1,
    "strong": -0.15,
    "list": 0.02,
    "the": 0.9,
}
LEXICON = Lexicon.of("toy", SCORES)
JOBS = ("nurse", "doctor", "plumber", "pilot", "teacher", "clerk")
BODY = ("woman", "man", "he", "him", "she", "work", "kind", "strong", "the", "unknown", "nurses")


def made(seed=0, queries=12, documents=6, length=9):
    """A run with texts and queries; every text ends in a word that counts."""
    rng = np.random.default_rng(seed)
    texts, run, asked = {}, {}, {}
    for q in range(queries):
        asked[f"q{q:02}"] = JOBS[q % len(JOBS)]
        run[f"q{q:02}"] = [f"d{q}-{k}" for k in range(documents)]
        for key in run[f"q{q:02}"]:
            texts[key] = " ".join([*rng.choice([*BODY, *JOBS], length), "work"])
    return run, texts, asked


def by_hand(run, texts, asked, exclude="lemma", weight=lambda r: 1 / math.log2(r + 1), stops=STOP):
    """(g(q), list genderedness) as the formulas say, one word after the other."""

    def mean(some):
        return sum(some) / len(some) if some else math.nan

    def left_out(word, query):
        if exclude == "lemma":
            return any(same_noun(word, one) for one in query)
        return exclude == "exact" and word in query

    points = []
    for key, documents in run.items():
        query = words(asked[key])
        x = mean([SCORES[w] for w in query if w in SCORES and w not in stops])
        g = [
            mean(
                [
                    SCORES[w]
                    for w in words(texts[document])
                    if w in SCORES and w not in stops and not left_out(w, query)
                ]
            )
            for document in documents
        ]
        kept = [(weight(r), one) for r, one in enumerate(g, 1) if not math.isnan(one)]
        points.append((x, sum(w * one for w, one in kept) / sum(w for w, _ in kept)))
    return np.array(points).T


def scored(*given, lexicon=LEXICON, measure=None, draws=100, **more):
    run, texts, asked = given
    measure = measure or Gsr(floor=3)
    return measure.score(run, texts, queries=asked, lexicon=lexicon, draws=draws, **more)


def steep(factor, queries=24):
    """Lists of one document whose genderedness follows that of the query, and noise."""
    rng = np.random.default_rng(round(100 * factor))
    scores = {f"job{chr(97 + n)}": (n - 12) / 40 for n in range(queries)}
    scores |= {
        f"text{chr(97 + n)}": factor * (n - 12) / 40 + float(rng.normal(0, 0.01))
        for n in range(queries)
    }
    return scores
