"""Slovene: the gender a text gives to its first person.

The past and the future join an l-participle to "sem", "nisem", "bom" in the same clause ("plakala
sem", "bom šel"). The conditional's "bi" has no person: it is read only where nothing else shows the
gender, in a clause that neither asks nor names anybody else. The present shows the gender in
"rad/rada" and "sam/sama" beside a verb of the first person and in predicates: indefinite
adjectives, passive participles, and both genders of comparatives ("utrujena sem", "boljša sem").
The accusative after "to feel" ("počutim se krivega") is left unread: the feminine of it is an
adverb too ("počutim se krivo").
The dual and the plural have auxiliaries of their own, which the participle then goes with.
"""

from monitor.data import read_toml
from monitor.languages import _clauses as s
from monitor.languages._clauses import Clause, Rule, longest_ending, read_words
from monitor.languages.slavic import _south as south
from monitor.languages.slavic._slavic import Slavic
from monitor.languages.slavic._slavic_people import person_nouns

_DATA = read_toml("person_words_sl")
PRO_M, PRO_F = s.SHORT_M, s.SHORT_F  # pronouns that agree: tak, tisti, eden


_TABLE = read_words(
    _DATA["words"],
    vars(s) | vars(south) | globals(),
    (south.MAKES, f"{_DATA['makes']} {_DATA['holds']}"),
    (south.THEIRS, _DATA["theirs"]),
    (s.OTHER, [w for w in _DATA["theirs"].split() if w != "si"]),
    (south.NOUNISH, _DATA["noun_or_past"]),
    (s.PAST_M, [w for w in _DATA["noun_or_past"].split() if w.endswith("l")]),
    (s.PAST_F, [w for w in _DATA["noun_or_past"].split() if w.endswith("a")]),
)
WORDS = south.add_cases(_TABLE, {"ega": s.INS_M, "o": s.INS_F})

_CONSONANTS = "bcčdfghjklmnprsštvzž"
_ENDINGS = read_words(
    _DATA["endings"],
    vars(s) | vars(south) | globals(),
    (s.ADJ_F, [c + "na" for c in _CONSONANTS] + ["ana", "ena"]),
    (s.INS_F, [c + "no" for c in _CONSONANTS] + ["ano", "eno"]),
)


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    for prefix in ("pre", "ne", "naj"):  # "preslab", "nezrel", "najboljša"
        if key.startswith(prefix) and (tags := WORDS.get(key[len(prefix) :], 0)) & s.ADJ:
            return tags
    return longest_ending(key, _ENDINGS)


def _glad(clause: Clause, i: int) -> bool:
    """Return whether "rad" goes with a verb of the first person."""
    if clause.union & s.AUX:
        return bool(south.nearest_auxiliary(clause, i) & s.AUX)
    return not clause.union & (s.OTHER | south.WOULD) and south.speaks(clause, i)


def _glad_would(clause: Clause, i: int) -> bool:
    """Return whether "rad" goes with a "bi" that may be the speaker's."""
    if not south.nearest_auxiliary(clause, i) & south.WOULD:
        return False
    if _relative_subject(clause) or south.is_object(clause, i) or _reported(clause):
        return False
    return not (south.addresses(clause, i) or south.has_subject(clause))


def _relative_subject(clause: Clause) -> bool:
    """Return whether a pronoun is the subject: "ki bi temeljila", not "ki bi jo kupila"."""
    opener = clause.key(0)
    if opener == "ki":
        return not any(clause.key(j) in _RESUMED for j in south.around(clause, 0))
    before = clause.at[0] - 1
    known = clause.language.known(clause.surfaces[before]) if before >= 0 else 0
    return opener in {"kdor", "kateri", "katera"} and not known & s.PREP


def _reported(clause: Clause) -> bool:
    """Return whether somebody else said or thought it: "mama je rekla, da bi šla"."""
    if not clause.tags[0] & (s.CUT | s.OR):
        return False
    union = 0
    for index in range(clause.at[0] - 1, max(-1, clause.at[0] - _BEFORE), -1):
        word = clause.language.known(clause.surfaces[index])
        if word & s.STOP:
            break
        union |= word
    return bool(union & south.THEIRS and union & s.PAST and not union & (s.FIRST | s.ME))


_BEFORE = 12  # words before a clause that are looked at
_RESUMED = frozenset({"ga", "jo", "jih", "mu", "ji", "jim"})


def _would(clause: Clause, i: int) -> bool:
    """Return whether "bi" may be the speaker's; "moral bi", also advice, needs "I" near it."""
    if not south.would_participle(clause, i) or _relative_subject(clause):
        return False
    if _reported(clause):
        return False
    if clause.key(i).startswith("obstaja"):  # of things
        return False
    if not clause.key(i).startswith(("moral", "smel")):
        return True
    return bool(south.text_around(clause, i) & (s.FIRST | s.ME))


def _alone(clause: Clause, i: int) -> bool:
    """Return whether "sama" is the speaker: not "sama misel", "ta sama", "sama po sebi"."""
    if clause.tag(i - 1) & (s.DET | s.PREP) or clause.key(i + 1) == "po":
        return False
    is_named = i + 1 < len(clause.tags) and not clause.tag(i + 1) & ~s.NATIVE
    if clause.tags[i] & s.SELF_F and is_named and clause.key(i + 1).endswith("a"):
        return False
    return _glad(clause, i)


def _object(clause: Clause, i: int) -> bool:
    """Return whether the speaker is made or held so: "dela me srečno", "imam se za pametnega"."""
    if not _no_attribute(clause, i):
        return False
    words = {clause.key(j) for j in south.around(clause, i) if j < i}
    if "za" in words:
        return bool(words & _HOLDS) and bool(words & {"se", "me", "mene"})
    return south.makes_me(clause, i) and not words & _HOLDS


_HOLDS = frozenset(_DATA["holds"].split())


def _no_attribute(clause: Clause, i: int) -> bool:
    """Return whether no noun of the adjective follows."""
    last = i + 1 >= len(clause.tags)
    return last or bool(clause.tag(i + 1) & (s.PREP | s.CUT | s.INF | s.AND))


RULES = (
    Rule("aux_participle", s.PAST_M, s.PAST_F, s.AUX, 0, south.own_participle),
    Rule("glad", s.GLAD_M, s.GLAD_F, s.FIRST, 0, _glad),
    Rule("self", s.SELF_M, s.SELF_F, s.FIRST, 0, _alone),
    *south.ADJECTIVE_RULES,
    Rule("to_me_alone", s.SELF_M, s.SELF_F, s.BE_INF, s.PAST | s.AUX | south.WOULD, south.to_me),
    Rule("object_accusative", s.INS_M, s.INS_F, south.MAKES, 0, _object),
    Rule("pro_adjective", PRO_M, PRO_F, s.BE, south.NOT_PRESENT, south.pro_adjective),
    Rule(
        "would_participle",
        s.PAST_M,
        s.PAST_F,
        south.WOULD,
        s.OTHER,
        _would,
        weak=True,
    ),
    Rule("glad_would", s.GLAD_M, s.GLAD_F, south.WOULD, s.OTHER, _glad_would, weak=True),
)

LANGUAGE = Slavic(
    code="sl",
    name="Slovene",
    words=WORDS,
    ending=ending,
    rules=RULES,
    context=south.read_context,
    letters="abcčdefghijklmnoprsštuvzžćđqwxy",
    people=person_nouns("person_nouns_sl"),
    version=6,
)
