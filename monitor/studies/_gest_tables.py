"""What the study `gest` says of a comparison: its summary, checks and tables."""

from collections.abc import Iterator
from statistics import fmean

from monitor.studies.found import Against, Check, Table
from monitor.studies.found import Cell as Shown
from monitor.study.gest import Cell, Pair, Study

#: Rules and a parser may read one translation in a hundred otherwise, which moves a rate by .01 at
#: most where it hits one gender alone; means over rates, and over gender, have to be nearer.
F_S, F_M, YIELD = 0.008, 0.006, 0.03
MEAN_ERROR, LARGEST = 0.006, 0.03

RATES, PAIRS = "Figure 2: p_i", "f_s, f_m and yield"
_OURS = "The Agresti-Coull centre, which is what was printed; series report x/n."


def summary(study: Study) -> list[str]:
    """What came out, in sentences."""
    found = [abs(d) for d in study.differences]
    if not found:
        return ["Nothing could be compared: no pair has published figures.", *study.notes]
    cells = [cell for pair in study.pooled for cell in pair.cells if cell.inside is not None]
    inside = sum(bool(cell.inside) for cell in cells)
    f_s = [abs(d) for p in study.pooled if (d := p.f_s_difference) is not None]
    f_m = [abs(d) for p in study.pooled if (d := p.f_m_difference) is not None]
    ratios = [r for p in study.pooled if (r := p.yield_ratio) is not None]
    lines = [
        (
            f"{len(cells):,} cells of {len(study.pooled)} pairs: mean absolute difference of p_i "
            f"{fmean(found):.4f}, largest {max(found):.4f}; {inside:,} inside the published "
            "interval."
        )
    ]
    if f_s and f_m:
        lines.append(f"Largest difference of f_s {max(f_s):.4f}, of f_m {max(f_m):.4f}.")
    if ratios:
        lines.append(f"Yield between {min(ratios):.3f} and {max(ratios):.3f} of the published one.")
    return [*lines, *study.notes]


def checks(study: Study) -> list[Check]:
    """Means over all pairs, then each pair, then each cell."""
    return [
        *_overall(study),
        *(check for pair in study.pairs for check in _of_pair(study, pair)),
        *(
            check
            for pair in study.pairs
            for cell in pair.cells
            if (check := _of(study, pair, cell))
        ),
    ]


def _overall(study: Study) -> Iterator[Check]:
    found = [abs(d) for d in study.differences]
    if found:
        what = f"p_i over {len(found):,} cells"
        for name, ours, allowed in (
            ("mean", fmean(found), MEAN_ERROR),
            ("largest", max(found), LARGEST),
        ):
            title = f"{what}: {name} absolute difference"
            yield Check(title, RATES, ours, 0.0, allowed, against=Against.PRINTED)


def _of_pair(study: Study, pair: Pair) -> Iterator[Check]:
    figures = pair.figures
    for what, ours, published, tolerance in (
        ("f_s", pair.f_s, figures.f_s, F_S),
        ("f_m", pair.f_m, figures.f_m, F_M),
        ("translations that mark a gender", pair.marked, figures.marked, None),
    ):
        if published is None:
            continue
        allowed = YIELD * published if tolerance is None else tolerance
        yield _held(study, pair, _named(pair, what), PAIRS, (ours, published, allowed))


def _of(study: Study, pair: Pair, cell: Cell) -> Check | None:
    """Within the interval that was printed, which is wide, and as near as the furthest may be."""
    if cell.published is None:
        return None
    half = cell.published.mean - cell.published.low
    what = _named(pair, f"p_{cell.stereotype}")
    numbers = (cell.centre, cell.published.mean, min(half, LARGEST))
    return _held(study, pair, what, RATES, numbers)


def _held(
    study: Study, pair: Pair, what: str, where: str, numbers: tuple[float | None, float, float]
) -> Check:
    """The check; of a language that stands apart, one that compares nothing and says why."""
    ours, published, allowed = numbers
    if pair.language in study.apart:
        note = f"stands apart: {published:.4g} was published, and is not to be trusted"
        return Check(what, where, ours, None, allowed, note, against=Against.PRINTED)
    note = "" if ours is not None else "fewer than ten translations mark a gender"
    return Check(what, where, ours, published, allowed, note, against=Against.PRINTED)


def _named(pair: Pair, what: str) -> str:
    return f"{pair.system}, {pair.language}: {what}"


def pairs_table(study: Study) -> Table:
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


def _pair_row(pair: Pair) -> tuple[Shown, ...]:
    figures = pair.figures
    ranked = [c for c in pair.cells if c.rank is not None and c.published_rank is not None]
    alike = sum(cell.rank == cell.published_rank for cell in ranked)
    return (
        pair.system, pair.language, pair.planned, pair.translated, pair.marked, figures.marked,
        pair.yield_ratio, pair.mean_error, pair.largest, pair.f_s, figures.f_s, pair.f_s_difference,
        pair.f_m, figures.f_m, pair.f_m_difference, pair.plain_f_s, pair.plain_f_m,
        alike if ranked else None, len(ranked),
    )  # fmt: skip


def cells_table(study: Study) -> Table:
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


def _cell_row(pair: Pair, cell: Cell) -> tuple[Shown, ...]:
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
