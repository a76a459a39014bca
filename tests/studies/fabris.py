"""A small collection with topics, judgements and vectors, for the studies after Fabris et al."""

import json

from tests.lexicons.small import space, text

WORDS = "nurse plumber pilot table warm cold strong brave work care engine music".split()
DOCUMENTS = {
    f"d{n}": " ".join(WORDS[(n * step) % len(WORDS)] for step in (1, 2, 3, 5, 7))
    + (" she her woman" if n % 3 == 0 else " he his man")
    for n in range(12)
}
TOPICS = {f"q{n}": word for n, word in enumerate(WORDS)}


def written(folder):
    """The options that every study over a collection is given."""
    docs, topics, qrels = folder / "docs.json", folder / "topics.tsv", folder / "qrels.txt"
    docs.write_text(json.dumps(DOCUMENTS))
    topics.write_text("".join(f"{key}\t{word}\n" for key, word in TOPICS.items()))
    qrels.write_text("".join(f"q{n} 0 d{n} 1\n" for n in range(12)))
    return {"docs": docs, "topics": topics, "qrels": qrels, "floor": 3}


def vectors(folder, name="vectors.txt", others=WORDS):
    """A file of word vectors."""
    path = folder / name
    path.write_bytes(text(space(cased=False, others=others)))
    return path


def gendered(given):
    """The same options with topics and documents that are about women or men by themselves."""
    ends = ("he his man father brother ", "she her woman mother sister ")
    docs = {f"d{n}": f"{word} {ends[n % 2] * 2} work music" for n, word in enumerate(WORDS * 2)}
    asked = "her she woman nurse his he man pilot mother father girl boy".split()
    given["docs"].write_text(json.dumps(docs))
    given["topics"].write_text("".join(f"q{n}\t{word}\n" for n, word in enumerate(asked)))
    return given
