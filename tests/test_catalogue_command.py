"""What is known by name is listed, and one of it is shown: languages, measures, lists ..."""

import json

import pytest

from monitor import registry
from tests.cases import check_each
from tests.command import program
from tests.factories import make_list


@pytest.fixture
def shell(tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@check_each(
    ("group", "folder"),
    [("measures", "measures"), ("references", "references"),
     ("engines", "engines")],
)  # fmt: skip
def test_every_one_is_listed_and_can_be_shown(shell, group, folder):
    code, out, _ = shell(group, "list")
    assert code == 0
    listed = json.loads(shell(group, "list", "--json")[1])
    assert set(listed) == set(registry.list_names(folder))
    for name in listed:
        code, out, _ = shell(group, "show", name)
        assert code == 0
        assert out.splitlines()[0].lower().startswith(name.split("_search")[0])
        assert json.loads(shell(group, "show", name, "--json")[1]) == listed[name]


def test_languages_of_speakers_and_of_named_persons_are_listed(shell):
    code, out, _ = shell("languages", "list")
    assert code == 0
    assert "Dutch" in out
    listed = json.loads(shell("languages", "list", "--json")[1])
    speakers, persons = (registry.list_names(folder) for folder in ("languages", "entities"))
    assert set(listed) == {*speakers, *persons}
    for name, facts in listed.items():
        code, out, _ = shell("languages", "show", name)
        assert code == 0
        assert out.startswith(f"{name}: {facts['name']}\n")
        assert json.loads(shell("languages", "show", name, "--json")[1]) == facts
        assert ("entity" in facts["cues"]) == (name in persons)
        assert (facts["version"] is None) == (name not in speakers)
        if name in persons:
            assert facts["named persons"] == registry.entity_reader(name).decides
            assert "--cue entity --source SENTENCE --entity WORDS" in " ".join(out.split())


@check_each(
    ("arguments", "words"),
    [
        (["languages", "show", "czech"], "did you mean cs (Czech)?"),
        (["measures", "show", "masculine_rat"], "did you mean masculine_rate"),
        (["measures", "show", "fs"], "no measure or quantity 'fs'; did you mean f_s (stereotype"),
        (["references", "show", "us_labor"], "no reference 'us_labor'; did you mean us_labour?"),
        (["engines", "show", "deepll"], "unknown engine 'deepll'; did you mean deepl?"),
        (["lists", "show", "stereotype"], "no list 'stereotype'; did you mean stereotypes@1"),
        (["lists", "rate", "sterotypes@1", "--rater", "a", "--output", "a.csv"],
         "no list 'sterotypes@1'; did you mean stereotypes@1?"),
        (["explain", "Sono stanca", "--language", "polish"], "did you mean pl (Polish)?"),
        (["lexicon", "show", "nurse", "--lexicon", "glove-6b"], "did you mean glove-6b-50d?"),
        (["engines", "test", "wikipedia", "--region", "us_en"], "did you mean us-en?"),
        (["check", "jobs/demo.tml"], "no such job file"),
    ],
)  # fmt: skip
def test_a_near_name_is_suggested(shell, arguments, words):
    code, _, err = shell(*arguments)
    assert code == 2
    assert words in err


def test_a_quantity_shows_its_measure(shell):
    code, out, _ = shell("measures", "show", "f_s")
    assert code == 0
    assert out.startswith("masculine_rate\n")
    assert "stereotype rate" in out


def test_lists_are_listed_and_one_is_shown(shell, tmp_path):
    make_list(tmp_path / "jobs")
    names = [row["list"] for row in json.loads(shell("lists", "list", "--json")[1])]
    assert {"mini@1", "stereotypes@1"} <= set(names)
    assert shell("lists", "show")[1] == shell("lists", "list")[1]  # as it was before
    code, out, _ = shell("lists", "show", "mini@1")
    assert code == 0
    assert out.startswith("mini@1: The list mini; 32 items, unvalidated, licence CC0-1.0\n")
    assert "tag stereotype: 1, 2, 3, 4, 5 and 11 more" in out
    assert "  s01-1: I am tired 1 1." in out
    shown = json.loads(shell("lists", "show", "mini@1", "--json")[1])
    assert len(shown["items"]) == 32


def test_a_job_file_that_is_not_there_is_suggested(shell, tmp_path):
    make_list(tmp_path / "jobs")
    (tmp_path / "jobs" / "demo.toml").write_text("")
    for name in ("demo", "demo.toml", "jobs/demo.tml", "jobs/dmo.toml"):
        code, _, err = shell("plan", name)
        assert code == 2
        assert "did you mean jobs/demo.toml?" in err


# --- one translation of a named person ------------------------------------------------------------

_SOURCE = "The nurse called the developer."
_NAMED = ("--cue", "entity", "--source", _SOURCE)


def test_one_translation_of_a_named_person_is_explained(shell):
    text = "La enfermera llamó al desarrollador."
    code, out, _ = shell("explain", text, "--language", "es-MX", *_NAMED, "--entity", "nurse")
    assert code == 0
    assert out.startswith("class: feminine")
    assert "enfermera" in out
    arguments = (*_NAMED, "--entity", "developer", "--index", "4", "--json")
    _, out, _ = shell("explain", text, "--language", "es", *arguments)
    assert json.loads(out)["class"] == "masculine"


@check_each(
    ("arguments", "words"),
    [
        (["--cue", "entity"], "--cue entity also needs --source and --entity"),
        (["--cue", "entity", "--entity", "nurse"], "--cue entity also needs --source"),
        ([*_NAMED], "--cue entity also needs --entity"),
        ([*_NAMED, "--entity", "doctor"], "--entity 'doctor': must be words of the source"),
        ([*_NAMED, "--entity", "nurse", "--index", "5"], "a word of the source, 0 to 4"),
        ([*_NAMED, "--entity", "nurse", "--nouns"], "leave it out with --cue entity"),
        (["--source", _SOURCE], "name a person: add --cue entity"),
        (["--cue", "entity", "--language", "cs", "--source", _SOURCE, "--entity", "nurse"],
         "language 'cs': the gender of a named person is not read in it"),
    ],
)  # fmt: skip
def test_what_explain_lacks_is_named(shell, arguments, words):
    code, _, err = shell("explain", "La enfermera.", "--language", "es", *arguments)
    assert code == 2
    assert words in " ".join(err.split())
