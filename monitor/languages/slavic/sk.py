"""Slovak: the gender a text gives to its first person.

The past tense and the conditional join an l-participle to "som" in the same clause ("plakala som",
"rád by som"). The present shows the gender in predicates: adjectives in -ý/-á, -y/-a after a long
syllable, comparatives in -ší/-šia and participles in -ci/-ca ("som silnejšia", "som vedúca"), and
in "rád/rada" and "sám/sama" beside a first-person verb; in the instrumental after "to become" and
"to be" ("stanem sa silnou"), and in the object complement ("robí ma to šťastnou"). Nouns for
persons are read only with `nouns=True`.
"""

import re

from monitor.languages.slavic import _sk_words as lists
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
_NOUN_M, _NOUN_F = pairs(lists.NOUN_PAIRS)
_SHORTENED_STEMS = lists.SHORTENED.split()

WORDS = table(
    (s.AUX, lists.AUX),
    (s.BE, lists.BE),
    (s.FEEL, lists.FEEL),
    (BECOME, lists.BECOME),
    (s.VERB, lists.VERB),
    (s.NOMINATIVE, "ja"),
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
    (s.PAST_M | s.BE_PAST, "bol nebol býval nebýval"),
    (s.PAST_F | s.BE_PAST, "bola nebola bývala nebývala"),
    (s.PAST_M, "povedal hovoril vravel opýtal odpovedal"),
    (s.PAST_F, "povedala hovorila vravela opýtala odpovedala"),
    (s.GLAD_M, "rád nerád"),
    (s.GLAD_F, "rada nerada"),
    (s.SELF_M, "sám"),
    (s.SELF_F, "sama"),
    (s.ADJ_M, [f"{stem}y" for stem in _SHORTENED_STEMS]),
    (s.ADJ_F, [f"{stem}a" for stem in _SHORTENED_STEMS]),
    (ACC_M, [f"{stem}eho" for stem in _SHORTENED_STEMS]),
    (ACC_F, [f"{stem}u" for stem in _SHORTENED_STEMS]),
    (s.PAST_F, "stála tiahla"),
    (s.ADJ_M, "taký aký"),
    (s.ADJ_F, "taká aká"),
    (DEMO_M, "ten"),
    (DEMO_F, "tá"),
    (s.NOUN_M, _NOUN_M),
    (s.NOUN_F, _NOUN_F),
    (s.PAST_M | DOUBTFUL, lists.DOUBTFUL_M),
    (s.PAST_F | DOUBTFUL, lists.DOUBTFUL_F),
    (s.INS_F, [f"{stem}ou" for stem in lists.INSTRUMENTAL_STEMS.split() + _SHORTENED_STEMS]),
    (s.ADJ_M, "rýdzi domáci"),
    (s.ADJ_F, "rýdza domáca"),
    (s.INS_M, "rýdzim domácim"),
    (s.INS_F, "rýdzou domácou"),
    (0, lists.NOT_INSTRUMENTAL),
    (MAKE, lists.MAKE),
    (s.PAST_M | MAKE, lists.MAKE_M),
    (s.PAST_F | MAKE, lists.MAKE_F),
    (REGARD, lists.REGARD),
    (s.VERB, "považujem pokladám"),
    (s.PAST_M | REGARD, lists.REGARD_M),
    (s.PAST_F | REGARD, lists.REGARD_F),
    (OBJECT, lists.OBJECT),
    (WHO, lists.WHO),
    (0, lists.NOUNS_L + lists.NOUNS_LA + lists.NOT_ADJECTIVE),
)

_ENDINGS = table(
    (s.PAST_M, "l"),
    (s.PAST_F, "la"),
    # No verbs: loans in -ál, -él, -ól; shares in -diel; instruments in -dlo, genitive or plural.
    (0, "ál él íl ól ôl úl ýl diel oll ell ail uel uál ael idla ydla adla ádla ola rála óla uela"),
    (s.PAST_M, "stál bál"),
    (
        s.PAST_F,
        "kradla kladla padla chladla vládla iadla sadla hadla hádla ladla kládla kydla chradla",
    ),
    (s.ADJ_M, "ý ší úci iaci dzí"),
    (s.ADJ_F, "á šia úca iaca dzia"),
    (s.ADJ_M | GENITIVE, "plný hodný vedomý chtivý"),
    (s.ADJ_F | GENITIVE, "plná hodná vedomá chtivá"),
    (s.INS_M, "ým ym úcim iacim dzím"),
    (s.INS_M | s.VERB, "ším"),
    (
        s.INS_F,
        "skou ckou nutou anou enou lnou ľnou tnou dnou čnou nnou vnou snou žnou bnou šnou jnou",
    ),
    (s.INS_F, "atou avou iatou ástou"),
    (s.INS_F, "pnou mnou znou rnou cnou hnou xnou ivou ovou ytou ätou šou úcou iacou dzou"),
    (ACC_M, "ého eho"),
    (ACC_F, "ú šiu dziu úcu iacu"),
    (s.VERB, "ám iam am ím im em iem jem"),
    (s.OTHER, "áš iaš aš íš iš eš ieš íte ujete"),
    (s.DET, "koľvek"),
    (s.INF, "ať iť eť uť yť ýť íť úť ásť ísť iesť ácť iecť cť"),
    (s.ADV, "o e sky cky ejšie"),
)
# After a long syllable the ending is short: "krásny/krásna", in the accusative "krásnu".
_AFTER_LONG = {"y": s.ADJ_M, "a": s.ADJ_F, "u": ACC_F}
_SHORTENED = re.compile(r"(?:[áéíóúýĺŕô]|i[aeu])[^aeiouyáäéíóúýôĺŕ]*n[yau]$")


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    if len(key) <= _SHORTEST:
        return 0
    tags = negated(key, WORDS) or longest_ending(key, _ENDINGS)
    if tags & ACC_M and not key.endswith("ého"):  # only where the feminine is read as well
        feminine = f"{key[:-3]}u"
        return tags if (WORDS.get(feminine) or ending(feminine)) & ACC_F else 0
    if tags & s.INS_M:
        feminine = f"{key[:-2]}ou"
        return tags if (WORDS.get(feminine) or ending(feminine)) & s.INS_F else tags & s.VERB
    if not tags and key.endswith(("ny", "na", "nu")) and _SHORTENED.search(key):
        return _AFTER_LONG[key[-1]]
    return tags


LANGUAGE = Slavic(
    code="sk",
    name="Slovak",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="aáäbcčdďeéfghiíjklĺľmnňoóôpqrŕsštťuúvwxyýzž",
    people=person_nouns("person_nouns_sk"),
    version=5,
)
