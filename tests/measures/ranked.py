"""Makes ranked lists of people for the tests of measures on search engines."""

from itertools import count

from monitor.model import Context, LabelState, Share, Shown, Unit

STATES = {
    "u": LabelState.UNRESOLVED,
    "c": LabelState.CONFLICT,
    "-": LabelState.NOT_HUMAN,
}
GROUPS = {"w": "women", "m": "men", "o": "other", "x": "x", "y": "y", "z": "z"}

_strangers = count()


def people(letters, names=()):
    """A list from letters such as `wwmmu`; whom `names` does not name is nobody else."""
    named = [*names, *(f"stranger {next(_strangers)}" for _ in letters[len(names) :])]
    return tuple(
        Shown(name, STATES.get(letter, LabelState.LABELLED), GROUPS.get(letter, ""))
        for name, letter in zip(named, letters, strict=True)
    )


def unit(topic, *lists, key=""):
    """A question; a list is letters, items, or None without a usable answer."""
    made = tuple(people(one) if isinstance(one, str) else one for one in lists)
    return Unit(key or topic, {"occupation": topic}, (), lists=made)


def targets(topic, n=None, source="wikidata", **shares):
    """Shares of a topic: `women=0.3`, with men as the rest unless they are named."""
    if set(shares) == {"women"}:
        shares["men"] = 1 - shares["women"]
    return tuple(
        Share(topic, value, source, "", "2025-01-01", n, group=group)
        for group, value in shares.items()
    )


def context(shares, before=(), draws=200, seed=5):
    """A context with the targets {topic: share of women, or shares}."""
    full = {
        topic: share if isinstance(share, tuple) else targets(topic, women=share)
        for topic, share in shares.items()
    }
    return Context(seed, {}, draws, full, before)
