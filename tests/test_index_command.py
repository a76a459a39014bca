"""`monitor index`: builds, lists, refuses, and prepares indexes."""

import json

import numpy as np
import pytest

from monitor.rankers.index import find_index
from tests.command import program
from tests.rankers.small import TEXTS, Toy, keys


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    """The program in a folder with a collection."""
    rows = [json.dumps({"id": key, "text": text}) for key, text in TEXTS.items()]
    (tmp_path / "news.jsonl").write_text("\n".join(rows), encoding="utf-8")
    with program(tmp_path, monkeypatch, capsys) as run:
        yield run


def everything(folder):
    return sorted(path.name for path in folder.iterdir())


def test_an_index_is_built_and_listed(monitor, tmp_path):
    code, out, err = monitor("index", "news.jsonl", "--name", "news", "--swapped")
    assert code == 0
    shown = out.split()
    for word in ("news", "6", "1", "yes"):
        assert word in shown
    assert "1 document holds no word: in no list" in err
    assert 'config = { index = "news", counterfactual = true }' in err
    built = find_index("news", tmp_path)
    assert built.documents == 6
    assert built.counterfactual.title_and_text(0) == ("", "The nurse said that he was tired.")
    assert everything(tmp_path / "indexes") == ["news"]
    code, listed, _ = monitor("index", "--list")
    assert code == 0
    assert "news" in listed
    assert "seconds" not in listed


def test_an_index_is_not_replaced_unless_told_to(monitor, tmp_path):
    assert monitor("index", "news.jsonl", "--name", "news")[0] == 0
    before = find_index("news", tmp_path).meta
    code, _, err = monitor("index", "news.jsonl", "--name", "news", "--stopwords")
    assert code == 2
    assert "is there already; --force builds it anew" in err
    assert find_index("news", tmp_path).meta == before
    assert monitor("index", "news.jsonl", "--name", "news", "--stopwords", "--force")[0] == 0
    after = find_index("news", tmp_path)
    assert after.words.number("the") == -1
    assert after.words.number("she") >= 0  # what is measured is no stop word
    assert everything(tmp_path / "indexes") == ["news"]


def test_a_failed_build_leaves_the_index_of_before(monitor, tmp_path):
    assert monitor("index", "news.jsonl", "--name", "news")[0] == 0
    before = find_index("news", tmp_path).meta
    (tmp_path / "bad.jsonl").write_text('{"id": "a", "text": "x"}\n{"id": "a"', encoding="utf-8")
    code, _, err = monitor("index", "bad.jsonl", "--name", "news", "--force")
    assert code == 2
    assert "bad.jsonl:2: not JSON" in err
    assert find_index("news", tmp_path).meta == before
    assert everything(tmp_path / "indexes") == ["news"]


def test_what_is_no_index_is_never_replaced(monitor, tmp_path):
    other = tmp_path / "indexes" / "news"
    other.mkdir(parents=True)
    (other / "diary.txt").write_text("dear", encoding="utf-8")
    code, _, err = monitor("index", "news.jsonl", "--name", "news", "--force")
    assert code == 2
    assert "is no index, so it is not replaced" in err
    assert (other / "diary.txt").read_text(encoding="utf-8") == "dear"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 2, "say what to index and its name"),
        (("news.jsonl",), 2, "say what to index and its name"),
        (("--name", "news"), 2, "say what to index and its name"),
        (("news.jsonl", "--name", "../news"), 2, "no name of an index"),
        (("olds.jsonl", "--name", "news"), 2, "no such file or folder"),
        (("news.jsonl", "--name", "news", "--format", "csv"), 2, "no column 'id'"),
        (("news.jsonl", "--name", "news", "--vectors", "none"), 2, "'none' are not installed"),
    ],
)
def test_what_cannot_be_done_is_said(monitor, tmp_path, arguments, code, words):
    found, _, err = monitor("index", *arguments)
    assert found == code
    assert words in err
    assert not list(tmp_path.glob("indexes/*"))


def test_no_index_is_said(monitor):
    code, out, err = monitor("index", "--list")
    assert (code, out) == (0, "")
    assert "no index in indexes" in err


def test_an_index_is_prepared_for_vectors(monitor, tmp_path, monkeypatch):
    vectors = Toy({"nurse": [1.0, 0.0], "she": [0.0, 1.0], "he": [0.0, -1.0]})
    monkeypatch.setattr("monitor.lexicons.installed.find_vectors", lambda _name, _home: vectors)
    assert monitor("index", "news.jsonl", "--name", "news", "--swapped")[0] == 0
    code, _, err = monitor("index", "--name", "news", "--vectors", "toy")
    assert code == 0
    assert "w2v_add toy news" in err
    assert "w2v_si toy swapped" in err
    for folder in (tmp_path / "indexes/news/derived", tmp_path / "indexes/news/swapped/derived"):
        assert len(list(folder.glob("w2v_*.npy"))) == 2
    code, _, err = monitor("index", "--name", "olds", "--vectors", "toy")
    assert code == 3
    assert "no index" in err


def test_a_folder_of_texts(monitor, tmp_path):
    (tmp_path / "texts" / "x").mkdir(parents=True)
    (tmp_path / "texts" / "x" / "one.txt").write_text("Rain in Vienna", encoding="utf-8")
    assert monitor("index", "texts", "--name", "texts")[0] == 0
    built = find_index("texts", tmp_path)
    ranked = _all(built)
    assert keys(built, ranked) == ["x/one"]


def _all(built):
    from monitor.rankers.formulas import Bm25

    found = Bm25().rank(built, ["rain"], 5)
    assert np.isfinite(found.scores).all()
    return found
