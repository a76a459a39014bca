"""GEST for language models: per-sample scores in, q_i, g_s, ranks and their consistency out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from monitor.model import InvalidInput
from monitor.studies import _lm_scores as reading
from monitor.studies._gest_files import PAPER, describe_files
from monitor.studies.records import Limit, Option, ReportStep, StudyResult

if TYPE_CHECKING:
    from monitor.studies._lm_scores import Model

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


@dataclass(frozen=True, slots=True)
class Lm:
    """Every model whose scores a folder holds."""

    name: str = "lm"
    title: str = "GEST: stereotypes in language models"
    paper: str = f"{PAPER}, section 4.2, Figures 4, 5, 9 and 10, Appendix B"
    question: str = (
        "How much likelier does a language model find a man behind sentences on stereotypes of "
        "men than on those of women, and do models and templates agree on the order?"
    )
    example: str = "lm --scores english_mlm --list gest@1.0.csv --published figures"
    options: tuple[Option, ...] = (
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

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        """The English masked models."""
        folder = data / "gest"
        if not (folder / "lm" / "english_mlm").is_dir():
            return None
        return {
            "scores": folder / "lm" / "english_mlm",
            "list": folder / "gest.csv",
            "published": folder / "published",
        }

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput naming the file, and the line, that cannot be used."""
        from monitor.engines.files.recorded_scores import LOGS
        from monitor.fetch import score_files
        from monitor.studies import _lm_results as figures
        from monitor.studies import _lm_results as tables
        from monitor.studies._lm_scores import between_models, between_templates, compute_model

        log = _require_choice("log", given["log"], LOGS)
        sort = _require_choice("models", given["models"], score_files.TEMPLATES)
        probe_list = reading.probe_list(given["list"])
        paths = reading.published_tables(given["published"]) if given["published"] else []
        published = reading.read_published(paths)
        winobias = reading.read_winobias(given["winobias"]) if given["winobias"] else {}
        files = score_files.read_models(given["scores"], probe_list, log, sort)
        _refuse_unknown_models(winobias, [file.system for file in files])
        models = []
        for file in files:
            tell(file.system)
            models.append(compute_model(file, probe_list))
        between = {"models": between_models(models), "templates": between_templates(models)}
        validity = [tables.compare_winobias(models, winobias)] if winobias else []
        tell("drawing")
        checks = tables.make_checks(models, published)
        return StudyResult(
            ran=_describe_inputs(given, probe_list.label, len(probe_list.items), models, paths),
            checks=checks,
            tables=(
                tables.rates_table(models, published),
                tables.levels_table(models, published),
                tables.alike_table(
                    between["models"], "models", "How alike models order stereotypes", "template"
                ),
                tables.alike_table(
                    between["templates"], "templates", "How alike templates order them", "model"
                ),
                *(table for table, _ in validity),
            ),
            figures=figures.draw_figures(models, published, between),
            limits=_LIMITS if winobias else (_NO_WINOBIAS, *_LIMITS),
            notes=(
                *tables.uncompared_sentences(checks),
                *tables.summarise_models(models, between),
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
    given: Mapping[str, Any], label: str, rows: int, models: Sequence["Model"], paths: list[Path]
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
