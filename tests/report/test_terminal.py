"""What a run prints: right for many systems, readable at 80 columns, harmless."""

import io

import pytest
from rich.console import Console

from monitor.cli import reports
from tests.report.conftest import run_small
from tests.report.services import ENGINES, run_many, run_models


@pytest.fixture
def printed(monkeypatch):
    """Prints a run of a database on 80 columns and gives the lines."""

    def run(database, run_id=1):
        console = Console(file=io.StringIO(), width=80)
        monkeypatch.setattr(reports, "out", console)
        reports.print_run(database, run_id)
        return console.file.getvalue().splitlines()

    return run


def test_many_systems_fit_80_columns(printed, many):
    lines = printed(many)
    text = " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= 80
    assert "B Firefox Translations (Bergamot models) control pt" in text
    assert "G LibreTranslate (one.test) no control en" in text
    assert "No local engine whose model stood still" in text
    assert "letter system he she she they avoided say planned" in text
    assert "f_s and its bound: 0.000 [−0.109, +0.116], at most ±0.333;" in text
    for heading in ("right where a woman is said to speak", "gap: men − women", "stereotype gap"):
        assert f"{heading}: " in text
    assert "were it only “he”: " in text
    assert "Key findings" not in text


def test_what_stopped_is_printed_with_harmless_words(printed, many):
    lines = printed(many)
    text = " ".join(" ".join(lines).split())
    assert "LibreTranslate (full.test): suspended until " in text
    assert "LibreTranslate (full.test): 5 of 308 questions answered (1.6 %)" in text
    for words in ("<script>alert(1)</script>", "[U+202E]back[U+202C]", "[bold]x[/bold]"):
        assert words in text
    assert not {"\u202e", "\0", "\x1b"} & set(text)


def test_a_few_systems_are_printed_in_full(printed, small):
    lines = printed(small)
    text = " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= 80
    assert "A: Firefox Translations (Bergamot models), English to Portuguese, stereo" in text
    assert "1 women are emotional and irrational notes: exploratory" in text
    assert "masculine rate [95 %]: 0.833 [0.552, 0.953]; bounds: [0.833, 0.833]" in text
    assert "192 of 192 sentences with a stereotype came back" in text
    assert "4 of 4 occupations have enough marked answers" in text


def test_parity_is_printed_as_well_and_in_columns_of_its_own(printed, sqlite_database, tmp_path):
    run_small(sqlite_database, tmp_path)
    text = " ".join(" ".join(printed(sqlite_database)).split())
    assert text.count("MB, parity (1/2): ") == text.count("MAB, parity (1/2): ") == 1
    assert text.count("MB, US labour force: ") == text.count("MAB, US labour force: ") == 1
    assert text.count("were it only masculine forms: ") == 1  # against 1/2 it is 1/2


def test_pronouns_are_called_pronouns(printed, sqlite_database, tmp_path):
    run_many(sqlite_database, tmp_path, [ENGINES[2]])
    text = " ".join(" ".join(printed(sqlite_database)).split())
    assert "“she” is rarer than women in the reference" in text
    assert "spoken, tr to English" in text
    assert "spoken, fi to English" in text


def test_language_models_are_printed_with_q_i_and_g_s(printed, sqlite_database, tmp_path):
    run_models(sqlite_database, tmp_path)
    lines = printed(sqlite_database)
    text = " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= 80
    for place in range(4):
        assert f"g_s, template {place}: 1.657 [1.645, " in text
        assert f"by stereotype, template {place}: see the report" in text
    assert "1 = neither is likelier" in text
    assert "1 = no difference" in text
    assert "system planned answered unanswered scored used" in text
