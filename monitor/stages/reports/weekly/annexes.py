"""Annexes of the weekly report: the instrument, load on others, origin of the numbers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from monitor.model import Kind, RunKind
from monitor.stages import validation as audit_verdict
from monitor.stages.document import records as doc
from monitor.stages.document.notation import format_day, format_minute, format_size, number, spelt
from monitor.stages.reports import names, run_annexes
from monitor.stages.reports.cells import show_count
from monitor.stages.reports.weekly.week import JobWeek, ReportedWeek
from monitor.store import validation
from monitor.store.database import Connection
from monitor.store.derive.signatures import get_inputs
from monitor.store.reports import weekly_report
from monitor.store.rows import group_rows
from monitor.text.counted_nouns import several

# --- instrument -----------------------------------------------------------------------------------

Row = dict[str, Any]


def describe_instrument(connection: Connection, week: ReportedWeek) -> Row:
    """The newest audit of every language of each job, and when each was audited last.

    Of ticks until the end of the week: a report says the same of its week whenever it is made.
    """
    names = [job.name for job in week.jobs]
    groups = validation.read_groups(connection, names, week.until)
    newest = {
        audit_verdict.write_subject(verdict.group): verdict
        for verdict in audit_verdict.judge_groups(groups)
        if verdict.group.read
    }
    last = []
    for name in names:
        own_groups = [group for group in groups if group.job == name]
        targets = sorted(
            {row["target"] for row in week.series if (row["job"], row["kind"]) == (name, Kind.MT)}
        )
        sentences = audit_verdict.last_audited(targets, own_groups, week.until)
        last += [{"job": name, "said": text} for text in sentences]
    audits = [audit_verdict.describe_group(verdict) for verdict in newest.values()]
    return {"audits": audits, "last": last}


# --- printed --------------------------------------------------------------------------------------


def write_instrument_section(week: ReportedWeek, found: Row) -> doc.Section | None:
    """Audits in a table, and a sentence for each language; nothing where nobody reads texts."""
    if not (found["audits"] or found["last"]):
        return None
    blocks: list[doc.Block] = []
    if found["audits"]:
        blocks += _printed(week, found)
    blocks.append(doc.Items([f"{row['job']}, {row['said']}." for row in found["last"]]))
    return doc.Section("instrument", "How accurate is the detection?", blocks)


def _printed(week: ReportedWeek, found: Row) -> list[doc.Block]:
    table = doc.table(
        "Texts drawn at random by called class and read by people; right calls weigh by how often "
        "each class was called; rates raw, and corrected beneath",
        [
            doc.Column("audit", width=2.2),
            "#read",
            doc.Column("right calls", is_number=True, width=1.4),
            doc.Column("marked among read", is_number=True, width=1.6),
            doc.Column("masculine among marked", is_number=True, width=1.6),
            doc.Column("against the audit before", width=2.2),
        ],
        [_write_audit(week, row) for row in found["audits"]],
    )
    return [table, doc.Words(f"{audit_verdict.HOLDS} {audit_verdict.NOT_CORRECTED}", "small")]


def _write_audit(week: ReportedWeek, row: Row) -> list[doc.Entry]:
    system = f", {row['system']}" if row["system"] else ""
    people = several(row["n_raters"], "person", "people")
    return [
        doc.Cell(
            f"{row['job']}: {row['target']} ({row['cue']}){system}",
            f"run {row['run_id']}, {format_day(row['due_at'], week.zone)}",
        ),
        doc.Cell(
            f"{row['read']:,}",
            f"{people}; {row['disputed']:,} disputed, {row['unread']:,} not read",
        ),
        *map(_write_estimate, (row["right_share"], row["marked_share"], row["masculine_share"])),
        doc.Cell(_before(row), row["reason"]),
    ]


def _write_estimate(found: Row) -> doc.Cell:
    """The raw rate above the corrected one; why there is none where nothing is corrected."""
    corrected = audit_verdict.write_estimate(found)
    if found["raw"] is None:
        return doc.Cell(corrected)
    return doc.Cell(f"{found['raw']:.3f}", corrected)


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
    questions = Counter[int]()
    for row in endings:
        if row["outcome"] != "not asked":
            questions[row["id"]] += row["questions"]
    requests = weekly_report.count_requests(connection, week.run_ids)
    return {
        "engines": _list_engines(week, requests, questions),
        "lookups": weekly_report.count_lookups(connection, week.run_ids),
        "suspensions": weekly_report.read_suspensions(connection, week.after, week.until),
    }


def _list_engines(week: ReportedWeek, rows: Sequence[Row], questions: Counter[int]) -> list[Row]:
    kinds = {row["id"]: row["kind"] for row in week.runs}
    budgets: dict[str, int] = {}  # questions a day that a job allows, the largest of several jobs
    for label, use in (pair for job in week.jobs for pair in job.uses):
        if use.daily_budget is not None:
            budgets[label] = max(budgets.get(label, 0), use.daily_budget)
    return [
        {
            "engine_id": engine_id, "engine": of[0]["name"], "surface": of[0]["surface"],
            "requests": sum(row["requests"] for row in of), "questions": questions[engine_id],
            "bytes": sum(int(row["bytes"]) for row in of),
            "seconds": sum(float(row["seconds"] or 0) for row in of),
            "runs": len(of),
            "off_grid_requests": sum(
                row["requests"] for row in of if kinds.get(row["run_id"]) != RunKind.SCHEDULED
            ),
            "first_at": min(row["first_at"] for row in of),
            "last_at": max(row["last_at"] for row in of),
            "daily_budget": budgets.get(of[0]["name"]),
        }
        for engine_id, of in group_rows(rows, itemgetter("id")).items()
    ]  # fmt: skip


# --- printed --------------------------------------------------------------------------------------


def write_load_section(week: ReportedWeek, found: Row) -> doc.Section:
    """Load by engine, look-ups, and who made us wait."""
    blocks: list[doc.Block] = []
    if found["engines"]:
        blocks += [
            doc.Words(
                "Requests are what was sent, questions what had an ending; several questions can "
                "share a request. Bytes are those of stored answers before they are packed, and "
                "the same answer counts each time. Hours are the time that engines took to answer.",
                "small",
            ),
            _write_table(week, found["engines"]),
        ]
    else:
        blocks.append(doc.Words("Nobody was asked anything in this week."))
    if found["lookups"]:
        sentences = [
            f"{row['purpose']}: {several(row['requests'], 'request')}, {row['failed']:,} without "
            f"an answer, {number(float(row['seconds'] or 0) / _HOUR, 2)} hours"
            for row in found["lookups"]
        ]
        blocks += [doc.Heading("Asked of public services beside the engines"), doc.Items(sentences)]
    blocks += _rests(week, found["suspensions"])
    return doc.Section("load", "Load that we caused", blocks)


def _write_table(week: ReportedWeek, rows: Sequence[Row]) -> doc.Table:
    return doc.table(
        "What was asked of each engine in this week",
        [doc.Column("engine", width=2), "#requests", "#questions", "#received", "#hours asked",
         "#runs", "#daily budget", doc.Column("from, to", width=1.6)],
        [
            [
                doc.Cell(week.engine_title(row["engine"]), row["surface"]),
                doc.Cell(f"{row['requests']:,}", _say_off_grid(row["off_grid_requests"])),
                f"{row['questions']:,}", format_size(row["bytes"]),
                number(row["seconds"] / _HOUR, 2), f"{row['runs']:,}",
                show_count(row["daily_budget"], "none set"),
                doc.Cell(format_minute(row["first_at"], week.zone),
                         format_minute(row["last_at"], week.zone)),
            ]
            for row in rows
        ],
    )  # fmt: skip


def _say_off_grid(n: int) -> str:
    return f"{n:,} beside the schedule" if n else ""


def _rests(week: ReportedWeek, rows: Sequence[Row]) -> list[doc.Block]:
    if not rows:
        return [doc.Words("No engine has a suspension in this week.", "small")]
    sentences = [
        f"{row['lane']} by way of {row['exit']}: from {format_minute(row['since'], week.zone)} to "
        f"{format_minute(row['until'], week.zone)}, {row['reason'] or 'no reason is stored'}"
        f"{', ' if row['detail'] else ''}{row['detail']} ({several(row['times'], 'time')} in a row)"
        for row in rows
    ]
    return [doc.Heading("Engines that rested, the newest rest of each"), doc.Items(sentences)]


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
    counted = Counter(point["signature"] for job in week.jobs for point in job.points)
    return [
        {"hash": row["hash"], "parts": row["parts"], "points": counted[row["hash"]]}
        for row in week.parts.values()
        if row["hash"] in counted
    ]


def list_switches(week: ReportedWeek) -> list[Row]:
    """Switches in the week, alike ones together."""
    series = {row["series_id"]: row for row in week.series}
    of_week = [
        row for row in week.switches
        if row["switched_at"] > week.after and row["series_id"] in series
    ]  # fmt: skip
    rows = []
    for key, alike in group_rows(of_week, itemgetter("from_id", "to_id", "switched_at")).items():
        from_id, to_id, switched_at = key
        after = week.parts[to_id]
        before: Row = week.parts[from_id] if from_id else {"hash": "", "parts": {}}
        systems = (names.name_system(series[row["series_id"]]) for row in alike)
        rows.append(
            {"switched_at": switched_at, "from": str(before["hash"]), "to": str(after["hash"]),
             "differences": names.say_differences(before["parts"], after["parts"])
             if from_id else [],
             "is_anew": get_inputs(before["parts"]) != get_inputs(after["parts"]),
             "systems": list(dict.fromkeys(systems)), "n_series": len(alike)}
        )  # fmt: skip
    return rows


def _declared(job: JobWeek) -> Row:
    registered = job.declaration.registered
    return {
        "job": job.name,
        "hash": registered.hash if registered else "",
        "registered_at": registered.registered_at if registered else None,
        "content": registered.content if registered else None,
        "primaries": list(job.declaration.declared.get("primaries", ())),
        "is_before_first_tick": job.declaration.is_before_first_tick,
    }


def _list_citations(week: ReportedWeek) -> list[str]:
    known = (names.find_measure(row["measure"], row["kind"]) for row in week.series)
    return list(dict.fromkeys(measure.citation for measure in known if measure))


# --- printed --------------------------------------------------------------------------------------


def write_origin_sections(
    week: ReportedWeek, found: Row, digest: str, generator: str
) -> list[doc.Section]:
    """Versions, governance, methods, and how to cite; `digest` is that of the JSON."""
    used = sorted({row["reference"] for row in week.series if row["reference"]})
    references = [  # whose names are cut elsewhere in the report, in full
        f"Reference: {names.reference_title(name)}."
        for name in used
        if names.reference_title(name) != names.short_reference(name)
    ]
    methods: list[doc.Block] = [doc.Items([*METHODS.splitlines(), *references])]
    if found["citations"]:
        methods += [doc.Heading("Where the measures are from"), doc.Items(found["citations"])]
    return [
        doc.Section("versions", "Versions", _write_versions(week, found)),
        doc.Section("governance", "Governance", _write_governance(week, found)),
        doc.Section("methods", "Methods in short", methods),
        doc.Section("cite", "How to cite", _cite(week, digest, generator)),
    ]


def _write_versions(week: ReportedWeek, found: Row) -> list[doc.Block]:
    blocks: list[doc.Block] = [
        doc.Words("No series changed its method version in this week."),
    ]
    if found["switches"]:
        blocks = [
            doc.Heading("Changes of method versions in this week"),
            doc.Items([say_switch(week, row) for row in found["switches"]]),
        ]
    blocks.append(
        doc.table(
            "What made the newest runs",
            ["job", "program", doc.Column("hash of the job", width=3)],
            [
                [row["job"], row["code_version"] or "unknown", row["job_hash"]]
                for row in found["code"]
            ],
        )
    )
    if found["signatures"]:
        parts = doc.table(
            "Method versions: everything of ours that decides a value",
            ["method version", "#points", doc.Column("parts", width=5)],
            [
                [row["hash"][:_HASH], f"{row['points']:,}", _spelt(row["parts"])]
                for row in found["signatures"]
            ],
        )
        n = several(len(found["signatures"]), "method version")
        blocks.append(doc.Fold(f"Parts of {n} in the newest run", [parts]))
    if found["identities"]:
        identities = doc.table(
            "What answered",
            ["engine", doc.Column("says of itself", width=4), "#requests"],
            [
                [week.engine_title(row["name"]), _spelt(row["identity"]), f"{row['requests']:,}"]
                for row in found["identities"]
            ],
        )
        n = several(len(found["identities"]), "identity", "identities")
        blocks.append(doc.Fold(f"What the systems say of themselves ({n})", [identities]))
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


def _spelt(parts: Mapping[str, Any]) -> str:
    return spelt({key: value for key, value in parts.items() if value not in ("", 0)})


def _write_governance(week: ReportedWeek, found: Row) -> list[doc.Block]:
    blocks: list[doc.Block] = []
    for row in found["governance"]:
        blocks.append(doc.Heading(f"Job {row['job']}"))
        if not row["stated"]:
            blocks.append(doc.Words(row["sentence"]))
            continue
        lines = [(name.replace("_", " "), row[name] or "not stated") for name in run_annexes.TEXTS]
        reviews = [
            f"{entry['title']}: {entry['reviewed'] or 'not reviewed'}" for entry in row["foreign"]
        ]
        read = "; ".join(reviews) or "no engine of others"
        blocks.append(doc.Pairs([*lines, ("terms read", read)]))
    return [*blocks, *(doc.Words(_say_declaration(week, row)) for row in found["declarations"])]


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


def _cite(week: ReportedWeek, digest: str, generator: str) -> list[doc.Block]:
    jobs = ", ".join(job.name for job in week.jobs)
    return [
        doc.Words(
            f"Weekly report of {jobs or 'no job'}, week to {format_day(week.until, week.zone)}. "
            f"{generator}. SHA-256 of its JSON: {digest}."
        ),
        doc.Words(
            "The digest is that of the JSON file of this report (sha256sum). Each number leads "
            "back to points and comparisons by the ids in that file, and from there to answers by "
            "“monitor evidence show”.",
            "small",
        ),
    ]
