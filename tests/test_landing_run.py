"""A job that measures the pages that results lead to, over a loopback engine and site."""

import builtins
import re
from contextlib import ExitStack, contextmanager
from functools import partial

import pytest

from monitor import pipeline
from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.fetch.landing import LandingFetcher
from monitor.jobs import load_audit
from monitor.measures import parse
from monitor.model import InvalidInput, RunState
from monitor.pipeline import RunContext
from monitor.pipeline.collect import runs as running
from monitor.store.collect import runs
from monitor.text import main_text
from monitor.text.main_text import Extracted
from tests.command import program
from tests.factories import DUE, make_job, make_list, quiet, rows
from tests.standins import serve
from tests.standins.marginalia import Marginalia
from tests.standins.results import Hit
from tests.standins.wire import Answer as Said

HTML = {"Content-Type": "text/html; charset=utf-8"}
TEXTS = {
    "/a": "She said that her mother danced with her sister.",
    "/b": "He said that his brother is a king.",
    "/c": "The river runs through the town in spring.",
    "/d": "A woman and a man talk about the river.",
}
#: What each question leads to; /private is forbidden, /gone is not there, /blank says nothing.
LEADS = {
    "nurse": ["/a", "/c", "/gone"],
    "engineer": ["/b", "/private", "/d"],
    "gentle": ["/blank", "/a"],
    "lovely": ["/d", "/c", "/a"],
}
ROBOTS = b"User-agent: *\nDisallow: /private\n"
CUT = 3
NFAIRR = f"NFaiRR(text=landing)@{CUT}"
GSR = f"GSR(floor=3,lexicon=glove-6b-50d,text=landing)@{CUT}"
MEASURES = [
    {"name": "NFaiRR", "cutoff": CUT, "text": "landing"},
    {"name": "GSR", "cutoff": CUT, "floor": 3, "text": "landing"},
    {"name": "NFaiRR", "cutoff": CUT},
]


def site(request, wire):
    """A web site: pages of a sentence, rules, and one page without any words."""
    path = request.target
    if path == "/robots.txt":
        answer = Said(200, ROBOTS, {"Content-Type": "text/plain"})
    elif path in TEXTS or path in ("/blank", "/private"):
        answer = Said(200, f"<html><p>{TEXTS.get(path, '')}</p></html>".encode(), HTML)
    else:
        answer = Said(404, b"<html>not here</html>", HTML)
    answer.play(wire, lambda: answer)


def words(body, url, content_type):
    """A stand-in for trafilatura: what stands between tags."""
    text = re.sub(rb"<[^>]*>", b" ", body).decode().strip()
    return Extracted(text or None, "words 1", "" if text else "no main text found")


def items():
    return [
        {"key": trait, "text": f"{trait} people", "trait": trait, "pattern": "{trait} people",
         "gender_neutral": "yes"}
        for trait in LEADS
    ]  # fmt: skip


def results(url, leads=LEADS):
    return {
        f"{trait} people": [Hit("Title", f"{url}{path}", "Some words.") for path in some]
        for trait, some in leads.items()
    }


class Job:
    """A job over a stand-in of an engine and of the site that its results lead to."""

    def __init__(self, stack, folder, leads=LEADS, **changes):
        self.folder = folder
        self.site = stack.enter_context(serve(site))
        self.engine = Marginalia(results=results(self.site.url, leads))
        self.asked = stack.enter_context(serve(self.engine))
        use = {"name": "marginalia", "regions": ["us-en"], "pace": 500}
        use |= {"config": {"base_url": self.asked.url}}
        make_list(folder, items=items(), cue="terms")
        content = {"engines": [use], "measures": MEASURES, "tries": 1} | changes
        self.path = make_job(folder, **content)
        self.audit = load_audit(self.path)

    def tick(self, database, due_at=DUE, run=None, stop=lambda: False, extract=words):
        begun = run or pipeline.start(database, self.audit, "scheduled", due_at)
        way = Way(contact="audit@lab.test", seconds=5)
        outside = Outside(self.folder, 1, way)
        pages = LandingFetcher(way, rest=0.0, extract=extract, loopback=True)
        around = RunContext(landings=lambda: pages)
        try:
            return pipeline.run(
                database, self.audit, begun, outside, quiet, stop=stop, around=around
            )
        finally:
            pages.close()
            outside.close()

    @property
    def targets(self):
        """What the site was asked for."""
        return [request.target for request in self.site.requests]


@contextmanager
def job(folder, **changes):
    with ExitStack() as stack:
        yield Job(stack, folder, **changes)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    monkeypatch.setenv("MONITOR_CONTACT", "audit@lab.test")


def point(database, measure, quantity):
    [row] = rows(
        database,
        "SELECT * FROM points_current WHERE measure = :m AND quantity = :q AND scope = 'all'",
        m=measure,
        q=quantity,
    )
    return row


def of_queries(database, found):
    sql = "SELECT * FROM queries_current WHERE point_id = :p"
    return {row["key"]: row for row in rows(database, sql, p=found["point_id"])}


