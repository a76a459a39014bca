"""Czech: the gender a text gives to its first person.

The past tense and the conditional join an l-participle, which shows the gender, to an auxiliary of
the first person in the same clause ("plakala jsem", "rád bych"). The present shows it in
predicates: hard adjectives in -ý/-á, short ones and passive participles ("jsem unavená", "jsem si
vědom"), and in "rád/ráda" and "sám/sama" beside a first-person verb; in the instrumental after "to
become" and "to be" ("stanu se silnou"), and in the object complement ("dělá mě to šťastnou"). Soft
adjectives in -í and all comparatives show nothing. Nouns for persons are read only with
`nouns=True`.
"""

from monitor.data import read_toml
from monitor.languages._clauses import read_words
from monitor.languages.slavic import _slavic as s
from monitor.languages.slavic import _slavic_west as west
from monitor.languages.slavic._slavic import Slavic, longest_ending, table
from monitor.languages.slavic._slavic_people import person_nouns
from monitor.languages.slavic._slavic_west import (
    ACC_F,
    ACC_M,
    GENITIVE,
    RULES,
    negated,
)

_DATA = read_toml("person_words_cs")
_SHORTEST = 2  # no ending can be told from so little

WORDS = read_words(
    _DATA["words"],
    vars(s) | vars(west),
    (s.INS_F | ACC_F, [f"{stem}ou" for stem in _DATA["instrumental_stems"].split()]),
)


_ENDINGS = table(
    (s.PAST_M, "l"),
    (s.PAST_F, "la"),
    # No verbs: agents in -tel, loans in -ál, -ol, -el; instruments in -dlo, genitive or plural.
    (0, "tel del íl ůl ól ol úl ýl ál oll ell ill all hel bel gel kel rel uel iel ael fel xel oel"),
    (
        0,
        "ail ofil mobil idla ydla adla ádla ola lla íla ýla dela bela gla iela uela pela uála iála",
    ),
    (0, "éla óla ůla tula hula gula pula irála trála erála"),
    (s.PAST_M, "hrál smál bál stál přál hřál vál lál zdál udál sál zrál okřál ržál"),
    (s.PAST_F, "kradla kladla padla chladla vládla ládla hadla hádla vadla chřadla stydla řidla"),
    (s.ADJ_M, "ý"),
    (s.ADJ_F, "á"),
    (s.ADJ_M | GENITIVE, "plný znalý hodný vědomý chtivý"),
    (s.ADJ_F | GENITIVE, "plná znalá hodná vědomá chtivá"),
    (s.INS_M, "ým"),
    (
        s.INS_F | ACC_F,
        "skou ckou nutou anou enou ěnou lnou tnou dnou čnou nnou vnou snou žnou bnou šnou",
    ),
    (s.INS_F | ACC_F, "jnou pnou mnou znou rnou řnou cnou hnou fnou ivou ovou avou ělou spalou"),
    (s.INS_F | ACC_F, "atou ytou iletou ouletou íletou náctou cátou dlouhodobou krátkodobou"),
    (0, "árnou"),
    (ACC_M, "ého"),
    (s.VERB, "ám ím uji uju"),
    (s.OTHER, "áš íš eš íte ujete"),
    (s.DET, "koli koliv"),
    (s.SHORT_M, "en ěn án nut jat"),
    (s.SHORT_F, "ena ěna ána nuta jata"),
    (s.INF, "at it et ět ýt ít out ci ást éct íst ést"),
    (s.ADV, "ě cky sky ěji eji"),
)


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    if len(key) <= _SHORTEST:
        return 0
    tags = negated(key, WORDS) or longest_ending(key, _ENDINGS)
    if tags & (ACC_M | s.INS_M):  # only where the feminine is read as well
        feminine = f"{key[: -3 if tags & ACC_M else -2]}ou"
        tags_of_feminine = WORDS[feminine] if feminine in WORDS else ending(feminine)
        return tags if tags_of_feminine & s.INS_F else 0
    return tags


LANGUAGE = Slavic(
    code="cs",
    name="Czech",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="aábcčdďeéěfghiíjklmnňoópqrřsštťuúůvwxyýzž",
    people=person_nouns("person_nouns_cs"),
    version=5,
)
