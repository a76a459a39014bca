"""A TREC run as an engine: requests by topic, lines as evidence, and what a run cannot say."""

import gzip
from dataclasses import replace

import pytest

from monitor import registry
from monitor.engines.files.trec_run import TopicRequest
from monitor.fetch.trec_run import RunFile, RunsFetcher
from monitor.model import Answer, InvalidInput, Item, Outcome, Pause, Reason, SavedRequest
from monitor.trec import Note
from tests.cases import check_each
from tests.engines.searching import probes
from tests.factories import DUE

ENGINE = registry.engine("trec_run")
CONFIG = {"file": "runs/x.run", "system": "bm25", "collection": "robust04"}
LINES = b"301 Q0 a 1 2.5 bm25\n301  Q0 b 2 2.5 bm25\n"
RUN = LINES + b"302 Q0 Q42 1 1 bm25\n"


def probe(topic, text="crime"):
    [found] = probes([text])
    named = [("topic", topic)] if topic else []
    return replace(found, parameters=tuple(sorted((*found.parameters, *named))))


def read(body, topic="301", n=1):
    return ENGINE.parse(Answer(Outcome.OK, DUE, 0.0, body=body), [probe(topic)] * n)


@pytest.fixture(params=[bytes, gzip.compress], ids=["plain", "gzip"])
def run_file(request, tmp_path):
    path = tmp_path / "x.run"
    path.write_bytes(request.param(RUN))
    with RunFile(path) as found:
        yield found


def test_a_config_names_file_system_and_collection():
    assert ENGINE.check("en", "us-en", CONFIG) == ""
    for name in CONFIG:
        rest = {key: value for key, value in CONFIG.items() if key != name}
        assert f"needs {name!r}" in ENGINE.check("en", "us-en", rest)


def test_topics_with_the_same_words_are_different_questions():
    one, other = (ENGINE.request([probe(topic)], CONFIG) for topic in ("301", "302"))
    assert one == TopicRequest("runs/x.run", "bm25", "", ("crime",), "301")
    assert one != other
    assert probe("301").key != probe("302").key


def test_the_lines_of_a_topic_are_its_answer(run_file):
    fetcher = RunsFetcher({"bm25": run_file}, DUE)
    requests = [ENGINE.request([probe(topic)], CONFIG) for topic in ("302", "301", "303")]
    answers = dict(fetcher.fetch([requests[0], Pause(0.0), *requests[1:]]))
    assert [answers[n].body for n in range(3)] == [b"302 Q0 Q42 1 1 bm25\n", LINES, b""]
    assert {answer.asked_at for answer in answers.values()} == {DUE}
    assert dict(answers[0].agent)["file"] == "x.run"
    assert len(dict(answers[0].agent)["sha256"]) == 64
    [found] = ENGINE.parse(answers[1], [probe("301")])
    assert found.items == (
        Item(1, "", "organic", entity="a"),
        Item(2, "", "organic", entity="b"),
    )
    assert found.detail == "tied_scores"
    [missing] = ENGINE.parse(answers[2], [probe("303")])
    assert (missing.outcome, missing.reason) == (Outcome.FAILED, Reason.UNRECORDED)
    assert missing.items == ()
    assert "'303'" in missing.detail


def test_what_a_run_holds(run_file):
    assert (run_file.tag, run_file.lines, run_file.topics) == ("bm25", 3, ("301", "302"))
    assert run_file.notes[Note.TIED_SCORES] == 1
    assert run_file.notes[Note.UNSORTED] == 0


def test_systems_are_told_apart_by_their_names(run_file, tmp_path):
    path = tmp_path / "ql.run"
    path.write_bytes(b"301 Q0 z 1 1 ql\n")
    with RunFile(path) as other:
        fetcher = RunsFetcher({"bm25": run_file, "ql": other}, DUE)
        requests = [ENGINE.request([probe("301")], CONFIG | {"system": s}) for s in ("ql", "bm25")]
        bodies = [answer.body for _, answer in fetcher.fetch(requests)]
    assert bodies == [b"301 Q0 z 1 1 ql\n", LINES]


def test_a_run_of_two_systems_is_refused(tmp_path):
    path = tmp_path / "x.run"
    path.write_bytes(RUN + b"303 Q0 a 1 1 other\n")
    with pytest.raises(InvalidInput, match="query '303' has tag 'other', others have 'bm25'"):
        RunFile(path)


def test_what_is_asked_of_another_system_is_a_mistake_of_ours(run_file):
    fetcher = RunsFetcher({"ql": run_file}, DUE)
    for request in (ENGINE.request([probe("301")], CONFIG), SavedRequest("f", "t", "r")):
        with pytest.raises(TypeError, match="not a request for a run of ql"):
            list(fetcher.fetch([request]))


@check_each(
    ("body", "topic", "words"),
    [
        (LINES, "302", "lines of query '301', asked was '302'"),
        (LINES, "", "asked was ''"),
        (LINES + b"301 Q0 a 3 1 bm25\n", "301", "stands in line 1 already"),
        (b"301 Q0 a 1 nan bm25\n", "301", "no finite number"),
        (RUN, "301", "2 queries"),
        (b"\xff\xfe", "301", "columns"),
    ],
)
def test_other_lines_are_no_ranking(body, topic, words):
    [found] = read(body, topic)
    assert (found.outcome, found.items) == (Outcome.UNREADABLE, ())
    assert words in found.detail


def test_one_answer_is_of_one_topic():
    assert [one.outcome for one in read(LINES, n=2)] == [Outcome.UNREADABLE] * 2
