"""Grammatical gender in bulk: the function, and the command from a CSV to a CSV."""

import csv
import io
import itertools
import logging
import subprocess
import sys

import pandas as pd
import pytest

import monitor
from monitor import bulk, cli
from monitor.cli.derive import texts
from monitor.model import GenderClass, InvalidInput, Signal, Witness
from monitor.text.cells import make_inert
from tests.cases import check_each

TEXTS = ["Estou cansada.", "Estou cansado.", "Durmo bem."]
CLASSES = [GenderClass.FEMININE, GenderClass.MASCULINE, GenderClass.NONE]


# --- the function -------------------------------------------------------------------------------


def test_a_list_gives_signals_in_order():
    found = list(monitor.gender(TEXTS, language="pt"))
    assert [signal.cls for signal in found] == CLASSES
    assert found[0].witnesses[0].text == "cansada"


def test_texts_are_read_one_by_one():
    endless = itertools.cycle(TEXTS)
    found = itertools.islice(monitor.gender(endless, "pt-BR"), 3)
    assert [signal.cls for signal in found] == CLASSES


def test_a_quotation_is_read_under_its_own_cue():
    text = 'Ela disse: "Estou cansada."'
    [agreement] = monitor.gender([text], "pt")
    [quoted] = monitor.gender([text], "pt", cue="quoted")
    assert agreement.cls is not GenderClass.FEMININE
    assert quoted.cls is GenderClass.FEMININE


def test_a_missing_text_is_unidentified_and_not_unmarked():
    found = list(monitor.gender([None, float("nan"), ""], "pt"))
    assert [signal.cls for signal in found] == [GenderClass.UNIDENTIFIED] * 3
    assert [signal.rule for signal in found][:2] == ["missing", "missing"]


@check_each(
    ("texts", "language", "cue", "words"),
    [
        (TEXTS, "tlh", "agreement", "'tlh'.*known: .*pt"),
        (TEXTS, "pt", "pronoun", "cue 'pronoun' is not read in Portuguese; known: agreement"),
        (TEXTS, "pt", "hat", "cue 'hat'"),
        ("Estou cansada.", "pt", "agreement", "a single text; give a list"),
    ],
)
def test_what_cannot_be_read_is_said_before_anything_is(texts, language, cue, words):
    with pytest.raises(InvalidInput, match=words):
        monitor.gender(texts, language, cue)


def test_what_is_no_text_is_named_with_its_place():
    found = monitor.gender(["Durmo bem.", 7], "pt")
    next(found)
    with pytest.raises(InvalidInput, match=r"texts\[1\] is 7"):
        next(found)


def test_a_series_gives_a_table_with_its_index():
    series = pd.Series([*TEXTS, None, pd.NA], index=[*"abcde"])
    table = monitor.gender(series, language="pt")
    assert list(table.index) == [*"abcde"]
    assert list(table.columns) == ["gender", "witness", "rule"]
    assert list(table["gender"]) == [*map(str, CLASSES), "unidentified", "unidentified"]
    assert list(table["witness"])[:3] == ["cansada", "cansado", ""]
    assert list(table["rule"])[3:] == ["missing", "missing"]
    assert monitor.gender(pd.Series([], dtype=object), "pt").empty


def test_the_package_is_light_to_import():
    heavy = "numpy pandas sqlalchemy httpx typer pydantic monitor.bulk".split()
    code = f"import sys, monitor; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    with pytest.raises(AttributeError, match="no attribute 'sex'"):
        monitor.sex  # noqa: B018


def test_witnesses_are_joined_and_the_rules_of_theirs_stand_in_when_there_is_none():
    words = [
        Witness(text, 0, 1, "masculine", rule) for text, rule in zip("abc", "xyx", strict=True)
    ]
    signal = Signal(GenderClass.MASCULINE, tuple(words))
    assert bulk.as_cells(signal) == ("masculine", "a; b; c", "x; y")


