"""Random small runs with texts that are missing or empty, and what they could have been."""

import random

GROUPS = {2: {"f": ["she"], "m": ["he"]}, 3: {"f": ["she"], "m": ["he"], "n": ["they"]}}
TARGETS = {2: [{}, {"f": 0.3, "m": 0.7}, {"f": 1, "m": 0}], 3: [{}, {"f": 0.2, "m": 0.5, "n": 0.3}]}


def text(rng, groups):
    words = [group[0] for group in groups.values()]
    kind = rng.random()
    if kind < 0.25:
        return "x " * rng.randint(1, 4)
    if kind < 0.6:
        return f"{rng.choice(words)} " * rng.randint(1, 3) + "x " * rng.choice([0, 0, 1, 9, 400])
    return " ".join(rng.choices([*words, "x"], k=rng.randint(1, 8)))


def a_world(seed, groups, lost=0.35):
    """(run, run of another system, texts of which some are None or "", complete texts)."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    documents = [f"d{i}" for i in range(rng.randint(2, 9))]
    whole = {document: text(rng, groups) for document in documents}
    known = {
        document: rng.choice([None, ""]) if rng.random() < lost else found
        for document, found in whole.items()
    }
    return a_run(rng, documents), a_run(rng, documents), known, whole


def a_run(rng, documents):
    return {
        query: rng.sample(documents, rng.randint(1, len(documents)))
        for query in ("q1", "q2", "q3")[: rng.randint(1, 3)]
    }


def completed(rng, known, groups):
    """One set of texts that these could have been: nothing is known of what is missing or empty."""
    return {key: found or text(rng, groups) for key, found in known.items()}
