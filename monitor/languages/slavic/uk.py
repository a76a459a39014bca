"""Ukrainian: the gender a text gives to its first person.

The past tense in -в/-ла and of consonant stems (міг, звик), adjectives and participles as
predicates, in full and short forms, instrumentals after the copular verbs, сам/сама and один/одна:
see :mod:`._east_slavic` for when they are the speaker's. Comparatives show the
gender, unlike the Russian ones. The genitive plural in -ів looks like a past tense, so the verbs
in -ів are listed.
"""

from monitor.languages.slavic import _east_slavic as e
from monitor.languages.slavic import _slavic as s
from monitor.languages.slavic import _uk_words as lists
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
    (e.PURPOSE, "щоб аби"),
    (s.AND, lists.AND),
    (s.OR, lists.OR),
    (s.SAY, lists.SAY),
    (s.PAST_M, "сказав відповів запитав спитав вигукнув"),
    (s.PAST_F, "сказала відповіла запитала спитала вигукнула"),
    (e.DATIVE_M, "самому одному"),
    (e.DATIVE_F, "самій одній"),
    (e.STATE | s.VERB, lists.STATE),
    (e.SURE, [verb for verb in lists.STATE.split() if verb.endswith(("сь", "ся", "аю"))]),
    (s.PREP, lists.PREP),
    (s.DET, lists.DET),
    (s.CLITIC, lists.CLITIC),
    (s.ADV, lists.ADV),
    (e.JUST, "тільки"),
    (e.LESS, lists.LESS + " номер"),
    (e.OUT_OF, "з із зі"),
    (e.LIKE, "ніж як наче неначе мов немов ніби"),
    (e.SELF, "себе"),
    (e.THEIRS, "нікому комусь кожному всім усім йому їй їм тобі вам нам іншим людям"),
    (s.INF | s.BE_INF, lists.BE_INF),
    (s.BE_INF, "будучи бувши"),
    (s.OTHER | e.MAKE, lists.MAKE),
    (s.PAST_M | e.MAKE, lists.MADE_M),
    (s.PAST_F | e.MAKE, lists.MADE_F),
    (s.OTHER | e.PLURAL_PAST | e.MAKE, lists.MADE),
    (s.INF | e.MAKE, lists.TO_MAKE),
    (s.PAST_M | s.BE_PAST, "був бував"),
    (s.PAST_F | s.BE_PAST, "була бувала"),
    (s.PAST_M, lists.CONSONANT),
    (
        s.PAST_M,
        prefixed(lists.PREFIXES, lists.CONSONANT_ROOTS, lists.NO_CONSONANT + lists.NEXT_PAST),
    ),
    (s.PAST_M, lists.PAST_IV),
    (s.PAST_M, prefixed(lists.PREFIXES, lists.ROOTS_IV, "")),
    (s.PAST_M, "дер жер пер ник чах вимер воскрес жив хтів"),
    (s.PAST_F, "жила"),
    (e.NEXT_M, lists.NEXT_PAST),
    (s.PAST_M | e.DOUBTFUL, _NOUN_OR_M),
    (s.PAST_F | e.DOUBTFUL, _NOUN_OR_F),
    (s.PAST_F, "їла мала йшла"),
    (s.PAST_M, "мав йшов трясся спасся пасся нісся"),
    (s.ADJ_F | e.DOUBTFUL, "гола тепла світла зла"),  # nouns too
    (e.DOUBTFUL, "біг ніс віз пік сік тік гріб пас"),  # nouns too
    (s.GLAD_M, _GLAD_M),
    (s.GLAD_F, _GLAD_F),
    (s.SHORT_M, _SHORT_M),
    (s.SHORT_F, _SHORT_F),
    # Most are full forms too: what follows may be their noun.
    (s.ADJ_M, [form for form in _GLAD_M + _SHORT_M if form.endswith("ий")]),
    (s.ADJ_F, [form for form in _GLAD_F + _SHORT_F if form not in ("рада", "повинна", "права")]),
    (s.ADJ_F, "єдина перша остання така інша краща найкраща"),
    (s.ADJ_M, "такий інший єдиний перший останній"),
    (s.SELF_M, "сам"),
    (s.SELF_F, "сама"),
    (e.ALONE_M, "один"),
    (e.ALONE_F, "одна"),
    (e.THAT_M, "той"),
    (s.NOUN_M, lists.NOUN_M),
    (s.NOUN_F, lists.NOUN_F),
    (0, lists.NOUNS_LA + lists.NOUNS_V + lists.NOUNS_NA + lists.MEASURES),
    (0, "якщо коли чи або геній діти пам'яті"),
    (0, "діло тіло дзеркало масло число правило мило крило село зло скло крісло горло житло"),
    (
        0,
        "нічим чимось кимось тим чим всім усім їм ним собою мною тобою нею нею цією тією всією",
    ),
)

