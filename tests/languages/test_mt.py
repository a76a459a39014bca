"""The Maltese reader: predicates, nouns, traps, both forms."""

import re

from monitor.languages.mt import LANGUAGE
from monitor.model import Cue, GenderClass
from tests.cases import check_each
from tests.languages.classes import both_forms

# rule, the sentence of a man and of a woman
RULES = """
predicate Illum jien [għajjien|għajjiena].
predicate Kont [mitluf|mitlufa] fil-belt.
predicate Jien dejjem [ġuħan|ġuħana].
predicate M'iniex [sigur|sigura].
predicate Inħossni [konfuż|konfuża] u [sieket|siekta].
predicate Irrid inkun [sinċier|sinċiera].
predicate Bqajt [imdejjaq|imdejqa].
predicate Ġejt [magħruf|magħrufa].
predicate Dan jagħmilni [nervuż|nervuża].
predicate Jien [infermier|infermiera].
predicate Jien [attur|attriċi].
as Naħdem bħala [għalliem|għalliema].
as Bħala [bijologu|bijologa], ktibt rapport.
going Issa [qiegħed|qiegħda] nikteb ittra.
going [Sejjer|Sejra] nieħu banju.
one_of Jien [wieħed|waħda] minnhom.
"""

NONE = """
Jien responsabbli.
Jien intelliġenti.
Kont naħdem ħafna.
Kont l-ewwel wieħed li wasal.
Ħija għajjien.
Oħti hija għajjiena.
Inti kont għajjiena.
Missieri jaħdem bħala għalliem.
Ommi kienet taħdem bħala għalliema.
Għandi settimana vaganza.
Rajt opportunità ġdida.
Hi qalet: “Jien għajjiena.”
"""

BOTH = """
Jien għajjien/a.
Jien għajjien(a).
Jien għajjien/għajjiena.
Jien kuntent jew kuntenta.
"""


@check_each(("rule", "text"), [line.split(" ", 1) for line in RULES.strip().splitlines()])
def test_rules(rule, text):
    assert not both_forms(LANGUAGE, text)
    masculine = re.sub(r"\[(.*?)\|.*?\]", r"\1", text)
    assert rule in {witness.rule for witness in LANGUAGE.signal(masculine).witnesses}


@check_each("text", BOTH.strip().splitlines())
def test_both_forms_are_both(text):
    assert LANGUAGE.signal(text).cls is GenderClass.BOTH


@check_each(
    ("text", "cls"),
    [
        ("", "unidentified"),
        ("I am tired and I have been working all day.", "unidentified"),
        ("Sono molto stanca e non ho dormito.", "unidentified"),
        ("JIEN GĦAJJIENA.", "feminine"),
        ("Jien ghajjiena.", "feminine"),
        ("Jien g\u0307uh\u0335ana u għajjiena.", "feminine"),
        ("Jien għaj-\njiena.", "feminine"),
        ("Jien għajjien. Jien kuntenta.", "mixed"),
    ],
)
def test_spellings_and_other_languages(text, cls):
    assert LANGUAGE.signal(text).cls is GenderClass(cls)


def test_a_quotation_is_read_for_its_own_cue():
    text = "Hi qalet: “Jien għajjiena.”"
    assert LANGUAGE.signal(text, Cue.QUOTED).cls is GenderClass.FEMININE
