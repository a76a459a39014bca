"""People that carousels show: a finished run, or printed rows, in; bias of professions out."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from monitor import settings
from monitor.measures.c_ratio.c_ratio_bias_search import CRatioBiasSearch
from monitor.model import (
    Context,
    InvalidInput,
    LabelState,
    Result,
    RunState,
    Share,
    Shown,
    TopicValue,
    Unit,
)
from monitor.stages.reports import bias_charts as charts
from monitor.stages.reports import people_chapter, run_systems, shown_people
from monitor.stages.reports.people_chapter import PeopleBlock
from monitor.stages.reports.shown_people import Showing
from monitor.store import migrations
from monitor.store.database import connect
from monitor.store.reports import run_report
from monitor.store.reports.run_report import RunFacts
from monitor.studies._rankings_files import describe_path, json_object
from monitor.studies.catalogue import (
    Cell,
    Figure,
    Limit,
    Option,
    ReferenceInputs,
    ReportStep,
    Study,
    StudyCheck,
    StudyResult,
    Table,
    check_elsewhere,
    check_printed,
)
from monitor.text.counted_nouns import several


class CarouselStudy(Study):
    """c-ratio bias of the people that a search engine shows for professions."""

    name = "carousel"
    title = "Whom carousels of people show for professions"
    paper = (
        "Lipani, Piroi and Yilmaz (2021), Towards more accountable search engines: Online "
        "evaluation of representation bias (arXiv:2110.08835), Tables 1 to 3, Figures 2 and 3"
    )
    question = (
        "Does a search engine show more or fewer women among the people of a profession than its "
        "target has, and what does the choice of the target change?"
    )
    example = "carousel --job professions-carousel"
    options = (
        Option("run", "Number of the run: monitor status. Else the newest.", int),
        Option("job", "The newest run of this job."),
        Option(
            "published",
            "JSON of the printed rows, to compute them anew. Alone, no database is opened.",
            Path,
        ),
    )
    #: The 66 printed rows; of a run nothing was published.
    reference = ReferenceInputs({"published": "oracles/f1_lipani.json"})

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput for a run without people, StoreProblem without a database."""
        printed = (
            _run_printed(given["published"], tell) if given["published"] else StudyResult(ran={})
        )
        if given["published"] and given["run"] is None and not given["job"]:
            return printed

        tell("reading the run")
        with facts_of(given["job"] or None, given["run"]) as facts:
            blocks = report_sections(facts)
            return StudyResult(
                ran={**describe_run(facts), **count_professions(blocks), **printed.ran},
                checks=printed.checks,
                tables=(*carousel_tables(blocks), *printed.tables),
                figures=(*carousel_figures(blocks), *printed.figures),
                limits=LIMITS,
                notes=(*report_notes(facts, blocks), *printed.notes),
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
    tell("computing the printed rows anew")
    rows, checks = read_printed_rows(path)
    title = "Bias of the printed professions"
    figure = Figure(
        "figure-printed",
        title,
        charts.draw_biases(histogram_rows(rows, ours=True), "printed-ours", title),
        charts.draw_biases(
            histogram_rows(rows, ours=False), "printed-theirs", f"{title}, as printed"
        ),
        note=_LISTED,
    )
    return StudyResult(
        ran={"printed rows": f"{len(rows)}; {describe_path(path)}"},
        checks=tuple(checks),
        tables=(printed_table(rows),),
        figures=(figure,),
        limits=LIMITS,
        notes=(_ANEW.format(len(rows)),),
    )


STUDY = CarouselStudy()


_NEEDED = "paper_rows, stats_over_table_rows and cases are needed"
#: The same arithmetic on fractions with two digits.
_EXACT = 1e-12
#: People in a carousel as the paper cut it off.
_PEOPLE = 10
_FIELDS = (("model", "model_ratio"), ("target", "target_ratio"), ("bias", "beta"))
_STATISTICS = {"mb": "MB", "mab": "MAB", "min_beta": "min", "max_beta": "max"}
_DENOMINATORS = ("shown", "cutoff")


class PrintedRow(NamedTuple):
    """A printed row with ours."""

    table: str
    profession: str
    printed: Mapping[str, float]
    ours: TopicValue


def read_printed_rows(path: Path) -> tuple[list[PrintedRow], list[StudyCheck]]:
    """All printed rows with ours, and what holds them against each other. Raises InvalidInput."""
    held = json_object(path, _NEEDED)
    try:
        tables: dict[str, list[Mapping[str, Any]]] = {}
        for row in held["paper_rows"]:
            tables.setdefault(row["table"], []).append(row)
        rows: list[PrintedRow] = []
        checks: list[StudyCheck] = []
        for table, printed in tables.items():
            result = _measure_rows(printed)
            pairs = list(_pair_rows(table, printed, result))
            rows += pairs
            checks += _check_rows(table, pairs)
            checks += _check_table(table, result, printed, held["stats_over_table_rows"][table])
        checks += _check_cases(held["cases"])
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput(f"{path}: {_NEEDED}; wrong or missing: {error}") from error
    return rows, checks


def _make_unit(topic: str, women: int, men: int) -> Unit:
    groups = ["women"] * women + ["men"] * men
    people = tuple(
        Shown(f"{topic} {position}", LabelState.LABELLED, group)
        for position, group in enumerate(groups)
    )
    return Unit(topic, {"occupation": topic}, (), lists=(people,))


def _make_context(shares: Mapping[str, float], n: int | None = None, draws: int = 0) -> Context:
    targets = {
        topic: tuple(
            Share(topic, share, "published", "", "", n, group=group)
            for group, share in (("women", women), ("men", 1 - women))
        )
        for topic, women in shares.items()
    }
    return Context(0, draws=draws, targets=targets)


def _count_women(row: Mapping[str, Any]) -> int:
    return round(float(row["model_ratio"]) * _PEOPLE)


def _measure_rows(
    printed: Sequence[Mapping[str, Any]], measure: CRatioBiasSearch | None = None
) -> Result:
    """The measure over the carousels that the printed rows describe."""
    units = [
        _make_unit(row["profession"], _count_women(row), _PEOPLE - _count_women(row))
        for row in printed
    ]
    shares = {row["profession"]: float(row["target_ratio"]) for row in printed}
    c_ratio = measure or CRatioBiasSearch()
    return c_ratio.derive(units, _make_context(shares, draws=10))


def _pair_rows(
    table: str, printed: Sequence[Mapping[str, Any]], result: Result
) -> Iterator[PrintedRow]:
    topics = {topic.topic: topic for topic in result.topics}
    for row in printed:
        numbers = {name: float(row[column]) for name, column in _FIELDS}
        yield PrintedRow(table, row["profession"], numbers, topics[row["profession"]])


def _check_rows(table: str, rows: Sequence[PrintedRow]) -> Iterator[StudyCheck]:
    """Their biases alone: ratios of model and target are what the lists were made of."""
    differences = [
        abs(row.ours.bias - row.printed["bias"]) for row in rows if row.ours.bias is not None
    ]
    yield check_printed(
        f"beta, largest difference of {len(differences)} of {len(rows)} rows",
        table,
        max(differences) if len(differences) == len(rows) else None,
        0.0,
        _EXACT,
        "" if len(differences) == len(rows) else "a row has no value here",
    )


def _check_table(
    table: str,
    result: Result,
    printed: Sequence[Mapping[str, Any]],
    expected: Mapping[str, float],
) -> Iterator[StudyCheck]:
    values = {value.name: value.value for value in result.values}
    where = f"{table}, over its {len(printed)} rows"
    for name, label in _STATISTICS.items():
        yield _check_statistic(label, where, values[name], float(expected[label]))
    for ddof in (0, 1):
        result_by_ddof = _measure_rows(printed, replace(CRatioBiasSearch(), ddof=ddof))
        spread = next(value.value for value in result_by_ddof.values if value.name == "sb")
        yield _check_statistic(
            f"SB, ddof = {ddof}", where, spread, float(expected[f"SB_ddof{ddof}"])
        )


def _check_statistic(what: str, where: str, ours: float | None, expected: float) -> StudyCheck:
    """Over the printed rows alone, which the paper itself does not give."""
    return check_elsewhere(what, where, ours, expected, _EXACT)


def _check_cases(cases: Sequence[Mapping[str, Any]]) -> Iterator[StudyCheck]:
    """Ties and short lists, over the people shown and over the cut-off; empty lists say nothing."""
    for denominator in _DENOMINATORS:
        apart: list[float] = []
        for case in cases:
            women, shown_count, total = (
                int(case[key]) for key in ("n_c_in_results", "n_results", "n_relevant")
            )
            if not shown_count:
                continue
            share = _make_context({"t": case["n_c_relevant"] / total}, total)
            measure = CRatioBiasSearch(cutoff=int(case["cutoff"]), denominator=denominator)
            [topic] = measure.derive([_make_unit("t", women, shown_count - women)], share).topics
            expected = case[f"denominator_{denominator}"]
            for computed, expected_value in (
                (topic.model, expected["model"]),
                (topic.target, expected["target"]),
                (topic.bias, expected["beta"]),
            ):
                apart.append(1.0 if computed is None else abs(computed - float(expected_value)))
        yield check_elsewhere(
            f"Model, target and bias over what is {_SAID[denominator]}, largest difference",
            f"{len(apart) // len(_FIELDS)} constructed lists with ties and few people",
            max(apart, default=None),
            0.0,
            _EXACT,
        )


_SAID = {"shown": "shown", "cutoff": "asked for"}


def printed_table(rows: Sequence[PrintedRow]) -> Table:
    """Every printed row beside ours."""
    cells: list[tuple[Cell, ...]] = [
        (
            row.profession, row.table, row.printed["model"], row.ours.model, row.printed["target"],
            row.ours.target, row.printed["bias"], row.ours.bias,
        )
        for row in rows
    ]  # fmt: skip
    columns = (
        "profession", "table", "model printed", "model ours", "target printed", "target ours",
        "bias printed", "bias ours",
    )  # fmt: skip
    note = (
        "Shares of people recorded as women. The paper's equation 5 prints the bias with the other "
        "sign; its rows are model less target, as here."
    )
    return Table("printed-rows", "The printed rows computed anew", columns, tuple(cells), note)


def histogram_rows(rows: Sequence[PrintedRow], *, ours: bool) -> list[dict[str, Any]]:
    """Rows of the histogram, by table; nothing here tells chance, so none is beyond it."""
    return [
        {"reference": row.table, "bias": bias, "beyond": False}
        for row in rows
        if (bias := row.ours.bias if ours else row.printed["bias"]) is not None
    ]


Row = dict[str, Any]
_QUANTITIES = ("mb", "sb", "mab", "min_beta", "max_beta", "mab_null")
_TITLES = ("MB", "SB", "MAB", "min", "max", "MAB by chance")


@contextmanager
def facts_of(job: str | None, run: int | None) -> Iterator[RunFacts]:
    """All that the report of a run knows. Raises InvalidInput, StoreProblem."""
    config = settings.load()
    opened = connect(config.url, config.bodies)
    try:
        migrations.check_schema(opened)
        with opened.read() as connection:
            run_row = run_report.find_run(connection, job, run)
            if run_row is None:
                raise InvalidInput(_missing_run_message(job, run))
            yield run_report.read_run_facts(connection, run_row)
    finally:
        opened.close()


def _missing_run_message(job: str | None, run: int | None) -> str:
    options = " of ".join(
        part for part in (f"--run {run}" if run else "", f"--job {job}" if job else "") if part
    )
    return f"{options or 'the database'}: no such run; monitor status lists those that there are"


def report_sections(facts: RunFacts) -> list[PeopleBlock]:
    """Every block of result pages with what the report shows. Raises InvalidInput for none."""
    systems = run_systems.sort_systems(facts.points, facts.run["content"], facts.cues)
    showings = shown_people.list_showings(systems, facts.signatures)
    if not showings:
        raise InvalidInput(
            f"run {facts.run['id']} of {facts.run['job']!r}: counts no people on result pages; "
            "--job names a job with the measure c_ratio_bias over a search engine"
        )
    return [people_chapter.gather_block(showing, facts) for showing in showings]


def describe_run(facts: RunFacts) -> dict[str, str]:
    """Return which run it was, as its job was written."""
    run = facts.run
    answered = sum(row["answered"] for row in facts.coverage)
    planned = sum(row["planned"] for row in facts.coverage)
    return {
        "run": f"{run['id']} of {run['job']}, due {run['due_at']:%Y-%m-%d}, {run['state']}; "
        f"{answered:,} of {several(planned, 'question')} answered; job {run['content_hash']}"
    }


def report_notes(facts: RunFacts, found: Sequence[PeopleBlock]) -> Iterator[str]:
    """The sentences of the report, of each block."""
    if facts.run["state"] != RunState.DONE:
        yield f"Run {facts.run['id']} is {facts.run['state']}: not everything was asked."
    for block in found:
        for sentence in block.findings:
            yield f"{_block_title(block.showing)}: {sentence}"


def _block_title(showing: Showing) -> str:
    """Return the title of a block in tables."""
    choice = f", {showing.chosen}" if showing.chosen else ""
    return f"{showing.system.mark}, {showing.block_title}{choice}"


def _to_count(number: float | None) -> int | None:
    """A count, which is kept among facts that are no counts."""
    return None if number is None else int(number)


# --- tables -------------------------------------------------------------------------------------


def carousel_tables(found: Sequence[PeopleBlock]) -> tuple[Table, ...]:
    """Those of the paper: over professions, each profession, targets side by side; the panel."""
    candidates = (
        _over_professions_table(found),
        _professions_table(found),
        _side_by_side_table(found),
        _panel_table(found),
    )
    return tuple(table for table in candidates if table.rows)


def _interval_cells(point: Row | None) -> tuple[Cell, ...]:
    if point is None:
        return None, None, None
    return point["value"], point["low"], point["high"]


def _over_professions_table(blocks: Sequence[PeopleBlock]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for showing in (block.showing for block in blocks):
        for reference in showing.references:
            for cut in showing.cuts:
                points = [showing.value(name, cut, reference) for name in _QUANTITIES]
                first = points[0] or {}
                rows.append(
                    (
                        _block_title(showing), showing.short_title(reference), cut,
                        _to_count((first.get("facts") or {}).get("n_topics")),
                        *(cell for point in points for cell in _interval_cells(point)),
                        first.get("reason") or "",
                    )
                )  # fmt: skip
    columns = (
        "block", "target", "first places", "professions",
        *(f"{title}{end}" for title in _TITLES for end in ("", " low", " high")), "no value",
    )  # fmt: skip
    note = (
        "Table 1 of the paper. MAB and SB are not 0 without any bias: what chance alone makes of "
        "MAB stands beside. low and high: 95 % interval over professions of this kind. Where "
        "everybody shown is recorded as a woman or a man, MB of the other group is its negative."
    )
    return Table("over-professions", "Bias over professions", columns, tuple(rows), note)


def _professions_table(blocks: Sequence[PeopleBlock]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for block in blocks:
        showing = block.showing
        for reference, of_reference in block.topics.items():
            topics = [row for row in of_reference if row["bias"] is not None]
            rows += [
                (
                    row["name"], _block_title(showing), showing.short_title(reference),
                    showing.main, row["model"], row["target"], row["bias"], row["bound_low"],
                    row["bound_high"], row["q"],
                    "yes" if shown_people.is_beyond_chance(row) else "no",
                )
                for row in sorted(topics, key=lambda row: (-abs(row["bias"]), row["topic"]))
            ]  # fmt: skip
    columns = (
        "profession", "block", "target", "first places", "model ratio", "target ratio", "bias",
        "lowest", "highest", "adjusted p", "beyond chance",
    )  # fmt: skip
    note = (
        "Tables 2 and 3 of the paper, each target by itself, the largest bias first. A large bias "
        "is not beyond chance by itself: with ten people one more or less moves it by a tenth."
    )
    return Table("professions", "Professions against each target", columns, tuple(rows), note)


def _side_by_side_table(blocks: Sequence[PeopleBlock]) -> Table:
    """Only professions that have a bias against every target that has any."""
    rows: list[tuple[Cell, ...]] = []
    for block in blocks:
        showing = block.showing
        against = {
            showing.short_title(reference): {
                row["name"]: row["bias"] for row in topics if row["bias"] is not None
            }
            for reference, topics in block.topics.items()
        }
        against = {title: biases for title, biases in against.items() if biases}
        if len(against) < 2:  # noqa: PLR2004  nothing to compare
            continue
        shared = set.intersection(*(set(biases) for biases in against.values()))
        for name in sorted(shared):
            rows += [
                (name, _block_title(showing), title, biases[name])
                for title, biases in against.items()
            ]
    note = (
        "The paper's comparison of K, the shares in Wikidata, and R, those of the engine's whole "
        "list: the same professions and the same people, and only the target differs. A bias of 0 "
        "says as skewed as the target."
    )
    columns = ("profession", "block", "target", "bias")
    return Table("targets", "The same professions against each target", columns, tuple(rows), note)


def _panel_table(blocks: Sequence[PeopleBlock]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            _block_title(block.showing),
            change.title.partition(" (")[0],
            _to_count(change.n),
            *_interval_cells(change.mb),
            *_interval_cells(change.mab),
        )
        for block in blocks
        for change in block.changes
    ]
    columns = (
        "block", "target", "professions", "change of MB", "low", "high", "change of MAB",
        "low of MAB", "high of MAB",
    )  # fmt: skip
    note = "Only professions that were shown at both ticks: which are shown changes as well."
    return Table("fixed-panel", "Change since the tick before", columns, tuple(rows), note)


def carousel_figures(found: Sequence[PeopleBlock]) -> Iterator[Figure]:
    """Those that the report draws."""
    for block in found:
        showing, title = block.showing, _block_title(block.showing)
        for chart in people_chapter.draw_cutoffs(showing):
            note = "Upright lines are 95 % intervals, grey bars what chance makes of MAB."
            name = f"figure-cutoffs-{showing.place}"
            yield Figure(name, f"Bias by cut-off: {title}", chart.svg, note=note)
        for chart in people_chapter.draw_histogram(block):
            note = "Filled: beyond what chance makes. Right of 0: more women than the target."
            heading = f"Professions by their bias: {title}, first {showing.main}"
            yield Figure(f"figure-biases-{showing.place}", heading, chart.svg, note=note)


def count_professions(found: Sequence[PeopleBlock]) -> Mapping[str, str]:
    """Return the kind of each block, with its number of professions."""
    return {
        _block_title(block.showing): (
            f"{block.showing.label}; {several(len(block.first), 'profession')}"
        )
        for block in found
    }
