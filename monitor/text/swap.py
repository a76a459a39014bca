"""English texts with women and men exchanged, for counterfactual documents.

Every word of a text that names a gender is replaced by its counterpart of `gender_swap.csv`:
pronouns, words for people, family, titles, professions, ranks, compounds of man and woman, and
given names. `her` becomes `him` or `his` and `his` becomes `her` or `hers` by the words around it.
Case is kept; everything else stays as it is, byte for byte. Words for the body are not exchanged.

The rules for `her` (object or possessive) and `his` (determiner or pronoun) know words, no grammar:
they are right for most sentences and wrong for some.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import SimpleNamespace

from monitor.data import read_table, read_words
from monitor.text.nouns import is_noun, noun_lemmas

_LISTS = SimpleNamespace(**read_words("english_her_his"))
_ALONE = _LISTS.prepositions | _LISTS.determiners | _LISTS.auxiliaries
_ALONE |= _LISTS.conjunctions | _LISTS.pronouns | _LISTS.plain_adverbs


#: The two words after a place: what stands before each, itself, a hyphen that ties a third to it.
_ONE = r"([\W_]*)([^\W_]*)((?:['’][^\W_]+)?(?:-(?=[^\W_]))?)"
_AFTER = re.compile(_ONE + _ONE)
_WORDS = re.compile(r"([^\W_]+(?:['’][^\W_]+)?)")
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
        return self.ends or self.word in _ALONE or self.word in _LISTS.modals


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


def _tagged_word(pieces: list[str], place: int) -> _TaggedWord:
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
        _tagged_word(pieces, last),
        _tagged_word(pieces, last - 2),
    )


def _is_adverb(word: str) -> bool:
    return word in _LISTS.either_adverbs or (
        word.endswith("ly") and word not in _LISTS.ly_adjectives and not is_noun(word)
    )


def _her_joined(place: _PronounPlace) -> bool | None:
    """`his or her`, `him/her`, `her or his`."""
    partner = place.before.word if place.before.gap == "/" else ""
    if place.verb in _LISTS.joins:
        partner = place.earlier.word
    if place.before.gap == "/" and partner in _LISTS.objects | {"she"}:
        return False
    if partner in _LISTS.objects and place.first.alone_before:
        return False
    if partner in _LISTS.possessives and (place.before.gap == "/" or not place.first.ends):
        return True
    if place.first.gap == "/":
        return place.first.word in _LISTS.possessives
    if place.first.word == "or" and place.second.word in _LISTS.possessives:
        return True
    return None


def _her_before_function_word(place: _PronounPlace) -> bool | None:
    first, second = place.first, place.second
    if first.ends:
        return False
    if first.word == "own" or (first.hyphen and first.word not in _LISTS.determiners):
        return True
    if first.word in _LISTS.modals:
        return place.verb in _LISTS.prepositions or second.word in {"to", "of", "was", "is"}
    if first.word == "all":
        return second.ends
    return False if first.word in _ALONE else None


def _her_before_direction(place: _PronounPlace) -> bool | None:
    if place.first.word not in _LISTS.directions or not place.second.alone_before:
        return None
    if place.first.word in _LISTS.places:
        return False
    return False if place.verb in _LISTS.moving else None


def _her_before_adverb(place: _PronounPlace) -> bool | None:
    first, second = place.first, place.second
    if not _is_adverb(first.word):
        return None
    if first.word in _LISTS.superlatives and second.alone_before:
        return place.verb not in _LISTS.liking
    if (first.word, second.word) == ("right", "to"):
        return True
    directed = second.word in _LISTS.directions and first.word in {"straight", "right"}
    return not (second.alone_before or directed or second.word in _LISTS.degrees)


def _her_given(place: _PronounPlace) -> bool | None:
    """`gave her flowers`, but `gave her mother flowers`."""
    first, second = place.first, place.second
    gives, tells = place.verb in _LISTS.giving, place.verb in _LISTS.telling
    if (gives or tells) and (first.word in _LISTS.goods or first.word.isdigit()):
        return False
    if not gives:
        return None
    return first.word in _LISTS.own or (not second.ends and second.word in _LISTS.own)


def _her_named(place: _PronounPlace) -> bool | None:
    """`named her Julia`, `elected her president`."""
    is_named = place.verb in _LISTS.naming and place.first.written.istitle()
    appointed = place.verb in _LISTS.appointing and place.first.word in _LISTS.offices
    return False if is_named or (appointed and place.second.alone_before) else None


def _her_seen(place: _PronounPlace) -> bool | None:
    """`saw her leave`, `heard her singing`."""
    first, second = place.first, place.second
    if place.verb in _LISTS.perception:
        if first.word in _LISTS.infinitives:
            return False
        if first.word in _LISTS.infinitives_or_nouns and second.alone_before:
            return False
    if place.verb not in _LISTS.perception | _LISTS.catching:
        return None
    participle = first.word.endswith("ing") and first.word not in _LISTS.nouns_in_ing
    follows = second.alone_before or _is_adverb(second.word) or second.word in _LISTS.directions
    return False if participle and follows else None


def _her_complemented(place: _PronounPlace) -> bool | None:
    """`made her famous`."""
    first = place.first
    if place.verb not in _LISTS.complement or not place.second.alone_before:
        return None
    adjective = first.written.islower() and not any(map(is_noun, noun_lemmas(first.word)))
    return False if adjective or first.word in _LISTS.complements else None


_PlaceRule = Callable[[_PronounPlace], bool | None]
_HER: tuple[_PlaceRule, ...] = (
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
    return _decide(_HER, _place_of(text, start, end))


def _decide(rules: Sequence[_PlaceRule], place: _PronounPlace) -> bool:
    """Return what the first rule says that applies to a place; yes without any."""
    return next((verdict for rule in rules if (verdict := rule(place)) is not None), True)


def _his_joined(place: _PronounPlace) -> bool | None:
    """`his or her`, `his/her`, `her and his`, `his and hers`."""
    first = place.first
    partner = place.before.word if place.before.gap == "/" else ""
    if place.verb in _LISTS.joins:
        partner = place.earlier.word
    if partner in _LISTS.possessives and not first.ends:
        return True
    if first.gap == "/":
        return first.word in _LISTS.possessives
    if first.word in _LISTS.joins:
        return place.second.word in _LISTS.possessives
    return None


def _his_before_function_word(place: _PronounPlace) -> bool | None:
    first, second = place.first, place.second
    if first.ends:
        return False
    if first.word == "own" or first.hyphen or first.word in _LISTS.after_his:
        return True
    if first.word == "not" and second.word.endswith("ing"):
        return True
    if first.word in _LISTS.modals:
        return second.word not in {"be", "have", "not", "never", "always"}
    return False if first.word in _ALONE else None


def _his_before_adverb(place: _PronounPlace) -> bool | None:
    first, second = place.first, place.second
    if first.word in _LISTS.superlatives or not _is_adverb(first.word):
        return None
    return not (second.ends or second.word in _LISTS.auxiliaries)


def _his_after_of(place: _PronounPlace) -> bool | None:
    """`a friend of his called me`."""
    if place.verb == "of" and place.first.word in _LISTS.past:
        return False
    if place.verb != "of" or not place.second.alone_before or not place.first.written.islower():
        return None
    verb = place.first.word.endswith("ed") and not any(map(is_noun, noun_lemmas(place.first.word)))
    return False if verb and place.second.word not in _LISTS.joins else None


_HIS: tuple[_PlaceRule, ...] = (
    _his_joined,
    _his_before_function_word,
    _his_before_adverb,
    _his_after_of,
)


def his_is_determiner(text: str, start: int, end: int) -> bool:
    """Return whether the `his` between two places stands before a noun."""
    return _decide(_HIS, _place_of(text, start, end))


_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_WORD = re.compile(r"[^\W_]+")

#: `both`, or only from the first of a pair to the second.
_TO_WOMEN, _TO_MEN = ("both", "to_women"), ("both", "to_men")
_NAME, _DOUBTFUL, _PRONOUN = "name", "name_or_word", "pronoun"


class TextPart(StrEnum):
    """Words that can be exchanged apart from all others."""

    PRONOUNS = "pronouns"
    NOUNS = "nouns"  # for people, family, professions, with titles and adjectives
    NAMES = "names"  # given names


EVERY_PART = frozenset(TextPart)
_PRONOUNS = {"her": "him", "hers": "his", "him": "her", "his": "her"}

#: Words that are titles before a name and something else, or left alone, elsewhere.
_TITLES = {"miss": "mr", "lord": "lady", "lady": "lord", "sir": "dame", "dame": "sir"}
_ABBREVIATED = frozenset("mr mrs ms".split())
_NAME_FOLLOWS = re.compile(r"\.?\s[^\W\d_a-z]")
_WORD_BEFORE = re.compile(r"([^\W_]+)\.?\s$")
_LOOK_BACK = 40
_RANKS = frozenset("king kings queen queens".split())
#: Words in capitals that a king or queen may follow without being part of a name.
_BEFORE_RANK = frozenset("the a an our your his her my their this that of and or to by for".split())
_DEGREE = re.compile(r"['’]s\b|\sdegree|s?\sof\b|s['’]|s?\sin\b", re.IGNORECASE)

#: What becomes of a word by what stands around it: text, start, end, its usual counterpart.
_Rule = Callable[[str, int, int, str], str]


def swap_text(text: str, *, doubtful: bool = False, parts: frozenset[TextPart] = EVERY_PART) -> str:
    """A text with women and men exchanged; `doubtful`: names that are also towns or words too.

    Words of other parts than `parts` stay.
    """
    pieces: list[str] = []
    done = 0
    for start, end, new in _find_changes(text, doubtful=doubtful, parts=parts):
        pieces += (text[done:start], new)
        done = end
    return "".join((*pieces, text[done:])) if pieces else text


def count_swappable(
    text: str, *, doubtful: bool = False, parts: frozenset[TextPart] = EVERY_PART
) -> int:
    """Return how many words of a text `swap` changes."""
    return sum(1 for _ in _find_changes(text, doubtful=doubtful, parts=parts))


def _find_changes(
    text: str, *, doubtful: bool, parts: frozenset[TextPart]
) -> Iterator[tuple[int, int, str]]:
    """Yield where a word changes and into what."""
    table = _swap_table(doubtful=doubtful, parts=parts)
    pattern = _ASCII_WORD if text.isascii() else _WORD
    for match in pattern.finditer(text):
        if (word := match[0]) not in table:
            continue
        new = table[word]
        start, end = match.span()
        if (rule := _word_rules().get(word.lower())) is not None:
            new = rule(text, start, end, new)
        if new != word:
            yield start, end, new


def _match_case(word: str, like: str) -> str:
    """A lower-case word in the case of another one."""
    if like.isupper():
        return word.upper()
    return word.capitalize() if like[0].isupper() else word


@cache
def _load_counterparts() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Lower-case words to theirs: all but names, names, names that are also something else."""
    words: dict[str, str] = {}
    names: dict[str, str] = {}
    doubtful: dict[str, str] = {}
    by_sort = {_NAME: names, _DOUBTFUL: doubtful}
    for row in read_table("gender_swap"):
        into = by_sort.get(row["sort"], words)
        if row["ways"] in _TO_WOMEN:
            into[row["men"]] = row["women"]
        if row["ways"] in _TO_MEN:
            into[row["women"]] = row["men"]
    return words, names, doubtful


