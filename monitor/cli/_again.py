"""Asks a part of a tick again, by hand: the noise of a day, or what was found to have changed."""

from datetime import UTC, datetime

from monitor import pipeline, settings
from monitor.cli._console import out, progress_bar, stop_signal
from monitor.cli._open import database
from monitor.cli.work import end
from monitor.jobs import Audit
from monitor.jobs_tables import Confirm
from monitor.model import InvalidInput, RunKind
from monitor.store.changes import reruns
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.text.counted_nouns import several
from monitor.work.outside import around, outside


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
        with outside(samples, own.job.contact) as fetcher:
            landings = fetcher.landings if pipeline.landing_depth(own) else None
            here = around(chosen, landings)
            with stop_signal() as stop, progress_bar() as progress:
                summary = pipeline.run(opened, own, tick, fetcher, progress, stop, here)
    if not as_json:
        out.print(
            f"run {tick.id} ({kind}) of {tick.job}, due {tick.due_at:%Y-%m-%d %H:%M} UTC: "
            f"{summary.answered:,} of {several(summary.planned, 'question')} asked again have an "
            "answer",
            markup=False,
            soft_wrap=True,
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
        going = reruns.find_open_reruns(connection, audit.job.name)
    if going:
        raise InvalidInput(
            f"{audit.path}: run {going[0]} of {audit.job.name} has not ended; a part of a tick is "
            "asked again when no run of its job is going"
        )


def _noise(opened: Database, audit: Audit) -> tuple[Audit, Run]:
    _free(opened, audit)
    with opened.read() as connection:
        tick = reruns.find_newest_ended_run(connection, audit.job.name)
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
    found = [one for one in pipeline.to_confirm(opened, now) if one.job == audit.job.name]
    if not found:
        raise InvalidInput(f"{audit.path}: no finding of {audit.job.name} is to be asked again")
    _free(opened, audit)
    why = []
    for due_at in sorted({one.due_at for one in found}):
        pairs = {(one.engine, one.target) for one in found if one.due_at == due_at}
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
        tick = reruns.find_ended_run(connection, audit.job.name, due_at)
    if tick is None:
        return audit, pipeline.Begun(None, "its run has not ended")
    own, asked = pipeline.still_asked(opened, tick.run, audit)
    return own, pipeline.start_confirm(opened, own, due_at, pairs & asked, now, table)
