"""Studies by what they are given, and by what their pages say."""

import csv
import io
import json
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from monitor.model import InvalidInput
from monitor.studies import catalogue, pages
from monitor.studies.catalogue import (
    Against,
    Limit,
    Option,
    StudyCheck,
    StudyResult,
    Table,
    Verdict,
    list_studies,
)

HOSTILE = "<script>alert(1)</script>"


@dataclass(frozen=True)
class Doubling:
    """Doubles what it is given: a study as small as one can be."""

    name: str = "doubling"
    title: str = f"Twice {HOSTILE}"
    paper: str = "nobody (2020), Table 1"
    question: str = "What is twice a number?"
    example: str = "doubling --of 2"
    options: tuple[Option, ...] = (
        Option("of", "the number", float, required=True),
        Option("file", "a file", Path),
    )

    def validation(self, _data):
        return {"of": 2.0}

    def run(self, given, tell):
        tell("doubling")
        twice = 2 * given["of"]
        return StudyResult(
            ran={"number": HOSTILE},
            checks=[
                StudyCheck("twice two", "Table 1", twice, 4.0, 0.0, against=Against.MUST),
                StudyCheck("as given", "Table 2", twice, 5.0, 0.5, against=Against.PRINTED),
                StudyCheck(
                    "dead", "Table 3", twice, None, 0.5, "licensed", against=Against.PRINTED
                ),
            ],
            tables=[Table("all", "All", ("of", "twice"), (("=1+1", twice), (HOSTILE, None)))],
            limits=[Limit("Table 3", HOSTILE)],
        )


@pytest.fixture
def done():
    return catalogue.run_study(
        Doubling(), {"of": 2.0, "file": Path("/home/somebody/numbers.csv")}, len
    )


def test_a_number_is_equal_only_within_its_tolerance(done):
    verdicts = [check.verdict for check in done.found.checks]
    assert verdicts == [Verdict.EQUAL, Verdict.DIFFERS, Verdict.NOT_COMPARED]
    assert pages.summarize_checks(done) == (
        "3 checks: 1 equal, 1 differs, 1 not compared. Equal: 1 to what must hold of any input, "
        "which says nothing of the paper."
    )
    lost = replace(done.found.checks[0], ours=float("nan"))
    assert lost.verdict is Verdict.NOT_COMPARED


def test_what_must_be_given_is_asked_for_and_what_is_unknown_named():
    with pytest.raises(InvalidInput, match="give --of: the number"):
        catalogue.complete_options(Doubling(), {})
    with pytest.raises(InvalidInput, match="unknown option 'off'; known: of, file"):
        catalogue.complete_options(Doubling(), {"off": 1})


def test_the_page_shows_names_of_files_and_runs_nothing(done):
    page = pages.render_html(done)
    assert HOSTILE not in page
    assert "numbers.csv" in page
    assert "somebody" not in page


def test_long_tables_are_folded_and_a_dash_stands_among_its_numbers(done):
    rows = ((1.0, None), (None, 2.0))
    short, long = rows, rows * pages.MOST_SHOWN
    for some, folded in ((short, 0), (long, 1)):
        table = Table("all", "All", ("of", "twice"), some)
        page = pages.render_html(replace(done, found=replace(done.found, tables=[table])))
        assert page.count("<details>") == folded
        assert page.count('<td class="n">–</td>') >= len(some) // 2


def test_files_hold_the_same_numbers_and_absence_is_no_number(done, tmp_path):
    pages.write_files(done, tmp_path / "new" / "folder")
    kept = json.loads((tmp_path / "new" / "folder" / pages.JSON_FILE).read_text("utf-8"))
    assert [check["verdict"] for check in kept["checks"]] == ["equal", "differs", "not compared"]
    assert kept["tables"][0]["rows"] == [["=1+1", 4.0], [HOSTILE, None]]
    rows = list(csv.reader(io.StringIO((tmp_path / "new" / "folder" / "all.csv").read_text())))
    assert rows == [["of", "twice"], ["'=1+1", "4.0"], [HOSTILE, ""]]


def test_tables_of_an_earlier_study_in_the_folder_go_and_nothing_else(done, tmp_path):
    own = tmp_path / "own.csv"
    own.write_text("of a person")
    old = Table("old", "Old", ("of",), ((1.0,),))
    pages.write_files(replace(done, found=replace(done.found, tables=[old])), tmp_path)
    assert (tmp_path / "old.csv").exists()
    written = pages.write_files(done, tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([own, *written])
    for unknown in ("[]", "no JSON", '{"tables": [{"name": "../own"}]}', '{"tables": [1]}'):
        (tmp_path / pages.JSON_FILE).write_text(unknown)
        pages.write_files(done, tmp_path)
        assert own.exists()


@pytest.mark.parametrize("name", list_studies())
def test_every_study_says_what_it_is_and_how_it_is_called(name):
    one = list_studies()[name]
    assert one.example.split()[0] == name
    assert one.question.endswith("?")
    assert all(option.help for option in one.options)


def test_what_rounding_leaves_is_no_difference():
    of = {"what": "sum", "where": "here", "tolerance": 0.1, "against": Against.MUST}
    checks = [
        StudyCheck(ours=0.1 + 0.2, published=0.3, **of),
        StudyCheck(ours=0.3 + 1e-9, published=0.3, **of),
    ]
    rounding, real = (row[4] for row in pages.check_rows(checks))
    assert rounding == 0.0
    assert real == pytest.approx(1e-9)
