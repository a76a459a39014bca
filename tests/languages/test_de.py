"""The German reader: nouns by construction, traps, both forms."""

import re

from monitor.languages.de import LANGUAGE, is_adjectival, is_man, is_woman
from monitor.model import Cue, GenderClass
from tests.cases import check_each
from tests.languages.classes import both_forms

# rule, the sentence of a man and of a woman
RULES = """
predicate Ich bin [Bäcker|Bäckerin].
predicate Ich bin gelernter [Koch|Köchin].
predicate Ich bin [ein guter Koch|eine gute Köchin].
predicate Von uns bin ich [der Älteste|die Älteste].
predicate Ich will [Arzt|Ärztin] werden.
predicate Ich bin [ein Deutscher|eine Deutsche].
predicate Ich war [der einzige|die einzige], der das wusste.
predicate Ich war immer [der erste|die erste] in der Klasse.
predicate Ich bin [der Klügere|die Klügere].
predicate Ich bin seit Jahren [Rechtsanwalt|Rechtsanwältin].
predicate Ich bin [Vater|Mutter] von drei Kindern.
predicate Mein Traum war es, [Physiker|Physikerin] zu werden.
predicate Damals war ich noch [Student|Studentin].
predicate Seit Mai bin ich [Rentner|Rentnerin].
predicate Ich werde [ihr Nachfolger|ihre Nachfolgerin].
predicate Ich bin [dein bester Freund|deine beste Freundin].
predicate Ich lese viel und bin [Autor|Autorin].
predicate Ich bin in Wien geboren und [Musiker|Musikerin].
predicate Ich bin [einer|eine] von vielen.
predicate Ich bin [einer|eine] der Besten.
become Ich wurde [zum Arzt|zur Ärztin] ausgebildet.
become Das machte mich [zu einem besseren Lehrer|zu einer besseren Lehrerin].
become Sie machten mich [zum Helden|zur Heldin].
held Sie halten mich für [einen guten Lehrer|eine gute Lehrerin].
called Er nannte mich [einen Idioten|eine Idiotin].
as Sie sehen mich als [Lehrer|Lehrerin].
as Als [Deutscher|Deutsche] lebe ich im Ausland.
as Ich kam als [Erster|Erste] ins Ziel.
as Ich kam als [erster|erste] ins Ziel.
as Als [Mann|Frau] sage ich das.
as Ich arbeite als [Krankenpfleger|Krankenschwester].
as Mein Job als [Trainer|Trainerin] macht Spaß.
as Als [Alleinerziehender|Alleinerziehende] habe ich wenig Zeit.
like Ich fühle mich wie [ein Fremder|eine Fremde].
apposition Ich [Idiot|Idiotin]!
apposition Ich, [der Wirt|die Wirtin], weiß Bescheid.
relative Ich, [der|die] ich immer arbeite, weiß es.
"""

NONE = """
Ich bin müde.
Glücklicher war ich nie.
Hier bin ich gern.
Ich gehe zum Arzt.
Ich gehe zur Ärztin.
Mein Vater ist Lehrer.
Meine Mutter arbeitet als Lehrerin.
Ich habe eine Freundin.
Ich betrachte ihn als Freund.
Ich kenne sie als gute Lehrerin.
Ich bin älter als die Lehrerin.
Ich war bei der Lehrerin.
Ich bin der Meinung, dass er lügt.
Ich bin eine starke Person.
Ich bin Maria Fischer.
Ich bin ein Mensch.
Ich bin Mitglied.
Ich war ein Kind.
Ich war die Ursache.
Ich bin die Treppe hinuntergefallen.
Ich bin die letzte Haltestelle vor dem Wald.
Ich werde eine Lehrerin heiraten.
Ich würde die Nachbarin fragen.
Ich bin der Freundin meines Bruders begegnet.
Ich war die ganze Nacht wach.
Wenn ich Lehrer sehe, grüße ich.
Wenn ich Verwandte besuche, bin ich froh.
Ich weiß, dass sie Lehrerin ist.
Er ist der Beste, und ich bin müde.
Du bist Lehrerin.
Meine Stärke ist die Geduld, und ich bin froh.
Sie sagte: „Ich bin Lehrerin.“
"""

BOTH = """
Ich bin LehrerIn.
Ich bin Lehrer/-in.
Ich bin Lehrer/in.
Ich bin Lehrer(in).
Ich bin Lehrer oder Lehrerin.
Ich bin Lehrer/Lehrerin.
Als Angestellte/r habe ich Urlaub.
Als Vorgesetzte(r) habe ich Urlaub.
Ich war der/die Beste.
Ich bin ein/e Angestellte/r.
"""

INCLUSIVE = """
Ich bin Lehrer*in.
Ich bin Lehrer:in.
Ich bin Lehrer_in.
Als Ärzt*in habe ich Dienst.
Als Angestellte*r habe ich Urlaub.
Ich bin Lehrer·in.
Ich bin Lehrer@in.
Ich bin ein*e gute*r Lehrer*in.
Ich bin eine:r der Besten.
Ich war der*die Beste.
Als Lehrer*innen werden wir gehört, und ich bin Lehrer*in.
"""


@check_each(("rule", "text"), [line.split(" ", 1) for line in RULES.strip().splitlines()])
def test_rules(rule, text):
    assert not both_forms(LANGUAGE, text)
    masculine = re.sub(r"\[(.*?)\|.*?\]", r"\1", text)
    assert rule in {witness.rule for witness in LANGUAGE.signal(masculine).witnesses}


@check_each("text", BOTH.strip().splitlines())
def test_both_forms_are_both(text):
    assert LANGUAGE.signal(text).cls is GenderClass.BOTH


@check_each("text", INCLUSIVE.strip().splitlines())
def test_forms_that_name_no_gender_are_inclusive(text):
    assert LANGUAGE.signal(text).cls is GenderClass.INCLUSIVE


@check_each(
    ("text", "cls"),
    [
        ("", "unidentified"),
        ("I am tired and I have been working all day.", "unidentified"),
        ("Я учительница.", "unidentified"),
        ("ICH BIN LEHRERIN.", "feminine"),
        ("Ich bin Aerztin.", "feminine"),
        ("Ich bin A\u0308rztin.", "feminine"),
        ("Ich bin &Auml;rztin.", "feminine"),
        ("Ich bin Leh\u00adrerin.", "feminine"),
        ("Ich bin Leh-\nrerin.", "feminine"),
        ("Ich bin Lehrer. Ich bin die Beste.", "mixed"),
    ],
)
def test_spellings_and_other_languages(text, cls):
    assert LANGUAGE.signal(text).cls is GenderClass(cls)


def test_a_quotation_is_read_for_its_own_cue():
    text = "Sie sagte: „Ich bin Lehrerin.“"
    assert LANGUAGE.signal(text, Cue.QUOTED).cls is GenderClass.FEMININE


@check_each(
    ("man", "woman"),
    [
        (man, man + "in") for man in
        "lehrer pianist student fabrikant direktor ingenieur zahnarzt rechtsanwalt koch".split()
    ]
    + [("psychologe", "psychologin"), ("experte", "expertin"), ("feuerwehrmann", "feuerwehrfrau")],
)  # fmt: skip
def test_a_noun_is_read_in_both_genders(man, woman):
    assert is_man(man)
    assert is_woman(woman)


@check_each("thing", "computer argument haltestelle kilometer urkunde".split())
def test_a_thing_is_nobody(thing):
    assert not is_man(thing)
    assert not is_woman(thing)
    assert not is_adjectival(thing)
