"""Whether `her` is an object (him) or a possessive (his), and `his` a determiner or a pronoun.

In goes a text and where the word stands in it, out comes what follows from the words around it. The
rules know words, no grammar: they are right for most sentences and wrong for some.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from monitor.text import _clause_words as known
from monitor.text.nouns import is_noun, noun_lemmas

#: The two words after a place: what stands before each, itself, a hyphen that ties a third to it.
_ONE = r"([\W_]*)([^\W_]*)((?:['’][^\W_]+)?(?:-(?=[^\W_]))?)"
_AFTER = re.compile(_ONE + _ONE)
_WORDS = re.compile(r"([^\W_]+(?:['’][^\W_]+)?)")
_LOOK_BACK = 40
_LOOK_AHEAD = 60
#: Marks that end a clause. A quotation mark or bracket that opens does not.
_END = re.compile(r"[.,;:!?)\]}…—|]|\s[-–]+\s|\n\s*\n|^[\"”]|^['’](?:\s|$)")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word beside a place: in lower case and as written, with what stands between."""

    word: str
    written: str
    gap: str
    ends: bool = False  # a clause ends before it
    hyphen: bool = False  # it is the first part of a compound

    @property
    def alone_before(self) -> bool:
        """Whether what stands before it is complete without it."""
        return self.ends or self.word in known.ALONE or self.word in known.MODALS


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a word stands: two words before it and two after it."""

    first: _Word
    second: _Word
    before: _Word
    earlier: _Word

    @property
    def verb(self) -> str:
        """The word right before, if nothing but a blank stands between."""
        return "" if self.before.gap.strip() else self.before.word


def _next_word(gap: str, written: str, tail: str) -> _Word:
    ends = not written or _END.search(gap) is not None
    return _Word(written.lower(), written, gap, ends, tail.endswith("-"))


def _before(pieces: list[str], place: int) -> _Word:
    if place < 0:
        return _Word("", "", "")
    return _Word(pieces[place].lower(), pieces[place], pieces[place + 1])


def _place(text: str, start: int, end: int) -> _Place:
    found = _AFTER.match(text, end, end + _LOOK_AHEAD)
    after = found.groups() if found else ("",) * 6
    # a list of what is between words and of words, in turn, that ends with what is between
    pieces = _WORDS.split(text[max(0, start - _LOOK_BACK) : start])
    last = len(pieces) - 2
    return _Place(
        _next_word(*after[:3]),
        _next_word(*after[3:]),
        _before(pieces, last),
        _before(pieces, last - 2),
    )


def _is_adverb(word: str) -> bool:
    return word in known.EITHER_ADVERBS or (
        word.endswith("ly") and word not in known.LY_ADJECTIVES and not is_noun(word)
    )


def _her_joined(place: _Place) -> bool | None:
    """`his or her`, `him/her`, `her or his`."""
    partner = place.before.word if place.before.gap == "/" else ""
    if place.verb in known.JOINS:
        partner = place.earlier.word
    if place.before.gap == "/" and partner in known.OBJECTS | {"she"}:
        return False
    if partner in known.OBJECTS and place.first.alone_before:
        return False
    if partner in known.POSSESSIVES and (place.before.gap == "/" or not place.first.ends):
        return True
    if place.first.gap == "/":
        return place.first.word in known.POSSESSIVES
    if place.first.word == "or" and place.second.word in known.POSSESSIVES:
        return True
    return None


def _her_before_function_word(place: _Place) -> bool | None:
    first, second = place.first, place.second
    if first.ends:
        return False
    if first.word == "own" or (first.hyphen and first.word not in known.DETERMINERS):
        return True
    if first.word in known.MODALS:
        return place.verb in known.PREPOSITIONS or second.word in {"to", "of", "was", "is"}
    if first.word == "all":
        return second.ends
    return False if first.word in known.ALONE else None


def _her_before_direction(place: _Place) -> bool | None:
    if place.first.word not in known.DIRECTIONS or not place.second.alone_before:
        return None
    if place.first.word in known.PLACES:
        return False
    return False if place.verb in known.MOVING else None


def _her_before_adverb(place: _Place) -> bool | None:
    first, second = place.first, place.second
    if not _is_adverb(first.word):
        return None
    if first.word in known.SUPERLATIVES and second.alone_before:
        return place.verb not in known.LIKING
    if (first.word, second.word) == ("right", "to"):
        return True
    directed = second.word in known.DIRECTIONS and first.word in {"straight", "right"}
    return not (second.alone_before or directed or second.word in known.DEGREES)


def _her_given(place: _Place) -> bool | None:
    """`gave her flowers`, but `gave her mother flowers`."""
    first, second = place.first, place.second
    gives, tells = place.verb in known.GIVING, place.verb in known.TELLING
    if (gives or tells) and (first.word in known.GOODS or first.word.isdigit()):
        return False
    if not gives:
        return None
    return first.word in known.OWN or (not second.ends and second.word in known.OWN)


def _her_named(place: _Place) -> bool | None:
    """`named her Julia`, `elected her president`."""
    named = place.verb in known.NAMING and place.first.written.istitle()
    appointed = place.verb in known.APPOINTING and place.first.word in known.OFFICES
    return False if named or (appointed and place.second.alone_before) else None


def _her_seen(place: _Place) -> bool | None:
    """`saw her leave`, `heard her singing`."""
    first, second = place.first, place.second
    if place.verb in known.PERCEPTION:
        if first.word in known.INFINITIVES:
            return False
        if first.word in known.INFINITIVES_OR_NOUNS and second.alone_before:
            return False
    if place.verb not in known.PERCEPTION | known.CATCHING:
        return None
    participle = first.word.endswith("ing") and first.word not in known.NOUNS_IN_ING
    follows = second.alone_before or _is_adverb(second.word) or second.word in known.DIRECTIONS
    return False if participle and follows else None


def _her_complemented(place: _Place) -> bool | None:
    """`made her famous`."""
    first = place.first
    if place.verb not in known.COMPLEMENT or not place.second.alone_before:
        return None
    adjective = first.written.islower() and not any(map(is_noun, noun_lemmas(first.word)))
    return False if adjective or first.word in known.COMPLEMENTS else None


_HER: tuple[Callable[[_Place], bool | None], ...] = (
    _her_joined,
    _her_before_function_word,
    _her_before_direction,
    _her_before_adverb,
    _her_given,
    _her_named,
    _her_seen,
    _her_complemented,
)


def her_is_possessive(text: str, start: int, end: int) -> bool:
    """Whether the `her` between two places of a text is a possessive, not an object."""
    place = _place(text, start, end)
    return next((said for rule in _HER if (said := rule(place)) is not None), True)


def _his_joined(place: _Place) -> bool | None:
    """`his or her`, `his/her`, `her and his`, `his and hers`."""
    first = place.first
    partner = place.before.word if place.before.gap == "/" else ""
    if place.verb in known.JOINS:
        partner = place.earlier.word
    if partner in known.POSSESSIVES and not first.ends:
        return True
    if first.gap == "/":
        return first.word in known.POSSESSIVES
    if first.word in known.JOINS:
        return place.second.word in known.POSSESSIVES
    return None


def _his_before_function_word(place: _Place) -> bool | None:
    first, second = place.first, place.second
    if first.ends:
        return False
    if first.word == "own" or first.hyphen or first.word in known.AFTER_HIS:
        return True
    if first.word == "not" and second.word.endswith("ing"):
        return True
    if first.word in known.MODALS:
        return second.word not in {"be", "have", "not", "never", "always"}
    return False if first.word in known.ALONE else None


def _his_before_adverb(place: _Place) -> bool | None:
    first, second = place.first, place.second
    if first.word in known.SUPERLATIVES or not _is_adverb(first.word):
        return None
    return not (second.ends or second.word in known.AUXILIARIES)


def _his_after_of(place: _Place) -> bool | None:
    """`a friend of his called me`."""
    if place.verb == "of" and place.first.word in known.PAST:
        return False
    if place.verb != "of" or not place.second.alone_before or not place.first.written.islower():
        return None
    verb = place.first.word.endswith("ed") and not any(map(is_noun, noun_lemmas(place.first.word)))
    return False if verb and place.second.word not in known.JOINS else None


_HIS: tuple[Callable[[_Place], bool | None], ...] = (
    _his_joined,
    _his_before_function_word,
    _his_before_adverb,
    _his_after_of,
)


def his_is_determiner(text: str, start: int, end: int) -> bool:
    """Whether the `his` between two places of a text stands before a noun (her), not alone."""
    place = _place(text, start, end)
    return next((said for rule in _HIS if (said := rule(place)) is not None), True)
