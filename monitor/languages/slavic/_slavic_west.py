"""Tests that Czech and Slovak share: whether a word that could show the gender does."""

from collections.abc import Mapping

from monitor.languages import _clauses as s
from monitor.languages._clauses import Clause, Rule
from monitor.languages.slavic._slavic_people import SINGLE

BECOME = s.FREE  # verbs with an instrumental predicate
GENITIVE = s.FREE << 1  # "full of": an adjective that takes a genitive
DEMO_M, DEMO_F = s.FREE << 2, s.FREE << 3  # ten, ta
DOUBTFUL = s.FREE << 4  # participles that are nouns too: jedla, vila
MAKE = s.FREE << 5  # verbs with an object complement: "dělá mě to šťastnou"
OBJECT = s.FREE << 6  # "me" in the accusative
WHO = s.FREE << 7  # a relative pronoun that may be the subject: který, která
REGARD = s.FREE << 8  # verbs with an object and "for": "považují mě za slabou"
ACC_M, ACC_F = s.FREE << 9, s.FREE << 10  # adjectives in the accusative
_FEW = 20
_SHOWN = s.PAST | s.ADJ | s.INS_M | s.INS_F | s.SHORT_M | s.SHORT_F
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
_OBLIQUE = tuple("em om ým ym ím im ej ého ých ích ům ách och ami mi".split())
# Endings of attributes and of nouns that agree with an adjective in the instrumental.
_ATTRIBUTE = ("ého", "eho", "ích", "ých", "ych")
_INS_M = ("em", "om", "ím", "ým", "ym", "ou")
_INS_F = ("ou", "í")
_NOMINATIVE_F = ("a", "e", "ě", "st", "sť", "í")
_NOMINATIVE_M = ("a", "ce", "í")  # hrdina, vůdce, vodca


def negated(key: str, words: Mapping[str, int]) -> int:
    """Tags of "nemúdrou" from those of "múdrou"; 0 if the word without "ne" shows no gender."""
    tags = words.get(key[2:], 0) if key.startswith("ne") else 0
    return tags if tags & _SHOWN else 0


def after_preposition(clause: Clause, i: int) -> bool:
    """Return whether a preposition stands before the i-th word; "se" is a pronoun more often."""
    return bool(clause.tag(i - 1) & s.PREP) and clause.key(i - 1) not in _NOT_PREP


def is_participle(clause: Clause, i: int) -> bool:
    """No noun: not after a preposition ("na manžela"), nor one that contradicts the participle.

    All participles of a clause agree. Where two words do not, the one beside the auxiliary is a
    participle and the other a noun: "vyměnil jsem prostěradla".
    """
    if after_preposition(clause, i) or is_name(clause, i) or _compared(clause):
        return False
    if clause.tags[i] & DOUBTFUL and not _no_noun(clause, i):
        return False
    if not (clause.union & s.PAST_M and clause.union & s.PAST_F):
        return True
    around = clause.tags[max(0, i - _FEW) : i + _FEW]
    if not any(_contradicts(clause, i, tag) for tag in around):
        return True
    if (clause.tag(i - 1) | clause.tag(i + 1)) & (s.SLASH | s.OR):
        return True  # "byl/byla": alternatives
    return _beside(clause, i) or not any(
        _beside(clause, j)
        for j in range(min(len(clause.tags), _FEW))
        if _contradicts(clause, i, clause.tags[j])
    )


def _contradicts(clause: Clause, i: int, tag: int) -> bool:
    """Return whether `tag` is that of a participle in the other gender than the i-th word."""
    other = s.PAST_F if clause.tags[i] & s.PAST_M else s.PAST_M
    return bool(tag & other) and not tag & DOUBTFUL


