"""Tests that Czech and Slovak share: whether a word that could show the gender does."""

from monitor.languages import _slavic as s
from monitor.languages._slavic import Clause
from monitor.languages._slavic_people import SINGLE

BECOME = s.FREE  # verbs with an instrumental predicate
GENITIVE = s.FREE << 1  # "full of": an adjective that takes a genitive
DEMO_M, DEMO_F = s.FREE << 2, s.FREE << 3  # ten, ta
_FEW = 20
_NOT_PREP = {"se", "po"}
_NOT_BEFORE_ALONE = {"sebe", "seba", "taková", "takový", "taká", "taký", "tá", "jedna"}
_THIRD = {"je", "není", "by", "která", "který", "ktorá", "ktorý"}
_THAN = {"jako", "ako", "než"}
_VOWELS = "aeiouyáéíóúůýě"
_NO_NOUN = (
    s.PREP | s.ADV | s.CLITIC | s.INF | s.AND | s.AUX | s.BE | s.FEEL | s.VERB | s.ADJ | s.DET
    | s.SELF_M | s.SELF_F | s.SLASH | s.OTHER | s.ME | s.PAST | s.BE_INF | s.INS_M
    | s.NOMINATIVE
)  # fmt: skip
# A noun in one of these cases does not agree with an adjective in the nominative.
_OBLIQUE = (
    "em",
    "om",
    "ým",
    "ym",
    "ím",
    "im",
    "ej",
    "ého",
    "ých",
    "ích",
    "ům",
    "ách",
    "och",
    "ami",
    "mi",
)
_NOMINATIVE_F = ("a", "e", "ě", "st", "sť", "í")
_NOMINATIVE_M = ("a", "ce", "í")  # hrdina, vůdce, vodca


def pairs(text: str) -> tuple[list[str], list[str]]:
    """The left and the right halves of words written "masculine/feminine"."""
    found = [pair.split("/") for pair in text.split()]
    return [m for m, _ in found], [f for _, f in found]


def after_preposition(clause: Clause, i: int) -> bool:
    """Whether a preposition stands before the i-th word; "se" is a pronoun more often."""
    return bool(clause.tag(i - 1) & s.PREP) and clause.key(i - 1) not in _NOT_PREP


def is_participle(clause: Clause, i: int) -> bool:
    """No noun: not after a preposition ("na manžela"), nor one that contradicts the participle.

    All participles of a clause agree. Where two words do not, the one beside the auxiliary is a
    participle and the other a noun: "vyměnil jsem prostěradla".
    """
    if after_preposition(clause, i) or _compared(clause):
        return False
    if not (clause.union & s.PAST_M and clause.union & s.PAST_F):
        return True
    if (clause.tag(i - 1) | clause.tag(i + 1)) & (s.SLASH | s.OR):
        return True  # "byl/byla": alternatives
    return _beside(clause, i) or not any(
        _beside(clause, j) for j in range(min(len(clause.tags), _FEW)) if clause.tags[j] & s.PAST
    )


def _beside(clause: Clause, i: int) -> bool:
    """Whether an auxiliary stands next to the i-th word, or only clitics between them."""
    if clause.tag(i + 1) & (s.AUX | s.NOMINATIVE):
        return True
    j = i - 1
    while clause.tag(j) & s.CLITIC and i - j < _FEW:
        j -= 1
    return bool(clause.tag(j) & (s.AUX | s.NOMINATIVE))


def _compared(clause: Clause) -> bool:
    """Whether the pronoun only ends a comparison: "můj partner vydělal víc než já"."""
    if clause.union & s.AUX or not clause.union & s.NOMINATIVE:
        return False
    last = len(clause.tags) - 1
    return bool(clause.tags[last] & s.NOMINATIVE) and clause.key(last - 1) in _THAN


