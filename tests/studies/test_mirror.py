"""The study `mirror`: both sides of sentences that differ in the gender of the speaker alone."""

import dataclasses
import re
from typing import ClassVar

import pytest

from monitor import registry
from monitor.languages import _clauses as tags
from monitor.model import GenderClass, InvalidInput, Signal
from monitor.studies import catalogue, pages
from monitor.studies import mirror as sentences
from monitor.studies.catalogue import Verdict
from monitor.studies.mirror import STUDY
from tests.command import program

HEADER = "language,masculine,feminine\n"


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(
        f"{HEADER}pl,Jestem zmęczony,Jestem zmęczona.\n"
        "pl,Mam psa,Mam kota\n"
        "pl,Jestem spokojny,Mam kota\n"
        "pl,Jestem spokojna,Jestem spokojna!\n"
        "xx,a,b\n",
        encoding="utf-8",
    )
    return path


def run(**given):
    return catalogue.run_study(STUDY, given, len)


def table(done, name):
    [chosen] = [table for table in done.found.tables if table.name == name]
    return [dict(zip(chosen.columns, row, strict=True)) for row in chosen.rows]


def test_each_pair_has_one_outcome_and_all_but_both_are_listed(pairs):
    done = run(languages="pl", pairs=pairs)
    [row] = [row for row in table(done, "languages") if row["source"] == "pairs"]
    assert row == {
        "source": "pairs", "language": "pl", "sentences": 4, "both sides": 1, "masculine only": 1,
        "feminine only": 0, "swapped": 1, "mixed": 0, "neither": 1, "share on one side only": 0.25,
    }  # fmt: skip
    failing = [row for row in table(done, "failing") if row["source"] == "pairs"]
    assert [row["outcome"] for row in failing] == ["neither", "masculine only", "swapped"]
    assert failing[0]["masculine"] == "Mam psa."  # a full stop is added, where none stands
    assert failing[2]["feminine"] == "Jestem spokojna!"
    checks = {check.what: check for check in done.found.checks}
    assert checks["pairs, pl: read on one side only"].verdict is Verdict.DIFFERS
    assert checks["pairs, all with a bar: swapped"].verdict is Verdict.DIFFERS


def test_pairs_of_linguists_about_the_speaker_are_read(tmp_path):
    (tmp_path / "es_all.csv").write_text(
        "kw_s,feminine,masculine\n"
        "I=tired,Estoy cansada.,Estoy cansado.\n"
        "boss=boss;I,Soy la jefa,Soy el jefe\n"
        "Ines=tired,Ella se siente mal,Me siento mal\n",
        encoding="utf-8",
    )
    done = run(languages="es", gate=tmp_path)
    [row] = [row for row in table(done, "languages") if row["source"] == "gate"]
    assert (row["sentences"], row["both sides"]) == (2, 2)
    (tmp_path / "es_all.csv").rename(tmp_path / "spanish.csv")
    with pytest.raises(InvalidInput, match=r"has no file CODE_\.\.\.\.csv"):
        run(languages="es", gate=tmp_path)


@dataclasses.dataclass(frozen=True)
class OneEyed:
    """A reader that is blind to one gender, or takes it for the other."""

    inner: object
    blind: GenderClass
    instead: GenderClass

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def signal(self, text):
        signal = self.inner.signal(text)
        return Signal(self.instead) if signal.cls is self.blind else signal


@pytest.mark.parametrize(
    ("blind", "instead", "column", "failing"),
    [
        (GenderClass.FEMININE, GenderClass.NONE, "masculine only", "read on one side only"),
        (GenderClass.MASCULINE, GenderClass.MIXED, "feminine only", "read on one side only"),
        (GenderClass.FEMININE, GenderClass.MASCULINE, "swapped", "swapped"),
    ],
)
def test_a_reader_that_sees_one_gender_is_caught(
    blind, instead, column, failing, pairs, monkeypatch
):
    known = registry.known_language
    monkeypatch.setattr(
        registry, "known_language", lambda code: OneEyed(known(code), blind, instead)
    )
    done = run(languages="pl", pairs=pairs)
    [row] = [row for row in table(done, "languages") if row["source"] == "generated"]
    assert row["both sides"] == 0
    assert row[column] > 0.7 * row["sentences"]
    checks = {check.what: check for check in done.found.checks}
    assert checks[f"generated, pl: {failing}"].verdict is Verdict.DIFFERS


