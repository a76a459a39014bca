"""The study `gest` on a small GEST, through its command and its page."""

import json

import pytest

from monitor import registry
from monitor.model import InvalidInput
from monitor.studies import catalogue, pages
from monitor.studies._gest_files import read_translations
from monitor.studies.catalogue import Verdict
from monitor.studies.gest import STUDY
from tests.command import program
from tests.studies import small_gest


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "language", small_gest.language)
    return small_gest.gest(tmp_path)


def run(data, **options):
    given = {"translations": data / "t", "published": data / "p", "list": data / "gest.csv"}
    return catalogue.run_study(STUDY, given | options, len)


def test_every_number_that_was_published_is_held_against_ours(data):
    done = run(data)
    checks = {check.what: check for check in done.found.checks}
    assert len(checks) == 2 + 3 + 16
    assert {check.verdict for check in checks.values()} == {Verdict.EQUAL}
    first = checks["deepl, xx: p_1"]
    assert first.ours == pytest.approx(0.31062, abs=5e-5)
    assert first.tolerance == 0.03  # its interval reaches .23 to either side
    assert checks["deepl, xx: f_s"].tolerance < 0.01
    assert done.found.notes[0].startswith("16 cells of 1 pairs")
    assert "16 inside the published interval" in done.found.notes[0]


def test_a_rate_outside_its_interval_differs(data):
    path = data / "t" / "deepl" / "xx.csv"
    moved = [
        (source, "m" if source.startswith("I am 1 ") else text)
        for source, text in read_translations(path).items()
    ]
    small_gest.write(path, ("source", "translation"), moved)
    checks = {check.what: check.verdict for check in run(data).found.checks}
    assert checks["deepl, xx: p_1"] is Verdict.DIFFERS
    assert checks["deepl, xx: p_2"] is Verdict.EQUAL
    assert checks["deepl, xx: f_s"] is Verdict.DIFFERS
    assert checks["p_i over 16 cells: largest absolute difference"] is Verdict.DIFFERS


def test_a_language_apart_is_shown_and_held_against_nothing(data):
    done = run(data, apart=("xx",))
    assert {check.verdict for check in done.found.checks} == {Verdict.NOT_COMPARED}
    assert "0.3106 was published, and is not to be trusted" in done.found.checks[3].note
    assert done.found.notes[0].startswith("Nothing could be compared")
    assert "ranks" not in [figure.name for figure in done.found.figures]


def test_too_few_marked_translations_are_no_number_on_the_page(data):
    path = data / "t" / "deepl" / "xx.csv"
    path.write_text(path.read_text("utf-8").replace(",m", ",o"), encoding="utf-8")
    done = run(data)
    assert {check.ours for check in done.found.checks if ": p_" in check.what} == {None}
    cells = next(table for table in done.found.tables if table.name == "cells")
    assert cells.rows[0] == (
        "deepl",
        "xx",
        "1",
        0,
        9,
        None,
        *cells.rows[0][6:9],
        None,
        None,
        None,
        1,
    )
    [rates] = done.found.figures
    assert rates.ours.count("–") == 16
    assert "NaN" not in pages.render_html(done)


def test_pages_draw_ours_beside_the_published(data):
    figures = {figure.name: figure for figure in run(data).found.figures}
    assert list(figures) == ["rates-deepl", "ranks"]
    assert all(figure.published for figure in figures.values())
    assert "0.31" in figures["rates-deepl"].ours
    for name in ("mt_ranks", "mt_fs_fm", "mt_yields"):
        (data / "p" / f"{name}.csv").unlink()
    assert next(f for f in run(data).found.figures if f.name == "ranks").published is None


def test_what_cannot_be_used_is_named(data):
    with pytest.raises(InvalidInput, match=r"t/deepl: no SYSTEM/LANGUAGE\.csv"):
        run(data, translations=data / "t" / "deepl")


def test_the_command_writes_a_page_and_both_tables(data, monkeypatch, capsys):
    given = "--translations t --published p --list gest.csv --output out --json"
    with program(data, monkeypatch, capsys) as command:
        code, out, _ = command("study", "gest", *given.split())
        (data / "mine").mkdir()
        (data / "mine" / "cells.csv").write_text("mine")
        mine = command("study", "gest", *given.replace("--output out", "--output mine").split())
        (data / "plain").write_text("mine")
        file = command("study", "gest", *given.replace("--output out", "--output plain").split())
    assert (code, mine[0], file[0]) == (0, 2, 2)
    assert "--output mine: is not empty" in mine[2]
    assert "--output plain: is a file" in file[2]
    found = json.loads(out)
    assert [table["name"] for table in found["tables"]] == ["pairs", "cells"]
    assert sorted(path.name for path in (data / "out").iterdir()) == [
        "cells.csv", "index.html", "pairs.csv", "study.json",
    ]  # fmt: skip
