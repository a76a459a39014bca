"""Whole runs against a service that fails on the wire: the rows of each fault, and what follows.

`expected.toml` names the rows, `wire.py` says how each fault is put on.
"""

from datetime import timedelta
from email.utils import parsedate_to_datetime

import pytest

from monitor import settings
from monitor.fetch import lanes
from monitor.store.database import connect
from tests.command import program
from tests.factories import make_job, make_list
from tests.faults import table
from tests.faults.conftest import COUNT, ITEMS, VARIABLE, Tls, expire
from tests.faults.wire import KEY, MOST_BYTES, UNKNOWN, WRONG, Wrong, once
from tests.standins import faults, serve
from tests.standins.libretranslate import LibreTranslate

UNTRUSTED = ("certificate_untrusted", "certificate_of_another_host")
CUT = ("bomb", "huge", "huge_unannounced")
#: Those with a test of their own below.
NAMED = {
    "too_many_in_seconds", "too_many_until_a_date", "burst_beyond_patience", *UNTRUSTED, *CUT
}  # fmt: skip
ON_POSTGRESQL = ("reset_after_headers", "reset_for_ever", "too_many_unsaid", "burst_of_3")


@pytest.fixture
def dialect(request):
    """SQLite, where a test does not ask for the other one."""
    return getattr(request, "param", "sqlite")


# --- what is true of every fault ----------------------------------------------------------------


def failed(name, faulty_run):
    """A run that failed so, its rows compared."""
    run = faulty_run(WRONG[name])
    wanted = {k: rows for k, rows in table.EXPECTED[name].items() if k not in ("fault", "lane")}
    assert run.rows() == wanted
    assert (run.summary.state, run.summary.planned) == (wanted["state"], COUNT)
    assert_no_number_from_absence(run)
    assert_every_request_is_evidence(run)
    return run


def assert_no_number_from_absence(run):
    """Every answer that came is masculine: a rate is 1 or there is none."""
    [covered] = run.select("SELECT masculine, used FROM coverage")
    points = run.points()
    for one in points:
        assert (one["value"] is not None) == (one["state"] == "measured")
        assert one["state"] == "measured" or one["reason"]
        assert 0 <= one["used"] <= one["answered"] <= one["planned"] <= COUNT
    rates = {q: [one for one in points if one["quantity"] == q] for q in ("p_i", "f_m", "f_s")}
    assert len(rates["p_i"]) == 16
    assert sum(one["planned"] for one in rates["p_i"]) == COUNT
    assert sum(one["used"] for one in rates["p_i"]) == covered["used"] == covered["masculine"]
    for one in rates["p_i"]:
        rate = 1.0 if one["used"] else None
        assert one["value"] == rate
        if rate:  # had the missing ones been feminine, it would be this
            assert one["bound_low"] == pytest.approx(one["used"] / one["planned"])
    whole = all(one["used"] for one in rates["p_i"])
    assert [one["value"] for one in rates["f_m"]] == [1.0 if whole else None]
    assert [one["value"] for one in rates["f_s"]] == [0.0 if whole else None]


def assert_every_request_is_evidence(run):
    """Each is described, with the question of its one attempt; the key is nowhere."""
    asked = run.asked()
    [exchanges] = run.select("SELECT COUNT(*) AS n FROM exchanges")
    assert len(asked) == exchanges["n"]
    keyed = run.wrong.host != UNKNOWN
    for text, request in asked:
        assert request["method"] == "POST"
        assert request["url"].endswith("/translate")
        assert f'"q":"{text}"' in request["body"]
        assert request.get("body_secrets") == ({"api_key": f"secret:{VARIABLE}"} if keyed else None)
    assert KEY not in run.everything()


def assert_goes_on_when_all_is_well(run):
    """The run is completed, and nobody is asked again for what was there."""
    run.mend()
    run.expire()
    before = run.select("SELECT id FROM exchanges WHERE outcome = 'ok' ORDER BY id")
    if run.summary.state == "partial":
        run.resume()
    assert (run.summary.state, run.summary.stopped) == ("done", ())
    assert (run.summary.planned, run.summary.answered) == (COUNT, COUNT)
    assert run.suspensions() == []
    every = run.select(
        "SELECT COUNT(*) AS tries, MAX(n) AS last, COUNT(DISTINCT n) AS numbers,"
        " COUNT(exchange_id) AS asked, SUM(CASE WHEN final THEN 1 ELSE 0 END) AS finals"
        " FROM attempts GROUP BY run_id, engine_id, probe_id, repeat"
    )
    assert len(every) == COUNT
    for one in every:
        assert one["tries"] == one["last"] == one["numbers"] == one["asked"]
        assert one["finals"] == 1
    good = run.select("SELECT id FROM exchanges WHERE outcome = 'ok' ORDER BY id")
    assert len(good) == COUNT
    assert good[: len(before)] == before
    assert_no_number_from_absence(run)
    assert_every_request_is_evidence(run)


@pytest.mark.parametrize("name", [name for name in table.EXPECTED if name not in NAMED])
def test_the_rows_of_a_fault_and_that_the_run_goes_on(name, faulty_run):
    assert_goes_on_when_all_is_well(failed(name, faulty_run))


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
@pytest.mark.parametrize("name", ON_POSTGRESQL)
def test_the_rows_on_postgresql(name, faulty_run):
    assert_goes_on_when_all_is_well(failed(name, faulty_run))


def test_every_fault_has_its_rows():
    assert list(WRONG) == list(table.EXPECTED)


def test_the_table_in_the_docs_is_that_of_the_tests():
    page = table.PAGE.read_text(encoding="utf-8")
    assert table.table() in page, "run: python -m tests.faults.table"
    assert page == table.written(page)


