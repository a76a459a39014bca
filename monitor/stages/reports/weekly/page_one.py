"""Page one of the weekly report: verdict, counts, cards of events, tiles of systems.

These are what page one counts and what its tiles show. Control systems are not among them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from operator import attrgetter
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from monitor.change import Role, Status
from monitor.model import Kind, Meaning, Quantity, State
from monitor.stages.changes.claim_support import (
    EventDetails,
    EventExample,
    read_details,
)
from monitor.stages.changes.events import (
    ChangeEvent,
    describe_events,
    say_systems,
)
from monitor.stages.changes.statements import UNTOLD, say_moved, say_our_part
from monitor.stages.document import records as doc
from monitor.stages.document import system_tiles
from monitor.stages.document.notation import capitalize_first, join_names, shorten
from monitor.stages.document.system_tiles import TileChange, TileChart
from monitor.stages.document.time_chart import draw_time_chart
from monitor.stages.reports import claim_content, names
from monitor.stages.reports.coverage import Refusals, is_deed, say_missing
from monitor.stages.reports.names import KnownEngine, pair_words
from monitor.stages.reports.weekly import changes
from monitor.stages.reports.weekly.series import make_marks
from monitor.stages.reports.weekly.week import ReportedWeek
from monitor.store.database import Connection
from monitor.store.reports.weekly_report import WeekChange
from monitor.store.rows import group_rows
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import (
    PERCENT,
    say_day,
    say_short_day,
)

# --- systems --------------------------------------------------------------------------------------

Row = dict[str, Any]
#: Job, engine, and both languages; of a search engine its region.
SystemKey = tuple[str, int, str, str]

_NO_RANK = 99
_LONGEST_NAME = 48
_FEW_SINCE = "too few runs since its last change"
_NOT_COMPARED = "not compared yet"


class DetailedEvent(NamedTuple):
    """An event with what its card shows."""

    event: ChangeEvent
    details: EventDetails


#: What pages call a system that is `SystemCheck.NOT_CHECKED`: of some there is no value to test.
NOT_TESTED = "not tested"


class SystemCheck(StrEnum):
    """Result of the week for a system, as the JSON has it."""

    CHANGED = "changed"
    MOVED = "moved when our side changed"
    UNCHANGED = "unchanged"
    NOT_CHECKED = "not checked"


def system_key(row: Mapping[str, Any]) -> SystemKey:
    """Return the system and language that a series is about."""
    return row["job"], row["engine_id"], row["source_lang"], row["target"]


def _changed_system(change: WeekChange) -> SystemKey:
    return change.job, change.engine_id, change.source_lang, change.target


def describe_systems(
    week: ReportedWeek,
    rows: Sequence[Row],
    confirmed: Sequence[WeekChange],
    effects: Mapping[int, float | None],
    refusals: Refusals,
) -> list[Row]:
    """Return one row per system and language; `confirmed` are the confirmed changes of the week.

    Whether a system changed whose numbers moved with a change on our own side is not known.
    `effects` are the smallest changes that are found, by series.
    """
    tested = [row for row in rows if row["role"] == Role.PRIMARY and row["ended_at"] is None]
    tested.sort(key=lambda row: names.rank_series(row, week.job(row["job"]).content))
    changed = {_changed_system(change): _say_our_part(change) for change in confirmed}
    changed |= {_changed_system(change): "" for change in confirmed if not _say_our_part(change)}
    counted = [
        _describe_system(week, group, changed.get(system), effects, refusals)
        for system, group in group_rows(tested, system_key).items()
    ]
    order = list(SystemCheck)
    return sorted(
        counted, key=lambda row: (order.index(row["check"]), row["system"], row["asked_in"])
    )


def _describe_system(
    week: ReportedWeek,
    rows: Sequence[Row],
    our_cause: str | None,
    effects: Mapping[int, float | None],
    refusals: Refusals,
) -> Row:
    """Return a system; `our_cause` is what changed on our side, None where nothing changed."""
    row = min(rows, key=_make_prominence)
    if our_cause is None:
        reason = _reason(week, row, effects, refusals)
        check = SystemCheck.NOT_CHECKED if reason else SystemCheck.UNCHANGED
    else:
        reason = our_cause
        check = SystemCheck.MOVED if our_cause else SystemCheck.CHANGED
    last = _last_change(week, row)
    told = _last_change(week, row, is_ours=True) if check is SystemCheck.MOVED else last
    columns = ("job", "engine", "series_id", "measure", "quantity", "kind", "state", "due_at",
            "value", "low", "high")  # fmt: skip
    is_unchanged = check is SystemCheck.UNCHANGED
    return {name: row[name] for name in columns} | {
        "system": week.engine_title(row["engine"]),
        "asked_in": pair_words(row["source_lang"], row["target"], row["kind"]),
        "check": check,
        "reason": reason,
        "last_change": last.changed_at if last else None,
        "change_said": _say_moved(week, told, row) if told else "",
        "undecided": _undecided(week, row, last),
        "smallest": _compute_smallest(week, row, rows, effects) if is_unchanged else None,
    }


def _say_our_part(change: WeekChange) -> str:
    return say_our_part(change.cause, change.because)


def find_quantity(row: Mapping[str, Any]) -> Quantity:
    """Return the quantity that stands for a system."""
    return names.find_quantity(row["measure"], row["quantity"], row["kind"])


def _make_prominence(row: Row) -> tuple[object, ...]:
    """Order quantities: what is said in percent first, then by their rank in headlines."""
    meaning = find_quantity(row).meaning
    return meaning.unit not in PERCENT, meaning.rank or _NO_RANK


def _reason(
    week: ReportedWeek, row: Row, effects: Mapping[int, float | None], refusals: Refusals
) -> str:
    """Return why it is not known whether a system changed; empty where it is."""
    job = week.job(row["job"])
    why = changes.why_unknown(row, has_tick=bool(job.in_week))
    if why == "no_value":
        system = row["engine"], row["source_lang"], row["target"]
        deed = refusals.in_run(system, job.run_id)
        return say_missing(deed, State(row["state"]), row["reason"])
    if why:
        return changes.WHY_UNKNOWN[why]
    tests = [look for look in week.looks if look["job"] == row["job"]]
    if not tests:
        return _NOT_COMPARED
    is_tested = any(look["p"] is not None for look in tests)
    if is_tested and effects.get(row["series_id"]) is not None:
        return ""
    return _FEW_SINCE if _last_change(week, row) else changes.WHY_UNKNOWN["few_runs"]


def _last_change(week: ReportedWeek, row: Row, *, is_ours: bool = False) -> WeekChange | None:
    """Return the last confirmed change of a system, or the last that our own side may have made."""
    confirmed = (
        change for change in _list_changes(week, row)
        if change.is_confirmed and bool(_say_our_part(change)) == is_ours
    )  # fmt: skip
    return max(confirmed, key=attrgetter("changed_at"), default=None)


def _list_changes(week: ReportedWeek, row: Row) -> list[WeekChange]:
    """Return the changes of a system and language."""
    return [change for change in week.changes if _changed_system(change) == system_key(row)]


def _undecided(week: ReportedWeek, row: Row, last: WeekChange | None) -> datetime | None:
    """Return since when a system may have changed, where more runs have to decide that."""
    candidates = (
        change.changed_at for change in _list_changes(week, row)
        if change.status == Status.CANDIDATE
        and (last is None or change.changed_at > last.changed_at)
    )  # fmt: skip
    return max(candidates, default=None)


def _compute_smallest(
    week: ReportedWeek, shown: Row, rows: Sequence[Row], effects: Mapping[int, float | None]
) -> float | None:
    """Return the largest change of a system that could have been missed, in the unit of its tile.

    Of all its tested quantities in percent or points; else of the one that is shown.
    """
    is_percent = find_quantity(shown).meaning.unit in PERCENT
    alike = [
        row for row in rows
        if (find_quantity(row).meaning.unit in PERCENT if is_percent else row is shown)
        and not changes.why_unknown(row, has_tick=bool(week.job(row["job"]).in_week))
    ]  # fmt: skip
    sizes = [size for row in alike if (size := effects.get(row["series_id"])) is not None]
    return max(sizes, default=None)


def say_reason(row: Row) -> str:
    """Return `Search B refused our questions`, or `Search B: too few answers`."""
    return f"{say_system(row)}{' ' if is_deed(row['reason']) else ': '}{row['reason']}"


def say_system(row: Row) -> str:
    """Return what a system is called, in a line."""
    return shorten(str(row["system"]), _LONGEST_NAME)


def _list_sizes(rows: Sequence[Row]) -> list[tuple[Meaning, float]]:
    return [
        (find_quantity(row).meaning, row["smallest"]) for row in rows if row["smallest"] is not None
    ]


# --- tiles ----------------------------------------------------------------------------------------


def make_tiles(
    week: ReportedWeek,
    systems: Sequence[Row],
    charts: Sequence[Row],
    unchanged_words: str,
    details: Sequence[DetailedEvent],
    *,
    is_quiet: bool,
) -> doc.Tiles:
    """Return the tiles of these systems; those of a quantity stand together and share one scale.

    Newest values that cards of `details` show are printed as there.

    In a quiet week, which has no card that does, they say what the quantities compare.
    `charts` are those of main series over time.
    """
    courses = {chart["series_id"]: chart for group in charts for chart in group["charts"]}
    drawn = {row["series_id"]: _write_chart(week, row, courses.get(row["series_id"], {}))
             for row in systems}  # fmt: skip
    printed = {item.event.leading.series: item.details.newest_said for item in reversed(details)}
    by_quantity = group_rows(systems, lambda row: find_quantity(row).meaning.label)
    is_mixed = len(by_quantity) > 1
    tiles: list[doc.Tile] = []
    captions = ["Each quantity has its own scale."] if is_mixed else []
    for index, (label, rows) in enumerate(by_quantity.items()):
        about = find_quantity(rows[0])
        marks = (drawn[row["series_id"]].marks for row in rows)
        scales = system_tiles.common_scales(marks, about.neutral)
        tiles += [
            doc.Tile(
                title=say_system(row),
                under=f"{row['asked_in']}: {label}" if is_mixed else row["asked_in"],
                value=printed.get(row["series_id"])
                or system_tiles.say_measured(about.meaning.unit, row["value"]),
                svg=system_tiles.draw_tile(drawn[row["series_id"]], scales, f"t{index}-{n}"),
                note=_note(week, row, unchanged_words),
                is_changed=row["check"] == SystemCheck.CHANGED,
            )
            for n, row in enumerate(rows)
        ]
        explained = about.meaning.explained if is_quiet else ""
        if explained or not is_mixed:
            name = capitalize_first(label)
            captions.append(f"{name}: {explained}" if explained else f"{name}.")
    neutral = dict.fromkeys(
        system_tiles.say_neutral(find_quantity(row)) for row, *_ in by_quantity.values()
    )
    band = system_tiles.BAND if is_quiet else ""
    legend = system_tiles.say_legend(drawn.values(), "this week")
    return doc.Tiles(" ".join(filter(None, (*captions, band, *neutral, legend))), tiles)


def _write_chart(week: ReportedWeek, row: Row, course: Mapping[str, Any]) -> TileChart:
    about = find_quantity(row)
    drawn = {change["change_id"] for change in course.get("changes", ())}
    return TileChart(
        title=f"{about.meaning.label}: {row['system']}, {row['asked_in']}",
        quantity=about,
        marks=make_marks(course.get("ticks", ())),
        changes=[
            TileChange(
                change.changed_at, bool(_say_our_part(change)), changes.is_of_week(week, change)
            )
            for change in week.changes
            if change.change_id in drawn and change.is_confirmed
        ],
        zone=week.zone,
    )


def _note(week: ReportedWeek, row: Row, unchanged_words: str) -> str:
    """Return what became of a system: `changed 23 Feb; no change found since`."""
    changed, undecided, reason = row["change_said"], row["undecided"], row["reason"]
    after = f"{changed}; " if changed else ""
    since = " since" if changed else ""
    if row["check"] == SystemCheck.NOT_CHECKED:
        word = "not measured" if row["value"] is None else NOT_TESTED
        if is_deed(reason):
            reason = f"it {reason} on {say_short_day(row['due_at'], week.zone)}"
        return f"{after}{word}{since}: {reason}"
    if row["check"] == SystemCheck.UNCHANGED:
        changed = f"{after}{unchanged_words}{since}"
    open_words = system_tiles.say_undecided(undecided, week.zone) if undecided else ""
    return "; ".join(filter(None, (changed, open_words)))


def _say_moved(week: ReportedWeek, change: WeekChange, row: Row) -> str:
    """Return what moved; the quantity is named where it is another one than the tile's."""
    day = say_short_day(change.changed_at, week.zone)
    said = say_moved(change.kind, _say_our_part(change), day)
    if change.quantity == row["quantity"]:
        return said
    label = names.find_quantity(change.measure, change.quantity, row["kind"]).meaning.label
    return f"{label}: {said}"


