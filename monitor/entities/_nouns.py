"""Tables of person nouns: the translations of an English noun, with the gender that each names.

A line of a table is

    teacher, schoolteacher: maestro/maestra profesor/profesora =docente

`a/b` are the masculine and the feminine, `a/` is a masculine alone, `/b` a feminine alone, `=c` one
form for both, whose article or attribute tells, `!d` a noun whose gender says nothing of the person
(`víctima`). Of a translation of several words the one that is inflected stands alone (`obrero`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import resources

from monitor.model import InvalidInput


class NounGender(StrEnum):
    """The gender that a form of a noun names."""

    MASCULINE = "masculine"
    FEMININE = "feminine"
    COMMON = "common"  # one form for both
    FIXED = "fixed"  # the same whoever is meant


@dataclass(frozen=True, slots=True)
class NounForm:
    """What one form of the target language can be: an English noun, its gender and number."""

    noun: str
    gender: NounGender
    plural: bool | None = None


#: All forms of a lemma of that gender: (form, whether it is plural, None where it can be both).
Inflect = Callable[[str, NounGender], Iterable[tuple[str, bool | None]]]


@dataclass(slots=True)
class NounTable:
    """The person nouns of one language. `forms` maps each folded form to what it can be."""

    nouns: frozenset[str] = frozenset()
    forms: dict[str, tuple[NounForm, ...]] = field(default_factory=dict)


#: Languages with the same English nouns share one set: caches then compare it by identity.
_NOUN_SETS: dict[frozenset[str], frozenset[str]] = {}


def load_table(code: str, inflect: Inflect, fold: Callable[[str], str]) -> NounTable:
    """Read `data/entity_nouns_CODE.txt`. Raises InvalidInput naming a line that cannot be read."""
    file = resources.files("monitor.data").joinpath(f"entity_nouns_{code}.txt")
    entries: dict[str, list[tuple[str, NounGender]]] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        english, colon, translations = content.partition(":")
        if not colon or not translations.strip():
            raise InvalidInput(f"{file.name}, line {number}: {line!r}; write english: translations")
        lemmas = [pair for word in translations.split() for pair in _lemmas(word)]
        for noun in english.split(","):
            entries.setdefault(noun.strip(), []).extend(lemmas)
    return _index(entries, inflect, fold)


def _lemmas(word: str) -> list[tuple[str, NounGender]]:
    if word[0] in "=!":
        return [(word[1:], NounGender.COMMON if word[0] == "=" else NounGender.FIXED)]
    masculine, _, feminine = word.partition("/")
    pairs = ((masculine, NounGender.MASCULINE), (feminine, NounGender.FEMININE))
    return [(lemma, gender) for lemma, gender in pairs if lemma]


def _index(
    entries: Mapping[str, list[tuple[str, NounGender]]],
    inflect: Inflect,
    fold: Callable[[str], str],
) -> NounTable:
    forms: dict[str, dict[NounForm, None]] = {}
    for noun, lemmas in entries.items():
        for lemma, gender in lemmas:
            for form, plural in inflect(lemma, gender):
                forms.setdefault(fold(form), {})[NounForm(noun, gender, plural)] = None
    nouns = frozenset(entries)
    nouns = _NOUN_SETS.setdefault(nouns, nouns)
    return NounTable(nouns, {form: tuple(kinds) for form, kinds in forms.items()})
