"""The gender of the speaker from small parses, written by hand after Universal Dependencies.

Each parse is one word per line: text, part of speech, head, relation, features.
"""

import pytest

from monitor.model import Cue, GenderClass
from monitor.study.ud import ParsedLanguage, Word, feats, quoted_spans, signal
from tests.cases import check_each

PERSON = "Person=1|Number=Sing"
SHE, HE = "Gender=Fem|Number=Sing", "Gender=Masc|Number=Sing"


def parse(text, lines):
    """A sentence from its lines, with the places of its words in the text."""
    words, at = [], 0
    for number, line in enumerate(lines.strip().splitlines(), start=1):
        word, upos, head, deprel, *rest = line.split()
        start = text.index(word, at)
        at = start + len(word)
        features = feats(rest[0] if rest else "_")
        words.append(Word(number, word, upos, int(head), deprel, features, start, at))
    return words


CASES = {
    "ru, past tense with я": (
        "Я очень устала .", GenderClass.FEMININE, "ud_subject", ["устала"],
        f"""Я PRON 3 nsubj {PERSON}
        очень ADV 3 advmod
        устала VERB 0 root {SHE}|Tense=Past
        . PUNCT 3 punct""",
    ),
    "ru, somebody else": (
        "Она устала .", GenderClass.NONE, "ud_no_cue", [],
        f"""Она PRON 2 nsubj Person=3|Number=Sing|Gender=Fem
        устала VERB 0 root {SHE}
        . PUNCT 2 punct""",
    ),
    "ru, short adjective with a copula in the past": (
        "Я была рада", GenderClass.FEMININE, "ud_subject", ["была", "рада"],
        f"""Я PRON 3 nsubj {PERSON}
        была AUX 3 cop {SHE}
        рада ADJ 0 root {SHE}|Variant=Short""",
    ),
    "ru, we": (
        "Мы пришли", GenderClass.NONE, "ud_no_cue", [],
        """Мы PRON 2 nsubj Person=1|Number=Plur
        пришли VERB 0 root Number=Plur""",
    ),
    "cs, participle with an auxiliary": (
        "Plakala jsem", GenderClass.FEMININE, "ud_auxiliary", ["Plakala"],
        f"""Plakala VERB 0 root {SHE}|VerbForm=Part
        jsem AUX 1 aux {PERSON}""",
    ),
    "cs, participle without one is somebody else's": (
        "Plakala", GenderClass.NONE, "ud_no_cue", [],
        f"Plakala VERB 0 root {SHE}|VerbForm=Part",
    ),
    "cs, second person": (
        "Plakala jsi", GenderClass.NONE, "ud_no_cue", [],
        f"""Plakala VERB 0 root {SHE}
        jsi AUX 1 aux Person=2|Number=Sing""",
    ),
    "cs, joined to a first person": (
        "Přišel jsem a řekl to", GenderClass.MASCULINE, "ud_auxiliary", ["Přišel", "řekl"],
        f"""Přišel VERB 0 root {HE}
        jsem AUX 1 aux {PERSON}
        a CCONJ 4 cc
        řekl VERB 1 conj {HE}
        to PRON 4 obj""",
    ),
    "cs, joined, with a subject of its own": (
        "Přišel jsem a ona řekla", GenderClass.MASCULINE, "ud_auxiliary", ["Přišel"],
        f"""Přišel VERB 0 root {HE}
        jsem AUX 1 aux {PERSON}
        a CCONJ 5 cc
        ona PRON 5 nsubj Person=3|Number=Sing
        řekla VERB 1 conj {SHE}""",
    ),
    "cs, adjective that a verb governs": (
        "Cítím se unavená", GenderClass.FEMININE, "ud_governed", ["unavená"],
        f"""Cítím VERB 0 root {PERSON}
        se PRON 1 expl
        unavená ADJ 1 xcomp {SHE}|Case=Nom""",
    ),
    "cs, governed over an infinitive": (
        "Snažím se zůstat klidný", GenderClass.MASCULINE, "ud_governed", ["klidný"],
        f"""Snažím VERB 0 root {PERSON}
        se PRON 1 expl
        zůstat VERB 1 xcomp VerbForm=Inf
        klidný ADJ 3 xcomp {HE}|Case=Nom""",
    ),
    "cs, governed by somebody else's verb": (
        "Cítí se unavená", GenderClass.NONE, "ud_no_cue", [],
        f"""Cítí VERB 0 root Person=3|Number=Sing
        se PRON 1 expl
        unavená ADJ 1 xcomp {SHE}|Case=Nom""",
    ),
    "sk, predicate with a copula": (
        "Som unavená", GenderClass.FEMININE, "ud_auxiliary", ["unavená"],
        f"""Som AUX 2 cop {PERSON}
        unavená ADJ 0 root {SHE}|Case=Nom""",
    ),
    "sk, an attribute belongs to its noun": (
        "Mám peknú sestru", GenderClass.NONE, "ud_no_cue", [],
        f"""Mám VERB 0 root {PERSON}
        peknú ADJ 3 amod {SHE}|Case=Acc
        sestru NOUN 1 obj {SHE}|Case=Acc""",
    ),
    "sk, a noun does not count": (
        "Som vodca", GenderClass.NONE, "ud_no_cue", [],
        f"""Som AUX 2 cop {PERSON}
        vodca NOUN 0 root {HE}|Case=Nom""",
    ),
    "sl, two auxiliaries": (
        "Bi bila utrujena sem", GenderClass.FEMININE, "ud_auxiliary", ["bila", "utrujena"],
        f"""Bi AUX 3 aux
        bila AUX 3 cop {SHE}
        utrujena ADJ 0 root {SHE}
        sem AUX 3 aux {PERSON}""",
    ),
    "ru, a copula that lost its predicate": (
        "была",
        GenderClass.NONE,
        "ud_no_cue",
        [],
        f"была AUX 7 cop {SHE}",
    ),
    "cs, an adjective beside a noun": (
        "Dort čerstvá",
        GenderClass.NONE,
        "ud_no_cue",
        [],
        f"""Dort NOUN 0 root
        čerstvá ADJ 1 acl {SHE}|Case=Nom""",
    ),
    "cs, an adjective in another case": (
        "Mluvím s unavenou",
        GenderClass.NONE,
        "ud_no_cue",
        [],
        f"""Mluvím VERB 0 root {PERSON}
        s ADP 3 case
        unavenou ADJ 1 obl {SHE}|Case=Gen""",
    ),
    "both genders": (
        "Bio sam i rekla sam", GenderClass.MIXED, "ud_contradiction", ["Bio", "rekla"],
        f"""Bio VERB 0 root {HE}
        sam AUX 1 aux {PERSON}
        i CCONJ 4 cc
        rekla VERB 1 conj {SHE}
        sam AUX 4 aux {PERSON}""",
    ),
    "plural auxiliary": (
        "Bila smo", GenderClass.NONE, "ud_no_cue", [],
        f"""Bila VERB 0 root {SHE}
        smo AUX 1 aux Person=1|Number=Plur""",
    ),
    "an ambiguous gender": (
        "Rád jsem", GenderClass.NONE, "ud_no_cue", [],
        f"""Rád ADJ 0 root Gender=Masc,Neut|Number=Sing
        jsem AUX 1 cop {PERSON}""",
    ),
}  # fmt: skip


