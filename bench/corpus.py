"""Texts to counts: tokens a second and memory of encoding and counting, beside a GloVe counter.

    python bench/corpus.py [--tokens 100000000] [--words 200000] [--glove-tokens N]

Writes a text of words with frequencies like those of a language (Zipf and Mandelbrot), two in five
of them drawn from the few that follow the word before, in documents from snippets to articles.
Encodes it, counts it with one thread and with two, and counts growing parts of it. Each step is a
process of its own, whose peak of memory is told. Beside it `Corpus.fit` of bicleaner-ai-glove
(PyPI) counts the same tokens; it weighs by distance, so its counts are compared with ours of
harmonic weights. The bars are 2 million tokens a second and 4 GB.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench._size import size
from monitor.corpus.counting import WINDOW, Weighting, count
from monitor.corpus.encoding import EncodingRules, build_corpus, read_corpus
from monitor.corpus.reading import TextForm, read_documents

TOKENS, WORDS = 100_000_000, 200_000
LEAST_RATE, MOST_GB = 2e6, 4.0
CURVE = (1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000)
AGREEING = size(1_500_000, 20_000)  # tokens that both counters' matrices are compared on
SEED = 20_261_122
FOLLOWING, FOLLOWERS = 0.4, 16
PART = 1_000_000
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def spellings(n):
    """So many words of letters only."""
    letters = product("abcdefghijklmnopqrstuvwxyz", repeat=5)
    return np.array(["".join(some) for some in islice(letters, n)], dtype=object)


def ids(n, words, rng):
    """Word ids, some of them drawn from the followers of the one before."""
    shares = 1 / (np.arange(words) + 3.7)
    below = np.cumsum(shares / shares.sum())
    drawn = np.searchsorted(below, rng.random(n)).clip(max=words - 1)
    after = np.flatnonzero(rng.random(n) < FOLLOWING)
    after = after[after > 0]
    which = drawn[after - 1] * FOLLOWERS + rng.integers(0, FOLLOWERS, len(after)) + 1
    mixed = (which.astype(np.uint64) * _GOLDEN >> np.uint64(11)) / 2.0**53
    drawn[after] = np.searchsorted(below, mixed).clip(max=words - 1)
    return drawn


def write_text(path, tokens, words):
    """A document a line: half a hundred tokens at the median, some of thousands."""
    rng = np.random.default_rng(SEED)
    spelled = spellings(words)
    with path.open("w") as file:
        for begin in range(0, tokens, PART):
            n = min(PART, tokens - begin)
            drawn = spelled[ids(n, words, rng)]
            ends = np.cumsum(rng.lognormal(4, 1, n // 20 + 1).astype(int) + 1)
            for some in np.split(drawn, ends[ends < n]):
                file.write(" ".join(some) + "\n")


def part_of(folder, tokens):
    """The first documents of a corpus, up to so many tokens."""
    whole = read_corpus(Path(folder))
    n = max(int(np.searchsorted(whole.offsets, int(tokens), "right")) - 1, 1)
    return replace(whole, tokens=whole.tokens[: whole.offsets[n]], offsets=whole.offsets[: n + 1])


class Clock:
    """Seconds of wall and of processor time, of all threads."""

    def __init__(self):
        self.begun = perf_counter(), process_time()

    def spent(self):
        return perf_counter() - self.begun[0], process_time() - self.begun[1]


def encoding(path, folder, words):
    clock = Clock()
    made = build_corpus(
        read_documents([Path(path)], TextForm()), EncodingRules(most=int(words)), Path(folder)
    )
    return len(made.tokens), *clock.spent()


def counting(folder, tokens, threads):
    corpus = part_of(folder, tokens)
    clock = Clock()
    found = count(corpus, threads=int(threads))
    return found.tokens, *clock.spent(), found.matrix.nnz


def sentences(corpus):
    """The documents as lists of words, as `Corpus.fit` takes them."""
    words = np.array(corpus.vocabulary.words, dtype=object)
    for begin, end in zip(corpus.offsets[:-1], corpus.offsets[1:], strict=True):
        yield words[corpus.tokens[begin:end]].tolist()


def fitted(corpus):
    from glove import Corpus

    other = Corpus(dict(corpus.vocabulary.ids))
    other.fit(sentences(corpus), window=WINDOW)
    return other.matrix


def glove(folder, tokens):
    """Its seconds without those that making its lists of words takes."""
    corpus = part_of(folder, tokens)
    clock = Clock()
    for _ in sentences(corpus):
        pass
    wall, own = clock.spent()
    clock = Clock()
    fitted(corpus)
    both = clock.spent()
    return len(corpus.tokens), both[0] - wall, both[1] - own


def agreeing(folder):
    """Pairs of different words, and the largest relative difference of their weights.

    The other counts each unordered pair once, lists some of them twice, with a part of the weight
    each, and leaves out a word beside itself.
    """
    from scipy.sparse import triu

    corpus = part_of(folder, AGREEING)
    ours = triu(count(corpus, weighting=Weighting.HARMONIC).matrix, 1).tocsr()
    theirs = triu(fitted(corpus), 1).tocsr()
    apart = abs(ours - theirs)
    return ours.nnz, theirs.nnz, float(apart.max() / ours.max()), float(ours.sum() / theirs.sum())


STEPS = {"encoding": encoding, "counting": counting, "glove": glove, "agreeing": agreeing}


def step(name, *arguments):
    """What a step found in a process of its own, and its peak of memory in GB."""
    command = [sys.executable, __file__, "--step", name, *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def run_step(name, *arguments):
    found = STEPS[name](*arguments)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    print(json.dumps([*found, peak]))


def importable():
    try:
        import glove  # noqa: F401
    except ImportError:
        return False
    return True


def told(what, tokens, seconds, own, *entries_and_peak):
    *entries, peak = entries_and_peak
    pairs = f", {entries[0]:,} entries" if entries else ""
    print(
        f"{what}, {tokens:,} tokens: {seconds:.1f} s ({own:.1f} s of processor time), "
        f"{tokens / seconds / 1e6:.2f} million tokens a second, at most {peak:.2f} GB{pairs}"
    )
    return tokens / seconds


def compared(folder, tokens, ours):
    """Print the other counter beside our rate."""
    if not importable():
        print(
            "bicleaner-ai-glove is not installed: pip install --no-deps bicleaner-ai-glove==0.2.1"
        )
        return
    theirs = told("bicleaner-ai-glove, Corpus.fit", *step("glove", folder, tokens))
    one, two = (rate / theirs for rate in ours)
    print(f"ours is {one:.1f} times as quick with one thread, {two:.1f} times with two")
    mine, others, apart, ratio, _ = step("agreeing", folder)
    print(
        f"both on {min(AGREEING, tokens):,} tokens, weights by distance: {mine:,} and {others:,} "
        f"pairs of different words, at most {apart:.1e} of the largest apart, sums {ratio:.9f} : 1"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tokens", type=int, default=TOKENS)
    parser.add_argument("--words", type=int, default=WORDS)
    parser.add_argument("--glove-tokens", type=int)
    parser.add_argument("--step", nargs="+")
    chosen = parser.parse_args()
    if chosen.step:
        run_step(*chosen.step)
        return
    with tempfile.TemporaryDirectory() as place:
        path, folder = Path(place) / "text.txt", Path(place) / "corpus"
        write_text(path, chosen.tokens, chosen.words)
        megabytes = path.stat().st_size / 1e6
        told(f"encoding {megabytes:,.0f} MB of text", *step("encoding", path, folder, chosen.words))
        path.unlink()
        rates, peaks = [], []
        for threads in (1, 2):
            found = step("counting", folder, chosen.tokens, threads)
            rates.append(told(f"counting, threads {threads}", *found))
            peaks.append(found[-1])
        met = rates[1] >= LEAST_RATE and max(peaks) <= MOST_GB
        print(
            f"bars: {LEAST_RATE / 1e6:.0f} million tokens a second with two threads, "
            f"{MOST_GB:.0f} GB: {'met' if met else 'MISSED'}"
        )
        for tokens in (some for some in CURVE if some <= chosen.tokens):
            told("  threads 2", *step("counting", folder, tokens, 2))
        compared(folder, chosen.glove_tokens or chosen.tokens, rates)


if __name__ == "__main__":
    main()
