"""`monitor import labour`: a downloaded table in, a file for jobs/references out."""

import csv
import gzip
from functools import partial

import pytest

from monitor import jobs, resources
from monitor.data import read_table
from monitor.lists import load_list
from monitor.references import _survey_shares
from monitor.references._survey_shares import LabourFigure, Survey, join_titles
from monitor.references.csv import REFERENCE
from tests.command import program
from tests.references.test_bls import workbook
from tests.references.test_eurostat import dataset
from tests.references.test_ilostat import HEADER, ROWS

TITLES = read_table("occupation_titles")


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    """Runs a command in `tmp_path`; gives (exit code, standard output, standard error)."""
    with program(tmp_path, monkeypatch, capsys) as command:
        yield partial(command, "import", "labour")


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return {row["occupation"]: row for row in csv.DictReader(file)}


def shares(path):
    found = REFERENCE.read(path.read_text(encoding="utf-8"), f"csv:{path.stem}")
    return found, found.shares(row["occupation"] for row in TITLES)


def test_bls(monitor, tmp_path):
    (tmp_path / "t.xlsx").write_bytes(workbook())
    code, out, err = monitor("bls", "t.xlsx", "--year", "2025")
    path = tmp_path / "jobs" / "references" / "bls-2025.csv"
    assert (code, out) == (0, "")
    found, known = shares(path)
    assert found.as_of.startswith("2025+sha256-")
    assert known["nurse"].value == pytest.approx(0.868)
    assert (known["nurse"].word, known["nurse"].country) == ("Registered nurses", "US")
    assert (known["nurse"].n, known["nurse"].source) == (3_450_000, "bls_cps_table_11")
    assert known["surgeon"].value == known["physician"].value == pytest.approx(0.44)
    assert rows(path)["surgeon"]["note"].startswith("title until 2019: with physicians")
    assert "actuary" not in known
    assert f"jobs/references/bls-2025.csv: {len(known)} of 856 occupations got a share" in err
    assert "3: the source gives no percentage for it (actuary, boilermaker, roofer)" in err
    assert "no title stands for it" in err
    assert "its title is not in the file (accountant, actor, " in err
    assert "a job names it as csv:bls-2025" in err


def test_eurostat(monitor, tmp_path):
    (tmp_path / "e.json").write_bytes(dataset())
    code, _, err = monitor("eurostat", "e.json", "--geo", "DE", "--output", "mine.csv")
    assert code == 0
    _, known = shares(tmp_path / "mine.csv")
    assert known["nurse"].value == known["dentist"].value == 0.75
    assert known["programmer"].word.endswith("[b: break in series, u: low reliability]")
    assert (known["nurse"].country, known["nurse"].as_of) == ("DE", "2024")
    assert "coarse: one of many" in rows(tmp_path / "mine.csv")["nurse"]["note"]
    assert "(c: confidential)" in err


@pytest.mark.parametrize("packed", [False, True])
def test_ilostat(monitor, tmp_path, packed):
    text = "\ufeff" + "\r\n".join([HEADER, *ROWS])
    content = text.encode()
    (tmp_path / "i.csv").write_bytes(gzip.compress(content, mtime=0) if packed else content)
    assert monitor("ilostat", "i.csv", "--area", "DEU", "--year", 2023)[0] == 0
    _, known = shares(tmp_path / "jobs" / "references" / "ilostat-deu-2023.csv")
    assert known["nurse"].value == 0.25


def test_a_file_that_is_there_stays(monitor, tmp_path):
    (tmp_path / "e.json").write_bytes(dataset())
    (tmp_path / "e.csv").write_text("mine")
    command = ("eurostat", "e.json", "--geo", "DE", "--output", "e.csv")
    code, _, err = monitor(*command)
    assert (code, (tmp_path / "e.csv").read_text()) == (2, "mine")
    assert "e.csv: is there already; --force writes over it" in err
    assert monitor(*command, "--force")[0] == 0