@pytest.mark.parametrize("code", sentences.framed_languages())
def test_frames_and_words_of_a_language_differ_in_gender_alone(code):
    mirror = sentences.read_mirror(code, registry.known_language(code))
    assert mirror.frames.keys() == mirror.words.keys()
    for kind, frames in mirror.frames.items():
        assert mirror.words[kind], kind
        assert len(set(frames)) == len(frames), kind
        for frame in frames:
            assert frame.count(sentences.WORD) == 1, frame
            assert frame.endswith((".", "!", "?")), frame
            assert not re.search(r"[{}|]", "".join(sentences.fill_frame(frame, ("a", "b")))), frame
    for kind, pairs in mirror.words.items():
        for masculine, feminine in pairs:
            assert re.fullmatch(r"[\w'·-]+", masculine + feminine), (kind, masculine, feminine)
    texts = [(made.masculine, made.feminine) for made in mirror.sentences()]
    assert all(masculine != feminine for masculine, feminine in texts)


def test_a_sentence_is_written_in_the_other_script_as_well():
    mirror = sentences.read_mirror("sr", registry.known_language("sr"))
    texts = {made.feminine for made in mirror.sentences()}
    assert {"Ja sam umorna.", "Ја сам уморна."} <= texts
    assert not any(re.search("[a-zA-Z]", text) for text in texts if "Ј" in text)


def test_inflection_takes_the_first_ending_that_fits():
    rule = [{"nominative": "ki/ka", "instrumental": "kim/ką"}, {"nominative": "y/a"}]
    assert sentences.inflect_word("lekki", rule) == {
        "nominative": ("lekki", "lekka"), "instrumental": ("lekkim", "lekką"),
    }  # fmt: skip
    assert sentences.inflect_word("zły/zła", rule) == {"nominative": ("zły", "zła")}
    with pytest.raises(InvalidInput, match="'mądre' has none of the endings"):
        sentences.inflect_word("mądre", rule)


class Tables:
    """A language with a table of words, some of them in one gender only."""

    words: ClassVar = {
        "miły": tags.ADJ_M, "miła": tags.ADJ_F, "skała": tags.ADJ_F, "lekka": tags.ADJ_F,
        "zły": tags.ADJ_M, "był": tags.PAST_M,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("group", "words"),
    [
        ({}, {("miły", "miła")}),
        (
            {"side": "feminine", "left_out": "skała"},
            {("miły", "miła"), ("lekki", "lekka")},
        ),
        ({"side": "masculine"}, {("miły", "miła"), ("zły", "zła")}),
    ],
)
def test_words_of_a_table_are_paired(group, words):
    rule = [{"nominative": "ki/ka"}, {"nominative": "y/a"}]
    listed = sentences._list_forms(Tables(), {"tags": "ADJ_M ADJ_F"} | group, rule)
    assert {forms["nominative"] for forms in listed} == words


def test_a_word_stands_in_every_nth_frame():
    frames = ("A {}.", "B {}.", "C {}.", "D {}.")
    mirror = sentences.MirrorFrames("pl", {"k": frames}, {"k": {("a", "b"): 2, ("c", "d"): 1}})
    assert [made.masculine for made in mirror.sentences()] == [
        "A a.", "A c.", "B c.", "C a.", "C c.", "D c.",
    ]  # fmt: skip


def test_what_cannot_be_used_is_named(tmp_path):
    with pytest.raises(InvalidInput, match="--languages: 'xx' has no frames; known: be"):
        run(languages="pl,xx")
    path = tmp_path / "pairs.csv"
    with pytest.raises(InvalidInput, match=r"pairs\.csv: no such file"):
        run(languages="pl", pairs=path)
    path.write_text("language,masculine\npl,a\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="no column 'feminine'"):
        run(languages="pl", pairs=path)
    path.write_text(f"{HEADER}pl,a,\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"pairs\.csv:2: has no text in the column feminine"):
        run(languages="pl", pairs=path)


def test_the_command_reads_one_language_and_writes_all_failing_pairs(
    pairs, tmp_path, monkeypatch, capsys
):
    with program(tmp_path, monkeypatch, capsys) as command:
        code, out, _ = command(
            "study", "mirror", "--languages", "cs,pl", "--pairs", str(pairs), "--output", "out"
        )
    assert code == 0
    assert "pairs, pl: read on one side only" in out
    failing = (tmp_path / "out" / "failing.csv").read_text(encoding="utf-8")
    assert "Jestem spokojny.,Mam kota.,masculine,none" in failing
    page = (tmp_path / "out" / pages.PAGE).read_text(encoding="utf-8")
    assert page.count("<svg") == 2
