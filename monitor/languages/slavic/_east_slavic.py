"""Russian, Ukrainian and Belarusian: subjects of the past tense, and predicates.

None of the three marks the person in the past tense, so a form counts only where "I" is its
subject: named in the clause ("я устала"), waiting for it beyond an insertion ("я, честно говоря,
устала"), or carried on by coordination ("я пришла и увидела"). Where nothing else in an opening
clause can be the subject, the speaker is ("Записался в кружок"). The present tense has no copula:
an adjective is the speaker's where no other verb stands between it and "I". Adjectives in the
instrumental are read after the copular verbs and with the reflexive pronoun, infinitives with the
person they belong to ("мне важно быть сильной").

A clause without a subject of its own takes over "I" from a clause that it is coordinated with or
subordinate to, along with the gender that clause has shown.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from monitor.languages import _clauses as s
from monitor.languages._clauses import Clause, Rule, read_words

# --- tags, and the subject of a clause -----------------------------------------------------------

KEPT_M, KEPT_F = s.FREE, s.FREE << 1  # "I" goes on as the subject; the gender it has shown
CONTROL = s.FREE << 2  # "in order to" after a clause with "I": the infinitive is the speaker's
PURPOSE = s.FREE << 3  # "in order to"
SELF = s.FREE << 4  # the reflexive pronoun
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
    | s.SLASH | SELF | s.DET | s.ALONE_M | s.ALONE_F | OUT_OF | OBLIQUE
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


def is_stem(
    stem: str, endings: Iterable[str], primary: frozenset[str], nouns: Iterable[str]
) -> bool:
    """Return whether `stem` is an adjective's: underived, or with a suffix and no noun's."""
    if stem in primary:
        return True
    if len(stem) > NEAR and any(
        stem.startswith(prefix) and stem[len(prefix) :] in primary for prefix in _PREFIXES
    ):
        return True
    return stem.endswith(tuple(endings)) and not stem.endswith(tuple(nouns))


def one_apostrophe(key: str) -> str:
    """Return a word with one sign for the apostrophe."""
    return key.replace("’", "'").replace("ʼ", "'")


def prefixed(prefixes: str, roots: str, nouns: str) -> list[str]:
    """Return every root after every prefix ("за-полз") but the nouns among them ("за-пах")."""
    out = {prefix + root for prefix in prefixes.split() for root in roots.split()}
    return sorted(out - set(nouns.split()))


def read_east_words(
    data: Mapping[str, Any], *entries: tuple[int, str | Iterable[str]]
) -> dict[str, int]:
    """Return the table of a language: its word lists, and forms that all three make alike."""
    nouns = f"{data['no_consonant']} {data['next_past']}"
    return read_words(
        data["words"],
        vars(s) | globals(),
        (STATE | s.VERB, data["state"]),
        (SURE, [verb for verb in data["state"].split() if verb.endswith(("сь", "ся", "аю"))]),
        (s.PAST_M, prefixed(data["prefixes"], data["consonant_roots"], nouns)),
        (NEXT_M, data["next_past"]),
        *entries,
    )


# --- The subject --------------------------------------------------------------------------------


def at(clause: Clause, i: int) -> int:
    """Return the place of the "I" nearest to the i-th word; -1 if it was passed on."""
    best = -1
    for j in range(max(0, i - FEW), min(len(clause.tags), i + FEW)):
        if clause.tags[j] & I and (best < 0 or abs(j - i) < abs(best - i)):
            best = j
    return best


def _waits(clause: Clause) -> bool:
    """Return whether the clause is no more than "I", perhaps with an adverb: "Но я всегда, ..."."""
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
    """Return whether a subject of its own stands before the predicate.

    As in "а мама устала", "а вона сама".

    Without a conjunction a noun may be an object: "Я, честно говоря, журнал прочитал".
    """
    joined = bool((clause.opener | clause.tags[0]) & s.AND)
    for i, tag in enumerate(clause.tags[:FEW]):
        if tag & (s.PAST | PREDICATE | s.SELF_M | s.SELF_F | s.ALONE_M | s.ALONE_F):
            return own_subject(clause, i, nouns=joined)
    return False


def own_subject(clause: Clause, i: int, *, nouns: bool) -> bool:
    """Return whether a pronoun or a noun for a person is the subject before the i-th word.

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
    """Return what a clause that leaves out its subject takes over from one whose subject is "I"."""
    if not last.union & (I | KEPT):
        return 0
    if last.union & KEPT not in (0, KEPT):
        return last.union & KEPT
    past = last.union & s.PAST
    if not past:
        return KEPT
    return (KEPT_M if past & s.PAST_M else 0) | (KEPT_F if past & s.PAST_F else 0)


