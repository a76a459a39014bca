"""Polish: the gender a text gives to its first person.

Past and conditional forms hold the person and the gender in one word ("zrobiłem/zrobiłam",
"chciałbym/chciałabym", "powinienem/powinnam"). The ending may move to a conjunction or a particle
("gdybym miała", "chętnie bym poszedł"), and the future joins "będę" to a past form ("będę mógł").
The present shows the gender in adjectives after "jestem", "czuję się" ("jestem zmęczony/a") and in
"sam/sama" beside a first-person verb, and in the object complement ("to czyni mnie słabą",
"uważają mnie za słabą"). A form in -ła may be an adjective as well as a past tense ("szczupła").
Nouns in -ł have an instrumental in -łem ("zespołem") and some verbs a present in -łam ("działam"):
these are known by their endings or listed. Nouns for persons are read only with
`nouns=True`.
"""

from functools import partial

from monitor.data import read_toml
from monitor.languages import _clauses as s
from monitor.languages._clauses import Clause, Rule, longest_ending, read_words
from monitor.languages.slavic._slavic import Slavic
from monitor.languages.slavic._slavic_people import SINGLE, person_nouns
from monitor.languages.slavic._slavic_west import is_name

SIE = s.FREE  # "się"
NEEDS_SIE = s.FREE << 1  # "czuję": with an adjective only beside "się"
MAKE = s.FREE << 2  # verbs with an object complement: "to czyni mnie szczęśliwą"
REGARD = s.FREE << 3  # verbs with "for": "uważają mnie za słabą"
LEAVE = s.FREE << 4  # verbs with an object and its state: "zostawili mnie samą"
BEING = s.FREE << 5  # the verbal noun of "to be": "boję się bycia słabą"
_DATA = read_toml("person_words_pl")
_CHAIN = 12  # words between the copula and its adjective

WORDS = read_words(_DATA["words"], vars(s) | globals())

_ENDINGS = read_words(_DATA["endings"], vars(s))
# Endings of attributes in the cases that follow prepositions.
_ATTRIBUTES = ("ej", "ego", "ych", "ich", "ym", "im", "ą")
_PRONOUNS = {"tym", "tego", "nim", "nią", "mną", "niej", "niego", "tej", "wszystkim", "niczym"}
_WITH_INSTRUMENTAL = {"z", "ze", "nad", "pod", "przed", "za", "między", "poza", "ponad"}
_THAN = {"jak", "niż"}
_LIKE = _THAN | {"jako", "niczym"}  # what follows compares
_FEW = 4
# A chain from the copula to its adjective: what may stand between.
_LINKS = s.ADV | s.CLITIC | s.ADJ_M | s.ADJ_F | s.ME | s.AND | s.SELF_M | s.SELF_F | s.NOMINATIVE


_NO_NOUN = (
    s.ADJ | s.PREP | s.ADV | s.CLITIC | s.INF | s.AND | s.DET | s.ME | s.SLASH | s.SELF_M
    | s.SELF_F | s.VERB | s.AUX | s.NOMINATIVE
)  # fmt: skip


def _verb(clause: Clause, i: int) -> bool:
    """Return whether a form in -łem is a verb: an instrumental follows its preposition."""
    governed = clause.tag(i - 1) & s.PREP and clause.key(i - 1) in _WITH_INSTRUMENTAL
    return not (clause.tags[i] & s.FUSED_M and governed)


def _participle(clause: Clause, i: int) -> bool:
    """Return whether a form in -ł or -ła goes with "będę", "gdybym"."""
    before = clause.tag(i - 1)
    return bool(before & s.CLITIC) or not before & (s.PREP | s.DET)


def _linked(clause: Clause, i: int, to: int) -> bool:
    """Return whether only adverbs, pronouns and adjectives stand between the i-th word and `to`.

    A prepositional phrase of two words may stand before the first adjective: "jestem w tym dobra".
    """
    phrase = False
    j = i - 1
    while j >= max(0, i - _CHAIN):
        tag = clause.tags[j]
        if tag & to:
            return True
        if clause.tag(j - 1) & s.PREP and not tag & s.ADJ:
            phrase = True
            j -= 1
        elif clause.tag(j - 2) & s.PREP and clause.tag(j - 1) & (s.DET | s.CLITIC):
            phrase = True
            j -= 2
        elif not tag & _LINKS or (phrase and tag & s.ADJ):
            return False
        j -= 1
    return False


def _in_phrase(clause: Clause, i: int) -> bool:
    """Return whether a preposition governs the i-th word; "za" also means "too"."""
    if clause.tag(i - 1) & s.PREP and clause.key(i - 1) != "za":
        return True
    before = clause.key(i - 1)
    if before in _PRONOUNS or not clause.tag(i - 2) & s.PREP:
        return False
    return before.endswith(_ATTRIBUTES)


def _predicative(clause: Clause, i: int) -> bool:
    """Return whether an adjective is the predicate of "jestem" or "czuję się"."""
    before = clause.tag(i - 1)
    if (
        _in_phrase(clause, i)
        or is_name(clause, i)
        or (clause.union & NEEDS_SIE and not clause.union & (SIE | s.BE))
        or clause.key(i - 1) in _THAN
        or (before & s.ADJ and not before & s.DET)
    ):
        return False
    return _before_copula(clause, i) or (
        _linked(clause, i, s.BE | s.FEEL) and _no_noun_follows(clause, i)
    )


