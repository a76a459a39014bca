"""What a system did that left our questions without an answer."""

import pytest

from monitor.model import Outcome, State
from monitor.stages.reports.coverage import say_missing, say_refusal


def ending(outcome, questions, reason=""):
    return {"outcome": outcome, "questions": questions, "reason": reason}


@pytest.mark.parametrize(
    ("endings", "said"),
    [
        ([], ""),
        ([ending(Outcome.OK, 10)], ""),
        ([ending(Outcome.OK, 5), ending(Outcome.BLOCKED, 5)], ""),
        ([ending(Outcome.OK, 4), ending(Outcome.BLOCKED, 5)], "refused our questions"),
        ([ending(Outcome.THROTTLED, 3), ending(Outcome.BLOCKED, 2)],
         "limited how often we may ask"),
        ([ending("not asked", 9)], ""),
        ([ending("not asked", 9), ending(Outcome.THROTTLED, 1)], "limited how often we may ask"),
    ],
)  # fmt: skip
def test_the_deed_behind_most_missing_answers_is_said(endings, said):
    assert say_refusal(endings) == said


def test_a_region_that_was_not_asked_because_its_engine_had_stopped_says_what_the_engine_did():
    elsewhere = [ending(Outcome.THROTTLED, 1), ending("not asked", 11)]
    stopped = [ending(Outcome.OK, 1), ending("not asked", 11)]
    assert say_refusal(stopped, [*stopped, *elsewhere]) == "limited how often we may ask"
    answered = [ending(Outcome.OK, 12)]
    assert say_refusal(answered, [*answered, *elsewhere]) == ""


@pytest.mark.parametrize(
    ("deed", "reason", "said"),
    [
        ("gave no answer", "1 usable of 12 planned, floor 4", "gave no answer"),
        ("", "1 usable of 12 planned, floor 4", "too few answers"),
        ("", "no earlier tick", "no earlier tick"),
        ("", "", "no value"),
    ],
)
def test_a_missing_value_has_one_reason_everywhere(deed, reason, said):
    assert say_missing(deed, State.INSUFFICIENT, reason) == said
