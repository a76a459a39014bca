"""Recorded translations: read as they stand, replayed on their dates, never made up."""

import csv
import hashlib
import json
from datetime import UTC, datetime

import pytest

from monitor import pipeline
from monitor.engines.files.recorded import ENGINE
from monitor.fetch import recorded
from monitor.fetch.recorded import Library, RecordedFetcher, RecordedTranslation
from monitor.jobs import load_audit, load_job
from monitor.model import (
    InvalidInput,
    LocalRequest,
    MissingPart,
    Outcome,
    Probe,
    RecordedRequest,
    RunKind,
    RunState,
)
from monitor.store.collect import runs
from tests.cases import check_each
from tests.factories import make_job, make_list, mini_items, portuguese, quiet, rows

MAY, JUNE = (datetime(2023, month, 1, tzinfo=UTC) for month in (5, 6))
COLUMNS = ("source", "target_lang", "system", "translation", "date")
ITEMS = mini_items()
SYSTEM = "amazon_translate"


def row(source="I sing.", translation="Eu canto.", date="2023-05-01", target="pt", system=SYSTEM):
    return (source, target, system, translation, date)


def write(path, table, columns=COLUMNS):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(table)
    return path


@pytest.fixture
def file(tmp_path):
    return lambda table, columns=COLUMNS: write(tmp_path / "t.csv", table, columns)


# --- the file -----------------------------------------------------------------------------------


def test_a_file_is_read_by_target_and_day(file):
    path = file(
        [
            row(),
            row(date="2023-05-01T23:30:00-02:00", translation="Canto."),
            row(target="es", translation="Canto."),
            row(system="deepl", translation="Eu canto!"),
            row(" I fly. ", "", "2023-05-01 08:00"),
        ]
    )
    found = recorded.read_recording(path, SYSTEM)
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert found.list_dates("pt") == [MAY, MAY.replace(day=2)]
    assert found.find_translations("pt", MAY) == {
        "I sing.": RecordedTranslation("Eu canto.", 2),
        "I fly.": RecordedTranslation("", 6),
    }
    assert found.find_translations("pt", MAY.replace(day=2)) == {
        "I sing.": RecordedTranslation("Canto.", 3)
    }
    assert found.find_translations("es", MAY)["I sing."].row == 4
    assert found.find_translations("pt", JUNE) == {}


def test_empty_lines_are_no_rows(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("source,target,system,translation,date\n\nI sing.,pt,s,Canto.,2023-05-01\n\n")
    assert recorded.read_recording(path, "s").find_translations("pt", MAY) == {
        "I sing.": RecordedTranslation("Canto.", 3)
    }


def test_the_column_may_be_called_target_and_others_are_left_alone(file):
    columns = ("id", "target", "source", "system", "translation", "date")
    path = file([("7", "pt", "I sing.", SYSTEM, "Canto.", "2023-05-01")], columns)
    assert recorded.read_recording(path, SYSTEM).find_translations("pt", MAY) == {
        "I sing.": RecordedTranslation("Canto.", 2)
    }


@check_each(
    ("table", "words"),
    [
        ([row(), row()], r"t\.csv:3: 'I sing\.' into 'pt' on 2023-05-01 stands in row 2 already"),
        ([row(), row(), row(system="x")], "keep one of them"),
        ([row(), row(translation="Canto.")], r"t\.csv:3: .* stands in row 2 already"),
        ([row(date="May 2023")], r"t\.csv:2: date 'May 2023' cannot be read; write it as 2023-"),
        ([row(date="")], r"t\.csv:2: date '' cannot be read"),
        ([row(), row("I fly.", "a\0b")], r"t\.csv:3: has a NUL character"),
        ([row(source=" ")], r"t\.csv:2: source is empty"),
        ([row(), row(target="")], r"t\.csv:3: target_lang is empty"),
        ([row(system="")], r"t\.csv:2: system is empty"),
        ([row()[:4]], r"t\.csv:2: has 4 columns, the header 5"),
    ],
)
def test_what_cannot_be_used_is_named_with_file_and_line(file, table, words):
    with pytest.raises(InvalidInput, match=words):
        recorded.read_recording(file(table), SYSTEM)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no column 'source'; it has none"),
        (b"source,target_lang\n", "no column 'system'; it has source, target_lang, and needs"),
        (b'source,target,system,translation,date\n"a', r"t\.csv:2: not a CSV file"),
        (b"source,target,system,translation,date\n\xff,b,c,d,e", r"t\.csv:2: not UTF-8"),
    ],
)
def test_what_is_no_table_is_named(tmp_path, content, words):
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(InvalidInput, match=words):
        recorded.read_recording(tmp_path / "t.csv", SYSTEM)


