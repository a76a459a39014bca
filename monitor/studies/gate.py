"""GATE: tell apart translations that differ in the gender of one person."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor import registry
from monitor.datasets import key_word
from monitor.input_files import open_table
from monitor.model import EntityText, GenderClass, InvalidInput, Signal
from monitor.studies.catalogue import (
    Cell,
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

_COLUMNS = ("labels", "english", "feminine", "masculine", "kw_s")
#: The share of pairs that may not be told apart, and that of swapped ones.
_TOGETHER, _SWAPPED = 0.07, 0.003
_APART = (GenderClass.FEMININE, GenderClass.MASCULINE)
_LIMITS = (
    Limit(
        "sentences with several persons of open gender",
        "only the files with two variants are read: one person is open in each",
    ),
)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A sentence with both translations, and how they were read."""

    language: str
    labels: str
    english: str
    entity: str
    texts: tuple[str, str]  # feminine, masculine
    signals: tuple[Signal, Signal]

    @property
    def outcome(self) -> str:
        """`apart`, `swapped`, `one side` or `neither`."""
        feminine, masculine = (signal.cls for signal in self.signals)
        if (feminine, masculine) == _APART:
            return "apart"
        if (masculine, feminine) == _APART:
            return "swapped"
        return "one side" if feminine is _APART[0] or masculine is _APART[1] else "neither"


class Gate(Study):
    """Pairs of linguists that differ in the gender of one person."""

    name = "gate"
    title = "GATE: pairs that differ in the gender of one person"
    paper = (
        "Rarrick, Naik, Mathur, Poudel and Chowdhary (2023), GATE: A challenge set for "
        "gender-ambiguous translation examples (arXiv:2303.03975)"
    )
    question = "Is the feminine translation read as feminine and the masculine as masculine?"
    example = "gate --folder gate"
    options = (
        Option("folder", "Folder with XX_*.csv, columns labels, english, feminine, masculine, "
               "kw_s.", Path, required=True),
    )  # fmt: skip
    reference = ReferenceInputs({"folder": "gate"}, needs=("gate/??_*.csv",))

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Read all pairs. Raises InvalidInput for an unusable file."""
        folder: Path = given["folder"]
        pairs: list[_Pair] = []
        for path in sorted(folder.glob("??_*.csv")):
            language = path.name[:2].lower()
            if language in registry.list_names("entities"):
                tell(f"reading {path.name}")
                pairs += _read_pairs(path, language)
        if not pairs:
            raise InvalidInput(f"{folder}: no XX_*.csv in a language that can be read")
        languages = sorted({pair.language for pair in pairs})
        return StudyResult(
            ran={"pairs": f"{len(pairs):,} in {', '.join(languages)}"},
            checks=[check for code in languages for check in _checks(code, _of(pairs, code))],
            tables=(_languages_table(pairs, languages), _labels_table(pairs), _errors(pairs)),
            limits=_LIMITS,
        )


def _read_pairs(path: Path, language: str) -> Iterator[_Pair]:
    reader = registry.entity_reader(language)
    with open_table(path, _COLUMNS) as table:
        for _, row in table.records():
            entity = key_word(row["kw_s"])
            texts = row["feminine"], row["masculine"]
            first, second = (
                reader.signal(EntityText(row["english"], entity, text)) for text in texts
            )
            yield _Pair(language, row["labels"], row["english"], entity, texts, (first, second))


def _of(pairs: Sequence[_Pair], language: str) -> list[_Pair]:
    return [pair for pair in pairs if pair.language == language]


def _checks(language: str, pairs: Sequence[_Pair]) -> Iterator[StudyCheck]:
    counts = Counter(pair.outcome for pair in pairs)
    for what, share, bar in (
        ("pairs not told apart", 1 - counts["apart"] / len(pairs), _TOGETHER),
        ("pairs swapped", counts["swapped"] / len(pairs), _SWAPPED),
    ):
        yield check_must(f"{what}, {language}", "pairs", share, 0.0, bar)


def _languages_table(pairs: Sequence[_Pair], languages: Sequence[str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for language in languages:
        of_language = _of(pairs, language)
        counts = Counter(pair.outcome for pair in of_language)
        n = len(of_language)
        differ = sum(pair.texts[0].split() != pair.texts[1].split() for pair in of_language)
        rows.append((language, n, counts["apart"] / n, counts["swapped"], counts["one side"],
                     counts["neither"], n - differ, counts["apart"] / max(1, differ)))  # fmt: skip
    return Table(
        "languages",
        "Pairs by language",
        (
            "language",
            "pairs",
            "told apart",
            "swapped",
            "read on one side",
            "read on neither",
            "pairs of equal texts",
            "told apart of those that differ",
        ),
        tuple(rows),
        "Two equal texts cannot be told apart by anybody; they count among all pairs.",
    )


def _labels_table(pairs: Sequence[_Pair]) -> Table:
    counts: dict[str, Counter[str]] = {}
    for pair in pairs:
        for label in filter(None, pair.labels.split(";")):
            counts.setdefault(label, Counter())[pair.outcome] += 1
    rows = sorted(
        ((label, count.total(), count["apart"] / count.total()) for label, count in counts.items()),
        key=lambda row: -row[1],
    )
    return Table("labels", "Pairs by label of GATE", ("label", "pairs", "told apart"), tuple(rows))


def _errors(pairs: Sequence[_Pair]) -> Table:
    return Table(
        "errors",
        "Pairs not told apart",
        ("language", "outcome", "person", "read as", "english", "feminine", "masculine"),
        tuple(
            (pair.language, pair.outcome, pair.entity,
             " / ".join(signal.cls.value for signal in pair.signals), pair.english, *pair.texts)
            for pair in pairs
            if pair.outcome != "apart"
        ),
    )  # fmt: skip


STUDY = Gate()