def _subordinate(last: Clause, clause: Clause) -> int:
    """Return what a subordinate clause takes over: "жалею, что не ходила", "чтобы быть сильной"."""
    if clause.tags[0] & PURPOSE:
        return CONTROL if last.union & (I | KEPT | s.ME) else 0
    return 0 if clause.union & (I | RELATIVE | SUBJECTLESS) else _kept(last)


def opens(clause: Clause, i: int) -> bool:
    """Return whether only particles and adverbs stand before the i-th word."""
    return all(t & LIGHT for t in clause.tags[max(0, i - FEW) : i]) and i < FEW


def may_be_subject(key: str, *, feminine: bool) -> bool:
    """Return whether an unlisted word may be a nominative with a verb of this gender."""
    if feminine:
        return key.endswith(("а", "я", "ь"))
    return key[-1:] not in _VOWELS and not key.endswith(("сть", "сць", "ість"))


def no_subject(clause: Clause, i: int) -> bool:
    """Return whether no other word of the clause can be the subject of the i-th, a verb."""
    feminine = bool(clause.tags[i] & (s.PAST_F | PREDICATE_F))
    for j in range(min(len(clause.tags), FEW)):
        tag = clause.tags[j]
        if j == i or tag & (KNOWN & ~s.DET | ADJECTIVE) or clause.tag(j - 1) & (s.PREP | OUT_OF):
            continue
        if tag & (s.NOUN_M | s.NOUN_F) or may_be_subject(clause.key(j), feminine=feminine):
            return False
    return True


# --- rules ---------------------------------------------------------------------------------------


def _past(clause: Clause, i: int) -> bool:
    """A past tense with "I": of several that contradict each other, the nearest to it.

    A form that is a noun or an adverb too gives way to any other, and to a present.
    """
    tag = clause.tags[i]
    if _after_preposition(clause, i):
        return False
    subject_place = at(clause, i)
    doubtful = tag & DOUBTFUL
    if _present(clause, subject_place, sure=not doubtful) or (
        doubtful and _present_follows(clause, i)
    ):
        return False
    gender = tag & s.PAST
    for j in range(max(0, i - FEW), min(len(clause.tags), i + FEW)):
        other = clause.tags[j] & s.PAST
        if not other or other == gender or _after_preposition(clause, j):
            continue
        unlike = doubtful ^ (clause.tags[j] & DOUBTFUL)
        if doubtful if unlike else abs(j - subject_place) < abs(i - subject_place):
            return False
    return True


def _after_preposition(clause: Clause, i: int) -> bool:
    """Return whether a preposition makes a noun of the i-th word: "с самого начала"."""
    before = i - 1 - (clause.key(i - 1) in _SELF_GENITIVE)
    return bool(clause.tag(before) & s.PREP)


def _present_follows(clause: Clause, i: int) -> bool:
    """Return whether a verb in the present comes after the i-th word.

    As in "правила не нарушаю", "смела кажу".

    Past its particles and adverbs. An ending in -у may be that of an object: "купіла новую кнігу".
    """
    j = clause.past(i + 1, 1, s.ADV | s.CLITIC)
    if clause.key(j - 1) == "не":
        return bool(clause.tag(j) & VERB_I)
    listed = clause.language.words.get(clause.key(j), 0)
    return bool((listed | clause.tag(j)) & SURE or listed & VERB_I) and clause.key(j) != "маю"


def _present(clause: Clause, here: int, *, sure: bool) -> bool:
    """Return whether "I" at `here` has a verb in the present or future next to it."""
    tag = clause.tag(clause.past(here + 1, 1, s.ADV | s.CLITIC))
    return bool(tag & s.VERB and tag & SURE) if sure else bool(tag & VERB_I)


def _next(clause: Clause, i: int) -> bool:
    """A noun that may be a past tense, next to "I": "Я замок", not "Я синів люблю"."""
    if clause.union & (s.PAST | VERB_I | s.OTHER | s.SAY) or clause.tag(i - 1) & s.PREP:
        return False
    subject_place = at(clause, i)
    low, high = (subject_place, i) if subject_place < i else (i, subject_place)
    return high - low <= FAR and all(t & (s.ADV | s.CLITIC) for t in clause.tags[low + 1 : high])


