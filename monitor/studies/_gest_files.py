"""GEST: input files, and recorded translations beside the published figures.

The published folder holds `mt_p_i.csv` (system, language, stereotype, lower, mean, upper, n), and
optionally `mt_fs_fm.csv` (f_s, f_m), `mt_yields.csv` (yield) and `mt_ranks.csv` (feminine_rank).
`mean` is the Agresti-Coull centre, not x/n. All values are those of the measure `masculine_rate`.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from monitor import registry
from monitor.data import read_table
from monitor.input_files import hash_file, open_table
from monitor.model import Context, GenderClass, InvalidInput, Language, State, Unit, Value
from monitor.text.counted_nouns import several


@dataclass(frozen=True, slots=True)
class Sentence:
    """One row of the list: a sentence may stand in two rows and counts in both."""

    text: str
    stereotype: str


def read_csv_rows(path: Path, needed: Sequence[str]) -> Iterator[dict[str, str]]:
    """Rows of a UTF-8 CSV that has the needed columns. Raises InvalidInput with file and line."""
    with open_table(path, needed) as table:
        yield from (row for _, row in table.records())


def read_sentences(path: Path) -> list[Sentence]:
    """The published file (sentence, stereotype) or the list made of it (text, stereotype)."""
    rows = list(read_csv_rows(path, ["stereotype"]))
    if not rows:
        raise InvalidInput(f"{path}: no sentences; fetch them with: monitor lists fetch gest")
    column = next((name for name in ("sentence", "text") if name in rows[0]), None)
    if column is None:
        raise InvalidInput(f"{path}: no column 'sentence' or 'text'; it has {', '.join(rows[0])}")
    return [Sentence(row[column].strip(), row["stereotype"].strip()) for row in rows]


def read_translations(path: Path) -> dict[str, str]:
    """{source: translation}. Raises InvalidInput where a sentence has two different ones."""
    translations: dict[str, str] = {}
    for row in read_csv_rows(path, ["source", "translation"]):
        source = row["source"].strip()
        if translations.setdefault(source, row["translation"]) != row["translation"]:
            raise InvalidInput(f"{path}: {source!r} has two different translations; keep one")
    return translations


PAPER = (
    "Pikuliak, Hrckova, Oresko and Simko (2023), Women are beautiful, men are leaders "
    "(arXiv:2311.18711)"
)
STEREOTYPES = tuple(str(number) for number in range(1, 17))
#: How many of them, which come first, are about women.
ABOUT_WOMEN = 7


def stereotype_titles() -> dict[str, str]:
    """{stereotype: its number and name}."""
    return {row["id"]: f"{row['id']} {row['name']}" for row in read_table("gest_stereotypes")}


def is_about_men(stereotype: str) -> bool:
    """Return whether a stereotype is about men; all others are about women."""
    return int(stereotype) > ABOUT_WOMEN


def describe_files(files: Sequence[Path]) -> str:
    """Return the number of files, their size, and one digest of all."""
    size, total = sum(path.stat().st_size for path in files), hashlib.sha256()
    for path in sorted(files):
        total.update(f"{hash_file(path)}  {path.parent.name}/{path.name}\n".encode())
    digest = hash_file(files[0]) if len(files) == 1 else total.hexdigest()
    return f"{several(len(files), 'file')}, {size:,} bytes, SHA-256 {digest}"


# --- published figures ----------------------------------------------------------------------------


_Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Rate:
    """A published p_i with its interval and the number of translations behind it."""

    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Published values of one system in one language; empty where nothing was published."""

    rates: Mapping[str, Rate] = field(default_factory=dict)
    ranks: Mapping[str, int] = field(default_factory=dict)
    f_s: float | None = None
    f_m: float | None = None
    marked: int | None = None


@dataclass(frozen=True, slots=True)
class PublishedFigures:
    """All published figures."""

    pairs: Mapping[_Key, PairFigures] = field(default_factory=dict)

    def of(self, system: str, language: str) -> PairFigures:
        """Those of one system in one language."""
        return self.pairs.get((system, language), PairFigures())


def _read_rows(
    folder: Path, name: str, columns: tuple[str, ...]
) -> dict[_Key, list[dict[str, str]]]:
    path = folder / f"{name}.csv"
    rows_by_pair: dict[_Key, list[dict[str, str]]] = defaultdict(list)
    if path.exists():
        for row in read_csv_rows(path, ("system", "language", *columns)):
            rows_by_pair[row["system"], row["language"]].append(row)
    return rows_by_pair


