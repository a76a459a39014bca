"""What the first person is by profession: "jsem lékařka", "pracuję jako lekarz", "я вчителька".

Read with `nouns=True` only. A noun of the language's table (:mod:`_slavic_people`) counts where it
is what "I" am: a nominative with the copula of the first person (or with "I" alone, in the East),
an instrumental after it or after "I work", a noun after "as" beside such a verb, an apposition to
"I". The words around are looked at in the text and not in the clause, because "as" opens a clause
in some languages. An attribute of such a noun is a witness as well, and the only one where the
noun has one form for everybody.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from monitor.languages import _slavic_tags as s
from monitor.languages._slavic_people import (
    AS,
    ATT_F,
    ATT_INS_F,
    ATT_INS_M,
    ATT_M,
    ATTRIBUTE,
    COMMON,
    COMMON_INS,
    COPULA,
    PERSON,
    PERSON_F,
    PERSON_M,
    ROLE,
    ROLE_F,
    ROLE_M,
    SINGLE,
    THIRD,
    TO_WORK,
    WORK,
    People,
)
from monitor.languages._slavic_tags import Clause, Rule

_FAR = 14  # words that are looked at on either side
_ENDS = s.COMMA | s.STOP | s.COLON | s.BREAK | s.QUOTE
_ALIKE = s.ADJ | s.INS_M | s.INS_F | s.SHORT_M | s.SHORT_F  # may be attributes
_ATTRIBUTES = ATTRIBUTE | _ALIKE
_NAMES = PERSON | COMMON | SINGLE
_ROLES = ROLE | COMMON_INS | SINGLE
_OTHERS = s.OTHER | s.SAY | THIRD
_LIGHT = s.ADV | s.CLITIC | s.DET | s.NOMINATIVE | s.ME | s.AUX | s.AND
_THAT = "та"  # Ukrainian: "that", and "and"
_PHRASE = 4  # words of a prepositional phrase
# What an unlisted attribute ends in: "zdravotní sestra", "medicinska sestra", "старшая медсестра".
_ATTRIBUTIVE = (
    *("í", "ý", "á", "ím", "ým", "ou", "ny", "na", "wy", "wa", "ki", "ka", "ska", "ski", "čki"),
    *("ни", "на", "ий", "ый", "ой", "ая", "яя", "ым", "им", "ою", "ай", "ы", "і", "ця", "ній"),
    *("ni", "ną", "ym", "im", "ką", "nom", "skom", "ji", "ja", "та", "ва", "ова", "овий", "ты"),
)


def with_people(
    words: Mapping[str, int], ending: Callable[[str], int], people: People
) -> dict[str, int]:
    """The words of a language with its person nouns, and what the rules ask of other words."""
    table = dict(words)
    for form, tags in people.forms.items():
        if form in words:
            table[form] = words[form] | tags
        elif tags & (_NAMES | ROLE | COMMON_INS):
            table[form] = tags
        else:
            table[form] = tags | ending(form)
    return table


class _Around(NamedTuple):
    """The words of the text around a place in it, as far as they are in the same sentence."""

    tags: list[int]
    keys: list[str]
    at: int


def _look(clause: Clause, i: int) -> _Around:
    """The sentence around the i-th word, a few words to either side."""
    surfaces, here, known = clause.surfaces, clause.at[i], clause.language.known
    low, high = here, here
    tags = [clause.tags[i]]
    while low > 0 and here - low < _FAR:
        word = known(surfaces[low - 1])
        if word & (s.STOP | s.QUOTE | s.COLON):
            break
        tags.insert(0, word)
        low -= 1
    while high + 1 < len(surfaces) and high - here < _FAR:
        word = known(surfaces[high + 1])
        if word & (s.STOP | s.QUOTE | s.COLON):
            break
        tags.append(word)
        high += 1
    key = clause.language.key
    keys = [key(surface) for surface in surfaces[low : high + 1]]
    return _Around(tags, keys, here - low)


def _tag(around: _Around, i: int) -> int:
    return around.tags[i] if 0 <= i < len(around.tags) else 0


def _phrase_start(around: _Around, i: int) -> int:
    """Where the noun phrase of the i-th word starts: its attributes stand before it."""
    while i > 0:
        word, key = around.tags[i - 1], around.keys[i - 1]
        known = word & (_ATTRIBUTES | s.DET)
        plain = not word & ~(s.NATIVE | s.OWN) and key.endswith(_ATTRIBUTIVE)
        if not known and not plain:
            break
        i -= 1
    return i


def _what_i_am(clause: Clause, i: int) -> bool:
    """Whether the noun in the nominative at `i` is what "I" am."""
    around = _look(clause, i)
    if around.at and clause.surfaces[clause.at[i]][0].isupper():  # a title: "nagrada Znanstvenik"
        return False
    return _nominative(around)


def _nominative(around: _Around) -> bool:
    start = _phrase_start(around, around.at)
    before = _tag(around, start - 1)
    if _tag(around, around.at + 1) & _NAMES:  # "дежурный врач": the next noun is the head
        return False
    if before & s.PREP or (before & _NAMES and not before & s.AND):
        return False
    if before & AS:
        return _as(around, start - 1)
    if before & (s.COMMA | s.BREAK) and _apposition(around, start - 1):
        return True
    if before & s.AND and around.keys[start - 1] != _THAT:
        if _tag(around, start - 2) & _NAMES:
            return _nominative(around._replace(at=start - 2))
        if start == around.at or not _tag(around, start - 2) & _ATTRIBUTES:
            return False
    return _copula_left(around, start) or _copula_right(around)


def _apposition(around: _Around, i: int) -> bool:
    """Whether only "I" (and its auxiliary) stands before the punctuation at `i`: "Я, врач, ..."."""
    i -= 1
    while _tag(around, i) & (COPULA | s.AUX | s.ADV) and not _tag(around, i) & s.NOMINATIVE:
        i -= 1
    if not _tag(around, i) & s.NOMINATIVE:
        return False
    before = _tag(around, i - 1)
    return i == 0 or bool(before & (_ENDS | s.CUT | s.AND | s.ADV))


def _as(around: _Around, i: int) -> bool:
    """Whether "as" at `i` says what "I" work as; a comparison has no verb of working."""
    before = _tag(around, i - 1)
    j = i - 1
    if before & s.COMMA:
        j -= 1
    if _tag(around, j) & s.NOMINATIVE and j >= 0:
        return True
    if before & (_ALIKE & ~s.ADV):
        return False
    return any(
        around.tags[j] & WORK or (around.tags[j] & TO_WORK and _willing(around, j))
        for j in _stretch(around, i)
    )


def _stretch(around: _Around, i: int) -> range:
    """The words around `i` that no punctuation and no conjunction parts from it."""
    low = high = i
    while low > 0 and not _parts(around, low - 1):
        low -= 1
    while high + 1 < len(around.tags) and not _parts(around, high + 1):
        high += 1
    return range(low, high + 1)


def _parts(around: _Around, i: int) -> bool:
    word = around.tags[i]
    if word & (COPULA | AS | s.NOMINATIVE):
        return False
    return bool(word & (_ENDS | s.CUT))


def _willing(around: _Around, i: int) -> bool:
    """Whether an infinitive at `i` is the speaker's: "budu pracovat", "chci být"."""
    first = COPULA | WORK | s.NOMINATIVE | s.VERB
    words = [around.tags[j] for j in _stretch(around, i) if j < i]
    return any(w & first for w in words) and not any(w & _OTHERS for w in words)