@check_each("cell", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_a_formula_is_made_inert(cell):
    assert make_inert(cell) == f"'{cell}"
    assert make_inert(f"a{cell}") == f"a{cell}"


# --- the command --------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs `monitor gender` in `tmp_path`; gives (exit code, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level

    def command(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "argv", ["monitor", "gender", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        captured = capsys.readouterr()
        return stopped.value.code or 0, captured.out, captured.err

    yield command
    root.handlers[:] = handlers
    root.setLevel(level)


def table(path, text="id,translation,note\n1,Estou cansada.,=1+1\n\n2,Durmo bem.,\n"):
    path.write_text(text, encoding="utf-8", newline="")
    return path


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_every_column_is_kept_and_three_are_added(run, tmp_path):
    table(tmp_path / "in.csv")
    code, out, err = run("--language", "pt", "in.csv", "--output", "out/read.csv")
    assert (code, out) == (0, "")
    header, first, second = read(tmp_path / "out" / "read.csv")
    assert header == ["id", "translation", "note", "gender", "witness", "rule"]
    assert first[:5] == ["1", "Estou cansada.", "=1+1", "feminine", "cansada"]
    assert first[5]
    assert second[:5] == ["2", "Durmo bem.", "", "none", ""]
    assert "2 texts in " in err
    assert "a second" in err
    assert "1 feminine" in err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["read.csv"]


def test_spreadsheet_makes_every_cell_inert(run, tmp_path):
    table(tmp_path / "in.csv")
    run("--language", "pt", "in.csv", "--output", "out.csv", "--spreadsheet")
    assert read(tmp_path / "out.csv")[1][2] == "'=1+1"


def test_standard_input_and_output(run):
    content = "\ufefftext,translation\nEstou cansado.,Estou cansada.\n".encode()
    arguments = ("--language", "pt", "-", "--output", "-")
    code, out, _ = run(*arguments, stdin=content)
    assert (code, out.splitlines()[1].split(",")[2]) == (0, "feminine")
    code, out, _ = run(*arguments, "--column", "text", stdin=content)
    assert (code, out.splitlines()[1].split(",")[2]) == (0, "masculine")
    code, _, err = run(*arguments, stdin=b"a,b\n")
    assert code == 2
    assert "standard input: no column 'translation'; it has a, b" in err


def test_a_quoted_cue(run, tmp_path):
    table(tmp_path / "in.csv", 'translation\n"Ela disse: ""Estou cansada."""\n')
    run("--language", "pt", "in.csv", "--output", "out.csv", "--cue", "quoted")
    assert read(tmp_path / "out.csv")[1][1] == "feminine"


def test_nothing_is_written_over_unless_told_to(run, tmp_path):
    table(tmp_path / "in.csv")
    (tmp_path / "out.csv").write_text("precious")
    code, _, err = run("--language", "pt", "in.csv", "--output", "out.csv")
    assert (code, (tmp_path / "out.csv").read_text()) == (2, "precious")
    assert "out.csv: is there already; --force writes over it" in err
    assert run("--language", "pt", "in.csv", "--output", "out.csv", "--force")[0] == 0
    assert len(read(tmp_path / "out.csv")) == 3
    assert run("--language", "pt", "in.csv", "--output", "in.csv", "--force")[0] == 0
    assert read(tmp_path / "in.csv") == read(tmp_path / "out.csv")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "in.csv: is empty; its first line must name the columns"),
        (b"id;translation\n1;a\n", "no column 'translation'; it has id;translation"),
        (b"translation,gender\na,b\n", "has a column 'gender' already; rename it first"),
        (b"translation,translation\na,b\n", "column 'translation' stands twice"),
        (b"id,translation\n1,a\n2\n", "in.csv:3: has 1 columns, the header 2"),
        (b"id,translation\n1,a\n2,\xe9\n", "in.csv:3: not UTF-8"),
        (b'id,translation\n1,a\n2,"b\n', "in.csv:3: not a CSV file"),
        (b'id,translation\n1,"a"b\n', "in.csv:2: not a CSV file"),
    ],
)
def test_a_fault_is_named_with_its_place_and_leaves_no_file(run, tmp_path, content, words):
    (tmp_path / "in.csv").write_bytes(content)
    code, _, err = run("--language", "pt", "in.csv", "--output", "out.csv")
    assert code == 2
    assert words in " ".join(err.split())
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--language", "pt", "none.csv", "--output", "o.csv"), "none.csv: no such file"),
        (("--language", "pt", ".", "--output", "o.csv"), ".: is a folder; name a file"),
        (("--language", "tlh", "in.csv", "--output", "o.csv"), "'tlh': its gender cannot be read"),
        (("--language", "pt", "in.csv", "--output", "."), ".: is a folder; name a file"),
    ],
)
def test_arguments_that_cannot_be_used(run, tmp_path, arguments, words):
    table(tmp_path / "in.csv")
    code, _, err = run(*arguments)
    assert code == 2
    assert words in " ".join(err.split())


def test_a_file_that_came_to_be_meanwhile_is_not_written_over(run, tmp_path, monkeypatch):
    table(tmp_path / "in.csv")
    annotated = bulk.annotate_rows

    def slow(*arguments):
        yield from annotated(*arguments)
        (tmp_path / "out.csv").write_text("precious")

    monkeypatch.setattr(texts, "annotate_rows", slow)
    assert run("--language", "pt", "in.csv", "--output", "out.csv")[0] == 2
    assert (tmp_path / "out.csv").read_text() == "precious"


def test_the_module_is_the_command():
    code = [sys.executable, "-m", "monitor.cli", "--version"]
    done = subprocess.run(code, capture_output=True, text=True, check=True)
    assert done.stdout == f"monitor {monitor.__version__}\n"
