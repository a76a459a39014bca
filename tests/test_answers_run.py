"""People named by a chat model or in an overview: values are those of a carousel of the same."""

import pytest

from monitor import pipeline
from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.model import RunState, Services
from monitor.pipeline import RunContext
from tests.factories import DUE, make_list, quiet, rows
from tests.standins import serve
from tests.standins.chat import Chat
from tests.standins.serpapi import SerpApi, tile
from tests.standins.wikidata import Item
from tests.standins.wikidata_counts import Counting

KEY = "key"
WOMAN, MAN = "Q6581072", "Q6581097"
GENDERS = {"f": (WOMAN,), "m": (MAN,), "?": ()}
#: Who is shown, first to last: recorded as a woman or a man, without a gender, or invented.
SHOWN = {
    "physicist": "fmmmmmmmmm",
    "nurse": "ffffffffmm",
    "painter": "fmfmfmfmfm",
    "poet": "mff",
    "chemist": "?mm-mmmfmm",
    "judge": "f?-?-??-mm",
}
OCCUPATIONS = {name: f"Q{900 + n}" for n, name in enumerate(SHOWN)}
LETTERS = "abcdefghijklmnopqrst"


def name_of(row, place):
    return f"Mara K{LETTERS[row]}{LETTERS[place]}ova"


def question(name):
    return f"famous {name}s"


def answer_of(row, occupation, signs):
    lines = [
        f"{n}. **{name_of(row, n - 1)}** – known for her or his work as a {occupation}"
        for n in range(1, len(signs) + 1)
    ]
    return "\n".join([f"Here are {len(signs)} famous {occupation}s:", "", *lines])


def people():
    return [
        Item(f"Q{1000 * (row + 1) + place}", name_of(row, place), genders=GENDERS[sign],
             occupations=(OCCUPATIONS[occupation],))
        for row, (occupation, signs) in enumerate(SHOWN.items())
        for place, sign in enumerate(signs)
        if sign != "-"
    ]  # fmt: skip


JOB = """
name = "both"
description = "The same people in two systems"
[schedule]
cron = "0 3 * * mon"
timezone = "UTC"
[[lists]]
name = "mini@1"
[[engines]]
name = "serpapi"
regions = ["us-en"]
pace = 100
config = { base_url = "%s" }
[[engines]]
name = "answers"
regions = ["us-en"]
pace = 100
config = { base_url = "%s/v1", model = "m", keyless = true }
[[measures]]
name = "c_ratio_bias"
block = "carousel"
topics_floor = 3
references = ["parity"]
[[measures]]
name = "c_ratio_bias"
block = "people"
topics_floor = 3
references = ["parity"]
[[measures]]
name = "c_ratio_bias"
block = "overview_people"
topics_floor = 3
references = ["parity"]
"""
#: Blocks of people named, and the system that shows them.
CAROUSEL = "c_ratio_bias(topics_floor=3)@10"
NAMED = [("people", "answers"), ("overview_people", "serpapi")]


@pytest.fixture
def run(sqlite_database, tmp_path, monkeypatch):
    """Ask both systems, and return {(measure, engine): {topic: row}}."""
    monkeypatch.setenv("SERPAPI_KEY", KEY)
    make_list(tmp_path, items=[
        {"key": f"famous-{name}s", "text": question(name), "occupation": name,
         "wikidata": OCCUPATIONS[name]}
        for name in SHOWN
    ], cue="people")  # fmt: skip
    panels = {
        question(name): {"people": [tile(name_of(row, n)) for n in range(len(signs))]}
        for row, (name, signs) in enumerate(SHOWN.items())
    }
    answers = {question(n): answer_of(row, n, s) for row, (n, s) in enumerate(SHOWN.items())}
    overviews = {
        asked: {"ai_overview": {"text_blocks": [{"snippet": line} for line in text.split("\n")]}}
        for asked, text in answers.items()
    }
    carousel = SerpApi(key=KEY, panels=panels, others=overviews)
    chat = Chat(key=None, mode="answer", answers=answers)
    with serve(carousel) as shows, serve(chat) as names, serve(Counting(people())) as data:
        job = tmp_path / "both.toml"
        job.write_text(JOB % (shows.url, names.url), encoding="utf-8")
        audit = load_audit(job)
        begun = pipeline.start(sqlite_database, audit, "scheduled", DUE)
        outside = Outside(tmp_path, 1, Way(contact="audit@lab.test"))
        around = RunContext(services=Services(f"{data.url}/w/api.php", f"{data.url}/sparql"))
        summary = pipeline.run(sqlite_database, audit, begun, outside, quiet, around=around)
        assert summary.state is RunState.DONE, summary.stopped
        yield sqlite_database, data.requests


def read_topics(database, engine, measure):
    sql = "SELECT * FROM topics_current WHERE measure = :m AND engine LIKE :e"
    return {row["topic"]: row for row in rows(database, sql, m=measure, e=f"{engine}%")}


@pytest.mark.parametrize(("block", "engine"), NAMED)
def test_people_named_are_measured_as_those_of_a_carousel(run, block, engine):
    database, requests = run
    shown = read_topics(database, "serpapi", CAROUSEL)
    named = read_topics(database, engine, f"c_ratio_bias(block={block},topics_floor=3)@10")
    assert set(shown) == set(named) == set(SHOWN)
    numbers = ("state", "model", "model_low", "model_high", "target", "bias", "bound_low",
               "bound_high", "women", "men", "labelled", "shown", "p")  # fmt: skip
    for topic in SHOWN:
        assert {n: named[topic][n] for n in numbers} == {n: shown[topic][n] for n in numbers}
    assert named["physicist"]["bias"] == pytest.approx(0.1 - 0.5)
    # of the ten chemists one has no recorded gender and one nobody has recorded
    chemist = named["chemist"]
    assert (chemist["labelled"], chemist["bound_low"] < chemist["bias"]) == (8, True)
    assert named["judge"]["bias"] is None
    reasons = {row["reason"] for row in rows(database, "SELECT reason FROM labels")}
    assert "nobody recorded has this name and occupation" in reasons
    searches = [request for request in requests if b"srsearch" in request.body]
    assert len(searches) == sum(map(len, SHOWN.values()))  # each person once, wherever shown


@pytest.mark.parametrize(("block", "engine"), NAMED)
def test_the_same_values_over_all_professions(run, block, engine):
    database, _ = run
    sql = """
        SELECT engine, measure, quantity, value FROM points_current
        WHERE quantity IN ('mb', 'mab', 'sb', 'label_coverage', 'trigger_rate')
    """
    values = {
        (row["engine"][:7], row["measure"], row["quantity"]): row["value"]
        for row in rows(database, sql)
    }
    for quantity in ("mb", "mab", "sb", "label_coverage", "trigger_rate"):
        named = values[engine, f"c_ratio_bias(block={block},topics_floor=3)@10", quantity]
        shown = values["serpapi", CAROUSEL, quantity]
        assert named == pytest.approx(shown)
        assert named is not None
    assert values["answers", CAROUSEL, "mb"] is None  # a chat model shows no carousel
