"""Evidence of `person_names` that a name in a sentence is a person's: what stands around it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
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
from monitor.text.nouns import is_common, is_noun, is_person_noun, is_place_name, noun_lemmas
from monitor.text.tokens import STOP

_MOST_JOINTS = 3  # commas and conjunctions between two names
_WINDOW = 16  # words before a name that are looked at
_SHORTEST_PLURAL = 5  # Fields and Banks are surnames
_STOPS = frozenset(".!?;:…。！？")


def next_token(tokens: Sequence[Token], i: int) -> Token | None:
    return next((token for token in tokens[i:] if token.kind is not Kind.EDGE), None)


def has_years(tokens: Sequence[Token], i: int) -> bool:
    """Return whether a year stands in brackets or behind a comma at a name."""
    near = [token for token in tokens[i : i + 8] if token.kind is not Kind.EDGE]
    if not near or near[0].text not in "(,（":
        return False
    if near[0].text == ",":
        near = near[:2]
    words = {token.lower for token in near[1:4]}
    years = [int(t.text) for t in near[1:5] if t.kind is Kind.NUMBER and _YEAR.fullmatch(t.text)]
    if years:
        return max(years) - min(years) <= _LONGEST_LIFE  # else those of an era
    return bool(words & _BORN)


_YEAR = re.compile(r"[0-9]{3,4}")
_LONGEST_LIFE = 122

_BORN = frozenset("born geb geboren né née nato nata nacida nacido nascida род ur c ca b".split())
_ERAS = frozenset("bc bce ce ad chr century jahrhundert siècle siglo secolo século".split())


def has_life(tokens: Sequence[Token], i: int) -> bool:
    """Return whether the years at a name are those of a life: two of them, a birth, an era.

    One year alone is that of a work as well: "Jaws (1975)".
    """
    if not has_years(tokens, i):
        return False
    near = [token for token in tokens[i : i + 10] if token.kind is not Kind.EDGE]
    closing = next((k for k, token in enumerate(near) if token.text in ")）"), len(near))
    inner = near[1:closing]
    n_years = sum(token.kind is Kind.NUMBER for token in inner)
    return n_years > 1 or any(t.lower in _BORN | _ERAS or t.text in "*†" for t in inner)


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

    `others`: names near it in its sequence. `fragment`: what is said in an entry
    rather than a sentence. `listed`: an entry of a list as a
    whole. `given`: nothing but names stands there. Only so many words before it are looked at.
    """

    tokens: Sequence[Token]
    name: NameWords
    sequence: Sequence[NameWords]
    others: Sequence[NameWords]
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
        """Return the words before a name, without the titles that belong to it."""
        while i > self.start and _is_title(self.tokens[i - 1]):
            i -= 1
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
        return has_life(self.tokens, self.name.last)

    @property
    def after_noun(self) -> bool:
        """Return whether the noun of an occupation or of kinship stands before the name."""
        return self.last in person_nouns()


class Evidence(IntEnum):
    """The certainty that a name in a sentence is a person's."""

    NONE = 0
    WEAK = 1
    SURE = 2


def weigh_evidence(place: Place) -> Evidence:
    """Return how sure the place of a name makes it that it is a person's."""
    verdict = next((v for rule in _RULES if (v := rule(place)) is not None), True)
    if verdict:
        return Evidence.WEAK if _is_doubtful(place) else Evidence.SURE
    return Evidence.WEAK if _may_be_single(place) else Evidence.NONE


def _is_title(token: Token) -> bool:
    return token.kind is Kind.NAME and token.lower in word_set("titles")


def _is_doubtful(place: Place) -> bool:
    """Return whether words of an accepted name are those of things, and nothing else says more."""
    name, tokens = place.name, place.tokens
    saint = {token.lower for token in tokens[max(name.first - 1, 0) : name.first + 1]}
    if saint & word_set("saints") and place.last in word_set("of"):
        return True  # a church
    if name.strong or name.n_words < 2 or place.is_dated or _has_person_beside(place):  # noqa: PLR2004
        return False
    words = [t for t in tokens[name.first : name.last] if t.kind is Kind.NAME]
    lowers = [token.lower for token in words]
    if not place.opens and lowers[0] in word_set("articles"):
        return True  # El Amor Brujo
    announced = _read_announcement(place)
    if announced is Evidence.NONE:
        return True
    others = [one for one in place.others if not _ends_before(place, one)]
    led = place.is_first and place.last in word_set("before_persons")
    if not led and announced is None and not all(may_be_person(tokens, one) for one in others):
        return True  # beside clubs, firms and places
    if any(_is_unlike_words(place, one) for one in others):
        return False
    known = lowers[0] in word_set("demonyms") or is_place_name(lowers[-1])
    return known or all(map(is_common, lowers))


