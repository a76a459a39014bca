"""What a system did that left our questions without an answer."""

import pytest

from monitor.model import Outcome
from monitor.stages.reports.coverage import say_refusal


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
