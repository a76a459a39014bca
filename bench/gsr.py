"""GSR of 249 queries x 100 documents x 400 tokens, and its time for up to a million documents.

The reference is the published algorithm as a plain loop: every word of every document is compared
with every term of its query by their lemmas, looked up and averaged. The published program looks
lemmas up anew each time; a loop that remembers them is timed beside. Both run over some of the
queries, with the same result as ours on them, and are extrapolated to all. `python bench/gsr.py`
prints the ratios from raw text, the time with words read before, the peak of memory, and the curve.
"""

import re
import resource
import sys
from math import log2
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from bench._size import size
from monitor.lexicons.installed import find
from monitor.measures import parse
from monitor.ranked.lists import Lists
from monitor.ranked.words import tokenise
from monitor.text.nouns import noun_lemmas
from monitor.text.tokens import STOP

QUERIES, DOCUMENTS, TOKENS = size(249, 12), size(100, 10), 400
LOOPED = 12  # queries that the plain loop runs over
VOCABULARY = 50_000
RATIO, CACHED, MEMORY = 25.0, 0.5, 650
ROUNDS = size(3, 1)
CURVE = size((1_000, 10_000, 100_000, 1_000_000), (1_000,))
SNIPPET = 40  # tokens of a document of the curve
_SIGN = re.compile(r"[^a-z0-9]+")


def vocabulary(lexicon, rng):
    """Words of the lexicon, and one in a hundred that it lacks."""
    known = [one for one in lexicon.words.body.decode().split("\n") if one.isascii()]
    drawn = rng.choice(np.array(known, dtype=object), VOCABULARY, replace=False)
    drawn[::100] = [f"{one}qx" for one in drawn[::100]]
    return drawn


def collection(words, rng):
    """(run, texts, queries) of uniformly drawn words, which is harder than any real text."""
    run = {f"q{q}": [f"q{q}-{d}" for d in range(DOCUMENTS)] for q in range(QUERIES)}
    texts = {
        key: " ".join(words[rng.integers(0, VOCABULARY, TOKENS)])
        for some in run.values()
        for key in some
    }
    queries = {key: " ".join(words[rng.integers(0, VOCABULARY, 3)]) for key in run}
    return run, texts, queries


def plain_words(text):
    tokens = _SIGN.sub(" ", text.lower()).split()
    return [t for t in tokens if len(t) > 1 and t not in STOP and not any(map(str.isdigit, t))]


def is_term(word, query, lemmas_of):
    """Whether a word shares a noun lemma with any term of the query."""
    lemmas = lemmas_of(word)
    return any(word == term or lemmas & lemmas_of(term) for term in query)


def plain_mean(words, scores):
    found = [scores[word] for word in words if word in scores]
    return sum(found) / len(found) if found else None


def plain_gsr(run, texts, queries, scores, lemmas_of):
    """The slope by the published algorithm, one word after the other."""
    points = []
    for key, documents in run.items():
        query = plain_words(queries[key])
        g = [
            plain_mean(
                [w for w in plain_words(texts[one]) if not is_term(w, query, lemmas_of)], scores
            )
            for one in documents
        ]
        kept = [(1 / log2(r + 1), one) for r, one in enumerate(g, 1) if one is not None]
        x = plain_mean(query, scores)
        if x is not None and kept:
            total = sum(weight for weight, _ in kept)
            points.append((x, sum(weight * one for weight, one in kept) / total))
    mean = sum(x for x, _ in points) / len(points)
    above = sum((x - mean) * y for x, y in points)
    return above / sum((x - mean) ** 2 for x, _ in points)


def seconds(call, rounds=ROUNDS):
    """Median of processor and of wall time, and the last result."""
    spent = []
    for _ in range(rounds):
        wall, own = perf_counter(), process_time()
        found = call()
        spent.append((process_time() - own, perf_counter() - wall))
    return median(s for s, _ in spent), median(w for _, w in spent), found