def _ends_before(place: Place, name: NameWords) -> bool:
    """Return whether a place, time or firm opens a sequence: "In the Middle Ages, Aquinas"."""
    first = name is place.sequence[0] and not place.fragment
    return first and not may_be_person(place.tokens, name)


def _is_unlike_words(place: Place, name: NameWords) -> bool:
    """Return whether a full name is not made of words of the language."""
    words = [t.lower for t in place.tokens[name.first : name.last] if t.kind is Kind.NAME]
    return len(words) > 1 and not any(map(is_common, words)) and may_be_person(place.tokens, name)


def _has_person_beside(place: Place) -> bool:
    """Return whether a noun of persons stands before a name, or behind it as what it is."""
    if place.before and _is_person(place.before[-1]):
        return True
    if place.last in word_set("by") and any(
        token.lower in word_set("players") - {"created"} for token in place.before[-2:-1]
    ):
        return True  # played by Al Pacino
    if place.last == "," and len(place.before) > 1 and _is_person(place.before[-2]):
        return True
    return _read_predicate(place.tokens, place.sequence[-1].last) is Evidence.SURE


def _is_person(token: Token) -> bool:
    return token.lower in person_nouns() or (
        token.kind is Kind.LOW and len(token.lower) > 2 and is_person_noun(token.lower)  # noqa: PLR2004
    )


def _read_predicate(tokens: Sequence[Token], i: int) -> Evidence | None:
    """Return whether it is said behind a name that it is a person, or that it is none.

    "Amartya Sen, an Indian economist", "Eleanor Rigby is a song": the first noun of a person or of
    a thing that follows a copula or a comma.
    """
    behind = [token for token in tokens[i : i + 10] if token.kind is not Kind.EDGE]
    if len(behind) > 1 and behind[0].text == "," and behind[1].lower in word_set("copulas"):
        behind = behind[1:]  # "names such as Kohler and Moen, are firms"
    if not behind or not (behind[0].lower in word_set("copulas") or behind[0].text == ","):
        return None
    if len(behind) > 1 and behind[1].lower in word_set("who"):
        return Evidence.SURE
    articles = word_set("articles") | word_set("openers")
    copula = behind[0].text != ","
    if not copula and len(behind) > 1 and behind[1].kind is Kind.LOW and _is_person(behind[1]):
        return Evidence.SURE
    if not copula and (len(behind) < 2 or behind[1].lower not in articles | {"a", "an"}):  # noqa: PLR2004
        return None
    for token in behind[1:7]:
        if token.kind is Kind.MARK or token.lower in word_set("of") | {"after", "for"}:
            break
        if _is_person(token):
            return Evidence.SURE
        if copula and token.kind is Kind.LOW and token.lower in _things():
            return Evidence.NONE
    return None


def _may_be_single(place: Place) -> bool:
    """Return whether one word that no rule accepts stands among persons, or as one."""
    if place.name.n_words != 1 or not _is_bare(place):
        return False
    if place.fragment:
        return place.last in word_set("with") or (place.listed and place.verb and not place.before)
    if any(one.n_words > 1 and may_be_person(place.tokens, one) for one in place.others):
        return True
    if _read_predicate(place.tokens, place.sequence[-1].last) is Evidence.SURE:
        return True
    if place.last in word_set("with"):
        return True
    behind = next_token(place.tokens, place.sequence[-1].last)
    opens = opens_sentence(place.tokens, place.sequence[0].first, place.start)
    return opens and len(place.others) > 0 and behind is not None and behind.kind is Kind.LOW


def _read_announcement(place: Place) -> Evidence | None:
    """Return whether the words ahead announce persons ("worth reading are ...") or things."""
    if not place.ahead or place.ahead[-1].lower not in word_set("copulas") | word_set("such_as") | {
        ":"
    }:
        return None
    clause: list[Token] = []
    for token in reversed(place.ahead[:-1]):
        if token.text in _STOPS:
            break
        clause.append(token)
    opening = clause[-1:]  # "Companies such as"
    things = any(
        token.lower in _things() and (token.kind is Kind.LOW or token in opening)
        for token in clause
    )
    persons = any(_is_person(token) or _is_group(token) for token in clause)
    if things == persons:
        return None
    return Evidence.SURE if persons else Evidence.NONE


def _is_group(token: Token) -> bool:
    """Return whether a word with a capital letter is the plural of a noun of persons: Stoics."""
    return token.kind is Kind.NAME and token.lower.endswith("s") and is_person_noun(token.lower)


