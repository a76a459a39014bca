"""Recorded answers instead of a service."""

import json

from monitor.model import HttpRequest, LocalRequest, Outcome
from tests.factories import DUE, answer
from tests.replay import ReplayFetcher

WORDS = {"I am tired.": "Estou cansada.", "I sing.": "Eu canto."}


def local(*texts):
    return LocalRequest("fxtranslate", "en-pt", texts)


def test_translations_are_answered_by_text_in_the_form_of_a_local_back_end():
    fetcher = ReplayFetcher(DUE, WORDS, agent={"model": "m", "library": "l"})
    requests = [local("I sing."), local("I am tired.", "I sing.", "I am tired.")]
    found = list(fetcher.fetch(iter(requests)))
    assert [index for index, _ in found] == [0, 1]
    assert json.loads(found[1][1].body) == {
        "translations": ["Estou cansada.", "Eu canto.", "Estou cansada."]
    }
    assert {(a.outcome, a.asked_at, a.agent) for _, a in found} == {
        (Outcome.OK, DUE, (("library", "l"), ("model", "m")))
    }
    fetcher.close()


def test_recorded_answers_come_in_their_order_and_before_translations():
    recorded = [answer("first"), answer(outcome=Outcome.BLOCKED, status=429)]
    fetcher = ReplayFetcher(DUE, WORDS, recorded)
    page = HttpRequest("GET", "https://search.invalid/?q=nurse")
    assert [a for _, a in fetcher.fetch([page])] == recorded[:1]
    found = [a for _, a in fetcher.fetch([page, local("I sing.")])]
    assert found[0] == recorded[1]
    assert json.loads(found[1].body) == {"translations": ["Eu canto."]}


def test_what_was_not_recorded_is_a_failure_and_no_exception():
    fetcher = ReplayFetcher(DUE, WORDS)
    page = HttpRequest("GET", "https://search.invalid/?q=nurse")
    found = [a for _, a in fetcher.fetch([local("I sing.", "I fly."), page])]
    assert [(a.outcome, a.body) for a in found] == [(Outcome.FAILED, b"")] * 2
    assert "'I fly.'" in found[0].detail
    assert "no recorded answer" in found[1].detail
