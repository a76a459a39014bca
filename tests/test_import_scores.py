"""`monitor import lm-scores` and `monitor lists pairs`: files in, runs and lists out."""

import json
import math
import sqlite3

import pytest

from monitor.fetch.recorded_scores import ScoresFetcher, read_models
from monitor.lists import load_list
from monitor.model import LocalRequest, Outcome, Pause, RecordedRequest
from tests.command import program
from tests.factories import DUE, make_list, mini_items

ITEMS = mini_items(10)
#: The first sentence stands again under another stereotype.
REPEATED = [*ITEMS, {**ITEMS[0], "key": "again", "stereotype": "2"}]


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    """Runs a command in `tmp_path`; gives (exit code, standard output, standard error)."""
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def number(item, template):
    """A log10 ratio: stereotypes about men higher, templates apart."""
    return (int(item["stereotype"]) - 8) / 40 + int(template) / 100


def write(folder, model="tiny-lm", items=ITEMS, numbers="0123", change=None):
    """Files of one model; `change` maps (file number, line from 1) to another text."""
    folder.mkdir(exist_ok=True)
    for n in numbers:
        lines = [str(number(item, n)) for item in items]
        for (file, line), text in (change or {}).items():
            if file == n:
                lines[line - 1] = text
        (folder / f"{model}_template-{n}.txt").write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture
def place(monitor, tmp_path):
    assert monitor("init")[0] == 0
    make_list(tmp_path / "jobs", items=ITEMS)
    return tmp_path / "scores"


DATE = ("--list", "mini@1", "--date", "2023-11-30")


def test_scores_become_runs_with_evidence_and_values(monitor, place, tmp_path):
    write(place)
    write(place, "Other.LM")
    code, out, err = monitor("import", "lm-scores", place, *DATE)
    assert code == 0, err
    assert "tiny-lm" in out
    assert "Other.LM" in out
    means = [(i - 8) / 40 for i in range(1, 17)]
    g_s = 10 ** (sum(means[7:]) / 9 - sum(means[:7]) / 7)
    assert out.count(f"{g_s:.3f}") >= 10  # four templates and the mean, of both
    code, out, _ = monitor("evidence", "show", "1")
    assert "sha256:Other.LM_template-0.txt" in out
    assert "match their digests" in monitor("evidence", "verify")[1]
    database = sqlite3.connect(tmp_path / "monitor.db")
    of_first = (
        "SELECT log_ratio FROM answers WHERE probe = ? AND log_ratio IS NOT NULL "
        "ORDER BY template LIMIT 1"
    )
    [ratio] = database.execute(of_first, (ITEMS[0]["text"],)).fetchone()
    assert ratio == pytest.approx(number(ITEMS[0], "0") * math.log(10), abs=1e-12)
    names = [row[0] for row in database.execute("SELECT job FROM runs ORDER BY id")]
    database.close()
    assert names[1] == "lm-scores-mini-tiny-lm"
    assert names[0].startswith("lm-scores-mini-other-lm-")


def test_the_same_date_is_imported_once_and_another_date_again(monitor, place):
    write(place)
    assert monitor("import", "lm-scores", place, *DATE)[0] == 0
    code, out, err = monitor("import", "lm-scores", place, *DATE)
    assert (code, out) == (0, "")
    assert "tiny-lm: scores of 2023-11-30 on mini@1 are imported already" in err
    write(place, "second")
    rows = json.loads(monitor("import", "lm-scores", place, *DATE, "--json")[1])
    assert {row["model"] for row in rows} == {"second"}
    later = ("--list", "mini@1", "--date", "2024-11-30")
    rows = json.loads(monitor("import", "lm-scores", place, *later, "--json")[1])
    assert {row["model"] for row in rows} == {"second", "tiny-lm"}
    assert [row["template"] for row in rows][:5] == ["0", "1", "2", "3", "mean"]


def test_an_import_that_was_stopped_is_brought_to_its_end(monitor, place, monkeypatch):
    write(place)

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("monitor.pipeline.collect.runs.derive_run", stop)
        code, _, err = monitor("import", "lm-scores", place, *DATE)
        assert code == 130
        assert "the same command goes on" in err
    rows = json.loads(monitor("import", "lm-scores", place, *DATE, "--json")[1])
    assert len(rows) == 5
    assert "tiny-lm" in monitor("import", "lm-scores", place, *DATE)[2]


def test_the_two_templates_of_generative_models(monitor, place):
    write(place, numbers="01")
    arguments = ("import", "lm-scores", place, *DATE, "--models", "generative", "--json")
    rows = json.loads(monitor(*arguments)[1])
    assert [row["template"] for row in rows] == ["2", "3", "mean"]


@pytest.mark.parametrize(("log", "base"), [("e", math.e), ("2", 2.0)])
def test_other_logarithms(monitor, place, log, base):
    write(place)
    rows = json.loads(monitor("import", "lm-scores", place, *DATE, "--log", log, "--json")[1])
    means = [(i - 8) / 40 for i in range(1, 17)]
    expected = base ** (sum(means[7:]) / 9 - sum(means[:7]) / 7)
    assert rows[0]["g_s"] == pytest.approx(expected, abs=1e-9)


