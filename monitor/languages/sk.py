"""Slovak: the gender a text gives to its first person.

The past tense and the conditional join an l-participle to "som" in the same clause ("plakala som",
"rád by som"). The present shows the gender in predicates: adjectives in -ý/-á, -y/-a after a long
syllable, comparatives in -ší/-šia and participles in -ci/-ca ("som silnejšia", "som vedúca"),
and in "rád/rada" and "sám/sama" beside a first-person verb. Nouns for persons are read only with
`nouns=True`.
"""

import re

from monitor.languages import _sk_words as lists
from monitor.languages import _slavic as s
from monitor.languages._sk_people import PEOPLE
from monitor.languages._slavic import Slavic, longest_ending, table
from monitor.languages._slavic_west import BECOME, DEMO_F, DEMO_M, GENITIVE, RULES, pairs

_SHORTEST = 2  # no ending can be told from so little
_NOUN_M, _NOUN_F = pairs(lists.NOUN_PAIRS)

WORDS = table(
    (s.AUX, lists.AUX),
    (s.BE, lists.BE),
    (s.FEEL, lists.FEEL),
    (BECOME, lists.BECOME),
    (s.VERB, lists.VERB),
    (s.NOMINATIVE, "ja"),
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
    (s.PAST_M | s.BE_PAST, "bol nebol býval nebýval"),
    (s.PAST_F | s.BE_PAST, "bola nebola bývala nebývala"),
    (s.PAST_M, "povedal hovoril vravel opýtal odpovedal"),
    (s.PAST_F, "povedala hovorila vravela opýtala odpovedala"),
    (s.GLAD_M, "rád nerád"),
    (s.GLAD_F, "rada nerada"),
    (s.SELF_M, "sám"),
    (s.SELF_F, "sama"),
    (s.ADJ_M, lists.SHORTENED_M),
    (s.ADJ_F, lists.SHORTENED_F),
    (s.ADJ_M, "taký aký"),
    (s.ADJ_F, "taká aká"),
    (DEMO_M, "ten"),
    (DEMO_F, "tá"),
    (s.NOUN_M, _NOUN_M),
    (s.NOUN_F, _NOUN_F),
    (0, lists.NOUNS_L + lists.NOUNS_LA + lists.NOT_ADJECTIVE),
)

_ENDINGS = table(
    (s.PAST_M, "l"),
    (s.PAST_F, "la"),
    # No verbs: loans in -ál, -él, -ól; shares in -diel; instruments in -dlo, genitive or plural.
    (0, "ál él íl ól ôl úl ýl diel del oll ell idla ydla adla ádla"),
    (s.PAST_M, "stál bál videl vedel sedel závidel nenávidel"),
    (s.PAST_F, "kradla kladla padla chladla vládla iadla sadla"),
    (s.ADJ_M, "ý ší úci iaci dzí"),
    (s.ADJ_F, "á šia úca iaca dzia"),
    (s.ADJ_M | GENITIVE, "plný hodný vedomý chtivý"),
    (s.ADJ_F | GENITIVE, "plná hodná vedomá chtivá"),
    (s.INS_M, "ým"),
    (s.INS_F, "livou nutou vanou telnou stnou čnou ckou"),
    (s.VERB, "ám iam am ím im em iem jem"),
    (s.OTHER, "áš iaš aš íš iš eš ieš íte ujete"),
    (s.DET, "koľvek"),
    (s.INF, "ať iť eť uť yť ýť íť úť ásť iesť ácť iecť cť"),
    (s.ADV, "o e sky cky ejšie"),
)
# After a long syllable the ending is short: "krásny/krásna".
_SHORTENED = re.compile(r"(?:[áéíóúýĺŕô]|i[aeu])[^aeiouyáäéíóúýôĺŕ]*n[ya]$")


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    if len(key) <= _SHORTEST:
        return 0
    tags = longest_ending(key, _ENDINGS)
    if not tags and key.endswith(("ny", "na")) and _SHORTENED.search(key):
        return s.ADJ_M if key.endswith("y") else s.ADJ_F
    return tags


LANGUAGE = Slavic(
    code="sk",
    name="Slovak",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="aáäbcčdďeéfghiíjklĺľmnňoóôpqrŕsštťuúvwxyýzž",
    people=PEOPLE,
    version=2,
)
