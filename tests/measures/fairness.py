"""Scores of the measures of group terms on a few words, for their tests."""

from monitor.measures import parse
from monitor.model import Context, Document, Unit


def score(name, documents, **given):
    """The score of one query over these documents, best first."""
    run = {"q": [f"d{at}" for at in range(len(documents))]}
    return parse(name).score(run, dict(zip(run["q"], documents, strict=True)), **given)


def unit(key, *lists, tags=None):
    """A question with lists of texts; None for a list without a usable answer."""
    made = tuple(
        one if one is None else tuple(Document(f"{key}-{at}", text) for at, text in enumerate(one))
        for one in lists
    )
    return Unit(key, tags or {}, (), documents=made, query=key)


def derived(name, units, beside=None):
    """(the value of the point, by query)."""
    result = parse(name).derive(units, Context(3, {}, 200, beside=beside or {}))
    (value,) = result.values
    return value, {one.key: one for one in result.queries}
