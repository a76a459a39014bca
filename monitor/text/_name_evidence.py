"""Evidence of `person_names` that a name in a sentence is a person's: what stands around it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from monitor.text._name_words import (
    Kind,
    NameWords,
    Token,
    is_suffix,
    may_be_person,
    person_nouns,
    read_name,
    word_set,
)
from monitor.text.nouns import is_noun, noun_lemmas
from monitor.text.stopwords import STOP

_MOST_JOINTS = 3  # commas and conjunctions between two names
_WINDOW = 16  # words before a name that are looked at
_SHORTEST_PLURAL = 5  # Fields and Banks are surnames
_STOPS = frozenset(".!?;:…。！？")


def next_token(tokens: Sequence[Token], i: int) -> Token | None:
    return next((token for token in tokens[i:] if token.kind is not Kind.EDGE), None)


def has_years(tokens: Sequence[Token], i: int) -> bool:
    """Return whether dates of life stand in brackets or behind a comma at a name."""
    near = [token for token in tokens[i : i + 8] if token.kind is not Kind.EDGE]
    if not near or near[0].text not in "(,（":
        return False
    if near[0].text == ",":
        near = near[:2]
    words = {token.lower for token in near[1:4]}
    return any(t.kind is Kind.NUMBER and len(t.text) > 2 for t in near[1:5]) or bool(  # noqa: PLR2004
        words & {"born", "geb", "né", "née", "nacida", "nacido", "c", "ca", "b"}
    )


def starts_name(tokens: Sequence[Token], i: int) -> bool:
    return i < len(tokens) and tokens[i].kind in (Kind.NAME, Kind.INITIAL)


def is_first_name(tokens: Sequence[Token], name: NameWords) -> bool:
    """Return whether one word may be a first name that shares the surname of the next one."""
    lower = tokens[name.first].lower
    if name.n_words != 1 or name.strong:
        return False
    known = lower in word_set("mononyms") or lower in word_set("places") or lower in person_nouns()
    return not known and lower not in word_set("demonyms") and may_be_person(tokens, name)


def surname_start(tokens: Sequence[Token], name: NameWords) -> int:
    """Return where the surname begins: at a particle, else at the last word."""
    for i in range(name.first + 1, name.last):
        if tokens[i].kind is Kind.LOW:
            return i
    words = [
        i
        for i in range(name.first, name.last)
        if tokens[i].kind is Kind.NAME and not is_suffix(tokens[i])
    ]
    return words[-1]


def ends_with_names(tokens: Sequence[Token], i: int) -> bool:
    return all(token.kind not in (Kind.NAME, Kind.LOW) for token in tokens[i:])


def opens_sentence(tokens: Sequence[Token], i: int, start: int) -> bool:
    """Return whether a sentence begins at a token."""
    before = [token for token in tokens[max(start, i - 3) : i] if token.kind is not Kind.EDGE]
    return not before or before[-1].text in _STOPS or before[-1].text in "–—(-"


def read_sequence(tokens: Sequence[Token], name: NameWords) -> tuple[list[NameWords], int]:
    """Return the names that follow each other with commas and conjunctions only, and their end."""
    names, end = [name], name.last
    while True:
        at = end
        if at < len(tokens) and tokens[at].text == "(" and has_years(tokens, at):
            closing = next(
                (k for k in range(at, min(at + 12, len(tokens))) if tokens[k].text == ")"), 0
            )
            at = closing + 1 if closing else at
        at, joined = _skip_joints(tokens, at)
        following = None
        if joined and starts_name(tokens, at):
            following = read_name(tokens, at, opens=False)
        if following is None or (following.first != at and tokens[at].lower in word_set("openers")):
            return names, end
        vague = tokens[at - 1].lower in ("en", "i", "a", "e", "y", "а", "і")
        known = tokens[following.first].lower in word_set("mononyms")
        if vague and following.n_words < 2 and not known:  # noqa: PLR2004 - a preposition elsewhere
            return names, end
        if tokens[at - 1].lower == "en" and len(names) == 1:
            return names, end
        names.append(following)
        end = following.last


def _skip_joints(tokens: Sequence[Token], at: int) -> tuple[int, bool]:
    """Return where commas and conjunctions end that join two names, and whether there are any."""
    count = 0
    while at < len(tokens) and count <= _MOST_JOINTS:
        token = tokens[at]
        joint = token.text in ",;&/、" or token.lower in word_set("joined")
        if not joint and token.kind is not Kind.EDGE:
            break
        count += joint
        at += 1
    return at, 0 < count <= _MOST_JOINTS


@dataclass(slots=True)
class Place:
    """A name in its sentence: what stands before and behind it, and in which sequence it stands.

    `fragment`: what is said in an entry rather than a sentence. `listed`: an entry of a list as a
    whole. `given`: nothing but names stands there. Only so many words before it are looked at.
    """

    tokens: Sequence[Token]
    name: NameWords
    sequence: Sequence[NameWords]
    start: int
    fragment: bool
    listed: bool
    given: bool
    before: list[Token] = field(init=False)
    ahead: list[Token] = field(init=False)  # before the sequence
    after: str = field(init=False)  # the word or sign behind the name
    verb: bool = field(init=False)  # a small word stands there that may be a verb

    def __post_init__(self) -> None:
        self.before = self._read_before(self.name.first)
        self.ahead = self._read_before(self.sequence[0].first)
        behind = next_token(self.tokens, self.name.last)
        self.after = behind.lower if behind else ""
        no_verbs = word_set("copulas") | word_set("joined")
        self.verb = behind is not None and behind.kind is Kind.LOW and self.after not in no_verbs
        if self.after == "a":  # a conjunction in Czech, a verb in French
            following = self.tokens[self.name.last + 1 : self.name.last + 2]
            self.verb = bool(following) and following[0].kind is Kind.LOW

    def _read_before(self, i: int) -> list[Token]:
        window = self.tokens[max(self.start, i - _WINDOW) : i]
        return [token for token in window if token.kind is not Kind.EDGE]

    @property
    def last(self) -> str:
        """Return the word or sign before the name."""
        return self.before[-1].lower if self.before else ""

    @property
    def led(self) -> str:
        """Return the word before the sequence."""
        small = (Kind.NAME, Kind.INITIAL, Kind.LOW)
        return next((t.lower for t in reversed(self.ahead) if t.kind in small), "")

    @property
    def is_first(self) -> bool:
        """Return whether the name is the first one of its sequence."""
        return self.name is self.sequence[0]

    @property
    def is_mononym(self) -> bool:
        """Return whether everybody knows the person by one word."""
        return self.word in word_set("mononyms") or self.word.startswith("al-")

    @property
    def word(self) -> str:
        """Return the first word of the name."""
        return self.tokens[self.name.first].lower

    @property
    def opens(self) -> bool:
        """Return whether a sentence begins with the name."""
        return opens_sentence(self.tokens, self.name.first, self.start)

    @property
    def is_dated(self) -> bool:
        """Return whether dates of life stand behind the name."""
        return has_years(self.tokens, self.name.last)

    @property
    def after_noun(self) -> bool:
        """Return whether the noun of an occupation or of kinship stands before the name."""
        return self.last in person_nouns()


def has_evidence(place: Place) -> bool:
    """Return whether the place of a name in a sentence says that it is a person's."""
    for rule in _RULES:
        if (verdict := rule(place)) is not None:
            return verdict
    return True


