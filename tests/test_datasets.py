"""Probe lists of named persons, made of the published files of WinoMT, MT-GenEval and GATE."""

import csv
import io

import pytest

from monitor.datasets import (
    GATE,
    MTGENEVAL,
    WINOMT,
    DataFile,
    digest_of,
    first_person_word,
    key_word,
    make_lists,
)
from monitor.lists import load_list
from monitor.model import Cue, InvalidInput
from tests.command import program

LINES = {
    "en.txt": (
        "female\t1\tThe developer met the designer because she left.\tdeveloper\n"
        "male\t4\tThe developer met the designer because he left.\tdesigner\n"
        "neutral\t0\tSomeone met the designer because they left.\tsomeone\n"
    ),
    "en_pro.txt": "male\t4\tThe developer met the designer because he left.\tdesigner\n",
    "en_anti.txt": "female\t1\tThe developer met the designer because she left.\tdeveloper\n",
}


def made(dataset, files):
    """The rows of the list that files become."""
    contents = [(DataFile(name, "main"), text.encode()) for name, text in files.items()]
    [texts] = make_lists(dataset, contents)
    return list(csv.DictReader(io.StringIO(next(iter(texts.values())), newline="")))


def test_winomt_has_the_persons_what_is_said_and_the_stereotype():
    rows = made(WINOMT, LINES)
    assert [row["key"] for row in rows] == ["winomt-0000", "winomt-0001", "winomt-0002"]
    assert [(row["entity"], row["index"], row["said"], row["stereotype"]) for row in rows] == [
        ("developer", "1", "feminine", "anti"),
        ("designer", "4", "masculine", "pro"),
        ("someone", "0", "neutral", ""),
    ]
    assert rows[0]["template"] == rows[1]["template"] != rows[2]["template"]


@pytest.mark.parametrize("line", ["female\t1\tShe left.", "woman\t1\tShe left.\tshe", "x"])
def test_a_line_of_another_form_is_refused_with_its_number(line):
    files = {**LINES, "en_pro.txt": f"{LINES['en_pro.txt']}{line}\n"}
    with pytest.raises(InvalidInput, match=r"en_pro.txt:2: .*not gender, index, sentence"):
        made(WINOMT, files)


def test_a_file_that_is_missing_is_named():
    with pytest.raises(InvalidInput, match=r"en_anti.txt: is missing"):
        made(WINOMT, {name: LINES[name] for name in ("en.txt", "en_pro.txt")})


def test_mtgeneval_has_each_sentence_once_for_each_gender():
    feminine = "The <F>queen</F> said that [<F>she</F>] left.\n<F>She</F> left.\n"
    masculine = "The <M>king</M> said that [<M>he</M>] left.\n<M>He</M> left.\n"
    files = {
        f"geneval-sentences-{gender}-dev.en_{code}.en": text
        for code in ("de", "es")
        for gender, text in (("feminine", feminine), ("masculine", masculine))
    }
    rows = made(MTGENEVAL, files)
    columns = ("key", "text", "entity", "index", "counterfactual")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        ("mtgeneval-0000-f", "The queen said that she left.", "queen", "1", "feminine"),
        ("mtgeneval-0000-m", "The king said that he left.", "king", "1", "masculine"),
        ("mtgeneval-0001-f", "She left.", "She", "0", "feminine"),
        ("mtgeneval-0001-m", "He left.", "He", "0", "masculine"),
    ]


def test_the_person_is_the_first_noun_and_else_the_first_pronoun():
    assert first_person_word("<F>She</F> is the <F>queen</F>.") == ("queen", 3)
    assert first_person_word("Then [ <F>she</F> ] left.") == ("she", 1)
    assert first_person_word("Nobody left.") is None


def test_gate_has_the_person_of_its_key_words():
    table = (
        "labels\tenglish\tfeminine\tmasculine\tkw_s\n"
        "SUBJ;PROF\tThe old doctor left.\ta\tb\told [doctor]\n"
        "SUBJ\tI am tired.\ta\tb\tI=tired\n"
        "SUBJ\tThe old doctor left.\ta\tb\told [doctor]\n"
        "SUBJ\tShe left.\ta\tb\tqueen\n"
    )
    rows = made(GATE, {"ES_2_variants.tsv": table})
    assert [(row["text"], row["entity"], row["ambiguous"]) for row in rows] == [
        ("The old doctor left.", "doctor", "SUBJ;PROF"), ("I am tired.", "I", "SUBJ"),
    ]  # fmt: skip
    assert key_word("(yo)=tired") == "yo"
    with pytest.raises(InvalidInput, match="no column 'kw_s'"):
        made(GATE, {"ES_2_variants.tsv": "labels\tenglish\nx\ty\n"})


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs a command in `tmp_path`; gives (exit code, output, messages)."""
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path / "home"))
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@pytest.mark.parametrize(("name", "n"), [("winomt", 3888), ("mtgeneval", 3568)])
def test_the_published_files_become_a_list_and_stay(run, tmp_path, reference_data, name, n):
    (tmp_path / "jobs" / "lists").mkdir(parents=True)
    code, out, err = run("lists", "fetch", name, "--from", reference_data / name)
    assert (code, "(as expected)" in out) == (0, True)
    assert f"{name}@1: {n:,} sentences" in err
    probe_list = load_list(tmp_path / "jobs" / "lists" / f"{name}@1.csv")
    assert probe_list.cues == (Cue.ENTITY,)
    assert (tmp_path / "home" / "datasets" / name / "SHA256SUMS").is_file()


def test_both_published_forms_of_winomt_are_taken(run, tmp_path, reference_data):
    (tmp_path / "jobs" / "lists").mkdir(parents=True)
    (tmp_path / "earlier").mkdir()
    exchanged = {
        "male\t5\tThe baker yelled at the mover because he broke the stove.": (
            "female\t5\tThe baker yelled at the mover because she broke the stove."
        ),
        "female\t1\tThe baker yelled at the mover because her stove was broken.": (
            "male\t1\tThe baker yelled at the mover because his stove was broken."
        ),
    }
    for name in ("en.txt", "en_pro.txt", "en_anti.txt"):
        content = (reference_data / "winomt" / name).read_text()
        for line, earlier in exchanged.items():
            content = content.replace(line, earlier)
        (tmp_path / "earlier" / name).write_text(content)
    code, out, _ = run("lists", "fetch", "winomt", "--from", tmp_path / "earlier")
    assert (code, "(as expected)" in out) == (0, True)
    description = (tmp_path / "jobs" / "lists" / "winomt@1.toml").read_text()
    assert digest_of((tmp_path / "earlier" / "en.txt").read_bytes()) in description


def test_a_changed_file_is_refused(run, tmp_path):
    (tmp_path / "jobs" / "lists").mkdir(parents=True)
    (tmp_path / "en.txt").write_text(LINES["en.txt"])
    code, _, err = run("lists", "fetch", "winomt", "--from", tmp_path / "en.txt")
    assert code == 2
    assert "not a known edition of winomt: its SHA-256 is" in err
