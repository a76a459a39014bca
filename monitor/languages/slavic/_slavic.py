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
* `rules`: tuple of :class:`monitor.languages._clauses.Rule`. All strong rules are tried; `weak`
  ones only where no strong rule found anything in the text.
* `letters`: the lower-case letters of the language; a word with another letter speaks against it.
* `spell` (optional): applied to each lower-case word before look-up (Serbian to Latin script).
* `people` (optional): person nouns ("jsem lékařka"), read with `nouns=True` only; see
  :mod:`monitor.languages.slavic._slavic_people`.
* `context` (optional): changes the tags of words by their neighbours, before clauses are cut
  (Croatian "te" is "and" as well as "you").
* `follow` (optional): tags that a clause takes over from those of its sentence before it, for
  languages whose verbs do not say the person ("я пришла и увидела"). Without it a pronoun of the
  first person is passed on past an inserted clause ("Já, jak víš, jsem unavená").

Tags are bits of an `int`. Those of :mod:`monitor.languages._clauses` have a meaning for the reader
or are only names that the languages share; a language may define its own from `FREE` upwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from monitor.languages import _clauses as s
from monitor.languages._clauses import Clause, Context, Ending, Follow, Rule, SentenceReader
from monitor.languages._pairs import one_stem, sign_gender
from monitor.languages._plain_text import script_of
from monitor.languages.slavic import _slavic_words as slavic
from monitor.languages.slavic._slavic_people import RULES, People, with_people
from monitor.model import Cue, Gender, GenderClass, Signal

_SHORTEST = 2  # letters: no ending can be told from so little


def pass_pronoun_on(sentence: list[Clause], clause: Clause) -> int:
    """Return the pronoun that waits for its verb past an insertion: "Я, как и все, устал"."""
    last = sentence[-1].union
    waits = last & s.NOMINATIVE and not last & s.VERBAL and not clause.union & s.OTHER
    return s.NOMINATIVE if waits else 0


@dataclass(kw_only=True)
class Slavic(SentenceReader):
    """A Slavic language: the gender of the first person in its texts, from agreement."""

    code: str
    name: str
    words: Mapping[str, int]
    ending: Ending
    rules: tuple[Rule, ...]
    letters: str
    spell: Callable[[str], str] = str
    context: Context | None = None
    follow: Follow | None = pass_pronoun_on
    people: People
    nouns: bool = False  # count nouns for persons ("som vodca"): those of `people`
    without_diacritics: bool = False  # the tables are those of :mod:`._slavic_words`
    version: int
    _token = slavic.TOKEN

    def counting(self, *, nouns: bool) -> Slavic:
        return replace(self, nouns=nouns)

    def __post_init__(self) -> None:
        self._alphabet = frozenset(self.letters + "'’-")
        self._script = script_of(self.letters)
        self._chat = slavic.CHAT.get(self.code, {})
        self._spoken = slavic.SPOKEN.get(self.code)
        self._telling = slavic.TELLING.get(self.code, frozenset())
        self._own, foreign = slavic.own_and_foreign(self.code, bare=self.without_diacritics)
        rules = self.rules + (RULES if self.nouns else ())
        self._keep_rules(rules)
        self._couples = self.people.couples if self.nouns else frozenset()
        masculine = reduce(or_, (rule.masculine for rule in rules))
        feminine = reduce(or_, (rule.feminine for rule in rules))
        self._genders, self._marked = (masculine, feminine), masculine | feminine | s.BRACKET
        self._ending: Ending = self._tag_ending
        self._table, listed = self.words, frozenset(self.words)
        if self.nouns:
            self._table = with_people(self.words, self._tag_ending, self.people)
        self._bare: Slavic | None = None
        if self.without_diacritics:
            self._table, self._ending = slavic.bare_tables(self.code, self._table, self._tag_ending)
            listed = frozenset(self._table)
        elif self.code in slavic.BARE:
            self._bare = replace(self, without_diacritics=True)
        self._foreign_words = foreign - listed

    # --- words ---------------------------------------------------------------------------------

    def spell_token(self, surface: str) -> str:
        """Return a token in the spelling of the tables."""
        return self._spelling(slavic.clean(surface))

    def _spelling(self, low: str) -> str:
        return self.spell(self._chat.get(low, low))

    def _tag_ending(self, key: str) -> int:
        """Return what the ending of a word says that is long enough to have one."""
        return self.ending(key) if len(key) > _SHORTEST else 0

    def _tags(self, key: str) -> int:
        """Tags of a word by the table or by its ending."""
        if key in self._table:
            return self._table[key]
        tags = self._ending(key)
        if not tags and self._spoken and key.endswith(self._spoken[0]):
            return self._ending(key.removesuffix(self._spoken[0]) + self._spoken[1])
        return tags

    def look_up(self, surface: str) -> int:
        """Return the tags of one token, looked at on its own."""
        if surface in s.MARKS:
            return s.MARKS[surface]
        low = slavic.clean(surface)
        if not low.isalpha() and (double := slavic.DOUBLE.match(low)):
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
        both = s.DOUBLED if sign_gender(sign) is Gender.BOTH else s.INCLUSIVE
        all_tags = (self._tags(self._spelling(form)) for form in forms)
        return next((tags | both for tags in all_tags if tags & self._marked), 0) | s.NATIVE

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

    def _signal(self, text: str, cue: Cue, least: int = 0) -> Signal:
        signal = super()._signal(text, cue, least)
        if signal.witnesses or not self._bare or not slavic.is_bare(text):
            return signal
        sure = signal.cls is not GenderClass.UNIDENTIFIED
        bare = self._bare._signal(text, cue, least=0 if sure else 1)  # noqa: SLF001 - same class
        return bare if bare.witnesses else signal
