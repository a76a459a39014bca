"""Bulgarian: the gender a text gives to its first person.

"съм", "бях", "бих" and "бъда" are forms of the first person only. They join an l-participle
("винаги съм искала", "бих могъл", renarrative "бил съм"), a passive participle or an adjective
("уморен съм", "бях поканена"), an adjective with the article that no noun follows ("аз съм
най-добрата"), and "такъв", "този, който", "една от". Other verbs of the first person have a
predicate of their own ("чувствам се слаба", "стоях изправен", "смятам се за умен") and go with
"сам/сама". The present in -а and -я is the first person of some verbs and the third of others: in
a clause with "да" it is the speaker's where the clause before is ("мога да се справя сама").
Adjectives in -ски have a plural that is spelt like the masculine and are not read.
"""

from collections.abc import Callable

from monitor.data import read_toml
from monitor.languages import _clauses as s
from monitor.languages._clauses import Clause, Rule, longest_ending, read_words
from monitor.languages.slavic import _south as south
from monitor.languages.slavic._slavic import Slavic
from monitor.languages.slavic._slavic_people import person_nouns

DEFINITE_M, DEFINITE_F = s.SHORT_M, s.SHORT_F  # adjectives with the article
PRO_M, PRO_F = s.GLAD_M, s.GLAD_F  # pronouns that agree: такъв, този
ONE_M, ONE_F = s.INS_M, s.INS_F
HOLD = s.FREE << 8  # verbs that hold the speaker for something
PERFECTIVE = s.FREE << 9  # verbs that are the first person's after "ще" and "да" only
MIND = s.FREE << 10  # states of mind, which only a person is in

_DATA = read_toml("person_words_bg")
_FAR = 8  # words between a verb and its predicate
_CONSONANTS = "бвгджзйклмнпрстфхцчшщ"


WORDS = read_words(_DATA["words"], vars(s) | vars(south) | globals())

_ENDINGS = read_words(
    _DATA["endings"],
    vars(s) | vars(south),
    (s.ADJ_F, [c + "на" for c in _CONSONANTS]),
    (s.ADJ_M, [c + "нат" for c in _CONSONANTS]),
    (s.ADJ_F, [c + "ната" for c in _CONSONANTS]),
)
_DEGREES = ("по-", "най-")
_PREFIXES = ("не", "пре", "полу", "свръх")
_ARTICLES = (("ият", DEFINITE_M), ("ия", DEFINITE_M), ("та", DEFINITE_F))


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    for degree in _DEGREES:
        if key.startswith(degree):
            bare = key.removeprefix(degree)
            tags = WORDS[bare] if bare in WORDS else _bare_ending(bare)
            return tags & (s.ADJ | DEFINITE_M | DEFINITE_F)
    return _bare_ending(key)


def _bare_ending(key: str) -> int:
    """Tags of an unlisted word without "по-" and "най-"."""
    for prefix in _PREFIXES:  # "неуверен", "препълна"
        if key.startswith(prefix) and (tags := WORDS.get(key[len(prefix) :], 0)) & s.ADJ:
            return tags
    if definite := _definite(key):
        return definite
    return longest_ending(key, _ENDINGS)


def _definite(key: str) -> int:
    """Tags of an adjective with the article: "умореният", "уморената", both from "уморена"."""
    for article, tag in _ARTICLES:
        if not key.endswith(article):
            continue
        stem = key.removesuffix(article)
        feminine = stem + "а" if tag is DEFINITE_M else stem
        tags = WORDS[feminine] if feminine in WORDS else longest_ending(feminine, _ENDINGS)
        if tags & s.ADJ_F and feminine.endswith("а"):
            # "притисната" is a participle, and would be "притисна" with the article.
            return tag | s.ADJ_F if _is_nat(key) else tag
    return 0


def _is_nat(key: str) -> bool:
    """Return whether a word ends like the feminine of a participle in -нат."""
    return key.endswith("ната") and key[-5:-4] in _CONSONANTS


def read_context(surfaces: list[str], tags: list[int], key: Callable[[str], str]) -> None:
    """Make a perfective verb the first person's where "ще" or "да" stands before it."""
    for i, word in enumerate(tags):
        if word & PERFECTIVE:
            j = i - 1
            while j >= 0 and tags[j] & s.CLITIC and key(surfaces[j]) not in _PARTICLES:
                j -= 1
            if j >= 0 and key(surfaces[j]) in _PARTICLES:
                tags[i] |= s.FEEL | s.VERB | south.STATE


_PARTICLES = frozenset({"ще", "да"})


