"""The shipped job `professions-carousel` over a loopback internet, in a real Chromium.

From its schedule to its points: pages, consent walls, blocks and redesigns of a Google-like engine,
people in a Wikidata-like one. The points equal what is computed here by hand.
"""

from contextlib import contextmanager

import pytest

from monitor import pipeline, resources
from monitor.fetch import Outside, check_parts
from monitor.fetch.browser import BrowserWay
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.model import MissingPart, RunState, Services
from monitor.pipeline import RunContext
from tests import browser
from tests.factories import DUE, make_list, quiet, rows
from tests.standins import serve
from tests.standins.web import GoogleLike
from tests.standins.wikidata import Item
from tests.standins.wikidata_counts import Counting
from tests.standins.wire import json_answer


@pytest.fixture(autouse=True)
def chromium():
    """Nothing here can be tried without a browser."""
    return browser.required()


WOMAN, MAN = "Q6581072", "Q6581097"
GENDER = {"f": WOMAN, "m": MAN, "?": None}
#: Whom the carousel shows, first to last: recorded as a woman, a man, or without a record.
SHOWN = {
    "physicist": "fmmmmmmmmm" + "fffmmmmmmm",
    "nurse": "ffffffffmm",
    "painter": "fmfmfmfmfm" + "mmmmmmmmmm",
    "poet": "mff",
    "chemist": "?mmmmmmmmf",
    "judge": "f???????mm",
    "dancer": "",
}
OCCUPATION = {name: f"Q{900 + n}" for n, name in enumerate(SHOWN)}


def question(name):
    return f"list of {name}s"


def graph_id(row, place):
    return f"/m/0{chr(ord('b') + row)}{place:03d}"


def people():
    """What the engine shows, and what Wikidata records of the same people."""
    shown, items = {}, []
    for row, (occupation, signs) in enumerate(SHOWN.items()):
        tiles = []
        for place, sign in enumerate(signs):
            name, known = f"{occupation.title()} Number {place}", graph_id(row, place)
            tiles.append((name, "", known))
            genders = (GENDER[sign],) if GENDER[sign] else ()
            items.append(
                Item(
                    f"Q{1000 * (row + 1) + place}",
                    name,
                    genders=genders,
                    occupations=(OCCUPATION[occupation],),
                    ids={"P646": known},
                )
            )
        shown[question(occupation)] = tiles
    return shown, items


def organic():
    return {
        question(name): [(f"About {name}s", f"https://{name}.test/", "words")] for name in SHOWN
    }


def items_of():
    return [
        {
            "key": f"list-of-{name}s",
            "text": question(name),
            "occupation": name,
            "wikidata": OCCUPATION[name],
        }
        for name in SHOWN
    ]


