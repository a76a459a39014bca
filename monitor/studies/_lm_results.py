"""Results of the study `lm`: checks, tables, sentences and figures."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean

from markupsafe import Markup

from monitor.fetch.score_files import TEMPLATES
from monitor.measures.gest.lm_ratio import SCALES
from monitor.stats.correlation import fisher_interval, pearson, ranks, spearman
from monitor.studies import _study_charts as charts
from monitor.studies._gest_files import STEREOTYPES, titles
from monitor.studies._lm_scores import Alike, Model, Published, means
from monitor.studies.records import Against, Cell, Check, Figure, Table, Verdict
from monitor.text.counted_nouns import several

_Q_I, _EXACT, _G_S = "printed q_i", "q_i, unrounded", "g_s, unrounded"
#: Half of the last printed digit; the same arithmetic in double precision.
PRINTED, SAME = 0.005 + 1e-9, 1e-9
#: What the true ratios are to the power of in print: the paper takes exp of means of log10.
POWER = SCALES["published"]
_COMBINED = ("q_f", "q_m", "g_s")


def checks(models: Sequence[Model], published: Published) -> list[Check]:
    """First what is known to all digits, a line for each table of a model; then printed cells.

    A model and template without published figures is a line of its own, which says why.
    """
    return [
        *(check for model in models for check in _exact(model, published)),
        *(check for model in models for check in _combined(model, published)),
        *(check for model in models for check in _printed(model, published)),
        *(check for model in models for check in _unpublished(model, published)),
    ]


def _exact(model: Model, published: Published) -> Iterator[Check]:
    """The furthest of 16 cells on both scales: the printed one is the true one to a power."""
    for template in model.templates:
        both = [
            (printed.value, true.value, published.exact[cell])
            for stereotype in STEREOTYPES
            if (cell := (model.name, template, stereotype)) in published.exact
            and (printed := model.q_i(template, stereotype, printed=True)) is not None
            and (true := model.q_i(template, stereotype)) is not None
        ]
        known = [(p, t, x) for p, t, x in both if p is not None and t is not None]
        if not known:
            continue
        named = f"{model.name}, template {template}"
        furthest = max(abs(p - x) for p, _, x in known)
        what = f"{named}: furthest of {len(known)} q_i, all digits"
        yield Check(what, _EXACT, furthest, 0.0, SAME, against=Against.ELSEWHERE)
        furthest = max(abs(t**POWER - x) for _, t, x in known)
        what = f"{named}: furthest of {len(known)} true q_i ** {POWER:.4f}"
        yield Check(what, _EXACT, furthest, 0.0, SAME, against=Against.ELSEWHERE)


def _combined(model: Model, published: Published) -> Iterator[Check]:
    for template in model.templates:
        known = published.g_s.get((model.name, template))
        for name, value in zip(_COMBINED, known or (), strict=bool(known)):
            ours = model.of(name, template, printed=True)
            what = f"{model.name}, template {template}: {name}"
            yield Check(what, _G_S, ours.value, value, SAME, ours.reason, against=Against.ELSEWHERE)


def _printed(model: Model, published: Published) -> Iterator[Check]:
    for template in model.templates:
        for stereotype in STEREOTYPES:
            cell = model.name, template, stereotype
            ours = model.q_i(template, stereotype, printed=True)
            if cell in published.printed and ours is not None:
                what = f"{model.name}, template {template}: q_{stereotype}"
                value = published.printed[cell]
                yield Check(
                    what, _Q_I, ours.value, value, PRINTED, ours.reason, against=Against.PRINTED
                )


def _unpublished(model: Model, published: Published) -> Iterator[Check]:
    """Templates of a model that the tables say nothing of; nothing without any tables."""
    tables = {(name, template) for name, template, _ in (*published.printed, *published.exact)}
    tables |= set(published.g_s)
    if not tables:
        return
    of_model = sorted({template for name, template in tables if name == model.name})
    for template in model.templates:
        if (model.name, template) in tables:
            continue
        if of_model:
            note = f"published of this model: template {', '.join(of_model)}"
            note += _numbered(model, of_model)
        else:
            names = sorted({name for name, _ in tables})
            note = f"nothing was published of this model; the tables have {', '.join(names)}"
        what = f"{model.name}, template {template}: q_i and g_s"
        ours = model.of("g_s", template, printed=True).value
        yield Check(what, _Q_I, ours, None, PRINTED, note, against=Against.PRINTED)


def _numbered(model: Model, published: Sequence[str]) -> str:
    """Say what a table is to be called after where it seems to have the numbers of files."""
    renumbered = TEMPLATES["generative"]
    files, templates = list(renumbered), tuple(renumbered.values())
    if model.templates != templates or not set(published) <= set(files):
        return ""
    return (
        f"; the files {' and '.join(files)} of generative models are the templates "
        f"{' and '.join(templates)}, and published tables have to name these"
    )


def compared(checks: Sequence[Check]) -> Iterator[str]:
    """Yield a sentence where published tables have nothing of what was scored."""
    if checks and all(check.verdict is Verdict.NOT_COMPARED for check in checks):
        yield "Nothing was compared with what was published; the checks say why."


def rates_table(models: Sequence[Model], published: Published) -> Table:
    """q_f, q_m and g_s of each model and template, and the mean over templates."""
    rows: list[tuple[Cell, ...]] = []
    for model in models:
        for template in model.templates:
            q_f, q_m, g_s = (model.of(name, template) for name in _COMBINED)
            printed = model.of("g_s", template, printed=True).value
            theirs = published.g_s.get((model.name, template), (None, None, None))[2]
            ends = g_s.value, g_s.low, g_s.high
            rows.append((model.name, template, q_f.value, q_m.value, *ends, printed, theirs))
        mean, printed = model.mean(), model.mean(printed=True).value
        theirs = published_mean(model, published)
        ends = mean.value, mean.low, mean.high
        rows.append((model.name, "mean", None, None, *ends, printed, theirs))
    return Table(
        "g_s",
        "Stereotype rates g_s",
        (
            "model", "template", "q_f", "q_m", "g_s", "low", "high", "g_s as the paper counts",
            "published g_s",
        ),
        tuple(rows),
        "True ratios with their interval at 95 %; 1 is none. The paper takes exp of mean log10 "
        f"ratios, which is the true value to the power of {POWER:.4f}: nearer to 1, in the same "
        "order. A mean over templates is one of ratios, and so is no power of the other.",
    )  # fmt: skip


def published_mean(model: Model, published: Published) -> float | None:
    """The mean of published g_s over the templates; None where one of them is not there."""
    known = [published.g_s.get((model.name, template)) for template in model.templates]
    return None if None in known else fmean(one[2] for one in known if one is not None)


def levels_table(models: Sequence[Model], published: Published) -> Table:
    """q_i and the feminine rank of each model, template and stereotype."""
    rows = []
    for model in models:
        for template in model.templates:
            for stereotype in STEREOTYPES:
                true = model.q_i(template, stereotype)
                printed = model.q_i(template, stereotype, printed=True)
                if true is None or printed is None:
                    continue
                theirs = published.printed.get((model.name, template, stereotype))
                rank = model.rank(template, stereotype)
                rows.append(
                    (model.name, template, stereotype, true.value, true.low, true.high,
                     printed.value, theirs, rank)
                )  # fmt: skip
    return Table(
        "q_i",
        "Masculine over feminine probability q_i",
        (
            "model", "template", "stereotype", "q_i", "low", "high", "q_i as the paper counts",
            "printed", "feminine rank",
        ),
        tuple(rows),
        "q_i compares within one model and template only: its level is how often the model writes "
        "he at all. Rank 1 is the most feminine.",
    )  # fmt: skip


def alike_table(found: Sequence[Alike], name: str, title: str, within: str) -> Table:
    """Every two models, or templates, within each of the others."""
    return Table(
        name,
        title,
        ("first", "second", within, "Spearman's rho"),
        tuple((one.first, one.second, one.within, one.rho) for one in found),
        "Over the q_i of the 16 stereotypes; 1 says that both order them alike.",
    )


def sentences(models: Sequence[Model], between: Mapping[str, Sequence[Alike]]) -> list[str]:
    """How stereotypical the models are, and how alike models and templates order stereotypes."""
    rates = sorted(
        (value, model.name) for model in models if (value := model.mean().value) is not None
    )
    lines = []
    if rates:
        (low, least), (high, most) = rates[0], rates[-1]
        above = sum(value > 1 for value, _ in rates)
        lines.append(
            f"{above} of {several(len(rates), 'model')} lean towards the stereotypes (g_s above "
            f"1); g_s lies between {low:.3f} ({least}) and {high:.3f} ({most})."
        )
    for what, found in between.items():
        known = sorted(means(found).values())
        if known:
            lines.append(
                f"Order of the stereotypes, every two {what}: mean Spearman's rho "
                f"{fmean(known):.2f}, lowest {known[0]:.2f}, highest {known[-1]:.2f}."
            )
    return lines


def validity(models: Sequence[Model], winobias: Mapping[str, float]) -> tuple[Table, list[str]]:
    """WinoBias beside g_s, of the models that have both, and how the two correlate."""
    rows = [
        (model.name, winobias[model.name], math.log(value))
        for model in models
        if model.name in winobias and (value := model.mean().value) is not None
    ]
    table = Table(
        "winobias",
        "Predictive validity: WinoBias beside g_s",
        ("model", "WinoBias", "log g_s"),
        tuple(rows),
        "WinoBias: mean log ratio of he over she in occupations of men less that in occupations of "
        "women, over the parts of the data. g_s: mean over templates.",
    )
    x, y = [bias for _, bias, _ in rows], [log for _, _, log in rows]
    return table, [_correlated(x, y, ranks=ranks) for ranks in (False, True)]


def _correlated(x: Sequence[float], y: Sequence[float], *, ranks: bool) -> str:
    name, n = ("Spearman" if ranks else "Pearson"), several(len(x), "model")
    r = spearman(x, y) if ranks else pearson(x, y)
    if r is None:
        return f"WinoBias and log g_s: no {name} correlation over {n}; too few, or all the same."
    limits = fisher_interval(r, len(x), ranks=ranks)
    ends = f" [{limits.low:.2f}, {limits.high:.2f}]" if limits else ""
    return f"WinoBias and log g_s: {name} correlation {r:.2f}{ends} over {n}."


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
        charts.draw_ranges(ours, "rates-ours", f"{title}, ours", axis, log=True),
        charts.draw_ranges(theirs, "rates-published", f"{title}, as published", axis, log=True)
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
    return charts.draw_heat_map(rows, name, title)


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
    return charts.draw_heat_map(rows, name, title)


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
    name, drawn = f"alike-{what}", charts.draw_heat_map(rows, f"alike-{what}-ours", title)
    over = "templates" if what == "models" else "models"
    return Figure(name, title, drawn, None, f"Over 16 stereotypes; means over {over}.")
