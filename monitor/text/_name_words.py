"""Words, tokens and names of `person_names`: which words belong together, and may be a person.

Words of `data/name_words.toml` tell names of places, institutions and works from those of persons.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from monitor.data import read_words
from monitor.text.nouns import is_common, is_thing_name
from monitor.text.tokens import STOP

_MOST_WORDS = 8  # of a name
_LONGEST_GIVEN = 12  # longer words before two others are nouns: Nobelpreisträgerin

# --- words ----------------------------------------------------------------------------------------

_NOUN_TABLES = ("de", "es", "fr", "it", "nl", "pt", "ru", "uk")


@cache
def word_set(name: str) -> frozenset[str]:
    """Return the words of a key of `name_words.toml`."""
    return _read_lists()[name]


@cache
def _read_lists() -> dict[str, frozenset[str]]:
    return read_words("name_words")


@cache
def _read_nouns() -> tuple[frozenset[str], frozenset[str]]:
    """Return nouns of persons: all, and those with a capital letter before a name."""
    nouns, capitals = (set(word_set("person_nouns")) for _ in range(2))
    folder = files("monitor.data")
    for code in _NOUN_TABLES:
        lines = folder.joinpath(f"entity_nouns_{code}.txt").read_text(encoding="utf-8").splitlines()
        for line in lines:
            english, _, others = line.casefold().partition(":")
            if others and not line.startswith("#"):
                phrases = [phrase.split() for phrase in english.split(",") if phrase.strip()]
                heads = {words[-1] for words in phrases} - STOP
                words = set(_LONG_WORD.findall(others))
                nouns |= heads | words
                capitals |= heads | words if code == "de" else heads
    return frozenset(nouns | capitals), frozenset(capitals)


_LONG_WORD = re.compile(r"[^\W\d_]{4,}")


def person_nouns() -> frozenset[str]:
    return _read_nouns()[0]


#: Endings of words of no person: fields, movements, abstract nouns. With the fewest letters.
_ABSTRACT = re.compile(
    r".{2,}(isms?|ismus|isme|ismo|ismos|izm|ология|логия|логія|измъ?|ізм|ologie|ologia|ología|ology"
    r"|sophy|sophie|sofia|sofía|ics|metry|nomy|graphy|istry|heit|keit|schaft|theorie|teoría|teoria"
    r"|tät|innen|tions?|tionen|ción|ção|zione|ité|idad|idade|mechanik|preis|krieg)|.{4,}(ung|ity|ness)"
)
#: Beginnings of words of institutions and states in languages that inflect them.
_INFLECTED = re.compile(
    r"(universit|univerzit|uniwersytet|университет|університет|akadem|академ|instytut|институт|інститут|nobel|nobl"
    r"|нобел|nagrod|преми|премі|british|britán|brytan|британ|republi|республик|республік|советск|радянськ|союз"
    r"|соединён|сполучен|spojen|zjednoczon|stanów|stanach).*"
)
#: Words with a capital letter that are no names: "Don't", "Co-founded".
_NO_NAME = re.compile(r".*(?:n['’]t|['’](?:m|ve|ll|re))|(?:Co|Self|Well|Re|Pre|Non)[-‐‑][a-z].*")
#: Initials of states.
_STATES = frozenset({"u.s.", "u.k.", "u.n.", "d.c.", "u.s", "u.k", "u.s.a."})
_CAMEL = re.compile(r"(?<=[^\W\d_A-Z])[A-Z](?![^-]*-)")
_CAMEL_NAMES = re.compile(r".*[-'’]|(Mc|Mac|De|Di|Da|La|Le|Du|Van|Von|Fitz|Ben|Al)[A-Z]")


class Kind(IntEnum):
    NAME = 0  # a word with a capital letter
    INITIAL = 1  # J., J.K.
    LOW = 2
    NUMBER = 3
    MARK = 4
    EDGE = 5  # markup, quotation marks: a name ends there


class Token(NamedTuple):
    start: int
    end: int
    text: str
    lower: str
    kind: Kind


EDGE = "\x1f"
_TOKEN = re.compile(
    r"[^\W\d_]+(?:[.'’ʼʻ‐‑-][^\W\d_]+)*\.?|\d+(?:[.,]\d+)*|\x1f|[^\w\s]",
)
_DOTTED = re.compile(r"(?:[^\W\d_]\.-?)+[^\W\d_]?\.?")
_GENITIVE = re.compile(r"['’][sS]$")
_ELIDED = re.compile(r"(?:[ldnsjcmtLSJCMT]|[Qq]u|[a-z]*ell|[a-z]*all|[Uu]n)['’](?=[^\W\d_])")


def read_tokens(plain: str, start: int, end: int) -> list[Token]:
    tokens: list[Token] = []
    for match in _TOKEN.finditer(plain, start, end):
        tokens += _split_token(match[0], match.start())
    return tokens


def _split_token(text: str, start: int) -> Iterator[Token]:
    """Yield a word without its full stop, its genitive and what is elided before it."""
    first = text[0]
    if first == EDGE:
        yield Token(start, start + 1, text, text, Kind.EDGE)
        return
    if not first.isalpha():
        kind = Kind.NUMBER if first.isdigit() else Kind.MARK
        yield Token(start, start + len(text), text, text, kind)
        return
    elided = _ELIDED.match(text)
    if elided:
        word = elided[0]
        yield Token(start, start + len(word), word, word[:-1].lower(), Kind.LOW)
        text, start = text[elided.end() :], start + elided.end()
        first = text[0]
    tail = ""
    if initials := _DOTTED.fullmatch(text) if "." in text else None:
        kind = Kind.INITIAL if initials[0][0].isupper() else Kind.LOW
        yield Token(start, start + len(text), text, text.lower(), kind)
        return
    if text.endswith(".") and text[:-1].lower() not in word_set("abbreviations"):
        text, tail = text[:-1], "."
    genitive = _GENITIVE.search(text)
    if genitive:
        text, tail = text[: genitive.start()], genitive[0] + tail
    yield Token(start, start + len(text), text, text.lower().rstrip("."), _kind_of(text))
    for sign in [genitive[0]] if genitive else []:
        yield Token(start + len(text), start + len(text) + len(sign), sign, "'s", Kind.MARK)
    if tail.endswith("."):
        at = start + len(text) + len(tail) - 1
        yield Token(at, at + 1, ".", ".", Kind.MARK)


def _kind_of(word: str) -> Kind:
    if len(word) == 1:
        return Kind.INITIAL if word.isupper() else Kind.LOW
    if word[0].isupper():
        return Kind.LOW if _NO_NAME.fullmatch(word) else Kind.NAME
    before, hyphen, rest = word.partition("-")  # al-Khwarizmi
    arabic = hyphen and len(before) <= 3 and rest[:1].isupper()  # noqa: PLR2004
    capital = _CAMEL.search(word)  # deGrasse
    joined = capital is not None and word[: capital.start()] in word_set("particles")
    return Kind.NAME if arabic or joined else Kind.LOW


# --- names ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NameWords:
    """A sequence of words that may be a name: tokens `first` to `last` without `last`."""

    first: int
    last: int
    n_words: int  # that are no initials, numerals, particles
    strong: bool = False  # initials, particles or a title: hardly anything else than a person
    name: str = ""  # where it is not the words themselves: of a couple
    unsure: bool = False  # the first name of a couple may be one that stands alone: "Cher"


def is_suffix(token: Token) -> bool:
    return token.lower in word_set("suffixes") and token.text[:1].isupper()


def run_end(tokens: Sequence[Token], first: int) -> int:
    """Return the end of the words that belong together from `first` on."""
    i, n_names = first, 0
    while i < len(tokens) and i - first < 2 * _MOST_WORDS:
        token = tokens[i]
        if token.kind in (Kind.NAME, Kind.INITIAL):
            n_names += 1
            i += 1
            if n_names > 1 and token.lower in ("jr", "sr"):
                break
            continue
        after = _skip_within(tokens, first, i, n_names)
        if after == i:
            break
        i = after
    return i


def _skip_within(tokens: Sequence[Token], first: int, i: int, n_names: int) -> int:
    """Return where a name goes on behind small words, a suffix or a nickname; else `i`."""
    token = tokens[i]
    if not n_names:
        return i
    following = i + 1
    if token.lower in word_set("particles"):
        while following < len(tokens) and tokens[following].lower in word_set("second_particles"):
            following += 1
        if following + 1 < len(tokens) and tokens[following].text in "'’":
            following += 1  # Marie de' Medici
        return following if _is_name(tokens, following) else i
    n_full = sum(t.kind is Kind.NAME and not is_suffix(t) for t in tokens[first:i])
    lone = n_full == 1 or (n_full == 2 and tokens[first].lower in word_set("titles"))  # noqa: PLR2004
    titled = tokens[i - 1].lower in word_set("titles") or tokens[i - 1].lower in person_nouns()
    if token.lower in word_set("origins") and lone and not titled and _is_name(tokens, following):
        return following + 1 if not _is_name(tokens, following + 1) else i
    if token.lower in word_set("articles_of_epithets") and following < len(tokens):
        return following + 1 if tokens[following].lower in word_set("epithets") else i
    if token.text == "," and following < len(tokens) and tokens[following].lower in ("jr", "sr"):
        return following + 1
    if token.lower == "y" and n_full >= 2 and _is_name(tokens, following):  # noqa: PLR2004
        return following + 1 if not _is_name(tokens, following + 1) else i
    return _skip_nickname(tokens, i) if token.kind is Kind.EDGE and n_full in (1, 2) else i


def _skip_nickname(tokens: Sequence[Token], i: int) -> int:
    """Return where a name goes on behind up to three words in quotation marks; else `i`."""
    for end in range(i + 2, min(i + 5, len(tokens))):
        if tokens[end].kind is Kind.EDGE:
            return end + 1 if _is_name(tokens, i + 1) and _is_name(tokens, end + 1) else i
    return i


def _is_name(tokens: Sequence[Token], i: int) -> bool:
    return i < len(tokens) and tokens[i].kind is Kind.NAME


def read_name(tokens: Sequence[Token], i: int, *, opens: bool) -> NameWords | None:
    """Return the name that begins at a token, without titles and what stands before it.

    `opens`: the first word may have its capital letter for standing at the beginning.
    """
    last = run_end(tokens, i)
    while last > i + 2 and tokens[last - 1].lower in word_set("offices") - word_set("titles"):
        last -= 1  # Frances Perkins, Secretary
    first, titled = i, False
    while first < last:
        lower = tokens[first].lower
        rest = _count_words(tokens, first + 1, last)
        is_title = not word_set("titles").isdisjoint(lower.split("-"))
        droppable = is_title or lower in word_set("demonyms") or lower in _read_nouns()[not opens]
        if tokens[first].kind is Kind.INITIAL and not tokens[first].text.endswith("."):
            droppable = opens and lower in word_set("openers") and first == i
        droppable = droppable or len(lower) > _LONGEST_GIVEN
        given = (  # Belle da Costa
            first + 1 < last
            and tokens[first + 1].kind is Kind.LOW
            and tokens[first + 1].lower != "of"
            and is_common(lower)
        )
        initials = first + 1 < last and tokens[first + 1].kind is Kind.INITIAL
        full = rest >= 2 or (rest and initials and is_title)  # noqa: PLR2004
        if droppable and full and not (given and not is_title):
            titled = titled or is_title
        elif opens and first == i and (lower in word_set("openers") or lower in STOP):
            kept = lower in word_set("given_words") or _is_short_name(tokens, first, last)
            if rest < 2 and kept:  # noqa: PLR2004
                break
        else:
            break
        first += 1
        while first < last and tokens[first].kind not in (Kind.NAME, Kind.INITIAL):
            first += 1
    if first == last or (
        tokens[first].lower in word_set("suffixes") and tokens[first].text.isupper()
    ):
        return None
    n_words = _count_words(tokens, first, last)
    kept = tokens[first].lower in word_set("titles") and n_words > 1
    inner = tokens[first:last]
    initials = any(t.kind is Kind.INITIAL and t.text.endswith(".") for t in inner)
    regnal = n_words == 1 and any(map(is_suffix, inner[1:]))
    strong = titled or kept or (n_words > 0 and initials) or regnal
    return (
        NameWords(first, last, n_words, strong)
        if n_words and last - first <= 2 * _MOST_WORDS
        else None
    )


#: A given name of two syllables, of which the second one has no capital letter: Kwon-taek.
_SYLLABLES = re.compile(r"[A-Z][a-z]+-[a-z]+")


def _is_short_name(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Return whether a small word belongs to a name: "Du Fu (712-770)", "Im Kwon-taek"."""
    if tokens[first].lower in word_set("articles_of_epithets") or last - first != 2:  # noqa: PLR2004
        return False
    if len(tokens[first].text) == 2 and _SYLLABLES.fullmatch(tokens[first + 1].text):  # noqa: PLR2004
        return True
    behind = [token for token in tokens[last : last + 5] if token.kind is not Kind.EDGE]
    return (
        [t.text for t in behind[:1]] == ["("]
        and any(
            token.kind is Kind.NUMBER and len(token.text) > 2  # noqa: PLR2004
            for token in behind[1:4]
        )
    )


