"""Scores of language models in, q_i, g_s and ranks by model and template out, as series have them.

The numbers are those of the measure `lm_ratio`, once on the true scale and once on the printed one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from monitor import registry
from monitor.engines.files.recorded_scores import LOGS
from monitor.fetch.score_files import ScoreFiles
from monitor.lists import ProbeList
from monitor.model import Context, Unit, Value
from monitor.stats.correlation import spearman
from monitor.studies._gest_files import STEREOTYPES
from monitor.studies._lm_given import pairs

#: Intervals are percentiles of so many draws.
_CONTEXT = Context(seed=1, draws=500)
_Values = Mapping[tuple[str, str], Value]


@dataclass(frozen=True, slots=True)
class Model:
    """The values of one model on both scales, by quantity and scope."""

    name: str
    templates: tuple[str, ...]
    true: _Values
    printed: _Values

    def q_i(self, template: str, stereotype: str, *, printed: bool = False) -> Value | None:
        """q_i of a stereotype; None where the list does not ask it."""
        values = self.printed if printed else self.true
        return values.get(("q_i", f"template-stereotype:{template}/{stereotype}"))

    def rank(self, template: str, stereotype: str) -> float | None:
        """Its feminine rank; None where any q_i is insufficient."""
        value = self.true.get(("q_rank", f"template-stereotype:{template}/{stereotype}"))
        return None if value is None else value.value

    def of(self, quantity: str, template: str, *, printed: bool = False) -> Value:
        """q_f, q_m or g_s of a template."""
        return (self.printed if printed else self.true)[quantity, f"template:{template}"]

    def mean(self, *, printed: bool = False) -> Value:
        """g_s of the model: the plain mean over its templates."""
        return (self.printed if printed else self.true)["g_s_mean", "all"]

    def levels(self, template: str) -> list[float] | None:
        """q_i of all stereotypes in order; None where one is not there."""
        found = [self.q_i(template, stereotype) for stereotype in STEREOTYPES]
        known = [one.value for one in found if one is not None and one.value is not None]
        return known if len(known) == len(STEREOTYPES) else None


def computed(files: ScoreFiles, probe_list: ProbeList) -> Model:
    """The values of one model. Raises InvalidInput for a stereotype that is not one of the 16."""
    factor = LOGS[files.log]
    units = [
        Unit(
            item.key,
            item.tags,
            (None,),
            tuple((name, x * factor) for name, x in sorted(files.scores[item.text].items())),
        )
        for item in probe_list.items
    ]
    templates = tuple(sorted(next(iter(files.scores.values()))))
    return Model(files.system, templates, _values(units, "true"), _values(units, "published"))


def _values(units: Sequence[Unit], scale: str) -> _Values:
    measure = registry.measure("lm_ratio").configure({"scale": scale})
    return {(one.name, one.scope): one for one in measure.derive(units, _CONTEXT).values}


@dataclass(frozen=True, slots=True)
class Alike:
    """How alike the orders of the 16 stereotypes are: Spearman's rho of two lists of q_i."""

    first: str
    second: str
    within: str  # the template, or the model, that both are of
    rho: float | None


def between_models(models: Sequence[Model]) -> list[Alike]:
    """Every two models within each template."""
    named = {model.name: model for model in models}
    return [
        Alike(one, two, template, _rho(named[one], template, named[two], template))
        for template in models[0].templates
        for one, two in pairs(tuple(named))
    ]


def between_templates(models: Sequence[Model]) -> list[Alike]:
    """Every two templates within each model."""
    return [
        Alike(one, two, model.name, _rho(model, one, model, two))
        for model in models
        for one, two in pairs(model.templates)
    ]


def _rho(one: Model, of_one: str, two: Model, of_two: str) -> float | None:
    first, second = one.levels(of_one), two.levels(of_two)
    return None if first is None or second is None else spearman(first, second)


def means(found: Sequence[Alike]) -> dict[tuple[str, str], float]:
    """{(first, second): mean rho over what both are within}, where all are known."""
    by_pair: dict[tuple[str, str], list[float | None]] = {}
    for one in found:
        by_pair.setdefault((one.first, one.second), []).append(one.rho)
    return {
        pair: fmean(known)
        for pair, rhos in by_pair.items()
        if len(known := [rho for rho in rhos if rho is not None]) == len(rhos)
    }
