"""Belarusian: the gender a text gives to its first person.

The past tense in -ў/-ла and of consonant stems (мог, прывык), adjectives and participles as
predicates, instrumentals after the copular verbs, сам/сама and адзін/адна: see
:mod:`._east_slavic` for when they are the speaker's. The neuter past may end in
-ла too, so without "I" as the subject it is not read; -аў and -яў are also genitive plurals.
"""

from monitor.languages.slavic import _be_words as lists
from monitor.languages.slavic import _east_slavic as e
from monitor.languages.slavic import _slavic as s
from monitor.languages.slavic._east_slavic import RULES, follow, is_stem, pairs, prefixed
from monitor.languages.slavic._slavic import Slavic, longest_ending, table
from monitor.languages.slavic._slavic_people import person_nouns

_SHORTEST = 2  # no ending can be told from so little
_SHORT_M, _SHORT_F = pairs(lists.SHORT_PAIRS)
_GLAD_M, _GLAD_F = pairs(lists.GLAD_PAIRS)
_NOUN_OR_M, _NOUN_OR_F = pairs(lists.PAST_OR_NOUN)

WORDS = table(
    (s.NOMINATIVE, "я"),
    (s.BE, lists.BE),
    (s.FEEL, lists.FEEL),
    (s.VERB, lists.VERB),
    (s.VERB | e.SURE, lists.SURE),
    (s.OTHER, lists.OTHER),
    (s.ME, lists.ME),
    (s.CUT, lists.CUT),
    (e.RELATIVE, lists.RELATIVE),
    (e.PURPOSE, "каб"),
    (s.AND, lists.AND),
    (s.OR, lists.OR),
    (s.SAY, lists.SAY),
    (s.PAST_M, "сказаў адказаў спытаў запытаў усклікнуў"),
    (s.PAST_F, "сказала адказала спытала запытала усклікнула"),
    (e.DATIVE_M, "самому аднаму"),
    (e.DATIVE_F, "самой адной"),
    (s.INS_F, "самой"),
    (e.STATE | s.VERB, lists.STATE),
    (e.SURE, [verb for verb in lists.STATE.split() if verb.endswith(("сь", "ся", "аю"))]),
    (s.PREP, lists.PREP),
    (s.DET, lists.DET),
    (s.CLITIC, lists.CLITIC),
    (s.ADV, lists.ADV),
    (e.JUST, "толькі раз"),
    (e.LESS, lists.LESS + " нумар"),
    (e.OUT_OF, "з са"),
    (e.LIKE, "чым як нібы быццам"),
    (e.SELF, "сябе"),
    (e.THEIRS, "нікому камусьці кожнаму ўсім усім яму ёй ім табе вам нам іншым людзям"),
    (s.INF | s.BE_INF, lists.BE_INF),
    (s.BE_INF, "будучы"),
    (s.OTHER | e.MAKE, lists.MAKE),
    (s.PAST_M | e.MAKE, lists.MADE_M),
    (s.PAST_F | e.MAKE, lists.MADE_F),
    (s.OTHER | e.PLURAL_PAST | e.MAKE, lists.MADE),
    (s.INF | e.MAKE, lists.TO_MAKE),
    (s.PAST_M | s.BE_PAST, "быў бываў"),
    (s.PAST_F | s.BE_PAST, "была бывала"),
    (s.PAST_M, lists.CONSONANT),
    (
        s.PAST_M,
        prefixed(lists.PREFIXES, lists.CONSONANT_ROOTS, lists.NO_CONSONANT + lists.NEXT_PAST),
    ),
    (e.NEXT_M, lists.NEXT_PAST),
    (s.PAST_M | e.DOUBTFUL, _NOUN_OR_M),
    (s.PAST_F | e.DOUBTFUL, _NOUN_OR_F),
    (s.PAST_F | s.OTHER, lists.IMPERSONAL),
    (s.PAST_M, "еў піў жыў меў ішоў вёў"),
    (s.PAST_F, "ела мела ішла стала"),
    (e.DOUBTFUL, "бег лез пас гас сек рос"),  # nouns too
    (s.GLAD_M, _GLAD_M),
    (s.GLAD_F, _GLAD_F),
    (s.SHORT_M | e.DOUBTFUL, _SHORT_M),
    (s.SHORT_F | e.DOUBTFUL, _SHORT_F),
    (e.DOUBTFUL, "упэўнен ўпэўнен упэўнена ўпэўнена"),
    (s.ADV, "мала нямала памалу"),
    (s.ADJ_M, "такі іншы адзіны першы апошні"),
    (s.ADJ_F, "такая іншая адзіная першая апошняя"),
    (s.SELF_M, "сам"),
    (s.SELF_F, "сама"),
    (e.ALONE_M, "адзін"),
    (e.ALONE_F, "адна"),
    (e.THAT_M, "той"),
    (e.THAT_F, "тая"),
    (s.NOUN_M, lists.NOUN_M),
    (s.NOUN_F, lists.NOUN_F),
    (0, lists.NOUNS_LA + lists.NOUNS_U),
    (0, "калі ці або дзеці колькі столькі"),
    (
        0,
        "нічым чымсьці кімсьці тым чым усім ўсім ім яе мной табой сабой ёй ёю якой гэтай той аднай",
    ),
)