def test_files_that_are_none(tmp_path):
    with pytest.raises(InvalidInput, match=r"t\.csv: no such file of recorded translations"):
        recorded.read_recording(tmp_path / "t.csv", SYSTEM)
    (tmp_path / "f.csv").mkdir()
    with pytest.raises(InvalidInput, match=r"f\.csv: is a folder"):
        recorded.read_recording(tmp_path / "f.csv", SYSTEM)
    with pytest.raises(InvalidInput, match=r"t\.xlsx: .*\.csv or a \.parquet"):
        recorded.read_recording(tmp_path / "t.xlsx", SYSTEM)


def test_what_was_never_recorded_is_named_with_what_was(file):
    found = recorded.read_recording(
        file([row(system="deepl", target="cs"), row(system="deepl")]), SYSTEM
    )
    with pytest.raises(InvalidInput, match=r"into 'pt' by system 'amazon_translate'; .*deepl: cs"):
        found.list_dates("pt")
    empty = recorded.read_recording(file([]), SYSTEM)
    with pytest.raises(InvalidInput, match="it has no rows"):
        empty.list_dates("pt")


def test_parquet_without_its_library_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    with pytest.raises(MissingPart, match=r"pip install 'gbmonitor\[parquet\]'"):
        recorded.read_recording(tmp_path / "t.parquet", SYSTEM)


def test_parquet_is_read_like_a_csv(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = zip(*[row(), row("I fly.", None, "2023-06-01")], strict=True)
    pq.write_table(
        pa.table(dict(zip(COLUMNS, map(list, columns), strict=True))), tmp_path / "t.parquet"
    )
    found = recorded.read_recording(tmp_path / "t.parquet", SYSTEM)
    assert found.find_translations("pt", MAY) == {"I sing.": RecordedTranslation("Eu canto.", 1)}
    assert found.find_translations("pt", JUNE) == {"I fly.": RecordedTranslation("", 2)}
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    with pytest.raises(InvalidInput, match="not a Parquet file"):
        recorded.read_recording(tmp_path / "broken.parquet", SYSTEM)


class FakeParquet:
    """What is used of pyarrow, so that the reading is tested without it."""

    class Batch:
        def __init__(self, values):
            self.to_pylist = lambda: values

    def __init__(self, values):
        self._values = values
        self.schema_arrow = type("Schema", (), {"names": list(COLUMNS)})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def iter_batches(self):
        for start in range(0, len(self._values), 2):
            yield self.Batch(self._values[start : start + 2])


def test_rows_of_a_parquet_are_counted_over_its_batches(tmp_path, monkeypatch):
    import sys
    import types

    at = datetime(2023, 5, 1, 7, tzinfo=UTC)
    table = [row(f"I sing {n}.", date=date) for n, date in enumerate((at, at.date(), at))]
    values = [dict(zip(COLUMNS, one, strict=True)) for one in table]
    pa, pq = types.ModuleType("pyarrow"), types.ModuleType("pyarrow.parquet")
    pa.ArrowException, pa.parquet = ValueError, pq
    pq.ParquetFile = lambda _path: FakeParquet(values)
    monkeypatch.setitem(sys.modules, "pyarrow", pa)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", pq)
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    found = recorded.read_recording(tmp_path / "t.parquet", SYSTEM).find_translations("pt", MAY)
    assert [one.row for one in found.values()] == [1, 2, 3]

    def broken(_path):
        raise ValueError("no magic bytes")

    pq.ParquetFile = broken
    with pytest.raises(InvalidInput, match="not a Parquet file: no magic bytes"):
        recorded.read_recording(tmp_path / "t.parquet", SYSTEM)


# --- the engine and its fetcher -----------------------------------------------------------------


@check_each(
    ("config", "words"),
    [
        ({}, "config needs 'file': a .csv or .parquet file"),
        ({"file": "t.csv"}, "config needs 'system'"),
        ({"file": "t.csv", "system": " "}, "config: system = ' ': must be a text that is not"),
        ({"file": 7, "system": "x"}, "config: file = 7: must be a text"),
        ({"file": "t.csv", "system": "x", "date": "y"}, "unknown key 'date'; known: file, system"),
    ],
)
def test_the_config_names_the_file_and_the_system(config, words):
    assert words in ENGINE.check("en", "pt", config)


def test_an_answer_names_the_rows_and_the_file(file, tmp_path):
    path = file([row(), row("I fly.", "")])
    fetcher = RecordedFetcher(Library(tmp_path), MAY)
    probes = [Probe(text, "en", "pt") for text in ("I fly.", "I dance.", "I sing.")]
    request = ENGINE.request(probes, {"file": "t.csv", "system": SYSTEM})
    assert request == RecordedRequest("t.csv", SYSTEM, "pt", ("I fly.", "I dance.", "I sing."))
    [(index, answer)] = fetcher.fetch([request])
    assert (index, answer.outcome, answer.asked_at) == (0, Outcome.OK, MAY)
    assert json.loads(answer.body) == {
        "translations": ["", None, "Eu canto."],
        "rows": [3, None, 2],
    }
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert dict(answer.agent) == {"file": "t.csv", "sha256": digest, "system": SYSTEM}
    outcomes = [reading.outcome for reading in ENGINE.parse(answer, probes)]
    assert outcomes == [Outcome.EMPTY, Outcome.FAILED, Outcome.OK]
    with pytest.raises(TypeError, match="not a request for a recording"):
        next(iter(fetcher.fetch([LocalRequest("b", "en-pt", ("a",))])))


def test_the_dates_of_several_systems_are_joined(file, tmp_path):
    file([row(), row(system="deepl", date="2023-06-01"), row(target="es", date="2023-07-01")])
    library = Library(tmp_path)
    wanted = [("t.csv", SYSTEM, ["pt"]), ("t.csv", "deepl", ["pt"])]
    assert library.list_dates(wanted) == [MAY, JUNE]
    with pytest.raises(InvalidInput, match="no translation into 'cs'"):
        library.list_dates([("t.csv", SYSTEM, ["cs"])])


# --- jobs ---------------------------------------------------------------------------------------


def use(system=SYSTEM, file="translations.csv", target="pt"):
    return {"name": "recorded", "targets": [target], "config": {"file": file, "system": system}}


def recorded_job(folder, engines=None, **changes):
    schedule = {"cron": "0 5 * * mon", "catch_up": "all"}
    return make_job(folder, **{"schedule": schedule, "engines": engines or [use()]} | changes)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"engines": [use(), {"name": "firefox_translations", "targets": ["pt"]}],
          "schedule": {"cron": "0 5 * * mon"}},
         "recorded and live ones do not share a job"),
        ({"schedule": {"cron": "0 5 * * mon"}}, 'catch_up: set it to "all"'),
        ({"repeats": 2}, "repeats: a recording holds each answer once"),
    ],
)  # fmt: skip
def test_a_job_on_recordings_that_cannot_be(tmp_path, change, words):
    with pytest.raises(InvalidInput, match=words):
        load_job(recorded_job(tmp_path, **change))


