"""Annexes of the weekly report: the instrument, load on others, origin of the numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

from monitor import registry
from monitor.model import InvalidInput, Kind
from monitor.names import base_name, find_registered_name
from monitor.stages import validation as audit_verdict
from monitor.stages.document.notation import format_day, format_minute, format_size, number, spelt
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
from monitor.stages.reports import names, run_annexes
from monitor.stages.reports.weekly.week import JobWeek, ReportedWeek
from monitor.stages.validation import AuditVerdict
from monitor.store import validation
from monitor.store.database import Connection
from monitor.store.derive.signatures import get_inputs
from monitor.store.reports import weekly_report
from monitor.text.counted_nouns import several

# --- instrument -----------------------------------------------------------------------------------

Row = dict[str, Any]


def describe_instrument(connection: Connection, week: ReportedWeek) -> Row:
    """The newest audit of every language of each job, and when each was audited last.

    Of ticks until the end of the week: a report says the same of its week whenever it is made.
    """
    names = [job.name for job in week.jobs]
    groups = validation.read_groups(connection, names, week.until)
    newest: dict[str, AuditVerdict] = {}
    for verdict in audit_verdict.judge_groups(groups):
        if verdict.group.read:
            newest[audit_verdict.write_subject(verdict.group)] = verdict
    last = []
    for name in names:
        own_groups = [group for group in groups if group.job == name]
        targets = sorted(
            {row["target"] for row in week.series if (row["job"], row["kind"]) == (name, Kind.MT)}
        )
        last += [
            {"job": name, "said": text}
            for text in audit_verdict.last_audited(targets, own_groups, week.until)
        ]
    return {
        "audits": [audit_verdict.describe_group(verdict) for verdict in newest.values()],
        "last": last,
    }


# --- printed --------------------------------------------------------------------------------------


def write_instrument_section(week: ReportedWeek, found: Row) -> Section | None:
    """Audits in a table, and a sentence for each language; nothing where nobody reads texts."""
    if not (found["audits"] or found["last"]):
        return None
    blocks: list[Block] = []
    if found["audits"]:
        blocks += _printed(week, found)
    blocks.append(Items([f"{row['job']}, {row['said']}." for row in found["last"]]))
    return Section("instrument", "How accurate is the detection?", blocks)


def _printed(week: ReportedWeek, found: Row) -> list[Block]:
    columns = (
        Column("audit", width=2.2), Column("read", is_number=True),
        Column("right calls", is_number=True, width=1.4),
        Column("marked among read", is_number=True, width=1.6),
        Column("masculine among marked", is_number=True, width=1.6),
        Column("against the audit before", width=2.2),
    )  # fmt: skip
    rows = [
        [
            Cell(_say_name(row), f"run {row['run_id']}, {format_day(row['due_at'], week.zone)}"),
            Cell(f"{row['read']:,}", _say_people(row)),
            _write_estimate(row["right_share"]),
            _write_estimate(row["marked_share"]),
            _write_estimate(row["masculine_share"]),
            Cell(_before(row), row["reason"]),
        ]
        for row in found["audits"]
    ]
    caption = (
        "Texts drawn at random by called class and read by people; right calls weigh by how often "
        "each class was called; rates raw, and corrected beneath"
    )
    return [
        table(caption, columns, rows),
        Words(f"{audit_verdict.HOLDS} {audit_verdict.NOT_CORRECTED}", "small"),
    ]


def _say_name(row: Row) -> str:
    system = f", {row['system']}" if row["system"] else ""
    return f"{row['job']}: {row['target']} ({row['cue']}){system}"


def _say_people(row: Row) -> str:
    text = several(row["n_raters"], "person", "people")
    return f"{text}; {row['disputed']:,} disputed, {row['unread']:,} not read"


def _write_estimate(found: Row) -> Cell:
    """The raw rate above the corrected one; why there is none where nothing is corrected."""
    corrected = audit_verdict.write_estimate(found)
    if found["raw"] is None:
        return Cell(corrected)
    return Cell(f"{found['raw']:.3f}", corrected)


def _before(row: Row) -> str:
    if row["p"] is None:
        return "in doubt" if row["is_suspect"] else "not compared"
    before = row["before"]
    doubt = "in doubt: " if row["is_suspect"] else ""
    return (
        f"{doubt}{row['right']} of {row['read']} right, before {before['right']} of "
        f"{before['read']}; p = {row['p']:.2g}"
    )


# --- load -----------------------------------------------------------------------------------------

_HOUR = 3600.0


def describe_load(connection: Connection, week: ReportedWeek, endings: Sequence[Row]) -> Row:
    """Load by engine over all runs of the week, also those off the grid."""
    questions: dict[int, int] = {}
    for row in endings:
        requested = row["questions"] if row["outcome"] != "not asked" else 0
        questions[row["id"]] = questions.get(row["id"], 0) + requested
    return {
        "engines": _list_engines(
            week, weekly_report.count_requests(connection, week.run_ids), questions
        ),
        "lookups": weekly_report.count_lookups(connection, week.run_ids),
        "suspensions": weekly_report.read_suspensions(connection, week.after, week.until),
    }


def _list_engines(
    week: ReportedWeek, rows: Sequence[Row], questions: Mapping[int, int]
) -> list[Row]:
    budgets = _map_budgets(week)
    kinds = {row["id"]: row["kind"] for row in week.runs}
    all_rows: dict[int, Row] = {}
    for row in rows:
        entry = all_rows.setdefault(
            row["id"],
            {"engine_id": row["id"], "engine": row["name"], "surface": row["surface"],
             "requests": 0, "questions": questions.get(row["id"], 0), "bytes": 0, "seconds": 0.0,
             "runs": 0, "off_grid_requests": 0, "first_at": row["first_at"],
             "last_at": row["last_at"], "daily_budget": budgets.get(row["name"])},
        )  # fmt: skip
        entry["requests"] += row["requests"]
        entry["bytes"] += int(row["bytes"])
        entry["seconds"] += float(row["seconds"] or 0)
        entry["runs"] += 1
        if kinds.get(row["run_id"]) != "scheduled":
            entry["off_grid_requests"] += row["requests"]
        entry["first_at"] = min(entry["first_at"], row["first_at"])
        entry["last_at"] = max(entry["last_at"], row["last_at"])
    return list(all_rows.values())


def _map_budgets(week: ReportedWeek) -> dict[str, int]:
    """{label of an engine: questions a day that its job allows}, the largest of several jobs."""
    budgets: dict[str, int] = {}
    for label, use in (pair for job in week.jobs for pair in job.uses):
        if use.daily_budget is not None:
            budgets[label] = max(budgets.get(label, 0), use.daily_budget)
    return budgets


# --- printed --------------------------------------------------------------------------------------


def write_load_section(week: ReportedWeek, found: Row) -> Section:
    """Load by engine, look-ups, and who made us wait."""
    blocks: list[Block] = []
    if found["engines"]:
        blocks += [
            Words(
                "Requests are what was sent, questions what had an ending; several questions can "
                "share a request. Bytes are those of stored answers before they are packed, and "
                "the same answer counts each time. Hours are the time that engines took to answer.",
                "small",
            ),
            _write_table(week, found["engines"]),
        ]
    else:
        blocks.append(Words("Nobody was asked anything in this week."))
    if found["lookups"]:
        sentences = [
            f"{row['purpose']}: {several(row['requests'], 'request')}, {row['failed']:,} without "
            f"an answer, {number(float(row['seconds'] or 0) / _HOUR, 2)} hours"
            for row in found["lookups"]
        ]
        blocks += [Heading("Asked of public services beside the engines"), Items(sentences)]
    blocks += _rests(week, found["suspensions"])
    return Section("load", "Load that we caused", blocks)


def _write_table(week: ReportedWeek, rows: Sequence[Row]) -> Block:
    columns = (
        Column("engine", width=2), Column("requests", is_number=True),
        Column("questions", is_number=True), Column("received", is_number=True),
        Column("hours asked", is_number=True), Column("runs", is_number=True),
        Column("daily budget", is_number=True), Column("from, to", width=1.6),
    )  # fmt: skip
    printed = []
    for row in rows:
        off = row["off_grid_requests"]
        budget = row["daily_budget"]
        printed.append(
            [
                Cell(week.engine_title(row["engine"]), row["surface"]),
                Cell(f"{row['requests']:,}", f"{off:,} beside the schedule" if off else ""),
                Cell(f"{row['questions']:,}"),
                Cell(format_size(row["bytes"])),
                Cell(number(row["seconds"] / _HOUR, 2)),
                Cell(f"{row['runs']:,}"),
                Cell(f"{budget:,}" if budget is not None else "none set"),
                Cell(
                    format_minute(row["first_at"], week.zone),
                    format_minute(row["last_at"], week.zone),
                ),
            ]
        )
    return table("What was asked of each engine in this week", columns, printed)


def _rests(week: ReportedWeek, rows: Sequence[Row]) -> list[Block]:
    if not rows:
        return [Words("No engine has a suspension in this week.", "small")]
    sentences = [
        f"{row['lane']} by way of {row['exit']}: from {format_minute(row['since'], week.zone)} to "
        f"{format_minute(row['until'], week.zone)}, {row['reason'] or 'no reason is stored'}"
        f"{', ' if row['detail'] else ''}{row['detail']} ({several(row['times'], 'time')} in a row)"
        for row in rows
    ]
    return [Heading("Engines that rested, the newest rest of each"), Items(sentences)]


# --- origin ---------------------------------------------------------------------------------------

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


def describe_origin(connection: Connection, week: ReportedWeek) -> Row:
    """Signatures at the newest tick, switches of the week, code, what answered, governance."""
    return {
        "code": [
            {"job": job.name, "code_version": job.made_of.get("code_version", ""),
             "packages": job.made_of.get("packages", {}),
             "job_hash": job.made_of.get("content_hash", "")}
            for job in week.jobs
        ],
        "signatures": _list_signatures(week),
        "switches": list_switches(week),
        "identities": weekly_report.read_identities(connection, week.run_ids),
        "governance": [
            {"job": job.name, **run_annexes.write_governance_lines(job.content)}
            for job in week.jobs
        ],
        "declarations": [_declared(job) for job in week.jobs],
        "citations": _list_citations(week),
    }  # fmt: skip


def _list_signatures(week: ReportedWeek) -> list[Row]:
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


def list_switches(week: ReportedWeek) -> list[Row]:
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
            {"switched_at": row["switched_at"], "from": _say_hash(week, row["from_id"]),
             "to": _say_hash(week, row["to_id"]),
             "differences": names.say_differences(before, after)
             if row["from_id"] else [], "is_anew": get_inputs(before) != get_inputs(after),
             "systems": [], "n_series": 0},
        )  # fmt: skip
        entry["n_series"] += 1
        name = names.name_system(series)
        if name not in entry["systems"]:
            entry["systems"].append(name)
    return list(rows.values())


def _say_hash(week: ReportedWeek, signature: int | None) -> str:
    return str(week.parts[signature]["hash"]) if signature else ""


def _declared(job: JobWeek) -> Row:
    registered = job.declaration.registered
    return {
        "job": job.name,
        "hash": registered.hash if registered else "",
        "registered_at": registered.registered_at if registered else None,
        "content": registered.content if registered else None,
        "primaries": list(job.declaration.declared.get("primaries", ())),
        "is_before_first_tick": job.is_declared_before,
    }


def _list_citations(week: ReportedWeek) -> list[str]:
    entries: dict[str, None] = {}
    for family, kind in dict.fromkeys(
        (base_name(row["measure"]), row["kind"]) for row in week.series
    ):
        try:
            entries[registry.measure(find_registered_name(family), Kind(kind)).citation] = None
        except InvalidInput:
            continue
    return list(entries)


# --- printed --------------------------------------------------------------------------------------


def write_origin_sections(
    week: ReportedWeek, found: Row, digest: str, generator: str
) -> list[Section]:
    """Versions, governance, methods, and how to cite; `digest` is that of the JSON."""
    return [
        Section("versions", "Versions", _write_versions(week, found)),
        Section("governance", "Governance", _write_governance(week, found)),
        Section(
            "methods",
            "Methods in short",
            [Items([*METHODS.splitlines(), *_list_references(week)]), *_write_literature(found)],
        ),
        Section("cite", "How to cite", _cite(week, digest, generator)),
    ]


def _write_versions(week: ReportedWeek, found: Row) -> list[Block]:
    blocks: list[Block] = []
    if found["switches"]:
        blocks.append(Heading("Changes of method versions in this week"))
        blocks.append(Items([say_switch(week, row) for row in found["switches"]]))
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
        blocks.append(Fold(f"Parts of {n} in the newest run", [_write_parts(found["signatures"])]))
    if found["identities"]:
        n = several(len(found["identities"]), "identity", "identities")
        blocks.append(Fold(f"What the systems say of themselves ({n})", [_who(week, found)]))
    return blocks


def say_switch(week: ReportedWeek, row: Row) -> str:
    """Return when some series went over to another signature, what differs, and which series."""
    text = "; ".join(row["systems"][:_MOST_PARTS])
    why = "; ".join(row["differences"]) or "first method version"
    n = several(row["n_series"], "series", "series")
    anew = (
        "Their charts begin anew there; changes are of the questions that were asked before and "
        "after."
        if row["is_anew"]
        else "All values of their charts are computed with the newer version."
    )
    return f"{format_minute(row['switched_at'], week.zone)}: {why}. {n} of {text}. {anew}"


def _write_parts(rows: Sequence[Row]) -> Block:
    columns = (Column("method version"), Column("points", is_number=True), Column("parts", width=5))
    return table(
        "Method versions: everything of ours that decides a value", columns,
        [[Cell(row["hash"][:_HASH]), Cell(f"{row['points']:,}"), Cell(_spelt(row["parts"]))]
         for row in rows],
    )  # fmt: skip


def _spelt(parts: Mapping[str, Any]) -> str:
    return spelt({key: value for key, value in parts.items() if value not in ("", 0)})


def _who(week: ReportedWeek, found: Row) -> Block:
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


def _write_governance(week: ReportedWeek, found: Row) -> list[Block]:
    blocks: list[Block] = []
    for row in found["governance"]:
        blocks.append(Heading(f"Job {row['job']}"))
        if not row["stated"]:
            blocks.append(Words(row["sentence"]))
            continue
        lines = [
            (label, row[name] or "not stated")
            for name, label in (
                ("purpose", "purpose"), ("controller", "controller"),
                ("legal_basis", "legal basis"), ("contact", "contact"),
            )
        ]  # fmt: skip
        reviews = [
            f"{entry['title']}: {entry['reviewed'] or 'not reviewed'}" for entry in row["foreign"]
        ]
        blocks.append(Pairs([*lines, ("terms read", "; ".join(reviews) or "no engine of others")]))
    blocks += [Words(_say_declaration(week, row)) for row in found["declarations"]]
    return blocks


def _say_declaration(week: ReportedWeek, row: Row) -> str:
    if row["registered_at"] is None:
        return f"Job {row['job']}: nothing was declared before its first run; all is exploratory."
    when = format_minute(row["registered_at"], week.zone)
    before = "before its first run" if row["is_before_first_tick"] else "after its first run"
    title = ", ".join(map(str, row["primaries"])) or "not named"
    return (
        f"Job {row['job']}: declared on {when}, {before}; main quantities: {title}; SHA-256 "
        f"{row['hash']}."
    )


def _list_references(week: ReportedWeek) -> list[str]:
    """Return the references whose names are cut elsewhere in the report, in full."""
    used = sorted({row["reference"] for row in week.series if row["reference"]})
    return [
        f"Reference: {names.reference_title(name)}."
        for name in used
        if names.reference_title(name) != names.short_reference(name)
    ]


def _write_literature(found: Row) -> list[Block]:
    if not found["citations"]:
        return []
    return [Heading("Where the measures are from"), Items(found["citations"])]


def _cite(week: ReportedWeek, digest: str, generator: str) -> list[Block]:
    jobs = ", ".join(job.name for job in week.jobs)
    return [
        Words(
            f"Weekly report of {jobs or 'no job'}, week to {format_day(week.until, week.zone)}. "
            f"{generator}. SHA-256 of its JSON: {digest}."
        ),
        Words(
            "The digest is that of the JSON file of this report (sha256sum). Each number leads "
            "back to points and comparisons by the ids in that file, and from there to answers by "
            "“monitor evidence show”.",
            "small",
        ),
    ]