# --- cards ----------------------------------------------------------------------------------------

#: Changed answers that are looked through for a short example.
_LOOKED_THROUGH = slice(200)
#: Checks of an event that is not the first: whether it was repeated, and its cause. Those that do
#: not support it are said in any case.
_CHECKS = 2
_CHART_SIZE = (470, 250)


def read_events(week: ReportedWeek, findings: Sequence[WeekChange]) -> list[ChangeEvent]:
    """Return the events that these findings tell of, the newest first, those of our own last."""
    values = {change.change_id: (change.before, change.after) for change in findings}
    engines = {
        change.engine: KnownEngine(Kind(change.engine_kind), week.engine_title(change.engine))
        for change in findings
    }
    described = describe_events(findings, values, engines, week.zone, week.changes)
    return sorted(described, key=attrgetter("is_ours"))


def describe_events_of_week(event: ChangeEvent) -> Row:
    """Return an event for programs."""
    return {
        "job": event.job, "engine": event.engine, "system": event.system,
        "asked_in": event.asked_in, "headline": event.headline, "status": event.status,
        "cause": event.cause, "changed_at": event.changed_at, "detected_at": event.detected_at,
        "changes": [{"change_id": change.number} for change in event.changes],
    }  # fmt: skip


def read_detailed(connection: Connection, week: ReportedWeek, event: ChangeEvent) -> DetailedEvent:
    """Return an event with what is stored of it until the end of the week.

    Results of search engines show people, and are not quoted.
    """
    claim = claim_content.read_change_claim(
        connection, event.number, week.zone, _LOOKED_THROUGH, week.until
    )
    is_quoted = event.kind is not Kind.SEARCH
    return DetailedEvent(
        event, read_details(connection, event, claim, quotes=is_quoted, until=week.until)
    )


