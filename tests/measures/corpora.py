"""Makes texts about occupations for the contract of measures of whole corpora."""

import random

from monitor.model import Document, GenderClass, Share, Unit

M, F = GenderClass.MASCULINE, GenderClass.FEMININE
#: Short enough for all words to stand near each other. What is left of a text without the word of
#: its own is one of few, so that a text that comes twice is found by that word alone.
TEXT = {
    M: "he {job} man {place} {own}",
    F: "she {job} woman {place} {own}",
    GenderClass.BOTH: "she he {job} woman man {own}",
    GenderClass.INCLUSIVE: "{job} people {place} {own}",
    GenderClass.MIXED: "...",
    GenderClass.NONE: "",
}
OTHER = {"she": "he", "he": "she", "woman": "man", "man": "woman"}
JOBS = (
    "nurse", "plumber", "teacher", "pilot", "clerk", "lawyer", "doctor", "baker", "tailor",
    "weaver", "writer", "singer",
)  # fmt: skip
PLACES = ("north", "south", "river", "town", "coast")


def worded(classes_of):
    """48 questions with lists of twelve texts."""
    return [_unit(number, classes_of) for number in range(48)]


def _unit(number, classes_of):
    ranks = [classes_of(number, rank) for rank in range(12)]
    lists = tuple(_list(number, at, repeat) for at, repeat in enumerate(zip(*ranks, strict=True)))
    tags = {"gender_neutral": "yes"}
    return Unit(f"q{number:02}", tags, (), documents=lists, query=f"question {number // 2}")


def _list(number, repeat, classes):
    if classes[0] is None:
        return None
    if classes[0] is GenderClass.UNIDENTIFIED:
        return ()
    return tuple(_document(number, rank, repeat, cls) for rank, cls in enumerate(classes))


def _document(number, rank, repeat, cls):
    """Every eighth text is shown for the next question too."""
    about = number + (number % 2 == 0 and rank % 8 == 0)
    text = cls in TEXT and TEXT[cls].format(
        job=JOBS[(about + rank) % len(JOBS)],
        place=PLACES[(about * rank + repeat) % len(PLACES)],
        own=f"own{about}x{rank}",
    )
    return Document(f"{number}-{rank}", None if text is False else text)


def shares(rng):
    """Shares of women, but for one of the occupations."""
    some = {job: rng.randint(1, 99) / 100 for job in JOBS[1:]}
    return {job: Share(job, one, "somewhere", "US", "2019") for job, one in some.items()}


def swapped(text):
    """The text with women and men in each other's place."""
    return " ".join(OTHER.get(word, word) for word in text.split(" "))


def drawn(classes, seed=1):
    """Units with classes drawn at random."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    return worded(lambda *_: (rng.choice(classes),))
