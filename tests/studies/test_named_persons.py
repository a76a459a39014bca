"""The studies of named persons: winomt, mtgeneval, gate."""

import pytest

from monitor.model import InvalidInput
from monitor.studies import catalogue
from monitor.studies.catalogue import Verdict
from monitor.studies.mtgeneval import is_right_by_words

LINES = (
    ("female", 1, "The developer met the designer because she left.", "developer"),
    ("male", 4, "The developer met the designer because he left.", "designer"),
    ("female", 1, "The nurse met the clerk because she left.", "nurse"),
    ("male", 4, "The nurse met the clerk because he left.", "clerk"),
)
SPANISH = (
    "La desarrolladora se reunió con el diseñador porque se fue.",
    "El desarrollador se reunió con la diseñadora porque se fue.",
    "La enfermera se reunió con el empleado porque se fue.",
    "La enfermera se reunió con el empleado porque se fue.",
)
LOG = "#total = 4; \n acc = 75.0%; f1_male = 66.7% (p: 1 / r: 1); f1_female = 80.0% (p: 1 / r: 1)\n"


def study(name, folder, **given):
    """Runs a study: (its record, {table: rows as dicts})."""
    done = catalogue.run_study(catalogue.list_studies()[name], {"folder": folder, **given}, len)
    tables = {
        table.name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        for table in done.found.tables
    }
    return done, tables


@pytest.fixture
def winomt(tmp_path):
    """Ten times the four sentences, each with a number, and one system into Spanish."""
    lines = [
        (gender, index, text.replace(" left", f" left at {n}"), entity, spanish)
        for n in range(10)
        for (gender, index, text, entity), spanish in zip(LINES, SPANISH, strict=True)
    ]
    written = [f"{gender}\t{index}\t{text}\t{entity}\n" for gender, index, text, entity, _ in lines]
    for name, some in (("en", written), ("en_pro", written[2::4]), ("en_anti", written[0::4])):
        (tmp_path / f"{name}.txt").write_text("".join(some))
    folder = tmp_path / "translations" / "one"
    folder.mkdir(parents=True)
    (folder / "en-es.txt").write_text("".join(f"{one[2]} ||| {one[4]}\n" for one in lines))
    (tmp_path / "logs" / "one").mkdir(parents=True)
    (tmp_path / "logs" / "one" / "es.log").write_text(LOG)
    (tmp_path / "human").mkdir()
    (tmp_path / "human" / "one.es.in-es.in.csv").write_text(
        "Index,Entity,Sentence,Find entity? [Y/N],Gender? [M/F/N],Comments\n"
        f"0,developer,{SPANISH[0]},Y,F,\n1,designer,{SPANISH[1]},Y,M,\n"
        f"3,clerk,{SPANISH[3]},N,,\n3,clerk,{SPANISH[3]},Y,N,\n"
    )
    return tmp_path


def test_winomt_counts_as_the_paper_does(winomt):
    done, tables = study("winomt", winomt)
    [row] = tables["systems"]
    assert (row["system"], row["language"]) == ("one", "es")
    assert row["accuracy"] == pytest.approx(0.75)  # the designer is a man made a woman
    assert row["F1 women"] == pytest.approx(0.8)
    assert row["F1 men"] == pytest.approx(2 / 3)
    assert row["Delta_S"] == pytest.approx(0.0)
    assert row["accuracy of the authors"] == 0.75
    [check] = [check for check in done.found.checks if check.what.startswith("accuracy")]
    assert check.verdict is Verdict.EQUAL


def test_winomt_agrees_with_people_on_clear_judgements_alone(winomt):
    _, tables = study("winomt", winomt)
    [sheet] = tables["people"]
    assert (sheet["clear judgements"], sheet["equal"], sheet["not read"]) == (2, 0.5, 0.0)
    [row] = tables["disagreements"]
    assert (row["person"], row["judged"], row["read as"]) == ("designer", "masculine", "feminine")


def test_lines_of_another_form_are_not_read_and_counted(winomt):
    path = winomt / "translations" / "one" / "en-es.txt"
    lines = path.read_text().splitlines()
    lines[0] += " ||| otra"
    lines[1] = lines[1].partition(" |||")[0]
    path.write_text("\n".join(lines[:-1]) + "\n")
    _, tables = study("winomt", winomt)
    reasons = {row["reason"]: row["n"] for row in tables["not_read"]}
    assert reasons == {"not_source_and_translation": 2, "no_translation": 1}