def write_event_card(
    week: ReportedWeek,
    shown: DetailedEvent,
    address: str,
    name: str,
    *,
    is_first: bool,
    is_only: bool,
) -> doc.Card:
    """Return the card of an event. `address` is that of our pages; `name` makes ids unique.

    Only the first has room for an example and for checks that support it, and the only one for
    notes; its headline is the title of the report.
    """
    event, details = shown
    leading = event.leading
    shown_in = pair_words(leading.source_lang, leading.target, event.kind)
    return doc.Card(
        title=_where(event, week) if is_only else event.headline,
        under="" if is_only else _where(event, week),
        figures=_write_figures(event, details, week),
        chart_title=shown_in if shown_in != event.asked_in else "",
        svg=draw_time_chart(details.chart(event, week.zone), name, _CHART_SIZE),
        notes=details.notes if is_only else [],
        sample=_sample(details, details.example, week.zone)
        if details.example and is_first
        else None,
        badges=[
            doc.Badge(check.badge, check.holds)
            for n, check in enumerate(details.supports)
            if is_first or n < _CHECKS or check.holds is not True
        ],
        links=_write_links(event, address),
    )


def _where(event: ChangeEvent, week: ReportedWeek) -> str:
    """Return `English to Czech, since 23 March 2026 (confirmed 30 Mar)`."""
    word = "confirmed" if event.is_of_system else "move confirmed"
    confirmed = f" ({word} {say_short_day(event.detected_at, week.zone)})"
    suffix = "" if event.changed_at == event.detected_at else confirmed
    return f"{event.asked_in}, {event.began} {say_day(event.changed_at, week.zone)}{suffix}"


