"""The toy systems, the worked example and the permutation tests of Fabris et al. as a study."""

import json
import shutil

import pytest

from monitor.lexicons.lexicon import Lexicon
from monitor.model import InvalidInput, MissingPart
from monitor.studies import catalogue, pages
from monitor.studies.catalogue import Verdict
from monitor.studies.toy import STUDY


@pytest.fixture
def oracles(reference_data):
    return reference_data / "oracles"


def ran(**given):
    return catalogue.run_study(STUDY, given, len)


def verdicts(done):
    return {(check.what, check.where): check.verdict for check in done.found.checks}


def test_every_given_value_is_met_and_the_page_shows_the_figures(oracles):
    done = ran(published=oracles)
    assert set(verdicts(done).values()) == {Verdict.EQUAL}
    tests = {row[0]: row[5] for row in pages.to_record(done)["tables"][2]["rows"]}
    assert [round(p, 5) for p in tests.values()] == [
        0.00363, 0.00292, 0.00835, 0.00054, 0.00031, 0.00149,
    ]  # fmt: skip
    slopes = {row[0]: row[2] for row in done.found.tables[0].rows}
    assert round(slopes["toy 1, stereotype"], 3) == 0.632
    assert round(slopes["toy 2, against it"], 3) == -0.24
    page = pages.render_html(done)
    assert page.count("<svg") == 4
    assert "variance" in page


def test_a_value_that_is_not_ours_is_said_to_differ_and_vectors_are_asked_for(
    oracles, tmp_path, monkeypatch
):
    for file in oracles.glob("a[1235]_*.json"):
        shutil.copyfile(file, tmp_path / file.name)
    wrong = tmp_path / "a3_toy.json"
    told = json.loads(wrong.read_text())
    told["toys"]["toy1"]["stereo"]["fit"]["mean"]["slope"] += 2e-9
    wrong.write_text(json.dumps(told))

    def lacking(_name):
        raise MissingPart("glove-6b-50d: its vectors are not installed")

    monkeypatch.setattr("monitor.lexicons.vectors.open_vectors", lacking)
    done = ran(published=tmp_path)
    found = verdicts(done)
    assert found["slope: stereotype", "a3_toy.json, toy 1"] is Verdict.DIFFERS
    assert done.count(Verdict.DIFFERS) == 1
    share = "share of variance that the direction explains", "a1_gender_direction.json"
    assert found[share] is Verdict.NOT_COMPARED
    assert any("not installed" in note for note in done.found.notes)


def test_a_lexicon_of_few_words_gives_no_number_of_what_it_lacks(monkeypatch):
    few = Lexicon.of("few", {"nurse": 0.3, "plumber": -0.2, "man": -0.4, "woman": 0.4})
    monkeypatch.setattr("monitor.lexicons.installed.find", lambda *_: few)
    done = ran(lexicon="few")
    slopes = [row[2] for row in done.found.tables[0].rows]
    assert slopes == [None] * 6
    assert set(verdicts(done).values()) == {Verdict.NOT_COMPARED}
    assert [row[5] for row in done.found.tables[2].rows[:5]] == [None] * 5
    queries = {row[1]: row[2] for row in done.found.tables[4].rows}
    assert queries["nurse"] == pytest.approx(0.3)
    assert queries["roofer"] is None
    names = [name for name, _ in pages.render_files(done)]
    assert (names[0], names[-1]) == (pages.JSON_FILE, pages.PAGE)


def test_values_of_one_lexicon_are_not_held_against_another(oracles, monkeypatch):
    monkeypatch.setattr(
        "monitor.lexicons.installed.find", lambda *_: Lexicon.of("other", {"man": -0.4})
    )
    with pytest.raises(InvalidInput, match="its values are of the lexicon glove-6b-50d"):
        ran(lexicon="other", published=oracles)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"words": 0}, "--words 0: give a number from 1"),
        ({"seed": -1}, "--seed -1: give a whole number from 0 on"),
        ({"lexicon": "nowhere"}, "lexicon 'nowhere' is not installed"),
    ],
)
def test_what_cannot_be_used_is_refused(given, said):
    with pytest.raises(InvalidInput, match=said):
        ran(**given)


def test_values_that_are_not_there_are_asked_for(tmp_path):
    with pytest.raises(InvalidInput, match=r"a1_gender_direction\.json: cannot be read"):
        ran(published=tmp_path)
