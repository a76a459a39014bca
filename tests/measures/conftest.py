"""Units for every measure, by the tag that it needs; a new tag adds its builder here."""

import random
from dataclasses import replace

import pytest

from monitor.model import (
    Context,
    GenderClass,
    Kind,
    LabelState,
    Overview,
    OverviewState,
    Share,
    Shown,
    Source,
    Unit,
)
from tests.measures import corpora, wording

M, F = GenderClass.MASCULINE, GenderClass.FEMININE
SWAP = {M: F, F: M}
#: Frequencies of what a probe may yield; None is no usable answer.
USUAL = (M, M, M, F, F, *GenderClass, None)


SWAP_TAGS = {
    ("said", "feminine"): "masculine",
    ("said", "masculine"): "feminine",
    ("counterfactual", "feminine"): "masculine",
    ("counterfactual", "masculine"): "feminine",
    ("about", "women"): "men",
    ("about", "men"): "women",
}


def _stereotypes(classes_of):
    return [
        Unit(
            f"s{i:02}-{j:02}",
            {"stereotype": str(i), "negation": "yes" if j % 4 < 2 else "no", "tense": ""},
            classes_of(i, j),
        )
        for i in range(1, 17)
        for j in range(40)
    ]


def _occupations(classes_of):
    return [
        Unit(f"o{i:02}-{j:02}", {"occupation": f"o{i}", "template": f"t{j}"}, classes_of(i, j))
        for i in range(11)
        for j in range(20)
    ]


def _shares(value_of, topics=11):
    return {
        f"o{i}": Share(f"o{i}", value_of(i), "somewhere", "US", "2019", word="w")
        for i in range(topics)
    }


def _twins(classes_of):
    return [
        Unit(
            f"g{i:02}-{j:02}",
            {
                "said": "masculine" if j % 2 else "feminine",
                "about": "women" if i <= 7 else "men",
                "frame": "said" if j % 4 > 1 else "like",
                "topic": str(i),
                "base": f"g{i:02}-{j // 4}",
            },
            classes_of(i, j),
        )
        for i in range(1, 17)
        for j in range(24)
    ]


