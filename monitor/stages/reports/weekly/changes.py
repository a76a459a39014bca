"""Changes of the week: those found, tests, first values, and what could have gone unnoticed.

The smallest change that is found later is that which is found with a probability of 80 % after a
level of 12 ticks, as `monitor plan` has it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any

from monitor.change import ChangeKind, Contrast, Role, Status
from monitor.jobs import ListUse, MeasureUse
from monitor.model import Kind, Measure, MonitorError, RunKind, State, as_row
from monitor.names import format_name
from monitor.stages.changes import detectable_effects, statements
from monitor.stages.changes.claim_support import say_averaged
from monitor.stages.changes.decisions import ALPHA
from monitor.stages.changes.detectable_effects import (
    ASSUMED_FLIPS,
    POWERS,
    EffectRule,
    smallest_changes,
)
from monitor.stages.changes.due_times import UNKNOWN, DueTimes, OrderedChange, count_due_times
from monitor.stages.changes.statements import missing_words
from monitor.stages.document import records as doc
from monitor.stages.document.notation import (
    chances,
    format_day,
    format_minute,
    join_names,
    number,
    span,
)
from monitor.stages.document.system_tiles import CHANCE
from monitor.stages.jobs import plan, preregistration
from monitor.stages.jobs.preregistration import EXPLORATORY, Because, DeclarationSubject
from monitor.stages.reports import names
from monitor.stages.reports.cells import write_cell, write_quiet
from monitor.stages.reports.weekly import annexes
from monitor.stages.reports.weekly.week import ENDED, JobWeek, ReportedWeek
from monitor.store.changes.comparisons import AnswerFlips, SeriesName, count_flips
from monitor.store.database import Connection
from monitor.store.jobs import declarations
from monitor.store.reports.weekly_report import WeekChange
from monitor.store.rows import group_rows
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


def _write_changes(week: ReportedWeek, rows: Sequence[Row]) -> list[doc.Block]:
    """Return changes in words."""
    blocks: list[doc.Block] = []
    for row in rows:
        sentence = row["sentence"] or f"{row['label']} of {row['system']} changed."
        blocks.append(doc.Words(f"{statements.STATUS[row['status']]}. {sentence}", "strong"))
        blocks.append(doc.Items(_list_facts(week, row)))
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
        facts.append(missing_words(tested["facts"]))
    times = DueTimes(**row["due_times"])
    order = statements.say_order(row["kind"], row["status"], row["facts"], times)
    if row["p"] is not None:
        level = f" at level {number(row['alpha'], 4)}" if row["alpha"] is not None else ""
        q = f", adjusted {chances(row['q'])}{level}" if row["q"] is not None else ""
        facts.append(f"{order} p {chances(row['p'])}{q}.".strip())
    facts += [
        statements.say_beyond(
            row["kind"], row["role"], row["status"], row["p_beyond"], row["alpha_beyond"]
        ),
        statements.say_size(row["facts"], times),
        _say_noise(row),
        _again(week, row) if row["kind"] == ChangeKind.STEP else "",
        _confirmatory(week, row) if row["kind"] != ChangeKind.SHIFT else "",
        _cause(row),
    ]
    return list(filter(None, facts))


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


def write_tests(
    week: ReportedWeek, looks: Sequence[Row], untested: Sequence[str]
) -> list[doc.Block]:
    """Return what was tested at which tick, and which jobs were not."""
    blocks: list[doc.Block] = []
    if any(row["p"] is not None for row in looks):
        titles: list[doc.Title] = ["job", doc.Column("run", width=1.2), "#main series", "#families",
                  "#p of “nothing changed”", "#level", "#families selected"]  # fmt: skip
        often = Counter((row["job"], format_day(row["due_at"], week.zone)) for row in looks)
        rows = [_write_test(week, row, often) for row in looks]
        blocks.append(doc.table("Tests of this week", titles, rows))
    if untested:
        which = "job" if len(untested) == 1 else "jobs"
        blocks.append(doc.Words(f"Not tested: {which} {join_names(untested)}.", "small"))
    return blocks


def _write_test(
    week: ReportedWeek, row: Row, often: Mapping[tuple[str, str], int]
) -> list[doc.Entry]:
    """Return the cells of a test; `often` are the tests of a job and day."""
    tick = format_day(row["due_at"], week.zone)
    if often[row["job"], tick] > 1:
        tick = format_minute(row["due_at"], week.zone)
    numbers: list[doc.Entry] = [write_quiet(_NOTHING), "", ""]
    if row["p"] is not None:
        numbers = [chances(row["p"]), number(row["alpha"] or 0, 4), f"{row['selected']:,}"]
    return [row["job"], tick, f"{row['hypotheses']:,}", f"{row['families']:,}", *numbers]


# --- first values ---------------------------------------------------------------------------------

#: Rows that are shown at once.
_UNFOLDED = 60
_POWER = POWERS[0]
_NOT_KNOWN = "the measure of then is not known to this version"
_TOO_FEW = "none is found: too many runs would be needed"
_HOW = {Contrast.DAYS: "a day apart", Contrast.MINUTES: "at once"}


def is_first(row: Row) -> bool:
    """Return whether a primary series has its first value, at the newest tick, and no change to it.

    Of another version of a list the chart begins anew, but what both versions ask is compared.
    """
    is_there = row["role"] == Role.PRIMARY and row["state"] == State.MEASURED
    earlier = (row["week"], row["first"])
    is_compared = any(entry is not None and entry["delta"] is not None for entry in earlier)
    return bool(is_there and row["n_measured"] == 1 and not is_compared)


def describe_first_values(
    connection: Connection, week: ReportedWeek, rows: Sequence[Row]
) -> list[Row]:
    """One row per primary series that `is_first` at the newest tick of its job."""
    all_rows: list[Row] = []
    for job in week.jobs:
        first = [row for row in rows if row["job"] == job.name and is_first(row)]
        first.sort(key=lambda row: names.rank_series(row, job.content))
        if first:
            n_tested = len(_list_tested(job, rows))
            all_rows += _describe_first_of_job(connection, week, job, first, n_tested)
    return all_rows


def _list_tested(job: JobWeek, rows: Sequence[Row]) -> list[int]:
    """Return the series of a job that are tested first, now."""
    return [
        row["series_id"]
        for row in rows
        if row["job"] == job.name and row["role"] == Role.PRIMARY and row["ended_at"] is None
    ]


def _describe_first_of_job(
    connection: Connection, week: ReportedWeek, job: JobWeek, rows: Sequence[Row], n: int
) -> Iterator[Row]:
    share = (job.content.get("noise") or {}).get("share")
    how = detectable_effects.make_deciding(n, 2 if share == 1 else 1, alpha_of(job))
    flips = _pooled(count_flips(connection, job.name, week.until))
    find_rule = _make_rules(connection, job)
    columns = ("series_id", "job", "list", "source_lang", "measure", "quantity", "reference",
            "kind", "system", "title", "label", "due_at", "value", "low", "high", "used", "planned",
            "point_id")  # fmt: skip
    for row in rows:
        seen = flips.get(_name_quantity(row))
        rule = find_rule(row)
        flipping = seen.changed / seen.n if seen else ASSUMED_FLIPS
        effects = (
            change.effect for change in detectable_effects.compute_changes(rule, flipping, how)
            if (change.claim, change.power) == ("list", _POWER)
        )  # fmt: skip
        least = next(effects, None)
        reason = rule.reason or ("" if least is not None else _TOO_FEW)
        yield {name: row[name] for name in columns} | {
            "smallest": {
                "effect": least, "reason": reason, "power": _POWER,
                "ticks_before": how.ticks_before, "runs_needed": how.since,
                "series_tested": n, "questions": rule.probes, "flips": flipping,
                "flips_from": str(seen.contrast) if seen else "assumed",
                "flips_n": seen.n if seen else 0,
            }
        }  # fmt: skip


def alpha_of(job: JobWeek) -> float:
    """Return the level of all tests of a job together: the declared one, else 0.05."""
    return float(job.declaration.declared.get("alpha", ALPHA))


#: What names a quantity over all systems.
_name_quantity = itemgetter("list", "source_lang", "measure", "quantity", "reference")


def _pooled(
    flips: Mapping[SeriesName, AnswerFlips],
) -> dict[tuple[str, ...], AnswerFlips]:
    """{quantity: its flips over all systems}, of a day apart where any system has these."""
    answer_flips: dict[tuple[str, ...], AnswerFlips] = {}
    for name, flip in flips.items():
        key = _name_quantity(name._asdict())
        before = answer_flips.get(key)
        if before is None or (before.contrast, flip.contrast) == (Contrast.MINUTES, Contrast.DAYS):
            answer_flips[key] = flip
        elif before.contrast == flip.contrast:
            answer_flips[key] = AnswerFlips(
                flip.contrast, before.changed + flip.changed, before.n + flip.n
            )
    return answer_flips


def _make_rules(connection: Connection, job: JobWeek) -> Callable[[Row], EffectRule]:
    """Return what gives the rule of a series of a job; without one the reason says why.

    Rules are about forms in translations, and follow from the questions of the newest tick.
    """
    requested = {} if job.run_id is None else declarations.read_run_items(connection, job.run_id)
    uses = {use.name.split("@", 1)[0]: use for use in job.read_uses("lists", ListUse)}
    sampled = {
        name: plan.draw_sample(items, uses[name])
        for name, items in requested.items()
        if name in uses
    }
    measures: dict[str, Measure] = {}
    for use in job.read_uses("measures", MeasureUse):
        with suppress(MonitorError):
            measures |= {format_name(measure): measure for measure in use.configure_for(Kind.MT)}

    @cache
    def find_rule(name: str, source_lang: str, measure: str, quantity: str) -> EffectRule:
        if measure not in measures:
            return EffectRule(0, reason=_NOT_KNOWN)
        items = [item for item in sampled.get(name, ()) if item.source_lang == source_lang]
        return detectable_effects.rule_of(measures[measure], quantity, items)

    def find_rule_of(row: Row) -> EffectRule:
        if row["kind"] != Kind.MT:
            return EffectRule(row["planned"] or 0, reason=detectable_effects.NO_FORMULA)
        return find_rule(row["list"], row["source_lang"], row["measure"], row["quantity"])

    return find_rule_of


def write_first_values(found: Sequence[Row]) -> list[doc.Block]:
    """The first values in a table, with what it takes to find a change at the next tick."""
    if not found:
        return []
    grouped = group_rows(found, itemgetter("job", "system", "list"))
    table = doc.grouped(
        "First values of main series, and how small a change could be found next time",
        [
            doc.Column("series", width=2.6),
            doc.Column("first value [95 % interval]", is_number=True, width=1.4),
            "#questions used",
            doc.Column("smallest change that can be found", is_number=True, width=1.8),
        ],
        [
            doc.group(f"{system}, list {list_name}, job {job}", map(_write_first_cells, rows))
            for (job, system, list_name), rows in grouped.items()
        ],
    )
    summary = f"First values of {several(len(found), 'main series', 'main series')}"
    blocks: list[doc.Block] = [table]
    if len(found) > _UNFOLDED:
        blocks = [doc.Fold(summary, blocks, is_printed=True)]
    return [*blocks, _write_first_notes(found)]


def _write_first_cells(row: Row) -> list[doc.Entry]:
    sign = names.find_quantity(row["measure"], row["quantity"], row["kind"]).is_signed
    parameters = names.say_parameters(row["measure"])
    used = f"{row['used']:,} of {row['planned']:,}" if row["planned"] is not None else "none"
    effect, reason = row["smallest"]["effect"], row["smallest"]["reason"]
    least = write_quiet(reason) if effect is None else f"±{number(effect)}"
    return [doc.Cell(row["label"], parameters), write_cell(row, sign), used, least]


def _write_first_notes(found: Sequence[Row]) -> doc.Words:
    """Return what the smallest changes rest on."""
    stored = [row["smallest"] for row in found if row["smallest"]["effect"] is not None]
    if not stored:
        text = "How small a change could be found is not known before there are answers of two runs"
        return doc.Words(f"{text}; “monitor plan” has the reasons.", "small")
    flips = dict.fromkeys(_say_flips(item) for item in stored)
    return doc.Words(
        f"Found with a probability of {100 * _POWER:.0f} % after a level of "
        f"{stored[0]['ticks_before']} runs, if every question can be used, and if "
        f"{'; or '.join(flips)} give another answer although nothing changed. “monitor plan” "
        "says how many runs decide.",
        "small",
    )


def _say_flips(one: Row) -> str:
    share = f"{100 * one['flips']:.1f} %".replace(".0 %", " %")
    if one["flips_from"] == "assumed":
        return f"{share} (assumed: not measured yet)"
    return f"{share} (seen {_HOW[one['flips_from']]} on {several(one['flips_n'], 'question')})"


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
        why = why_unknown(row, has_tick=row["job"] in ticked)
        if why or most is None:
            entry["n_not"] += 1
            entry["not"][why or "few_runs"] += 1
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
    if is_first(row):
        return "first"
    if week is None:
        return "no_earlier"
    return "no_change" if week["delta"] is None else ""


# --- printed --------------------------------------------------------------------------------------


def write_unnoticed(unnoticed: Sequence[Row], earlier: str, *, beside: bool) -> list[doc.Block]:
    """The largest changes that could have been missed, and of what they are not known."""
    where = "In the other series, a" if beside else "A"
    sentences = [
        f"{row['label']}{names.bracket_parameters(row['measure'])}: {number(row['most'])} "
        f"({row['system']}, the largest of {several(row['n_compared'], 'series', 'series')})"
        for row in unnoticed
        if row["most"] is not None
    ]
    lead = doc.Words(
        f"{where} change of this size would be found with {CHANCE} probability, smaller ones would "
        "often be missed:"
    )
    lacking = say_silence(unnoticed, earlier)
    blocks: list[doc.Block] = [lead, doc.Items(sentences)] if sentences else []
    return [*blocks, doc.Words(lacking, "small")] if lacking else blocks


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
        "untested": [
            job.name
            for job in week.jobs
            if job.run_id is not None and job.name not in {row["job"] for row in week.looks}
        ],
        "first": describe_first_values(connection, week, rows),
        "unnoticed": describe_unnoticed(week, rows, result, effects),
    }


def _count_due_times(connection: Connection, changes: Sequence[WeekChange]) -> dict[int, DueTimes]:
    """Return {number: due times of the runs that its order rests on} of these changes."""
    read_fields = attrgetter("change_id", *OrderedChange._fields[1:])
    result: dict[int, DueTimes] = {}
    for job, of_job in group_rows(changes, attrgetter("job")).items():
        ordered = [OrderedChange(*read_fields(change)) for change in of_job]
        result |= count_due_times(connection, job, ordered)
    return result


def select_confirmed(week: ReportedWeek) -> list[WeekChange]:
    """Return the changes of the week that are confirmed, as they are stored."""
    return [change for change in week.changes if change.is_confirmed and is_of_week(week, change)]


def smallest_effects(
    connection: Connection, week: ReportedWeek, rows: Sequence[Row]
) -> dict[int, float | None]:
    """Return by primary series the smallest change that its runs find; None with too few runs."""
    effects: dict[int, float | None] = {}
    for job in week.jobs:
        effects |= smallest_changes(
            connection, job.name, _list_tested(job, rows), alpha_of(job), week.until
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


# --- printed --------------------------------------------------------------------------------------


def write_changes_section(week: ReportedWeek, found: Row) -> doc.Section:
    """Headline changes with everything that they rest on."""
    standing = [row for row in found["changes"] if row["status"] == Status.CONFIRMED]
    signals = [row for row in found["changes"] if row["status"] != Status.CONFIRMED]
    signals += found["retrospective"]
    blocks: list[doc.Block] = [
        doc.Words(_departed(week, row), "strong") for row in found["departures"]
    ]
    main = [row for row in standing if row["role"] == Role.PRIMARY]
    blocks += _write_changes(week, main)
    if standing[len(main) :]:  # main series come first
        words = several(len(standing) - len(main), "other quantity", "other quantities")
        inside = _write_changes(week, standing[len(main) :])
        blocks.append(doc.Fold(f"{words} that changed as well", inside))
    if not found["looks"]:
        blocks.append(doc.Words("No test of this week’s runs is stored.", "strong"))
    blocks += write_tests(week, found["looks"], found["untested"])
    blocks += write_unnoticed(found["unnoticed"], week.earlier, beside=bool(standing))
    blocks += write_first_values(found["first"])
    if found["ours"]:
        blocks.append(doc.Heading("What changed with us"))
        blocks.append(doc.Items([annexes.say_switch(week, row) for row in found["ours"]]))
    if signals:
        text = several(len(signals), "unconfirmed signal", "unconfirmed signals")
        blocks.append(doc.Fold(f"{text} (no findings)", _write_changes(week, signals)))
    return doc.Section("headline", "What changed", blocks)


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
