"""GEST translations: recorded answers in, rates, ranks, f_s, f_m beside published ones out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from markupsafe import Markup

from monitor import registry
from monitor.studies import _study_charts as charts
from monitor.studies._gest_files import (
    PAPER,
    STEREOTYPES,
    GestComparison,
    PairedCell,
    SystemLanguage,
    compare_pairs,
    describe_files,
    is_about_men,
    read_published,
    read_sentences,
    recorded_files,
    stereotype_titles,
)
from monitor.studies.catalogue import Cell as Shown
from monitor.studies.catalogue import (
    Figure,
    Limit,
    Option,
    ReferenceInputs,
    ReportStep,
    Study,
    StudyCheck,
    StudyResult,
    Table,
    check_printed,
)

#: The published Belarusian rates rest on the parser's gender errors.
_WRONG = ("be",)

OPTIONS = (
    Option("translations", "Folder with SYSTEM/LANGUAGE.csv (source, translation).", Path,
           required=True),
    Option("list", "The GEST sentences: gest.csv, or gest@1.0.csv.", Path, required=True),
)  # fmt: skip


class Gest(Study):
    """Every recorded pair of system and language, held against the published figures."""

    name = "gest"
    title = "GEST: masculine rates of recorded translations"
    paper = f"{PAPER}, Figures 2, 3 and 11"
    question = (
        "Do the rules that read grammatical gender here give the masculine rates that a neural "
        "parser gave the authors, from the same translations?"
    )
    example = "gest --translations recorded --published figures --list gest@1.0.csv --apart be"
    options = (
        *OPTIONS,
        Option(
            "published",
            "Folder with mt_p_i.csv, and where known mt_fs_fm.csv, mt_yields.csv, mt_ranks.csv.",
            Path,
            required=True,
        ),
        Option(
            "apart",
            "Language to show without counting it, because its published figures are wrong.",
            several=True,
        ),
    )
    reference = ReferenceInputs(
        {
            "translations": "gest/translations",
            "published": "gest/published",
            "list": "gest/gest.csv",
        },
        {"apart": _WRONG},
    )

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput naming the file that cannot be used."""
        sentences, published = read_sentences(given["list"]), read_published(given["published"])
        files = recorded_files(given["translations"])
        tell(f"reading {len(files)} pairs of system and language")
        comparison = compare_pairs(
            sentences,
            given["translations"],
            published,
            registry.language,
            apart=frozenset(given["apart"] or ()),
        )
        tell("drawing")
        return StudyResult(
            ran={
                "translations": describe_files(files),
                "sentences": f"{len(sentences):,} rows; {describe_files([given['list']])}",
                "published figures": describe_files(sorted(given["published"].glob("mt_*.csv"))),
            },
            checks=make_checks(comparison),
            tables=(pairs_table(comparison), cells_table(comparison)),
            figures=draw_figures(comparison) if comparison.pairs else (),
            limits=(
                Limit(
                    "Systems whose translations were not recorded here",
                    "live systems answer otherwise today; only recorded answers can be compared",
                ),
                Limit(
                    "The authors' parse of each sentence",
                    "the neural parser is not run; the rules read the translations anew",
                ),
            ),
            notes=summarise_gest(comparison),
        )


STUDY = Gest()


#: Rules and a parser may read one translation in a hundred otherwise, which moves a rate by .01 at
#: most where it hits one gender alone; means over rates, and over gender, have to be nearer.
F_S, F_M, YIELD = 0.008, 0.006, 0.03
MEAN_ERROR, LARGEST = 0.006, 0.03

RATES, PAIRS = "Figure 2: p_i", "f_s, f_m and yield"
_OURS = "The Agresti-Coull centre, which is what was printed; series report x/n."


def summarise_gest(study: GestComparison) -> list[str]:
    """Return the results in sentences."""
    differences = [abs(d) for d in study.differences]
    if not differences:
        return ["Nothing could be compared: no pair has published figures.", *study.notes]
    cells = [cell for pair in study.pooled for cell in pair.cells if cell.inside is not None]
    inside = sum(bool(cell.inside) for cell in cells)
    f_s = [abs(d) for p in study.pooled if (d := p.f_s_difference) is not None]
    f_m = [abs(d) for p in study.pooled if (d := p.f_m_difference) is not None]
    ratios = [r for p in study.pooled if (r := p.yield_ratio) is not None]
    lines = [
        (
            f"{len(cells):,} cells of {len(study.pooled)} pairs: mean absolute difference of p_i "
            f"{fmean(differences):.4f}, largest {max(differences):.4f}; {inside:,} inside the "
            "published interval."
        )
    ]
    if f_s and f_m:
        lines.append(f"Largest difference of f_s {max(f_s):.4f}, of f_m {max(f_m):.4f}.")
    if ratios:
        lines.append(f"Yield between {min(ratios):.3f} and {max(ratios):.3f} of the published one.")
    return [*lines, *study.notes]