def _no_noun(clause: Clause, i: int) -> bool:
    """Return whether a word that is a noun too is the participle.

    As in "jedla som", not "kus jedla som zjedol".

    It stands beside the auxiliary or after its adverbs, nothing belongs to it as to a noun, and no
    other participle of the clause could be the verb.
    """
    before = clause.tag(i - 1)
    if before & (s.ADJ | s.INS_M | s.INS_F) or (before & s.DET and not before & s.CLITIC):
        return False
    if clause.key(i - 1).endswith(_ATTRIBUTE) and not before & (s.CLITIC | s.AUX):
        return False
    if any(tag & s.PAST for j, tag in enumerate(clause.tags[:_FEW]) if j != i):
        return False
    if _beside(clause, i):
        return True
    j = clause.past(i - 1, -1, s.CLITIC | s.ADV | s.ME)
    return bool(clause.tag(j) & (s.AUX | s.NOMINATIVE))


def is_name(clause: Clause, i: int) -> bool:
    """Return whether a word has a capital that no sentence gives it: "jsem Pavel"."""
    token = clause.at[i]
    if not token or not clause.surfaces[token].istitle():
        return False
    if clause.tag(i + 1) & s.AUX and not clause.tag(i - 1) & (s.AUX | s.CLITIC | s.PREP):
        return False  # a sentence after an emoji: "Ahoj 🙂 Byla jsem tam"
    before = clause.surfaces[token - 1]
    return not clause.language.known(before) & (s.PUNCTUATION | s.SLASH) and not before.isupper()


def _beside(clause: Clause, i: int) -> bool:
    """Return whether an auxiliary stands next to the i-th word, or only clitics between them."""
    places = (clause.past(i + step, step, s.CLITIC) for step in (1, -1))
    return any(clause.tag(j) & (s.AUX | s.NOMINATIVE) for j in places)


def _compared(clause: Clause) -> bool:
    """Return whether the pronoun only ends a comparison: "můj partner vydělal víc než já"."""
    if clause.union & s.AUX or not clause.union & s.NOMINATIVE:
        return False
    last = len(clause.tags) - 1
    return bool(clause.tags[last] & s.NOMINATIVE) and clause.key(last - 1) in _THAN


def predicative(clause: Clause, i: int) -> bool:
    """Return whether an adjective stands alone rather than with a noun: not "jsem dobrý kuchař"."""
    after = clause.tag(i + 1)
    if after_preposition(clause, i) or after & SINGLE or is_name(clause, i):
        return False
    if i + 1 >= len(clause.tags) or after & _NO_NOUN or clause.tags[i] & GENITIVE:
        return True
    key = clause.key(i + 1)
    if key.endswith(_OBLIQUE):
        return True
    if clause.tags[i] & s.ADJ_F:
        return not key.endswith(_NOMINATIVE_F)
    return key[-1:] in _VOWELS and not key.endswith(_NOMINATIVE_M)


def like_a_participle(clause: Clause, i: int) -> bool:
    """Return whether an adjective that looks like a participle is one: "cítim sa stála"."""
    if not clause.tags[i] & s.PAST or not predicative(clause, i):
        return False
    return not any(tag & s.PAST for j, tag in enumerate(clause.tags[:_FEW]) if j != i)


def instrumental(clause: Clause, i: int) -> bool:
    """Return whether an instrumental stands alone: not "stanu se dobrou učitelkou"."""
    if after_preposition(clause, i) or is_name(clause, i):
        return False
    same = clause.tags[i] & s.INS
    j = clause.past(i + 1, 1, s.AND | s.ADV | same)  # "silným a přísným šéfem"
    after = clause.tag(j)
    if after & SINGLE:
        return False
    if j >= len(clause.tags) or after & _NO_NOUN & ~s.VERB or clause.tags[i] & GENITIVE:
        return True
    return not clause.key(j).endswith(_INS_M if same & s.INS_M else _INS_F)


def infinitive_instrumental(clause: Clause, i: int) -> bool:
    """As in "chci být silnou"."""
    return clause.near_before(i, s.BE_INF) and instrumental(clause, i)


