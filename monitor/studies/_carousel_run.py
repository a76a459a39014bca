"""A finished run whose people are counted, by the functions of its report: facts in, tables out.

Names of people are never asked for: a study speaks of professions.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from monitor.model import InvalidInput, RunState
from monitor.stages import _report_people, _report_people_section, _report_systems
from monitor.stages._report_people import Showing
from monitor.store.reports.run_report import RunFacts
from monitor.studies.found import Cell, Figure, Table
from monitor.text.counted_nouns import several

Row = dict[str, Any]
#: A block with what the report shows of it.
Section = tuple[Showing, Row]

_QUANTITIES = ("mb", "sb", "mab", "min_beta", "max_beta", "mab_null")
_TITLES = ("MB", "SB", "MAB", "min", "max", "MAB by chance")


@contextmanager
def facts_of(job: str | None, run: int | None) -> Iterator[RunFacts]:
    """All that the report of a run knows. Raises InvalidInput, StoreProblem."""
    from monitor import settings
    from monitor.store import migrations
    from monitor.store.database import connect
    from monitor.store.reports import run_report

    chosen = settings.load()
    opened = connect(chosen.url, chosen.bodies)
    try:
        migrations.check_schema(opened)
        with opened.read() as connection:
            found = run_report.find_run(connection, job, run)
            if found is None:
                raise InvalidInput(_nothing(job, run))
            yield run_report.read_run_facts(connection, found)
    finally:
        opened.close()


def _nothing(job: str | None, run: int | None) -> str:
    asked = " of ".join(
        part for part in (f"--run {run}" if run else "", f"--job {job}" if job else "") if part
    )
    return f"{asked or 'the database'}: no such run; monitor status lists those that there are"


def sections(facts: RunFacts) -> list[Section]:
    """Every block of result pages with what the report shows. Raises InvalidInput for none."""
    systems = _report_systems.systems(facts.points, facts.run["content"], facts.cues)
    showings = _report_people.showings(systems, facts.signatures)
    if not showings:
        raise InvalidInput(
            f"run {facts.run['id']} of {facts.run['job']!r}: counts no people on result pages; "
            "--job names a job with the measure c_ratio_bias over a search engine"
        )
    return [
        (showing, _report_people_section.section(showing, facts, _no_names)) for showing in showings
    ]


def _no_names(_attempt: int, _block: str, _most: int) -> Sequence[tuple[str, str]]:
    return ()


def ran(facts: RunFacts) -> dict[str, str]:
    """Which run it was, as its job was written."""
    run = facts.run
    answered = sum(row["answered"] for row in facts.coverage)
    planned = sum(row["planned"] for row in facts.coverage)
    return {
        "run": f"{run['id']} of {run['job']}, due {run['due_at']:%Y-%m-%d}, {run['state']}; "
        f"{answered:,} of {several(planned, 'question')} answered; job {run['content_hash']}"
    }


def notes(facts: RunFacts, found: Sequence[Section]) -> Iterator[str]:
    """The sentences of the report, of each block."""
    if facts.run["state"] != RunState.DONE:
        yield f"Run {facts.run['id']} is {facts.run['state']}: not everything was asked."
    for showing, section in found:
        for sentence in section["findings"]:
            yield f"{_block(showing)}: {sentence}"


def _block(showing: Showing) -> str:
    """What a block is called in tables; what was run tells the rest."""
    chosen = f", {showing.chosen}" if showing.chosen else ""
    return f"{showing.mark}, {showing.block_title}{chosen}"


def _whole(number: float | None) -> int | None:
    """A count, which is kept among facts that are no counts."""
    return None if number is None else int(number)


# --- tables -------------------------------------------------------------------------------------


def tables(found: Sequence[Section]) -> tuple[Table, ...]:
    """Those of the paper: over professions, each profession, targets side by side; the panel."""
    made = (
        _over_professions(found),
        _professions(found),
        _side_by_side(found),
        _panel(found),
    )
    return tuple(table for table in made if table.rows)


def _cells(point: Row | None) -> tuple[Cell, ...]:
    if point is None:
        return None, None, None
    return point["value"], point["low"], point["high"]


def _over_professions(found: Sequence[Section]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for showing, _ in found:
        for reference in showing.references:
            for cut in showing.cuts:
                points = [showing.value(name, cut, reference) for name in _QUANTITIES]
                first = points[0] or {}
                rows.append(
                    (
                        _block(showing), showing.short_title(reference), cut,
                        _whole((first.get("facts") or {}).get("n_topics")),
                        *(cell for point in points for cell in _cells(point)),
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


def _professions(found: Sequence[Section]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for showing, section in found:
        for reference in section["references"]:
            known = [row for row in reference["topics"] if row["bias"] is not None]
            rows += [
                (
                    row["name"], _block(showing), showing.short_title(reference["name"]),
                    showing.main, row["model"], row["target"], row["bias"], row["bound_low"],
                    row["bound_high"], row["q"],
                    "yes" if _report_people.is_beyond_chance(row) else "no",
                )
                for row in sorted(known, key=lambda row: (-abs(row["bias"]), row["topic"]))
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


def _side_by_side(found: Sequence[Section]) -> Table:
    """Only professions that have a bias against every target that has any."""
    rows: list[tuple[Cell, ...]] = []
    for showing, section in found:
        against = {
            showing.short_title(one["name"]): {row["name"]: row["bias"] for row in one["topics"]
                           if row["bias"] is not None}
            for one in section["references"]
        }  # fmt: skip
        against = {title: biases for title, biases in against.items() if biases}
        if len(against) < 2:  # noqa: PLR2004  nothing to compare
            continue
        shared = set.intersection(*(set(biases) for biases in against.values()))
        for name in sorted(shared):
            rows += [
                (name, _block(showing), title, biases[name]) for title, biases in against.items()
            ]
    note = (
        "The paper's comparison of K, the shares in Wikidata, and R, those of the engine's whole "
        "list: the same professions and the same people, and only the target differs. A bias of 0 "
        "says as skewed as the target."
    )
    columns = ("profession", "block", "target", "bias")
    return Table("targets", "The same professions against each target", columns, tuple(rows), note)


def _panel(found: Sequence[Section]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            _block(showing),
            row["reference"].partition(" (")[0],
            _whole(row["n"]),
            *_cells(row["mb"]),
            *_cells(row["mab"]),
        )
        for showing, section in found
        for row in section["changes"]
    ]
    columns = (
        "block", "target", "professions", "change of MB", "low", "high", "change of MAB",
        "low of MAB", "high of MAB",
    )  # fmt: skip
    note = "Only professions that were shown at both ticks: which are shown changes as well."
    return Table("fixed-panel", "Change since the tick before", columns, tuple(rows), note)


def figures(found: Sequence[Section]) -> Iterator[Figure]:
    """Those that the report draws."""
    for showing, section in found:
        if (drawn := section["by_cutoff"]) is not None:
            title = f"Bias by cut-off: {_block(showing)}"
            note = "Upright lines are 95 % intervals, grey bars what chance makes of MAB."
            yield Figure(f"figure-cutoffs-{showing.place}", title, drawn, note=note)
        if (drawn := section["histogram"]) is not None:
            title = f"Professions by their bias: {_block(showing)}, first {showing.main}"
            note = "Filled: beyond what chance makes. Right of 0: more women than the target."
            yield Figure(f"figure-biases-{showing.place}", title, drawn, note=note)


def counted(found: Sequence[Section]) -> Mapping[str, str]:
    """What each block is, and for how many professions it was asked."""
    return {
        _block(showing): f"{showing.label}; {several(section['professions'], 'profession')}"
        for showing, section in found
    }
