"""The clause reader: which gender a text gives to its first person, by tags of words and rules.

Serves the languages outside the Romance family that agree with the speaker. A language has a table
of tagged words, a function that tags the ending of an unlisted word, and rules that say where a
tagged word is said of the speaker; :mod:`monitor.languages.slavic._slavic` has what the Slavic
languages need besides.

What the reader does with a text: tokens (offsets kept) -> tags -> other languages are set aside ->
quotations cut out, or read alone for the cue QUOTED (:mod:`monitor.languages._speech`) -> both
genders of a word made one (:mod:`monitor.languages._pairs`) -> clauses -> rules -> class.

Clauses end at punctuation and before every word tagged CUT (subordinators, relative pronouns). A
coordinator (AND) ends a clause only where both sides have a FINITE word. What is said before
"..., she said" or after "She said:" is somebody else's unless the clause of saying (SAY) has a
first person (FIRST).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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
from monitor.languages._plain_text import NO_CUE, KeptForms, PlainTextReader, Script, clean
from monitor.languages._speech import MARK, QUOTES, SIGNS, outside_and_inside, reports_another
from monitor.model import Cue, Gender, Signal

# --- tags --------------------------------------------------------------------------------------

# Clauses.
COMMA, STOP, COLON, BREAK, SLASH, QUOTE, BRACKET = (1 << n for n in range(7))
# What the reader itself adds; DOUBLED: both genders written as one word: rád/a, INCLUSIVE: rád*a.
DOUBLED, INCLUSIVE, OWN, FOREIGN, NATIVE = (1 << n for n in range(7, 12))
CUT = 1 << 12  # opens a clause: subordinators, relative pronouns
AND = 1 << 13  # coordinators
OR = 1 << 14  # "or": what it joins may be the two genders of one word
SAY = 1 << 15  # a verb of saying that is not the first person's
# The person that a clause is about.
NOMINATIVE = 1 << 16  # the pronoun "I"
AUX = 1 << 17  # auxiliaries that only the first person has: jsem, bych, sam, bih, sem
BE = 1 << 18  # "am", "was", "shall be" in the first person, as far as an adjective may follow
FEEL = 1 << 19  # other copular verbs in the first person: feel, become, remain, seem
VERB = 1 << 20  # another verb in the first person singular
OTHER = 1 << 21  # a subject or a verb of another person
ME = 1 << 22  # oblique forms of "I"; where TO_ME and MYSELF are apart, the accusative
IS = 1 << 23  # a copula in the third person singular: it has a subject of its own, and bars no rule
WOULD = 1 << 24  # the particle of the conditional: what is said under it was not said
INF = 1 << 25  # infinitives; `BE_INF` is "to be"
BE_INF = 1 << 26
BE_PAST = 1 << 27  # "was": the past tense of the copula, beside its PAST tag
# Neighbours.
PREP = 1 << 28
DET = 1 << 29  # what goes with a noun: articles, possessives, demonstratives
ADV = 1 << 30  # adverbs and particles
CLITIC = 1 << 31
# Words that show a gender; the feminine is the next bit after the masculine, and what is said of
# the subject beside any verb (PART) two after what needs a copula (ADJ).
ADJ_M, ADJ_F = 1 << 32, 1 << 33  # adjectives in the nominative
PART_M, PART_F = 1 << 34, 1 << 35  # participles that are said of the subject wherever they stand
PAST_M, PAST_F = 1 << 36, 1 << 37  # l-participles, past tense
INS_M, INS_F = 1 << 38, 1 << 39  # adjectives in the instrumental
FUSED_M, FUSED_F = 1 << 40, 1 << 41  # forms that hold the first person and the gender: byłem
SHORT_M, SHORT_F = 1 << 42, 1 << 43  # short adjectives and passive participles
GLAD_M, GLAD_F = 1 << 44, 1 << 45  # rád, rád/ráda
SELF_M, SELF_F = 1 << 46, 1 << 47  # sám, sama
NOUN_M, NOUN_F = 1 << 48, 1 << 49  # person nouns in the nominative; in Slavic, as neighbours
ALONE_M, ALONE_F = 1 << 50, 1 << 51  # один, одна
THAT_M, THAT_F = 1 << 52, 1 << 53  # "the one who"
DAT_M, DAT_F = 1 << 54, 1 << 55  # dative
ROLE_M, ROLE_F = 1 << 56, 1 << 57  # person nouns in the case of "become a ...", "work as a ..."
ARTICLE_M, ARTICLE_F = 1 << 58, 1 << 59  # in the nominative
LOOSE_M, LOOSE_F = 1 << 60, 1 << 61  # adjectives by their ending alone, right after a copula
# Of the languages that are not Slavic.
ANYBODY = 1 << 62  # a finite copula of any person: Latvian "būtu"
TO_ME, MYSELF = 1 << 63, 1 << 64  # dative, reflexive
AS = 1 << 65
MY = 1 << 66
FIXED = 1 << 67  # nouns whose gender is their own: "person", "man"
COMMON = 1 << 68  # nouns for either gender with one form: what agrees with them tells
FREE = 1 << 69  # a language's own tags start here: FREE, FREE << 1, ...

FIRST = NOMINATIVE | AUX | BE | FEEL | VERB | FUSED_M | FUSED_F
COPULA = BE | FEEL
PAST = PAST_M | PAST_F
VERBAL = AUX | BE | FEEL | VERB | PAST | FUSED_M | FUSED_F | SAY
FINITE = VERBAL | OTHER | IS | ANYBODY
PUNCTUATION = COMMA | STOP | COLON | BREAK | QUOTE
CUTS = PUNCTUATION | CUT | AND
ADJ, PART, INS, DAT = ADJ_M | ADJ_F, PART_M | PART_F, INS_M | INS_F, DAT_M | DAT_F
NOUN, ROLE = NOUN_M | NOUN_F, ROLE_M | ROLE_F
SELF, ALONE, THAT = SELF_M | SELF_F, ALONE_M | ALONE_F, THAT_M | THAT_F
ARTICLE, LOOSE = ARTICLE_M | ARTICLE_F, LOOSE_M | LOOSE_F
MASCULINE = sum(1 << n for n in range(32, 62, 2))
FEMININE = MASCULINE << 1
MARKED = MASCULINE | FEMININE
_TELLING = MARKED & ~ARTICLE | COMMON  # an article tells beside another word only
MARKS = {",": COMMA, ":": COLON, "/": SLASH} | dict.fromkeys(".!?…\n", STOP) | dict.fromkeys(
    ";)]–—-", BREAK
) | dict.fromkeys("([", BREAK | BRACKET) | dict.fromkeys(QUOTES, QUOTE)  # fmt: skip

# --- words -------------------------------------------------------------------------------------

_LETTER = rf"[^\W\d_][{MARK}]*"
_TAIL = rf"[(\[]-?(?:{_LETTER}){{1,5}}[)\]]|[/{ONE_FORM}]-?(?:{_LETTER}){{1,6}}"
_DOUBLE = re.compile(
    rf"^(?P<stem>[^/(\[{ONE_FORM}]+)(?P<sign>[/(\[{ONE_FORM}])-?"
    rf"(?P<tail>[^\W\d_{MARK}]+)[)\]]?$"
)
_LONGEST_TAIL = 6
_LONGEST_ENDING = 8
_REACH = 12  # words that a look for a neighbour goes past


def token(word: str) -> re.Pattern[str]:
    """Return the pattern of tokens whose words match `word`, with the tail of a double form."""
    return re.compile(rf"(?:{word})(?:(?:{_TAIL})(?![\w{MARK}]))?|{SIGNS}")


WORD = rf"[^\W\d_]+(?:[{MARK}]+[^\W\d_]*)*"


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


def read_pairs(text: str) -> list[tuple[str, str]]:
    """Return [(masculine, feminine)] of "tojas/toja ikas/ikė"."""
    return [(m, f) for m, _, f in (pair.partition("/") for pair in text.split())]


def longest_ending(key: str, endings: Mapping[str, int]) -> int:
    """Return the tags of the longest ending of `key` in a table of them, 0 without any."""
    for size in range(min(_LONGEST_ENDING, len(key)), 0, -1):
        tags = endings.get(key[-size:])
        if tags is not None:
            return tags
    return 0


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
    """One clause. `tags[i]` and `key(i)` are of its i-th word; `union` is all tags together."""

    tags: list[int]
    at: list[int]  # positions of its words among the tokens of the text
    union: int
    opener: int  # tags of what it was cut at: punctuation, CUT or AND; 0 at the start
    surfaces: list[str]
    language: SentenceReader
    subject: Subject = Subject.OPEN
    after: Clause | None = None  # the next clause of the sentence

    def tag(self, i: int) -> int:
        """Return the tags of the i-th word, 0 outside the clause."""
        return self.tags[i] if 0 <= i < len(self.tags) else 0

    def key(self, i: int) -> str:
        """Return the i-th word in uniform spelling, empty outside the clause."""
        if not 0 <= i < len(self.tags):
            return ""
        return self.language.key(self.surfaces[self.at[i]])

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
#: Surfaces and tags of a text, and what spells a surface as the tables do; the tags are changed.
Context: TypeAlias = Callable[[list[str], list[int], Callable[[str], str]], None]
#: The clauses of a sentence so far and the one that comes after: tags that it takes over.
Follow: TypeAlias = Callable[[list[Clause], Clause], int]
#: Token, gender, name of the rule.
Found: TypeAlias = tuple[int, Gender, str]


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition under which a word shows the speaker's gender.

    In each clause whose tags meet `needs` (any of the bits) and none of `bars`, every word with
    the `masculine` or `feminine` tag that `fits` becomes a witness. `weak`: asked only where no
    other rule finds anything in the text. `noun`: left out where nouns do not count.
    """

    name: str
    masculine: int
    feminine: int
    needs: int
    bars: int
    fits: Fits
    weak: bool = False
    noun: bool = False


