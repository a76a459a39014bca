"""Rules for `her` (object or possessive: him, his) and for `his` (determiner or pronoun).

The words around it decide. The rules know words, no grammar: they are right for most sentences and
wrong for some.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from monitor.data import read_words
from monitor.text.nouns import is_noun, noun_lemmas

_LISTS = read_words("english_her_his")
PREPOSITIONS = _LISTS["prepositions"]
DETERMINERS = _LISTS["determiners"]
AUXILIARIES = _LISTS["auxiliaries"]
MODALS = _LISTS["modals"]
EITHER_ADVERBS = _LISTS["either_adverbs"]
LY_ADJECTIVES = _LISTS["ly_adjectives"]
ALONE = PREPOSITIONS | DETERMINERS | AUXILIARIES
ALONE |= _LISTS["conjunctions"] | _LISTS["pronouns"] | _LISTS["plain_adverbs"]
PERCEPTION = _LISTS["perception"]
CATCHING = _LISTS["catching"]
NOUNS_IN_ING = _LISTS["nouns_in_ing"]
INFINITIVES = _LISTS["infinitives"]
INFINITIVES_OR_NOUNS = _LISTS["infinitives_or_nouns"]
COMPLEMENT = _LISTS["complement"]
COMPLEMENTS = _LISTS["complements"]
APPOINTING = _LISTS["appointing"]
OFFICES = _LISTS["offices"]
NAMING = _LISTS["naming"]
GIVING = _LISTS["giving"]
TELLING = _LISTS["telling"]
GOODS = _LISTS["goods"]
OWN = _LISTS["own"]
MOVING = _LISTS["moving"]
DIRECTIONS = _LISTS["directions"]
PLACES = _LISTS["places"]
POSSESSIVES = _LISTS["possessives"]
OBJECTS = _LISTS["objects"]
JOINS = _LISTS["joins"]
SUPERLATIVES = _LISTS["superlatives"]
LIKING = _LISTS["liking"]
DEGREES = _LISTS["degrees"]
AFTER_HIS = _LISTS["after_his"]
PAST = _LISTS["past"]


#: The two words after a place: what stands before each, itself, a hyphen that ties a third to it.
_ONE = r"([\W_]*)([^\W_]*)((?:['’][^\W_]+)?(?:-(?=[^\W_]))?)"
_AFTER = re.compile(_ONE + _ONE)
_WORDS = re.compile(r"([^\W_]+(?:['’][^\W_]+)?)")
_LOOK_BACK = 40
_LOOK_AHEAD = 60
#: Marks that end a clause. A quotation mark or bracket that opens does not.
_END = re.compile(r"[.,;:!?)\]}…—|]|\s[-–]+\s|\n\s*\n|^[\"”]|^['’](?:\s|$)")


@dataclass(frozen=True, slots=True)
class _TaggedWord:
    """A word beside a place: in lower case and as written, with what stands between."""

    word: str
    written: str
    gap: str
    ends: bool = False  # a clause ends before it
    hyphen: bool = False  # it is the first part of a compound

    @property
    def alone_before(self) -> bool:
        """Return whether what stands before it is complete without it."""
        return self.ends or self.word in ALONE or self.word in MODALS


@dataclass(frozen=True, slots=True)
class _PronounPlace:
    """The place of a word: two words before it and two after it."""

    first: _TaggedWord
    second: _TaggedWord
    before: _TaggedWord
    earlier: _TaggedWord

    @property
    def verb(self) -> str:
        """The word right before, if nothing but a blank stands between."""
        return "" if self.before.gap.strip() else self.before.word


def _next_word(gap: str, written: str, tail: str) -> _TaggedWord:
    ends = not written or _END.search(gap) is not None
    return _TaggedWord(written.lower(), written, gap, ends, tail.endswith("-"))


def _word_before(pieces: list[str], place: int) -> _TaggedWord:
    if place < 0:
        return _TaggedWord("", "", "")
    return _TaggedWord(pieces[place].lower(), pieces[place], pieces[place + 1])


def _place_of(text: str, start: int, end: int) -> _PronounPlace:
    match = _AFTER.match(text, end, end + _LOOK_AHEAD)
    after = match.groups() if match else ("",) * 6
    # a list of what is between words and of words, in turn, that ends with what is between
    pieces = _WORDS.split(text[max(0, start - _LOOK_BACK) : start])
    last = len(pieces) - 2
    return _PronounPlace(
        _next_word(*after[:3]),
        _next_word(*after[3:]),
        _word_before(pieces, last),
        _word_before(pieces, last - 2),
    )


def _is_adverb(word: str) -> bool:
    return word in EITHER_ADVERBS or (
        word.endswith("ly") and word not in LY_ADJECTIVES and not is_noun(word)
    )


def _her_joined(place: _PronounPlace) -> bool | None:
    """`his or her`, `him/her`, `her or his`."""
    partner = place.before.word if place.before.gap == "/" else ""
    if place.verb in JOINS:
        partner = place.earlier.word
    if place.before.gap == "/" and partner in OBJECTS | {"she"}:
        return False
    if partner in OBJECTS and place.first.alone_before:
        return False
    if partner in POSSESSIVES and (place.before.gap == "/" or not place.first.ends):
        return True
    if place.first.gap == "/":
        return place.first.word in POSSESSIVES
    if place.first.word == "or" and place.second.word in POSSESSIVES:
        return True
    return None


def _her_before_function_word(place: _PronounPlace) -> bool | None:
    first, second = place.first, place.second
    if first.ends:
        return False
    if first.word == "own" or (first.hyphen and first.word not in DETERMINERS):
        return True
    if first.word in MODALS:
        return place.verb in PREPOSITIONS or second.word in {"to", "of", "was", "is"}
    if first.word == "all":
        return second.ends
    return False if first.word in ALONE else None


def _her_before_direction(place: _PronounPlace) -> bool | None:
    if place.first.word not in DIRECTIONS or not place.second.alone_before:
        return None
    if place.first.word in PLACES:
        return False
    return False if place.verb in MOVING else None


def _her_before_adverb(place: _PronounPlace) -> bool | None:
    first, second = place.first, place.second
    if not _is_adverb(first.word):
        return None
    if first.word in SUPERLATIVES and second.alone_before:
        return place.verb not in LIKING
    if (first.word, second.word) == ("right", "to"):
        return True
    directed = second.word in DIRECTIONS and first.word in {"straight", "right"}
    return not (second.alone_before or directed or second.word in DEGREES)


def _her_given(place: _PronounPlace) -> bool | None:
    """`gave her flowers`, but `gave her mother flowers`."""
    first, second = place.first, place.second
    gives, tells = place.verb in GIVING, place.verb in TELLING
    if (gives or tells) and (first.word in GOODS or first.word.isdigit()):
        return False
    if not gives:
        return None
    return first.word in OWN or (not second.ends and second.word in OWN)


def _her_named(place: _PronounPlace) -> bool | None:
    """`named her Julia`, `elected her president`."""
    is_named = place.verb in NAMING and place.first.written.istitle()
    appointed = place.verb in APPOINTING and place.first.word in OFFICES
    return False if is_named or (appointed and place.second.alone_before) else None


def _her_seen(place: _PronounPlace) -> bool | None:
    """`saw her leave`, `heard her singing`."""
    first, second = place.first, place.second
    if place.verb in PERCEPTION:
        if first.word in INFINITIVES:
            return False
        if first.word in INFINITIVES_OR_NOUNS and second.alone_before:
            return False
    if place.verb not in PERCEPTION | CATCHING:
        return None
    participle = first.word.endswith("ing") and first.word not in NOUNS_IN_ING
    follows = second.alone_before or _is_adverb(second.word) or second.word in DIRECTIONS
    return False if participle and follows else None


def _her_complemented(place: _PronounPlace) -> bool | None:
    """`made her famous`."""
    first = place.first
    if place.verb not in COMPLEMENT or not place.second.alone_before:
        return None
    adjective = first.written.islower() and not any(map(is_noun, noun_lemmas(first.word)))
    return False if adjective or first.word in COMPLEMENTS else None


_HER: tuple[Callable[[_PronounPlace], bool | None], ...] = (
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
    """Return whether the `her` between two places of a text is a possessive."""
    position = _place_of(text, start, end)
    return next((verdict for rule in _HER if (verdict := rule(position)) is not None), True)


def _his_joined(place: _PronounPlace) -> bool | None:
    """`his or her`, `his/her`, `her and his`, `his and hers`."""
    first = place.first
    partner = place.before.word if place.before.gap == "/" else ""
    if place.verb in JOINS:
        partner = place.earlier.word
    if partner in POSSESSIVES and not first.ends:
        return True
    if first.gap == "/":
        return first.word in POSSESSIVES
    if first.word in JOINS:
        return place.second.word in POSSESSIVES
    return None


def _his_before_function_word(place: _PronounPlace) -> bool | None:
    first, second = place.first, place.second
    if first.ends:
        return False
    if first.word == "own" or first.hyphen or first.word in AFTER_HIS:
        return True
    if first.word == "not" and second.word.endswith("ing"):
        return True
    if first.word in MODALS:
        return second.word not in {"be", "have", "not", "never", "always"}
    return False if first.word in ALONE else None


def _his_before_adverb(place: _PronounPlace) -> bool | None:
    first, second = place.first, place.second
    if first.word in SUPERLATIVES or not _is_adverb(first.word):
        return None
    return not (second.ends or second.word in AUXILIARIES)


def _his_after_of(place: _PronounPlace) -> bool | None:
    """`a friend of his called me`."""
    if place.verb == "of" and place.first.word in PAST:
        return False
    if place.verb != "of" or not place.second.alone_before or not place.first.written.islower():
        return None
    verb = place.first.word.endswith("ed") and not any(map(is_noun, noun_lemmas(place.first.word)))
    return False if verb and place.second.word not in JOINS else None


_HIS: tuple[Callable[[_PronounPlace], bool | None], ...] = (
    _his_joined,
    _his_before_function_word,
    _his_before_adverb,
    _his_after_of,
)


def his_is_determiner(text: str, start: int, end: int) -> bool:
    """Return whether the `his` between two places stands before a noun."""
    position = _place_of(text, start, end)
    return next((verdict for rule in _HIS if (verdict := rule(position)) is not None), True)
