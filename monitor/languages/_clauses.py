"""The clause reader: which gender a text gives to its first person, by tags of words and rules.

Serves languages outside the Romance and Slavic families (Lithuanian, Latvian, Greek). A language
is a :class:`Grammar`: a function that gives each word its tags, and rules that say where a tagged
word is said of the speaker.

What the reader does with a text: tokens (offsets kept) -> tags -> other languages are set aside ->
quotations cut out, or read alone for the cue QUOTED (:mod:`monitor.languages._speech`) -> both
genders of a word made one (:mod:`monitor.languages._pairs`) -> clauses, each with its subject ->
rules -> class.

Clauses end at punctuation and before every word tagged CUT (subordinators). A coordinator (AND)
ends a clause only where both sides have a finite verb. A clause is the speaker's by its pronoun or
its verb; one without either has the subject of the clause before it, unless it is subordinate, and
the first of a sentence that of the clause after it ("Tired, I went home").
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, reduce
from itertools import pairwise
from operator import or_
from typing import Any, TypeAlias

from monitor.data import read_toml
from monitor.languages._pairs import (
    ONE_FORM,
    join_pairs,
    make_signal,
    said_twice,
    sign_gender,
    without_ends,
)
from monitor.languages._plain_text import KeptForms, PlainTextReader, Script, shorten
from monitor.languages._speech import MARK, QUOTES, SIGNS, outside_and_inside, reports_another
from monitor.model import Cue, Gender, GenderClass, Signal

# --- tags --------------------------------------------------------------------------------------

# Clauses.
COMMA, STOP, COLON, BREAK, SLASH, QUOTE, BRACKET = (1 << n for n in range(7))
CUT = 1 << 7  # opens a clause: subordinators
AND = 1 << 9
OR = 1 << 10
SAY = 1 << 11  # a verb of saying that is not the first person's
# The person that a clause is about.
I = 1 << 12  # noqa: E741 - the pronoun in the nominative
BE = 1 << 13  # "am", "was", "shall be" in the first person
FEEL = 1 << 14  # other copular verbs in the first person: feel, become, remain, seem
VERB = 1 << 15  # another verb in the first person singular
ANYBODY = 1 << 16  # a finite copula of any person: Latvian "būtu"
OTHER = 1 << 17  # a subject or a verb of another person
ME, TO_ME, MYSELF = (1 << n for n in range(18, 21))  # accusative, dative, reflexive
TO_BE = 1 << 21  # infinitives of copular verbs
TO_DO = 1 << 22  # other infinitives
# Neighbours.
PREP = 1 << 23
DET = 1 << 24  # what goes with a noun: articles, possessives, demonstratives
ADV = 1 << 25
AS = 1 << 26
MY = 1 << 27
FIXED = 1 << 28  # nouns whose gender is their own: "person", "man"
COMMON = 1 << 29  # nouns for either gender with one form: what agrees with them tells
# Words that show a gender; the feminine is the next bit after the masculine.
ADJ_M, ADJ_F = 1 << 30, 1 << 31  # adjectives in the nominative
PART_M, PART_F = 1 << 32, 1 << 33  # participles that are said of the subject wherever they stand
INS_M, INS_F = 1 << 34, 1 << 35  # instrumental
DAT_M, DAT_F = 1 << 36, 1 << 37  # dative
SELF_M, SELF_F = 1 << 38, 1 << 39
ALONE_M, ALONE_F = 1 << 40, 1 << 41
NOUN_M, NOUN_F = 1 << 42, 1 << 43  # person nouns with a partner, nominative
ROLE_M, ROLE_F = 1 << 44, 1 << 45  # and in the case of "become a ...", "work as a ..."
THAT_M, THAT_F = 1 << 46, 1 << 47  # "the one who"
ARTICLE_M, ARTICLE_F = 1 << 48, 1 << 49  # in the nominative
LOOSE_M, LOOSE_F = 1 << 50, 1 << 51  # adjectives by their ending alone, right after a copula
# What the reader itself adds.
DOUBLED, INCLUSIVE, OWN, FOREIGN, NATIVE = (1 << n for n in range(52, 57))
FREE = 1 << 57  # a language's own tags start here

FIRST = I | BE | FEEL | VERB
COPULA = BE | FEEL
FINITE = BE | FEEL | VERB | ANYBODY | OTHER | SAY
PUNCTUATION = COMMA | STOP | COLON | BREAK | QUOTE
CUTS = PUNCTUATION | CUT | AND
ADJ, PART, INS, DAT = ADJ_M | ADJ_F, PART_M | PART_F, INS_M | INS_F, DAT_M | DAT_F
NOUN, ROLE = NOUN_M | NOUN_F, ROLE_M | ROLE_F
SELF, ALONE, THAT = SELF_M | SELF_F, ALONE_M | ALONE_F, THAT_M | THAT_F
ARTICLE, LOOSE = ARTICLE_M | ARTICLE_F, LOOSE_M | LOOSE_F
_GENDERED = range(30, 52, 2)
MASCULINE = sum(1 << n for n in _GENDERED)
FEMININE = MASCULINE << 1
MARKED = MASCULINE | FEMININE
_TELLING = MARKED & ~ARTICLE | COMMON  # an article tells beside another word only
MARKS = {",": COMMA, ":": COLON, "/": SLASH} | dict.fromkeys(".!?…\n;", STOP) | dict.fromkeys(
    ")]–—-", BREAK
) | dict.fromkeys("([", BREAK | BRACKET) | dict.fromkeys(QUOTES, QUOTE)  # fmt: skip

_INVISIBLE = re.compile(r"[\u200b-\u200f\u2060\ufeff\u00ad]")
_LETTER = rf"[^\W\d_][{MARK}]*"
_TAIL = rf"[(\[]-?(?:{_LETTER}){{1,5}}[)\]]|[/{ONE_FORM}]-?(?:{_LETTER}){{1,6}}"
_DOUBLE = re.compile(
    rf"^(?P<stem>[^/(\[{ONE_FORM}]+)(?P<sign>[/(\[{ONE_FORM}])-?"
    rf"(?P<tail>[^\W\d_{MARK}]+)[)\]]?$"
)
_LONGEST_TAIL = 6
_REACH = 12  # words that a look for a neighbour goes past


def token(word: str) -> re.Pattern[str]:
    """Return the pattern of tokens whose words match `word`, with the tail of a double form."""
    return re.compile(rf"(?:{word})(?:(?:{_TAIL})(?![\w{MARK}]))?|{SIGNS}")


WORD = rf"[^\W\d_]+(?:[{MARK}]+[^\W\d_]*)*"


def clean(surface: str) -> str:
    """Return a word in lower case, composed, without invisible characters and drawn-out letters."""
    if surface.isascii():
        return shorten(surface.lower())
    low = surface.casefold() if surface.isalpha() else _INVISIBLE.sub("", surface).casefold()
    return shorten(unicodedata.normalize("NFC", low))


def table(*entries: tuple[int, str | Iterable[str]]) -> dict[str, int]:
    """Return {form: tags} from (tags, forms) pairs; a form listed twice has the tags of both."""
    tags: dict[str, int] = {}
    for bits, forms in entries:
        for form in forms.split() if isinstance(forms, str) else forms:
            tags[form] = tags.get(form, 0) | bits
    return tags


def read_words(
    lists: Mapping[str, str | list[str]],
    tags: Mapping[str, Any],
    *entries: tuple[int, str | Iterable[str]],
) -> dict[str, int]:
    """Return the table of word lists under the names of their tags, and of further entries.

    A list is `"PAST_M MAKE"`, with words that have both tags, `"PAST_M/PAST_F"`, with pairs of a
    masculine and a feminine, or `none`, with words that have no tag.
    """
    listed: list[tuple[int, Iterable[str]]] = []
    for name, texts in lists.items():
        forms = (texts if isinstance(texts, str) else " ".join(texts)).split()
        sides = zip(*(form.split("/") for form in forms), strict=True) if "/" in name else [forms]
        for names, words in zip(name.split("/"), sides, strict=True):
            bits = [tags[tag] for tag in names.split() if tag != "none"]
            listed.append((reduce(or_, bits, 0), words))
    return table(*listed, *entries)


_FUNCTION_WORDS = read_toml("function_words")
_TOO_SHORT = frozenset(_FUNCTION_WORDS["too_short"].split())


@cache
def own_and_foreign(code: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that only `code` has among the lists, and those that only others have.

    They are frequent function words, and tell an answer in another language.
    """
    words = _FUNCTION_WORDS["words"].items()
    lists = {language: frozenset(text.split()) for language, text in words}
    own_words = lists.pop(code, frozenset())
    foreign_words = frozenset().union(*lists.values())
    return own_words - foreign_words, foreign_words - own_words - _TOO_SHORT