def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def compared():
    """Seconds from raw text, with words read before, of both loops; megabytes."""
    rng, lexicon = np.random.default_rng(5), find("glove-6b-50d", None)
    run, texts, queries = collection(vocabulary(lexicon, rng), rng)
    measure = parse("GSR(floor=3)")

    def ours(texts, run=run):
        found = measure.score(run, texts, queries=queries, lexicon=lexicon)
        return found.value, found.low, found.high

    raw, raw_wall, _ = seconds(lambda: ours(texts))
    peak = megabytes()
    words = tokenise(texts)
    cached, cached_wall, _ = seconds(lambda: ours(words))
    some = dict(list(run.items())[:LOOPED])
    table = lexicon.words.body.decode().split("\n")
    scores = dict(zip(table, lexicon.values.tolist(), strict=True))
    loops = []
    for lemmas_of in (noun_lemmas.__wrapped__, noun_lemmas):
        loop, _, slope = seconds(
            lambda: plain_gsr(some, texts, queries, scores, lemmas_of),  # noqa: B023
            rounds=1,
        )
        assert abs(slope - ours(texts, some)[0]) < 1e-9
        loops.append(loop * QUERIES / LOOPED)
    return raw, raw_wall, cached, cached_wall, *loops, peak


def growing():
    """(documents, seconds of processor time for reading, for measuring) of snippets."""
    rng, lexicon = np.random.default_rng(6), find("glove-6b-50d", None)
    words = vocabulary(lexicon, rng)
    measure = parse("GSR(floor=3)")
    for documents in CURVE:
        n = documents // DOCUMENTS
        drawn = rng.integers(0, VOCABULARY, (min(documents, 10_000), SNIPPET))
        some = [" ".join(words[one]) for one in drawn]
        keys = [str(d) for d in range(documents)]
        queries = {f"q{q}": " ".join(words[rng.integers(0, VOCABULARY, 3)]) for q in range(n)}
        lists = Lists(tuple(queries), tuple(keys), np.arange(documents).reshape(n, DOCUMENTS))
        texts = {key: some[d % len(some)] for d, key in enumerate(keys)}
        reading, _, read = seconds(lambda: tokenise(texts), rounds=1)  # noqa: B023
        measuring, _, _ = seconds(
            lambda: measure.score(lists, read, queries=queries, lexicon=lexicon, draws=200).low,  # noqa: B023
            rounds=1,
        )
        yield documents, reading, measuring


def result():
    """(times faster than the loop from raw text, seconds with words read before, megabytes)."""
    raw, _, cached, _, loop, _, peak = compared()
    return loop / raw, cached, peak


def main():
    raw, raw_wall, cached, cached_wall, loop, remembering, peak = compared()
    print(
        f"GSR, {QUERIES} x {DOCUMENTS} x {TOKENS}: {raw:.2f} s of processor time from raw text "
        f"({raw_wall:.2f} s), {cached:.3f} s with words read before ({cached_wall:.3f} s), at most "
        f"{peak:.0f} MB"
    )
    print(
        f"plain loop, from {LOOPED} queries: {loop:.1f} s, {loop / raw:.1f} times as long; with "
        f"lemmas remembered {remembering:.1f} s, {remembering / raw:.1f} times as long"
    )
    met = loop / raw >= RATIO and cached <= CACHED and peak <= MEMORY
    print(
        f"bars: {RATIO:.0f} times the published loop, {CACHED} s, {MEMORY} MB: "
        f"{'met' if met else 'MISSED'}"
    )
    for documents, reading, measuring in growing():
        each = (reading + measuring) / documents * 1e6
        print(
            f"{documents:>9,} documents of {SNIPPET} tokens: {reading:.2f} s reading, "
            f"{measuring:.2f} s measuring, {each:.1f} microseconds a document"
        )


if __name__ == "__main__":
    main()
