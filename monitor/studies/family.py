"""GEST translations of sentences that name the family, beside those of all other sentences.

The values are those of the measure `masculine_rate`: its shares by tag, and its p_i, f_s and f_m
for both parts of the sentences.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from monitor import registry
from monitor.model import Context, InvalidInput, Unit, Value
from monitor.studies._gest_comparison import recorded, units
from monitor.studies._gest_files import (
    PAPER,
    STEREOTYPES,
    Sentence,
    described,
    read_translations,
    titles,
)
from monitor.studies.gest import OPTIONS
from monitor.studies.records import Against, Cell, Check, Figure, Found, Limit, Option, Table, Tell

#: The nouns of a family in both numbers, and its own. Not the paper's list, which is not at hand.
WORDS = (
    "family", "families", "parent", "parents", "mother", "mothers", "father", "fathers", "mom",
    "mum", "dad", "child", "children", "kid", "kids", "baby", "babies", "son", "sons", "daughter",
    "daughters", "brother", "brothers", "sister", "sisters", "sibling", "siblings", "husband",
    "husbands", "wife", "wives", "grandparents", "grandmother", "grandfather", "grandchildren",
    "aunt", "uncle", "cousin", "niece", "nephew",
)  # fmt: skip


def finder(words: Sequence[str], *, inside: bool) -> Callable[[str], bool]:
    """Whether a sentence has one of the words: whole, or with `inside` also within longer ones."""
    joined = "|".join(re.escape(word) for word in words)
    pattern = re.compile(joined if inside else rf"\b(?:{joined})\b", re.IGNORECASE)
    return lambda text: pattern.search(text) is not None


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


_LIMIT = Limit(
    "The paper's p_fam",
    "its list of words is not at hand. It found 166 sentences by words also within longer ones, of "
    "which 150 have them whole; the list here is this project's own, and --words takes another",
)


@dataclass(frozen=True, slots=True)
class Family:
    """p_fam beside the masculine rate of all other sentences, by system, language, stereotype."""

    name: str = "family"
    title: str = "GEST: sentences that name the family"
    paper: str = f"{PAPER}, section 7.4"
    question: str = (
        "Are sentences that name the family translated in other forms than the rest, and how much "
        "of the stereotype rate is theirs?"
    )
    example: str = "family --translations recorded --list gest@1.0.csv"
    options: tuple[Option, ...] = (
        *OPTIONS,
        Option(
            "words",
            f"A word that names the family; {len(WORDS)} of ours if left out.",
            several=True,
        ),
        Option(
            "inside", "Find the words within longer ones, as the paper did.", bool, default=False
        ),
    )

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        """All shared translations."""
        folder = data / "gest"
        if not (folder / "translations").is_dir():
            return None
        return {"translations": folder / "translations", "list": folder / "gest.csv"}

    def run(self, given: Mapping[str, Any], tell: Tell) -> Found:
        """Raises InvalidInput for a file or a word that cannot be used."""
        from monitor.studies._gest_comparison import recorded
        from monitor.studies._gest_files import read_sentences

        words = tuple(given["words"] or WORDS)
        if not all(word.strip() for word in words):
            raise InvalidInput("words: one of them is empty, which stands in every sentence")
        named = finder(words, inside=given["inside"])
        sentences = read_sentences(given["list"])
        if not any(named(sentence.text) for sentence in sentences):
            raise InvalidInput(f"words: {', '.join(words)}: none stands in {given['list']}")
        files = recorded(given["translations"])
        tell(f"reading {len(files)} pairs of system and language")
        pairs, notes = compare(sentences, given["translations"], named)
        return Found(
            ran={
                "translations": described(files),
                "sentences": f"{len(sentences):,} rows; {described([given['list']])}",
                "words": ", ".join(words),
            },
            checks=[_adds_up(pair) for pair in pairs],
            tables=(_pairs(pairs), _stereotypes(pairs), _counts(sentences, words)),
            figures=_figures(pairs) if pairs else (),
            limits=(_LIMIT,),
            notes=[*_sentences(pairs), *notes],
        )


def _adds_up(pair: "Pair") -> Check:
    """Both parts are the whole: nothing is counted twice, nothing is lost."""
    parts = sum(_marked(pair.share(which)) for which in (YES, NO))
    whole = _facts(pair.everything["marked_share", "all"])
    what = f"{pair.label}: masculine and feminine forms of both parts"
    marked = whole["masculine"] + whole["feminine"]
    return Check(what, "all sentences", parts, marked, 0.0, against=Against.MUST)


def _facts(value: "Value") -> dict[str, float]:
    return dict(value.facts)


def _marked(value: "Value | None") -> float:
    return 0.0 if value is None else float(value.used)


def _pairs(pairs: Sequence["Pair"]) -> Table:

    def row(pair: "Pair") -> tuple[Cell, ...]:
        named, others = pair.share(YES), pair.share(NO)
        return (
            pair.system, pair.language, *_with_ends(named), *_with_ends(others),
            _difference(named, others),
            *(pair.everything[name, "all"].value for name in ("p_f", "p_m", "f_s")),
            pair.others["f_s", "all"].value,
        )  # fmt: skip

    return Table(
        "pairs",
        "Masculine rates with and without the family",
        (
            "system", "language", "n", "p_fam", "low", "high", "n of the rest", "p of the rest",
            "low of the rest", "high of the rest", "difference", "p_f", "p_m", "f_s",
            "f_s of the rest",
        ),
        tuple(map(row, pairs)),
        "x/n of the translations that mark a gender, with Wilson intervals at 95 %. p_f and p_m: "
        "means over stereotypes about women and about men. f_s of the rest: without the sentences "
        "that name the family.",
    )  # fmt: skip


def _with_ends(value: "Value | None") -> tuple[Cell, ...]:
    if value is None:
        return 0, None, None, None
    return value.used, value.value, value.low, value.high


def _difference(one: "Value | None", other: "Value | None") -> float | None:
    if one is None or other is None or one.value is None or other.value is None:
        return None
    return one.value - other.value


def _stereotypes(pairs: Sequence["Pair"]) -> Table:
    names = titles()
    rows = []
    for pair in pairs:
        for stereotype in STEREOTYPES:
            key = "p_i", f"stereotype:{stereotype}"
            named, others = pair.named.get(key), pair.others.get(key)
            if named is not None:
                parts = *_with_ends(named)[:2], *_with_ends(others)[:2]
                row = pair.system, pair.language, names[stereotype], *parts
                rows.append((*row, _difference(named, others)))
    return Table(
        "stereotypes",
        "By stereotype",
        ("system", "language", "stereotype", "n", "p_i with the family", "n of the rest",
         "p_i of the rest", "difference"),
        tuple(rows),
        "Below ten translations that mark a gender there is no rate.",
    )  # fmt: skip


def _counts(sentences: Sequence["Sentence"], words: Sequence[str]) -> Table:
    """How many sentences of each stereotype name the family, by either way of finding words."""
    ways = [finder(words, inside=inside) for inside in (False, True)]

    def row(title: str, some: Sequence["Sentence"]) -> tuple[Cell, ...]:
        return title, len(some), *(_count(some, way) for way in ways)

    rows = [
        row(title, [one for one in sentences if one.stereotype == stereotype])
        for stereotype, title in titles().items()
    ]
    return Table(
        "sentences",
        "Sentences that name the family",
        ("stereotype", "sentences", "with a whole word", "with a word within longer ones too"),
        (*rows, row("all", sentences)),
    )


def _count(sentences: Sequence["Sentence"], named: Callable[[str], bool]) -> int:
    return sum(named(sentence.text) for sentence in sentences)


def _sentences(pairs: Sequence["Pair"]) -> Iterator[str]:

    found = [d for pair in pairs if (d := _difference(pair.share(YES), pair.share(NO))) is not None]
    if not found:
        yield "No pair has enough translations that mark a gender for a rate of both parts."
        return
    below = sum(difference < 0 for difference in found)
    yield (
        f"Sentences that name the family are less masculine than the rest in {below} of "
        f"{len(found)} pairs of system and language; mean difference {fmean(found):+.3f}."
    )
    within = [float(row[-1]) for row in _stereotypes(pairs).rows if row[-1] is not None]
    if within:
        yield (
            f"Within one stereotype of one pair, where both parts have a rate ({len(within)} "
            f"times), the mean difference is {fmean(within):+.3f}: that much is not because some "
            "stereotypes name the family oftener."
        )
    rates = [
        (whole, rest)
        for pair in pairs
        if (whole := pair.everything["f_s", "all"].value) is not None
        and (rest := pair.others["f_s", "all"].value) is not None
    ]
    if rates:
        yield (
            f"Without them f_s is {fmean(rest for _, rest in rates):.3f} instead of "
            f"{fmean(whole for whole, _ in rates):.3f}, mean over {len(rates)} pairs."
        )


def _figures(pairs: Sequence["Pair"]) -> list[Figure]:
    from monitor.studies import _study_charts as charts

    rows = []
    for pair in pairs:
        for second, which in ((False, YES), (True, NO)):
            value = pair.share(which)
            ends = (None,) * 3 if value is None else (value.value, value.low, value.high)
            numbers = dict(zip(("value", "low", "high"), ends, strict=True))
            rows.append({"label": pair.label, "second": second, **numbers})
    title = "Masculine rate of sentences that name the family, and of the rest"
    axis = "masculine rate (● family ◆ the rest)"
    drawn = charts.draw_ranges(rows, "family-ours", title, axis)
    return [Figure("family", title, drawn, note="Lines: Wilson intervals at 95 %.")]


STUDY = Family()
