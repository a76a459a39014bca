"""English texts with women and men exchanged, for counterfactual documents.

Every word of a text that names a gender is replaced by its counterpart of `gender_swap.csv`:
pronouns, words for people, family, titles, professions, ranks, compounds of man and woman, and
given names. `her` becomes `him` or `his` and `his` becomes `her` or `hers` by the words around it.
Case is kept; everything else stays as it is, byte for byte. Words for the body are not exchanged.
"""

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache

from monitor.data import read_table
from monitor.text._her_his import her_is_possessive, his_is_determiner

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