def _judge_brackets(place: Place) -> bool | None:
    """In brackets behind a name stands another name of the same person, or a work."""
    if place.is_first and place.last == "(" and _follows_name(place.tokens, place.name.first):
        return len(place.sequence) > 2  # noqa: PLR2004
    return None


def _judge_work(place: Place) -> bool | None:
    """The title of a work begins with a small word, or stands behind its noun or before "by"."""
    if not place.opens and _begins_title(place.word):
        return False
    if place.after in word_set("awards") | word_set("by") and not place.is_dated:
        return False
    of_institution = (
        place.last in ("of", "de", "di", "da", "du", "do", "for", "and", "&")
        and len(place.before) > 1
        and place.before[-2].kind is Kind.NAME
        and place.before[-2].lower in word_set("institutions")
    )
    if of_institution and not place.name.strong:
        return False
    of_place = place.last in word_set("of") and len(place.before) > 1
    if of_place and place.before[-2].lower in word_set("place_nouns"):
        return False
    behind = place.tokens[place.name.last :][:2]
    if place.after in ("'s", "'", "’") and behind[-1].lower in word_set("no_person"):
        return False if behind[-1].kind is Kind.NAME else None  # King's College
    behind_noun = place.last in word_set("works") and place.before[-1].kind is Kind.LOW
    return False if behind_noun else None


def _judge_predicate(place: Place) -> bool | None:
    """Before the noun of a work, or where a sentence says that it is a thing, nobody is named.

    "Perry Mason novels"; "Eleanor Rigby is a song", "Wells Fargo and Goldman Sachs are banks".
    """
    if place.after in word_set("works"):
        return False
    behind = [t for t in place.tokens[place.sequence[-1].last :][:8] if t.kind is not Kind.EDGE]
    if not behind or behind[0].lower not in word_set("copulas"):
        return None
    said = {token.lower for token in behind[1:6] if token.kind is Kind.LOW}
    return False if said & _things() and not said & person_nouns() else None


@cache
def _things() -> frozenset[str]:
    keys = ("works", "things", "institutions", "place_nouns")
    return frozenset().union(*map(word_set, keys))


