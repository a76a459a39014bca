"""The rules of the Baltic languages: where an adjective, a participle or a noun is the speaker's.

Lithuanian and Latvian agree in the same places. Predicates stand in the nominative after "I am,
feel, become" and after "to be" where the speaker is the subject; in the dative with "to be" and
"alone" ("man patinka būti vienai", "man patīk būt vienai"); in Lithuanian in the instrumental
after "become", "to be" and "consider myself", in Latvian after "par" where the accusative tells
(zinātnieku/zinātnieci, but not skolotāju, which is both). Participles of manner (-damas/-dama,
-dams/-dama) and Lithuanian past participles (-ęs/-usi) are said of the subject wherever they stand.

Word order is free, so that a predicate is looked for up to ten words from its verb; a word does not
count after a preposition, or before a noun that it goes with.
"""

from collections.abc import Mapping, Sequence

from monitor.languages import _clauses as c
from monitor.languages._clauses import Clause, Subject, read_pairs, shows

LOOKS_M, LOOKS_F = c.FREE, c.FREE << 1  # an unlisted word that may be a noun in the nominative
LOOKS_DAT = c.FREE << 2  # and one in the dative
PAR = c.FREE << 3  # Latvian "par" before what somebody becomes or works as
TO_OTHERS = c.FREE << 4  # "to him", "to you": whose infinitive it is
MANNER = c.FREE << 5  # participles of manner, which nothing but the subject agrees with
PERFECT = c.FREE << 6  # participles that need no copula beside them
WORK = c.FREE << 7  # "I work", "I got a job": what follows in the instrumental is a job
LONE = c.FREE << 8  # datives of "alone" and "oneself", which need no "to be"
TO_BE_SOMEBODY = c.FREE << 9  # beside BE_INF: takes no adverb, as "to look well" does
HAVE_VERB = c.VERB | c.BE | c.FEEL | c.OTHER | c.ANYBODY
_REACH = 10
_BESIDE = c.ADV | c.ADJ | c.PART | c.INS | c.DET | c.MY | c.AND | c.OR


def nouns_by_suffix(text: str) -> list[tuple[str, str]]:
    """Return the endings of pairs of nouns, the longest first."""
    return sorted(read_pairs(text), key=lambda pair: -len(pair[0]))


def read_endings(text: str) -> list[tuple[str, int, int]]:
    """Return [(ending, letters before it at least, tags)] of lines with names of tags."""
    rows = [line.split() for line in text.strip().splitlines()]
    tags = vars(c) | globals()
    return [(row[0], int(row[1]), sum(tags[name] for name in row[2:])) for row in rows]


def inflected(form: str, endings: Mapping[str, str]) -> str:
    """Return a form in another case by its longest ending in a table, "" without any."""
    for size in range(min(3, len(form)), 0, -1):
        if form[-size:] in endings:
            return form[:-size] + endings[form[-size:]]
    return ""


def one_word(
    couples: frozenset[tuple[str, str]],
    endings: Sequence[tuple[str, str]],
    masculine: str,
    feminine: str,
) -> bool:
    """Return whether two forms are a couple of one word, or have one stem before paired endings."""
    return (masculine, feminine) in couples or any(
        masculine.endswith(ending_m)
        and feminine.endswith(ending_f)
        and masculine.removesuffix(ending_m) == feminine.removesuffix(ending_f)
        for ending_m, ending_f in endings
    )


# --- rules -------------------------------------------------------------------------------------


def _before(clause: Clause, i: int) -> int:
    """Return where the word before a predicate stands, past adverbs and other adjectives."""
    return clause.past(i - 1, -1, _BESIDE, HAVE_VERB)


def _governed(clause: Clause, i: int) -> bool:
    return bool(clause.tag(_before(clause, i)) & c.PREP)


def _with_noun(clause: Clause, i: int) -> bool:
    """Return whether the word goes with a noun after it that says nothing of the speaker."""
    tag = clause.tags[i]
    agreeing = _MASCULINE if tag & _MASCULINE else _FEMININE
    looks = LOOKS_M if tag & _MASCULINE else LOOKS_F
    j = clause.past(i + 1, 1, agreeing, c.NOUN)
    if clause.tag(j) & c.AND and clause.tag(j + 1) & agreeing:  # "geras ir ramus žmogus"
        j = clause.past(j + 1, 1, agreeing, c.NOUN)
    after = clause.tag(j)
    if after & (c.NOUN | c.COMMON):
        return False
    return bool(after & (c.FIXED | looks))


