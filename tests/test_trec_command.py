"""`monitor import trec-run` and `monitor export trec-run`: runs in, values out, and back."""

import gzip
import json
import sqlite3
from datetime import timedelta

import pytest

from monitor import pipeline, trec
from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.measures import parse
from monitor.store.database import connect
from tests.command import program
from tests.factories import DUE, make_job, make_list, quiet, rows
from tests.standins import serve
from tests.standins.marginalia import Marginalia
from tests.standins.results import Hit

DOCS = {
    "d1": "She is a nurse, and her mother was a nurse.",
    "d2": "He repairs engines with his brother.",
    "d3": "The committee meets on Monday.",
    "d4": "A man and a woman talk about the garden.",
    "d5": "Her dress was lovely and gentle.",
    "d6": "The boys play football with their father.",
    "d7": "Girls dance and sing with warm voices.",
    "d8": "",
}
TOPICS = {
    "1": "nurse",
    "2": "engineer",
    "051": "dancer",
    "4": "football coach",
    "5": "mother",
    "6": "nurse",
    "7": "librarian",
}
#: `gone` is in no collection.
FIRST = {
    "1": ["d1", "d5", "d3"],
    "2": ["d2", "d6", "d4"],
    "051": ["d7", "gone", "d5", "d8"],
    "4": ["d6", "d2", "d7"],
    "5": ["d1", "d7"],
    "6": ["d5", "d3", "d1"],
}
SECOND = {topic: some[::-1] for topic, some in FIRST.items()} | {"7": ["d4", "d3"]}
QRELS = {"1": {"d1": 1, "d3": 0}, "2": {"d2": 2, "d6": 1}, "051": {"d5": 1, "d7": 0}}
NAME = ("--docs", "docs.jsonl", "--topics", "topics.tsv", "--name", "small")
DATE = ("--date", "2024-05-01")
FLOOR = ("--floor", "3")


def write_run(path, lists, tag):
    with path.open("w", encoding="utf-8") as file:
        trec.write_run((trec.Ranking.of(q, tag, some) for q, some in lists.items()), file)


def write_docs(folder, texts=None):
    lines = [json.dumps({"id": key, "text": text}) for key, text in (texts or DOCS).items()]
    (folder / "docs.jsonl").write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    write_docs(tmp_path)
    lines = [f"{key}\t{text}\n" for key, text in TOPICS.items()]
    (tmp_path / "topics.tsv").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "gendered.txt").write_text("5\n\n", encoding="utf-8")
    graded = [f"{q} 0 {d} {n}\n" for q, some in QRELS.items() for d, n in some.items()]
    (tmp_path / "qrels.txt").write_text("".join(graded), encoding="utf-8")
    write_run(tmp_path / "first.run", FIRST, "first")
    write_run(tmp_path / "second.run", SECOND, "second")
    return tmp_path


@pytest.fixture
def monitor(folder, database_url, monkeypatch, capsys):
    """The program in a folder with a collection and two runs, over both databases."""
    monkeypatch.setenv("MONITOR_DATABASE_URL", database_url)
    monkeypatch.setenv("MONITOR_HOME", str(folder))
    monkeypatch.setenv("COLUMNS", "200")
    with program(folder, monkeypatch, capsys) as command:
        yield command


@pytest.fixture
def stored(database_url, folder):
    """What a query finds in the database of the commands."""
    opened = connect(database_url, folder / "bodies")
    yield lambda sql, **values: rows(opened, sql, **values)
    opened.close()


WHOLE = (*NAME, *DATE, *FLOOR, "--qrels", "qrels.txt", "--gendered", "gendered.txt")


def bring(monitor, *more, runs=("first.run", "second.run")):
    code, out, err = monitor("import", "trec-run", *runs, *(more or WHOLE))
    assert code == 0, err
    return out, err


def point(stored, measure, quantity, system="first", scope="all", day="2024-05-01"):
    [row] = [
        row
        for row in stored(
            "SELECT * FROM points_current WHERE measure = :m AND quantity = :q AND scope = :s",
            m=measure, q=quantity, s=scope,
        )
        if row["engine"].startswith(f"trec_run:{system}") and str(row["due_at"])[:10] == day
    ]  # fmt: skip
    return row


