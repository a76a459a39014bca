"""What changed in the week, or that nothing did and how much could have gone unnoticed."""

from collections.abc import Sequence
from typing import Any

from monitor.change import ChangeKind, Status
from monitor.stages import as_declared
from monitor.stages.weekly import changed, first, origin, tested, unnoticed
from monitor.stages.weekly.document import Block, Heading, Items, Section, Words
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
    some.sort(key=lambda row: (_ORDER.index(row["status"]), row["detected_at"], row["change_id"]))
    return {
        "changes": [row for row in some if row["kind"] == ChangeKind.STEP],
        "retrospective": [row for row in some if row["kind"] != ChangeKind.STEP],
        "departures": [
            {"job": job.name} | stretch.row()
            for job in week.jobs
            for stretch in job.declaration.stretches
        ],
        "ours": origin.switches(week),
        "looks": [_look(row) for row in week.looks],
        "untested": _untested(week),
        "first": first.content(connection, week, rows),
        "unnoticed": unnoticed.content(week, rows, found),
    }


def _is_of_week(week: Week, row: Row) -> bool:
    """Found in the week, or asked again in it."""
    again = row["again_due_at"]
    return bool(row["detected_at"] > week.after or (again and week.after < again <= week.until))


def _look(row: Row) -> Row:
    kept = ("job", "due_at", "number", "families", "hypotheses", "p", "alpha", "selected", "rule")
    return {name: row[name] for name in kept}


def _stands(row: Row) -> bool:
    """Whether a change was found that nobody has refuted."""
    return bool(row["kind"] == ChangeKind.STEP and row["status"] != Status.REFUTED)


def _untested(week: Week) -> list[str]:
    """Jobs with a run in the week of which no test is stored."""
    looked = {row["job"] for row in week.looks}
    return [job.name for job in week.jobs if job.run_id is not None and job.name not in looked]


# --- printed --------------------------------------------------------------------------------------


def section(week: Week, found: Row) -> Section:
    """Headline changes with everything that they rest on."""
    steps, back = found["changes"], found["retrospective"]
    standing = [row for row in steps if _stands(row)]
    blocks: list[Block] = [Words(_departed(week, row), "strong") for row in found["departures"]]
    if not standing:
        blocks.append(Words(quiet(found), "strong"))
    blocks += [one for row in steps for one in changed.printed(week, row)]
    blocks += tested.printed(week, found["looks"], found["untested"])
    blocks += unnoticed.printed(found["unnoticed"], week.earlier, beside=bool(standing))
    blocks += first.printed(found["first"])
    if found["ours"]:
        blocks.append(Heading("What changed with us"))
        blocks.append(Items([origin.switch(week, row) for row in found["ours"]]))
    if back:
        blocks.append(Heading("Found by looking back over whole series"))
        blocks += [one for row in back for one in changed.printed(week, row)]
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
    """That nothing changed beyond noise, or that nobody has looked."""
    if any(row["p"] is not None for row in found["looks"]):
        return "Nothing changed beyond noise."
    if found["first"]:
        return first.said(found["first"])
    if not found["looks"]:
        return "Whether anything changed is not known: no test of this week’s ticks is stored."
    return "Nothing could be tested this week: no primary series has a value at two ticks."


def lead(week: Week, found: Row) -> list[str]:
    """One or two sentences for the top of the report."""
    steps = found["changes"]
    after = [*_silent(week, found), *_ours(found), *_exploratory(week, found)]
    if not steps:
        return [quiet(found), *after]
    counts = [
        f"{sum(row['status'] == status for row in steps):,} {words}"
        for status, words in (
            (Status.CONFIRMED, "confirmed"), (Status.CANDIDATE, "still to be asked again"),
            (Status.UNCONFIRMED, "not asked again in time"), (Status.REFUTED, "refuted"),
        )
        if any(row["status"] == status for row in steps)
    ]  # fmt: skip
    return [f"Changes found or settled in this week: {listed(counts)}.", *after]


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
