"""Czech: the gender a text gives to its first person.

The past tense and the conditional join an l-participle, which shows the gender, to an auxiliary of
the first person in the same clause ("plakala jsem", "rád bych"). The present shows it in
predicates: hard adjectives in -ý/-á, short ones and passive participles ("jsem unavená", "jsem si
vědom"), and in "rád/ráda" and "sám/sama" beside a first-person verb. Soft adjectives in -í and all
comparatives show nothing. Nouns for persons are read only with `nouns=True`.
"""

from monitor.languages import _cs_words as lists
from monitor.languages import _slavic as s
from monitor.languages._cs_people import PEOPLE
from monitor.languages._slavic import Slavic, longest_ending, table
from monitor.languages._slavic_west import BECOME, DEMO_F, DEMO_M, GENITIVE, RULES, pairs

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
    (s.PAST_M, "řekl říkal pravil zeptal odpověděl"),
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
    (0, lists.NOUNS_L + lists.NOUNS_LA + lists.NOUNS_SHORT + lists.NOT_ADJECTIVE),
)


_ENDINGS = table(
    (s.PAST_M, "l"),
    (s.PAST_F, "la"),
    # No verbs: agents in -tel, loans in -ál, -ól; instruments in -dlo, genitive or plural.
    (0, "tel del íl ůl ól úl ýl ál oll ell idla ydla adla ádla"),
    (s.PAST_M, "hrál smál bál stál přál hřál vál lál"),
    (s.PAST_F, "kradla kladla padla chladla vládla ládla"),
    (s.ADJ_M, "ý"),
    (s.ADJ_F, "á"),
    (s.ADJ_M | GENITIVE, "plný znalý hodný vědomý chtivý"),
    (s.ADJ_F | GENITIVE, "plná znalá hodná vědomá chtivá"),
    (s.INS_M, "ým"),
    (s.INS_F, "livou nutou vanou telnou stnou čnou ckou"),
    (s.VERB, "ám ím uji uju"),
    (s.OTHER, "áš íš eš íte ujete"),
    (s.DET, "koli koliv"),
    (s.SHORT_M, "en án nut jat"),
    (s.SHORT_F, "ena ána nuta jata"),
    (s.INF, "at it et ět ýt ít out ci ást éct íst ést"),
    (s.ADV, "ě cky sky ěji eji"),
)


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    return longest_ending(key, _ENDINGS) if len(key) > _SHORTEST else 0


LANGUAGE = Slavic(
    code="cs",
    name="Czech",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="aábcčdďeéěfghiíjklmnňoópqrřsštťuúůvwxyýzž",
    people=PEOPLE,
    version=2,
)
