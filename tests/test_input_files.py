"""Files that people bring: whatever reads one, the same faults are named with file and line."""

import json
from datetime import UTC, datetime

import pytest

from monitor.bulk import annotate_rows, find_reader
from monitor.cli.derive.corpus import _shares, _words
from monitor.cli.jobs.lists import pairs
from monitor.cli.publish.trec import _ids
from monitor.cli.validation.label import filled
from monitor.corpus import concepts
from monitor.corpus.reading import TextForm, read_documents
from monitor.fetch import recorded
from monitor.fetch.recorded_scores import _read_numbers
from monitor.fetch.saved_pages import read_index
from monitor.input_files import decode_lines, load_json, parse_json, parse_toml
from monitor.jobs import find_regions, job_of
from monitor.lexicons.build import read_pairs
from monitor.lists import load_list
from monitor.model import InvalidInput, StoreProblem
from monitor.rankers import corpus as collection
from monitor.rating import read_sheet
from monitor.references import _survey_eurostat, _survey_ilostat
from monitor.references.csv import REFERENCE
from monitor.stages.publish.package_files import _make_manifest
from monitor.store.maintenance.backup import read_manifest
from monitor.studies import first_order, mirror
from monitor.studies._gest_files import read_csv_rows
from monitor.studies._rankings_files import json_object, read_collection
from monitor.trec import read_qrels, read_run, read_topics

NOW = datetime(2026, 1, 5, tzinfo=UTC)
HEADER = 'name = "mini"\nversion = 1\nsource_lang = "en"\ntitle = "t"\n'
HEADER += 'status = "unvalidated"\nlicence = "none"\n'


def probe_list(path):
    path = path.rename(path.with_name("mini@1.csv"))
    path.with_suffix(".toml").write_text(HEADER)
    return load_list(path)


def gendered(path):
    language, cue = find_reader("pt", "agreement")
    with path.open("rb") as file:
        return list(annotate_rows(decode_lines(file, str(path)), str(path), language, cue, "text"))


def ilostat(path):
    with path.open("rb") as file:
        return _survey_ilostat.read_lines(decode_lines(file, str(path)), "DEU", "")


#: Reader, header and a row, with {} where a text stands that the file is about.
TABLES = {
    "probe list": (probe_list, "key,text,tag", "a,{},c"),
    "recording": (
        lambda path: recorded.read_recording(path, "deepl"),
        "date,source,target_lang,system,translation",
        "2026-01-05,{},pt,deepl,b",
    ),
    "filled sheet": (lambda path: read_sheet(path, ["1"]), "key,text,rating,comment", "a,{},1,"),
    "labels": (
        lambda path: filled(path, "ab", NOW, ["men"], {"a": "a"}),
        "key,group,comment",
        "a,men,{}",
    ),
    "study": (lambda path: list(read_csv_rows(path, ["a"])), "a,b", "x,{}"),
    "pairs": (lambda path: pairs(path, "cs", "pairs-cs@1"), "key,masculine,feminine", "a,{},b"),
    "texts": (gendered, "text,other", "{},a"),
    "index of pages": (read_index, "file,query", "a.html,{}"),
    "concepts": (concepts.read_concepts, "list,group,word,partner", "concept,women,{},"),
    "word pairs": (read_pairs, "female,male", "{},he"),
    "shares": (_shares, "word,share", "{},0.5"),
    "collection": (lambda path: list(collection.read_entries(path)), "id,text", "a,{}"),
    "mirrored pairs": (
        mirror.read_pairs,
        "language,masculine,feminine",
        "pt,{},Estou cansada.",
    ),
}  # fmt: skip
LINES = {
    "words": (_words, "{}"),
    "figures of a paper": (lambda path: json_object(path, "give them"), '{"a": "{}"}'),
    "published values": (first_order.read_published, '{"a": "{}"}'),
    "texts of a study": (
        lambda path: list(read_collection(path.rename(path.with_suffix(".json")))),
        '{"a": "{}"}',
    ),
    "topic ids": (_ids, "{}"),
    "scores": (lambda path: _read_numbers(path, path.read_bytes(), "e"), "{}"),
    "topics": (read_topics, "1\t{}"),
    "qrels": (lambda path: list(read_qrels(path)), "1 0 {} 1"),
    "run": (lambda path: list(read_run(path)), "1 Q0 {} 1 2.0 tag"),
    "collection in columns": (
        lambda path: list(collection.read_entries(path, collection.CollectionForm.TSV)),
        "a\t{}",
    ),
    "texts of a corpus": (
        lambda path: list(read_documents([path.rename(path.with_suffix(".txt"))], TextForm())),
        "{}",
    ),
}
CONTROLS = {"NUL": "\0", "U+0007": "\x07", "U+001B": "\x1b", "U+007F": "\x7f"}


