"""Czech: the gender a text gives to its first person.

The past tense and the conditional join an l-participle, which shows the gender, to an auxiliary of
the first person in the same clause ("plakala jsem", "rád bych"). The present shows it in
predicates: hard adjectives in -ý/-á, short ones and passive participles ("jsem unavená", "jsem si
vědom"), and in "rád/ráda" and "sám/sama" beside a first-person verb; in the instrumental after "to
become" and "to be" ("stanu se silnou"), and in the object complement ("dělá mě to šťastnou"). Soft
adjectives in -í and all comparatives show nothing. Nouns for persons are read only with
`nouns=True`.
"""

from monitor.languages.slavic import _cs_words as lists
from monitor.languages.slavic import _slavic as s
from monitor.languages.slavic._slavic import Slavic, longest_ending, table
from monitor.languages.slavic._slavic_people import person_nouns
from monitor.languages.slavic._slavic_west import (
    ACC_F,
    ACC_M,
    BECOME,
    DEMO_F,
    DEMO_M,
    DOUBTFUL,
    GENITIVE,
    MAKE,
    OBJECT,
    REGARD,
    RULES,
    WHO,
    negated,
    pairs,
)

_SHORTEST = 2  # no ending can be told from so little
_SHORT_M, _SHORT_F = pairs(lists.SHORT_PAIRS)
_NOUN_M, _NOUN_F = pairs(lists.NOUN_PAIRS)

WORDS = table(
    (s.AUX, lists.AUX),
    (s.BE, lists.BE),
    (s.FEEL, lists.FEEL),
    (BECOME, lists.BECOME),
    (s.VERB, lists.VERB),
    (s.NOMINATIVE, "já"),
    (s.OTHER, lists.OTHER),
    (s.IS, lists.IS),
    (s.CUT, lists.CUT),
    (s.AND, lists.AND),
    (s.OR, lists.OR),
    (s.SAY, lists.SAY),
    (s.WOULD, "by"),
    (s.PREP, lists.PREP),
    (s.DET, lists.DET),
    (s.CLITIC, lists.CLITIC),
    (s.ADV, lists.ADV),
    (s.ME, lists.ME),
    (s.INF | s.BE_INF, lists.BE_INF),
    (s.PAST_M | s.BE_PAST, "byl nebyl býval nebýval"),
    (s.PAST_F | s.BE_PAST, "byla nebyla bývala nebývala"),
    (s.PAST_M, "řekl říkal pravil zeptal odpověděl tál roztál odtál nadál"),
    (s.PAST_F, "řekla říkala pravila zeptala odpověděla"),
    (s.GLAD_M, "rád nerad nerád"),
    (s.GLAD_F, "ráda nerada neráda"),
    (s.SELF_M, "sám"),
    (s.SELF_F, "sama"),
    (s.SHORT_M, _SHORT_M),
    (s.SHORT_F, _SHORT_F),
    (s.ADJ_M, "takový jaký"),
    (s.ADJ_F, "taková jaká"),
    (DEMO_M, "ten"),
    (DEMO_F, "ta"),
    (s.NOUN_M, _NOUN_M),
    (s.NOUN_F, _NOUN_F),
    (s.PAST_M | DOUBTFUL, lists.DOUBTFUL_M),
    (s.PAST_F | DOUBTFUL, lists.DOUBTFUL_F),
    (s.INS_F | ACC_F, [f"{stem}ou" for stem in lists.INSTRUMENTAL_STEMS.split()]),
    (0, lists.NOT_INSTRUMENTAL),
    (MAKE, lists.MAKE),
    (s.PAST_M | MAKE, lists.MAKE_M),
    (s.PAST_F | MAKE, lists.MAKE_F),
    (REGARD, lists.REGARD),
    (s.VERB, "považuji považuju pokládám"),
    (s.PAST_M | REGARD, lists.REGARD_M),
    (s.PAST_F | REGARD, lists.REGARD_F),
    (OBJECT, lists.OBJECT),
    (WHO, lists.WHO),
    (0, lists.NOUNS_L + lists.NOUNS_LA + lists.NOUNS_SHORT + lists.NOT_ADJECTIVE),
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