def of_queries(stored, point, columns, where="1 = 1"):
    sql = f"SELECT {columns} FROM queries_current WHERE point_id = :p AND {where}"
    return stored(sql, p=point["point_id"])


GSR = "GSR(floor=3,lexicon=glove-6b-50d)"
#: Topics that are not about women or men themselves, as far as the first run answers them.
FAIR = {topic: some for topic, some in FIRST.items() if topic != "5"}


def test_values_are_those_of_the_library_on_the_same_files(monitor, stored):
    bring(monitor)
    texts = DOCS | {"gone": None}
    expected = {
        (GSR, "gsr"): parse("GSR(floor=3)").score(FIRST, texts, queries=TOPICS, qrels=QRELS),
        ("NFaiRR@10", "nfairr"): parse("NFaiRR@10").score(FAIR, texts),
        ("TExFAIR@10", "texfair"): parse("TExFAIR@10").score(FAIR, texts),
        ("ARB@10", "arb"): parse("ARB@10").score(FAIR, texts),
        ("AP", "average_precision"): parse("AP").score(FIRST, qrels=QRELS),
        ("nDCG@10", "ndcg"): parse("nDCG@10").score(FIRST, qrels=QRELS),
    }
    for (measure, quantity), score in expected.items():
        found = point(stored, measure, quantity)
        assert found["state"] == "measured", (measure, found["reason"])
        assert found["value"] == pytest.approx(score.value, abs=1e-12), measure
        assert found["used"] == score.used, measure
        values = of_queries(stored, found, "key, value")
        for row in values:
            mine = score.per_query.get(row["key"])
            assert row["value"] == (None if mine is None else pytest.approx(mine, abs=1e-12))


def test_systems_are_told_apart_and_what_a_run_lacks_has_no_answer(monitor, stored):
    out, _ = bring(monitor)
    assert "2 systems, 13 of 14 rankings" in out
    first, second = (point(stored, "NFaiRR@10", "nfairr", one) for one in ("first", "second"))
    assert (first["planned"], first["answered"], first["used"]) == (6, 5, 5)  # topic 5 is gendered
    assert (second["planned"], second["answered"], second["used"]) == (6, 6, 5)
    [unread] = of_queries(stored, second, "key", "state = 'insufficient'")
    assert unread == {"key": "051"}  # its first rank is empty and its third is missing
    assert first["value"] != second["value"]
    [lacking] = of_queries(stored, first, "state, reason", "key = '7'")
    assert lacking == {"state": "insufficient", "reason": "no usable answer"}


def test_a_missing_document_is_counted_and_bounds_the_values(monitor, stored):
    _, err = bring(monitor)
    assert "documents with a text: 8 of 9; missing: 1" in err
    found = point(stored, "NFaiRR@10", "nfairr")
    assert found["bound_low"] < found["bound_high"]
    rows_ = stored("SELECT * FROM queries_current WHERE point_id = :p", p=found["point_id"])
    by_key = {row["key"]: row for row in rows_}
    assert (by_key["051"]["missing"], by_key["051"]["empty"], by_key["051"]["used"]) == (1, 1, 2)
    assert by_key["051"]["bound_low"] < by_key["051"]["bound_high"]
    assert by_key["1"]["bound_low"] == by_key["1"]["bound_high"] == by_key["1"]["value"]


def test_two_topics_of_the_same_words_are_two_questions(monitor, stored):
    bring(monitor)
    found = point(stored, "ARB@10", "arb")
    values = stored(
        "SELECT key, value FROM queries_current WHERE point_id = :p AND key IN ('1', '6')",
        p=found["point_id"],
    )
    by_key = {row["key"]: row["value"] for row in values}
    assert len(by_key) == 2
    texts = DOCS | {"gone": None}
    assert by_key == pytest.approx(
        {key: parse("ARB@10").score({key: FIRST[key]}, texts).value for key in by_key}
    )


def test_without_judgements_there_is_no_effectiveness(monitor, stored):
    bring(monitor, *NAME, *DATE, *FLOOR)
    assert stored("SELECT * FROM points_current WHERE measure = 'AP'") == []
    assert stored("SELECT * FROM judgements") == []
    assert point(stored, "NFaiRR@10", "nfairr")["planned"] == 7  # nobody said which are gendered


