"""Search audits over loopback services with several engines, cut-offs, references and ticks."""

from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta

from monitor import pipeline
from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.model import Services, Share
from monitor.pipeline import RunContext
from monitor.store.derive import people as reference_shares
from tests.factories import DUE, make_job, make_list, quiet
from tests.standins import serve
from tests.standins.mediawiki import MediaWiki
from tests.standins.results import Hit
from tests.standins.wikidata import Item, Wikidata

GENDER = {"f": "Q6581072", "m": "Q6581097", "o": "Q48270"}
WEEK = timedelta(days=7)
#: Who is shown, in order: recorded as a woman, a man, neither; u has no item; t is no human.
SHOWN = {
    "physicist": "fmmmmmmmmmmmff",
    "nurse": "ffffffffmmffff",
    "painter": "fmfmfmfmfmfmfm",
    "poet": "mffomffm",
    "judge": "fuuuuuummm",
    "carpenter": "mmmmmmmmmmfffffffffff",
    "teacher": "fffmffmfufffmm",
    "lawyer": "mmmfmmumffmmff",
    "chef": "mmmmmmmmfmmmf",
    "librarian": "ffffffffffmmmmmmmmmmm",
    "farmer": "tttttttmmm",
    "baker": "",
    "driver": "mmmmfmmmmmmm",
}
ITEM_OF = {name: f"Q{900 + n}" for n, name in enumerate(SHOWN)}
REFERENCES = ["wikidata", "result_list", "us_labour", "parity", "csv:own"]


def name_of(occupation, place):
    return f"{occupation.title()} Number {place}"


def people(shown=None, unseen=20):
    """Everybody who has an item, and as many of both who are never shown."""
    found = []
    for row, (occupation, signs) in enumerate((shown or SHOWN).items()):
        for place, sign in enumerate(signs + "fm" * (unseen // 2)):
            if sign == "u":
                continue
            name = name_of(occupation, place)
            about = {"classes": ("Q571",)}
            if sign != "t":
                about = {"genders": (GENDER[sign],), "occupations": (ITEM_OF[occupation],)}
            found.append(
                Item(f"Q{1000 * (row + 1) + place}", name, sitelinks={"enwiki": name}, **about)
            )
    return found


def results(backwards=(), without=()):
    """What is found; for some occupations in the other order, for some nothing."""
    found = {}
    for name, signs in SHOWN.items():
        hits = [Hit(name_of(name, n), "https://x.test/") for n in range(len(signs))]
        hits = hits[::-1] if name in backwards else hits
        found[f"list of {name}s"] = [] if name in without else hits
    return found


def items():
    return [
        {"key": f"of-{n}", "text": f"list of {n}s", "occupation": n, "wikidata": ITEM_OF[n]}
        for n in SHOWN
    ]


def measure(**changes):
    return {
        "name": "c_ratio_bias",
        "block": "organic",
        "topics_floor": 5,
        "cutoff": [3, 5, 10, 20],
        "references": REFERENCES,
    } | changes


def own_shares(folder):
    path = folder / "references" / "own.csv"
    path.parent.mkdir(exist_ok=True)
    rows = [f"{name},women,0.{20 + 4 * n},my survey,DE,2024" for n, name in enumerate(SHOWN)]
    path.write_text("\n".join(["topic,group,share,source,country,as_of", *rows, ""]))


def recorded():
    """Who has these occupations in Wikidata, as if it had been asked today."""
    return {
        name: tuple(
            Share(name, part, "wikidata", "", "", 400, item, group)
            for group, part in (("women", 0.2), ("men", 0.79), ("other", 0.01))
        )
        for name, item in ITEM_OF.items()
    }


def _use(wiki, count):
    return {
        "name": "wikipedia",
        "sources": ["en"],
        "regions": ["us-en"],
        "pace": 500,
        "config": {"base_url": wiki.url, "count": count},
    }


@contextmanager
def search(folder, *pages, known=None, measures=None, more=(), **changes):
    """How a tick is run of a job that asks one loopback Wikipedia per entry of `pages`.

    `more` are the uses of further engines.
    """
    make_list(folder, items=items(), cue="people")
    own_shares(folder)
    apps = [MediaWiki(**settings) for settings in (pages or [{"results": results()}])]
    with ExitStack() as stack:
        data = stack.enter_context(serve(Wikidata(known or people())))
        opened = [stack.enter_context(serve(app)) for app in apps]
        uses = [_use(wiki, 50 - place) for place, wiki in enumerate(opened)]
        content = {"engines": [*uses, *more], "measures": measures or [measure()], "tries": 1}
        content |= changes
        audit = load_audit(make_job(folder, **content))
        services = Services(f"{data.url}/w/api.php", f"{data.url}/sparql")

        def tick(database, due_at=DUE):
            with database.begin() as connection:
                reference_shares.store_shares(
                    connection, "wikidata", f"{datetime.now(UTC):%Y-%m-%d}", recorded()
                )
            outside = Outside(folder, 1, Way(contact="audit@lab.test", seconds=5))
            run = pipeline.start(database, audit, "scheduled", due_at)
            around = RunContext(services=services)
            return pipeline.run(database, audit, run, outside, quiet, around=around)

        tick.apps = apps
        yield tick
