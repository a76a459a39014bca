"""The engine `local`: what is asked, what the back end answers, what is read out of it, a run."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from monitor import pipeline, registry
from monitor.fetch import Outside
from monitor.fetch.backends import ranker as backend
from monitor.fetch.http import Way
from monitor.fetch.local import LocalFetcher
from monitor.jobs import EngineUse, load_audit
from monitor.lexicons import installed
from monitor.model import (
    Answer,
    InvalidInput,
    LocalRequest,
    MissingPart,
    Outcome,
    Reason,
    RunState,
    Services,
)
from monitor.pipeline import RunContext
from monitor.rankers.choice import NAMES
from monitor.rankers.formulas import TfIdf, Unranked
from monitor.rankers.index import Index
from tests.cases import check_each
from tests.engines.searching import anything, asked, probes
from tests.factories import DUE, make_job, make_list, quiet, rows
from tests.rankers.small import TEXTS, drawn_vectors, index_of

ENGINE = registry.engine("local")
QUESTIONS = ("nurse", "the doctor", "zebra", "")


def swapped(text):
    return text.replace("she", "he").replace("nurse", "carer")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with an index, its swapped documents, and vectors."""
    index_of(tmp_path / "indexes" / "small", TEXTS, swap=swapped)
    index_of(tmp_path / "indexes" / "plain", TEXTS)
    vectors = drawn_vectors("nurse doctor she he the carer rain".split())

    def find(name, _home):
        if name != "glove-hard":
            raise InvalidInput(f"vectors {name!r} are not installed")
        return vectors

    monkeypatch.setattr(backend, "find_vectors", find)
    return tmp_path


def lists(home, model, texts=QUESTIONS, **options):
    """(the back end's lists, what answers)."""
    run, identity = backend.load(model, home / "models")
    found = json.loads(json.dumps(run(texts, {"depth": "20", **options})))
    return found, dict(identity)


def answer(content):
    return Answer(Outcome.OK, DUE, 0.1, body=json.dumps(content).encode())


def read(content, n=None):
    found = ENGINE.parse(answer(content), probes([f"q{i}" for i in range(n or len(QUESTIONS))]))
    return found if n is None else found[0]


# --- asking -------------------------------------------------------------------------------------


def test_a_request_names_ranker_and_index_and_the_numbers_that_count():
    assert asked(ENGINE, index="small") == LocalRequest(
        "ranker",
        "bm25@small",
        ("list of chess players",),
        (("b", "0.75"), ("depth", "20"), ("k1", "1.2")),
    )
    config = {"ranker": "w2v_si", "vectors": "glove-hard", "counterfactual": True, "depth": 5}
    request = asked(ENGINE, index="small", **config)
    assert request.model == "w2v_si:glove-hard@small+swapped"
    assert request.options == (("depth", "5"),)
    assert asked(ENGINE, index="small", ranker="query_likelihood", mu=7).options == (
        ("depth", "20"),
        ("mu", "7"),
    )


@check_each(
    ("config", "words"),
    [
        ({}, "needs 'index'"),
        ({"index": "../x"}, "no name of an index"),
        ({"index": "a", "ranker": "bm26"}, "one of bm25, query_likelihood"),
        ({"index": "a", "ranker": "w2v_add"}, "needs vectors"),
        ({"index": "a", "vectors": "glove"}, "takes no vectors"),
        ({"index": "a", "ranker": "w2v_add", "vectors": "a b"}, "no name of vectors"),
        ({"index": "a", "mu": 10.0}, "mu is not for ranker = 'bm25'"),
        ({"index": "a", "ranker": "tf_idf", "k1": 1.0}, "k1 is not for ranker = 'tf_idf'"),
        ({"index": "a", "b": 1.5}, "at least 0 at most 1"),
        ({"index": "a", "depth": 0}, "at least 1"),
    ],
)
def test_what_a_config_cannot_be(config, words):
    assert words in ENGINE.check("en", "us-en", config)


@check_each("name", NAMES)
def test_every_ranker_can_be_asked(name):
    config = {"index": "small", "ranker": name}
    config |= {"vectors": "glove"} if name.startswith("w2v") else {}
    assert ENGINE.check("en", "us-en", config) == ""


def test_the_label_names_the_ranker_and_what_is_not_default():
    use = EngineUse(name="local", regions=["us-en"], config={"index": "news", "k1": 0.9})
    assert use.label(ENGINE) == "local:bm25(index=news,k1=0.9)"


