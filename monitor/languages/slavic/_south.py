"""The South Slavic languages: subjects of participles, and adjectives as predicates.

Croatian, Serbian and Slovene join an l-participle to an enclitic auxiliary, which stands second in
its clause and so often apart from it. Where a clause holds auxiliaries of several persons (a comma
is missing), the participle goes with the one nearest to it. The tags below, beside those of
:mod:`monitor.languages.slavic._slavic`, have the same meaning in the three languages.
"""

from collections.abc import Callable, Mapping

from monitor.languages import _clauses as s
from monitor.languages._clauses import Clause, Rule

THEIRS = s.FREE  # auxiliaries of other persons
WOULD = s.FREE << 1  # bi: of any person (Slovene) or of another, unless h was dropped (Croatian)
COMPLEMENT = s.FREE << 2  # adjectives with a noun in the genitive after them: "full of"
NOUNISH = s.FREE << 4  # nouns where another word of the clause is a participle: radio, pravila
ADDRESS = s.FREE << 5  # verbs of the second person singular
NEUTRAL = s.FREE << 3  # nouns whose adjectives agree with them whoever is meant: osoba

STATE = s.FREE << 6  # verbs of the first person that an adjective may go with: "idem spremna"
MAKES = s.FREE << 7  # verbs whose object gets a predicate: "čini me sretnom"

FAR = 12  # farther apart no auxiliary is the participle's; bounded looks keep the time linear
_CLUSTER = 4  # words that stand beside "bi" at most: "me ne bi", "bi mi ga"
_LONG = 5  # letters of the longest nouns in -ima
_WIDE = 24  # how far a look at the text around goes
_AFTER_ADJECTIVE = (
    s.PREP | s.ADV | s.CLITIC | s.INF | s.BE_INF | s.AND | s.AUX | s.BE | s.FEEL | s.VERB | s.DET
    | s.SELF_M | s.SELF_F | s.SLASH | s.OTHER | s.ME | s.PAST | s.CUT | s.NOMINATIVE | THEIRS
    | WOULD
)  # fmt: skip
_GENITIVES = ("ega", "kog", "vog", "skog", "šnog", "čnog", "tnog", "dnog")
_CHAIN = s.ADV | s.AND | s.ADJ
_COPULA = s.BE | s.FEEL | s.CLITIC | s.NOMINATIVE  # may part an adjective from its noun
# Definite adjectives in the masculine go before a noun: "sjajan javni govornik".
_DEFINITE = ("ni", "ski", "čki", "ški", "vi", "jući")
_MARKS = s.COMMA | s.STOP | s.COLON | s.BREAK | s.QUOTE


def nearest_auxiliary(clause: Clause, i: int) -> int:
    """Tags of the auxiliary nearest to the i-th word; the first person's of two as near."""
    for distance in range(1, FAR):
        near = [clause.tag(i - distance), clause.tag(i + distance)]
        for wanted in (s.AUX, WOULD, THEIRS):
            for word in near:
                if word & wanted:
                    return word
    return 0


def own_participle(clause: Clause, i: int) -> bool:
    """Return whether the participle at `i` goes with an auxiliary of the first person."""
    if not _is_participle(clause, i):
        return False
    far = not clause.union & (THEIRS | WOULD | s.OTHER)  # the only auxiliary has the participle
    if not (far or nearest_auxiliary(clause, i) & s.AUX or _closes_frame(clause, i)):
        return False
    if not (clause.union & s.PAST_M and clause.union & s.PAST_F) or _alternative(clause, i):
        return True
    # One auxiliary has participles of one gender: the nearest, the rest is a noun or not its own.
    return _distance(clause, i, s.AUX) <= min(
        _distance(clause, j, s.AUX)
        for j in around(clause, i)
        if clause.tags[j] & s.PAST and _is_participle(clause, j)
    )


