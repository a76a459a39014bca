"""What changed in the week, or that nothing did and how much could have gone unnoticed."""

from collections.abc import Sequence
from typing import Any

from monitor.change import ChangeKind, Role, Status
from monitor.stages import as_declared
from monitor.stages._report_text import number
from monitor.stages.detectable_effects import smallest_changes
from monitor.stages.weekly import changed, first, origin, tested, unnoticed
from monitor.stages.weekly.document import Block, Fold, Heading, Items, Section, Words
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.wording import day, listed
from monitor.store.database import Connection
from monitor.text.counted_nouns import several

Row = dict[str, Any]

_ORDER = (
    Status.CONFIRMED, Status.CANDIDATE, Status.UNCONFIRMED, Status.REFUTED, Status.RETROSPECTIVE,
)  # fmt: skip


def content(connection: Connection, week: Week, rows: Sequence[Row]) -> Row:
    """Changes of the week by what became of them, first values, what could have gone unnoticed."""
    some = [changed.content(week, row) for row in week.changes if _is_of_week(week, row)]
    found = {(row["job"], row["series_id"]) for row in some if _stands(row)}
    some.sort(key=_rank)
    return {
        "changes": [row for row in some if row["kind"] != ChangeKind.SHIFT],
        "retrospective": [row for row in some if row["kind"] == ChangeKind.SHIFT],
        "departures": [
            {"job": job.name} | stretch.row()
            for job in week.jobs
            for stretch in job.declaration.stretches
        ],
        "ours": origin.switches(week),
        "looks": [_look(row) for row in week.looks],
        "untested": _untested(week),
        "first": first.content(connection, week, rows),
        "unnoticed": unnoticed.content(week, rows, found, _effects(connection, week, rows)),
    }


def _effects(connection: Connection, week: Week, rows: Sequence[Row]) -> dict[int, float | None]:
    """By primary series the smallest change that its runs until the week find; None: too few."""
    effects: dict[int, float | None] = {}
    for job in week.jobs:
        series = [
            row["series_id"]
            for row in rows
            if row["job"] == job.name and row["role"] == Role.PRIMARY and row["ended_at"] is None
        ]
        effects |= smallest_changes(connection, job.name, series, first.alpha_of(job), week.until)
    return effects


def _rank(row: Row) -> tuple[object, ...]:
    """Confirmed changes come first, and primary series before secondary ones."""
    is_beside = row["role"] != Role.PRIMARY
    return _ORDER.index(row["status"]), is_beside, row["detected_at"], row["change_id"]


def _is_of_week(week: Week, row: Row) -> bool:
    """Found in the week, or asked again in it."""
    again = row["again_due_at"]
    return bool(row["detected_at"] > week.after or (again and week.after < again <= week.until))


def _look(row: Row) -> Row:
    kept = ("job", "due_at", "number", "families", "hypotheses", "p", "alpha", "selected", "rule")
    return {name: row[name] for name in kept}


def _stands(row: Row) -> bool:
    """Return whether a change is confirmed."""
    return bool(row["kind"] != ChangeKind.SHIFT and row["status"] == Status.CONFIRMED)


def _untested(week: Week) -> list[str]:
    """Jobs with a run in the week of which no test is stored."""
    looked = {row["job"] for row in week.looks}
    return [job.name for job in week.jobs if job.run_id is not None and job.name not in looked]


# --- printed --------------------------------------------------------------------------------------


def section(week: Week, found: Row) -> Section:
    """Headline changes with everything that they rest on."""
    standing = [row for row in found["changes"] if _stands(row)]
    signals = [row for row in found["changes"] if not _stands(row)] + found["retrospective"]
    blocks: list[Block] = [Words(_departed(week, row), "strong") for row in found["departures"]]
    if not standing:
        blocks.append(Words(quiet(found), "strong"))
    blocks += [one for row in standing for one in changed.printed(week, row)]
    blocks += tested.printed(week, found["looks"], found["untested"])
    blocks += unnoticed.printed(found["unnoticed"], week.earlier, beside=bool(standing))
    blocks += first.printed(found["first"])
    if found["ours"]:
        blocks.append(Heading("What changed with us"))
        blocks.append(Items([origin.switch(week, row) for row in found["ours"]]))
    if signals:
        said = several(len(signals), "unconfirmed signal", "unconfirmed signals")
        inside = [one for row in signals for one in changed.printed(week, row)]
        blocks.append(Fold(f"{said} (no findings)", inside, is_printed=True))
    return Section("headline", "What changed", blocks)