def _copula_left(around: _Around, start: int) -> bool:
    """Whether the copula stands before the phrase and nothing else is its predicate."""
    for j in range(start - 1, -1, -1):
        word = around.tags[j]
        if word & COPULA:
            return not _auxiliary(around, j)
        if word & TO_WORK:
            return _willing(around, j)
        if _parts(around, j) or word & (_OTHERS | AS):
            return False
        if word & _NAMES and not _tag(around, j + 1) & s.AND:
            return False
        if word & (s.VERB | s.PAST | s.INF) & ~0 and not word & (s.BE_PAST | s.ADV | s.NOUN_M):
            return _stray(around, j)
    return False


def _stray(around: _Around, j: int) -> bool:
    """Whether a word that looks like a verb is in a prepositional phrase: "v tem mestu"."""
    if not any(_tag(around, k) & (s.PREP | s.DET) for k in range(max(0, j - 2), j)):
        return False
    return _copula_left(around, j)


def _copula_right(around: _Around) -> bool:
    """Whether the copula follows the noun: "učiteljica sam"."""
    word = _tag(around, around.at + 1)
    start = _phrase_start(around, around.at)
    if start and not _tag(around, start - 1) & (_ENDS | s.ADV | s.AND | s.NOMINATIVE):
        return False
    if not word & COPULA or word & s.NOMINATIVE:
        return False
    return not _auxiliary(around, around.at + 1)


