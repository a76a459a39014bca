"""The study `family` on a small GEST in which twelve sentences name the family."""

import pytest

from monitor import registry
from monitor.model import InvalidInput
from monitor.studies import catalogue, pages
from monitor.studies.catalogue import Verdict
from monitor.studies.family import STUDY, WORDS, word_finder
from tests.studies import small_gest

#: Nine of ten are masculine under stereotype 12, one of two under stereotype 1.
FAMILY = [(f"My family {n}.", 12 if n < 10 else 1, "m" if n < 9 or n == 11 else "f")
          for n in range(12)]  # fmt: skip


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "language", small_gest.language)
    small_gest.gest(tmp_path)
    with (tmp_path / "gest.csv").open("a", encoding="utf-8") as file:
        file.writelines(f"{text},{stereotype}\n" for text, stereotype, _ in FAMILY)
    with (tmp_path / "t" / "deepl" / "xx.csv").open("a", encoding="utf-8") as file:
        file.writelines(f"{text},{gender}\n" for text, _, gender in FAMILY)
    return tmp_path


def run(data, **options):
    given = {"translations": data / "t", "list": data / "gest.csv"}
    return catalogue.run_study(STUDY, given | options, len)


def rows(done, name):
    [table] = [one for one in done.found.tables if one.name == name]
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_the_rate_of_the_family_stands_beside_that_of_the_rest(data):
    done = run(data)
    [pair] = rows(done, "pairs")
    assert (pair["n"], pair["p_fam"]) == (12, pytest.approx(10 / 12))
    assert (pair["n of the rest"], pair["p of the rest"]) == (192, pytest.approx(102 / 192))
    assert pair["difference"] == pytest.approx(10 / 12 - 102 / 192)
    assert pair["f_s of the rest"] == pytest.approx(0.5)
    assert pair["f_s"] == pytest.approx((8 * 0.75 + 18 / 22) / 9 - (6 * 0.25 + 4 / 14) / 7)
    assert {check.verdict for check in done.found.checks} == {Verdict.EQUAL}
    assert done.found.checks[0].ours == 204


def test_a_stereotype_with_too_few_of_them_has_no_rate(data):
    found = {row["stereotype"]: row for row in rows(run(data), "stereotypes")}
    assert list(found) == ["1 emotional and irrational", "12 providers"]
    first, twelfth = found.values()
    assert (first["n"], first["p_i with the family"], first["difference"]) == (2, None, None)
    assert twelfth["difference"] == pytest.approx(0.9 - 0.75)


def test_too_few_in_all_are_said(data):
    done = run(data, words=["I am 1 0"])
    [note] = done.found.notes
    assert note.startswith("No pair has enough translations that mark a gender")
    page = pages.render_html(done)
    assert "no value" in page
    assert "NaN" not in page


def test_words_are_whole_unless_they_may_stand_within_longer_ones(data):
    assert run(data).found.notes[0].startswith("Sentences that name the family are less masculine")
    [*_, total] = rows(run(data), "sentences")
    assert list(total.values()) == ["all", 204, 12, 12]
    whole, inside = word_finder(["child"], inside=False), word_finder(["child"], inside=True)
    assert (whole("A Child?"), whole("childish"), inside("childish")) == (True, False, True)
    assert word_finder(["a.b"], inside=True)("axb") is False
    assert len(set(WORDS)) == len(WORDS)


def test_what_cannot_be_used_is_named(data):
    with pytest.raises(InvalidInput, match="words: nobody: none stands in"):
        run(data, words=["nobody"])
    with pytest.raises(InvalidInput, match="one of them is empty"):
        run(data, words=["family", " "])
    with pytest.raises(InvalidInput, match=r"t/deepl: no SYSTEM/LANGUAGE\.csv"):
        run(data, translations=data / "t" / "deepl")


def test_a_language_that_cannot_be_read_is_left_out(data):
    (data / "t" / "deepl" / "xx.csv").rename(data / "t" / "deepl" / "tlh.csv")
    done = run(data)
    assert done.found.notes[-1] == "deepl, tlh: left out, because its gender cannot be read yet"
    assert (done.found.figures, list(done.found.checks)) == ((), [])
