"""Texts behind ranked lists, and the lists by their words: nothing is lost, doubled or made up."""

from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from monitor import pipeline
from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.model import Block, Document, Item, Outcome, Reason
from monitor.store.collect import runs
from monitor.store.derive import texts
from monitor.store.derive.texts import StoredDocument, WordSource
from monitor.store.jobs import declarations
from monitor.store.selectables import ListAnswers
from tests.factories import DUE, make_job, make_list, quiet, rows
from tests.standins import faults, serve
from tests.standins.marginalia import Marginalia
from tests.standins.results import Hit

NOW = datetime(2026, 1, 5, 5, tzinfo=UTC)
SMALL = "trec:small"
ODD = "a\ud800b\0c"


def keep(database, *some, collection=SMALL):
    with database.begin() as connection:
        return texts.store_documents(connection, database, collection, iter(some), NOW)


def kept(database, collection=SMALL):
    return {
        row["key"]: row
        for row in rows(
            database, "SELECT * FROM documents WHERE collection = :c ORDER BY id", c=collection
        )
    }


def read(database, collection=SMALL, wanted=None):
    everything = set(kept(database, collection)) if wanted is None else wanted
    with database.read() as connection:
        return texts.read_stored_texts(connection, database, collection, everything)


def test_texts_come_back_as_they_were_kept(database):
    long = "She said. " * 5_000
    some = {"a": "He said.", "b": long, "c": "Ľúbezná дівчина 😀\n\tend "}
    assert keep(database, *(StoredDocument(key, text) for key, text in some.items())) == 3
    assert read(database) == some
    assert read(database, wanted={"c", "z"}) == {"c": some["c"]}
    assert read(database, "trec:other") == {}


def test_an_empty_text_is_not_a_missing_one(database):
    keep(
        database,
        StoredDocument("empty", ""),
        StoredDocument("missing", None, Outcome.FAILED, Reason.REFUSED, "HTTP 404"),
        StoredDocument("unread", None, Outcome.UNREADABLE),
        StoredDocument("nobody", None),
    )
    assert read(database) == {"empty": "", "missing": None, "unread": None, "nobody": None}
    found = kept(database)
    assert {key: row["outcome"] for key, row in found.items()} == {
        "empty": "empty", "missing": "failed", "unread": "unreadable", "nobody": "ok",
    }  # fmt: skip
    assert {row["body_id"] for row in found.values()} == {None}
    assert (found["missing"]["reason"], found["missing"]["detail"]) == ("refused", "HTTP 404")
    assert rows(database, "SELECT * FROM bodies") == []


def test_what_is_kept_stays_as_it_is(database):
    keep(database, StoredDocument("a", "first"))
    keep(database, StoredDocument("a", "second"), StoredDocument("b", "first"))
    assert read(database) == {"a": "first", "b": "first"}
    keep(database, StoredDocument("a", "second"), collection="trec:other")
    assert read(database, "trec:other") == {"a": "second"}
    one, two = (row["body_id"] for row in kept(database).values())
    assert one == two  # the same text is stored once


def test_more_documents_than_are_stored_at_once(database, monkeypatch):
    monkeypatch.setattr(texts, "_AT_ONCE", 3)
    some = {f"d{n}": f"text {n % 4}" for n in range(10)}
    assert keep(database, *(StoredDocument(key, text) for key, text in some.items())) == 10
    assert read(database) == some
    assert keep(database) == 0


def test_what_no_database_takes_is_replaced(database):
    keep(database, StoredDocument(ODD, ODD, detail=ODD))
    plain = "a\ufffdb\ufffdc"
    assert read(database) == {plain: plain}
    assert kept(database)[plain]["detail"] == plain
    with database.read() as connection:
        assert texts.read_stored_keys(connection, SMALL) == {plain}


def test_digests_tell_whether_a_text_is_the_same(database):
    some = {"a": "He said.", "b": "", "c": ODD}
    keep(
        database,
        *(StoredDocument(key, text) for key, text in some.items()),
        StoredDocument("d", None),
    )
    with database.read() as connection:
        found = texts.read_stored_digests(connection, SMALL)
    assert found == {key: texts.digest_text(text) for key, text in some.items()} | {"d": ""}
    assert found["a"] != texts.digest_text("He said")


def test_judgements_are_kept_once_and_by_collection(database):
    graded = [("1", "a", 2), ("1", "b", 0), ("2", "a", -1)]
    with database.begin() as connection:
        texts.store_judgements(connection, SMALL, graded)
        texts.store_judgements(connection, SMALL, iter([("1", "a", 0), ("3", "a", 1)]))
        texts.store_judgements(connection, SMALL, [])
    with database.read() as connection:
        assert texts.read_grades(connection, SMALL) == {
            "1": {"a": 2, "b": 0}, "2": {"a": -1}, "3": {"a": 1},
        }  # fmt: skip
        assert texts.read_grades(connection, "trec:other") == {}
        assert texts.read_grades(connection, "") == {}


# --- lists by their words -----------------------------------------------------------------------

PAGE = "https://x.test"
FOUND = {
    "nurse": [
        Hit("One", f"{PAGE}/1", "She said."),
        Hit("Two", f"{PAGE}/2", ""),
        Hit("Once more", f"{PAGE}/1", "He said."),
        Hit("Four", f"{PAGE}/4", "Rain."),
    ],
    "cook": [],
    "judge": [Hit("One", f"{PAGE}/1", "Another question, another snippet.")],
}


