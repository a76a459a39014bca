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
from monitor.studies import _study_charts as charts
from monitor.studies._gest_files import (
    PAPER,
    STEREOTYPES,
    Sentence,
    describe_files,
    make_units,
    read_sentences,
    read_translations,
    recorded_files,
    stereotype_titles,
)
from monitor.studies.catalogue import (
    Cell,
    Figure,
    Limit,
    Option,
    ReferenceInputs,
    ReportStep,
    Study,
    StudyCheck,
    StudyResult,
    Table,
    check_must,
)
from monitor.studies.gest import OPTIONS

#: The nouns of a family in both numbers, and its own. Not the paper's list, which is not at hand.
WORDS = (
    "family", "families", "parent", "parents", "mother", "mothers", "father", "fathers", "mom",
    "mum", "dad", "child", "children", "kid", "kids", "baby", "babies", "son", "sons", "daughter",
    "daughters", "brother", "brothers", "sister", "sisters", "sibling", "siblings", "husband",
    "husbands", "wife", "wives", "grandparents", "grandmother", "grandfather", "grandchildren",
    "aunt", "uncle", "cousin", "niece", "nephew",
)  # fmt: skip


def word_finder(words: Sequence[str], *, inside: bool) -> Callable[[str], bool]:
    """Return a function: whether a text has one of the words, with `inside` also within others."""
    joined = "|".join(re.escape(word) for word in words)
    pattern = re.compile(joined if inside else rf"\b(?:{joined})\b", re.IGNORECASE)
    return lambda text: pattern.search(text) is not None


TAG = "family"
YES, NO = "yes", "no"
#: Of rank intervals, which are not shown.
_CONTEXT = Context(seed=1, draws=2)
_Values = Mapping[tuple[str, str], Value]


@dataclass(frozen=True, slots=True)
class FamilyPair:
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


def compare_pairs(
    sentences: Sequence[Sentence],
    translations: Path,
    named: Callable[[str], bool],
) -> tuple[list[FamilyPair], list[str]]:
    """Every recorded pair, and which were left out. Raises InvalidInput naming the file."""
    pairs, notes = [], []
    for path in recorded_files(translations):
        system, tag = path.parent.name, path.stem
        language = registry.language(tag)
        if language is None:
            notes.append(f"{system}, {tag}: left out, because its gender cannot be read yet")
            continue
        read = make_units(sentences, read_translations(path), language)
        tagged = [
            replace(unit, tags={**unit.tags, TAG: YES if named(sentence.text) else NO})
            for unit, sentence in zip(read, sentences, strict=True)
        ]
        parts = ([unit for unit in tagged if unit.tags[TAG] == which] for which in (YES, NO))
        pairs.append(FamilyPair(system, tag, _measure_units(tagged), *map(_measure_units, parts)))
    return pairs, notes


def _measure_units(units_measured: Sequence[Unit]) -> _Values:
    result = registry.measure("masculine_rate").derive(units_measured, _CONTEXT)
    return {(value.name, value.scope): value for value in result.values}


_LIMIT = Limit(
    "The paper's p_fam",
    "its list of words is not at hand. It found 166 sentences by words also within longer ones, of "
    "which 150 have them whole; the list here is this project's own, and --words takes another",
)


