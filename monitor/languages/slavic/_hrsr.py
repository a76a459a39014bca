"""Croatian and Serbian grammar of the speaker's gender, shared by both standards.

The perfect, the conditional and the second future join an l-participle in -o (from -l: -ao, -io,
-eo, -uo) or -la to an enclitic of the first person: "radila sam", "bih htio", "budem mogla". The
present shows the gender in predicates: indefinite adjectives and passive participles, both genders
of comparatives too ("bolja sam"), in the instrumental after "osjećam se", "smatram se", and in
"sam/sama", alone. `sam` is the auxiliary unless the clause has another verb of the first person.
"""

from monitor.data import read_toml
from monitor.languages import _clauses as s
from monitor.languages._clauses import Clause, Rule, longest_ending, read_words
from monitor.languages.slavic import _south as south

# Adjectives in -ski, -ajući, also adverbs: a predicate if nothing follows.
DEFINITE_M, DEFINITE_F = s.FREE << 8, s.FREE << 9
PRO_M, PRO_F = s.SHORT_M, s.SHORT_F  # pronouns that agree: takav, taj, jedan
_DATA = read_toml("person_words_hrsr")


WORDS = south.add_cases(
    read_words(
        _DATA["words"],
        vars(s) | vars(south) | globals(),
        (s.VERB, _DATA["verb"]),
        (south.NOUNISH, _DATA["noun_or_past"]),
        (s.PAST_M, [w for w in _DATA["noun_or_past"].split() if w.endswith("o")]),
        (s.PAST_F, [w for w in _DATA["noun_or_past"].split() if w.endswith("a")]),
    ),
    {"om": s.INS_F, "im": s.INS_M | s.VERB},  # a verb as well: "čistim"
)

_CONSONANTS = "bcčćdđfghjklmnprsštvzž"
_ENDINGS = read_words(
    _DATA["endings"],
    vars(s) | vars(south) | globals(),
    (s.ADJ_F, [c + "na" for c in _CONSONANTS] + ["ana", "ena"]),
    # Comparatives; nouns in -nija have a vowel before it (linija, kompanija).
    (s.ADJ_M, [c + "niji" for c in _CONSONANTS] + ["eniji", "ljiviji"]),
    (s.ADJ_F, [c + "nija" for c in _CONSONANTS] + ["enija", "ljivija"]),
    (s.INS_M, [c + "nim" for c in _CONSONANTS] + ["anim", "enim", "ljivim", "ovitim", "nutim"]),
    (s.INS_M, [c + "nijim" for c in _CONSONANTS] + ["enijim", "ljivijim"]),
    (s.INS_F, [c + "nijom" for c in _CONSONANTS] + ["enijom", "ljivijom"]),
    (s.INS_F, [c + "nom" for c in _CONSONANTS] + ["anom", "enom", "ljivom", "ovitom", "nutom"]),
)


def ending(key: str) -> int:
    """Tags of an unlisted word by its ending."""
    for prefix in ("pre", "ne", "naj"):  # "preslab", "nejak", "najbolja"
        if key.startswith(prefix) and (tags := WORDS.get(key[len(prefix) :], 0)) & s.ADJ:
            return tags
    if key.startswith("naj") and key.endswith(("ji", "ši", "ži", "či", "ći", "đi")):
        return s.ADJ_M
    if key.startswith("naj") and key.endswith(("ja", "ša", "ža", "ča", "ća", "đa")):
        return s.ADJ_F
    return longest_ending(key, _ENDINGS)


def _would(clause: Clause, i: int) -> bool:
    """Return whether "bi" is "bih" without its h, or says what "I" aim at: "da ne bi zaspao"."""
    if not south.would_participle(clause, i):
        return False
    if clause.union & s.NOMINATIVE:
        return True
    aim = clause.tags[0] & s.CUT and clause.key(0) in _AIMS
    return bool(aim and south.text_around(clause, 0) & s.FIRST)


_AIMS = frozenset({"da", "kako", "kad", "kada", "ako", "jer", "iako"})


def _alone(clause: Clause, i: int) -> bool:
    """Return whether "sam", "sama" is the speaker alone, not the auxiliary or "sama pomisao"."""
    if clause.tag(i - 1) & s.PREP or clause.key(i + 1) == "po":
        return False
    if clause.tags[i] & s.SELF_F:
        if clause.tag(i - 1) & s.DET:
            return False
        follows = clause.tag(i + 1)
        is_named = i + 1 < len(clause.tags) and not follows & ~s.NATIVE
        return not (is_named and clause.key(i + 1).endswith("a")) and south.speaks(clause, i)
    # A woman says "sama": beside a feminine it is the auxiliary.
    feminine = clause.union & (s.PAST_F | s.ADJ_F)
    return not (feminine or clause.tag(i + 1) & s.NOMINATIVE) and _auxiliary_to_spare(clause, i)