def _write_figures(event: ChangeEvent, details: EventDetails, week: ReportedWeek) -> doc.Table:
    """Return the numbers of the chart before and after, and what they make together."""
    sides = (*details.name_sides(event, week.zone), details.name_newest(week.zone))
    titles = [f"#{side}" for side in sides if side]
    rows = []
    for figure in details.figures:
        values = (figure.before, figure.after, figure.newest)[: len(titles)]
        rows.append([doc.Cell(figure.label), *map(_write_value, values)])
    return doc.table(details.where, [doc.Column(details.counted, width=2.0), *titles], rows)


def _write_value(text: str) -> doc.Cell:
    return doc.Cell(text) if text else doc.Cell("not measured", is_missing=True)


def _sample(details: EventDetails, example: EventExample, zone: ZoneInfo) -> doc.Example:
    counted = details.say_differing(zone)
    return doc.Example(
        title=f"{counted}:" if counted else "One of the answers that changed:",
        question=example.question,
        language=example.source_lang,
        answers=[
            doc.Answer(answer.pieces, label, f"{answer.gender} form")
            for label, answer in (("before", example.before), ("after", example.after))
        ],
        answered_in=example.target,
    )


def _write_links(event: ChangeEvent, address: str) -> list[doc.Link]:
    """Return where the event and its method are shown: pages, else the command and the appendix."""
    if not address:
        return [
            doc.Link(f"All checks: monitor series claim {event.number}"),
            doc.Link("Method", "#methods"),
        ]
    return [
        doc.Link("What supports this", f"{address}/changes/{event.number}"),
        doc.Link("Method", f"{address}/methods/{names.name_family(event.leading.measure)}"),
    ]


