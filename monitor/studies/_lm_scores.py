"""Scores of language models and what was published of them: q_i, g_s and ranks.

The values are those of the measure `lm_ratio`, once on the true scale and once on the printed one.
"""

import math
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from monitor import registry
from monitor.datasets import GEST, as_list
from monitor.engines.files.recorded_scores import LOGS
from monitor.fetch.score_files import ScoreFiles
from monitor.lists import ProbeList, load_list
from monitor.model import Context, InvalidInput, Unit, Value
from monitor.stats.correlation import spearman
from monitor.studies._gest_files import STEREOTYPES, read_csv_rows

#: (model, template, stereotype), or (model, template).
Cell = tuple[str, str, str]
Table = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PublishedScores:
    """Published values: q_i as printed and to all digits, and q_f, q_m and g_s.

    `g_s` has the three of a (model, template) in this order; a number that the tables lack is none.
    """

    printed: Mapping[Cell, float] = field(default_factory=dict)
    exact: Mapping[Cell, float] = field(default_factory=dict)
    g_s: Mapping[Table, tuple[float, float, float]] = field(default_factory=dict)


def probe_list(path: Path) -> ProbeList:
    """A list by its path, or the published file that `monitor lists fetch gest` makes lists of.

    Raises InvalidInput for what is neither.
    """
    if path.with_suffix(".toml").exists():
        return load_list(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror}") from error
    edition = GEST.edition_of(content, str(path))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in as_list(GEST, edition, content).items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        return load_list(Path(folder) / f"{GEST.name}@{edition.version}.csv")


def published_tables(folder: Path) -> list[Path]:
    """The published tables of a folder. Raises InvalidInput where there is none."""
    paths = sorted([*folder.glob("*_q_i.csv"), *folder.glob("*_g_s.csv")])
    if not paths:
        raise InvalidInput(
            f"{folder}: no KIND_q_i.csv and no KIND_g_s.csv in this folder, which is to hold what "
            "was published; leave --published out if nothing was"
        )
    return paths


def read_published(paths: list[Path]) -> PublishedScores:
    """Published tables by model, template, stereotype. Raises InvalidInput naming file and row."""
    printed: dict[Cell, float] = {}
    exact: dict[Cell, float] = {}
    g_s: dict[Table, tuple[float, float, float]] = {}
    for path in paths:
        if path.stem.endswith("_q_i"):
            for row in read_csv_rows(path, ("handle", "template", "stereotype", "mean")):
                cell = row["handle"], row["template"], row["stereotype"]
                printed[cell] = _parse_number(path, row, "mean")
                if row.get("q_exact"):
                    exact[cell] = _parse_number(path, row, "q_exact")
        else:
            for row in read_csv_rows(path, ("handle", "template", "q_f", "q_m", "g_s_published")):
                g_s[row["handle"], row["template"]] = (
                    _parse_number(path, row, "q_f"),
                    _parse_number(path, row, "q_m"),
                    _parse_number(path, row, "g_s_published"),
                )
    return PublishedScores(printed, exact, g_s)


def read_winobias(path: Path) -> dict[str, float]:
    """{model: how much likelier it finds a man in men's occupations than in women's}.

    The mean over the parts of WinoBias of logprob_male_professions - logprob_female_professions,
    each a mean log ratio of `he` over `she`. A model stands under the last part of its name.
    Raises InvalidInput naming file and row.
    """
    columns = ("logprob_male_professions", "logprob_female_professions")
    parts: dict[str, list[float]] = defaultdict(list)
    for row in read_csv_rows(path, ("model_name", *columns)):
        men, women = (_parse_number(path, row, column) for column in columns)
        parts[row["model_name"].rpartition("/")[2]].append(men - women)
    if not parts:
        raise InvalidInput(f"{path}: no rows; give one for each model and part of WinoBias")
    return {model: sum(values) / len(values) for model, values in parts.items()}


def _parse_number(path: Path, row: Mapping[str, str], column: str) -> float:
    try:
        value = float(row[column])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidInput(
            f"{path}: {column} of {row.get('handle') or row.get('model_name')} is "
            f"{row[column]!r}; it must be a number"
        )
    return value


def name_pairs(names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Every two of some names, in their order."""
    return ((first, two) for position, first in enumerate(names) for two in names[position + 1 :])


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
        values = [self.q_i(template, stereotype) for stereotype in STEREOTYPES]
        numbers = [value.value for value in values if value is not None and value.value is not None]
        return numbers if len(numbers) == len(STEREOTYPES) else None


def compute_model(files: ScoreFiles, probe_list: ProbeList) -> Model:
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
    return Model(
        files.system, templates, _compute_values(units, "true"), _compute_values(units, "published")
    )


def _compute_values(units: Sequence[Unit], scale: str) -> _Values:
    measure = registry.measure("lm_ratio").configure({"scale": scale})
    return {(value.name, value.scope): value for value in measure.derive(units, _CONTEXT).values}


@dataclass(frozen=True, slots=True)
class OrderSimilarity:
    """Similarity of the orders of the 16 stereotypes: Spearman's rho of two lists of q_i."""

    first: str
    second: str
    within: str  # the template, or the model, that both are of
    rho: float | None


def between_models(models: Sequence[Model]) -> list[OrderSimilarity]:
    """Every two models within each template."""
    models_by_name = {model.name: model for model in models}
    return [
        OrderSimilarity(
            first,
            two,
            template,
            _correlate_ranks(models_by_name[first], template, models_by_name[two], template),
        )
        for template in models[0].templates
        for first, two in name_pairs(tuple(models_by_name))
    ]


def between_templates(models: Sequence[Model]) -> list[OrderSimilarity]:
    """Every two templates within each model."""
    return [
        OrderSimilarity(first, two, model.name, _correlate_ranks(model, first, model, two))
        for model in models
        for first, two in name_pairs(model.templates)
    ]


def _correlate_ranks(one: Model, of_one: str, two: Model, of_two: str) -> float | None:
    first, second = one.levels(of_one), two.levels(of_two)
    return None if first is None or second is None else spearman(first, second)


def mean_rhos(found: Sequence[OrderSimilarity]) -> dict[tuple[str, str], float]:
    """{(first, second): mean rho over what both are within}, where all are known."""
    by_pair: dict[tuple[str, str], list[float | None]] = {}
    for similarity in found:
        by_pair.setdefault((similarity.first, similarity.second), []).append(similarity.rho)
    return {
        pair: fmean(known_rhos)
        for pair, rhos in by_pair.items()
        if len(known_rhos := [rho for rho in rhos if rho is not None]) == len(rhos)
    }
