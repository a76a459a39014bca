"""What regions are called where people read, and that a name does not say another country."""

import pytest

from monitor.jobs import find_regions
from monitor.model import InvalidInput, Kind
from monitor.regions import regions_file, say_region
from monitor.stages.reports.names import pair_words


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("us-en", "United States, English"),
        ("sk-cs", "Slovakia, Czech"),
        ("at-xx", "region at-xx"),  # no rules of the language: its name is not known
        ("xx-en", "region xx-en"),
        ("lab", "region lab"),
    ],
)
def test_a_region_is_called_by_its_country_and_language(name, said):
    assert say_region(name) == said


def test_the_language_of_questions_is_said_where_it_is_another():
    assert pair_words("en", "us-en", Kind.SEARCH) == "United States, English"
    assert pair_words("cs", "us-en", Kind.SEARCH) == ("United States, English, questions in Czech")
    assert pair_words("en", "lab", Kind.SEARCH) == "region lab, questions in English"


def test_a_region_that_is_named_like_another_is_refused(tmp_path):
    text = regions_file(tmp_path).read_text("utf-8")
    own = tmp_path / "regions.toml"
    own.write_text(text.replace("[us-en]", "[ca-es]"), "utf-8")
    with pytest.raises(InvalidInput, match=r"ca-es.*country US and language en.*Canada, Spanish"):
        find_regions(tmp_path, ["ca-es"])
    own.write_text(text.replace("[us-en]", "[lab]"), "utf-8")
    assert find_regions(tmp_path, ["lab"])["lab"].country == "US"