def _count_words(tokens: Sequence[Token], first: int, last: int) -> int:
    """Return the number of full words, and of letters that stand for one: Malcolm X, Cardi B."""
    return sum(
        (token.kind is Kind.NAME and not is_suffix(token))
        or (
            token.kind is Kind.INITIAL and i > 0 and token.text.isalpha() and token.text not in "IV"
        )
        for i, token in enumerate(tokens[first:last])
    )


def may_be_person(tokens: Sequence[Token], name: NameWords) -> bool:
    """Return whether no word of a name speaks against a person."""
    inner = [token for token in tokens[name.first : name.last] if token.kind is Kind.NAME]
    if any(token.lower in _STATES for token in tokens[name.first : name.last]):
        return False
    lowers = [token.lower for token in inner]
    general = len(inner) == name.last - name.first and set(lowers) <= _general_words()
    # Letters alone ("A B") name nobody.
    if not lowers or general or (lowers[-1] in word_set("demonyms") and not name.strong):
        return False
    epithet = name.last - 2 > name.first and tokens[name.last - 2].kind is Kind.LOW
    for token, lower in zip(inner, lowers, strict=True):
        if "-" in lower and word_set("demonyms").issuperset(lower.split("-")):
            return False
        if epithet and token.start == tokens[name.last - 1].start and lower in word_set("epithets"):
            continue
        if lower in word_set("no_person") or (
            lower in word_set("months") and (name.n_words == 1 or lower.endswith("day"))
        ):
            return False
        title = lower in word_set("titles")  # Baroness
        if (
            "-" not in lower
            and not title
            and (_ABSTRACT.fullmatch(lower) or _INFLECTED.fullmatch(lower))
        ):
            return False
        if (
            token.text[0].isupper()
            and _CAMEL.search(token.text)
            and not _CAMEL_NAMES.match(token.text)
        ):
            return False
        acronym = token.text.isupper() and 1 < len(token.text) < 5  # noqa: PLR2004
        if acronym and not is_suffix(token) and lower not in word_set("particles"):
            return False
    return not _is_place(name, lowers) and not is_thing_name(" ".join(lowers))


@cache
def _general_words() -> frozenset[str]:
    """Return words that name nobody without another one: titles, offices, peoples, nouns."""
    keys = ("titles", "offices", "demonyms", "person_nouns")
    return frozenset().union(*map(word_set, keys)) | {"prime", "vice"}


def _is_place(name: NameWords, lowers: Sequence[str]) -> bool:
    places, prefixes = word_set("places"), word_set("prefixes_of_places")
    if all(lower in places or lower in prefixes for lower in lowers):
        return True
    if lowers[-1] in places and all(lower in word_set("demonyms") for lower in lowers[:-1]):
        return True
    if lowers[0] in places and len(lowers) == 2 and not name.strong:  # noqa: PLR2004
        return lowers[1] in places or lowers[1] in word_set("no_person")
    return lowers[-1] in places and lowers[0] in prefixes
