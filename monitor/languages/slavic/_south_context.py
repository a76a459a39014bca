"""South Slavic words whose tags depend on the words beside them.

Croatian, Serbian and Slovene enclitics stand in a fixed order, the auxiliary of the first person
before the pronouns: what is spelt "je" or "si" after it is a pronoun. "te" is "and" only where no
other enclitic stands before it. "li" makes the word before it open a question. A relative or a
conjunction inside an open frame ("sem kot otrok jokala", "jesam li kad pogriješila") opens no
clause.
"""

from collections.abc import Callable

from monitor.languages.slavic import _slavic as s
from monitor.languages.slavic._south import FAR, THEIRS, WOULD

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
    """Whether a word with a capital is a name: it opens no sentence, and others have none."""
    surface = surfaces[i]
    if surface.isupper() and len(surface) > 1:
        return False
    if not i or tags[i - 1] & (s.PUNCTUATION & ~s.COMMA):  # "Mario sam za to" is no name
        named = tags[i] & NAME
        return bool(named) and not (i + 1 < len(tags) and tags[i + 1] & s.AUX)
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
    """Whether only enclitics part the i-th word from a verb of the first person before it.

    Beside a present ("volim je kuhati") the clause must have no participle of another verb.
    """
    j = i - 1
    while j >= max(0, i - FAR) and tags[j] & s.CLITIC and not tags[j] & (s.AUX | WOULD):
        j -= 1
    if j < 0 or not tags[j] & (s.AUX | WOULD | s.VERB):
        return False
    return bool(tags[j] & (s.AUX | WOULD)) or _is_present(tags, j, i)


def _is_present(tags: list[int], j: int, i: int) -> bool:
    """Whether the verb at `j` is no noun in the instrumental that "je" at `i` goes with."""
    if j and tags[j - 1] & (s.PREP | s.DET | s.ADJ | s.INS_M | s.INS_F):
        return False
    for word in tags[i + 1 : i + FAR]:
        if word & (s.CUTS | s.PAST):
            return False
        if word & s.INF:
            return True
    return False


def _inside_frame(tags: list[int], i: int) -> bool:
    """Whether an auxiliary before the i-th word has its participle after it."""
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
    """Whether an auxiliary of the clause before the i-th word has no participle yet."""
    waits = False
    for word in reversed(tags[max(0, i - FAR) : i]):
        if word & (s.PAST | s.ADJ):
            return False
        waits = waits or bool(word & s.AUX)
        if word & _BOUNDS:
            break
    return waits


def _has_participle(tags: list[int], i: int, wanted: int) -> bool:
    """Whether the words from the i-th on have one of `wanted` and no auxiliary of their own."""
    has = False
    for word in tags[i : i + FAR]:
        if word & _BOUNDS:
            break
        if word & (_AUXILIARIES if has else _OTHERS):
            return False
        has = has or bool(word & wanted)
    return has