_MASCULINE = c.ADJ_M | c.PART_M | c.ALONE_M | c.SELF_M | c.LOOSE_M
_FEMININE = _MASCULINE << 1


def _verb_at(clause: Clause, i: int) -> int:
    """Return where the verb that a predicate completes stands, -1 without one."""
    for j in range(i - 1, max(-1, i - _REACH), -1):
        tag = clause.tags[j]
        if tag & c.COPULA or (tag & c.ANYBODY and _is_mine(clause, j)):
            return j
        if tag & c.BE_INF:
            return j if clause.subject is Subject.SPEAKER else -1
        if tag & (c.VERB | c.OTHER):
            break
    for j in range(i + 1, min(len(clause.tags), i + 4)):
        tag = clause.tags[j]
        if tag & c.COPULA or (tag & c.ANYBODY and clause.union & c.NOMINATIVE):
            return j
        if not tag & (c.NOMINATIVE | c.ADV | c.ADJ | c.TO_ME):
            break
    return -1


def _is_mine(clause: Clause, j: int) -> bool:
    """Return whether a verb of any person has the speaker for its subject."""
    if clause.union & c.NOMINATIVE:
        return not clause.union & c.OTHER
    k = clause.past(j - 1, -1, c.ADV | c.PREP | c.ME)
    return k < 0 or bool(clause.tag(k) & c.CUT)


def _without_verb(clause: Clause, i: int) -> bool:
    """As in "aš drovus": the pronoun, and no verb between."""
    if not clause.union & c.NOMINATIVE:
        return False
    for j in range(i - 1, max(-1, i - _REACH), -1):
        if clause.tags[j] & c.NOMINATIVE:
            return True
        if clause.tags[j] & (HAVE_VERB | c.INF | c.BE_INF | LOOKS_M | LOOKS_F):
            return False
    return False


def _predicate(clause: Clause, i: int) -> bool:
    """As in "esu pavargusi", "jaučiausi labai vieniša", "esmu nogurusi"."""
    if _governed(clause, i) or _with_noun(clause, i):
        return False
    return _verb_at(clause, i) >= 0


def _next_to_copula(clause: Clause, i: int) -> bool:
    """As in "esu labai kibus", "jaučiausi kibi": a copula, and nothing but adverbs between."""
    if _with_noun(clause, i):
        return False
    return bool(clause.tag(clause.past(i - 1, -1, c.ADV)) & c.COPULA)


def _nominal(clause: Clause, i: int) -> bool:
    """As in "aš drovi ir tyli", "aš pasiruošęs"."""
    if _governed(clause, i) or _with_noun(clause, i) or clause.subject is not Subject.SPEAKER:
        return False
    return _without_verb(clause, i)


def _participle(clause: Clause, i: int) -> bool:
    """As in "skaitydama laukiau", "grįžau pavargęs", "ēzdama runāju"."""
    if clause.tags[i] & MANNER:
        is_mine = clause.subject is Subject.SPEAKER or clause.union & c.TO_ME
        return bool(is_mine or (clause.after and clause.after.union & c.TO_ME))
    if clause.subject is not Subject.SPEAKER:
        return False
    if not clause.tags[i] & PERFECT and (
        i or not clause.opener & c.COMMA or clause.union & c.FIRST
    ):
        return False  # "..., lydima draugų": a passive participle opens its clause
    if clause.tag(i - 1) & c.DET or _governed(clause, i):
        return False
    if clause.union & c.TO_ME and not clause.union & c.FIRST:
        return False  # the neuter: "man liūdna"
    return not _with_noun(clause, i)


def _self(clause: Clause, i: int) -> bool:
    """As in "pats padariau", "es pati gribēju"; not "ta pati knyga", "pati geriausia"."""
    if clause.tag(i - 1) & (c.DET | c.PREP) or clause.tag(i + 1) & c.ADJ:
        return False
    if _with_noun(clause, i):
        return False
    is_mine = clause.union & c.TO_ME and clause.union & (c.INF | c.BE_INF)
    return clause.subject is Subject.SPEAKER or bool(is_mine)


