"""How long the fairness measures of ranked lists take, beside a plain loop of the published code.

    python bench/fairness.py [--documents 100000] [--curve 1000000]

1,000 queries x 100 documents of 60 to 100 tokens. Printed are the medians of five runs of: reading
texts and counting terms, NFaiRR@10 and TExFAIR@10 from texts and from stored counts, their curves
@1 to @20, and the plain loop over the same texts (count every document, neutrality, ideal and ratio
per query, as published for NFaiRR) with the ratios of both; then the time per number of documents.
"""

import argparse
import math
import random
import resource
import statistics
import time

from bench._size import size
from monitor.measures import count_terms, parse, ranked_lists
from monitor.measures.fairness._term_measures import curve
from monitor.text.terms import default_terms

QUERIES, DEPTH, RUNS = size(1000, 20), 100, size(5, 1)


def made(documents, seed=1):
    """{document: text} with group terms in six of ten texts."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    vocabulary = [f"w{i:x}" for i in range(20_000)]
    terms = sorted(word for _, group in default_terms().groups for word in group)
    texts = {}
    for at in range(documents):
        words = rng.choices(vocabulary, k=rng.randint(60, 100))
        for _ in range(rng.randint(1, 4) if rng.random() < 0.6 else 0):
            words[rng.randrange(len(words))] = rng.choice(terms)
        texts[f"d{at}"] = " ".join(words).capitalize() + "."
    return texts


def drawn(texts, queries=QUERIES, seed=2):
    rng = random.Random(seed)  # noqa: S311 - no secret
    known = list(texts)
    return {f"q{at}": rng.sample(known, min(DEPTH, len(known))) for at in range(queries)}


def timed(work, runs=RUNS):
    """Median seconds of some runs, and the last result."""
    seconds, found = [], None
    for _ in range(runs):
        started = time.perf_counter()
        found = work()
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds), found


def plain_counts(texts, groups):
    """Published: clean a text, split it, count the words of each list one by one."""
    keep = "".join(chr(c).lower() if chr(c).isalnum() else " " for c in range(128))
    found = {}
    for key, text in texts.items():
        magnitude = [0] * len(groups)
        for word in text.translate(keep).split():
            for at, group in enumerate(groups):
                if word in group:
                    magnitude[at] += 1
        found[key] = magnitude
    return found


def plain_nfairr(run, counts, cutoff=10, tau=1):
    values = {}
    for query, documents in run.items():
        neutral = []
        for document in documents:
            magnitude = counts[document]
            total = sum(magnitude)
            share = 1 / len(magnitude)
            unfair = sum(abs(one / total - share) for one in magnitude) if total > tau else 0
            neutral.append(1 - unfair)
        weights = [1 / math.log2(rank + 1) for rank in range(1, cutoff + 1)]
        fair = sum(o * w for o, w in zip(neutral, weights, strict=False))
        ideal = sum(o * w for o, w in zip(sorted(neutral, reverse=True), weights, strict=False))
        values[query] = fair / ideal
    return values


def both(run, texts):
    return [parse(name).score(run, texts) for name in ("NFaiRR@10", "TExFAIR@10")]


def compare(documents):
    texts = made(documents)
    run = drawn(texts)
    lists = ranked_lists(run)
    groups = [group for _, group in default_terms().groups]
    print(f"{QUERIES} queries x {DEPTH} documents, {documents} of them distinct; medians of {RUNS}")
    reading, counts = timed(lambda: count_terms(texts))
    raw, scores = timed(lambda: both(run, texts))
    stored, _ = timed(lambda: both(run, counts))
    built, _ = timed(lambda: both(lists, counts))
    of_list, own = timed(lambda: parse("NFaiRR(background=list)@10").score(run, texts))
    curves, _ = timed(lambda: [curve(one, run, counts) for one in ("NFaiRR", "TExFAIR")])
    interval, _ = timed(lambda: parse("NFaiRR@10").score(lists, counts).low)
    plain, values = timed(lambda: plain_nfairr(run, plain_counts(texts, groups)))
    assert all(abs(own.per_query[query] - value) < 1e-12 for query, value in values.items())
    assert all(score.used == QUERIES for score in scores)
    line("count the terms of all texts", reading)
    line("NFaiRR@10 + TExFAIR@10 from texts", raw)
    line("  from stored counts, run as a mapping", stored)
    line("  from stored counts, run as lists", built)
    line("both curves @1 to @20 from stored counts", curves)
    line("NFaiRR@10 from stored counts with its interval", interval)
    line("NFaiRR@10 beside the own list, from texts", of_list)
    line("plain loop: the same NFaiRR alone", plain)
    print(f"the plain loop takes {plain / of_list:.1f} times as long as the same measure, "
          f"{plain / raw:.1f} times as long as NFaiRR@10 + TExFAIR@10")  # fmt: skip


def result(documents=10_000):
    """(seconds from texts, from stored counts, of a plain loop of NFaiRR alone)."""
    texts = made(documents)
    run = drawn(texts)
    groups = [group for _, group in default_terms().groups]
    raw, _ = timed(lambda: both(run, texts))
    counts = count_terms(texts)
    stored, _ = timed(lambda: both(run, counts))
    plain, _ = timed(lambda: plain_nfairr(run, plain_counts(texts, groups)))
    return raw, stored, plain


def line(what, seconds):
    print(f"  {what:<50}{1000 * seconds:>10.1f} ms")


def growth(largest):
    """Every document at one rank of one list of 100, all counted, all ranks looked at."""
    print("documents        seconds    microseconds a document    peak memory")
    size = largest
    sizes = []
    while size >= 10_000:
        sizes.append(size)
        size //= 4
    for documents in reversed(sizes):
        texts = made(documents)
        known = list(texts)
        run = {f"q{at}": known[at : at + DEPTH] for at in range(0, documents, DEPTH)}
        started = time.perf_counter()
        counts = count_terms(texts)
        scores = [parse(name).score(run, counts) for name in ("NFaiRR@100", "TExFAIR@100")]
        seconds = time.perf_counter() - started
        assert scores[0].documents == documents
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{documents:>9}{seconds:>15.2f}{1e6 * seconds / documents:>27.2f}{peak:>12.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--curve", type=int, default=0, help="largest number of documents")
    chosen = parser.parse_args()
    compare(chosen.documents)
    if chosen.curve:
        growth(chosen.curve)


if __name__ == "__main__":
    main()
