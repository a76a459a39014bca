"""Versions behind the numbers, governance, methods in short, and how to cite the report."""

from collections.abc import Mapping, Sequence
from typing import Any

from monitor import registry
from monitor.model import InvalidInput, Kind
from monitor.names import base_name
from monitor.stages import _report_governance as governance
from monitor.stages import _report_names as titles
from monitor.stages import _report_words as words
from monitor.stages._report_text import spelt
from monitor.stages.document.records import (
    Block,
    Cell,
    Column,
    Fold,
    Heading,
    Items,
    Pairs,
    Section,
    Words,
    table,
)
from monitor.stages.weekly import names
from monitor.stages.weekly.gather import JobWeek, Week
from monitor.stages.weekly.wording import day, minute
from monitor.store.database import Connection
from monitor.store.derive.signatures import get_inputs
from monitor.store.reports import weekly_report
from monitor.text.counted_nouns import several

Row = dict[str, Any]

_HASH = 12
_MOST_PARTS = 40
METHODS = """\
A value belongs to a scheduled run. A run that was missed, or that brought too little, has no \
value; nothing is filled in.
A change is confirmed when all runs since a date lie beyond the runs before it, and so many that \
such an order is improbable while nothing changes: over all main series of a job, at most four \
per engine, surface and target, and over all its runs together at most 5 %. Whether it also holds \
beyond the list is tested on pooled answers, with whole clusters of questions.
Other series are tested where a main series of the same system changed. A change is \
attributed to the engine only where the control series did not change beyond its noise, and our \
software and instrument not at all.
Intervals are at 95 %. Shifts that are found in retrospect (PELT) are no claim by themselves."""


def content(connection: Connection, week: Week) -> Row:
    """Signatures at the newest tick, switches of the week, code, what answered, governance."""
    return {
        "code": [
            {"job": job.name, "code_version": job.made_of.get("code_version", ""),
             "packages": job.made_of.get("packages", {}),
             "job_hash": job.made_of.get("content_hash", "")}
            for job in week.jobs
        ],
        "signatures": _signatures(week),
        "switches": switches(week),
        "identities": weekly_report.read_identities(connection, week.run_ids),
        "governance": [
            {"job": job.name, **governance.section(job.content)} for job in week.jobs
        ],
        "declarations": [_declared(job) for job in week.jobs],
        "citations": _citations(week),
    }  # fmt: skip


def _signatures(week: Week) -> list[Row]:
    """The signatures that the newest points have, with their parts and how many points."""
    counted: dict[str, int] = {}
    for job in week.jobs:
        for point in job.points:
            counted[point["signature"]] = counted.get(point["signature"], 0) + 1
    return [
        {"hash": row["hash"], "parts": row["parts"], "points": counted[row["hash"]]}
        for row in week.parts.values()
        if row["hash"] in counted
    ]


def switches(week: Week) -> list[Row]:
    """Switches in the week, alike ones together."""
    system = {row["series_id"]: row for row in week.series}
    rows: dict[tuple[Any, ...], Row] = {}
    for row in week.switches:
        series = system.get(row["series_id"])
        if row["switched_at"] <= week.after or series is None:
            continue
        key = row["from_id"], row["to_id"], row["switched_at"]
        before = week.parts[row["from_id"]]["parts"] if row["from_id"] else {}
        after = week.parts[row["to_id"]]["parts"]
        entry = rows.setdefault(
            key,
            {"switched_at": row["switched_at"], "from": _hash(week, row["from_id"]),
             "to": _hash(week, row["to_id"]), "differences": names.differences(before, after)
             if row["from_id"] else [], "is_anew": get_inputs(before) != get_inputs(after),
             "systems": [], "n_series": 0},
        )  # fmt: skip
        entry["n_series"] += 1
        name = names.system(series)
        if name not in entry["systems"]:
            entry["systems"].append(name)
    return list(rows.values())


def _hash(week: Week, signature: int | None) -> str:
    return str(week.parts[signature]["hash"]) if signature else ""


def _declared(job: JobWeek) -> Row:
    found = job.declaration.registered
    return {
        "job": job.name,
        "hash": found.hash if found else "",
        "registered_at": found.registered_at if found else None,
        "content": found.content if found else None,
        "primaries": list(job.declaration.declared.get("primaries", ())),
        "is_before_first_tick": job.is_declared_before,
    }


def _citations(week: Week) -> list[str]:
    found: dict[str, None] = {}
    for family, kind in dict.fromkeys(
        (base_name(row["measure"]), row["kind"]) for row in week.series
    ):
        try:
            found[registry.measure(words.registered(family), Kind(kind)).citation] = None
        except InvalidInput:
            continue
    return list(found)


# --- printed --------------------------------------------------------------------------------------


def sections(week: Week, found: Row, digest: str, generator: str) -> list[Section]:
    """Versions, governance, methods, and how to cite; `digest` is that of the JSON."""
    return [
        Section("versions", "Versions", _versions(week, found)),
        Section("governance", "Governance", _governance(week, found)),
        Section(
            "methods",
            "Methods in short",
            [Items([*METHODS.splitlines(), *_references(week)]), *_literature(found)],
        ),
        Section("cite", "How to cite", _cite(week, digest, generator)),
    ]


