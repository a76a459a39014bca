"""A job that asks nothing: three weekly runs over a loopback service, then their month."""

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from monitor import pipeline
from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.jobs_tables import CorpusPeriod
from monitor.model import InvalidInput, RunState
from monitor.pipeline.derive.corpora import corpus_texts as corpus_texts_of
from monitor.pipeline.maintenance import Request, erase_subject
from monitor.pipeline.publish import write_package
from monitor.stages.reports.run_report import make_report
from monitor.store.access import embargoes
from monitor.store.collect import runs
from monitor.store.derive import corpora
from monitor.store.derive.corpora import TextFilter
from monitor.store.publish import data_dictionary
from monitor.store.publish.reproduction import RunSelection
from tests.cases import check_each
from tests.factories import DUE, make_job, make_list, quiet, rows
from tests.standins import serve
from tests.standins.marginalia import Marginalia
from tests.standins.results import Hit

WEEK = timedelta(days=7)
FEBRUARY, MARCH = datetime(2025, 2, 1, 6, tzinfo=UTC), datetime(2025, 3, 1, 6, tzinfo=UTC)
QUESTIONS = {"nurse": "nurse people", "engineer": "engineer people"}
HER = "She is a nurse, her mother and sister teach as a teacher."
HIS = "He is an engineer, his brother a carpenter and his father a nurse."
#: What is shown each week: of six texts of a question two or three come again.
WEEKS = [
    {"nurse": [HER, "A nurse of the town."], "engineer": [HIS]},
    {"nurse": [HER, "A nurse by the river."], "engineer": [HIS, HER]},
    {"nurse": ["A nurse of the town.", HER], "engineer": []},
]


def hits(week):
    return {
        QUESTIONS[trait]: [
            Hit("Page", f"https://x.test/{trait}/{text[-9:]}", text) for text in some
        ]
        for trait, some in WEEKS[week].items()
    }


def items():
    return [
        {"key": f"q-{trait}", "text": text, "trait": trait, "gender_neutral": "yes"}
        for trait, text in QUESTIONS.items()
    ]


MEASURES = [
    {"name": "first_order", "min_count": 1, "floor": 0, "topics_floor": 3,
     "references": ["us_labour"]}
]  # fmt: skip


NAME = "first_order(corpus=month,floor=0,min_count=1,topics_floor=3)"


@pytest.fixture
def jobs(tmp_path, monkeypatch):
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    monkeypatch.setenv("MONITOR_ADDRESS_KEY", "a key of the tests")
    with opened(tmp_path) as found:
        yield found


@contextmanager
def opened(tmp_path):
    """The weekly job and the monthly one that reads it; `tick` makes a tick of one."""
    make_list(tmp_path, "texts", items=items(), cue="terms")
    app = Marginalia()
    with serve(app) as running:
        use = {"name": "marginalia", "regions": ["us-en"], "config": {"base_url": running.url}}
        common = {"tries": None, "lists": [{"name": "texts@1"}]}
        weekly = make_job(
            tmp_path,
            "weekly.toml",
            name="weekly",
            engines=[use | {"pace": 500}],
            measures=[{"name": "TED", "cutoff": 5}],
            **common,
        )
        monthly = make_job(
            tmp_path,
            "monthly.toml",
            name="monthly",
            engines=[use],
            measures=MEASURES,
            schedule={"cron": "0 6 1 * *"},
            corpus={"jobs": ["weekly"]},
            **common,
        )
        yield SimpleNamespace(
            app=app, weekly=load_audit(weekly), monthly=load_audit(monthly), folder=tmp_path
        )


def tick(database, jobs, audit, due_at, kind="scheduled"):
    outside = Outside(jobs.folder, 1, Way(contact="audit@lab.test", seconds=5))
    try:
        begun = pipeline.start(database, audit, kind, due_at)
        return pipeline.run(database, audit, begun, outside, quiet)
    finally:
        outside.close()


def three_weeks(database, jobs):
    for number in range(3):
        jobs.app.results = hits(number)
        tick(database, jobs, jobs.weekly, DUE + number * WEEK)


def add_to(database, folder, due_at=FEBRUARY):
    """Three weeks and their month, for an archive that has other things as well."""
    folder.mkdir()
    with opened(folder) as jobs:
        three_weeks(database, jobs)
        return tick(database, jobs, jobs.monthly, due_at).run


def corpus(database, run):
    with database.read() as connection:
        [found] = corpora.list_corpora(connection, run.id)
    return found.corpus


def points(database, run):
    sql = "SELECT * FROM points_current WHERE run_id = :run ORDER BY measure, quantity, scope"
    return rows(database, sql, run=run.id)


