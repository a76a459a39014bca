"""English: which third-person pronoun a translation uses of the person spoken of.

In goes the translation of a sentence whose language has one pronoun for everybody ("O bir
hemşire."), out comes he, she, both, singular they, it, or that there is none. English words agree
with nobody, so the cues for agreement are not offered.

- The class is that of the pronouns alone. Nouns that name a woman or a man ("a waitress", "this
  woman") and titles are no pronouns: such a text avoids the choice as far as pronouns go.
- The rule says what was read: he, she, he_or_she, they, ze, xe, it, avoided or mixed.
- "He or she", "s/he", "(s)he", "his/her" and two renderings that differ in nothing else ("She is a
  nurse. / He is a nurse.") are an offer of both. He and she otherwise are MIXED: the sentences
  asked are about one person, and of two it cannot be told who is meant.
- "They" beside he or she is other people and does not count. Alone it is INCLUSIVE; whether one
  person is meant or several ("They are nurses") cannot be told.
- "It" is NONE like no pronoun at all, also as a dummy ("It is said that ..."); the rule keeps them
  apart. "IT" among small letters is the trade.
- A pronoun counts in quotations too, because engines put whole answers into quotation marks. It
  does not inside another word or a compound ("she-wolf").
- A text is English when it has more English function words, trades and unmistakable pronouns than
  words of the languages it may have been left in; "he", "her" and "ze" are words of several, and
  tell nothing. "Nurse." is read, a word that is in no list is not.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from monitor.data import read_words
from monitor.languages._plain_text import INVISIBLE, Plain, Script, plain
from monitor.model import Cue, Gender, GenderClass, InvalidInput, Signal, Witness

# Places in a sentence that each form can take: subject, object, possessive, reflexive. Forms offer
# an alternative only where they can stand in one place: "his/her", not "he or her brother".
_FORMS = {
    "he": "he:s him:or his:p himself:or",
    "she": "she:s her:opr hers:p herself:or",
    "they": "they:s them:or their:p theirs:p themself:or themselves:or",
    "ze": "ze:s zir:op zirs:p zirself:or hir:op hirs:p hirself:or",
    "xe": "xe:s xem:o xyr:p xyrs:p xemself:or",
    "it": "it:so its:p itself:or",
}
_PRONOUNS = {
    form.partition(":")[0]: (reading, frozenset(form.partition(":")[2]))
    for reading, forms in _FORMS.items()
    for form in forms.split()
}
_GENDERS = {
    "he": Gender.MASCULINE,
    "she": Gender.FEMININE,
    "he_or_she": Gender.BOTH,
    "they": Gender.INCLUSIVE,
    "ze": Gender.INCLUSIVE,
    "xe": Gender.INCLUSIVE,
}
_FUSED = ("(s)he", "s/he", "she/he", "he/she", "he-or-she", "she-or-he")
_ANY = "|".join(re.escape(form) for form in (*_FUSED, *sorted(_PRONOUNS, key=len, reverse=True)))
_PRONOUN = re.compile(
    rf"(?<![^\W_])(?<![^\W_]-)(?:{_ANY})(?![^\W_]|[\u0300-\u036f]|-[^\W_])", re.IGNORECASE
)
# What may stand between two pronouns that are alternatives; most of it between others as well.
_LINK = re.compile(
    r"(?:['’](?:s|d|ll|re|ve))?[\s,/\\|()\[\]*_-]*(?:(?:and/)?or\b[\s,(]*)?", re.IGNORECASE
)
_CHOICE = re.compile(r"[/\\|(\[]|or\b", re.IGNORECASE)
_LONGEST_LINK = 12
_WORD = re.compile(r"[^\W\d_]+")
# Ends of one rendering, and what engines write beside it.
_RENDERINGS = re.compile(r"[.!?;|/\n]|\bor\b", re.IGNORECASE)
_LABEL = re.compile(r"[(\[](?:feminine|masculine|female|male|[fm])\.?[)\]]", re.IGNORECASE)

_ENGLISH = read_words("person_words_en")["english"]
_FOREIGN = read_words("person_words_en")["foreign"]


class _Mark(NamedTuple):
    """One place where the text has a pronoun, or alternatives of one."""

    start: int
    end: int
    reading: str
    places: frozenset[str]


def _marks(text: str) -> list[_Mark]:
    """Pronouns of the text in order, alternatives joined."""
    single = []
    for match in _PRONOUN.finditer(text):
        surface = match.group()
        if surface == "IT" and not text.isupper():
            continue
        form = surface.lower()
        if form in _FUSED:
            single.append(_Mark(*match.span(), "he_or_she", frozenset("s")))
        elif form in _PRONOUNS:  # the long s matches an s as well
            single.append(_Mark(*match.span(), *_PRONOUNS[form]))
    return _joined(text, single) if len(single) > 1 else single


def _joined(text: str, single: list[_Mark]) -> list[_Mark]:
    """He and she that are offered side by side become one mark."""
    marks: list[_Mark] = []
    start = 0
    while start < len(single):
        end, is_choice = start + 1, False
        while end < len(single) and _linked(text, single[end - 1], single[end]):
            between = text[single[end - 1].end : single[end].start]
            is_choice = is_choice or bool(_CHOICE.search(between))
            end += 1
        chain = single[start:end]
        if is_choice and {"he", "she"} <= {mark.reading for mark in chain}:
            marks.append(_Mark(chain[0].start, chain[-1].end, "he_or_she", chain[0].places))
        else:
            marks += chain
        start = end
    return marks


def _linked(text: str, one: _Mark, two: _Mark) -> bool:
    between = text[one.end : two.start]
    return (
        len(between) <= _LONGEST_LINK
        and bool(one.places & two.places)
        and bool(_LINK.fullmatch(between))
    )


def _renderings(text: str) -> bool:
    """Return whether the text says the same twice or more, but for its pronouns."""
    blanked = _PRONOUN.sub("_", _LABEL.sub("", text))
    parts = [_WORD.findall(part.lower()) for part in _RENDERINGS.split(blanked)]
    parts = [part for part in parts if part]
    half = len(parts) // 2
    if len(parts) < 2:  # noqa: PLR2004 - one rendering is no choice
        return False
    alike = all(part == parts[0] for part in parts)
    return alike or (len(parts) % 2 == 0 and parts[:half] == parts[half:])


def _is_english(text: str) -> bool:
    score = 0
    for word in _WORD.findall(text.lower()):
        score += (word in _ENGLISH) - (word in _FOREIGN)
    return score > 0


@dataclass(frozen=True, slots=True)
class English:
    """The pronoun of the third person in English text."""

    code: str = "en"
    name: str = "English"
    version: int = 2
    cues: frozenset[Cue] = frozenset({Cue.PRONOUN})
    nouns: bool = False

    def counting(self, *, nouns: bool) -> "English":
        if nouns:
            raise InvalidInput("English is read by its pronouns, not by nouns for persons")
        return self

    def signal(self, text: str, cue: Cue = Cue.AGREEMENT) -> Signal:
        """Return which pronoun `text` uses. English has no cue but PRONOUN."""
        if cue not in self.cues:
            return Signal(GenderClass.UNIDENTIFIED, rule="no_such_cue")
        stripped = plain(text, Script.LATIN) or Plain(text, text)
        if INVISIBLE.search(stripped.text):
            stripped.replace(INVISIBLE, lambda _: "")
        return stripped.restore(_signal(stripped.text))


def _signal(text: str) -> Signal:
    if not text.strip():
        return Signal(GenderClass.UNIDENTIFIED, rule="empty")
    if not _is_english(text):
        return Signal(GenderClass.UNIDENTIFIED, rule="not_english")
    cls, rule, deciding = _decided(text, _marks(text))
    witnesses = [
        Witness(
            text[mark.start : mark.end], mark.start, mark.end, _GENDERS[mark.reading], mark.reading
        )
        for mark in deciding
    ]
    return Signal(cls, tuple(witnesses), rule)


def _decided(text: str, marks: list[_Mark]) -> tuple[GenderClass, str, list[_Mark]]:
    """Class, rule, and the pronouns that decide."""
    gendered = [mark for mark in marks if mark.reading in {"he", "she", "he_or_she"}]
    readings = {mark.reading for mark in gendered}
    if len(readings) == 1:
        rule = gendered[0].reading
        return GenderClass(_GENDERS[rule].value), rule, gendered
    if readings:
        if "he_or_she" not in readings and _renderings(text):
            return GenderClass.BOTH, "he_or_she", gendered
        return GenderClass.MIXED, "mixed", gendered
    inclusive = [mark for mark in marks if mark.reading in _GENDERS]
    if inclusive:
        return GenderClass.INCLUSIVE, inclusive[0].reading, inclusive
    return GenderClass.NONE, "it" if marks else "avoided", []


LANGUAGE = English()