def _versions(week: Week, found: Row) -> list[Block]:
    blocks: list[Block] = []
    if found["switches"]:
        blocks.append(Heading("Changes of method versions in this week"))
        blocks.append(Items([switch(week, row) for row in found["switches"]]))
    else:
        blocks.append(Words("No series changed its method version in this week."))
    columns = (Column("job"), Column("program"), Column("hash of the job", width=3))
    blocks.append(
        table(
            "What made the newest runs", columns,
            [[Cell(row["job"]), Cell(row["code_version"] or "unknown"), Cell(row["job_hash"])]
             for row in found["code"]],
        )
    )  # fmt: skip
    if found["signatures"]:
        n = several(len(found["signatures"]), "method version")
        blocks.append(Fold(f"Parts of {n} in the newest run", [_parts(found["signatures"])]))
    if found["identities"]:
        n = several(len(found["identities"]), "identity", "identities")
        blocks.append(Fold(f"What the systems say of themselves ({n})", [_who(week, found)]))
    return blocks


def switch(week: Week, row: Row) -> str:
    """When some series went over to another signature, what differs, and which series."""
    shown = "; ".join(row["systems"][:_MOST_PARTS])
    why = "; ".join(row["differences"]) or "first method version"
    n = several(row["n_series"], "series", "series")
    anew = (
        "Their charts begin anew there; changes are of the questions that were asked before and "
        "after."
        if row["is_anew"]
        else "All values of their charts are computed with the newer version."
    )
    return f"{minute(row['switched_at'], week.zone)}: {why}. {n} of {shown}. {anew}"


def _parts(rows: Sequence[Row]) -> Block:
    columns = (Column("method version"), Column("points", is_number=True), Column("parts", width=5))
    return table(
        "Method versions: everything of ours that decides a value", columns,
        [[Cell(row["hash"][:_HASH]), Cell(f"{row['points']:,}"), Cell(_spelt(row["parts"]))]
         for row in rows],
    )  # fmt: skip


def _spelt(parts: Mapping[str, Any]) -> str:
    return spelt({key: value for key, value in parts.items() if value not in ("", 0)})


def _who(week: Week, found: Row) -> Block:
    columns = (
        Column("engine"),
        Column("says of itself", width=4),
        Column("requests", is_number=True),
    )
    return table(
        "What answered", columns,
        [[Cell(week.engine_title(row["name"])), Cell(_spelt(row["identity"])),
          Cell(f"{row['requests']:,}")] for row in found["identities"]],
    )  # fmt: skip


def _governance(week: Week, found: Row) -> list[Block]:
    blocks: list[Block] = []
    for row in found["governance"]:
        blocks.append(Heading(f"Job {row['job']}"))
        if not row["stated"]:
            blocks.append(Words(row["sentence"]))
            continue
        said = [
            (label, row[name] or "not stated")
            for name, label in (
                ("purpose", "purpose"), ("controller", "controller"),
                ("legal_basis", "legal basis"), ("contact", "contact"),
            )
        ]  # fmt: skip
        reviews = [f"{one['title']}: {one['reviewed'] or 'not reviewed'}" for one in row["foreign"]]
        blocks.append(Pairs([*said, ("terms read", "; ".join(reviews) or "no engine of others")]))
    blocks += [Words(_declaration(week, row)) for row in found["declarations"]]
    return blocks


def _declaration(week: Week, row: Row) -> str:
    if row["registered_at"] is None:
        return f"Job {row['job']}: nothing was declared before its first run; all is exploratory."
    when = minute(row["registered_at"], week.zone)
    before = "before its first run" if row["is_before_first_tick"] else "after its first run"
    named = ", ".join(map(str, row["primaries"])) or "not named"
    return (
        f"Job {row['job']}: declared on {when}, {before}; main quantities: {named}; SHA-256 "
        f"{row['hash']}."
    )


def _references(week: Week) -> list[str]:
    """Return the references whose names are cut elsewhere in the report, in full."""
    used = sorted({row["reference"] for row in week.series if row["reference"]})
    return [
        f"Reference: {titles.reference_title(name)}."
        for name in used
        if titles.reference_title(name) != titles.short_reference(name)
    ]


def _literature(found: Row) -> list[Block]:
    if not found["citations"]:
        return []
    return [Heading("Where the measures are from"), Items(found["citations"])]


def _cite(week: Week, digest: str, generator: str) -> list[Block]:
    jobs = ", ".join(job.name for job in week.jobs)
    return [
        Words(
            f"Weekly report of {jobs or 'no job'}, week to {day(week.until, week.zone)}. "
            f"{generator}. SHA-256 of its JSON: {digest}."
        ),
        Words(
            "The digest is that of the JSON file of this report (sha256sum). Each number leads "
            "back to points and comparisons by the ids in that file, and from there to answers by "
            "“monitor evidence show”.",
            "small",
        ),
    ]
