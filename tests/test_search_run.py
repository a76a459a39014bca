"""A search audit from questions to points, over loopback services: whom an engine shows."""

from contextlib import contextmanager
from datetime import timedelta

import pytest

from monitor import pipeline
from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.labels.settle import Rating
from monitor.model import RunState, Services
from monitor.pipeline import RunContext
from monitor.store.derive import people as restricted
from tests.factories import DUE, make_job, make_list, quiet, rows
from tests.standins import serve
from tests.standins.mediawiki import MediaWiki
from tests.standins.results import Hit
from tests.standins.wikidata import Item, Wikidata
from tests.standins.wire import json_answer

WOMAN, MAN, NON_BINARY = "Q6581072", "Q6581097", "Q48270"
GENDER = {"f": WOMAN, "m": MAN, "o": NON_BINARY}
#: In the order in which they are shown: recorded as a woman, a man, neither; u has no item.
SHOWN = {
    "physicist": "fmmmmmmmmm",
    "nurse": "ffffffffmm",
    "painter": "fmfmfmfmfm",
    "poet": "mffo",
    "judge": "fuuuuuummm",
}
ITEM_OF = {name: f"Q{900 + n}" for n, name in enumerate(SHOWN)}
WEEK = timedelta(days=7)
REFUSED = json_answer(400, {"error": {"code": "badvalue", "info": "no"}})


def name_of(occupation, place):
    return f"{occupation.title()} Number {place}"


def people(shown=SHOWN):
    """Everybody who has an item."""
    return [
        Item(
            f"Q{1000 * (row + 1) + place}",
            name_of(occupation, place),
            genders=(GENDER[sign],),
            occupations=(ITEM_OF[occupation],),
            sitelinks={"enwiki": name_of(occupation, place)},
        )
        for row, (occupation, signs) in enumerate(shown.items())
        for place, sign in enumerate(signs)
        if sign != "u"
    ]


def results(shown=SHOWN):
    return {
        f"list of {name}s": [Hit(name_of(name, n), "https://x.test/") for n in range(len(signs))]
        for name, signs in shown.items()
    }


def items():
    return [
        {
            "key": f"list-of-{name}s",
            "text": f"list of {name}s",
            "occupation": name,
            "wikidata": ITEM_OF[name],
        }
        for name in SHOWN
    ]


def audit_of(folder, url, **changes):
    """A job on five occupations that asks a loopback Wikipedia."""
    use = {
        "name": "wikipedia",
        "regions": ["us-en"],
        "pace": 500,
        "config": {"base_url": url, "count": 20},
    }
    measure = {
        "name": "c_ratio_bias",
        "block": "organic",
        "topics_floor": 3,
        "references": ["parity"],
    }
    content = {"engines": [use], "measures": [measure]} | changes
    make_list(folder, items=items(), cue="people")
    return load_audit(make_job(folder, **content))


@contextmanager
def services(folder, wikidata=None, found=None, script=(), **changes):
    """(stand-in of Wikipedia, that of Wikidata, how a tick is run)."""
    wiki = MediaWiki(results=found or results(), script=list(script))
    data = wikidata or Wikidata(people())
    with serve(wiki) as asked, serve(data) as looked_up:
        audit = audit_of(folder, asked.url, **changes)
        known = Services(f"{looked_up.url}/w/api.php", f"{looked_up.url}/sparql")

        def tick(database, due_at=DUE, run=None, **around):
            outside = Outside(folder, 1, Way(contact="audit@lab.test", seconds=5))
            begun = run or pipeline.start(database, audit, "scheduled", due_at)
            return pipeline.run(
                database, audit, begun, outside, quiet, around=RunContext(services=known, **around)
            )

        tick.audit = audit
        yield asked, looked_up, tick


def values(database, due_at=DUE):
    found = rows(database, "SELECT * FROM points_current ORDER BY due_at, quantity")
    return {
        row["quantity"]: row for row in found if str(row["due_at"])[:10] == f"{due_at:%Y-%m-%d}"
    }


def topics(database):
    return {row["topic"]: row for row in rows(database, "SELECT * FROM topics_current")}