class Family(Study):
    """p_fam beside the masculine rate of all other sentences, by system, language, stereotype."""

    name = "family"
    title = "GEST: sentences that name the family"
    paper = f"{PAPER}, section 7.4"
    question = (
        "Are sentences that name the family translated in other forms than the rest, and how much "
        "of the stereotype rate is theirs?"
    )
    example = "family --translations recorded --list gest@1.0.csv"
    options = (
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
    reference = ReferenceInputs({"translations": "gest/translations", "list": "gest/gest.csv"})

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput for a file or a word that cannot be used."""
        words = tuple(given["words"] or WORDS)
        if not all(word.strip() for word in words):
            raise InvalidInput("words: one of them is empty, which stands in every sentence")
        names_family = word_finder(words, inside=given["inside"])
        sentences = read_sentences(given["list"])
        if not any(names_family(sentence.text) for sentence in sentences):
            raise InvalidInput(f"words: {', '.join(words)}: none stands in {given['list']}")
        files = recorded_files(given["translations"])
        tell(f"reading {len(files)} pairs of system and language")
        pairs, notes = compare_pairs(sentences, given["translations"], names_family)
        return StudyResult(
            ran={
                "translations": describe_files(files),
                "sentences": f"{len(sentences):,} rows; {describe_files([given['list']])}",
                "words": ", ".join(words),
            },
            checks=[_check_sums(pair) for pair in pairs],
            tables=(
                _pairs_table(pairs),
                _stereotypes_table(pairs),
                _counts_table(sentences, words),
            ),
            figures=_draw_figures(pairs) if pairs else (),
            limits=(_LIMIT,),
            notes=[*_summarise_pairs(pairs), *notes],
        )


def _check_sums(pair: FamilyPair) -> StudyCheck:
    """Both parts are the whole: nothing is counted twice, nothing is lost."""
    shares = (pair.share(which) for which in (YES, NO))
    parts = sum(float(share.used) for share in shares if share is not None)
    whole = dict(pair.everything["marked_share", "all"].facts)
    what = f"{pair.label}: masculine and feminine forms of both parts"
    marked = whole["masculine"] + whole["feminine"]
    return check_must(what, "all sentences", parts, marked, 0.0)


def _pairs_table(pairs: Sequence[FamilyPair]) -> Table:

    def row(pair: FamilyPair) -> tuple[Cell, ...]:
        rate_named, rate_of_others = pair.share(YES), pair.share(NO)
        return (
            pair.system, pair.language, *_add_interval(rate_named), *_add_interval(rate_of_others),
            _subtract_shares(rate_named, rate_of_others),
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


def _add_interval(value: Value | None) -> tuple[Cell, ...]:
    if value is None:
        return 0, None, None, None
    return value.used, value.value, value.low, value.high


def _subtract_shares(first: Value | None, second: Value | None) -> float | None:
    if first is None or second is None or first.value is None or second.value is None:
        return None
    return first.value - second.value


def _stereotypes_table(pairs: Sequence[FamilyPair]) -> Table:
    names = stereotype_titles()
    rows = []
    for pair in pairs:
        for stereotype in STEREOTYPES:
            key = "p_i", f"stereotype:{stereotype}"
            value_named, value_of_others = pair.named.get(key), pair.others.get(key)
            if value_named is not None:
                parts = *_add_interval(value_named)[:2], *_add_interval(value_of_others)[:2]
                row = pair.system, pair.language, names[stereotype], *parts
                rows.append((*row, _subtract_shares(value_named, value_of_others)))
    return Table(
        "stereotypes",
        "By stereotype",
        ("system", "language", "stereotype", "n", "p_i with the family", "n of the rest",
         "p_i of the rest", "difference"),
        tuple(rows),
        "Below ten translations that mark a gender there is no rate.",
    )  # fmt: skip


def _counts_table(sentences: Sequence[Sentence], words: Sequence[str]) -> Table:
    """Return how many sentences of each stereotype name the family, by either search."""
    ways = [word_finder(words, inside=inside) for inside in (False, True)]

    def row(title: str, sentences_of_row: Sequence[Sentence]) -> tuple[Cell, ...]:
        found = (sum(way(sentence.text) for sentence in sentences_of_row) for way in ways)
        return (title, len(sentences_of_row), *found)

    rows = [
        row(title, [sentence for sentence in sentences if sentence.stereotype == stereotype])
        for stereotype, title in stereotype_titles().items()
    ]
    return Table(
        "sentences",
        "Sentences that name the family",
        ("stereotype", "sentences", "with a whole word", "with a word within longer ones too"),
        (*rows, row("all", sentences)),
    )


def _summarise_pairs(pairs: Sequence[FamilyPair]) -> Iterator[str]:

    differences = [
        d for pair in pairs if (d := _subtract_shares(pair.share(YES), pair.share(NO))) is not None
    ]
    if not differences:
        yield "No pair has enough translations that mark a gender for a rate of both parts."
        return
    below = sum(difference < 0 for difference in differences)
    yield (
        f"Sentences that name the family are less masculine than the rest in {below} of "
        f"{len(differences)} pairs of system and language; mean difference "
        f"{fmean(differences):+.3f}."
    )
    within = [float(row[-1]) for row in _stereotypes_table(pairs).rows if row[-1] is not None]
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


def _draw_figures(pairs: Sequence[FamilyPair]) -> list[Figure]:
    rows = []
    for pair in pairs:
        for second, which in ((False, YES), (True, NO)):
            _, value, low, high = _add_interval(pair.share(which))
            rows.append(
                {"label": pair.label, "second": second, "value": value, "low": low, "high": high}
            )
    title = "Masculine rate of sentences that name the family, and of the rest"
    axis = "masculine rate (● family ◆ the rest)"
    chart = charts.draw_ranges(rows, "family-ours", title, axis)
    return [Figure("family", title, chart, note="Lines: Wilson intervals at 95 %.")]


STUDY = Family()
