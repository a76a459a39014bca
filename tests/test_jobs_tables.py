"""Tables of a job that say what follows from its ticks: bad values are named, good ones kept."""

import json
import re
from datetime import timedelta

import pytest

from monitor.jobs import Job, load_job
from monitor.jobs_tables import Schedule, most_apart
from monitor.model import InvalidInput
from tests.cases import check_each
from tests.factories import job_content, make_job

DECLARED = {
    "hypothesis": "Its translations become less stereotypical.",
    "primaries": ["f_s", "f_m"],
    "targets": ["pt"],
    "smallest_effect": {"f_s": 0.05, "f_m": 0.03},
    "stop_rule": 52,
}
RECORDED = {
    "engines": [
        {"name": "recorded", "targets": ["pt"], "config": {"file": "t.csv", "system": "x"}}
    ],
    "schedule": {"cron": "0 5 * * mon", "catch_up": "all"},
}


def declared(**changes):
    content = DECLARED | changes
    return {"preregistration": {key: value for key, value in content.items() if value is not None}}


def test_a_job_says_how_it_is_asked_again_and_reported(tmp_path):
    job = load_job(make_job(tmp_path, noise={}, confirm={}, report={"cron": "0 8 * * mon"}))
    assert (job.noise.share, job.noise.after) == (0.1, timedelta(hours=24))
    assert (job.confirm.after, job.confirm.within) == (timedelta(hours=1), timedelta(hours=48))
    assert job.confirm.daily_budget is None
    assert (job.report.folder, job.report.formats, job.report.covers) == (
        "reports",
        ["html", "pdf", "json"],
        "job",
    )
    assert job.report.schedule == Schedule(cron="0 8 * * mon")


def test_a_job_without_these_tables_has_the_content_and_hash_that_it_had(tmp_path):
    job = load_job(make_job(tmp_path))
    assert sorted(job.model_dump(mode="json")) == [
        "contact", "description", "engines", "governance", "label_days", "languages", "lists",
        "measures", "name", "reference_days", "repeats", "schedule", "synchronised", "tries",
    ]  # fmt: skip
    # as the version before computed it
    assert job.content_hash == "c06d9ea662c39e32e41fe1affd9931bbdefcb559cd421ad902be1851f4410982"


@pytest.mark.parametrize(
    "table",
    [
        {"noise": {"share": 0.2}},
        {"confirm": {"daily_budget": 100}},
        {"report": {"cron": "0 8 * * mon"}},
        {"families": {"primaries": ["f_s"]}},
        declared(),
    ],
    ids=lambda table: next(iter(table)),
)
def test_every_table_changes_the_hash_and_comes_back_from_the_database(tmp_path, table):
    plain, job = load_job(make_job(tmp_path)), load_job(make_job(tmp_path, **table))
    assert job.content_hash != plain.content_hash
    content = json.loads(json.dumps(job.model_dump(mode="json")))
    assert Job.model_validate_json(json.dumps(content)) == job
    assert set(content) - set(plain.model_dump(mode="json")) == set(table)