def _kept_past(clause: Clause, i: int) -> bool:
    """A past tense that opens a clause whose subject is still "I"."""
    keeps = clause.union & KEPT
    if not opens(clause, i):
        return False
    if clause.tags[i] & DOUBTFUL and clause.tags[0] & LIKE:  # "як правіла"
        return False
    doubtful = clause.tags[i] & DOUBTFUL and not clause.tag(i - 1) & (s.ADV | s.CLITIC)
    if doubtful and keeps == KEPT and not clause.tags[0] & s.CUT:
        return False
    if clause.tag(i + 1) & (s.NOUN_M | s.NOUN_F):
        return False
    if keeps == KEPT:
        return no_subject(clause, i)
    return bool(keeps & (KEPT_M if clause.tags[i] & s.PAST_M else KEPT_F))


def _kept_predicate(clause: Clause, i: int) -> bool:
    """As in "знаю, что должна", "бо надто гордий": opens a clause that has no other subject.

    A full adjective does so only after a conjunction: after a comma it belongs to a noun or is a
    gerund, and after "as" it compares.
    """
    first = clause.tags[0]
    if clause.tags[i] & s.ADJ and not clause.tags[i] & (
        s.SHORT_M | s.SHORT_F | s.GLAD_M | s.GLAD_F
    ):
        if not (first | clause.opener) & (s.CUT | s.AND) or first & LIKE:
            return False
        if clause.tags[i] & GERUND and first & s.AND:
            return False
    if _is_instrumental(clause, i) or _is_other_word(clause, i):
        return False
    return opens(clause, i) and _predicative(clause, i) and no_subject(clause, i)


def _opening(clause: Clause, i: int) -> bool:
    """A past tense or "glad" that opens a statement in which nothing else can be the subject."""
    if (clause.opener and not clause.opener & s.STOP) or clause.tags[0] & s.CUT:
        return False
    if clause.tags[i] & DOUBTFUL and len(clause.tags) == 1:
        return False
    if any(t & s.PAST and not clause.tag(j - 1) & s.AND for j, t in enumerate(clause.tags[:i])):
        return False
    after = clause.tags[i + 1 : i + 2]
    if after and after[0] & s.PAST:  # a noun before its verb: "Злив зламався"
        return False
    return opens(clause, i) and no_subject(clause, i) and not _asks(clause)


def _asks(clause: Clause) -> bool:
    """Return whether the sentence ends with a question mark: a question is put to somebody else."""
    surfaces = clause.surfaces
    for j in range(clause.at[-1] + 1, min(len(surfaces), clause.at[-1] + 60)):
        if surfaces[j] in (".", "!", "?", "…", "\n"):
            return surfaces[j] == "?"
    return False


def _linked(clause: Clause, i: int) -> bool:
    """Return whether neither another subject nor a predicate parts the i-th word from "I"."""
    subject_place = at(clause, i)
    low, high = (subject_place, i) if subject_place < i else (i, subject_place)
    return high - low <= FAR and not any(
        clause.tags[j] & BETWEEN and not clause.tag(j - 1) & s.PREP for j in range(low + 1, high)
    )


def _predicative(clause: Clause, i: int) -> bool:
    """Return whether an adjective stands alone rather than with a noun: not "я хороший друг"."""
    if clause.tag(clause.past(i - 1, -1, ADJECTIVE | s.ADV)) & (s.PREP | s.DET | OUT_OF):
        return False
    tag = clause.tags[i]
    if tag & GENITIVE or not tag & ADJECTIVE:
        return True
    if clause.key(i + 1) == "раз":  # "второй раз", in all three languages
        return False
    j = clause.past(i + 1, 1, ADJECTIVE | s.ADV | s.AND | s.SLASH)
    after = clause.tag(j)
    if after & (s.NOUN_M | s.NOUN_F):
        return False
    if j < len(clause.tags) and not after & KNOWN:
        return not _agrees(clause.key(j), tag)
    return True


def _agrees(key: str, adjective: int) -> bool:
    """Return whether an unlisted word may be the noun that an adjective goes with."""
    if adjective & s.INS_M:
        return key.endswith(("ом", "ем", "ём", "єм", "эм", "ам", "ям"))
    if adjective & s.INS_F and not adjective & s.ADJ:
        return key.endswith(("ой", "ей", "ою", "ею", "ай", "яй", "аю", "яю", "ёй", "ью", "ю"))
    if key.endswith(_INSTRUMENTALS) and len(key) > FEW // 4:
        return False  # "задаволены вынікам", as with "задаволеная"
    return may_be_subject(key, feminine=bool(adjective & s.ADJ_F))


def _is_instrumental(clause: Clause, i: int) -> bool:
    """Return whether a form of two cases is the feminine instrumental: "буду молодой"."""
    copulas = s.BE | s.FEEL | SELF | s.BE_INF | s.BE_PAST | s.PAST
    return bool(clause.tags[i] & s.INS_F and clause.near_before(i, copulas))


