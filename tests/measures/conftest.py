"""Units for every measure, by the tag that it needs; a new tag adds its builder here."""

import random
from dataclasses import replace

import pytest

from monitor.model import Context, GenderClass, Kind, Share, Unit

M, F = GenderClass.MASCULINE, GenderClass.FEMININE
SWAP = {M: F, F: M}
#: Frequencies of what a probe may yield; None is no usable answer.
USUAL = (M, M, M, F, F, *GenderClass, None)


SWAP_TAGS = {
    ("said", "feminine"): "masculine",
    ("said", "masculine"): "feminine",
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


def _shares(value_of):
    return {
        f"o{i}": Share(f"o{i}", value_of(i), "somewhere", "US", "2019", word="w") for i in range(11)
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


BUILDERS = {
    "stereotype": (_stereotypes, lambda _, j: (M if j % 2 else F,)),
    "occupation": (_occupations, lambda i, j: (F if j < 2 * i else M,)),
    "said": (_twins, lambda _, j: (M if (j % 2 + j // 4) % 2 else F,)),
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


def _builder(measure):
    if measure.tag not in BUILDERS:
        pytest.fail(f"tests/measures/conftest.py has no units for the tag {measure.tag!r}")
    units, balanced_classes = BUILDERS[measure.tag]
    return (_scored if measure.kind is Kind.LM else units), balanced_classes


@pytest.fixture
def usual():
    """usual(measure, seed, repeats, pool): units with answers of every sort, and a context."""

    def build(measure, seed=1, repeats=1, pool=USUAL):
        rng = random.Random(seed)  # noqa: S311 - no secret
        units = _builder(measure)[0](lambda *_: tuple(rng.choices(pool, k=repeats)))
        return units, Context(seed, _shares(lambda _: rng.randint(1, 99) / 100), draws=200)

    return build


@pytest.fixture
def balanced():
    """balanced(measure): units and context on which the neutral values hold exactly."""

    def build(measure):
        units, classes_of = _builder(measure)
        return units(classes_of), Context(1, _shares(lambda i: i / 10), draws=200)

    return build


@pytest.fixture
def swapped():
    """swapped(units, context): women and men change places in answers and references."""

    def build(units, context):
        return (
            [
                replace(
                    u,
                    tags={k: SWAP_TAGS.get((k, v), v) for k, v in u.tags.items()},
                    classes=tuple(SWAP.get(c, c) for c in u.classes),
                    scores=tuple((template, -ratio) for template, ratio in u.scores),
                )
                for u in units
            ],
            replace(
                context,
                shares={
                    key: replace(share, value=(100 - round(share.value * 100)) / 100)
                    for key, share in context.shares.items()
                },
            ),
        )

    return build
