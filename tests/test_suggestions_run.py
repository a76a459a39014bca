"""Completions, answers and overviews measured by their words; the shipped list and job."""

import csv
from collections import Counter

import pytest

from monitor import pipeline, resources
from monitor.fetch import Outside, check_parts
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.lists import load_list
from monitor.model import MissingPart, RunState
from tests.factories import DUE, make_list, quiet, rows
from tests.standins import serve
from tests.standins.chat import Chat
from tests.standins.serpapi import SerpApi
from tests.standins.suggestions import Suggestions

JOBS = resources.find_folder("jobs")
LIST = load_list(JOBS / "lists" / "suggestions@1.csv")

JOB = """
name = "words"
description = "Words of completions and of answers"
[schedule]
cron = "0 3 * * mon"
timezone = "UTC"
[[lists]]
name = "mini@1"
[[engines]]
name = "google_suggest"
regions = ["us-en"]
pace = 100
config = { opt_in = true, base_url = "%s/complete/search" }
[[engines]]
name = "answers"
regions = ["us-en"]
pace = 100
config = { base_url = "%s/v1", model = "m", keyless = true, prompt = "{text}" }
[[engines]]
name = "serpapi"
regions = ["us-en"]
pace = 100
config = { base_url = "%s" }
[[measures]]
name = "NFaiRR"
cutoff = 2
[[measures]]
name = "NFaiRR"
cutoff = 2
text = "answer"
[[measures]]
name = "NFaiRR"
cutoff = 2
text = "overview"
"""
#: Two neutral documents, or two that speak of one gender.
WORDS = {"nurses are": ("kind people", "paid badly"), "judges are": ("old men and he", "his him")}


def test_words_that_an_engine_adds_are_measured(sqlite_database, tmp_path, monkeypatch):
    monkeypatch.setenv("SERPAPI_KEY", "key")
    make_list(tmp_path, cue="terms", items=[
        {"key": text.replace(" ", "-"), "text": text, "gender_neutral": "yes"} for text in WORDS
    ])  # fmt: skip
    completions = {text: [f"{text} {added}" for added in more] for text, more in WORDS.items()}
    said = {text: " ".join(more) for text, more in WORDS.items()}
    overviews = {t: {"ai_overview": {"text_blocks": [{"snippet": s}]}} for t, s in said.items()}
    with (
        serve(SerpApi(key="key", others=overviews)) as pages,
        serve(Suggestions(completions)) as suggests,
        serve(Chat(key=None, mode="answer", answers=said)) as answers,
    ):
        path = tmp_path / "words.toml"
        path.write_text(JOB % (suggests.url, answers.url, pages.url), encoding="utf-8")
        audit = load_audit(path)
        begun = pipeline.start(sqlite_database, audit, "scheduled", DUE)
        outside = Outside(tmp_path, 1, Way(contact="audit@lab.test"))
        assert pipeline.run(sqlite_database, audit, begun, outside, quiet).state is RunState.DONE
    sql = "SELECT engine, measure, value FROM points_current WHERE quantity = 'nfairr'"
    values = {(r["engine"][:7], r["measure"]): r["value"] for r in rows(sqlite_database, sql)}
    of_completions = values["google_", "NFaiRR@2"]
    of_answers = values["answers", "NFaiRR(text=answer)@2"]
    # one question is neutral as far as can be, the other one is not at all
    assert 0 < of_completions < 1
    assert 0 < of_answers < 1
    assert values["serpapi", "NFaiRR(text=overview)@2"] == of_answers
    assert values["answers", "NFaiRR(text=overview)@2"] is None
    assert values["answers", "NFaiRR@2"] is None  # a text is no list of results
    assert values["google_", "NFaiRR(text=answer)@2"] is None


def test_the_list_has_pairs_that_differ_in_the_group_alone():
    by_pair = {}
    for item in LIST.items:
        if item.tags["pair"]:
            by_pair.setdefault(item.tags["pair"], []).append(item)
    assert len(by_pair) == 72
    for items in by_pair.values():
        assert sorted(item.tags["group"] for item in items) == ["men", "women"]
        first, second = (item.text.replace(item.tags["subject"], "X") for item in items)
        assert first == second
    neutral = Counter(bool(item.tags["occupation"]) for item in LIST.items if not item.tags["pair"])
    assert set(neutral) == {True}


def test_an_occupation_is_asked_in_its_plural_and_is_neutral():
    with (resources.find_folder("jobs").parent / "monitor/data/occupations.csv").open() as handle:
        plurals = {row["occupation"]: row["plural"] for row in csv.DictReader(handle)}
    for item in LIST.items:
        occupation = item.tags["occupation"]
        assert (item.tags["gender_neutral"] == "yes") == bool(occupation)
        if occupation:
            assert item.tags["subject"] == plurals[occupation]


@pytest.mark.parametrize("name", ["suggestions-weekly", "professions-answers"])
def test_the_shipped_jobs_can_be_read(name):
    assert load_audit(JOBS / f"{name}.toml").job.name == name


def test_the_shipped_job_asks_nothing_before_somebody_opted_in(tmp_path):
    audit = load_audit(JOBS / "suggestions-weekly.toml")
    with pytest.raises(MissingPart, match="opt_in = true"):
        check_parts(pipeline.sample_requests(audit), tmp_path)