def _closes_frame(clause: Clause, i: int) -> bool:
    """Return whether a clause opens with an auxiliary for `i`: "sve što sam radio je to"."""
    if not clause.tags[0] & s.CUT:
        return False
    for j in range(i - 1, max(0, i - FAR), -1):
        if clause.tags[j] & (s.PAST | s.ADJ | THEIRS | WOULD):
            return False
        if clause.tags[j] & s.AUX:
            return j == 1 and not clause.tag(i - 1) & THEIRS
    return False


def around(clause: Clause, i: int) -> range:
    """Positions of the words near the i-th, itself included."""
    return range(max(0, i - FAR), min(len(clause.tags), i + FAR + 1))


def _alternative(clause: Clause, i: int) -> bool:
    """Return whether the word at `i` is one of two that are offered: "umoran/umorna"."""
    return bool((clause.tag(i - 1) | clause.tag(i + 1)) & (s.SLASH | s.OR))


def _is_participle(clause: Clause, i: int) -> bool:
    """Return whether a word in -l, -o, -la is no noun and no attribute."""
    word = clause.tags[i]
    if clause.tag(i - 1) & (s.PREP | s.DET):  # "u školi", "moja škola"
        return False
    if clause.tag(i + 1) & NEUTRAL and not word & s.BE_PAST:  # "odrasla osoba"
        return False
    before = clause.tag(i - 1) & (s.CLITIC | s.ADV)
    if word & s.PAST_F and not before and clause.key(i - 1).endswith(_GENITIVES):
        return False  # "velikega pitbula"
    # "radio", "pravila" are nouns where the clause has another participle.
    return not word & NOUNISH or not any(
        clause.tags[j] & s.PAST and not clause.tags[j] & NOUNISH for j in around(clause, i)
    )


def _distance(clause: Clause, i: int, tags: int) -> int:
    """Return how far the nearest word with one of `tags` is."""
    return min((abs(i - j) for j in around(clause, i) if clause.tags[j] & tags), default=FAR + 1)


def would_participle(clause: Clause, i: int) -> bool:
    """Return whether the participle at `i` goes with "bi" in a clause that names nobody else."""
    if not (nearest_auxiliary(clause, i) & WOULD and _is_participle(clause, i)):
        return False
    if is_object(clause, i):
        return False
    return not (addresses(clause, i) or has_subject(clause) or _agrees_with_other(clause, i))


def is_object(clause: Clause, i: int) -> bool:
    """Return whether the "bi" nearest to `i` has "me" for an object: "da bi me mogao čuti"."""
    near = (j for j in around(clause, i) if clause.tags[j] & WOULD)
    would = min(near, key=lambda j: abs(j - i))
    for step in (1, -1):
        j = would + step
        while clause.tag(j) & (s.CLITIC | s.ME | s.ADV) and abs(j - would) < _CLUSTER:
            if clause.key(j) in _TO_ME or clause.key(j) == "me":
                return True
            j += step
    return False


def _agrees_with_other(clause: Clause, i: int) -> bool:
    """Return whether a subject stands after "bi": "da bi mi pes polizal obraz"."""
    feminine = bool(clause.tags[i] & s.PAST_F)
    near = around(clause, i)
    would = next((j for j in near if clause.tags[j] & WOULD), i)
    for j in range(would + 1, near.stop if feminine else i):
        word, key = clause.tags[j], clause.key(j)
        if clause.tag(j - 1) & (s.PREP | s.DET) or key.startswith("svoj"):
            continue
        # "moja hiša" is no object: that is "mojo hišo"; "moj pes" before the verb is none either.
        if word & s.DET and _fits_subject(clause, j, feminine=feminine):
            return True
        if clause.tags[i] & s.BE_PAST and j == i + 1 and word == s.NATIVE and key.endswith("a"):
            return True  # "da bi bila hiša polna"
        is_named = j < i and word & ~_PLAIN == 0 and not _is_oblique(key)
        if is_named and (feminine or not key.endswith(("a", "i"))):
            return True
    return False