def make_checks(study: GestComparison) -> list[StudyCheck]:
    """Means over all pairs, then each pair, then each cell."""
    return [
        *_check_overall(study),
        *(check for pair in study.pairs for check in _check_pair(study, pair)),
        *(
            check
            for pair in study.pairs
            for cell in pair.cells
            if (check := _check_cell(study, pair, cell))
        ),
    ]


def _check_overall(study: GestComparison) -> Iterator[StudyCheck]:
    differences = [abs(d) for d in study.differences]
    if differences:
        what = f"p_i over {len(differences):,} cells"
        for name, value, allowed in (
            ("mean", fmean(differences), MEAN_ERROR),
            ("largest", max(differences), LARGEST),
        ):
            title = f"{what}: {name} absolute difference"
            yield check_printed(title, RATES, value, 0.0, allowed)


def _check_pair(study: GestComparison, pair: SystemLanguage) -> Iterator[StudyCheck]:
    figures = pair.figures
    for what, value, published, tolerance in (
        ("f_s", pair.f_s, figures.f_s, F_S),
        ("f_m", pair.f_m, figures.f_m, F_M),
        ("translations that mark a gender", pair.marked, figures.marked, None),
    ):
        if published is None:
            continue
        allowed = YIELD * published if tolerance is None else tolerance
        yield _make_check(study, pair, _label_value(pair, what), PAIRS, (value, published, allowed))


def _check_cell(study: GestComparison, pair: SystemLanguage, cell: PairedCell) -> StudyCheck | None:
    """Within the interval that was printed, which is wide, and as near as the furthest may be."""
    if cell.published is None:
        return None
    half = cell.published.mean - cell.published.low
    what = _label_value(pair, f"p_{cell.stereotype}")
    numbers = (cell.centre, cell.published.mean, min(half, LARGEST))
    return _make_check(study, pair, what, RATES, numbers)


def _make_check(
    study: GestComparison,
    pair: SystemLanguage,
    what: str,
    where: str,
    numbers: tuple[float | None, float, float],
) -> StudyCheck:
    """The check; of a language that stands apart, one that compares nothing and says why."""
    value, published, allowed = numbers
    if pair.language in study.apart:
        note = f"stands apart: {published:.4g} was published, and is not to be trusted"
        return check_printed(what, where, value, None, allowed, note)
    note = "" if value is not None else "fewer than ten translations mark a gender"
    return check_printed(what, where, value, published, allowed, note)


def _label_value(pair: SystemLanguage, what: str) -> str:
    return f"{pair.system}, {pair.language}: {what}"


def pairs_table(study: GestComparison) -> Table:
    """One row for each system and language."""
    return Table(
        "pairs",
        "Systems and languages",
        (
            "system", "language", "planned", "translated", "yield", "published yield", "ratio",
            "mean absolute difference of p_i", "largest", "f_s", "published f_s",
            "difference of f_s", "f_m", "published f_m", "difference of f_m", "f_s of x/n",
            "f_m of x/n", "ranks alike", "ranks",
        ),
        tuple(map(_pair_row, study.pairs)),
        "Yield: translations read as masculine or feminine. Ranks alike: of the stereotypes, how "
        "many have the published feminine rank; two whose rates are close change places easily.",
    )  # fmt: skip


def _pair_row(pair: SystemLanguage) -> tuple[Shown, ...]:
    figures = pair.figures
    ranked = [c for c in pair.cells if c.rank is not None and c.published_rank is not None]
    alike = sum(cell.rank == cell.published_rank for cell in ranked)
    return (
        pair.system, pair.language, pair.planned, pair.translated, pair.marked, figures.marked,
        pair.yield_ratio, pair.mean_error, pair.largest, pair.f_s, figures.f_s, pair.f_s_difference,
        pair.f_m, figures.f_m, pair.f_m_difference, pair.plain_f_s, pair.plain_f_m,
        alike if ranked else None, len(ranked),
    )  # fmt: skip


def cells_table(study: GestComparison) -> Table:
    """One row for each stereotype of each pair."""
    return Table(
        "cells",
        "Masculine rates p_i",
        (
            "system", "language", "stereotype", "masculine", "feminine", "p_i", "published", "low",
            "high", "difference", "inside", "feminine rank", "published rank",
        ),
        tuple(_cell_row(pair, cell) for pair in study.pairs for cell in pair.cells),
        f"{_OURS} Inside: whether ours lies in the published interval, from low to high.",
    )  # fmt: skip