def test_standard_output(monitor, tmp_path):
    (tmp_path / "e.json").write_bytes(dataset())
    code, out, _ = monitor("eurostat", "e.json", "--geo", "DE", "--output", "-")
    assert code == 0
    assert out.startswith("occupation,group,share,count,n,source,country,as_of,word,note\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bls", "t", "--year", 2025), "t: is no .xlsx workbook; save cpsaat11.xlsx as it is"),
        (("eurostat", "t", "--geo", "DE"), "t: is no JSON; download it with format=JSON"),
        (("ilostat", "t", "--area", "DEU"), "t: line 1: has no column 'ref_area'"),
        (("bls", "none", "--year", 2025), "none: cannot be read: "),
        (("bls", ".", "--year", 2025), ".: cannot be read: "),
        (("ilostat", "cut.gz", "--area", "DEU"), "cut.gz: cannot be read: "),
        (("ilostat", "bad.gz", "--area", "DEU"), "bad.gz: cannot be read: "),
        (("ilostat", "bomb.gz", "--area", "DEU"), "bomb.gz: has more than 256,000,000 bytes"),
        (("eurostat", "e.json", "--geo", "DE", "--output", "A b.csv"), "a job could not name it"),
        (("eurostat", "e.json", "--geo", "DE", "--output", "b.txt"), "a job could not name it"),
        (("eurostat", "none.json", "--geo", "DE"), "none of the occupations has a title"),
    ],
)
def test_what_cannot_be_used_is_refused(monitor, tmp_path, arguments, message):
    (tmp_path / "t").write_bytes(b"hello\n")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"hello" * 1000, mtime=0)[:-9])
    body = bytearray(gzip.compress(bytes(range(256)) * 50))
    body[12:40] = b"\xff" * 28
    (tmp_path / "bad.gz").write_bytes(body)
    if "bomb.gz" in arguments:
        with gzip.open(tmp_path / "bomb.gz", "wb", compresslevel=1) as file:
            for _ in range(257):
                file.write(b"0" * 1_000_000)
    (tmp_path / "e.json").write_bytes(dataset())
    cells = {("OC96", "F", "DE", "2024"): (1, ""), ("OC96", "M", "DE", "2024"): (1, "")}
    if "none.json" in arguments:
        cells = {(c.replace("OC96", "OC82"), *rest): v for (c, *rest), v in cells.items()}
        codes = {"isco08": ["OC82"], "sex": ["F", "M"], "geo": ["DE"], "time": ["2024"]}
        (tmp_path / "none.json").write_bytes(dataset(codes, cells))
    code, _, err = monitor(*arguments)
    assert code == 2
    assert message in err
    assert not (tmp_path / "jobs").exists()


def test_a_job_names_what_was_written(monitor, tmp_path):
    (tmp_path / "e.json").write_bytes(dataset())
    assert monitor("eurostat", "e.json", "--geo", "DE")[0] == 0
    job = jobs.load_job(resources.find_folder("jobs") / "professions-carousel.toml")
    measures = [
        one.model_copy(update={"references": ["csv:eurostat-de-2024"]}) for one in job.measures
    ]
    named = job.model_copy(update={"measures": measures})
    found, _ = jobs._load_references(named, tmp_path / "jobs")
    assert found["csv:eurostat-de-2024"].targets(["nurse"])["nurse"][1].group == "men"
    assert dict.fromkeys(found.values())


# --- the table of titles --------------------------------------------------------------------------


def test_every_title_is_of_an_occupation_that_is_asked():
    path = resources.find_folder("jobs") / "lists" / "professions-search@1.csv"
    asked = {item.tags["occupation"] for item in load_list(path).items}
    asked |= {row["occupation"] for row in read_table("occupations")}
    assert {row["occupation"] for row in TITLES} <= asked
    keys = [(row["occupation"], row["scheme"], row["code_or_title"]) for row in TITLES]
    assert len(keys) == len(set(keys))
    assert {row["scheme"] for row in TITLES} == {"cps", "isco08"}


def test_codes_are_of_two_digits_and_one_for_each_occupation():
    codes = [row for row in TITLES if row["scheme"] == "isco08"]
    assert all(len(row["code_or_title"]) == 2 for row in codes)
    assert {row["code_or_title"] for row in codes} <= set(_survey_shares.TITLES)
    assert len({row["occupation"] for row in codes}) == len(codes)


def test_a_title_that_stands_for_several_occupations_says_so():
    by_title = {}
    for row in TITLES:
        by_title.setdefault((row["scheme"], row["code_or_title"]), []).append(row)
    for some in by_title.values():
        assert len(some) == 1 or all(row["note"] for row in some), some


def test_the_first_title_that_a_file_has_decides_even_without_a_figure():
    titles = [
        {"occupation": "cook", "scheme": "cps", "code_or_title": one, "note": ""}
        for one in ("Cooks", "Chefs and cooks")
    ]
    figure = LabourFigure(1 / 3, "Chefs and cooks")
    survey = Survey("cps", "s", "US", "2020", {"chefs and cooks": figure}, {"cooks": "a dash"})
    assert join_titles(survey, titles, ["cook"]).left_out == {"cook": "a dash"}
    survey = Survey("cps", "s", "US", "2020", {"chefs and cooks": figure}, {})
    found = join_titles(survey, titles, ["cook", "baker"])
    assert found.rows[0]["share"] == "0.333333"
    assert found.rows[0]["n"] == ""
    assert found.left_out == {"baker": "no title stands for it"}


def test_one_digit_is_called_very_coarse():
    titles = [{"occupation": "cook", "scheme": "isco08", "code_or_title": "51", "note": "x"}]
    survey = Survey("isco08", "s", "DE", "2020", {"5": LabourFigure(0.5, "w")}, {}, 1)
    row = join_titles(survey, titles, ["cook"]).rows[0]
    assert row["note"] == "very coarse: a one-digit group of ISCO-08; x"
