"""`monitor status`, the jobs that the daemon watches, and pauses of jobs and engines."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import ZoneInfo

import typer

from monitor import settings
from monitor.cli import names
from monitor.cli.console import AsJson, emit_json, note, out, say, table, visible
from monitor.cli.database import database
from monitor.cli.names import known
from monitor.model import ActionNeeded, InvalidInput, RunKind, RunState, TickState, as_row
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.store.collect.pauses import PauseKind
    from monitor.store.database import Connection, Database
    from monitor.store.schedule.installation import ListedJob
    from monitor.store.schedule.ticks import DueTick

#: Ticks are counted over so many days; so many ticks of a job are shown.
_DAYS, _TICKS = 30, 12
_START_DAEMON = "start: monitor daemon"
_Found = dict[str, Any]

jobs_commands = typer.Typer()
Name = Annotated[
    str, typer.Argument(help="A job of `monitor jobs list`.", autocompletion=names.jobs)
]


def status(as_json: AsJson = False) -> None:
    """Show who is at work, what is due next, what became of the last ticks, and what is wrong.

    Then the newest run of every job: when, how far, how many answers. A job's state is that of its
    last tick: due, running, done, partial, missed, overlapped or failed, with the reason.

    Exit code 5 where a person has to act: an alarm stands, or jobs are watched and no daemon is
    at work.
    """
    with database() as opened:
        state = read_status(opened)
    if as_json:
        emit_json(state)
    else:
        _print_status(state, settings.load().zone)
    if needs_somebody(state):
        raise typer.Exit(ActionNeeded.exit_code)


def read_status(database: "Database") -> _Found:
    """Return what `monitor status --json` prints."""
    from monitor.store.reports import run_report
    from monitor.store.schedule import ticks
    from monitor.store.schedule.installation import read_installation
    from monitor.store.schedule.tasks import redo_progress

    now = datetime.now(UTC)
    with database.read() as connection:
        state = read_installation(connection, now)
        return {
            "processes": [as_row(row.process) for row in state.processes if not row.is_silent],
            "jobs": [_read_job(connection, job) for job in state.jobs if job.watched],
            "ticks": dict(ticks.count_states(connection, now - timedelta(days=_DAYS))),
            "waiting": state.waiting,
            "redo": [as_row(progress) for progress in redo_progress(connection)],
            "pauses": [as_row(pause) for pause in state.pauses],
            "suspensions": state.suspensions,
            "alarms": [as_row(alarm) for alarm in state.alarms],
            "undecided": _list_undecided(state.jobs),
            "runs": run_report.read_newest_runs(connection),
        }


def _list_undecided(jobs: "Sequence[ListedJob]") -> list[_Found]:
    undecided = [job for job in jobs if job.undecided]
    if not undecided:
        return []
    from monitor.stages import alarm_rules

    return [
        {
            "job": job.name,
            "runs": [run.id for run in job.undecided],
            "said": alarm_rules.undecided_ticks(job.undecided),
        }
        for job in undecided
    ]


def _read_jobs(connection: "Connection") -> list[_Found]:
    from monitor.store.schedule.installation import list_jobs

    return [_read_job(connection, job) for job in list_jobs(connection) if job.watched]


def _read_job(connection: "Connection", job: "ListedJob") -> _Found:
    columns = ("job", "path", "is_active", "is_paused", "trouble", "next_at")
    row = as_row(job.watched) | {"is_paused": job.pause is not None}
    last = _read_tick(connection, job.tick) if job.tick else None
    return {name: row[name] for name in columns} | {"last": last}


def _read_tick(connection: "Connection", tick: "DueTick") -> _Found:
    """Return when a tick was due, its state and why, and how far its run is."""
    from monitor.store.collect import evidence

    planned = answered = None
    # of a run that has all its answers nobody wants to wait for the count
    if tick.run_id is not None and tick.state in (TickState.RUNNING, TickState.PARTIAL):
        planned, answered = evidence.count_progress(connection, tick.run_id)
    return {
        "due_at": tick.due_at,
        "state": tick.state,
        "reason": tick.reason,
        "run": tick.run_id,
        "planned": planned,
        "answered": answered,
    }


def needs_somebody(state: _Found) -> bool:
    """Return whether a person has to act: an alarm stands, or nothing is begun when it is due."""
    return bool(state["alarms"]) or _is_unattended(state)


def _is_unattended(state: _Found) -> bool:
    is_there = any(row["role"] == "daemon" for row in state["processes"])
    return bool(state["jobs"]) and not is_there


# --- on the terminal ------------------------------------------------------------------------------


def _print_status(state: _Found, zone: ZoneInfo) -> None:
    if _is_unattended(state):
        _warn("no daemon is at work: nothing is begun when it is due; start it: monitor daemon")
    for row in state["processes"]:
        machine, number, _ = (*row["name"].rsplit(":", 2), "", "")[:3]
        since = _time(row["started_at"], zone)
        who = f"{row['role']} {number} on {machine.partition('/')[0]}"
        say(visible(f"{who} since {since}: {row['detail']}"))
    if state["jobs"]:
        _print_jobs(state["jobs"], zone)
    if state["ticks"]:
        parts = ", ".join(f"{n:,} {name}" for name, n in sorted(state["ticks"].items()))
        out.print(f"ticks of the last {_DAYS} days: {parts}", markup=False)
    _print_troubles(state, zone)
    _print_runs(state["runs"], zone)


def _print_troubles(state: _Found, zone: ZoneInfo) -> None:
    for row in state["waiting"]:
        until = f" until {_time(row['not_before'], zone)}" if row["not_before"] else ""
        _warn(f"run {row['run_id']} of {row['job']} waits{until}: {row['reason']}")
    for row in state["redo"]:
        who = "by the daemon itself" if row["is_by_itself"] else "by hand"
        done = f"{row['done']:,} of {row['planned']:,} runs"
        _warn(f"{row['job']} is derived anew, as planned {who}: {done}")
    for row in state["pauses"]:
        why = f": {row['reason']}" if row["reason"] else ""
        _warn(f"{row['kind']} {row['name']} is paused since {_time(row['paused_at'], zone)}{why}")
    for row in state["suspensions"]:
        why = ", ".join(str(row[key]) for key in ("reason", "detail") if row[key])
        _warn(f"{row['lane']} is suspended until {_time(row['until'], zone)}: {why}")
    for row in state["undecided"]:
        _warn(f"{row['job']}: {row['said']}")
    for row in state["alarms"]:
        text = f"{row['kind']} {row['subject']}: {row['detail']}"
        _warn(f"alarm since {_time(row['since'], zone)}: {text}", style="red")


def _warn(text: str, style: str = "yellow") -> None:
    note(visible(text), style=style)


def _time(moment: datetime | None, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}" if moment else "never"


def _print_jobs(watched: Sequence[_Found], zone: ZoneInfo) -> None:
    if not watched:
        out.print(f"no job is watched yet; {_START_DAEMON}")
        return
    columns = ("job", "next tick", "last tick", "state", "run")
    out.print(table("", columns, [_cells(row, zone) for row in watched]))
    for row in watched:
        if words := _say_tick(row):
            say(visible(f"{row['job']}: {words}"))
        if row["trouble"] and row["is_active"]:
            _warn(f"{row['job']} goes on as it was, because {row['trouble']}")


def _cells(row: Mapping[str, Any], zone: ZoneInfo) -> list[str]:
    last = row["last"]
    following = _time(row["next_at"], zone) if row["is_active"] else "not watched"
    if row["is_paused"]:
        following = "paused"
    if last is None:
        return [row["job"], following, "", "", ""]
    run = str(last["run"] or "")
    return [row["job"], following, _time(last["due_at"], zone), str(last["state"]), run]


def _say_tick(row: Mapping[str, Any]) -> str:
    """Return how far the last tick is, and why it is as it is."""
    last = row["last"]
    if last is None:
        return "file in trouble" if row["trouble"] else ""
    planned = last["planned"]
    progress = f"{last['answered']:,} of {several(planned, 'question')} answered" if planned else ""
    return "; ".join(part for part in (progress, last["reason"]) if part)


def _print_runs(rows: list[_Found], zone: ZoneInfo) -> None:
    if not rows:
        out.print("no run yet; start with: monitor run jobs/demo.toml")
        return
    cells = []
    for row in rows:
        answered, planned = f"{row['answered']:,}", f"{row['planned']:,}"
        if row["texts"] is not None:
            answered, planned = several(row["texts"], "text"), "asks nobody"
        facts = (str(row["job"]), str(row["run"]), str(row["kind"]), _time(row["due"], zone))
        cells.append([*facts, str(row["state"]), answered, planned])
    columns = ("job", "run", "kind", "due", "state", "answered", "planned")
    out.print(table("Newest runs", columns, cells))
    for row in rows:
        if row["state"] == RunState.INTERRUPTED and row["kind"] != RunKind.SCHEDULED:
            _warn(
                f"run {row['run']} of {row['job']} was interrupted; ask what is missing: "
                "monitor run JOBFILE --resume"
            )


# --- jobs -----------------------------------------------------------------------------------------


@jobs_commands.command("list")
def list_watched_jobs(as_json: AsJson = False) -> None:
    """List the jobs that are or were watched: next tick, last tick, and what became of it."""
    with database() as opened, opened.read() as connection:
        watched = _read_jobs(connection)
    if as_json:
        emit_json(watched)
    else:
        _print_jobs(watched, settings.load().zone)


@jobs_commands.command("show")
def show_job(name: Name, as_json: AsJson = False) -> None:
    """Show a watched job: its file, its next tick, and what became of the last ones."""
    from monitor.store.schedule import ticks

    zone = settings.load().zone
    with database() as opened, opened.read() as connection:
        watched = {row["job"]: row for row in _read_jobs(connection)}
        if name not in watched and not watched:
            raise InvalidInput(f"no job {name!r} is watched; {_START_DAEMON}")
        known("job", name, watched)
        newest = ticks.list_newest(connection, name, _TICKS)
        last = [_read_tick(connection, tick) for tick in newest]
    job = watched[name]
    if as_json:
        emit_json(job | {"ticks": last})
        return
    say(f"{name}: {job['path']}; next tick {_cells(job, zone)[1]}")
    if job["trouble"]:
        _warn(f"{name} goes on as it was, because {job['trouble']}")
    if not last:
        out.print("no tick so far")
        return
    rows = []
    for tick in last:
        words = visible(_say_tick({"last": tick}))
        rows.append(
            (_time(tick["due_at"], zone), str(tick["state"]), str(tick["run"] or ""), words)
        )
    out.print(table("", ("due", "state", "run", "note"), rows))


@jobs_commands.command("pause")
def pause_job(
    name: Name,
    reason: Annotated[str, typer.Option("--reason", help="Why; kept with every tick.")] = "",
) -> None:
    """Begin no tick of a job until it is resumed; its ticks are written down as missed.

    A run that is being asked goes on to its end.
    """
    with database() as opened:
        with opened.read() as connection:
            known("job", name, _list_names(connection))
        pause(opened, "job", name, reason, "its ticks are missed until it is resumed")


@jobs_commands.command("trust-clock")
def trust_clock(
    reason: Annotated[
        str, typer.Option("--reason", help="Who says so, and why; it is kept and shown.")
    ],
) -> None:
    """Say that the clock is right now, and was ahead when it wrote of times still to come.

    Ends the alarm `clock`, during which the daemon begins nothing. Look at `timedatectl` first: if
    the clock is behind, have it synchronised instead.
    """
    from monitor.daemon import watching

    if not reason.strip():
        raise InvalidInput("--reason: a reason is required; it is shown to all users")
    now = datetime.now(UTC)
    with database() as opened:
        latest = watching.trust_clock(opened, reason.strip(), now)
    if latest is None:
        raise InvalidInput(
            f"nothing indicates that {now:%Y-%m-%d %H:%M} UTC, the time of this machine, is wrong: "
            "the database holds no rows over more than a day that are still to come"
        )
    words = f"{now:%Y-%m-%d %H:%M} UTC is right; the last row is of {latest:%Y-%m-%d %H:%M} UTC"
    say(f"noted: {words}; the daemon goes on at its next look")


@jobs_commands.command("resume")
def resume_job(name: Name) -> None:
    """Begin the ticks of a job again, from the next on."""
    from monitor.store.collect import pauses

    with database() as opened:
        with opened.read() as connection:
            paused = [pause.name for pause in pauses.list_pauses(connection)]
            known("job", name, {*_list_names(connection), *paused})
        resume(opened, "job", name, "its next tick is begun when it is due")


def _list_names(connection: "Connection") -> set[str]:
    """Return the names of jobs with runs or ticks, of those watched, and of files in jobs/."""
    from monitor.store.schedule import ticks

    watched = {str(row["job"]) for row in _read_jobs(connection)}
    return {*ticks.list_jobs(connection), *watched, *names.jobs()}


def pause(database: "Database", kind: "PauseKind", name: str, reason: str, note: str) -> None:
    """Put an engine or a job to rest, and say from when."""
    from monitor.store.collect import pauses

    now = datetime.now(UTC)
    with database.begin() as connection:
        replaced = pauses.add_pause(connection, kind, name, reason, now)
    say(f"{kind} {name} is paused; {note}")
    if replaced and replaced.reason != reason:
        say(visible(f"it was {replaced}; the reason is replaced"))


def resume(database: "Database", kind: "PauseKind", name: str, note: str) -> None:
    """End a rest; says so too where there was none."""
    from monitor.store.collect import pauses

    with database.begin() as connection:
        rested = pauses.end_pause(connection, kind, name, datetime.now(UTC))
    say(f"{kind} {name} {f'goes on; {note}' if rested else 'was not paused'}")


def lift(database: "Database", name: str) -> None:
    """Forget the suspensions of an engine or lane, and let what waits for them go on now."""
    from monitor.store.collect import pauses

    with database.begin() as connection:
        lifted = pauses.lift_suspensions(connection, name, datetime.now(UTC))
    say(f"asked again: {', '.join(lifted)}" if lifted else f"{name} was not suspended")