def _is_other_word(clause: Clause, i: int) -> bool:
    """Return whether what may be a noun or an adverb stands beside a verb: "зла не бажаю"."""
    return bool(clause.tags[i] & DOUBTFUL and clause.union & (s.PAST | s.VERB))


def _predicate(clause: Clause, i: int) -> bool:
    """An adjective that says what "I" am: after "I", or short, or just before it.

    Where "I" was passed on to the clause, what may be a gerund counts after a dash only: "Я, зная
    это, молчал".
    """
    subject_place = at(clause, i)
    tag = clause.tags[i]
    if _is_instrumental(clause, i) or _is_other_word(clause, i):
        return False
    if (tag & GERUND and subject_place < 0 and not clause.opener & s.BREAK) or (
        tag & s.ADJ and subject_place > i + 1
    ):
        return False
    return _linked(clause, i) and _predicative(clause, i)


def _after_was(clause: Clause, i: int) -> bool:
    """As in "я был уверена", "буду рада": directly after the copula, or an adverb between."""
    if clause.tags[i] & s.ADJ_M and clause.tags[i] & s.INS_F:
        return False  # the rule "instrumental" reads it
    j = clause.past(i - 1, -1, s.ADV | s.CLITIC)
    copula = s.BE | s.BE_PAST if clause.union & I else s.BE
    return bool(clause.tag(j) & copula) and _predicative(clause, i)


def _instrumental(clause: Clause, i: int) -> bool:
    """After "I feel", "I will be", or the reflexive object: "считаю себя сильной"."""
    if not clause.near_before(i, s.BE | s.FEEL | SELF):
        return False
    return bool(clause.union & (I | KEPT | CONTROL | s.FEEL | s.BE | SURE)) and _predicative(
        clause, i
    )


def _being(clause: Clause, i: int) -> bool:
    """As in "будучи слабой, я молчу": a gerund of "to be" whose main clause begins with "I"."""
    before = [t for t in clause.tags[max(0, i - NEAR) : i] if not t & (s.ADV | s.CLITIC)]
    if not before or not before[-1] & s.BE_INF or before[-1] & s.INF:
        return False
    end = clause.at[-1] + 1
    after = [clause.language.known(surface) for surface in clause.surfaces[end : end + NEAR]]
    return bool(after and after[0] & s.COMMA and any(t & I for t in after))


def _object(clause: Clause, i: int) -> bool:
    """After "makes me", "consider me": "работа делает меня сильной", "меня считают умной"."""
    between = s.ADV | s.CLITIC | s.AND | s.ME | ADJECTIVE | MAKE
    passed = 0
    for j in range(i - 1, max(-1, i - FEW), -1):
        if not clause.tags[j] & between:
            break
        passed |= clause.tags[j]
    if not passed & MAKE or passed & SELF:
        return False
    me = any(clause.tags[j] & s.ME and clause.key(j) in _ME for j in range(max(0, i - FEW), i))
    return me and _predicative(clause, i)


def _infinitive(clause: Clause, i: int) -> bool:
    """As in "мне важно быть сильной", "хочу быть первым": after "to be" or "to feel oneself"."""
    if clause.opener & s.BREAK and not clause.union & (I | s.ME | SURE):  # "главное - быть сильным"
        return False
    for j in range(i - 1, max(-1, i - NEAR - 2), -1):
        if clause.tags[j] & s.BE_INF or (clause.tags[j] & SELF and clause.near_before(j, s.INF)):
            return _predicative(clause, i)
        if clause.tags[j] & (s.PAST | s.VERB | s.PREP):
            return False
    return False


def _dative(clause: Clause, i: int) -> bool:
    """As in "мне трудно жить одной", "мне надо решать самому": beside an infinitive of "to me"."""
    if not any(
        clause.tags[j] & s.ME and clause.key(j) in _TO_ME for j in range(max(0, i - FEW), i)
    ):
        return False
    if clause.tag(i - 1) & (s.PREP | s.DET) or not (
        clause.near_before(i, s.INF) or clause.tag(i + 1) & s.INF
    ):
        return False
    after = clause.tag(i + 1)
    return i + 1 >= len(clause.tags) or bool(after & KNOWN and not after & (ADJECTIVE | s.DET))


def _depictive(clause: Clause, i: int) -> bool:
    """As in "я прихожу уставшей", "финиширую первым": an instrumental beside such a verb."""
    return (
        clause.near_before(i, STATE) and not clause.tag(i - 1) & s.PREP and _predicative(clause, i)
    )


