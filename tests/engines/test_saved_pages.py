"""Saved pages as an engine: readings, labels of series, and a whole run with look-ups."""

import json

import pytest

from monitor import registry
from monitor.jobs import EngineUse, load_audit
from monitor.model import Answer, InvalidInput, Outcome, Reason, SavedRequest
from monitor.pages import _page_owner
from tests import saved
from tests.cases import check_each
from tests.command import program
from tests.engines.searching import asked, probes, shown
from tests.factories import DUE
from tests.saved import QUESTION, page
from tests.standins import serve
from tests.standins.wikidata import Item, Wikidata

ENGINE = registry.engine("saved_pages")
WOMAN, MAN = "Q6581072", "Q6581097"


def read(body, status=None, url="", n=1):
    answer = Answer(Outcome.OK, DUE, 0.0, status=status, url=url, body=body)
    return ENGINE.parse(answer, probes([f"q{i}" for i in range(n)]))


def test_the_request_names_folder_question_and_region():
    assert asked(ENGINE, folder="pages") == SavedRequest("pages", QUESTION, "us-en")


@check_each("folder", ["/pages", "../pages", "a/../../b", "C:\\pages", "..\\x", " "])
def test_a_folder_elsewhere_is_refused(folder):
    assert ENGINE.check("en", "us-en", {"folder": folder}).startswith("config: folder = ")


def test_what_a_config_may_name():
    assert ENGINE.check("en", "us-en", {"folder": "pages/2026-11", "system": "google"}) == ""
    assert "system" in ENGINE.check("en", "us-en", {"folder": "pages", "system": "altavista"})
    assert "needs 'folder'" in ENGINE.check("en", "us-en", {})
    [_, system] = ENGINE.parameters
    assert set(system.choices) == set(registry.discover("pages"))


@pytest.mark.parametrize(
    ("config", "label"),
    [({}, "saved_pages"), ({"system": "bing"}, "saved_pages:bing")],
)
def test_the_label_names_the_system(config, label):
    use = EngineUse(name="saved_pages", regions=["us-en"], config={"folder": "pages", **config})
    assert use.label(ENGINE) == label
    moved = use.model_copy(update={"config": {"folder": "elsewhere", **config}})
    assert use.config_hash == moved.config_hash


@check_each("engine", ["google_web", "bing_web", "duckduckgo_html"])
@check_each("name", ["ok", "empty", "blocked"])
def test_pages_are_read_as_their_engine_reads_them(engine, name):
    own = registry.engine(engine)
    body = page(engine=engine, name=name)
    answer = Answer(Outcome.OK, DUE, 0.0, body=body)
    [expected] = own.parse(answer, probes())
    [found] = read(body)
    assert found.outcome == expected.outcome
    assert found.items == expected.items
    assert expected.detail in found.detail


def test_the_recording_that_every_engine_has():
    kept = json.loads((saved._RECORDINGS / "saved_pages" / "ok.json").read_text("utf-8"))
    assert ENGINE.check("en", "us-en", kept["config"]) == ""
    [found] = read(kept["body"].encode(), kept["status"])
    assert kept["readings"] == [{"outcome": "ok", "reason": "", "items": shown(found)}]


def test_no_page_is_no_answer_and_no_empty_list():
    [found] = read(b"")
    assert (found.outcome, found.reason, found.items) == (Outcome.FAILED, Reason.UNRECORDED, ())


