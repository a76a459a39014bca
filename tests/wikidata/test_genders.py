"""From recorded genders to groups."""

import pytest

from monitor.wikidata.entities import VERSION, RecordedFacts, recorded_group
from tests.cases import check_each

MALE, FEMALE = "Q6581097", "Q6581072"
TRANS_WOMAN, TRANS_MAN = "Q1052281", "Q2449503"
NON_BINARY, INTERSEX = "Q48270", "Q1097630"


@check_each(
    ("values", "group"),
    [
        ([MALE], "men"),
        ([TRANS_MAN], "men"),
        (["Q15145778"], "men"),
        ([FEMALE], "women"),
        ([TRANS_WOMAN], "women"),
        (["Q15145779"], "women"),
        ([FEMALE, TRANS_WOMAN], "women"),
        ([NON_BINARY], "other"),
        ([INTERSEX], "other"),
        (["Q987654"], "other"),
        ([NON_BINARY, FEMALE], "other"),
        ([INTERSEX, NON_BINARY], "other"),
        (["somevalue", FEMALE], "women"),
    ],
)
def test_values_have_their_group(values, group):
    assert recorded_group(values) == RecordedFacts(group)
    assert recorded_group(reversed(values)) == RecordedFacts(group)


@check_each("values", [[], ["somevalue"], ["Q44148"], ["Q43445", "somevalue"]])
def test_without_a_record_there_is_no_group(values):
    assert recorded_group(values) == RecordedFacts("")


@pytest.mark.parametrize("values", [[MALE, FEMALE], [MALE, TRANS_WOMAN], [MALE, FEMALE, INTERSEX]])
def test_women_and_men_at_once_are_a_disagreement(values):
    assert recorded_group(values) == RecordedFacts("", disagree=True)


def test_the_table_has_a_version():
    assert VERSION == 1