def test_the_same_date_is_imported_once_and_another_one_is_the_next_tick(monitor, stored, folder):
    out, _ = bring(monitor, *WHOLE, "--json")
    facts = json.loads(out)
    assert facts["state"] == "done"
    assert (facts["planned"], facts["answered"]) == (14, 13)
    assert facts["points"] > 20
    before = stored("SELECT COUNT(*) AS n FROM points_current")
    out, err = bring(monitor)
    assert out == ""
    assert "these runs of 2024-05-01 are imported already" in err
    assert json.loads(bring(monitor, *WHOLE, "--json")[0]) == {
        "run": None, "points": 0, "state": "imported already",
    }  # fmt: skip
    assert stored("SELECT COUNT(*) AS n FROM points_current") == before
    assert point(stored, GSR, "gsr_change")["reason"] == "no earlier tick"
    later = {topic: some[::-1] for topic, some in FIRST.items()}
    write_run(folder / "first.run", later, "first")
    code, _, err = monitor("import", "trec-run", "first.run", "second.run", *WHOLE)
    assert code == 2
    assert "another run of 'first' is imported for 2024-05-01" in err
    bring(monitor, *NAME, "--date", "2024-06-01", *FLOOR, "--gendered", "gendered.txt")
    change = point(stored, GSR, "gsr_change", day="2024-06-01")
    texts, plain = DOCS | {"gone": None}, parse("GSR(floor=3)")
    then, now = (plain.score(run, texts, queries=TOPICS) for run in (FIRST, later))
    assert change["state"] == "measured"
    assert change["value"] == pytest.approx(now.value - then.value, abs=1e-12)