def test_a_page_of_nobody_that_is_known():
    [found] = read(b"<html><body>hello</body></html>")
    assert (found.outcome, found.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert "no engine that is known" in found.detail
    [wall] = read(b"<html><title>Just a moment...</title><div id=challenge-running></div></html>")
    assert (wall.outcome, wall.detail) == (Outcome.BLOCKED, "cloudflare")


@pytest.mark.parametrize("name", ["ok", "empty"])
def test_a_page_that_came_with_an_error_is_no_list(name):
    assert read(page(name=name), 200)[0].outcome in (Outcome.OK, Outcome.EMPTY)
    [found] = read(page(name=name), 503)
    assert (found.outcome, found.items) == (Outcome.UNREADABLE, ())
    assert "HTTP 503" in found.detail
    assert read(page(name="blocked"), 429)[0].outcome is Outcome.BLOCKED


def test_one_page_answers_one_question():
    assert [one.outcome for one in read(page(), n=2)] == [Outcome.UNREADABLE] * 2


def test_the_reader_of_an_engine():
    named = {
        name: _page_owner.reader_of(name) for name in ("google", "google_web", "duckduckgo_html")
    }
    assert named == {"google": "google", "google_web": "google", "duckduckgo_html": "duckduckgo"}
    assert [_page_owner.reader_of(n) for n in ("google_translate", "deepl", "", "google_x")] == [
        ""
    ] * 4


# --- a job ----------------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs a command in a folder with a database; Wikidata is a stand-in that knows two people."""
    known = [
        Item("Q1001", "Judit Example", genders=(WOMAN,), ids={"P646": "/m/0abc1"}),
        Item("Q1002", "Magnus Example", genders=(MAN,), ids={"P646": "/m/0abc2"}),
    ]
    with serve(Wikidata(known)) as data, program(tmp_path, monkeypatch, capsys) as command:
        monkeypatch.setenv("MONITOR_WIKIDATA_API", f"{data.url}/w/api.php")
        monkeypatch.setenv("MONITOR_WIKIDATA_SPARQL", f"{data.url}/sparql")
        monkeypatch.setenv("MONITOR_CONTACT", "audit@lab.test")
        assert command("init")[0] == 0
        yield command


def test_every_day_of_saved_pages_becomes_a_run(run, tmp_path):
    questions = (QUESTION, "list of nurses")
    job = saved.saved_job(tmp_path / "jobs", questions, system="google")
    folder = tmp_path / "jobs" / "pages"
    saved.write(folder, "2023-07-27 a.html", page())
    saved.write(folder, "2023-07-27 b.html", page("list of nurses", name="blocked"))
    saved.write(folder, "2023-08-03.html", page("list of nurses"))
    rows = [
        {"file": "2023-07-27 a.html", "query": QUESTION},
        {"file": "2023-07-27 b.html", "query": "list of nurses"},
        {"file": "2023-08-03.html", "query": "list of nurses"},
    ]
    saved.index(folder, rows)
    assert run("check", job)[0] == 0
    code, out, err = run("run", job, "--json")
    assert (code, err) == (0, err)
    first, second = json.loads(out)
    assert (first["due_at"][:10], first["planned"], first["answered"]) == ("2023-07-27", 2, 1)
    assert (second["due_at"][:10], second["planned"], second["answered"]) == ("2023-08-03", 2, 1)
    shown_again = run("run", job)
    assert shown_again[0] == 0
    assert "all 2 recorded dates of mini have a run already" in shown_again[2]

    found = json.loads(run("evidence", "show", 1, QUESTION, "--json")[1])
    assert [(one["engine"], one["reading"]["outcome"]) for one in found] == [
        ("saved_pages:google", "ok")
    ]
    labels = {
        item["title"]: (item["label"]["state"], item["label"]["group"])
        for item in found[0]["reading"]["items"]
        if item["block"] == "carousel"
    }
    assert labels == {
        "Judit Example": ("labelled", "women"),
        "Magnus Example": ("labelled", "men"),
    }
    [blocked] = json.loads(run("evidence", "show", 1, "list-of-nurses", "--json")[1])
    assert (blocked["reading"]["outcome"], blocked["reading"]["items"]) == ("blocked", [])
    [missing] = json.loads(run("evidence", "show", 2, "list-of-chess-players", "--json")[1])
    assert (missing["reading"]["outcome"], missing["reading"]["reason"]) == (
        "failed", "unrecorded",
    )  # fmt: skip
    assert missing["exchange"]["body"] is None


def test_people_are_looked_up_only_where_somebody_can_be_reached(run, tmp_path, monkeypatch):
    from monitor import settings

    job = saved.saved_job(tmp_path / "jobs")
    saved.write(tmp_path / "jobs" / "pages", "2023-07-27.html", page())
    monkeypatch.delenv("MONITOR_CONTACT")
    settings.load.cache_clear()
    code, _, err = run("run", job)
    assert code == 2
    assert "contact" in err


def test_a_folder_that_cannot_be_used_is_named(run, tmp_path):
    job = saved.saved_job(tmp_path / "jobs")
    for command in ("check", "run"):
        code, _, err = run(command, job)
        assert code == 2
        assert "no such folder of saved pages" in err


def test_what_was_left_out_is_said(run, tmp_path):
    job = saved.saved_job(tmp_path / "jobs", system="google")
    folder = tmp_path / "jobs" / "pages"
    saved.write(folder, "2023-07-27 a.html", page())
    saved.write(folder, "2023-07-27 b.html", page(engine="bing_web"))
    code, _, err = run("run", job)
    assert code == 0
    assert "b.html: left out, a page of bing" in err


def test_a_job_does_not_leave_its_folder(tmp_path):
    job = saved.saved_job(tmp_path, folder="../pages")
    with pytest.raises(InvalidInput, match="beside the job file"):
        load_audit(job)