def _auxiliary(around: _Around, i: int) -> bool:
    """Whether the copula at `i` is the auxiliary of another verb: "vidio sam"."""
    if not around.tags[i] & (s.AUX | s.NOMINATIVE):
        return False
    return any(
        around.tags[j] & s.PAST and not around.tags[j] & (s.BE_PAST | _NAMES | s.ADV)
        for j in _stretch(around, i)
    )


def _what_i_do(clause: Clause, i: int) -> bool:
    """Whether the noun in the instrumental at `i` is what "I" am or work as."""
    return _instrumental(_look(clause, i))


def _instrumental(around: _Around) -> bool:
    start = _phrase_start(around, around.at)
    if _tag(around, start - 1) & s.PREP or _tag(around, around.at + 1) & _ROLES:
        return False
    j = start - 1
    while j >= 0:
        word = around.tags[j]
        if word & (WORK | COPULA) and not word & s.NOMINATIVE:
            return bool(word & WORK) or not _auxiliary(around, j)
        if word & TO_WORK:
            return _willing(around, j)
        if word & s.BE_PAST:
            return _first(around, j)
        phrase = _phrase_before(around, j)
        if phrase >= 0:
            j = phrase - 1
        elif word & (_LIGHT | _ROLES | ATTRIBUTE | s.INS_M | s.INS_F) and not word & (_OTHERS | s.PREP):
            j -= 1
        else:
            break
    return _verb_right(around, start)


def _first(around: _Around, i: int) -> bool:
    words = [around.tags[j] for j in _stretch(around, i)]
    return any(w & (s.NOMINATIVE | s.AUX | COPULA | s.FUSED_M | s.FUSED_F) for w in words)


def _phrase_before(around: _Around, i: int) -> int:
    """Where a prepositional phrase that ends at `i` starts; -1 if there is none."""
    for j in range(i, max(-1, i - _PHRASE), -1):
        word = around.tags[j]
        if word & s.PREP:
            return j if j < i else -1
        if word & (_ENDS | s.CUT | COPULA | WORK | TO_WORK | s.PAST | PERSON):
            return -1
    return -1


def _verb_right(around: _Around, start: int) -> bool:
    """Whether the verb follows: "Lékařkou jsem tu od pondělí", "Врачом я работаю"."""
    if start and not _tag(around, start - 1) & (_ENDS | s.ADV | s.NOMINATIVE):
        return False
    j = around.at + 1
    while _tag(around, j) & (s.ADV | s.CLITIC | s.NOMINATIVE) and not _tag(around, j) & (
        WORK | (COPULA & ~s.NOMINATIVE)
    ):
        if _tag(around, j) & COPULA and not _tag(around, j) & s.NOMINATIVE:
            break
        j += 1
    word = _tag(around, j)
    return bool(word & (WORK | COPULA)) and not word & s.NOMINATIVE


def _attribute(clause: Clause, i: int) -> bool:
    """Whether an attribute belongs to a noun that is what "I" am: "nová zdravotní sestra"."""
    around = _look(clause, i)
    oblique = clause.tags[i] & (ATT_INS_M | ATT_INS_F)
    for j in range(around.at + 1, min(len(around.tags), around.at + _PHRASE)):
        word = around.tags[j]
        noun = _Around(around.tags, around.keys, j)
        if _phrase_start(around, j) > around.at:
            return False
        if oblique and word & (ROLE | COMMON_INS) and _instrumental(noun):
            return True
        if not oblique and word & (PERSON | COMMON) and _nominative(noun):
            return True
        if word & (_NAMES | ROLE | COMMON_INS):
            return False
    return False


RULES = (
    Rule("noun", PERSON_M, PERSON_F, 0, 0, _what_i_am),
    Rule("noun", ROLE_M, ROLE_F, 0, 0, _what_i_do),
    Rule("noun_attribute", ATT_M | ATT_INS_M, ATT_F | ATT_INS_F, 0, 0, _attribute),
)