# --- page one -------------------------------------------------------------------------------------

#: Events with a card, and those that are named below; the appendix has all.
CARDS, _NAMED = 2, 3
#: Systems with a tile, by the number of events: a page has little room.
_TILES = (12, 12, 4, 0)
#: Reasons that the verdict names, and systems that did not answer.
_REASONS, _DEEDS = 3, 2
#: For how long a change is told beside the week.
_LATELY = timedelta(weeks=6)


def write_kicker(week: ReportedWeek) -> str:
    """Return which report this is: `Weekly report, 25 Mar to 31 March 2026: 2 jobs`."""
    first = say_short_day(week.after + timedelta(microseconds=1), week.zone)
    jobs = week.jobs[0].name if len(week.jobs) == 1 else several(len(week.jobs), "job")
    return f"Weekly report, {first} to {say_day(week.until, week.zone)}: {jobs}"


def say_verdict(
    events: Sequence[ChangeEvent], rows: Sequence[Row], zone: ZoneInfo, *, has_candidates: bool
) -> str:
    """Return what happened, in a sentence or two; `rows` are the systems of the week.

    Where a signal is not decided, no change is confirmed rather than found.
    """
    real = [event for event in events if event.is_of_system]
    if real:
        return real[0].headline if len(real) == 1 else say_systems(real, "{} changed", zone)
    if len(events) == 1:
        return f"{events[0].headline}; {UNTOLD}"
    if events:
        moved = say_systems(events, "The numbers of {} moved", zone)
        return f"{moved}, but our software changed; {UNTOLD}"
    unchanged = _of(rows, SystemCheck.UNCHANGED)
    remaining = [row for row in rows if row["reason"]]
    if not unchanged:
        return f"Nothing could be tested this week{_why(remaining)}"
    counted = f"{len(unchanged)} of {_say_counted(rows)}"
    verdict = f"{say_unchanged(has_candidates)} this week in {counted}"
    deeds = list(dict.fromkeys(_say_deed(row, zone) for row in remaining if is_deed(row["reason"])))
    if deeds:
        more = f" and {len(deeds) - _DEEDS} more" if len(deeds) > _DEEDS else ""
        verdict = f"{'; '.join(deeds[:_DEEDS])}{more}; {verdict}"
    if remaining:
        # several reasons are on the tiles
        is_one = not deeds and len({say_reason(row) for row in remaining}) == 1
        verdict += f"; {len(remaining)} could not be tested{_why(remaining) if is_one else ''}"
    verdict = capitalize_first(verdict)
    suspects = dict.fromkeys(
        say_system(row) for row in unchanged if row["undecided"] and not row["last_change"]
    )
    if not suspects:
        return verdict
    who = join_names(suspects) if len(suspects) <= _REASONS else f"{len(suspects)} systems"
    return f"{who} may have changed: more runs have to decide. {verdict}"


def _say_deed(row: Row, zone: ZoneInfo) -> str:
    """Return what a system did in place of answering: `Search B refused our questions on 2 Mar`."""
    return f"{say_reason(row)} on {say_short_day(row['due_at'], zone)}"