@cache
def _part_of() -> dict[str, TextPart]:
    """The part of each pronoun and name in lower case; all other words are nouns."""
    _, names, also = _load_counterparts()
    rows = (row for row in read_table("gender_swap") if row["sort"] == _PRONOUN)
    pronouns = {*_PRONOUNS, *(word for row in rows for word in (row["men"], row["women"]))}
    return dict.fromkeys(names | also, TextPart.NAMES) | dict.fromkeys(pronouns, TextPart.PRONOUNS)


@cache
def _swap_table(*, doubtful: bool, parts: frozenset[TextPart]) -> dict[str, str]:
    """Every word that may change, in each case it is written in, with its usual counterpart."""
    part_of = _part_of()
    whole_table = _whole_table(doubtful=doubtful)
    return {
        word: new
        for word, new in whole_table.items()
        if part_of.get(word.lower(), TextPart.NOUNS) in parts
    }


@cache
def _whole_table(*, doubtful: bool) -> dict[str, str]:
    """The same of all parts."""
    words, names, also = _load_counterparts()
    words = _PRONOUNS | words
    words |= {title: title for title in _TITLES if title not in words}
    names = names | also if doubtful else names
    table_of_words = dict(words)
    for word, new in (words | names).items():
        table_of_words[word.capitalize()] = new.capitalize()
        table_of_words[word.upper()] = new.upper()
    return table_of_words


