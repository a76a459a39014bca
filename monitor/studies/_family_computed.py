"""Masculine rates of sentences that name the family and of all others: translations in, rates out.

The numbers are those of the measure `masculine_rate`: its shares by tag, and its p_i, f_s and f_m
on the one and the other part of the sentences.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from monitor import registry
from monitor.model import Context, Unit, Value
from monitor.study.gest import recorded, units
from monitor.study.tables import Sentence, read_translations

TAG = "family"
YES, NO = "yes", "no"
#: Of rank intervals, which are not shown.
_CONTEXT = Context(seed=1, draws=2)
_Values = Mapping[tuple[str, str], Value]


@dataclass(frozen=True, slots=True)
class Pair:
    """A system in a language: values of all sentences, of those with a word, and of the rest."""

    system: str
    language: str
    everything: _Values
    named: _Values
    others: _Values

    @property
    def label(self) -> str:
        """System and language."""
        return f"{self.system}, {self.language}"

    def share(self, which: str) -> Value | None:
        """p_fam (YES), or the masculine rate of the rest; None where there is no such sentence."""
        return self.everything.get(("masculine_share", f"tag:{TAG}={which}"))


def compare(
    sentences: Sequence[Sentence],
    translations: Path,
    named: Callable[[str], bool],
) -> tuple[list[Pair], list[str]]:
    """Every recorded pair, and which were left out. Raises InvalidInput naming the file."""
    pairs, notes = [], []
    for path in recorded(translations):
        system, tag = path.parent.name, path.stem
        language = registry.language(tag)
        if language is None:
            notes.append(f"{system}, {tag}: left out, because its gender cannot be read yet")
            continue
        read = units(sentences, read_translations(path), language)
        tagged = [
            replace(unit, tags={**unit.tags, TAG: YES if named(sentence.text) else NO})
            for unit, sentence in zip(read, sentences, strict=True)
        ]
        parts = ([unit for unit in tagged if unit.tags[TAG] == which] for which in (YES, NO))
        pairs.append(Pair(system, tag, _values(tagged), *map(_values, parts)))
    return pairs, notes


def _values(found: Sequence[Unit]) -> _Values:
    result = registry.measure("masculine_rate").derive(found, _CONTEXT)
    return {(value.name, value.scope): value for value in result.values}
