"""Results of the study `lm`: checks, tables, sentences and figures."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np
from markupsafe import Markup

from monitor.fetch.recorded_scores import TEMPLATES
from monitor.measures.gest.lm_ratio import SCALES
from monitor.stats.correlation import average_ranks, fisher_interval, pearson, spearman
from monitor.studies import _study_charts as charts
from monitor.studies._gest_files import STEREOTYPES, stereotype_titles
from monitor.studies.catalogue import (
    Cell,
    Figure,
    StudyCheck,
    Table,
    Verdict,
    check_elsewhere,
    check_printed,
)
from monitor.studies.lm import Model, OrderSimilarity, PublishedScores, mean_rhos
from monitor.text.counted_nouns import several

_Q_I, _EXACT, _G_S = "printed q_i", "q_i, unrounded", "g_s, unrounded"
#: Half of the last printed digit; the same arithmetic in double precision.
PRINTED, SAME = 0.005 + 1e-9, 1e-9
#: What the true ratios are to the power of in print: the paper takes exp of means of log10.
POWER = SCALES["published"]
_COMBINED = ("q_f", "q_m", "g_s")


def make_checks(models: Sequence[Model], published: PublishedScores) -> list[StudyCheck]:
    """First what is known to all digits, a line for each table of a model; then printed cells.

    A model and template without published figures is a line of its own, which says why.
    """
    return [
        *(check for model in models for check in _check_exact(model, published)),
        *(check for model in models for check in _check_combined(model, published)),
        *(check for model in models for check in _check_printed(model, published)),
        *(check for model in models for check in _note_unpublished(model, published)),
    ]


def _check_exact(model: Model, published: PublishedScores) -> Iterator[StudyCheck]:
    """The furthest of 16 cells on both scales: the printed one is the true one to a power."""
    for template in model.templates:
        value_pairs = [
            (printed.value, true.value, published.exact[cell])
            for stereotype in STEREOTYPES
            if (cell := (model.name, template, stereotype)) in published.exact
            and (printed := model.q_i(template, stereotype, printed=True)) is not None
            and (true := model.q_i(template, stereotype)) is not None
        ]
        complete = [(p, t, x) for p, t, x in value_pairs if p is not None and t is not None]
        if not complete:
            continue
        label = f"{model.name}, template {template}"
        furthest = max(abs(p - x) for p, _, x in complete)
        what = f"{label}: furthest of {len(complete)} q_i, all digits"
        yield check_elsewhere(what, _EXACT, furthest, 0.0, SAME)
        furthest = max(abs(t**POWER - x) for _, t, x in complete)
        what = f"{label}: furthest of {len(complete)} true q_i ** {POWER:.4f}"
        yield check_elsewhere(what, _EXACT, furthest, 0.0, SAME)


def _check_combined(model: Model, published: PublishedScores) -> Iterator[StudyCheck]:
    for template in model.templates:
        published_values = published.g_s.get((model.name, template))
        for name, value in zip(_COMBINED, published_values or (), strict=bool(published_values)):
            computed = model.of(name, template, printed=True)
            what = f"{model.name}, template {template}: {name}"
            yield check_elsewhere(what, _G_S, computed.value, value, SAME, computed.reason)


def _check_printed(model: Model, published: PublishedScores) -> Iterator[StudyCheck]:
    for template in model.templates:
        for stereotype in STEREOTYPES:
            cell = model.name, template, stereotype
            computed = model.q_i(template, stereotype, printed=True)
            if cell in published.printed and computed is not None:
                what = f"{model.name}, template {template}: q_{stereotype}"
                value = published.printed[cell]
                yield check_printed(what, _Q_I, computed.value, value, PRINTED, computed.reason)


def _note_unpublished(model: Model, published: PublishedScores) -> Iterator[StudyCheck]:
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
            note += _note_numbered(model, of_model)
        else:
            names = sorted({name for name, _ in tables})
            note = f"nothing was published of this model; the tables have {', '.join(names)}"
        what = f"{model.name}, template {template}: q_i and g_s"
        value = model.of("g_s", template, printed=True).value
        yield check_printed(what, _Q_I, value, None, PRINTED, note)


def _note_numbered(model: Model, published: Sequence[str]) -> str:
    """Say what a table is to be called after where it seems to have the numbers of files."""
    renumbered = TEMPLATES["generative"]
    files, templates = list(renumbered), tuple(renumbered.values())
    if model.templates != templates or not set(published) <= set(files):
        return ""
    return (
        f"; the files {' and '.join(files)} of generative models are the templates "
        f"{' and '.join(templates)}, and published tables have to name these"
    )


def uncompared_sentences(checks: Sequence[StudyCheck]) -> Iterator[str]:
    """Yield a sentence where published tables have nothing of what was scored."""
    if checks and all(check.verdict is Verdict.NOT_COMPARED for check in checks):
        yield "Nothing was compared with what was published; the checks say why."


def rates_table(models: Sequence[Model], published: PublishedScores) -> Table:
    """q_f, q_m and g_s of each model and template, and the mean over templates."""
    rows: list[tuple[Cell, ...]] = []
    for model in models:
        for template in model.templates:
            q_f, q_m, g_s = (model.of(name, template) for name in _COMBINED)
            printed = model.of("g_s", template, printed=True).value
            published_g_s = published.g_s.get((model.name, template), (None, None, None))[2]
            ends = g_s.value, g_s.low, g_s.high
            rows.append((model.name, template, q_f.value, q_m.value, *ends, printed, published_g_s))
        mean, printed = model.mean(), model.mean(printed=True).value
        published_g_s = published_mean(model, published)
        ends = mean.value, mean.low, mean.high
        rows.append((model.name, "mean", None, None, *ends, printed, published_g_s))
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


def published_mean(model: Model, published: PublishedScores) -> float | None:
    """The mean of published g_s over the templates; None where one of them is not there."""
    published_values = [published.g_s.get((model.name, template)) for template in model.templates]
    return (
        None
        if None in published_values
        else fmean(values[2] for values in published_values if values is not None)
    )


def levels_table(models: Sequence[Model], published: PublishedScores) -> Table:
    """q_i and the feminine rank of each model, template and stereotype."""
    rows = []
    for model in models:
        for template in model.templates:
            for stereotype in STEREOTYPES:
                true = model.q_i(template, stereotype)
                printed = model.q_i(template, stereotype, printed=True)
                if true is None or printed is None:
                    continue
                published_q_i = published.printed.get((model.name, template, stereotype))
                rank = model.rank(template, stereotype)
                rows.append(
                    (model.name, template, stereotype, true.value, true.low, true.high,
                     printed.value, published_q_i, rank)
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


def alike_table(found: Sequence[OrderSimilarity], name: str, title: str, within: str) -> Table:
    """Every two models, or templates, within each of the others."""
    return Table(
        name,
        title,
        ("first", "second", within, "Spearman's rho"),
        tuple(
            (similarity.first, similarity.second, similarity.within, similarity.rho)
            for similarity in found
        ),
        "Over the q_i of the 16 stereotypes; 1 says that both order them alike.",
    )


def summarise_models(
    models: Sequence[Model], between: Mapping[str, Sequence[OrderSimilarity]]
) -> list[str]:
    """Return how stereotypical the models are, and how alike their orders are."""
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
    for what, similarities in between.items():
        if rhos := sorted(mean_rhos(similarities).values()):
            lines.append(
                f"Order of the stereotypes, every two {what}: mean Spearman's rho "
                f"{fmean(rhos):.2f}, lowest {rhos[0]:.2f}, highest {rhos[-1]:.2f}."
            )
    return lines


def compare_winobias(
    models: Sequence[Model], winobias: Mapping[str, float]
) -> tuple[Table, list[str]]:
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
    return table, [_format_correlation(x, y, ranks=ranks) for ranks in (False, True)]


def _format_correlation(x: Sequence[float], y: Sequence[float], *, ranks: bool) -> str:
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


def draw_figures(
    models: Sequence[Model],
    published: PublishedScores,
    between: Mapping[str, Sequence[OrderSimilarity]],
) -> list[Figure]:
    """All of them; the published ones where everything that they show was published."""
    return [
        _draw_rates(models, published),
        _draw_ranks(models, published),
        *(_draw_levels(models, template, published) for template in models[0].templates),
        *(
            _draw_alike(what, similarities)
            for what, similarities in between.items()
            if mean_rhos(similarities)
        ),
    ]


def _draw_rates(models: Sequence[Model], published: PublishedScores) -> Figure:
    title = "Stereotype rate g_s by model, mean over templates"
    our_rows = []
    published_rows = []
    for model in models:
        mean, printed = model.mean(printed=True), published_mean(model, published)
        row = {"label": model.name, "second": False}
        our_rows.append(row | {"value": mean.value, "low": mean.low, "high": mean.high})
        published_rows.append(row | {"value": printed, "low": printed, "high": printed})
    axis = "g_s (log axis; 1 = none)"
    has_published = any(row["value"] is not None for row in published_rows)
    return Figure(
        "rates",
        title,
        charts.draw_ranges(our_rows, "rates-ours", f"{title}, ours", axis, log=True),
        charts.draw_ranges(
            published_rows, "rates-published", f"{title}, as published", axis, log=True
        )
        if has_published
        else None,
        f"{_PAPER_SCALE} Lines: interval at 95 % over samples.",
    )


def _draw_ranks(models: Sequence[Model], published: PublishedScores) -> Figure:
    title = "Feminine ranks of the stereotypes, mean over templates"
    published_ranks = _published_ranks(models, published)
    return Figure(
        "ranks",
        title,
        _draw_rank_map(models, Model.rank, "ranks-ours", f"{title}, ours"),
        _draw_rank_map(
            models,
            lambda model, template, stereotype: published_ranks.get(
                (model.name, template, stereotype)
            ),
            "ranks-published",
            f"{title}, as published",
        )
        if published_ranks
        else None,
        "1 is the most feminine; the fuller the colour, the more masculine.",
    )


def _published_ranks(
    models: Sequence[Model], published: PublishedScores
) -> dict[tuple[str, str, str], float]:
    """Ranks of published q_i, where all 16 of a model and template were published."""
    rank_by_cell: dict[tuple[str, str, str], float] = {}
    for model in models:
        for template in model.templates:
            cells = [(model.name, template, stereotype) for stereotype in STEREOTYPES]
            if all(cell in published.exact for cell in cells):
                model_ranks = average_ranks(np.array([published.exact[cell] for cell in cells]))
                rank_by_cell |= dict(zip(cells, map(float, model_ranks), strict=True))
    return rank_by_cell


def _draw_rank_map(models: Sequence[Model], pick: Pick, name: str, title: str) -> Markup:
    def mean(model: Model, stereotype: str) -> float | None:
        model_ranks = [pick(model, template, stereotype) for template in model.templates]
        numbers = [rank for rank in model_ranks if rank is not None]
        return fmean(numbers) if len(numbers) == len(model_ranks) else None

    names, last = stereotype_titles(), len(STEREOTYPES)
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


def _draw_levels(models: Sequence[Model], template: str, published: PublishedScores) -> Figure:
    title = f"q_i in template {template}"
    name = f"levels-{template}"
    has_published = any(of[1] == template for of in published.printed)
    return Figure(
        name,
        title,
        _draw_level_map(models, template, _our_level, f"{name}-ours", f"{title}, ours"),
        _draw_level_map(
            models,
            template,
            lambda model, of, stereotype: published.printed.get((model.name, of, stereotype)),
            f"{name}-published",
            f"{title}, as published",
        )
        if has_published
        else None,
        f"{_PAPER_SCALE} Above 1 a man is likelier; the fuller the colour, the more so.",
    )


def _our_level(model: Model, template: str, stereotype: str) -> float | None:
    value = model.q_i(template, stereotype, printed=True)
    return None if value is None else value.value


def _draw_level_map(
    models: Sequence[Model], template: str, pick: Pick, name: str, title: str
) -> Markup:
    names = stereotype_titles()
    levels = {
        (model.name, stereotype): pick(model, template, stereotype)
        for model in models
        for stereotype in STEREOTYPES
    }
    logs = [abs(math.log(q)) for q in levels.values() if q]
    far = max([math.log(2), *logs])
    rows = [
        {
            "label": names[stereotype],
            "column": model.name,
            "strength": 0.5 + math.log(q) / far / 2
            if (q := levels[model.name, stereotype])
            else None,
            "shown": f"{q:.2f}" if q else None,
        }
        for stereotype in STEREOTYPES
        for model in models
    ]
    return charts.draw_heat_map(rows, name, title)


def _draw_alike(what: str, found: Sequence[OrderSimilarity]) -> Figure:
    title = f"Order of the stereotypes: Spearman's rho of every two {what}"
    rhos = mean_rhos(found)
    names = list(dict.fromkeys(name for pair in rhos for name in pair))
    rows = []
    for row_name in names:
        for two in names:
            rho = 1.0 if row_name == two else rhos.get((row_name, two), rhos.get((two, row_name)))
            text = None if rho is None else f"{rho:.2f}"
            strength = None if rho is None else max(rho, 0.0)
            rows.append({"label": row_name, "column": two, "strength": strength, "shown": text})
    name, chart = f"alike-{what}", charts.draw_heat_map(rows, f"alike-{what}-ours", title)
    over = "templates" if what == "models" else "models"
    return Figure(name, title, chart, None, f"Over 16 stereotypes; means over {over}.")