def texts(database, found):
    with database.read() as connection:
        return [
            (one.document.text, one.rank)
            for one in corpora.read_documents(connection, database, found.id, {})
        ]


def question(name):
    """The SQL of a worked question of docs/sql.md."""
    return next(one.sql for one in data_dictionary.read_questions() if one.name == name)


def test_a_month_of_texts_is_read_each_once_and_leads_back_to_the_answers(database, jobs):
    three_weeks(database, jobs)
    summary = tick(database, jobs, jobs.monthly, FEBRUARY)
    assert (summary.state, summary.planned, summary.stopped) == (RunState.DONE, 0, ())
    found = corpus(database, summary.run)
    assert (found.answers, found.documents, found.repeats, found.missing) == (6, 5, 4, 0)
    assert found.query["period"] == "2025-01"
    assert min(texts(database, found)) == (f"Page\n{'A nurse by the river.'}", 2)
    sql = "SELECT d.*, a.exchange_id FROM corpus_documents d JOIN attempts a ON a.id = d.attempt_id"
    places = rows(database, f"{sql} ORDER BY d.position")
    assert [row["repeats"] for row in places if row["repeats"]] == [2, 1, 1]
    assert all(row["exchange_id"] for row in places)
    [read] = rows(database, question("corpora-read"))
    assert (read["documents"], read["repeats"], read["n_runs"]) == (5, 4, 3)
    sql = """SELECT a.title, t.repeats FROM corpus_texts t JOIN answers a ON a.item_rank = t.rank
        AND a.attempt_id = t.attempt_id AND a.run_id = t.read_run_id ORDER BY t.position"""
    assert [row["repeats"] for row in rows(database, sql)] == [row["repeats"] for row in places]
    told = rows(database, question("words-in-texts"))
    assert [row["bias"] for row in told] == sorted((row["bias"] for row in told), reverse=True)
    assert {row["topic"] for row in told} >= {"nurse", "engineer"}
    made = points(database, summary.run)
    assert {row["measure"] for row in made} == {NAME}
    assert {(row["planned"], row["answered"]) for row in made if row["scope"] == "all"} == {(2, 2)}


def test_redo_gives_the_same_point_and_an_erasure_another(sqlite_database, jobs):
    database = sqlite_database
    three_weeks(database, jobs)
    run = tick(database, jobs, jobs.monthly, FEBRUARY).run
    before, first = points(database, run), corpus(database, run)
    assert pipeline.to_redo(database, [run]) == ([], [])
    assert pipeline.derive_run(database, jobs.monthly, run, quiet) == 0
    assert points(database, run) == before
    address = f"https://x.test/nurse/{HER[-9:]}"
    erase_subject(database, Request(address, "request 7", "a key of the tests"), DUE, compact=False)
    with database.read() as connection:
        kept = runs.list_ended(connection)
    todo, _ = pipeline.to_redo(database, kept)
    assert run.id in {one.run.id for one in todo}
    pipeline.redo(database, todo, quiet)
    second = corpus(database, run)
    assert (second.documents, second.missing) == (4, 3)
    assert second.digest != first.digest
    assert points(database, run) != before
    assert pipeline.to_redo(database, kept) == ([], [])


def test_a_run_that_was_resumed_since_is_read_again(sqlite_database, jobs):
    database = sqlite_database
    first = tick(database, jobs, jobs.weekly, DUE).run
    run = tick(database, jobs, jobs.monthly, FEBRUARY).run
    assert pipeline.to_redo(database, [run]) == ([], [])
    with database.begin() as connection:
        runs.set_state(connection, first.id, RunState.DONE, MARCH)
    todo, _ = pipeline.to_redo(database, [run])
    assert [one.run.id for one in todo] == [run.id]


def test_a_month_without_runs_has_no_value_and_one_with_a_run_that_goes_on_is_partial(
    sqlite_database, jobs
):
    database = sqlite_database
    empty = tick(database, jobs, jobs.monthly, FEBRUARY)
    reason = "no run of weekly in 2025-01 has ended"
    assert {(row["state"], row["reason"]) for row in points(database, empty.run)} == {
        ("insufficient", reason)
    }
    known = rows(database, "SELECT state, reason, value FROM series_points WHERE job = 'monthly'")
    assert {tuple(row.values()) for row in known} == {("insufficient", reason, None)}
    going = pipeline.start(database, jobs.weekly, "scheduled", MARCH - WEEK)
    partial = tick(database, jobs, jobs.monthly, MARCH)
    assert partial.state is RunState.PARTIAL
    [said] = partial.stopped
    assert f"run {going.id} of weekly has not ended" in said
    assert f"monitor redo --run {partial.run.id}" in said
    with database.read() as connection:
        page = make_report(connection, partial.run.id, ZoneInfo("UTC")).html
    assert "Texts of the results" in page
    assert "no run of weekly in 2025-02 has ended" in page
    assert "Not every run of the period had ended" in page