@check_each(
    ("change", "words"),
    [
        ({"noise": {"share": 0}}, r"noise\.share: .*more than 0.*0"),
        ({"noise": {"share": 1.5}}, r"noise\.share: .*at most 1.*1\.5"),
        ({"noise": {"share": "0.1"}}, r"noise\.share: .*number.*'0\.1'"),
        ({"noise": {"share": True}}, r"noise\.share: .*number.*True"),
        ({"noise": {"after_hours": -1}}, r"noise\.after_hours: .*more than 0.*-1"),
        ({"noise": {"after": 24}}, r"noise\.after: unknown key"),
        ({"noise": 0.1}, r"noise: .*0\.1"),
        ({"noise": {"after_hours": 168}}, "noise.after_hours = 168: the job is due every 168 hou"),
        ({"noise": {}, "schedule": {"cron": "0 5 * * *"}}, "the job is due every 24 hours"),
        ({"noise": {}, **RECORDED}, "noise: recorded answers cannot be asked for again"),
        ({"confirm": {}, **RECORDED}, "confirm: recorded answers cannot be asked for again"),
        ({"confirm": {"within_hours": 0}}, r"confirm\.within_hours: .*more than 0"),
        ({"confirm": {"within_hours": 1}}, "after_hours = 1 must be less than within_hours = 1"),
        ({"confirm": {"daily_budget": 0}}, r"confirm\.daily_budget: .*at least 1.*0"),
        ({"confirm": {"daily_budget": 1.5}}, r"confirm\.daily_budget: .*whole number.*1\.5"),
        ({"confirm": {"budget": 5}}, r"confirm\.budget: unknown key"),
        ({"report": {}}, r"report\.cron: is missing"),
        ({"report": {"cron": "0 8 * * 1"}}, r"report\.cron: name weekdays"),
        ({"report": {"cron": "0 99 * * mon"}}, r"report\.cron: .*99"),
        ({"report": {"cron": "0 8 * * mon", "timezone": "Vienna"}}, r"report\.timezone: .*'Vien"),
        ({"report": {"cron": "0 8 * * mon", "formats": []}}, r"report\.formats: .*at least 1"),
        ({"report": {"cron": "0 8 * * mon", "formats": ["doc"]}}, r"report\.formats\[0\]: .*'doc'"),
        ({"report": {"cron": "0 8 * * mon", "formats": ["pdf", "pdf"]}}, "names one of them twice"),
        ({"report": {"cron": "0 8 * * mon", "covers": "some"}}, r"report\.covers: .*'some'"),
        ({"report": {"cron": "0 8 * * mon", "folder": ""}}, r"report\.folder: must not be empty"),
        ({"report": {"cron": "0 8 * * mon", "folder": "/etc"}}, r"report\.folder: must be a fold"),
        ({"report": {"cron": "0 8 * * mon", "folder": "a/../../b"}}, r"report\.folder: must be a"),
        ({"report": {"cron": "0 8 * * mon", "folder": "."}}, r"report\.folder: must be a folder"),
        ({"report": {"cron": "0 8 * * mon", "folder": "a\u202eb"}}, r"report\.folder: .*U\+202E"),
        ({"families": {}}, r"families\.primaries: is missing"),
        ({"families": {"primaries": []}}, r"families\.primaries: .*at least 1"),
        ({"families": {"primaries": ["f_s", "f_m", "s_or", "p_f", "p_m"]}}, "primaries: .*most 4"),
        ({"families": {"primaries": ["f_s", "f_s"]}}, "primaries: names one of them twice"),
        ({"families": {"primaries": ["beta"]}}, "families.primaries: unknown quantity 'beta'; "),
        (declared(hypothesis="  "), r"preregistration\.hypothesis: must not be empty"),
        (declared(hypothesis=None), r"preregistration\.hypothesis: is missing"),
        (declared(hypothesis="a\x07b"), r"preregistration\.hypothesis: .*U\+0007"),
        (declared(primaries=["iq"]), "preregistration.primaries: unknown quantity 'iq'; known: "),
        (declared(targets=["cs"]), "preregistration.targets: 'cs': no engine has it; known: pt"),
        (declared(targets=[]), r"preregistration\.targets: .*at least 1"),
        (declared(alpha=0), r"preregistration\.alpha: .*more than 0"),
        (declared(alpha=0.6), r"preregistration\.alpha: .*at most 0\.5"),
        (declared(smallest_effect={"f_s": 0.05}), "smallest_effect: lacks f_m"),
        (declared(smallest_effect={"f_s": 0.05, "f_m": 0.0}), r"smallest_effect\.f_m: .*more than"),
        (declared(smallest_effect={"f_s": 2.5, "f_m": 0.1}), "f_s = 2.5: it cannot change by more"),
        (declared(smallest_effect={"f_s": 0.1, "f_m": 0.1, "s_or": 1.0}), "'s_or' is not among"),
        (declared(stop_rule=0), r"preregistration\.stop_rule: must be a number of ticks"),
        (declared(stop_rule=""), r"preregistration\.stop_rule: must be a number of ticks"),
        (declared(stop_rule=True), r"preregistration\.stop_rule: must be a number of ticks"),
        (declared(stop_rule=1.5), r"preregistration\.stop_rule: must be a number of ticks"),
        (declared(date="2999-01-01"), r"preregistration\.date: is still to come"),
        (declared(date="soon"), r"preregistration\.date: must be a date"),
        (declared(seed=1), r"preregistration\.seed: unknown key"),
        (declared() | {"families": {"primaries": ["f_m"]}}, "leave one of them out"),
    ],
)  # fmt: skip
def test_a_bad_value_is_named_with_its_place(tmp_path, change, words):
    path = make_job(tmp_path, **change)
    with pytest.raises(
        InvalidInput, match=rf"^{re.escape(str(path))}:([0-9]+:)? (?s:.*){words}"
    ) as caught:
        load_job(path)
    assert "\n" not in str(caught.value)


