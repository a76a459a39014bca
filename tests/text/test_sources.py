"""Every table of this part is named with its source."""

import tomllib
from importlib.resources import files

from tests.cases import check_each

TABLES = [
    "english_stopwords.txt",
    "english_nouns.txt.gz",
    "english_word_kinds.txt.gz",
    "group_terms.csv",
    "gender_entities.csv",
    "gender_swap.csv",
    "first_order_words.csv",
    "us_labour_words.csv",
]


@check_each("name", TABLES)
def test_the_table_is_named_with_its_source(name):
    folder = files("monitor.data")
    described = tomllib.loads(folder.joinpath("sources.toml").read_text(encoding="utf-8"))
    entry = described["files"][name]
    assert folder.joinpath(name).is_file()
    assert {"title", "content", "licence"} <= set(entry)
    assert set(entry["sources"]) <= set(described["sources"])