# --- how long a service is left alone -----------------------------------------------------------


#: Waits are counted on a clock that nobody sets, moments on that of the day.
CLOCKS = timedelta(milliseconds=50)


def after_429(run):
    """(when 429 came, its Retry-After, when the next request left)."""
    [told] = run.select("SELECT id FROM exchanges WHERE status = 429")
    _, came, headers = run.left(told["id"])
    left, _, _ = run.left(told["id"] + 1)
    return came, headers["retry-after"], left


def test_a_service_is_left_alone_for_the_seconds_that_it_asks_for(faulty_run):
    run = failed("too_many_in_seconds", faulty_run)
    came, asked, left = after_429(run)
    assert asked == "1"
    assert left - came >= timedelta(seconds=1) - CLOCKS
    assert_goes_on_when_all_is_well(run)


def test_a_service_is_left_alone_until_the_date_that_it_names(faulty_run):
    run = failed("too_many_until_a_date", faulty_run)
    _, asked, left = after_429(run)
    assert left >= parsedate_to_datetime(asked) - CLOCKS
    assert_goes_on_when_all_is_well(run)


def test_a_circuit_stays_open_until_its_end_then_one_request_tries(faulty_run):
    run = failed("burst_beyond_patience", faulty_run)
    came = len(run.running.requests)
    assert came == 5 + lanes.PATIENCE
    run.resume()  # its end has not come
    assert len(run.running.requests) == came
    assert run.summary.state == "partial"
    run.expire()
    run.resume()  # it has, but the service is as it was
    assert len(run.running.requests) == came + 1
    [again] = run.suspensions()
    assert again["times"] == 2
    assert round((again["until"] - again["since"]).total_seconds() / 60) == 20
    assert_goes_on_when_all_is_well(run)


# --- where questions do not go ------------------------------------------------------------------


def test_a_redirect_takes_the_question_to_nobody(faulty_run):
    with serve(LibreTranslate()) as other:
        run = faulty_run(once(faults.redirect(f"{other.url}/translate", 307)))
        assert other.requests == []
    assert (
        "redirects are not followed"
        in run.select("SELECT detail FROM exchanges WHERE status = 307")[0]["detail"]
    )


@pytest.mark.parametrize("name", UNTRUSTED)
def test_nobody_without_the_right_certificate_hears_a_question(name, faulty_run):
    run = failed(name, faulty_run)
    assert run.running.requests == []
    details = {row["detail"] for row in run.select("SELECT detail FROM exchanges")}
    assert all("certificate" in detail for detail in details)
    assert_goes_on_when_all_is_well(run)


@pytest.mark.parametrize("name", CUT)
def test_a_cut_answer_is_kept_up_to_the_limit(name, faulty_run):
    run = failed(name, faulty_run)
    [kept] = run.select(
        "SELECT b.size FROM exchanges x JOIN bodies b ON b.id = x.body_id"
        " WHERE x.reason = 'oversize'"
    )
    assert kept["size"] == MOST_BYTES
    assert_goes_on_when_all_is_well(run)


# --- the same by the command, with the settings of the environment ------------------------------


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Runs a command in a folder with a database."""
    monkeypatch.setattr(lanes, "FIRST_WAIT", 0.001)
    setting(monkeypatch, MONITOR_CONTACT="audit@monitor.test")
    with program(tmp_path, monkeypatch, capsys) as run:
        assert run("init")[0] == 0
        yield run


def job(folder, url):
    use = {"name": "libretranslate", "targets": ["pt"], "pace": 1000.0, "own": True}
    make_list(folder, items=ITEMS)
    return make_job(folder, engines=[use | {"config": {"base_url": url}}])


def setting(monkeypatch, **named):
    for name, text in named.items():
        monkeypatch.setenv(name, str(text))
    settings.load.cache_clear()


def test_the_command_says_what_failed_and_goes_on_with_the_authorities(
    command, tmp_path, monkeypatch
):
    tls = Tls(tmp_path, Wrong(certificate="untrusted"))
    with serve(LibreTranslate(), tls.context) as running:
        path = job(tmp_path, running.url)
        code, _, said = command("run", path)
        assert (code, running.requests) == (5, []), said
        assert "CERTIFICATE_VERIFY_FAILED" in said
        assert f"{COUNT} of {COUNT} questions have no answer" in said
        setting(monkeypatch, MONITOR_CA_FILE=tls.file)
        code, _, said = command("run", path, "--resume")
        assert (code, running.requests) == (5, []), said
        assert "nobody can be asked now, so no run is begun" in said
        opened = connect(f"sqlite:///{tmp_path / 'monitor.db'}", tmp_path / "bodies")
        expire(opened)
        opened.close()
        code, _, said = command("run", path, "--resume")
        assert (code, len(running.requests)) == (0, COUNT), said


@pytest.mark.parametrize(
    ("fault", "variable", "limit", "words"),
    [
        (faults.silence(), "MONITOR_ANSWER_TIMEOUT", "0.15", "no whole answer within 0.15 s"),
        (faults.huge(1), "MONITOR_ANSWER_BYTES", "2048", "cut at 2,048 bytes"),
    ],
)
def test_the_limits_are_those_of_the_environment(
    command, tmp_path, monkeypatch, fault, variable, limit, words
):
    setting(monkeypatch, **{variable: limit})
    with serve(LibreTranslate(always=fault)) as running:
        code, _, said = command("run", job(tmp_path, running.url))
        assert code == 5, said
    _, shown, _ = command("evidence", "show", "1")
    assert words in " ".join(shown.split())