def _fits_subject(clause: Clause, i: int, *, feminine: bool) -> bool:
    """Return whether a determiner may go with the subject of a participle of this gender."""
    key = clause.key(i)
    if not feminine:
        return key[-1:] in "jnšv"
    if key == "ta":  # of both genders: "ta avto"
        key = clause.key(i + 1)
    return key.endswith("a") and not key.endswith("ega")


def addresses(clause: Clause, i: int) -> bool:
    """Return whether the text speaks to somebody: "če si želiš", or asks "Bi rad kavo?"."""
    token = clause.at[i]
    if clause.tags[0] & WOULD and "?" in clause.surfaces[token : token + _WIDE]:
        return True
    return text_around(clause, i) & ADDRESS != 0


def text_around(clause: Clause, i: int) -> int:
    """All tags of the text around the i-th word; without verbs that may be oblique cases."""
    look_up, token = clause.language.look_up, clause.at[i]
    union = before = 0
    for surface in clause.surfaces[max(0, token - _WIDE) : token + _WIDE]:
        word = look_up(surface)
        union |= word & ~s.VERB if before & (s.PREP | s.DET | s.VERB) else word
        before = word
    return union


def has_subject(clause: Clause) -> bool:
    """Return whether a word before "bi" may be a subject: an unknown word in no oblique case."""
    if clause.union & s.NOMINATIVE:
        return False
    oblique = False  # whether the noun phrase so far is in an oblique case
    for i, word in enumerate(clause.tags):
        if word & WOULD:
            return False
        if word & (s.NOUN_M | s.NOUN_F) and not oblique:
            return True
        if word & (s.PREP | s.DET) or word & ~_PLAIN == 0:
            oblique = bool(word & s.PREP) or oblique or _is_oblique(clause.key(i))
            if word & ~_PLAIN == 0 and not oblique:
                return True
        elif not word & (s.ADV | s.ADJ | s.AND):
            oblique = False
    return False


_PLAIN = s.NATIVE | s.OWN | s.FOREIGN | s.ADJ


def _is_oblique(key: str) -> bool:
    return key.endswith(("o", "e", "u", "om", "em", "im", "ih", "ega", "mi"))


def predicative(clause: Clause, i: int) -> bool:
    """Return whether the adjective at `i` is a predicate: not "dobar otac"."""
    if clause.tag(i - 1) & (s.PREP | s.DET):
        return False
    feminine = bool(clause.tags[i] & s.ADJ_F)
    if (
        clause.union & s.ADJ_M
        and clause.union & s.ADJ_F
        and not _alternative(clause, i)
        and not _nearest_predicate(clause, i)
    ):
        return False
    j = i + 1
    # "dobar sam otac", "dobar i strog otac": the noun may come after the copula or a second one.
    while j < min(len(clause.tags), i + FAR) and _goes_on(clause, j):
        j += 1
    if j < len(clause.tags):
        return not _is_its_noun(clause.tags[j], clause.key(j), clause.tags[i], feminine=feminine)
    return not goes_on_past_comma(clause, feminine=feminine)


def _nearest_predicate(clause: Clause, i: int) -> bool:
    """Return whether no adjective is nearer to the copula: the others belong to other words."""
    copula = s.BE | s.FEEL | s.BE_INF
    return _distance(clause, i, copula) <= min(
        _distance(clause, j, copula) for j in around(clause, i) if clause.tags[j] & s.ADJ
    )


def _goes_on(clause: Clause, j: int) -> bool:
    """Return whether a noun of the adjective may still come after the j-th word."""
    word = clause.tags[j]
    if word & (s.PREP | s.INF | s.CUT):
        return False
    return bool(word & (_CHAIN | _COPULA)) or clause.key(j).endswith(_DEFINITE)