_ENDINGS = table(
    (s.PAST_M, "іў ыў еў эў уў йшоў ышоў ўся вёў плёў мёў цвёў"),
    (s.PAST_M | e.DOUBTFUL, "аў яў"),
    (s.PAST_M, "гся кся бся рся сся зся"),
    (s.PAST_F, "ла лася"),
    (s.PAST_F | e.DOUBTFUL, "ала яла"),
    (s.OTHER | e.PLURAL_PAST, "алі ялі ілі ылі елі улі элі лі ліся"),
    (s.OTHER, "еш эш іш ыш ешся ецца ацца ыцца юцца уцца юць уць ае яе уе"),
    (s.VERB, "жу чу шу лю аю яю ую юю ею"),
    (s.VERB | e.SURE, "юся уся аю яю"),
    (s.INF, "аць яць іць ыць ець эць уць оць сці зці чы ацца яцца іцца ыцца ецца уцца"),
    (s.ADV, "йна льна ічна ычна енна анна йска нска льска цка"),
    (e.OBLIQUE, "ыя ія ага яга ыга"),
)
_ADJECTIVES = tuple(lists.SUFFIXES.split())
_PRIMARY = frozenset(lists.PRIMARY.split())
_SOFT = frozenset(lists.SOFT.split())
_NOUN_STEMS = ("ін", "ын")
_SUFFIX_NOUNS = frozenset(lists.SUFFIX_NOUNS.split())
# Before -аю, which is rather a verb's ending, only what no verb ends in.
_LONG = tuple("лів льн йн чн жн сн дн тн рн вн".split())
# Endings of adjectives: a masculine and the feminine of the same stems, so that neither gender is
# known alone. After к, г and х the masculine has those of the soft stems.
_HARD_ENDINGS = {
    "ы": s.ADJ_M, "ая": s.ADJ_F, "ым": s.INS_M, "ай": s.INS_F, "ой": s.INS_F, "ою": s.INS_F,
}  # fmt: skip
_SOFT_ENDINGS = {"і": s.ADJ_M, "яя": s.ADJ_F, "ім": s.INS_M, "яй": s.INS_F, "яю": s.INS_F}
_VELARS = frozenset("кгх")


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    if len(key) <= _SHORTEST:
        return 0
    if key.endswith("аю") and is_stem(key[:-2], _LONG, _PRIMARY, _NOUN_STEMS):
        return s.INS_F  # otherwise a verb: думаю
    if key.endswith("чы") and key[:-1] in _PRIMARY:
        return s.ADJ_M  # otherwise an infinitive: магчы
    tags = longest_ending(key, _ENDINGS)
    if tags and not tags & e.OBLIQUE:
        return tags
    tags = _adjective(key) or tags
    return e.NEXT_M if not tags and key.endswith("оў") else tags


def _adjective(key: str) -> int:
    """Tags of an adjective in the nominative or the instrumental."""
    for size in (2, 1):
        stem, shape = key[:-size], key[-size:]
        if shape in _HARD_ENDINGS and stem not in _SUFFIX_NOUNS:
            if is_stem(stem, _ADJECTIVES, _PRIMARY, _NOUN_STEMS):
                return _HARD_ENDINGS[shape]
        elif shape in _SOFT_ENDINGS:
            velar = stem[-1] in _VELARS and is_stem(stem, _ADJECTIVES, _PRIMARY, _NOUN_STEMS)
            if stem in _SOFT or (velar and stem not in _SUFFIX_NOUNS):
                return _SOFT_ENDINGS[shape]
    return e.OBLIQUE if key.endswith(("ая", "яя")) else 0


def _spell(key: str) -> str:
    """One sign for the apostrophe."""
    return key.replace("’", "'").replace("ʼ", "'")


LANGUAGE = Slavic(
    code="be",
    name="Belarusian",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="абвгдеёжзійклмнопрстуўфхцчшыьэюяʼ",
    spell=_spell,
    follow=follow,
    people=person_nouns("person_nouns_be"),
    version=6,
)