def say_earlier(week: ReportedWeek, rows: Sequence[Row]) -> str:
    """Return which systems changed in the weeks before this one; empty for none.

    Whether one of them moved again may not be decided.
    """
    told = [
        row for row in rows
        if row["check"] is not SystemCheck.CHANGED and row["last_change"] is not None
        and week.until - _LATELY <= row["last_change"] <= week.after
    ]  # fmt: skip
    if not told:
        return ""
    systems = join_names(
        f"{name} ({join_names(_list_days(week, {row['last_change'] for row in alike}))})"
        for name, alike in group_rows(told, say_system).items()
    )
    undecided = dict.fromkeys(say_system(row) for row in told if row["undecided"])
    again = f" Whether {join_names(undecided)} moved again is not decided yet."
    return f"Changed before this week: {systems}.{again if undecided else ''}"


def _list_days(week: ReportedWeek, moments: set[datetime]) -> dict[str, None]:
    return dict.fromkeys(say_short_day(moment, week.zone) for moment in sorted(moments))


def say_limits(rows: Sequence[Row], n_untested: int) -> str:
    """Return what a week without an event leaves open; empty where nothing was compared.

    `n_untested` values of main quantities have no test.
    """
    unchanged = _of(rows, SystemCheck.UNCHANGED)
    missed = system_tiles.say_missed(_list_sizes(unchanged))
    verb = "has" if n_untested == 1 else "have"
    untested = f"{several(n_untested, 'value')} of other measures {verb} no test"
    silent = list(dict.fromkeys(say_system(row) for row in rows if is_deed(row["reason"])))
    unknown = f"Unknown: whether {join_names(silent)} changed" if silent else ""
    parts = [unknown, capitalize_first(missed), untested if n_untested else ""]
    return " ".join(f"{part}." for part in parts if part) if unchanged else ""


def count_untested(rows: Sequence[Row]) -> int:
    """Return how many values of main quantities have no test, of all series of the week."""
    return sum(
        row["role"] == Role.SECONDARY
        and row["ended_at"] is None
        and row["quantity"] == names.find_main_quantity(row["measure"], row["kind"]).name
        for row in rows
    )


def say_unchanged(has_candidates: bool) -> str:
    """Return what is said of systems without a confirmed change."""
    return "no confirmed change" if has_candidates else "no change found"


def _of(rows: Sequence[Row], check: SystemCheck) -> list[Row]:
    return [row for row in rows if row["check"] == check]


def _why(rows: Sequence[Row]) -> str:
    """Return `: Search B refused our questions` or `: no value (2), too few runs so far (1)`."""
    reasons = Counter(
        say_reason(row) if is_deed(row["reason"]) else row["reason"] for row in rows
    ).most_common()
    lines = list(dict.fromkeys(map(say_reason, rows)))
    if len(lines) > 1 and len(reasons) == 1:
        lines = [reasons[0][0]]
    elif len(lines) > 1:
        lines = [f"{reason} ({n})" for reason, n in reasons[:_REASONS]]
        lines += ["other reasons"] if len(reasons) > _REASONS else []
    return f": {', '.join(lines)}" if lines else ""


def write_blocks(
    week: ReportedWeek,
    content: Row,
    events: Sequence[ChangeEvent],
    details: Sequence[DetailedEvent],
    address: str,
) -> list[doc.Block]:
    """Return page one below its title; `details` are those of the first events, with a card."""
    rows, headline = content["systems"], content["headline"]
    other_events = events[len(details) :]
    unchanged = say_unchanged(has_candidates(headline))
    limits = "" if events else say_limits(rows, count_untested(content["series"]))
    lead = " ".join(filter(None, (limits, say_earlier(week, rows))))
    page: list[doc.Block] = [doc.Words(lead, "lead")] if lead else []
    page += [_write_counts(rows, unchanged, is_quiet=not events)] if rows else []
    page += [
        write_event_card(week, event, address, f"e{n}", is_first=n == 0, is_only=len(events) == 1)
        for n, event in enumerate(details)
    ]
    if other_events:
        sentences = [f"{event.headline}: {event.asked_in}" for event in other_events[:_NAMED]]
        n_left = len(other_events) - len(sentences)
        sentences += [f"{several(n_left, 'more event')} in the appendix"] if n_left else []
        page.append(doc.Items(sentences))
    n_tiles = _TILES[min(len(events), len(_TILES) - 1)]
    if rows and n_tiles:
        counted = _say_counted(rows)
        heading = f"{n_tiles} of {counted}; all: appendix" if len(rows) > n_tiles else counted
        tiles = make_tiles(
            week, rows[:n_tiles], content["charts"], unchanged, details, is_quiet=not events
        )
        page += [doc.Heading(heading), tiles]
    if names := _list_untested(week, rows, n_tiles):
        page += [doc.Heading("Not tested"), doc.Items(names)]
    aside = _aside(week, headline)
    return [*page, doc.Words(aside, "small")] if aside else page