def read_published(folder: Path) -> PublishedFigures:
    """The tables of a folder. Raises InvalidInput naming the file that is missing or broken."""
    if not (folder / "mt_p_i.csv").is_file():
        raise InvalidInput(f"{folder}: no mt_p_i.csv in this folder; it must hold published rates")
    rates = _read_rows(folder, "mt_p_i", ("stereotype", "lower", "mean", "upper", "n"))
    overall = _read_rows(folder, "mt_fs_fm", ("f_s", "f_m"))
    yields = _read_rows(folder, "mt_yields", ("yield",))
    ranks = _read_rows(folder, "mt_ranks", ("stereotype", "feminine_rank"))
    try:
        return PublishedFigures(
            {
                key: PairFigures(
                    rates={row["stereotype"]: _parse_rate(row) for row in rows},
                    ranks={row["stereotype"]: int(row["feminine_rank"]) for row in ranks[key]},
                    f_s=float(overall[key][0]["f_s"]) if overall[key] else None,
                    f_m=float(overall[key][0]["f_m"]) if overall[key] else None,
                    marked=int(yields[key][0]["yield"]) if yields[key] else None,
                )
                for key, rows in rates.items()
            }
        )
    except ValueError as error:
        raise InvalidInput(f"{folder}: a published figure is no number: {error}") from error


def _parse_rate(row: Mapping[str, str]) -> Rate:
    return Rate(float(row["mean"]), float(row["lower"]), float(row["upper"]), int(row["n"]))


#: The published figures are Agresti-Coull centres, ranked as such.
_PARAMETERS = {"interval": "agresti_coull", "rank": "published"}
#: Rank intervals are not compared, so their bootstrap is kept short.
_CONTEXT = Context(seed=1, draws=2)


@dataclass(frozen=True, slots=True)
class PairedCell:
    """p_i of one stereotype. `centre` is None where too few translations mark the gender."""

    stereotype: str
    masculine: int
    feminine: int
    centre: float | None
    rank: float | None
    published: Rate | None
    published_rank: int | None

    @property
    def difference(self) -> float | None:
        """Ours less the published one."""
        if self.centre is None or self.published is None:
            return None
        return self.centre - self.published.mean

    @property
    def inside(self) -> bool | None:
        """Return whether our value lies in the published interval."""
        if self.centre is None or self.published is None:
            return None
        return self.published.low <= self.centre <= self.published.high


@dataclass(frozen=True, slots=True)
class SystemLanguage:
    """One system in one language. What was not published, or not measured, is None."""

    system: str
    language: str
    planned: int
    translated: int
    cells: tuple[PairedCell, ...]
    classes: Mapping[str, int]
    f_s: float | None
    f_m: float | None
    plain_f_s: float | None  # from x/n, which series report
    plain_f_m: float | None
    figures: PairFigures = field(default_factory=PairFigures)

    @property
    def marked(self) -> int:
        """The yield: translations that are masculine or feminine."""
        return sum(cell.masculine + cell.feminine for cell in self.cells)

    @property
    def differences(self) -> list[float]:
        """Of every cell that has both."""
        return [d for cell in self.cells if (d := cell.difference) is not None]

    @property
    def mean_error(self) -> float | None:
        """Mean absolute difference of p_i."""
        differences = self.differences
        return sum(map(abs, differences)) / len(differences) if differences else None

    @property
    def largest(self) -> float | None:
        """Largest absolute difference of p_i."""
        return max(map(abs, self.differences), default=None)

    @property
    def f_s_difference(self) -> float | None:
        """Ours less the published one, both from the centres."""
        return _subtract_values(self.f_s, self.figures.f_s)

    @property
    def f_m_difference(self) -> float | None:
        """Ours less the published one, both from the centres."""
        return _subtract_values(self.f_m, self.figures.f_m)

    @property
    def yield_ratio(self) -> float | None:
        """Our yield over the published one."""
        return self.marked / self.figures.marked if self.figures.marked else None


def _subtract_values(ours: float | None, theirs: float | None) -> float | None:
    return None if ours is None or theirs is None else ours - theirs


@dataclass(frozen=True, slots=True)
class GestComparison:
    """All pairs, and what could not be compared, in sentences.

    Languages that stand `apart` are shown, but not counted in what is said of all pairs: their
    published figures are not to be trusted.
    """

    pairs: tuple[SystemLanguage, ...]
    notes: tuple[str, ...] = ()
    apart: frozenset[str] = frozenset()

    @property
    def pooled(self) -> list[SystemLanguage]:
        """The pairs that are counted."""
        return [pair for pair in self.pairs if pair.language not in self.apart]

    @property
    def differences(self) -> list[float]:
        """Of all cells of the pairs that are counted."""
        return [d for pair in self.pooled for d in pair.differences]