@pytest.mark.both_databases
def test_points_equal_what_a_person_computes_by_hand(database, tmp_path):
    with services(tmp_path) as (_, _, tick):
        summary = tick(database)
    assert summary.state is RunState.DONE
    assert not summary.stopped
    found = topics(database)
    assert found["nurse"]["bias"] == pytest.approx(0.3)
    assert found["painter"]["bias"] == pytest.approx(0.0)
    assert found["physicist"]["bias"] == pytest.approx(-0.4)
    # one person is neither a woman nor a man: 2 of 3, and a half of three rounds to the nearer 2/3
    assert (found["poet"]["women"], found["poet"]["men"]) == (2, 1)
    assert found["poet"]["bias"] == pytest.approx(0.0)
    assert found["judge"]["state"] == "insufficient"  # 4 of 10 have a record
    over = {name: row["value"] for name, row in values(database).items()}
    assert over["mb"] == pytest.approx((0.3 - 0.4) / 4)
    assert over["mab"] == pytest.approx((0.3 + 0.4) / 4)
    assert over["trigger_rate"] == 1.0
    assert over["label_coverage"] == pytest.approx((10 + 10 + 10 + 4 + 4) / 44)


def test_a_number_leads_back_to_the_people_and_no_further(database, tmp_path):
    """Who was shown stands in the view with a group; the values that Wikidata has stand nowhere."""
    with services(tmp_path) as (_, _, tick):
        tick(database)
    shown = rows(
        database, "SELECT * FROM shown WHERE item_key = 'list-of-poets' ORDER BY item_rank"
    )
    assert [(row["title"], row["grouping"]) for row in shown] == [
        ("Poet Number 0", "men"),
        ("Poet Number 1", "women"),
        ("Poet Number 2", "women"),
        ("Poet Number 3", "other"),
    ]
    assert {row["source"] for row in shown} == {"wikidata"}
    assert all(row["as_of"] for row in shown)
    unknown = rows(database, "SELECT state, grouping FROM shown WHERE state <> 'labelled'")
    assert unknown == [{"state": "unresolved", "grouping": ""}] * 6
    for table in ("labels", "points_current", "topics_current", "shown", "lookups"):
        assert NON_BINARY not in repr(rows(database, f"SELECT * FROM {table}"))
    kept = rows(database, "SELECT genders FROM people.people_entities WHERE name = 'Poet Number 3'")
    assert NON_BINARY in repr(kept)


def test_who_is_known_is_not_looked_up_again(database, tmp_path):
    with services(tmp_path) as (_, data, tick):
        tick(database)
        before = len(data.requests)
        tick(database, DUE + WEEK)
    assert before > 0
    assert len(data.requests) == before


def test_what_people_say_wins_at_the_next_tick(database, tmp_path):
    with services(tmp_path) as (_, _, tick):
        tick(database)
        [row] = rows(database, "SELECT entity FROM shown WHERE title = 'Nurse Number 9'")
        with database.begin() as connection:
            said = Rating(row["entity"], "women", "ab", DUE)
            restricted.store_ratings(connection, [said])
        tick(database, DUE + WEEK)
    [row] = rows(
        database,
        "SELECT source, grouping FROM labels WHERE entity = :e AND is_current",
        e=row["entity"],
    )
    assert row == {"source": "people", "grouping": "women"}
    change = values(database, DUE + WEEK)["mb_change_panel"]
    # the label is corrected at both ticks, so that nothing changed between them
    assert change["value"] == pytest.approx(0.0)
    sql = "SELECT quantity, changed, delta FROM comparisons_current WHERE contrast = 'step'"
    steps = [row for row in rows(database, sql) if row["delta"] is not None]
    assert "mb" in {row["quantity"] for row in steps}
    assert {(row["changed"], row["delta"]) for row in steps} == {(0, 0.0)}
    assert rows(database, "SELECT change_id FROM changes_current") == []
    first, second = values(database)["mb"], values(database, DUE + WEEK)["mb"]
    assert first["value"] != second["value"]  # the label does matter


def test_a_change_is_measured_on_what_was_shown_at_both_ticks(database, tmp_path):
    later = results({**SHOWN, "physicist": "ffffffffff"})
    later["list of physicists"] = [Hit(name_of("nurse", n), "https://x.test/") for n in range(8)]
    with services(tmp_path) as (wiki, _, tick):
        tick(database)
        wiki.app.results = later
        tick(database, DUE + WEEK)
    first, second = values(database), values(database, DUE + WEEK)
    assert first["mb_change_panel"]["state"] == "insufficient"
    # physicists went from 1 of 10 to 8 of 8 women; the exact target is the same at both ticks
    assert second["mb_change_panel"]["value"] == pytest.approx((1.0 - 0.1) / 4)