def predicative(clause: Clause, i: int) -> bool:
    """Whether an adjective stands alone rather than with a noun: not "jsem dobrý kuchař"."""
    after = clause.tag(i + 1)
    if after_preposition(clause, i) or after & SINGLE:
        return False
    if i + 1 >= len(clause.tags) or after & _NO_NOUN or clause.tags[i] & GENITIVE:
        return True
    key = clause.key(i + 1)
    if key.endswith(_OBLIQUE):
        return True
    if clause.tags[i] & s.ADJ_F:
        return not key.endswith(_NOMINATIVE_F)
    return key[-1:] in _VOWELS and not key.endswith(_NOMINATIVE_M)


def glad(clause: Clause, i: int) -> bool:
    """Whether "rád" goes with a first-person verb; after a determiner "rada" is advice."""
    if clause.tag(i - 1) & (s.DET | s.ADJ) or after_preposition(clause, i):
        return False
    if clause.union & s.FIRST:
        return True
    # An unlisted verb in -u, unless the clause has a third person: "která je ráda doma".
    keys = {clause.key(j) for j in range(max(0, i - 2), i + 3)}
    return not keys & _THIRD and any(clause.key(j).endswith("u") for j in (i - 1, i + 1))


def alone(clause: Clause, i: int) -> bool:
    """Whether "sama" is the speaker: not "ta sama", nor the masculine genitive "sebe sama"."""
    before = clause.key(i - 1)
    return not clause.tag(i - 1) & (DEMO_M | DEMO_F) and before not in _NOT_BEFORE_ALONE


def infinitive(clause: Clause, i: int) -> bool:
    """As in "musím být opatrná", "je pro mě těžké být sám": after "to be"."""
    return clause.near_before(i, s.BE_INF) and predicative(clause, i)


def depictive(clause: Clause, i: int) -> bool:
    """As in "chodím domů vždy unavená": the last word, after an adverb or a verb."""
    before = clause.tag(i - 1)
    if i + 1 < len(clause.tags) or clause.key(i - 1) in _THAN:
        return False
    return bool(before & (s.ADV | s.VERB | s.INF))


def the_one(clause: Clause, i: int) -> bool:
    """As in "jsem ta, která ...", "jsem ten nejlepší": no noun follows."""
    if clause.near_before(i, s.PREP) or not clause.near_before(i, s.BE):
        return False
    after = clause.key(i + 1)
    return not after or (i + 2 >= len(clause.tags) and after.endswith(("í", "ý", "á", "ia", "ci")))


_BE = s.BE | s.FEEL
_CONTROL = s.VERB | s.AUX | s.ME
_BARS = s.OTHER | s.PAST
RULES = (
    s.Rule("aux_participle", s.PAST_M, s.PAST_F, s.AUX, s.OTHER, is_participle),
    s.Rule("pronoun_participle", s.PAST_M, s.PAST_F, s.NOMINATIVE, s.AUX | s.OTHER, is_participle),
    s.Rule("glad", s.GLAD_M, s.GLAD_F, 0, s.OTHER, glad),
    s.Rule("self", s.SELF_M, s.SELF_F, s.FIRST, s.OTHER, alone),
    s.Rule("copula_adjective", s.ADJ_M, s.ADJ_F, _BE, _BARS, predicative),
    s.Rule("copula_short", s.SHORT_M, s.SHORT_F, _BE, _BARS, predicative),
    s.Rule("become", s.INS_M, s.INS_F, BECOME, _BARS, predicative),
    s.Rule("infinitive", s.ADJ_M, s.ADJ_F, _CONTROL, s.OTHER, infinitive),
    s.Rule("infinitive", s.SHORT_M, s.SHORT_F, _CONTROL, s.OTHER, infinitive),
    s.Rule("infinitive", s.INS_M, s.INS_F, _CONTROL, s.OTHER, infinitive),
    s.Rule("infinitive", s.SELF_M, s.SELF_F, s.ME, s.OTHER, infinitive),
    s.Rule("demonstrative", DEMO_M, DEMO_F, s.BE, _BARS, the_one),
    s.Rule("depictive", s.ADJ_M, s.ADJ_F, s.VERB, _BARS, depictive, weak=True),
)