def shows(
    name: str, shown: int, fits: Fits, needs: int = 0, *, noun: bool = False, weak: bool = False
) -> Rule:
    """Return the rule of words that have one of the tags `shown`, of either gender."""
    return Rule(name, shown & MASCULINE, shown & FEMININE, needs, 0, fits, weak, noun)


def _apply(rules: Sequence[tuple[int, Rule]], clauses: Sequence[Clause]) -> list[Found]:
    """Return every witness that rules find, each with its tags, in the order of the text."""
    witnesses: dict[int, Found] = {}
    for clause in clauses:
        union = clause.union
        for shown, rule in rules:
            if not union & shown or union & rule.bars or (rule.needs and not union & rule.needs):
                continue
            for i, word in enumerate(clause.tags):
                if word & shown and clause.at[i] not in witnesses and rule.fits(clause, i):
                    witnesses[clause.at[i]] = clause.at[i], _gender(word, rule), rule.name
    return [witnesses[token] for token in sorted(witnesses)]


def _gender(word: int, rule: Rule) -> Gender:
    if word & DOUBLED or (word & rule.masculine and word & rule.feminine):
        return Gender.BOTH
    if word & INCLUSIVE:
        return Gender.INCLUSIVE
    return Gender.MASCULINE if word & rule.masculine else Gender.FEMININE