def _is_its_noun(word: int, key: str, adjective: int, *, feminine: bool) -> bool:
    """Return whether a word after an adjective is the noun that it goes with."""
    if word & (NEUTRAL | s.NOUN_M | s.NOUN_F):
        return True
    if word & _AFTER_ADJECTIVE or adjective & COMPLEMENT or key.endswith(("om", "em", "im")):
        return False
    if feminine:
        plural = key.endswith("ima") and len(key) > _LONG  # "okružena prijateljima", not "zima"
        return not plural and not key.endswith(("e", "i", "u", "o", "ega"))
    return not key.endswith(("e", "i", "u", "o", "ama", "ima", "ega"))


def goes_on_past_comma(clause: Clause, *, feminine: bool) -> bool:
    """Return whether a noun comes after a comma and another adjective: "sam miran, strog otac"."""
    after = clause.at[-1] + 1
    look_up, surfaces = clause.language.look_up, clause.surfaces
    if after >= len(surfaces) or not look_up(surfaces[after]) & s.COMMA:
        return False
    adjective = 0
    for surface in surfaces[after + 1 : after + 9]:
        word = look_up(surface)
        if word & s.ADJ:
            adjective = word
        elif word & s.COMMA or (word & (s.ADV | s.AND) and not word & s.CUT):
            continue
        elif word & _MARKS or not adjective:
            return False
        else:
            key = clause.language.key(surface)
            return _is_its_noun(word, key, adjective, feminine=feminine)
    return False


def pro_adjective(clause: Clause, i: int) -> bool:
    """Return whether a pronoun is the predicate: "takav sam", "jedna sam od njih"."""
    k = clause.past(i - 1, -1, s.ADV | s.NOMINATIVE)
    j = clause.past(i + 1, 1, s.ADV)
    if not (clause.tag(k) | clause.tag(j)) & s.BE:
        return False
    j = clause.past(j + bool(clause.tag(j) & s.BE), 1, s.ADV)
    return j >= len(clause.tags) or clause.key(j) == "od"


def first_person_to_be(clause: Clause, i: int) -> bool:
    """Return whether a predicate hangs on "to be" beside a first person: "želim biti"."""
    return clause.near_before(i, s.BE_INF) and speaks(clause, i) and predicative(clause, i)


def to_me(clause: Clause, i: int) -> bool:
    """Return whether "to me" it is so to be what is said: "teško mi je biti nov"."""
    if not clause.near_before(i, s.BE_INF):
        return False
    if not any(clause.tags[j] & s.ME and clause.key(j) in _TO_ME for j in around(clause, i)):
        return False
    return not clause.tags[i] & s.ADJ or predicative(clause, i)


_TO_ME = frozenset({"mi", "meni"})


def makes_me(clause: Clause, i: int) -> bool:
    """Return whether a verb near the i-th word says what the speaker becomes or is held for."""
    near = around(clause, i)
    return any(clause.key(j) in _OBJECT for j in near if clause.tags[j] & s.ME) and any(
        clause.tags[j] & MAKES for j in near if j < i
    )


_OBJECT = frozenset({"me", "mene"})


def as_such(clause: Clause, i: int) -> bool:
    """Return whether "as" says how the speaker is: "kao umorna ne radim", not "kao dobra majka"."""
    j = i - 1
    while clause.tag(j) & s.ADV and clause.key(j) not in _AS:
        j -= 1
    return clause.key(j) in _AS and speaks(clause, i) and predicative(clause, i)


_AS = frozenset({"kao", "kot"})


def depictive(clause: Clause, i: int) -> bool:
    """Return whether an adjective says how the speaker goes, sleeps, ends: "dolazim umorna"."""
    if i + 1 < len(clause.tags) and not clause.tag(i + 1) & (s.PREP | s.AND | s.ADV | s.VERB):
        return False
    if clause.union & s.INF and not clause.tag(i - 1) & STATE:
        return False
    return predicative(clause, i)