def complement(clause: Clause, i: int) -> bool:
    """As in "dělá mě to šťastnou", "považují mě za slabou": the verb has "me" for its object."""
    if is_name(clause, i):
        return False
    if not clause.union & OBJECT:
        j = next((j for j, tag in enumerate(clause.tags[:_FEW]) if tag & REGARD), 0)
        if not (clause.tag(j) & s.VERB and clause.union & s.CLITIC and _reflexive(clause, j)):
            return False
    elif clause.union & MAKE and not clause.tag(i - 1) & s.PREP:
        return _nothing_agrees(clause, i)
    return bool(
        clause.union & REGARD
        and clause.key(clause.past(i - 1, -1, s.ADV)) == "za"
        and clause.tags[i] & (ACC_M | ACC_F)
        and _nothing_agrees(clause, i)
    )


def _reflexive(clause: Clause, i: int) -> bool:
    """Return whether the verb at `i` has the speaker for its object: "považuji se za slabou"."""
    return bool({clause.key(i - 1), clause.key(i + 1)} & {"se", "sa"})


def _nothing_agrees(clause: Clause, i: int) -> bool:
    """Return whether no noun can follow the i-th word."""
    return i + 1 >= len(clause.tags) or bool(clause.tag(i + 1) & _NO_NOUN)


def _of_who(clause: Clause, i: int) -> bool:
    """Return whether a relative pronoun is the subject of "rád", "sám".

    As in "bratr, který rád pomáhá ženám".

    It is not where "I" is in the clause, or where a verb stands that is in the first person, as in
    "dům, který mám rád".
    """
    if not clause.tag(0) & WHO or clause.union & (s.AUX | s.NOMINATIVE):
        return False
    j = clause.past(i + 1, 1, s.CLITIC)
    return not (clause.tag(j) & s.FIRST or clause.near_before(i, s.FIRST))


def glad(clause: Clause, i: int) -> bool:
    """Return whether "rád" goes with a first-person verb; after a determiner "rada" is advice."""
    before = clause.tag(i - 1)
    if before & s.ADJ or (before & s.DET and not before & s.CLITIC):
        return False
    if after_preposition(clause, i) or _of_who(clause, i):
        return False
    if clause.union & s.FIRST:
        return True
    # An unlisted verb in -u, unless the clause has a third person: "která je ráda doma".
    keys = {clause.key(j) for j in range(max(0, i - 2), i + 3)}
    return not keys & _THIRD and any(clause.key(j).endswith("u") for j in (i - 1, i + 1))


def alone(clause: Clause, i: int) -> bool:
    """Return whether "sama" is the speaker: not "ta sama", nor the genitive "sebe sama"."""
    before = clause.key(i - 1)
    if _of_who(clause, i):
        return False
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
    Rule("aux_participle", s.PAST_M, s.PAST_F, s.AUX, s.OTHER, is_participle),
    Rule("pronoun_participle", s.PAST_M, s.PAST_F, s.NOMINATIVE, s.AUX | s.OTHER, is_participle),
    Rule("glad", s.GLAD_M, s.GLAD_F, 0, s.OTHER, glad),
    Rule("self", s.SELF_M, s.SELF_F, s.FIRST, s.OTHER, alone),
    Rule("copula_adjective", s.ADJ_M, s.ADJ_F, _BE, _BARS, predicative),
    Rule("copula_adjective", s.ADJ_M, s.ADJ_F, _BE, s.OTHER | s.AUX, like_a_participle),
    Rule("copula_short", s.SHORT_M, s.SHORT_F, _BE, _BARS, predicative),
    Rule("become", s.INS_M, s.INS_F, BECOME, _BARS, instrumental),
    Rule("complement", s.INS_M | ACC_M, s.INS_F | ACC_F, MAKE | REGARD, s.OTHER, complement),
    Rule("infinitive", s.ADJ_M, s.ADJ_F, _CONTROL, s.OTHER, infinitive),
    Rule("infinitive", s.SHORT_M, s.SHORT_F, _CONTROL, s.OTHER, infinitive),
    Rule("infinitive", s.INS_M, s.INS_F, _CONTROL, s.OTHER, infinitive_instrumental),
    Rule("infinitive", s.SELF_M, s.SELF_F, s.ME, s.OTHER, infinitive),
    Rule("demonstrative", DEMO_M, DEMO_F, s.BE, _BARS, the_one),
    Rule("depictive", s.ADJ_M, s.ADJ_F, s.VERB, _BARS, depictive, weak=True),
)
