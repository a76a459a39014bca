"""Runs by hand that are no new tick: of recordings, of noise, of findings to be confirmed."""

from contextlib import closing
from datetime import UTC, datetime

from monitor import pipeline, settings
from monitor.cli.collect.run import end
from monitor.cli.console import emit_json, err, out, say, table, warn
from monitor.cli.database import database
from monitor.cli.progress import interruptible_run
from monitor.cli.reports import print_run
from monitor.fetch.recorded import Library
from monitor.fetch.saved_pages import Shelves
from monitor.jobs import Audit
from monitor.jobs_tables import Confirm
from monitor.model import InvalidInput, RunKind
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.reports import run_report
from monitor.text.counted_nouns import several
from monitor.work.outside import asks_services_of_others, make_surroundings, open_fetcher
from monitor.work.recorded import list_dates, make_missing_runs


def run_again(audit: Audit, kind: RunKind, *, resume: bool, as_json: bool) -> None:
    """Begin or resume a run of this kind, ask it to its end, and say what became of it."""
    chosen = settings.load()
    with database() as opened:
        if resume:
            own, tick = _resumed(opened, audit, kind)
        elif kind is RunKind.NOISE:
            own, tick = _noise(opened, audit)
        else:
            own, tick = _confirm(opened, audit)
        lanes = set(pipeline.lanes_of(opened, own, tick)) if not own.job.synchronised else None
        samples = pipeline.sample_requests(own, lanes)
        foreign = asks_services_of_others(own)
        with open_fetcher(samples, own.job.contact, foreign=foreign) as fetcher:
            landings = fetcher.landings if pipeline.landing_depth(own) else None
            here = make_surroundings(chosen, landings)
            with interruptible_run() as (progress, stop):
                summary = pipeline.run(opened, own, tick, fetcher, progress, stop, here)
    if not as_json:
        say(
            f"run {tick.id} ({kind}) of {tick.job}, due {tick.due_at:%Y-%m-%d %H:%M} UTC: "
            f"{summary.answered:,} of {several(summary.planned, 'question')} asked again have an "
            "answer"
        )
    end(summary, pipeline.resume_command(tick, audit), as_json=as_json)


def _resumed(opened: Database, audit: Audit, kind: RunKind) -> tuple[Audit, Run]:
    """The newest unfinished run of a kind, and its job as it was begun with."""
    with opened.read() as connection:
        before = runs.find_unfinished(connection, audit.job.name, kind)
    own = audit if before is None else pipeline.audit_of_run(opened, before)
    return own, pipeline.resume(opened, own, kind)


def _free(opened: Database, audit: Audit) -> None:
    """Raise InvalidInput while a run of the job is to be asked or derived from."""
    with opened.read() as connection:
        going = runs.find_open_reruns(connection, audit.job.name)
    if going:
        raise InvalidInput(
            f"{audit.path}: run {going[0]} of {audit.job.name} has not ended; a part of a tick is "
            "asked again when no run of its job is going"
        )


def _noise(opened: Database, audit: Audit) -> tuple[Audit, Run]:
    _free(opened, audit)
    with opened.read() as connection:
        tick = runs.find_newest_ended_run(connection, audit.job.name)
    if tick is None:
        raise InvalidInput(
            f"{audit.path}: the newest scheduled run of {audit.job.name} has not ended, or there "
            "is none: nothing can be asked again"
        )
    own, pairs = pipeline.still_asked(opened, tick.run, audit)
    if not pairs:
        raise InvalidInput(f"{audit.path}: asks nothing of what run {tick.run.id} asked any more")
    return own, pipeline.start_noise(opened, own, tick.run.due_at, pairs, table=audit.job.noise)