def _before_copula(clause: Clause, i: int) -> bool:
    """As in "zmęczona jestem"; not "jak inne kobiety tutaj jestem"."""
    j = i + 1
    while clause.tag(j) & (s.ADV | s.CLITIC) and j < i + _FEW:
        j += 1
    return bool(clause.tag(j) & (s.BE | s.FEEL)) and not any(
        clause.key(k) in _LIKE for k in range(max(0, i - _CHAIN), i)
    )


def _no_noun_follows(clause: Clause, i: int) -> bool:
    """Not "jestem dobry chłopak": no noun in the nominative comes next."""
    after = clause.tag(i + 1)
    if after & SINGLE:
        return False
    if i + 1 >= len(clause.tags) or after & _NO_NOUN:
        return True
    key = clause.key(i + 1)
    if clause.tags[i] & s.ADJ_F:
        return not key.endswith(("a", "ść"))
    return key[-1:] in "aeiouyąęó" or key.endswith(("em", "im", "ym", "ich", "ych", "om", "ach"))


def _infinitive(clause: Clause, i: int) -> bool:
    """As in "muszę być ostrożna"."""
    return (
        not _in_phrase(clause, i) and _linked(clause, i, s.BE_INF) and _no_noun_follows(clause, i)
    )


def _adjective(clause: Clause, i: int) -> bool:
    """Return whether the i-th word is an oblique adjective, by its nominative, with no noun."""
    if i + 1 < len(clause.tags) and not clause.tag(i + 1) & _NO_NOUN:
        return False
    key = clause.key(i)
    known = clause.language.known
    if clause.tags[i] & s.INS_F:
        return bool(known(key[:-1] + "a") & s.ADJ_F)
    stem = key[:-3] if key.endswith("ego") else key[:-2]
    return bool((known(stem + "y") | known(stem + "i") | known(stem)) & s.ADJ_M)


def _complement(clause: Clause, i: int) -> bool:
    """As in "to czyni mnie szczęśliwą", "uważają mnie za słabą", "uważam się za słabą"."""
    accusative = clause.key(i).endswith(("ego", "ą"))
    j = i - 1
    while clause.tag(j) & s.ADV and clause.key(j) != "za" and i - j < _FEW:
        j -= 1
    if clause.key(j) == "za":
        if not clause.union & REGARD or not accusative:
            return False
        return bool(clause.union & (s.ME if not clause.union & s.VERB else s.ME | SIE)) and (
            _adjective(clause, i)
        )
    if not clause.union & MAKE or clause.key(i).endswith("ego") or clause.tag(i - 1) & s.PREP:
        return False
    return bool(clause.union & s.ME) and _adjective(clause, i)


def _left(clause: Clause, i: int) -> bool:
    """As in "zostawili mnie samą", "znaleźli mnie pijaną na ulicy"."""
    return (
        bool(clause.union & s.ME)
        and bool(clause.tag(i - 1) & (s.ME | s.ADV))
        and clause.key(i).endswith(("ego", "ą"))
        and (clause.key(i) in {"samego", "samą"} or _adjective(clause, i))
    )


def _being(clause: Clause, i: int) -> bool:
    """As in "boję się bycia słabą"."""
    return (
        bool(clause.union & s.FIRST)
        and not clause.key(i).endswith("ego")
        and _linked(clause, i, BEING)
        and _adjective(clause, i)
    )


def _hard_for_me(clause: Clause, i: int) -> bool:
    """As in "trudno mi być nową"."""
    return (
        not clause.key(i).endswith("ego")
        and not _in_phrase(clause, i)
        and _linked(clause, i, s.BE_INF)
        and _adjective(clause, i)
    )


def _alone(clause: Clause, i: int) -> bool:
    """Return whether "sam" is the speaker: not "taki sam", "ta sama", "tak samo"."""
    before = clause.tag(i - 1)
    if clause.key(i - 1) in {"tak", "nie"}:
        return False
    return bool(before & s.CLITIC) or not before & (s.DET | s.PREP)


RULES = (
    Rule("fused_past", s.FUSED_M, s.FUSED_F, 0, 0, _verb),
    Rule("aux_participle", s.PAST_M, s.PAST_F, s.AUX, s.OTHER, _participle),
    Rule("copula_adjective", s.ADJ_M, s.ADJ_F, s.BE | s.FEEL, s.OTHER, _predicative),
    Rule("infinitive", s.ADJ_M, s.ADJ_F, s.VERB | s.AUX | s.ME, s.OTHER, _infinitive),
    Rule("infinitive", s.INS_M, s.INS_F, s.ME, s.OTHER | s.VERB, _hard_for_me),
    Rule("complement", s.INS_M, s.INS_F, MAKE | REGARD, s.OTHER, _complement),
    Rule("left", s.INS_M, s.INS_F, LEAVE, s.OTHER, _left),
    Rule("being", s.INS_M, s.INS_F, BEING, s.OTHER, _being, weak=True),
    Rule("self", s.SELF_M, s.SELF_F, s.FIRST, s.OTHER, _alone),
)

LANGUAGE = Slavic(
    code="pl",
    name="Polish",
    words=WORDS,
    ending=partial(longest_ending, endings=_ENDINGS),
    rules=RULES,
    letters="aąbcćdeęfghijklłmnńoóprsśtuwyzźżqvxé",
    people=person_nouns("person_nouns_pl"),
    version=5,
)