def has_candidates(headline: Row) -> bool:
    """Return whether a signal of the week waits for more runs."""
    return any(row["status"] == Status.CANDIDATE for row in headline["changes"])


def _write_counts(rows: Sequence[Row], unchanged_words: str, *, is_quiet: bool) -> doc.Counts:
    """Return how many systems changed, did not, or were not tested.

    How large a change is found stands above them in a week without an event.

    Those whose numbers moved with a change on our own side are counted where there are any. That
    none changed is not said where they, or all others, could not be compared.
    """
    changed, moved, unchanged, remaining = (_of(rows, check) for check in SystemCheck)
    because = f"{UNTOLD}: {reason}" if (reason := _say_only_reason(moved)) else UNTOLD
    ours = doc.Count(f"{len(moved)}", SystemCheck.MOVED, because)
    is_told = changed or (unchanged and not moved)
    return doc.Counts([
        *([doc.Count(f"{len(changed)}", "changed", _named(changed))] if is_told else []),
        *([ours] if moved else []),
        doc.Count(f"{len(unchanged)}", unchanged_words,
              "" if is_quiet else system_tiles.say_found(_list_sizes(unchanged))),
        doc.Count(f"{len(remaining)}", NOT_TESTED, _say_only_reason(remaining)),
    ])  # fmt: skip


def _say_only_reason(rows: Sequence[Row]) -> str:
    """Return the reason of all systems; empty where they have several."""
    reasons = {row["reason"] for row in rows}
    return reasons.pop() if len(reasons) == 1 else ""


def _say_counted(rows: Sequence[Row]) -> str:
    """Return `7 systems`, or `7 pairs of system and language` where one counts in several."""
    text = several(len(rows), "system")
    if len({say_system(row) for row in rows}) == len(rows):
        return text
    kinds = {"region" if row["kind"] == Kind.SEARCH else "language" for row in rows}
    return f"{several(len(rows), 'pair')} of system and {' or '.join(sorted(kinds))}"


def _named(rows: Sequence[Row]) -> str:
    """Return `Translator B (2 languages)`."""
    counts = Counter((say_system(row), row["kind"] == Kind.SEARCH) for row in rows)
    return ", ".join(
        name if n == 1 else f"{name} ({several(n, 'region' if is_search else 'language')})"
        for (name, is_search), n in counts.items()
    )


def _list_untested(week: ReportedWeek, rows: Sequence[Row], n_tiles: int) -> list[str]:
    """Return which systems without a tile were not tested, by reason, and jobs without any."""
    untested = group_rows(
        _of(rows[n_tiles:], SystemCheck.NOT_CHECKED),
        lambda row: _say_deed(row, week.zone) if is_deed(row["reason"]) else say_reason(row),
    )
    silent = [job.name for job in week.jobs if job.name not in {row["job"] for row in rows}]
    return [
        *(f"{why} ({'; '.join(row['asked_in'] for row in alike)})."
          for why, alike in untested.items()),
        *(f"Job {name}: nothing that could be tested." for name in silent),
    ]  # fmt: skip


def _aside(week: ReportedWeek, headline: Row) -> str:
    """Return what else the appendix has: signals, and what changed on our side."""
    signals = [row for row in headline["changes"] if row["status"] != Status.CONFIRMED]
    signals += headline["retrospective"]
    systems = dict.fromkeys(week.engine_title(row["engine"]) for row in signals)
    parts = []
    if signals:
        parts.append(f"{several(len(signals), 'new unconfirmed signal')} ({', '.join(systems)})")
    if headline["ours"]:
        parts.append("our software or questions changed")
    return f"Appendix: {'; '.join(parts)}." if parts else ""