def test_infinite_numbers_are_no_numbers(tmp_path):
    path = make_job(tmp_path)
    path.write_text(path.read_text() + "\n[noise]\nafter_hours = inf\n")
    with pytest.raises(InvalidInput, match=r"noise\.after_hours: .*finite"):
        load_job(path)
    path.write_text(path.read_text().replace("inf", "nan"))
    with pytest.raises(InvalidInput, match=r"noise\.after_hours: .*finite"):
        load_job(path)


def test_a_stop_rule_may_be_a_text_and_a_date_may_be_given(tmp_path):
    job = load_job(
        make_job(tmp_path, **declared(stop_rule="When a year is over.", date="2026-01-05"))
    )
    assert job.preregistration.stop_rule == "When a year is over."
    assert job.model_dump(mode="json")["preregistration"]["date"] == "2026-01-05"


def test_what_is_declared_is_what_is_tested_first(tmp_path):
    assert load_job(make_job(tmp_path)).declared == ()
    job = load_job(make_job(tmp_path, families={"primaries": ["s_or", "f_m"]}))
    assert job.declared == ("s_or", "f_m")
    both = declared() | {"families": {"primaries": ["f_s", "f_m"]}}
    assert load_job(make_job(tmp_path, **both)).declared == ("f_s", "f_m")


@check_each(
    ("cron", "hours"),
    [
        ("0 5 * * mon", 168),
        ("0 5 * * mon-fri", 72),
        ("*/15 * * * *", 0.25),
        ("0 5 1 * *", 31 * 24),
        ("0 5 29 2 *", 1461 * 24),
        ("* * * * mon", 144 + 1 / 60),  # more ticks on a day than are worth looking at
        ("0 5,17 * * *", 12),
        ("0 5 31 * *", 61 * 24),
        ("0 5 last jan,feb *", 337 * 24),
    ],
)
def test_the_longest_wait_between_two_ticks(cron, hours):
    assert Schedule(cron=cron).longest_wait == timedelta(hours=hours)


def test_a_date_that_never_comes_has_no_wait():
    assert Schedule(cron="0 5 31 2 *").longest_wait is None


def test_it_is_found_for_hundreds_of_jobs():
    """A daemon reads them all: days that have been looked at are not looked at again."""
    most_apart.cache_clear()
    for minute in range(60):
        assert Schedule(cron=f"{minute} 5 * * mon").longest_wait == timedelta(weeks=1)
    assert most_apart.cache_info().misses == 1


def test_quantities_are_those_of_the_kinds_that_the_job_asks(tmp_path):
    job = Job.model_validate(job_content())
    assert {"f_s", "f_m", "p_i"} <= set(job.quantities)
    assert "c_ratio" not in job.quantities