def speaks(clause: Clause, i: int) -> bool:
    """Return whether the clause has a verb of the first person near the i-th word."""
    if clause.union & (s.NOMINATIVE | s.AUX | s.BE | s.FEEL):
        return True
    return any(
        clause.tags[j] & s.VERB and not _in_noun_phrase(clause, j) for j in around(clause, i)
    )


def _in_noun_phrase(clause: Clause, i: int) -> bool:
    """Return whether a word in -em, -im is an oblique case: "s svojim velikim bratom"."""
    return bool(clause.tag(clause.past(i - 1, -1, s.VERB)) & (s.PREP | s.DET))


def add_cases(found: Mapping[str, int], endings: Mapping[str, int]) -> dict[str, int]:
    """`found` and more cases of its feminine adjectives in -a, by {ending: its tags}."""
    more = dict(found)
    for form, tags in found.items():
        if tags & s.ADJ_F and form.endswith("a"):
            for ending, tag in endings.items():
                other = form[:-1] + ending
                more[other] = more.get(other, 0) | tag
    return more


# --- words whose tags depend on their neighbours --------------------------------------------------


CONTEXT = s.FREE << 10  # words that are looked at here
ENCLITIC_LI = s.FREE << 12
NAME = s.FREE << 11  # participles that are first names as well: Mario

GENDERED = s.PAST | s.ADJ | s.INS_M | s.INS_F  # what no name shows: "ja sam Ivana"
_ASKED = s.AUX | s.BE | s.VERB | s.PAST | THEIRS | WOULD
_BEFORE_YOU = s.AUX | s.BE | s.CLITIC | s.CUT | THEIRS | WOULD
_AUXILIARIES = s.AUX | THEIRS | WOULD
_OTHERS = _AUXILIARIES | s.OTHER | s.VERB | s.FEEL
_BOUNDS = s.PUNCTUATION | s.CUT | s.AND


def read_context(surfaces: list[str], tags: list[int], key: Callable[[str], str]) -> None:
    """Change the tags of commas and of words marked `CONTEXT` as their neighbours decide."""
    for i, word in enumerate(tags):
        if word & s.COMMA:
            _join_insertion(tags, i)
        elif word & GENDERED and surfaces[i][0].isupper() and _is_name(surfaces, tags, i):
            tags[i] = word & ~GENDERED
        elif word & CONTEXT:
            if word & ENCLITIC_LI:
                _open_question(tags, i - 1)
            elif word & (s.AUX | THEIRS) and word & s.CUT:
                question = i + 1 < len(tags) and key(surfaces[i + 1]) == "li"
                tags[i] = word if question else word & ~s.CUT
            else:
                tags[i] = _without_auxiliary_or_cut(tags, i)


def _is_name(surfaces: list[str], tags: list[int], i: int) -> bool:
    """Return whether a word has a capital that no sentence and no title gives it."""
    surface = surfaces[i]
    if surface.isupper() and len(surface) > 1:
        return False
    if not i or tags[i - 1] & (s.PUNCTUATION & ~s.COMMA):  # "Mario sam za to" is no name
        is_named = tags[i] & NAME
        return bool(is_named) and not (i + 1 < len(tags) and tags[i + 1] & s.AUX)
    return not surfaces[i - 1][0].isupper() or i == 1 or bool(tags[i - 2] & s.STOP)


def _without_auxiliary_or_cut(tags: list[int], i: int) -> int:
    """Tags of a word that may be a pronoun: "sam je vidio", "nisam te vidio", "sem kdaj rekla"."""
    word = tags[i]
    if word & THEIRS:
        return (word & ~(THEIRS | s.OTHER)) | s.CLITIC if _follows_auxiliary(tags, i) else word
    if word & s.AND:
        you = word & s.CLITIC and i and tags[i - 1] & _BEFORE_YOU
        return word & ~(s.AND | s.OR) if you or _inside_frame(tags, i) else word
    return word & ~s.CUT if _inside_frame(tags, i) else word