def documents(database, url):
    found = rows(database, "SELECT * FROM documents ORDER BY id")
    return {row["key"].removeprefix(url): row for row in found}


EVERY = {path for some in LEADS.values() for path in some}


def test_values_are_those_of_the_library_on_the_texts_of_pages(database, tmp_path):
    with job(tmp_path) as made:
        summary = made.tick(database)
    assert summary.state is RunState.DONE
    run = {trait: list(some) for trait, some in LEADS.items()}
    texts = {path: TEXTS.get(path) for path in EVERY}
    queries = {trait: trait for trait in LEADS}
    expected = {
        (NFAIRR, "nfairr"): parse(f"NFaiRR@{CUT}").score(run, texts),
        (GSR, "gsr"): parse(f"GSR(floor=3)@{CUT}").score(run, texts, queries=queries),
    }
    for (measure, quantity), score in expected.items():
        found = point(database, measure, quantity)
        assert score.value is not None
        assert found["value"] == pytest.approx(score.value, abs=1e-12)
        assert found["bound_low"] == pytest.approx(score.bound_low, abs=1e-12)
        assert found["bound_high"] == pytest.approx(score.bound_high, abs=1e-12)
        assert found["bound_low"] < found["bound_high"]  # three pages could not be read
    snippets = point(database, f"NFaiRR@{CUT}", "nfairr")
    # titles and snippets name nobody; they have a series of their own, and nothing of it is missing
    score = parse(f"NFaiRR@{CUT}").score(run, dict.fromkeys(EVERY, "Title\nSome words."))
    assert snippets["value"] == pytest.approx(score.value, abs=1e-12)
    assert snippets["bound_low"] == snippets["bound_high"] == snippets["value"]


def test_every_page_is_asked_once_and_kept_with_its_text(database, tmp_path):
    with job(tmp_path) as made:
        made.tick(database)
        url, targets = made.site.url, made.targets
    assert sorted(targets) == sorted(["/robots.txt", *(EVERY - {"/private"})])
    kept = documents(database, url)
    assert set(kept) == EVERY
    assert {row["collection"] for row in kept.values()} == {"landing:1"}
    assert {path: row["outcome"] for path, row in kept.items()} == {
        **dict.fromkeys(TEXTS, "ok"),
        "/gone": "failed",
        "/private": "blocked",
        "/blank": "unreadable",
    }
    for path in ("/gone", "/private", "/blank"):
        assert kept[path]["body_id"] is None  # no text, and never an empty one
        assert kept[path]["detail"]
    assert kept["/a"]["extractor"] == "words 1"
    looked = rows(database, "SELECT * FROM lookups WHERE purpose = 'landing'")
    assert {row["id"] for row in looked} == {row["lookup_id"] for row in kept.values()}
    with database.read() as connection:
        assert [run.id for run in runs.list_newest(connection, 1)] == [1]
    sizes = rows(
        database,
        "SELECT b.size FROM lookups l JOIN bodies b ON b.id = l.body_id WHERE l.id = :id",
        id=kept["/a"]["lookup_id"],
    )
    assert sizes == [{"size": len(f"<html><p>{TEXTS['/a']}</p></html>")}]


def test_pages_that_cannot_be_read_are_missing_and_bound_the_values(database, tmp_path):
    with job(tmp_path) as made:
        made.tick(database)
    queries = of_queries(database, point(database, NFAIRR, "nfairr"))
    for trait, missing in (("nurse", 1), ("engineer", 1), ("gentle", 1), ("lovely", 0)):
        row = queries[trait]
        assert (row["missing"], row["empty"]) == (missing, 0), trait
        assert row["documents"] == len(LEADS[trait])
        assert (row["bound_low"] < row["bound_high"]) == bool(missing), trait


def test_results_beyond_the_cut_off_are_not_asked_for(database, tmp_path):
    deep = LEADS | {"nurse": ["/a", "/c", "/gone", "/b4", "/b5"]}
    with job(tmp_path, leads=deep) as made:
        made.tick(database)
        assert not {"/b4", "/b5"} & set(made.targets)


def test_the_next_tick_asks_for_its_pages_anew(database, tmp_path):
    with job(tmp_path) as made:
        made.tick(database)
        before = len(made.targets)
        made.tick(database, DUE.replace(day=13))
        assert len(made.targets) == 2 * before
    found = rows(database, "SELECT DISTINCT collection FROM documents ORDER BY collection")
    assert [row["collection"] for row in found] == ["landing:1", "landing:2"]