def test_what_depends_on_a_corpus_goes_with_the_job_that_collected(sqlite_database, jobs, tmp_path):
    database = sqlite_database
    three_weeks(database, jobs)
    run = tick(database, jobs, jobs.monthly, FEBRUARY).run
    with database.begin() as connection:
        about = {"job": "weekly"}
        embargoes.add_embargo(connection, about, reason="", by="a", until=None, now=FEBRUARY)
        unseen = embargoes.find_hidden(connection, MARCH)
    assert not unseen.shows_run(run.id)
    series = {row["id"] for row in rows(database, "SELECT id FROM series_keys")}
    assert series == unseen.series
    with pytest.raises(InvalidInput, match=r"it read what weekly collected.*add --job weekly"):
        write_package(
            database, tmp_path / "package", RunSelection(jobs=["monthly"], full=True), print
        )
    with pytest.raises(InvalidInput, match="reads what other jobs collected"):
        pipeline.start_noise(database, jobs.monthly, FEBRUARY)
    assert pipeline.lanes_of(database, jobs.monthly, run) == []
    kept = list(corpus_texts_of(database, TextFilter(jobs=("weekly",), until=DUE + WEEK)))
    assert [text for _, text in kept] == [
        f"Page\n{one}" for one in (HER, "A nurse of the town.", HIS)
    ]
    assert len(list(corpus_texts_of(database, TextFilter(engine="marginalia")))) == 5 - 1
    assert list(corpus_texts_of(database, TextFilter(region="fr-fr"))) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"corpus": {"jobs": ["monthly"]}}, "'monthly' is this job"),
        ({"corpus": {"jobs": []}}, "corpus.jobs"),
        ({"corpus": {"jobs": ["weekly"], "period": "day"}}, "corpus.period"),
        ({"measures": [MEASURES[0] | {"text": "overview"}]}, "holds texts of results"),
        ({"noise": {}}, "noise: says how engines are asked"),
        ({"tries": 2}, "tries: says how engines are asked"),
        ({"measures": [{"name": "TED", "cutoff": 5}]}, "TED: measures lists.*first_order"),
        (
            {"measures": [{"name": "first_order", "references": ["result_list"]}]},
            "first_order: references: 'result_list' are shares of the people",
        ),
        ({"engines": [{"name": "recorded", "targets": ["pt"]}]}, "live search engines|recorded"),
        (
            {"engines": [{"name": "marginalia", "regions": ["us-en"], "pace": 1}]},
            "engines: marginalia: pace: says how",
        ),
    ],
)
def test_what_makes_no_sense_without_asking_is_refused_by_its_name(tmp_path, changes, said):
    make_list(tmp_path, items=items(), cue="terms")
    content = {
        "name": "monthly",
        "tries": None,
        "engines": [{"name": "marginalia", "regions": ["us-en"]}],
        "measures": MEASURES,
        "corpus": {"jobs": ["weekly"]},
    }
    assert load_audit(make_job(tmp_path, **content)).job.foreign == []
    with pytest.raises(InvalidInput, match=said):
        load_audit(make_job(tmp_path, **content | changes))


@check_each(
    ("period", "due_at", "begin", "end", "title"),
    [
        ("month", "2025-03-30T06:00", "2025-01-31T23:00", "2025-02-28T23:00", "2025-02"),
        ("month", "2025-03-31T22:00", "2025-02-28T23:00", "2025-03-31T22:00", "2025-03"),
        ("month", "2025-03-31T21:59", "2025-01-31T23:00", "2025-02-28T23:00", "2025-02"),
        ("quarter", "2025-02-01T06:00", "2024-09-30T22:00", "2024-12-31T23:00",
         "quarter 4 of 2024"),
        ("week", "2025-01-06T05:00", "2024-12-29T23:00", "2025-01-05T23:00",
         "the week of 2024-12-30"),
    ],
)  # fmt: skip
def test_a_period_is_the_last_of_the_calendar_that_was_over(period, due_at, begin, end, title):
    table, zone = CorpusPeriod(jobs=["weekly"], period=period), ZoneInfo("Europe/Vienna")
    span = table.compute_span(datetime.fromisoformat(f"{due_at}+00:00"), zone)
    assert [f"{one:%Y-%m-%dT%H:%M}" for one in span] == [begin, end]
    assert table.format_title(span[0], zone) == title