def _named(classes_of):
    """Sentences about named persons: of each occupation twelve templates, in both genders."""
    return [
        Unit(
            f"n{i:02}-{j:02}",
            {
                "said": ("masculine", "feminine")[j % 2],
                "occupation": f"o{i}",
                "template": f"t{j // 2}",
                "stereotype": ("pro", "anti")[(j // 2) % 2],
            },
            classes_of(i, j),
        )
        for i in range(16)
        for j in range(24)
    ]


def _counterfactuals(classes_of):
    """Pairs of a sentence about a woman and the same about a man."""
    return [
        Unit(
            f"c{i:02}-{j:02}",
            {"counterfactual": ("masculine", "feminine")[j % 2], "base": f"b{i:02}-{j // 2}"},
            classes_of(i, j),
        )
        for i in range(16)
        for j in range(24)
    ]


def _ambiguous(classes_of):
    """Sentences that leave the gender of a named person open."""
    return [
        Unit(f"a{i:02}-{j:02}", {"ambiguous": "SUBJ"}, classes_of(i, j))
        for i in range(16)
        for j in range(24)
    ]


BUILDERS = {
    "stereotype": (_stereotypes, lambda _, j: (M if j % 2 else F,)),
    "occupation": (_occupations, lambda i, j: (F if j < 2 * i else M,)),
    "said": (_twins, lambda _, j: (M if (j % 2 + j // 4) % 2 else F,)),
    "winomt": (_named, lambda _, j: (M if (j % 2 + j // 4) % 2 else F,)),
    "counterfactual": (_counterfactuals, lambda _, j: (M if (j % 2 + j // 4) % 2 else F,)),
    "ambiguous": (_ambiguous, lambda _, j: (M if j % 2 else F,)),
}


#: What stands for a class where a measure reads scores: its log ratio, by template.
LOG_RATIO = {M: 1.0, F: -1.0}


def _scored(classes_of):
    """Units with scores instead of classes; half of the probes lack one of the templates."""
    return [
        replace(unit, classes=(None,) * len(unit.classes), scores=_scores(unit, number))
        for number, unit in enumerate(_stereotypes(classes_of))
    ]


def _scores(unit, number):
    found = [LOG_RATIO.get(cls, 0.25 * number % 1) for cls in unit.classes if cls is not None]
    templates = ("0", "2") if number % 4 > 1 else ("0", "1", "2")
    return tuple((n, sum(found) / len(found) * (1 + int(n) / 4)) for n in templates if found)


#: What stands for a class where a measure reads lists of people; None is a list that is lost, and
#: an unidentified class at the first rank a page without the block.
ITEM = {
    M: (LabelState.LABELLED, "men"),
    F: (LabelState.LABELLED, "women"),
    GenderClass.BOTH: (LabelState.LABELLED, "other"),
    GenderClass.INCLUSIVE: (LabelState.NOT_HUMAN, ""),
    GenderClass.MIXED: (LabelState.CONFLICT, ""),
    GenderClass.NONE: (LabelState.UNRESOLVED, ""),
    GenderClass.UNIDENTIFIED: (LabelState.UNRESOLVED, ""),
}
SWAP_GROUP = {"women": "men", "men": "women"}


def _ranked(classes_of):
    """Two questions on each of 24 occupations; every third person stands in several lists."""
    return [
        Unit(f"o{i:02}-{j}", {"occupation": f"o{i}"}, (), lists=_lists(classes_of, i, j))
        for i in range(24)
        for j in range(2)
    ]


def _lists(classes_of, topic, question):
    ranks = [classes_of(topic, rank) for rank in range(12)]
    return tuple(_list(repeat, topic, question) for repeat in zip(*ranks, strict=True))


def _list(classes, topic, question):
    if classes[0] is None:
        return None
    if classes[0] is GenderClass.UNIDENTIFIED:
        return ()
    found = [ITEM.get(cls, (LabelState.UNRESOLVED, "")) for cls in classes]
    return tuple(
        Shown(f"{state}-{group}-{rank}" if rank % 3 else f"{topic}-{question}-{rank}", state, group)
        for rank, (state, group) in enumerate(found)
    )


#: What stands for a class where a measure reads overviews; None is a lost answer.
SITES = {M: "a.example", F: "www.wikipedia.org", GenderClass.BOTH: "en.wikipedia.org"}


def _overviews(classes_of):
    """Questions whose overviews cite three pages, are in another state, or are not there."""
    return [
        Unit(f"v{i:02}-{j}", {}, (), overviews=tuple(map(_overview, classes_of(i, j))))
        for i in range(24)
        for j in range(4)
    ]


def _overview(cls):
    states = dict(zip((GenderClass.MIXED, GenderClass.NONE), ("declined", "loading"), strict=True))
    if cls is None:
        return None
    if cls in states:
        return Overview(OverviewState(states[cls]))
    hosts = [SITES.get(cls, "b.example"), "c.example", "c.example"]
    sources = tuple(Source(host, f"https://{host}/", host) for host in hosts)
    return Overview(OverviewState.SHOWN, sources)


#: By kind of engine, where answers are lists; else by tag.
RANKED = {
    "overviews": (_overviews, lambda *_: (GenderClass.BOTH,)),
    "occupation": (_ranked, lambda i, rank: (F if rank < i % 11 else M,)),
    "": (wording.worded, lambda *_: (GenderClass.BOTH,)),
    "corpus": (corpora.worded, lambda *_: (GenderClass.BOTH,)),
}


def _builder(measure):
    known = RANKED if measure.kind is Kind.SEARCH else BUILDERS
    tag = "corpus" if hasattr(measure, "of_corpus") else measure.tag
    tag = measure.name if measure.name in known else tag
    tag = "overviews" if hasattr(measure, "reads_overviews") else tag
    if tag not in known:
        pytest.fail(f"tests/measures/conftest.py has no units for the tag {tag!r}")
    units, balanced_classes = known[tag]
    return (_scored if measure.kind is Kind.LM else units), balanced_classes


def _context(measure, seed, shares, before):
    """A context with the shares of women, with men as the rest, and with an earlier tick."""
    targets = {
        topic: (share, replace(share, value=1 - share.value, group="men"))
        for topic, share in shares.items()
    }
    search = measure.kind is Kind.SEARCH
    found = Context(seed, shares, 200, targets, before() if search else ())
    if measure.tag or not search:
        return found
    return replace(
        found, beside={"another": before(), "third": before()}, lexicons=wording.LEXICONS
    )


@pytest.fixture
def usual():
    """usual(measure, seed, repeats, pool): units with answers of every sort, and a context."""

    def build(measure, seed=1, repeats=1, pool=USUAL):
        rng = random.Random(seed)  # noqa: S311 - no secret

        def drawn():
            return _builder(measure)[0](lambda *_: tuple(rng.choices(pool, k=repeats)))

        units = drawn()
        topics = len({unit.tags.get("occupation") for unit in units})
        shares = _shares(lambda _: rng.randint(1, 99) / 100, topics) | corpora.shares(rng)
        return units, _context(measure, seed, shares, drawn)

    return build


@pytest.fixture
def balanced():
    """balanced(measure): units and context on which the neutral values hold exactly."""

    def build(measure):
        units, classes_of = _builder(measure)
        shares = _shares(lambda i: i % 11 / 10, 24)
        return units(classes_of), _context(measure, 1, shares, lambda: units(classes_of))

    return build


@pytest.fixture
def swapped():
    """swapped(units, context): women and men change places in answers and references."""

    def swap_items(items):
        return items and tuple(replace(i, group=SWAP_GROUP.get(i.group, i.group)) for i in items)

    def swap_units(units):
        return [
            replace(
                u,
                tags={k: SWAP_TAGS.get((k, v), v) for k, v in u.tags.items()},
                classes=tuple(SWAP.get(c, c) for c in u.classes),
                scores=tuple((template, -ratio) for template, ratio in u.scores),
                lists=tuple(swap_items(items) for items in u.lists),
                documents=wording.swapped(u).documents,
                swapped=wording.swapped(u).swapped,
            )
            for u in units
        ]

    def build(units, context):
        return (
            swap_units(units),
            replace(
                context,
                shares={
                    key: replace(share, value=(100 - round(share.value * 100)) / 100)
                    for key, share in context.shares.items()
                },
                targets={
                    key: tuple(replace(s, group=SWAP_GROUP[s.group]) for s in shares)
                    for key, shares in context.targets.items()
                },
                before=swap_units(context.before),
                beside={label: swap_units(units) for label, units in context.beside.items()},
            ),
        )

    return build