@cache
def _word_rules() -> dict[str, _Rule]:
    """The words that what stands around them decides."""
    _, names, also = _load_counterparts()
    return {
        **dict.fromkeys(names | also, _given_name),
        **dict.fromkeys(_TITLES, _swap_title),
        **dict.fromkeys(_ABBREVIATED, _swap_abbreviation),
        **dict.fromkeys(_RANKS, _swap_rank),
        **dict.fromkeys(("bachelor", "bachelors"), _keep_bachelor),
        "man": _swap_man,
        "her": _swap_her,
        "his": _swap_his,
    }


def _swap_her(text: str, start: int, end: int, _new: str) -> str:
    replacement = "his" if her_is_possessive(text, start, end) else "him"
    return _match_case(replacement, text[start:end])


def _swap_his(text: str, start: int, end: int, _new: str) -> str:
    replacement = "her" if his_is_determiner(text, start, end) else "hers"
    return _match_case(replacement, text[start:end])


def _word_before(text: str, start: int) -> str:
    """The word right before a place, as written; empty where there is none."""
    match = _WORD_BEFORE.search(text[max(0, start - _LOOK_BACK) : start])
    return match[1] if match else ""


def _given_name(text: str, start: int, end: int, new: str) -> str:
    """After a title or a given name it is a family name and stays."""
    _, names, also = _load_counterparts()
    before = _word_before(text, start)
    lower_name = before.lower()
    family = before[:1].isupper() and (
        lower_name in _ABBREVIATED or lower_name in names or lower_name in also
    )
    return text[start:end] if family else new


def _swap_title(text: str, start: int, end: int, new: str) -> str:
    """`Sir John`, but `yes, sir`."""
    word = text[start:end]
    if word[0].isupper() and _NAME_FOLLOWS.match(text, end):
        return _match_case(_TITLES[word.lower()], word)
    return new


def _swap_abbreviation(text: str, start: int, end: int, new: str) -> str:
    """Neither milliseconds nor a disease is a title."""
    word = text[start:end]
    if word.isupper() and not _NAME_FOLLOWS.match(text, end):
        return word
    return word if word.islower() and _word_before(text, start).isdigit() else new


def _swap_rank(text: str, start: int, end: int, new: str) -> str:
    """`King Charles`, but `Stephen King`."""
    word, before = text[start:end], _word_before(text, start)
    part_of_name = word.istitle() and before.istitle() and before.lower() not in _BEFORE_RANK
    return word if part_of_name else new


def _keep_bachelor(text: str, start: int, end: int, new: str) -> str:
    """A degree is nobody."""
    return text[start:end] if _DEGREE.match(text, end) else new


def _swap_man(text: str, start: int, end: int, new: str) -> str:
    """The Isle of Man stays."""
    return text[start:end] if text[max(0, start - 8) : start] == "Isle of " else new