# --- languages ---------------------------------------------------------------------------------

#: What the ending of an unlisted word says.
Ending: TypeAlias = Callable[[str], int]


class SentenceReader(PlainTextReader):
    """Base of languages that are read by their clauses."""

    code: str
    name: str
    words: Mapping[str, int]
    cues = frozenset({Cue.AGREEMENT, Cue.QUOTED})
    context: Context | None = None
    follow: Follow | None = None
    _token: re.Pattern[str]
    _marked: int  # without one of these tags a text shows nothing
    _finite = FINITE

    def _keep_rules(self, rules: Iterable[Rule]) -> None:
        rules_by_form = [(rule.masculine | rule.feminine, rule) for rule in rules]
        self._strong = [pair for pair in rules_by_form if not pair[1].weak]
        self._weak = [pair for pair in rules_by_form if pair[1].weak]
        self._forms = KeptForms(self.look_up)
        self._keys = KeptForms(self.spell_token)

    def look_up(self, surface: str) -> int:
        """Return the tags of one token, looked at on its own."""
        raise NotImplementedError

    def known(self, surface: str) -> int:
        """Return what :meth:`look_up` says, kept from the first look."""
        return self._forms[surface]

    def spell_token(self, surface: str) -> str:
        """Return a token in the spelling of the tables."""
        raise NotImplementedError

    def key(self, surface: str) -> str:
        """Return what :meth:`spell_token` says, kept from the first look."""
        return self._keys[surface]

    def _both(self, one: str, other: str) -> int:
        """Return the tags of a word whose masculine and feminine these are; 0 if they are not."""
        raise NotImplementedError

    def _one_word(self, one: str, other: str) -> bool:
        """Return whether two forms are one word in its two genders."""
        raise NotImplementedError

    def _with_subjects(self, sentence: list[Clause]) -> list[Clause]:
        """Return the clauses of a sentence, each with its subject if the language asks for it."""
        return sentence

    def _signal(self, text: str, cue: Cue, least: int = 0) -> Signal:
        """Return what the text shows.

        `least`: by how many the words that speak for the language outnumber those against it.
        """
        surfaces = self._token.findall(text)
        forms = self._forms
        tags = [forms[surface] for surface in surfaces]
        union = reduce(or_, tags, 0)
        if not union & NATIVE or ((least or union & FOREIGN) and _evidence(tags) < least):
            return self._unidentified(text)
        if not union & self._marked or (cue is Cue.QUOTED and not union & (QUOTE | COLON | BREAK)):
            return NO_CUE
        if self.context:
            self.context(surfaces, tags, self.key)
        outside: list[int] = list(range(len(tags)))
        inside: list[list[int]] = []
        if union & QUOTE or (union & SAY and union & (COLON | BREAK)):
            outside, inside = outside_and_inside(
                surfaces, lambda at: reports_another(tags, at, CUT | AND, SAY, FIRST | WOULD)
            )
        parts: list[list[int]] = inside if cue is Cue.QUOTED else [outside]
        ends: dict[int, int] = {}
        if union & (SLASH | OR | BRACKET):
            joined = join_pairs(surfaces, lambda i: bool(tags[i] & OR), self._both)
            for start, (end, forms_joined) in joined.items():
                tags[start], ends[start] = forms_joined, end
            parts = without_ends(parts, ends)
        clauses = [clause for part in parts for clause in self._cut(part, surfaces, tags)]
        witnesses = _apply(self._strong, clauses) or _apply(self._weak, clauses)
        if not witnesses:
            return NO_CUE
        twice = union & (SLASH | OR) and said_twice(
            [(at, gender) for at, gender, _ in witnesses],
            lambda i: bool(tags[i] & (SLASH | OR)),
            lambda i, j: self._one_word(surfaces[i], surfaces[j]),
        )
        findings = [(at, ends.get(at, at), gender, rule) for at, gender, rule in witnesses]
        return make_signal(text, surfaces, findings, twice=bool(twice))

    def _cut(self, part: list[int], surfaces: list[str], tags: list[int]) -> list[Clause]:
        """Return the clauses of a stretch of text that are the speaker's own words."""
        sentence: list[Clause] = []
        clauses: list[Clause] = []
        start, opener, size = 0, 0, len(part)
        for i in range(size + 1):
            word = tags[part[i]] if i < size else STOP
            if not word & CUTS:
                continue
            if i > start:
                positions = part[start:i]
                clause_tags = [tags[position] for position in positions]
                union = reduce(or_, clause_tags)
                self._add(sentence, Clause(clause_tags, positions, union, opener, surfaces, self))
            if word & PUNCTUATION:
                start, opener = i + 1, word
            elif i > start or not opener:  # in ", but" the comma has cut already
                start, opener = i, word
            if word & STOP and sentence:
                clauses += self._with_subjects(_own_words(sentence))
                sentence = []
        return clauses

    def _add(self, sentence: list[Clause], clause: Clause) -> None:
        """Add a clause to its sentence, or to the clause that it turns out to belong to."""
        if sentence and clause.opener & AND:
            last = sentence[-1]
            shared_bits = clause.union & self._finite and last.union & self._finite
            if not shared_bits or _open_frame(last, clause):
                last.tags += clause.tags
                last.at += clause.at
                last.union |= clause.union
                return
        if sentence and self.follow:
            clause.union |= self.follow(sentence, clause)
        sentence.append(clause)


