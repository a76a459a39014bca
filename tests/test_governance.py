"""Governance: what a job has to say before it asks engines of others, and which are its own."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor import governance, pipeline, registry, settings
from monitor.jobs import EngineUse, lacking_governance, load_job, old_reviews
from monitor.model import InvalidInput, RunKind
from monitor.stages.reports import run_annexes
from tests.cases import check_each
from tests.command import program
from tests.factories import (
    DUE,
    Scripted,
    governed,
    job_content,
    make_audit,
    make_job,
    make_list,
    mini_items,
    portuguese,
    rows,
    run_audit,
)
from tests.report.conftest import render
from tests.report.test_report import LOADING, Page

DEEPL = {"name": "deepl", "targets": ["pt-BR"]}
LIBRE = {"name": "libretranslate", "targets": ["pt"]}
DEEPL_URL = governance.find_address(registry.engine("deepl"), {})
HERE = "http://127.0.0.1:5000"
HOSTILE = '<script>alert("x")</script> & <b>'


def libre(url, **changes):
    return LIBRE | {"config": {"base_url": url}} | changes


def job(folder, table=None, engines=(DEEPL,), **changes):
    return load_job(make_job(folder, governance=table, engines=list(engines), **changes))


# --- the table ----------------------------------------------------------------------------------


def test_a_job_without_the_table_has_none(tmp_path):
    assert load_job(make_job(tmp_path)).governance is None


def test_the_table_is_read_as_toml_has_it(tmp_path):
    path = make_job(tmp_path, engines=[DEEPL])
    table = (
        '[governance]\npurpose = """\nTo see\n  what happens\n"""\n[governance.reviews]\n'
        "deepl = 2025-01-06\n[governance.retention]\nanswer = 30\nscreenshot = 7\n"
    )
    path.write_text(path.read_text("utf-8") + table, encoding="utf-8")
    read = load_job(path).governance
    assert read.purpose == "To see\n  what happens"
    assert read.reviews == {"deepl": date(2025, 1, 6)}
    assert read.retention.days == {"answer": 30, "screenshot": 7}


def test_what_is_stored_is_read_back_the_same(tmp_path):
    read = job(tmp_path, governed("deepl", retention={"lookup": 9}))
    stored = json.loads(json.dumps(read.model_dump(mode="json")))
    assert type(read).model_validate(stored) == read


def tomorrow_everywhere():
    return (datetime.now(UTC) + timedelta(days=2)).date()


def test_a_review_of_today_holds_wherever_it_was_made(tmp_path):
    furthest = datetime.now(UTC) + timedelta(hours=13)
    table = governed("deepl", reviews={"deepl": furthest.date().isoformat()})
    assert job(tmp_path, table).governance


def test_a_review_that_is_still_to_come_is_refused(tmp_path):
    path = make_job(tmp_path, engines=[DEEPL])
    table = f"[governance.reviews]\ndeepl = {tomorrow_everywhere()}\n"
    path.write_text(path.read_text("utf-8") + table, encoding="utf-8")
    words = rf"governance\.reviews\.deepl: is still to come.*\(it says {tomorrow_everywhere()}\)"
    with pytest.raises(InvalidInput, match=words):
        load_job(path)


@check_each(
    ("change", "words"),
    [
        ({"purpos": "x"}, r"governance\.purpos: unknown key"),
        ({"purpose": 5}, r"governance\.purpose: must be a text.*it says 5"),
        ({"purpose": "a\u202eb"}, r"governance\.purpose: .*invisible character U\+202E"),
        ({"controller": "a\x1b[31mb"}, r"governance\.controller: .*U\+001B"),
        ({"legal_basis": "nul \x00"}, r"governance\.legal_basis: .*U\+0000"),
        ({"contact": "x" * 201}, r"governance\.contact: .*at most 200 characters"),
        ({"contact": "me@example.org"}, r"governance\.contact: .*example address"),
        ({"reviews": {"deepl": 1_700_000_000}}, r"reviews\.deepl: must be a date such as"),
        ({"reviews": {"deepl": "soon"}}, r"reviews\.deepl: must be a date.*'soon'"),
        ({"reviews": {"deepl": True}}, r"reviews\.deepl: must be a date"),
        ({"reviews": {"babelfish": "2025-01-06"}}, r"reviews\.babelfish: unknown engine 'babelf"),
        ({"reviews": ["deepl"]}, r"governance\.reviews: must be a table"),
        ({"retention": {"answer": 0}}, r"retention\.answer: .*at least 1"),
        ({"retention": {"answer": 36_501}}, r"retention\.answer: .*at most 36500"),
        ({"retention": {"answer": 1.0}}, r"retention\.answer: .*whole number"),
        ({"retention": {"answer": True}}, r"retention\.answer: .*whole number"),
        ({"retention": {"points": 3}},
         r"retention: unknown class 'points'; allowed: answer, screenshot, lookup, document \("),
        ({"retention": 30}, r"governance\.retention: "),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_is_refused_with_its_place(tmp_path, change, words):
    content = job_content(engines=[DEEPL], governance=governed("deepl") | change)
    with pytest.raises(InvalidInput, match=words) as refused:
        load_job(make_job(tmp_path, **content))
    assert len(str(refused.value)) < 2_000


@pytest.mark.parametrize("key", ["purpose", "controller", "legal_basis", "contact"])
def test_a_text_of_a_megabyte_is_refused_and_not_repeated(tmp_path, key):
    with pytest.raises(InvalidInput, match=rf"governance\.{key}: .*at most") as refused:
        job(tmp_path, governed("deepl") | {key: "x" * 1_000_000})
    assert len(str(refused.value)) < 800


def test_words_of_any_script_are_fine(tmp_path):
    said = "Lehrstuhl für Übersetzung, Žilina; پژوهش\u200cگاه 研究 👩🏽‍🔬"
    assert job(tmp_path, governed("deepl", controller=said)).governance.controller == said


# --- what lacks ---------------------------------------------------------------------------------


def test_everything_lacks_where_there_is_no_table(tmp_path):
    lacking = lacking_governance(job(tmp_path))
    named = [one.partition(":")[0] for one in lacking]
    assert named == [f"governance.{one}" for one in (
        "purpose", "controller", "legal_basis", "contact", "reviews.deepl",
    )]  # fmt: skip
    assert all(one.partition(": ")[2] for one in lacking)


@pytest.mark.parametrize("key", ["purpose", "controller", "legal_basis", "contact"])
@pytest.mark.parametrize("said", ["", " \n\t "])
def test_an_empty_text_lacks(tmp_path, key, said):
    lacking = lacking_governance(job(tmp_path, governed("deepl") | {key: said}))
    assert [one.partition(":")[0] for one in lacking] == [f"governance.{key}"]


def test_nothing_lacks_where_all_is_said(tmp_path):
    assert lacking_governance(job(tmp_path, governed("deepl"))) == []


def test_the_contact_of_the_job_will_do(tmp_path):
    table = governed("deepl", contact="")
    assert lacking_governance(job(tmp_path, table, contact="audit@uni.test")) == []


def test_the_contact_of_the_environment_will_do(tmp_path, monkeypatch):
    monkeypatch.setenv("MONITOR_CONTACT", "audit@uni.test")
    settings.load.cache_clear()
    assert lacking_governance(job(tmp_path, governed("deepl", contact=""))) == []


def test_every_engine_of_others_needs_a_review_and_its_own_do_not(tmp_path):
    engines = [
        DEEPL,
        DEEPL | {"targets": ["cs"]},
        libre(HERE),
        {"name": "firefox_translations", "targets": ["pt"]},
        {"name": "google_translate", "targets": ["pt"]},
    ]
    lacking = lacking_governance(job(tmp_path, governed("google_translate"), engines))
    assert [one.partition(":")[0] for one in lacking] == ["governance.reviews.deepl"]


def test_where_the_server_may_be_ones_own_that_is_said(tmp_path):
    [lacking] = lacking_governance(job(tmp_path, governed(), [libre("https://libre.test")]))
    assert "own = true" in lacking
    [lacking] = lacking_governance(job(tmp_path, governed()))
    assert "own = true" not in lacking


def test_an_old_review_is_mentioned_and_refuses_nothing(tmp_path):
    read = job(tmp_path, governed("deepl", "google_translate"))
    assert old_reviews(read, date(2026, 1, 7)) == []
    assert old_reviews(read, date(2026, 1, 8)) == ["review of the terms of deepl is 367 days old"]
    assert lacking_governance(read) == []


# --- one's own ----------------------------------------------------------------------------------


@check_each("name", ["firefox_translations", "local", "recorded", "saved_pages"])
def test_what_runs_here_or_was_recorded_is_ones_own(name):
    assert governance.is_own(registry.engine(name), {}, own=False)


@check_each(
    "url",
    [
        "http://127.0.0.1:5000", "http://127.8.9.1/x", "http://localhost:8080",
        "http://LOCALHOST", "http://libre.localhost", "http://[::1]:5000",
        "http://[::ffff:127.0.0.1]/", "http://10.1.2.3", "https://172.16.0.1",
        "https://172.31.255.255", "http://192.168.0.9:80/translate", "http://[fd00::1]",
        "http://[fe80::1]", "http://169.254.1.1", "http://127.0.0.1/search?q={query}&by=@me",
    ],
)  # fmt: skip
def test_an_address_in_this_machine_or_a_private_network_is_ones_own(url):
    assert governance.is_near(url)


@check_each(
    "url",
    [
        "", "https://api.deepl.com", "http://8.8.8.8", "http://172.32.0.1", "http://192.169.0.1",
        "http://100.64.0.1", "http://203.0.113.5", "http://0.0.0.0", "http://[::ffff:8.8.8.8]",
        "http://[2001:db8::1]", "http://127.0.0.1.nip.io", "http://localhost.evil.test",
        "http://notlocalhost", "http://127.0.0.1@evil.test", "http://evil.test\\@127.0.0.1",
        "http://evil.test\\.localhost", "http://{query}.localhost", "http://2130706433",
        "http://0x7f.1", "http://127.1", "http://[::1", "//", "127.0.0.1", "http://127.0.0.1 x",
        "http://\uff11\uff12\uff17.0.0.1", "http://127.0.0.1\n.evil.test", "http://" + "1" * 99_999,
    ],
)  # fmt: skip
def test_any_other_address_is_somebodys(url):
    assert not governance.is_near(url)


def test_an_engine_at_a_near_address_needs_nothing_said(tmp_path):
    assert lacking_governance(job(tmp_path, engines=[libre(HERE)])) == []
    assert lacking_governance(job(tmp_path, engines=[libre("https://libre.test")])) != []


def test_a_default_address_of_a_service_is_somebodys():
    use = EngineUse(name="brave", regions=["us-en"])
    assert not use.is_own(registry.engine("brave"))


def test_a_server_may_be_said_to_be_ones_own(tmp_path):
    engines = [libre("https://libre.uni.test", own=True)]
    assert lacking_governance(job(tmp_path, engines=engines)) == []


@pytest.mark.parametrize(
    ("use", "words"),
    [
        ({"name": "firefox_translations", "targets": ["pt"]}, "engines that take an address"),
        (DEEPL, "needs the address of your server in the config"),
        (DEEPL | {"config": {"base_url": f"{DEEPL_URL}:443/v2"}}, "not that of the service"),
        (libre("https://me@libre.test"), "no name or password"),
        (libre("not an address"), "an address with a host"),
    ],
)
def test_not_every_engine_can_be_called_ones_own(tmp_path, use, words):
    with pytest.raises(
        InvalidInput, match=rf"engines\[0\].own: '{use['name']}': own = true .*{words}"
    ):
        job(tmp_path, engines=[use | {"own": True}])


def test_being_ones_own_does_not_make_another_series():
    config = {"base_url": "https://libre.uni.test"}
    one, other = (
        EngineUse(name="libretranslate", targets=["pt"], config=config, own=own)
        for own in (True, False)
    )
    assert one.config_hash == other.config_hash


# --- nobody is asked ----------------------------------------------------------------------------

HERE_ALONE = ({"name": "firefox_translations", "targets": ["pt"]},)
MIXED = [*HERE_ALONE, DEEPL]


def counts(database):
    tables = ("jobs", "runs", "lists", "probes", "attempts", "exchanges")
    return [rows(database, f"SELECT COUNT(*) AS n FROM {name}")[0]["n"] for name in tables]


def test_a_tick_is_not_begun_and_nothing_is_written(database, tmp_path):
    audit = make_audit(tmp_path, engines=MIXED, governance=governed(purpose=""))
    with pytest.raises(InvalidInput) as refused:
        pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    said = str(refused.value)
    assert str(audit.path) in said
    assert "governance.purpose: " in said
    assert "governance.reviews.deepl: " in said
    assert counts(database) == [0] * 6


def test_a_tick_begins_where_all_is_said(database, tmp_path):
    audit = make_audit(tmp_path, engines=MIXED, governance=governed("deepl"))
    assert pipeline.start(database, audit, RunKind.SCHEDULED, DUE).id


def test_a_run_is_not_resumed_without_a_contact(database, tmp_path, monkeypatch):
    monkeypatch.setenv("MONITOR_CONTACT", "audit@uni.test")
    settings.load.cache_clear()
    audit = make_audit(tmp_path, engines=MIXED, governance=governed("deepl", contact=""))
    pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    monkeypatch.delenv("MONITOR_CONTACT")
    settings.load.cache_clear()
    with pytest.raises(InvalidInput, match=r"governance\.contact: "):
        pipeline.resume(database, audit)


# --- the commands -------------------------------------------------------------------------------


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        assert command("init")[0] == 0
        make_list(tmp_path / "jobs")
        yield command


@pytest.mark.parametrize("resume", [(), ("--resume",)])
def test_run_refuses_and_names_all_that_lacks(monitor, tmp_path, resume):
    make_job(tmp_path / "jobs", engines=MIXED, governance=governed(controller=""))
    code, out, err = monitor("run", "jobs/mini.toml", *resume)
    assert (code, out) == (2, "")
    assert err.startswith("monitor: jobs/mini.toml: nobody is asked before")
    assert "governance.controller: " in err
    assert "governance.reviews.deepl: " in err
    assert monitor("status")[1].startswith("no run yet")


def test_check_says_what_a_run_would_lack(monitor, tmp_path):
    make_job(tmp_path / "jobs", engines=MIXED, governance=governed(legal_basis=""))
    code, out, err = monitor("check", "jobs/mini.toml")
    assert code == 0
    assert "mini.toml: mini, 32 items" in out
    assert "to run it: governance.legal_basis: " in err
    assert "to run it: governance.reviews.deepl: " in err


@pytest.mark.parametrize(
    "server", [libre("http://127.0.0.1:5000"), libre("https://libre.uni.test", own=True)]
)
def test_a_job_on_a_server_of_ones_own_needs_no_contact(monitor, tmp_path, server):
    make_job(tmp_path / "jobs", engines=[server])
    code, out, err = monitor("check", "jobs/mini.toml")
    assert (code, "ready to run" in out, err) == (0, True, "")


def test_a_contact_that_lacks_is_named_once(monitor, tmp_path):
    make_job(tmp_path / "jobs", engines=MIXED, governance=governed("deepl", contact=""))
    code, _, err = monitor("check", "jobs/mini.toml")
    assert code == 0
    assert err.count("MONITOR_CONTACT") == 1


def test_check_mentions_an_old_review(monitor, tmp_path):
    make_job(tmp_path / "jobs", engines=MIXED, governance=governed("deepl"))
    code, _, err = monitor("check", "jobs/mini.toml")
    days = (datetime.now(UTC).date() - date(2025, 1, 6)).days
    assert code == 0
    assert f"review of the terms of deepl is {days} days old" in err
    assert "governance." not in err


def test_the_shipped_jobs_pass_and_say_what_to_fill_in(monitor):
    code, out, err = monitor("check")
    assert code == 0, err
    assert "demo.toml: demo" in out
    for name in ("deepl", "google_translate", "brave", "google_web"):
        assert f"to run it: governance.reviews.{name}: " in err
    assert "governance.controller: " in err
    assert "governance.purpose" not in err
    assert "governance.legal_basis" not in err


def test_plan_asks_nobody_and_needs_nothing_said(monitor, tmp_path):
    make_job(tmp_path / "jobs", engines=MIXED)
    assert monitor("plan", "jobs/mini.toml")[0] == 0


# --- what is shown ------------------------------------------------------------------------------


def run_with(database, folder, table, engines=HERE_ALONE, **changes):
    items = mini_items()
    audit = make_audit(folder, items, governance=table, engines=list(engines), **changes)
    run_audit(database, audit, Scripted(portuguese(items)))
    return audit


def shown(database):
    made = render(database)
    return made, " ".join(Page(made.html).text.split())


def test_a_report_shows_what_the_job_said(sqlite_database, tmp_path):
    table = governed("deepl", retention={"answer": 30, "screenshot": 7})
    run_with(sqlite_database, tmp_path, table)
    made, text = shown(sqlite_database)
    assert 'href="#governance"' in made.html
    for words in (
        "A test of this program", "Whoever runs the tests", "None is needed", "tests@monitor.test",
        "answers, kept 30 days", "screenshots, kept 7 days", "documents, kept for ever",
        "values, kept for ever", "runs in the machine of the audit",
    ):  # fmt: skip
        assert words in text
    assert made.numbers["governance"]["purpose"] == "A test of this program"
    assert made.numbers["governance"]["foreign"] == []


def test_a_report_keeps_to_the_job_of_its_run(sqlite_database, tmp_path):
    audit = run_with(sqlite_database, tmp_path, governed("deepl", purpose="Then"))
    make_job(tmp_path, governance=governed("deepl", purpose="Later"))
    audit.path.unlink()
    _, text = shown(sqlite_database)
    assert "purpose Then" in text
    assert "Later" not in text


def test_a_job_whose_engines_are_its_own_needs_none(sqlite_database, tmp_path):
    run_with(sqlite_database, tmp_path, None)
    made, text = shown(sqlite_database)
    assert "says nothing of governance and needs not to" in text
    assert made.numbers["governance"]["stated"] is False


def test_engines_of_others_stand_with_the_date_of_their_review():
    content = {
        "governance": governed("deepl"),
        "contact": "job@uni.test",
        "engines": [
            DEEPL | {"own": False, "config": {}},
            DEEPL | {"own": False, "config": {}},
            libre("https://libre.uni.test", own=True),
            libre("https://libre.test"),
            {"name": "gone_engine"},
            {"name": "google_cse"},
        ],
    }
    found = run_annexes.write_governance_lines(content)
    assert [(row["name"], row["reviewed"]) for row in found["foreign"]] == [
        ("deepl", "2025-01-06"), ("libretranslate", ""), ("gone_engine", ""), ("google_cse", ""),
    ]  # fmt: skip
    assert found["foreign"][-1]["where"].startswith("no longer offered: ")
    assert [row["where"] for row in found["own"]] == ["https://libre.uni.test"]
    assert found["foreign"][0]["where"] == DEEPL_URL


def test_a_run_of_others_without_the_table_says_so():
    found = run_annexes.write_governance_lines({"engines": [DEEPL]})
    assert "are not known" in found["sentence"]
    assert run_annexes.list_fields({"engines": [DEEPL]}) == {"governance": found["sentence"]}


@check_each("table", [None, 5, "x", [], {}, {"reviews": 3}, {"retention": []}, {"purpose": None}])
def test_a_stored_job_of_any_form_is_shown(table):
    found = run_annexes.write_governance_lines({"governance": table, "engines": [DEEPL]})
    assert found["purpose"] == ""
    assert found["foreign"][0]["reviewed"] == ""
    assert run_annexes.list_fields({"governance": table, "engines": [DEEPL]})


def test_hostile_words_are_shown_and_do_nothing(sqlite_database, tmp_path):
    texts = dict.fromkeys(("purpose", "controller", "legal_basis", "contact"), HOSTILE)
    run_with(sqlite_database, tmp_path, governed("deepl", **texts))
    made, text = shown(sqlite_database)
    assert text.count(HOSTILE) >= 4
    assert "<script" not in made.html
    assert not {tag for tag, _ in Page(made.html).elements} & LOADING


def test_hidden_characters_of_a_stored_job_are_named(sqlite_database, tmp_path):
    run_with(sqlite_database, tmp_path, governed("deepl", purpose="PLACE"))
    with sqlite_database.begin() as connection:
        change = "UPDATE jobs SET content = replace(content, 'PLACE', :hidden)"
        connection.execute(sa.text(change), {"hidden": "a\u202eb"})
    made, text = shown(sqlite_database)
    assert "a[U+202E]b" in text
    assert "\u202e" not in made.html