def test_another_file_is_the_same_series_and_another_system_is_not(tmp_path):
    made = [
        load_job(recorded_job(tmp_path, [use(*what)])).engines[0]
        for what in ((SYSTEM, "a.csv"), (SYSTEM, "b.csv"), ("deepl", "a.csv"))
    ]
    assert made[0].config_hash == made[1].config_hash != made[2].config_hash
    assert [one.label(ENGINE) for one in made] == [
        "recorded:amazon_translate",
        "recorded:amazon_translate",
        "recorded:deepl",
    ]


# --- through the pipeline -----------------------------------------------------------------------


def collection(folder, by_date, **fields):
    """{date: {source: translation}} as `translations.csv`."""
    table = [
        row(source, translation, date, **fields)
        for date, translations in by_date.items()
        for source, translation in translations.items()
    ]
    return write(folder / "translations.csv", table)


def run_all(database, audit):
    """What `monitor run` does for a job on recordings, without its output."""
    from monitor.work.recorded import list_runs

    library = Library(audit.path.parent)
    dates = library.list_dates(
        (one.config["file"], one.config["system"], one.targets) for one in audit.job.engines
    )
    return [
        pipeline.run(database, audit, tick, RecordedFetcher(library, tick.due_at), quiet)
        for tick in list_runs(database, audit, dates, resume=False)
    ]


def f_s(database):
    sql = """
        SELECT due_at, engine, value FROM points_current
        WHERE quantity = 'f_s' ORDER BY engine, due_at
    """
    return [(row["engine"], str(row["due_at"])[:10], row["value"]) for row in rows(database, sql)]


ALL_MASCULINE = portuguese(ITEMS, feminine=lambda _item: False)


def test_each_recorded_date_becomes_one_scheduled_run_with_its_values(database, tmp_path):
    make_list(tmp_path)
    collection(tmp_path, {"2023-06-01": ALL_MASCULINE, "2023-05-01": portuguese(ITEMS)})
    audit = load_audit(recorded_job(tmp_path))
    made = run_all(database, audit)
    assert [(one.run.due_at, one.run.kind, one.state) for one in made] == [
        (MAY, RunKind.SCHEDULED, RunState.DONE),
        (JUNE, RunKind.SCHEDULED, RunState.DONE),
    ]
    assert f_s(database) == [
        ("recorded:amazon_translate", "2023-05-01", 1.0),
        ("recorded:amazon_translate", "2023-06-01", 0.0),
    ]
    [agent] = rows(database, "SELECT identity FROM agents")
    assert SYSTEM in str(agent["identity"])
    asked = rows(database, "SELECT DISTINCT asked_at FROM exchanges ORDER BY asked_at")
    assert [str(one["asked_at"])[:10] for one in asked] == ["2023-05-01", "2023-06-01"]
    requests = rows(database, "SELECT request FROM exchanges")
    assert all("translations.csv" in str(one["request"]) for one in requests)
    assert run_all(database, audit) == []