def _departed(week: Week, row: Row) -> str:
    """Since when a job is another than declared, or when it was."""
    since, last = (day(row[name], week.zone) for name in ("since", "last"))
    what = as_declared.said(row["differences"])
    if row["back_at"] is None:
        return (
            f"The job {row['job']} is another than declared since {since}: {what}. What is found "
            "from then on is exploratory."
        )
    ticks = several(row["n_ticks"], "tick")
    when = f"on {since}" if row["n_ticks"] == 1 else f"from {since} to {last}"
    return (
        f"The job {row['job']} was another than declared at {ticks} {when}: {what}. Since "
        f"{day(row['back_at'], week.zone)} it is asked as declared again; what is compared with "
        "one of those ticks is exploratory."
    )


def quiet(found: Row) -> str:
    """That nothing changed beyond noise, what could have been missed, or that nothing was tested.

    "Beyond noise" is said only where the noise of every primary series was measured, and no signal
    lies outside of it.
    """
    if any(row["p"] is not None for row in found["looks"]):
        is_open = any(row["status"] == Status.CANDIDATE for row in found["changes"])
        known = [row for row in found["unnoticed"] if row["most"] is not None]
        if known and not is_open and not any(row["n_not"] for row in found["unnoticed"]):
            return "Nothing changed beyond noise."
        sizes = [f"{row['title']} {number(row['most'])}" for row in known]
        missed = (
            f"changes smaller than {listed(sizes)} could have been missed"
            if sizes
            else ("there are too few runs so far to decide")
        )
        return f"No change {'confirmed' if is_open else 'found'}; {missed}."
    if found["first"]:
        return first.said(found["first"])
    if not found["looks"]:
        return "Whether anything changed is not known: no test of this week’s ticks is stored."
    return "Nothing could be tested this week: no primary series has a value at two ticks."


def lead(week: Week, found: Row) -> list[str]:
    """One or two sentences for the top of the report."""
    changes = found["changes"]
    after = [*_silent(week, found), *_ours(found), *_exploratory(week, found)]
    n_confirmed = sum(map(_stands, changes))
    n_signals = len(changes) - n_confirmed
    signals = several(n_signals, "unconfirmed signal", "unconfirmed signals")
    if not n_confirmed:
        beside = [f"{signals} in this week."] if n_signals else []
        return [quiet(found), *beside, *after]
    said = several(n_confirmed, "confirmed change", "confirmed changes")
    return [f"{said} in this week{f', and {signals}' if n_signals else ''}.", *after]


def _ours(found: Row) -> list[str]:
    """What changed with us, in one sentence."""
    new = list(dict.fromkeys(part for row in found["ours"] for part in row["differences"]))
    return [f"Changed with us in this week: {listed(new)}."] if new else []


def _exploratory(week: Week, found: Row) -> list[str]:
    """Jobs of which nothing is confirmatory now, because they are asked in another way."""
    return [
        f"The job {row['job']} is another than declared since {day(row['since'], week.zone)}: all "
        "that is found in it since then is exploratory."
        for row in found["departures"]
        if row["back_at"] is None
    ]


def _silent(week: Week, found: Row) -> list[str]:
    """Of how much neither a change nor its absence is known, so that no silence passes for calm."""
    if not any(row["p"] is not None for row in found["looks"]):
        return []
    said = [first.said(found["first"])] if found["first"] else []
    said += [unknown] if (unknown := unnoticed.silence(found["unnoticed"], week.earlier)) else []
    if found["untested"]:
        said.append(tested.not_tested(found["untested"]))
    return [" ".join(said)] if said else []
