"""What a run prints: right for many systems, readable at 80 columns, harmless."""

import io

import pytest
from rich.console import Console

from monitor.cli import console as console_module
from monitor.cli.reports import run_tables as _tables
from tests.report.conftest import run_small
from tests.report.services import ENGINES, run_many, run_models


@pytest.fixture
def printed(monkeypatch):
    """Prints run 1 of a database on 80 columns and gives the lines."""

    def run(database):
        console = Console(file=io.StringIO(), width=80)
        for module in (console_module, _tables):
            monkeypatch.setattr(module, "out", console)
        _tables.print_run(database, 1)
        return console.file.getvalue().splitlines()

    return run


def test_many_systems_fit_80_columns(printed, many):
    lines = printed(many)
    text = " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= 80
    assert "firefox_translations, en→pt [control]" in text
    assert "libretranslate(base_url=http://one.test), tr→en [no control]" in text
    assert "no control: no local engine" in text
    assert "he she he or she they avoided unclear" in text
    assert "bound ±0." in text
    assert "women right men right gap stereo. gap marked" in text
    assert "only “he”" in text
    assert "system by system: monitor report" in text


def test_what_stopped_is_printed_with_harmless_words(printed, many):
    lines = printed(many)
    text = " ".join(" ".join(lines).split())
    full = "libretranslate(base_url=http://full.test)"
    assert f"{full}: suspended until " in text
    assert f"{full}: 5 of 308 questions answered (1.6 %)" in text
    assert "<script>alert(1)</script> [U+202E]back[U+202C]" in text
    assert "[bold]x[/bold]" in text
    assert not {"\u202e", "\0", "\x1b"} & set(text)


def test_a_few_systems_are_printed_in_full(printed, small):
    lines = printed(small)
    text = " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= 80
    assert "masculine_rate of firefox_translations, en→pt, stereo" in text
    assert "Most biased professions" in text
    assert "feminine share" in text
    assert "stereo@1 firefox_translations, en→pt: 192 of 192 answered" in text


def test_parity_is_printed_as_well_and_in_columns_of_its_own(printed, sqlite_database, tmp_path):
    run_small(sqlite_database, tmp_path)
    text = " ".join(" ".join(printed(sqlite_database)).split())
    measure = "c_ratio_bias(floor=2,min_templates=2,topics_floor=3)"
    against = f"{measure} of firefox_translations, en→pt, jobs"
    assert f"{against} against parity" in text
    assert f"{against} against us_labour" in text
    assert text.count("Most biased professions") == 1  # against 1/2 all are held alike
    assert text.count("MB, 1/2") == text.count("MAB, 1/2") == 1


def test_pronouns_are_called_pronouns(printed, sqlite_database, tmp_path):
    run_many(sqlite_database, tmp_path, [ENGINES[2]])
    text = " ".join(" ".join(printed(sqlite_database)).split())
    assert "bias = share of she among he and she - reference share" in text
    assert "feminine share" not in text
    assert "tr→en" in text
    assert "fi→en" in text


def test_language_models_are_printed_with_q_i_and_g_s(printed, sqlite_database, tmp_path):
    run_models(sqlite_database, tmp_path)
    lines = printed(sqlite_database)
    text = " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= 80
    assert "template 0 template 1 template 2 template 3" in text
    assert "1 women: emotional" in text
    assert "1 = neither is likelier" in text
    assert "1 = no difference" in text
    assert "192 of 192 answered; 192 scored, 0 unanswered" in text