@contextmanager
def asked(folder, database, script=(), **changes):
    """(how units are read, the run) of a job that asked a stand-in."""
    questions = [{"key": f"q-{k}", "text": k, "trait": k, "gender_neutral": "yes"} for k in FOUND]
    make_list(folder, items=questions, cue="terms")
    with serve(Marginalia(results=FOUND, script=list(script))) as running:
        use = {"name": "marginalia", "regions": ["us-en"], "pace": 500}
        use |= {"config": {"base_url": running.url}}
        content = {"engines": [use], "measures": [{"name": "ARB"}], "tries": 1} | changes
        audit = load_audit(make_job(folder, **content))
        run = pipeline.start(database, audit, "manual", DUE)
        outside = Outside(folder, 1, Way(contact="a@lab.test", seconds=5))
        pipeline.run(database, audit, run, outside, quiet)
        outside.close()
    [(use, engine)] = audit.engines

    def units(source=None, run_id=run.id):
        with database.begin() as connection:
            of = ListAnswers(
                run_id,
                runs.ensure_engine(connection, engine, use),
                declarations.find_list_id(connection, audit.lists[0]),
                ("en", "us-en"),
                runs.ensure_plugin(connection, "engines", engine.name, engine.version),
            )
            found = texts.read_units(connection, database, of, source or WordSource())
        return {unit.key: unit for unit in found}

    yield units, run


def test_words_of_an_answer_are_titles_and_snippets_in_their_order(database, tmp_path):
    with asked(tmp_path, database) as (units, _):
        found = units()
    assert found["q-nurse"].documents == (
        (
            Document(f"{PAGE}/1", "One\nShe said."),
            Document(f"{PAGE}/2", "Two"),
            Document(f"{PAGE}/1", "Once more\nHe said."),  # measures count it at its first rank
            Document(f"{PAGE}/4", "Four\nRain."),
        ),
    )
    assert found["q-cook"].documents == ((),)  # an answer: nothing was found
    assert found["q-judge"].documents == (
        (Document(f"{PAGE}/1", "One\nAnother question, another snippet."),),
    )
    assert {unit.query for unit in found.values()} == set(FOUND)
    assert found["q-cook"].tags["gender_neutral"] == "yes"
    assert {unit.judgements for unit in found.values()} == {None}


def test_every_repeat_is_a_list_of_its_own(database, tmp_path):
    with asked(tmp_path, database, repeats=2) as (units, _):
        found = units()
    assert len(found["q-nurse"].documents) == 2
    assert found["q-nurse"].documents[0] == found["q-nurse"].documents[1]
    assert found["q-cook"].documents == ((), ())


def test_what_did_not_come_is_no_list(database, tmp_path):
    lost = [faults.status(500, {"message": "no"})] * 2
    with asked(tmp_path, database, lost, repeats=2) as (units, _):
        found = units()
    every = [one for unit in found.values() for one in unit.documents]
    assert len(every) == 6
    assert every.count(None) == 2
    assert sum(one == () for one in every) <= 2


def test_texts_of_a_collection_take_the_place_of_snippets(database, tmp_path):
    source = WordSource("landing:7", of_answer=False)
    keep(
        database,
        StoredDocument(f"{PAGE}/1", "The whole page."),
        StoredDocument(f"{PAGE}/2", ""),
        StoredDocument(f"{PAGE}/4", None, Outcome.BLOCKED),
        collection="landing:7",
    )
    with asked(tmp_path, database) as (units, _):
        found = units(source)["q-nurse"].documents
        unknown = units(WordSource("landing:8", of_answer=False))["q-nurse"].documents
    assert [one.text for one in found[0]] == ["The whole page.", "", "The whole page.", None]
    assert [one.text for one in unknown[0]] == [None] * 4
    assert [one.key for one in found[0]] == [f"{PAGE}/{n}" for n in (1, 2, 1, 4)]


def test_judgements_belong_to_the_questions_of_their_collection(database, tmp_path):
    with database.begin() as connection:
        texts.store_judgements(connection, SMALL, [("q-nurse", f"{PAGE}/1", 1)])
    with asked(tmp_path, database) as (units, _):
        found = units(WordSource(SMALL, of_answer=False))
        plain = units(WordSource("trec:other", of_answer=False))
    assert {key: unit.judgements for key, unit in found.items()} == {
        "q-nurse": {f"{PAGE}/1": 1}, "q-cook": {}, "q-judge": {},
    }  # fmt: skip
    assert {unit.judgements for unit in plain.values()} == {None}


@pytest.mark.parametrize(("most", "expected"), [(1, [1]), (2, [1, 2]), (9, [1, 2, 4]), (0, [])])
def test_addresses_of_the_first_ranks_each_once(database, tmp_path, most, expected):
    with asked(tmp_path, database) as (_, run), database.read() as connection:
        found = texts.list_addresses(connection, run.id, most)
        assert texts.list_addresses(connection, run.id + 1, most) == []
    assert found == [f"{PAGE}/{n}" for n in expected]


def test_ranked_lists_of_final_answers(database, tmp_path):
    with asked(tmp_path, database) as (_, run), database.read() as connection:
        found = texts.read_ranked_results(connection, run.id)
    shown = [(row.item_key, row.rank, row.document) for row in found]
    assert shown == [
        ("q-judge", 1, f"{PAGE}/1"),
        *(("q-nurse", rank, f"{PAGE}/{n}") for rank, n in enumerate((1, 2, 1, 4), start=1)),
    ]
    assert {(row.list, row.target) for row in found} == {("mini@1", "us-en")}


def test_a_result_has_the_page_of_its_address_whatever_it_is_about():
    about = Item(1, "snippet", Block.ORGANIC, f"{PAGE}/1", "title", "Q7259")
    source = WordSource("landing:1", of_answer=False)
    assert texts._find_document(about, source, {f"{PAGE}/1": "page"}) == Document("Q7259", "page")
    assert texts._find_document(about, source, {"Q7259": None, f"{PAGE}/1": "page"}).text is None
    assert texts._find_document(about, source, {}).text is None