def _confirm(opened: Database, audit: Audit) -> tuple[Audit, Run]:
    """All findings of the oldest tick that can still be confirmed, and was not asked again."""
    now = datetime.now(UTC)
    suspected = [one for one in pipeline.to_confirm(opened, now) if one.job == audit.job.name]
    if not suspected:
        raise InvalidInput(f"{audit.path}: no finding of {audit.job.name} is to be asked again")
    _free(opened, audit)
    why = []
    for due_at in sorted({one.due_at for one in suspected}):
        pairs = {(one.engine, one.target) for one in suspected if one.due_at == due_at}
        try:
            own, begun = _confirm_tick(opened, audit, due_at, pairs, now)
        except InvalidInput as error:  # of this tick: another may be asked all the same
            why.append(f"{due_at:%Y-%m-%d %H:%M} UTC: {error}")
            continue
        if begun.run is not None:
            return own, begun.run
        why.append(f"{due_at:%Y-%m-%d %H:%M} UTC: {begun.reason}")
    raise InvalidInput(f"{audit.path}: nothing can be asked again: {'; '.join(why)}")


def _confirm_tick(
    opened: Database, audit: Audit, due_at: datetime, pairs: set[pipeline.Pair], now: datetime
) -> tuple[Audit, pipeline.Begun]:
    """Begin to ask a tick's findings again. Raises InvalidInput where that cannot be."""
    table = audit.job.confirm or Confirm()
    if now > due_at + table.within:
        reason = (
            f"found more than {table.within_hours:g} hours ago; asked again now, it would not be "
            "confirmed"
        )
        return audit, pipeline.Begun(None, reason)
    with opened.read() as connection:
        tick = runs.find_ended_run(connection, audit.job.name, due_at)
    if tick is None:
        return audit, pipeline.Begun(None, "its run has not ended")
    own, asked = pipeline.still_asked(opened, tick.run, audit)
    return own, pipeline.start_confirm(opened, own, due_at, pairs & asked, now, table)


def run_recorded(database: Database, audit: Audit, *, resume: bool, as_json: bool) -> None:
    """Make the runs, oldest date first, each due at its date; then print what became of them."""
    with closing(Shelves(audit.path.parent)) as shelves:
        dates = list_dates(database, audit, Library(audit.path.parent), shelves)
        for sentence in shelves.left_out:
            warn(sentence)
        with interruptible_run() as (progress, stop):
            wanted_missing_runs = make_missing_runs(
                database, audit, shelves, dates, progress, stop, resume=resume
            )
            made = list(wanted_missing_runs)
    for sentence in dict.fromkeys(one for summary in made for one in summary.stopped):
        warn(sentence)
    if as_json:
        emit_json([_as_json(database, summary) for summary in made])
        return
    if not made:
        err.print(
            f"all {several(len(dates), 'recorded date')} of {audit.job.name} have a run already"
        )
        return
    _print(database, made)


def _counts(database: Database, summary: "pipeline.Summary") -> tuple[int, int]:
    """(planned, recorded): what a recording lacks has been asked, and has no answer."""
    with database.read() as connection:
        rows = run_report.read_coverage(connection, summary.run.id)
    if not rows:  # no view counts the pages of donors
        return summary.planned, summary.answered
    return sum(row["planned"] for row in rows), sum(row["answered"] for row in rows)


def _as_json(database: Database, summary: "pipeline.Summary") -> dict[str, object]:
    planned, answered = _counts(database, summary)
    return {
        "run": summary.run.id,
        "due_at": summary.run.due_at.isoformat(),
        "state": summary.state,
        "planned": planned,
        "answered": answered,
        "points": summary.points,
    }


def _print(database: Database, made: "list[pipeline.Summary]") -> None:
    print_run(database, made[-1].run.id, findings_only=True)
    cells = []
    for summary in made:
        planned, answered = _counts(database, summary)
        due = f"{summary.run.due_at:%Y-%m-%d}"
        cells.append([due, str(summary.run.id), f"{answered:,} of {planned:,}", str(summary.state)])
    columns = ("recorded on", "run", "recorded", "state")
    out.print(table("Runs made, the newest of them above", columns, cells))