def _cell_row(pair: SystemLanguage, cell: PairedCell) -> tuple[Shown, ...]:
    published = cell.published
    return (
        pair.system,
        pair.language,
        cell.stereotype,
        cell.masculine,
        cell.feminine,
        cell.centre,
        published.mean if published else None,
        published.low if published else None,
        published.high if published else None,
        cell.difference,
        {True: "yes", False: "no", None: None}[cell.inside],
        None if cell.rank is None else round(cell.rank),
        cell.published_rank,
    )


#: What is drawn of a cell: a number of ours, or the published one.
Pick = Callable[[PairedCell], float | None]
_NOTE = (
    "Masculine forms among the translations that mark a gender; 1 to 7 are stereotypes about "
    "women, 8 to 16 about men."
)


def draw_figures(study: GestComparison) -> list[Figure]:
    """A map of rates for each system, and the feminine ranks over all pairs that are counted."""
    return [
        *(
            _draw_rates(system, study)
            for system in dict.fromkeys(pair.system for pair in study.pairs)
        ),
        *_draw_ranks(study.pooled),
    ]


def _draw_rates(system: str, study: GestComparison) -> Figure:
    system_pairs = [pair for pair in study.pairs if pair.system == system]
    name, title = f"rates-{_to_identifier(system)}", f"Figure 2: masculine rates p_i, {system}"
    apart = [pair.language for pair in system_pairs if pair.language in study.apart]
    return Figure(
        name,
        title,
        _draw_map(system_pairs, lambda cell: cell.centre, f"{name}-ours", f"{title}, ours"),
        _draw_published(system_pairs, name, title),
        f"{_NOTE} Published figures that stand apart: {', '.join(apart)}." if apart else _NOTE,
    )


def _draw_published(pairs: Sequence[SystemLanguage], name: str, title: str) -> Markup | None:
    if not any(cell.published for pair in pairs for cell in pair.cells):
        return None
    return _draw_map(pairs, _published_rate, f"{name}-published", f"{title}, as published")


def _published_rate(cell: PairedCell) -> float | None:
    return cell.published.mean if cell.published else None


def _draw_map(pairs: Sequence[SystemLanguage], pick: Pick, name: str, title: str) -> Markup:
    names = stereotype_titles()
    values = {(p.language, c.stereotype): pick(c) for p in pairs for c in p.cells}
    rows = [
        {
            "label": names[stereotype],
            "column": pair.language,
            "strength": (value := values.get((pair.language, stereotype))),
            "shown": None if value is None else f"{value:.2f}",
        }
        for stereotype in STEREOTYPES
        for pair in pairs
    ]
    return charts.draw_heat_map(rows, name, title)


def _draw_ranks(pairs: Sequence[SystemLanguage]) -> list[Figure]:
    title = "Figure 3: feminine ranks of the stereotypes"
    if not any(cell.rank is not None for pair in pairs for cell in pair.cells):
        return []
    published = any(cell.published_rank is not None for pair in pairs for cell in pair.cells)
    return [
        Figure(
            "ranks",
            title,
            _draw_rank_ranges(pairs, lambda cell: cell.rank, "ranks-ours", f"{title}, ours"),
            _draw_rank_ranges(
                pairs, lambda c: c.published_rank, "ranks-published", f"{title}, as published"
            )
            if published
            else None,
            "1 is the most feminine. Points: means over the pairs of system and language that are "
            "counted; lines reach from the lowest to the highest rank.",
        )
    ]


def _draw_rank_ranges(pairs: Sequence[SystemLanguage], pick: Pick, name: str, title: str) -> Markup:
    names = stereotype_titles()
    rows = []
    for stereotype in STEREOTYPES:
        ranks = [
            rank
            for pair in pairs
            for cell in pair.cells
            if cell.stereotype == stereotype and (rank := pick(cell)) is not None
        ]
        has_ranks = bool(ranks)
        rows.append(
            {
                "label": names[stereotype],
                "second": is_about_men(stereotype),
                "value": fmean(ranks) if has_ranks else None,
                "low": min(ranks) if has_ranks else None,
                "high": max(ranks) if has_ranks else None,
            }
        )
    return charts.draw_ranges(rows, name, title, "feminine rank (● women ◆ men)")


def _to_identifier(name: str) -> str:
    """A captured name as part of an identifier."""
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in name)
