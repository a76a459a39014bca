"""The figures of the study `gest`: rates by system, feminine ranks over systems, by both."""

from collections.abc import Callable, Sequence
from statistics import fmean

from markupsafe import Markup

from monitor.studies import _gest_charts as charts
from monitor.studies._gest_files import STEREOTYPES, about_men, titles
from monitor.studies.found import Figure
from monitor.study.gest import Cell, Pair, Study

#: What is drawn of a cell: a number of ours, or the published one.
Pick = Callable[[Cell], float | None]
_NOTE = (
    "Masculine forms among the translations that mark a gender; 1 to 7 are stereotypes about "
    "women, 8 to 16 about men."
)


def figures(study: Study) -> list[Figure]:
    """A map of rates for each system, and the feminine ranks over all pairs that are counted."""
    return [
        *(_rates(system, study) for system in dict.fromkeys(pair.system for pair in study.pairs)),
        *_ranks(study.pooled),
    ]


def _rates(system: str, study: Study) -> Figure:
    own = [pair for pair in study.pairs if pair.system == system]
    name, title = f"rates-{_plain(system)}", f"Figure 2: masculine rates p_i, {system}"
    apart = [pair.language for pair in own if pair.language in study.apart]
    return Figure(
        name,
        title,
        _map(own, lambda cell: cell.centre, f"{name}-ours", f"{title}, ours"),
        _published(own, name, title),
        f"{_NOTE} Published figures that stand apart: {', '.join(apart)}." if apart else _NOTE,
    )


def _published(pairs: Sequence[Pair], name: str, title: str) -> Markup | None:
    if not any(cell.published for pair in pairs for cell in pair.cells):
        return None
    return _map(pairs, _theirs, f"{name}-published", f"{title}, as published")


def _theirs(cell: Cell) -> float | None:
    return cell.published.mean if cell.published else None


def _map(pairs: Sequence[Pair], pick: Pick, name: str, title: str) -> Markup:
    names = titles()
    found = {(p.language, c.stereotype): pick(c) for p in pairs for c in p.cells}
    rows = [
        {
            "label": names[stereotype],
            "column": pair.language,
            "strength": (value := found.get((pair.language, stereotype))),
            "shown": None if value is None else f"{value:.2f}",
        }
        for stereotype in STEREOTYPES
        for pair in pairs
    ]
    return charts.heat(rows, name, title)


def _ranks(pairs: Sequence[Pair]) -> list[Figure]:
    title = "Figure 3: feminine ranks of the stereotypes"
    if not any(cell.rank is not None for pair in pairs for cell in pair.cells):
        return []
    published = any(cell.published_rank is not None for pair in pairs for cell in pair.cells)
    return [
        Figure(
            "ranks",
            title,
            _spread(pairs, lambda cell: cell.rank, "ranks-ours", f"{title}, ours"),
            _spread(pairs, lambda c: c.published_rank, "ranks-published", f"{title}, as published")
            if published
            else None,
            "1 is the most feminine. Points: means over the pairs of system and language that are "
            "counted; lines reach from the lowest to the highest rank.",
        )
    ]


def _spread(pairs: Sequence[Pair], pick: Pick, name: str, title: str) -> Markup:
    names = titles()
    rows = []
    for stereotype in STEREOTYPES:
        found = [
            rank
            for pair in pairs
            for cell in pair.cells
            if cell.stereotype == stereotype and (rank := pick(cell)) is not None
        ]
        known = bool(found)
        rows.append(
            {
                "label": names[stereotype],
                "second": about_men(stereotype),
                "value": fmean(found) if known else None,
                "low": min(found) if known else None,
                "high": max(found) if known else None,
            }
        )
    return charts.places(rows, name, title, "feminine rank (● women ◆ men)")


def _plain(name: str) -> str:
    """A captured name as part of an identifier."""
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in name)