# --- the back end -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_lists_of_every_ranker(name, home):
    vectors = ":glove-hard" if name.startswith("w2v") else ""
    found, identity = lists(home, f"{name}{vectors}@small+swapped")
    assert found["index"] == "small"
    assert len(found["lists"]) == len(QUESTIONS)
    first = found["lists"][0]["organic"]
    # nurse stands in four documents, and only vectors list those that share no word
    assert {row["id"] for row in first["documents"]} == set(
        "abcef" if name.startswith("w2v") else "abef"
    )
    assert all(row["text"] == TEXTS[row["id"]] for row in first["documents"])
    scores = [row["score"] for row in first["documents"]]
    assert scores == sorted(scores, reverse=True)
    for question in (2, 3):
        assert found["lists"][question]["organic"]["documents"] == []
        assert found["lists"][question]["organic"]["reason"]
    assert identity["ranker"] == name
    assert len(identity["sha256:index"]) == len(identity["sha256:counterfactual"]) == 64
    assert identity["sha256:index"] != identity["sha256:counterfactual"]
    assert ("sha256:vectors" in identity) == bool(vectors)


def test_the_counterfactual_list_is_of_the_swapped_documents(home):
    found, _ = lists(home, "bm25@small+swapped", ("she", "nurse"))
    she, nurse = found["lists"]
    assert she["counterfactual"]["documents"] == []
    assert nurse["organic"]["documents"]
    assert nurse["counterfactual"]["reason"] == "no word of the question stands in the collection"
    he, _ = lists(home, "bm25@small+swapped", ("he",))
    texts = {row["text"] for row in he["lists"][0]["counterfactual"]["documents"]}
    assert "The carer said that he was tired." in texts
    assert "counterfactual" not in lists(home, "bm25@small", ("he",))[0]["lists"][0]


def test_numbers_and_depth_reach_the_ranker(home):
    def scores(**options):
        found, _ = lists(home, "bm25@small", ("nurse",), **options)
        return [row["score"] for row in found["lists"][0]["organic"]["documents"]]

    assert len(set(scores())) == 3
    assert len(set(scores(b="0"))) == 1
    assert scores(depth="2") == scores()[:2]


def test_long_texts_are_cut(home):
    index_of(home / "indexes" / "long", {"a": "word " * 250_000})
    found, _ = lists(home, "tf_idf@long", ("word",))
    assert found["lists"][0]["organic"]["reason"].startswith("every word")
    found, _ = lists(home, "bm25@long", ("word",))
    assert len(found["lists"][0]["organic"]["documents"][0]["text"]) == backend.MOST_TEXT


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("bm25@nothing", "monitor index SOURCE --name nothing"),
        ("bm25@plain+swapped", "--name plain --swapped --force"),
        ("w2v_add:other@plain", "vectors 'other' are not installed"),
    ],
)
def test_what_is_missing_is_named_with_its_remedy(home, model, words):
    with pytest.raises(MissingPart, match=words):
        backend.check(model, home / "models")


def test_installed_vectors_are_found():
    assert backend.find_vectors is installed.find_vectors


# --- reading ------------------------------------------------------------------------------------


def test_a_list_is_read_in_its_order(home):
    found, _ = lists(home, "bm25@small+swapped")
    nurse, doctor, zebra, empty = read(found)
    assert (nurse.outcome, doctor.outcome) == (Outcome.OK, Outcome.OK)
    assert [(item.rank, item.url, item.entity) for item in nurse.items] == [
        (1, "index:small/e", ""),
        (2, "index:small/a", ""),
        (3, "index:small/f", ""),
        (4, "index:small/b", ""),
    ]
    assert {item.block for item in nurse.items} == {"organic"}
    assert nurse.detail.startswith("counterfactual: no word of the question")
    blocks = [(item.block, item.rank) for item in doctor.items]
    assert blocks == [
        (block, rank) for block in ("organic", "counterfactual") for rank in range(1, 5)
    ]
    assert zebra.outcome is Outcome.EMPTY
    assert "organic: no word of the question stands in the collection" in zebra.detail
    assert empty.outcome is Outcome.EMPTY
    assert "organic: the question has no word" in empty.detail


GOOD = {"id": "a", "score": 1.0, "title": "", "text": "She."}


def one(*documents, reason="", **more):
    entry = {"organic": {"documents": list(documents), "reason": reason}, **more}
    return {"index": "small", "lists": [entry]}