def test_a_service_that_does_not_answer_makes_nobody_unresolved(database, tmp_path):
    """Who could not be looked up is asked for again, and the topics wait."""
    down = Wikidata(people(), always=json_answer(404, {"error": "gone"}))
    with services(tmp_path, down) as (_, data, tick):
        summary = tick(database)
        assert summary.state is RunState.PARTIAL
        assert any("could not be looked up yet" in sentence for sentence in summary.stopped)
        assert "could not be looked up yet" in values(database)["trigger_rate"]["reason"]
        assert rows(database, "SELECT * FROM labels") == []
        data.app._always = None
        again = tick(database, run=pipeline.resume(database, tick.audit))
    assert again.state is RunState.DONE
    assert values(database)["mb"]["value"] == pytest.approx(-0.025)


def test_what_people_said_stands_where_a_copy_came_without_it(sqlite_database, tmp_path):
    with services(tmp_path) as (_, _, tick):
        tick(sqlite_database)
        [row] = rows(sqlite_database, "SELECT entity FROM shown WHERE title = 'Nurse Number 9'")
        with sqlite_database.begin() as connection:
            restricted.store_ratings(connection, [Rating(row["entity"], "women", "ab", DUE)])
        tick(sqlite_database, DUE + WEEK)
        with sqlite_database.begin() as connection:
            for table in ("people_ratings", "people_entities", "people_lookups"):
                connection.exec_driver_sql(f"DELETE FROM people.{table}")
        tick(sqlite_database, DUE + 2 * WEEK)
    [label] = rows(
        sqlite_database,
        "SELECT source, grouping FROM labels WHERE entity = :e AND is_current",
        e=row["entity"],
    )
    assert label == {"source": "people", "grouping": "women"}


def test_no_results_and_no_answer_are_two_things(database, tmp_path):
    found = results() | {"list of painters": []}
    with services(tmp_path, found=found, script=[REFUSED], tries=1) as (_, _, tick):
        summary = tick(database)
    assert summary.state is RunState.PARTIAL
    by_topic = topics(database)
    assert "not shown" in by_topic["painter"]["reason"]
    assert (
        "no answer" in by_topic["physicist"]["reason"]
        or "answer" in by_topic["physicist"]["reason"]
    )
    rate = values(database)["trigger_rate"]
    assert rate["value"] == pytest.approx(3 / 4)


def test_a_resumed_run_labels_what_came_later(database, tmp_path):
    with services(tmp_path, script=[REFUSED], tries=1) as (_, _, tick):
        first = tick(database)
        assert first.state is RunState.PARTIAL
        again = pipeline.resume(database, tick.audit)
        summary = tick(database, run=again)
    assert summary.state is RunState.DONE
    assert topics(database)["physicist"]["bias"] == pytest.approx(-0.4)


def test_translators_and_search_engines_share_a_job_where_measures_name_their_kind(tmp_path):
    """`cutoff` is a parameter of one of the two."""
    make_list(tmp_path, name="people", items=items(), cue="people", source_lang="eo")
    work = [
        {"key": f"p{n}", "text": f"I am a {name}.", "occupation": name, "template": "t"}
        for n, name in enumerate(SHOWN)
    ]
    make_list(tmp_path, name="work", items=work)
    measures = [
        {"name": "c_ratio_bias", "kind": "search", "cutoff": [3, 10], "references": ["parity"]},
        {"name": "c_ratio_bias", "kind": "mt", "min_templates": 1, "references": ["parity"]},
    ]
    engines = [
        {"name": "wikipedia", "regions": ["us-en"], "sources": ["eo"]},
        {"name": "firefox_translations", "targets": ["pt"], "sources": ["en"]},
    ]
    lists = [{"name": "people@1"}, {"name": "work@1"}]
    audit = load_audit(make_job(tmp_path, lists=lists, engines=engines, measures=measures))
    found = [
        (use.name, measure.parameters.get("cutoff"))
        for use, engine in audit.engines
        for chosen in audit.job.measures
        for measure in chosen.configure_for(engine.kind)
    ]
    assert found == [("wikipedia", 3), ("wikipedia", 10), ("firefox_translations", None)]