def test_a_sentence_in_two_rows_is_asked_once_and_counts_in_both(monitor, place, tmp_path):
    make_list(tmp_path / "jobs", "twice", items=REPEATED, repeated_texts=True)
    lines = {(n, len(REPEATED)): str(number(ITEMS[0], n) + 5e-5) for n in "0123"}
    write(place, items=REPEATED, change=lines)
    path = tmp_path / "jobs" / "lists" / "twice@1.csv"
    code, _, err = monitor("import", "lm-scores", place, "--list", path, "--date", "2023-11-30")
    assert code == 0, err
    database = sqlite3.connect(tmp_path / "monitor.db")
    sql = "SELECT planned FROM points_current WHERE quantity = 'q_i' AND scope LIKE '%:0/2'"
    assert database.execute(sql).fetchall() == [(11,)]
    database.close()
    write(place, items=REPEATED, change=lines | {("2", len(REPEATED)): "0.7"})
    arguments = ("import", "lm-scores", place, "--list", path, "--date", "2024-11-30")
    code, _, err = monitor(*arguments)
    assert code == 2
    assert "tiny-lm_template-2.txt:161: 0.7, but line 1 has -0.155 for the same sentence" in err
    assert "check that the lines are in the order of the list" in err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({("1", 3): "much"}, "tiny-lm_template-1.txt:3: 'much' is no finite number"),
        ({("1", 3): "nan"}, "tiny-lm_template-1.txt:3: 'nan' is no finite number"),
        ({("1", 3): "-inf"}, "tiny-lm_template-1.txt:3: '-inf' is no finite number"),
        ({("1", 3): ""}, "tiny-lm_template-1.txt:3: '' is no finite number"),
        ({("1", 3): "900"}, "900.0 cannot be the base 10 logarithm of a ratio"),
        ({("3", 160): "1\n2"}, "has 161 lines, and mini@1 has 160 rows"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_imported(monitor, place, tmp_path, change, words):
    write(place, "another")
    write(place, change=change)
    code, out, err = monitor("import", "lm-scores", place, *DATE)
    assert (code, out) == (2, "")
    assert words in err
    assert "no run yet" in monitor("status")[1]


def test_bad_folders_and_file_names(monitor, place):
    def refused(*arguments):
        code, _, err = monitor("import", "lm-scores", place, *arguments)
        assert code == 2
        return err

    assert "scores: no such folder of score files" in refused(*DATE)
    place.mkdir()
    assert "has no file that is called MODEL_template-T.txt" in refused(*DATE)
    write(place, numbers="012")
    assert "tiny-lm_template-3.txt is missing; a model needs all of its templates" in refused(*DATE)
    write(place)
    (place / "tiny-lm_template-3.txt").write_bytes(b"\xff")
    assert "tiny-lm_template-3.txt:1: not UTF-8" in refused(*DATE)
    write(place, numbers="0123")
    assert "with T one of 0, 1; rename it" in refused(*DATE, "--models", "generative")
    (place / "notes.txt").write_text("x")
    assert "notes.txt: is not called MODEL_template-T.txt with T one of 0, 1, 2, 3" in refused(
        *DATE
    )


def test_bad_lists(monitor, place, tmp_path):
    def refused(name):
        code, _, err = monitor("import", "lm-scores", place, "--list", name, "--date", "2023-11-30")
        assert code == 2
        return err

    assert "is made by: monitor lists fetch gest" in refused("gest@1.0")
    assert "nowhere.csv: no such probe list" in refused("nowhere.csv")
    items = [{"key": "a", "text": "I am.", "occupation": "nurse"}]
    make_list(tmp_path / "jobs", "jobs", items=items)
    assert "has no tag 'stereotype', which lm_ratio needs" in refused("jobs@1")
    items = [{**item, "source_lang": "en" if n else "cs"} for n, item in enumerate(ITEMS)]
    make_list(tmp_path / "jobs", "two", items=items)
    assert "is in several languages" in refused("two@1")


def test_too_few_sentences_have_no_g_s_and_say_why(monitor, place, tmp_path):
    few = mini_items(2)
    make_list(tmp_path / "jobs", "few", items=few)
    write(place, items=few)
    code, out, _ = monitor("import", "lm-scores", place, "--list", "few@1", "--date", "2023-11-30")
    assert code == 0
    assert "q_i is insufficient" in " ".join(out.split())


def test_the_fetcher_answers_its_own_model_only(place, tmp_path):
    write(place)
    probe_list = load_list(tmp_path / "jobs" / "lists" / "mini@1.csv")
    [files] = read_models(place, probe_list, "10", "masked")
    fetcher = ScoresFetcher(files, DUE)
    texts = (ITEMS[1]["text"], "Who knows this?")
    asked = [Pause(0.0), RecordedRequest(str(place), "tiny-lm", "en", texts)]
    [(index, answer)] = fetcher.fetch(asked)
    assert (index, answer.outcome, answer.asked_at) == (0, Outcome.OK, DUE)
    content = json.loads(answer.body)
    assert content["log"] == "10"
    assert content["rows"] == [[2], None]
    assert content["scores"][0] == {n: number(ITEMS[1], n) for n in "0123"}
    assert content["scores"][1] is None
    for wrong in (RecordedRequest("f", "other", "en", texts), LocalRequest("b", "m", texts)):
        with pytest.raises(TypeError, match="not a request for scores of tiny-lm"):
            list(fetcher.fetch([wrong]))


# --- lists of pairs -----------------------------------------------------------------------------

PAIRS = """key,masculine,feminine,stereotype
a,Řekl: „Jsem unavený.“,Řekla: „Jsem unavená.“,6
b,Řekl: „Byl jsem sám doma.“,Řekla: „Byla jsem sama doma.“,6
c,Řekl: „Jsem unavený.“,Řekla: „Jsem unavená.“,1
d,Řekl: „Jsem tu.“,Řekla: „Jsem tu.“,9
e,Řekl: „Jsem hrdý.“,Řekla: „Jsem hrdá.“,9
"""


@pytest.fixture
def table(place, tmp_path):
    path = tmp_path / "translated.csv"
    path.write_text(PAIRS, encoding="utf-8")
    return path


def test_translations_become_a_list_of_pairs(monitor, table, tmp_path):
    arguments = ("lists", "pairs", table, "--language", "cs", "--list", "gest-cs@1")
    code, _, err = monitor(*arguments)
    assert code == 0, err
    assert "left out 1: more than one word differs" in err
    assert "left out 1: both sentences are the same" in err
    assert "left out 1: the same pair stands in an earlier row" in err
    assert "gest-cs@1: 2 of 5 pairs" in err
    made = load_list(tmp_path / "jobs" / "lists" / "gest-cs@1.csv")
    assert made.source_langs == ("cs",)
    assert made.status == "unvalidated"
    assert [(i.key, i.text, i.tags["stereotype"]) for i in made.items] == [
        ("a", "Jsem [unavený|unavená].", "6"),
        ("e", "Jsem [hrdý|hrdá].", "9"),
    ]
    code, _, err = monitor(*arguments)
    assert code == 2
    assert "is there already" in err


def test_no_cell_of_a_list_is_a_formula_and_none_is_changed(monitor, table, tmp_path):
    pairs = [
        "a,Řekl: „Jsem unavený.“,Řekla: „Jsem unavená.“,=cmd|calc",
        "b,Řekl: „+Jsem hrdý.“,Řekla: „+Jsem hrdá.“,9",
        "@c,Řekl: „Jsem malý.“,Řekla: „Jsem malá.“,9",
        "d,Řekl: „Jsem milý.“,Řekla: „Jsem milá.“,'t",
        'e,Řekl: „Jsem velký.“,Řekla: „Jsem velká.“,"9\r=cmd"',
    ]
    table.write_text("key,masculine,feminine,stereotype\n" + "\n".join(pairs), encoding="utf-8")
    code, _, err = monitor("lists", "pairs", table, "--language", "cs", "--list", "x@1")
    assert code == 0, err
    assert "left out 4: spreadsheet programs would run one of its cells as a formula" in err
    assert "x@1: 1 of 5 pairs" in err
    path = tmp_path / "jobs" / "lists" / "x@1.csv"
    assert [(i.key, i.tags["stereotype"]) for i in load_list(path).items] == [("d", "'t")]


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (None, "x@1", "no such file"),
        ("key,masculine\na,b\n", "x@1", "no column 'feminine'; it has key, masculine"),
        ("key,masculine,feminine\na,b\n", "x@1", "has 2 columns, the header 3"),
        ('key,masculine,feminine\na,"b"c,d\n', "x@1", "not a CSV file"),
        ("key,masculine,feminine\na,b,c\n", "x@1", "none of its 1 row makes a pair"),
        (PAIRS.replace("stereotype", "=1+1"), "x@1", "would run it as a formula"),
        (PAIRS, "X", "--list 'X': write it as NAME@VERSION"),
        (PAIRS, "x@0", "--list 'x@0': write it as NAME@VERSION"),
        (PAIRS.replace("\ne,", "\na,"), "x@1", "key 'a' stands twice"),
    ],
)
def test_a_bad_table_or_name_is_said_and_leaves_no_list(
    monitor, table, tmp_path, content, name, words
):
    if content is None:
        table.unlink()
    else:
        table.write_text(content, encoding="utf-8")
    before = sorted((tmp_path / "jobs" / "lists").iterdir())
    code, _, err = monitor("lists", "pairs", table, "--language", "cs", "--list", name)
    assert code == 2
    assert words in err
    assert sorted((tmp_path / "jobs" / "lists").iterdir()) == before