def test_new_dates_in_the_file_are_new_runs_of_the_same_series(database, tmp_path):
    make_list(tmp_path)
    job = recorded_job(tmp_path)
    collection(tmp_path, {"2023-05-01": portuguese(ITEMS)})
    run_all(database, load_audit(job))
    collection(tmp_path, {"2023-05-01": ALL_MASCULINE, "2023-06-01": ALL_MASCULINE})
    [made] = run_all(database, load_audit(job))
    assert made.run.due_at == JUNE
    # the evidence of May stands as it was taken
    assert [value for *_, value in f_s(database)] == [1.0, 0.0]
    assert len({row["key"] for row in rows(database, "SELECT key FROM series_keys")}) == len(
        rows(database, "SELECT DISTINCT quantity, scope FROM series_keys")
    )
    assert len(rows(database, "SELECT id FROM agents")) == 2


def test_what_is_missing_in_the_file_is_no_answer_and_no_number(database, tmp_path):
    make_list(tmp_path)
    lacking = portuguese(ITEMS)
    for item in ITEMS:
        if item["stereotype"] == "3":
            del lacking[item["text"]]
    lacking[ITEMS[0]["text"]] = ""
    collection(tmp_path, {"2023-05-01": lacking})
    run_all(database, load_audit(recorded_job(tmp_path)))
    [found] = rows(database, "SELECT * FROM coverage")
    assert (found["planned"], found["answered"], found["unanswered"], found["empty"]) == (
        32, 29, 2, 1,
    )  # fmt: skip
    sql = "SELECT state, reason, value FROM points_current WHERE scope = 'stereotype:3'"
    for point in rows(database, sql):
        assert (point["state"], point["value"]) == ("insufficient", None)
    [reading] = rows(database, "SELECT DISTINCT reason FROM readings WHERE outcome = 'failed'")
    assert reading["reason"] == "unrecorded"


def test_two_systems_of_one_file_are_two_series(database, tmp_path):
    make_list(tmp_path)
    tables = {SYSTEM: portuguese(ITEMS), "deepl": ALL_MASCULINE}
    table = [
        row(source, translation, system=system)
        for system, translations in tables.items()
        for source, translation in translations.items()
    ]
    write(tmp_path / "translations.csv", table)
    audit = load_audit(recorded_job(tmp_path, [use(), use("deepl")]))
    run_all(database, audit)
    assert f_s(database) == [
        ("recorded:amazon_translate", "2023-05-01", 1.0),
        ("recorded:deepl", "2023-05-01", 0.0),
    ]


def test_a_repeated_text_is_asked_once_and_counts_in_both_items(database, tmp_path):
    items = [*ITEMS, ITEMS[0] | {"key": "again", "stereotype": "9"}, ITEMS[1] | {"key": "twice"}]
    make_list(tmp_path, items=items, version="1.0", repeated_texts=True)
    collection(tmp_path, {"2023-05-01": portuguese(ITEMS)})
    audit = load_audit(recorded_job(tmp_path, lists=[{"name": "mini@1.0"}]))
    run_all(database, audit)
    sql = "SELECT scope, value, planned FROM points_current WHERE quantity = 'p_i'"
    found = {row["scope"]: (row["value"], row["planned"]) for row in rows(database, sql)}
    assert found["stereotype:9"] == (pytest.approx(2 / 3), 3)
    assert found["stereotype:1"] == (0.0, 3)
    assert len(rows(database, "SELECT id FROM attempts")) == len(ITEMS)
    [named] = rows(database, "SELECT DISTINCT list FROM answers")
    assert named["list"] == "mini@1.0"


def test_ticks_that_were_claimed_are_known(database, tmp_path):
    make_list(tmp_path)
    collection(tmp_path, {"2023-05-01": portuguese(ITEMS)})
    audit = load_audit(recorded_job(tmp_path))
    run_all(database, audit)
    with database.read() as connection:
        assert runs.list_claimed_ticks(connection, "mini", RunKind.SCHEDULED) == {MAY}
        assert runs.list_claimed_ticks(connection, "mini", RunKind.MANUAL) == set()