@check_each("case", CASES.values())
def test_a_parse_is_read(case):
    text, cls, rule, witnesses, lines = case
    found = signal(text, [parse(text, lines)])
    assert (found.cls, found.rule) == (cls, rule)
    assert [witness.text for witness in found.witnesses] == witnesses
    for witness in found.witnesses:
        assert text[witness.start : witness.end] == witness.text


def test_polish_words_are_shown_as_they_are_written():
    """`byłam` is two words to the parser: the participle and the person."""
    text = "Byłam zmęczona"
    words = [
        Word(1, "Byłam", "AUX", 3, "cop", feats(SHE), 0, 5),
        Word(2, "Byłam", "AUX", 3, "aux:clitic", feats(PERSON), 0, 5),
        Word(3, "zmęczona", "ADJ", 0, "root", feats(f"{SHE}|Case=Nom"), 6, 14),
    ]
    found = signal(text, [words])
    assert found.cls is GenderClass.FEMININE
    assert [witness.text for witness in found.witnesses] == ["Byłam", "zmęczona"]


QUOTED = "Řekl jsem : „ Jsem unavená “"
QUOTED_PARSE = f"""Řekl VERB 0 root {HE}
jsem AUX 1 aux {PERSON}
: PUNCT 1 punct
„ PUNCT 6 punct
Jsem AUX 6 cop {PERSON}
unavená ADJ 1 parataxis {SHE}|Case=Nom
“ PUNCT 6 punct"""


def test_a_quotation_is_read_under_its_own_cue():
    words = [parse(QUOTED, QUOTED_PARSE)]
    assert signal(QUOTED, words).cls is GenderClass.MASCULINE
    assert signal(QUOTED, words, Cue.QUOTED).cls is GenderClass.FEMININE


@check_each(
    ("text", "spans"),
    [
        ('a "b" c', [(2, 5)]),
        ("„a“ «b» »c« ‚d‘", [(0, 3), (4, 7), (8, 11), (12, 15)]),
        ("“a” “b", [(0, 3)]),
        ("„a «b» c“", [(0, 9)]),
        ("it's", []),
        ('"' * 3, [(0, 2)]),
    ],
)
def test_quotations_are_found(text, spans):
    assert quoted_spans(text) == spans


def test_many_open_quotations_are_quick():
    assert quoted_spans("„" * 20_000) == []


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_an_empty_text_is_unidentified_and_not_parsed(text):
    def never(_text):
        raise AssertionError

    language = ParsedLanguage("cs", "Czech (parser)", never)
    assert language.signal(text).cls is GenderClass.UNIDENTIFIED


def test_a_parser_is_a_language():
    language = ParsedLanguage(
        "cs", "Czech (parser)", lambda text: [parse(text, "Plakala VERB 0 root")]
    )
    assert language.signal("Plakala").cls is GenderClass.NONE
    assert (language.code, language.version) == ("cs", 1)
    assert language.cues == {Cue.AGREEMENT, Cue.QUOTED}


def test_a_broken_parse_does_not_run_for_ever():
    words = [
        Word(1, "a", "ADJ", 2, "conj", feats(SHE), 0, 1),
        Word(2, "b", "ADJ", 1, "conj", feats(SHE), 2, 3),
        Word(3, "c", "ADJ", 9, "conj", feats(SHE), 4, 5),
    ]
    assert signal("a b c", [words]).cls is GenderClass.NONE
