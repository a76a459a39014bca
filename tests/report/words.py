"""Runs that measure the words of ranked lists, over loopback services with several engines."""

import csv
import random
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path

from monitor import pipeline
from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from tests.factories import DUE, make_job, make_list, quiet
from tests.standins import serve
from tests.standins.mediawiki import MediaWiki
from tests.standins.results import Hit

WEEK = timedelta(days=7)
#: The list that ships, with questions that a list calls gendered.
SHIPPED = Path(__file__).parents[2] / "jobs" / "lists" / "stereotype-search@1.csv"
HER = ("she", "her", "woman", "mother", "girls", "sister")
HIS = ("he", "his", "man", "father", "boys", "brother")
OTHERS = ("river", "paper", "question", "number", "garden", "window", "method", "report", "level")
#: Poles that the made-up engines answer in words about women.
TOWARDS_WOMEN = ("communion", "arts", "family")
CUTS = [1, 2, 3, 5, 10, 20]
MEASURES = [
    {"name": "GSR", "cutoff": 10, "floor": 5},
    {"name": "NFaiRR", "cutoff": CUTS},
    {"name": "FaiRR", "cutoff": 10},
]


def items(most=None):
    """The first, or all, questions of the shipped list; each third, so that poles mix."""
    with SHIPPED.open(encoding="utf-8", newline="") as handle:
        found = list(csv.DictReader(handle))
    return found if most is None else found[:: max(1, len(found) // most)][:most]


def results(asked, tilt=0.6, seed=1, size=20, plain=0.2):
    """{question: hits}; `tilt` is how surely gendered words follow the pole of the question.

    A share `plain` of questions is answered without any gender word.
    """
    chance = random.Random(seed)  # noqa: S311  nothing secret is drawn
    found = {}
    for row in asked:
        kind = HER if row["pole"] in TOWARDS_WOMEN else HIS
        other = HIS if kind is HER else HER
        quiet_ = chance.random() < plain
        found[row["text"]] = [
            Hit(f"{row['trait']} {n}", f"https://x.test/{row['key']}/{n}",
                _text(chance, kind if chance.random() < tilt else other, quiet_))
            for n in range(size)
        ]  # fmt: skip
    return found


def _text(chance, words, plain):
    said = [chance.choice(OTHERS) for _ in range(12)]
    if not plain and chance.random() < 0.5:
        said += [chance.choice(words) for _ in range(chance.randint(1, 4))]
    return " ".join(said)


@contextmanager
def heard(folder, *pages, asked=None, measures=None, **changes):
    """How a tick is run of a job that asks one loopback Wikipedia per entry of `pages`."""
    asked = items(24) if asked is None else asked
    make_list(folder, items=asked, cue="terms")
    apps = [MediaWiki(**settings) for settings in (pages or [{"results": results(asked)}])]
    with ExitStack() as stack:
        opened = [stack.enter_context(serve(app)) for app in apps]
        uses = [
            {
                "name": "wikipedia",
                "sources": ["en"],
                "regions": ["us-en"],
                "pace": 500,
                "config": {"base_url": wiki.url, "count": 50 - place},
            }
            for place, wiki in enumerate(opened)
        ]
        content = {"engines": uses, "measures": measures or MEASURES, "tries": 1} | changes
        audit = load_audit(make_job(folder, **content))

        def tick(database, due_at=DUE):
            outside = Outside(folder, 1, Way(contact="audit@lab.test", seconds=5))
            run = pipeline.start(database, audit, "scheduled", due_at)
            return pipeline.run(database, audit, run, outside, quiet)

        tick.apps = apps
        yield tick