def _auxiliary_to_spare(clause: Clause, i: int) -> bool:
    """Return whether the clause has its verb of the first person without the word "sam" at `i`."""
    near = south.around(clause, i)
    if clause.tag(i - 1) & s.BE_INF:
        return south.speaks(clause, i)
    auxiliaries = [j for j in near if clause.tags[j] & (s.AUX | s.BE)]
    if auxiliaries and auxiliaries[0] < i:
        return len(auxiliaries) > _predicates(clause, near)
    if clause.union & (s.PAST | s.ADJ):
        return False
    j = clause.past(i + 1, 1, s.CLITIC | s.ADV)  # "sam živim", "ja sam to mogu"
    if clause.tag(j) & s.VERB and (clause.key(j) in _PRESENT or not _second(clause, i)):
        return True
    j = clause.past(i - 1, -1, s.ADV | s.CLITIC, s.VERB | s.FEEL)
    last = i == len(clause.tags) - 1  # there the enclitic does not stand
    return any(
        clause.tags[k] & (s.VERB | s.FEEL)
        and (clause.key(k) in _PRESENT or ((last or k == j) and not _nominal(clause, k)))
        for k in near
        if k < i
    )


def _predicates(clause: Clause, near: range) -> int:
    """Return how many words need an auxiliary; "bio umoran" is one."""
    adjectives = sum(1 for j in near if clause.tags[j] & s.ADJ)
    copulas = sum(1 for j in near if clause.tags[j] & s.BE_PAST)
    participles = sum(1 for j in near if clause.tags[j] & s.PAST)
    return participles + max(0, adjectives - copulas)


def _second(clause: Clause, i: int) -> bool:
    """Return whether the i-th word stands where enclitics do: not first in its clause."""
    return i > 0 and not (i == 1 and clause.tags[0] & s.AND)


def _nominal(clause: Clause, i: int) -> bool:
    """Return whether a word in -m goes with a preposition, a determiner or an adjective."""
    return bool(clause.tag(i - 1) & (s.PREP | s.DET | s.ADJ | s.INS_M | s.INS_F))


_PRESENT = frozenset(_DATA["verb"].split())


def _instrumental(clause: Clause, i: int) -> bool:
    """Return whether an instrumental is what the speaker feels or thinks to be."""
    return clause.near_before(i, s.FEEL) and _no_attribute(clause, i)


def _object(clause: Clause, i: int) -> bool:
    """Return whether an instrumental is what somebody makes of the speaker: "čini me sretnom"."""
    return south.makes_me(clause, i) and _no_attribute(clause, i)


def _no_attribute(clause: Clause, i: int) -> bool:
    """Return whether an instrumental has no noun: not "smatram se dobrom majkom"."""
    after = clause.tag(i + 1)
    if clause.tag(i - 1) & (s.PREP | s.DET):
        return False
    return not clause.key(i + 1).endswith(("om", "em", "im", "ima", "ama")) or bool(
        after & (s.INS_M | s.INS_F)
    )


def _final(clause: Clause, i: int) -> bool:
    """Return whether an adjective in -ski, -ska, maybe an adverb, has only a copula beside it."""
    if i != len(clause.tags) - 1 or south.goes_on_past_comma(
        clause, feminine=bool(clause.tags[i] & DEFINITE_F)
    ):
        return False
    return bool(clause.tag(clause.past(i - 1, -1, s.ADV)) & s.BE)


RULES = (
    Rule("aux_participle", s.PAST_M, s.PAST_F, s.AUX, 0, south.own_participle),
    Rule("self", s.SELF_M, s.SELF_F, s.FIRST, s.OTHER, _alone),
    *south.ADJECTIVE_RULES,
    Rule("to_me_alone", s.SELF_M, s.SELF_F, s.BE_INF, s.PAST | south.WOULD, south.to_me),
    Rule("feel_instrumental", s.INS_M, s.INS_F, s.FEEL, south.NOT_PRESENT, _instrumental),
    Rule("object_instrumental", s.INS_M, s.INS_F, south.MAKES, 0, _object),
    Rule("final_adjective", DEFINITE_M, DEFINITE_F, s.BE, south.NOT_PRESENT | s.ADJ, _final),
    Rule("pro_adjective", PRO_M, PRO_F, s.BE, south.NOT_PRESENT, south.pro_adjective),
    Rule("would_participle", s.PAST_M, s.PAST_F, south.WOULD, s.OTHER, _would, weak=True),
)
LETTERS = "abcčćdđefghijklmnoprsštuvzžqwxy"