def follow(sentence: list[Clause], clause: Clause) -> int:
    """Tags that a clause with "да" takes over: its verb may be the speaker's as the one before."""
    last = sentence[-1]
    if len(sentence) > 1 and not last.union & s.FINITE:  # "избрах да остана, вместо да ходя сама"
        last = sentence[-2]
    if clause.key(0) != "да" or last.union & s.OTHER or not last.union & s.FIRST:
        return 0
    verb = clause.key(clause.past(1, 1, s.CLITIC))
    return s.NOMINATIVE if verb.endswith(("а", "я", "м")) else 0


def _no_noun(clause: Clause, i: int) -> bool:
    """Return whether no noun comes after the adjective at `i`: not "добър съм баща"."""
    j = clause.past(i + 1, 1, _BETWEEN | s.ADJ, s.PREP)
    key, word = clause.key(j), clause.tag(j)
    if not key:
        return not _goes_on(clause, feminine=bool(clause.tags[i] & _FEMININE))
    if word & (south.NEUTRAL | s.NOUN_M | s.NOUN_F):
        return False
    if word & _KNOWN:
        return True
    return not _agrees(key, feminine=bool(clause.tags[i] & _FEMININE))


def _agrees(key: str, *, feminine: bool) -> bool:
    """Return whether an unlisted word may be the noun of an adjective of this gender."""
    if feminine:
        return key.endswith(("а", "я", "ст", "щ", "ен"))
    return key[-1] not in "аеиоуюя"


def _goes_on(clause: Clause, *, feminine: bool) -> bool:
    """Return whether a noun comes after a comma: "аз съм спокоен, строг баща"."""
    after = clause.at[-1] + 1
    surfaces, look_up = clause.surfaces, clause.language.look_up
    if (
        after + 2 >= len(surfaces)
        or surfaces[after] != ","
        or not look_up(surfaces[after + 1]) & s.ADJ
    ):
        return False
    word = look_up(surfaces[after + 2])
    if word & (south.NEUTRAL | s.NOUN_M | s.NOUN_F):
        return True
    key = clause.language.key(surfaces[after + 2])
    return not word & (_KNOWN | s.PUNCTUATION | s.CUTS) and _agrees(key, feminine=feminine)


_FEMININE = s.ADJ_F | DEFINITE_F
_BETWEEN = s.ADV | s.AND | s.CLITIC | s.BE | s.FEEL | s.NOMINATIVE | s.ME
_KNOWN = (
    s.PREP | s.ADV | s.CLITIC | s.AND | s.CUT | s.AUX | s.BE | s.FEEL | s.VERB | s.OTHER | s.ME
    | s.PAST | s.SELF_M | s.SELF_F | s.DET | s.SLASH | PRO_M | PRO_F | ONE_M | ONE_F | s.SAY
)  # fmt: skip


def _alone(clause: Clause, i: int) -> bool:
    """Return whether "сам", "сама" is the speaker: not "сама по себе си", "самата мисъл"."""
    if clause.tag(i - 1) & (s.DET | s.PREP) or clause.key(i + 1) == "по":
        return False
    if clause.key(i - 1) in {"я", "го"} and clause.key(i - 2).startswith(_SEEN):
        return False
    key, word = clause.key(i + 1), clause.tag(i + 1)
    feminine = bool(clause.tags[i] & s.SELF_F)
    return not key or bool(word & _KNOWN) or not _agrees(key, feminine=feminine)


_SEEN = ("вид", "намер", "завар", "остав")  # "видях я сама"


def _predicate(clause: Clause, i: int) -> bool:
    """Return whether the adjective at `i` is what the speaker is, feels or becomes."""
    if clause.tag(i - 1) & (s.PREP | s.DET | ONE_M | ONE_F):
        return False
    near = range(max(0, i - _FAR), min(len(clause.tags), i + _FAR + 1))
    if any(clause.tags[j] & s.PAST and not clause.tags[j] & s.BE_PAST for j in near):
        return False
    copulas = [abs(i - j) for j in near if clause.tags[j] & (s.BE | s.FEEL)]
    distances = [abs(i - j) for j in near if clause.tags[j] & south.THEIRS]
    if not copulas or (distances and min(distances) < min(copulas)):
        return False
    return _no_noun(clause, i)


def _definite_predicate(clause: Clause, i: int) -> bool:
    """Return whether an adjective with the article stands alone: "аз съм първата"."""
    j = clause.past(i - 1, -1, s.ADV | s.CLITIC | s.NOMINATIVE)
    neighbours = clause.tag(j) | clause.tag(i + 1)
    return bool(neighbours & (s.BE | s.FEEL | s.BE_PAST)) and _no_noun(clause, i)


def _pronoun(clause: Clause, i: int) -> bool:
    """Return whether a pronoun is the predicate: "такава съм", "аз съм този, който"."""
    j = clause.past(i - 1, -1, s.ADV | s.CLITIC | s.NOMINATIVE)
    if clause.tag(i + 1) & s.BE:
        return True
    return bool(clause.tag(j) & (s.BE | s.BE_PAST)) and i + 1 == len(clause.tags)


