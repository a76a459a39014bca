"""GEST for language models: per-sample scores in, q_i, g_s, ranks and their consistency out."""

import math
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from monitor import registry
from monitor.datasets import GEST, make_lists
from monitor.engines.files.recorded_scores import LOGS
from monitor.fetch import recorded_scores
from monitor.fetch.recorded_scores import ScoreFiles
from monitor.lists import ProbeList, load_list
from monitor.model import Context, InvalidInput, Unit, Value
from monitor.stats.correlation import spearman
from monitor.studies._gest_files import PAPER, STEREOTYPES, describe_files, read_csv_rows
from monitor.studies.catalogue import Limit, Option, ReferenceInputs, ReportStep, Study, StudyResult

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


def read_probe_list(path: Path) -> ProbeList:
    """A list by its path, or the published file that `monitor lists fetch gest` makes lists of.

    Raises InvalidInput for what is neither.
    """
    if path.with_suffix(".toml").exists():
        return load_list(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror}") from error
    file = GEST.file_of(content, str(path))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in make_lists(GEST, [(file, content)])[0].items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        return load_list(Path(folder) / f"{GEST.name}@{file.version}.csv")


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
    return [
        OrderSimilarity(
            first.name, second.name, template, _correlate_ranks(first, template, second, template)
        )
        for template in models[0].templates
        for first, second in combinations(models, 2)
    ]


def between_templates(models: Sequence[Model]) -> list[OrderSimilarity]:
    """Every two templates within each model."""
    return [
        OrderSimilarity(first, second, model.name, _correlate_ranks(model, first, model, second))
        for model in models
        for first, second in combinations(model.templates, 2)
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


_LIMITS = (
    Limit(
        "Slavic masked models",
        "their sentence pairs are not public, so that per-sample scores cannot be laid beside the "
        "sentences",
    ),
    Limit(
        "The scores themselves",
        "the models' weights do not ship; scores are read as their files have them",
    ),
)
_NO_WINOBIAS = Limit(
    "Predictive validity for WinoBias (Appendix B)",
    "its results are computed from the models' weights, which do not ship; give --winobias where "
    "somebody has computed them",
)


class Lm(Study):
    """Every model whose scores a folder holds."""

    name = "lm"
    title = "GEST: stereotypes in language models"
    paper = f"{PAPER}, section 4.2, Figures 4, 5, 9 and 10, Appendix B"
    question = (
        "How much likelier does a language model find a man behind sentences on stereotypes of "
        "men than on those of women, and do models and templates agree on the order?"
    )
    example = "lm --scores english_mlm --list gest@1.0.csv --published figures"
    options = (
        Option("scores", "Folder of files MODEL_template-T.txt, a log ratio per line.", Path,
               required=True),
        Option("list", "The list that was scored: gest.csv, gest@1.0.csv, or another list.", Path,
               required=True),
        Option("published", "Folder with KIND_q_i.csv and KIND_g_s.csv, to hold ours against.",
               Path),
        Option("log", "What the logarithms in the files are to: 10, e or 2.", default="10"),
        Option("models", "masked; or generative: files 0 and 1 are the templates 2 and 3.",
               default="masked"),
        Option("winobias", "CSV with model_name, logprob_male_professions and "
               "logprob_female_professions, to correlate with g_s.", Path),
    )  # fmt: skip
    reference = ReferenceInputs(
        {"scores": "gest/lm/english_mlm", "list": "gest/gest.csv", "published": "gest/published"}
    )

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput naming the file, and the line, that cannot be used."""
        from monitor.studies import _lm_results as results

        log = _require_choice("log", given["log"], LOGS)
        sort = _require_choice("models", given["models"], recorded_scores.TEMPLATES)
        probe_list = read_probe_list(given["list"])
        paths = published_tables(given["published"]) if given["published"] else []
        published = read_published(paths)
        winobias = read_winobias(given["winobias"]) if given["winobias"] else {}
        files = recorded_scores.read_models(given["scores"], probe_list, log, sort)
        _refuse_unknown_models(winobias, [file.system for file in files])
        models = []
        for file in files:
            tell(file.system)
            models.append(compute_model(file, probe_list))
        between = {"models": between_models(models), "templates": between_templates(models)}
        validity = [results.compare_winobias(models, winobias)] if winobias else []
        tell("drawing")
        checks = results.make_checks(models, published)
        return StudyResult(
            ran=_describe_inputs(given, probe_list.label, len(probe_list.items), models, paths),
            checks=checks,
            tables=(
                results.rates_table(models, published),
                results.levels_table(models, published),
                results.alike_table(
                    between["models"], "models", "How alike models order stereotypes", "template"
                ),
                results.alike_table(
                    between["templates"], "templates", "How alike templates order them", "model"
                ),
                *(table for table, _ in validity),
            ),
            figures=results.draw_figures(models, published, between),
            limits=_LIMITS if winobias else (_NO_WINOBIAS, *_LIMITS),
            notes=(
                *results.uncompared_sentences(checks),
                *results.summarise_models(models, between),
                *(line for _, lines_of_model in validity for line in lines_of_model),
            ),
        )


def _require_choice(name: str, value: str, allowed: Mapping[str, object]) -> str:
    if value not in allowed:
        raise InvalidInput(f"{name} {value!r}: must be one of {', '.join(allowed)}")
    return value


def _refuse_unknown_models(winobias: Mapping[str, float], names: Sequence[str]) -> None:
    if winobias and not set(winobias) & set(names):
        raise InvalidInput(
            f"winobias: has {', '.join(sorted(winobias))}, and none of the models that were "
            f"scored: {', '.join(names)}"
        )


def _describe_inputs(
    given: Mapping[str, Any], label: str, rows: int, models: Sequence[Model], paths: list[Path]
) -> dict[str, str]:
    ran = {
        "scores": f"{len(models)} models; {describe_files(sorted(given['scores'].glob('*.txt')))}",
        "sentences": f"{label}, {rows:,} rows; {describe_files([given['list']])}",
    }
    if paths:
        ran["published figures"] = describe_files(paths)
    if given["winobias"]:
        ran["WinoBias"] = describe_files([given["winobias"]])
    return ran


STUDY = Lm()
