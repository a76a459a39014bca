"""What the page itself says of a person."""

from monitor.labels import resolve
from monitor.labels.resolve import find_doubt, read_annotation
from monitor.labels.shown_entities import ShownEntity
from monitor.wikidata.entities import MEN, WOMEN
from tests.cases import check_each

NAMES = frozenset({"Renée Roca", "R. Roca", "Рене Рока"})


def tile(annotation="", name="Renée Roca", entity="kg:/m/0291j3"):
    return ShownEntity(entity, name, (), "", annotation)


@check_each(
    ("text", "group"),
    [
        ("American actress", WOMEN),
        ("Actress · 1975", WOMEN),
        ("BUSINESSWOMAN and author", WOMEN),
        ("American businessman", MEN),
        ("American actor", ""),
        ("Chairman of the board", ""),
        ("actress and businessman", ""),
        ("an actressy part", ""),
        ("", ""),
    ],
)
def test_words_that_name_a_gender(text, group):
    assert read_annotation(text)[1] == group


def test_no_word_names_both():
    for table in resolve.WORDS.values():
        assert not set(table[WOMEN].split()) & set(table[MEN].split())
    assert resolve.VERSION == 1


def test_a_contradiction_names_both_sides():
    said = find_doubt(tile("American actress"), "Q1", MEN, NAMES)
    assert "'actress' (women)" in said
    assert "Q1 as men" in said
    assert find_doubt(tile("American actress"), "Q1", WOMEN, NAMES) == ""
    assert find_doubt(tile("American actress"), "Q1", "", NAMES) == ""


@check_each(
    "name",
    ["Renee Roca", "renée roca", "R.Roca", "Renée Ro…", "Renée Roca (skater)", "Рене  Рока", ""],
)
def test_spellings_of_a_name_raise_no_doubt(name):
    assert find_doubt(tile(name=name), "Q1", WOMEN, NAMES) == ""


def test_a_tile_with_another_name_does():
    assert "'Gorsha Sur'" in find_doubt(tile(name="Gorsha Sur"), "Q1", WOMEN, NAMES)
    assert find_doubt(tile(name="Gorsha Sur"), "Q1", WOMEN, frozenset()) == ""
    assert find_doubt(tile(name="Gorsha Sur", entity="wiki:en:X"), "Q1", WOMEN, NAMES) == ""
