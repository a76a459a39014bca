"""The figures of the study `lm`: g_s, ranks, q_i by template, and who orders stereotypes alike."""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from markupsafe import Markup

from monitor.stats.correlation import ranks
from monitor.studies import _gest_charts as charts
from monitor.studies._gest_files import STEREOTYPES, titles
from monitor.studies._lm_computed import Alike, Model, means
from monitor.studies._lm_given import Published
from monitor.studies._lm_tables import published_mean
from monitor.studies.found import Figure

#: A number of a (template, stereotype) of a model, ours or theirs.
Pick = Callable[[Model, str, str], float | None]
_PAPER_SCALE = "On the scale that the paper prints, so that both can be laid side by side."


def figures(
    models: Sequence[Model], published: Published, between: Mapping[str, Sequence[Alike]]
) -> list[Figure]:
    """All of them; the published ones where everything that they show was published."""
    return [
        _rates(models, published),
        _ranks(models, published),
        *(_levels(models, template, published) for template in models[0].templates),
        *(_alike(what, found) for what, found in between.items() if means(found)),
    ]


def _rates(models: Sequence[Model], published: Published) -> Figure:
    title = "Stereotype rate g_s by model, mean over templates"
    ours = []
    theirs = []
    for model in models:
        mean, printed = model.mean(printed=True), published_mean(model, published)
        row = {"label": model.name, "second": False}
        ours.append(row | {"value": mean.value, "low": mean.low, "high": mean.high})
        theirs.append(row | {"value": printed, "low": printed, "high": printed})
    axis = "g_s (log axis; 1 = none)"
    known = any(row["value"] is not None for row in theirs)
    return Figure(
        "rates",
        title,
        charts.places(ours, "rates-ours", f"{title}, ours", axis, log=True),
        charts.places(theirs, "rates-published", f"{title}, as published", axis, log=True)
        if known
        else None,
        f"{_PAPER_SCALE} Lines: interval at 95 % over samples.",
    )


def _ranks(models: Sequence[Model], published: Published) -> Figure:
    title = "Feminine ranks of the stereotypes, mean over templates"
    theirs = _published_ranks(models, published)
    return Figure(
        "ranks",
        title,
        _rank_map(models, Model.rank, "ranks-ours", f"{title}, ours"),
        _rank_map(
            models,
            lambda model, template, stereotype: theirs.get((model.name, template, stereotype)),
            "ranks-published",
            f"{title}, as published",
        )
        if theirs
        else None,
        "1 is the most feminine; the fuller the colour, the more masculine.",
    )


def _published_ranks(
    models: Sequence[Model], published: Published
) -> dict[tuple[str, str, str], float]:
    """Ranks of published q_i, where all 16 of a model and template were published."""
    import numpy as np

    found: dict[tuple[str, str, str], float] = {}
    for model in models:
        for template in model.templates:
            cells = [(model.name, template, stereotype) for stereotype in STEREOTYPES]
            if all(cell in published.exact for cell in cells):
                own = ranks(np.array([published.exact[cell] for cell in cells]))
                found |= dict(zip(cells, map(float, own), strict=True))
    return found


def _rank_map(models: Sequence[Model], pick: Pick, name: str, title: str) -> Markup:
    def mean(model: Model, stereotype: str) -> float | None:
        found = [pick(model, template, stereotype) for template in model.templates]
        known = [rank for rank in found if rank is not None]
        return fmean(known) if len(known) == len(found) else None

    names, last = titles(), len(STEREOTYPES)
    rows = [
        {
            "label": names[stereotype],
            "column": model.name,
            "strength": None if (rank := mean(model, stereotype)) is None else (rank - 1) / last,
            "shown": None if rank is None else f"{rank:.1f}",
        }
        for stereotype in STEREOTYPES
        for model in models
    ]
    return charts.heat(rows, name, title)


def _levels(models: Sequence[Model], template: str, published: Published) -> Figure:
    title = f"q_i in template {template}"
    name = f"levels-{template}"
    known = any(of[1] == template for of in published.printed)
    return Figure(
        name,
        title,
        _level_map(models, template, _ours, f"{name}-ours", f"{title}, ours"),
        _level_map(
            models,
            template,
            lambda model, of, stereotype: published.printed.get((model.name, of, stereotype)),
            f"{name}-published",
            f"{title}, as published",
        )
        if known
        else None,
        f"{_PAPER_SCALE} Above 1 a man is likelier; the fuller the colour, the more so.",
    )


def _ours(model: Model, template: str, stereotype: str) -> float | None:
    value = model.q_i(template, stereotype, printed=True)
    return None if value is None else value.value


def _level_map(models: Sequence[Model], template: str, pick: Pick, name: str, title: str) -> Markup:
    names = titles()
    found = {
        (model.name, stereotype): pick(model, template, stereotype)
        for model in models
        for stereotype in STEREOTYPES
    }
    logs = [abs(math.log(q)) for q in found.values() if q]
    far = max([math.log(2), *logs])
    rows = [
        {
            "label": names[stereotype],
            "column": model.name,
            "strength": 0.5 + math.log(q) / far / 2
            if (q := found[model.name, stereotype])
            else None,
            "shown": f"{q:.2f}" if q else None,
        }
        for stereotype in STEREOTYPES
        for model in models
    ]
    return charts.heat(rows, name, title)


def _alike(what: str, found: Sequence[Alike]) -> Figure:
    title = f"Order of the stereotypes: Spearman's rho of every two {what}"
    rhos = means(found)
    names = list(dict.fromkeys(name for pair in rhos for name in pair))
    rows = []
    for one in names:
        for two in names:
            rho = 1.0 if one == two else rhos.get((one, two), rhos.get((two, one)))
            shown = None if rho is None else f"{rho:.2f}"
            strength = None if rho is None else max(rho, 0.0)
            rows.append({"label": one, "column": two, "strength": strength, "shown": shown})
    name, drawn = f"alike-{what}", charts.heat(rows, f"alike-{what}-ours", title)
    over = "templates" if what == "models" else "models"
    return Figure(name, title, drawn, None, f"Over 16 stereotypes; means over {over}.")