def job_of(folder, url, references):
    """The shipped job, on a list of seven, with the loopback engine in the real one's place."""
    make_list(folder, items=items_of(), cue="people")
    text = (resources.find_folder("jobs") / "professions-carousel.toml").read_text("utf-8")
    for old, new in (
        ('name = "professions-search@1"', 'name = "mini@1"'),
        (
            "config = { opt_in = false }",
            f'pace = 50\nconfig = {{ opt_in = true, base_url = "{url}" }}',
        ),
        ('references = ["wikidata", "result_list", "us_labour", "parity"]', references),
        ("cutoff = [3, 5, 10, 20]", "cutoff = [3, 5, 10, 20]\ntopics_floor = 3"),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / "professions-carousel.toml"
    path.write_text(text, encoding="utf-8")
    return load_audit(path)


@contextmanager
def internet(tmp_path, **settings):
    """(engine, Wikidata, how a tick is run) of a loopback internet."""
    shown, items = people()
    engine, wikidata = GoogleLike(shown, organic(), **settings), Counting(items)
    with serve(engine) as google, serve(wikidata) as data:
        references = 'references = ["wikidata", "result_list", "parity"]'
        audit = job_of(tmp_path, google.url, references)
        services = Services(f"{data.url}/w/api.php", f"{data.url}/sparql")

        def tick(database, due_at=DUE, **around):
            outside = Outside(tmp_path, 1, Way(contact="audit@lab.test"), BrowserWay(seconds=20))
            begun = pipeline.start(database, audit, "scheduled", due_at)
            surroundings = RunContext(services=services, **around)
            return pipeline.run(database, audit, begun, outside, quiet, around=surroundings)

        yield engine, data, tick


def values(database, measure="c_ratio_bias(topics_floor=3)@10", reference="parity"):
    found = rows(
        database,
        "SELECT quantity, value, state FROM points_current WHERE measure = :m AND reference = :r",
        m=measure,
        r=reference,
    )
    return {row["quantity"]: row["value"] for row in found}


def topics(database, measure="c_ratio_bias(topics_floor=3)@10", reference="parity"):
    found = rows(
        database,
        "SELECT * FROM topics_current WHERE measure = :m AND reference = :r",
        m=measure,
        r=reference,
    )
    return {row["topic"]: row for row in found}


def test_from_schedule_to_points(sqlite_database, tmp_path):
    with internet(tmp_path) as (_, data, tick):
        summary = tick(sqlite_database)
    assert summary.state is RunState.DONE
    assert not summary.stopped
    by_topic = topics(sqlite_database)
    betas = {name: row["bias"] for name, row in by_topic.items()}
    # 1 of 10; 8 of 10; 5 of 10; 2 of 3 (a half of three rounds to the ratio nearer to it: 2/3);
    # 1 of the 9 with a record (4.5 of nine rounds to 4/9).
    assert betas == {
        "physicist": pytest.approx(0.1 - 0.5),
        "nurse": pytest.approx(0.8 - 0.5),
        "painter": pytest.approx(0.0),
        "poet": pytest.approx(0.0),
        "chemist": pytest.approx(1 / 9 - 4 / 9),
        "judge": None,
        "dancer": None,
    }
    assert "3 of 10" in by_topic["judge"]["reason"]
    assert "not shown" in by_topic["dancer"]["reason"]
    known = [beta for beta in betas.values() if beta is not None]
    over = values(sqlite_database)
    assert over["mb"] == pytest.approx(sum(known) / 5)
    assert over["mab"] == pytest.approx(sum(map(abs, known)) / 5)
    assert over["trigger_rate"] == pytest.approx(6 / 7)
    # K: 4 of the 20 physicists and 5 of the 20 painters in Wikidata are recorded as women
    by_k = topics(sqlite_database, reference="wikidata")
    assert by_k["physicist"]["bias"] == pytest.approx(0.1 - 0.2)
    assert by_k["painter"]["bias"] == pytest.approx(0.5 - 0.3)  # 2.5 of ten: the nearer is 3
    assert by_k["painter"]["as_of"] == by_k["physicist"]["as_of"] != ""
    # R: the whole carousel of twenty is the target of the first ten
    assert topics(sqlite_database, reference="result_list")["physicist"]["bias"] == pytest.approx(
        0.1 - 0.2
    )
    assert topics(sqlite_database, "c_ratio_bias(topics_floor=3)@3")["physicist"][
        "bias"
    ] == pytest.approx(1 / 3 - 1 / 3)
    assert len(rows(sqlite_database, "SELECT 1 AS one FROM shown")) == sum(map(len, SHOWN.values()))
    kept = rows(sqlite_database, "SELECT observed, screenshot_id, headers FROM exchanges")
    assert all(row["screenshot_id"] and row["headers"] for row in kept)
    assert data.requests


def test_who_has_two_recorded_genders_is_named_in_no_open_table(sqlite_database, tmp_path):
    """Shares are counted with their help; their items lie with what is known of people."""
    with internet(tmp_path) as (_, _, tick):
        tick(sqlite_database)
    kept = rows(sqlite_database, "SELECT request FROM lookups")
    assert kept
    assert not any("?another" in row["request"] or "%3Fanother" in row["request"] for row in kept)
    asked = rows(sqlite_database, "SELECT request FROM people.people_lookups")
    assert any("another" in row["request"] for row in asked)


def outcomes(database):
    """{occupation: (outcome, reason) of its page}."""
    sql = """
        SELECT v.item_key, v.outcome, v.reason FROM answers v
        WHERE v.final OR v.exchange_id IS NULL GROUP BY v.item_key, v.outcome, v.reason
    """
    found = {row["item_key"]: (row["outcome"], row["reason"]) for row in rows(database, sql)}
    return {name: found[f"list-of-{name}s"] for name in SHOWN}


@pytest.mark.usefixtures("in_list_order")
def test_a_redesign_a_wall_and_an_empty_page_are_never_no_bias(sqlite_database, tmp_path):
    whims = {
        question("physicist"): "redesign",
        question("nurse"): "no_names",
        question("painter"): "nothing",
        question("poet"): "enablejs",
        question("judge"): "consent",
    }
    with internet(tmp_path, whims=whims) as (_, _, tick):
        summary = tick(sqlite_database)
    assert summary.state is RunState.PARTIAL
    assert any("suspended" in sentence for sentence in summary.stopped)
    found = outcomes(sqlite_database)
    assert found["physicist"] == ("unreadable", "malformed")
    assert found["nurse"] == ("unreadable", "malformed")
    assert found["painter"] == ("empty", "")
    assert found["poet"] == ("blocked", "js_shell")
    # after a block nothing more is asked; what was not asked has no value either
    assert found["chemist"] == found["judge"] == found["dancer"] == ("not asked", "")
    assert {row["bias"] for row in topics(sqlite_database).values()} == {None}
    assert values(sqlite_database)["mb"] is None
    reasons = {name: row["reason"] for name, row in topics(sqlite_database).items()}
    assert "not shown" in reasons["painter"]
    assert all("not shown" not in reasons[name] for name in ("physicist", "nurse", "poet", "judge"))


def test_a_consent_wall_is_answered_and_the_choice_is_kept(sqlite_database, tmp_path):
    with internet(tmp_path, whim="consent") as (_, _, tick):
        summary = tick(sqlite_database)
    assert summary.state is RunState.DONE
    kept = rows(sqlite_database, "SELECT observed, url FROM exchanges")
    assert all('"consent":"reject"' in str(row["observed"]) for row in kept)
    assert all("consented=rejected" in row["url"] for row in kept)
    assert topics(sqlite_database)["nurse"]["bias"] == pytest.approx(0.3)


def test_a_captcha_ends_the_run_and_says_so(sqlite_database, tmp_path):
    with internet(tmp_path, whim="sorry") as (_, _, tick):
        summary = tick(sqlite_database)
    assert summary.state is RunState.PARTIAL
    assert "google_sorry" in summary.stopped[0]
    kept = rows(sqlite_database, "SELECT outcome, reason, status, screenshot_id FROM exchanges")
    assert [(row["outcome"], row["reason"], row["status"]) for row in kept] == [
        ("blocked", "captcha", 429)
    ]
    assert kept[0]["screenshot_id"]


class Lookup:
    """Says from where a request came."""

    def __init__(self, country):
        self.country = country

    def __call__(self, _request, wire):
        wire.send(json_answer(200, {"ip": "192.0.2.7", "country": self.country}))


@pytest.mark.parametrize(("country", "withheld"), [("US", False), ("AT", True)])
def test_pages_from_another_country_than_declared_give_no_value(
    sqlite_database, tmp_path, country, withheld
):
    with internet(tmp_path) as (_, _, tick), serve(Lookup(country)) as lookup:
        tick(sqlite_database, egress_lookup=lookup.url, address_key="a long random text")
    found = rows(sqlite_database, "SELECT DISTINCT state, reason FROM points_current")
    if withheld:
        assert [row["state"] for row in found] == ["insufficient"]
        assert "requests left from AT; the region us-en is declared in US" in found[0]["reason"]
    else:
        assert "measured" in {row["state"] for row in found}
    kept = rows(sqlite_database, "SELECT * FROM egresses")
    assert [row["country"] for row in kept] == [country] * 2
    assert len({row["address_hash"] for row in kept}) == 1
    assert "192.0.2.7" not in repr(kept)


def test_nothing_is_asked_before_somebody_opted_in(tmp_path):
    audit = load_audit(resources.find_folder("jobs") / "professions-carousel.toml")
    with pytest.raises(MissingPart, match="opt_in = true"):
        check_parts(pipeline.sample_requests(audit), tmp_path)
