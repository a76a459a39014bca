"""Precision and recall on labelled texts: counts done by hand, nothing from nothing."""

import json
import logging
import sys

import pytest

from monitor import cli, registry
from monitor.model import GenderClass, InvalidInput
from monitor.stats.intervals import wilson
from monitor.studies.labelled import score_labelled_texts

HEADER = ("language", "translation", "gold")
ROWS = [
    ("xx", "m right", "M"),
    ("xx", "m right too", "m"),
    ("xx", "f swapped", "M"),
    ("xx", "f right", "F"),
    ("xx", "o missed", "F"),
    ("xx", "x contradicts itself", "F"),
    ("xx", "o right", "N"),
    ("xx", "m somebody else", "N"),
    ("tlh", "m", "M"),
]


@pytest.fixture
def file(tmp_path, write):
    return write(tmp_path / "labelled.csv", HEADER, ROWS)


def test_counts_and_shares(file, plain):
    found = score_labelled_texts(file, "gold", plain)
    [one] = found.scores
    assert one.language == "xx"
    assert found.pooled.confusion == one.confusion
    assert (one.precision().hits, one.precision().of) == (3, 5)
    assert (one.recall().hits, one.recall().of) == (3, 6)
    assert (one.precision(("M",)).hits, one.precision(("M",)).of) == (2, 3)
    assert (one.recall(("F",)).hits, one.recall(("F",)).of) == (1, 3)
    assert one.swapped == 1
    assert (one.false_positives.hits, one.false_positives.of) == (1, 2)
    assert one.precision().limits == pytest.approx(tuple(wilson(3, 5)))
    assert one.classes[GenderClass.MIXED] == 1
    assert found.left_out == {"tlh": 1}


def test_every_error_is_listed_with_its_row_and_rule(file, plain):
    found = [
        (e.line, e.gold, e.found, e.rule) for e in score_labelled_texts(file, "gold", plain).errors
    ]
    assert found == [
        (3, "M", "feminine", "first_letter"),
        (5, "F", "none", ""),
        (6, "F", "mixed", ""),
        (8, "N", "masculine", "first_letter"),
    ]


def test_a_share_of_nothing_has_no_value(tmp_path, write, plain):
    path = write(tmp_path / "l.csv", HEADER, [("xx", "o", "N")])
    one = score_labelled_texts(path, "gold", plain).pooled
    assert (one.precision().value, one.precision().limits) == (None, None)
    assert one.recall().value is None
    assert one.false_positives.value == 0.0


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("xx", "a", "male")], "row 1: gold is 'male'; it must be M, F or N"),
        ([], "no labelled texts"),
    ],
)
def test_labels_that_cannot_be_used(tmp_path, write, plain, rows, words):
    with pytest.raises(InvalidInput, match=words):
        score_labelled_texts(write(tmp_path / "l.csv", HEADER, rows), "gold", plain)


def test_the_column_has_to_be_there(file, plain):
    with pytest.raises(InvalidInput, match="no column 'label'; it has language, translation, gold"):
        score_labelled_texts(file, "label", plain)


@pytest.fixture
def run(file, plain, monkeypatch, capsys):
    monkeypatch.setattr(registry, "language", plain)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level

    def command(*arguments):
        words = ["monitor", "study", "languages", "--labelled", str(file), *arguments]
        monkeypatch.setattr(sys, "argv", words)
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        captured = capsys.readouterr()
        return stopped.value.code or 0, captured.out, captured.err

    yield command
    root.handlers[:] = handlers
    root.setLevel(level)


def test_the_command_prints_shares_confusions_and_errors(run):
    code, out, _ = run()
    assert code == 0
    assert "0.600 [0.231, 0.882] 3/5" in out
    assert "xx row 3: M, found feminine (first_letter): f swapped" in out
    assert "xx row 5: F, found none (no rule): o missed" in out
    assert "tlh: 1 text left out" in out


def test_the_command_prints_json(run):
    found = json.loads(run("--json")[1])
    assert found["pooled"]["precision"]["hits"] == 3
    assert found["pooled"]["confusion"]["M > F"] == 1
    assert found["languages"]["xx"]["texts"] == 8
    assert len(found["errors"]) == 4
    assert found["left_out"] == {"tlh": 1}
