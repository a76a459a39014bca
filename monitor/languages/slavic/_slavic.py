"""The Slavic reader: which gender a text gives to its first person, by tables.

How to add a language
---------------------
One file `xx.py`, with its word lists in `monitor/data/person_words_xx.toml`, ends with
`LANGUAGE = Slavic(...)`:

* `words`: {lower-case form: tags}: the closed classes. `read_words` makes it of lists under the
  names of their tags, and joins the tags of a form that stands in several lists. A form listed
  here never asks `ending`.
* `ending(key) -> tags`: what the ending of an unlisted word says (past tense, adjective, first
  person of the present). Called once per form, the answer is kept.
* `rules`: tuple of :class:`Rule`. In each clause whose tags meet `needs` (any of the bits) and
  none of `bars`, every word with the `masculine` or `feminine` tag that `fits` becomes a witness.
  All strong rules are tried; `weak` ones only where no strong rule found anything in the text.
* `letters`: the lower-case letters of the language; a word with another letter speaks against it.
* `spell` (optional): applied to each lower-case word before look-up (Serbian to Latin script).
* `people` (optional): person nouns ("jsem lékařka"), read with `nouns=True` only; see
  :mod:`monitor.languages.slavic._slavic_people`.
* `context` (optional): changes the tags of words by their neighbours, before clauses are cut
  (Croatian "te" is "and" as well as "you").
* `follow` (optional): tags that a clause takes over from those of its sentence before it, for
  languages whose verbs do not say the person ("я пришла и увидела"); no pronoun is passed on then.

Tags are bits of an `int`. Those of :mod:`._slavic_words` have a meaning for the reader
(:data:`CUT`, :data:`AND`, :data:`OR`, :data:`SAY`, :data:`NOMINATIVE`, the two genders, what is
:data:`FINITE`) or are only names that the languages share; a language may define its own from
:data:`FREE` upwards.

What the reader does with a text: tokens (offsets kept) -> tags -> the wrong language is set aside
-> quotations cut out, or read alone for the cue QUOTED (:mod:`monitor.languages._speech`) -> both
genders of a word made one (:mod:`monitor.languages._pairs`) -> clauses -> rules -> class.

Clauses end at punctuation and before every word tagged CUT (subordinators, relative pronouns).
A coordinator (AND) ends a clause only where both sides have a FINITE word. What is said before
"..., she said" or after "She said:" is somebody else's unless the clause of saying (SAY) has a
first person (FIRST). A pronoun of the first person cut off from its verb by an inserted clause
("Я, как и все, устал") is passed on to the clause after: see `_cut`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

from monitor.languages._pairs import (
    join_pairs,
    make_signal,
    one_stem,
    said_twice,
    sign_gender,
    without_ends,
)
from monitor.languages._plain_text import KeptForms, PlainTextReader, script_of
from monitor.languages._speech import outside_and_inside, reports_another
from monitor.languages.slavic import _slavic_words as s
from monitor.languages.slavic._slavic_people import RULES, People, with_people
from monitor.languages.slavic._slavic_words import (
    Clause,
    Context,
    Follow,
    Found,
    Rule,
    apply,
    clean,
)
from monitor.model import Cue, Gender, GenderClass, Signal


@dataclass
class Slavic(PlainTextReader):
    """A Slavic language: the gender of the first person in its texts, from agreement."""

    code: str
    name: str
    words: Mapping[str, int]
    ending: Callable[[str], int]
    rules: tuple[Rule, ...]
    letters: str
    spell: Callable[[str], str] | None = None
    context: Context | None = None
    follow: Follow | None = None
    people: People | None = None
    nouns: bool = False  # count nouns for persons ("som vodca"): those of `people`
    without_diacritics: bool = False  # the tables are those of :mod:`._slavic_words`
    version: int = 1
    cues: frozenset[Cue] = frozenset({Cue.AGREEMENT, Cue.QUOTED})

    def counting(self, *, nouns: bool) -> Slavic:
        return dataclasses.replace(self, nouns=nouns)

    def __post_init__(self) -> None:
        self._forms = KeptForms(self.look_up)
        self._alphabet = frozenset(self.letters + "'’-")
        self._script = script_of(self.letters)
        self._chat = s.CHAT.get(self.code, {})
        self._spoken = s.SPOKEN.get(self.code)
        self._telling = s.TELLING.get(self.code, frozenset())
        self._own, foreign = s.own_and_foreign(self.code, bare=self.without_diacritics)
        people = self.people if self.nouns else None
        self._couples = people.couples if people else frozenset()
        rules = self.rules + (RULES if people else ())
        self._strong = tuple(rule for rule in rules if not rule.weak)
        self._weak = tuple(rule for rule in rules if rule.weak)
        masculine = reduce(or_, (rule.masculine for rule in rules))
        feminine = reduce(or_, (rule.feminine for rule in rules))
        self._genders, self._marked = (masculine, feminine), masculine | feminine
        self._ending, listed = self.ending, frozenset(self.words)
        self._table = with_people(self.words, self.ending, people) if people else self.words
        self._bare: Slavic | None = None
        if self.without_diacritics:
            self._table, self._ending = s.bare_tables(self.code, self._table, self.ending)
            listed = frozenset(self._table)
        elif self.code in s.BARE:
            self._bare = dataclasses.replace(self, without_diacritics=True)
        self._foreign_words = foreign - listed

    # --- words ---------------------------------------------------------------------------------

    def key(self, surface: str) -> str:
        """A token in the spelling of the tables."""
        return self._spelling(clean(surface))

    def _spelling(self, low: str) -> str:
        low = self._chat.get(low, low)
        return self.spell(low) if self.spell else low

    def _tags(self, key: str) -> int:
        """Tags of a word by the table or by its ending."""
        if key in self._table:
            return self._table[key]
        tags = self._ending(key)
        if not tags and self._spoken and key.endswith(self._spoken[0]):
            return self._ending(key.removesuffix(self._spoken[0]) + self._spoken[1])
        return tags

    def look_up(self, surface: str) -> int:
        """Tags of one token, looked at on its own."""
        if surface in s.MARKS:
            return s.MARKS[surface]
        low = clean(surface)
        if not low.isalpha() and (double := s.DOUBLE.match(low)):
            forms = (double["stem"] + tail + double["rest"] for tail in ("", double["tail"]))
            return self._doubled(forms, double["sign"])
        key = self._spelling(low)
        own, foreign = self._own, self._foreign_words
        tags = self._tags(key)
        if self._alphabet.issuperset(low):
            tags |= s.NATIVE
            telling = key in own or low in own or not self._telling.isdisjoint(low)
            telling &= key not in foreign
            telling |= self.without_diacritics and bool(tags & (s.FUSED_M | s.FUSED_F))
            tags |= s.OWN if telling else 0
            tags |= s.FOREIGN if key in foreign else 0
        elif key in foreign or not self._alphabet.isdisjoint(low):
            tags |= s.FOREIGN  # a name in another script says nothing: "купил LEGO"
        return tags

    def _doubled(self, forms: Iterable[str], sign: str) -> int:
        """Tags of "rád/a", "był(a)m", "rád*a": those of the form without its tail, or with it."""
        for form in forms:
            tags = self._tags(self._spelling(form))
            if tags & self._marked:
                return (
                    tags
                    | s.NATIVE
                    | (s.DOUBLED if sign_gender(sign) is Gender.BOTH else s.INCLUSIVE)
                )
        return s.NATIVE

    def _join_pairs(self, surfaces: list[str], tags: list[int]) -> dict[int, int]:
        """Gives the words that are written in both genders their tags; {first: last token}."""
        pairs = join_pairs(surfaces, lambda i: bool(tags[i] & s.OR), self._both)
        for start, (_, joined) in pairs.items():
            tags[start] = joined
        return {start: end for start, (end, _) in pairs.items()}

    def _both(self, one: str, other: str) -> int:
        """Tags of a word whose masculine and feminine these are; 0 if they are not."""
        masculine, feminine = self._genders
        a, b = self._forms[one], self._forms[other]
        if a & feminine and b & masculine:
            a, b = b, a
        if not (a & masculine and b & feminine and self._one_word(one, other)):
            return 0
        # The feminine tag of a pair is the next bit after the masculine one.
        gender = a & masculine & (b & feminine) >> 1 or a & masculine
        return (a & b & ~(masculine | feminine)) | gender | s.NATIVE | s.DOUBLED

    def _one_word(self, one: str, other: str) -> bool:
        """Return whether two forms are one word in its two genders."""
        pair = self.key(one), self.key(other)
        return one_stem(*pair) or pair in self._couples or pair[::-1] in self._couples

    def known(self, surface: str) -> int:
        """Return what :meth:`look_up` says, kept from the first look."""
        return self._forms[surface]

    # --- texts ---------------------------------------------------------------------------------

    def _signal(self, text: str, cue: Cue) -> Signal:
        signal = self._as_spelt(text, cue)
        if signal.witnesses or not self._bare or not s.is_bare(text):
            return signal
        sure = signal.cls is not GenderClass.UNIDENTIFIED
        bare = self._bare._as_spelt(text, cue, least=0 if sure else 1)  # noqa: SLF001 - same class
        return bare if bare.witnesses else signal

    def _as_spelt(self, text: str, cue: Cue, least: int = 0) -> Signal:
        """Return what the text shows by the tables of this reader.

        `least`: by how many the words that speak for the language outnumber those against it.
        """
        surfaces = s.TOKEN.findall(text)
        forms = self._forms
        tags = [forms[surface] for surface in surfaces]
        union = 0
        for word in tags:
            union |= word
        if not union & (s.NATIVE | s.FOREIGN):
            blank = not clean(text).strip()
            return Signal(GenderClass.UNIDENTIFIED, rule="empty" if blank else self._not_this)
        if not union & s.NATIVE or ((least or union & s.FOREIGN) and self._evidence(tags) < least):
            return Signal(GenderClass.UNIDENTIFIED, rule=self._not_this)
        if not union & (self._marked | s.BRACKET) or (
            cue is Cue.QUOTED and not union & (s.QUOTE | s.COLON | s.BREAK)
        ):
            return _NOTHING
        return self._read(text, surfaces, tags, cue, union)

    @property
    def _not_this(self) -> str:
        return f"not_{self.name.lower()}"

    @staticmethod
    def _evidence(tags: list[int]) -> int:
        """By how many the words that speak for this language outnumber those for another one."""
        return sum(1 if word & s.OWN else -1 for word in tags if word & (s.OWN | s.FOREIGN))

    def _read(
        self, text: str, surfaces: list[str], tags: list[int], cue: Cue, union: int
    ) -> Signal:
        if self.context:
            self.context(surfaces, tags, self.key)
        outside: list[int] = list(range(len(tags)))
        inside: list[list[int]] = []
        if union & s.QUOTE or (union & s.SAY and union & (s.COLON | s.BREAK)):
            outside, inside = outside_and_inside(
                surfaces,
                lambda at: reports_another(tags, at, s.CUT | s.AND, s.SAY, s.FIRST | s.WOULD),
            )
        parts: list[list[int]] = inside if cue is Cue.QUOTED else [outside]
        ends: dict[int, int] = {}
        if union & (s.SLASH | s.OR | s.BRACKET):
            ends = self._join_pairs(surfaces, tags)
            parts = without_ends(parts, ends)
        clauses = [clause for part in parts for clause in self._cut(part, surfaces, tags)]
        findings = apply(self._strong, clauses) or apply(self._weak, clauses)
        if not findings:
            return _NOTHING
        return make_signal(
            text,
            surfaces,
            [(i, ends.get(i, i), gender, rule) for i, gender, rule in findings],
            twice=bool(union & (s.SLASH | s.OR)) and self._said_twice(findings, surfaces, tags),
        )

    def _said_twice(self, findings: list[Found], surfaces: list[str], tags: list[int]) -> bool:
        return said_twice(
            [(k, gender) for k, gender, _ in findings],
            lambda i: bool(tags[i] & (s.SLASH | s.OR)),
            lambda i, j: self._one_word(surfaces[i], surfaces[j]),
        )

    # --- clauses -------------------------------------------------------------------------------

    def _cut(self, part: list[int], surfaces: list[str], tags: list[int]) -> list[Clause]:
        """The clauses of a stretch of text that are the speaker's own words."""
        sentence: list[Clause] = []
        kept_clauses: list[Clause] = []
        start, opener, size = 0, 0, len(part)
        for i in range(size + 1):
            word = tags[part[i]] if i < size else s.STOP
            if not word & s.CUTS:
                continue
            if i > start:
                positions = part[start:i]
                self._add(sentence, Clause([], positions, 0, opener, surfaces, self), tags)
            if word & s.PUNCTUATION:
                start, opener = i + 1, word
            elif i > start or not opener:  # in ", but" the comma has cut already
                start, opener = i, word
            if word & s.STOP:
                kept_clauses += _own_words(sentence)
                sentence = []
        return kept_clauses

    @staticmethod
    def _add(sentence: list[Clause], clause: Clause, tags: list[int]) -> None:
        """Add a clause to its sentence, or to the clause that it turns out to belong to."""
        clause.tags = [tags[i] for i in clause.at]
        for word in clause.tags:
            clause.union |= word
        if sentence:
            last = sentence[-1]
            if clause.opener & s.AND and (
                not clause.union & s.FINITE
                or not last.union & s.FINITE
                or _open_frame(last, clause)
            ):
                last.tags += clause.tags
                last.at += clause.at
                last.union |= clause.union
                return
            # "Я, как и все, устал": the pronoun waits for its verb past an insertion.
            if clause.language.follow:
                clause.union |= clause.language.follow(sentence, clause)
            elif (
                last.union & s.NOMINATIVE
                and not last.union & s.VERBAL
                and not clause.union & s.OTHER
            ):
                clause.union |= s.NOMINATIVE
        sentence.append(clause)


_NOTHING = Signal(GenderClass.NONE, rule="no_cue")


def _open_frame(last: Clause, clause: Clause) -> bool:
    """Return whether an auxiliary still waits for its participle: "jsem ve škole a doma nekřičel".

    An auxiliary that opens its clause is a copula, and a copula has what it needs.
    """
    return bool(
        last.union & s.AUX
        and not last.union & (s.PAST | s.ADJ | s.FUSED_M | s.FUSED_F)
        and not last.tags[0] & s.AUX
        and clause.union & s.PAST
        and not clause.union & (s.AUX | s.OTHER)
    )


def _own_words(sentence: list[Clause]) -> list[Clause]:
    """The clauses of a sentence without those that "..., she said" gives to somebody else."""
    last = sentence[-1] if len(sentence) > 1 else None
    if last and last.tags[0] & s.SAY and last.opener & (s.COMMA | s.BREAK | s.QUOTE):
        return sentence if last.union & (s.FIRST | s.WOULD) else []
    return sentence
