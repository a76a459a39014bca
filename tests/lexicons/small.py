"""A small vector space with a gender direction in it, in every format."""

import gzip

import numpy as np

from monitor.lexicons.direction import PAIRS

DIMENSIONS = 12
OTHERS = "nurse engineer table warm cold été naïve привет".split()


def space(*, cased=True, others=OTHERS):
    """{word: vector}; the first axis is gender, with noise."""
    draw = np.random.default_rng(3)
    rows = {}
    for female, male in PAIRS:
        common = draw.normal(size=DIMENSIONS)
        for word, sign in ((female, 1.0), (male, -1.0)):
            row = common + 0.05 * draw.normal(size=DIMENSIONS)
            row[0] = 2.0 * sign
            rows[word if cased else word.lower()] = row.astype(np.float32)
    for word in others:
        rows[word] = draw.normal(size=DIMENSIONS).astype(np.float32)
    return rows


def numbers(row):
    return " ".join(repr(float(value)) for value in row)


def text(rows, *, header=True, end="\n"):
    lines = [f"{len(rows)} {len(next(iter(rows.values())))}"] if header else []
    lines += [f"{word} {numbers(row)}" for word, row in rows.items()]
    return (end.join(lines) + end).encode()


def binary(rows, feed=b"\n"):
    parts = [f"{len(rows)} {len(next(iter(rows.values())))}\n".encode()]
    parts += [
        word.encode() + b" " + row.astype("<f4").tobytes() + feed for word, row in rows.items()
    ]
    return b"".join(parts)


def kinds(rows):
    """{(file name, format): content} of the same rows."""
    return {
        ("v.bin", "word2vec"): binary(rows),
        ("gensim.bin", "word2vec"): binary(rows, b""),
        ("v.txt", "text"): text(rows),
        ("v.vec", "text"): text(rows, end=" \n"),  # fastText ends lines with a blank
        ("windows.txt", "text"): text(rows, end="\r\n"),
        ("glove.txt", "glove"): text(rows, header=False),
        ("v.txt.gz", "text"): gzip.compress(text(rows), mtime=0),
        ("glove.txt.gz", "glove"): gzip.compress(text(rows, header=False), mtime=0),
        ("v.bin.gz", "word2vec"): gzip.compress(binary(rows), mtime=0),
    }
