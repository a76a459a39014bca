"""Tables of person nouns in the Slavic languages: what they say, and how they are read.

One line an occupation of `professions@1` (`-` for other roles), its usual translations after it:

* `lékař`: the feminine follows from the ending by the rules of the language;
* `bratr/sestra`: no rule makes the feminine; several stand with commas between them. An irregular
  instrumental of the masculine stands after a `~`: `švec~ševcem/ševcová`;
* `=účetní`: one form for everybody, with either agreement: an attribute tells;
* `!chirurg`: a masculine without a feminine in standard use: whoever speaks has no other word, so
  it shows nothing, and neither does what must agree with it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from monitor.data import read_toml
from monitor.languages.slavic import _slavic_tags as s

# In pairs, the feminine after the masculine. The nominative and the instrumental of a noun:
PERSON_M, PERSON_F = s.FREE << 24, s.FREE << 25
ROLE_M, ROLE_F = s.FREE << 26, s.FREE << 27
# Attributes, listed so that both genders are known alike.
ATT_M, ATT_F = s.FREE << 28, s.FREE << 29
ATT_INS_M, ATT_INS_F = s.FREE << 30, s.FREE << 31
COMMON, COMMON_INS = s.FREE << 32, s.FREE << 33  # nouns of either gender
COPULA = s.FREE << 34  # "am", "will be" in the first person; "I" where there is no copula
WORK = s.FREE << 35  # "I work", "I serve", and verbs with a predicate in the instrumental
TO_WORK = s.FREE << 36  # infinitives of these
AS = s.FREE << 37  # "as"
THIRD = s.FREE << 38  # "is", "are"
SINGLE = s.FREE << 39  # nouns without a feminine
HERE = s.FREE << 40  # adverbs that no other rule asks for
WITH = s.FREE << 41  # prepositions with the instrumental

PERSON, ROLE = PERSON_M | PERSON_F, ROLE_M | ROLE_F
ATTRIBUTE = ATT_M | ATT_F | ATT_INS_M | ATT_INS_F

#: Endings and what takes their place, the longest first in force.
Endings = Mapping[str, str]


class Noun(NamedTuple):
    """A noun of the table: its kind is "pair", "common" or "single"."""

    occupation: str
    kind: str
    masculine: str
    feminine: tuple[str, ...]
    instrumental: tuple[str, ...]  # of the masculine, where no rule makes it


@cache
def person_nouns(name: str) -> "People":
    """Return the table `monitor/data/<name>.toml`."""
    return People(**read_toml(name))


@dataclass(frozen=True)
class People:
    """Person nouns of a language and the words of the sentences that they are predicates in.

    Words of a column stand in one text, with blanks between them.
    """

    nouns: str
    feminine: Endings  # of the masculine nominative
    instrumental_m: Endings
    instrumental_f: Endings
    attributes: str  # masculine/feminine/instrumental masculine/instrumental feminine
    copula: str  # "I am", "I will be"; "I" alone in the East
    work: str  # "I work", "I become"
    to_work: str  # "to work", "to be"; "duty" after "I have"
    like: str  # "as"
    third: str  # "is", "are"
    here: str  # adverbs of place and time that the language does not list
    along: str  # prepositions with the instrumental

    @cached_property
    def forms(self) -> dict[str, int]:
        """{form: tags}: the nouns, their attributes, and the words around them."""
        forms: dict[str, int] = {}
        for noun in self.entries():
            _add_noun(forms, noun, self)
        for attribute in self.attributes.split():
            tags = ATT_M, ATT_F, ATT_INS_M, ATT_INS_F
            for variants, tag in zip(attribute.split("/"), tags, strict=False):
                _add(forms, variants.split(","), tag)
        for words, tag in (
            (self.copula, COPULA),
            (self.work, WORK),
            (self.to_work, TO_WORK),
            (self.like, AS),
            (self.third, THIRD),
            (self.here, HERE),
            (self.along, WITH),
        ):
            _add(forms, words.split(), tag)
        return forms

    @cached_property
    def couples(self) -> frozenset[tuple[str, str]]:
        """Every masculine form with the feminine ones of the same word and case."""
        pairs = (noun for noun in self.entries() if noun.kind == "pair")
        return frozenset(couple for noun in pairs for couple in _couples(noun, self))

    def entries(self) -> Iterator[Noun]:
        """Every noun of the table."""
        for line in self.nouns.strip().splitlines():
            occupation, _, words = line.partition(":")
            for word in words.split():
                yield self._noun(occupation.strip(), word)

    def _noun(self, occupation: str, word: str) -> Noun:
        lemma, _, feminine = word.lstrip("=!").partition("/")
        masculine, _, instrumental = lemma.partition("~")
        irregular = tuple(instrumental.split(",")) if instrumental else ()
        if word[0] in "=!":
            kind = "common" if word[0] == "=" else "single"
            return Noun(occupation, kind, masculine, (), irregular)
        forms = tuple(feminine.split(",")) if feminine else inflect(masculine, self.feminine)
        return Noun(occupation, "pair", masculine, forms, irregular)

    def instrumentals(self, noun: Noun) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The instrumentals of the masculine and of the feminine."""
        masculine = noun.instrumental or inflect(noun.masculine, self.instrumental_m)
        return masculine, tuple(
            form for f in noun.feminine for form in inflect(f, self.instrumental_f)
        )


def inflect(lemma: str, endings: Endings) -> tuple[str, ...]:
    """`lemma` with its longest known ending replaced, in every way that the table offers."""
    for size in range(min(6, len(lemma)), -1, -1):
        ending = lemma[len(lemma) - size :]
        if ending in endings:
            stem = lemma[: len(lemma) - size]
            return tuple(stem + new for new in endings[ending].split())
    return ()


def _add(forms: dict[str, int], words: tuple[str, ...] | list[str], tag: int) -> None:
    for word in words:
        for spelling in {word, word.replace("ё", "е")}:
            forms[spelling] = forms.get(spelling, 0) | tag


def _add_noun(forms: dict[str, int], noun: Noun, people: People) -> None:
    masculine, feminine = people.instrumentals(noun)
    if noun.kind == "pair":
        _add(forms, [noun.masculine], PERSON_M | s.NOUN_M)
        _add(forms, noun.feminine, PERSON_F | s.NOUN_F)
        _add(forms, masculine, ROLE_M)
        _add(forms, feminine, ROLE_F)
        return
    tag, oblique = (COMMON, COMMON_INS) if noun.kind == "common" else (SINGLE, SINGLE)
    _add(forms, [noun.masculine], tag | s.NOUN_M)
    _add(forms, masculine, oblique)


def _couples(noun: Noun, people: People) -> Iterator[tuple[str, str]]:
    masculine, feminine = people.instrumentals(noun)
    for ms, fs in (((noun.masculine,), noun.feminine), (masculine, feminine)):
        yield from ((m, f) for m in ms for f in fs)
