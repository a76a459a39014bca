"""How often our own reading is right, as audits have shown, and the rates that they correct."""

from typing import Any

from monitor.model import Kind
from monitor.stages import audit_verdict, audit_words
from monitor.stages.audit_verdict import Verdict
from monitor.stages.document.records import Block, Cell, Column, Items, Section, Words, table
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.wording import day
from monitor.store.database import Connection
from monitor.store.validation import audits
from monitor.text.counted_nouns import several

Row = dict[str, Any]


def content(connection: Connection, week: Week) -> Row:
    """The newest audit of every language of each job, and when each was audited last.

    Of ticks until the end of the week: a report says the same of its week whenever it is made.
    """
    names = [job.name for job in week.jobs]
    groups = audits.read_groups(connection, names, week.until)
    newest: dict[str, Verdict] = {}
    for verdict in audit_verdict.verdicts(groups):
        if verdict.group.read:
            newest[audit_words.subject(verdict.group)] = verdict
    last = []
    for name in names:
        own_groups = [group for group in groups if group.job == name]
        targets = sorted(
            {row["target"] for row in week.series if (row["job"], row["kind"]) == (name, Kind.MT)}
        )
        last += [
            {"job": name, "said": said}
            for said in audit_words.last_audited(targets, own_groups, week.until)
        ]
    return {"audits": [audit_words.row(verdict) for verdict in newest.values()], "last": last}


# --- printed --------------------------------------------------------------------------------------


def section(week: Week, found: Row) -> Section | None:
    """Audits in a table, and a sentence for each language; nothing where nobody reads texts."""
    if not (found["audits"] or found["last"]):
        return None
    blocks: list[Block] = []
    if found["audits"]:
        blocks += _printed(week, found)
    blocks.append(Items([f"{row['job']}, {row['said']}." for row in found["last"]]))
    return Section("instrument", "How accurate is the detection?", blocks)


def _printed(week: Week, found: Row) -> list[Block]:
    columns = (
        Column("audit", width=2.2), Column("read", is_number=True),
        Column("right calls", is_number=True, width=1.4),
        Column("marked among read", is_number=True, width=1.6),
        Column("masculine among marked", is_number=True, width=1.6),
        Column("against the audit before", width=2.2),
    )  # fmt: skip
    rows = [
        [
            Cell(_name(row), f"run {row['run_id']}, {day(row['due_at'], week.zone)}"),
            Cell(f"{row['read']:,}", _people(row)),
            _estimate(row["right_share"]),
            _estimate(row["marked_share"]),
            _estimate(row["masculine_share"]),
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
        Words(f"{audit_words.HOLDS} {audit_words.NOT_CORRECTED}", "small"),
    ]


def _name(row: Row) -> str:
    system = f", {row['system']}" if row["system"] else ""
    return f"{row['job']}: {row['target']} ({row['cue']}){system}"


def _people(row: Row) -> str:
    said = several(row["n_raters"], "person", "people")
    return f"{said}; {row['disputed']:,} disputed, {row['unread']:,} not read"


def _estimate(found: Row) -> Cell:
    """The raw rate above the corrected one; why there is none where nothing is corrected."""
    corrected = audit_words.estimate(found)
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
