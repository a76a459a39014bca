"""GEST from recorded translations beside published figures, on numbers done by hand."""

import pytest

from monitor.model import InvalidInput
from monitor.studies._gest_files import (
    compare_pairs,
    read_published,
    read_sentences,
    read_translations,
)
from tests.studies.small_gest import MEN, PER, gest


@pytest.fixture
def data(tmp_path):
    return gest(tmp_path)


def study(data, resolve, **options):
    sentences = read_sentences(data / "gest.csv")
    return compare_pairs(sentences, data / "t", read_published(data / "p"), resolve, **options)


def changed(data, write, change):
    """Write the translations anew, each (source, translation) through `change`."""
    path = data / "t" / "deepl" / "xx.csv"
    rows = [change(source, text) for source, text in read_translations(path).items()]
    write(path, ("source", "translation"), [row for row in rows if row])


def test_equal_data_give_equal_figures(data, plain):
    found = study(data, plain)
    [pair] = found.pairs
    assert (pair.system, pair.language, pair.planned, pair.translated) == ("deepl", "xx", 192, 192)
    assert (pair.marked, pair.yield_ratio) == (192, 1.0)
    assert pair.mean_error == pytest.approx(0, abs=1e-12)
    assert pair.largest == pytest.approx(0, abs=1e-12)
    assert pair.f_s_difference == pytest.approx(0, abs=1e-12)
    assert pair.f_m_difference == pytest.approx(0, abs=1e-12)
    assert pair.plain_f_s == pytest.approx(0.5)
    assert pair.plain_f_m == pytest.approx((0.25 * 7 / 7 + 0.75 * 9 / 9) / 2)
    assert [cell.rank for cell in pair.cells] == [cell.published_rank for cell in pair.cells]
    assert all(cell.inside for cell in pair.cells)
    assert [(c.masculine, c.feminine) for c in pair.cells] == [(m, PER - m) for m in MEN.values()]
    assert found.notes == ()


def test_a_difference_is_ours_less_the_published_one(data, write, plain):
    changed(data, write, lambda s, t: (s, "m" if s.startswith("I am 1 ") else t))
    [pair] = study(data, plain).pairs
    first = pair.cells[0]
    z2 = 1.959964**2
    assert first.centre == pytest.approx((12 + z2 / 2) / (12 + z2), abs=1e-7)
    assert first.difference == pytest.approx(first.centre - (3 + z2 / 2) / (12 + z2), abs=1e-6)
    assert first.inside is False
    assert pair.largest == pytest.approx(first.difference)
    assert pair.mean_error == pytest.approx(first.difference / 16)
    assert pair.f_s_difference == pytest.approx(-first.difference / 7)
    assert pair.f_m_difference == pytest.approx(first.difference / 14)


def test_a_missing_translation_is_no_answer_and_no_unmarked_one(data, write, plain):
    changed(data, write, lambda s, t: None if s.startswith("I am 1 1") else (s, t))
    changed(data, write, lambda s, t: (s, "" if s == "I am 2 0." else t))
    found = study(data, plain)
    [pair] = found.pairs
    assert pair.translated == pair.planned - 4  # 1 1, 1 10, 1 11 and the empty one
    assert pair.classes["none"] == 0
    assert found.notes == ("deepl, xx: 4 of 192 have no translation",)


def test_too_few_marked_translations_are_no_rate(data, write, plain):
    changed(data, write, lambda s, t: (s, "o" if s.startswith("I am 1 ") else t))
    [pair] = study(data, plain).pairs
    first = pair.cells[0]
    assert (first.centre, first.difference, first.inside, first.rank) == (None,) * 4
    assert (pair.f_s, pair.f_s_difference, pair.f_m, pair.f_m_difference) == (None,) * 4
    assert len(pair.differences) == 15