def _one_of(clause: Clause, i: int) -> bool:
    """Return whether the speaker is one of several: "аз съм една от тях"."""
    near = clause.tags[max(0, i - _FAR) : i + 2]
    return any(t & s.BE for t in near) and clause.key(i + 1) in {"от", "съм"}


def _depictive(clause: Clause, i: int) -> bool:
    """Return whether an adjective says how the speaker goes, sleeps, ends: "стоях изправена"."""
    if clause.tag(i - 1) & (s.PREP | s.DET):
        return False
    return clause.near_before(i, south.STATE) and _no_noun(clause, i)


def _held(clause: Clause, i: int) -> bool:
    """Return whether the speaker is held for it: "смятам се за умен", "смятат ме за"."""
    j = clause.past(i - 1, -1, s.ADV)
    if clause.key(j) != "за":
        return False
    keys = {clause.key(k) for k in range(max(0, j - _FAR), j)}
    is_reflexive = clause.union & HOLD and "се" in keys
    return bool(is_reflexive or (clause.union & south.MAKES and "ме" in keys)) and _no_noun(
        clause, i
    )


def _made(clause: Clause, i: int) -> bool:
    """Return whether somebody makes the speaker so: "това ме прави щастлива"."""
    if clause.tag(i - 1) & (s.PREP | s.DET):
        return False
    makes = [j for j in range(max(0, i - _FAR), i) if clause.tags[j] & south.MAKES]
    me = any("ме" in {clause.key(j - 1), clause.key(j + 1)} for j in makes)
    return me and _no_noun(clause, i)


def _opening(clause: Clause, i: int) -> bool:
    """Return whether an adjective opens a phrase: "Въоръжена с нож, влязох", ", решен да"."""
    at = clause.at[-1] + 1
    surfaces, look_up = clause.surfaces, clause.language.look_up
    if clause.past(i - 1, -1, s.ADV) >= 0 or not _no_noun(clause, i):
        return False
    if clause.opener & s.COMMA and clause.tags[i] & MIND:
        before = [look_up(surface) for surface in surfaces[max(0, clause.at[0] - _WIDE) : at]]
        return _speaks(before)
    if clause.opener and not clause.opener & s.STOP:
        return False
    after = [look_up(surface) for surface in surfaces[at : at + _WIDE]]
    return bool(after and after[0] & s.COMMA) and _speaks(after)


def _speaks(tags: list[int]) -> bool:
    """Return whether words have a verb of the first person and none of another."""
    union = 0
    for word in tags:
        union |= word
    return bool(union & (s.FIRST & ~s.NOMINATIVE)) and not union & s.OTHER


_WIDE = 12  # words around a phrase that are looked at


def _since_young(clause: Clause, i: int) -> bool:
    """Return whether it is the speaker's youth: "от малък ме учеха", "като малка обичах"."""
    if clause.key(i) not in _YOUNG or clause.key(i - 1) not in {"от", "като"}:
        return False
    around = south.text_around(clause, i)
    return bool(around & (s.FIRST | s.ME)) and _no_noun(clause, i)


_YOUNG = frozenset("малък малка млад млада".split())
_ADJECTIVE = (s.ADJ_M, s.ADJ_F)

RULES = (
    Rule("aux_participle", s.PAST_M, s.PAST_F, s.AUX, 0, south.own_participle),
    Rule("self", s.SELF_M, s.SELF_F, s.FIRST, 0, _alone),
    Rule("copula_adjective", *_ADJECTIVE, s.BE | s.FEEL, 0, _predicate),
    Rule("definite_adjective", DEFINITE_M, DEFINITE_F, s.BE | s.FEEL, 0, _definite_predicate),
    Rule("pro_adjective", PRO_M, PRO_F, s.BE, 0, _pronoun),
    Rule("one_of", ONE_M, ONE_F, s.BE, 0, _one_of),
    Rule("depictive_adjective", *_ADJECTIVE, south.STATE, 0, _depictive),
    Rule("held_adjective", *_ADJECTIVE, HOLD | south.MAKES, 0, _held),
    Rule("object_adjective", *_ADJECTIVE, south.MAKES, 0, _made),
    Rule("since_young", *_ADJECTIVE, 0, 0, _since_young),
    Rule("opening_adjective", *_ADJECTIVE, 0, s.FIRST, _opening),
)

LANGUAGE = Slavic(
    code="bg",
    name="Bulgarian",
    words=WORDS,
    ending=ending,
    rules=RULES,
    context=read_context,
    follow=follow,
    letters="абвгдежзийклмнопрстуфхцчшщъьюяѝ",
    people=person_nouns("person_nouns_bg"),
    version=2,
)