def _is_bare(place: Place) -> bool:
    """Return whether one word is no word of the language, no place and no noun."""
    word = place.word
    known = word_set("places") | word_set("demonyms") | word_set("openers") | person_nouns()
    behind_place = place.ahead and place.ahead[-1].lower in word_set("before_places")
    if word in known or behind_place or place.last in word_set("articles"):
        return False
    return (
        may_be_person(place.tokens, place.name) and not is_common(word) and not is_place_name(word)
    )


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
    """Before the noun of a work ("Perry Mason novels"), or "is a song", nobody is named."""
    of_many = place.after.endswith("s") and place.verb and is_person_noun(place.after)
    if place.after in word_set("works") or of_many:  # Formula One drivers
        return False
    said = _read_predicate(place.tokens, place.sequence[-1].last)
    return False if said is Evidence.NONE else None


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
        return place.name.strong if place.is_first else None  # India's P. N. Bhagwati
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
    others = [one for one in place.others if one.n_words > 1]
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
    if _is_bare(place) and (_is_led_by_persons(place) or _is_relation(place.before)):
        return True
    if _INFLECTED_PLACE.search(place.word) and place.verb:
        return False  # ректор Московского университета
    if not place.fragment and _is_bare(place) and _read_announcement(place) is Evidence.SURE:
        return True
    return said or (place.is_dated and not place.fragment)


def _is_led_by_persons(place: Place) -> bool:
    """Return whether a plural of persons stands ahead: "presidents Kennedy and Nixon"."""
    noun = place.ahead[-1] if place.ahead else None
    if noun is None or noun.kind is not Kind.LOW or noun.lower in word_set("siblings"):
        return False
    return len(place.sequence) > 1 and noun.lower.endswith("s") and is_person_noun(noun.lower)


def _is_relation(before: Sequence[Token]) -> bool:
    """Return whether it is said of whom somebody is a friend or pupil: "a friend of Brahms"."""
    return [token.lower for token in before[-1:]] == ["of"] and any(
        token.lower in word_set("relations") for token in before[-2:-1]
    )


#: Endings of adjectives of places in Slavic languages.
_INFLECTED_PLACE = re.compile(
    r"(ского|ской|скому|ским|ских|ському|ського|ської|skiego|skiej|ského|ské|ském)$"
)


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
    people = place.last in ("a", "an") and place.verb and is_person_noun(place.after)
    article = people or place.last in word_set("articles")  # a Lemhi Shoshone woman
    return False if article or capital in ("A", "O") else None


def _judge_led(place: Place) -> bool | None:
    """A small word before it, or another name beside it, makes a name a person's."""
    of_office = place.before[-2].lower if place.last == "of" and place.before[-2:-1] else ""
    if of_office in word_set("offices") - {"secretary"}:
        return False  # founder of Chez Panisse
    if place.last == "," and place.before[-2:-1] and _is_person(place.before[-2]):
        return True  # his wife, Clara Schumann,
    if place.last in word_set("before_persons") | word_set("of"):
        return True
    if any((o.n_words > 1 or o.strong) and may_be_person(place.tokens, o) for o in place.others):
        return not place.fragment or len(place.sequence) > 2 or place.led != ""  # noqa: PLR2004
    return True if place.before and place.before[-1].kind is Kind.LOW else None


def _judge_fragment(place: Place) -> bool | None:
    """In an entry: behind a label for persons, behind a year, or as what it begins with."""
    if not place.fragment:
        return None
    behind = place.tokens[place.name.last :][:2]
    if place.after == "'s" and behind[-1].lower in word_set("roles"):
        return True  # Ellen Pompeo's character
    label = [token.lower for token in place.before[:-1]] if place.last == ":" else []
    named = any(word in word_set("name_headers") | person_nouns() for word in label)
    if named and ends_with_names(place.tokens, place.sequence[-1].last):
        return True
    if place.last == "(" and place.after == ")" and _follows_work(place):
        return place.name.n_words > 1  # Jaws (Steven Spielberg)
    subject = place.verb or place.after in word_set("copulas")
    if subject and not place.before:
        return place.listed
    if subject and place.last == ";" and place.name.n_words > 1:
        return True  # "Marie Curie found radium; Lise Meitner explained fission"
    alone = place.start == 0 and _is_year(place.before)
    return alone and ends_with_names(place.tokens, place.name.last)


def _follows_work(place: Place) -> bool:
    """Return whether the bracket before a name opens behind quotation marks or italics."""
    at = place.name.first - 1
    return at > 0 and place.tokens[at].text == "(" and place.tokens[at - 1].kind is Kind.EDGE


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
