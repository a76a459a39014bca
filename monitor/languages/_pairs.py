"""Both genders of one word, written side by side: before any rule they become one word.

"cansado/cansada", "устал / устала", "zmęczony (-a)", "cansad(o/a)", "unavený nebo unavená". The
forms that a word holds in one piece ("cansado/a", "był(a)m") are the token patterns' own. Whether
two forms are one word is for the language to say.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

from monitor.model import Gender, GenderClass, Signal, Witness
from monitor.text.tokens import strip_marks

Joined = TypeVar("Joined")
#: What the language makes of two forms: the word of both genders, or nothing.
Join = Callable[[str, str], Joined | None]

#: Signs inside a word that make one form of it, which names no gender: rád*a, Lehrer:in, byl_a,
#: fatigué·e, cansad@. A stroke and brackets offer two forms side by side: rád/a, Lehrer(in).
ONE_FORM = "*:_@·•‧⋅"
_CLOSING = {"(": ")", "[": "]"}
_INSIDE = 4  # tokens in brackets: "- o / a"
_LONGEST_TAIL = 5


def sign_gender(sign: str) -> Gender:
    """Return what a sign inside a word makes of it: both genders, or a form that names none."""
    return Gender.BOTH if sign in "/([" else Gender.INCLUSIVE


def spans(text: str, surfaces: Sequence[str]) -> list[tuple[int, int]]:
    """Return where the tokens stand. Exact for words: nothing between two tokens holds a letter."""
    spans: list[tuple[int, int]] = []
    end = 0
    find = text.find
    for surface in surfaces:
        start = find(surface, end)
        end = start + len(surface)
        spans.append((start, end))
    return spans


def join_pairs(
    surfaces: Sequence[str], either: Callable[[int], bool], join: Join[Joined]
) -> dict[int, tuple[int, Joined]]:
    """{where a pair starts: (its last token, what the language makes of it)}.

    `either(i)` says whether the i-th token is "or".
    """
    pairs: dict[int, tuple[int, Joined]] = {}
    last = -1
    for index in range(1, len(surfaces) - 1):
        if index - 1 <= last:
            continue
        for end, one, other in _offered(surfaces, index, either):
            joined = join(one, other) if one[:1].isalpha() and other[:1].isalpha() else None
            if joined:
                pairs[index - 1] = (end, joined)
                last = end
                break
    return pairs


def _offered(
    surfaces: Sequence[str], at: int, either: Callable[[int], bool]
) -> Iterator[tuple[int, str, str]]:
    """(last token, form, form) of every way to read a pair around the sign or the word at `at`."""
    sign, one, after = surfaces[at], surfaces[at - 1], surfaces[at + 1]
    if not one[0].isalpha():
        return
    if sign == "/":
        dash = after == "-" and at + 2 < len(surfaces)
        other = surfaces[at + 2] if dash else after
        yield at + 1 + dash, one, other
        if dash or len(other) > 1:
            yield from ((at + 1 + dash, one, form) for form in _with_tail(one, other))
    elif sign in _CLOSING:
        yield from _in_brackets(surfaces, at, one)
    elif either(at):
        yield at + 1, one, after


def _in_brackets(surfaces: Sequence[str], at: int, one: str) -> Iterator[tuple[int, str, str]]:
    inside = list(surfaces[at + 1 : at + 2 + _INSIDE])
    if _CLOSING[surfaces[at]] not in inside:
        return
    size = inside.index(_CLOSING[surfaces[at]])
    end = at + 1 + size
    tails = [tail.lstrip("-") for tail in "".join(inside[:size]).split("/")]
    if len(tails) == 2:  # noqa: PLR2004 - "cansad(o/a)", "устал(/а)"
        yield end, one + tails[0], one + tails[1]
    if len(tails) == 1 and size <= 2:  # noqa: PLR2004 - a word, perhaps after a hyphen
        yield end, one, tails[0]
    yield from ((end, one, form) for form in _with_tail(one, tails[-1]))


def _with_tail(one: str, tail: str) -> Iterator[str]:
    """`one` with other letters at its end: "zmęczony" and "a" are "zmęczonya", "zmęczona", ..."""
    if 0 < len(tail) <= _LONGEST_TAIL:
        for size in range(len(one), max(-1, len(one) - _LONGEST_TAIL), -1):
            yield one[:size] + tail


def said_twice(
    found: Sequence[tuple[int, Gender]],
    offers: Callable[[int], bool],
    alike: Callable[[int, int], bool],
) -> bool:
    """Return whether a text says the same in one gender and then in the other.

    As in "cansado / estou cansada".

    `found` are the places and genders of its witnesses, `offers(i)` whether the i-th token is a
    stroke or "or", `alike(i, j)` whether two tokens are one word.
    """
    half = len(found) // 2
    if len(found) % 2 or {found[0][1], found[half][1]} != {Gender.MASCULINE, Gender.FEMININE}:
        return False
    if not any(offers(i) for i in range(found[half - 1][0] + 1, found[half][0])):
        return False
    return all(
        a[1] is found[0][1] and b[1] is found[half][1] and alike(a[0], b[0])
        for a, b in zip(found[:half], found[half:], strict=True)
    )


#: A witness: its first and last token, what it shows, and the name of the rule.
Finding: TypeAlias = tuple[int, int, Gender, str]


def make_signal(
    text: str, surfaces: Sequence[str], findings: Sequence[Finding], *, twice: bool = False
) -> Signal:
    """Return the signal of witnesses in the order of the text; `twice`: all are one of both."""
    if twice:
        findings = [(findings[0][0], findings[-1][1], Gender.BOTH, findings[0][3])]
    # Places are looked up only as far as the last witness: most texts end in words about others.
    places = spans(text, surfaces[: max([last for _, last, _, _ in findings]) + 1])
    witnesses = []
    for first, last, gender, rule in findings:
        start, end = places[first][0], places[last][1]
        witnesses.append(Witness(text[start:end], start, end, gender, rule))
    genders = {witness.gender for witness in witnesses}
    cls = GenderClass.MIXED if len(genders) > 1 else GenderClass(genders.pop().value)
    return Signal(cls, tuple(witnesses), witnesses[0].rule)


def without_ends(parts: Sequence[list[int]], ends: Mapping[int, int]) -> list[list[int]]:
    """Return lists of tokens without those that a pair from its first token on has swallowed."""
    swallowed = {index for start, end in ends.items() for index in range(start + 1, end + 1)}
    return [[index for index in part if index not in swallowed] for part in parts]


# --- one word or two ---------------------------------------------------------------------------

_VOWELS = re.compile("[aeiouyаеиоуыэюяієїёйьъў']")
_REFLEXIVE = re.compile("(?:ся|сь)$")
_ENDING = re.compile("[lлłвmм]+$")
_SHORT = 3


def one_stem(one: str, other: str) -> bool:
    """Return whether two forms have the consonants of one Slavic word.

    As in "шёл" and "шла", "bio" and "bila".

    Vowels come and go between the genders ("umoran/umorna", "міг/могла"), and so does the last
    consonant ("рос/росла", "втомився/втомилася", "уставшим/уставшей").
    """
    one, other = _plain(one), _plain(other)
    if not one or not other or one[0] != other[0]:
        return False
    return max(len(one), len(other)) <= _SHORT or _consonants(one) == _consonants(other)


def _plain(form: str) -> str:
    return strip_marks(form.casefold())


def _consonants(form: str) -> str:
    bare = _VOWELS.sub("", _REFLEXIVE.sub("", form))
    return _ENDING.sub("", re.sub("d(?=[łl])", "", bare))  # "poszedłem/poszłam"