@check_each(
    "content",
    [
        one(),
        one(GOOD, reason="none"),
        one(GOOD, GOOD),
        one({**GOOD, "score": float("nan")}),
        one({**GOOD, "score": None}),
        one({**GOOD, "id": ""}),
        one({**GOOD, "id": 7}),
        one({**GOOD, "text": " ", "title": ""}),
        one({**GOOD, "text": None}),
        one(GOOD, "x"),
        one(GOOD, counterfactual=None),
        one(GOOD, counterfactual={"documents": [], "reason": ""}),
        one(GOOD) | {"index": None},
        one(GOOD) | {"lists": {}},
        {"index": "small", "lists": [{}]},
        {"index": "small", "lists": [[]]},
    ],
)
def test_what_is_no_list_is_unreadable(content):
    reading = read(content, 1)
    assert reading.outcome is Outcome.UNREADABLE
    assert reading.items == ()
    assert reading.detail


def test_a_good_list_is_read():
    assert read(one(GOOD), 1).outcome is Outcome.OK
    assert read(one(GOOD), 2).reason is Reason.SHORT


@settings(max_examples=100, deadline=None)
@given(inner=anything)
def test_any_json_is_read(inner):
    for content in (
        {"index": "small", "lists": inner},
        {"index": "small", "lists": [inner]},
        {"index": "small", "lists": [{"organic": inner}]},
        one(inner),
        one(GOOD, counterfactual=inner),
    ):
        reading = read(content, 1)
        assert (reading.outcome is Outcome.OK) == bool(reading.items)
        assert reading.outcome in (Outcome.OK, Outcome.UNREADABLE)


# --- in the pool of processes, and in a run -------------------------------------------------------


def test_requests_are_answered_by_the_pool(tmp_path):
    index_of(tmp_path / "indexes" / "small", TEXTS, swap=swapped)
    fetcher = LocalFetcher(tmp_path / "models", processes=1)
    requests = [asked(ENGINE, text, index="small", counterfactual=True) for text in QUESTIONS]
    requests.append(replace(requests[0], model="bm25@nothing"))
    try:
        answers = dict(fetcher.fetch(requests))
    finally:
        fetcher.close()
    readings = [ENGINE.parse(answers[n], probes(["q"]))[0] for n in range(len(QUESTIONS))]
    assert [one.outcome for one in readings] == ["ok", "ok", "empty", "empty"]
    assert dict(answers[0].agent)["model"] == "bm25@small+swapped"
    assert answers[4].outcome is Outcome.FAILED
    assert "monitor index SOURCE" in answers[4].detail


def test_a_run_keeps_both_lists(database, tmp_path):
    index_of(tmp_path / "indexes" / "small", TEXTS, swap=swapped)
    words = {"nurses": "nurse", "doctors": "doctor", "zebras": "zebra"}
    items = [
        {"key": key, "text": f"list of {text}", "occupation": text} for key, text in words.items()
    ]
    make_list(tmp_path, items=items, cue="people")
    use = {
        "name": "local",
        "regions": ["us-en"],
        "config": {"index": "small", "ranker": "tf_idf", "counterfactual": True},
    }
    measure = {"name": "c_ratio_bias", "block": "organic", "references": ["parity"]}
    audit = load_audit(make_job(tmp_path, engines=[use], measures=[measure]))
    run = pipeline.start(database, audit, "scheduled", DUE)
    nowhere = Services("http://127.0.0.1:9/w/api.php", "http://127.0.0.1:9/sparql")
    outside = Outside(tmp_path / "models", 1, Way(contact="audit@lab.test", seconds=5))
    try:
        done = pipeline.run(
            database, audit, run, outside, quiet, around=RunContext(services=nowhere)
        )
    finally:
        outside.close()
    assert done.state is RunState.DONE
    found = rows(
        database,
        "SELECT i.block, i.url, i.text FROM items i JOIN readings r ON r.id = i.reading_id"
        " JOIN attempts a ON a.id = r.attempt_id JOIN probes p ON p.id = a.probe_id"
        " ORDER BY p.text, i.rank",
    )
    index = Index(tmp_path / "indexes" / "small")
    for block, over in (("organic", index), ("counterfactual", index.counterfactual)):
        shown = [(row["url"], row["text"]) for row in found if row["block"] == block]
        assert shown == [
            (f"index:small/{over.key(number)}", over.title_and_text(number)[1])
            for word in sorted(words.values())  # answers come in any order
            if not isinstance(ranked := TfIdf().rank(over, ["list", "of", word], 20), Unranked)
            for number in ranked.documents.tolist()
        ]
        assert len(shown) == (6 if block == "organic" else 2)
    assert rows(database, "SELECT * FROM item_entities") == []