# --- clauses -----------------------------------------------------------------------------------


class Subject(Enum):
    """Whom a clause is about."""

    SPEAKER = "speaker"
    SOMEBODY = "somebody"
    OPEN = "open"


@dataclass(slots=True)
class Clause:
    """One clause: `tags[i]` and `keys[i]` are of its i-th word, `union` is all tags together."""

    tags: list[int]
    at: list[int]  # positions of its words among the tokens of the text
    keys: list[str]
    union: int
    opener: int  # tags of what it was cut at: punctuation, CUT or AND; 0 at the start
    subject: Subject = Subject.OPEN
    after: Clause | None = None  # the next clause of the sentence

    def tag(self, i: int) -> int:
        """Return the tags of the i-th word, 0 outside the clause."""
        return self.tags[i] if 0 <= i < len(self.tags) else 0

    def key(self, i: int) -> str:
        """Return the i-th word in uniform spelling, empty outside the clause."""
        return self.keys[i] if 0 <= i < len(self.keys) else ""

    def past(self, i: int, step: int, tags: int, stop: int = 0) -> int:
        """Return the first place from `i` on whose word has none of `tags` or one of `stop`.

        `step` is 1 or -1; a bounded look keeps the time linear.
        """
        for _ in range(_REACH):
            if not self.tag(i) & tags or self.tag(i) & stop:
                break
            i += step
        return i

    def near_before(self, i: int, tags: int, reach: int = 8) -> bool:
        """Return whether one of the `reach` words before the i-th has one of `tags`."""
        return any(t & tags for t in self.tags[max(0, i - reach) : i])


