"""What `monitor status` says: who is at work, what is due, what became of it, what is wrong."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from monitor import pipeline
from monitor.cli.console import note, out, say, table, visible
from monitor.model import TickState
from monitor.store.collect import evidence
from monitor.store.database import Connection, Database
from monitor.store.reports import run_report
from monitor.store.schedule import ticks
from monitor.store.schedule.installation import ListedJob, list_jobs, read_installation
from monitor.store.schedule.ticks import DueTick
from monitor.text.counted_nouns import several

#: Ticks are counted over so many days.
_DAYS = 30

_Found = dict[str, Any]


def read(database: Database) -> _Found:
    """All of it, as plain values."""
    now = datetime.now(UTC)
    with database.read() as connection:
        state = read_installation(connection, now)
        return {
            "processes": [_plain(row.process) for row in state.processes if not row.is_silent],
            "jobs": [_job(connection, job) for job in state.jobs if job.watched],
            "ticks": dict(ticks.count_states(connection, now - timedelta(days=_DAYS))),
            "waiting": state.waiting,
            "redo": [_plain(one) for one in pipeline.redo_progress(connection)],
            "pauses": [_plain(pause) for pause in state.pauses],
            "suspensions": state.suspensions,
            "alarms": [_plain(alarm) for alarm in state.alarms],
            "undecided": _undecided(state.jobs),
            "runs": run_report.read_newest_runs(connection),
        }


def _plain(record: object) -> _Found:
    names: Sequence[str] = getattr(type(record), "__slots__", ())
    return {name: getattr(record, name) for name in names}


def _undecided(jobs: Sequence[ListedJob]) -> list[_Found]:
    """The jobs with ticks that were measured and are not decided."""
    undecided = [job for job in jobs if job.undecided]
    if not undecided:
        return []
    from monitor.stages import schedule

    return [
        {
            "job": job.name,
            "runs": [run.id for run in job.undecided],
            "said": schedule.undecided_ticks(job.undecided),
        }
        for job in undecided
    ]


def jobs(connection: Connection) -> list[_Found]:
    """Return the watched jobs, each with its last tick."""
    return [_job(connection, job) for job in list_jobs(connection) if job.watched]


def _job(connection: Connection, job: ListedJob) -> _Found:
    columns = ("job", "path", "is_active", "is_paused", "trouble", "next_at")
    row = _plain(job.watched) | {"is_paused": job.pause is not None}
    last = tick(connection, job.tick) if job.tick else None
    return {name: row[name] for name in columns} | {"last": last}


def tick(connection: Connection, one: DueTick) -> _Found:
    """Return a tick: when it was due, its state and why, and how far its run is."""
    planned = answered = None
    # of a run that has all its answers nobody wants to wait for the count
    if one.run_id is not None and one.state in (TickState.RUNNING, TickState.PARTIAL):
        planned, answered = evidence.count_progress(connection, one.run_id)
    return {
        "due_at": one.due_at,
        "state": one.state,
        "reason": one.reason,
        "run": one.run_id,
        "planned": planned,
        "answered": answered,
    }


def show_job(row: Mapping[str, Any], last: Sequence[Mapping[str, Any]], zone: ZoneInfo) -> None:
    """Print a watched job with its last ticks."""
    following = _cells(row, zone)[1]
    say(f"{row['job']}: {row['path']}; next tick {following}")
    if row["trouble"]:
        _line(f"{row['job']} goes on as it was, because {row['trouble']}")
    if not last:
        out.print("no tick so far")
        return
    rows = [
        (
            _time(row["due_at"], zone), str(row["state"]), str(row["run"] or ""),
            visible(_note({"last": row, "trouble": ""})),
        )
        for row in last
    ]  # fmt: skip
    out.print(table("", ("due", "state", "run", "note"), rows))


def show(found: _Found, zone: ZoneInfo) -> None:
    """Print it for people."""
    _print_processes(found, zone)
    if found["jobs"]:
        print_jobs(found["jobs"], zone)
    _print_counts(found["ticks"])
    for row in found["waiting"]:
        until = f" until {_time(row['not_before'], zone)}" if row["not_before"] else ""
        _line(f"run {row['run_id']} of {row['job']} waits{until}: {row['reason']}")
    for row in found["redo"]:
        who = "by the daemon itself" if row["is_by_itself"] else "by hand"
        done = f"{row['done']:,} of {row['planned']:,} runs"
        _line(f"{row['job']} is derived anew, as planned {who}: {done}")
    for row in found["pauses"]:
        why = f": {row['reason']}" if row["reason"] else ""
        _line(f"{row['kind']} {row['name']} is paused since {_time(row['paused_at'], zone)}{why}")
    for row in found["suspensions"]:
        why = ", ".join(str(row[key]) for key in ("reason", "detail") if row[key])
        _line(f"{row['lane']} is suspended until {_time(row['until'], zone)}: {why}")
    for row in found["undecided"]:
        _line(f"{row['job']}: {row['said']}")
    for row in found["alarms"]:
        text = f"{row['kind']} {row['subject']}: {row['detail']}"
        _line(f"alarm since {_time(row['since'], zone)}: {text}", style="red")
    _print_runs(found["runs"], zone)


def _line(text: str, style: str = "yellow") -> None:
    note(visible(text), style=style)


def _time(moment: datetime | None, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}" if moment else "never"


def needs_somebody(found: _Found) -> bool:
    """Whether a person has to act: an alarm stands, or nothing is begun when it is due."""
    return bool(found["alarms"]) or _is_unattended(found)


def _is_unattended(found: _Found) -> bool:
    is_there = any(row["role"] == "daemon" for row in found["processes"])
    return bool(found["jobs"]) and not is_there


def _print_processes(found: _Found, zone: ZoneInfo) -> None:
    if _is_unattended(found):
        _line("no daemon is at work: nothing is begun when it is due; start it: monitor daemon")
    for row in found["processes"]:
        machine, number, _ = (*row["name"].rsplit(":", 2), "", "")[:3]
        since = _time(row["started_at"], zone)
        who = f"{row['role']} {number} on {machine.partition('/')[0]}"
        say(visible(f"{who} since {since}: {row['detail']}"))


def print_jobs(watched: Sequence[_Found], zone: ZoneInfo) -> None:
    """Print the jobs with their ticks; what is wrong with a job file is said below."""
    if not watched:
        out.print("no job is watched yet; start: monitor daemon")
        return
    columns = ("job", "next tick", "last tick", "state", "run")
    out.print(table("", columns, [_cells(row, zone) for row in watched]))
    for row in watched:
        if note := _note(row):
            say(visible(f"{row['job']}: {note}"))
        if row["trouble"] and row["is_active"]:
            _line(f"{row['job']} goes on as it was, because {row['trouble']}")


def _cells(row: Mapping[str, Any], zone: ZoneInfo) -> list[str]:
    last = row["last"]
    following = _time(row["next_at"], zone) if row["is_active"] else "not watched"
    if row["is_paused"]:
        following = "paused"
    if last is None:
        return [row["job"], following, "", "", ""]
    run = str(last["run"] or "")
    return [row["job"], following, _time(last["due_at"], zone), str(last["state"]), run]


def _note(row: Mapping[str, Any]) -> str:
    """How far the last tick is, and why it is as it is."""
    last = row["last"]
    if last is None:
        return "file in trouble" if row["trouble"] else ""
    planned = last["planned"]
    said = f"{last['answered']:,} of {several(planned, 'question')} answered" if planned else ""
    return "; ".join(part for part in (said, last["reason"]) if part)


def _print_counts(counts: Mapping[str, int]) -> None:
    if counts:
        parts = ", ".join(f"{n:,} {state}" for state, n in sorted(counts.items()))
        out.print(f"ticks of the last {_DAYS} days: {parts}", markup=False)


def _print_runs(rows: list[_Found], zone: ZoneInfo) -> None:
    if not rows:
        out.print("no run yet; start with: monitor run jobs/demo.toml")
        return
    columns = ("job", "run", "kind", "due", "state", "answered", "planned")
    for row in rows:
        row["due"] = f"{row['due'].astimezone(zone):%Y-%m-%d %H:%M}"
        asks = row["texts"] is None
        row["answered"] = f"{row['answered']:,}" if asks else several(row["texts"], "text")
        row["planned"] = f"{row['planned']:,}" if asks else "asks nobody"
    cells = [[str(row[name]) for name in columns] for row in rows]
    out.print(table("Newest runs", columns, cells))