def test_a_sentence_of_two_stereotypes_counts_in_both(data, write, plain):
    rows = [("Twice.", 1), ("Twice.", 9), ("Twice.", 9)]
    text = (data / "gest.csv").read_text() + "".join(f"{s},{n}\n" for s, n in rows)
    (data / "gest.csv").write_text(text)
    path = data / "t" / "deepl" / "xx.csv"
    path.write_text(path.read_text() + "Twice.,m\n")
    [pair] = study(data, plain).pairs
    assert (pair.cells[0].masculine, pair.cells[8].masculine) == (4, 11)


def test_what_cannot_be_compared_is_said(data, write, plain):
    write(data / "t" / "deepl" / "tlh.csv", ("source", "translation"), [("I am 1 0.", "m")])
    write(data / "t" / "nobody" / "xx.csv", ("source", "translation"), [("I am 1 0.", "m")])
    found = study(data, plain)
    assert [(pair.system, pair.language) for pair in found.pairs] == [
        ("deepl", "xx"), ("nobody", "xx"),
    ]  # fmt: skip
    assert found.notes == (
        "deepl, tlh: left out, because its gender cannot be read yet",
        "nobody, xx: no published figures; ours stand alone",
        "nobody, xx: 191 of 192 have no translation",
    )
    assert found.pairs[1].mean_error is None
    assert found.pairs[1].yield_ratio is None
    assert len(found.differences) == 16


def test_nothing_published_is_no_agreement(data, write, plain):
    write(data / "t" / "nobody" / "xx.csv", ("source", "translation"), [("I am 1 0.", "m")])
    (data / "t" / "deepl" / "xx.csv").unlink()
    found = study(data, plain)
    assert (found.differences, found.pairs[0].largest) == ([], None)


def test_a_language_apart_is_shown_and_not_counted(data, plain):
    found = study(data, plain, apart=frozenset({"xx"}))
    assert len(found.pairs) == 1
    assert (found.pooled, found.differences) == ([], [])
    assert found.notes == ("xx: shown, and not counted in the figures above",)


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("gest.csv", "sentence,kind\na,1\n", "gest.csv: no column 'stereotype'; it has sentence"),
        ("gest.csv", "words,stereotype\na,1\n", "no column 'sentence' or 'text'"),
        ("gest.csv", "sentence,stereotype\n", "no sentences; fetch them with: monitor lists fetch"),
        ("gest.csv", "sentence,stereotype\na\n", "gest.csv:2: has 1 columns, the header 2"),
        ("t/deepl/xx.csv", "source,translation\na,b\na,c\n", "'a' has two different translations"),
        ("t/deepl/xx.csv", "source\na\n", "xx.csv: no column 'translation'"),
        ("t/deepl/xx.csv", 'source,translation\na,"b\n', "xx.csv:2: not a CSV file"),
        ("p/mt_yields.csv", "system,language,yield\ndeepl,xx,many\n", "is no number"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(data, plain, file, content, words):
    (data / file).write_text(content)
    with pytest.raises(InvalidInput, match=words):
        study(data, plain)


def test_folders_that_are_empty(data, plain):
    (data / "p" / "mt_p_i.csv").unlink()
    with pytest.raises(InvalidInput, match=r"p: no mt_p_i\.csv"):
        study(data, plain)
    with pytest.raises(InvalidInput, match=r"t/deepl: no SYSTEM/LANGUAGE\.csv"):
        compare_pairs([], data / "t" / "deepl", read_published_none(), plain)
    with pytest.raises(InvalidInput, match=r"none\.csv: no such file"):
        read_sentences(data / "none.csv")


def read_published_none():

    from monitor.studies._gest_files import PublishedFigures

    return PublishedFigures()


def test_only_the_rates_have_to_be_there(data, plain):
    for name in ("mt_fs_fm", "mt_yields", "mt_ranks"):
        (data / "p" / f"{name}.csv").unlink()
    [pair] = study(data, plain).pairs
    assert pair.mean_error == pytest.approx(0, abs=1e-12)
    assert (pair.f_s_difference, pair.f_m_difference, pair.yield_ratio) == (None, None, None)
    assert {cell.published_rank for cell in pair.cells} == {None}
