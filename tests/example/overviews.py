"""AI overviews of a search engine that does not exist, in the last weeks of the example."""

from datetime import timedelta

from tests.example import invented
from tests.factories import governed, job_content, make_job, make_list

OVERVIEWS = "invented-overviews"
HOST = f"{OVERVIEWS}.localhost"
KEY = "the key of an example, which is no secret"
WEEKS = 3
_CITED = ("encyclopedia", "museum", "forum", "magazine")


def write(folder, names):
    """Write the job and its list; returns the job's path."""
    items = [
        {"key": f"overview-{n}", "text": f"famous {n}s", "occupation": n, "gender_neutral": "yes"}
        for n in names
    ]
    make_list(folder, "overviews", items=items, cue="terms", title="Questions with an AI overview")
    engine = {
        "name": "serpapi", "regions": ["us-en"], "pace": 1000.0,
        "title": "Invented search with overviews", "config": {"base_url": f"http://{HOST}"},
    }  # fmt: skip
    content = job_content(
        name=OVERVIEWS,
        invented=True,
        description="What an AI that does not exist writes above results, and whom it cites",
        schedule={"cron": "0 5 * * mon", "timezone": "UTC", "catch_up": "latest"},
        lists=[{"name": "overviews@1"}],
        engines=[engine],
        measures=[
            {"name": "overview_rate", "floor": 3},
            {"name": "cited_domains", "floor": 3, "domain": f"{_CITED[0]}.invented.test"},
        ],
        governance=governed(
            "serpapi",
            purpose="An example to look around in: every answer is invented",
            controller="Nobody: the example of the program monitor",
            legal_basis="None is needed: nobody is asked, and all names are invented",
            contact="example@monitor.test",
        ),
        tries=1,
    )
    return make_job(folder, f"{OVERVIEWS}.toml", **content)


def due_times(last):
    """Return the ticks of the job, up to the last week."""
    return [last - timedelta(weeks=week) for week in reversed(range(WEEKS))]


def others(names, moment):
    """Return the blocks of each answer: most questions have an overview, one is declined."""
    return {
        f"famous {name}s": {"ai_overview": _overview(name, place, moment)}
        for place, name in enumerate(names)
        if invented.draw("overview", name, moment.date()) < 0.8
    }


def _overview(name, place, moment):
    if not place:
        return {"error": "An AI Overview is not available for this search"}
    words = "She" if invented.draw("words", name, moment.date()) < 0.4 else "He"
    lines = (
        f"This overview of {name}s is invented.",
        f"{words} is the best known {name}, as an AI that does not exist would write.",
    )
    cited = [site for site in _CITED if invented.draw(site, name, moment.date()) < 0.6]
    return {
        "text_blocks": [{"type": "paragraph", "snippet": line} for line in lines],
        "references": [
            {"title": f"Invented {site}", "link": f"https://{site}.invented.test/{name}"}
            for site in cited or _CITED[:1]
        ],
    }
