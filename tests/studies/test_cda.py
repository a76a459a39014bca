"""The study `cda`: what must hold of texts that are their own mirror, and when it must not."""

import pytest

from monitor.corpus.encoding import EncodingRules, build_corpus
from monitor.model import InvalidInput
from monitor.studies import catalogue, cda
from monitor.studies.catalogue import Verdict
from tests.corpus.small import number_texts

HOSTESS = "the hostess met she and he and a nurse\nthe host met she and he and a nurse\n"
TEXTS = [
    f"{who} said that the {job} of {place} met {other}"
    for who, job, place, other in (
        ("she", "nurse", "york", "her mother"), ("he", "carpenter", "bath", "his son"),
        ("the woman", "secretary", "rome", "him"), ("the man", "mechanic", "oslo", "a lad"),
        ("she", "librarian", "york", "her"), ("he", "actor", "bath", "the men"),
        ("her daughter", "lawyer", "rome", "john"), ("sir john", "nurse", "oslo", "mary"),
    )
]  # fmt: skip


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "small.txt"
    path.write_text("\n".join(TEXTS), encoding="utf-8")
    return path


def run(**options):
    given = {"min-count": 1, "floor": 0.0, "representation": ["pmi", "ppmi"], "dimensions": 4}
    return catalogue.run_study(cda.STUDY, given | options, len)


def checks(done, part):
    return [check for check in done.found.checks if part in check.what]


def rows(done):
    table = done.found.tables[0]
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_exact_words_leave_nothing_and_the_others_are_named(texts):
    done = run(texts=[texts])
    exact = checks(done, "one for one")
    assert [check.verdict for check in exact] == [Verdict.EQUAL] * 3
    assert exact[0].note.startswith("6 words, ")
    named, themselves = done.found.notes[-2:]
    assert named.endswith("left: her, madam, him, his, lad, sir.")
    assert themselves.endswith("hold of them: actor.")
    full = [row for row in rows(done) if row["measure"] == "first_order" and row["twins"] == "full"]
    ratios = [row["of the original's"] for row in full]
    assert all(0 < ratio < 1 for ratio in ratios)
    fallen = checks(done, "all concept words")
    assert [(one.ours, one.verdict) for one in fallen] == [(-1.0, Verdict.EQUAL)] * len(ratios)
    assert all(f"{ratio:.4f} of" in one.note for one, ratio in zip(fallen, ratios, strict=True))
    assert [one.name for one in done.found.figures] == ["falling"]


def test_texts_that_lose_other_words_than_their_twins_must_show_nothing(tmp_path):
    # hostess becomes host, and no word becomes hostess: with the twins 1 of the one, 3 of the other
    path = tmp_path / "rare.txt"
    path.write_text(HOSTESS, encoding="utf-8")
    done = run(texts=[path], **{"min-count": 2})
    exact = checks(done, "one for one")
    assert {check.verdict for check in exact} == {Verdict.NOT_COMPARED}
    assert "take --min-count 1" in exact[0].note


def test_a_corpus_that_is_no_mirror_differs_or_is_not_held_to_be_one(texts, tmp_path):
    for name, some in (("one", TEXTS), ("same", [*TEXTS, *TEXTS])):
        build_corpus(number_texts(some), EncodingRules(unique=False), tmp_path / name)
    done = run(corpus=[str(tmp_path / name) for name in ("one", "same", "same")])
    assert all(check.verdict is not Verdict.EQUAL for check in checks(done, "one for one"))
    unmoved = checks(done, "all concept words")
    assert [(one.ours, one.verdict) for one in unmoved] == [(0.0, Verdict.DIFFERS)] * 2
    with pytest.raises(InvalidInput, match="--corpus: 1 given; give three: original, half, full"):
        run(corpus=[str(tmp_path / "one")])


def test_texts_without_a_bias_have_no_figure_and_no_number(tmp_path):
    path = tmp_path / "none.txt"
    path.write_text("she saw the sea\nhe saw the sky\n", encoding="utf-8")
    done = run(texts=[path])
    assert not done.found.figures
    assert {row["mean |bias|"] for row in rows(done)} == {None}
    assert {check.verdict for check in done.found.checks} == {Verdict.NOT_COMPARED}


def test_half_of_the_texts_get_a_twin_by_the_seed(texts):
    one, other, again = (run(texts=[texts], seed=seed).found for seed in (1, 2, 1))
    assert one.tables == again.tables
    assert one.ran["half corpus"] != other.ran["half corpus"]
    assert one.ran["full corpus"] == other.ran["full corpus"]