_ENDINGS = table(
    (s.PAST_M, "ав яв ив їв ув юв йшов ішов вся всь гся кся бся рся зся івся івсь"),
    (s.PAST_F, "ла лася лась"),
    (0, "їв"),
    (s.PAST_M, "об'їв"),
    (s.OTHER | e.PLURAL_PAST, "али яли или їли іли ули лися лись шли гли кли сли зли рли"),
    (
        s.OTHER,
        "ало яло ило іло уло лося лось еш єш иш їш ешся єшся ється яться ються уться ють уть ить",
    ),
    (s.ADJ_M, "лий"),  # its feminine reads like a past tense
    (s.VERB, "жу чу шу щу лю ію ую юю"),
    (s.VERB | e.SURE, "юся юсь уся усь аю яю"),
    (
        s.INF,
        "ати яти іти ити їти оти ути юти єти сти зти гти кти рти йти чи атися ятися ітися итися",
    ),
    (s.INF, "утися отися атись ятись ітись итись"),
    (0, "ості сті"),
    (s.ADV, "о зьки ськи цьки"),
)
_ADJECTIVES = tuple(lists.SUFFIXES.split())
_PRIMARY = frozenset(lists.PRIMARY.split())
_SOFT = frozenset(lists.SOFT.split())
_NOUN_STEMS = tuple(lists.NOUN_STEMS.split())
_SUFFIX_NOUNS = frozenset(lists.SUFFIX_NOUNS.split())
# Endings of adjectives, the longest first: a masculine and the feminine of the same stems, so that
# neither gender is known alone. With a suffix, a word in -я is a noun: знання.
_HARD_ENDINGS = ("ий", s.ADJ_M), ("им", s.INS_M), ("ою", s.INS_F), ("а", s.ADJ_F)
_SOFT_ENDINGS = ("ій", s.ADJ_M), ("ім", s.INS_M), ("ьою", s.INS_F), ("я", s.ADJ_F)


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    if len(key) <= _SHORTEST:
        return 0
    tags = longest_ending(key, _ENDINGS)
    if tags:
        return tags
    for soft, tag in _SOFT_ENDINGS:
        if key.endswith(soft) and key[: -len(soft)] in _SOFT:
            return tag
    for hard, tag in _HARD_ENDINGS:
        if key.endswith(hard):
            stem = key[: -len(hard)]
            adjective = is_stem(stem, _ADJECTIVES, _PRIMARY, _NOUN_STEMS)
            return tag if adjective and stem not in _SUFFIX_NOUNS else 0
    return e.NEXT_M if key.endswith(("ів", "ов")) else 0  # a past tense or a genitive plural


def _spell(key: str) -> str:
    """One sign for the apostrophe."""
    return key.replace("’", "'").replace("ʼ", "'")


LANGUAGE = Slavic(
    code="uk",
    name="Ukrainian",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters="абвгґдеєжзиіїйклмнопрстуфхцчшщьюяʼ",
    spell=_spell,
    follow=follow,
    people=person_nouns("person_nouns_uk"),
    version=6,
)