def test_the_order_of_systems_stands_beside_that_of_the_authors(winomt):
    other = winomt / "translations" / "two"
    other.mkdir()
    text = (winomt / "translations" / "one" / "en-es.txt").read_text()
    (other / "en-es.txt").write_text(text.replace("la diseñadora", "el diseñador"))
    (winomt / "logs" / "two").mkdir()
    (winomt / "logs" / "two" / "es.log").write_text(LOG.replace("75.0", "70.0"))
    _, tables = study("winomt", winomt)
    [row] = tables["order"]
    assert (row["here"], row["by the authors' logs"], row["equal"]) == (
        "two, one",
        "one, two",
        "no",
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda folder: (folder / "en_pro.txt").unlink(), "fetch it with: monitor lists fetch"),
        (lambda folder: (folder / "translations" / "one" / "en-es.txt").rename(
            folder / "translations" / "one" / "en-xx.txt"), "no translations/SYSTEM/en-XX.txt"),
        (lambda folder: (folder / "translations" / "one" / "en-es.txt").write_text("a ||| b\n"),
         "none of its sources is a sentence of en.txt"),
        (lambda folder: (folder / "human" / "one.es.in-es.in.csv").write_text(
            "Index,Entity,Sentence,Find entity? [Y/N],Gender? [M/F/N]\n99,x,y,Y,F\n"),
         "Index '99' is no line of en.txt"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_used_are_named(winomt, change, words):
    change(winomt)
    with pytest.raises(InvalidInput, match=words):
        study("winomt", winomt)


# --- mtgeneval ------------------------------------------------------------------------------------


def test_a_translation_is_wrong_that_has_a_word_of_the_other_reference_alone():
    own, other = "Ella es la reina.", "Él es el rey."
    assert is_right_by_words("La reina llegó.", own, other)
    assert not is_right_by_words("El monarca llegó.", own, other)
    assert is_right_by_words("Llegó.", own, other)


def test_references_and_translations_of_mtgeneval(tmp_path):
    sides = {
        "feminine": ("The <F>queen</F> left.", "La <F>reina</F> se fue."),
        "masculine": ("The <M>king</M> left.", "El <M>rey</M> se fue."),
    }
    for gender, texts in sides.items():
        for code, text in zip(("en", "es"), texts, strict=True):
            name = f"geneval-sentences-{gender}-dev.en_es.{code}"
            (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    table = tmp_path / "translations.csv"
    table.write_text(
        "source,target_lang,translation,system\nThe queen left.,es,El rey se fue.,one\n"
        "The king left.,es,El rey se fue.,one\nAnother.,es,Otra.,one\n"
    )
    _, tables = study("mtgeneval", tmp_path, translations=table)
    assert [(row["gender"], row["read"]) for row in tables["references"]] == [
        ("feminine", 1.0), ("masculine", 1.0),
    ]  # fmt: skip
    women, men = tables["systems"]
    assert (women["accuracy of the paper"], men["accuracy of the paper"]) == (0.0, 1.0)
    assert men["in the right gender"] == 1.0
    with pytest.raises(InvalidInput, match="no geneval-sentences-feminine"):
        study("mtgeneval", tmp_path / "none")


# --- gate -----------------------------------------------------------------------------------------


def test_pairs_of_gate_are_told_apart_or_not(tmp_path):
    (tmp_path / "es_dev.csv").write_text(
        "labels,english,feminine,masculine,kw_s,kw_f,kw_m\n"
        "SUBJ;PROF,The nurse left.,La enfermera se fue.,El enfermero se fue.,nurse,a,b\n"
        "SUBJ,The nurse left.,El enfermero se fue.,La enfermera se fue.,nurse,a,b\n"
        "SUBJ,The nurse left.,La enfermera se fue.,Se fue.,nurse,a,b\n",
        encoding="utf-8",
    )
    _, tables = study("gate", tmp_path)
    [row] = tables["languages"]
    assert (row["pairs"], row["swapped"], row["read on one side"]) == (3, 1, 1)
    assert row["told apart"] == pytest.approx(1 / 3)
    assert {row["label"]: row["pairs"] for row in tables["labels"]} == {"SUBJ": 3, "PROF": 1}
    with pytest.raises(InvalidInput, match=r"no XX_\*.csv"):
        study("gate", tmp_path / "none")
