"""Russian, Ukrainian and Belarusian: tags, and who the subject of a clause is.

Read by :mod:`._east_slavic`, which says what for. A clause without a subject of
its own takes over "I" from a clause that it is coordinated with or subordinate to, along with the
gender that clause has shown.
"""

from collections.abc import Iterable

from monitor.languages.slavic import _slavic as s
from monitor.languages.slavic._slavic import Clause

KEPT_M, KEPT_F = s.FREE, s.FREE << 1  # "I" goes on as the subject; the gender it has shown
CONTROL = s.FREE << 2  # "in order to" after a clause with "I": the infinitive is the speaker's
PURPOSE = s.FREE << 3  # "in order to"
SELF = s.FREE << 4  # the reflexive pronoun
ALONE_M, ALONE_F = s.FREE << 5, s.FREE << 6  # один, одна
THAT_M, THAT_F = s.FREE << 7, s.FREE << 8  # тот, та
SURE = s.FREE << 9  # verbs of the first person told by more than an ending in -у
GENITIVE = s.FREE << 10  # adjectives with a genitive after them: "full of"
DOUBTFUL = s.FREE << 11  # a past tense or a genitive plural: Belarusian -аў
OUT_OF = s.FREE << 12  # "из": one of
LESS = s.FREE << 13  # "без", "ни", "ещё": no "alone" follows
PLURAL_PAST = s.FREE << 14
JUST = s.FREE << 15  # the first half of "только что", the second of "как раз": no clause opens
RELATIVE = s.FREE << 16  # relative pronouns: the subject of their clause, or its object
THEIRS = s.FREE << 17  # datives of others: an infinitive may be theirs
GERUND = s.FREE << 18  # a feminine adjective or a gerund: Russian -ая
LIKE = s.FREE << 20  # "as": what follows compares
OBLIQUE = s.FREE << 19  # forms that no singular verb agrees with, though they end like a nominative
NEXT_M, NEXT_F = s.FREE << 21, s.FREE << 22  # a past tense next to "I", a noun elsewhere: замок
MAKE = s.FREE << 23  # verbs of making, calling and considering
DATIVE_M, DATIVE_F = s.FREE << 42, s.FREE << 43  # самому, одной: datives of "self" and "alone"
STATE = s.FREE << 44  # verbs of the first person that say how the speaker comes, rests or ends

KEPT = KEPT_M | KEPT_F
I = s.NOMINATIVE  # noqa: E741 - the pronoun
PREDICATE_M = s.SHORT_M | s.GLAD_M | s.ADJ_M
PREDICATE_F = s.SHORT_F | s.GLAD_F | s.ADJ_F
PREDICATE = PREDICATE_M | PREDICATE_F
ADJECTIVE = s.ADJ | s.INS_M | s.INS_F
VERB_I = s.VERB | s.BE | s.FEEL
BETWEEN = (
    s.PAST | s.INF | s.OTHER | s.SAY | s.VERB | NEXT_M | NEXT_F
)  # parts "I" from what could be its predicate
LIGHT = s.ADV | s.CLITIC | s.AND | s.CUT
KNOWN = (
    s.PREP | s.ADV | s.CLITIC | s.INF | s.AND | s.VERB | s.BE | s.FEEL | s.OTHER | s.ME | s.PAST
    | s.SELF_M | s.SELF_F | s.SHORT_M | s.SHORT_F | s.GLAD_M | s.GLAD_F | s.CUT | s.NOMINATIVE
    | s.SLASH | SELF | s.DET | ALONE_M | ALONE_F | OUT_OF | OBLIQUE
)  # fmt: skip
SUBJECTLESS = s.OTHER | s.ME | PLURAL_PAST
BARRED = I | SUBJECTLESS
_PRONOUNS = frozenset(
    "он она оно ты мы вы они кто він вона воно ти ми ви вони хто ён яна яно яны".split()
)
_VOWELS = frozenset("аеёиоуыэюяіїє")
_PREFIXES = "не", "за", "пре", "ня"  # of adjectives: незлой, застарий, предобрый
FEW = 16
FAR = 64
NEAR = 4  # clauses that "I" may wait for its verb


def pairs(text: str) -> tuple[list[str], list[str]]:
    """The masculine and the feminine forms of a list "m/f m/f"."""
    found = [pair.split("/") for pair in text.split()]
    return [m for m, _ in found], [f for _, f in found]


def is_stem(
    stem: str, endings: Iterable[str], primary: frozenset[str], nouns: Iterable[str]
) -> bool:
    """Whether `stem` is an adjective's: underived, or with a suffix and not among the nouns."""
    if stem in primary:
        return True
    if len(stem) > NEAR and any(
        stem.startswith(prefix) and stem[len(prefix) :] in primary for prefix in _PREFIXES
    ):
        return True
    return stem.endswith(tuple(endings)) and not stem.endswith(tuple(nouns))


def prefixed(prefixes: str, roots: str, nouns: str) -> list[str]:
    """Return every root after every prefix ("за-полз") but the nouns among them ("за-пах")."""
    out = {prefix + root for prefix in prefixes.split() for root in roots.split()}
    return sorted(out - set(nouns.split()))