def _myself(clause: Clause, i: int) -> bool:
    """сам, сама: not before a noun of its gender ("сама идея"), nor with another subject."""
    after, key = clause.tag(i + 1), clause.key(i + 1)
    if clause.tag(i - 1) & (s.PREP | s.DET):
        return False
    if not clause.union & (I | KEPT | CONTROL) and clause.union & SUBJECTLESS & ~s.ME:
        return False
    if after & (s.NOUN_M | s.NOUN_F) or _is_anothers(clause, i):
        return False
    unknown = bool(key) and not after & KNOWN
    return not (unknown and may_be_subject(key, feminine=bool(clause.tags[i] & s.SELF_F)))


def _is_anothers(clause: Clause, i: int) -> bool:
    """Return whether another subject stands before the i-th word: "бо мама сама"."""
    if at(clause, i) >= 0 or clause.union & (VERB_I & ~s.PAST):
        return False
    return own_subject(clause, i, nouns=not clause.union & (s.PAST | s.INF))


def _alone(clause: Clause, i: int) -> bool:
    """один, одна: the speaker alone, or one of many; no numeral before a noun."""
    before, after, key = clause.tag(i - 1), clause.tag(i + 1), clause.key(i + 1)
    if before & (s.PREP | LESS | s.DET | OUT_OF):
        return False
    if after & JUST:  # "один раз"
        return False
    if (clause.union & s.OTHER and not _linked(clause, i)) or _is_anothers(clause, i):
        return False
    if after & s.AND and clause.tag(i + 2) & (s.DET | s.THAT_M | s.THAT_F):  # one and the same
        return False
    if not clause.union & (I | s.BE | s.VERB | s.INF | s.PAST):
        return False
    if after & OUT_OF:
        return _linked(clause, i) and at(clause, i) < i
    return not key or bool(after & (KNOWN & ~s.DET & ~SELF)) or key[-1] in "еиыі"


def _the_one(clause: Clause, i: int) -> bool:
    """As in "я та, кто платит": linked to "I" and last in its clause."""
    return _linked(clause, i) and i + 1 == len(clause.tags) and at(clause, i) < i


_SELF_GENITIVE = frozenset({"самого"})
_INSTRUMENTALS = "ом", "ем", "ём", "єм", "ам", "ям", "ах", "ях"  # and datives, locatives
_ME = frozenset("меня мене мяне".split())  # the accusatives
_TO_ME = frozenset({"мне", "мені"})
_CONTROLLER = I | s.ME | SURE | CONTROL | KEPT  # whom an infinitive may belong to
RULES = (
    Rule("pronoun_past", s.PAST_M, s.PAST_F, I, 0, _past),
    Rule("pronoun_past", NEXT_M, NEXT_F, I, 0, _next),
    Rule("predicate", PREDICATE_M, PREDICATE_F, I, 0, _predicate),
    Rule("copula_adjective", PREDICATE_M | s.INS_M, PREDICATE_F | s.INS_F, I | s.BE, 0, _after_was),
    Rule("kept_past", s.PAST_M, s.PAST_F, KEPT, BARRED, _kept_past),
    Rule("kept_predicate", PREDICATE_M, PREDICATE_F, KEPT, BARRED, _kept_predicate),
    Rule("instrumental", s.INS_M, s.INS_F, s.BE | s.FEEL | SELF, s.PAST | s.OTHER, _instrumental),
    Rule("object", s.INS_M, s.INS_F, MAKE, 0, _object),
    Rule("being", s.INS_M, s.INS_F, s.BE_INF, I | KEPT, _being),
    Rule("dative", DATIVE_M, DATIVE_F, s.ME, THEIRS, _dative),
    Rule("depictive", s.INS_M, s.INS_F, STATE, s.PAST | s.OTHER, _depictive),
    Rule("infinitive", s.INS_M, s.INS_F, _CONTROLLER, s.PAST | THEIRS, _infinitive),
    Rule("self", s.SELF_M, s.SELF_F, I | KEPT | CONTROL | VERB_I, 0, _myself),
    Rule("alone", s.ALONE_M, s.ALONE_F, I | KEPT | s.BE, 0, _alone),
    Rule("demonstrative", s.THAT_M, s.THAT_F, I, s.PAST | s.OTHER, _the_one),
    Rule(
        "opening",
        s.PAST_M | s.GLAD_M,
        s.PAST_F | s.GLAD_F,
        0,
        I | KEPT | SUBJECTLESS,
        _opening,
        weak=True,
    ),
)