def test_an_import_that_was_stopped_is_brought_to_its_end(monitor, stored, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("monitor.pipeline.collect.runs.derive_run", stop)
        code, _, err = monitor("import", "trec-run", "first.run", *WHOLE)
    assert code == 130
    assert "the same command goes on" in err
    assert stored("SELECT * FROM points_current") == []
    out, _ = bring(monitor, runs=("first.run",))
    assert "6 of 7 rankings" in out
    assert point(stored, "NFaiRR@10", "nfairr")["state"] == "measured"
    assert len(stored("SELECT * FROM runs")) == 1


def test_files_may_be_packed_and_topics_of_a_run_may_be_unknown(monitor, stored, folder):
    for name in ("first.run", "docs.jsonl", "topics.tsv"):
        packed = gzip.compress((folder / name).read_bytes())
        (folder / f"{name}.gz").write_bytes(packed)
    (folder / "few.tsv").write_text("1\tnurse\n2\tengineer\n4\tfootball coach\n", encoding="utf-8")
    given = ("--docs", "docs.jsonl.gz", "--topics", "few.tsv", "--name", "few", *DATE, *FLOOR)
    _, err = bring(monitor, *given, runs=("first.run.gz",))
    assert "first: 3 topics of the run are not in --topics and left out: 051, 5, 6" in err
    found = point(stored, "NFaiRR@10", "nfairr")
    some = {topic: FIRST[topic] for topic in ("1", "2", "4")}
    assert found["value"] == pytest.approx(parse("NFaiRR@10").score(some, DOCS).value, abs=1e-12)


# --- what is refused ----------------------------------------------------------------------------


def untouched(stored):
    tables = ("runs", "lists", "documents", "judgements", "probes", "bodies")
    return all(stored(f"SELECT * FROM {table}") == [] for table in tables)


def append(name, line):
    def change(folder):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(line)

    return change


def put(name, text):
    return lambda folder: (folder / name).write_text(text, encoding="utf-8")


def other_topics(folder):
    (folder / "topics.tsv").write_text("51\tdancer\n", encoding="utf-8")
    (folder / "gendered.txt").write_text("", encoding="utf-8")


def odd_bytes(folder):
    (folder / "docs.jsonl").rename(folder / "docs.bin")


SAME = {"--docs": "docs.jsonl", "--topics": "topics.tsv", "--name": "small"} | {
    "--qrels": "qrels.txt", "--gendered": "gendered.txt", "--date": "2024-05-01",
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "options", "words"),
    [
        (None, {"--name": "Small"}, ("--name 'Small'", "lower-case letters")),
        (None, {"--name": "../x"}, ("--name '../x'",)),
        (odd_bytes, {"--docs": "nowhere"}, ("nowhere: no such file or folder",)),
        (put("docs.txt", "words"), {"--docs": "docs.txt"}, ("docs.txt", "--format")),
        (put("docs.jsonl", ""), {}, ("docs.jsonl: holds no document",)),
        (append("docs.jsonl", '\n{"id": "d1", "text": "x"}'), {}, ("docs.jsonl:9", "stands twice")),
        (append("docs.jsonl", '\n{"id": "d9"}'), {}, ("docs.jsonl:9", "no 'text'")),
        (put("docs.jsonl", '{"id": "x", "text": "y"}'), {}, ("none of the 9 documents", "ids")),
        (append("first.run", "6 Q0 d5 9 0.1 first\n"), {}, ("first.run:19", "'d5'", "keep one")),
        (append("first.run", "6 Q0 d9 9 high first\n"), {}, ("first.run:19", "no finite number")),
        (append("first.run", "9 Q0 d9 9 1.0 other\n"), {}, ("first.run", "'9'", "one system")),
        (put("first.run", ""), {}, ("first.run: is empty",)),
        (put("topics.tsv", ""), {}, ("topics.tsv: is empty",)),
        (put("topics.tsv", "1 nurse\n"), {}, ("topics.tsv:1: no tab",)),
        (other_topics, {}, ("first.run: none of its 6 topics", "051 is not 51")),
        (put("qrels.txt", ""), {}, ("qrels.txt: is empty",)),
        (append("qrels.txt", "1 0 d1 2\n"), {}, ("qrels.txt:7", "grade 2")),
        (None, {"--qrels": "no.txt"}, ("no.txt: no such file",)),
        (put("gendered.txt", "99\n"), {}, ("gendered.txt: topic '99' is not in topics.tsv",)),
        (None, {"--gendered": "no.txt"}, ("no.txt: no such file",)),
    ],
)
def test_what_cannot_be_used_is_named_and_nothing_is_kept(
    monitor, stored, folder, change, options, words
):
    if change:
        change(folder)
    given = [part for pair in (SAME | options).items() for part in pair]
    code, out, err = monitor("import", "trec-run", "first.run", "second.run", *given)
    assert (code, out) == (2, "")
    for word in words:
        assert word in err
    assert untouched(stored)


def test_two_runs_of_one_tag_are_refused(monitor, stored, folder):
    write_run(folder / "again.run", FIRST, "first")
    code, _, err = monitor("import", "trec-run", "first.run", "again.run", *WHOLE)
    assert code == 2
    assert "again.run: tag 'first' is that of first.run too" in err
    assert untouched(stored)


def test_the_form_of_documents_can_be_said(monitor, folder):
    (folder / "docs.jsonl").rename(folder / "docs.bin")
    (folder / "docs.bin").write_text("".join(f"{k}\t{v}\n" for k, v in DOCS.items()))
    given = ("--docs", "docs.bin", "--topics", "topics.tsv", "--name", "small", *DATE)
    assert monitor("import", "trec-run", "first.run", *given)[0] == 2
    bring(monitor, *given, "--format", "tsv", runs=("first.run",))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda folder: write_docs(folder, DOCS | {"d1": "other"}),
            "another text of document 'd1'",
        ),
        (put("qrels.txt", "1 0 d1 0\n"), "grade 1 of document 'd1', topic '1'"),
        (put("gendered.txt", ""), "other topics, or others marked as gendered"),
    ],
)
def test_a_collection_that_changed_needs_another_name(monitor, stored, folder, change, words):
    """Texts that older values were computed of are never replaced, nor kept silently."""
    bring(monitor)
    before = stored("SELECT * FROM documents"), stored("SELECT * FROM judgements")
    change(folder)
    later = [part if part != "2024-05-01" else "2024-06-01" for part in WHOLE]
    code, _, err = monitor("import", "trec-run", "first.run", "second.run", *later)
    assert code == 2
    assert words in err
    assert "another --name" in err
    assert (stored("SELECT * FROM documents"), stored("SELECT * FROM judgements")) == before
    assert len(stored("SELECT * FROM runs")) == 1
    given = ["other" if part == "small" else part for part in later]
    bring(monitor, *given)


