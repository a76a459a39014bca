"""What `monitor plan` says of a job that asks nothing: which runs it reads, and how many texts."""

from contextlib import closing
from datetime import UTC, datetime

from monitor import pipeline, settings
from monitor.cli._console import emit_json, err, out
from monitor.jobs import Audit
from monitor.model import InvalidInput, StoreProblem
from monitor.pipeline.gathering import Expected
from monitor.store import migrations
from monitor.store.database import connect
from monitor.text.counted_nouns import several
from monitor.ticks import next_tick


def show(audit: Audit, *, as_json: bool) -> None:
    """Say what the next tick would read of what is there by now."""
    found = _expected(audit)
    if as_json:
        emit_json(_plain(audit, found))
        return
    corpus, schedule = audit.job.corpus, audit.job.schedule
    if corpus is None:
        raise InvalidInput(f"{audit.path}: has no table [corpus]: it asks for itself")
    out.print(f"One tick of {audit.job.name}: {audit.job.description}", markup=False)
    _say(
        f"It asks nobody: it reads what {' and '.join(corpus.jobs)} collected in the "
        f"{corpus.period} before the tick ({schedule.timezone})."
    )
    out.print(f"due: {schedule.cron} ({schedule.timezone})", markup=False)
    if found is None:
        return
    title = found.period.title
    if not found.ended:
        _say(f"The next tick reads {title}: no run of {' or '.join(corpus.jobs)} has ended yet.")
    for system, n in found.documents.items():
        if found.ended:
            runs = several(found.ended, "run")
            _say(f"The next tick reads {title}: so far {several(n, 'text')} of {runs}, {system}.")
    if found.going:
        _say(f"{several(found.going, 'run')} of {title} had not ended, and would not be read.")


def _expected(audit: Audit) -> Expected | None:
    """By what the database knows; None where there is none."""
    chosen = settings.load()
    with closing(connect(chosen.url, chosen.bodies)) as opened:
        if not opened.is_there:
            return None
        try:
            migrations.check_schema(opened)
            now = datetime.now(UTC)
            due_at = next_tick(audit.job.schedule, now)
            return pipeline.expected(opened, audit, due_at or now)
        except StoreProblem as error:
            said = f"what there is to read is left out: {error}"
            err.print(said, style="yellow", markup=False, soft_wrap=True)
            return None


def _plain(audit: Audit, found: Expected | None) -> dict[str, object]:
    corpus = audit.job.corpus
    return {
        "asks": 0,
        "jobs": list(corpus.jobs) if corpus else [],
        "period": found.period.title if found else None,
        "runs": found.ended if found else None,
        "unfinished": found.going if found else None,
        "texts": dict(found.documents) if found else None,
    }


def _say(line: str) -> None:
    out.print(line, markup=False, soft_wrap=True)
