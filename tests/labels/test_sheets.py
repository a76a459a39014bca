"""Blind sheets: what they show and hide, and how they are read back."""

from datetime import UTC, datetime

import pytest

from monitor.labels import sheets
from monitor.labels.settle import Rating, allowed_values
from monitor.labels.shown_entities import ShownEntity
from monitor.model import InvalidInput
from monitor.roles import check_rater
from tests.cases import check_each

NOW = datetime(2026, 1, 5, tzinfo=UTC)
CASES = [sheets.Case(ShownEntity(f"kg:/m/0{n}", f"Person {n}")) for n in range(40)]
KEYS = {sheets.blind_key(case.shown.entity): case.shown.entity for case in CASES}
KEY = sheets.blind_key("kg:/m/07")


def test_the_order_is_the_raters_own_and_stays():
    first, again, other = (sheets.make_sheet(CASES, rater, 0) for rater in ("a", "a", "b"))
    assert first == again
    assert first != other
    assert sorted(first) == sorted(other)
    assert [row[1] for row in first] != [case.shown.name for case in CASES]


def test_a_sample_is_the_same_for_all_raters():
    first, other = (sheets.make_sheet(CASES, rater, 10) for rater in ("a", "b"))
    assert len(first) == 10
    assert {row[0] for row in first} == {row[0] for row in other}
    assert {row[0] for row in first} <= {row[0] for row in sheets.make_sheet(CASES, "c", 20)}


def test_a_sheet_is_blind():
    shown = ShownEntity(
        "kg:/m/07", "Ada", ("Q170790",), "https://www.google.com/search?q=Ada", "British actress"
    )
    [row] = sheets.make_sheet([sheets.Case(shown, "mathematician", "Q7259")], "a", 0)
    assert len(row) == len(sheets.COLUMNS)
    text = " ".join(row)
    for secret in ("google", "/m/", "kg:", "actress", "Q170790"):
        assert secret not in text
    assert row[4] == "British [...]"
    assert row[5:] == ("", "")


def row(group, key=KEY, comment=""):
    return {"key": key, "group": group, "comment": comment}


def read(content, groups=()):
    return sheets.read_row(content, "s.csv:2", allowed_values(groups), KEYS)


def test_a_filled_row_is_read():
    found = read(row(" Women ", comment="'=see the article"))
    assert found == sheets.FilledSheet("kg:/m/07", "women", "=see the article")
    assert read(row("")) is None
    assert read({"key": KEY, "group": None}) is None
    assert read(row("elders"), ["elders"]).group == "elders"


@check_each(
    ("content", "words"),
    [
        (row("femal"), r"^s\.csv:2: group 'femal'; write one of women, men"),
        (row("=women"), "group '=women'"),
        (row("women", key="zz"), r"^s\.csv:2: key 'zz' is no entity.*leave the column key"),
        (row("women", comment="x" * 3_000), "3,000 characters; at most 2,000"),
    ],
)
def test_a_wrong_row_is_named_with_its_remedy(content, words):
    with pytest.raises(InvalidInput, match=words):
        read(content)


@check_each("name", ["", "a b", "x" * 41, "=a", "a\n"])
def test_raters_have_code_names(name):
    with pytest.raises(InvalidInput, match="--rater"):
        check_rater(name)


@check_each("name", ["", "Elders", "=a", "a b", "x" * 33])
def test_groups_of_ones_own_have_plain_names(name):
    with pytest.raises(InvalidInput, match="--group"):
        sheets.checked_groups([name])


def test_names_that_can_be_used():
    assert check_rater("A.B-2") == "A.B-2"
    assert sheets.checked_groups(["elders", "young_2"]) == ("elders", "young_2")


def test_agreement_of_three_raters():
    said = {"a": "wwmm", "b": "wwmw", "c": "w"}
    names = {"w": "women", "m": "men"}
    ratings = {
        f"wd:Q{n}": [
            Rating(f"wd:Q{n}", names[groups[n]], by, NOW)
            for by, groups in said.items()
            if n < len(groups)
        ]
        for n in range(4)
    }
    found = sheets.compare_raters(ratings, ratings)
    assert found["raters"] == {"a": 4, "b": 4, "c": 1}
    by_pair = {(pair["first"], pair["second"]): pair for pair in found["pairs"]}
    # observed 3/4, by chance 1/2 * 3/4 + 1/2 * 1/4 = 1/2
    assert by_pair["a", "b"] | {"kappa": 0} == {
        "first": "a",
        "second": "b",
        "n": 4,
        "agreement": 0.75,
        "agreement_limits": pytest.approx((0.3006, 0.9544), abs=1e-4),  # Wilson's of 3 in 4
        "kappa": 0,
        "kappa_limits": None,
    }
    assert by_pair["a", "b"]["kappa"] == pytest.approx(0.5)
    assert by_pair["a", "c"]["n"] == 1
    assert by_pair["a", "c"]["kappa"] is None
    [one] = found["disagreements"]
    assert one["entity"] == "wd:Q3"
    assert one["groups"] == {"a": "men", "b": "women"}
    assert found["alpha"] == found["alpha_newest"] is not None
    assert found["n_changed"] == 0


def test_agreement_is_of_what_was_said_first():
    def said(by, groups):
        return {f"wd:Q{n}": Rating(f"wd:Q{n}", one, by, NOW) for n, one in enumerate(groups)}

    a, b = said("a", ["women", "men", "men"]), said("b", ["women", "women", "men"])
    again = b | {"wd:Q1": Rating("wd:Q1", "men", "b", NOW)}
    found = sheets.compare_raters(
        {entity: [a[entity], b[entity]] for entity in a},
        {entity: [a[entity], again[entity]] for entity in a},
    )
    assert found["pairs"][0]["agreement"] == pytest.approx(2 / 3)
    assert found["pairs"][0]["kappa"] < 1
    assert found["alpha"] < 1 == found["alpha_newest"]
    assert found["n_changed"] == 1
    assert found["disagreements"] == []


def test_agreement_of_nobody():
    assert sheets.compare_raters({}, {})["alpha"] is None
