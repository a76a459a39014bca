"""Lexicons: building one from word vectors in bounded memory, loading one, looking words up.

`python bench/lexicon.py [--rows 3000000] [--dimensions 300]` writes a word2vec .bin of that size
into a temporary folder, builds a lexicon of it in a process of its own, and prints time and peak
memory beside a third of the rows and beside a bare reading of the file. The bars are 2 GB for
3 million vectors of 300 dimensions, and 0.2 s for loading 400,000 words.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from itertools import islice, product
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench._size import size
from monitor.lexicons import lexicon
from monitor.lexicons.direction import PAIRS

ROOT = Path(__file__).parent.parent
MOST_GB = 2.0
MOST_SECONDS = 0.2
MOST_LOOKUP = 0.3
WORDS = size(400_000, 4_000)
ASKED = size(200_000, 2_000)
ROUNDS = 5

_BUILD = """
import json, resource, sys, time
from pathlib import Path
from monitor.lexicons.build import LexiconOrder, write_lexicon
from monitor.whole_files import write_whole
from monitor.lexicons.vectors import open_vectors
begun = time.perf_counter()
with write_lexicon(open_vectors(sys.argv[1]), LexiconOrder("bench"), {}, lambda *_: None) as made:
    with write_whole(Path(sys.argv[1] + ".lexicon")) as file:
        file.write(made.pack())
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps([len(made), time.perf_counter() - begun, peak]))
"""


def words():
    """The words of the pairs, then as many others as are wanted, all of them usable."""
    yield from (word for pair in PAIRS for word in pair)
    for letters in product("abcdefghijklmnopqrstuvwxyz", repeat=5):
        yield "q" + "".join(letters)


def generate(path, n, dimensions):
    """A word2vec .bin, written in parts."""
    draw = np.random.default_rng(5)
    supply = words()
    with path.open("wb") as file:
        file.write(f"{n} {dimensions}\n".encode())
        for begin in range(0, n, 10_000):
            rows = draw.standard_normal((min(10_000, n - begin), dimensions), np.float32)
            some = islice(supply, len(rows))
            file.writelines(
                part
                for word, row in zip(some, rows, strict=True)
                for part in (word.encode(), b" ", row.tobytes(), b"\n")
            )


def building(path):
    """(words, seconds, peak bytes) of a build in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", _BUILD, path], check=True, capture_output=True, text=True, cwd=ROOT
    )
    return json.loads(done.stdout)


def bare(path):
    """Seconds to read the bytes once."""
    begun = perf_counter()
    with path.open("rb") as file:
        while file.read(2**23):
            pass
    return perf_counter() - begun


def timed(call):
    spent = []
    for _ in range(ROUNDS):
        begun = perf_counter()
        call()
        spent.append(perf_counter() - begun)
    return median(spent)


def result(folder):
    """Median seconds of loading 400,000 words, of the first and of later look-ups of 200,000.

    The reference is a table of text that is read into a dictionary.
    """
    listed = list(islice(words(), WORDS))
    scores = np.random.default_rng(5).uniform(-0.6, 0.7, WORDS).tolist()
    path = Path(folder) / "bench.lexicon"
    path.write_bytes(lexicon.Lexicon.of("bench", dict(zip(listed, scores, strict=True))).pack())
    table = Path(folder) / "bench.txt"
    table.write_text("".join(f"{w}\t{s!r}\n" for w, s in zip(listed, scores, strict=True)))
    asked = [*listed[:: WORDS // ASKED * 2], *(word + "x" for word in listed[: ASKED // 2])]

    def dictionary():
        with table.open() as file:
            return {word: float(score) for word, score in (line.split("\t") for line in file)}

    made = lexicon.load_lexicon(path)
    begun = perf_counter()
    made.scores(asked)
    first = perf_counter() - begun
    return {
        "load": timed(lambda: lexicon.load_lexicon(path)),
        "first": first,
        "scores": timed(lambda: made.scores(asked)),
        "dictionary": timed(dictionary),
        "bytes": path.stat().st_size,
    }


def verdict(met):
    return "met" if met else "MISSED"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--dimensions", type=int, default=300)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = result(folder)
        print(
            f"loading {WORDS:,} words: {found['load'] * 1e3:.0f} ms ({found['bytes'] / 1e6:.1f} MB;"
            f" text into a dictionary: {found['dictionary'] * 1e3:.0f} ms; bar "
            f"{MOST_SECONDS * 1e3:.0f} ms: {verdict(found['load'] < MOST_SECONDS)})"
        )
        print(
            f"looking up {ASKED:,} words: {found['scores'] * 1e3:.0f} ms, the first time "
            f"{found['first'] * 1e3:.0f} ms (bar {MOST_LOOKUP * 1e3:.0f} ms: "
            f"{verdict(found['first'] < MOST_LOOKUP)})"
        )
        for n in (chosen.rows // 3, chosen.rows):
            path = Path(folder) / "vectors.bin"
            generate(path, n, chosen.dimensions)
            kept, seconds, peak = building(path)
            print(
                f"building from {n:,} x {chosen.dimensions} ({path.stat().st_size / 1e9:.2f} GB): "
                f"{seconds:.0f} s, {kept:,} words, peak {peak / 1e9:.2f} GB (bare reading "
                f"{bare(path):.1f} s; bar {MOST_GB:.0f} GB: {verdict(peak < MOST_GB * 1e9)})"
            )
            path.unlink()


if __name__ == "__main__":
    main()
