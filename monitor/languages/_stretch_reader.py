"""A reader of the first person for a language whose rules look at stretches of words.

What the texts of every language need is here: plain text, tokens and their places, the wrong
language, quotations, the class. A language brings its tokens, its function words, the words of
saying, and `find`: the witnesses in one stretch of words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from re import Pattern
from typing import NamedTuple

from monitor.data import read_toml
from monitor.languages._pairs import make_signal
from monitor.languages._plain_text import NO_CUE, KeptForms, PlainTextReader, Script, clean
from monitor.languages._speech import QUOTES, outside_and_inside
from monitor.model import Cue, Gender, Signal

_ANNOUNCES = QUOTES | frozenset(":–—-")


class Found(NamedTuple):
    """A witness: its first and last word in the stretch, and what it shows."""

    first: int
    last: int
    gender: Gender
    rule: str


class Stretch(NamedTuple):
    """Words and punctuation of one speaker: as they stand, and as they are looked up."""

    surfaces: Sequence[str]
    keys: Sequence[str]

    def key(self, i: int) -> str:
        """The i-th word as it is looked up, empty outside the stretch."""
        return self.keys[i] if 0 <= i < len(self.keys) else ""

    def surface(self, i: int) -> str:
        """The i-th word as it stands, empty outside the stretch."""
        return self.surfaces[i] if 0 <= i < len(self.surfaces) else ""


@dataclass
class StretchReader(PlainTextReader):
    """The gender of the first person in text of one language.

    `own` are function words of the language that few others have, `foreign` those of other
    languages; a text with more of these, or without a letter of `letters`, is not of it.
    """

    code: str
    name: str
    version: int
    token: Pattern[str]
    spell: Callable[[str], str]  # a clean word in the spelling of the tables
    letters: frozenset[str]
    own: frozenset[str]
    foreign: frozenset[str]
    marked: Callable[[frozenset[str]], bool]  # whether a text with these words may show a gender
    find: Callable[[Stretch], list[Found]]
    says: frozenset[str]  # verbs of saying
    first: frozenset[str]  # words that make the speaker the one who says it
    cues: frozenset[Cue] = frozenset({Cue.AGREEMENT, Cue.QUOTED})
    nouns: bool = True
    _script = Script.LATIN

    def __post_init__(self) -> None:
        self._keys = KeptForms(lambda surface: self.spell(clean(surface)))

    def key(self, surface: str) -> str:
        """A token in the spelling of the tables."""
        return self._keys[surface]

    def _signal(self, text: str, cue: Cue) -> Signal:
        surfaces: list[str] = self.token.findall(text)
        keys = [self.key(surface) for surface in surfaces]
        words = frozenset(keys)
        if not any(map(str.isalpha, keys)) or not self._is_own(keys, words):
            return self._unidentified(text)
        quoted = not words.isdisjoint(_ANNOUNCES)
        if not self.marked(words) or (cue is Cue.QUOTED and not quoted):
            return NO_CUE
        outside, inside = list(range(len(keys))), list[list[int]]()
        if quoted:
            outside, inside = outside_and_inside(surfaces, lambda at: self._reports(keys, at))
        witnesses = []
        for part in inside if cue is Cue.QUOTED else [outside]:
            stretch = Stretch([surfaces[i] for i in part], [keys[i] for i in part])
            witnesses += [
                Found(part[first], part[last], gender, rule)
                for first, last, gender, rule in self.find(stretch)
            ]
        return make_signal(text, surfaces, sorted(witnesses)) if witnesses else NO_CUE

    def _is_own(self, keys: Sequence[str], words: frozenset[str]) -> bool:
        if words.isdisjoint(self.foreign):
            return any(self.letters.issuperset(key) for key in keys if key.isalpha())
        others = sum(key in self.foreign for key in keys)
        return sum(key in self.own for key in keys) >= others

    def _reports(self, keys: Sequence[str], at: Sequence[int]) -> bool:
        """Return whether the words at these positions report what somebody else said."""
        words = {keys[i] for i in at}
        return not words.isdisjoint(self.says) and words.isdisjoint(self.first)


FOREIGN = frozenset(read_toml("function_words")["foreign"].split())