def _open_question(tags: list[int], i: int) -> None:
    """Let the verb at `i`, before "li", open a clause: "pitao je bih li mogla"."""
    if i >= 0 and tags[i] & _ASKED:
        tags[i] |= s.CUT


def _follows_auxiliary(tags: list[int], i: int) -> bool:
    """Return whether only enclitics part the i-th word from a verb of the first person before it.

    Beside a present ("volim je kuhati") the clause must have no participle of another verb.
    """
    j = i - 1
    while j >= max(0, i - FAR) and tags[j] & s.CLITIC and not tags[j] & (s.AUX | WOULD):
        j -= 1
    if j < 0 or not tags[j] & (s.AUX | WOULD | s.VERB):
        return False
    return bool(tags[j] & (s.AUX | WOULD)) or _is_present(tags, j, i)


def _is_present(tags: list[int], j: int, i: int) -> bool:
    """Return whether the verb at `j` is no noun in the instrumental that "je" at `i` goes with."""
    if j and tags[j - 1] & (s.PREP | s.DET | s.ADJ | s.INS_M | s.INS_F):
        return False
    for word in tags[i + 1 : i + FAR]:
        if word & (s.CUTS | s.PAST):
            return False
        if word & s.INF:
            return True
    return False


def _inside_frame(tags: list[int], i: int) -> bool:
    """Return whether an auxiliary before the i-th word has its participle after it."""
    return _waits(tags, i) and _has_participle(tags, i + 1, s.PAST)


def _join_insertion(tags: list[int], i: int) -> None:
    """Take away the commas around words inside an open frame: "sam, kao i uvijek, zaboravila"."""
    if not _waits(tags, i):
        return
    for j in range(i + 1, min(len(tags), i + FAR)):
        word = tags[j]
        if word & s.COMMA and j > i + 1:
            if _has_participle(tags, j + 1, s.PAST | s.ADJ):
                tags[i] = tags[j] = 0
            return
        if j == i + 1 and word & s.VERB:  # "sam, mislim, zaboravila"
            continue
        if word & (s.FINITE | s.PUNCTUATION) or (word & s.CUT and not word & CONTEXT):
            return


def _waits(tags: list[int], i: int) -> bool:
    """Return whether an auxiliary of the clause before the i-th word has no participle yet."""
    waits = False
    for word in reversed(tags[max(0, i - FAR) : i]):
        if word & (s.PAST | s.ADJ):
            return False
        waits = waits or bool(word & s.AUX)
        if word & _BOUNDS:
            break
    return waits


def _has_participle(tags: list[int], i: int, wanted: int) -> bool:
    """Return whether the words from the i-th on have one of `wanted` and no auxiliary."""
    has = False
    for word in tags[i : i + FAR]:
        if word & _BOUNDS:
            break
        if word & (_AUXILIARIES if has else _OTHERS):
            return False
        has = has or bool(word & wanted)
    return has


#: Where a clause has one of these, its verb is not in the present of the first person.
NOT_PRESENT = s.PAST | THEIRS | WOULD
#: Rules of adjectives that Slovene, Croatian and Serbian share, in this order.
ADJECTIVE_RULES = (
    Rule("copula_adjective", s.ADJ_M, s.ADJ_F, s.BE | s.FEEL, NOT_PRESENT, predicative),
    Rule("to_be_adjective", s.ADJ_M, s.ADJ_F, s.BE_INF, NOT_PRESENT, first_person_to_be),
    Rule(
        "depictive_adjective",
        s.ADJ_M,
        s.ADJ_F,
        STATE,
        NOT_PRESENT | s.OTHER,
        depictive,
    ),
    Rule("as_adjective", s.ADJ_M, s.ADJ_F, s.FIRST, NOT_PRESENT | s.OTHER, as_such),
    Rule("to_me_adjective", s.ADJ_M, s.ADJ_F, s.BE_INF, s.PAST | s.AUX | WOULD, to_me),
)