def refused(read, path, content, *words):
    path.write_bytes(content)
    with pytest.raises(InvalidInput) as raised:
        read(path)
    for word in words:
        assert word in str(raised.value), str(raised.value)


@pytest.mark.parametrize("name", [*TABLES, *LINES])
def test_what_no_text_holds_is_refused_with_file_and_line(name, tmp_path):
    path = tmp_path / "file.csv"
    if name in TABLES:
        read, header, row = TABLES[name]
        line, place = f"{header}\n{row}\n", ".csv:2: "
    else:
        read, row = LINES[name]
        line, place = f"\n{row}\n", ":2: "
    for word, character in CONTROLS.items():
        refused(read, path, line.replace("{}", f"a{character}b").encode(), place, word)
    latin = line.replace("{}", "Já").encode("latin-1")
    refused(read, path, latin, place, "not UTF-8")
    half = line.encode().replace(b"{}", b"a\xed\xa0\x80b")
    refused(read, path, half, place, "not UTF-8")


@pytest.mark.parametrize("name", TABLES)
def test_a_header_names_a_column_once(name, tmp_path):
    read, header, row = TABLES[name]
    first = header.partition(",")[0]
    twice = f"{header},{first}\n{row.replace('{}', 'x')},y\n"
    refused(read, tmp_path / "file.csv", twice.encode(), "stands twice in the header", repr(first))


@pytest.mark.parametrize("name", [name for name in TABLES if name != "collection"])
def test_a_cell_that_is_too_long_is_called_so(name, tmp_path):
    read, header, row = TABLES[name]
    content = f"{header}\n{row.replace('{}', 'x' * 200_000)}\n".encode()
    refused(read, tmp_path / "file.csv", content, "a cell of more than 131,072 characters")


@pytest.mark.parametrize("name", ["probe list", "recording", "study", "texts", "shares"])
def test_a_byte_order_mark_is_no_fault(name, tmp_path):
    read, header, row = TABLES[name]
    path = tmp_path / "file.csv"
    path.write_bytes(f"\ufeff{header}\n{row.replace('{}', 'x')}\n".encode())
    assert read(path)


@pytest.mark.parametrize("year", ["0001", "1969", "2201", "9999"])
def test_a_recorded_date_is_of_our_time(year, tmp_path):
    for stamp in (f"{year}-01-01", f"{year}-01-01T00:00:00+14:00", f"{year}-12-31T23:59:59-12:00"):
        content = f"date,source,target_lang,system,translation\n{stamp},a,pt,deepl,b\n".encode()
        path = tmp_path / "file.csv"
        refused(
            lambda p: recorded.read_recording(p, "deepl"), path, content, "file.csv:2: date", year
        )
        content = f"file,query,captured_at\na.html,nurses,{stamp}\n".encode()
        refused(read_index, path, content, "file.csv:2: captured_at")


# --- TOML -----------------------------------------------------------------------------------------

JOB = b'name = "a"\n'


def job(path):
    return job_of(path.read_bytes(), path)


def list_header(path):
    table = path.with_name("mini@1.csv")
    table.write_text("key,text\na,b\n")
    path.rename(table.with_suffix(".toml"))
    return load_list(table)


def regions(path):
    path.rename(path.with_name("regions.toml"))
    return find_regions(path.parent, ["x"])


