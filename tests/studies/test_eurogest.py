"""The study `eurogest`: which texts of pairs are read right, and what is wrong."""

import pytest

from monitor.model import InvalidInput
from monitor.studies import catalogue
from monitor.studies.catalogue import Verdict
from monitor.studies.eurogest import STUDY

PAIRS = (
    "language,masculine,feminine\n"
    "pl,Jestem zmęczony,Jestem zmęczona\n"
    "pl,Jestem spokojny,Mam kota\n"
    "pl,Jestem spokojna,Jestem spokojna!\n"
    "cs,Jsem unavený.,Jsem unavená.\n"
    "xx,a,b\n"
)
SAME = "language,text\npl,Powinienem spać\npl,Mam psa\ncs,Mám psa\nxx,a\n"


@pytest.fixture
def files(tmp_path):
    for name, content in (("pairs", PAIRS), ("same", SAME)):
        (tmp_path / f"{name}.csv").write_text(content, encoding="utf-8")
    return {"pairs": tmp_path / "pairs.csv", "same": tmp_path / "same.csv"}


def table(done, name):
    [chosen] = [table for table in done.found.tables if table.name == name]
    return [dict(zip(chosen.columns, row, strict=True)) for row in chosen.rows]


def test_each_language_has_its_shares_and_unknown_ones_are_left_out(files):
    done = catalogue.run_study(STUDY, {"pairs": files["pairs"]}, len)
    czech, polish = table(done, "languages")
    assert (czech["language"], czech["read right"], czech["difference"]) == ("cs", 1.0, 0.0)
    assert polish == {
        "language": "pl", "name": "Polish", "pairs": 3, "read right": 4 / 6,
        "masculine read right": 2 / 3, "feminine read right": 2 / 3, "difference": 0.0,
        "swapped texts": 1, "read on one side only": 1 / 3,
    }  # fmt: skip
    apart, swapped = done.found.checks
    assert (apart.ours, apart.verdict) == (0.0, Verdict.EQUAL)
    assert (swapped.ours, swapped.verdict) == (1 / 8, Verdict.DIFFERS)


def test_texts_not_read_right_are_listed_with_what_they_were_read_as(files):
    done = catalogue.run_study(STUDY, {"pairs": files["pairs"]}, len)
    assert [(row["gender"], row["read as"], row["text"]) for row in table(done, "errors")] == [
        ("feminine", "none", "Mam kota."),
        ("masculine", "feminine", "Jestem spokojna."),
    ]


def test_sentences_without_a_difference_that_are_read_as_gendered_are_listed(files):
    done = catalogue.run_study(STUDY, files, len)
    [row] = table(done, "same")
    assert (row["language"], row["read as"], row["words"]) == ("pl", "masculine", "Powinienem")


def test_a_named_language_must_have_pairs_and_a_reader(files):
    done = catalogue.run_study(STUDY, {"pairs": files["pairs"], "languages": "cs"}, len)
    assert [row["language"] for row in table(done, "languages")] == ["cs"]
    for names, words in (("de", "no pairs of 'de'"), ("xx", "target 'xx': its gender cannot")):
        with pytest.raises(InvalidInput, match=words):
            catalogue.run_study(STUDY, {"pairs": files["pairs"], "languages": names}, len)