def compare_pairs(
    sentences: Sequence[Sentence],
    translations: Path,
    published: PublishedFigures,
    resolve: Callable[[str], Language | None],
    apart: frozenset[str] = frozenset(),
) -> GestComparison:
    """Measure every `translations`/SYSTEM/LANGUAGE.csv and put the published figures beside.

    Raises InvalidInput naming the file that cannot be used.
    """
    pairs: list[SystemLanguage] = []
    notes: list[str] = []
    for path in recorded_files(translations):
        system, tag = path.parent.name, path.stem
        language = resolve(tag)
        if language is None:
            notes.append(f"{system}, {tag}: left out, because its gender cannot be read yet")
            continue
        pair = measure_pair(sentences, read_translations(path), language, (system, tag), published)
        if not pair.figures.rates:
            notes.append(f"{system}, {tag}: no published figures; ours stand alone")
        if pair.translated < pair.planned:
            lacking = pair.planned - pair.translated
            notes.append(f"{system}, {tag}: {lacking:,} of {pair.planned:,} have no translation")
        pairs.append(pair)
    notes += [f"{tag}: shown, and not counted in the figures above" for tag in sorted(apart)]
    return GestComparison(tuple(pairs), tuple(notes), apart)


def recorded_files(translations: Path) -> list[Path]:
    """Every SYSTEM/LANGUAGE.csv of a folder. Raises InvalidInput where there is none."""
    paths = sorted(translations.glob("*/*.csv"))
    if not paths:
        raise InvalidInput(
            f"{translations}: no SYSTEM/LANGUAGE.csv in this folder; name the one that holds a "
            "folder for each system"
        )
    return paths


def make_units(
    sentences: Sequence[Sentence], translated: Mapping[str, str], language: Language
) -> list[Unit]:
    """A unit for each sentence, with the class of its translation."""
    classes: dict[str, GenderClass | None] = {}
    for text in {sentence.text for sentence in sentences}:
        translation = translated.get(text, "")
        # No translation is no answer; it is not an unmarked one.
        classes[text] = language.signal(translation).cls if translation.strip() else None
    return [
        Unit(f"{row:05d}", {"stereotype": sentence.stereotype}, (classes[sentence.text],))
        for row, sentence in enumerate(sentences)
    ]


def measure_pair(
    sentences: Sequence[Sentence],
    translated: Mapping[str, str],
    language: Language,
    pair: tuple[str, str],
    published: PublishedFigures,
) -> SystemLanguage:
    """Return the values of one (system, language) with the published figures."""
    read = make_units(sentences, translated, language)
    result = registry.measure("masculine_rate").configure(_PARAMETERS).derive(read, _CONTEXT)
    values = {(value.name, value.scope): value for value in result.values}
    figures = published.of(*pair)
    cells = tuple(_make_cell(values, scope, figures) for name, scope in values if name == "p_i")
    f_s, f_m = _overall_from_centres(cells)
    overall = values["marked_share", "all"]
    return SystemLanguage(
        *pair,
        planned=overall.planned,
        translated=overall.answered,
        cells=cells,
        classes={name: round(n) for name, n in overall.facts if name in set(GenderClass)},
        f_s=f_s,
        f_m=f_m,
        plain_f_s=values["f_s", "all"].value,
        plain_f_m=values["f_m", "all"].value,
        figures=figures,
    )


def _make_cell(
    values: Mapping[tuple[str, str], Value], scope: str, figures: PairFigures
) -> PairedCell:
    rate, rank = values["p_i", scope], values["feminine_rank", scope]
    facts = dict(rate.facts)
    stereotype = scope.removeprefix("stereotype:")
    measured = rate.state is State.MEASURED
    return PairedCell(
        stereotype=stereotype,
        masculine=round(facts.get("masculine", 0)),
        feminine=round(facts.get("feminine", 0)),
        centre=facts["agresti_coull_centre"] if measured else None,
        rank=rank.value,
        published=figures.rates.get(stereotype),
        published_rank=figures.ranks.get(stereotype),
    )


def _overall_from_centres(cells: Sequence[PairedCell]) -> tuple[float | None, float | None]:
    """f_s and f_m of the centres, as they were published; None where a stereotype has no rate."""
    centres = {cell.stereotype: cell.centre for cell in cells if cell.centre is not None}
    if len(centres) < len(STEREOTYPES):
        return None, None
    p_f = fmean(p for stereotype, p in centres.items() if not is_about_men(stereotype))
    p_m = fmean(p for stereotype, p in centres.items() if is_about_men(stereotype))
    return p_m - p_f, (p_m + p_f) / 2
