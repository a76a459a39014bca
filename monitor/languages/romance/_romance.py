"""The Romance languages: from a text to its tokens, its parts, and its signal."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from monitor.languages._pairs import join_pairs, make_signal, said_twice, without_ends
from monitor.languages._plain_text import PlainTextReader, Script
from monitor.languages._speech import outside_and_inside
from monitor.languages.romance import _romance_words as lex
from monitor.languages.romance._romance_phrase import Found
from monitor.languages.romance._romance_reader import Reader
from monitor.languages.romance._romance_words import Lexicon, Word
from monitor.model import Cue, GenderClass, InvalidInput, Signal

# A text with none of these has no place where a gender could be read: "me" makes a verb of the
# second group count, a comma an adjective or a noun for a person.
_TRIGGERS = lex.COPULA | lex.OBRIGADO | lex.SOZINHO | lex.COMO | lex.WHEN


def _promising(tags: int) -> bool:
    """Return whether a text with these tags, taken together, can hold a witness."""
    if tags & _TRIGGERS or (tags & lex.ME_VERB and tags & (lex.ME | lex.ENCLITIC)):
        return True
    if tags & lex.SELF and tags & (lex.EU | lex.TO_ME):
        return True
    if tags & lex.GENDERED and tags & (lex.FIRST | lex.MAYBE_FIRST | lex.EU | lex.ME):
        return True
    apposition = tags & lex.ONE_FORM and tags & lex.EU
    return bool(tags & lex.COMMA and (tags & lex.GENDERED or apposition))


def _own(tokens: list[Word], share: float) -> bool:
    """Return whether the function words are the language's rather than those of another one.

    Neighbours share many words; only those of one of them count. Without any, more than `share`
    of the words must be known ones or have an ending of the language.
    """
    score = sum([word.language for word in tokens])
    if score:
        return score > 0
    n_known = sum([word.tags & lex.KNOWN > 0 for word in tokens])
    return n_known > share * sum([word.tags & lex.LATIN > 0 for word in tokens])


def _somebody_says(tokens: list[Word], at: Sequence[int]) -> bool:
    """Return whether the words at these positions report what another says."""
    tags = 0
    for i in at:
        if tokens[i].tags & (lex.COORDINATOR | lex.SUBORDINATOR):
            if tags & lex.SAYING:
                break
            tags = 0
        tags |= tokens[i].tags | (lex.FIRST if tokens[i].person == "1" else 0)
    return bool(tags & lex.SAYING and not tags & (lex.EU | lex.FIRST))


@dataclass
class RomanceLanguage(PlainTextReader):
    """The gender of the first person in text of one Romance language, from agreement."""

    code: str
    name: str
    version: int
    token: re.Pattern[str]
    lexicon: Lexicon
    reader: type[Reader]
    share: float  # of known words where no function word tells the language
    cues = frozenset({Cue.AGREEMENT, Cue.QUOTED})
    _script = Script.LATIN
    nouns = True  # a profession often is the only word that shows the speaker's gender

    def __post_init__(self) -> None:
        self.lists = self.lexicon.words

    def counting(self, *, nouns: bool) -> "RomanceLanguage":
        if not nouns:
            raise InvalidInput(f"{self.name} is not read without its nouns for persons")
        return self

    def _signal(self, text: str, cue: Cue) -> Signal:
        if not text.strip():
            return Signal(GenderClass.UNIDENTIFIED, rule="empty")
        lookup = self.lexicon.lookup
        surfaces: list[str] = self.token.findall(text)
        tokens = [lookup(surface) for surface in surfaces]
        if not _own(tokens, self.share):
            return Signal(GenderClass.UNIDENTIFIED, rule=f"not_{self.name.lower()}")
        tags = 0
        for word in tokens:
            tags |= word.tags
        if not _promising(tags) or (
            cue is Cue.QUOTED and not tags & (lex.QUOTE | lex.COLON | lex.BREAK)
        ):
            return Signal(GenderClass.NONE, rule="no_cue")
        findings = self._found(surfaces, tokens, tags, cue)
        if not findings:
            return Signal(GenderClass.NONE, rule="no_cue")
        twice = tags & (lex.SLASH | lex.OR) and said_twice(
            [(first, gender) for first, _, gender, _ in findings],
            lambda i: bool(tokens[i].tags & (lex.SLASH | lex.OR)),
            lambda i, j: self.lexicon.both(surfaces[i], surfaces[j]) is not None,
        )
        last = [(first, end - 1, gender, rule) for first, end, gender, rule in findings]
        return make_signal(text, surfaces, last, twice=bool(twice))

    def _found(self, surfaces: list[str], tokens: list[Word], tags: int, cue: Cue) -> list[Found]:
        """Return the witnesses in the parts that the cue asks for, as places in the whole."""
        is_quoting = tags & lex.QUOTE or (tags & lex.SAYING and tags & lex.BREAK)
        is_paired = tags & (lex.SLASH | lex.OR | lex.BRACKET)
        if cue is Cue.AGREEMENT and not is_quoting and not is_paired:
            return self._read(tokens)
        parts = [list(range(len(tokens)))] if cue is Cue.AGREEMENT else []
        if is_quoting:
            outside, inside = outside_and_inside(surfaces, lambda i: _somebody_says(tokens, i))
            parts = inside if cue is Cue.QUOTED else [outside]
        ends: dict[int, int] = {}
        if is_paired:
            is_or = [bool(word.tags & lex.OR) for word in tokens]
            pairs = join_pairs(surfaces, is_or.__getitem__, self.lexicon.both)
            for start, (end, joined) in pairs.items():
                tokens[start], ends[start] = joined, end
            parts = without_ends(parts, ends)
        return [
            (part[first], ends.get(part[end - 1], part[end - 1]) + 1, gender, rule)
            for part in parts
            for first, end, gender, rule in self._read([tokens[i] for i in part])
        ]

    def _read(self, tokens: list[Word]) -> list[Found]:
        return self.reader(tokens, self.lexicon, self.lexicon.words).read()