def _alone(clause: Clause, i: int) -> bool:
    """As in "gyvenu viena", "nevaru viens aiziet"; not "viena knyga"."""
    after = clause.tag(i + 1)
    if clause.tag(i - 1) & (c.DET | c.PREP) or _with_noun(clause, i):
        return False
    if after & (c.NOUN | c.COMMON | c.DET | c.ADJ):
        return False
    if clause.subject is Subject.SPEAKER:
        return True
    noun = LOOKS_M if clause.tags[i] & c.ALONE_M else LOOKS_F
    if clause.tag(i - 1) & noun:  # "jāatstāj suns viens"
        return False
    return bool(clause.union & c.TO_ME and clause.union & (c.INF | c.BE_INF))


def _dative(clause: Clause, i: int) -> bool:
    """As in "man patinka būti vienai", "man patīk būt atbildīgai"."""
    if clause.union & (TO_OTHERS | c.OTHER) and not clause.union & c.TO_ME:
        return False
    if clause.tag(i + 1) & LOOKS_DAT or _governed(clause, i):
        return False
    if clause.tags[i] & LONE:
        return bool(clause.union & (c.TO_ME | c.INF | c.BE_INF | c.VERB))
    return clause.near_before(i, TO_BE_SOMEBODY, 5)


def _instrumental(clause: Clause, i: int) -> bool:
    """As in "laikau save protinga", "norėčiau būti laisvu"."""
    if _governed(clause, i) or clause.key(i + 1).endswith(_INSTRUMENTALS):
        return False
    if clause.near_before(i, c.MYSELF, 4):
        return clause.subject is Subject.SPEAKER
    is_mine = clause.union & c.TO_ME and not clause.union & TO_OTHERS
    if not is_mine and clause.subject is not Subject.SPEAKER:
        return False
    return clause.near_before(i, c.BE_INF | c.FEEL, 5)


_INSTRUMENTALS = ("u", "umi", "imi", "a", "e")  # of nouns that the word may go with


def _noun(clause: Clause, i: int) -> bool:
    """As in "esu mokytoja", "aš esu savo srities ekspertas"."""
    if _governed(clause, i):
        return False
    return _verb_at(clause, i) >= 0


def _as(clause: Clause, i: int) -> bool:
    """As in "kaip vadovė, sprendžiau ...", "kā komandas vadītājs es ..."."""
    for j in range(i - 1, max(-1, i - 5), -1):
        if clause.tags[j] & c.AS:
            return clause.subject is Subject.SPEAKER or bool(clause.union & c.ME)
        if clause.tags[j] & (HAVE_VERB | c.PREP):
            return False
    return False


def _role(clause: Clause, i: int) -> bool:
    """As in "tapau mokytoju", "dirbu slaugytoja", "laikau save lydere"."""
    if clause.subject is not Subject.SPEAKER or _governed(clause, i):
        return False
    return clause.near_before(i, c.FEEL | c.BE_INF | c.MYSELF | WORK, 5)


def _after_par(clause: Clause, i: int) -> bool:
    """As in "kļuvu par direktori", "strādāju par zinātnieku"."""
    if clause.subject is not Subject.SPEAKER or not clause.near_before(i, PAR, 4):
        return False
    return clause.near_before(i, c.FEEL | c.BE_INF | WORK)


RULES = (
    shows("predicate", c.ADJ | c.PART, _predicate, c.COPULA | c.BE_INF | c.ANYBODY),
    shows("self", c.SELF, _self),
    shows("alone", c.ALONE, _alone),
    shows("participle", c.PART, _participle),
    shows("dative", c.DAT, _dative),
    shows("noun", c.NOUN, _noun, c.COPULA | c.BE_INF | c.ANYBODY, noun=True),
    shows("role_noun", c.NOUN | c.ROLE, _as, c.AS, noun=True),
)
LITHUANIAN_RULES = (
    shows("predicate", c.LOOSE, _next_to_copula, c.COPULA),
    shows("nominal", c.ADJ | c.PART, _nominal, c.NOMINATIVE),
    shows("nominal", c.NOUN, _nominal, c.NOMINATIVE, noun=True),
    shows("instrumental", c.INS, _instrumental, c.MYSELF | c.BE_INF | c.FEEL),
    shows("role_noun", c.ROLE, _role, noun=True),
)
AFTER_PAR = shows("role_noun", c.ROLE, _after_par, PAR, noun=True)