def _judge_object(place: Place) -> bool | None:
    """Works and institutions are what somebody makes, and somebody's."""
    tokens, first = place.tokens, place.name.first
    if not place.is_first and (
        place.verb or (tokens[first - 1].lower in word_set("joined") and not place.ahead)
    ):
        return None  # the subject of what follows
    ahead = place.ahead[-1].lower if place.ahead else ""
    if ahead in word_set("possessives"):
        return False if place.is_first else None
    verb = next((t.lower for t in reversed(place.ahead) if t.kind is not Kind.NAME), "")
    return place.name.strong if verb in word_set("makes") else None


def _judge_ambiguous(place: Place) -> bool | None:
    """A surname that is a word for a place or a building as well: Church, Hall, Day."""
    inner = place.tokens[place.name.first : place.name.last]
    initials = any(token.kind is Kind.INITIAL for token in inner)
    last = inner[-1].lower
    plural = (
        len(last) > _SHORTEST_PLURAL
        and last.endswith("s")
        and not is_noun(last)
        and any(map(is_noun, noun_lemmas(last)))
    )
    if initials or place.name.n_words == 1 or not (plural or last in word_set("ambiguous")):
        return None
    others = [one for one in place.sequence if one is not place.name and one.n_words > 1]
    if len(others) > 1 and all(may_be_person(place.tokens, one) for one in others):
        return True
    return place.is_first and place.opens and place.verb and not is_noun(place.word)


def _judge_given(place: Place) -> bool | None:
    long = place.name.n_words > 1 or place.is_mononym or len(place.sequence) > 1
    return True if place.given and long else None


def _judge_single(place: Place) -> bool | None:
    """One word names a person where the words around it say so."""
    if place.name.n_words > 1 or place.name.strong:
        return None
    if place.word in word_set("places") | word_set("demonyms") | person_nouns():
        return False
    if place.is_mononym:
        return True
    if place.is_first and place.last in word_set("before_places"):
        return False
    said = place.after_noun and place.before[-1].kind is Kind.LOW
    return said or (place.is_dated and not place.fragment)


def _judge_place(place: Place) -> bool | None:
    """Behind "in" and "at" stands a place, and behind an article no person."""
    ahead = place.ahead[-1] if place.ahead else None
    joined = not place.is_first and place.verb  # the subject of what follows
    inside = not joined and ahead is not None and ahead.lower in word_set("before_places")
    if inside and place.is_first:
        return place.after == "'s"
    if inside and place.tokens[place.name.first - 1].text == ",":
        opening = len(place.ahead) == 1 or place.ahead[-2].text in _STOPS
        return None if opening else False
    capital = place.before[-1].text if place.before else ""
    return False if place.last in word_set("articles") or capital in ("A", "O") else None


def _judge_led(place: Place) -> bool | None:
    """A small word before it, or another name beside it, makes a name a person's."""
    of_office = place.last == "of" and place.before[-2:-1] and place.before[-2].kind is Kind.LOW
    if of_office and place.before[-2].lower in word_set("offices"):
        return False  # founder of Chez Panisse
    if place.last in word_set("before_persons") | word_set("of"):
        return True
    others = [one for one in place.sequence if one is not place.name]
    if any((o.n_words > 1 or o.strong) and may_be_person(place.tokens, o) for o in others):
        return not place.fragment or len(place.sequence) > 2 or place.led != ""  # noqa: PLR2004
    return True if place.before and place.before[-1].kind is Kind.LOW else None


def _judge_fragment(place: Place) -> bool | None:
    """In an entry: behind a label for persons, behind a year, or as what it begins with."""
    if not place.fragment:
        return None
    label = [token.lower for token in place.before[:-1]] if place.last == ":" else []
    named = any(word in word_set("name_headers") | person_nouns() for word in label)
    if named and ends_with_names(place.tokens, place.sequence[-1].last):
        return True
    subject = place.verb or place.after in word_set("copulas")
    if subject and not place.before:
        return place.listed
    alone = place.start == 0 and _is_year(place.before)
    return alone and ends_with_names(place.tokens, place.name.last)


_RULES = (
    _judge_brackets,
    _judge_work,
    _judge_predicate,
    _judge_object,
    _judge_ambiguous,
    _judge_given,
    _judge_single,
    _judge_place,
    _judge_led,
    _judge_fragment,
)


def _begins_title(lower: str) -> bool:
    """Return whether a word with a capital letter within a sentence begins the title of a work."""
    common = lower in word_set("openers") or lower in STOP
    return common and lower not in word_set("particles") and lower not in word_set("given_words")


def _follows_name(tokens: Sequence[Token], i: int) -> bool:
    """Return whether a bracket that opens before a token stands directly behind a name."""
    at = i - 1
    while at > 0 and (tokens[at].kind is Kind.EDGE or tokens[at].text == "("):
        at -= 1
    if at < 0 or tokens[at].kind is not Kind.NAME:
        return False
    return may_be_person(tokens, NameWords(at, at + 1, 1))


def _is_year(before: Sequence[Token]) -> bool:
    kinds = {token.kind for token in before}
    return Kind.NUMBER in kinds and kinds <= {Kind.NUMBER, Kind.MARK}