Fits: TypeAlias = Callable[[Clause, int], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition under which a word with one of the `shown` tags shows the speaker's gender.

    `needs`: tags of which the clause has at least one. `noun`: left out where nouns do not count.
    `weak`: asked only where no other rule finds anything in the text.
    """

    name: str
    shown: int
    fits: Fits
    needs: int = 0
    noun: bool = False
    weak: bool = False


# --- languages ---------------------------------------------------------------------------------

#: What the ending of an unlisted word says.
Ending: TypeAlias = Callable[[str], int]


@dataclass(frozen=True)
class Grammar:
    """The words, endings and rules of a language.

    `one_word(masculine, feminine)` says whether two forms are genders of one word; `own` are words
    that speak for the language, as words with a `telling` letter do, and `foreign` those that speak
    against it; `keyed` spells a lower-case
    word as the tables do.
    """

    words: Mapping[str, int]
    ending: Ending
    rules: tuple[Rule, ...]
    one_word: Callable[[str, str], bool]
    own: frozenset[str]
    foreign: frozenset[str]
    letters: str
    telling: str = ""
    script: Script = Script.LATIN
    keyed: Callable[[str], str] = str
    token: re.Pattern[str] = dataclasses.field(default_factory=lambda: token(WORD))


_NOTHING = Signal(GenderClass.NONE, rule="no_cue")


@dataclass
class ClauseReader(PlainTextReader):
    """A language read by its clauses: the gender of the first person, from agreement and nouns."""

    code: str
    name: str
    grammar: Grammar
    nouns: bool = True
    version: int = 1
    cues: frozenset[Cue] = frozenset({Cue.AGREEMENT, Cue.QUOTED})

    def __post_init__(self) -> None:
        self._script = self.grammar.script
        self._forms = KeptForms(self.look_up)
        self._letters = frozenset(self.grammar.letters)
        self._telling = frozenset(self.grammar.telling)
        rules = tuple(rule for rule in self.grammar.rules if self.nouns or not rule.noun)
        self._strong = tuple(rule for rule in rules if not rule.weak)
        self._weak = tuple(rule for rule in rules if rule.weak)

    def counting(self, *, nouns: bool) -> ClauseReader:
        return dataclasses.replace(self, nouns=nouns)

    # --- words ---------------------------------------------------------------------------------

    def look_up(self, surface: str) -> tuple[int, str]:
        """Return the tags and the key of one token, looked at on its own."""
        if surface in MARKS:
            return MARKS[surface], surface
        low = clean(surface)
        if not low.isalpha() and (double := _DOUBLE.match(low)):
            return self._double(double)
        key = self.grammar.keyed(low)
        tags = self._tags(key)
        if self._letters.issuperset(low):
            is_own = key in self.grammar.own or not self._telling.isdisjoint(low)
            tags |= NATIVE | (OWN if is_own else 0)
        tags |= FOREIGN if low in self.grammar.foreign else 0
        return tags, key

    def _tags(self, key: str) -> int:
        tags = self.grammar.words.get(key)
        return self.grammar.ending(key) if tags is None else tags

    def _double(self, double: re.Match[str]) -> tuple[int, str]:
        """Return the tags of "noguris/usi", "laimīgs(a)", "pavargęs*usi": one word of two forms."""
        stem, tail = double["stem"], double["tail"]
        tags, key = self.look_up(stem)
        shortest = max(0, len(stem) - _LONGEST_TAIL)
        for size in (*range(len(stem), shortest, -1), 0):
            joined_tags = self._both(stem, stem[:size] + tail)
            if joined_tags:
                sign = DOUBLED if sign_gender(double["sign"]) is Gender.BOTH else INCLUSIVE
                return joined_tags & ~DOUBLED | sign, key
        return tags, key

    def _both(self, one: str, other: str) -> int:
        """Return the tags of a word whose masculine and feminine these are; 0 if they are not."""
        (a, key_a), (b, key_b) = self._forms[one], self._forms[other]
        masculine, feminine = a & MASCULINE, (b & FEMININE) >> 1
        if not masculine & feminine:
            masculine, feminine = b & MASCULINE, (a & FEMININE) >> 1
            key_a, key_b = key_b, key_a
        if not masculine & feminine or not self.grammar.one_word(key_a, key_b):
            return 0
        return (a & b & ~MARKED) | (masculine & feminine) | NATIVE | DOUBLED

    # --- texts ---------------------------------------------------------------------------------

    def _signal(self, text: str, cue: Cue) -> Signal:
        surfaces = self.grammar.token.findall(text)
        forms = self._forms
        tags = [forms[surface][0] for surface in surfaces]
        union = 0
        for word in tags:
            union |= word
        if not union & NATIVE or (union & FOREIGN and _evidence(tags) < 0):
            blank = not _INVISIBLE.sub("", text).strip()
            rule = "empty" if blank else f"not_{self.name.lower()}"
            return Signal(GenderClass.UNIDENTIFIED, rule=rule)
        if not union & _TELLING or (cue is Cue.QUOTED and not union & (QUOTE | COLON | BREAK)):
            return _NOTHING
        return self._read(text, surfaces, tags, cue, union)

    def _read(
        self, text: str, surfaces: list[str], tags: list[int], cue: Cue, union: int
    ) -> Signal:
        outside: list[int] = list(range(len(tags)))
        inside: list[list[int]] = []
        if union & QUOTE or (union & SAY and union & (COLON | BREAK)):
            outside, inside = outside_and_inside(
                surfaces, lambda at: reports_another(tags, at, CUT | AND, SAY, FIRST)
            )
        parts: list[list[int]] = inside if cue is Cue.QUOTED else [outside]
        ends: dict[int, int] = {}
        if union & (SLASH | OR | BRACKET):
            joined = join_pairs(surfaces, lambda i: bool(tags[i] & OR), self._both)
            for start, (end, forms) in joined.items():
                tags[start], ends[start] = forms, end
            parts = without_ends(parts, ends)
        keys = [self._forms[surface][1] for surface in surfaces]
        clauses = [clause for part in parts for clause in _cut(part, keys, tags)]
        witnesses = _apply(self._strong, clauses) or _apply(self._weak, clauses)
        if not witnesses:
            return _NOTHING
        twice = said_twice(
            [(at, gender) for at, gender, _ in witnesses],
            lambda i: bool(tags[i] & (SLASH | OR)),
            lambda i, j: bool(
                self.grammar.one_word(keys[i], keys[j]) or self.grammar.one_word(keys[j], keys[i])
            ),
        )
        findings = [(at, ends.get(at, at), gender, rule) for at, gender, rule in witnesses]
        return make_signal(text, surfaces, findings, twice=twice)


def _evidence(tags: Iterable[int]) -> int:
    """Return by how many the words for this language outnumber those for another one."""
    return sum((1 if word & OWN else -1) for word in tags if word & (OWN | FOREIGN))


def _cut(part: Sequence[int], keys: Sequence[str], tags: Sequence[int]) -> list[Clause]:
    """Return the clauses of a stretch of text that are the speaker's own words."""
    sentence: list[Clause] = []
    clauses: list[Clause] = []
    start, opener, size = 0, 0, len(part)
    for i in range(size + 1):
        word = tags[part[i]] if i < size else STOP
        if not word & CUTS:
            continue
        if i > start:
            _add(sentence, list(part[start:i]), keys, tags, opener)
        if word & PUNCTUATION:
            start, opener = i + 1, word
        elif i > start or not opener:  # in ", but" the comma has cut already
            start, opener = i, word
        if word & STOP and sentence:
            clauses += _with_subjects(_own_words(sentence))
            sentence = []
    return clauses


def _add(
    sentence: list[Clause], at: list[int], keys: Sequence[str], tags: Sequence[int], opener: int
) -> None:
    """Add a clause to its sentence, or to the clause that it turns out to belong to."""
    clause_tags = [tags[i] for i in at]
    union = 0
    for word in clause_tags:
        union |= word
    words = [keys[i] for i in at]
    if sentence and opener & AND:
        last = sentence[-1]
        if not union & (FINITE | I) or not last.union & (FINITE | I):
            last.tags += clause_tags
            last.at += at
            last.keys += words
            last.union |= union
            return
    sentence.append(Clause(clause_tags, at, words, union, opener))


def _own_words(sentence: list[Clause]) -> list[Clause]:
    """Return the clauses of a sentence without those that "..., she said" gives to another."""
    last = sentence[-1]
    if len(sentence) > 1 and last.tags[0] & SAY and last.opener & (COMMA | BREAK | QUOTE):
        return sentence if last.union & FIRST else []
    return sentence


def _with_subjects(sentence: list[Clause]) -> list[Clause]:
    """Return the clauses of a sentence, each with its subject."""
    for clause in sentence:
        if clause.union & FIRST:
            is_mine = clause.union & I or not clause.union & OTHER
            clause.subject = Subject.SPEAKER if is_mine else Subject.SOMEBODY
        elif clause.union & (OTHER | SAY):
            clause.subject = Subject.SOMEBODY
    for before, clause in pairwise(sentence):
        before.after = clause
        if clause.subject is Subject.OPEN and not clause.tags[0] & CUT:
            clause.subject = before.subject
    for clause in reversed(sentence[:-1]):
        if clause.subject is Subject.OPEN and clause.after:
            clause.subject = clause.after.subject
    return sentence


def _apply(rules: Sequence[Rule], clauses: Iterable[Clause]) -> list[tuple[int, Gender, str]]:
    """Return every witness that `rules` find, in the order of the text."""
    witnesses: dict[int, tuple[int, Gender, str]] = {}
    for clause in clauses:
        union = clause.union
        for rule in rules:
            if not union & rule.shown or (rule.needs and not union & rule.needs):
                continue
            for i, word in enumerate(clause.tags):
                token = clause.at[i]
                if word & rule.shown and token not in witnesses and rule.fits(clause, i):
                    witnesses[token] = token, _gender(word, rule.shown), rule.name
    return [witnesses[token] for token in sorted(witnesses)]


def _gender(word: int, shown: int) -> Gender:
    if word & DOUBLED:
        return Gender.BOTH
    if word & INCLUSIVE:
        return Gender.INCLUSIVE
    return Gender.MASCULINE if word & shown & MASCULINE else Gender.FEMININE