def _evidence(tags: Iterable[int]) -> int:
    """Return by how many the words for this language outnumber those for another one."""
    return sum((1 if word & OWN else -1) for word in tags if word & (OWN | FOREIGN))


def _open_frame(last: Clause, clause: Clause) -> bool:
    """Return whether an auxiliary still waits for its participle: "jsem ve škole a doma nekřičel".

    An auxiliary that opens its clause is a copula, and a copula has what it needs.
    """
    return bool(
        last.union & AUX
        and not last.union & (PAST | ADJ | FUSED_M | FUSED_F)
        and not last.tags[0] & AUX
        and clause.union & PAST
        and not clause.union & (AUX | OTHER)
    )


def _own_words(sentence: list[Clause]) -> list[Clause]:
    """Return the clauses of a sentence without those that "..., she said" gives to another."""
    last = sentence[-1]
    if len(sentence) > 1 and last.tags[0] & SAY and last.opener & (COMMA | BREAK | QUOTE):
        return sentence if last.union & (FIRST | WOULD) else []
    return sentence


@dataclass(kw_only=True)
class ClauseReader(SentenceReader):
    """A language whose clauses have a subject: the speaker, somebody else, or that of another.

    A clause is the speaker's by its pronoun or its verb; one without either has the subject of the
    clause before it, unless it is subordinate, and the first of a sentence that of the clause after
    it ("Tired, I went home"). `one_word(masculine, feminine)` says whether two forms are genders of
    one word; `own` are words that speak for the language, as words with a `telling` letter do, and
    `foreign` those that speak against it; `keyed` spells a lower-case word as the tables do.
    """

    code: str
    name: str
    version: int
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
    word: str = WORD
    nouns: bool = True
    _marked = _TELLING
    _finite = FINITE | NOMINATIVE

    def __post_init__(self) -> None:
        self._script = self.script
        self._token = token(self.word)
        self._letters, self._telling = frozenset(self.letters), frozenset(self.telling)
        self._keep_rules([rule for rule in self.rules if self.nouns or not rule.noun])

    def counting(self, *, nouns: bool) -> ClauseReader:
        return replace(self, nouns=nouns)

    def look_up(self, surface: str) -> int:
        """Return the tags of one token, looked at on its own."""
        if surface in MARKS:
            return STOP if surface == ";" else MARKS[surface]
        low = clean(surface)
        if not low.isalpha() and (double := _DOUBLE.match(low)):
            return self._double(double)
        key = self.keyed(low)
        tags = self.words[key] if key in self.words else self.ending(key)
        if self._letters.issuperset(low):
            is_own = key in self.own or not self._telling.isdisjoint(low)
            tags |= NATIVE | (OWN if is_own else 0)
        return tags | (FOREIGN if low in self.foreign else 0)

    def spell_token(self, surface: str) -> str:
        """Return a token in the spelling of the tables; of two forms in one word the first."""
        low = clean(surface)
        double = None if low.isalpha() else _DOUBLE.match(low)
        return self.keyed(double["stem"] if double else low)

    def _double(self, double: re.Match[str]) -> int:
        """Return the tags of "noguris/usi", "laimīgs(a)", "pavargęs*usi": one word of two forms."""
        stem, tail = double["stem"], double["tail"]
        shortest = max(0, len(stem) - _LONGEST_TAIL)
        for size in (*range(len(stem), shortest, -1), 0):
            joined_tags = self._both(stem, stem[:size] + tail)
            if joined_tags:
                sign = DOUBLED if sign_gender(double["sign"]) is Gender.BOTH else INCLUSIVE
                return joined_tags & ~DOUBLED | sign
        return self.look_up(stem)

    def _both(self, one: str, other: str) -> int:
        """Return the tags of a word whose masculine and feminine these are; 0 if they are not."""
        a, b = self._forms[one], self._forms[other]
        both = a & MASCULINE & (b & FEMININE) >> 1
        if not both:
            both = b & MASCULINE & (a & FEMININE) >> 1
            one, other = other, one
        if not both or not self.one_word(self.key(one), self.key(other)):
            return 0
        return (a & b & ~MARKED) | both | NATIVE | DOUBLED

    def _one_word(self, one: str, other: str) -> bool:
        pair = self.key(one), self.key(other)
        return self.one_word(*pair) or self.one_word(*pair[::-1])

    def _with_subjects(self, sentence: list[Clause]) -> list[Clause]:
        """Return the clauses of a sentence, each with its subject."""
        for clause in sentence:
            if clause.union & FIRST:
                is_mine = clause.union & NOMINATIVE or not clause.union & OTHER
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
