"""Changes of the week: those found, the tests behind them, and what could have gone unnoticed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from monitor.change import ChangeKind, Role, Status
from monitor.model import RunKind, State, as_row
from monitor.stages.changes import statements
from monitor.stages.changes.claim_support import say_averaged
from monitor.stages.changes.detectable_effects import smallest_changes
from monitor.stages.changes.due_times import UNKNOWN, DueTimes, OrderedChange, count_due_times
from monitor.stages.changes.statements import missing_words
from monitor.stages.document.notation import (
    chances,
    format_day,
    format_minute,
    join_names,
    number,
    span,
)
from monitor.stages.document.records import (
    Block,
    Cell,
    Column,
    Fold,
    Heading,
    Items,
    Section,
    Words,
    table,
)
from monitor.stages.document.system_tiles import CHANCE
from monitor.stages.jobs import preregistration
from monitor.stages.jobs.preregistration import EXPLORATORY, Because, DeclarationSubject
from monitor.stages.reports import names
from monitor.stages.reports.cells import write_quiet
from monitor.stages.reports.weekly import annexes, first_values
from monitor.stages.reports.weekly.week import ENDED, ReportedWeek
from monitor.store.database import Connection
from monitor.store.reports.weekly_report import WeekChange
from monitor.text.counted_nouns import several

# --- one change -----------------------------------------------------------------------------------

Row = dict[str, Any]


def describe_change(week: ReportedWeek, change: WeekChange, times: DueTimes = UNKNOWN) -> Row:
    """A change with all that it rests on, and why it is exploratory if it is.

    `times` are due times of the runs that its order rests on.
    """
    job = week.job(change.job)
    about = DeclarationSubject(
        change.quantity, change.target, change.scope, change.role, change.kind,
        job.number(change.detected_at), change.runs,
    )  # fmt: skip
    because = preregistration.why_exploratory(job.declaration, about)
    row = as_row(change)
    series = row | {"kind": change.engine_kind, "engine_title": week.engine_title(change.engine)}
    return {name: row[name] for name in row if name not in ("engine_kind", "runs")} | {
        "due_times": asdict(times),
        "system": names.name_system(series),
        "title": names.write_title(series),
        "label": names.write_label(series),
        "is_confirmatory": because is None,
        "is_after_the_end": because is Because.OVER,
        "exploratory_because": because,
        "departures": [entry.row() for entry in job.declaration.behind(change.runs)],
    }


# --- printed --------------------------------------------------------------------------------------


def _write_changes(week: ReportedWeek, rows: Sequence[Row]) -> list[Block]:
    """Return changes in words."""
    blocks: list[Block] = []
    for row in rows:
        sentence = row["sentence"] or f"{row['label']} of {row['system']} changed."
        blocks.append(Words(f"{statements.STATUS[row['status']]}. {sentence}", "strong"))
        blocks.append(Items([*_list_facts(week, row), _cause(row)]))
    return blocks


def _list_facts(week: ReportedWeek, row: Row) -> list[str]:
    facts = [_say_effect(week, row)]
    tested = row["tested"]
    if tested:
        facts.append(
            f"{several(tested['n'], 'question')} usable in both runs, {tested['changed']:,} with "
            f"another answer; usable before alone {tested['only_before']:,}, after alone "
            f"{tested['only_after']:,}."
        )
        facts += filter(None, [missing_words(tested["facts"])])
    times = DueTimes(**row["due_times"])
    order = statements.say_order(row["kind"], row["status"], row["facts"], times)
    if row["p"] is not None:
        level = f" at level {number(row['alpha'], 4)}" if row["alpha"] is not None else ""
        q = f", adjusted {chances(row['q'])}{level}" if row["q"] is not None else ""
        facts.append(f"{order} p {chances(row['p'])}{q}.".strip())
    facts += [
        words
        for words in (
            statements.say_beyond(
                row["kind"], row["role"], row["status"], row["p_beyond"], row["alpha_beyond"]
            ),
            statements.say_size(row["facts"], times),
        )
        if words
    ]
    facts.append(_say_noise(row))
    if row["kind"] == ChangeKind.STEP:
        facts.append(_again(week, row))
    if row["kind"] != ChangeKind.SHIFT:
        facts.append(_confirmatory(week, row))
    return facts


def _say_effect(week: ReportedWeek, row: Row) -> str:
    scope = "" if row["scope"] == "all" else f", {row['scope']}"
    if row["effect"] is None:
        return f"{row['system']}, {row['label']}{scope}: no effect is stored."
    effect = f"{number(row['effect'], 3, sign=True)} {span(row['low'], row['high'], 3, sign=True)}"
    ends = ""
    if row["before"] is not None and row["after"] is not None:
        averaged = say_averaged(row["kind"], row["facts"])
        ends = f", from {number(row['before'])} to {number(row['after'])}"
        ends += f" ({averaged})" if averaged else ""
    level = "" if row["kind"] == ChangeKind.DRIFT else "on the new level "
    when = f"{level}{statements.say_began(row['kind'])} {format_day(row['changed_at'], week.zone)}"
    if row["changed_at"] != row["detected_at"]:
        when += f", found on {format_day(row['detected_at'], week.zone)}"
    return f"{row['system']}, {row['label']}{scope}: {effect}{ends}; {when}."


def _say_noise(row: Row) -> str:
    if row["noise"] is None:
        return "Noise: not known yet."
    times = f", the effect is {number(row['statistic'], 1)} times that" if row["statistic"] else ""
    return f"Noise (standard deviation of the runs before): {number(row['noise'])}{times}."


def _again(week: ReportedWeek, row: Row) -> str:
    again = row["again"]
    if again is None:
        return "Not asked again so far."
    this_day = format_day(again["due_at"], week.zone)
    if again["delta"] is None:
        return f"Asked again on {this_day}: {again['reason'] or 'no reason is stored'}."
    text = f"{number(again['delta'], 3, True)} {span(again['low'], again['high'], 3, True)}"
    return f"Asked again on {this_day}: {text} over {several(again['n'], 'question')}."


def _confirmatory(week: ReportedWeek, row: Row) -> str:
    because = row["exploratory_because"]
    if because is None:
        return "Confirmatory: a main series that was registered before the first run."
    if because is Because.NOT_AS_DECLARED:
        runs = "; ".join(_say_departure(week, departure) for departure in row["departures"])
        return f"Exploratory: {EXPLORATORY[because]}. {runs}."
    is_main = row["role"] == Role.PRIMARY
    return f"Exploratory: {EXPLORATORY[because] if is_main else 'not a main series'}."


def _say_departure(week: ReportedWeek, row: Row) -> str:
    """One run that was not asked as declared: `Run of 2026-11-16: list gest: other content`."""
    what = "Run" if row["kind"] == RunKind.SCHEDULED else f"What was asked again ({row['kind']})"
    return f"{what} of {format_day(row['due_at'], week.zone)}: {'; '.join(row['differences'])}"


def _cause(row: Row) -> str:
    why = statements.explain_cause(row["cause"], row["because"])
    return f"Cause: {statements.CAUSE[row['cause']]}. {why}".rstrip()


# --- tests ----------------------------------------------------------------------------------------

_NOTHING = "no main series has a value in two runs"


def write_tests(week: ReportedWeek, looks: Sequence[Row], untested: Sequence[str]) -> list[Block]:
    """Return what was tested at which tick, and which jobs were not."""
    blocks: list[Block] = []
    if any(row["p"] is not None for row in looks):
        blocks.append(_write_table(week, looks))
    if untested:
        blocks.append(Words(not_tested(untested), "small"))
    return blocks


def not_tested(untested: Sequence[str]) -> str:
    """The jobs that had a tick in the week and no test."""
    return f"Not tested: {'job' if len(untested) == 1 else 'jobs'} {join_names(list(untested))}."


def _write_table(week: ReportedWeek, looks: Sequence[Row]) -> Block:
    columns = (
        Column("job"), Column("run", width=1.2), Column("main series", is_number=True),
        Column("families", is_number=True), Column("p of “nothing changed”", is_number=True),
        Column("level", is_number=True), Column("families selected", is_number=True),
    )  # fmt: skip
    often = Counter((row["job"], format_day(row["due_at"], week.zone)) for row in looks)
    rows = []
    for row in looks:
        date = format_day(row["due_at"], week.zone)
        tick = format_minute(row["due_at"], week.zone) if often[row["job"], date] > 1 else date
        numbers = (
            [write_quiet(_NOTHING), Cell(""), Cell("")]
            if row["p"] is None
            else [Cell(chances(row["p"])), Cell(number(row["alpha"] or 0, 4)),
                  Cell(f"{row['selected']:,}")]
        )  # fmt: skip
        rows.append([Cell(row["job"]), Cell(tick), Cell(f"{row['hypotheses']:,}"),
                     Cell(f"{row['families']:,}"), *numbers])  # fmt: skip
    return table("Tests of this week", columns, rows)


# --- unnoticed changes ----------------------------------------------------------------------------

#: Why a change since last week is not known, in the order in which it is said.
WHY_UNKNOWN = {
    "first": "first value, nothing to compare it with",
    "no_tick": "not asked this week",
    "no_value": "no value in the newest run",
    "no_earlier": "no earlier run to compare with",
    "no_change": "answers that cannot be compared",
    "few_runs": "too few runs so far",
}


def describe_unnoticed(
    week: ReportedWeek,
    rows: Sequence[Row],
    changed: set[tuple[str, int]],
    effects: Mapping[int, float | None],
) -> list[Row]:
    """Return by primary quantity the largest change that could have been missed.

    `effects` are by series the smallest change that is found with a probability of 80 %; None where
    a series has too few runs. Series that changed are left out, and so are those that have ended.
    """
    ticked = {job.name for job in week.jobs if job.in_week}
    all_rows: dict[tuple[str, str], Row] = {}
    for row in rows:
        is_left_out = (row["job"], row["series_id"]) in changed or row["state"] == ENDED
        if row["role"] != Role.PRIMARY or is_left_out:
            continue
        entry = all_rows.setdefault(
            (row["measure"], row["title"]),
            {"measure": row["measure"], "title": row["title"], "label": row["label"],
             "n_compared": 0, "n_not": 0, "not": dict.fromkeys(WHY_UNKNOWN, 0), "most": None,
             "system": ""},
        )  # fmt: skip
        most = effects.get(row["series_id"])
        why = why_unknown(row, has_tick=row["job"] in ticked) or (
            "" if most is not None else "few_runs"
        )
        if why or most is None:
            entry["n_not"] += 1
            entry["not"][why] += 1
            continue
        entry["n_compared"] += 1
        if entry["most"] is None or most > entry["most"]:
            entry |= {"most": most, "system": row["system"]}
    return list(all_rows.values())


def why_unknown(row: Row, *, has_tick: bool) -> str:
    """Return why the change of a series since last week is not known, or nothing where it is."""
    week = row["week"]
    if not has_tick:
        return "no_tick"
    if row["state"] != State.MEASURED:
        return "no_value"
    if first_values.is_first(row):
        return "first"
    if week is None:
        return "no_earlier"
    return "no_change" if week["delta"] is None else ""


# --- printed --------------------------------------------------------------------------------------


def write_unnoticed(unnoticed: Sequence[Row], earlier: str, *, beside: bool) -> list[Block]:
    """The largest changes that could have been missed, and of what they are not known."""
    rows = [row for row in unnoticed if row["most"] is not None]
    where = "In the other series, a" if beside else "A"
    blocks: list[Block] = []
    if rows:
        sentences = [
            f"{row['label']}{_of(row['measure'])}: {number(row['most'])} ({row['system']}, "
            f"the largest of {several(row['n_compared'], 'series', 'series')})"
            for row in rows
        ]
        blocks += [
            Words(
                f"{where} change of this size would be found with {CHANCE} probability, smaller "
                "ones would often be missed:"
            ),
            Items(sentences),
        ]
    lacking = say_silence(unnoticed, earlier)
    return [*blocks, Words(lacking, "small")] if lacking else blocks


def say_silence(unnoticed: Sequence[Row], earlier: str) -> str:
    """Of how many series no change since an earlier tick is known, and why; empty where of none."""
    counts: Mapping[str, int] = {
        why: sum(row["not"][why] for row in unnoticed) for why in WHY_UNKNOWN if why != "first"
    }
    parts = [f"{WHY_UNKNOWN[why]} ({n:,})" for why, n in counts.items() if n]
    if not parts:
        return ""
    which = several(sum(counts.values()), "main series", "main series")
    return f"Whether {which} changed since {earlier} is not known: {', '.join(parts)}."


def _of(measure: str) -> str:
    parameters = names.say_parameters(measure)
    return f" ({parameters})" if parameters else ""


# --- section --------------------------------------------------------------------------------------

#: What is told of a test.
_LOOK = (
    "job", "due_at", "number", "families", "hypotheses", "p", "alpha", "selected", "rule",
)  # fmt: skip
_ORDER = (
    Status.CONFIRMED, Status.CANDIDATE, Status.UNCONFIRMED, Status.REFUTED, Status.RETROSPECTIVE,
)  # fmt: skip


def describe_changes(
    connection: Connection,
    week: ReportedWeek,
    rows: Sequence[Row],
    effects: Mapping[int, float | None],
) -> Row:
    """Changes of the week by what became of them, first values, what could have gone unnoticed.

    `effects` are those of `smallest_effects`.
    """
    of_week = [change for change in week.changes if is_of_week(week, change)]
    times = _count_due_times(connection, of_week)
    all_rows = [
        describe_change(week, change, times.get(change.change_id, UNKNOWN)) for change in of_week
    ]
    result = {(change.job, change.series_id) for change in of_week if change.is_confirmed}
    all_rows.sort(key=_make_rank)
    return {
        "changes": [row for row in all_rows if row["kind"] != ChangeKind.SHIFT],
        "retrospective": [row for row in all_rows if row["kind"] == ChangeKind.SHIFT],
        "departures": [
            {"job": job.name} | stretch.row()
            for job in week.jobs
            for stretch in job.declaration.stretches
        ],
        "ours": annexes.list_switches(week),
        "looks": [{name: row[name] for name in _LOOK} for row in week.looks],
        "untested": _untested(week),
        "first": first_values.describe_first_values(connection, week, rows),
        "unnoticed": describe_unnoticed(week, rows, result, effects),
    }


def _count_due_times(connection: Connection, changes: Sequence[WeekChange]) -> dict[int, DueTimes]:
    """Return {number: due times of the runs that its order rests on} of these changes."""
    by_job: dict[str, list[OrderedChange]] = {}
    for change in changes:
        names = ("change_id", *OrderedChange._fields[1:])
        ordered = OrderedChange(*(getattr(change, name) for name in names))
        by_job.setdefault(change.job, []).append(ordered)
    return {
        number: times
        for job, ordered_changes in by_job.items()
        for number, times in count_due_times(connection, job, ordered_changes).items()
    }


def select_confirmed(week: ReportedWeek) -> list[WeekChange]:
    """Return the changes of the week that are confirmed, as they are stored."""
    return [change for change in week.changes if change.is_confirmed and is_of_week(week, change)]


def smallest_effects(
    connection: Connection, week: ReportedWeek, rows: Sequence[Row]
) -> dict[int, float | None]:
    """Return by primary series the smallest change that its runs find; None with too few runs."""
    effects: dict[int, float | None] = {}
    for job in week.jobs:
        series = [
            row["series_id"]
            for row in rows
            if row["job"] == job.name and row["role"] == Role.PRIMARY and row["ended_at"] is None
        ]
        effects |= smallest_changes(
            connection, job.name, series, first_values.alpha_of(job), week.until
        )
    return effects


def _make_rank(row: Row) -> tuple[object, ...]:
    """Confirmed changes come first, and primary series before secondary ones."""
    is_beside = row["role"] != Role.PRIMARY
    return _ORDER.index(row["status"]), is_beside, row["detected_at"]


def is_of_week(week: ReportedWeek, change: WeekChange) -> bool:
    """Return whether a change was found in the week, or asked again in it."""
    is_asked_again = change.again and week.after < change.again["due_at"] <= week.until
    return bool(change.detected_at > week.after or is_asked_again)


def _untested(week: ReportedWeek) -> list[str]:
    """Jobs with a run in the week of which no test is stored."""
    looked = {row["job"] for row in week.looks}
    return [job.name for job in week.jobs if job.run_id is not None and job.name not in looked]


# --- printed --------------------------------------------------------------------------------------


def write_changes_section(week: ReportedWeek, found: Row) -> Section:
    """Headline changes with everything that they rest on."""
    standing = [row for row in found["changes"] if row["status"] == Status.CONFIRMED]
    signals = [row for row in found["changes"] if row["status"] != Status.CONFIRMED]
    signals += found["retrospective"]
    blocks: list[Block] = [Words(_departed(week, row), "strong") for row in found["departures"]]
    main = [row for row in standing if row["role"] == Role.PRIMARY]
    blocks += _write_changes(week, main)
    if standing[len(main) :]:  # main series come first
        words = several(len(standing) - len(main), "other quantity", "other quantities")
        inside = _write_changes(week, standing[len(main) :])
        blocks.append(Fold(f"{words} that changed as well", inside))
    if not found["looks"]:
        blocks.append(Words("No test of this week’s runs is stored.", "strong"))
    blocks += write_tests(week, found["looks"], found["untested"])
    blocks += write_unnoticed(found["unnoticed"], week.earlier, beside=bool(standing))
    blocks += first_values.write_first_values(found["first"])
    if found["ours"]:
        blocks.append(Heading("What changed with us"))
        blocks.append(Items([annexes.say_switch(week, row) for row in found["ours"]]))
    if signals:
        text = several(len(signals), "unconfirmed signal", "unconfirmed signals")
        blocks.append(Fold(f"{text} (no findings)", _write_changes(week, signals)))
    return Section("headline", "What changed", blocks)


def _departed(week: ReportedWeek, row: Row) -> str:
    """Since when a job is another than declared, or when it was."""
    since, last = (format_day(row[name], week.zone) for name in ("since", "last"))
    what = "; ".join(row["differences"])
    if row["back_at"] is None:
        return (
            f"The job {row['job']} differs from what was declared since {since}: {what}. What is "
            "found from then on is exploratory."
        )
    ticks = several(row["n_ticks"], "run")
    when = f"on {since}" if row["n_ticks"] == 1 else f"from {since} to {last}"
    return (
        f"The job {row['job']} differed from what was declared in {ticks} {when}: {what}. Since "
        f"{format_day(row['back_at'], week.zone)} it is asked as declared again; what is "
        "compared with "
        "one of those runs is exploratory."
    )