# --- The subject --------------------------------------------------------------------------------


def at(clause: Clause, i: int) -> int:
    """Where the "I" nearest to the i-th word stands; -1 if it was passed on to the clause."""
    best = -1
    for j in range(max(0, i - FEW), min(len(clause.tags), i + FEW)):
        if clause.tags[j] & I and (best < 0 or abs(j - i) < abs(best - i)):
            best = j
    return best


def _waits(clause: Clause) -> bool:
    """Whether the clause is no more than "I", perhaps with an adverb: "Но я всегда, ..."."""
    return all(t & (I | LIGHT) for t in clause.tags) and bool(clause.union & I)


def follow(sentence: list[Clause], clause: Clause) -> int:
    """Tags that a clause takes over from the clauses before it: its subject."""
    last, first = sentence[-1], clause.tags[0]
    if (last.tags[-1] | clause.tag(1)) & JUST and _waits(last):
        return I
    if first & s.CUT and not first & s.AND:
        return _subordinate(last, clause)
    if clause.union & I:
        return 0
    for earlier in reversed(sentence[-NEAR:]):
        if _waits(earlier):
            return 0 if _speaks_of_another(clause) else I
        if earlier.opener & s.BREAK or (
            earlier.union & (s.PAST | PREDICATE) and not earlier.tags[0] & s.CUT
        ):
            break
    coordinated = (clause.opener | first) & s.AND
    if not coordinated and not clause.opener & (s.COMMA | s.BREAK):
        return 0
    if coordinated and last.union & s.ME and clause.union & s.BE_INF:
        return CONTROL  # "мне нравится шутить, а не быть серьёзной"
    if coordinated and last.tags[0] & s.CUT and not last.union & (I | KEPT) and len(sentence) > 1:
        last = sentence[-2]
    return _kept(last)


def _speaks_of_another(clause: Clause) -> bool:
    """Whether a subject of its own stands before the predicate: "а мама устала", "а вона сама".

    Without a conjunction a noun may be an object: "Я, честно говоря, журнал прочитал".
    """
    joined = bool((clause.opener | clause.tags[0]) & s.AND)
    for i, tag in enumerate(clause.tags[:FEW]):
        if tag & (s.PAST | PREDICATE | s.SELF_M | s.SELF_F | ALONE_M | ALONE_F):
            return own_subject(clause, i, nouns=joined)
    return False


def own_subject(clause: Clause, i: int, *, nouns: bool) -> bool:
    """Whether a pronoun or a noun for a person is the subject before the i-th word.

    With `nouns`, any other word that may be a noun counts as well, of either gender.
    """
    for j in range(max(0, i - FEW), i):
        tag, key = clause.tags[j], clause.key(j)
        if key in _PRONOUNS:
            return True
        if tag & (KNOWN & ~s.DET | ADJECTIVE) or clause.tag(j - 1) & (s.PREP | OUT_OF):
            continue
        if tag & (s.NOUN_M | s.NOUN_F):
            return True
        unlisted = nouns and not tag & s.DET
        if unlisted and any(may_be_subject(key, feminine=f) for f in (True, False)):
            return True
    return False


def _kept(last: Clause) -> int:
    """What a clause that leaves out its subject takes over from one whose subject is "I"."""
    if not last.union & (I | KEPT):
        return 0
    if last.union & KEPT not in (0, KEPT):
        return last.union & KEPT
    shown = last.union & s.PAST
    if not shown:
        return KEPT
    return (KEPT_M if shown & s.PAST_M else 0) | (KEPT_F if shown & s.PAST_F else 0)


def _subordinate(last: Clause, clause: Clause) -> int:
    """What a subordinate clause takes over: "жалею, что не ходила", "чтобы быть сильной"."""
    if clause.tags[0] & PURPOSE:
        return CONTROL if last.union & (I | KEPT | s.ME) else 0
    return 0 if clause.union & (I | RELATIVE | SUBJECTLESS) else _kept(last)


def opens(clause: Clause, i: int) -> bool:
    """Whether only particles and adverbs stand before the i-th word."""
    return all(t & LIGHT for t in clause.tags[max(0, i - FEW) : i]) and i < FEW


def may_be_subject(key: str, *, feminine: bool) -> bool:
    """Whether an unlisted word may be a nominative that a verb of this gender agrees with."""
    if feminine:
        return key.endswith(("а", "я", "ь"))
    return key[-1:] not in _VOWELS and not key.endswith(("сть", "сць", "ість"))


def no_subject(clause: Clause, i: int) -> bool:
    """Whether no other word of the clause can be the subject of the i-th, a verb."""
    feminine = bool(clause.tags[i] & (s.PAST_F | PREDICATE_F))
    for j in range(min(len(clause.tags), FEW)):
        tag = clause.tags[j]
        if j == i or tag & (KNOWN & ~s.DET | ADJECTIVE) or clause.tag(j - 1) & (s.PREP | OUT_OF):
            continue
        if tag & (s.NOUN_M | s.NOUN_F) or may_be_subject(clause.key(j), feminine=feminine):
            return False
    return True
