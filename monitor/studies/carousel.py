"""People that carousels show: a finished run, or printed rows, in; bias of professions out."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor.studies.records import (
    Figure,
    Limit,
    Option,
    ReportStep,
    StudyCheck,
    StudyResult,
    Table,
)


@dataclass(frozen=True, slots=True)
class CarouselStudy:
    """c-ratio bias of the people that a search engine shows for professions."""

    name: str = "carousel"
    title: str = "Whom carousels of people show for professions"
    paper: str = (
        "Lipani, Piroi and Yilmaz (2021), Towards more accountable search engines: Online "
        "evaluation of representation bias (arXiv:2110.08835), Tables 1 to 3, Figures 2 and 3"
    )
    question: str = (
        "Does a search engine show more or fewer women among the people of a profession than its "
        "target has, and what does the choice of the target change?"
    )
    example: str = "carousel --job professions-carousel"
    options: tuple[Option, ...] = (
        Option("run", "Number of the run: monitor status. Else the newest.", int),
        Option("job", "The newest run of this job."),
        Option(
            "published",
            "JSON of the printed rows, to compute them anew. Alone, no database is opened.",
            Path,
        ),
    )

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        """The 66 printed rows; of a run nothing was published."""
        path = data / "oracles" / "f1_lipani.json"
        return {"published": path} if path.is_file() else None

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput for a run without people, StoreProblem without a database."""
        printed = (
            _run_printed(given["published"], tell) if given["published"] else StudyResult(ran={})
        )
        if given["published"] and given["run"] is None and not given["job"]:
            return printed
        from monitor.studies import _carousel_results as of_run

        tell("reading the run")
        with of_run.facts_of(given["job"] or None, given["run"]) as facts:
            blocks = of_run.report_sections(facts)
            return StudyResult(
                ran={
                    **of_run.describe_run(facts),
                    **of_run.count_professions(blocks),
                    **printed.ran,
                },
                checks=printed.checks,
                tables=(*of_run.carousel_tables(blocks), *printed.tables),
                figures=(*of_run.carousel_figures(blocks), *printed.figures),
                limits=LIMITS,
                notes=(*of_run.report_notes(facts, blocks), *printed.notes),
            )


LIMITS = (
    Limit(
        "MB, SB, MAB and the extremes of the paper's Table 1, and its histograms",
        "they are of all professions that were shown in 2021, of which 33 are printed for each "
        "target; pages of that year cannot be asked for again",
    ),
)
_LISTED = (
    "Only those that the paper lists: with the most men, with no bias, with the most women beside "
    "their target. Right of 0: more women than the target."
)
_ANEW = (
    "All {} printed rows computed anew: the printed model ratio as so many women among ten people, "
    "against the printed target ratio. Both ratios are given, so that the biases alone are held "
    "against print; constructed lists test how people are counted and targets rounded. Nothing "
    "here tests who was shown."
)


def _run_printed(path: Path, tell: ReportStep) -> StudyResult:
    """The rows that the paper prints."""
    from monitor.stages import _report_people_charts as charts
    from monitor.studies import _carousel_results as published
    from monitor.studies._rankings_files import describe_path

    tell("computing the printed rows anew")
    rows, checks = published.read_printed_rows(path)
    checks_made: tuple[StudyCheck, ...] = tuple(checks)
    tables: tuple[Table, ...] = (published.printed_table(rows),)
    title = "Bias of the printed professions"
    figure = Figure(
        "figure-printed",
        title,
        charts.biases(published.histogram_rows(rows, ours=True), "printed-ours", title),
        charts.biases(
            published.histogram_rows(rows, ours=False), "printed-theirs", f"{title}, as printed"
        ),
        note=_LISTED,
    )
    return StudyResult(
        ran={"printed rows": f"{len(rows)}; {describe_path(path)}"},
        checks=checks_made,
        tables=tables,
        figures=(figure,),
        limits=LIMITS,
        notes=(_ANEW.format(len(rows)),),
    )


STUDY = CarouselStudy()
