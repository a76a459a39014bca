"""ARB: differences between two groups over prefixes."""

import math

import pytest

from monitor.jobs import Job
from monitor.measures import parse
from monitor.model import InvalidInput
from tests.cases import check_each
from tests.factories import job_content
from tests.measures.fairness import score

TEXTS = ["she she he", "stone", "he"]


def by_hand(differences):
    prefixes = [sum(differences[:n]) / n for n in range(1, len(differences) + 1)]
    return sum(prefixes) / len(prefixes)


def test_magnitudes():
    assert score("ARB", TEXTS).value == pytest.approx(by_hand([1, 0, -1]))
    assert score("ARB@2", TEXTS).value == pytest.approx(by_hand([1, 0]))
    log = [math.log(3) - math.log(2), 0, -math.log(2)]
    assert score("ARB(magnitude=log)", TEXTS).value == pytest.approx(by_hand(log))
    assert score("ARB(magnitude=bool)", TEXTS).value == pytest.approx(by_hand([0, 0, -1]))


@pytest.mark.parametrize("lost", [None, ""])
def test_prefixes_are_means_of_what_was_read(lost):
    found = score("ARB(magnitude=bool)", [lost, "she", "he"])
    assert found.value is None  # the first rank has most of the weight
    found = score("ARB(magnitude=bool,coverage=0.2)", [lost, "she", "he"])
    assert found.value == pytest.approx((1 + 0) / 2)
    weights = [(1 + 1 / 2 + 1 / 3) / 3, (1 / 2 + 1 / 3) / 3, 1 / 9]
    known = weights[1] - weights[2]
    assert found.bound_low == pytest.approx(known - weights[0])
    assert found.bound_high == pytest.approx(known + weights[0])


def test_an_unread_document_leaves_counts_without_bounds_but_with_an_interval():
    run = {"q": ["a", "b"], "p": ["a"], "r": ["b"], "s": ["c"]}
    found = parse("ARB").score(run, {"a": "she", "b": None, "c": "he he"})
    assert found.per_query == {"q": 1, "p": 1, "r": None, "s": -2}
    assert (found.bound_low, found.bound_high) == (None, None)
    assert found.low < found.value < found.high


def test_which_groups_are_compared():
    groups = {"n": ["they"], "men": ["he"], "women": ["she"]}
    assert score("ARB", ["she she he"], terms=groups).value == 1
    three = {"a": ["x"], "b": ["y"], "c": ["z"]}
    with pytest.raises(InvalidInput, match=r"between is .*name two of the groups a, b, c"):
        score("ARB", ["x"], terms=three)
    assert score("ARB(between=['c','a'])", ["z z x y y y"], terms=three).value == 1
    with pytest.raises(InvalidInput, match="name two of the groups women, men"):
        score("ARB(between=['c','a'])", ["x"])
    assert score("ARB", ["x x y"], terms={"a": ["x"], "b": ["y"]}).value == 1


@check_each(
    ("parameter", "bad"),
    [("magnitude", "tf"), ("between", "women"), ("between", None), ("between", ["women"]),
     ("between", ["women", "women"]), ("between", [1, 2]), ("coverage", -0.1)],
)  # fmt: skip
def test_parameters_are_checked(parameter, bad):
    with pytest.raises(InvalidInput, match=parameter):
        parse("ARB").configure({parameter: bad})


def test_a_job_that_compares_a_group_that_is_not_there_is_refused_when_it_is_read():
    content = job_content(
        engines=[{"name": "marginalia", "regions": ["us-en"]}],
        measures=[{"name": "ARB", "between": ["women", "boys"]}],
    )
    with pytest.raises(InvalidInput, match="name two of the groups women, men"):
        Job.model_validate(content)