def test_a_run_that_was_stopped_goes_on_where_it_was(database, tmp_path, monkeypatch):
    monkeypatch.setattr("monitor.pipeline.collect.runs._AT_ONCE", 1)
    read = []

    def counted(*given):
        read.append(given[1])
        return words(*given)

    with job(tmp_path) as made:
        with pytest.raises(pipeline.Interrupted, match="--resume"):
            made.tick(database, stop=lambda: len(read) >= 2, extract=counted)
        kept = set(documents(database, made.site.url))
        assert 0 < len(kept) < len(EVERY)
        assert rows(database, "SELECT * FROM points_current") == []
        made.site.requests.clear()
        made.asked.requests.clear()
        resumed = pipeline.resume(database, made.audit)
        summary = made.tick(database, run=resumed)
        again = set(made.targets)
        assert made.asked.requests == []
    assert summary.state is RunState.DONE
    assert not again & kept
    assert set(documents(database, made.site.url)) == EVERY
    run = {trait: list(some) for trait, some in LEADS.items()}
    score = parse(f"NFaiRR@{CUT}").score(run, {path: TEXTS.get(path) for path in EVERY})
    assert point(database, NFAIRR, "nfairr")["value"] == pytest.approx(score.value, abs=1e-12)


def test_what_came_before_a_second_interrupt_is_kept(database, tmp_path, monkeypatch):
    monkeypatch.setattr("monitor.pipeline.collect.runs._AT_ONCE", 1)
    with job(tmp_path) as made:
        original = running.read_pages

        def breaking(database, audit, run, around, progress, stop):
            def pressed(stage, done, planned):
                if stage == "pages" and done >= 2:
                    raise KeyboardInterrupt

            return original(database, audit, run, around, pressed, stop)

        with monkeypatch.context() as patched:
            patched.setattr(running, "read_pages", breaking)
            with pytest.raises(pipeline.Interrupted):
                made.tick(database)
        assert len(documents(database, made.site.url)) >= 2
        resumed = pipeline.resume(database, made.audit)
        assert made.tick(database, run=resumed).state is RunState.DONE
        assert set(documents(database, made.site.url)) == EVERY


def test_an_engine_that_finds_nothing_leads_nowhere(database, tmp_path):
    with job(tmp_path, leads={trait: [] for trait in LEADS}) as made:
        made.tick(database)
        assert made.targets == []
    found = point(database, NFAIRR, "nfairr")
    assert (found["state"], found["value"], found["answered"]) == ("insufficient", None, 4)


def test_snippets_ask_for_no_page(database, tmp_path):
    with job(tmp_path, measures=[{"name": "NFaiRR", "cutoff": CUT}]) as made:
        made.tick(database)
        assert made.targets == []
        assert pipeline.landing_depth(made.audit) == 0
    assert rows(database, "SELECT * FROM documents") == []


def test_without_a_cutoff_nobody_knows_which_pages_to_ask_for(tmp_path):
    with (
        pytest.raises(InvalidInput, match=r"GSR: text = .landing. needs a cutoff"),
        job(tmp_path, measures=[{"name": "GSR", "text": "landing"}]),
    ):
        pass


@pytest.mark.parametrize(("cutoffs", "expected"), [(5, 5), ([1, 2, 20], 20)], ids=["one", "many"])
def test_how_many_pages_a_list_needs(tmp_path, cutoffs, expected):
    measure = {"name": "NFaiRR", "text": "landing", "cutoff": cutoffs}
    with job(tmp_path, measures=[measure, {"name": "ARB", "cutoff": 50}]) as made:
        assert pipeline.landing_depth(made.audit) == expected


def test_what_finds_texts_is_missed_before_anybody_is_asked(
    sqlite_database, tmp_path, monkeypatch, capsys
):
    plain = builtins.__import__

    def without(name, *given, **more):
        if name.partition(".")[0] == "trafilatura":
            raise ImportError("no module named trafilatura")
        return plain(name, *given, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    main_text._load_library.cache_clear()
    try:
        with job(tmp_path) as made:
            with program(tmp_path, monkeypatch, capsys) as command:
                code, _, err = command("run", made.path)
            assert code == 3
            assert "pip install 'gbmonitor[landing]'" in err
            assert made.asked.requests == made.site.requests == []
    finally:
        main_text._load_library.cache_clear()
    assert rows(sqlite_database, "SELECT * FROM runs") == []


def test_old_results_lead_to_pages_that_have_changed(tmp_path):
    make_list(tmp_path, items=items(), cue="terms")
    saved = partial(
        make_job, tmp_path,
        engines=[{"name": "saved_pages", "regions": ["us-en"], "config": {"folder": "pages"}}],
        schedule={"cron": "0 5 * * mon", "catch_up": "all"},
    )  # fmt: skip
    load_audit(saved(measures=[{"name": "NFaiRR", "cutoff": CUT}]))
    with pytest.raises(InvalidInput, match='text = "landing" is for live engines'):
        load_audit(saved(measures=MEASURES))


def test_evidence_of_pages_is_whole(sqlite_database, tmp_path, monkeypatch, capsys):
    with job(tmp_path) as made:
        made.tick(sqlite_database)
    with program(tmp_path, monkeypatch, capsys) as command:
        code, out, err = command("evidence", "verify")
    assert code == 0, err
    assert "match their digests" in out
