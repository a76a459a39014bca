"""Which lexicons there are and how they are found; the one that comes with the program."""

import tomllib
from importlib.resources import files

import pytest

from monitor.lexicons.installed import (
    built_in,
    checked_name,
    find,
    find_vectors,
    installed_lexicons,
    installed_vectors,
    lexicon_path,
)
from monitor.lexicons.lexicon import Lexicon
from monitor.model import InvalidInput, WordScores
from tests.lexicons.test_build import vectors_file

NAME = "glove-6b-50d"


def own(home, name, scores=None):
    path = lexicon_path(name, home)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(Lexicon.of(name, scores or {"she": 0.5}).pack())


def test_the_built_in_lexicon():
    book: WordScores = find(NAME, None)
    assert built_in() == [NAME]
    assert (book.name, book.language, len(book)) == (NAME, "en", 326_882)
    assert book.low == min(book.scores(list(book.words)))
    assert book.score("nurse") > 0.2 > -0.2 > book.score("engineer")
    assert find(NAME, None) is book
    size = files("monitor.data").joinpath("lexicons", f"{NAME}.lexicon").read_bytes()
    assert len(size) < 3_500_000


def test_every_file_of_the_program_says_where_it_comes_from():
    folder = files("monitor.data").joinpath("lexicons")
    for path in folder.iterdir():
        if not path.name.endswith(".toml"):
            name = path.name.rsplit(".", 1)[0]
            note = tomllib.loads(folder.joinpath(f"{name}.toml").read_text(encoding="utf-8"))
            assert {"title", "content", "citation", "origin"} <= note.keys()


def test_own_lexicons_come_after_it(tmp_path):
    assert installed_lexicons(None) == installed_lexicons(tmp_path) == [NAME]
    for name in ("w2v", "a.b_c-1", NAME):
        own(tmp_path, name)
    (tmp_path / "lexicons" / ".w2v.lexicon.x1").touch()
    (tmp_path / "lexicons" / "Upper.lexicon").touch()
    assert installed_lexicons(tmp_path) == [NAME, "a.b_c-1", "w2v"]
    assert find("w2v", tmp_path).score("she") == 0.5
    assert len(find(NAME, tmp_path)) == 326_882  # nothing takes its place


def test_an_unknown_name_lists_those_there_are(tmp_path):
    own(tmp_path, "w2v")
    with pytest.raises(InvalidInput, match=f"'glove' is not installed .*; did you mean {NAME}\\?"):
        find("glove", tmp_path)
    with pytest.raises(InvalidInput, match=f"known: {NAME}"):
        find("w2v", None)


@pytest.mark.parametrize("name", ["", "../a", "A", "a b", "-a", ".a", "a/b", "é", "a.lexicon"])
def test_impossible_names(tmp_path, name):
    for ask in (
        checked_name,
        lambda n: find(n, tmp_path),
        lambda n: find_vectors(n, tmp_path),
    ):
        with pytest.raises(InvalidInput, match="a name has lower-case letters"):
            ask(name)


def test_vectors_are_found_by_name(tmp_path):
    (tmp_path / "lexicons").mkdir()
    vectors_file(tmp_path / "lexicons")
    assert installed_vectors(tmp_path) == ["a"]
    assert installed_vectors(None) == []
    assert find_vectors("a", tmp_path).rows(["two"]).tolist() == [1]
    with pytest.raises(InvalidInput, match=r"'b' are not installed .*; known: a"):
        find_vectors("b", tmp_path)
    with pytest.raises(InvalidInput, match="known: none"):
        find_vectors("a", None)