TOML = {"job": job, "list": list_header, "regions": regions}
FAULTS = {
    b"x = " + b"[" * 20_000 + b"]" * 20_000: "deeper than 100 levels",
    b"x = " + b"[" * 200 + b"]" * 200: "deeper than 100 levels",
    b"x = " + b"{ a = " * 5_000 + b"1" + b"}" * 5_000: "deeper than 100 levels",
    b"x = " + b"9" * 5_000: "not valid TOML",
    b"x = " + b"9" * 4_000: "too large",
    b"y = 1\nx = " + b"9" * 20: "x: 1.000e+20 is too large",
    b"[[x]]\ny = inf": "x[0].y: inf is no finite number",
    b"x = nan": "x: nan is no finite number",
    b"x = -inf": "x: -inf is no finite number",
    b'y = 1\nx = "a\\u0000b"': ":2: x: has a NUL character",
    b'y = 1\nx = ["a\\u001bb"]': ":2: x[0]: has a control character (U+001B)",
    b'"\\u0007" = 1': ":1: has a control character (U+0007)",
    b'y = 1\nx = "\xe9"': ":2: not UTF-8",
    b"x = \x00": "not valid TOML",
}


@pytest.mark.parametrize("kind", TOML)
def test_toml_that_cannot_be_is_refused_in_a_sentence(kind, tmp_path):
    for number, (content, words) in enumerate(FAULTS.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        refused(TOML[kind], folder / "file.toml", content, ".toml", words)


def test_toml_may_begin_with_a_byte_order_mark():
    assert parse_toml(b"\xef\xbb\xbfx = 1\n", "a.toml") == {"x": 1}


# --- JSON -----------------------------------------------------------------------------------------

DEEP = {
    "lists": "[" * 3_000 + "]" * 3_000,
    "tables": '{"a":' * 3_000 + "1" + "}" * 3_000,
    "deeper than the interpreter": "[" * 100_000 + "]" * 100_000,
    "digits": '{"format": ' + "9" * 5_000 + "}",
}


def reproduced(path):
    path.rename(path.with_name("manifest.json"))
    return _make_manifest(path.parent)


def backed_up(path):
    path.rename(path.with_name("manifest.json"))
    try:
        return read_manifest(path.parent)
    except StoreProblem as error:  # ends with 4, the others with 2
        raise InvalidInput(str(error)) from error


JSON = {
    "manifest of a package": reproduced,
    "manifest of a backup": backed_up,
    "eurostat": lambda path: _survey_eurostat.read_dataset(path.read_bytes(), "DE", ""),
    "documents": lambda path: list(
        read_documents([path.rename(path.with_suffix(".jsonl"))], TextForm())
    ),
    "collection": lambda path: list(collection.read_entries(path, collection.CollectionForm.JSONL)),
    "topics": lambda path: read_topics(path.rename(path.with_suffix(".jsonl"))),
}


@pytest.mark.parametrize("deep", DEEP)
@pytest.mark.parametrize("kind", JSON)
def test_json_that_cannot_be_is_refused_in_a_sentence(kind, deep, tmp_path):
    refused(JSON[kind], tmp_path / "file.json", DEEP[deep].encode())


def test_json_that_programs_write_is_read():
    value = {"a": [1, 2.5, None, {"b": "é\n"}]}
    assert load_json(json.dumps(value)) == parse_json(json.dumps(value).encode(), "x") == value


@pytest.mark.parametrize("text", ['"\\u0000"', '{"\\ud800": 1}', '[{"a": ["\\u001b"]}]'])
def test_json_names_what_no_text_holds(text):
    with pytest.raises(InvalidInput, match=r"a\.json:3: has "):
        parse_json(text, "a.json:3")


def test_tables_of_surveys_are_read_through_the_same_door(tmp_path):
    refused(ilostat, tmp_path / "a.csv", b"ref_area,sex\x00\n", "a.csv:1: has a NUL")
    path = tmp_path / "b.csv"
    twice = b"ref_area,source,indicator,sex,classif1,time,obs_value,obs_status,sex\n"
    refused(ilostat, path, twice, "'sex' stands twice")
    for text in ("topic,group,share,source,as_of,topic\n", "topic\0\n"):
        with pytest.raises(InvalidInput):
            REFERENCE.read(text, "csv:x")