# --- and back -----------------------------------------------------------------------------------


def ranked(path):
    return {one.query: [entry.document for entry in one.entries] for one in trec.read_run(path)}


def engine_of(stored, system):
    names = {row["name"] for row in stored("SELECT name FROM engines")}
    return next(name for name in names if name.startswith(f"trec_run:{system}"))


def test_what_was_imported_comes_back(monitor, stored, folder):
    bring(monitor)
    code, out, err = monitor("export", "trec-run", "1", "--output", "back.run")
    assert (code, out) == (2, "")
    assert "run 1 has several; name one with --engine: trec_run:first" in err
    assert not (folder / "back.run").exists()
    for system, expected in (("first", FIRST), ("second", SECOND)):
        given = ("--engine", engine_of(stored, system), "--output", f"{system}-back.run")
        code, _, err = monitor("export", "trec-run", "1", *given)
        assert code == 0, err
        assert ranked(folder / f"{system}-back.run") == expected
    assert f"{sum(map(len, SECOND.values()))} lines of 7 questions" in err
    code, _, err = monitor("export", "trec-run", "1", *given)
    assert code == 2
    assert "is there already" in err
    assert monitor("export", "trec-run", "1", *given, "--force")[0] == 0
    code, out, _ = monitor("export", "trec-run", "1", "--engine", engine_of(stored, "first"))
    assert (code, out.splitlines()[0].split()[:4]) == (0, ["051", "Q0", "d7", "1"])


def test_an_export_of_nothing_says_what_there_is(monitor, folder):
    bring(monitor)
    code, _, err = monitor("export", "trec-run", "1", "--engine", "brave", "--output", "x.run")
    assert code == 2
    assert "run 1: has no web results of engine 'brave'; it has list: trec-small" in err
    code, _, err = monitor("export", "trec-run", "7", "--output", "x.run")
    assert code == 2
    assert "no run 7; see `monitor runs list`" in err
    assert not (folder / "x.run").exists()


def test_results_of_a_live_engine_are_written_with_their_addresses(database, monitor, folder):
    odd = "https://x.test/a b\tc\u00a0d\u2028e"
    hits = [Hit("One", "https://x.test/1"), Hit("Two", odd), Hit("Again", "https://x.test/1")]
    found = {"a nurse": hits, "a cook": []}
    make_list(folder, items=[{"key": k.replace(" ", "-"), "text": k, "trait": k} for k in found],
              cue="terms")  # fmt: skip
    with serve(Marginalia(results=found)) as running:
        use = {"name": "marginalia", "regions": ["us-en"], "pace": 500}
        use |= {"config": {"base_url": running.url}}
        audit = load_audit(make_job(folder, engines=[use], measures=[{"name": "GSR"}]))
        tick = pipeline.start(database, audit, "manual", DUE + timedelta(days=1))
        outside = Outside(folder, 1, Way(contact="a@lab.test", seconds=5))
        pipeline.run(database, audit, tick, outside, quiet)
    code, _, err = monitor("export", "trec-run", tick.id, "--output", "live.run")
    assert code == 0, err
    [ranking] = trec.read_run(folder / "live.run")
    assert ranking.query == "a-nurse"
    documents = [entry.document for entry in ranking.entries]
    assert documents[0] == "https://x.test/1"
    assert len(documents) == len(set(documents)) == 2
    assert not any(blank in documents[1] for blank in " \t")
    assert ranking.tag == ranking.tag.strip() != ""


def test_a_folder_without_a_database_is_said(tmp_path, folder, monkeypatch, capsys):
    with program(folder, monkeypatch, capsys) as command:
        code, _, err = command("import", "trec-run", "first.run", *WHOLE)
    assert code == 4
    assert "monitor init" in err
    assert (
        not (tmp_path / "monitor.db").exists()
        or not sqlite3.connect(tmp_path / "monitor.db")
        .execute("SELECT name FROM sqlite_master")
        .fetchall()
    )
